/* Reports. A fault is reported in the order in which its author needs it: the bot, the fault,
 * the question, the line itself, how the process ended, the end of its stderr, and the command
 * that repeats the match. */

#include "cli/play/play_summary.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/message.h"
#include "game/rules.h"
#include "wire/json_write.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one bot. If it takes several seats of a match, each of them counts. */
struct sums {
    unsigned long seats; /* taken in all matches */
    unsigned long rounds;
    double wins; /* a shared win counts as its share */
    unsigned long places;
    long long score_halves;
    unsigned faults;
    int64_t charged_us;
    int64_t slowest_us;
};

struct fault {
    struct fault *next;
    unsigned match;
    unsigned bot;
    unsigned seat;
    unsigned long decision; /* 0: the hello */
    enum bot_outcome outcome;
    char *log_path; /* or NULL */
};

struct play_summary {
    const struct play_settings *settings;
    unsigned bots;
    char (*names)[BOT_COMMAND_SEAT_NAME_BYTES];
    unsigned matches;
    unsigned long rounds;
    unsigned long answers;
    struct sums sums[ALLEGRA_SEATS_MAX]; /* by bot */
    struct fault *faults;
    struct fault **next_fault;
    struct json_writer *json;
    const char *sandbox; /* NULL before the first match */
    const char *enforced;
};

struct play_summary *play_summary_new(const struct play_settings *settings, unsigned bots,
                                      char (*names)[BOT_COMMAND_SEAT_NAME_BYTES])
{
    struct play_summary *summary = xcalloc(1, sizeof *summary);

    summary->settings = settings;
    summary->bots = bots;
    summary->names = names;
    summary->next_fault = &summary->faults;
    summary->json = json_writer_new(true);
    json_open_map(summary->json);
    json_key(summary->json, "matches");
    json_open_list(summary->json);
    return summary;
}

void play_summary_free(struct play_summary *summary)
{
    struct fault *fault;

    if (summary == NULL)
        return;
    json_writer_free(summary->json);
    while ((fault = summary->faults) != NULL) {
        summary->faults = fault->next;
        free(fault->log_path);
        free(fault);
    }
    free(summary);
}

static void seed_hex(const struct match *match, char hex[LOG_RECORD_HASH_HEX])
{
    const struct match_setup *setup = match_setup_of(match);

    sodium_bin2hex(hex, LOG_RECORD_HASH_HEX, setup->seed, sizeof setup->seed);
}

static void add_seat_json(struct json_writer *json, const struct match *match, unsigned seat,
                          unsigned bot)
{
    json_open_map(json);
    json_put_number(json, "bot", bot);
    json_put_text(json, "name", match_setup_of(match)->names[seat]);
    json_put_number(json, "place", match_places(match)[seat]);
    json_put_number(json, "total_halves", match_table(match)->total_halves[seat]);
    json_key(json, "fault");
    if (match_fault(match, seat) == BOT_ANSWERED)
        json_null(json);
    else
        json_text(json, bot_outcome_name(match_fault(match, seat)));
    json_put_number(json, "charged_us", match_charged_us(match, seat));
    json_close_map(json);
}

static void add_match_json(struct play_summary *summary, const struct match *match,
                           const struct play_summary_match *which)
{
    const struct match_setup *setup = match_setup_of(match);
    struct json_writer *json = summary->json;
    char seed[LOG_RECORD_HASH_HEX];

    seed_hex(match, seed);
    json_open_map(json);
    json_put_text(json, "seed", seed);
    json_put_number(json, "rounds", match_table(match)->round);
    json_put_number(json, "answers", (long long)match_answers(match));
    json_put_text(json, "edition",
                  allegra_edition_name((enum allegra_edition)setup->rules.edition));
    json_put_text(json, "variant", setup->variant != NULL ? setup->variant : "");
    json_put_text(json, "contain", setup->sandbox);
    json_put_text(json, "enforced", setup->enforced != NULL ? setup->enforced : "");
    json_key(json, "log");
    if (which->log_path != NULL)
        json_text(json, which->log_path);
    else
        json_null(json);
    json_key(json, "seats");
    json_open_list(json);
    for (unsigned seat = 0; seat < summary->settings->seats; seat++)
        add_seat_json(json, match, seat, which->bots[seat]);
    json_close_list(json);
    json_close_map(json);
}

static void add_seat(struct sums *sums, const struct match *match, unsigned seat, unsigned winners)
{
    sums->seats++;
    sums->rounds += match_table(match)->round;
    sums->wins += match_places(match)[seat] == 1 ? 1.0 / winners : 0.0;
    sums->places += match_places(match)[seat];
    sums->score_halves += match_table(match)->total_halves[seat];
    sums->faults += match_fault(match, seat) != BOT_ANSWERED;
    sums->charged_us += match_charged_us(match, seat);
    if (match_slowest_us(match, seat) > sums->slowest_us)
        sums->slowest_us = match_slowest_us(match, seat);
}

void play_summary_add(struct play_summary *summary, const struct match *match,
                      const struct play_summary_match *which)
{
    unsigned winners = 0;

    for (unsigned seat = 0; seat < summary->settings->seats; seat++)
        winners += match_places(match)[seat] == 1;
    for (unsigned seat = 0; seat < summary->settings->seats; seat++)
        add_seat(&summary->sums[which->bots[seat]], match, seat, winners);
    summary->sandbox = match_setup_of(match)->sandbox;
    summary->enforced =
        match_setup_of(match)->enforced != NULL ? match_setup_of(match)->enforced : "";
    summary->matches++;
    summary->rounds += match_table(match)->round;
    summary->answers += match_answers(match);
    add_match_json(summary, match, which);
}

void play_summary_add_fault(struct play_summary *summary, const struct match *match,
                            const struct play_summary_match *which, unsigned seat,
                            const struct bot_failure *failure)
{
    struct fault *fault = xcalloc(1, sizeof *fault);

    fault->match = which->number;
    fault->bot = which->bots[seat];
    fault->seat = seat;
    fault->decision = match_table(match)->seats > 0 ? match_decisions(match) + 1 : 0;
    fault->outcome = failure->outcome;
    fault->log_path = which->log_path != NULL ? xstrdup(which->log_path) : NULL;
    *summary->next_fault = fault;
    summary->next_fault = &fault->next;
    if (summary->settings->matches > 1)
        message_say("in match %u:", which->number);
    play_summary_fault(match, seat, failure);
}

static const char *plural(unsigned long count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static void print_bot(const struct play_summary *summary, unsigned bot)
{
    const struct sums *sums = &summary->sums[bot];
    double matches = summary->matches > 0 ? summary->matches : 1;
    double seats = sums->seats > 0 ? (double)sums->seats : 1;
    double rounds = sums->rounds > 0 ? (double)sums->rounds : 1;

    printf("%-24.24s %5.1f%% %6.2f %13.2f %7u %9.3f s %6.1f ms\n", summary->names[bot],
           100 * sums->wins / matches, (double)sums->places / seats,
           (double)sums->score_halves / 2 / rounds, sums->faults,
           (double)sums->charged_us / 1e6 / seats, (double)sums->slowest_us / 1e3);
}

static void print_fault(const struct play_summary *summary, const struct fault *fault)
{
    printf("match %u: %s in seat %u: %s", fault->match, summary->names[fault->bot], fault->seat,
           bot_outcome_name(fault->outcome));
    if (fault->decision > 0)
        printf(" at decision %lu", fault->decision);
    else
        fputs(" before its hello", stdout);
    printf("; %s%s\n", fault->log_path != NULL ? "log " : "no log: --log FILE writes one",
           fault->log_path != NULL ? fault->log_path : "");
}

void play_summary_print(const struct play_summary *summary)
{
    const struct options_rules *rules = &summary->settings->match.game;

    printf("%u %s, %lu %s, %lu answers\n", summary->matches,
           plural(summary->matches, "match", "matches"), summary->rounds,
           plural(summary->rounds, "round", "rounds"), summary->answers);
    if (rules->variant[0] != '\0')
        printf("variant: %s, of %s\n", rules->variant,
               allegra_edition_name((enum allegra_edition)rules->rules.edition));
    if (summary->sandbox != NULL)
        printf("contained: %s%s%s\n", summary->sandbox, summary->enforced[0] != '\0' ? ": " : "",
               summary->enforced);
    puts("Fewer points are better. The bots move on by one seat from match to match.");
    printf("%-24s   wins  place  points/round  faults  time/match   slowest\n", "bot");
    for (unsigned bot = 0; bot < summary->bots; bot++)
        print_bot(summary, bot);
    if (summary->faults != NULL)
        puts("faults:");
    for (const struct fault *fault = summary->faults; fault != NULL; fault = fault->next)
        print_fault(summary, fault);
}

void play_summary_print_json(const struct play_summary *summary)
{
    struct json_writer *json = summary->json;
    const char *bytes;
    size_t length;

    json_close_list(json);
    json_put_number(json, "played", summary->matches);
    json_close_map(json);
    bytes = json_writer_bytes(json, &length);
    fwrite(bytes, 1, length, stdout);
}

/* Prints an argument with the quotes that a shell needs. */
static void print_argument(FILE *file, const char *argument)
{
    bool is_plain = argument[0] != '\0';

    for (const char *at = argument; *at != '\0'; at++)
        is_plain = is_plain && strchr(" \t\n'\"\\$`*?[]{}()<>|&;!#~", *at) == NULL;
    if (is_plain) {
        fprintf(file, " %s", argument);
        return;
    }
    fputs(" '", file);
    for (const char *at = argument; *at != '\0'; at++) {
        if (*at == '\'')
            fputs("'\\''", file);
        else
            fputc(*at, file);
    }
    fputc('\'', file);
}

/* The options that make the rules: a bundled variant has them all, a file may be elsewhere. */
static void print_rules(FILE *file, const struct match_setup *setup)
{
    bool is_named = setup->variant != NULL && setup->variant[0] != '\0';
    char changes[RULES_CHANGES_MAX];
    struct text text;

    if (is_named && rules_variant_find(span_of(setup->variant)) != NULL) {
        fprintf(file, " --edition %s", setup->variant);
        return;
    }
    text_start(&text, changes, sizeof changes);
    rules_write_changes(&text, &setup->rules, " --set ");
    fprintf(file, " --edition %s%s%s%s",
            allegra_edition_name((enum allegra_edition)setup->rules.edition), changes,
            is_named ? " --variant " : "", is_named ? setup->variant : "");
}

static void print_command(FILE *file, const struct match *match)
{
    const struct match_setup *setup = match_setup_of(match);
    char seed[LOG_RECORD_HASH_HEX];

    seed_hex(match, seed);
    fputs("  to play it again: referee play", file);
    print_rules(file, setup);
    fprintf(file, " --seed %s --move-ms %ld --start-ms %ld", seed, setup->move_ms, setup->start_ms);
    if (setup->bank_ms > 0)
        fprintf(file, " --bank-ms %ld", setup->bank_ms);
    fprintf(file, " --clock %s%s --contain %s --log again.ndjson", clock_rule_name(setup->clock),
            setup->may_ponder ? " --ponder" : "", setup->sandbox);
    for (unsigned seat = 0; seat < setup->seats; seat++)
        print_argument(file, setup->commands[seat]);
    fputc('\n', file);
}

void play_summary_stopped(const struct match_host *host)
{
    const char *reason = match_host_void(host);
    const char *partial = match_host_partial_log(host);

    /* Rounds that were won before come before. */
    (void)fflush(stdout);
    message_say("%s%s%s%s", reason != NULL ? "the match is void: " : "the match was stopped",
                reason != NULL ? reason : "", partial != NULL ? "; its log up to then: " : "",
                partial != NULL ? partial : "");
}

static void print_stderr_tail(FILE *file, const char *tail)
{
    char *readable = escape_readable(tail);

    fputs("  the end of its stderr:\n", file);
    for (const char *at = readable; *at != '\0';) {
        size_t length = strcspn(at, "\n");

        fprintf(file, "    | %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    free(readable);
}

void play_summary_fault(const struct match *match, unsigned seat, const struct bot_failure *failure)
{
    const struct allegra_table *table = match_table(match);
    bool is_hello = table->seats == 0;

    fflush(stdout);
    message_say("seat %u (%s) is dismissed: %s", seat, match_setup_of(match)->names[seat],
                bot_outcome_name(failure->outcome));
    fprintf(stderr, "  %s\n", failure->message);
    if (is_hello)
        fprintf(stderr, "  at the start, before its hello\n");
    else
        fprintf(stderr, "  decision %lu, question `%s` in round %u, turn %u\n",
                match_decisions(match) + 1, allegra_question_name(allegra_table_question(table)),
                table->round, table->turn);
    if (failure->line[0] != '\0')
        fprintf(stderr, "  its line: `%s`\n", failure->line);
    if (failure->ending[0] != '\0')
        fprintf(stderr, "  its process: %s\n", failure->ending);
    if (failure->stderr_tail[0] != '\0')
        print_stderr_tail(stderr, failure->stderr_tail);
    print_command(stderr, match);
}
