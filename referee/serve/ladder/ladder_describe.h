#ifndef REFEREE_SERVE_LADDER_LADDER_DESCRIBE_H
#define REFEREE_SERVE_LADDER_LADDER_DESCRIBE_H

/* Ladders as others see them: as members of a JSON map for the pages, and as lines of the control
 * protocol. */

#include "serve/ladder/ladder.h"
#include "wire/json_write.h"

/* As JSON: the ladder; its rows; or the rows of one bot, and how each of its versions came to its
 * rating. */
void ladder_describe_json(struct json_writer *json, const struct ladder *ladder);
void ladder_describe_rows_json(struct json_writer *json, const struct ladder *ladder,
                               const struct ledger *ledger);
void ladder_describe_bot_json(struct json_writer *json, const struct ladder *ladder,
                              const struct ledger *ledger, struct span bot);

/* As a line of a list, without its end: a ladder; a row; a moment of that bot. There is no line for
 * a moment of another bot, or of a version that is not there any more: then it returns false. */
void ladder_describe_line(struct text *text, const struct ladder *ladder);
void ladder_describe_row_line(struct text *text, const struct ladder_row *row,
                              const struct ledger *ledger);
bool ladder_describe_moment_line(struct text *text, const struct ladder_moment *moment,
                                 const struct ledger *ledger, struct span bot);

#endif
