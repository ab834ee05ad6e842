/* Logs played again: what is right is found right, and whatever is changed is found. */

#include "match/replay.h"
#include "support/fake_host.h"
#include "support/same_table.h"

#include "base/memory.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES_OF_EACH_LOG 340

/* Set it to try every bit of the first log, which takes minutes. */
#define EVERY_BIT "REPLAY_EVERY_BIT"

/* A log as a file has it, in memory. */
struct made_log {
    char *bytes;
    size_t length;
};

static void add_last_line(struct made_log *log)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    char hex[LOG_RECORD_HASH_HEX];
    int added;

    crypto_hash_sha256(hash, (const unsigned char *)log->bytes, log->length);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    log->bytes = xrealloc(log->bytes, log->length + 100);
    added = snprintf(log->bytes + log->length, 100, "{\"sha256\":\"%s\"}\n", hex);
    log->length += (size_t)added;
}

/* Plays a match in which one bot fails in the middle, if `has_fault`. */
static struct made_log make_log(const char *rules, unsigned seats, const char *seed, bool has_fault)
{
    struct fake_host *host = fake_host_new(rules, seats, seed, 300);
    struct allegra_dice dice = allegra_dice_from(9);
    struct made_log log;

    fake_host_hello(host, "hello bot legal=on");
    fake_host_line(host, (unsigned)__builtin_ctz(fake_host_asked(host)), "say hello all", 5);
    if (has_fault) {
        fake_host_play(host, &dice, ALLEGRA_QUESTION_MOVE);
        fake_host_fault(host, (unsigned)__builtin_ctz(fake_host_asked(host)), BOT_LATE);
    }
    fake_host_play(host, &dice, ALLEGRA_QUESTION_NONE);
    log = (struct made_log){xstrndup(host->log, host->log_length), host->log_length};
    add_last_line(&log);
    fake_host_free(host);
    return log;
}

/* Plays a match whose luck is measured, with bids that arrive in the wrong order and a fault. */
static struct made_log make_measured(const char *rules, unsigned seats, struct luck *luck)
{
    struct fake_host *host = fake_host_new_measured(rules, seats, "luck");
    struct allegra_dice dice = allegra_dice_from(seats);
    struct made_log log;

    fake_host_hello(host, "hello bot legal=on");
    for (unsigned i = 0; fake_host_asked(host) != 0; i++) {
        unsigned seat = 31 - (unsigned)__builtin_clz(fake_host_asked(host));

        if (i == 40)
            fake_host_fault(host, seat, BOT_LATE);
        else
            fake_host_answer(host, seat, &dice);
    }
    *luck = *match_luck(host->match);
    log = (struct made_log){xstrndup(host->log, host->log_length), host->log_length};
    add_last_line(&log);
    fake_host_free(host);
    return log;
}

/* Returns 0 if the log proves right; else -1 with the problem. */
static int verify(const char *bytes, size_t length, char *message, size_t size)
{
    struct text problem;
    struct replay *replay;
    int result;

    text_start(&problem, message, size);
    replay = replay_read(bytes, length, NULL, NULL, &problem);
    if (replay == NULL)
        return -1;
    result = replay_verify(replay, &problem);
    replay_free(replay);
    return result;
}

Test(replay, luck_follows_from_the_log)
{
    static const char *const rules[] = {"de2026 turn_limit=8", "en2020 rounds=2 turn_limit=8",
                                        "nl2023 rounds=1 turn_limit=8 knock_hand=private"};

    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct luck luck;
        struct made_log log = make_measured(rules[i], 3 + i, &luck);
        char message[300];
        struct text problem;
        struct replay *replay;

        text_start(&problem, message, sizeof message);
        replay = replay_read(log.bytes, log.length, NULL, NULL, &problem);
        cr_assert_not_null(replay, "%s", message);
        cr_assert_null(match_luck(replay_match(replay)), "only on demand");
        replay_measure_luck(replay);
        cr_assert_eq(replay_verify(replay, &problem), 0, "%s", message);
        cr_assert_eq(memcmp(match_luck(replay_match(replay)), &luck, sizeof luck), 0, "%s",
                     rules[i]);
        cr_assert_neq(luck.of[0].points, 0);
        replay_free(replay);
        free(log.bytes);
    }
}

Test(replay, logs_of_all_editions_and_sizes_with_and_without_faults_are_verified)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        for (unsigned seats = 2; seats <= 6; seats++) {
            for (unsigned has_fault = 0; has_fault < 2; has_fault++) {
                char rules[80];
                char message[1300];
                struct made_log log;

                snprintf(rules, sizeof rules, "%s turn_limit=12 knock_rounds=2",
                         allegra_edition_name((enum allegra_edition)edition));
                log = make_log(rules, seats, "replay", has_fault);
                cr_expect_eq(verify(log.bytes, log.length, message, sizeof message), 0,
                             "%s, %u: %s", rules, seats, message);
                free(log.bytes);
            }
        }
    }
}

/* Without the hash that would find everything at once. */
static int verify_forged(struct made_log *log, char *message, size_t size)
{
    char *last = log->bytes + log->length - 1;

    while (last > log->bytes && last[-1] != '\n')
        last--;
    log->length = (size_t)(last - log->bytes);
    add_last_line(log);
    return verify(log->bytes, log->length, message, size);
}

static void change_bit(struct made_log *log, size_t at, unsigned bit)
{
    char message[1300];

    log->bytes[at] = (char)(log->bytes[at] ^ (1 << bit));
    cr_expect_eq(verify(log->bytes, log->length, message, sizeof message), -1, "bit %u of byte %zu",
                 bit, at);
    cr_expect(strncmp(message, "line ", 5) == 0, "%s", message);
    log->bytes[at] = (char)(log->bytes[at] ^ (1 << bit));
}

Test(replay, every_single_bit_that_is_changed_is_found)
{
    static const char *const rules[] = {"de2026 turn_limit=8", "en2020 rounds=1 turn_limit=8",
                                        "nl2023 rounds=1 turn_limit=8 knock_offers=binding"};
    struct allegra_dice dice = allegra_dice_from(77);
    unsigned long tried = 0;

    for (unsigned i = 0; i < 3; i++) {
        struct made_log log = make_log(rules[i], 3 + i, "bits", i == 1);
        bool is_every = i == 0 && getenv(EVERY_BIT) != NULL;
        size_t count = is_every ? 8 * log.length : CHANGES_OF_EACH_LOG;

        for (size_t k = 0; k < count; k++) {
            size_t bit = is_every ? k : allegra_dice_below(&dice, (uint32_t)(8 * log.length));

            change_bit(&log, bit / 8, bit % 8);
            tried++;
        }
        free(log.bytes);
    }
    cr_expect_geq(tried, 1000);
    printf("count replay_bits_changed %lu\n", tried);
}

Test(replay, every_truncation_is_found)
{
    struct made_log log = make_log("de2026 turn_limit=4", 3, "cut", false);
    char message[1300];

    for (size_t length = 0; length < log.length; length += 1 + length / 50)
        cr_expect_eq(verify(log.bytes, length, message, sizeof message), -1, "cut at %zu", length);
    free(log.bytes);
}

/* The table as everybody sees it. */
static void write_table(const struct match *match, char *buffer, size_t size)
{
    struct allegra_view view = allegra_view_of(match_table(match), 0);
    struct text text;

    text_start(&text, buffer, size);
    bot_line_write_table(&text, &view);
}

/* Plays a log that is cut off, and the whole one next to it: what can be seen must be the same. */
static void compare_cut(const struct made_log *log, size_t length)
{
    char message[1300];
    struct text problem;
    struct replay *whole;
    struct replay *cut;
    int result = 1;

    text_start(&problem, message, sizeof message);
    cut = replay_read(log->bytes, length, NULL, NULL, &problem);
    if (cut == NULL) {
        cr_expect(strstr(message, "cut off before") != NULL || length == 0, "%s", message);
        return;
    }
    whole = replay_read(log->bytes, log->length, NULL, NULL, &problem);
    cr_assert(replay_cut(cut) != NULL);
    while (result > 0) {
        char tables[2][1024];

        write_table(replay_match(whole), tables[0], sizeof tables[0]);
        write_table(replay_match(cut), tables[1], sizeof tables[1]);
        cr_expect_str_eq(tables[1], tables[0]);
        result = replay_next(cut, &problem);
        if (result > 0)
            cr_expect_eq(replay_next(whole, &problem), 1);
    }
    cr_expect_eq(result, 0, "%s", message);
    cr_expect_eq(match_decisions(replay_match(cut)), replay_decisions(cut));
    replay_free(whole);
    replay_free(cut);
}

Test(replay, a_log_that_is_cut_off_is_played_as_far_as_it_goes)
{
    static const char *const rules[] = {"de2026 turn_limit=40 deck=6,6,6,6,6,6,6,6,6,6,6,6,6",
                                        "en2020 rounds=2 turn_limit=9", "nl2023 rounds=2"};

    for (unsigned i = 0; i < 3; i++) {
        struct made_log log = make_log(rules[i], 3 + i, "cut", i == 1);

        for (size_t length = log.length - 1; length > 0; length -= 1 + length / 9)
            compare_cut(&log, length);
        free(log.bytes);
    }
}

Test(replay, an_unknown_autopilot_matters_only_when_a_bot_is_dismissed)
{
    for (unsigned has_fault = 0; has_fault < 2; has_fault++) {
        struct made_log log = make_log("de2026 turn_limit=6", 3, "autopilot", has_fault);
        char *place = strstr(log.bytes, "\"autopilot\":1");
        char message[1300];

        cr_assert(place != NULL);
        place[strlen("\"autopilot\":")] = '9';
        cr_expect_eq(verify_forged(&log, message, sizeof message), has_fault ? -1 : 0, "%s",
                     message);
        cr_expect(!has_fault || strstr(message, "version 9 of the autopilot") != NULL, "%s",
                  message);
        free(log.bytes);
    }
}

struct forgery {
    const char *from; /* the first place of it is replaced */
    const char *to;
    const char *message;
};

/* A forger who knows how to compute the last line. */
static const struct forgery forgeries[] = {
    {"; turn 2 ", "; turn 3 ", "turn 2"},
    {"\"dealer\":0", "\"dealer\":1", "line "},
    {"\"clear_row\":\"must\"", "\"clear_row\":\"may\"", "line "},
    {"\"seed\":\"", "\"seed\":\"0", "64 hexadecimal digits"},
    {"\"decisions\":", "\"decisions\":1", "line "},
    {"\"rounds\":1,", "\"rounds\":2,", "line "},
    {"scored 1 ", "scored 1 1", "line "},
    {"\"commitment\":\"", "\"commitment\":\"0", "line 1: "},
    {"\"places\":[", "\"places\":[ ", "line "},
    {"\"allegra_log\":1", "\"allegra_log\":2", "line 1: it is a log of version 2"},
    {"\"us\":7", "\"us\":9999999", "longer than its time"},
    {"\"us\":7", "\"us\":-7", "line "},
    {"\"n\":5,", "\"n\":6,", "line "},
    {"\"do\":\"pile\"", "\"do\":\"discard\"", "line "},
    {"\"do\":\"pile\"", "\"do\":\"none\"", "not legal"},
    {"\"do\":\"pile\"", "\"do\":\"explode\"", "line "},
    {"\"name\":\"ann\"", "\"name\":\"bob\"", "line "},
    {"\"name\":\"ann\"", "\"name\":\"\\u001b[31mann\"", "line 1: a name"},
    {"\"hello\":\"bot\"", "\"hello\":\"b\\not\"", "line 1: a name"},
    {"drew pile 0", "drew pile 1", "line "},
    {"\"seats\":3", "\"seats\":4", "line "},
    {"\"seats\":3", "\"seats\":7", "line 1: "},
    {"\"clock\":\"fair\"", "\"clock\":\"sand\"", "line 1: "},
    {"\"autopilot\":1", "\"autopilot\":0", "line 1: "},
    {"\"protocol\":1", "\"protocol\":2", "line 1: its bots spoke version 2"},
    {"\"referee\":\"", "\"referee\":\"two words ", "line 1: "},
    {"{\"n\":3,", "{\"m\":3,", "line "},
};

static struct made_log forge(const struct made_log *log, const struct forgery *forgery)
{
    char *place = strstr(log->bytes, forgery->from);
    struct made_log forged = {0};
    size_t before;

    cr_assert(place != NULL, "%s", forgery->from);
    before = (size_t)(place - log->bytes);
    forged.length = log->length - strlen(forgery->from) + strlen(forgery->to);
    forged.bytes = xcalloc(forged.length + 1, 1);
    memcpy(forged.bytes, log->bytes, before);
    memcpy(forged.bytes + before, forgery->to, strlen(forgery->to));
    memcpy(forged.bytes + before + strlen(forgery->to), place + strlen(forgery->from),
           log->length - before - strlen(forgery->from));
    return forged;
}

Test(replay, a_forger_who_recomputes_the_hash_is_found_by_the_rules)
{
    struct made_log log = make_log("de2026 turn_limit=6", 3, "forge", false);

    for (size_t i = 0; i < ARRAY_LEN(forgeries); i++) {
        struct made_log forged = forge(&log, &forgeries[i]);
        char message[1300];

        cr_expect_eq(verify_forged(&forged, message, sizeof message), -1, "case %zu", i);
        cr_expect(strstr(message, forgeries[i].message) != NULL, "case %zu: %s", i, message);
        cr_expect(strncmp(message, "line ", 5) == 0, "case %zu: %s", i, message);
        free(forged.bytes);
    }
    free(log.bytes);
}

struct bad_file {
    const char *bytes;
    const char *message;
};

static const struct bad_file bad_files[] = {
    {"", "it is empty"},
    {"hello", "not a referee log"},
    {"{", "no line end"},
    {"hello\n", "not a referee log"},
    {"{}\n{}\n{}\n{}\n", "line 1: this is not the header"},
    {"[]\n[]\n[]\n[]\n", "not a referee log"},
    {"1\n2\n3\n4\n", "not a referee log"},
    {"{\"allegra_log\":1}\n{}\n{}\n{}\n", "line 1: "},
    {"{\"allegra_log\":1.5}\n{}\n{}\n{}\n", "line 1: it cannot be read as JSON"},
    {"\n\n\n\n\n", "not a referee log"},
    {"[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]\n\n\n\n", "not a referee log"},
};

Test(replay, a_file_that_is_not_a_log_is_reported_in_one_sentence)
{
    for (size_t i = 0; i < ARRAY_LEN(bad_files); i++) {
        char message[1300];

        cr_expect_eq(
            verify(bad_files[i].bytes, strlen(bad_files[i].bytes), message, sizeof message), -1);
        cr_expect(strstr(message, bad_files[i].message) != NULL, "case %zu: %s", i, message);
    }
}

Test(replay, lines_in_another_order_are_found)
{
    struct made_log log = make_log("de2026 turn_limit=4", 3, "order", false);
    char *third = strchr(strchr(log.bytes, '\n') + 1, '\n') + 1;
    char *fourth = strchr(third, '\n') + 1;
    char *fifth = strchr(fourth, '\n') + 1;
    size_t one = (size_t)(fourth - third);
    size_t other = (size_t)(fifth - fourth);
    char *swapped = xcalloc(one + other, 1);
    char message[1300];

    memcpy(swapped, fourth, other);
    memcpy(swapped + other, third, one);
    memcpy(third, swapped, one + other);
    cr_expect_eq(verify_forged(&log, message, sizeof message), -1);
    cr_expect(strncmp(message, "line 3: ", 8) == 0, "%s", message);
    free(swapped);
    free(log.bytes);
}

struct tapped {
    char *bytes;
    size_t length;
    unsigned seat;
};

static void tap(void *context, unsigned seat, const char *bytes, size_t length)
{
    struct tapped *tapped = context;

    if (seat != tapped->seat)
        return;
    tapped->bytes = xrealloc(tapped->bytes, tapped->length + length);
    memcpy(tapped->bytes + tapped->length, bytes, length);
    tapped->length += length;
}

Test(replay, the_bytes_of_a_seat_are_those_that_its_bot_got)
{
    struct fake_host *host = fake_host_new("en2020 rounds=1 turn_limit=10", 4, "tap", 0);
    struct allegra_dice dice = allegra_dice_from(4);
    struct tapped tapped = {.seat = 2};
    struct made_log log;
    struct replay *replay;
    char message[1300];
    struct text problem;

    fake_host_hello(host, "hello bot");
    fake_host_play(host, &dice, ALLEGRA_QUESTION_NONE);
    log = (struct made_log){xstrndup(host->log, host->log_length), host->log_length};
    add_last_line(&log);
    text_start(&problem, message, sizeof message);
    replay = replay_read(log.bytes, log.length, tap, &tapped, &problem);
    cr_assert(replay != NULL, "%s", message);
    while (replay_next(replay, &problem) > 0)
        continue;
    cr_expect_eq(tapped.length, host->seats[2].told_length);
    cr_expect_eq(memcmp(tapped.bytes, host->seats[2].told, tapped.length), 0);
    replay_free(replay);
    fake_host_free(host);
    free(tapped.bytes);
    free(log.bytes);
}

Test(replay, going_back_to_the_beginning_leads_to_the_same_end)
{
    struct made_log log = make_log("fr2020 rounds=1 turn_limit=10", 3, "rewind", true);
    char message[1300];
    struct text problem;
    struct replay *replay;
    struct allegra_table first;

    text_start(&problem, message, sizeof message);
    replay = replay_read(log.bytes, log.length, NULL, NULL, &problem);
    cr_assert(replay != NULL, "%s", message);
    for (unsigned i = 0; i < 20; i++)
        cr_assert_eq(replay_next(replay, &problem), 1);
    first = *match_table(replay_match(replay));
    while (replay_next(replay, &problem) > 0)
        continue;
    replay_rewind(replay);
    cr_expect_eq(match_decisions(replay_match(replay)), 0);
    for (unsigned i = 0; i < 20; i++)
        cr_assert_eq(replay_next(replay, &problem), 1);
    cr_expect(same_table(&first, match_table(replay_match(replay))));
    replay_free(replay);
    free(log.bytes);
}
