/* Plays what the bytes say: the first ones choose the seats, the rules and the deal, the rest are
 * answers, most of them illegal. allegra_legal_list() and allegra_table_apply() must agree, a
 * refused answer must change nothing, and the invariants must hold after each accepted one. */

#include "support/invariants.h"
#include "game/rules.h"
#include "support/same_table.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* The remaining bytes. */
struct input {
    const uint8_t *bytes;
    size_t length;
};

static void require(const char *problem)
{
    if (problem == NULL)
        return;
    fprintf(stderr, "%s\n", problem);
    abort();
}

static void check(bool holds)
{
    require(holds ? NULL : "a check failed: see the stack");
}

static unsigned next_byte(struct input *input)
{
    if (input->length == 0)
        return 0;
    input->length--;
    return *input->bytes++;
}

static void choose_key(struct allegra_rules *rules, const struct rules_key *key,
                       struct input *input)
{
    char buffer[200];
    struct text problem;
    unsigned words = 0;

    text_start(&problem, buffer, sizeof buffer);
    while (words < ARRAY_LEN(key->names) && key->names[words] != NULL)
        words++;
    if (words > 0)
        check(rules_set(rules, span_of(key->name), span_of(key->names[next_byte(input) % words]),
                        &problem) == 0);
}

/* Half of the inputs play an unchanged edition; a quarter have another deck. */
static struct allegra_rules choose_rules(struct input *input)
{
    unsigned choice = next_byte(input);
    struct allegra_rules rules =
        allegra_rules_of_edition((enum allegra_edition)(choice % ALLEGRA_EDITION_COUNT));

    rules.turn_limit = (uint16_t)(1 + next_byte(input) % 30);
    rules.rounds = (uint8_t)(1 + next_byte(input) % 3);
    if (choice & 0x80)
        return rules;
    for (size_t i = 0; i < rules_key_count(); i++)
        choose_key(&rules, rules_key_at(i), input);
    rules.knock_rounds = (uint8_t)(1 + next_byte(input) % 9);
    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES && choice & 0x40; i++)
        rules.deck[i] = (uint8_t)(next_byte(input) % (ALLEGRA_DECK_MAX / ALLEGRA_CARD_VALUES));
    return rules;
}

/* One byte in three picks a legal answer; otherwise raw bytes make up the answer. */
static struct allegra_answer choose_answer(struct input *input, const struct allegra_legal *legal)
{
    unsigned choice = next_byte(input);
    struct allegra_answer answer;

    if (choice % 3 == 0 && legal->count > 0)
        return legal->list[choice / 3 % legal->count];
    answer.verb = (uint8_t)(choice % (ALLEGRA_VERB_COUNT + 1));
    answer.seat = (uint8_t)(choice & 0x80 ? next_byte(input) : 0);
    answer.cells = ALLEGRA_CELL_BIT(next_byte(input) % (ALLEGRA_CELL_COUNT + 1));
    if (choice & 0x40)
        answer.cells = (uint16_t)(next_byte(input) << 8 | next_byte(input));
    return answer;
}

static bool is_listed(const struct allegra_legal *legal, struct allegra_answer answer)
{
    for (unsigned i = 0; i < legal->count; i++) {
        if (same_bytes(&legal->list[i], &answer, sizeof answer))
            return true;
    }
    return false;
}

static void try_answer(struct allegra_table *table, struct input *input,
                       const struct allegra_shuffler *shuffler, struct invariants *invariants)
{
    static struct allegra_events events;
    struct allegra_table before = *table;
    struct allegra_legal legal;
    unsigned seat = next_byte(input);
    struct allegra_answer answer;
    enum allegra_refusal refusal;

    seat = seat & 0x80 ? seat : (unsigned)__builtin_ctz(allegra_table_asked(table) | 0x100U);
    allegra_legal_list(table, seat, &legal);
    answer = choose_answer(input, &legal);
    refusal = allegra_table_apply(table, seat, answer, shuffler, &events);
    check((refusal == ALLEGRA_REFUSAL_NONE) == is_listed(&legal, answer));
    if (refusal == ALLEGRA_REFUSAL_NONE)
        require(invariants_check(invariants, table, &events));
    else
        check(refusal < ALLEGRA_REFUSAL_COUNT && same_bytes(&before, table, sizeof before));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct invariants invariants;
    struct input input = {bytes, length};
    unsigned seats = ALLEGRA_SEATS_MIN + next_byte(&input) % 5;
    struct allegra_rules rules = choose_rules(&input);
    struct allegra_dice dice = allegra_dice_from(next_byte(&input));
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    char buffer[200];
    struct text problem;
    struct allegra_table table;

    text_start(&problem, buffer, sizeof buffer);
    if (rules_check(&rules, seats, &problem) != 0)
        return 0;
    allegra_table_start(&table, &rules, seats, next_byte(&input) % seats, &shuffler, NULL);
    require(invariants_deck_problem(&table));
    require(invariants_start(&invariants, &table, NULL));
    while (input.length > 0)
        try_answer(&table, &input, &shuffler, &invariants);
    return 0;
}
