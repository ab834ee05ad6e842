/* A user who names a level wants to know exactly what it is worth here. One who does not is told only
 * when something that he may count on is missing. */

#include "cli/options_sandbox.h"

#include "base/message.h"

int options_sandbox_read(const char *value, enum sandbox_level *level)
{
    if (sandbox_level_read(span_of(value), level) == 0)
        return 0;
    message_say("--contain is auto, sealed, guarded or none, not `%s`", value);
    return -1;
}

static void tell_gaps(const struct sandbox *sandbox)
{
    char words[400];
    struct text line;

    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT; part++) {
        text_start(&line, words, sizeof words);
        if (sandbox_is_gap(sandbox, part, &line))
            message_say("%s", words);
    }
}

/* The names of the parts that the level should have and has not. */
static void tell_briefly(const struct sandbox *sandbox)
{
    char words[200];
    struct text names;

    text_start(&names, words, sizeof words);
    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT; part++) {
        if (!sandbox_needs(sandbox_level(sandbox), part) || sandbox_fact(sandbox, part)->works)
            continue;
        text_add(&names, names.length > 0 ? ", " : "");
        text_add(&names, sandbox_part_name(part));
    }
    if (names.length > 0)
        message_say("bots are contained, but not fully: this machine lacks %s (see `referee "
                    "doctor`)",
                    words);
}

struct sandbox *options_sandbox_open(enum sandbox_level wanted, bool is_asked)
{
    char words[400];
    struct text problem;
    struct sandbox *sandbox;

    text_start(&problem, words, sizeof words);
    sandbox = sandbox_new(wanted, &problem);
    if (sandbox == NULL)
        message_say("%s", words);
    else if (is_asked)
        tell_gaps(sandbox);
    else
        tell_briefly(sandbox);
    return sandbox;
}

int options_sandbox_admit(struct sandbox *sandbox, const struct bot_command *command,
                          const char *folder)
{
    char buffer[600];
    struct text words;
    int result;

    text_start(&words, buffer, sizeof buffer);
    result = sandbox_admit(sandbox, (const char *const *)command->argv, folder, &words);
    if (words.length > 0)
        message_say("%s", buffer);
    return result;
}
