/* A line of a list has words in a fixed order, then keys, or a last column that is the rest of the
 * line. One table has the names and widths of the columns of each list; heads, rows and JSON are
 * made from it. */

#include "cli/client/list_print.h"

#include "base/memory.h"
#include "wire/json_write.h"

#include <math.h>
#include <stdlib.h>

#define CELL_BYTES 1024
#define COLUMNS_MAX 17

struct column {
    const char *name;
    int width;     /* negative: to the left */
    bool is_key;   /* NAME=VALUE, anywhere after the words */
    bool is_rest;  /* the rest of the line */
    bool is_in_ms; /* shown in milliseconds; the daemon sends microseconds */
    bool is_list;  /* separated by commas */
    bool is_only_in_json;
    unsigned decimals; /* of a number that has some */
    const char *head;
};

#define LUCK_COLUMN .is_key = true, .is_only_in_json = true

static const struct column columns[][COLUMNS_MAX] = {
    [LIST_PRINT_JOBS] = {{.name = "job", .width = 6},
                         {.name = "state", .width = -9},
                         {.name = "user", .width = -12},
                         {.name = "kind", .width = -10},
                         {.name = "decided", .width = 11},
                         {.name = "title", .width = -1, .is_rest = true}},
    [LIST_PRINT_BOTS] =
        {{.name = "name", .width = -20},
         {.name = "version", .width = 7},
         {.name = "user", .width = -12},
         {.name = "kind", .width = -7},
         {.name = "matches", .width = 8, .is_key = true},
         {.name = "wins", .width = 8, .is_key = true},
         {.name = "faults", .width = 7, .is_key = true},
         {.name = "median_us", .width = 10, .is_key = true, .is_in_ms = true, .head = "median ms"},
         {.name = "p99_us", .width = 10, .is_key = true, .is_in_ms = true, .head = "p99 ms"},
         {.name = "build", .width = -7, .is_key = true},
         {.name = "hello", .width = -7, .is_key = true},
         {.name = "check", .width = -7, .is_key = true}},
    [LIST_PRINT_LANGUAGES] = {{.name = "name", .width = -12},
                              {.name = "installed", .width = -9},
                              {.name = "program", .width = -10},
                              {.name = "file", .width = -10, .is_key = true},
                              {.name = "command", .width = -16, .is_key = true},
                              {.name = "build", .width = -1, .is_key = true}},
    [LIST_PRINT_LADDERS] = {{.name = "name", .width = -20},
                            {.name = "state", .width = -6},
                            {.name = "seats", .width = 5, .is_key = true},
                            {.name = "versions", .width = 8, .is_key = true},
                            {.name = "matches", .width = 8, .is_key = true},
                            {.name = "deadline", .width = -20, .is_key = true},
                            {.name = "final", .width = 6, .is_key = true}},
    [LIST_PRINT_LADDER] = {{.name = "ranks", .width = -8},
                           {.name = "name", .width = -20},
                           {.name = "version", .width = 7},
                           {.name = "user", .width = -12},
                           {.name = "rating", .width = 8, .is_key = true, .decimals = 1},
                           {.name = "low", .width = 8, .is_key = true, .decimals = 1},
                           {.name = "high", .width = 8, .is_key = true, .decimals = 1},
                           {.name = "deals", .width = 6, .is_key = true},
                           {.name = "matches", .width = 7, .is_key = true},
                           {.name = "wins", .width = 6, .is_key = true},
                           {.name = "state", .width = -6, .is_key = true},
                           {.name = "gain", LUCK_COLUMN, .decimals = 3},
                           {.name = "allowed", LUCK_COLUMN, .decimals = 3},
                           {.name = "one_in", LUCK_COLUMN},
                           {.name = "suspicious", LUCK_COLUMN},
                           {.name = "evidence", LUCK_COLUMN, .is_list = true}},
    [LIST_PRINT_LADDER_HISTORY] = {{.name = "time", .width = -20},
                                   {.name = "version", .width = 7},
                                   {.name = "ranks", .width = -8},
                                   {.name = "rating", .width = 8, .is_key = true, .decimals = 1},
                                   {.name = "low", .width = 8, .is_key = true, .decimals = 1},
                                   {.name = "high", .width = 8, .is_key = true, .decimals = 1},
                                   {.name = "deals", .width = 6, .is_key = true}},
};

/* One line, split into the columns of its list. */
struct row {
    char cells[COLUMNS_MAX][CELL_BYTES];
};

static void set_cell(struct row *row, unsigned column, struct span value)
{
    struct text text;

    text_start(&text, row->cells[column], sizeof row->cells[column]);
    for (size_t i = 0; i < value.length; i++) {
        bool is_printable = value.start[i] >= ' ' && value.start[i] <= '~';

        text_add_char(&text, is_printable ? value.start[i] : '?');
    }
}

static void set_key(struct row *row, enum list_print_kind list, const char *key, const char *value)
{
    for (unsigned i = 0; i < COLUMNS_MAX && columns[list][i].name != NULL; i++) {
        if (columns[list][i].is_key && strcmp(columns[list][i].name, key) == 0)
            set_cell(row, i, span_of(value));
    }
}

static void read_row(struct row *row, enum list_print_kind list, struct span line)
{
    char key[CELL_BYTES], value[CELL_BYTES];
    struct text key_text, value_text;
    unsigned next = 0;

    memset(row, 0, sizeof *row);
    for (;;) {
        const struct column *column = &columns[list][next];

        if (column->is_rest && line.length > 0) {
            set_cell(row, next, (struct span){line.start + 1, line.length - 1});
            return;
        }
        text_start(&key_text, key, sizeof key);
        text_start(&value_text, value, sizeof value);
        if (!request_reply_cut(&line, &key_text, &value_text))
            return;
        if (key_text.length > 0)
            set_key(row, list, key, value);
        else if (column->name != NULL && !column->is_key)
            set_cell(row, next++, span_of(value));
    }
}

/* A number if it is one that every reader of JSON can represent. */
static void write_value(struct json_writer *json, const char *value)
{
    long number;

    if (span_read_number(span_of(value), -(1L << 53), 1L << 53, &number) == 0)
        json_number(json, number);
    else
        json_text(json, value);
}

static void print_json(FILE *file, struct json_writer *json)
{
    size_t length;
    const char *bytes = json_writer_bytes(json, &length);

    fwrite(bytes, 1, length, file);
    json_writer_free(json);
}

/* "3/12" is two numbers. */
static void write_decided(struct json_writer *json, const char *value)
{
    struct span rest = span_of(value);
    struct span decided = span_cut(&rest, '/');
    long number = 0;

    (void)span_read_number(decided, 0, 1L << 53, &number);
    json_key(json, "decided");
    json_number(json, number);
    number = 0;
    if (rest.start != NULL)
        (void)span_read_number(rest, 0, 1L << 53, &number);
    json_key(json, "matches");
    json_number(json, number);
}

static void write_list(struct json_writer *json, const char *value)
{
    struct span rest = span_of(value);

    json_open_list(json);
    while (rest.start != NULL && rest.length > 0) {
        struct span word = span_cut(&rest, ',');
        char bytes[CELL_BYTES];
        struct text text;

        text_start(&text, bytes, sizeof bytes);
        text_printf(&text, "%.*s", (int)word.length, word.start);
        json_text(json, bytes);
    }
    json_close_list(json);
}

static void write_row(struct json_writer *json, enum list_print_kind list, const struct row *row)
{
    json_open_map(json);
    for (unsigned i = 0; i < COLUMNS_MAX && columns[list][i].name != NULL; i++) {
        const struct column *column = &columns[list][i];

        if (list == LIST_PRINT_JOBS && strcmp(column->name, "decided") == 0) {
            write_decided(json, row->cells[i]);
            continue;
        }
        if (column->is_key && row->cells[i][0] == '\0')
            continue;
        json_key(json, column->name);
        /* Titles and names may look like numbers. */
        if (column->is_list)
            write_list(json, row->cells[i]);
        else if (column->decimals > 0)
            json_decimal(json,
                         row->cells[i][0] != '-' || row->cells[i][1] != '\0'
                             ? strtod(row->cells[i], NULL)
                             : NAN,
                         column->decimals);
        else if (column->is_key || column->width > 0)
            write_value(json, row->cells[i]);
        else
            json_text(json, row->cells[i]);
    }
    json_close_map(json);
}

static void print_cell(FILE *file, const struct column *column, const char *cell)
{
    char digits[40];
    struct text text;

    text_start(&text, digits, sizeof digits);
    if (column->is_in_ms && cell[0] != '\0') {
        (void)text_add_decimal(&text, strtod(cell, NULL) / 1000, 1);
        cell = digits;
    }
    fprintf(file, "%*s", column->width, cell);
}

static void print_row(FILE *file, enum list_print_kind list, const struct row *row)
{
    for (unsigned i = 0; i < COLUMNS_MAX && columns[list][i].name != NULL; i++) {
        const struct column *column = &columns[list][i];
        const char *head = column->head != NULL ? column->head : column->name;

        if (column->is_only_in_json)
            continue;
        fputs(i > 0 ? "  " : "", file);
        if (row != NULL)
            print_cell(file, column, row->cells[i]);
        else
            fprintf(file, "%*s", column->width, head);
    }
    fputc('\n', file);
}

void list_print(FILE *file, enum list_print_kind list, const char *block, bool is_json)
{
    struct json_writer *json = is_json ? json_writer_new(true) : NULL;
    struct row *row = xcalloc(1, sizeof *row);
    struct span rest = span_of(block);

    if (is_json)
        json_open_list(json);
    else
        print_row(file, list, NULL);
    while (rest.start != NULL && rest.length > 0) {
        read_row(row, list, span_cut(&rest, '\n'));
        if (is_json)
            write_row(json, list, row);
        else
            print_row(file, list, row);
    }
    free(row);
    if (is_json) {
        json_close_list(json);
        print_json(file, json);
    }
}

static const char *cell_of(const struct row *row, enum list_print_kind list, const char *name)
{
    unsigned column = 0;

    while (strcmp(columns[list][column].name, name) != 0)
        column++;
    return row->cells[column];
}

/* "1/2.1,3/4.2" becomes "match 2.1 of job 1, match 4.2 of job 3". */
static void print_evidence(FILE *file, struct span list)
{
    const char *before = "";

    while (list.start != NULL && list.length > 0) {
        struct span match = span_cut(&list, ',');
        struct span job = span_cut(&match, '/');

        if (match.start == NULL)
            continue;
        fprintf(file, "%smatch %.*s of job %.*s", before, (int)match.length, match.start,
                (int)job.length, job.start);
        before = ", ";
    }
}

static void print_suspect(FILE *file, const struct row *row)
{
    const enum list_print_kind list = LIST_PRINT_LADDER;

    fprintf(file,
            "\n%s, version %s, may know the cards: its choices among hidden cards gain %s points "
            "per match, and\nchance allows %s; honest bots have that much luck in at most one of "
            "%s ladders.\nMost of it: ",
            cell_of(row, list, "name"), cell_of(row, list, "version"), cell_of(row, list, "gain"),
            cell_of(row, list, "allowed"), cell_of(row, list, "one_in"));
    print_evidence(file, span_of(cell_of(row, list, "evidence")));
    fputs(".\n", file);
}

void list_print_suspects(FILE *file, const char *block)
{
    struct row *row = xcalloc(1, sizeof *row);
    struct span rest = span_of(block);

    while (rest.start != NULL && rest.length > 0) {
        read_row(row, LIST_PRINT_LADDER, span_cut(&rest, '\n'));
        if (strcmp(cell_of(row, LIST_PRINT_LADDER, "suspicious"), "yes") == 0)
            print_suspect(file, row);
    }
    free(row);
}

void list_print_reply(FILE *file, const struct request_reply *reply, bool is_json)
{
    struct json_writer *json = is_json ? json_writer_new(true) : NULL;
    char key[CELL_BYTES], value[CELL_BYTES];
    struct text key_text, value_text;
    struct span rest = span_of(reply->text);

    if (is_json)
        json_open_map(json);
    for (;;) {
        text_start(&key_text, key, sizeof key);
        text_start(&value_text, value, sizeof value);
        if (!request_reply_cut(&rest, &key_text, &value_text))
            break;
        if (key_text.length == 0)
            continue;
        if (is_json) {
            json_key(json, key);
            write_value(json, value);
        } else {
            fprintf(file, "%-10s %s\n", key, value);
        }
    }
    if (is_json) {
        json_close_map(json);
        print_json(file, json);
    }
}
