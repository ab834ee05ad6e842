#ifndef BOTS_KIT_KIT_H
#define BOTS_KIT_KIT_H

/* What bots in C share: reading the referee's lines, remembering what they say, and writing the
 * answer. A bot is a function that chooses from a list:
 *
 *     static struct allegra_answer choose(const struct allegra_view *view,
 *                                         const struct allegra_legal *legal, struct kit *kit)
 *     {
 *         return legal->list[0];
 *     }
 *
 *     int main(void)
 *     {
 *         return kit_run("first", choose);
 *     }
 *
 * It needs only the game library. */

#include "kit/odds.h"

#include <allegra.h>

/* What can be said with one answer. */
#define KIT_SAYINGS_MAX 2
#define KIT_SAYING_MAX 120

/* Room for any reply. */
#define KIT_REPLY_MAX 512

struct kit;

/* Chooses one of the legal answers, of which there is at least one. `view` is the table as this
 * seat sees it; view->question says what is asked. */
typedef struct allegra_answer kit_choose_fn(const struct allegra_view *view,
                                            const struct allegra_legal *legal, struct kit *kit);

/* Everything that the lines have said so far. A bot may read all of it, and roll the dice. */
struct kit {
    kit_choose_fn *choose;
    const char *name;
    struct allegra_view view; /* complete except for `first_completed`, which no line contains */
    struct allegra_legal legal;
    struct allegra_dice dice; /* from the number that the match gave this bot */
    long limit_ms; /* for the question that is asked now, what is left of the bank included */
    long move_ms;  /* for each question, without the bank */
    bool is_clock_fair;

    int8_t discards[ALLEGRA_DECK_MAX]; /* the discard pile, its top last */
    unsigned discard_count;
    uint8_t clearer; /* who cleared last, and what, if nothing else has happened since */
    uint16_t cleared;
    bool is_over; /* the referee said goodbye */

    char said[ALLEGRA_SEATS_MAX]
             [KIT_SAYING_MAX + 1]; /* what each seat said last in this turn, or "" */
    char sayings[KIT_SAYINGS_MAX][KIT_SAYING_MAX + 1]; /* what goes out with the next answer */
    unsigned saying_count;
};

/* Starts an empty kit. `name` is borrowed. */
void kit_start(struct kit *kit, const char *name, kit_choose_fn *choose);

/* Reads a line of the referee without its line end, and cuts it apart. Writes the reply, with its
 * line ends, and returns its length: 0 if the line needs none. An unknown line changes nothing. */
size_t kit_read_line(struct kit *kit, char *line, char reply[KIT_REPLY_MAX]);

/* The cards that this seat has not seen. */
struct odds kit_odds(const struct kit *kit);

/* Says something to all with the answer that is being chosen: at most two texts of 1 to 120
 * printable bytes. Returns 0; or -1, and says nothing, if that is not allowed, for example with
 * talk=off. */
int kit_say(struct kit *kit, const char *text);

/* Plays on stdin and stdout until the referee says goodbye or the input ends. Returns what main
 * returns: 0, or 1 if the referee cannot be read or written to. */
int kit_run(const char *name, kit_choose_fn *choose);

#endif
