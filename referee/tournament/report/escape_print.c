/* The format is written as it is up to each percent sign; each kind of value has its own function,
 * and texts are escaped for the target. The compiler checks the arguments as those of printf, which
 * knows everything that is known here. */

#include "tournament/report/escape_print.h"

#include "base/utf8.h"
#include "base/message.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#define VALUE_MAX 40

/* Where texts go, and how they are escaped there. */
struct target {
    const char *(*entity)(char character); /* what replaces an ASCII character, or NULL */
    bool keeps_lines;                      /* line ends and tabs stay as they are */
    const char *dash;                      /* for a number that is not finite */
};

static const char *entity_plain(char character)
{
    (void)character;
    return NULL;
}

static const char *entity_html(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static const char *entity_csv(char character)
{
    return character == '"' ? "\"\"" : NULL;
}

static const struct target plain = {entity_plain, false, "-"};
static const struct target html = {entity_html, false, "\xe2\x80\x93"};
static const struct target csv = {entity_csv, true, ""};

/* Characters that are not visible but change how others look: control characters, zero widths,
 * marks of direction, line separators, tags, private and invalid ones. */
static bool is_hidden(uint32_t number)
{
    static const struct range {
        uint32_t least, most;
    } hidden[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
        {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
        {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0x10ffff},
    };

    for (size_t i = 0; i < ARRAY_LEN(hidden); i++)
        if (number >= hidden[i].least && number <= hidden[i].most)
            return true;
    return false;
}

/* One character; or one byte that is not a character, if `length` is 0. */
static void put_character(FILE *file, const struct target *target, const char *bytes, size_t length)
{
    const uint8_t *character = (const uint8_t *)bytes;
    uint32_t number = length > 0 ? utf8_code_point(character, length) : character[0];
    const char *entity = length == 1 ? target->entity(*bytes) : NULL;
    bool is_line = number == '\n' || number == '\r' || number == '\t';

    if (entity != NULL)
        fputs(entity, file);
    else if (length == 0 || (is_hidden(number) && !(is_line && target->keeps_lines)))
        fprintf(file, number < 0x100 ? "\\x%02x" : "\\u{%x}", (unsigned)number);
    else
        fwrite(bytes, 1, length, file);
}

static void put_text(FILE *file, const struct target *target, const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        size_t length = utf8_length((const uint8_t *)text, left);
        size_t step = length > 0 ? length : 1;

        put_character(file, target, text, length);
        text += step;
        left -= step;
    }
}

static void put_decimal(FILE *file, const char *dash, double value, unsigned digits)
{
    char buffer[VALUE_MAX];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    fputs(text_add_decimal(&text, value, digits) ? buffer : dash, file);
}

/* The arguments are in a struct because a va_list cannot be passed on and then used again. */
struct printing {
    FILE *file;
    const struct target *target;
    va_list arguments;
};

/* Writes the next value. `form` is what follows the percent sign; returns what follows the form. */
static const char *put_value(struct printing *printing, const char *form)
{
    unsigned digits = 0;

    if (form[0] == '.') {
        digits = (unsigned)(form[1] - '0');
        form += 2;
    }
    if (form[0] == 's')
        put_text(printing->file, printing->target, va_arg(printing->arguments, const char *));
    else if (form[0] == 'f')
        put_decimal(printing->file, printing->target->dash, va_arg(printing->arguments, double),
                    digits);
    else if (form[0] == 'u')
        fprintf(printing->file, "%u", va_arg(printing->arguments, unsigned));
    else if (form[0] == 'd')
        fprintf(printing->file, "%d", va_arg(printing->arguments, int));
    else if (form[0] == 'l' && form[1] == 'u')
        fprintf(printing->file, "%lu", va_arg(printing->arguments, unsigned long));
    else if (form[0] == 'l' && form[1] == 'd')
        fprintf(printing->file, "%ld", va_arg(printing->arguments, long));
    else if (form[0] == '%')
        fputc('%', printing->file);
    else
        fatal("a report has an unknown format: %%%s", form);
    return form + (form[0] == 'l' ? 2 : 1);
}

static void put_all(struct printing *printing, const char *format)
{
    for (;;) {
        const char *percent = strchrnul(format, '%');

        fwrite(format, 1, (size_t)(percent - format), printing->file);
        if (*percent == '\0')
            return;
        format = put_value(printing, percent + 1);
    }
}

void escape_print_plain(FILE *file, const char *format, ...)
{
    struct printing printing = {.file = file, .target = &plain};

    va_start(printing.arguments, format);
    put_all(&printing, format);
    va_end(printing.arguments);
}

void escape_print_html(FILE *file, const char *format, ...)
{
    struct printing printing = {.file = file, .target = &html};

    va_start(printing.arguments, format);
    put_all(&printing, format);
    va_end(printing.arguments);
}

void escape_print_csv_text(FILE *file, const char *text)
{
    bool is_formula = text[0] != '\0' && strchr("=+-@\t\r\n", text[0]) != NULL;
    bool is_quoted = text[strcspn(text, ",\"\r\n\t")] != '\0';

    if (is_quoted)
        fputc('"', file);
    if (is_formula)
        fputc('\'', file);
    put_text(file, &csv, text);
    if (is_quoted)
        fputc('"', file);
}

void escape_print_csv_number(FILE *file, double value, unsigned digits)
{
    put_decimal(file, csv.dash, value, digits);
}

enum unit { UNIT_US, UNIT_MS, UNIT_S, UNIT_COUNT };

static struct escape_print_time time_in_units(int64_t value_us, const char *const names[UNIT_COUNT])
{
    static const double sizes_us[UNIT_COUNT] = {1, 1e3, 1e6};
    double value = (double)value_us;
    struct escape_print_time time;
    struct text text;
    size_t unit = UNIT_US;

    while (unit < UNIT_S && value >= 999.5 * sizes_us[unit])
        unit++;
    text_start(&text, time.text, sizeof time.text);
    text_add_decimal(&text, value / sizes_us[unit],
                     unit > UNIT_US && value < 9.95 * sizes_us[unit] ? 1 : 0);
    text_add(&text, names[unit]);
    return time;
}

struct escape_print_time escape_print_time(int64_t value_us)
{
    static const char *const names[UNIT_COUNT] = {"us", "ms", "s"};

    return time_in_units(value_us, names);
}

struct escape_print_time escape_print_time_html(int64_t value_us)
{
    static const char *const names[UNIT_COUNT] = {" \xc2\xb5s", " ms", " s"};

    return time_in_units(value_us, names);
}
