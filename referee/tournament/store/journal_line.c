/* Each line ends in `,"synced":N,"sum":"…"}`. The sum is the BLAKE2b hash of the sum of the line
 * before and of all bytes of this one up to the comma before `"sum"`. So a line that is missing,
 * changed or out of place is found.
 *
 * N is the length that the file had when it was last synced. Lines are written in groups, and a
 * group is synced before the next one is written: so all lines of a group have the same N, the
 * offset of its first line. After a power failure any bytes of the last group can be missing or
 * zero, and no others. So what follows the first wrong line is normally the unsynced rest of a
 * group, which never counted. But if the end of a later line can be read and its N is beyond the
 * start of the wrong line, that line was on disk and has changed since: the file is damaged. The
 * end of a line is enough for this question; sums across a hole prove nothing. */

#include "tournament/store/journal_line.h"

#include <sodium.h>
#include <string.h>

#define SYNCED_KEY ",\"synced\":"
#define SUM_KEY ",\"sum\":\""
#define TAIL_LENGTH (sizeof SUM_KEY - 1 + JOURNAL_SUM_HEX - 1 + 2) /* the key, the sum, `"}` */
#define DIGITS_MAX 18

/* The sum of a line from the one before and its bytes up to the comma, in two pieces. */
static void next_sum(const char *before, struct span bytes, struct span more,
                     char sum[JOURNAL_SUM_HEX])
{
    crypto_generichash_state state;
    unsigned char hash[JOURNAL_SUM_BYTES];

    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, (const unsigned char *)before, strlen(before));
    crypto_generichash_update(&state, (const unsigned char *)bytes.start, bytes.length);
    crypto_generichash_update(&state, (const unsigned char *)more.start, more.length);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(sum, JOURNAL_SUM_HEX, hash, sizeof hash);
}

void journal_line_end(struct span record, size_t synced, char sum[JOURNAL_SUM_HEX],
                      struct text *text)
{
    size_t start = text->length;

    text_printf(text, SYNCED_KEY "%zu", synced);
    next_sum(sum, record, (struct span){text->buffer + start, text->length - start}, sum);
    text_printf(text, SUM_KEY "%s\"}\n", sum);
}

void journal_line_last_sum(struct span bytes, char sum[JOURNAL_SUM_HEX])
{
    memcpy(sum, bytes.start + bytes.length - 3 - (JOURNAL_SUM_HEX - 1), JOURNAL_SUM_HEX - 1);
    sum[JOURNAL_SUM_HEX - 1] = '\0';
}

struct span journal_line_first(struct span rest)
{
    const char *end = memchr(rest.start, '\n', rest.length);

    return (struct span){rest.start, end != NULL ? (size_t)(end - rest.start) : rest.length};
}

/* Where the sum of a line begins, with its key; or NULL. */
static const char *tail_of(struct span line)
{
    const char *tail;

    if (line.length < TAIL_LENGTH)
        return NULL;
    tail = line.start + line.length - TAIL_LENGTH;
    return memcmp(tail, SUM_KEY, sizeof SUM_KEY - 1) == 0 &&
                   memcmp(tail + TAIL_LENGTH - 2, "\"}", 2) == 0
               ? tail
               : NULL;
}

bool journal_line_check(struct span line, char sum[JOURNAL_SUM_HEX])
{
    const char *tail = tail_of(line);
    char right[JOURNAL_SUM_HEX];

    if (tail == NULL)
        return false;
    next_sum(sum, (struct span){line.start, (size_t)(tail - line.start)}, (struct span){"", 0},
             right);
    if (memcmp(tail + sizeof SUM_KEY - 1, right, sizeof right - 1) != 0)
        return false;
    memcpy(sum, right, sizeof right);
    return true;
}

bool journal_line_split(struct span line, struct span *record, size_t *synced)
{
    const char *tail = tail_of(line);
    const char *digits = tail;

    if (tail == NULL)
        return false;
    while (digits > line.start && digits[-1] >= '0' && digits[-1] <= '9' &&
           tail - digits < DIGITS_MAX)
        digits--;
    if ((size_t)(digits - line.start) < sizeof SYNCED_KEY - 1 || digits == tail ||
        (*digits == '0' && tail - digits > 1) ||
        memcmp(digits - (sizeof SYNCED_KEY - 1), SYNCED_KEY, sizeof SYNCED_KEY - 1) != 0)
        return false;
    *record = (struct span){line.start, (size_t)(digits - line.start) - (sizeof SYNCED_KEY - 1)};
    for (*synced = 0; digits < tail; digits++)
        *synced = 10 * *synced + (size_t)(*digits - '0');
    return true;
}

bool journal_line_was_synced(struct span rest, size_t offset)
{
    size_t done = 0;

    while (done < rest.length) {
        struct span line = journal_line_first((struct span){rest.start + done, rest.length - done});
        struct span record;
        size_t synced;

        done += line.length + 1;
        if (journal_line_split(line, &record, &synced) && synced > offset)
            return true;
    }
    return false;
}
