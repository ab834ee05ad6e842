/* The page. It is HTML and well-formed XML: every element is closed and every attribute quoted, so
 * that any XML parser can check it. It has no script, and its policy forbids all; every text from
 * outside goes through escape_print_html(). How it shows one of its languages is in
 * report_page.c. */

#include "tournament/report/report_private.h"

#include "base/text.h"
#include "tournament/report/escape_print.h"

#include <math.h>
#include <stdlib.h>

/* Hides all languages but the one of the target, or English. Links have the language of their text,
 * and stay. */
static void put_language_style(FILE *file)
{
    fputs(".comma { display: none; }\n", file);
    for (unsigned i = REPORT_ENGLISH + 1; i < REPORT_LANGUAGE_COUNT; i++) {
        const char *code = report_language_code((enum report_language)i);

        escape_print_html(file, "[lang=%s]:not(a) { display: none; }\n", code);
        escape_print_html(file,
                          ":root:has([lang=%s]:target) [lang=en]:not(a) { display: none; }\n"
                          ":root:has([lang=%s]:target) :is([lang=%s], .comma) "
                          "{ display: revert; }\n",
                          code, code, code);
    }
}

static void put_head(const struct report_page *page)
{
    fputs("<!DOCTYPE html>\n", page->file);
    escape_print_html(page->file, "<html lang=\"%s\">\n",
                      report_language_code(page->has_all ? REPORT_ENGLISH : page->language));
    fputs("<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"referrer\" content=\"no-referrer\"/>\n",
          page->file);
    escape_print_html(page->file, "<title>%s</title>\n<style>\n", page->report->title);
    for (size_t i = 0; report_style[i] != NULL; i++)
        fputs(report_style[i], page->file);
    if (page->has_all)
        put_language_style(page->file);
    fputs("</style>\n</head>\n", page->file);
}

static void put_languages(const struct report_page *page)
{
    escape_print_html(page->file, "<nav class=\"languages\" aria-label=\"%s\">",
                      report_texts_find(page->language, REPORT_TEXT_LANGUAGE));
    for (unsigned i = 0; i < REPORT_LANGUAGE_COUNT; i++) {
        const char *code = report_language_code((enum report_language)i);

        escape_print_html(page->file, "<a href=\"#%s\" lang=\"%s\" hreflang=\"%s\"", code, code,
                          code);
        fputs(i == page->language ? " aria-current=\"true\">" : ">", page->file);
        escape_print_html(page->file, "%s</a> ", report_language_name((enum report_language)i));
    }
    fputs("</nav>\n", page->file);
}

static void put_state(const struct report_page *page)
{
    const struct standings *standings = page->report->standings;
    char *subtitle = report_subtitle(page->report, page->language);
    char *state = report_state(page->report, page->language);

    escape_print_html(page->file, "<p class=\"subtitle\">%s</p>\n", subtitle);
    escape_print_html(page->file, "<p class=\"state\"><strong>%s</strong> ", state);
    report_page_put_text(
        page, REPORT_TEXT_COUNTS,
        (const char *const[]){report_language_count(page->language, standings->count).text,
                              report_language_count(page->language, standings->matches).text,
                              report_language_count(page->language, standings->blocks).text});
    fputs("</p>\n", page->file);
    free(subtitle);
    free(state);
}

static void put_warnings(const struct report_page *page)
{
    char *warning = report_warning(page->report, 0, page->language);

    if (warning == NULL)
        return;
    escape_print_html(page->file, "<ul class=\"warnings\" aria-label=\"%s\">\n",
                      report_texts_find(page->language, REPORT_TEXT_WARNINGS));
    for (unsigned i = 1; warning != NULL; i++) {
        fputs("<li><b>", page->file);
        report_page_put_text(page, REPORT_TEXT_WARNING, NULL);
        escape_print_html(page->file, "</b> %s</li>\n", warning);
        free(warning);
        warning = report_warning(page->report, i, page->language);
    }
    fputs("</ul>\n", page->file);
}

static bool has_facts(const struct report *report)
{
    for (unsigned fact = 0; fact < REPORT_FACT_COUNT; fact++)
        if (report->facts[fact] != NULL)
            return true;
    return false;
}

static void put_navigation(const struct report_page *page)
{
    const struct report *report = page->report;
    bool is_played = report->standings->matches > 0;
    const struct {
        const char *name;
        enum report_text title;
        bool is_there;
    } parts[] = {
        {"standings", REPORT_TEXT_STANDINGS, true},
        {"ratings", REPORT_TEXT_RATINGS, is_played},
        {"scores", REPORT_TEXT_SCORES, is_played},
        {"times", REPORT_TEXT_TIMES, is_played},
        {"cross", REPORT_TEXT_CROSS, is_played},
        {"seats", REPORT_TEXT_SEATS, is_played},
        {"cards", REPORT_TEXT_CARDS, is_played && report_has_tests(report->standings)},
        {"faults", REPORT_TEXT_FAULTS, is_played},
        {"worst", REPORT_TEXT_WORST, report->worst_count > 0},
        {"facts", REPORT_TEXT_FACTS, has_facts(report)},
    };

    escape_print_html(page->file, "<nav aria-label=\"%s\">",
                      report_texts_find(page->language, REPORT_TEXT_PARTS));
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (!parts[i].is_there)
            continue;
        fputs("<a", page->file);
        report_page_put_link(page, parts[i].name);
        fputs(">", page->file);
        report_page_put_text(page, parts[i].title, NULL);
        fputs("</a> ", page->file);
    }
    fputs("</nav>\n", page->file);
}

/* What is above the tables, in one language. */
static void put_overview(const struct report_page *page)
{
    escape_print_html(page->file, "<div class=\"overview\" lang=\"%s\" id=\"%s\">\n",
                      report_language_code(page->language), report_language_code(page->language));
    if (page->has_all)
        put_languages(page);
    put_state(page);
    put_warnings(page);
    put_navigation(page);
    fputs("</div>\n", page->file);
}

/* A cell with an interval; empty if it has no bound. */
static void put_interval(const struct report_page *page, struct interval interval, unsigned digits)
{
    if (isnan(interval.low) || isnan(interval.high)) {
        fputs("<td></td>", page->file);
        return;
    }
    fputs("<td class=\"soft\">", page->file);
    report_page_put_text(
        page, REPORT_TEXT_RANGE,
        (const char *const[]){report_language_decimal(page->language, interval.low, digits).text,
                              report_language_decimal(page->language, interval.high, digits).text});
    fputs("</td>", page->file);
}

static void put_name(const struct report_page *page, const struct standing *row)
{
    escape_print_html(page->file, "<th scope=\"row\"><bdi>%s</bdi>", row->name);
    if (row->is_withdrawn)
        escape_print_html(page->file, " <span class=\"tag\">%s</span>",
                          report_texts_find(page->language, REPORT_TEXT_WITHDRAWN));
    if (row->is_unbeaten)
        escape_print_html(page->file, " <span class=\"tag\" title=\"%s\">%s</span>",
                          report_texts_find(page->language, REPORT_TEXT_ABOUT_NO_BOUND),
                          report_texts_find(page->language, REPORT_TEXT_NO_BOUND));
    fputs("</th>", page->file);
}

static void put_share(const struct report_page *page, double share)
{
    struct report_number number = report_language_decimal(page->language, 100 * share, 1);

    fputs("<td>", page->file);
    if (!isnan(share))
        report_page_put_text(page, REPORT_TEXT_PERCENT, (const char *const[]){number.text});
    else
        escape_print_html(page->file, "%s", number.text);
    fputs("</td>", page->file);
}

/* Points and wins; the adjusted ones after them, if they are known. */
static void put_scores(const struct report_page *page, const struct standing *row)
{
    const struct standings *standings = page->report->standings;

    escape_print_html(page->file, "<td>%s</td>",
                      report_language_decimal(page->language, row->score, 2).text);
    if (standings->is_adjusted)
        escape_print_html(page->file, "<td>%s</td>",
                          report_language_decimal(page->language, row->adjusted, 2).text);
    put_interval(page, report_score_interval(standings, row), 2);
    put_share(page, row->win_share);
    if (standings->is_adjusted)
        put_share(page, row->adjusted_win_share);
}

static void put_counts(const struct report_page *page, const struct standing *row)
{
    bool is_played = row->matches > 0;

    escape_print_html(page->file, "<td>%s</td><td>%s</td>",
                      report_language_count(page->language, row->matches).text,
                      report_language_count(page->language, row->fault_count).text);
    escape_print_html(page->file, "<td>%s</td><td>%s</td>",
                      is_played ? report_language_time(page->language, row->median_us).text : "–",
                      is_played ? report_language_time(page->language, row->p99_us).text : "–");
}

static void put_standing(const struct report_page *page, const struct standing *row, unsigned place)
{
    escape_print_html(page->file, "<tr><td class=\"place\">%u</td>", place);
    put_name(page, row);
    escape_print_html(page->file, "<td><b>%s</b></td>",
                      report_language_signed(page->language, row->rating).text);
    put_interval(page, row->rating_interval, 0);
    escape_print_html(page->file, "<td class=\"ranks\">%s</td>",
                      report_language_ranks(page->language, row->ranks).text);
    put_scores(page, row);
    put_counts(page, row);
    fputs("</tr>\n", page->file);
}

static void put_standings_head(const struct report_page *page)
{
    const bool is_adjusted = page->report->standings->is_adjusted;
    const struct {
        enum report_text text;
        const char *kind;
        bool is_there;
    } headings[] = {
        {REPORT_TEXT_BOT, "left", true},           {REPORT_TEXT_RATING, NULL, true},
        {REPORT_TEXT_INTERVAL, NULL, true},        {REPORT_TEXT_RANKS, "left", true},
        {REPORT_TEXT_POINTS, NULL, true},          {REPORT_TEXT_ADJUSTED, NULL, is_adjusted},
        {REPORT_TEXT_INTERVAL, NULL, true},        {REPORT_TEXT_WINS, NULL, true},
        {REPORT_TEXT_ADJUSTED, NULL, is_adjusted}, {REPORT_TEXT_MATCHES, NULL, true},
        {REPORT_TEXT_FAULTS, NULL, true},          {REPORT_TEXT_MEDIAN, NULL, true},
    };

    escape_print_html(page->file,
                      "<table>\n<caption>%s</caption>\n<thead><tr><th scope=\"col\">#</th>",
                      report_texts_find(page->language, REPORT_TEXT_STANDINGS));
    for (size_t i = 0; i < ARRAY_LEN(headings); i++) {
        if (headings[i].is_there)
            report_page_put_heading(page, headings[i].text, headings[i].kind);
    }
    fputs("<th scope=\"col\">p99</th></tr></thead>\n<tbody>\n", page->file);
}

static void put_standings(const struct report_page *page)
{
    const struct standings *standings = page->report->standings;

    report_page_open_section(page, "standings", REPORT_TEXT_STANDINGS);
    report_page_put_paragraph(page, REPORT_TEXT_ABOUT_STANDINGS);
    if (standings->is_adjusted)
        report_page_put_paragraph(page, REPORT_TEXT_ABOUT_LUCK);
    report_page_open_scroll(page, "title-standings");
    put_standings_head(page);
    for (unsigned row = 0; row < standings->count; row++)
        put_standing(page, &standings->rows[row], row + 1);
    fputs("</tbody>\n</table>\n", page->file);
    report_page_close_scroll(page);
    if (standings->matches == 0)
        escape_print_html(page->file, "<p class=\"empty\">%s</p>\n",
                          report_texts_find(page->language, REPORT_TEXT_NO_MATCH));
    report_page_close_section(page);
}

static void put_facts(const struct report_page *page)
{
    if (!has_facts(page->report))
        return;
    report_page_open_section(page, "facts", REPORT_TEXT_FACTS);
    fputs("<dl>\n", page->file);
    for (unsigned fact = 0; fact < REPORT_FACT_COUNT; fact++)
        if (page->report->facts[fact] != NULL)
            escape_print_html(page->file, "<div><dt>%s</dt><dd>%s</dd></div>\n",
                              report_texts_find(page->language, REPORT_TEXT_FACT + fact),
                              page->report->facts[fact]);
    fputs("</dl>\n", page->file);
    report_page_close_section(page);
}

static void put_tables(const struct report_page *page)
{
    report_page_put_tables(page);
    put_facts(page);
}

/* A part that is written for each language by itself. */
static void put_in_each(const struct report_page *page, void (*put)(const struct report_page *))
{
    struct report_page part = *page;

    if (page->language != REPORT_LANGUAGE_ALL) {
        put(page);
        return;
    }
    for (unsigned i = 0; i < REPORT_LANGUAGE_COUNT; i++) {
        part.language = (enum report_language)i;
        put(&part);
    }
}

void report_html(FILE *file, const struct report *report, enum report_language language)
{
    struct report_page page = {file, report, language, language == REPORT_LANGUAGE_ALL};

    put_head(&page);
    escape_print_html(file, "<body>\n<header>\n<h1>%s</h1>\n", report->title);
    put_in_each(&page, put_overview);
    fputs("</header>\n<main>\n", file);
    put_in_each(&page, put_standings);
    if (report->standings->matches > 0) {
        report_page_put_charts(&page);
        report_page_put_cross(&page);
    }
    put_in_each(&page, put_tables);
    fputs("</main>\n</body>\n</html>\n", file);
}
