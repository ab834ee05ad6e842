/* Helpers that several writers of reports need. */

#include "tournament/report/report_private.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

double report_margin(struct interval interval)
{
    return (interval.high - interval.low) / 2;
}

struct interval report_score_interval(const struct standings *standings, const struct standing *row)
{
    return standings->is_adjusted ? row->adjusted_interval : row->score_interval;
}

bool report_is_suspicious(const struct standing *row)
{
    return row->peek.is_suspicious || row->repeat.is_suspicious;
}

bool report_has_tests(const struct standings *standings)
{
    return standings->has_peeks || standings->has_repeats;
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

char *report_subtitle(const struct report *report, enum report_language language)
{
    return report_texts_fill(
        language, REPORT_TEXT_SUBTITLE,
        (const char *const[]){report->format, report->edition,
                              report_language_count(language, report->seats).text,
                              report_language_count(language, report->standings->blocks).text});
}

char *report_state(const struct report *report, enum report_language language)
{
    bool is_finished = report->decided == report->planned;

    return report_texts_fill(
        language, is_finished ? REPORT_TEXT_FINISHED : REPORT_TEXT_NOT_FINISHED,
        (const char *const[]){report_language_count(language, report->decided).text,
                              report_language_count(language, report->planned).text});
}

/* That a bot plays better when a deal comes again. */
static char *warn_of_gain(const struct standing *row, enum report_language language)
{
    return report_texts_fill(
        language, REPORT_TEXT_KNOWS_DEALS,
        (const char *const[]){row->name,
                              report_language_decimal(language, row->repeat.first, 2).text,
                              report_language_decimal(language, row->repeat.later, 2).text});
}

char *report_peek_warning(const struct standing *row, enum report_language language)
{
    return report_texts_fill(
        language, REPORT_TEXT_KNOWS_CARDS,
        (const char *const[]){
            row->name, report_language_decimal(language, row->peek.gain, 1).text,
            report_language_decimal(language, row->peek.allowed, 1).text,
            report_language_count(language, (unsigned long)row->peek.one_in).text});
}

char *report_warning(const struct report *report, unsigned number, enum report_language language)
{
    if (report->has_known_seed && number-- == 0)
        return report_texts_fill(language, REPORT_TEXT_SEED_IS_KNOWN, NULL);
    for (unsigned i = 0; i < report->standings->count; i++)
        if (report->standings->rows[i].peek.is_suspicious && number-- == 0)
            return report_peek_warning(&report->standings->rows[i], language);
    for (unsigned i = 0; i < report->standings->count; i++)
        if (report->standings->rows[i].repeat.is_suspicious && number-- == 0)
            return warn_of_gain(&report->standings->rows[i], language);
    return NULL;
}
