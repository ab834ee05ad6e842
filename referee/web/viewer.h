#ifndef REFEREE_WEB_VIEWER_H
#define REFEREE_WEB_VIEWER_H

/* The page that shows a log in a browser: one file, without a network, with the log inside. */

#include <stddef.h>
#include <stdio.h>

/* The page with marks for its four parts: `{{policy}}`, `{{style}}`, `{{log}}`, `{{script}}`. */
extern const char viewer_page[];

/* Style sheet and scripts, the latter in the order in which they need each other; both end with
 * NULL. */
extern const char *const viewer_styles[];
extern const char *const viewer_scripts[];

/* Writes the page with this log. Whatever is in the log stays text. */
void viewer_write(FILE *file, const char *log, size_t length);

/* Writes the Content-Security-Policy of the page, for servers that send it as a header. */
void viewer_write_policy(FILE *file);

#endif
