/* Bundled variants: what the sheets propose besides their own rules, by name. A row is an edition
 * and what it changes. The name in a log is checked against these rows, so a row that was once
 * here stays as it is. */

#include "game/rules.h"

#include <string.h>

#define TO_66 "score_limit=66", "to 66 points, as the sheet proposes"
#define TO_77 "score_limit=77", "to 77 points, as the sheet proposes"
#define NO_KNOCK "knock=off", "without knocking, as the sheet proposes for younger children"

/* The sheet of de2026 proposes 66 points only. */
static const struct rules_variant variants[] = {
    {"de2026-66", ALLEGRA_EDITION_DE2026, TO_66},
    {"de2026-no-knock", ALLEGRA_EDITION_DE2026, NO_KNOCK},
    {"en2020-66", ALLEGRA_EDITION_EN2020, TO_66},
    {"en2020-77", ALLEGRA_EDITION_EN2020, TO_77},
    {"en2020-no-knock", ALLEGRA_EDITION_EN2020, NO_KNOCK},
    {"nl2023-66", ALLEGRA_EDITION_NL2023, TO_66},
    {"nl2023-77", ALLEGRA_EDITION_NL2023, TO_77},
    {"nl2023-no-knock", ALLEGRA_EDITION_NL2023, NO_KNOCK},
    {"fr2020-66", ALLEGRA_EDITION_FR2020, TO_66},
    {"fr2020-77", ALLEGRA_EDITION_FR2020, TO_77},
    {"fr2020-no-knock", ALLEGRA_EDITION_FR2020, NO_KNOCK},
    {"es2020-66", ALLEGRA_EDITION_ES2020, TO_66},
    {"es2020-77", ALLEGRA_EDITION_ES2020, TO_77},
    {"es2020-no-knock", ALLEGRA_EDITION_ES2020, NO_KNOCK},
};

_Static_assert(ARRAY_LEN(variants) == RULES_VARIANT_COUNT, "the header counts the variants");

const struct rules_variant *rules_variant_at(size_t index)
{
    return &variants[index];
}

const struct rules_variant *rules_variant_find(struct span name)
{
    for (size_t i = 0; i < ARRAY_LEN(variants); i++) {
        if (span_is(name, variants[i].name))
            return &variants[i];
    }
    return NULL;
}

struct allegra_rules rules_variant_rules(const struct rules_variant *variant)
{
    struct allegra_rules rules = allegra_rules_of_edition(variant->edition);

    (void)rules_set_pair(&rules, span_of(variant->change), NULL);
    return rules;
}

bool rules_are_same(const struct allegra_rules *one, const struct allegra_rules *other)
{
    for (size_t i = 0; i < rules_key_count(); i++) {
        if (!rules_same_value(one, other, rules_key_at(i)))
            return false;
    }
    return one->edition == other->edition;
}

static bool is_edition(struct span name)
{
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++) {
        if (span_is(name, allegra_edition_name((enum allegra_edition)i)))
            return true;
    }
    return false;
}

int rules_variant_check_name(struct span name, const struct allegra_rules *rules,
                             struct text *problem)
{
    const struct rules_variant *bundled = rules_variant_find(name);
    struct allegra_rules expected = bundled != NULL ? rules_variant_rules(bundled) : *rules;

    if (!span_is_name(name, RULES_VARIANT_NAME_MAX))
        text_add(problem, "the name of a variant takes " RULES_VARIANT_NAME_TAKES ", not ");
    else if (is_edition(name))
        text_add(problem, "an edition has this name, choose another one for the variant: ");
    else if (!rules_are_same(rules, &expected))
        text_add(problem, "a bundled variant with other rules has this name, choose another one: ");
    else
        return 0;
    text_add_quoted(problem, name);
    return -1;
}

void rules_write_changes(struct text *text, const struct allegra_rules *rules, const char *before)
{
    struct allegra_rules edition = allegra_rules_of_edition((enum allegra_edition)rules->edition);

    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        if (rules_same_value(rules, &edition, key))
            continue;
        text_add(text, before);
        text_add(text, key->name);
        text_add_char(text, '=');
        rules_write_value(text, rules, key);
    }
}
