/* Works that are given to the office. A work is complete in the ledger itself: its plan is one text in it,
 * and one writing makes it count. */

#include "base/memory.h"
#include "serve/office_private.h"
#include "tournament/folder.h"
#include "wire/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_MAX 10000 /* works of all users */

int office_deny_disk(struct denial *denial, const char *what)
{
    return deny(denial, DENIAL_DISK, "%s: %s", what, strerror(errno));
}

int office_deny_if_ending(const struct office *office, struct denial *denial)
{
    if (!office->is_draining)
        return 0;
    return deny(denial, DENIAL_ENDING, "the daemon is about to end and takes nothing more");
}

static char *copy_of(const char *words)
{
    return words != NULL ? xstrdup(words) : NULL;
}

static int find_bot(void *context, const char *name, struct plan_bot *bot, struct text *problem)
{
    const struct office *office = context;
    int place = ledger_find_bot(office->ledger, name);
    const struct ledger_bot *known =
        place >= 0 ? ledger_bot(office->ledger, (unsigned)place) : NULL;

    if (known == NULL || (known->command == NULL && office->setup.socket == NULL)) {
        text_add(problem,
                 known == NULL ? "there is no bot " : "bots from elsewhere are not let in: ");
        text_add_quoted(problem, span_of(name));
        return -1;
    }
    bot->command = copy_of(known->command);
    bot->build = copy_of(known->build);
    bot->memory_mb = known->memory_mb;
    bot->remote = known->command == NULL ? xstrdup(office->setup.socket) : NULL;
    bot->folder =
        known->is_upload ? folder_join(office->folder, known->folder) : copy_of(known->folder);
    return 0;
}

/* The first mistake is what the caller gets. */
static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    struct denial *denial = context;

    if (denial->code == DENIAL_NONE)
        (void)deny(denial, DENIAL_PLAN, "line %u, column %u: %s", line, column, sentence);
}

static int check_room(const struct office *office, const struct caller *caller,
                      struct denial *denial)
{
    if (ledger_waiting(office->ledger, caller->user) >= OFFICE_WORKS_MAX)
        return deny(denial, DENIAL_TOO_MANY, "%s has %d works in the queue, which is the most",
                    caller->user, OFFICE_WORKS_MAX);
    if (ledger_waiting(office->ledger, NULL) >= QUEUE_MAX)
        return deny(denial, DENIAL_TOO_MANY, "the queue is full");
    return 0;
}

/* No program of strangers runs without being contained, and no stranger names programs or folders of
 * this machine. */
static int check_plan(const struct office *office, const struct caller *caller, struct plan *plan,
                      struct denial *denial)
{
    for (unsigned i = 0; i < plan->bot_count && !caller->is_owner; i++) {
        if (plan->bots[i].source == NULL || plan->bots[i].environment[0] != NULL)
            return deny(denial, DENIAL_FORBIDDEN,
                        "bot %s: only the owner can name programs of this machine; submit it and "
                        "use its name",
                        plan->bots[i].name);
    }
    if (strcmp(plan->contain, "none") == 0)
        return deny(denial, DENIAL_VALUE, "contain: the daemon runs no bot at `none`");
    if (strcmp(plan->contain, "auto") == 0) {
        free(plan->contain);
        plan->contain = xstrdup(contain_level_name(office->setup.level));
    }
    return 0;
}

static int count_work(struct office *office, const struct work *work, struct denial *denial)
{
    unsigned number = ledger_add_work(office->ledger, work);

    if (ledger_write(office->ledger) != 0) {
        ledger_take_back(office->ledger);
        return office_deny_disk(denial, "the ledger");
    }
    hub_tell(office->hub, number, "queued %s %s", work->user, work->title);
    office_look(office);
    return (int)number;
}

static int keep_work(struct office *office, const struct caller *caller, const struct plan *plan,
                     bool is_match, struct denial *denial)
{
    struct json_writer *writer = json_writer_new(false);
    struct work work = {
        .user = (char *)caller->user,
        .title = plan->name,
        .is_match = is_match,
        .bots = xcalloc(plan->bot_count, sizeof *work.bots),
        .bot_count = plan->bot_count,
    };
    size_t length;
    int result;

    for (unsigned i = 0; i < plan->bot_count; i++) {
        const char *source = plan->bots[i].source;

        work.bots[i] =
            source != NULL ? (unsigned)ledger_find_bot(office->ledger, source) : LEDGER_NO_BOT;
    }
    plan_write(plan, writer);
    work.plan = (char *)json_writer_bytes(writer, &length);
    result = count_work(office, &work, denial);
    json_writer_free(writer);
    free(work.bots);
    return result;
}

int office_submit_work(struct office *office, const struct caller *caller, struct span file,
                       bool is_match, struct denial *denial)
{
    struct plan_catalogue catalogue = {.find = find_bot, .context = office};
    struct plan *plan;
    int result = -1;

    if (office_deny_if_ending(office, denial) != 0 || check_room(office, caller, denial) != 0)
        return -1;
    denial->code = DENIAL_NONE;
    plan = plan_read_with(file, "/tournament.json", &catalogue, on_problem, denial);
    if (plan == NULL)
        return -1;
    if (check_plan(office, caller, plan, denial) == 0)
        result = keep_work(office, caller, plan, is_match, denial);
    plan_free(plan);
    return result;
}
