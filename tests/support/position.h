#ifndef TESTS_SUPPORT_POSITION_H
#define TESTS_SUPPORT_POSITION_H

/* Positions for tests, and functions to continue from them that read like a conversation.
 *
 * All functions here fail the calling test on any error. Texts that they return are valid until the
 * next call of the same function. */

#include "game/allegra.h"
#include "game/position.h"

/* The down cards that fill unimportant displays in the worked examples. */
#define POSITION_FILLER "#3,#6,#9/#4,#7,#10/#5,#8,#11"

/* Three seats whose shared columns are cleared: a frame for late positions. */
#define POSITION_APART "seats=3 shared0=.,.,. shared1=.,.,. shared2=.,.,. "

/* The cells of worked example 5, and the whole example: seat 0 draws the 5 that seat 1 needs at D1.
 * */
#define POSITION_KNOCK_CELLS                                                                       \
    "seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=7,8,2/7,0,#1/10,#2,#3 "    \
    "private1=5,5,9/7,9,9/#7,#1,2 private2=#3,#6,#9/#4,#8,#10/#1,#8,#11 "
#define POSITION_KNOCK POSITION_KNOCK_CELLS "draw=0,5 discard=6 "

/* Both the active seat 0 and seat 1, which can knock, have a single down card left: their C2. */
#define POSITION_LATE_KNOCK                                                                        \
    POSITION_APART "private0=2,.,./.,#3,./.,.,. private1=5,4,./.,#8,./.,.,1 "                      \
                   "private2=" POSITION_FILLER " draw=0,6 discard=7 "

/* Seat 2 makes the last move of a round. Seat 0 is the trigger; the cards add up to 4, 9 and 7. */
#define POSITION_LAST_MOVE                                                                         \
    POSITION_APART "private0=4,.,./.,.,./.,.,. private1=9,.,./.,.,./.,.,. "                        \
                   "private2=#7,.,./.,.,./.,.,. draw=1,10 discard=3 active=2 turn=9 triggered=0 "  \
                   "moved=1 final=1 "

/* Reads a position, given as a printf format. */
struct allegra_table table_from(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets a rule key of a table: "trigger=first". */
void set_rule(struct allegra_table *table, const char *pair);

/* A shuffler that fails the test when it is called. */
struct allegra_shuffler shuffler_never(void);

/* A shuffler that moves the cards named in `first` to the top, so that they are dealt or drawn in
 * that order, and leaves the others unchanged. It borrows `script` and counts its calls there. */
struct script {
    const char *first; /* "0 1 2"; may be empty */
    unsigned calls;
    unsigned round; /* of the last call, like the next two */
    unsigned reshuffle;
    unsigned count;
};
struct allegra_shuffler shuffler_scripted(struct script *script);

/* Gives the answer of `seat`, which must be accepted, and returns its events. */
struct allegra_events play(struct allegra_table *table, unsigned seat, const char *answer);
struct allegra_events play_with(struct allegra_table *table, unsigned seat, const char *answer,
                                const struct allegra_shuffler *shuffler);

/* Gives several answers: "0 pile, 1 pass, 2 pass, 0 keep B3". Returns the events of the last one.
 * */
struct allegra_events play_all(struct allegra_table *table, const char *answers);

/* Gives an answer that must be refused without changing the table, and returns the reason. */
enum allegra_refusal refused(struct allegra_table *table, unsigned seat, const char *answer);

/* `seat` draws from the draw pile, and no one knocks. */
struct allegra_events draw_without_knocks(struct allegra_table *table, unsigned seat);

/* Clears if the rules ask `seat`; otherwise the game has cleared already. */
void clear_if_asked(struct allegra_table *table, unsigned seat, const char *cells);

/* The asked seats and the question: "0 draw", "1,2 knock", "nothing". */
const char *asked_text(const struct allegra_table *table);

/* The legal answers of a seat: "clear A1 B1 C1, none". */
const char *legal_text(const struct allegra_table *table, unsigned seat);

/* The discard pile and the draw pile from bottom to top: "7 7 7 9". */
const char *discard_text(const struct allegra_table *table);
const char *draw_text(const struct allegra_table *table);

/* The display of a seat: "9 . 9 . #9 / 2 #3 2 2 _ / #8 5 #1 #6 #7". */
const char *display_text(const struct allegra_table *table, unsigned seat);

/* The whole table as written by position_write(). */
const char *position_text(const struct allegra_table *table);

/* Compares all bytes, padding included. */
bool is_same_bytes(const void *one, const void *other, size_t size);

/* How many cells of a seat are not gaps, and how many of them are down. */
unsigned cards_of(const struct allegra_table *table, unsigned seat);
unsigned down_of(const struct allegra_table *table, unsigned seat);

/* The names of the events: "dropped turned turn". */
const char *events_text(const struct allegra_events *events);

/* The first event of a kind, which must exist. */
struct allegra_event event_of(const struct allegra_events *events, enum allegra_event_kind kind);

/* From the scoring at the end of a round, by seat: raw points "12 9 20", scores "24 9 20", and
 * totals. */
const char *raw_text(const struct allegra_events *events);
const char *score_text(const struct allegra_events *events);
const char *total_text(const struct allegra_events *events);

#endif
