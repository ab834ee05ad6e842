/* `referee worker` finds out what this machine can do, connects to the job servers, and plays until
 * it is told to stop. */

#include "base/cpu.h"
#include "base/deal_random.h"
#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_gearman.h"
#include "tournament/distribute/block_worker.h"
#include "tournament/play/clock_scale.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CACHE_MB 2048
#define SIGN_MS 1000
#define SPEED_MS 1000
#define NAME_BYTES (LOG_RECORD_MACHINE_MAX + 1)

struct worker_command {
    const char *gearman[OPTIONS_GEARMAN_MAX + 1];
    const char *key_file;
    const char *cache_folder;
    long cache_mb;
    unsigned cores;
    const char *given_name;
    long speed;
    unsigned silence_s;
    enum sandbox_level least_level;

    struct seal_key key;
    struct bot_cache *cache;
    char *folder;
    char machine[NAME_BYTES];
    char name[NAME_BYTES + 20];
    struct event_base *base;
    struct block_worker *worker;
};

static int read_least_level(void *destination, const char *name, const char *value)
{
    enum sandbox_level level;

    (void)name;
    if (sandbox_level_read(span_of(value), &level) != 0 || level >= SANDBOX_AUTO)
        return -1;
    *(enum sandbox_level *)destination = level;
    return 0;
}

static const struct option_row rows[] = {
    {"--gearman", "HOST[:PORT]", "a job server to take blocks from (port 4730); may be repeated",
     OPTIONS_GEARMAN(struct worker_command, gearman)},
    {"--key-file", "FILE", "the key that the tournaments have, too",
     OPTION_TEXT(struct worker_command, key_file)},
    {"--workers", "N", "worker processes (one per core)",
     OPTION_NUMBER(struct worker_command, cores, 1, 1024)},
    {"--cache", "DIR", "where bots are kept ($XDG_CACHE_HOME/referee; for root /var/cache/referee)",
     OPTION_TEXT(struct worker_command, cache_folder)},
    {"--cache-mb", "N", "how much they may use; those not used for longest are removed (2048)",
     OPTION_NUMBER(struct worker_command, cache_mb, 1, 1 << 24)},
    {"--name", "NAME", "what logs and messages call this machine (its host name)",
     OPTION_TEXT(struct worker_command, given_name)},
    {"--speed", "N", "thousand decisions per second and core, measured before (measured now)",
     OPTION_NUMBER(struct worker_command, speed, 1, LOG_RECORD_SPEED_MAX)},
    {"--contain", "LEVEL", "the lowest sandbox level to play at: none, guarded or sealed (none)",
     OPTION_READ(struct worker_command, least_level, read_least_level, "none, guarded or sealed")},
    {"--silence", "SECONDS", "end a process that plays and says nothing for so long (60)",
     OPTION_NUMBER(struct worker_command, silence_s, 2, 86400)},
    {.name = NULL},
};

static const struct options options = {
    .command = "worker",
    .usage = "--gearman HOST[:PORT] --key-file FILE [OPTION...]",
    .purpose = "Plays blocks for tournaments on other machines, which a Gearman job server hands "
               "out, with\n"
               "bots contained as usual. It gets the bots that it lacks from the tournament and "
               "keeps them.\n"
               "Job servers and tournaments may come and go. Ctrl-C lets the running blocks end, a "
               "second\n"
               "one stops at once; what is not finished is played by others.\n",
    .examples = "  referee worker --gearman cluster.example --key-file referee.key\n"
                "  ssh -fNL 4730:localhost:4730 cluster.example &&\n"
                "      referee worker --gearman localhost --key-file referee.key\n",
    .rows = rows,
    .takes = "no arguments",
};

static void say(void *context, const char *message)
{
    (void)context;
    message_say("%s", message);
}

static void on_end(void *context)
{
    const struct worker_command *command = context;

    event_base_loopbreak(command->base);
}

static void on_signal(void *context, unsigned count)
{
    struct worker_command *command = context;

    if (count > 1) {
        event_base_loopbreak(command->base);
        return;
    }
    message_say("finishing the running blocks; press Ctrl-C again to stop now");
    block_worker_drain(command->worker);
}

/* A level works if it can be prepared. Returns how many do. */
static unsigned find_levels(struct block_worker_setup *setup, enum sandbox_level least)
{
    unsigned count = 0;

    for (enum sandbox_level level = least; level < SANDBOX_AUTO; level++) {
        char message[400];
        struct text problem;
        struct sandbox *sandbox;

        text_start(&problem, message, sizeof message);
        sandbox = sandbox_new(level, &problem);
        setup->levels[level] = level == SANDBOX_NONE || sandbox != NULL;
        if (!setup->levels[level])
            message_say("no blocks at level %s: %s", sandbox_level_name(level), message);
        count += setup->levels[level];
        sandbox_free(sandbox);
    }
    return count;
}

/* In a process of its own, so that only that is pinned to a core. */
static long measure_speed(void)
{
    int cpus[CPU_MAX];
    long speed = 0;
    int ends[2];
    pid_t pid;

    if (pipe(ends) != 0)
        return 0;
    pid = fork();
    if (pid == 0) {
        if (cpu_list(cpus) > 0)
            cpu_pin(cpus[0]);
        speed = clock_scale_measure(SPEED_MS);
        _exit(write(ends[1], &speed, sizeof speed) == (ssize_t)sizeof speed ? 0 : 1);
    }
    close(ends[1]);
    if (pid < 0 || read(ends[0], &speed, sizeof speed) != (ssize_t)sizeof speed)
        speed = 0;
    close(ends[0]);
    if (pid > 0)
        (void)waitpid(pid, NULL, 0);
    return speed;
}

/* Letters, digits, `.`, `-` and `_`. */
static void find_name(struct worker_command *command)
{
    char host[256] = "";
    const char *from = command->given_name;

    if (from == NULL) {
        (void)gethostname(host, sizeof host - 1);
        from = host;
    }
    snprintf(command->machine, sizeof command->machine, "%.*s", NAME_BYTES - 1, from);
    for (char *at = command->machine; *at != '\0'; at++) {
        if (!span_is_name((struct span){at, 1}, 1) && strchr("._-", *at) == NULL)
            *at = '-';
    }
    if (!span_is_name(span_of(command->machine), NAME_BYTES - 1))
        snprintf(command->machine, sizeof command->machine, "worker");
    snprintf(command->name, sizeof command->name, "%s:%ld", command->machine, (long)getpid());
}

/* Where bots are kept if nothing is said. Free it. */
static char *default_cache(void)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    char *folder;
    char *path;

    if (geteuid() == 0)
        return xstrdup("/var/cache/referee");
    if (base != NULL && base[0] == '/')
        return directory_join(base, "referee");
    folder = directory_join(home != NULL ? home : "/tmp", ".cache");
    path = directory_join(folder, "referee");
    free(folder);
    return path;
}

/* The folder for logs is closed to bots from its first moment. */
static int make_folder(struct worker_command *command, const char *cache)
{
    char *open;
    int result;

    command->folder = directory_join(cache, "playing");
    open = directory_join(command->folder, "open");
    (void)directory_tree_remove(command->folder);
    result = mkdir(command->folder, 0700);
    if (result == 0)
        result = directory_mark(command->folder);
    if (result == 0)
        result = mkdir(open, 0700);
    if (result != 0)
        message_say("%s: %s", command->folder, strerror(errno));
    free(open);
    return result;
}

static int open_files(struct worker_command *command)
{
    char *own = command->cache_folder == NULL ? default_cache() : xstrdup(command->cache_folder);
    char *cache = NULL;
    char message[400];
    struct text problem;
    int result = -1;

    text_start(&problem, message, sizeof message);
    if (directory_make(own) == 0)
        cache = realpath(own, NULL);
    if (cache == NULL)
        text_printf(&problem, "%s: %s", own, strerror(errno));
    else if (directory_is_private(cache))
        text_printf(&problem,
                    "%s is in a store, which no bot may read; name another folder with "
                    "--cache",
                    cache);
    else if (seal_key_read(&command->key, command->key_file, &problem) == 0)
        command->cache = bot_cache_open(cache, command->cache_mb << 20, &problem);
    if (command->cache != NULL)
        result = make_folder(command, cache);
    else
        message_say("%s", message);
    free(cache);
    free(own);
    return result;
}

static int run(struct worker_command *command)
{
    struct block_worker_setup setup = {.servers = command->gearman,
                                       .key = &command->key,
                                       .cache = command->cache,
                                       .folder = command->folder,
                                       .machine = command->machine,
                                       .name = command->name,
                                       .cores = command->cores,
                                       .sign_ms = SIGN_MS,
                                       .silence_ms = 1000 * command->silence_s,
                                       .on_message = say,
                                       .on_end = on_end,
                                       .context = command};
    struct interrupt *interrupt;

    (void)find_levels(&setup, command->least_level);
    setup.speed = command->speed > 0 ? command->speed : measure_speed();
    message_say("worker %s: %.1f M decisions/s per core", command->name, (double)setup.speed / 1e3);
    command->base = event_base_new();
    if (command->base == NULL)
        return CLI_FAILED;
    (void)signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    interrupt = interrupt_watch(command->base, on_signal, command);
    command->worker = block_worker_new(command->base, &setup);
    event_base_dispatch(command->base);
    block_worker_free(command->worker);
    interrupt_free(interrupt);
    event_base_free(command->base);
    return CLI_FINE;
}

int cli_worker(int argc, char **argv)
{
    struct worker_command command = {.cache_mb = CACHE_MB};
    int code;

    if (options_read(&options, argc, argv, &command, &code) < 0)
        return code;
    if (command.gearman[0] == NULL || command.key_file == NULL) {
        message_say("worker needs --gearman HOST and --key-file FILE; see `referee worker --help`");
        return CLI_USAGE;
    }
    if (deal_random_init() != 0) {
        message_say("the system has no source of random numbers");
        return CLI_FAILED;
    }
    find_name(&command);
    code = open_files(&command) == 0 ? run(&command) : CLI_FAILED;
    if (command.folder != NULL)
        (void)directory_tree_remove(command.folder);
    bot_cache_free(command.cache);
    free(command.folder);
    return code;
}
