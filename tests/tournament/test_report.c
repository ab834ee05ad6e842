/* What the writers of reports make of good, strange and hostile reports. That their output can be
 * read again by others' parsers is tried by tests/whole/report.py. */

#include "tournament/report/report.h"

#include "base/text.h"
#include "support/report_sample.h"
#include "tournament/report/report_texts.h"
#include "tournament/report/svg_axis.h"
#include "tournament/report/text_grid.h"
#include "tournament/report/escape_print.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is written to `file` can be had from `bytes` after closing it. */
struct output {
    FILE *file;
    char *bytes;
    size_t length;
};

static void open_output(struct output *output)
{
    output->file = open_memstream(&output->bytes, &output->length);
}

static void assert_output(struct output *output, const char *expected, size_t number)
{
    fclose(output->file);
    cr_assert_str_eq(output->bytes, expected, "case %zu", number);
    free(output->bytes);
}

static const struct words_case {
    const char *text;
    const char *plain;
    const char *html;
    const char *csv;
} text_cases[] = {
    {"", "", "", ""},
    {"greedy-2.1", "greedy-2.1", "greedy-2.1", "greedy-2.1"},
    {"<b>&\"'", "<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;", "\"<b>&\"\"'\""},
    {"a,b", "a,b", "a,b", "\"a,b\""},
    {"a\nb\r", "a\\x0ab\\x0d", "a\\x0ab\\x0d", "\"a\nb\r\""},
    {"=1+1", "=1+1", "=1+1", "'=1+1"},
    {"+1,2", "+1,2", "+1,2", "\"'+1,2\""},
    {"-x", "-x", "-x", "'-x"},
    {"@x", "@x", "@x", "'@x"},
    {"\tx", "\\x09x", "\\x09x", "\"'\tx\""},
    {"a-b=c", "a-b=c", "a-b=c", "a-b=c"},
    {"\x1b[2J\x7f", "\\x1b[2J\\x7f", "\\x1b[2J\\x7f", "\\x1b[2J\\x7f"},
    {"\xc2\x9bm", "\\x9bm", "\\x9bm", "\\x9bm"},
    {"\xff\xe2\x82", "\\xff\\xe2\\x82", "\\xff\\xe2\\x82", "\\xff\\xe2\\x82"},
    {"\xe2\x80\xae", "\\u{202e}", "\\u{202e}", "\\u{202e}"},
    {"\xef\xbf\xbe", "\\u{fffe}", "\\u{fffe}", "\\u{fffe}"},
    {"z\xc3\xa9\xe2\x82\xac", "z\xc3\xa9\xe2\x82\xac", "z\xc3\xa9\xe2\x82\xac",
     "z\xc3\xa9\xe2\x82\xac"},
    {"%s%n%", "%s%n%", "%s%n%", "%s%n%"},
};

Test(report, texts_are_harmless_wherever_they_go)
{
    for (size_t i = 0; i < ARRAY_LEN(text_cases); i++) {
        struct output output;

        open_output(&output);
        escape_print_plain(output.file, "%s", text_cases[i].text);
        assert_output(&output, text_cases[i].plain, i);
        open_output(&output);
        escape_print_html(output.file, "%s", text_cases[i].text);
        assert_output(&output, text_cases[i].html, i);
        open_output(&output);
        escape_print_csv_text(output.file, text_cases[i].text);
        assert_output(&output, text_cases[i].csv, i);
    }
}

Test(report, formats_bring_every_kind_of_value)
{
    struct output output;

    open_output(&output);
    escape_print_plain(output.file, "%u %d %lu %ld %.2f %.0f%% %s.", 1U, -2, 3UL, -4L, 5.678, 90.0,
                       "x");
    assert_output(&output, "1 -2 3 -4 5.68 90% x.", 0);
    open_output(&output);
    escape_print_plain(output.file, "%.1f %.1f", NAN, INFINITY);
    assert_output(&output, "- -", 1);
}

Test(report, a_format_that_is_not_known_is_fatal, .exit_code = 70)
{
    escape_print_plain(stderr, "%x", 1U);
}

Test(report, ranks_are_ordinal_numbers_of_the_language)
{
    static const struct {
        enum report_language language;
        struct rank_range ranks;
        const char *expected;
    } rows[] = {
        {REPORT_ENGLISH, {4, 9}, "4th to 9th"},
        {REPORT_ENGLISH, {1, 2}, "1st to 2nd"},
        {REPORT_ENGLISH, {3, 3}, "3rd"},
        {REPORT_ENGLISH, {11, 13}, "11th to 13th"},
        {REPORT_ENGLISH, {21, 32}, "21st to 32nd"},
        {REPORT_ENGLISH, {112, 123}, "112th to 123rd"},
        {REPORT_ENGLISH, {0, 0}, ""},
        {REPORT_GERMAN, {1, 9}, "1. bis 9."},
        {REPORT_DUTCH, {1, 9}, "1e t/m 9e"},
        {REPORT_FRENCH, {1, 9}, "1er à 9e"},
        {REPORT_SPANISH, {1, 9}, "1.º a 9.º"},
        {REPORT_SPANISH, {4096, 4096}, "4096.º"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        cr_expect_str_eq(report_language_ranks(rows[i].language, rows[i].ranks).text,
                         rows[i].expected);
}

static const struct time_case {
    int64_t value_us;
    const char *expected;
} time_cases[] = {
    {0, "0us"},        {7, "7us"},       {999, "999us"},    {1000, "1.0ms"},
    {1249, "1.2ms"},   {9949, "9.9ms"},  {9950, "10ms"},    {34567, "35ms"},
    {999499, "999ms"}, {999500, "1.0s"}, {2500000, "2.5s"}, {61000000, "61s"},
};

Test(report, times_have_three_digits_and_a_unit)
{
    for (size_t i = 0; i < ARRAY_LEN(time_cases); i++)
        cr_assert_str_eq(escape_print_time(time_cases[i].value_us).text, time_cases[i].expected);
    cr_assert_str_eq(escape_print_time_html(640).text, "640 \xc2\xb5s");
}

static const struct number_case {
    enum report_language language;
    const char *decimal;
    const char *rating;
    const char *small_count;
    const char *large_count;
    const char *time;
} number_cases[] = {
    {REPORT_ENGLISH, "-1234.50", "+1234", "1,234", "12,345,678", "1.2 ms"},
    {REPORT_GERMAN, "-1234,50", "+1234", "1.234", "12.345.678", "1,2 ms"},
    {REPORT_DUTCH, "-1234,50", "+1234", "1.234", "12.345.678", "1,2 ms"},
    {REPORT_FRENCH, "-1234,50", "+1234", "1\u202f234", "12\u202f345\u202f678", "1,2 ms"},
    {REPORT_SPANISH, "-1234,50", "+1234", "1234", "12.345.678", "1,2 ms"},
};

Test(report, numbers_are_written_as_their_language_writes_them)
{
    for (size_t i = 0; i < ARRAY_LEN(number_cases); i++) {
        const struct number_case *each = &number_cases[i];
        enum report_language language = each->language;

        cr_assert_str_eq(report_language_decimal(language, -1234.5, 2).text, each->decimal);
        cr_assert_str_eq(report_language_signed(language, 1234.4).text, each->rating);
        cr_assert_str_eq(report_language_count(language, 1234).text, each->small_count);
        cr_assert_str_eq(report_language_count(language, 12345678).text, each->large_count);
        cr_assert_str_eq(report_language_count(language, 999).text, "999");
        cr_assert_str_eq(report_language_time(language, 1249).text, each->time);
        cr_assert_str_eq(report_language_decimal(language, NAN, 2).text, "–");
        cr_assert_str_eq(report_language_signed(language, INFINITY).text, "–");
        cr_assert_str_eq(report_language_signed(language, 0.4).text, "0");
        cr_assert_eq(report_language_find(report_language_code(language)), language);
    }
    cr_assert_eq(report_language_find("it"), REPORT_LANGUAGE_COUNT);
    cr_assert_eq(report_language_find("DE"), REPORT_LANGUAGE_COUNT);
}

Test(report, blanks_of_texts_are_filled_in_any_order)
{
    static const struct {
        enum report_language language;
        const char *expected;
    } cases[] = {
        {REPORT_ENGLISH,
         "{1} may know the cards of deals that come again: it has 2 points per round "
         "in its first match of a deal and 3 in the later ones; play single seatings"},
        {REPORT_SPANISH,
         "{1} quizá conoce las cartas de los repartos repetidos: tiene 2 puntos por "
         "ronda en la primera partida de un reparto y 3 en las siguientes; la "
         "disposición «single» lo evita"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *filled = report_texts_fill(cases[i].language, REPORT_TEXT_KNOWS_DEALS,
                                         (const char *const[]){"{1}", "2", "3"});

        cr_assert_str_eq(filled, cases[i].expected);
        free(filled);
    }
}

Test(report, columns_of_a_grid_are_as_wide_as_they_must_be)
{
    static const char *const cells[] = {
        "#", "bot", "n", "1", "a_long_name_of_bot", "7", "22", "z\xc3\xa9", "1000", "3", "", ""};
    static const unsigned widths[] = {0, 20};
    static const char *const expected[] = {
        " # bot                   n\n 1 a_long_name_of_bot    7\n22 z\xc3\xa9                 "
        "1000\n 3\n",
        " # bot             n\n 1 a_long_name~    7\n22 z\xc3\xa9           1000\n 3\n",
    };

    for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
        struct text_grid *grid = text_grid_new("rnr");
        struct output output;

        for (size_t cell = 0; cell < ARRAY_LEN(cells); cell++)
            escape_print_plain(text_grid_cell(grid), "%s", cells[cell]);
        open_output(&output);
        text_grid_print(grid, output.file, widths[i]);
        assert_output(&output, expected[i], i);
        text_grid_free(grid);
    }
}

static const struct axis_case {
    double least, most;
    double first, last;
    unsigned ticks;
} axis_cases[] = {
    {-313, 329, -400, 400, 5}, {0, 1, 0, 1, 6},
    {3.1, 3.4, 3.1, 3.4, 7},   {-7, 93, -20, 100, 7},
    {5, 5, 5, 5.00001, 6},     {NAN, 1, 0, 1, 3},
    {-INFINITY, 1, 0, 1, 3},   {INFINITY, -INFINITY, 0, 1, 3},
    {0, 1e12, 0, 1e12, 6},     {-0.002, 0.0021, -0.002, 0.003, 6},
};

Test(report, axes_end_at_round_numbers_and_have_room_for_all_values)
{
    for (size_t i = 0; i < ARRAY_LEN(axis_cases); i++) {
        const struct axis_case *each = &axis_cases[i];
        struct svg_axis axis = svg_axis_linear(each->least, each->most, 7);
        double close = 1e-5 * (fabs(each->last) + fabs(each->first));

        cr_assert_float_eq(axis.least, each->first, close, "case %zu: %g", i, axis.least);
        cr_assert_float_eq(axis.most, each->last, close, "case %zu: %g", i, axis.most);
        cr_assert_leq(axis.ticks, 7);
        cr_assert_float_eq(svg_axis_percent(&axis, svg_axis_tick(&axis, axis.ticks - 1)), 100,
                           1e-6);
    }
}

Test(report, places_on_an_axis_are_never_outside_of_it)
{
    struct svg_axis linear = svg_axis_linear(-10, 10, 7);
    struct svg_axis times = svg_axis_logarithmic(30, 20000);

    cr_assert_float_eq(svg_axis_percent(&linear, 0), 50, 1e-9);
    cr_assert_float_eq(svg_axis_percent(&linear, INFINITY), 100, 1e-9);
    cr_assert_float_eq(svg_axis_percent(&linear, -1e9), 0, 1e-9);
    cr_assert_float_eq(svg_axis_percent(&linear, NAN), 0, 1e-9);
    cr_assert_float_eq(svg_axis_percent(&times, 1000), 50, 1e-9);
    cr_assert_float_eq(svg_axis_percent(&times, 0), 0, 1e-9);
    cr_assert_eq(times.ticks, 5);
    cr_assert_eq(svg_axis_logarithmic(INFINITY, NAN).ticks, 2);
}

typedef void writer_fn(FILE *file, const struct report *report);

static void write_text(FILE *file, const struct report *report)
{
    report_text(file, report, 100);
}

static void write_html(FILE *file, const struct report *report)
{
    report_html(file, report, REPORT_LANGUAGE_ALL);
}

static void write_french(FILE *file, const struct report *report)
{
    report_html(file, report, REPORT_FRENCH);
}

static writer_fn *const writers[] = {write_text,       report_json, report_csv,
                                     report_csv_cross, write_html,  write_french};

static char *write_report(writer_fn *writer, enum report_sample_kind kind, unsigned bots)
{
    struct report *report = report_sample_new(kind, bots);
    struct output output;

    open_output(&output);
    writer(output.file, report);
    fclose(output.file);
    cr_assert_eq(strlen(output.bytes), output.length, "a NUL was written");
    report_sample_free(report);
    return output.bytes;
}

/* Control characters beyond those that end lines and the tabs that CSV keeps; DEL too. */
static bool has_control(const char *bytes)
{
    for (; *bytes != '\0'; bytes++)
        if (((unsigned char)*bytes < ' ' && strchr("\n\r\t", *bytes) == NULL) || *bytes == '\x7f')
            return true;
    return false;
}

/* JSON has to bring a string back as it was, so DEL is in it; but no other control character. */
Test(report, no_writer_lets_a_control_character_through)
{
    for (size_t i = 0; i < ARRAY_LEN(writers); i++) {
        char *bytes = write_report(writers[i], REPORT_SAMPLE_HOSTILE, 18);

        for (char *del = bytes; writers[i] == report_json && (del = strchr(del, '\x7f'));)
            *del = ' ';
        cr_assert_not(has_control(bytes), "writer %zu", i);
        free(bytes);
    }
}

Test(report, no_number_is_written_as_nan_or_infinite)
{
    for (size_t i = 0; i < ARRAY_LEN(writers); i++)
        for (unsigned bots = 2; bots <= 5; bots++)
            for (unsigned kind = REPORT_SAMPLE_STRANGE; kind <= REPORT_SAMPLE_EMPTY; kind++) {
                char *bytes = write_report(writers[i], (enum report_sample_kind)kind, bots);
                const char *style_end = strstr(bytes, "</style>");
                const char *body = style_end != NULL ? style_end : bytes;

                cr_assert_null(strstr(body, "nan"), "writer %zu, kind %u", i, kind);
                cr_assert_null(strstr(body, "inf"), "writer %zu, kind %u", i, kind);
                free(bytes);
            }
}

Test(report, the_page_has_no_script_and_loads_nothing)
{
    static const char *const unwanted[] = {"<script", "http:",     "https:", "src=\"", "@import",
                                           "url(",    "onload=\"", "<img",   "<link",  "<iframe"};
    char *bytes = write_report(write_html, REPORT_SAMPLE_HOSTILE, 18);

    for (size_t i = 0; i < ARRAY_LEN(unwanted); i++)
        cr_assert_null(strstr(bytes, unwanted[i]), "%s", unwanted[i]);
    cr_assert_not_null(strstr(bytes, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    cr_assert_not_null(strstr(bytes, "default-src 'none'; style-src 'unsafe-inline'"));
    free(bytes);
}

/* What the terminal and programs read does not depend on the languages of the page. */
Test(report, only_the_page_has_other_languages_than_english)
{
    static const char *const foreign[] = {"Spielstärke", "Valoración", "lang="};

    for (size_t i = 0; i < ARRAY_LEN(writers); i++) {
        char *bytes = write_report(writers[i], REPORT_SAMPLE_PLAIN, 5);

        for (size_t j = 0; j < ARRAY_LEN(foreign) && writers[i] != write_french; j++)
            cr_assert_eq(strstr(bytes, foreign[j]) != NULL, writers[i] == write_html,
                         "writer %zu, %s", i, foreign[j]);
        free(bytes);
    }
}

Test(report, lines_of_text_keep_to_the_columns)
{
    static const enum report_sample_kind kinds[] = {REPORT_SAMPLE_PLAIN, REPORT_SAMPLE_STRANGE,
                                                    REPORT_SAMPLE_EMPTY};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        char *bytes = write_report(write_text, kinds[i], 12);
        char *rest = bytes;

        for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n"))
            cr_assert(strlen(line) <= 100 || strncmp(line, "warning: ", 9) == 0, "%s", line);
        free(bytes);
    }
}

Test(report, a_tournament_without_a_match_has_its_bots_and_no_charts)
{
    char *text = write_report(write_text, REPORT_SAMPLE_EMPTY, 3);
    char *html = write_report(write_html, REPORT_SAMPLE_EMPTY, 3);

    cr_assert_not_null(strstr(text, "hindsight"));
    cr_assert_null(strstr(text, "by seat"));
    cr_assert_not_null(strstr(html, "No match has been decided yet."));
    cr_assert_null(strstr(html, "<svg"));
    free(text);
    free(html);
}

Test(report, a_command_is_quoted_for_the_shell)
{
    static const struct {
        const char *log;
        const char *command;
    } cases[] = {
        {"s/logs/000317.ndjson", "referee replay s/logs/000317.ndjson"},
        {"my store/1.ndjson", "referee replay 'my store/1.ndjson'"},
        {"it's", "referee replay 'it'\\''s'"},
        {"$(x)", "referee replay '$(x)'"},
        {"-x", "referee replay ./-x"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct report *report = report_sample_new(REPORT_SAMPLE_PLAIN, 2);
        struct report_match match = report->worst[0];
        struct output output;

        match.log = cases[i].log;
        report->worst = &match;
        report->worst_count = 1;
        open_output(&output);
        report_text(output.file, report, 0);
        fclose(output.file);
        cr_assert_not_null(strstr(output.bytes, cases[i].command), "case %zu", i);
        free(output.bytes);
        report_sample_free(report);
    }
}

/* The row of the first bot in the table of the worst matches. */
static bool is_blamed(const char *text, const char *bot, const char *fault)
{
    const char *row = strstr(strstr(text, "The worst matches"), bot);
    const char *end = row != NULL ? strchr(row, '\n') : NULL;

    cr_assert_not_null(end);
    return memmem(row, (size_t)(end - row), fault, strlen(fault)) != NULL;
}

Test(report, only_its_own_fault_is_shown_with_the_worst_match_of_a_bot)
{
    for (unsigned culprit = 0; culprit < 2; culprit++) {
        struct report *report = report_sample_new(REPORT_SAMPLE_PLAIN, 3);
        struct report_match match = report->worst[0];
        struct output output;

        match.seat = 1;
        match.bot = match.names[1];
        memset(match.faults, 0, sizeof match.faults);
        match.faults[culprit] = "late";
        report->worst = &match;
        report->worst_count = 1;
        open_output(&output);
        report_text(output.file, report, 0);
        fclose(output.file);
        cr_expect_eq(is_blamed(output.bytes, match.bot, "late"), culprit == 1, "seat %u", culprit);
        free(output.bytes);
        report_sample_free(report);
    }
}

/* A locale with a decimal comma, if the system has one. */
static bool take_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",
                                        "fr_FR.UTF-8", "nl_NL.UTF-8", "es_ES.UTF-8"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (setlocale(LC_ALL, names[i]) != NULL)
            return true;
    return false;
}

Test(report, a_locale_changes_nothing)
{
    for (size_t i = 0; i < ARRAY_LEN(writers); i++) {
        char *before = write_report(writers[i], REPORT_SAMPLE_PLAIN, 5);
        char *after;

        if (!take_comma_locale())
            cr_skip_test("no locale with a decimal comma is installed");
        after = write_report(writers[i], REPORT_SAMPLE_PLAIN, 5);
        setlocale(LC_ALL, "C");
        cr_assert_str_eq(before, after, "writer %zu", i);
        free(before);
        free(after);
    }
}

Test(report, a_writer_leaves_its_failure_in_the_stream)
{
    for (size_t i = 0; i < ARRAY_LEN(writers); i++) {
        struct report *report = report_sample_new(REPORT_SAMPLE_PLAIN, 40);
        FILE *full = fopen("/dev/full", "we");

        if (full == NULL)
            cr_skip_test("there is no /dev/full");
        writers[i](full, report);
        cr_assert(fflush(full) != 0 || ferror(full));
        fclose(full);
        report_sample_free(report);
    }
}
