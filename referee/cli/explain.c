/* The page is written in game.md, which the assembler puts into the program. It is Markdown, in
 * which a line can begin with a mark in braces. The table of rule keys fills in the rest, so the
 * page cannot claim of an edition what is not so:
 *
 *   {KEY=VALUE} a rule    an item of a list: what this value of the key means. It continues in the
 *                         lines after it that begin with a blank. The editions that have the value
 *                         are added. The page of one edition has only the rules of that edition.
 *   {KEY=*} a rule        the same on the page of one edition, for a value that no other item has:
 *                         `*` in the rule is the value
 *   {others}              the rules that no edition has, which are left out where they stand
 *   {?KEY=VALUE ...}      the rest of the line, if all these values hold: in the edition, or in
 *                         the default one on the page of all; the examples of a variant are those
 *                         of its edition, which have been played
 *   {?all} and {?one}     the rest of the line, on the page of all editions and on that of one
 *   {keys}                all keys with their values */

#include "cli/explain.h"

#include "base/text.h"
#include "game/rules.h"

#include <stdbool.h>
#include <string.h>

#define COLUMNS 100
#define ITEM_MAX 1000
#define VALUE_MAX 80
#define FENCE "```"

__asm__(".pushsection .rodata\nexplain_game:\n.incbin \"referee/cli/game.md\"\n.byte 0\n"
        ".popsection\n");

extern const char explain_game[];

struct page {
    FILE *file;
    const struct allegra_rules *edition; /* NULL: all; or of a variant */
    bool is_example;                     /* this line is in one */
    bool has_reached_others;             /* only the rules that no edition has are printed */
};

static struct allegra_rules rules_of(unsigned edition)
{
    return allegra_rules_of_edition((enum allegra_edition)edition);
}

/* Whether the rules have the value of "key=value". */
static bool has_value(const struct allegra_rules *rules, struct span pair)
{
    struct allegra_rules changed = *rules;
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (rules_set_pair(&changed, pair, &problem) != 0)
        return false;
    for (size_t i = 0; i < rules_key_count(); i++) {
        if (!rules_same_value(rules, &changed, rules_key_at(i)))
            return false;
    }
    return true;
}

static const struct rules_key *key_of(struct span pair)
{
    struct span name = pair.length > 0 ? span_cut(&pair, '=') : pair;

    for (size_t i = 0; i < rules_key_count(); i++) {
        if (span_is(name, rules_key_at(i)->name))
            return rules_key_at(i);
    }
    return NULL;
}

/* Prints words, broken into lines that fit the page; `indent` begins each line but the first. */
static void print_wrapped(const struct page *page, struct span words, const char *indent)
{
    size_t column = 0;

    for (struct span word = span_cut_word(&words); word.length > 0; word = span_cut_word(&words)) {
        if (column > 0 && column + 1 + word.length > COLUMNS) {
            fprintf(page->file, "\n%s", indent);
            column = strlen(indent);
        } else if (column > 0) {
            fputc(' ', page->file);
            column++;
        }
        fprintf(page->file, "%.*s", (int)word.length, word.start);
        column += word.length;
    }
    fputc('\n', page->file);
}

/* A bit for each edition that has the value. */
static unsigned editions_with(struct span pair)
{
    unsigned having = 0;

    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++) {
        struct allegra_rules rules = rules_of(i);

        having |= (unsigned)has_value(&rules, pair) << i;
    }
    return having;
}

/* The editions that have the value: "de2026, en2020", "all editions" or "no edition". */
static void add_editions(struct text *text, unsigned having)
{
    if (having == 0 || having == (1U << ALLEGRA_EDITION_COUNT) - 1) {
        text_add(text, having == 0 ? "no edition" : "all editions");
        return;
    }
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++) {
        if (!(having >> i & 1))
            continue;
        text_add(text, having & ((1U << i) - 1) ? ", " : "");
        text_add(text, allegra_edition_name((enum allegra_edition)i));
    }
}

/* The values that the key can have instead: ", or `may`". */
static void add_others(struct text *text, const struct rules_key *key, struct span pair)
{
    struct span value = pair;

    (void)span_cut(&value, '=');
    if (key == NULL || key->kind != RULES_KEY_NAME)
        return;
    for (unsigned i = 0; i < ARRAY_LEN(key->names) && key->names[i] != NULL; i++) {
        if (span_is(value, key->names[i]))
            continue;
        text_add(text, ", or `");
        text_add(text, key->names[i]);
        text_add_char(text, '`');
    }
}

/* Cuts the mark off a line that has one. */
static struct span cut_mark(struct span *line)
{
    struct span mark;

    if (line->length == 0 || line->start[0] != '{')
        return (struct span){NULL, 0};
    mark = span_cut(line, '}');
    return (struct span){mark.start + 1, mark.length - 1};
}

/* Whether the page has an item for the value that the rules have. */
static bool has_item(const struct allegra_rules *rules, const struct rules_key *key)
{
    struct span rest = span_of(explain_game);

    while (rest.start != NULL && rest.length > 0) {
        struct span line = span_cut(&rest, '\n');
        struct span mark = cut_mark(&line);

        if (key_of(mark) == key && has_value(rules, mark))
            return true;
    }
    return false;
}

static bool is_any_value(struct span pair)
{
    return pair.length > 2 && memcmp(pair.start + pair.length - 2, "=*", 2) == 0;
}

/* Adds a text with the value in place of each `*`. */
static void add_filled(struct text *text, struct span with_stars, const char *value)
{
    for (size_t i = 0; i < with_stars.length; i++) {
        if (with_stars.start[i] == '*')
            text_add(text, value);
        else
            text_add_char(text, with_stars.start[i]);
    }
}

/* One rule as an item of a list, with its key behind it. */
static void print_item(const struct page *page, struct span pair, struct span rule)
{
    char item[ITEM_MAX];
    struct text text;

    if (page->edition != NULL ? !has_value(page->edition, pair)
                              : (editions_with(pair) == 0) != page->has_reached_others)
        return;
    text_start(&text, item, sizeof item);
    text_add(&text, "- ");
    text_add_bytes(&text, rule.start, rule.length);
    text_add(&text, " (`");
    text_add_bytes(&text, pair.start, pair.length);
    text_add_char(&text, '`');
    if (page->edition != NULL) {
        add_others(&text, key_of(pair), pair);
    } else {
        text_add(&text, ": ");
        add_editions(&text, editions_with(pair));
    }
    text_add_char(&text, ')');
    print_wrapped(page, (struct span){item, text.length}, "  ");
}

/* Whether the rest of a line is on this page. */
static bool holds(const struct page *page, struct span condition)
{
    struct allegra_rules rules = page->edition != NULL ? *page->edition : rules_of(0);
    struct span pair;

    if (page->is_example)
        rules = rules_of(rules.edition);
    if (span_is(condition, "all") || span_is(condition, "one"))
        return span_is(condition, "one") == (page->edition != NULL);
    for (pair = span_cut_word(&condition); pair.length > 0; pair = span_cut_word(&condition)) {
        if (!has_value(&rules, pair))
            return false;
    }
    return true;
}

static bool is_same_in_all(const struct rules_key *key)
{
    struct allegra_rules first = rules_of(0);

    for (unsigned i = 1; i < ALLEGRA_EDITION_COUNT; i++) {
        struct allegra_rules other = rules_of(i);

        if (!rules_same_value(&first, &other, key))
            return false;
    }
    return true;
}

/* The keys in which the editions differ, one per line. */
static void print_differences(const struct page *page)
{
    fputs("| key |", page->file);
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++)
        fprintf(page->file, " %s |", allegra_edition_name((enum allegra_edition)i));
    fputs("\n|---|", page->file);
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++)
        fputs("---|", page->file);
    fputc('\n', page->file);
    for (size_t k = 0; k < rules_key_count(); k++) {
        if (is_same_in_all(rules_key_at(k)))
            continue;
        fprintf(page->file, "| `%s` |", rules_key_at(k)->name);
        for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++) {
            struct allegra_rules rules = rules_of(i);
            char value[VALUE_MAX];
            struct text text;

            text_start(&text, value, sizeof value);
            rules_write_value(&text, &rules, rules_key_at(k));
            fprintf(page->file, " %s |", value);
        }
        fputc('\n', page->file);
    }
}

/* "`key=value` `key=value`": all keys of an edition, or those that are the same in all. */
static void print_keys(const struct page *page)
{
    struct allegra_rules rules = page->edition != NULL ? *page->edition : rules_of(0);
    char list[ITEM_MAX];
    struct text text;

    text_start(&text, list, sizeof list);
    if (page->edition == NULL) {
        print_differences(page);
        fputc('\n', page->file);
        text_add(&text, "The same in all editions: ");
    }
    for (size_t i = 0; i < rules_key_count(); i++) {
        if (page->edition == NULL && !is_same_in_all(rules_key_at(i)))
            continue;
        text_add_char(&text, '`');
        text_add(&text, rules_key_at(i)->name);
        text_add_char(&text, '=');
        rules_write_value(&text, &rules, rules_key_at(i));
        text_add(&text, "` ");
    }
    print_wrapped(page, (struct span){list, text.length}, "");
}

/* The line and those after it that begin with a blank. */
static struct span cut_item(struct span line, struct span *rest)
{
    while (rest->start != NULL && rest->length > 0 && rest->start[0] == ' ') {
        struct span next = span_cut(rest, '\n');

        line.length = (size_t)(next.start + next.length - line.start);
    }
    return line;
}

/* All rules that no edition has, wherever they stand. */
static void print_others(struct page page)
{
    struct span rest = span_of(explain_game);

    page.has_reached_others = true;
    while (page.edition == NULL && rest.start != NULL && rest.length > 0) {
        struct span line = span_cut(&rest, '\n');
        struct span mark = cut_mark(&line);

        if (key_of(mark) != NULL && !is_any_value(mark))
            print_item(&page, mark, cut_item(line, &rest));
    }
}

/* The rule for a value that no other item has. */
static void print_any_value(const struct page *page, struct span pair, struct span rule)
{
    const struct rules_key *key = key_of(pair);
    char value[VALUE_MAX], filled_pair[VALUE_MAX + 40], filled_rule[ITEM_MAX];
    struct text text, pair_text, rule_text;

    if (page->edition == NULL || has_item(page->edition, key))
        return;
    text_start(&text, value, sizeof value);
    text_start(&pair_text, filled_pair, sizeof filled_pair);
    text_start(&rule_text, filled_rule, sizeof filled_rule);
    rules_write_value(&text, page->edition, key);
    add_filled(&pair_text, pair, value);
    add_filled(&rule_text, rule, value);
    print_item(page, span_of(filled_pair), span_of(filled_rule));
}

static void print_line(const struct page *page, struct span line, struct span *rest)
{
    struct span mark = cut_mark(&line);

    if (span_is(mark, "keys"))
        print_keys(page);
    else if (span_is(mark, "others"))
        print_others(*page);
    else if (is_any_value(mark))
        print_any_value(page, mark, cut_item(line, rest));
    else if (key_of(mark) != NULL)
        print_item(page, mark, cut_item(line, rest));
    else if (mark.length == 0 || holds(page, (struct span){mark.start + 1, mark.length - 1}))
        fprintf(page->file, "%.*s\n", (int)line.length, line.start);
}

void explain_print(FILE *file, const struct allegra_rules *edition, const char *variant)
{
    struct page page = {.file = file, .edition = edition};
    struct span rest = span_of(explain_game);

    fputs("# The game of ALLEGRA", file);
    if (edition != NULL)
        fprintf(file, ", edition %s", allegra_edition_name((enum allegra_edition)edition->edition));
    if (edition != NULL && variant[0] != '\0')
        fprintf(file, ", variant %s", variant);
    fputs("\n\n", file);
    while (rest.start != NULL && rest.length > 0) {
        struct span line = span_cut(&rest, '\n');

        if (line.length >= strlen(FENCE) && memcmp(line.start, FENCE, strlen(FENCE)) == 0)
            page.is_example = !page.is_example;
        print_line(&page, line, &rest);
    }
}
