/* `referee serve` starts the daemon, passes signals on to it, and waits until it has drained. */

#include "base/deal_random.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options_gearman.h"
#include "cli/options_sandbox.h"
#include "cli/dial.h"
#include "cli/options.h"
#include "serve/daemon.h"
#include "serve/queue/settings.h"
#include "serve/queue/users.h"
#include "serve/sockets.h"
#include "base/directory.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CONNECTIONS 512
#define FILES 4096 /* descriptors besides those of connections */

struct serve {
    struct daemon_setup setup;
    struct new_user user; /* without a name: none is added */
    bool shows_keys, shows_ladder_keys;
    struct event_base *base;
    struct daemon *daemon;
    unsigned interrupts;
};

/* A daemon runs programs of strangers, so it takes every level but none. */
static int read_level(void *destination, const char *name, const char *value)
{
    return strcmp(value, "none") != 0 ? options_sandbox_read(destination, name, value) : -1;
}

static int check_address(void *destination, const char *name, const char *value)
{
    (void)destination;
    (void)name;
    return sockets_is_address(value) ? 0 : -1;
}

#define ADDRESSES(member)                                                                          \
    OPTION_LIST_OF(struct serve, member, DAEMON_ADDRESSES_MAX, check_address,                      \
                   "ADDR:PORT with a port up to 65535")

static const struct option_row rows[] = {
    {"--socket", "PATH", "the Unix socket for requests (/run/referee.socket for root)",
     OPTION_TEXT(struct serve, setup.socket)},
    {"--listen", "ADDR:PORT", "also take requests by TCP; may be repeated",
     ADDRESSES(setup.listen)},
    {"--http", "ADDR:PORT", "serve pages there; may be repeated", ADDRESSES(setup.http)},
    {"--tls", "CERT KEY", "speak TLS at all these addresses: two files in PEM",
     OPTION_PAIR(struct serve, setup.tls)},
    {"--plaintext", NULL, "let other machines connect without TLS: they send tokens in the clear",
     OPTION_FLAG(struct serve, setup.is_plaintext)},
    {"--store", "DIR", "where bots, queue and results are kept (referee-store)",
     OPTION_TEXT(struct serve, setup.folder)},
    {"--salvage", NULL, "keep what is left of a damaged or lost ledger, and set aside the rest",
     OPTION_FLAG(struct serve, setup.is_salvage)},
    {"--remote", NULL, "let bots play from elsewhere: see `referee connect`",
     OPTION_FLAG(struct serve, setup.has_remote)},
    {"--workers", "N", "matches at once (one per core)",
     OPTION_NUMBER(struct serve, setup.slots, 1, 256)},
    {"--gearman", "HOST[:PORT]", "let workers of this job server play, too; may be repeated",
     OPTIONS_GEARMAN(struct serve, setup.gearman)},
    {"--key-file", "FILE", "with --gearman: the key that the workers have, too",
     OPTION_TEXT(struct serve, setup.key_file)},
    {"--contain", "LEVEL", "the sandbox of the bots: auto, sealed or guarded (auto)",
     OPTION_READ(struct serve, setup.level, read_level, "auto, sealed or guarded")},
    {"--connections", "N", "connections at once, for requests and for pages (512)",
     OPTION_NUMBER(struct serve, setup.connections, 1, 100000)},
    {"--settings", "FILE", "limits for everybody but you: JSON, see --keys",
     OPTION_TEXT(struct serve, setup.settings)},
    {"--ladder", "FILE", "a ladder: JSON, see --ladder-keys; may be repeated",
     OPTION_LIST(struct serve, setup.ladders, LADDERS_MAX)},
    {"--ladder-keys", NULL, "explain every key of a ladder's file",
     OPTION_FLAG(struct serve, shows_ladder_keys)},
    {"--keys", NULL, "explain every key of a settings file", OPTION_FLAG(struct serve, shows_keys)},
    {"--add-user", "NAME", "print a new token for this user, and exit",
     OPTION_TEXT(struct serve, user.name)},
    {"--organiser", NULL, "with --add-user: this user may do what organisers may",
     OPTION_FLAG(struct serve, user.is_organiser)},
    {"--id", "ID", "with --add-user: what grades call this user, such as a student number",
     OPTION_TEXT(struct serve, user.id)},
    {.name = NULL},
};

static const struct options options = {
    .command = "serve",
    .usage = "[OPTION...]",
    .purpose =
        "Runs the daemon: accepts bots, matches and tournaments, lets users take turns with them,\n"
        "keeps everything, and shows it. Clients: referee submit, queue, watch, cancel, resume.\n"
        "SIGTERM or Ctrl-C lets the running matches end, a second one stops them; the next start\n"
        "resumes what is left. SIGHUP reloads users, settings, ladders and the certificate. An\n"
        "address that other machines can reach needs users with tokens, and --tls.\n",
    .examples = "  referee serve --http 127.0.0.1:8080\n"
                "  referee serve --store club --add-user alice --id 1234567\n"
                "  referee serve --store club --add-user tutor --organiser\n"
                "  referee serve --store club --ladder ladder.json --http 127.0.0.1:8080\n"
                "  referee serve --store club --tls cert.pem key.pem --listen 0.0.0.0:7700 --http "
                "0.0.0.0:443\n",
    .rows = rows,
    .takes = "no arguments",
};

static int add_user(const struct serve *serve)
{
    char *path = directory_join(serve->setup.folder, "users");
    char token[USERS_TOKEN_BYTES];
    char message[300];
    struct text problem;
    int result = directory_make(serve->setup.folder);

    text_start(&problem, message, sizeof message);
    if (result != 0)
        message_say("cannot create the folder %s: %s", serve->setup.folder, strerror(errno));
    else if ((result = users_add(path, &serve->user, token, &problem)) != 0)
        message_say("%s", message);
    else
        puts(token);
    free(path);
    return result == 0 ? CLI_FINE : CLI_FAILED;
}

static int print_keys(bool is_ladder)
{
    char help[SETTINGS_KEYS_MAX + LADDER_FILE_KEYS_MAX];
    struct text text;

    text_start(&text, help, sizeof help);
    if (is_ladder)
        ladder_file_write_keys(&text);
    else
        settings_write_keys(&text);
    fputs(help, stdout);
    return CLI_FINE;
}

static void say(void *context, const char *message)
{
    (void)context;
    message_say("%s", message);
}

static void on_end(void *context)
{
    struct serve *serve = context;

    event_base_loopexit(serve->base, NULL);
}

static void on_interrupt(evutil_socket_t fd, short what, void *context)
{
    struct serve *serve = context;

    (void)fd;
    (void)what;
    serve->interrupts++;
    if (serve->interrupts == 1)
        message_say("finishing the running matches; press Ctrl-C again to stop them now");
    if (serve->interrupts > 2)
        event_base_loopbreak(serve->base);
    else
        daemon_drain(serve->daemon, serve->interrupts > 1);
}

static void on_hangup(evutil_socket_t fd, short what, void *context)
{
    struct serve *serve = context;

    (void)fd;
    (void)what;
    daemon_reload(serve->daemon);
}

/* Each connection needs a descriptor, and each job several. */
static void raise_limit(unsigned connections)
{
    struct rlimit limit;
    rlim_t wanted = FILES + 2 * (rlim_t)connections;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static int run(struct serve *serve)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct event *signals[ARRAY_LEN(numbers)];
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    serve->base = event_base_new();
    if (serve->base == NULL) {
        message_say("cannot set up the event loop");
        return CLI_FAILED;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    raise_limit(serve->setup.connections);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        signals[i] = evsignal_new(serve->base, numbers[i],
                                  numbers[i] == SIGHUP ? on_hangup : on_interrupt, serve);
        evsignal_add(signals[i], NULL);
    }
    serve->daemon = daemon_new(serve->base, &serve->setup, &problem);
    if (serve->daemon != NULL)
        event_base_dispatch(serve->base);
    else
        message_say("%s", message);
    daemon_free(serve->daemon);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        event_free(signals[i]);
    event_base_free(serve->base);
    return serve->daemon != NULL ? CLI_FINE : CLI_FAILED;
}

/* Uses the socket where clients look for it, unless systemd passes one. */
static int find_socket(struct serve *serve, char path[200])
{
    struct text text;

    text_start(&text, path, 200);
    if (serve->setup.socket != NULL || getenv("LISTEN_FDS") != NULL)
        return 0;
    if (!dial_default_socket(&text)) {
        message_say("name the socket with --socket PATH: neither $REFEREE_SOCKET nor "
                    "$XDG_RUNTIME_DIR is set");
        return -1;
    }
    serve->setup.socket = path;
    return 0;
}

int cli_serve(int argc, char **argv)
{
    struct serve serve = {.setup = {.folder = "referee-store",
                                    .program = "/proc/self/exe",
                                    .level = SANDBOX_AUTO,
                                    .connections = CONNECTIONS,
                                    .report = say,
                                    .on_end = on_end}};
    char path[200];
    int code;

    if (options_read(&options, argc, argv, &serve, &code) < 0)
        return code;
    if (serve.shows_keys || serve.shows_ladder_keys)
        return print_keys(serve.shows_ladder_keys);
    if ((serve.setup.gearman[0] != NULL) != (serve.setup.key_file != NULL)) {
        message_say("--gearman HOST and --key-file FILE go together");
        return CLI_USAGE;
    }
    if (deal_random_init() != 0) {
        message_say("the system has no source of random numbers");
        return CLI_FAILED;
    }
    if (serve.user.name != NULL)
        return add_user(&serve);
    if (serve.user.is_organiser || serve.user.id != NULL) {
        message_say("--organiser and --id go with --add-user");
        return CLI_USAGE;
    }
    serve.setup.context = &serve;
    if (find_socket(&serve, path) != 0)
        return CLI_USAGE;
    return run(&serve);
}
