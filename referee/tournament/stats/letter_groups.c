/* A group is a largest possible set of things that are all alike. For each pair of alike things, in
 * order, that share no group yet, a group starts with them, and everything that is similar to all
 * its members is added to it in order. So two things share a letter exactly if they are alike.
 * Fewer groups might do, but where things are alike by rank, as they mostly are here, the groups
 * are the longest runs. */

#include "tournament/stats/letter_groups.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct covering {
    const struct bit_matrix *alike;
    struct bit_matrix *covered; /* which things share a group */
    uint64_t *members;          /* of the current group, a row */
    uint64_t *candidates;       /* similar to all its members */
    unsigned groups;            /* so far */
    char *letters;
    size_t stride;
    size_t size;
};

static void write_letter(const struct covering *covering, unsigned thing)
{
    char *letters = covering->letters + thing * covering->stride;
    size_t length = strlen(letters);
    char name[16];

    if (covering->groups < 26)
        snprintf(name, sizeof name, "%c", 'a' + (char)covering->groups);
    else
        snprintf(name, sizeof name, "%c%u", 'a' + (char)(covering->groups % 26),
                 covering->groups / 26 + 1);
    if (length > 0 && letters[length - 1] == '+')
        return;
    /* One byte is kept for the `+`. */
    snprintf(letters + length, covering->size - length, "%s",
             length + strlen(name) + 2 <= covering->size ? name : "+");
}

static void join(struct covering *covering, unsigned thing)
{
    const uint64_t *row = bit_matrix_row(covering->alike, thing);

    covering->members[thing / 64] |= UINT64_C(1) << (thing % 64);
    for (unsigned word = 0; word < covering->alike->words; word++)
        covering->candidates[word] &= row[word];
    covering->candidates[thing / 64] &= ~(UINT64_C(1) << (thing % 64));
}

static void add_group(struct covering *covering, unsigned one, unsigned other)
{
    const struct bit_matrix *alike = covering->alike;
    unsigned thing;

    memset(covering->members, 0, alike->words * sizeof *covering->members);
    memset(covering->candidates, 0xff, alike->words * sizeof *covering->candidates);
    join(covering, one);
    if (other != one)
        join(covering, other);
    while ((thing = bit_matrix_next(alike, covering->candidates, 0)) < alike->count)
        join(covering, thing);
    for (thing = bit_matrix_next(alike, covering->members, 0); thing < alike->count;
         thing = bit_matrix_next(alike, covering->members, thing + 1)) {
        uint64_t *row = bit_matrix_row(covering->covered, thing);

        for (unsigned word = 0; word < alike->words; word++)
            row[word] |= covering->members[word];
        write_letter(covering, thing);
    }
    covering->groups++;
}

void letter_groups_write(const struct bit_matrix *alike, char *letters, size_t stride, size_t size)
{
    struct covering covering = {
        .alike = alike,
        .covered = bit_matrix_new(alike->count),
        .members = xcalloc(alike->words + 1U, sizeof *covering.members),
        .candidates = xcalloc(alike->words + 1U, sizeof *covering.candidates),
        .letters = letters,
        .stride = stride,
        .size = size,
    };

    for (unsigned thing = 0; thing < alike->count; thing++)
        letters[thing * stride] = '\0';
    for (unsigned one = 0; one < alike->count; one++)
        for (unsigned other = one; other < alike->count; other++)
            if ((one == other || bit_matrix_has(alike, one, other)) &&
                !bit_matrix_has(covering.covered, one, other))
                add_group(&covering, one, other);
    bit_matrix_free(covering.covered);
    free(covering.members);
    free(covering.candidates);
}
