#ifndef REFEREE_GAME_ANSWER_H
#define REFEREE_GAME_ANSWER_H

/* What can be asked of a seat, what it can answer, and why an answer may be refused. */

#include "base/text.h"
#include "game/card.h"

#include <stdint.h>

enum allegra_question {
    ALLEGRA_QUESTION_NONE,   /* the match is over */
    ALLEGRA_QUESTION_REVEAL, /* before the first turn: turn up a down cell, twice */
    ALLEGRA_QUESTION_DRAW,   /* from which pile? */
    ALLEGRA_QUESTION_KNOCK,  /* asked of all eligible opponents at once: pass or knock */
    ALLEGRA_QUESTION_ANSWER, /* to the knocks: accept one, decline, or hold another bidding round */
    ALLEGRA_QUESTION_MOVE,   /* keep the drawn card or drop it */
    ALLEGRA_QUESTION_PLACE,  /* the accepted knocker: where does the card go? */
    ALLEGRA_QUESTION_TAKE,   /* the active player: which card of the knocker? */
    ALLEGRA_QUESTION_PUT,    /* and where does it go? */
    ALLEGRA_QUESTION_CLEAR,  /* which triple, or none where that is allowed */
    ALLEGRA_QUESTION_COUNT,
};

/* What an answer begins with. Each verb answers one question only. */
enum allegra_verb {
    ALLEGRA_VERB_TURN,    /* reveal: turn CELL */
    ALLEGRA_VERB_PILE,    /* draw: pile */
    ALLEGRA_VERB_DISCARD, /* draw: discard */
    ALLEGRA_VERB_PASS,    /* knock: pass */
    ALLEGRA_VERB_KNOCK,   /* knock: knock [CELL], the cell where he says he would put the card */
    ALLEGRA_VERB_ACCEPT,  /* answer: accept SEAT */
    ALLEGRA_VERB_DECLINE, /* answer: decline */
    ALLEGRA_VERB_AGAIN,   /* answer: again */
    ALLEGRA_VERB_KEEP,    /* move: keep CELL */
    ALLEGRA_VERB_DROP,    /* move: drop CELL, the down cell that is turned up for it */
    ALLEGRA_VERB_PLACE,   /* place: place CELL */
    ALLEGRA_VERB_TAKE,    /* take: take SEAT:CELL, a cell of the knocker in his own view */
    ALLEGRA_VERB_PUT,     /* put: put CELL */
    ALLEGRA_VERB_TOSS,    /* put: toss */
    ALLEGRA_VERB_CLEAR,   /* clear: clear CELL CELL CELL, in the order A1 to E3 */
    ALLEGRA_VERB_NONE,    /* clear: none */
    ALLEGRA_VERB_COUNT,
};

/* An answer. `seat` is 0 and `cells` is empty where the verb has none. */
struct allegra_answer {
    uint8_t verb;
    uint8_t seat;
    uint16_t cells; /* a mask */
};

/* Why an answer is not accepted. */
enum allegra_refusal {
    ALLEGRA_REFUSAL_NONE,          /* it was accepted */
    ALLEGRA_REFUSAL_NOT_ASKED,     /* nothing is asked of this seat now */
    ALLEGRA_REFUSAL_OTHER_ANSWER,  /* the verb answers another question */
    ALLEGRA_REFUSAL_MALFORMED,     /* not what the verb needs: one cell, a triple, a seat */
    ALLEGRA_REFUSAL_GAP,           /* the cell is a gap */
    ALLEGRA_REFUSAL_HOLE,          /* the cell is the hole that the taken card left */
    ALLEGRA_REFUSAL_NOT_DOWN,      /* the cell is not down */
    ALLEGRA_REFUSAL_PILE_EMPTY,    /* the draw pile is empty and cannot be made anew */
    ALLEGRA_REFUSAL_NO_RETURN,     /* a card from the discard pile may not be dropped again */
    ALLEGRA_REFUSAL_NO_KNOCK,      /* that seat did not knock in this bidding round */
    ALLEGRA_REFUSAL_NO_AGAIN,      /* no further bidding round is allowed */
    ALLEGRA_REFUSAL_OTHER_DISPLAY, /* the card must come from the knocker's display */
    ALLEGRA_REFUSAL_NO_OTHER_CELL, /* nowhere to put that card once it is taken */
    ALLEGRA_REFUSAL_NO_TOSS,       /* the taken card must be put into the display */
    ALLEGRA_REFUSAL_NO_TRIPLE,     /* those three cells are no triple that may be cleared now */
    ALLEGRA_REFUSAL_MUST_CLEAR,    /* a triple is there that must be cleared */
    ALLEGRA_REFUSAL_COUNT,
};

/* The word of a question: "reveal", "draw", … */
const char *allegra_question_name(enum allegra_question question);

/* Reads the word of a question. Returns 0, or -1. */
int question_read(struct span word, enum allegra_question *question);

/* The word of a verb, and the question that it answers. */
const char *allegra_verb_name(enum allegra_verb verb);
enum allegra_question allegra_verb_question(enum allegra_verb verb);

/* The reason in words that the author of a bot understands, as the end of a sentence. */
const char *allegra_refusal_words(enum allegra_refusal refusal);

/* Adds an answer as the protocol writes it: "keep B3", "take 2:A1", "clear A1 C1 E1". */
void answer_write(struct text *text, struct allegra_answer answer);

/* Reads all of `span` as an answer, words separated by exactly one space. Whether it is legal is
 * another matter. Returns 0, or -1 and leaves `answer` alone. */
int answer_read(struct span span, struct allegra_answer *answer);

#endif
