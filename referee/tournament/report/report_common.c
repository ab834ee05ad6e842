/* Helpers that several writers of reports need. */

#include "tournament/report/report_private.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

double report_margin(struct interval interval)
{
    return (interval.high - interval.low) / 2;
}

unsigned report_fault_sum(const struct standings *standings, enum bot_outcome outcome)
{
    unsigned sum = 0;

    for (unsigned row = 0; row < standings->count; row++)
        sum += standings->rows[row].faults[outcome];
    return sum;
}

static bool is_plain_for_shell(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_-./+,:@%";

    return text[0] != '\0' && text[strspn(text, plain)] == '\0';
}

char *report_command(const struct report_match *match)
{
    const char *start = match->log[0] == '-' ? "referee replay ./" : "referee replay ";
    /* In quotes, each quote becomes four bytes. */
    char *command = xcalloc(1, strlen(start) + 4 * strlen(match->log) + 3);
    char *end = stpcpy(command, start);

    if (is_plain_for_shell(match->log)) {
        stpcpy(end, match->log);
        return command;
    }
    *end++ = '\'';
    for (const char *byte = match->log; *byte != '\0'; byte++)
        if (*byte == '\'')
            end = stpcpy(end, "'\\''");
        else
            *end++ = *byte;
    *end = '\'';
    return command;
}

const struct histogram *report_times(const struct report *report, const struct standing *row)
{
    return report->times != NULL && report->times[row->bot].total > 0 ? &report->times[row->bot]
                                                                      : NULL;
}
