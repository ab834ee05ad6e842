/* Any bytes as a tournament file. Whatever they are, there is either a plan that keeps what plan.h
 * promises, or a mistake; mistakes come in the order of the file, at places that are in it, and each
 * says what it is. */

#include "tournament/plan.h"

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
    check(schedule->seatings == SCHEDULE_ROTATIONS || schedule->seats <= 4);
    check(schedule->format != SCHEDULE_SWISS || (schedule->rounds > 0 && schedule->matches == 0));
    check(plan->name[0] != '\0' && plan->output[0] != '\0' && plan->contain[0] != '\0');
    check(plan->start_ms > 0 && plan->move_ms > 0 && plan->bank_ms >= 0);
    for (unsigned i = 0; i < plan->bot_count; i++) {
        const struct plan_bot *bot = &plan->bots[i];

        check(bot->name[0] != '\0' && bot->command != NULL && bot->environment != NULL);
        check(bot->build == NULL || bot->folder != NULL);
        for (unsigned other = 0; other < i; other++)
            check(strcmp(bot->name, plan->bots[other].name) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct span source = {(const char *)bytes, length};
    struct told told = {.end = json_place_at(source, length)};
    struct plan *plan = plan_read(source.start, length, "plan.json", hear, &told);

    check((plan == NULL) == (told.count > 0));
    if (plan != NULL)
        check_plan(plan);
    plan_free(plan);
    return 0;
}
