/* `referee tournament` reads the file, brings file and store together, lets the director play, and shows
 * what came of it. Whatever stops it, the same command goes on where it was. */

#include "base/memory.h"
#include "base/message.h"
#include "cli/command.h"
#include "cli/containment.h"
#include "cli/dry_run.h"
#include "cli/feed.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "tournament/entrants.h"
#include "tournament/folder.h"
#include "tournament/summary.h"
#include "tournament/terms.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPTION_DRY_RUN,
    OPTION_JOBS,
    OPTION_FRESH,
    OPTION_ACCEPT,
    OPTION_SEED,
    OPTION_CONTAIN,
    OPTION_EACH,
    OPTION_QUIET,
    OPTION_JSON,
    OPTION_FEED,
    OPTION_KEYS,
    OPTION_BUILDS,
};

static const struct option_row rows[] = {
    [OPTION_DRY_RUN] = {"--dry-run", NULL, "show the schedule and an estimate; play nothing"},
    [OPTION_JOBS] = {"--jobs", "N", "worker processes (one a core)"},
    [OPTION_FRESH] = {"--fresh", NULL, "delete what was played before and begin anew"},
    [OPTION_ACCEPT] = {"--accept-changes", NULL,
                       "go on although bots came, went or changed, or clocks did"},
    [OPTION_SEED] = {"--seed", "WORDS", "of a new tournament: deals that can be had again"},
    [OPTION_CONTAIN] = {"--contain", "LEVEL", CONTAINMENT_VALUES "; otherwise as the file says"},
    [OPTION_EACH] = {"--each", NULL, "print each match, in the order of the schedule"},
    [OPTION_QUIET] = {"--quiet", NULL, "no progress on stderr"},
    [OPTION_JSON] = {"--json", NULL, "print the standings as JSON"},
    [OPTION_FEED] = {"--feed", NULL, "tell a program what happens, line by line, and nothing else"},
    [OPTION_BUILDS] = {"--builds", "DIR", "build bots there, where other tournaments do it too"},
    [OPTION_KEYS] = {"--keys", NULL, "explain every key of a tournament file"},
};

static const struct options options = {
    .usage = "tournament FILE",
    .purpose =
        "Plays the tournament that FILE describes (JSON with comments), or goes on with it,\n"
        "and prints the standings. Logs, results and report.html are in its output folder.\n"
        "Ctrl-C lets the running matches end; a second one stops at once.\n",
    .examples = "  referee tournament tournaments/demo.json\n"
                "  referee tournament --dry-run tournaments/swiss.json\n"
                "  referee tournament --accept-changes my.json     # a bot was added\n",
    .rows = rows,
    .count = ARRAY_LEN(rows),
    .most_words = 1,
};

struct tournament {
    const char *path;
    bool is_dry_run;
    long jobs; /* -1: as the file says */
    bool is_fresh;
    bool accepts_changes;
    char *seed_words;
    enum contain_level level; /* CONTAIN_LEVEL_COUNT: as the file says */
    struct contain *contain;  /* for trying and building; workers have their own */
    bool shows_each;
    bool is_quiet;
    bool is_json;
    bool has_feed;
    bool shows_keys;
    const char *builds; /* NULL: in the store */

    struct plan *plan;
    struct store *store;
    struct entrants *entrants;
    struct entrant *by_number; /* the same by number of the store */
    struct agenda *agenda;
    struct event_base *base;
    struct director *director;
    struct progress *progress;
    struct feed *feed; /* instead of the progress, or NULL */
    enum director_end end;
    unsigned interrupts;
    unsigned next_shown; /* block, of --each */
};

static int take(void *context, size_t row, const char *value)
{
    struct tournament *tournament = context;

    switch (row) {
    case OPTION_DRY_RUN:
        tournament->is_dry_run = true;
        break;
    case OPTION_JOBS:
        if (span_read_number(span_of(value), 0, 256, &tournament->jobs) != 0) {
            message_say("--jobs takes a number from 0 to 256, not `%s`", value);
            return -1;
        }
        break;
    case OPTION_FRESH:
        tournament->is_fresh = true;
        break;
    case OPTION_ACCEPT:
        tournament->accepts_changes = true;
        break;
    case OPTION_SEED:
        free(tournament->seed_words);
        tournament->seed_words = options_take_secret(value);
        break;
    case OPTION_CONTAIN:
        return containment_read(value, &tournament->level);
    case OPTION_EACH:
        tournament->shows_each = true;
        break;
    case OPTION_QUIET:
        tournament->is_quiet = true;
        break;
    case OPTION_BUILDS:
        tournament->builds = value;
        break;
    case OPTION_JSON:
        tournament->is_json = true;
        break;
    case OPTION_FEED:
        tournament->has_feed = true;
        break;
    default:
        tournament->shows_keys = true;
        break;
    }
    return 0;
}

/* Before the first match. */

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    const struct tournament *tournament = context;

    if (line == 0)
        message_say("%s: %s", tournament->path, sentence);
    else
        fprintf(stderr, "%s:%u:%u: %s\n", tournament->path, line, column, sentence);
}

static void on_message(void *context, const char *words)
{
    const struct tournament *tournament = context;

    if (tournament->feed != NULL)
        feed_note(tournament->feed, words);
    else
        progress_say(tournament->progress, words);
}

static int open_store(struct tournament *tournament)
{
    char words[600];
    struct text problem;

    text_start(&problem, words, sizeof words);
    if (tournament->is_fresh && store_remove(tournament->plan->output, &problem) != 0) {
        message_say("%s", words);
        return -1;
    }
    tournament->store = store_open(tournament->plan->output, false, &problem);
    if (tournament->store == NULL)
        message_say("%s", words);
    else if (store_dropped(tournament->store) > 0)
        message_say("the last record was cut off in the middle (%zu bytes) and is dropped; its "
                    "match is played again",
                    store_dropped(tournament->store));
    return tournament->store != NULL ? 0 : -1;
}

/* Bots that the store knows and the file does not are never asked for. */
static void number_entrants(struct tournament *tournament)
{
    tournament->by_number =
        xcalloc(store_bot_count(tournament->store), sizeof *tournament->by_number);
    for (unsigned i = 0; i < tournament->plan->bot_count; i++) {
        int number = store_find_bot(tournament->store, tournament->plan->bots[i].name);

        tournament->by_number[number] = entrants_list(tournament->entrants)[i];
    }
}

/* Finds and builds the bots, and finds out whether they can be run at the level that is wanted. */
static int contain_bots(struct tournament *tournament)
{
    const struct plan *plan = tournament->plan;
    char *own = folder_join(store_folder(tournament->store), "bots");
    struct entrants_builds builds = {
        .folder = tournament->builds != NULL ? tournament->builds : own,
        .is_shared = tournament->builds != NULL,
    };
    int result = 0;

    tournament->entrants = entrants_new(plan, &builds, tournament->contain, on_problem, tournament);
    free(own);
    if (tournament->entrants == NULL)
        return -1;
    for (unsigned i = 0; i < plan->bot_count; i++) {
        const struct entrant *entrant = &entrants_list(tournament->entrants)[i];

        if (!entrant->is_remote &&
            containment_admit(tournament->contain, &entrant->command, entrant->folder) != 0)
            result = -1;
    }
    return result;
}

/* Before anything is made or deleted: are the bots there, and can they be contained as is wanted? What
 * is to be built can only be looked at later. */
static int look_for_bots(struct tournament *tournament)
{
    struct entrants *entrants = entrants_new(tournament->plan, NULL, NULL, on_problem, tournament);

    if (entrants == NULL)
        return -1;
    entrants_free(entrants);
    if (tournament->level == CONTAIN_LEVEL_COUNT)
        (void)contain_level_read(span_of(tournament->plan->contain), &tournament->level);
    tournament->contain = containment_open(tournament->level, true);
    return tournament->contain != NULL ? 0 : -1;
}

static int prepare(struct tournament *tournament)
{
    struct terms_options terms = {
        .accepts_changes = tournament->accepts_changes,
        .seed_words = tournament->seed_words,
        .say = on_message,
        .context = tournament,
    };
    char words[300];
    struct text problem;

    text_start(&problem, words, sizeof words);
    if (look_for_bots(tournament) != 0)
        return CLI_USAGE;
    if (open_store(tournament) != 0)
        return CLI_FAILED;
    if (contain_bots(tournament) != 0)
        return CLI_USAGE;
    if (terms_agree(tournament->store, tournament->plan, entrants_list(tournament->entrants),
                    &terms) != 0)
        return CLI_FAILED;
    number_entrants(tournament);
    tournament->agenda = agenda_new(tournament->store, &problem);
    if (tournament->agenda == NULL)
        message_say("%s", words);
    return tournament->agenda != NULL ? CLI_FINE : CLI_USAGE;
}

/* While it is played. */

static void print_match(const struct tournament *tournament, const struct result *result)
{
    printf("%u.%u", (unsigned)result->block, result->rotation + 1U);
    for (unsigned seat = 0; seat < result->seats; seat++) {
        printf("  %u %s %.1f", result->places[seat],
               store_bot(tournament->store, result->bots[seat])->name,
               (double)result->score_halves[seat] / 2);
        if (result->faults[seat] != BOT_ANSWERED)
            printf(" %s", bot_outcome_name((enum bot_outcome)result->faults[seat]));
    }
    putchar('\n');
}

/* The matches of all blocks up to the first that is still open. */
static void print_decided(struct tournament *tournament)
{
    const struct schedule *schedule = agenda_schedule(tournament->agenda);
    unsigned from = tournament->next_shown;
    size_t count;
    struct result *results;

    while (tournament->next_shown <= schedule_count(schedule) &&
           agenda_block(tournament->agenda, tournament->next_shown) != AGENDA_OPEN)
        tournament->next_shown++;
    if (tournament->next_shown == from)
        return;
    results = agenda_results(tournament->agenda, &count);
    for (size_t i = 0; i < count; i++) {
        if (results[i].block >= from && results[i].block < tournament->next_shown)
            print_match(tournament, &results[i]);
    }
    free(results);
    (void)fflush(stdout);
}

static void on_block(void *context, unsigned block)
{
    struct tournament *tournament = context;

    if (tournament->feed != NULL)
        feed_block(tournament->feed, block);
    if (tournament->shows_each)
        print_decided(tournament);
}

static void on_end(void *context, enum director_end end)
{
    struct tournament *tournament = context;

    tournament->end = end;
    event_base_loopbreak(tournament->base);
}

static void on_interrupt(evutil_socket_t fd, short what, void *context)
{
    struct tournament *tournament = context;

    (void)fd;
    (void)what;
    if (++tournament->interrupts > 1) {
        event_base_loopbreak(tournament->base);
        return;
    }
    if (tournament->feed == NULL)
        progress_say(tournament->progress,
                     "finishing the running matches; once more (Ctrl-C) stops at once");
    director_stop(tournament->director);
}

/* Whoever has it played is gone, and perhaps about to have it played again. */
static void on_closed(void *context)
{
    struct tournament *tournament = context;

    tournament->interrupts = 2;
    if (tournament->base != NULL)
        event_base_loopbreak(tournament->base);
}

static bool has_remote(const struct plan *plan)
{
    for (unsigned i = 0; i < plan->bot_count; i++) {
        if (plan->bots[i].remote != NULL)
            return true;
    }
    return false;
}

/* A bot that runs elsewhere has a connection for one match, and comes again after it: a second match at
 * the same time would wait for it while its time to start runs. */
static struct director_setup director_setup(struct tournament *tournament)
{
    const struct plan *plan = tournament->plan;
    unsigned workers = tournament->jobs >= 0 ? (unsigned)tournament->jobs : plan->jobs;
    bool is_single = has_remote(plan);

    return (struct director_setup){
        .jobs = {.rules = plan->rules,
                 .clock = plan->clock,
                 .start_ms = plan->start_ms,
                 .move_ms = plan->move_ms,
                 .bank_ms = plan->bank_ms,
                 .contain = tournament->level,
                 .keeps_bots = plan->keeps_bots,
                 .tables = is_single ? 1 : plan->tables,
                 .entrants = tournament->by_number,
                 .store = tournament->store},
        .workers = is_single ? 1 : workers,
        .store = tournament->store,
        .programme = agenda_programme(tournament->agenda, on_block, tournament),
        .on_message = on_message,
        .on_end = on_end,
        .context = tournament,
    };
}

static int tell_end(const struct tournament *tournament)
{
    if (tournament->end == DIRECTOR_PAUSED)
        feed_note(tournament->feed, "some matches were void time and again and are missing");
    return feed_end(tournament->feed, tournament->end, tournament->interrupts > 1);
}

static int play(struct tournament *tournament)
{
    struct director_setup setup = director_setup(tournament);
    struct event *interrupt;
    struct event *terminate;
    int code = CLI_FINE;

    tournament->base = event_base_new();
    if (tournament->base == NULL) {
        message_say("the event loop could not be set up");
        return CLI_FAILED;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    interrupt = evsignal_new(tournament->base, SIGINT, on_interrupt, tournament);
    terminate = evsignal_new(tournament->base, SIGTERM, on_interrupt, tournament);
    evsignal_add(interrupt, NULL);
    evsignal_add(terminate, NULL);
    tournament->end = DIRECTOR_STOPPED;
    tournament->next_shown = 1;
    if (tournament->feed != NULL)
        feed_begin(tournament->feed, tournament->base, tournament->agenda, tournament->store);
    tournament->director = director_new(tournament->base, &setup);
    if (!tournament->is_quiet && tournament->feed == NULL) {
        tournament->progress =
            progress_new(tournament->base, tournament->agenda, tournament->store);
        progress_watch(tournament->progress, tournament->director);
    }
    event_base_dispatch(tournament->base);
    progress_free(tournament->progress);
    tournament->progress = NULL;
    if (tournament->shows_each)
        print_decided(tournament);
    director_free(tournament->director);
    if (tournament->feed != NULL && tell_end(tournament) != 0)
        code = CLI_FAILED;
    event_free(interrupt);
    event_free(terminate);
    event_base_free(tournament->base);
    tournament->base = NULL;
    return code;
}

/* Afterwards. */

static void say_end(const struct tournament *tournament)
{
    if (tournament->end == DIRECTOR_STOPPED)
        message_say("stopped after %lu of %lu matches; to go on: referee tournament %s",
                    agenda_decided(tournament->agenda), agenda_matches(tournament->agenda),
                    tournament->path);
    else if (tournament->end == DIRECTOR_PAUSED)
        message_say("some matches were void time and again and are missing; when the cause is "
                    "mended: referee tournament %s",
                    tournament->path);
}

/* Returns 0, or -1 if a file could not be written, which is said. */
static int show(const struct tournament *tournament)
{
    struct summary *summary = summary_new(tournament->agenda, tournament->store);
    int result;

    if (tournament->is_json)
        report_json(stdout, summary_report(summary));
    else
        report_text(stdout, summary_report(summary), 100);
    (void)fflush(stdout);
    result = summary_write_files(summary);
    if (result != 0)
        message_say("the report could not be written: %s", strerror(errno));
    else if (!tournament->is_json)
        printf("report: %s/report.html\n", store_folder(tournament->store));
    summary_free(summary);
    return result;
}

static int play_and_show(struct tournament *tournament)
{
    int code = prepare(tournament);

    if (code == CLI_FINE)
        code = play(tournament);
    if (code != CLI_FINE)
        return code;
    if (tournament->feed != NULL)
        return tournament->end == DIRECTOR_FINISHED ? CLI_FINE : CLI_FAILED;
    /* Who pressed twice wants to be gone. */
    if (tournament->interrupts < 2 && tournament->end != DIRECTOR_FAILED && show(tournament) != 0)
        code = CLI_FAILED;
    say_end(tournament);
    return tournament->end == DIRECTOR_FINISHED ? code : CLI_FAILED;
}

static int run(struct tournament *tournament)
{
    int code = CLI_USAGE;

    tournament->plan = plan_load(tournament->path, on_problem, tournament);
    if (tournament->plan == NULL)
        return CLI_USAGE;
    if (!tournament->is_dry_run) {
        code = play_and_show(tournament);
    } else {
        tournament->entrants = entrants_new(tournament->plan, NULL, NULL, on_problem, tournament);
        if (tournament->entrants != NULL)
            code = dry_run(tournament->plan);
    }
    agenda_free(tournament->agenda);
    entrants_free(tournament->entrants);
    contain_free(tournament->contain);
    free(tournament->by_number);
    store_free(tournament->store);
    plan_free(tournament->plan);
    return code;
}

/* Whatever kept it from playing, the feed has an end. */
static int run_with_feed(struct tournament *tournament)
{
    int code;

    tournament->feed = feed_new(on_closed, tournament);
    code = run(tournament);
    (void)feed_end(tournament->feed, DIRECTOR_FAILED, true);
    feed_free(tournament->feed);
    return code;
}

static int print_keys(void)
{
    char keys[PLAN_KEYS_MAX];
    struct text text;

    text_start(&text, keys, sizeof keys);
    plan_write_keys(&text);
    fputs(keys, stdout);
    return CLI_FINE;
}

int cli_tournament(int argc, char **argv)
{
    struct tournament tournament = {.jobs = -1, .level = CONTAIN_LEVEL_COUNT};
    size_t words = 0;
    enum options_result result = options_read(&options, argc, argv, take, &tournament, &words);
    int code;

    if (result != OPTIONS_FINE)
        return result == OPTIONS_HELP ? CLI_FINE : CLI_USAGE;
    if (tournament.shows_keys)
        return print_keys();
    if (words != 1) {
        message_say("which tournament? `referee tournament --help` shows examples");
        return CLI_USAGE;
    }
    if (tournament.has_feed &&
        (tournament.is_dry_run || tournament.shows_each || tournament.is_json)) {
        message_say("--feed goes without --dry-run, --each and --json");
        return CLI_USAGE;
    }
    if (chance_init() != 0) {
        message_say("the system has no randomness to deal with");
        return CLI_FAILED;
    }
    tournament.path = argv[1];
    code = tournament.has_feed ? run_with_feed(&tournament) : run(&tournament);
    free(tournament.seed_words);
    return code;
}
