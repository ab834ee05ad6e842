#ifndef REFEREE_CLI_MANUAL_H
#define REFEREE_CLI_MANUAL_H

/* Manual pages. Those of the commands are written from the same tables as --help; the others are
 * made from protocol.md, from the keys of tournament files, from allegra.h, and from the pages in
 * referee/manual/. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints the manuals that are not about a command, one per line with what it is about. */
void manual_print_topics(FILE *file);

/* The same, one by one. */
size_t manual_topic_count(void);
const char *manual_topic_name(size_t index);
const char *manual_topic_about(size_t index);

/* Whether there is a manual about something that is not a command: `protocol`, `log`. */
bool manual_has_topic(const char *topic);

/* Shows it with man(1), in place of this process. Returns only after it reported why it cannot. */
void manual_show(const char *topic);

#endif
