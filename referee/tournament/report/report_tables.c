/* The tables of the page after the charts: seats and places, who knows the cards, faults, worst
 * matches. */

#include "tournament/report/report_private.h"

#include "base/text.h"
#include "tournament/report/escape_print.h"

#include <stdlib.h>

static void put_row_head(const struct report_page *page, unsigned row)
{
    escape_print_html(page->file,
                      "<tr><td class=\"place\">%u</td><th scope=\"row\"><bdi>%s</bdi></th>",
                      row + 1, page->report->standings->rows[row].name);
}

/* `kind` is its class, `name` the element that labels it. */
static void open_table(const struct report_page *page, const char *kind, const char *name,
                       enum report_text caption)
{
    report_page_open_scroll(page, name);
    escape_print_html(page->file,
                      "<table class=\"%s\">\n<caption>%s</caption>\n<thead><tr><th "
                      "scope=\"col\">#</th>",
                      kind, report_texts_find(page->language, caption));
    report_page_put_heading(page, REPORT_TEXT_BOT, "left");
}

static void close_table(const struct report_page *page)
{
    fputs("</tbody>\n</table>\n", page->file);
    report_page_close_scroll(page);
}

static void put_count(const struct report_page *page, const char *kind, unsigned count)
{
    fputs("<td", page->file);
    if (kind != NULL)
        escape_print_html(page->file, " class=\"%s\"", kind);
    escape_print_html(page->file, ">%s</td>", report_language_count(page->language, count).text);
}

static void put_decimal(const struct report_page *page, double value, unsigned digits)
{
    escape_print_html(page->file, "<td>%s</td>",
                      report_language_decimal(page->language, value, digits).text);
}

static void put_seat_row(const struct report_page *page, unsigned place)
{
    const struct standings *standings = page->report->standings;
    const struct standing *row = &standings->rows[place];

    put_row_head(page, place);
    for (unsigned seat = 0; seat < standings->seats; seat++) {
        escape_print_html(page->file, "<td>%s <span class=\"soft\">",
                          report_language_decimal(page->language, row->seat_score[seat], 2).text);
        report_page_put_text(
            page, REPORT_TEXT_IN_MATCHES,
            (const char *const[]){
                report_language_count(page->language, row->seat_matches[seat]).text});
        fputs("</span></td>", page->file);
    }
    for (unsigned i = 0; i < standings->seats; i++)
        put_count(page, NULL, row->places[i]);
    fputs("</tr>\n", page->file);
}

static void put_seat_headings(const struct report_page *page)
{
    unsigned seats = page->report->standings->seats;

    for (unsigned seat = 0; seat < seats; seat++) {
        fputs("<th scope=\"col\">", page->file);
        report_page_put_text(
            page, REPORT_TEXT_SEAT,
            (const char *const[]){report_language_count(page->language, seat).text});
        fputs("</th>", page->file);
    }
    for (unsigned place = 1; place <= seats; place++) {
        fputs("<th scope=\"col\"><abbr title=\"", page->file);
        report_page_put_text(
            page, REPORT_TEXT_PLACE,
            (const char *const[]){report_language_count(page->language, place).text});
        escape_print_html(page->file, "\">%u.</abbr></th>", place);
    }
}

static void put_seats(const struct report_page *page)
{
    report_page_open_section(page, "seats", REPORT_TEXT_SEATS);
    report_page_put_paragraph(page, REPORT_TEXT_ABOUT_SEATS);
    open_table(page, "wide", "title-seats", REPORT_TEXT_SEATS);
    put_seat_headings(page);
    fputs("</tr></thead>\n<tbody>\n", page->file);
    for (unsigned row = 0; row < page->report->standings->count; row++)
        put_seat_row(page, row);
    close_table(page);
    report_page_close_section(page);
}

static void put_suspicion(const struct report_page *page, bool is_suspicious)
{
    fputs("<td>", page->file);
    if (is_suspicious)
        escape_print_html(page->file, "<span class=\"tag fault\">%s</span>",
                          report_texts_find(page->language, REPORT_TEXT_SUSPICIOUS));
    fputs("</td></tr>\n", page->file);
}

/* The title of a table inside a section, which labels it. */
static void put_title(const struct report_page *page, const char *name, enum report_text title)
{
    fputs("<h3", page->file);
    report_page_put_reference(page, "id", name);
    escape_print_html(page->file, ">%s</h3>\n", report_texts_find(page->language, title));
}

static void put_choice_row(const struct report_page *page, unsigned place)
{
    const struct peek *peek = &page->report->standings->rows[place].peek;

    put_row_head(page, place);
    put_decimal(page, peek->gain, 2);
    put_decimal(page, peek->allowed, 2);
    put_count(page, NULL, (unsigned)peek->one_in);
    put_suspicion(page, peek->is_suspicious);
}

static void put_choices(const struct report_page *page)
{
    put_title(page, "title-choices", REPORT_TEXT_CHOICES);
    report_page_put_paragraph(page, REPORT_TEXT_ABOUT_CHOICES);
    open_table(page, "narrow", "title-choices", REPORT_TEXT_CHOICES);
    report_page_put_heading(page, REPORT_TEXT_LUCK, NULL);
    report_page_put_heading(page, REPORT_TEXT_ALLOWED, NULL);
    report_page_put_heading(page, REPORT_TEXT_ONE_IN, NULL);
    fputs("<td></td></tr></thead>\n<tbody>\n", page->file);
    for (unsigned row = 0; row < page->report->standings->count; row++)
        put_choice_row(page, row);
    close_table(page);
}

static void put_repeat_row(const struct report_page *page, unsigned place)
{
    const struct repeat_gain *repeat = &page->report->standings->rows[place].repeat;

    put_row_head(page, place);
    put_decimal(page, repeat->first, 2);
    put_decimal(page, repeat->later, 2);
    put_decimal(page, repeat->first - repeat->later, 2);
    put_decimal(page, repeat->p, 3);
    put_suspicion(page, repeat->is_suspicious);
}

static void put_repeats(const struct report_page *page)
{
    put_title(page, "title-repeats", REPORT_TEXT_REPEATS);
    report_page_put_paragraph(page, REPORT_TEXT_ABOUT_REPEATS);
    open_table(page, "narrow", "title-repeats", REPORT_TEXT_REPEATS);
    report_page_put_heading(page, REPORT_TEXT_FIRST, NULL);
    report_page_put_heading(page, REPORT_TEXT_LATER, NULL);
    report_page_put_heading(page, REPORT_TEXT_GAIN, NULL);
    fputs("<th scope=\"col\">p</th><td></td></tr></thead>\n<tbody>\n", page->file);
    for (unsigned row = 0; row < page->report->standings->count; row++)
        put_repeat_row(page, row);
    close_table(page);
}

static void put_fault_row(const struct report_page *page, unsigned place)
{
    const struct standings *standings = page->report->standings;
    const struct standing *row = &standings->rows[place];

    if (row->fault_count == 0)
        return;
    put_row_head(page, place);
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++)
        if (report_fault_sum(standings, (enum bot_outcome)i) > 0)
            put_count(page, row->faults[i] > 0 ? NULL : "soft", row->faults[i]);
    escape_print_html(page->file, "<td><b>%s</b></td></tr>\n",
                      report_language_count(page->language, row->fault_count).text);
}

static bool has_faults(const struct standings *standings)
{
    for (unsigned row = 0; row < standings->count; row++)
        if (standings->rows[row].fault_count > 0)
            return true;
    return false;
}

static void put_fault_table(const struct report_page *page)
{
    const struct standings *standings = page->report->standings;

    open_table(page, "narrow", "title-faults", REPORT_TEXT_FAULTS_CAPTION);
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++)
        if (report_fault_sum(standings, (enum bot_outcome)i) > 0)
            escape_print_html(page->file, "<th scope=\"col\"><code>%s</code></th>",
                              bot_outcome_name((enum bot_outcome)i));
    report_page_put_heading(page, REPORT_TEXT_ALL_CAUSES, NULL);
    fputs("</tr></thead>\n<tbody>\n", page->file);
    for (unsigned row = 0; row < standings->count; row++)
        put_fault_row(page, row);
    close_table(page);
}

static void put_faults(const struct report_page *page)
{
    report_page_open_section(page, "faults", REPORT_TEXT_FAULTS);
    if (has_faults(page->report->standings)) {
        report_page_put_paragraph(page, REPORT_TEXT_ABOUT_FAULTS);
        put_fault_table(page);
    } else {
        escape_print_html(page->file, "<p class=\"empty\">%s</p>\n",
                          report_texts_find(page->language, REPORT_TEXT_NO_FAULT));
    }
    report_page_close_section(page);
}

static void put_match_fault(FILE *file, const char *fault)
{
    if (fault != NULL)
        escape_print_html(file, " <span class=\"tag fault\">%s</span>", fault);
}

/* Without the faults of the others: it is a match of one bot. */
static void put_match_seats(const struct report_page *page, const struct report_match *match)
{
    fputs("<ol class=\"seats\">", page->file);
    for (unsigned seat = 0; seat < match->seats; seat++) {
        escape_print_html(page->file, "<li><bdi>%s</bdi> <span class=\"soft\">",
                          match->names[seat]);
        report_page_put_text(
            page, REPORT_TEXT_POINTS_AND_PLACE,
            (const char *const[]){
                report_language_decimal(page->language, match->scores[seat], 1).text,
                report_language_count(page->language, match->places[seat]).text});
        fputs("</span></li>", page->file);
    }
    fputs("</ol>", page->file);
}

static void put_match_head(const struct report_page *page, const struct report_match *match)
{
    char number[32];
    struct text text;

    text_start(&text, number, sizeof number);
    text_printf(&text, "%u.%u", match->block, match->rotation + 1);
    escape_print_html(page->file, "<h3><bdi>%s</bdi> <span class=\"soft\">", match->bot);
    report_page_put_text(page, REPORT_TEXT_DEAL, (const char *const[]){number});
    if (match->gain > 0) {
        fputs(", ", page->file);
        report_page_put_text(
            page, REPORT_TEXT_LUCK_IN_MATCH,
            (const char *const[]){report_language_decimal(page->language, match->gain, 1).text});
    }
    fputs("</span>", page->file);
    put_match_fault(page->file, match->faults[match->seat]);
    fputs("</h3>\n", page->file);
}

static void put_match(const struct report_page *page, const struct report_match *match)
{
    char *command = report_command(match);

    fputs("<li class=\"match\">", page->file);
    put_match_head(page, match);
    put_match_seats(page, match);
    escape_print_html(page->file, "<code class=\"command\" tabindex=\"0\">%s</code></li>\n",
                      command);
    free(command);
}

static void put_matches(const struct report_page *page, const struct report_match *matches,
                        unsigned count)
{
    if (page->report->is_in_store)
        report_page_put_paragraph(page, REPORT_TEXT_ABOUT_PATHS);
    fputs("<ul class=\"matches\">\n", page->file);
    for (unsigned i = 0; i < count; i++)
        put_match(page, &matches[i]);
    fputs("</ul>\n", page->file);
}

/* Bots that may know cards, by each of the tests. */
static void put_cards(const struct report_page *page)
{
    const struct report *report = page->report;

    report_page_open_section(page, "cards", REPORT_TEXT_CARDS);
    if (report->standings->has_peeks)
        put_choices(page);
    if (report->evidence_count > 0) {
        report_page_put_paragraph(page, REPORT_TEXT_ABOUT_EVIDENCE);
        put_matches(page, report->evidence, report->evidence_count);
    }
    if (report->standings->has_repeats)
        put_repeats(page);
    report_page_close_section(page);
}

static void put_worst(const struct report_page *page)
{
    report_page_open_section(page, "worst", REPORT_TEXT_WORST);
    report_page_put_paragraph(page, REPORT_TEXT_ABOUT_WORST);
    put_matches(page, page->report->worst, page->report->worst_count);
    report_page_close_section(page);
}

void report_page_put_tables(const struct report_page *page)
{
    if (page->report->standings->matches > 0) {
        put_seats(page);
        if (report_has_tests(page->report->standings))
            put_cards(page);
        put_faults(page);
    }
    if (page->report->worst_count > 0)
        put_worst(page);
}
