/* Two answers are compared on the same tables, so that luck is the same for both: what counts is
 * the difference and how much it varies. An answer that is significantly behind the leader is
 * dropped. Greedy's opinion of an answer counts like some games already played: when only a few
 * games can be played, chance would mislead more often than greedy does.
 *
 * * A round is worth what it means for the match: mostly whether we are ahead of the best of the
 * others, and a little by how much. */

#include "strong/search.h"

#include "strong/candidates.h"
#include "strong/swift.h"

/* Found by playing against greedy. */
#define WORTH_OF_WIN 100 /* of a won match, */
#define WORTH_OF_POINT 2 /* of a point of the lead in the end, */
#define LEAD_MAX 40      /* as far as it counts */
#define LEAD_SCALE 12   /* a lead of so many points is half the way to a won match, a round ahead */
#define GREEDY_GAMES 60 /* greedy's opinion counts like so many games */
#define WORTH_OF_COST 4 /* of a point that an answer costs by greedy's opinion */
#define DOUBT 9         /* the square of the standard errors that a difference must have */
#define SAMPLES_LEAST 8 /* before anybody is given up */

struct search {
    struct candidates candidates;
    unsigned alive; /* mask: not given up */
    unsigned samples;
    int64_t sum[CANDIDATES_MAX];
    int64_t product[CANDIDATES_MAX][CANDIDATES_MAX]; /* sums of products, for the variances */
};

/* How far `me` is in front of the best of the others, in half points. */
static int lead_of(const struct allegra_table *table, unsigned me)
{
    int32_t least = INT32_MAX;

    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (seat != me && table->total_halves[seat] < least)
            least = table->total_halves[seat];
    }
    return least - table->total_halves[me];
}

/* What the end of a round is worth. */
static int worth_of(const struct allegra_table *table, unsigned me)
{
    int lead = lead_of(table, me);
    int most = 2 * LEAD_MAX;
    int worth = WORTH_OF_POINT * hope_lower(hope_higher(lead, -most), most) / 2;

    if (!allegra_table_is_over(table))
        return worth + WORTH_OF_WIN * lead / (2 * LEAD_SCALE + (lead < 0 ? -lead : lead));
    if (lead == 0)
        return worth + WORTH_OF_WIN / 2;
    return worth + (lead > 0 ? WORTH_OF_WIN : 0);
}

static int play(const struct allegra_table *guessed, unsigned me, struct allegra_answer answer,
                uint64_t seed)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table = *guessed;

    allegra_table_apply(&table, me, answer, &shuffler, NULL);
    if (table.round == guessed->round)
        swift_play_round(&table, &shuffler);
    return worth_of(&table, me);
}

static void add_sample(struct search *search, const int *worth)
{
    for (unsigned i = 0; i < search->candidates.count; i++) {
        search->sum[i] += worth[i];
        for (unsigned j = 0; j <= i; j++)
            search->product[i][j] += worth[i] * worth[j];
    }
    search->samples++;
}

static bool is_alive(const struct search *search, unsigned i)
{
    return search->alive >> i & 1;
}

/* Tries every answer on one table. Half a sample would be unfair, so it is dropped if the time ends
 * meanwhile; then this returns false. */
static bool sample(struct search *search, const struct allegra_table *guessed, unsigned me,
                   uint64_t seed, const struct search_limit *limit)
{
    int worth[CANDIDATES_MAX] = {0};

    for (unsigned i = 0; i < search->candidates.count; i++) {
        if (!is_alive(search, i))
            continue;
        if (limit->is_over != NULL && limit->is_over(limit->context))
            return false;
        worth[i] = play(guessed, me, search->candidates.list[i], seed);
    }
    add_sample(search, worth);
    return true;
}

/* The standing of an answer: its games, and greedy's opinion as some more. */
static int64_t standing_of(const struct search *search, unsigned i)
{
    return search->sum[i] -
           (int64_t)GREEDY_GAMES * WORTH_OF_COST * search->candidates.cost[i] / POINT;
}

static unsigned leader_of(const struct search *search)
{
    unsigned leader = (unsigned)__builtin_ctz(search->alive);

    for (unsigned i = leader; i < search->candidates.count; i++) {
        if (is_alive(search, i) && standing_of(search, i) > standing_of(search, leader))
            leader = i;
    }
    return leader;
}

/* The sum of the squared differences of two answers. */
static int64_t squares_of(const struct search *search, unsigned i, unsigned j)
{
    int64_t product = i > j ? search->product[i][j] : search->product[j][i];

    return search->product[i][i] + search->product[j][j] - 2 * product;
}

/* Whether `i` is behind the leader beyond doubt: its mean difference is larger than so many
 * standard errors, both sides squared and multiplied by the number of samples. */
static bool is_beaten(const struct search *search, unsigned i, unsigned leader)
{
    int64_t behind = search->sum[leader] - search->sum[i];
    int64_t squared = behind * behind;
    int64_t spread = squares_of(search, i, leader) - squared / (int64_t)search->samples;

    return behind > 0 && squared > DOUBT * spread;
}

static void give_up(struct search *search)
{
    unsigned leader = leader_of(search);

    for (unsigned i = 0; i < search->candidates.count; i++) {
        if (i != leader && is_alive(search, i) && is_beaten(search, i, leader))
            search->alive &= ~(1U << i);
    }
}

static bool is_decided(const struct search *search)
{
    return (search->alive & (search->alive - 1)) == 0;
}

struct allegra_answer search_choose(const struct knowledge *knowledge,
                                    const struct allegra_legal *legal, struct allegra_dice *dice,
                                    const struct search_limit *limit)
{
    struct search search = {.samples = 0};
    struct guess guess;
    struct allegra_table table;

    if (legal->count == 1)
        return legal->list[0];
    guess_start(&guess, knowledge);
    guess_deal(&guess, dice, &table);
    candidates_pick(&search.candidates, knowledge, legal, &table);
    search.alive = (1U << search.candidates.count) - 1;
    while (!is_decided(&search) && search.samples < limit->samples &&
           sample(&search, &table, knowledge->view->me, allegra_dice_next(dice), limit)) {
        if (search.samples >= SAMPLES_LEAST)
            give_up(&search);
        guess_deal(&guess, dice, &table);
    }
    return search.candidates.list[leader_of(&search)];
}
