/* Cells are written one after the other into a stream in memory, each ended by a NUL, and measured
 * when all are there. Widths count characters of UTF-8, each taken as one column of the screen. */

#include "tournament/report/text_grid.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LEAST 12

struct text_grid {
    const char *columns;
    size_t column_count;
    size_t cell_count;
    FILE *stream;
    char *bytes;
    size_t size;
    size_t *widths;
    size_t pending; /* spaces to write if something follows them in the line */
};

struct text_grid *text_grid_new(const char *columns)
{
    struct text_grid *grid = xcalloc(1, sizeof *grid);

    grid->columns = columns;
    grid->column_count = strlen(columns);
    grid->widths = xcalloc(grid->column_count, sizeof *grid->widths);
    grid->stream = open_memstream(&grid->bytes, &grid->size);
    return grid;
}

void text_grid_free(struct text_grid *grid)
{
    if (grid == NULL)
        return;
    if (grid->stream != NULL)
        fclose(grid->stream);
    free(grid->bytes);
    free(grid->widths);
    free(grid);
}

FILE *text_grid_cell(struct text_grid *grid)
{
    if (grid->cell_count++ > 0)
        fputc('\0', grid->stream);
    return grid->stream;
}

static bool is_character_start(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t count_characters(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; text++)
        count += (size_t)is_character_start(*text);
    return count;
}

static void measure(struct text_grid *grid, unsigned width)
{
    size_t all = grid->column_count - 1;
    const char *cell = grid->bytes;

    for (size_t i = 0; i < grid->cell_count; i++, cell += strlen(cell) + 1) {
        size_t *widest = &grid->widths[i % grid->column_count];
        size_t characters = count_characters(cell);

        *widest = characters > *widest ? characters : *widest;
    }
    for (size_t column = 0; column < grid->column_count; column++)
        all += grid->widths[column];
    for (size_t column = 0; column < grid->column_count; column++) {
        size_t *name = &grid->widths[column];
        size_t excess = width > 0 && all > width ? all - width : 0;

        if (grid->columns[column] == 'n' && excess > 0 && *name > NAME_LEAST)
            *name = *name > NAME_LEAST + excess ? *name - excess : NAME_LEAST;
    }
}

static void put_spaces(struct text_grid *grid, FILE *file)
{
    for (; grid->pending > 0; grid->pending--)
        fputc(' ', file);
}

static void put_cut(FILE *file, const char *cell, size_t width)
{
    for (size_t characters = 0; *cell != '\0'; cell++) {
        characters += (size_t)is_character_start(*cell);
        if (characters == width)
            break;
        fputc(*cell, file);
    }
    fputc('~', file);
}

static void put_cell(struct text_grid *grid, FILE *file, size_t column, const char *cell)
{
    size_t width = grid->widths[column];
    size_t characters = count_characters(cell);
    size_t room = characters < width ? width - characters : 0;
    bool is_right = grid->columns[column] == 'r';

    grid->pending += is_right ? room : 0;
    if (characters > 0)
        put_spaces(grid, file);
    if (characters > width)
        put_cut(file, cell, width);
    else
        fputs(cell, file);
    grid->pending += (is_right ? 0 : room) + 1;
    if (column + 1 == grid->column_count) {
        fputc('\n', file);
        grid->pending = 0;
    }
}

void text_grid_print(struct text_grid *grid, FILE *file, unsigned width)
{
    const char *cell;

    fputc('\0', text_grid_cell(grid));
    fclose(grid->stream);
    grid->stream = NULL;
    grid->cell_count = (grid->cell_count - 1) / grid->column_count * grid->column_count;
    measure(grid, width);
    cell = grid->bytes;
    for (size_t i = 0; i < grid->cell_count; i++, cell += strlen(cell) + 1)
        put_cell(grid, file, i % grid->column_count, cell);
}
