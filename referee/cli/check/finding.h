#ifndef REFEREE_CLI_CHECK_FINDING_H
#define REFEREE_CLI_CHECK_FINDING_H

/* Faults of a bot that is checked: their most likely causes, and how to fix them. */

#include "bot/bot.h"
#include "cli/check/scenarios.h"

#include <stdbool.h>
#include <stddef.h>

/* The most likely cause of a fault, beyond the outcome itself. */
enum finding_cause {
    FINDING_CAUSE_UNKNOWN,
    FINDING_CAUSE_BUFFER,
    FINDING_CAUSE_SECOND_MATCH,
    FINDING_CAUSE_PIECES,
    FINDING_CAUSE_PAUSE,
    FINDING_CAUSE_NOTICES,
    FINDING_CAUSE_FIELDS,
    FINDING_CAUSE_CRLF,
    FINDING_CAUSE_DISMISSED,
    FINDING_CAUSE_ROUND,
    FINDING_CAUSE_COUNT,
};

/* One fault of the bot, with everything that its author needs. It owns its texts. */
struct finding {
    const struct scenario *scenario;
    enum allegra_edition edition;
    enum bot_outcome outcome;
    enum allegra_question question; /* ALLEGRA_QUESTION_NONE: the hello */
    enum finding_cause cause;
    bool was_in_buffer;
    bool is_second_match;
    bool is_one_dismissed;
    bool has_played; /* before it, another scenario went well */
    unsigned round;
    unsigned also; /* so many other scenarios ended the same way */
    char *lines;   /* the last ones, `>` to the bot and `<` from it */
    char *line;
    char *message;
    char *ending;
    char *stderr_tail;
};

/* Frees its texts. */
void finding_clear(struct finding *finding);

/* Whether two faults are most likely the same mistake: an illegal answer to the same question,
 * or the same failure at any question. */
bool finding_is_same(const struct finding *one, const struct finding *other);

/* Derives the cause from the treatment of the bot in the scenario. A fault that also happened
 * without it, among the findings `before`, has another cause. */
enum finding_cause finding_find_cause(const struct finding *finding, const struct finding *before,
                                      size_t count);

const char *finding_cause_name(enum finding_cause cause);

/* How to fix it, in a few sentences: by its cause, or if that is unknown by its outcome. */
const char *finding_advice(enum finding_cause cause, enum bot_outcome outcome);

#endif
