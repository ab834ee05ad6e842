#ifndef REFEREE_CLI_CLIENT_EVENT_TEXT_H
#define REFEREE_CLI_CLIENT_EVENT_TEXT_H

/* What happens at the daemon (protocol.md, "Watching"), in words for people. */

#include "base/text.h"

/* How a work ended, if an event tells that. */
enum event_text_end {
    EVENT_TEXT_NO_END,
    EVENT_TEXT_DONE,
    EVENT_TEXT_NOT_DONE, /* paused, failed or cancelled */
};

/* Adds a sentence for an event, "17 match 3.1 …", without a line end; nothing for what people need not
 * know. One that it does not know it adds as it is. */
void event_text(struct text *words, const char *event);

/* The number of the work that an event is about. */
long event_text_job(const char *event);

enum event_text_end event_text_end(const char *event);

/* Whether it tells that a bot was at fault. */
bool event_text_has_fault(const char *event);

#endif
