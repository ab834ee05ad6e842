/* The cross table, twice: as a map of colours with numbers, where blue is before, orange is behind
 * and a stronger colour is clearer; and as a plain table with the number of matches. The columns
 * have places as headings because names would not fit. The map does not scale: it scrolls. It grows
 * with the square of the bots, so what a cell says is the same in all languages. */

#include "tournament/report/report_private.h"

#include "base/text.h"
#include "tournament/report/escape_print.h"

#include <math.h>

#define BOTS_MAX 60
#define ROOMY_MAX 16
#define CHARACTER_WIDTH 7.3
#define HEAD_HEIGHT 26

/* The measures of a map, in pixels. */
struct map {
    const struct standings *standings;
    unsigned count;
    unsigned left; /* where its cells start */
    unsigned cell_width;
    unsigned cell_height;
};

static struct map measure(const struct standings *standings)
{
    struct map map = {.standings = standings, .count = standings->count};
    size_t longest = 0;

    if (map.count > BOTS_MAX)
        map.count = BOTS_MAX;
    for (unsigned row = 0; row < map.count; row++) {
        size_t length = strlen(standings->rows[row].name);

        longest = length > longest ? length : longest;
    }
    map.left = 44 + (unsigned)(CHARACTER_WIDTH * (double)(longest < 34 ? longest : 34));
    map.cell_width = map.count <= ROOMY_MAX ? 52 : 30;
    map.cell_height = map.count <= ROOMY_MAX ? 32 : 24;
    return map;
}

static void put_labels(FILE *file, const struct map *map)
{
    for (unsigned i = 0; i < map->count; i++) {
        unsigned middle = HEAD_HEIGHT + i * map->cell_height + map->cell_height / 2;

        escape_print_html(file, "<text class=\"column\" x=\"%u\" y=\"%u\">%u</text>",
                          map->left + i * map->cell_width + map->cell_width / 2, HEAD_HEIGHT - 9,
                          i + 1);
        escape_print_html(file, "<text class=\"place\" x=\"24\" y=\"%u\">%u</text>", middle, i + 1);
        escape_print_html(file, "<text class=\"name\" x=\"34\" y=\"%u\">%s</text>\n", middle,
                          map->standings->rows[i].name);
    }
}

static void put_share(FILE *file, const struct map *map, unsigned row, unsigned column)
{
    const struct standings *standings = map->standings;
    size_t cell = (size_t)row * standings->count + column;
    double share = standings->cross[cell];
    unsigned x = map->left + column * map->cell_width;
    unsigned y = HEAD_HEIGHT + row * map->cell_height;

    escape_print_html(file, "<g><title>%s – %s, %.0f\u00a0%%, n = %u</title>",
                      standings->rows[row].name, standings->rows[column].name, 100 * share,
                      standings->met[cell]);
    escape_print_html(file, "<rect class=\"%s\" x=\"%u\" y=\"%u\"",
                      share >= 0.5 ? "before" : "behind", x, y);
    escape_print_html(file, " width=\"%u\" height=\"%u\" fill-opacity=\"%.2f\"/>",
                      map->cell_width - 2, map->cell_height - 2,
                      0.05 + 1.1 * fmin(fabs(share - 0.5), 0.5));
    escape_print_html(file, "<text x=\"%u\" y=\"%u\">%.0f</text></g>\n",
                      x + map->cell_width / 2 - 1, y + map->cell_height / 2, 100 * share);
}

static void put_empty(FILE *file, const struct map *map, unsigned row, unsigned column)
{
    escape_print_html(file, "<rect class=\"%s\" x=\"%u\" y=\"%u\"",
                      row == column ? "self" : "unmet", map->left + column * map->cell_width,
                      HEAD_HEIGHT + row * map->cell_height);
    escape_print_html(file, " width=\"%u\" height=\"%u\"/>\n", map->cell_width - 2,
                      map->cell_height - 2);
}

static void put_map(FILE *file, const struct map *map)
{
    unsigned width = map->left + map->count * map->cell_width;
    unsigned height = HEAD_HEIGHT + map->count * map->cell_height;

    escape_print_html(file,
                      "<svg class=\"map\" role=\"img\" aria-labelledby=\"title-cross\" "
                      "aria-describedby=\"about-cross\" width=\"%u\" height=\"%u\" "
                      "viewBox=\"0 0 %u %u\">\n",
                      width, height, width, height);
    put_labels(file, map);
    for (unsigned row = 0; row < map->count; row++)
        for (unsigned column = 0; column < map->count; column++) {
            if (row == column ||
                isnan(map->standings->cross[(size_t)row * map->standings->count + column]))
                put_empty(file, map, row, column);
            else
                put_share(file, map, row, column);
        }
    fputs("</svg>\n", file);
}

static void put_table_row(const struct report_page *page, const struct map *map, unsigned row)
{
    escape_print_html(page->file, "<tr><th scope=\"row\">%u <bdi>%s</bdi></th>", row + 1,
                      map->standings->rows[row].name);
    for (unsigned column = 0; column < map->count; column++) {
        size_t cell = (size_t)row * map->standings->count + column;

        fputs("<td>", page->file);
        if (row != column && !isnan(map->standings->cross[cell])) {
            report_page_put_decimal(page, 100 * map->standings->cross[cell], 1);
            escape_print_html(page->file, " <span class=\"soft\">(%u)</span>",
                              map->standings->met[cell]);
        }
        fputs("</td>", page->file);
    }
    fputs("</tr>\n", page->file);
}

static void put_table(const struct report_page *page, const struct map *map)
{
    fputs("<details>\n<summary id=\"cross-table\">", page->file);
    report_page_put_text(page, REPORT_TEXT_CROSS_AS_TABLE, NULL);
    fputs("</summary>\n", page->file);
    report_page_open_scroll(page, "cross-table");
    fputs("<table class=\"first\">\n<caption>", page->file);
    report_page_put_text(page, REPORT_TEXT_CROSS_CAPTION, NULL);
    fputs("</caption>\n<thead><tr>", page->file);
    report_page_put_heading(page, REPORT_TEXT_BOT, "left");
    for (unsigned column = 0; column < map->count; column++)
        escape_print_html(page->file, "<th scope=\"col\"><abbr title=\"%s\">%u</abbr></th>",
                          map->standings->rows[column].name, column + 1);
    fputs("</tr></thead>\n<tbody>\n", page->file);
    for (unsigned row = 0; row < map->count; row++)
        put_table_row(page, map, row);
    fputs("</tbody>\n</table>\n", page->file);
    report_page_close_scroll(page);
    fputs("</details>\n", page->file);
}

void report_page_put_cross(const struct report_page *page)
{
    struct map map = measure(page->report->standings);
    char best[16];
    struct text text;

    report_page_open_section(page, "cross", REPORT_TEXT_CROSS);
    fputs("<p id=\"about-cross\">", page->file);
    report_page_put_text(page, REPORT_TEXT_ABOUT_CROSS, NULL);
    fputs("</p>\n", page->file);
    if (map.count < page->report->standings->count) {
        text_start(&text, best, sizeof best);
        text_add_number(&text, map.count);
        fputs("<p>", page->file);
        report_page_put_text(page, REPORT_TEXT_CROSS_IS_CUT, (const char *const[]){best});
        fputs("</p>\n", page->file);
    }
    report_page_open_scroll(page, "title-cross");
    put_map(page->file, &map);
    report_page_close_scroll(page);
    put_table(page, &map);
    report_page_close_section(page);
}
