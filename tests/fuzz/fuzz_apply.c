/* Plays whatever the bytes say: the first ones choose the seats, the rules and the deal, the rest are
 * answers, most of them not legal. The list and the judge have to agree, a refusal changes nothing,
 * and what always holds has to hold after each answer that is accepted. */

#include "support/invariants.h"
#include "support/same_table.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* The bytes that are left. */
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
    require(holds ? NULL : "see the stack");
}

static unsigned next_byte(struct input *input)
{
    if (input->length == 0)
        return 0;
    input->length--;
    return *input->bytes++;
}

static void choose_key(struct rules *rules, const struct rules_key *key, struct input *input)
{
    char buffer[200];
    struct text problem;
    unsigned words = 0;

    text_start(&problem, buffer, sizeof buffer);
    while (words < ARRAY_LEN(key->words) && key->words[words] != NULL)
        words++;
    if (words > 0)
        check(rules_set(rules, span_of(key->name), span_of(key->words[next_byte(input) % words]),
                        &problem) == 0);
}

/* Half of the inputs play an edition as it is; a quarter have another deck. */
static struct rules choose_rules(struct input *input)
{
    unsigned choice = next_byte(input);
    struct rules rules = rules_of_edition((enum rules_edition)(choice % EDITION_COUNT));

    rules.turn_limit = (uint16_t)(1 + next_byte(input) % 30);
    rules.rounds = (uint8_t)(1 + next_byte(input) % 3);
    if (choice & 0x80)
        return rules;
    for (size_t i = 0; i < rules_key_count(); i++)
        choose_key(&rules, rules_key_at(i), input);
    rules.knock_rounds = (uint8_t)(1 + next_byte(input) % 9);
    for (unsigned i = 0; i < CARD_VALUES && choice & 0x40; i++)
        rules.deck[i] = (uint8_t)(next_byte(input) % (RULES_DECK_MAX / CARD_VALUES));
    return rules;
}

/* One byte in three picks a legal answer; otherwise the answer is made of raw bytes. */
static struct answer choose_answer(struct input *input, const struct legal *legal)
{
    unsigned choice = next_byte(input);
    struct answer answer;

    if (choice % 3 == 0 && legal->count > 0)
        return legal->list[choice / 3 % legal->count];
    answer.verb = (uint8_t)(choice % (VERB_COUNT + 1));
    answer.seat = (uint8_t)(choice & 0x80 ? next_byte(input) : 0);
    answer.cells = CELL_BIT(next_byte(input) % (CELL_COUNT + 1));
    if (choice & 0x40)
        answer.cells = (uint16_t)(next_byte(input) << 8 | next_byte(input));
    return answer;
}

static bool is_listed(const struct legal *legal, struct answer answer)
{
    for (unsigned i = 0; i < legal->count; i++) {
        if (same_bytes(&legal->list[i], &answer, sizeof answer))
            return true;
    }
    return false;
}

static void try_answer(struct table *table, struct input *input, const struct shuffler *shuffler,
                       struct invariants *invariants)
{
    static struct events events;
    struct table before = *table;
    struct legal legal;
    unsigned seat = next_byte(input);
    struct answer answer;
    enum refusal refusal;

    seat = seat & 0x80 ? seat : (unsigned)__builtin_ctz(table_asked(table) | 0x100U);
    legal_list(table, seat, &legal);
    answer = choose_answer(input, &legal);
    refusal = table_apply(table, seat, answer, shuffler, &events);
    check((refusal == REFUSAL_NONE) == is_listed(&legal, answer));
    if (refusal == REFUSAL_NONE)
        require(invariants_check(invariants, table, &events));
    else
        check(refusal < REFUSAL_COUNT && same_bytes(&before, table, sizeof before));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct invariants invariants;
    struct input input = {bytes, length};
    unsigned seats = RULES_SEATS_MIN + next_byte(&input) % 5;
    struct rules rules = choose_rules(&input);
    struct dice dice = dice_from(next_byte(&input));
    struct shuffler shuffler = simulate_shuffler(&dice);
    char buffer[200];
    struct text problem;
    struct table table;

    text_start(&problem, buffer, sizeof buffer);
    if (rules_check(&rules, seats, &problem) != 0)
        return 0;
    table_start(&table, &rules, seats, next_byte(&input) % seats, &shuffler, NULL);
    require(invariants_deck_problem(&table));
    require(invariants_start(&invariants, &table, NULL));
    while (input.length > 0)
        try_answer(&table, &input, &shuffler, &invariants);
    return 0;
}
