#ifndef REFEREE_GAME_ALLEGRA_H
#define REFEREE_GAME_ALLEGRA_H

/* The public header of libreferee.a: all of ALLEGRA for programs in C.
 *
 *   rules.h     editions and rule keys
 *   table.h     the state of a match; start it, ask what is asked, apply an answer
 *   answer.h    questions, answers, refusals, as values and as words
 *   legal.h     all legal answers
 *   event.h     what an answer caused
 *   view.h      the table as one seat sees it
 *   position.h  tables as text
 *   clear.h     triples
 *   knock.h     who may knock
 *   score.h     what a round is worth
 *   dice.h      a fast random generator for simulations
 *
 * Nothing here allocates, reads, writes or keeps anything; every function works on what it is given. */

#include "game/dice.h"
#include "game/answer.h"
#include "game/card.h"
#include "game/clear.h"
#include "game/event.h"
#include "game/knock.h"
#include "game/legal.h"
#include "game/position.h"
#include "game/rules.h"
#include "game/score.h"
#include "game/simulate.h"
#include "game/table.h"
#include "game/view.h"

#endif
