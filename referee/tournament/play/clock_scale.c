/* The speed of a machine is that of random play by the rules of one edition, as `make bench`
 * measures it: integer work in little memory, as most bots do. CPU time is counted, so that other
 * processes do not make a machine slow. */

#include "tournament/play/clock_scale.h"

#include "game/allegra.h"

#include <stdint.h>
#include <time.h>

#define SEATS 4
#define BATCH 20000
#define MOST 4

long clock_scale_ms(long ms, long reference, long speed)
{
    long long scaled;

    if (reference <= 0 || speed <= 0)
        return ms;
    if (reference > MOST * speed)
        reference = MOST * speed;
    if (speed > MOST * reference)
        speed = MOST * reference;
    scaled = ((long long)ms * reference + speed / 2) / speed;
    return ms > 0 && scaled == 0 ? 1 : (long)scaled;
}

static int64_t cpu_now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

static void play(struct allegra_table *table, struct allegra_dice *dice)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct allegra_legal legal;

    for (unsigned i = 0; i < BATCH; i++) {
        unsigned seat;

        if (allegra_table_is_over(table))
            allegra_table_start(table, &rules, SEATS, 0, &shuffler, NULL);
        seat = (unsigned)__builtin_ctz(allegra_table_asked(table));
        allegra_legal_list(table, seat, &legal);
        allegra_table_apply(table, seat, allegra_simulate_choose(dice, &legal), &shuffler, NULL);
    }
}

long clock_scale_measure(unsigned ms)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);
    struct allegra_dice dice = allegra_dice_from(1);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table;
    int64_t start_us = cpu_now_us();
    int64_t used_us = 0;
    long long decisions = 0;

    allegra_table_start(&table, &rules, SEATS, 0, &shuffler, NULL);
    while (used_us < (int64_t)ms * 1000) {
        play(&table, &dice);
        decisions += BATCH;
        used_us = cpu_now_us() - start_us;
    }
    return (long)(decisions * 1000 / (used_us > 0 ? used_us : 1));
}
