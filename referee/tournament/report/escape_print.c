/* A format is cut at its percent signs. What lies between goes out as it is; each value is written
 * by a function of its own, and words by the one of the dialect. The compiler checks the arguments
 * as those of printf, which also has all that is known here. */

#include "tournament/report/escape_print.h"

#include "base/utf8.h"
#include "base/message.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#define VALUE_MAX 40

/* Where words go, and what that asks for. */
struct dialect {
    const char *(*entity)(char letter); /* what stands for an ASCII letter; NULL: itself */
    bool keeps_lines;                   /* line ends and tabs stay what they are */
    const char *dash;                   /* for a number that is none */
};

static const char *entity_plain(char letter)
{
    (void)letter;
    return NULL;
}

static const char *entity_html(char letter)
{
    switch (letter) {
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

static const char *entity_csv(char letter)
{
    return letter == '"' ? "\"\"" : NULL;
}

static const struct dialect plain = {entity_plain, false, "-"};
static const struct dialect html = {entity_html, false, "\xe2\x80\x93"};
static const struct dialect csv = {entity_csv, true, ""};

/* Letters that are not seen themselves but change how others look: control characters, zero widths,
 * marks of direction, line separators, tags, private and impossible ones. */
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

/* One letter; or one byte that is none, then `length` is 0. */
static void put_letter(FILE *file, const struct dialect *dialect, const char *bytes, size_t length)
{
    const uint8_t *letter = (const uint8_t *)bytes;
    uint32_t number = length > 0 ? utf8_code_point(letter, length) : letter[0];
    const char *entity = length == 1 ? dialect->entity(*bytes) : NULL;
    bool is_line = number == '\n' || number == '\r' || number == '\t';

    if (entity != NULL)
        fputs(entity, file);
    else if (length == 0 || (is_hidden(number) && !(is_line && dialect->keeps_lines)))
        fprintf(file, number < 0x100 ? "\\x%02x" : "\\u{%x}", (unsigned)number);
    else
        fwrite(bytes, 1, length, file);
}

static void put_words(FILE *file, const struct dialect *dialect, const char *words)
{
    for (size_t left = strlen(words); left > 0;) {
        size_t length = utf8_length((const uint8_t *)words, left);
        size_t step = length > 0 ? length : 1;

        put_letter(file, dialect, words, length);
        words += step;
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

/* The arguments are in a struct because a va_list itself cannot be handed on and then used
 * further. */
struct job {
    FILE *file;
    const struct dialect *dialect;
    va_list arguments;
};

/* Writes the next value. `form` is what follows the percent sign; returns what follows it. */
static const char *put_value(struct job *job, const char *form)
{
    unsigned digits = 0;

    if (form[0] == '.') {
        digits = (unsigned)(form[1] - '0');
        form += 2;
    }
    if (form[0] == 's')
        put_words(job->file, job->dialect, va_arg(job->arguments, const char *));
    else if (form[0] == 'f')
        put_decimal(job->file, job->dialect->dash, va_arg(job->arguments, double), digits);
    else if (form[0] == 'u')
        fprintf(job->file, "%u", va_arg(job->arguments, unsigned));
    else if (form[0] == 'd')
        fprintf(job->file, "%d", va_arg(job->arguments, int));
    else if (form[0] == 'l' && form[1] == 'u')
        fprintf(job->file, "%lu", va_arg(job->arguments, unsigned long));
    else if (form[0] == 'l' && form[1] == 'd')
        fprintf(job->file, "%ld", va_arg(job->arguments, long));
    else if (form[0] == '%')
        fputc('%', job->file);
    else
        fatal("a report was put together wrongly: %%%s", form);
    return form + (form[0] == 'l' ? 2 : 1);
}

static void put_all(struct job *job, const char *format)
{
    for (;;) {
        const char *percent = strchrnul(format, '%');

        fwrite(format, 1, (size_t)(percent - format), job->file);
        if (*percent == '\0')
            return;
        format = put_value(job, percent + 1);
    }
}

void escape_print_plain(FILE *file, const char *format, ...)
{
    struct job job = {.file = file, .dialect = &plain};

    va_start(job.arguments, format);
    put_all(&job, format);
    va_end(job.arguments);
}

void escape_print_html(FILE *file, const char *format, ...)
{
    struct job job = {.file = file, .dialect = &html};

    va_start(job.arguments, format);
    put_all(&job, format);
    va_end(job.arguments);
}

void escape_print_csv_text(FILE *file, const char *words)
{
    bool is_formula = words[0] != '\0' && strchr("=+-@\t\r\n", words[0]) != NULL;
    bool is_quoted = words[strcspn(words, ",\"\r\n\t")] != '\0';

    if (is_quoted)
        fputc('"', file);
    if (is_formula)
        fputc('\'', file);
    put_words(file, &csv, words);
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
    text_start(&text, time.words, sizeof time.words);
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
