#ifndef TESTS_SUPPORT_CHANNELS_H
#define TESTS_SUPPORT_CHANNELS_H

/* The ways that we know in which a contained program could tell another one something: its next
 * process in another match, or an accomplice that plays at the same time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHANNELS_BITS_MAX 64

/* What both ends agree upon. */
struct channels_place {
    const char *file;   /* a large system file */
    const char *folder; /* a system folder with CHANNELS_BITS_MAX files at least */
    const char *nonce;  /* for names that nobody has used before */
};

struct channels_channel {
    const char *name;
    unsigned bits;   /* how many are sent */
    bool is_live;    /* both ends must play at the same time */
    bool needs_cold; /* the file must not lie in memory before */
    bool needs_old;  /* the folder's files must not have been read for a day */
    void (*listen)(const struct channels_place *place, unsigned bits); /* before; or NULL */
    void (*send)(const struct channels_place *place, const bool *sent, unsigned bits);
    void (*receive)(const struct channels_place *place, bool *received, unsigned bits);
};

extern const struct channels_channel channels_list[];
extern const size_t channels_count;

/* NULL if there is none of that name. */
const struct channels_channel *channels_find(const char *name);

/* The path of a regular file in a folder, by its number in the order of names; false if there are
 * not so many. */
bool channels_file(const char *folder, unsigned number, char *path, size_t size);

/* How far apart in the file two bits are. */
#define CHANNELS_STEP_BYTES (256L * 1024)

#endif
