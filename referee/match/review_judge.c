/* Every cost comes from deals that did not choose what it is about: the deals that find the best
 * answer are not those that say what the played one costs against it, and those that make a
 * decision suspicious are not those that confirm it. So chance makes no blunders, and the costs of
 * a round can be added up.
 *
 * Deals that are cut after some turns and judged by the value function vary much less than whole
 * ones and cost a quarter, but they are only as right as the value function: so they find the
 * suspicious decisions, and whole deals have the last word about those. */

#include "match/review.h"

#include "base/clock.h"

#include <math.h>

#define SEARCH_SAMPLES 48  /* cut deals to find the best answer, */
#define SEARCH_DOUBT 1.0   /* standard errors that the played one must be behind, */
#define SCREEN_SAMPLES 192 /* and to say what the played one costs against it */
#define CUT_TURNS 8        /* after which a cut deal is judged */
#define BATCH 32           /* whole deals between two looks at the clock */
#define CONFIRM_MAX 1024   /* whole deals for one decision */
#define CONFIRM_ERROR 0.5  /* a standard error in points that is small enough, */
#define CONFIRM_SHARE 0.1  /* and one as a share of the cost */

/* What deals are for; each purpose has its own. */
enum purpose {
    PURPOSE_SEARCH,
    PURPOSE_SCREEN,
    PURPOSE_CONFIRM,
    PURPOSES,
};

static uint64_t seed_for(const struct review_setup *setup, const struct review_answer *answer,
                         enum purpose purpose)
{
    uint64_t number = (answer->number * ALLEGRA_SEATS_MAX + answer->seat) * PURPOSES + purpose;
    struct allegra_dice dice = allegra_dice_from(setup->seed ^ number << 20);

    return allegra_dice_next(&dice);
}

static bool is_same(struct allegra_answer one, struct allegra_answer other)
{
    return one.verb == other.verb && one.seat == other.seat && one.cells == other.cells;
}

/* Moves the best answers of a judgement to the top list. Answers that were tried to the end come
 * before those that were given up. */
static void keep_top(struct review_answer *answer, struct judgement *judgement)
{
    for (answer->top_count = 0; answer->top_count < REVIEW_TOP; answer->top_count++) {
        unsigned found = ALLEGRA_LEGAL_MAX;

        for (unsigned i = 0; i < judgement->count; i++) {
            const struct judged *one = &judgement->list[i];
            const struct judged *other = &judgement->list[found % ALLEGRA_LEGAL_MAX];

            if (one->samples > 0 &&
                (found == ALLEGRA_LEGAL_MAX || one->samples > other->samples ||
                 (one->samples == other->samples && one->cost.worth.mean < other->cost.worth.mean)))
                found = i;
        }
        if (found == ALLEGRA_LEGAL_MAX)
            return;
        answer->top[answer->top_count] = judgement->list[found];
        judgement->list[found].samples = 0;
    }
}

/* Whether an answer seems to be worse than the best one. Where they are as good as equal, there is
 * nothing to compare, and the noise of many such decisions would add up. */
static bool is_behind(const struct judgement *judgement, struct allegra_answer answer)
{
    for (unsigned i = 0; i < judgement->count; i++) {
        if (is_same(judgement->list[i].answer, answer))
            return i != judgement->best &&
                   judge_least(judgement->list[i].cost.worth, SEARCH_DOUBT) > 0;
    }
    return false;
}

static void screen(struct review_answer *answer, const struct review_setup *setup)
{
    struct judge_setup search = {.seed = seed_for(setup, answer, PURPOSE_SEARCH),
                                 .samples = SEARCH_SAMPLES,
                                 .turns = CUT_TURNS};
    struct judge_setup deals = {.seed = seed_for(setup, answer, PURPOSE_SCREEN),
                                .samples = SCREEN_SAMPLES,
                                .turns = CUT_TURNS};
    struct judgement judgement;

    judge_answers(&answer->table, answer->seat, &search, &judgement);
    answer->is_best = !is_behind(&judgement, answer->played);
    keep_top(answer, &judgement);
    answer->screened =
        (struct judge_pair){.answer = answer->played, .other = answer->top[0].answer};
    answer->confirmed = answer->screened;
    if (!answer->is_best)
        judge_pair_add(&answer->screened, &answer->table, answer->seat, &deals);
}

static bool is_sure(const struct judge_cost *cost)
{
    return judge_least(cost->worth, REVIEW_DOUBT) > 0 && cost->worth.mean >= REVIEW_LEAST_POINTS;
}

static bool is_suspicious(const struct review_answer *answer)
{
    struct judge_cost cost = judge_pair_cost(&answer->screened);

    return answer->top_count > 0 && !answer->is_best && is_sure(&cost);
}

/* Whether more deals would help: the cost is neither known well nor surely next to nothing. */
static bool is_open(const struct review_answer *answer, const struct review_setup *setup)
{
    struct judge_cost cost = judge_pair_cost(&answer->confirmed);
    unsigned samples = answer->confirmed.samples;

    if (setup->samples > 0 || samples < BATCH)
        return samples < (setup->samples > 0 ? setup->samples : BATCH);
    return samples < CONFIRM_MAX &&
           cost.worth.error > fmax(CONFIRM_ERROR, CONFIRM_SHARE * cost.worth.mean) &&
           judge_least(cost.worth, -REVIEW_DOUBT) > REVIEW_LEAST_POINTS;
}

static bool is_time_over(const struct review_setup *setup)
{
    return setup->samples == 0 && clock_now_us() >= setup->deadline_us;
}

/* Whether it is one of the decisions that are judged now. */
static bool is_wanted(const struct review_answer *answer, unsigned seat, unsigned round)
{
    return answer->kind == REVIEW_CHOICE && answer->seat == seat && answer->table.round == round;
}

/* Gives some deals to each suspicious decision in turn. Returns whether there is more to do. */
static bool confirm(struct review *review, unsigned seat, unsigned round,
                    const struct review_setup *setup)
{
    bool is_more = false;

    for (size_t i = 0; i < review->answer_count; i++) {
        struct review_answer *answer = &review->answers[i];
        struct judge_setup deals = {.seed = seed_for(setup, answer, PURPOSE_CONFIRM),
                                    .samples = BATCH};

        if (!is_wanted(answer, seat, round) || !is_suspicious(answer) || !is_open(answer, setup))
            continue;
        if (is_time_over(setup))
            return false;
        if (setup->samples > 0 && setup->samples - answer->confirmed.samples < BATCH)
            deals.samples = setup->samples - answer->confirmed.samples;
        judge_pair_add(&answer->confirmed, &answer->table, seat, &deals);
        is_more = true;
    }
    return is_more;
}

void review_judge(struct review *review, unsigned seat, unsigned round,
                  const struct review_setup *setup)
{
    for (size_t i = 0; i < review->answer_count; i++) {
        if (is_wanted(&review->answers[i], seat, round))
            screen(&review->answers[i], setup);
    }
    while (confirm(review, seat, round, setup))
        continue;
}

struct judge_cost review_cost(const struct review_answer *answer)
{
    if (answer->is_best || answer->top_count == 0)
        return (struct judge_cost){.points = {0, 0}};
    return judge_pair_cost(answer->confirmed.samples > 1 ? &answer->confirmed : &answer->screened);
}

bool review_is_blunder(const struct review_answer *answer)
{
    struct judge_cost cost = review_cost(answer);

    return is_sure(&cost);
}

bool review_is_unconfirmed(const struct review_answer *answer)
{
    return is_suspicious(answer) && answer->confirmed.samples < 2;
}

static void add_estimate(struct judge_estimate *sum, struct judge_estimate cost, unsigned rounds)
{
    sum->mean += cost.mean / rounds;
    sum->error = hypot(sum->error, cost.error / rounds);
}

struct judge_cost review_rate(const struct review *review, unsigned seat)
{
    struct judge_cost rate = {.points = {0, 0}};

    for (size_t i = 0; i < review->answer_count; i++) {
        struct judge_cost cost = review_cost(&review->answers[i]);

        if (review->answers[i].seat != seat)
            continue;
        add_estimate(&rate.points, cost.points, review->rounds);
        add_estimate(&rate.wins, cost.wins, review->rounds);
        add_estimate(&rate.worth, cost.worth, review->rounds);
    }
    return rate;
}

/* What a decision surely cost. */
static double sure_cost(const struct review_answer *answer)
{
    return judge_least(review_cost(answer).worth, REVIEW_DOUBT);
}

unsigned review_find_worst(const struct review *review, unsigned seat,
                           const struct review_answer **worst, unsigned most)
{
    unsigned count = 0;

    for (size_t i = 0; i < review->answer_count; i++) {
        const struct review_answer *answer = &review->answers[i];
        unsigned place = count;

        if ((seat != ALLEGRA_SEAT_NONE && answer->seat != seat) || !review_is_blunder(answer))
            continue;
        while (place > 0 && sure_cost(worst[place - 1]) < sure_cost(answer))
            place--;
        if (place == most)
            continue;
        count += count < most;
        for (unsigned k = count - 1; k > place; k--)
            worst[k] = worst[k - 1];
        worst[place] = answer;
    }
    return count;
}
