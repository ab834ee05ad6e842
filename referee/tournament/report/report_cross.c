/* The cross table, twice: as a map of colours with numbers, where blue is before, orange is behind
 * and a stronger colour is clearer; and as a plain table with the number of matches. The columns
 * have places as headings because names would not fit. The map does not scale: it scrolls. */

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

    escape_print_html(file, "<g><title>%s before %s: %.1f %% of %u matches</title>",
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
                      "<svg class=\"map\" role=\"img\" aria-labelledby=\"map-title map-text\" "
                      "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n",
                      width, height, width, height);
    fputs("<title id=\"map-title\">Cross table</title>\n"
          "<desc id=\"map-text\">Shares in percent; the same numbers are in the table below."
          "</desc>\n",
          file);
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

static void put_table_row(FILE *file, const struct map *map, unsigned row)
{
    escape_print_html(file, "<tr><th scope=\"row\">%u <bdi>%s</bdi></th>", row + 1,
                      map->standings->rows[row].name);
    for (unsigned column = 0; column < map->count; column++) {
        size_t cell = (size_t)row * map->standings->count + column;

        if (row == column || isnan(map->standings->cross[cell]))
            fputs("<td></td>", file);
        else
            escape_print_html(file, "<td>%.1f <span class=\"soft\">of %u</span></td>",
                              100 * map->standings->cross[cell], map->standings->met[cell]);
    }
    fputs("</tr>\n", file);
}

static void put_table(FILE *file, const struct map *map)
{
    fputs("<details>\n<summary>The same as a table, with the number of matches</summary>\n", file);
    report_html_open_scroll(file, "Cross table in numbers");
    fputs("<table class=\"first\">\n<caption>Percent in which the row was placed before the "
          "column, and of how many matches</caption>\n<thead><tr><th scope=\"col\" "
          "class=\"left\">Bot</th>",
          file);
    for (unsigned column = 0; column < map->count; column++)
        escape_print_html(file, "<th scope=\"col\"><abbr title=\"%s\">%u</abbr></th>",
                          map->standings->rows[column].name, column + 1);
    fputs("</tr></thead>\n<tbody>\n", file);
    for (unsigned row = 0; row < map->count; row++)
        put_table_row(file, map, row);
    fputs("</tbody>\n</table>\n", file);
    report_html_close_scroll(file);
    fputs("</details>\n", file);
}

void report_html_cross(FILE *file, const struct report *report)
{
    struct map map = measure(report->standings);

    fputs(
        "<section id=\"cross\">\n<h2>Cross table</h2>\n"
        "<p>The percentage of their common matches in which the bot of the row was placed "
        "before the bot of the column; a shared place counts half. Blue is more than half, orange "
        "less.</p>\n",
        file);
    if (map.count < report->standings->count)
        escape_print_html(file, "<p>Only the best %u bots; the CSV has all.</p>\n", map.count);
    report_html_open_scroll(file, "Cross table");
    put_map(file, &map);
    report_html_close_scroll(file);
    put_table(file, &map);
    fputs("</section>\n", file);
}
