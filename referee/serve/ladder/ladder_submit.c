/* Tables and the final are tournament files like any other, submitted by the user of the ladder.
 * The choice sees every version that ever played, because the matches against older ones count;
 * only active ones are chosen. Tables that are not over teach what they are expected to teach, so
 * that the next table is another one. */

#include "base/memory.h"
#include "base/message.h"
#include "serve/ladder/ladder_choose.h"
#include "serve/ladder/ladder_private.h"
#include "wire/json_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TITLE_MAX 100
#define POINTS_PER_LOG (400 / M_LN10)

static const struct ledger *ledger_of(const struct ladder *ladder)
{
    return queue_ledger(ladder->all->setup.queue);
}

/* Tournament files. */

static bool is_name_taken(const struct config_bot *bots, unsigned count, const char *name)
{
    while (count > 0 && strcasecmp(bots[count - 1].name, name) != 0)
        count--;
    return count > 0;
}

/* The bot's own name, unless another version of it plays, too. */
static void name_bot(struct config_bot *bots, unsigned index, const struct ledger_bot *bot)
{
    char ending[24] = "";

    for (unsigned number = bot->version;; number++) {
        snprintf(bots[index].name, sizeof bots[index].name, "%.*s%s",
                 (int)(CONFIG_NAME_MAX - strlen(ending)), bot->name, ending);
        if (!is_name_taken(bots, index, bots[index].name))
            return;
        snprintf(ending, sizeof ending, "-v%u", number);
    }
}

static void write_title(const struct ladder *ladder, const struct config *config, char *title)
{
    struct text text;

    text_start(&text, title, TITLE_MAX + 1);
    text_printf(&text, "Ladder %s:", ladder->file->name);
    for (unsigned i = 0; i < config->bot_count; i++)
        text_printf(&text, "%s %s", i > 0 ? "," : "", config->bots[i].name);
}

/* Submits a file with these bots. Returns the number of the job, or -1. */
static int submit(struct ladder *ladder, struct config config, const unsigned *places,
                  bool is_match)
{
    const struct ledger *ledger = ledger_of(ladder);
    struct caller caller = {.user = ladder->user, .is_owner = true};
    struct json_writer *writer = json_writer_new(false);
    struct request_error error = {.code = REQUEST_ERROR_NONE};
    char title[TITLE_MAX + 1];
    struct span file;
    int number;

    config.bots = xcalloc(config.bot_count, sizeof *config.bots);
    for (unsigned i = 0; i < config.bot_count; i++) {
        config.bots[i].source = xcalloc(LADDER_VERSION_MAX, 1);
        ladder_name_version(ledger, places[i], config.bots[i].source);
        name_bot(config.bots, i, ledger_bot(ledger, places[i]));
    }
    write_title(ladder, &config, title);
    if (!is_match)
        snprintf(title, sizeof title, "Ladder %s: final", ladder->file->name);
    config.name = title;
    config.output = "store";
    config.schedule.bots = config.bot_count;
    config.schedule.seed = ledger_job_count(ledger) + 1UL;
    config_write(&config, writer);
    file.start = json_writer_bytes(writer, &file.length);
    number = queue_submit_job(ladder->all->setup.queue, &caller, file, is_match, &error);
    if (number < 0)
        message_say("ladder %s: nothing can be submitted: %s", ladder->file->name, error.message);
    for (unsigned i = 0; i < config.bot_count; i++)
        free(config.bots[i].source);
    free(config.bots);
    json_writer_free(writer);
    return number;
}

/* Tables. */

/* The field: versions by row. */
struct field {
    struct ladder_choice *choice;
    unsigned *deals; /* that were played or are being played */
    unsigned *rows;  /* by place in the ledger: the row, or the count of rows */
};

static void field_free(struct field *field)
{
    ladder_choice_free(field->choice);
    free(field->deals);
    free(field->rows);
}

/* Adds what is learned at a table of these rows. Rows that do not exist are of versions that the
 * ledger has lost. */
static void learn(struct field *field, const unsigned *rows, unsigned seats, double matches)
{
    for (unsigned i = 0; i < seats; i++) {
        if (rows[i] >= field->choice->count)
            return;
    }
    ladder_choice_learn(field->choice, rows, seats, matches);
}

static double expected_matches(const struct ladder *ladder)
{
    struct schedule_setup schedule = ladder->file->config.schedule;

    schedule.bots = schedule.seats;
    return (double)schedule_expect(&schedule);
}

static void learn_from_results(const struct ladder *ladder, struct field *field)
{
    unsigned *rows = xcalloc(ladder_results_version_count(ladder->results) + 1U, sizeof *rows);
    unsigned seated[ALLEGRA_SEATS_MAX];

    for (unsigned i = 0; i < ladder_results_version_count(ladder->results); i++) {
        int place = ledger_find_bot(ledger_of(ladder), ladder_results_version(ladder->results, i));

        rows[i] = place >= 0 ? field->rows[place] : ladder->row_count;
    }
    for (unsigned i = 0; i < ladder_results_table_count(ladder->results); i++) {
        const struct ladder_table *table = ladder_results_table(ladder->results, i);

        for (unsigned j = 0; j < table->version_count; j++)
            seated[j] = rows[table->versions[j]];
        learn(field, seated, table->version_count, (double)table->count);
    }
    free(rows);
}

static void learn_from_open(const struct ladder *ladder, struct field *field)
{
    const struct ledger *ledger = ledger_of(ladder);
    unsigned left = ladder->open_count;
    unsigned seated[ALLEGRA_SEATS_MAX];

    for (unsigned number = ledger_job_count(ledger); number > 0 && left > 0; number--) {
        const struct job *job = ledger_job(ledger, number);

        if (job_is_over(job->state) || !job->is_match || strcmp(job->user, ladder->user) != 0)
            continue;
        left--;
        for (unsigned i = 0; i < job->bot_count; i++) {
            seated[i] = field->rows[job->bots[i].place];
            if (seated[i] < ladder->row_count)
                field->deals[seated[i]] += ladder->file->config.schedule.deals;
        }
        learn(field, seated, job->bot_count, expected_matches(ladder));
    }
}

static struct field make_field(const struct ladder *ladder, bool is_for_new)
{
    unsigned bots = ledger_bot_count(ledger_of(ladder));
    unsigned enough = is_for_new ? 1 : ladder->file->enough;
    struct field field = {
        .choice = ladder_choice_new(ladder->row_count),
        .deals = xcalloc(ladder->row_count + 1U, sizeof *field.deals),
        .rows = xcalloc(bots + 1U, sizeof *field.rows),
    };

    for (unsigned place = 0; place < bots; place++)
        field.rows[place] = ladder->row_count;
    for (unsigned i = 0; i < ladder->row_count; i++) {
        double points = ladder->rows[i].rating.points;

        field.rows[ladder->rows[i].place] = i;
        field.deals[i] = ladder->rows[i].deals;
        field.choice->entrants[i].strength = isnan(points) ? 0 : points / POINTS_PER_LOG;
        field.choice->entrants[i].may_play =
            ladder->rows[i].is_active && !ladder->rows[i].is_broken;
    }
    learn_from_results(ladder, &field);
    learn_from_open(ladder, &field);
    for (unsigned i = 0; i < ladder->row_count; i++)
        field.choice->entrants[i].is_due = field.deals[i] < enough;
    return field;
}

/* Chooses a table for one that has to play, or only for one that has never played. Returns whether
 * it is in the queue. */
static bool submit_table(struct ladder *ladder, bool is_for_new)
{
    struct field field = make_field(ladder, is_for_new);
    struct config config = ladder->file->config;
    unsigned seats = config.schedule.seats;
    unsigned table[ALLEGRA_SEATS_MAX];
    bool is_chosen = ladder_choice_make(field.choice, seats, expected_matches(ladder), table);

    for (unsigned i = 0; i < seats && is_chosen; i++)
        table[i] = ladder->rows[table[i]].place;
    field_free(&field);
    config.bot_count = seats;
    return is_chosen && submit(ladder, config, table, true) > 0;
}

/* The final. */

static void submit_final(struct ladder *ladder)
{
    struct config config = ladder->file->config;
    unsigned *places = xcalloc(ladder->row_count + 1U, sizeof *places);
    unsigned count = 0;
    int number;

    for (unsigned i = 0; i < ladder->row_count && count < CONFIG_BOTS_MAX; i++) {
        if (ladder->rows[i].is_active && !ladder->rows[i].is_broken)
            places[count++] = ladder->rows[i].place;
    }
    config.bot_count = count;
    config.schedule.deals = ladder->file->final.schedule.deals;
    config.schedule.matches = ladder->file->final.schedule.matches;
    config.schedule.seatings = ladder->file->final.schedule.seatings;
    if (config.schedule.seats > count)
        config.schedule.seats = count;
    number = count >= ALLEGRA_SEATS_MIN ? submit(ladder, config, places, false) : -1;
    ladder->final = number > 0 ? (unsigned)number : 0;
    free(places);
}

/* Whether a version was submitted in time, and nobody knows yet whether it can play. */
static bool is_one_waiting(const struct ladder *ladder)
{
    const struct ledger *ledger = ledger_of(ladder);

    for (unsigned i = 0; i < ledger_bot_count(ledger); i++) {
        const struct ledger_bot *bot = ledger_bot(ledger, i);

        if (!trial_is_over(bot) && !bot->is_removed && bot->submitted_s < ladder->file->deadline_s)
            return true;
    }
    return false;
}

void ladder_submit(struct ladder *ladder)
{
    if (queue_is_draining(ladder->all->setup.queue))
        return;
    if (ladder_is_closed(ladder)) {
        if (ladder->final == 0 && !is_one_waiting(ladder))
            submit_final(ladder);
        return;
    }
    while (submit_table(ladder, ladder->open_count >= ladder->file->at_once))
        ladder->open_count++;
}
