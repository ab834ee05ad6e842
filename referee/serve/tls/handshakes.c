/* A bucket for each address, and one for all. A bucket has room for the handshakes of some seconds
 * and fills up again with time; each handshake takes one out. An address that is not in the table
 * has a full bucket, so those whose last handshake is long ago need no place in it. */

#include "serve/tls/handshakes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define ORIGINS_MAX 1024
#define US_PER_S 1000000
#define BURST_US ((int64_t)HANDSHAKES_BURST_S * US_PER_S)

struct bucket {
    int64_t used_us; /* what was taken out and is not there again, as the time that it takes */
    int64_t at_us;   /* when that was so */
    int64_t last_us; /* when the last one was taken out; 0: never */
};

struct origin_bucket {
    unsigned char origin[HANDSHAKES_ORIGIN_BYTES];
    struct bucket bucket;
};

struct handshakes {
    struct bucket all;
    struct origin_bucket origins[ORIGINS_MAX];
    unsigned count;
};

struct handshakes *handshakes_new(void)
{
    return xcalloc(1, sizeof(struct handshakes));
}

void handshakes_free(struct handshakes *handshakes)
{
    free(handshakes);
}

static void fill_up(struct bucket *bucket, int64_t now_us)
{
    int64_t passed_us = now_us - bucket->at_us;

    bucket->used_us = passed_us < bucket->used_us ? bucket->used_us - passed_us : 0;
    bucket->at_us = now_us;
}

/* Whether there is one in the bucket, of which only so much may be used. */
static bool has_one(const struct bucket *bucket, long per_s, int64_t most_us)
{
    return bucket->used_us + US_PER_S / per_s <= most_us;
}

/* The bucket of an address. The one whose last handshake is longest ago makes room: if that is long
 * ago, or if the table is full. */
static struct bucket *find_bucket(struct handshakes *handshakes, const unsigned char *origin,
                                  int64_t now_us)
{
    struct origin_bucket *oldest = handshakes->origins;

    for (unsigned i = 0; i < handshakes->count; i++) {
        struct origin_bucket *known = &handshakes->origins[i];

        if (memcmp(known->origin, origin, sizeof known->origin) == 0) {
            fill_up(&known->bucket, now_us);
            return &known->bucket;
        }
        if (known->bucket.last_us < oldest->bucket.last_us)
            oldest = known;
    }
    if (handshakes->count < ORIGINS_MAX &&
        (handshakes->count == 0 || oldest->bucket.last_us + BURST_US > now_us))
        oldest = &handshakes->origins[handshakes->count++];
    memcpy(oldest->origin, origin, sizeof oldest->origin);
    oldest->bucket = (struct bucket){.at_us = now_us};
    return &oldest->bucket;
}

bool handshakes_admit(struct handshakes *handshakes,
                      const unsigned char origin[HANDSHAKES_ORIGIN_BYTES],
                      const struct handshakes_limits *limits, int64_t now_us)
{
    struct bucket *own = find_bucket(handshakes, origin, now_us);
    bool is_modest = own->last_us == 0 || own->last_us + BURST_US <= now_us;

    fill_up(&handshakes->all, now_us);
    if (!has_one(own, limits->per_address, BURST_US) ||
        !has_one(&handshakes->all, limits->in_all, is_modest ? BURST_US : BURST_US / 2))
        return false;
    own->used_us += US_PER_S / limits->per_address;
    own->last_us = now_us;
    handshakes->all.used_us += US_PER_S / limits->in_all;
    return true;
}
