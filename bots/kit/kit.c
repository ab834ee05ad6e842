/* Each line of the referee begins with a word, and one table says which function takes the rest of the
 * line. The lines `table`, `display` and `legal` describe the moment of a question completely; notices
 * of what happens add what they leave out: the cards in hands, the bids, the discard pile. Whatever is
 * not known, a word, a key or a value, is passed over: that is how the protocol can grow. */

#include "kit/kit.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* More than a line of the referee can have. */
#define INPUT_MAX 4096
#define REPLY_MAX 256

void kit_start(struct kit *kit, const char *name, kit_choose_fn *choose)
{
    memset(kit, 0, sizeof *kit);
    kit->name = name;
    kit->choose = choose;
    kit->view.rules = rules_of_edition(EDITION_DE2026);
    kit->view.seats = RULES_SEATS_MIN;
}

struct odds kit_odds(const struct kit *kit)
{
    return odds_of(&kit->view, kit->discards, kit->discard_count);
}

/* Words of a line. Each reader leaves its target alone if the word is not what it should be. */

struct pair {
    struct span name;
    struct span value;
};

/* Cuts the next key=value off `rest`. A word without `=` has an empty value. */
static bool next_pair(struct span *rest, struct pair *pair)
{
    pair->value = span_cut_word(rest);
    if (pair->value.length == 0)
        return false;
    pair->name = span_cut(&pair->value, '=');
    if (pair->value.start == NULL)
        pair->value = (struct span){"", 0};
    return true;
}

static long read_number(struct span word, long least, long most, long otherwise)
{
    long number = otherwise;

    span_read_number(word, least, most, &number);
    return number;
}

static void read_small(struct span word, uint8_t *number)
{
    *number = (uint8_t)read_number(word, 0, UINT8_MAX, *number);
}

static void read_seat(struct span word, uint8_t *seat)
{
    *seat = (uint8_t)read_number(word, 0, RULES_SEATS_MAX - 1, *seat);
}

/* A card, or `?` for one that is not shown. */
static void read_card(struct span word, int8_t *card)
{
    if (span_is(word, "?"))
        *card = VIEW_UNKNOWN;
    else
        card_read(word, card);
}

/* Reads "2:A1". Returns 0, or -1. */
static int read_place(struct span word, uint8_t *seat, unsigned *cell)
{
    struct span owner = span_cut(&word, ':');

    if (word.start == NULL || cell_read(word, cell) != 0)
        return -1;
    read_seat(owner, seat);
    return 0;
}

/* Reads "12" or "-1.5". */
static long read_halves(struct span word)
{
    struct span whole = span_cut(&word, '.');
    long halves = 2 * read_number(whole, -100000, 100000, 0);

    if (word.start == NULL)
        return halves;
    return whole.length > 0 && whole.start[0] == '-' ? halves - 1 : halves + 1;
}

static uint64_t read_hex(struct span word)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t number = 0;

    for (size_t i = 0; i < word.length; i++) {
        const char *digit = memchr(digits, word.start[i], 16);

        if (digit != NULL)
            number = number << 4 | (uint64_t)(digit - digits);
    }
    return number;
}

/* The match and the round. */

static void forget_turn(struct view *view)
{
    view->drawn = CARD_NONE;
    view->hand = CARD_NONE;
    view->taken = CARD_NONE;
    view->aside = CARD_NONE;
    view->is_from_discard = false;
    view->knocker = SEAT_NONE;
    view->placed = 0;
    view->bid_round = 0;
    view->bidders = 0;
    view->knockers = 0;
    memset(view->offer, 0, sizeof view->offer);
}

static void forget_round(struct view *view)
{
    forget_turn(view);
    view->is_final = false;
    view->trigger = SEAT_NONE;
    view->first_completed = SEAT_NONE;
    view->final_left = 0;
    view->final_moved = 0;
    view->turn = 0;
}

static void hear_match(struct kit *kit, struct span rest)
{
    struct view *view = &kit->view;
    char scratch[200];
    struct text problem;
    struct pair pair;

    memset(view, 0, sizeof *view);
    memset(view->face, VIEW_DOWN, sizeof view->face);
    view->rules = rules_of_edition(EDITION_DE2026);
    view->seats = RULES_SEATS_MIN;
    view->discard_top = CARD_NONE;
    forget_round(view);
    text_start(&problem, scratch, sizeof scratch);
    while (next_pair(&rest, &pair)) {
        if (span_is(pair.name, "seats"))
            view->seats = (uint8_t)read_number(pair.value, RULES_SEATS_MIN, RULES_SEATS_MAX, 2);
        else if (span_is(pair.name, "seat"))
            read_seat(pair.value, &view->me);
        else if (span_is(pair.name, "edition"))
            rules_read_edition(pair.value, &view->rules, &problem);
        else if (span_is(pair.name, "rng"))
            kit->dice = dice_from(read_hex(pair.value));
    }
}

static void hear_rules(struct kit *kit, struct span rest)
{
    char scratch[200];
    struct text problem;
    struct pair pair;

    text_start(&problem, scratch, sizeof scratch);
    while (next_pair(&rest, &pair))
        rules_set(&kit->view.rules, pair.name, pair.value, &problem);
}

static void discard(struct kit *kit, struct span word)
{
    if (kit->discard_count < RULES_DECK_MAX &&
        card_read(word, &kit->discards[kit->discard_count]) == 0)
        kit->discard_count++;
}

/* round NUMBER DEALER CARD */
static void hear_round(struct kit *kit, struct span rest)
{
    forget_round(&kit->view);
    span_cut_word(&rest);
    span_cut_word(&rest);
    kit->discard_count = 0;
    discard(kit, span_cut_word(&rest));
}

static void hear_reshuffled(struct kit *kit, struct span rest)
{
    (void)rest;
    if (kit->discard_count == 0)
        return;
    kit->discards[0] = kit->discards[kit->discard_count - 1];
    kit->discard_count = 1;
}

/* turn NUMBER SEAT */
static void hear_turn(struct kit *kit, struct span rest)
{
    struct view *view = &kit->view;
    uint8_t before = view->active;

    forget_turn(view);
    span_cut_word(&rest);
    read_seat(span_cut_word(&rest), &view->active);
    if (!view->is_final)
        return;
    if (view->final_left < view->seats)
        view->final_moved |= (uint8_t)(1U << before);
    do {
        before = (uint8_t)((before + 1) % view->seats);
        view->final_left--;
    } while (before != view->active && view->final_left > 0);
}

/* final TRIGGER */
static void hear_final(struct kit *kit, struct span rest)
{
    read_seat(span_cut_word(&rest), &kit->view.trigger);
    kit->view.is_final = true;
    kit->view.final_left = kit->view.seats;
}

/* Cards on the move. */

/* drew pile|discard SEAT CARD */
static void hear_drew(struct kit *kit, struct span rest)
{
    kit->view.is_from_discard = span_is(span_cut_word(&rest), "discard");
    if (kit->view.is_from_discard && kit->discard_count > 0)
        kit->discard_count--;
    span_cut_word(&rest);
    read_card(span_cut_word(&rest), &kit->view.drawn);
}

/* kept SEAT:CELL CARD OLD */
static void hear_kept(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    span_cut_word(&rest);
    read_card(span_cut_word(&rest), &kit->view.aside);
    kit->view.drawn = CARD_NONE;
}

/* dropped SEAT CARD */
static void hear_dropped(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    discard(kit, span_cut_word(&rest));
    kit->view.drawn = CARD_NONE;
}

/* placed SEAT:CELL CARD OLD */
static void hear_placed(struct kit *kit, struct span rest)
{
    struct view *view = &kit->view;
    unsigned cell;

    if (read_place(span_cut_word(&rest), &view->knocker, &cell) == 0)
        view->placed = CELL_BIT(cell);
    span_cut_word(&rest);
    read_card(span_cut_word(&rest), &view->hand);
    view->drawn = CARD_NONE;
}

/* took SEAT OTHER:CELL CARD */
static void hear_took(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    span_cut_word(&rest);
    read_card(span_cut_word(&rest), &kit->view.taken);
}

/* put SEAT:CELL CARD OLD */
static void hear_put(struct kit *kit, struct span rest)
{
    hear_kept(kit, rest);
    kit->view.taken = CARD_NONE;
}

/* tossed SEAT CARD */
static void hear_tossed(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    discard(kit, span_cut_word(&rest));
    kit->view.taken = CARD_NONE;
}

static void hear_returned(struct kit *kit, struct span rest)
{
    (void)rest;
    kit->view.hand = CARD_NONE;
}

/* discarded SEAT CARD: what a player had set aside, or what a knocker held */
static void hear_discarded(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    discard(kit, span_cut_word(&rest));
    kit->view.aside = CARD_NONE;
}

/* cleared SEAT:CELL SEAT:CELL SEAT:CELL CARD */
static void hear_cleared(struct kit *kit, struct span rest)
{
    uint8_t seat = SEAT_NONE;
    uint16_t cells = 0;
    unsigned cell;

    for (unsigned i = 0; i < 3; i++) {
        if (read_place(span_cut_word(&rest), &seat, &cell) == 0)
            cells |= CELL_BIT(cell);
    }
    for (unsigned i = 0; i < 3; i++) {
        struct span card = rest;

        discard(kit, span_cut_word(&card));
    }
    kit->cleared = seat == kit->clearer ? kit->cleared | cells : cells;
    kit->clearer = seat;
}

/* Bids. */

static void hear_bid(struct kit *kit, struct span rest, bool has_knocked)
{
    struct view *view = &kit->view;
    uint8_t seat = view->me;
    unsigned cell;

    read_seat(span_cut_word(&rest), &seat);
    if (view->bid_round == 0)
        view->bid_round = 1;
    view->bidders |= (uint8_t)(1U << seat);
    if (has_knocked)
        view->knockers |= (uint8_t)(1U << seat);
    if (read_place(span_cut_word(&rest), &seat, &cell) == 0)
        view->offer[seat] = CELL_BIT(cell);
}

/* passed SEAT */
static void hear_passed(struct kit *kit, struct span rest)
{
    hear_bid(kit, rest, false);
}

/* knocked SEAT [SEAT:CELL] */
static void hear_knocked(struct kit *kit, struct span rest)
{
    hear_bid(kit, rest, true);
}

/* again SEAT NUMBER */
static void hear_again(struct kit *kit, struct span rest)
{
    struct view *view = &kit->view;

    span_cut_word(&rest);
    read_small(span_cut_word(&rest), &view->bid_round);
    view->bidders = 0;
    view->knockers = 0;
    memset(view->offer, 0, sizeof view->offer);
}

/* accepted SEAT KNOCKER */
static void hear_accepted(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    read_seat(span_cut_word(&rest), &kit->view.knocker);
}

/* The moment of a question. */

static void read_totals(struct view *view, struct span rest)
{
    for (unsigned seat = 0; seat < view->seats && rest.start != NULL; seat++)
        view->total_halves[seat] = (int32_t)read_halves(span_cut(&rest, ','));
}

static void read_table_pair(struct view *view, const struct pair *pair)
{
    const struct {
        const char *name;
        uint8_t *number;
    } numbers[] = {
        {"round", &view->round},     {"dealer", &view->dealer},         {"active", &view->active},
        {"draw", &view->draw_count}, {"discard", &view->discard_count},
    };

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (span_is(pair->name, numbers[i].name))
            read_small(pair->value, numbers[i].number);
    }
    if (span_is(pair->name, "turn")) {
        view->turn = (uint16_t)read_number(pair->value, 0, UINT16_MAX, view->turn);
    } else if (span_is(pair->name, "top")) {
        view->discard_top = CARD_NONE;
        read_card(pair->value, &view->discard_top);
    } else if (span_is(pair->name, "trigger")) {
        view->trigger = SEAT_NONE;
        read_seat(pair->value, &view->trigger);
        view->is_final = view->trigger != SEAT_NONE;
    } else if (span_is(pair->name, "totals")) {
        read_totals(view, pair->value);
    }
}

static void hear_table(struct kit *kit, struct span rest)
{
    struct pair pair;

    while (next_pair(&rest, &pair))
        read_table_pair(&kit->view, &pair);
    if (kit->view.active >= RULES_SEATS_MAX)
        kit->view.active = 0;
}

static int8_t read_face(struct span word)
{
    int8_t card = VIEW_DOWN;

    if (span_is(word, "."))
        return VIEW_GAP;
    if (span_is(word, "_"))
        return VIEW_HOLE;
    card_read(word, &card);
    return card;
}

/* display SEAT a,b,c,d,e/… */
static void hear_display(struct kit *kit, struct span rest)
{
    uint8_t seat = 0;
    struct span rows;

    read_seat(span_cut_word(&rest), &seat);
    rows = span_cut_word(&rest);
    for (unsigned cell = 0; cell < CELL_COUNT && rows.start != NULL; cell++) {
        char end = cell % CELL_COLUMNS == CELL_COLUMNS - 1 ? '/' : ',';

        kit->view.face[seat][cell] = read_face(span_cut(&rows, end));
    }
}

/* legal ANSWER|ANSWER|… */
static void hear_legal(struct kit *kit, struct span rest)
{
    struct legal *legal = &kit->legal;

    legal->count = 0;
    while (rest.start != NULL && legal->count < LEGAL_MAX) {
        if (answer_read(span_cut(&rest, '|'), &legal->list[legal->count]) == 0)
            legal->count++;
    }
}

static uint8_t read_step(struct span word)
{
    static const char *const names[] = {
        [CLEAR_START] = "start", [CLEAR_MOVE] = "move",     [CLEAR_KNOCK1] = "knock1",
        [CLEAR_SWAP] = "swap",   [CLEAR_KNOCK2] = "knock2", [CLEAR_END] = "end",
    };

    for (unsigned i = CLEAR_START; i < ARRAY_LEN(names); i++) {
        if (span_is(word, names[i]))
            return (uint8_t)i;
    }
    return CLEAR_NOTHING;
}

static uint16_t present_cells(const struct view *view)
{
    uint16_t present = 0;

    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        if (view->face[view->me][cell] != VIEW_GAP)
            present |= CELL_BIT(cell);
    }
    return present;
}

/* What the question is about. */
static void read_matter(struct kit *kit, struct span rest)
{
    struct view *view = &kit->view;
    struct pair pair;

    while (next_pair(&rest, &pair)) {
        if (span_is(pair.name, "drawn"))
            read_card(pair.value, &view->drawn);
        else if (span_is(pair.name, "hand"))
            read_card(pair.value, &view->hand);
        else if (span_is(pair.name, "taken"))
            read_card(pair.value, &view->taken);
        else if (span_is(pair.name, "knocker"))
            read_seat(pair.value, &view->knocker);
        else if (span_is(pair.name, "bidding"))
            read_small(pair.value, &view->bid_round);
        else if (span_is(pair.name, "step"))
            view->clear_step = read_step(pair.value);
    }
    if (view->clear_step != CLEAR_NOTHING) {
        view->clear_start = present_cells(view);
        view->clear_start |= kit->clearer == view->me ? kit->cleared : 0;
    }
}

/* Chooses, and writes "ID ANSWER". */
static void reply_to(struct kit *kit, struct span id, struct text *reply)
{
    struct answer answer = kit->choose(&kit->view, &kit->legal, kit);

    text_add_bytes(reply, id.start, id.length);
    text_add_char(reply, ' ');
    answer_write(reply, answer);
    text_add_char(reply, '\n');
}

/* ask ID WHAT MS … */
static void hear_ask(struct kit *kit, struct span rest, struct text *reply)
{
    enum question question = QUESTION_NONE;
    struct span id = span_cut_word(&rest);

    question_read(span_cut_word(&rest), &question);
    kit->view.question = (uint8_t)question;
    kit->limit_ms = read_number(span_cut_word(&rest), 0, 1000000000, 0);
    read_matter(kit, rest);
    if (kit->legal.count > 0)
        reply_to(kit, id, reply);
    kit->legal.count = 0;
    kit->view.question = QUESTION_NONE;
    kit->view.clear_step = CLEAR_NOTHING;
    kit->view.clear_start = 0;
}

/* Lines. */

typedef void hear_fn(struct kit *kit, struct span rest);

struct notice {
    const char *word;
    hear_fn *hear;
    bool is_event; /* something happened, and a clear step that was going on may be over */
};

static const struct notice notices[] = {
    {"match", hear_match, true},
    {"rules", hear_rules, true},
    {"table", hear_table, false},
    {"display", hear_display, false},
    {"legal", hear_legal, false},
    {"round", hear_round, true},
    {"reshuffled", hear_reshuffled, true},
    {"turn", hear_turn, true},
    {"final", hear_final, true},
    {"drew", hear_drew, true},
    {"kept", hear_kept, true},
    {"dropped", hear_dropped, true},
    {"placed", hear_placed, true},
    {"took", hear_took, true},
    {"put", hear_put, true},
    {"tossed", hear_tossed, true},
    {"returned", hear_returned, true},
    {"discarded", hear_discarded, true},
    {"cleared", hear_cleared, false},
    {"passed", hear_passed, true},
    {"knocked", hear_knocked, true},
    {"again", hear_again, true},
    {"accepted", hear_accepted, true},
};

static void hear_notice(struct kit *kit, struct span word, struct span rest)
{
    for (size_t i = 0; i < ARRAY_LEN(notices); i++) {
        if (!span_is(word, notices[i].word))
            continue;
        if (notices[i].is_event)
            kit->clearer = SEAT_NONE;
        notices[i].hear(kit, rest);
        return;
    }
}

void kit_hear(struct kit *kit, struct span line, struct text *reply)
{
    struct span rest = line;
    struct span word = span_cut(&rest, ' ');

    if (rest.start == NULL)
        rest = (struct span){"", 0};
    if (span_is(word, "ask")) {
        hear_ask(kit, rest, reply);
    } else if (span_is(word, "allegra")) {
        text_add(reply, "hello ");
        text_add(reply, kit->name);
        text_add(reply, " legal=on reuse=on\n");
    } else if (span_is(word, "bye")) {
        kit->is_over = true;
    } else {
        hear_notice(kit, word, rest);
    }
}

/* Input and output. */

static int write_all(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);

        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

/* Hears one line and sends the reply, if there is one. */
static int take_line(struct kit *kit, struct span line)
{
    char buffer[REPLY_MAX];
    struct text reply;

    if (line.length > 0 && line.start[line.length - 1] == '\r')
        line.length--;
    text_start(&reply, buffer, sizeof buffer);
    kit_hear(kit, line, &reply);
    return write_all(buffer, reply.length);
}

/* Takes all complete lines of `input` and returns how many bytes are left over, moved to the front;
 * or -1. */
static ssize_t take_lines(struct kit *kit, char *input, size_t length)
{
    char *start = input;
    char *end;
    size_t left;

    while (!kit->is_over && (end = memchr(start, '\n', length - (size_t)(start - input))) != NULL) {
        if (take_line(kit, (struct span){start, (size_t)(end - start)}) != 0)
            return -1;
        start = end + 1;
    }
    left = length - (size_t)(start - input);
    memmove(input, start, left);
    return left == INPUT_MAX ? 0 : (ssize_t)left;
}

int kit_run(const char *name, kit_choose_fn *choose)
{
    static struct kit kit;
    static char input[INPUT_MAX];
    ssize_t length = 0;

    kit_start(&kit, name, choose);
    while (!kit.is_over) {
        ssize_t got = read(STDIN_FILENO, input + length, INPUT_MAX - (size_t)length);

        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return 1;
        length = take_lines(&kit, input, (size_t)(length + got));
        if (length < 0)
            return 1;
    }
    return 0;
}
