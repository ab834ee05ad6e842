#ifndef REFEREE_CLI_CLIENT_EVENT_TEXT_H
#define REFEREE_CLI_CLIENT_EVENT_TEXT_H

/* Events of the daemon (wire/feed_line.h) as text for people. */

#include "wire/feed_line.h"

/* Adds a sentence for an event, without a line end; nothing for events that people need not see. */
void event_text(struct text *text, const struct feed_line *event);

/* Whether it reports a fault of a bot. */
bool event_text_has_fault(const struct feed_line *event);

#endif
