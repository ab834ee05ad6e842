/* Any bytes as a tournament file, every second one with a catalogue of bots. Whatever they are, there is
 * either a plan that keeps what plan.h promises, or a mistake; mistakes come in the order of the file, at
 * places that are in it, and each says what it is. A plan that is written and read again is the same. */

#include "tournament/plan.h"

#include "base/memory.h"
#include "wire/json_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

struct told {
    struct json_place end;
    struct json_place last;
    unsigned count;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool is_before(struct json_place one, struct json_place other)
{
    return one.line < other.line || (one.line == other.line && one.column < other.column);
}

static void hear(void *context, unsigned line, unsigned column, const char *sentence)
{
    struct told *told = context;
    struct json_place place = {line, column};

    check(line >= 1 && column >= 1 && !is_before(told->end, place));
    check(!is_before(place, told->last));
    /* The words of a fault that was not found. */
    check(sentence[0] != '\0' && strcmp(sentence, "this cannot be read") != 0);
    told->last = place;
    told->count++;
    check(told->count <= 51);
}

static void check_plan(const struct plan *plan)
{
    const struct schedule_setup *schedule = &plan->schedule;

    check(plan->bot_count >= 2 && plan->bot_count <= PLAN_BOTS_MAX);
    check(schedule->bots == plan->bot_count && schedule->hero < plan->bot_count);
    check(schedule->seats >= 2 && schedule->seats <= 6 && schedule->seats <= plan->bot_count);
    check(schedule->seatings != SCHEDULE_ALL || schedule->seats <= 4);
    check(schedule->format != SCHEDULE_SWISS || (schedule->rounds > 0 && schedule->matches == 0));
    check(plan->name[0] != '\0' && plan->output[0] != '\0' && plan->contain[0] != '\0');
    check(plan->start_ms > 0 && plan->move_ms > 0 && plan->bank_ms >= 0);
    for (unsigned i = 0; i < plan->bot_count; i++) {
        const struct plan_bot *bot = &plan->bots[i];

        check(bot->name[0] != '\0' && bot->environment != NULL);
        check((bot->command != NULL) != (bot->remote != NULL));
        check(bot->build == NULL || bot->folder != NULL);
        check(bot->remote == NULL ||
              (schedule->seatings == SCHEDULE_SINGLE && bot->folder == NULL &&
               bot->environment[0] == NULL && bot->memory_mb == 0));
        for (unsigned other = 0; other < i; other++)
            check(strcmp(bot->name, plan->bots[other].name) != 0);
    }
}

/* Names of one letter are known, those with a capital run elsewhere. */
static int find(void *context, const char *name, struct plan_bot *bot, struct text *problem)
{
    (void)context;
    if (name[0] == '\0' || name[1] != '\0') {
        text_add(problem, "there is no such bot");
        return -1;
    }
    if (name[0] >= 'A' && name[0] <= 'Z') {
        bot->remote = xstrdup("/run/socket");
        return 0;
    }
    bot->command = xstrdup("./bot");
    bot->folder = xstrdup("/bots/bot");
    bot->build = name[0] < 'm' ? xstrdup("make") : NULL;
    bot->memory_mb = name[0] < 'm' ? 64 : 0;
    return 0;
}

static void fail(void *context, unsigned line, unsigned column, const char *sentence)
{
    (void)context;
    (void)line;
    (void)column;
    (void)sentence;
    check(false);
}

/* What a plan says, in a form that is easy to compare: the file that is written of it. */
static char *written(const struct plan *plan, size_t *length)
{
    struct json_writer *writer = json_writer_new(true);
    const char *bytes;
    char *copy;

    plan_write(plan, writer);
    bytes = json_writer_bytes(writer, length);
    copy = xstrndup(bytes, *length);
    json_writer_free(writer);
    return copy;
}

static void check_written(const struct plan *plan)
{
    size_t length;
    char *one = written(plan, &length);
    struct plan *again;
    char *other;

    if (length > PLAN_FILE_MAX) {
        free(one);
        return;
    }
    again = plan_read(one, length, "plan.json", fail, NULL);
    check_plan(again);
    check(again->schedule.hero == plan->schedule.hero);
    check(memcmp(&again->rules, &plan->rules, sizeof plan->rules) == 0);
    other = written(again, &length);
    check(strcmp(one, other) == 0);
    plan_free(again);
    free(one);
    free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct plan_catalogue catalogue = {find, NULL};
    struct span source = {(const char *)bytes, length};
    struct told told = {.end = json_place_at(source, length)};
    const struct plan_catalogue *known = length % 2 == 0 ? &catalogue : NULL;
    struct plan *plan = plan_read_with(source, "plan.json", known, hear, &told);

    check((plan == NULL) == (told.count > 0));
    if (plan != NULL) {
        check_plan(plan);
        check_written(plan);
    }
    plan_free(plan);
    return 0;
}
