/* Prints a sample report: sample_report FORMAT KIND BOTS [COLUMNS]. FORMAT is text, json, csv,
 * cross, html, or the code of a language for a page in that one alone. `sample_report attacks`
 * prints the texts of hostile reports, each followed by a NUL; `sample_report texts` a line per
 * text of the page with its languages, separated by tabs. */

#include "support/report_sample.h"
#include "tournament/report/report_texts.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int print_attacks(void)
{
    for (size_t i = 0; report_sample_attacks[i] != NULL; i++)
        fwrite(report_sample_attacks[i], 1, strlen(report_sample_attacks[i]) + 1, stdout);
    return 0;
}

static int print_texts(void)
{
    for (unsigned text = 0; text < REPORT_TEXT_COUNT; text++)
        for (unsigned language = 0; language < REPORT_LANGUAGE_COUNT; language++)
            printf("%s%c",
                   report_texts_find((enum report_language)language, (enum report_text)text),
                   language + 1 < REPORT_LANGUAGE_COUNT ? '\t' : '\n');
    return 0;
}

static void print_report(const char *format, const struct report *report, unsigned columns)
{
    if (strcmp(format, "text") == 0)
        report_text(stdout, report, columns);
    else if (strcmp(format, "json") == 0)
        report_json(stdout, report);
    else if (strcmp(format, "csv") == 0)
        report_csv(stdout, report);
    else if (strcmp(format, "cross") == 0)
        report_csv_cross(stdout, report);
    else
        report_html(stdout, report, report_language_find(format));
}

int main(int argc, char **argv)
{
    struct report *report;
    unsigned kind = 0;

    setlocale(LC_ALL, "");
    if (argc == 2 && strcmp(argv[1], "attacks") == 0)
        return print_attacks();
    if (argc == 2 && strcmp(argv[1], "texts") == 0)
        return print_texts();
    if (argc < 4)
        return 2;
    while (kind + 1 < REPORT_SAMPLE_KIND_COUNT &&
           strcmp(argv[2], report_sample_name((enum report_sample_kind)kind)) != 0)
        kind++;
    report = report_sample_new((enum report_sample_kind)kind, (unsigned)atoi(argv[3]));
    print_report(argv[1], report, argc > 4 ? (unsigned)atoi(argv[4]) : 80);
    report_sample_free(report);
    return ferror(stdout) ? 1 : 0;
}
