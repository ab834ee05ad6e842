/* A host that writes everything to buffers. */

#include "support/fake_host.h"

#include "base/memory.h"
#include "bot/fault_text.h"
#include "game/allegra.h"
#include "game/game_text.h"
#include "game/rules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(char *to, size_t *length, const char *bytes, size_t count)
{
    cr_assert_lt(*length + count, FAKE_BYTES_MAX);
    memcpy(to + *length, bytes, count);
    *length += count;
    to[*length] = '\0';
}

static void tell(void *context, unsigned seat, const char *bytes, size_t length)
{
    struct fake_host *host = context;

    append(host->seats[seat].told, &host->seats[seat].told_length, bytes, length);
}

static void ask(void *context, unsigned seat, struct span bytes, int64_t limit_us)
{
    struct fake_host *host = context;

    cr_assert_not(host->seats[seat].is_asked);
    cr_assert_not(host->seats[seat].is_dismissed);
    host->seats[seat].is_asked = true;
    host->seats[seat].limit_us = limit_us;
    tell(host, seat, bytes.start, bytes.length);
}

static void dismiss(void *context, unsigned seat)
{
    struct fake_host *host = context;

    host->seats[seat].is_dismissed = true;
}

static void add_to_log(void *context, const char *record, size_t length)
{
    struct fake_host *host = context;

    append(host->log, &host->log_length, record, length);
    append(host->log, &host->log_length, "\n", 1);
}

static struct allegra_rules rules_from(const char *text)
{
    struct span rest = span_of(text);
    struct allegra_rules rules;
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    cr_assert_eq(rules_read_edition(span_cut_word(&rest), &rules, &problem), 0, "%s", message);
    for (;;) {
        struct span pair = span_cut_word(&rest);

        if (pair.length == 0)
            return rules;
        cr_assert_eq(rules_set_pair(&rules, pair, &problem), 0, "%s", message);
    }
}

static struct fake_host *make(const char *rules, unsigned count, const char *seed, long bank_ms,
                              bool measures_luck)
{
    static const char *const names[ALLEGRA_SEATS_MAX] = {"ann", "bob", "cem", "dan", "eve", "fay"};
    struct fake_host *host = xcalloc(1, sizeof *host);
    struct match_ports ports = {
        .tell = tell, .ask = ask, .dismiss = dismiss, .log = add_to_log, .context = host};
    struct match_setup setup = {.rules = rules_from(rules),
                                .seats = count,
                                .start_ms = 10000,
                                .move_ms = 1000,
                                .bank_ms = bank_ms,
                                .measures_luck = measures_luck,
                                .sandbox = "none"};

    cr_assert_eq(deal_random_init(), 0);
    deal_random_seed_from_text(setup.seed, seed);
    host->count = count;
    host->log = xcalloc(FAKE_BYTES_MAX, 1);
    for (unsigned seat = 0; seat < count; seat++) {
        setup.names[seat] = names[seat];
        setup.commands[seat] = "fake";
        setup.hashes[seat] = "";
        host->seats[seat].told = xcalloc(FAKE_BYTES_MAX, 1);
    }
    host->match = match_new(&setup, &ports);
    return host;
}

struct fake_host *fake_host_new(const char *rules, unsigned count, const char *seed, long bank_ms)
{
    return make(rules, count, seed, bank_ms, false);
}

struct fake_host *fake_host_new_measured(const char *rules, unsigned count, const char *seed)
{
    return make(rules, count, seed, 0, true);
}

void fake_host_free(struct fake_host *host)
{
    for (unsigned seat = 0; seat < host->count; seat++)
        free(host->seats[seat].told);
    match_free(host->match);
    free(host->log);
    free(host);
}

void fake_host_hello(struct fake_host *host, const char *hello)
{
    struct bot_line_hello read;
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    cr_assert_eq(bot_line_read_hello(span_of(hello), &read, &problem), 0);
    for (unsigned seat = 0; seat < host->count; seat++)
        match_hello(host->match, seat, &read);
}

/* The question of a seat is ending: the next one may be asked before the match returns. */
static void end_question(struct fake_seat *place)
{
    place->is_asked = false;
    place->burst = place->told_length;
}

static void fail(struct fake_host *host, unsigned seat, enum bot_outcome outcome,
                 const char *message, const struct bot_time *time, const char *line)
{
    struct bot_failure failure = {
        .outcome = outcome,
        .time = *time,
        .line = line,
        .message = message,
        .ending = "",
        .stderr_tail = "",
    };

    end_question(&host->seats[seat]);
    match_fail(host->match, seat, &failure);
}

enum bot_outcome fake_host_line(struct fake_host *host, unsigned seat, const char *line,
                                int64_t charged_us)
{
    struct fake_seat before = host->seats[seat];
    struct bot_time time = {.charged_us = charged_us, .wall_us = charged_us};
    struct bot_refusal refusal;

    end_question(&host->seats[seat]);
    switch (match_take_line(host->match, seat, span_of(line), &time, &refusal)) {
    case BOT_MORE_TO_COME:
        host->seats[seat] = before;
        break;
    case BOT_ACCEPT:
        break;
    case BOT_REFUSE:
        fail(host, seat, refusal.outcome, refusal.message, &time, line);
        return refusal.outcome;
    }
    return BOT_ANSWERED;
}

void fake_host_fault(struct fake_host *host, unsigned seat, enum bot_outcome outcome)
{
    int64_t over_us = outcome == BOT_LATE ? host->seats[seat].limit_us + 1 : 0;
    struct bot_time time = {
        .charged_us = over_us, .wall_us = over_us, .is_measured = outcome == BOT_LATE};
    struct fault_text facts = {.outcome = outcome,
                               .charged_us = over_us,
                               .limit_us = host->seats[seat].limit_us,
                               .is_measured = time.is_measured,
                               .ending = "",
                               .stop_reason = ""};
    char message[200];
    struct text text;

    text_start(&text, message, sizeof message);
    fault_text_write(&text, &facts);
    fail(host, seat, outcome, message, &time, "");
}

void fake_host_answer(struct fake_host *host, unsigned seat, struct allegra_dice *dice)
{
    struct allegra_legal legal;
    char line[80];
    struct text text;

    allegra_legal_list(match_table(host->match), seat, &legal);
    cr_assert_gt(legal.count, 0);
    text_start(&text, line, sizeof line);
    text_add_number(&text, (long)match_id(host->match, seat));
    text_add_char(&text, ' ');
    answer_write(&text, legal.list[allegra_dice_below(dice, legal.count)]);
    cr_assert_eq(fake_host_line(host, seat, line, 7), BOT_ANSWERED, "%s", line);
}

unsigned fake_host_asked(const struct fake_host *host)
{
    unsigned asked = 0;

    for (unsigned seat = 0; seat < host->count; seat++)
        asked |= (unsigned)host->seats[seat].is_asked << seat;
    return asked;
}

void fake_host_play(struct fake_host *host, struct allegra_dice *dice, enum allegra_question until)
{
    while (!match_is_over(host->match) &&
           allegra_table_question(match_table(host->match)) != until) {
        unsigned asked = fake_host_asked(host);

        cr_assert_neq(asked, 0);
        fake_host_answer(host, (unsigned)__builtin_ctz(asked), dice);
    }
}

const char *fake_host_find(const struct fake_host *host, unsigned seat, const char *word)
{
    const char *at = host->seats[seat].told + host->seats[seat].burst;

    while (at != NULL && *at != '\0') {
        if (strncmp(at, word, strlen(word)) == 0)
            return at;
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    return NULL;
}
