#ifndef REFEREE_GAME_POLICY_PRIVATE_H
#define REFEREE_GAME_POLICY_PRIVATE_H

/* What the two files of a policy share: a board is what a display may become, a thought is
 * everything that goes into one decision. */

#include "game/allegra.h"

#define POLICY_NEVER 1e6F
#define POLICY_THREES_MAX 14 /* three in each row, five columns */
#define POLICY_THREES_OF_CELL 4
#define POLICY_TURNS_MAX 8 /* nobody plans further ahead */
#define POLICY_LANES 16    /* one per card and some more, so that the compiler uses vectors */

/* A display and its threes: cells that could be cleared together. */
struct board {
    int8_t face[ALLEGRA_CELL_COUNT];
    uint8_t three[POLICY_THREES_MAX][3];
    float hope[POLICY_THREES_MAX];
    unsigned three_count;
    uint8_t of_cell[ALLEGRA_CELL_COUNT][POLICY_THREES_OF_CELL];
    uint8_t of_cell_count[ALLEGRA_CELL_COUNT];
    unsigned down_count, present_count;
    float raw; /* what it counts now, unseen cards by their mean */
};

/* Everything that goes into one decision. */
struct thought {
    const struct allegra_view *view;
    const float *weights;
    float chance[POLICY_LANES]; /* that an unseen card is this one */
    float mean;                 /* of the unseen cards */
    float card_worth[POLICY_LANES];
    float down_worth;
    float hope_down[POLICY_LANES]; /* that a pair finds its third, if it is down there, */
    float hope_up[POLICY_LANES];   /* or up */
    float turns;                   /* that are left, as a share of POLICY_TURNS_MAX */
    struct board own, next;
    float lead;          /* of the best rival over us; negative if we lead */
    float rival;         /* what the best rival counts now */
    unsigned rival_down; /* the least down cells of a rival */
    uint16_t known;      /* cells whose costs have been found */
    bool has_left;       /* the costs to leave each card have been found */
    float lay[ALLEGRA_CELL_COUNT][POLICY_LANES];
    float left[POLICY_LANES];
};

static inline bool policy_is_card(int face)
{
    return face >= ALLEGRA_CARD_MIN && face <= ALLEGRA_CARD_MAX;
}

static inline unsigned policy_index(int card)
{
    return (unsigned)(card - ALLEGRA_CARD_MIN);
}

static inline float policy_higher(float one, float other)
{
    return one > other ? one : other;
}

static inline float policy_lower(float one, float other)
{
    return one < other ? one : other;
}

/* What a face costs its owner. */
static inline float policy_worth(const struct thought *thought, int face)
{
    if (policy_is_card(face))
        return thought->card_worth[policy_index(face)];
    return face == ALLEGRA_VIEW_GAP ? 0 : thought->down_worth;
}

/* Fills in a board from the faces of a view. */
void policy_make_board(const struct thought *thought, struct board *board, const int8_t *face);

/* The three that `card` in `cell` would complete, or -1. */
int policy_completed_three(const struct board *board, unsigned cell, int card);

/* The change of a board's cost when its three is cleared, one of whose cells is laid just now. */
float policy_clear_change(const struct thought *thought, const struct board *board,
                          unsigned number);

/* The two cells of a three beside `cell`. */
void policy_others(const struct board *board, unsigned number, unsigned cell, int *a, int *b);

/* The changes of a board's cost when each card is laid into `cell`. */
void policy_find_changes(const struct thought *thought, const struct board *board, unsigned cell,
                         float changes[POLICY_LANES]);

#endif
