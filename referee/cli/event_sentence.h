#ifndef REFEREE_CLI_EVENT_SENTENCE_H
#define REFEREE_CLI_EVENT_SENTENCE_H

/* What happens at the table, told to a person. */

#include "base/text.h"
#include "game/allegra.h"

/* Room for any sentence. */
#define EVENT_SENTENCE_BYTES 160

/* Adds a sentence about an event, without a line end. `names` has one name per seat. Returns false
 * if the event has none. */
bool event_sentence_write(struct text *text, const struct allegra_event *event,
                          const char *const *names);

#endif
