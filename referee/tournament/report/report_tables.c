/* The tables of the page after the charts: seats and places, repeated deals, faults, worst
 * matches. */

#include "tournament/report/report_private.h"

#include "tournament/report/escape_print.h"

#include <stdlib.h>

static void put_row_head(FILE *file, const struct standings *standings, unsigned row)
{
    escape_print_html(file, "<tr><td class=\"place\">%u</td><th scope=\"row\"><bdi>%s</bdi></th>",
                      row + 1, standings->rows[row].name);
}

/* `kind` is its class. */
static void open_table(FILE *file, const char *kind, const char *caption)
{
    report_html_open_scroll(file, caption);
    escape_print_html(
        file,
        "<table class=\"%s\">\n<caption>%s</caption>\n<thead><tr><th scope=\"col\">#</th>"
        "<th scope=\"col\" class=\"left\">Bot</th>",
        kind, caption);
}

static void close_table(FILE *file)
{
    fputs("</tbody>\n</table>\n", file);
    report_html_close_scroll(file);
}

static void put_seat_row(FILE *file, const struct standings *standings, unsigned place)
{
    const struct standing *row = &standings->rows[place];

    put_row_head(file, standings, place);
    for (unsigned seat = 0; seat < standings->seats; seat++)
        escape_print_html(file, "<td>%.2f <span class=\"soft\">in %u</span></td>",
                          row->seat_score[seat], row->seat_matches[seat]);
    for (unsigned i = 0; i < standings->seats; i++)
        escape_print_html(file, "<td>%u</td>", row->places[i]);
    fputs("</tr>\n", file);
}

static void put_seats(FILE *file, const struct standings *standings)
{
    fputs("<section id=\"seats\">\n<h2>Seats and places</h2>\n"
          "<p>Points per round on each seat and in how many matches, then how often the bot came "
          "first, second and so on.</p>\n",
          file);
    open_table(file, "wide", "Seats and places");
    for (unsigned seat = 0; seat < standings->seats; seat++)
        escape_print_html(file, "<th scope=\"col\">Seat %u</th>", seat);
    for (unsigned place = 1; place <= standings->seats; place++)
        escape_print_html(file, "<th scope=\"col\"><abbr title=\"Place %u\">%u.</abbr></th>", place,
                          place);
    fputs("</tr></thead>\n<tbody>\n", file);
    for (unsigned row = 0; row < standings->count; row++)
        put_seat_row(file, standings, row);
    close_table(file);
    fputs("</section>\n", file);
}

static void put_repeat_row(FILE *file, const struct standings *standings, unsigned place)
{
    const struct repeat_gain *repeat = &standings->rows[place].repeat;

    put_row_head(file, standings, place);
    escape_print_html(file, "<td>%.2f</td><td>%.2f</td><td>%.2f</td><td>%.3f</td><td>",
                      repeat->first, repeat->later, repeat->first - repeat->later, repeat->p);
    if (repeat->is_suspicious)
        fputs("<span class=\"tag fault\">suspicious</span>", file);
    fputs("</td></tr>\n", file);
}

static void put_repeats(FILE *file, const struct standings *standings)
{
    fputs("<section id=\"repeats\">\n<h2>Deals that come again</h2>\n"
          "<p>Points per round in the first match of a deal and in the later ones. p is how "
          "probable such a gain is by chance, all bots considered. A bot that gains may know the "
          "cards.</p>\n",
          file);
    open_table(file, "narrow", "Deals that come again");
    fputs("<th scope=\"col\">First</th><th scope=\"col\">Later</th><th scope=\"col\">Gain</th>"
          "<th scope=\"col\">p</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n",
          file);
    for (unsigned row = 0; row < standings->count; row++)
        put_repeat_row(file, standings, row);
    close_table(file);
    fputs("</section>\n", file);
}

static void put_fault_row(FILE *file, const struct standings *standings, unsigned place)
{
    const struct standing *row = &standings->rows[place];

    if (row->fault_count == 0)
        return;
    put_row_head(file, standings, place);
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++)
        if (report_fault_sum(standings, (enum bot_outcome)i) > 0)
            escape_print_html(file,
                              row->faults[i] > 0 ? "<td>%u</td>" : "<td class=\"soft\">%u</td>",
                              row->faults[i]);
    escape_print_html(file, "<td><b>%u</b></td></tr>\n", row->fault_count);
}

static bool has_faults(const struct standings *standings)
{
    for (unsigned row = 0; row < standings->count; row++)
        if (standings->rows[row].fault_count > 0)
            return true;
    return false;
}

static void put_fault_table(FILE *file, const struct standings *standings)
{
    open_table(file, "narrow", "Faults by cause");
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++)
        if (report_fault_sum(standings, (enum bot_outcome)i) > 0)
            escape_print_html(file, "<th scope=\"col\"><code>%s</code></th>",
                              bot_outcome_name((enum bot_outcome)i));
    fputs("<th scope=\"col\">all</th></tr></thead>\n<tbody>\n", file);
    for (unsigned row = 0; row < standings->count; row++)
        put_fault_row(file, standings, row);
    close_table(file);
}

static void put_faults(FILE *file, const struct standings *standings)
{
    fputs("<section id=\"faults\">\n<h2>Faults</h2>\n", file);
    if (has_faults(standings)) {
        fputs("<p>By cause, for bots that had any. A bot at fault is out of that match and "
              "counts as last.</p>\n",
              file);
        put_fault_table(file, standings);
    } else {
        fputs("<p class=\"empty\">No bot was at fault.</p>\n", file);
    }
    fputs("</section>\n", file);
}

static void put_match_seats(FILE *file, const struct report_match *match)
{
    fputs("<ol class=\"seats\">", file);
    for (unsigned seat = 0; seat < match->seats; seat++)
        escape_print_html(
            file, "<li><bdi>%s</bdi> <span class=\"soft\">%.1f points, place %u</span></li>",
            match->names[seat], match->scores[seat], match->places[seat]);
    fputs("</ol>", file);
}

static void put_match(FILE *file, const struct report_match *match)
{
    char *command = report_command(match);

    escape_print_html(file, "<li class=\"match\"><h3><bdi>%s</bdi> <span class=\"soft\">deal %u.%u",
                      match->bot, match->block, match->rotation);
    fputs("</span>", file);
    if (match->fault != NULL)
        escape_print_html(file, " <span class=\"tag fault\">seat %u: %s</span>", match->fault_seat,
                          match->fault);
    fputs("</h3>\n", file);
    put_match_seats(file, match);
    escape_print_html(file, "<code class=\"command\" tabindex=\"0\">%s</code></li>\n", command);
    free(command);
}

static void put_worst(FILE *file, const struct report *report)
{
    fputs("<section id=\"worst\">\n<h2>Worst matches</h2>\n"
          "<p>The worst match of each bot, by seat from 0, and the command that replays it. A "
          "click on a command selects all of it.</p>\n<ul class=\"matches\">\n",
          file);
    for (unsigned i = 0; i < report->worst_count; i++)
        put_match(file, &report->worst[i]);
    fputs("</ul>\n</section>\n", file);
}

void report_html_tables(FILE *file, const struct report *report)
{
    if (report->standings->matches > 0) {
        put_seats(file, report->standings);
        if (report->standings->has_repeats)
            put_repeats(file, report->standings);
        put_faults(file, report->standings);
    }
    if (report->worst_count > 0)
        put_worst(file, report);
}
