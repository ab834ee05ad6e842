/* Uses any bytes as the output of the bot at seat 0: its lines answer its questions, and the
 * autopilot answers for the other seats. The match must always end, with each line accepted or a
 * fault. */

#include "game/legal.h"
#include "match/autopilot.h"
#include "match/match.h"
#include "match/answer_check.h"

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

static void ask(void *context, unsigned seat, int64_t limit_us)
{
    struct fuzz *fuzz = context;

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

static void end_question(struct fuzz *fuzz, unsigned seat, enum bot_outcome outcome,
                         const struct answer_check *reply)
{
    struct match_reply told = {.outcome = outcome,
                               .answer = reply->answer,
                               .say_count = reply->say_count,
                               .line = "",
                               .words = "",
                               .ending = "",
                               .stderr_tail = ""};

    for (unsigned i = 0; i < reply->say_count; i++)
        told.says[i] = reply->says[i];
    fuzz->asked &= ~(1U << seat);
    match_told(fuzz->match, seat, &told);
}

static void answer_from_output(struct fuzz *fuzz)
{
    struct answer_check reply = {0};
    struct answer_check_question question = {match_table(fuzz->match), 0, match_id(fuzz->match, 0)};
    enum bot_verdict verdict = BOT_GO_ON;
    enum bot_outcome fault = BOT_ANSWERED;
    const char *words;

    while (verdict == BOT_GO_ON && fuzz->output.start != NULL)
        verdict = answer_check_take_line(&reply, &question, span_cut(&fuzz->output, '\n'), &fault,
                                         &words);
    if (verdict == BOT_GO_ON)
        fault = BOT_GONE;
    end_question(fuzz, 0, fault, &reply);
}

static void answer_with_autopilot(struct fuzz *fuzz, unsigned seat)
{
    struct answer_check reply = {0};
    struct allegra_view view = allegra_view_of(match_table(fuzz->match), seat);
    struct allegra_legal legal;

    allegra_legal_list(match_table(fuzz->match), seat, &legal);
    reply.answer = autopilot_choose(&view, &legal);
    end_question(fuzz, seat, BOT_ANSWERED, &reply);
}

static void play(struct fuzz *fuzz)
{
    struct bot_line_hello hello = {.name = "bot",
                                   .options = {.has_table = true, .has_events = true}};

    for (unsigned seat = 0; seat < 3; seat++)
        match_hello(fuzz->match, seat, &hello, NULL);
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
