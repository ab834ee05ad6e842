/* Numbers are made with a decimal point, and the point becomes the mark of the language. Digits are
 * grouped as the pages of the daemon group them: in Spanish only from 10 000. */

#include "tournament/report/report_language.h"

#include "base/text.h"
#include "tournament/report/escape_print.h"

static const struct {
    const char *code;
    const char *name;
    char decimal_mark;
    const char *group_mark;
    unsigned grouped_digits; /* the least number of digits that are grouped */
    const char *first;       /* what follows the number in "1st" */
    const char *nth;         /* in other ordinal numbers; English has more of them */
    const char *to;          /* between the two ranks of a range */
} languages[REPORT_LANGUAGE_COUNT] = {
    [REPORT_ENGLISH] = {"en", "English", '.', ",", 4, "st", "th", " to "},
    [REPORT_GERMAN] = {"de", "Deutsch", ',', ".", 4, ".", ".", " bis "},
    [REPORT_DUTCH] = {"nl", "Nederlands", ',', ".", 4, "e", "e", " t/m "},
    [REPORT_FRENCH] = {"fr", "Français", ',', "\u202f", 4, "er", "e", " à "},
    [REPORT_SPANISH] = {"es", "Español", ',', ".", 5, ".º", ".º", " a "},
};

const char *report_language_code(enum report_language language)
{
    return languages[language].code;
}

const char *report_language_name(enum report_language language)
{
    return languages[language].name;
}

enum report_language report_language_find(const char *code)
{
    unsigned language = 0;

    while (language < REPORT_LANGUAGE_COUNT && strcmp(languages[language].code, code) != 0)
        language++;
    return (enum report_language)language;
}

static void use_decimal_mark(enum report_language language, char *number)
{
    char *point = strchr(number, '.');

    if (point != NULL)
        *point = languages[language].decimal_mark;
}

struct report_number report_language_decimal(enum report_language language, double value,
                                             unsigned digits)
{
    struct report_number number;
    struct text text;

    text_start(&text, number.text, sizeof number.text);
    if (!text_add_decimal(&text, value, digits))
        text_add(&text, "–");
    use_decimal_mark(language, number.text);
    return number;
}

struct report_number report_language_signed(enum report_language language, double value)
{
    struct report_number plain = report_language_decimal(language, value, 0);
    struct report_number number;
    struct text text;

    text_start(&text, number.text, sizeof number.text);
    text_add(&text, value >= 0.5 && plain.text[0] >= '0' && plain.text[0] <= '9' ? "+" : "");
    text_add(&text, plain.text);
    return number;
}

struct report_number report_language_count(enum report_language language, unsigned long count)
{
    char digits[24];
    struct report_number number;
    struct text text;
    size_t length;

    text_start(&text, digits, sizeof digits);
    text_printf(&text, "%lu", count);
    length = text.length;
    text_start(&text, number.text, sizeof number.text);
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && length >= languages[language].grouped_digits)
            text_add(&text, languages[language].group_mark);
        text_add_char(&text, digits[i]);
    }
    return number;
}

/* In English 1st, 2nd, 3rd, 4th, …; 11th, 12th, 13th; 21st. */
static const char *ordinal_end(enum report_language language, unsigned rank)
{
    static const char *const english[] = {[1] = "st", [2] = "nd", [3] = "rd"};

    if (language == REPORT_ENGLISH && rank % 10 >= 1 && rank % 10 <= 3 && rank / 10 % 10 != 1)
        return english[rank % 10];
    return rank == 1 ? languages[language].first : languages[language].nth;
}

struct report_number report_language_ranks(enum report_language language, struct rank_range ranks)
{
    struct report_number number;
    struct text text;

    text_start(&text, number.text, sizeof number.text);
    if (ranks.best > 0)
        text_printf(&text, "%u%s", ranks.best, ordinal_end(language, ranks.best));
    if (ranks.worst > ranks.best)
        text_printf(&text, "%s%u%s", languages[language].to, ranks.worst,
                    ordinal_end(language, ranks.worst));
    return number;
}

struct report_number report_language_time(enum report_language language, int64_t value_us)
{
    struct escape_print_time time = escape_print_time_html(value_us);
    struct report_number number;
    struct text text;

    text_start(&text, number.text, sizeof number.text);
    text_add(&text, time.text);
    use_decimal_mark(language, number.text);
    return number;
}
