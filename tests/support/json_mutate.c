/* Readers of records check from outside to inside: JSON, then kinds and ranges of members, then
 * what follows from other records. Random bytes end at the first of these; so whole values are
 * replaced here, and whole lines copied and removed. */

#include "support/json_mutate.h"

#include "base/text.h"
#include "game/allegra.h"

#include <stdbool.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Values at the edges of what readers expect, and of other kinds than they expect. */
static const char *const values[] = {
    "0",
    "1",
    "-1",
    "2",
    "31",
    "32",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "1000000",
    "1000001",
    "9223372036854775807",
    "-9223372036854775808",
    "null",
    "true",
    "false",
    "\"\"",
    "\"x\"",
    "\"0\"",
    "\"7\"",
    "\"-1\"",
    "\"99999999\"",
    "\"swiss\"",
    "\"gauntlet\"",
    "\"all\"",
    "\"single\"",
    "\"rotations\"",
    "\"round-robin\"",
    "\"late\"",
    "\"done\"",
    "\"cancelled\"",
    "[]",
    "{}",
    "[\"x\"]",
    "[0]",
    "[0,0]",
    "[0,1]",
    "[1,0]",
    "[[]]",
    "[[],[]]",
    "[null]",
    "{\"x\":\"y\"}",
    "{\"bot\":0}",
    "[{}]",
    "[[1,2],[3]]",
};

static bool is_end(char byte)
{
    return byte == ',' || byte == '}' || byte == ']' || byte == '\n';
}

/* Where the value that begins at `start` ends: after its bracket or quote, or before a comma. */
static size_t end_of_value(const char *bytes, size_t size, size_t start)
{
    size_t depth = 0;
    bool is_quoted = false;
    size_t at = start;

    for (; at < size && bytes[at] != '\n'; at++) {
        if (is_quoted && bytes[at] == '\\' && at + 1 < size)
            at++;
        else if (bytes[at] == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && (bytes[at] == '[' || bytes[at] == '{'))
            depth++;
        else if (!is_quoted && depth == 0 && is_end(bytes[at]))
            break;
        else if (!is_quoted && (bytes[at] == ']' || bytes[at] == '}'))
            depth--;
    }
    return at;
}

/* Replaces bytes. Returns the new size, or 0 if there is no room. */
static size_t splice(uint8_t *data, size_t size, size_t most, size_t start, size_t end,
                     struct span by)
{
    if (size - (end - start) + by.length > most)
        return 0;
    memmove(data + start + by.length, data + end, size - end);
    memcpy(data + start, by.start, by.length);
    return size - (end - start) + by.length;
}

static size_t replace_value(uint8_t *data, size_t size, size_t most, struct allegra_dice *dice)
{
    size_t from = allegra_dice_below(dice, (unsigned)size);
    struct span value = span_of(values[allegra_dice_below(dice, ARRAY_LEN(values))]);

    for (size_t i = 0; i < size; i++) {
        size_t at = (from + i) % size;

        if (data[at] == ':' || data[at] == '[')
            return splice(data, size, most, at + 1, end_of_value((char *)data, size, at + 1),
                          value);
    }
    return 0;
}

/* The line at a random place. */
static struct span find_line(const uint8_t *data, size_t size, struct allegra_dice *dice)
{
    size_t start = allegra_dice_below(dice, (unsigned)size);
    size_t end = start;

    while (start > 0 && data[start - 1] != '\n')
        start--;
    while (end < size && data[end] != '\n')
        end++;
    return (struct span){(const char *)data + start, end - start};
}

static size_t copy_line(uint8_t *data, size_t size, size_t most, struct allegra_dice *dice)
{
    struct span line = find_line(data, size, dice);
    struct span other = find_line(data, size, dice);
    char copy[4096];
    size_t at = (size_t)(other.start - (const char *)data);

    if (line.length + 1 > sizeof copy)
        return 0;
    memcpy(copy, line.start, line.length);
    copy[line.length] = '\n';
    return splice(data, size, most, at, at, (struct span){copy, line.length + 1});
}

static size_t remove_line(uint8_t *data, size_t size, size_t most, struct allegra_dice *dice)
{
    struct span line = find_line(data, size, dice);
    size_t at = (size_t)(line.start - (const char *)data);
    size_t end = at + line.length + 1;

    return splice(data, size, most, at, end < size ? end : size, (struct span){"", 0});
}

size_t json_mutate(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    unsigned how = allegra_dice_below(&dice, 10);
    size_t changed = 0;

    if (size > 0 && how < 6)
        changed = replace_value(data, size, most, &dice);
    else if (size > 0 && how < 7)
        changed = copy_line(data, size, most, &dice);
    else if (size > 0 && how < 8)
        changed = remove_line(data, size, most, &dice);
    return changed > 0 ? changed : LLVMFuzzerMutate(data, size, most);
}
