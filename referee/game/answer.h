#ifndef REFEREE_GAME_ANSWER_H
#define REFEREE_GAME_ANSWER_H

/* What can be asked of a seat, what it can answer, and why an answer may be refused. */

#include "base/text.h"
#include "game/card.h"

#include <stdint.h>

enum question {
    QUESTION_NONE,   /* the match is over */
    QUESTION_REVEAL, /* before the first turn: turn up a down cell, twice */
    QUESTION_DRAW,   /* from which pile? */
    QUESTION_KNOCK,  /* asked of all eligible opponents at once: pass or knock */
    QUESTION_ANSWER, /* to the knocks: accept one, decline, or hold another bidding round */
    QUESTION_MOVE,   /* keep the drawn card or drop it */
    QUESTION_PLACE,  /* the accepted knocker: where does the card go? */
    QUESTION_TAKE,   /* the active player: which card of the knocker? */
    QUESTION_PUT,    /* and where does it go? */
    QUESTION_CLEAR,  /* which triple, or none where that is allowed */
    QUESTION_COUNT,
};

/* What an answer begins with. Each verb answers one question only. */
enum verb {
    VERB_TURN,    /* reveal: turn CELL */
    VERB_PILE,    /* draw: pile */
    VERB_DISCARD, /* draw: discard */
    VERB_PASS,    /* knock: pass */
    VERB_KNOCK,   /* knock: knock [CELL], the cell where he says he would put the card */
    VERB_ACCEPT,  /* answer: accept SEAT */
    VERB_DECLINE, /* answer: decline */
    VERB_AGAIN,   /* answer: again */
    VERB_KEEP,    /* move: keep CELL */
    VERB_DROP,    /* move: drop CELL, the down cell that is turned up for it */
    VERB_PLACE,   /* place: place CELL */
    VERB_TAKE,    /* take: take SEAT:CELL, a cell of the knocker in his own view */
    VERB_PUT,     /* put: put CELL */
    VERB_TOSS,    /* put: toss */
    VERB_CLEAR,   /* clear: clear CELL CELL CELL, in the order A1 to E3 */
    VERB_NONE,    /* clear: none */
    VERB_COUNT,
};

/* An answer. `seat` is 0 and `cells` is empty where the verb has none. */
struct answer {
    uint8_t verb;
    uint8_t seat;
    uint16_t cells; /* a mask */
};

/* Why an answer is not accepted. */
enum refusal {
    REFUSAL_NONE,          /* it was accepted */
    REFUSAL_NOT_ASKED,     /* nothing is asked of this seat now */
    REFUSAL_OTHER_ANSWER,  /* the verb answers another question */
    REFUSAL_MALFORMED,     /* not what the verb needs: one cell, a triple, a seat */
    REFUSAL_GAP,           /* the cell is a gap */
    REFUSAL_HOLE,          /* the cell is the hole that the taken card left */
    REFUSAL_NOT_DOWN,      /* the cell is not down */
    REFUSAL_PILE_EMPTY,    /* the draw pile is empty and cannot be made anew */
    REFUSAL_NO_RETURN,     /* a card from the discard pile may not be dropped again */
    REFUSAL_NO_KNOCK,      /* that seat did not knock in this bidding round */
    REFUSAL_NO_AGAIN,      /* no further bidding round is allowed */
    REFUSAL_OTHER_DISPLAY, /* the card must come from the knocker's display */
    REFUSAL_NO_OTHER_CELL, /* nowhere to put that card once it is taken */
    REFUSAL_NO_TOSS,       /* the taken card must be put into the display */
    REFUSAL_NO_TRIPLE,     /* those three cells are no triple that may be cleared now */
    REFUSAL_MUST_CLEAR,    /* a triple is there that must be cleared */
    REFUSAL_COUNT,
};

/* The word of a question: "reveal", "draw", … */
const char *question_name(enum question question);

/* Reads the word of a question. Returns 0, or -1. */
int question_read(struct span word, enum question *question);

/* The word of a verb, and the question that it answers. */
const char *verb_name(enum verb verb);
enum question verb_question(enum verb verb);

/* The reason in words that the author of a bot understands, as the end of a sentence. */
const char *refusal_words(enum refusal refusal);

/* Adds an answer as the protocol writes it: "keep B3", "take 2:A1", "clear A1 C1 E1". */
void answer_write(struct text *text, struct answer answer);

/* Reads all of `span` as an answer, words separated by exactly one space. Whether it is legal is
 * another matter. Returns 0, or -1 and leaves `answer` alone. */
int answer_read(struct span span, struct answer *answer);

#endif
