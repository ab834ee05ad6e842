/* Connects the pure search with the clock and with what the kit remembers. */

#include "strong/think.h"

#include "strong/pace.h"
#include "strong/search.h"

struct allegra_answer think(struct kit *kit, const struct think_terms *terms)
{
    struct knowledge knowledge = {
        .view = &kit->view, .discards = kit->discards, .discard_count = kit->discard_count};
    struct pace_terms limits = {
        .limit_ms = kit->limit_ms, .move_ms = kit->move_ms, .is_fair = kit->is_clock_fair};
    struct pace pace;
    struct search_limit limit = {
        .samples = terms->samples, .context = &pace, .is_full = terms->is_full};

    if (terms->is_timed) {
        pace_start(&pace, &limits, pace_now, NULL);
        limit.is_over = pace_is_over;
    }
    return search_choose(&knowledge, &kit->legal, &kit->dice, &limit);
}
