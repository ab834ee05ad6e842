/* The page. It is HTML and well-formed XML: every element is closed and every attribute quoted, so
 * that any XML parser can check it. It has no script, and its policy forbids all; every text from
 * outside goes through escape_print_html(). */

#include "tournament/report/report_private.h"

#include "tournament/report/escape_print.h"

#include <math.h>

static void put_head(FILE *file, const struct report *report)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"referrer\" content=\"no-referrer\"/>\n",
          file);
    escape_print_html(file, "<title>%s</title>\n<style>\n", report->title);
    for (size_t i = 0; report_style[i] != NULL; i++)
        fputs(report_style[i], file);
    fputs("</style>\n</head>\n", file);
}

static void put_warnings(FILE *file, const char *const *warnings)
{
    if (warnings == NULL || warnings[0] == NULL)
        return;
    fputs("<ul class=\"warnings\" aria-label=\"Warnings\">\n", file);
    for (size_t i = 0; warnings[i] != NULL; i++)
        escape_print_html(file, "<li>%s</li>\n", warnings[i]);
    fputs("</ul>\n", file);
}

static void put_header(FILE *file, const struct report *report)
{
    escape_print_html(file, "<header>\n<h1>%s</h1>\n", report->title);
    if (report->subtitle != NULL)
        escape_print_html(file, "<p class=\"subtitle\">%s</p>\n", report->subtitle);
    fputs("<p class=\"state\">", file);
    if (report->state != NULL)
        escape_print_html(file, "<strong>%s</strong> ", report->state);
    escape_print_html(file, "%u bots, %lu matches of %u deals</p>\n", report->standings->count,
                      (unsigned long)report->standings->matches, report->standings->blocks);
    put_warnings(file, report->warnings);
    fputs("</header>\n", file);
}

static void put_navigation(FILE *file, const struct report *report)
{
    fputs("<nav aria-label=\"Parts of this page\"><a href=\"#standings\">Standings</a>", file);
    if (report->standings->matches > 0)
        fputs(" <a href=\"#ratings\">Ratings</a> <a href=\"#scores\">Scores</a> "
              "<a href=\"#times\">Thinking times</a> <a href=\"#cross\">Cross table</a> "
              "<a href=\"#seats\">Seats and places</a> <a href=\"#faults\">Faults</a>",
              file);
    if (report->standings->has_repeats)
        fputs(" <a href=\"#repeats\">Deals that come again</a>", file);
    if (report->worst_count > 0)
        fputs(" <a href=\"#worst\">Worst matches</a>", file);
    if (report->facts != NULL && report->facts[0] != NULL)
        fputs(" <a href=\"#facts\">Facts</a>", file);
    fputs("</nav>\n", file);
}

void report_html_open_scroll(FILE *file, const char *label)
{
    escape_print_html(
        file, "<div class=\"scroll\" role=\"region\" aria-label=\"%s\" tabindex=\"0\">\n", label);
}

void report_html_close_scroll(FILE *file)
{
    fputs("</div>\n", file);
}

static void put_score(FILE *file, const struct standing *row)
{
    escape_print_html(file, "<td>%.2f</td>", row->score);
    if (isnan(row->score_interval.low) || isnan(row->score_interval.high))
        fputs("<td></td>", file);
    else
        escape_print_html(file, "<td class=\"soft\">%.2f to %.2f</td>", row->score_interval.low,
                          row->score_interval.high);
}

static void put_rating(FILE *file, const struct standing *row)
{
    escape_print_html(file, row->rating >= 0.5 ? "<td><b>+%.0f</b></td>" : "<td><b>%.0f</b></td>",
                      row->rating);
    if (isnan(row->rating_interval.low) || isnan(row->rating_interval.high))
        fputs("<td></td>", file);
    else
        escape_print_html(file, "<td class=\"soft\">%.0f to %.0f</td>", row->rating_interval.low,
                          row->rating_interval.high);
    escape_print_html(file, "<td class=\"letters\">%s</td>", row->groups);
}

static void put_name(FILE *file, const struct standing *row)
{
    escape_print_html(file, "<th scope=\"row\"><bdi>%s</bdi>", row->name);
    if (row->is_withdrawn)
        fputs(" <span class=\"tag\">withdrawn</span>", file);
    if (row->is_unbeaten)
        fputs(" <span class=\"tag\" title=\"Won or lost every match against some bots; its true "
              "rating "
              "may be far off\">no bound</span>",
              file);
    fputs("</th>", file);
}

static void put_standing(FILE *file, const struct standing *row, unsigned place)
{
    escape_print_html(file, "<tr><td class=\"place\">%u</td>", place);
    put_name(file, row);
    put_rating(file, row);
    put_score(file, row);
    escape_print_html(file, row->matches > 0 ? "<td>%.1f %%</td>" : "<td>%.1f</td>",
                      100 * row->win_share);
    escape_print_html(file, "<td>%u</td><td>%u</td>", row->matches, row->fault_count);
    escape_print_html(file, "<td>%s</td><td>%s</td></tr>\n",
                      row->matches > 0 ? escape_print_time_html(row->median_us).text
                                       : "\xe2\x80\x93",
                      row->matches > 0 ? escape_print_time_html(row->p99_us).text : "\xe2\x80\x93");
}

static void put_standings(FILE *file, const struct standings *standings)
{
    fputs("<section id=\"standings\">\n<h2>Standings</h2>\n"
          "<p>Best rating first. 400 rating points are odds of ten to one. Bots that share a "
          "letter are not significantly different. Fewer points per round are better. Intervals "
          "are 95&#160;%.</p>\n",
          file);
    report_html_open_scroll(file, "Standings");
    fputs("<table>\n<caption>Standings</caption>\n<thead><tr><th scope=\"col\">#</th>"
          "<th scope=\"col\" class=\"left\">Bot</th><th scope=\"col\">Rating</th>"
          "<th scope=\"col\">interval</th><th scope=\"col\" class=\"left\">Group</th>"
          "<th scope=\"col\">Points</th><th scope=\"col\">interval</th>"
          "<th scope=\"col\">Wins</th><th scope=\"col\">Matches</th>"
          "<th scope=\"col\">Faults</th><th scope=\"col\">Median</th>"
          "<th scope=\"col\">p99</th></tr></thead>\n<tbody>\n",
          file);
    for (unsigned row = 0; row < standings->count; row++)
        put_standing(file, &standings->rows[row], row + 1);
    fputs("</tbody>\n</table>\n", file);
    report_html_close_scroll(file);
    if (standings->matches == 0)
        fputs("<p class=\"empty\">No match has been decided yet.</p>\n", file);
    fputs("</section>\n", file);
}

static void put_facts(FILE *file, const char *const *facts)
{
    if (facts == NULL || facts[0] == NULL)
        return;
    fputs("<section id=\"facts\">\n<h2>Facts</h2>\n<dl>\n", file);
    for (size_t i = 0; facts[i] != NULL; i += 2)
        escape_print_html(file, "<div><dt>%s</dt><dd>%s</dd></div>\n", facts[i], facts[i + 1]);
    fputs("</dl>\n</section>\n", file);
}

void report_html(FILE *file, const struct report *report)
{
    put_head(file, report);
    fputs("<body>\n", file);
    put_header(file, report);
    put_navigation(file, report);
    fputs("<main>\n", file);
    put_standings(file, report->standings);
    if (report->standings->matches > 0) {
        report_html_charts(file, report);
        report_html_cross(file, report);
    }
    report_html_tables(file, report);
    put_facts(file, report->facts);
    fputs("</main>\n</body>\n</html>\n", file);
}
