/* Uses any bytes as the output of the bot at seat 0: its lines answer its questions, and the
 * autopilot answers for the other seats. The match must always end, with each line accepted or a
 * fault. */

#include "game/allegra.h"
#include "match/autopilot.h"
#include "match/match.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz {
    struct match *match;
    unsigned asked;
    struct span output;
};

static void tell(void *context, unsigned seat, const char *bytes, size_t length)
{
    (void)context;
    (void)seat;
    if (length == 0 || bytes[length - 1] != '\n')
        abort();
}

static void ask(void *context, unsigned seat, struct span bytes, int64_t limit_us)
{
    struct fuzz *fuzz = context;

    tell(context, seat, bytes.start, bytes.length);
    (void)limit_us;
    fuzz->asked |= 1U << seat;
}

static void dismiss(void *context, unsigned seat)
{
    (void)context;
    (void)seat;
}

static void add_to_log(void *context, const char *record, size_t length)
{
    (void)context;
    if (length == 0 || record[0] != '{' || memchr(record, '\n', length) != NULL)
        abort();
}

static void answer_from_output(struct fuzz *fuzz)
{
    static const struct bot_time no_time;
    enum bot_verdict verdict = BOT_MORE_TO_COME;
    struct bot_refusal refusal = {.outcome = BOT_GONE};
    struct bot_failure failure = {.line = "", .message = "", .ending = "", .stderr_tail = ""};

    fuzz->asked &= ~1U;
    while (verdict == BOT_MORE_TO_COME && fuzz->output.start != NULL)
        verdict =
            match_take_line(fuzz->match, 0, span_cut(&fuzz->output, '\n'), &no_time, &refusal);
    failure.outcome = refusal.outcome;
    if (verdict != BOT_ACCEPT)
        match_fail(fuzz->match, 0, &failure);
}

static void answer_with_autopilot(struct fuzz *fuzz, unsigned seat)
{
    static const struct bot_time no_time;
    struct allegra_view view = allegra_view_of(match_table(fuzz->match), seat);
    struct allegra_legal legal;
    struct seat_reply reply = {0};

    allegra_legal_list(match_table(fuzz->match), seat, &legal);
    reply.answer = autopilot_choose(AUTOPILOT_VERSION, &view, &legal);
    fuzz->asked &= ~(1U << seat);
    if (match_answer(fuzz->match, seat, &reply, &no_time) != ALLEGRA_REFUSAL_NONE)
        abort();
}

static void play(struct fuzz *fuzz)
{
    struct bot_line_hello hello = {.name = "bot",
                                   .options = {.has_table = true, .has_events = true}};

    for (unsigned seat = 0; seat < 3; seat++)
        match_hello(fuzz->match, seat, &hello);
    while (!match_is_over(fuzz->match)) {
        unsigned seat = (unsigned)__builtin_ctz(fuzz->asked);

        if (seat == 0)
            answer_from_output(fuzz);
        else
            answer_with_autopilot(fuzz, seat);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {.output = {(const char *)data, size}};
    struct match_ports ports = {
        .tell = tell, .ask = ask, .dismiss = dismiss, .log = add_to_log, .context = &fuzz};
    struct match_setup setup = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026),
                                .seats = 3,
                                .move_ms = 1000,
                                .sandbox = "none"};

    if (deal_random_init() != 0)
        abort();
    for (unsigned seat = 0; seat < 3; seat++) {
        setup.names[seat] = "bot";
        setup.commands[seat] = "bot";
        setup.hashes[seat] = "";
    }
    fuzz.match = match_new(&setup, &ports);
    play(&fuzz);
    match_free(fuzz.match);
    return 0;
}
