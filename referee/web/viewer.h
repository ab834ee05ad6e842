#ifndef REFEREE_WEB_VIEWER_H
#define REFEREE_WEB_VIEWER_H

/* The page that shows a log in a browser: one file, without a network, with the log inside. */

#include <stddef.h>
#include <stdio.h>

/* The largest log for a page. */
#define VIEWER_LOG_MAX_BYTES ((size_t)64 << 20)

/* A match of a job: the number of its block and its number in it, both from 1. */
struct viewer_match {
    unsigned block;
    unsigned match;
};

/* Where a daemon shows the match: the job, and the matches before and after; block 0 if there is
 * none. */
struct viewer_links {
    unsigned job;
    struct viewer_match previous;
    struct viewer_match next;
};

/* What a page shows: a log; a review of it as JSON, or NULL (cli/review/review_page.c); links, or
 * NULL. */
struct viewer_content {
    const char *log;
    size_t log_length;
    const char *review;
    size_t review_length;
    const struct viewer_links *links;
};

/* The page with marks for its parts: `{{policy}}`, `{{style}}`, `{{links}}`, `{{log}}`,
 * `{{review}}`, `{{script}}`. */
extern const char viewer_page[];

/* Style sheet and scripts, the latter in the order in which they need each other; both end with
 * NULL. */
extern const char *const viewer_styles[];
extern const char *const viewer_scripts[];

/* The page on which a person plays, at the viewer's table, and its style sheets and scripts. */
extern const char viewer_play[];
extern const char *const viewer_play_styles[];
extern const char *const viewer_play_scripts[];

/* Writes the page. Whatever is in the log and the review stays text. */
void viewer_write(FILE *file, const struct viewer_content *content);

/* Writes the Content-Security-Policy of the page, for servers that send it as a header. */
void viewer_write_policy(FILE *file);

#endif
