/* Many answers are tried on a few deals, and then few answers on many: those that are surely behind
 * are given up, and so are those outside the best few. Each deal has a seed of its own, made of the
 * seed of the setup and its number, so a deal does not depend on which answers are still tried. */

#include "value/judge.h"

#include "value/redeal.h"
#include "value/swift.h"
#include "value/value.h"

#include <math.h>

#define DOUBT 3      /* standard errors that an answer must be behind to be given up */
#define LOOK_EVERY 8 /* deals between two looks at who is behind */
#define MANY 12      /* answers that are still tried after the first look, */
#define FEW 5        /* and after the second */

/* How a deal ended for the seat. */
struct outcome {
    double points, wins;
};

/* All outcomes of one question. */
struct trial {
    struct allegra_legal legal;
    unsigned samples[ALLEGRA_LEGAL_MAX]; /* of each answer; always the first deals */
    unsigned alive;                      /* how many answers are not given up */
    bool is_given_up[ALLEGRA_LEGAL_MAX];
    struct outcome outcomes[ALLEGRA_LEGAL_MAX][JUDGE_SAMPLES_MAX];
};

/* What is summed up about the differences of two answers. */
enum figure {
    FIGURE_POINTS,
    FIGURE_WINS,
    FIGURE_WORTH,
};

static uint64_t seed_of(const struct judge_setup *setup, unsigned number)
{
    struct allegra_dice dice =
        allegra_dice_from(setup->seed ^ number * UINT64_C(0xd1342543de82ef95));

    return allegra_dice_next(&dice);
}

/* The hidden cards as the seat could imagine them. */
static struct allegra_table deal(const struct allegra_table *table, unsigned seat, uint64_t seed)
{
    struct allegra_dice dice = allegra_dice_from(~seed);
    struct allegra_table dealt = *table;

    redeal_hidden(&dealt, seat, &dice);
    return dealt;
}

/* Whether the value function can judge now: at the start of a turn, but not in a final round, which
 * is soon over and better played. */
static bool is_cut(const struct allegra_table *table, const struct allegra_table *start,
                   unsigned turns)
{
    return turns > 0 && table->question == ALLEGRA_QUESTION_DRAW && table->round == start->round &&
           table->trigger == ALLEGRA_SEAT_NONE && table->turn >= start->turn + turns;
}

/* The answer of a seat while a deal is played on. A seat that offered a cell with its knock keeps
 * the promise: otherwise false offers would seem to be good, because the quick policy believes
 * them. */
static struct allegra_answer choose(struct glance *glance, const struct allegra_table *table,
                                    unsigned seat, uint16_t promised)
{
    if (promised != 0 && table->question == ALLEGRA_QUESTION_PLACE)
        return (struct allegra_answer){.verb = ALLEGRA_VERB_PLACE, .cells = promised};
    return swift_choose(glance, table, seat);
}

/* Gives an answer on a deal and plays on. */
static struct outcome play(const struct allegra_table *dealt, unsigned me,
                           struct allegra_answer answer, unsigned turns, uint64_t seed)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table = *dealt;
    uint16_t promised = answer.verb == ALLEGRA_VERB_KNOCK ? answer.cells : 0;
    unsigned seat = me;
    struct glance glance;
    struct value value;

    glance_start(&glance, &table);
    while (allegra_table_apply(&table, seat, answer, &shuffler, NULL) == ALLEGRA_REFUSAL_NONE &&
           !allegra_table_is_over(&table) && table.round == dealt->round &&
           !is_cut(&table, dealt, turns)) {
        seat = (unsigned)__builtin_ctz(allegra_table_asked(&table));
        answer =
            choose(&glance, &table, seat, seat == me && table.turn == dealt->turn ? promised : 0);
    }
    if (is_cut(&table, dealt, turns))
        value_of(&table, &value);
    else
        value_of_totals(&table, &value);
    return (struct outcome){value.points[me], value.wins[me]};
}

/* --- Two answers --- */

static void pair_add(struct judge_pair *pair, struct outcome one, struct outcome other)
{
    double more[] = {
        [FIGURE_POINTS] = one.points - other.points, [FIGURE_WINS] = other.wins - one.wins};

    pair->samples++;
    for (unsigned i = 0; i <= FIGURE_WORTH; i++) {
        double cost =
            i < FIGURE_WORTH ? more[i] : more[FIGURE_POINTS] + JUDGE_WIN_POINTS * more[FIGURE_WINS];

        pair->sum[i] += cost;
        pair->squares[i] += cost * cost;
    }
}

static struct judge_estimate estimate(double sum, double squares, unsigned samples)
{
    double mean = samples > 0 ? sum / samples : 0;
    double spread = fmax(squares - sum * mean, 0);

    return (struct judge_estimate){
        .mean = mean,
        .error = samples > 1 ? sqrt(spread / (samples - 1.0) / samples) : INFINITY,
    };
}

struct judge_cost judge_pair_cost(const struct judge_pair *pair)
{
    struct judge_estimate costs[FIGURE_WORTH + 1];

    for (unsigned i = 0; i <= FIGURE_WORTH; i++)
        costs[i] = estimate(pair->sum[i], pair->squares[i], pair->samples);
    return (struct judge_cost){costs[FIGURE_POINTS], costs[FIGURE_WINS], costs[FIGURE_WORTH]};
}

void judge_pair_add(struct judge_pair *pair, const struct allegra_table *table, unsigned seat,
                    const struct judge_setup *setup)
{
    for (unsigned i = 0; i < setup->samples; i++) {
        uint64_t seed = seed_of(setup, pair->samples);
        struct allegra_table dealt = deal(table, seat, seed);

        pair_add(pair, play(&dealt, seat, pair->answer, setup->turns, seed),
                 play(&dealt, seat, pair->other, setup->turns, seed));
    }
}

/* --- All answers --- */

/* What answer `i` cost more than `j` on the deals that both were tried on. */
static struct judge_cost cost_of(const struct trial *trial, unsigned i, unsigned j)
{
    struct judge_pair pair = {.samples = 0};

    for (unsigned k = 0; k < trial->samples[i] && k < trial->samples[j]; k++)
        pair_add(&pair, trial->outcomes[i][k], trial->outcomes[j][k]);
    return judge_pair_cost(&pair);
}

static double worth_of(const struct trial *trial, unsigned i)
{
    double worth = 0;

    for (unsigned k = 0; k < trial->samples[i]; k++)
        worth += JUDGE_WIN_POINTS * trial->outcomes[i][k].wins - trial->outcomes[i][k].points;
    return worth / trial->samples[i];
}

/* The best or the worst of the answers that are not given up. */
static unsigned find_end(const struct trial *trial, double sign)
{
    unsigned found = ALLEGRA_LEGAL_MAX;

    for (unsigned i = 0; i < trial->legal.count; i++) {
        if (!trial->is_given_up[i] && (found == ALLEGRA_LEGAL_MAX ||
                                       sign * worth_of(trial, i) > sign * worth_of(trial, found)))
            found = i;
    }
    return found;
}

static void give_up(struct trial *trial, unsigned most)
{
    unsigned best = find_end(trial, 1);

    for (unsigned i = 0; i < trial->legal.count; i++) {
        if (i != best && !trial->is_given_up[i] &&
            judge_least(cost_of(trial, i, best).worth, DOUBT) > 0) {
            trial->is_given_up[i] = true;
            trial->alive--;
        }
    }
    for (; trial->alive > most; trial->alive--)
        trial->is_given_up[find_end(trial, -1)] = true;
}

static void fill(struct judgement *judgement, const struct trial *trial)
{
    judgement->count = trial->legal.count;
    judgement->best = find_end(trial, 1);
    for (unsigned i = 0; i < trial->legal.count; i++) {
        double sum[2] = {0};
        double squares[2] = {0};
        unsigned samples = trial->samples[i];

        for (unsigned k = 0; k < samples; k++) {
            struct outcome outcome = trial->outcomes[i][k];

            sum[0] += outcome.points;
            sum[1] += outcome.wins;
            squares[0] += outcome.points * outcome.points;
            squares[1] += outcome.wins * outcome.wins;
        }
        judgement->list[i] = (struct judged){
            .answer = trial->legal.list[i],
            .samples = samples,
            .points = estimate(sum[0], squares[0], samples),
            .wins = estimate(sum[1], squares[1], samples),
            .cost = cost_of(trial, i, judgement->best),
        };
    }
}

void judge_answers(const struct allegra_table *table, unsigned seat,
                   const struct judge_setup *setup, struct judgement *judgement)
{
    struct trial trial = {.alive = 0};

    allegra_legal_list(table, seat, &trial.legal);
    trial.alive = trial.legal.count;
    for (unsigned k = 0; k < setup->samples && trial.alive > 1; k++) {
        uint64_t seed = seed_of(setup, k);
        struct allegra_table dealt = deal(table, seat, seed);

        for (unsigned i = 0; i < trial.legal.count; i++) {
            if (!trial.is_given_up[i])
                trial.outcomes[i][trial.samples[i]++] =
                    play(&dealt, seat, trial.legal.list[i], setup->turns, seed);
        }
        if ((k + 1) % LOOK_EVERY == 0)
            give_up(&trial, k < LOOK_EVERY ? MANY : FEW);
    }
    fill(judgement, &trial);
}
