/* `referee trial` is started by the daemon for each version of a bot: it builds the bot and waits
 * for its hello, or, later, checks it. What others may know goes to stdout, one line per step; what
 * is for the author is written to files. A step without a line was not decided: then the machine
 * was in the way, not the bot. */

#include "base/clock.h"
#include "base/deal_random.h"
#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/message.h"
#include "bot/language.h"
#include "cli/check/cmd_check.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/options_match.h"
#include "cli/options_sandbox.h"
#include "cli/tournament/greeting.h"
#include "sandbox/process.h"
#include "tournament/play/bot_setup.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_MAX 86400
#define MEMORY_MAX_MB 65536

struct trial {
    const char *builds, *folder, *build, *output;
    long build_seconds, build_memory_mb, build_kb, memory_mb, start_ms;
    long check_seconds; /* 0: it is built and greeted */
    enum sandbox_level level;
    struct config config; /* of that bot alone */
    struct config_bot bot;
    struct sandbox *sandbox;
    char why[1500]; /* the last problem */
};

static const struct option_row rows[] = {
    {"--builds", "FOLDER", "where bots are built", OPTION_TEXT(struct trial, builds)},
    {"--build", "COMMAND", "how it is built", OPTION_TEXT(struct trial, build)},
    {"--build-seconds", "N", "how long that may take",
     OPTION_NUMBER(struct trial, build_seconds, 1, SECONDS_MAX)},
    {"--build-memory-mb", "N", "the memory of the build",
     OPTION_NUMBER(struct trial, build_memory_mb, 0, MEMORY_MAX_MB)},
    {"--build-kb", "N", "the most that it may leave; by default as much as in a tournament",
     OPTION_NUMBER(struct trial, build_kb, 0, LONG_MAX)},
    {"--folder", "FOLDER", "where it is", OPTION_TEXT(struct trial, folder)},
    {"--memory-mb", "N", "the memory of the bot",
     OPTION_NUMBER(struct trial, memory_mb, 0, MEMORY_MAX_MB)},
    {"--start-ms", "MS", "time until the hello",
     OPTION_NUMBER(struct trial, start_ms, 1, OPTIONS_MATCH_TIME_MAX_MS)},
    {"--contain", "LEVEL", OPTIONS_SANDBOX_LEVELS, OPTIONS_SANDBOX(struct trial, level)},
    {"--check-seconds", "N", "check it, for at most so long, instead of greeting it",
     OPTION_NUMBER(struct trial, check_seconds, 0, SECONDS_MAX)},
    {.name = NULL},
};

static const struct options options = {
    .command = "trial",
    .usage = "[OPTION...] FOLDER NAME COMMAND",
    .purpose = "Builds, greets or checks a bot, for the daemon. What is for its author is written\n"
               "to files in FOLDER: build, hello, check.\n",
    .examples = "  referee trial --builds store/builds store/trials/anna/1 anna ./bot\n",
    .rows = rows,
    .takes = "a FOLDER, the NAME and the COMMAND of a bot",
    .least = 3,
    .most = 3,
};

/* Files. */

static FILE *open_file(const struct trial *trial, const char *name)
{
    char *path = directory_join(trial->output, name);
    FILE *file = fopen(path, "we");

    if (file == NULL)
        message_say("%s: %s", path, strerror(errno));
    free(path);
    return file;
}

/* It is on the disk before the daemon knows. Returns 0 or -1. */
static int close_file(FILE *file)
{
    int result = fflush(file) == 0 && fsync(fileno(file)) == 0 ? 0 : -1;

    return fclose(file) == 0 ? result : -1;
}

static void copy_bytes(const char *path, FILE *to)
{
    FILE *from = fopen(path, "re");
    char bytes[4096];
    size_t count;
    char last = '\n';

    while (from != NULL && (count = fread(bytes, 1, sizeof bytes, from)) > 0) {
        (void)fwrite(bytes, 1, count, to);
        last = bytes[count - 1];
    }
    if (last != '\n')
        (void)fputc('\n', to);
    if (from != NULL)
        (void)fclose(from);
}

/* A shell and `env` exit with 127 if they do not find a program. */
static void add_languages(FILE *file, const char *ending)
{
    char list[LANGUAGE_LIST_MAX];
    struct text text;

    if (strstr(ending, "exit status 127") == NULL && strstr(ending, "no program") == NULL)
        return;
    text_start(&text, list, sizeof list);
    language_add_installed(&text);
    fprintf(file, "this machine has: %s\n", list);
}

/* Steps. */

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    struct trial *trial = context;

    (void)line;
    (void)column;
    snprintf(trial->why, sizeof trial->why, "%s", sentence);
}

/* What the build printed, as it is, and why it failed. */
static int write_build(const struct trial *trial, const struct built_bot_place *builds,
                       const struct bot_setup *bot)
{
    char *path = built_bot_output(builds, bot->command.hash);
    FILE *file = open_file(trial, "build");

    if (file != NULL) {
        copy_bytes(path, file);
        if (bot->problem != NULL) {
            fprintf(file, "%s\n", bot->problem);
            add_languages(file, bot->problem);
        }
    }
    free(path);
    return file != NULL ? close_file(file) : -1;
}

static int write_hello(const struct trial *trial, const char *text)
{
    FILE *file = open_file(trial, "hello");

    if (file == NULL)
        return -1;
    (void)fputs(text, file);
    if (text[0] != '\0' && text[strlen(text) - 1] != '\n')
        (void)fputc('\n', file);
    add_languages(file, text);
    return close_file(file);
}

static int greet(struct trial *trial, const struct bot_setup *bot)
{
    struct greeting_setup setup = {
        .bot = bot,
        .clock = CLOCK_FAIR,
        .start_ms = trial->start_ms,
        .sandbox = trial->sandbox,
    };
    char *report = NULL;
    size_t length;
    FILE *file = open_memstream(&report, &length);
    struct event_base *base = event_base_new();
    struct interrupt *interrupt = interrupt_watch(base, NULL, NULL);
    enum greeting_end end = GREETING_NO_ROOM;

    if (file != NULL) {
        end = greeting_run(base, &setup, file);
        if (fclose(file) != 0 || write_hello(trial, report) != 0)
            end = GREETING_NO_ROOM;
    }
    free(report);
    interrupt_free(interrupt);
    event_base_free(base);
    if (end == GREETING_NO_ROOM || end == GREETING_STOPPED)
        return CLI_FAILED;
    puts(end == GREETING_FINE ? "hello ok" : "hello failed");
    return CLI_FINE;
}

/* Whether the sandbox takes it; why not is in `why`. */
static int admit(struct trial *trial, const struct bot_setup *bot)
{
    struct process_spec spec = {.argv = (const char *const *)bot->command.argv,
                                .folder = bot->folder,
                                .is_folder_shared = bot->is_folder_shared};
    struct text text;

    text_start(&text, trial->why, sizeof trial->why);
    return sandbox_admit(trial->sandbox, &spec, &text);
}

static int refuse_hello(struct trial *trial, const char *why)
{
    char *readable = escape_readable(why);
    int result = write_hello(trial, readable);

    free(readable);
    if (result != 0)
        return CLI_FAILED;
    puts("hello failed");
    return CLI_FINE;
}

static int try_bot(struct trial *trial, const struct built_bot_place *builds,
                   const struct bot_setup *bot)
{
    if (trial->build != NULL && write_build(trial, builds, bot) != 0)
        return CLI_FAILED;
    if (trial->build != NULL && !bot->is_built) {
        puts("build failed");
        return CLI_FINE;
    }
    if (trial->build != NULL) {
        char *folder = built_bot_folder(builds, bot->command.hash);

        printf("bytes %lld\n", (long long)directory_tree_disk(folder));
        free(folder);
    }
    puts(trial->build != NULL ? "build ok" : "build none");
    (void)fflush(stdout);
    if (bot->problem != NULL)
        return refuse_hello(trial, bot->problem);
    errno = 0;
    if (admit(trial, bot) != 0)
        return bot_setup_is_trouble(errno) ? CLI_FAILED : refuse_hello(trial, trial->why);
    return greet(trial, bot);
}

/* The report is printed to stdout, which is the file for that time. */
static int check(struct trial *trial, const struct bot_setup *bot)
{
    struct check *check = check_new();
    char *path = directory_join(trial->output, "check");
    int feed = dup(STDOUT_FILENO);
    int file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_TRUNC | O_CLOEXEC, 0644);
    int code = CLI_FAILED;

    check->command = bot->command;
    check->process = (struct match_host_process){.folder = bot->folder,
                                                 .is_folder_shared = bot->is_folder_shared,
                                                 .environment = bot->environment,
                                                 .memory_mb = bot->memory_mb};
    check->sandbox = trial->sandbox;
    check->start_ms = trial->start_ms;
    check->end_us = clock_now_us() + trial->check_seconds * 1000000;
    if (feed >= 0 && file >= 0 && dup2(file, STDOUT_FILENO) >= 0) {
        code = check_run(check);
        if (fflush(stdout) != 0 || fsync(file) != 0 || dup2(feed, STDOUT_FILENO) < 0)
            code = CLI_FAILED;
    }
    if (code == CLI_FINE || code == CLI_BOT_FAULT) {
        puts(code == CLI_FINE ? "check ok" : "check failed");
        code = CLI_FINE;
    }
    memset(&check->command, 0, sizeof check->command);
    check->sandbox = NULL;
    check_free(check);
    free(path);
    if (file >= 0)
        close(file);
    if (feed >= 0)
        close(feed);
    return code;
}

/* Whoever kills this process knows what it may have left. */
static void say_source(const struct trial *trial)
{
    char hash[BOT_COMMAND_HASH_HEX];

    if (trial->build == NULL || built_bot_hash(&trial->bot, hash) != 0)
        return;
    printf("source %s\n", hash);
    (void)fflush(stdout);
}

static int run(struct trial *trial)
{
    struct built_bot_place builds = {.folder = trial->builds,
                                     .is_shared = true,
                                     .limit_s = (unsigned)trial->build_seconds,
                                     .memory_mb = trial->build_memory_mb,
                                     .most_kb = trial->build_kb,
                                     .keeps_failures = true};
    struct bot_setup_list *list;
    const struct bot_setup *bot;
    int code;

    if (directory_make_unsynced(trial->output) != 0) {
        message_say("%s: %s", trial->output, strerror(errno));
        return CLI_FAILED;
    }
    say_source(trial);
    list = bot_setup_list_new(&trial->config, &builds, trial->sandbox, on_problem, trial);
    bot = bot_setup_list_get(list);
    if (bot_setup_list_trouble(list) != NULL) {
        message_say("%s", bot_setup_list_trouble(list));
        code = CLI_FAILED;
    } else if (trial->check_seconds == 0) {
        code = try_bot(trial, &builds, bot);
    } else {
        code = bot->problem == NULL && admit(trial, bot) == 0 ? check(trial, bot) : CLI_FAILED;
    }
    bot_setup_list_free(list);
    return code;
}

static void set_up(struct trial *trial, char **argv)
{
    static char *no_environment[] = {NULL};

    trial->output = argv[1];
    snprintf(trial->bot.name, sizeof trial->bot.name, "%s", argv[2]);
    trial->bot.command = argv[3];
    trial->bot.folder = (char *)trial->folder;
    trial->bot.build = (char *)trial->build;
    trial->bot.memory_mb = trial->memory_mb;
    trial->bot.environment = no_environment;
    trial->config.folder = argv[1];
    trial->config.bots = &trial->bot;
    trial->config.bot_count = 1;
}

int cli_trial(int argc, char **argv)
{
    struct trial trial = {
        .builds = "builds", .build_seconds = 600, .start_ms = 10000, .level = SANDBOX_AUTO};
    struct text problem;
    int code;

    if (options_read(&options, argc, argv, &trial, &code) < 0)
        return code;
    set_up(&trial, argv);
    (void)signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    text_start(&problem, trial.why, sizeof trial.why);
    trial.sandbox = deal_random_init() == 0 ? sandbox_new(trial.level, &problem) : NULL;
    if (trial.sandbox == NULL) {
        message_say("%s", trial.why);
        return CLI_FAILED;
    }
    code = run(&trial);
    sandbox_free(trial.sandbox);
    return code;
}
