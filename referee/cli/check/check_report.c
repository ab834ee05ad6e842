/* The report of a check, for people and as JSON: what is fine, what is wrong and how to fix it,
 * what is worth a look, how fast the bot is, and a verdict in the last line. */

#include "cli/check/cmd_check.h"

#include "base/escape.h"
#include "wire/json_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 96

/* Breaks a text into lines with the same indent. */
static void print_wrapped(const char *indent, const char *string)
{
    struct span rest = span_of(string);
    struct span word = span_cut_word(&rest);
    size_t column = strlen(indent);

    fputs(indent, stdout);
    for (bool is_first = true; word.length > 0; word = span_cut_word(&rest), is_first = false) {
        if (!is_first && column + 1 + word.length > WIDTH) {
            printf("\n%s", indent);
            column = strlen(indent);
        } else if (!is_first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word.length, word.start);
        column += word.length;
    }
    putchar('\n');
}

/* Prints lines as they are, with the same indent. */
static void print_lines(const char *indent, const char *lines)
{
    struct span rest = span_of(lines);

    while (rest.start != NULL && rest.length > 0) {
        struct span line = span_cut(&rest, '\n');

        printf("%s%.*s\n", indent, (int)line.length, line.start);
    }
}

static const char *question_text(enum allegra_question question)
{
    return question == ALLEGRA_QUESTION_NONE ? "hello" : allegra_question_name(question);
}

/* A list is collected in one text, so that it can be wrapped. */
static void add_item(struct text *text, const char *item)
{
    text_printf(text, "%s%s", text->length > 0 ? ", " : "", item);
}

/* Whether a question came up, but was never answered well. */
static bool is_failed(const struct check *check, enum coverage_need need)
{
    for (size_t i = 0; i < check->finding_count; i++) {
        if ((unsigned)check->findings[i].question == (unsigned)need)
            return true;
    }
    return false;
}

static void list_needs(const struct check *check, struct text *text, bool is_met, bool is_question)
{
    for (enum coverage_need need = COVERAGE_FIRST; need < COVERAGE_COUNT; need++) {
        if ((check->coverage.needs[need] > 0) == is_met &&
            (need < COVERAGE_REFUSABLE) == is_question && (is_met || !is_failed(check, need)))
            add_item(text, coverage_need_text(need));
    }
}

/* Prints the list and empties it. */
static void print_list(const char *title, struct text *list)
{
    char line[1400];

    if (list->length == 0)
        return;
    snprintf(line, sizeof line, "%s: %s", title, list->buffer);
    print_wrapped("  ", line);
    text_start(list, list->buffer, list->capacity);
}

static void print_fine(const struct check *check)
{
    char buffer[1200];
    struct text list;

    text_start(&list, buffer, sizeof buffer);
    puts("fine");
    if (check->fine_count == 0)
        puts("  no match was played without a fault");
    for (size_t i = 0; i < check->fine_count; i++)
        add_item(&list, scenario_at(check->fine[i])->name);
    print_list("played without a fault", &list);
    list_needs(check, &list, true, true);
    print_list("questions answered", &list);
    list_needs(check, &list, true, false);
    print_list("situations met", &list);
    for (enum allegra_edition edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        if (check->coverage.editions >> edition & 1)
            add_item(&list, allegra_edition_name(edition));
    }
    print_list("editions", &list);
    if (check_has_rules(check))
        rules_write_changes(&list, &check->game.rules, " ");
    print_list("rules that differ from the edition", &list);
    if (check->game.variant[0] != '\0')
        add_item(&list, check->game.variant);
    print_list("variant", &list);
    for (unsigned seats = ALLEGRA_SEATS_MIN; seats <= ALLEGRA_SEATS_MAX; seats++) {
        if (check->coverage.sizes >> seats & 1)
            text_printf(&list, "%s%u", list.length > 0 ? ", " : "", seats);
    }
    print_list("seats", &list);
}

static void print_finding(const struct finding *finding, unsigned number)
{
    char line[900];

    printf("\n  %u. %s at `%s`, in \"%s\" (%s, %u seats)", number,
           bot_outcome_name(finding->outcome), question_text(finding->question),
           finding->scenario->name, allegra_edition_name(finding->edition),
           finding->scenario->seats);
    if (finding->also > 0)
        printf(" and %u more", finding->also);
    putchar('\n');
    snprintf(line, sizeof line, "what happened: %s", finding->message);
    print_wrapped("     ", line);
    if (finding->line[0] != '\0')
        printf("     its line: `%s`\n", finding->line);
    if (finding->ending[0] != '\0')
        printf("     its process: %s\n", finding->ending);
    if (finding->stderr_tail[0] != '\0') {
        char *readable = escape_readable(finding->stderr_tail);

        puts("     the end of its stderr:");
        print_lines("       ", readable);
        free(readable);
    }
    if (finding->lines[0] != '\0') {
        puts("     the last lines (> to the bot, < from it):");
        print_lines("       ", finding->lines);
    }
    snprintf(line, sizeof line, "how to fix it: %s",
             finding_advice(finding->cause, finding->outcome));
    print_wrapped("     ", line);
}

static unsigned print_findings(const struct check *check, const char *title, bool is_courtesy)
{
    unsigned number = 0;

    for (size_t i = 0; i < check->finding_count; i++) {
        if (check->findings[i].scenario->is_courtesy != is_courtesy)
            continue;
        if (number == 0)
            printf("\n%s\n", title);
        print_finding(&check->findings[i], ++number);
    }
    return number;
}

static void print_remarks(const struct check *check)
{
    char buffer[1200];
    struct text missing;
    unsigned findings = print_findings(check, "worth a look", true);

    text_start(&missing, buffer, sizeof buffer);
    list_needs(check, &missing, false, true);
    list_needs(check, &missing, false, false);
    if (findings == 0 && (check->remark_count > 0 || missing.length > 0))
        puts("\nworth a look");
    for (size_t i = 0; i < check->remark_count; i++)
        print_wrapped("  ", check->remarks[i]);
    print_list("did not come up, so it was not checked", &missing);
}

static void print_times(const struct check *check)
{
    if (check->times.total == 0)
        return;
    printf("\ntimes\n"
           "  hello    %.1f ms at most (limit %ld)\n"
           "  answers  %llu: median %.2f ms, 99 of 100 within %.2f ms, slowest %.2f ms (`%s`; "
           "limit %ld)\n",
           (double)check->start_us / 1e3, check->start_ms, (unsigned long long)check->times.total,
           (double)histogram_quantile(&check->times, 0.5) / 1e3,
           (double)histogram_quantile(&check->times, 0.99) / 1e3, (double)check->slowest_us / 1e3,
           question_text(check->slowest_question), check->move_ms);
}

void check_report_print(const struct check *check)
{
    unsigned wrong;

    print_fine(check);
    wrong = print_findings(check, "wrong", false);
    print_remarks(check);
    print_times(check);
    if (wrong > 0)
        printf("\n%s would be dismissed: %u thing%s to fix, in %u matches played.\n",
               check->command.name, wrong, wrong > 1 ? "s" : "", check->matches);
    else
        printf("\n%s is fine: no fault in %u matches.\n", check->command.name, check->matches);
}

static void put_finding(struct json_writer *json, const struct finding *finding)
{
    json_open_map(json);
    json_put_text(json, "scenario", finding->scenario->name);
    json_put_text(json, "edition", allegra_edition_name(finding->edition));
    json_put_text(json, "code", bot_outcome_name(finding->outcome));
    json_put_text(json, "ask", question_text(finding->question));
    json_put_text(json, "cause", finding_cause_name(finding->cause));
    json_put_number(json, "also", finding->also);
    json_put_text(json, "message", finding->message);
    json_put_text(json, "line", finding->line);
    json_put_text(json, "ending", finding->ending);
    json_put_text(json, "stderr", finding->stderr_tail);
    json_put_text(json, "lines", finding->lines);
    json_put_text(json, "advice", finding_advice(finding->cause, finding->outcome));
    json_close_map(json);
}

static void put_findings(struct json_writer *json, const struct check *check, const char *key,
                         bool is_courtesy)
{
    json_key(json, key);
    json_open_list(json);
    for (size_t i = 0; i < check->finding_count; i++) {
        if (check->findings[i].scenario->is_courtesy == is_courtesy)
            put_finding(json, &check->findings[i]);
    }
    json_close_list(json);
}

static void put_coverage(struct json_writer *json, const struct coverage *coverage)
{
    json_key(json, "met");
    json_open_map(json);
    for (enum coverage_need need = COVERAGE_FIRST; need < COVERAGE_COUNT; need++) {
        json_put_number(json, coverage_need_text(need), (long long)coverage->needs[need]);
    }
    json_close_map(json);
    json_key(json, "editions");
    json_open_list(json);
    for (enum allegra_edition edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        if (coverage->editions >> edition & 1)
            json_text(json, allegra_edition_name(edition));
    }
    json_close_list(json);
    json_key(json, "seats");
    json_open_list(json);
    for (unsigned seats = ALLEGRA_SEATS_MIN; seats <= ALLEGRA_SEATS_MAX; seats++) {
        if (coverage->sizes >> seats & 1)
            json_number(json, seats);
    }
    json_close_list(json);
}

static void put_times(struct json_writer *json, const struct check *check)
{
    const struct {
        const char *key;
        int64_t time_us;
    } times[] = {
        {"hello_us", check->start_us},
        {"median_us", histogram_quantile(&check->times, 0.5)},
        {"p99_us", histogram_quantile(&check->times, 0.99)},
        {"slowest_us", check->slowest_us},
    };

    json_key(json, "times");
    json_open_map(json);
    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        json_put_number(json, times[i].key, times[i].time_us);
    }
    json_put_number(json, "answers", (long long)check->times.total);
    json_close_map(json);
}

void check_report_print_json(const struct check *check)
{
    struct json_writer *json = json_writer_new(true);
    size_t length;

    json_open_map(json);
    json_put_text(json, "bot", check->command.text);
    json_put_number(json, "matches", check->matches);
    json_key(json, "fine");
    json_open_list(json);
    for (size_t i = 0; i < check->fine_count; i++)
        json_text(json, scenario_at(check->fine[i])->name);
    json_close_list(json);
    put_findings(json, check, "wrong", false);
    put_findings(json, check, "doubtful", true);
    json_key(json, "remarks");
    json_open_list(json);
    for (size_t i = 0; i < check->remark_count; i++)
        json_text(json, check->remarks[i]);
    json_close_list(json);
    put_coverage(json, &check->coverage);
    json_put_text(json, "variant", check->game.variant);
    put_times(json, check);
    json_close_map(json);
    fputs(json_writer_bytes(json, &length), stdout);
    json_writer_free(json);
}
