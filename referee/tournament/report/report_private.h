#ifndef REFEREE_TOURNAMENT_REPORT_REPORT_PRIVATE_H
#define REFEREE_TOURNAMENT_REPORT_REPORT_PRIVATE_H

/* What the writers of reports share. */

#include "tournament/report/report_texts.h"

/* Half of the width of an interval. */
double report_margin(struct interval interval);

/* The interval of a bot's points that is shown: of the adjusted ones, if there are any. */
struct interval report_score_interval(const struct standings *standings,
                                      const struct standing *row);

/* Whether a bot may know cards, by any test. */
bool report_is_suspicious(const struct standing *row);

/* Whether any such test was made. */
bool report_has_tests(const struct standings *standings);

/* How often all bots together were at fault in that way. */
unsigned report_fault_sum(const struct standings *standings, enum bot_outcome outcome);

/* The command that replays a match, quoted for a shell. Free it. */
char *report_command(const struct report_match *match);

/* The thinking times of a bot; NULL if they are not known. */
const struct histogram *report_times(const struct report *report, const struct standing *row);

/* One line with format, edition and so on; and how far it is. Free them. */
char *report_subtitle(const struct report *report, enum report_language language);
char *report_state(const struct report *report, enum report_language language);

/* Warning `number` as a sentence, or NULL if there are fewer. Free it. */
char *report_warning(const struct report *report, unsigned number, enum report_language language);

/* The one about a bot whose choices are luckier than chance. Free it. */
char *report_peek_warning(const struct standing *row, enum report_language language);

/* A page, or a part of it that is written in one language. */
struct report_page {
    FILE *file;
    const struct report *report;
    enum report_language language; /* or REPORT_LANGUAGE_ALL: of each text all are written */
    bool has_all;                  /* the page has all languages */
};

/* Writes a text with `values` (NULL: none) in its blanks. In all languages, each is an element of
 * its own, of which the style sheet shows one. */
void report_page_put_text(const struct report_page *page, enum report_text text,
                          const char *const *values);

/* The same, for a number with digits after the decimal mark; and inside the <text> of a drawing. */
void report_page_put_decimal(const struct report_page *page, double value, unsigned digits);
void report_page_draw_decimal(const struct report_page *page, double value, unsigned digits);

/* The same, for a duration. */
void report_page_put_time(const struct report_page *page, int64_t value_us);

/* The same, for the ranks that a bot may have. */
void report_page_put_ranks(const struct report_page *page, const struct standing *row);

/* Opens and closes a section, with its title. */
void report_page_open_section(const struct report_page *page, const char *name,
                              enum report_text title);
void report_page_close_section(const struct report_page *page);

/* ` attribute="ID"`, where the ID is that of an element called `name` in this language; and
 * ` href="#ID"`. The title of a section is called `title-` and the name of the section. */
void report_page_put_reference(const struct report_page *page, const char *attribute,
                               const char *name);
void report_page_put_link(const struct report_page *page, const char *name);

void report_page_put_paragraph(const struct report_page *page, enum report_text text);

/* A heading of a column; `kind` is its class, or NULL. */
void report_page_put_heading(const struct report_page *page, enum report_text text,
                             const char *kind);

/* Opens and closes an area for a wide table, which scrolls by itself on a small screen. It is
 * labelled by the element called `name`. */
void report_page_open_scroll(const struct report_page *page, const char *name);
void report_page_close_scroll(const struct report_page *page);

/* Parts of the page. */
void report_page_put_tables(const struct report_page *page);
void report_page_put_charts(const struct report_page *page);
void report_page_put_cross(const struct report_page *page);

/* The style sheet of the page in pieces, without what shows one language of several; NULL ends
 * it. */
extern const char *const report_style[];

#endif
