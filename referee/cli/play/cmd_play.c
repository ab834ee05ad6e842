/* `referee play` plays matches one after the other, shows them, and sums them up. */

#include "cli/play/cmd_play.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_sandbox.h"
#include "cli/play/human.h"
#include "cli/options_match.h"
#include "cli/options.h"
#include "cli/play/play_summary.h"
#include "cli/table_view.h"
#include "game/rules.h"
#include "match/log_zstd.h"
#include "match/match_host.h"

#include <event2/event.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MATCHES_MAX 1000000

static const struct option_row rows[] = {
    {OPTIONS_MATCH(struct play_settings, match)},
    {"--seats", "N", "seats at the table; fewer bots take several seats each",
     OPTION_NUMBER(struct play_settings, seats, ALLEGRA_SEATS_MIN, ALLEGRA_SEATS_MAX)},
    {"--seed", "TEXT", "deal from this seed: any text, or 64 hexadecimal digits",
     OPTION_SECRET(struct play_settings, seed)},
    {"--contain", "LEVEL", OPTIONS_SANDBOX_LEVELS " (none)",
     OPTIONS_SANDBOX(struct play_settings, sandbox)},
    {"--log", "FILE", "the log, compressed if it ends in .zst; FILE-1, FILE-2, ... if several",
     OPTION_TEXT(struct play_settings, log_path)},
    {"--matches", "N", "play N matches, all bots one seat further each time, and sum them up",
     OPTION_NUMBER(struct play_settings, matches, 1, MATCHES_MAX)},
    {"--stderr", NULL, "show what bots write to stderr, live",
     OPTION_FLAG(struct play_settings, shows_stderr)},
    {"--ponder", NULL, "let bots think while they are not asked",
     OPTION_FLAG(struct play_settings, may_ponder)},
    {"--quiet", NULL, "print results only", OPTION_FLAG(struct play_settings, is_quiet)},
    {"--json", NULL, "print results as one JSON document",
     OPTION_FLAG(struct play_settings, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "play",
    .usage = "[OPTION...] BOT BOT...",
    .purpose =
        "Plays a match between bots. A BOT is the path of a program or a command line;\n"
        "`human` is a person at this terminal, who types `?` for help. Fewer points are better.\n"
        "Ctrl-C, SIGTERM or SIGHUP lets the match end; a second one stops it.\n",
    .examples = "  referee play build/bots/greedy build/bots/random\n"
                "  referee play --edition en2020 --log game.ndjson ./mybot 'python3 other.py'\n"
                "  referee play --seats 4 --matches 100 --seed 42 ./mybot build/bots/greedy\n"
                "  referee play human build/bots/greedy build/bots/greedy\n",
    .rows = rows,
    .takes = "at most 6 bots",
    .most = ALLEGRA_SEATS_MAX,
};

/* One call of `referee play`. */
struct play {
    int cpu; /* that all of it runs on, or -1 */
    struct play_settings settings;
    struct event_base *base;
    struct sandbox *sandbox;
    struct bot_command commands[ALLEGRA_SEATS_MAX]; /* of the BOT arguments */
    bool is_human[ALLEGRA_SEATS_MAX];
    unsigned bots;
    char names[ALLEGRA_SEATS_MAX][BOT_COMMAND_SEAT_NAME_BYTES]; /* by player */
    struct human *human;
    struct table_view *show;
    struct play_summary *summary;
    struct play_summary_match which; /* of the matches is being played */
    bool is_done;                    /* the match has ended */
    bool is_aborted;                 /* not even this match is to be finished */
    bool has_fault;
};

static bool read_hex_seed(const char *hex, uint8_t seed[DEAL_RANDOM_SEED_BYTES])
{
    size_t length = 0;

    return strlen(hex) == 2 * DEAL_RANDOM_SEED_BYTES &&
           sodium_hex2bin(seed, DEAL_RANDOM_SEED_BYTES, hex, strlen(hex), NULL, &length, NULL) ==
               0 &&
           length == DEAL_RANDOM_SEED_BYTES;
}

void play_seed(const struct play_settings *settings, unsigned number,
               uint8_t seed[DEAL_RANDOM_SEED_BYTES], bool *is_guessable)
{
    char text[300];

    *is_guessable = settings->seed != NULL;
    if (settings->seed == NULL) {
        deal_random_seed(seed);
    } else if (settings->matches == 1) {
        *is_guessable = !read_hex_seed(settings->seed, seed);
        if (*is_guessable)
            deal_random_seed_from_text(seed, settings->seed);
    } else {
        snprintf(text, sizeof text, "%s/%u", settings->seed, number);
        deal_random_seed_from_text(seed, text);
    }
}

/* There are as many players as seats. If there are fewer bots, they take turns. */
static unsigned bot_of(const struct play *play, unsigned player)
{
    return play->bots > 0 ? player % play->bots : 0;
}

/* Who plays in that seat: all move on by one seat from match to match, so that nobody gains or
 * loses by who deals and who sits beside whom. */
static unsigned player_in(const struct play *play, unsigned seat)
{
    unsigned seats = play->settings.seats;

    return (seat + seats - (play->which.number - 1) % seats) % seats;
}

static void name_players(struct play *play)
{
    for (unsigned player = 0; player < play->settings.seats; player++)
        bot_command_name_seat(play->names, player, play->commands[bot_of(play, player)].name);
}

static int read_bots(struct play *play, char **arguments)
{
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    for (unsigned i = 0; i < play->bots; i++) {
        play->is_human[i] = strcmp(arguments[i], "human") == 0;
        if (play->is_human[i]) {
            snprintf(play->commands[i].name, sizeof play->commands[i].name, "human");
        } else if (bot_command_read(&play->commands[i], arguments[i], &problem) != 0) {
            message_say("%s", message);
            return -1;
        }
    }
    return 0;
}

static int sandbox_bots(struct play *play)
{
    play->sandbox = options_sandbox_open(play->settings.sandbox);
    if (play->sandbox == NULL)
        return CLI_FAILED;
    for (unsigned i = 0; i < play->bots; i++) {
        if (!play->is_human[i] &&
            options_sandbox_admit(play->sandbox, &play->commands[i], NULL, false) != 0)
            return CLI_FAILED;
    }
    return CLI_FINE;
}

static int check_seats(struct play *play)
{
    char message[200];
    struct text problem;
    unsigned humans = 0;

    text_start(&problem, message, sizeof message);
    if (play->settings.seats == 0)
        play->settings.seats = play->bots;
    for (unsigned player = 0; player < play->settings.seats && play->bots > 0; player++)
        humans += play->is_human[bot_of(play, player)];
    if (play->bots == 0 || play->settings.seats < ALLEGRA_SEATS_MIN)
        text_add(&problem, "a match needs at least two seats: name more bots, or use --seats");
    else if (play->bots > play->settings.seats)
        text_add(&problem, "there are more bots than seats");
    else if (humans > 1)
        text_add(&problem, "only one person can play at this terminal");
    else if (rules_check(&play->settings.match.game.rules, play->settings.seats, &problem) == 0 &&
             (humans == 0 || human_can_play()))
        return 0;
    if (problem.length > 0)
        message_say("%s", message);
    return -1;
}

static void on_end(void *context, struct match_host *host)
{
    struct play *play = context;

    (void)host;
    play->is_done = true;
    event_base_loopbreak(play->base);
}

static void on_signal(void *context, unsigned count)
{
    struct play *play = context;

    if (count > 1 || play->human != NULL) {
        play->is_aborted = true;
        event_base_loopbreak(play->base);
    } else {
        message_say("stopping after this match; press Ctrl-C again to stop now");
    }
}

static void on_events(void *context, const struct match *match, const struct allegra_events *events)
{
    struct play *play = context;

    if (play->human != NULL)
        human_events(play->human, match, events);
    else if (play->show != NULL)
        table_view_events(play->show, match, events);
}

static void on_said(void *context, const struct match *match, unsigned seat, const char *said)
{
    struct play *play = context;

    if (play->human != NULL)
        human_said(play->human, match, seat, said);
    else if (play->show != NULL)
        table_view_said(play->show, match, seat, said);
}

static void on_fault(void *context, const struct match *match, unsigned seat,
                     const struct bot_failure *failure)
{
    struct play *play = context;

    play->has_fault = true;
    play_summary_add_fault(play->summary, match, &play->which, seat, failure);
}

/* FILE, or FILE-7 with the number before its suffix. To be freed. */
static char *log_path_of(const struct play *play)
{
    const char *path = play->settings.log_path;
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *dot = path != NULL ? memrchr(path, '.', log_zstd_plain_length(path)) : NULL;
    size_t size;
    char *numbered;

    if (path == NULL || play->settings.matches == 1)
        return path != NULL ? xstrdup(path) : NULL;
    if (dot == NULL || dot == path || (slash != NULL && dot < slash + 2))
        dot = path + strlen(path);
    size = strlen(path) + 20;
    numbered = xcalloc(size, 1);
    snprintf(numbered, size, "%.*s-%u%s", (int)(dot - path), path, play->which.number, dot);
    return numbered;
}

static struct match_host_setup setup_of(struct play *play, const char *log_path)
{
    const struct play_settings *settings = &play->settings;
    struct match_host_setup setup = {
        .match = {.rules = settings->match.game.rules,
                  .variant = settings->match.game.variant,
                  .seats = settings->seats,
                  .clock = settings->match.clock,
                  .may_ponder = settings->may_ponder,
                  .start_ms = settings->match.start_ms,
                  .move_ms = settings->match.move_ms,
                  .bank_ms = settings->match.bank_ms,
                  .sandbox = sandbox_level_name(sandbox_level(play->sandbox)),
                  .enforced = sandbox_enforced(play->sandbox)},
        .log_path = log_path,
        .shows_stderr = settings->shows_stderr,
        .cpu = play->cpu,
        .sandbox = play->sandbox,
        .watch = {on_events, on_fault, on_said, play},
        .on_end = on_end,
        .context = play,
    };

    play_seed(settings, play->which.number, setup.match.seed, &setup.match.is_guessable);
    for (unsigned seat = 0; seat < settings->seats; seat++) {
        unsigned player = player_in(play, seat);
        unsigned bot = bot_of(play, player);

        play->which.bots[seat] = bot;
        setup.match.names[seat] = play->names[player];
        setup.match.commands[seat] = play->is_human[bot] ? "human" : play->commands[bot].text;
        setup.match.hashes[seat] = play->commands[bot].hash;
        setup.commands[seat] = &play->commands[bot];
        if (play->is_human[bot])
            setup.drivers[seat] = human_sit(play->human, seat);
    }
    return setup;
}

/* Returns CLI_FINE when the match was played to its end. */
static int play_match(struct play *play)
{
    char *log_path = log_path_of(play);
    struct match_host_setup setup = setup_of(play, log_path);
    struct match_host *host;
    int code = CLI_FINE;

    play->is_done = false;
    play->which.log_path = log_path;
    host = match_host_start(play->base, &setup);
    while (!play->is_done && match_host_void(host) == NULL && !human_has_left(play->human) &&
           !play->is_aborted)
        event_base_dispatch(play->base);
    if (match_host_void(host) != NULL || !play->is_done) {
        play_summary_stopped(host);
        code = CLI_FAILED;
    } else {
        play_summary_add(play->summary, match_host_get_match(host), &play->which);
        if (play->human != NULL)
            human_result(play->human, match_host_get_match(host));
        else if (play->show != NULL)
            table_view_result(play->show, match_host_get_match(host));
    }
    match_host_free(host);
    free(log_path);
    return code;
}

/* Only one bot thinks at a time, so one core is enough for all of them and us; and only on one core
 * are the kernel's books about waiting exact. The wall clock reads no books. */
static void choose_core(struct play *play)
{
    play->cpu = play->settings.match.clock == CLOCK_FAIR ? cpu_current() : -1;
    cpu_pin(play->cpu);
}

static int play_all(struct play *play)
{
    int code = CLI_FINE;

    choose_core(play);
    for (unsigned *number = &play->which.number;
         *number < play->settings.matches && code == CLI_FINE && interrupt_count() == 0;) {
        ++*number;
        code = play_match(play);
    }
    if (play->settings.is_json)
        play_summary_print_json(play->summary);
    else if (play->settings.matches > 1)
        play_summary_print(play->summary);
    if (code == CLI_FINE && play->which.number < play->settings.matches) {
        message_say("stopped after %u of %u matches", play->which.number, play->settings.matches);
        code = CLI_FAILED;
    }
    if (code == CLI_FINE && play->has_fault)
        code = CLI_BOT_FAULT;
    return code;
}

static int run(struct play *play)
{
    struct interrupt *interrupt;
    bool wants_show = !play->settings.is_json && play->settings.matches == 1;
    bool is_live = isatty(STDOUT_FILENO) && !play->settings.is_quiet;
    int code;

    play->base = event_base_new();
    if (play->base == NULL) {
        message_say("cannot set up the event loop");
        return CLI_FAILED;
    }
    interrupt = interrupt_watch(play->base, on_signal, play);
    for (unsigned i = 0; i < play->bots; i++) {
        if (play->is_human[i] && (play->human = human_new(play->base)) == NULL)
            fatal("cannot read stdin");
    }
    play->show = wants_show ? table_view_new(stdout, is_live && play->human == NULL) : NULL;
    play->summary = play_summary_new(&play->settings, play->bots, play->names);
    code = play_all(play);
    play_summary_free(play->summary);
    table_view_free(play->show);
    human_free(play->human);
    interrupt_free(interrupt);
    event_base_free(play->base);
    return code;
}

int cli_play(int argc, char **argv)
{
    struct play *play = xcalloc(1, sizeof *play);
    int code, count;

    play->settings = (struct play_settings){.match = options_match_default(), .matches = 1};
    count = options_read(&options, argc, argv, &play->settings, &code);
    if (count >= 0) {
        play->bots = (unsigned)count;
        code = CLI_USAGE;
        if (deal_random_init() == 0 && read_bots(play, argv + 1) == 0 && check_seats(play) == 0) {
            signal(SIGPIPE, SIG_IGN);
            interrupt_catch();
            name_players(play);
            code = sandbox_bots(play);
            if (code == CLI_FINE)
                code = run(play);
        }
    }
    sandbox_free(play->sandbox);
    free(play->settings.seed);
    for (unsigned i = 0; i < ALLEGRA_SEATS_MAX; i++)
        bot_command_free(&play->commands[i]);
    free(play);
    return code;
}
