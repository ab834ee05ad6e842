#ifndef REFEREE_WIRE_MANGLE_H
#define REFEREE_WIRE_MANGLE_H

/* Lines of the referee as a bot may have to read them one day: with notices and fields in them
 * that it does not know, or with other line ends. Pure: the same line always comes out in the
 * same way. */

#include "base/text.h"

/* Kinds of rough treatment, which can be combined. The last two concern timing: bot/bot_chaos.c
 * does them. */
enum mangle_kind {
    MANGLE_NOTICES = 1, /* notices that no bot knows */
    MANGLE_FIELDS = 2,  /* fields key=value that no bot knows, where the protocol may grow */
    MANGLE_CRLF = 4,    /* a CR before each LF, as if through a terminal or a text file */
    MANGLE_PIECES = 8,  /* lines come in pieces */
    MANGLE_PAUSE = 16,  /* a question comes in two pieces with a long pause between them */
};

/* Room for everything that one line can become. */
#define MANGLE_MAX 1200

/* Adds a line (without its line end) and what `mangling` makes of it, line ends included. `number`
 * chooses among several things that can be done. */
void mangle_line(struct text *text, unsigned mangling, unsigned number, struct span line);

#endif
