/* Reports. A fault is reported in the order in which its author needs it: the bot, the fault,
 * the question, the line itself, how the process ended, the end of its stderr, and the command
 * that repeats the match. */

#include "cli/play/play_summary.h"

#include "base/memory.h"
#include "base/message.h"
#include "game/rules.h"
#include "wire/json_write.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sums {
    double wins; /* a shared win counts as its share */
    unsigned long places;
    long long score_halves;
    unsigned faults;
    int64_t charged_us;
    int64_t slowest_us;
};

struct play_summary {
    const struct play_settings *settings;
    char (*names)[BOT_COMMAND_NAME_MAX + 8];
    unsigned matches;
    unsigned long rounds;
    unsigned long answers;
    struct sums sums[ALLEGRA_SEATS_MAX];
    struct json_writer *json;
    const char *sandbox; /* NULL before the first match */
    const char *enforced;
};

struct play_summary *play_summary_new(const struct play_settings *settings,
                                      char (*names)[BOT_COMMAND_NAME_MAX + 8])
{
    struct play_summary *summary = xcalloc(1, sizeof *summary);

    summary->settings = settings;
    summary->names = names;
    summary->json = json_writer_new(true);
    json_open_map(summary->json);
    json_key(summary->json, "matches");
    json_open_list(summary->json);
    return summary;
}

void play_summary_free(struct play_summary *summary)
{
    if (summary == NULL)
        return;
    json_writer_free(summary->json);
    free(summary);
}

static void seed_hex(const struct match *match, char hex[LOG_RECORD_HASH_HEX])
{
    const struct match_setup *setup = match_setup_of(match);

    sodium_bin2hex(hex, LOG_RECORD_HASH_HEX, setup->seed, sizeof setup->seed);
}

static void add_seat_json(struct json_writer *json, const struct match *match, unsigned seat)
{
    json_open_map(json);
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
                           const char *log_path)
{
    const struct match_setup *setup = match_setup_of(match);
    struct json_writer *json = summary->json;
    char seed[LOG_RECORD_HASH_HEX];

    seed_hex(match, seed);
    json_open_map(json);
    json_put_text(json, "seed", seed);
    json_put_number(json, "rounds", match_table(match)->round);
    json_put_number(json, "answers", (long long)match_answers(match));
    json_put_text(json, "contain", setup->sandbox);
    json_put_text(json, "enforced", setup->enforced != NULL ? setup->enforced : "");
    json_key(json, "log");
    if (log_path != NULL)
        json_text(json, log_path);
    else
        json_null(json);
    json_key(json, "seats");
    json_open_list(json);
    for (unsigned seat = 0; seat < summary->settings->seats; seat++)
        add_seat_json(json, match, seat);
    json_close_list(json);
    json_close_map(json);
}

void play_summary_add(struct play_summary *summary, const struct match *match, const char *log_path)
{
    unsigned winners = 0;

    for (unsigned seat = 0; seat < summary->settings->seats; seat++)
        winners += match_places(match)[seat] == 1;
    for (unsigned seat = 0; seat < summary->settings->seats; seat++) {
        struct sums *sums = &summary->sums[seat];

        sums->wins += match_places(match)[seat] == 1 ? 1.0 / winners : 0.0;
        sums->places += match_places(match)[seat];
        sums->score_halves += match_table(match)->total_halves[seat];
        sums->faults += match_fault(match, seat) != BOT_ANSWERED;
        sums->charged_us += match_charged_us(match, seat);
        if (match_slowest_us(match, seat) > sums->slowest_us)
            sums->slowest_us = match_slowest_us(match, seat);
    }
    summary->sandbox = match_setup_of(match)->sandbox;
    summary->enforced =
        match_setup_of(match)->enforced != NULL ? match_setup_of(match)->enforced : "";
    summary->matches++;
    summary->rounds += match_table(match)->round;
    summary->answers += match_answers(match);
    add_match_json(summary, match, log_path);
}

void play_summary_print(const struct play_summary *summary)
{
    double matches = summary->matches > 0 ? summary->matches : 1;
    double rounds = summary->rounds > 0 ? (double)summary->rounds : 1;

    printf("%u matches, %lu rounds, %lu answers\n", summary->matches, summary->rounds,
           summary->answers);
    if (summary->sandbox != NULL)
        printf("contained: %s%s%s\n", summary->sandbox, summary->enforced[0] != '\0' ? ": " : "",
               summary->enforced);
    printf("seat %-24s   wins  place  score/round  faults  time/match  slowest\n", "bot");
    for (unsigned seat = 0; seat < summary->settings->seats; seat++) {
        const struct sums *sums = &summary->sums[seat];

        printf("%4u %-24.24s %5.1f%% %6.2f %12.2f %7u %9.3f s %6.1f ms\n", seat,
               summary->names[seat], 100 * sums->wins / matches, (double)sums->places / matches,
               (double)sums->score_halves / 2 / rounds, sums->faults,
               (double)sums->charged_us / 1e6 / matches, (double)sums->slowest_us / 1e3);
    }
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

static void print_changed_keys(FILE *file, const struct allegra_rules *rules)
{
    struct allegra_rules edition = allegra_rules_of_edition((enum allegra_edition)rules->edition);

    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);
        char value[80];
        struct text text;

        if (rules_same_value(rules, &edition, key))
            continue;
        text_start(&text, value, sizeof value);
        rules_write_value(&text, rules, key);
        fprintf(file, " --set %s=%s", key->name, value);
    }
}

static void print_command(FILE *file, const struct match *match)
{
    const struct match_setup *setup = match_setup_of(match);
    char seed[LOG_RECORD_HASH_HEX];

    seed_hex(match, seed);
    fprintf(file, "  to play it again: referee play --edition %s",
            allegra_edition_name((enum allegra_edition)setup->rules.edition));
    print_changed_keys(file, &setup->rules);
    fprintf(file, " --seed %s --move-ms %ld --start-ms %ld", seed, setup->move_ms, setup->start_ms);
    if (setup->bank_ms > 0)
        fprintf(file, " --bank-ms %ld", setup->bank_ms);
    fprintf(file, " --clock %s%s --contain %s --log again.ndjson", clock_rule_name(setup->clock),
            setup->may_ponder ? " --ponder" : "", setup->sandbox);
    for (unsigned seat = 0; seat < setup->seats; seat++)
        print_argument(file, setup->commands[seat]);
    fputc('\n', file);
}

void play_summary_void(const char *reason, const char *log_path)
{
    bool is_log = log_path != NULL && strncmp(reason, log_path, strlen(log_path)) == 0;

    message_say("%s%s", is_log ? "cannot write the log " : "the match is void: ", reason);
}

static void print_stderr_tail(FILE *file, const char *tail)
{
    fputs("  the end of its stderr:\n", file);
    for (const char *at = tail; *at != '\0';) {
        size_t length = strcspn(at, "\n");

        fprintf(file, "    | %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
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
        fprintf(stderr, "  its line: %s\n", failure->line);
    if (failure->ending[0] != '\0')
        fprintf(stderr, "  its process: %s\n", failure->ending);
    if (failure->stderr_tail[0] != '\0')
        print_stderr_tail(stderr, failure->stderr_tail);
    print_command(stderr, match);
}
