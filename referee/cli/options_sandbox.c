/* A user who names a level wants to know exactly what it is worth here. One who does not is told only
 * when something that he may count on is missing. */

#include "cli/containment.h"

#include "base/message.h"

int containment_read(const char *value, enum contain_level *level)
{
    if (contain_level_read(span_of(value), level) == 0)
        return 0;
    message_say("--contain is auto, sealed, guarded or none, not `%s`", value);
    return -1;
}

static void tell_gaps(const struct contain *contain)
{
    char words[400];
    struct text line;

    for (enum contain_part part = 0; part < CONTAIN_PART_COUNT; part++) {
        text_start(&line, words, sizeof words);
        if (contain_is_gap(contain, part, &line))
            message_say("%s", words);
    }
}

/* The names of the parts that the level should have and has not. */
static void tell_briefly(const struct contain *contain)
{
    char words[200];
    struct text names;

    text_start(&names, words, sizeof words);
    for (enum contain_part part = 0; part < CONTAIN_PART_COUNT; part++) {
        if (!contain_needs(contain_level(contain), part) || contain_fact(contain, part)->works)
            continue;
        text_add(&names, names.length > 0 ? ", " : "");
        text_add(&names, contain_part_name(part));
    }
    if (names.length > 0)
        message_say("bots are contained, but not fully: this machine lacks %s (see `referee "
                    "doctor`)",
                    words);
}

struct contain *containment_open(enum contain_level wanted, bool is_asked)
{
    char words[400];
    struct text problem;
    struct contain *contain;

    text_start(&problem, words, sizeof words);
    contain = contain_new(wanted, &problem);
    if (contain == NULL)
        message_say("%s", words);
    else if (is_asked)
        tell_gaps(contain);
    else
        tell_briefly(contain);
    return contain;
}

int containment_admit(struct contain *contain, const struct command *command, const char *folder)
{
    char buffer[600];
    struct text words;
    int result;

    text_start(&words, buffer, sizeof buffer);
    result = contain_admit(contain, (const char *const *)command->argv, folder, &words);
    if (words.length > 0)
        message_say("%s", buffer);
    return result;
}
