/* A bot for ALLEGRA that keeps low cards and collects triples; nothing but standard C.
 *
 * The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
 * us something; a line that begins with `ask` needs an answer. We ask for the list of all legal
 * answers, score each one, and send the best. To make a better player, change mark(). */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEATS_MAX 6
#define COLUMNS 5
#define ROWS 3
#define CELLS (COLUMNS * ROWS)
#define LINE_MAX_BYTES 4096

/* What is in a cell: a card from -1 to 11, or one of these. */
enum { DOWN = 100, GAP, HOLE };

#define UNSEEN_POINTS 5 /* about the mean of all cards */
#define BARGAIN 4       /* the top of the discard pile must save us this much */
#define DISASTER 20     /* we end the round and others have fewer points */

/* What the referee has told us. Cells count A1 B1 ... E1 A2 ... E3. */
struct table {
    int seats;
    int seat; /* ours */
    int top;  /* of the discard pile */
    int displays[SEATS_MAX][CELLS];
    char legal[LINE_MAX_BYTES]; /* the legal answers to the next question, with | between them */
};

/* Finds `key` among `key=value` fields, and reads its number. */
static int number_of(const char *words, const char *key, int otherwise)
{
    size_t length = strlen(key);

    for (const char *at = words; (at = strstr(at, key)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && at[length] == '=')
            return atoi(at + length + 1);
    return otherwise;
}

static int cell_of(const char *text)
{
    int cell = (text[0] - 'A') + (text[1] - '1') * COLUMNS;

    return cell >= 0 && cell < CELLS ? cell : 0;
}

/* What a cell counts: an unseen card as much as the mean, a gap nothing. */
static int points(int face)
{
    return face == DOWN ? UNSEEN_POINTS : face >= GAP ? 0 : face;
}

static int total(const int *display)
{
    int sum = 0;

    for (int cell = 0; cell < CELLS; cell++)
        sum += points(display[cell]);
    return sum;
}

/* How many of three cells, other than `cell`, show the card; 0 if `cell` is none of them, or if one
 * is a gap. */
static int count_equal(const int *display, const int *cells, int card, int cell)
{
    int equal = 0;
    int found = 0;

    for (int i = 0; i < 3; i++) {
        if (display[cells[i]] == GAP)
            return 0;
        found |= cells[i] == cell;
        equal += cells[i] != cell && display[cells[i]] == card;
    }
    return found ? equal : 0;
}

/* The most equal cards that a card would meet in a cell: 2 make a triple. Gaps in a row do not
 * separate cards. */
static int matches(const int *display, int card, int cell)
{
    int column = cell % COLUMNS;
    int row = cell - column;
    int cells[COLUMNS];
    int count = 0;
    int most =
        count_equal(display, (int[]){column, column + COLUMNS, column + 2 * COLUMNS}, card, cell);

    for (int i = row; i < row + COLUMNS; i++)
        if (display[i] != GAP)
            cells[count++] = i;
    for (int i = 0; i + 3 <= count; i++) {
        int equal = count_equal(display, cells + i, card, cell);

        most = equal > most ? equal : most;
    }
    return most;
}

/* The points that we save by putting a card into a cell. A pair may become a triple. */
static double gain(const int *display, int card, int cell)
{
    const double bonus[] = {0, 0.5 * card, 3.0 * card};

    return points(display[cell]) - card + bonus[matches(display, card, cell)];
}

static double best_gain(const int *display, int card)
{
    double best = -100;

    for (int cell = 0; cell < CELLS; cell++)
        if (display[cell] < GAP && gain(display, card, cell) > best)
            best = gain(display, card, cell);
    return best;
}

/* What turning up a cell costs beyond its points, if it ends the round and we do not lead. */
static double price_of_ending(const struct table *table, int cell, double gained)
{
    const int *own = table->displays[table->seat];

    for (int other = 0; other < CELLS; other++)
        if ((own[other] == DOWN) != (other == cell))
            return 0;
    for (int seat = 0; seat < table->seats; seat++)
        if (seat != table->seat && total(table->displays[seat]) <= total(own) - gained)
            return DISASTER;
    return 0;
}

/* Whoever accepts our knock takes the best of our cards, so the drawn one has to make a triple. */
static double mark_knock(const int *own, int card, const char *cell)
{
    int lowest = UNSEEN_POINTS;

    if (*cell == '\0' || matches(own, card, cell_of(cell)) < 2)
        return -1;
    for (int i = 0; i < CELLS; i++)
        lowest = own[i] < lowest ? own[i] : lowest;
    return 2 * card + lowest - 3;
}

static double mark_accept(const int *own, const int *knocker)
{
    double best = 0;

    for (int cell = 0; cell < CELLS; cell++) {
        double gained = knocker[cell] >= GAP ? 0 : best_gain(own, points(knocker[cell]));

        best = gained > best ? gained : best;
    }
    return best;
}

static bool is(const char *word, const char *other)
{
    return strcmp(word, other) == 0;
}

/* How good an answer is, in points. `about` is the end of the question: `drawn=3 from=pile`. */
static double mark(const struct table *table, const char *about, const char *answer)
{
    const int *own = table->displays[table->seat];
    int card = number_of(about, "drawn", number_of(about, "taken", 0));
    char verb[16] = "";
    char where[16] = ""; /* "B3", "2", "2:B3", or nothing */

    sscanf(answer, "%15s %15s", verb, where);
    if (is(verb, "keep") || is(verb, "place") || is(verb, "put")) {
        double gained = gain(own, card, cell_of(where));

        return gained - price_of_ending(table, cell_of(where), gained);
    }
    if (is(verb, "drop"))
        return -price_of_ending(table, cell_of(where), 0);
    if (is(verb, "discard"))
        return best_gain(own, table->top);
    if (is(verb, "pile"))
        return BARGAIN;
    if (is(verb, "knock"))
        return mark_knock(own, card, where);
    if (is(verb, "accept"))
        return mark_accept(own, table->displays[atoi(where) % SEATS_MAX]);
    if (is(verb, "decline"))
        return best_gain(own, card) + 3;
    if (is(verb, "again"))
        return -1;
    if (is(verb, "take"))
        return best_gain(own, points(table->displays[atoi(where) % SEATS_MAX][cell_of(where + 2)]));
    if (is(verb, "clear"))
        return own[cell_of(where)];
    return 0; /* turn any card, pass, toss, none */
}

/* Chooses the legal answer with the best score. */
static const char *choose(struct table *table, const char *about)
{
    const char *best = "pass";
    double best_mark = -1000;

    for (char *answer = strtok(table->legal, "|"); answer != NULL; answer = strtok(NULL, "|")) {
        double now = mark(table, about, answer);

        if (now > best_mark) {
            best = answer;
            best_mark = now;
        }
    }
    return best;
}

static int read_face(const char *text)
{
    switch (*text) {
    case '?':
        return DOWN;
    case '.':
        return GAP;
    case '_':
        return HOLE;
    default:
        return atoi(text);
    }
}

/* "0 1,?,.,_,4/..." */
static void hear_display(struct table *table, const char *text)
{
    int *display = table->displays[atoi(text) % SEATS_MAX];

    text += 2;
    for (int cell = 0; cell < CELLS && *text != '\0'; cell++) {
        display[cell] = read_face(text);
        text += strcspn(text, ",/");
        text += *text != '\0';
    }
}

static void hear_match(struct table *table, const char *words)
{
    *table = (struct table){
        .seats = number_of(words, "seats", 2) % (SEATS_MAX + 1),
        .seat = number_of(words, "seat", 0) % SEATS_MAX,
    };
    for (int seat = 0; seat < SEATS_MAX; seat++)
        for (int cell = 0; cell < CELLS; cell++)
            table->displays[seat][cell] = DOWN;
}

static void answer_question(struct table *table, const char *rest)
{
    int length = (int)strcspn(rest, " ");

    printf("%.*s %s\n", length, rest, choose(table, rest));
    fflush(stdout);
    table->legal[0] = '\0';
}

/* Takes one line of the referee. We ignore what we do not know. */
static void hear(struct table *table, const char *word, const char *rest)
{
    if (is(word, "allegra")) {
        puts("hello c legal=on events=off reuse=on");
        fflush(stdout);
    } else if (is(word, "match")) {
        hear_match(table, rest);
    } else if (is(word, "table")) {
        table->top = number_of(rest, "top", 0);
    } else if (is(word, "display")) {
        hear_display(table, rest);
    } else if (is(word, "legal")) {
        snprintf(table->legal, sizeof table->legal, "%s", rest);
    } else if (is(word, "ask")) {
        answer_question(table, rest);
    }
}

int main(void)
{
    static struct table table;
    static char line[LINE_MAX_BYTES];

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *rest = line + strcspn(line, " \r\n");

        line[strcspn(line, "\r\n")] = '\0';
        if (*rest != '\0')
            *rest++ = '\0';
        if (is(line, "bye"))
            break;
        hear(&table, line, rest);
    }
    return 0;
}
