#ifndef TESTS_SUPPORT_KIT_SEND_H
#define TESTS_SUPPORT_KIT_SEND_H

/* The lines of the referee for a bot that uses bots/kit. */

#include "kit/kit.h"

#include <stdio.h>
#include <string.h>

#define KIT_SEND_MAX 8192

/* Sends lines to a kit and returns its replies, lent until the next call. */
static inline const char *kit_send(struct kit *kit, const char *lines)
{
    static char replies[4 * KIT_REPLY_MAX];
    char copy[KIT_SEND_MAX];
    char *line = copy;
    size_t length = 0;

    snprintf(copy, sizeof copy, "%s", lines);
    replies[0] = '\0';
    while (line != NULL && *line != '\0' && length < sizeof replies - KIT_REPLY_MAX) {
        char *end = strchr(line, '\n');

        if (end != NULL)
            *end = '\0';
        length += kit_read_line(kit, line, replies + length);
        line = end != NULL ? end + 1 : NULL;
    }
    return replies;
}

#endif
