/* The parts of the daemon know each other only here. An address that other machines can reach is
 * opened only if somebody has a token. */

#include "serve/daemon.h"

#include "base/memory.h"
#include "serve/control/control.h"
#include "serve/http/http.h"
#include "serve/sockets.h"
#include "serve/queue/remote_bots.h"
#include "serve/systemd.h"
#include "serve/hook.h"
#include "serve/queue/queue.h"
#include "base/directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct daemon {
    struct event_base *base;
    struct daemon_setup setup;
    struct settings settings;
    char *socket; /* where remote bots are fetched; NULL if there is no Unix socket */
    struct users *users;
    struct tls *tls; /* or NULL */
    struct remote_bots *remote_bots;
    struct queue *queue;
    struct hook *hook;
    struct ladders *ladders; /* or NULL */
    struct control *control;
    struct http *http;
    enum sandbox_level level;
    bool made_socket; /* so we remove it */
};

static void report(const struct daemon *daemon, const char *label, const char *text)
{
    char line[800];

    snprintf(line, sizeof line, "%s%s", label, text);
    daemon->setup.report(daemon->setup.context, line);
}

static bool is_complete(const struct sandbox_fact facts[SANDBOX_PART_COUNT],
                        enum sandbox_level level, enum sandbox_part *missing)
{
    for (unsigned i = 0; i < SANDBOX_PART_COUNT; i++) {
        *missing = (enum sandbox_part)i;
        if (sandbox_needs(level, *missing) && !facts[i].works)
            return false;
    }
    return true;
}

/* Strangers send programs: without a complete sandbox there is no daemon. */
static int choose_level(struct daemon *daemon, struct text *problem)
{
    static const enum sandbox_level levels[] = {SANDBOX_SEALED, SANDBOX_GUARDED};
    struct sandbox_fact facts[SANDBOX_PART_COUNT];
    enum sandbox_part missing = SANDBOX_LIMITS;

    sandbox_probe(facts);
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        if (daemon->setup.level != SANDBOX_AUTO && daemon->setup.level != levels[i])
            continue;
        daemon->level = levels[i];
        if (is_complete(facts, levels[i], &missing))
            return 0;
    }
    text_printf(problem,
                "bots cannot be contained on this machine: %s does not work; see `referee doctor`",
                sandbox_part_name(missing));
    return -1;
}

static const char *label_of(const struct daemon *daemon, bool is_http, enum control_address address)
{
    if (is_http)
        return daemon->tls != NULL ? "pages: https://" : "pages: http://";
    return daemon->tls != NULL && address != CONTROL_LOCAL ? "requests with TLS: " : "requests: ";
}

/* Takes `fd`. */
static int listen_at(struct daemon *daemon, int fd, bool is_http, struct text *problem)
{
    bool is_open = sockets_is_open(fd);
    enum control_address address = sockets_is_unix(fd) ? CONTROL_LOCAL
                                   : is_open           ? CONTROL_OPEN
                                                       : CONTROL_LOOPBACK;
    char name[200];
    struct text text;

    text_start(&text, name, sizeof name);
    sockets_describe(fd, &text);
    if (is_open && users_count(daemon->users) == 0) {
        text_printf(problem,
                    "other machines can reach %s, and nobody has a token; first run: referee serve "
                    "--add-user NAME",
                    name);
        close(fd);
        return -1;
    }
    if (is_open && daemon->tls == NULL && !daemon->setup.is_plaintext) {
        text_printf(problem,
                    "other machines can reach %s, and tokens would be sent in the clear: add --tls "
                    "CERT KEY, or --plaintext if you trust the network",
                    name);
        close(fd);
        return -1;
    }
    report(daemon, label_of(daemon, is_http, address), name);
    if ((is_http ? http_listen(daemon->http, fd, is_open)
                 : control_listen(daemon->control, fd, address)) == 0)
        return 0;
    text_printf(problem, "%s: %s", name, strerror(errno));
    return -1;
}

static int open_addresses(struct daemon *daemon, const char *const *addresses, bool is_http,
                          struct text *problem)
{
    for (; *addresses != NULL; addresses++) {
        int fd = sockets_tcp(*addresses, problem);

        if (fd < 0 || listen_at(daemon, fd, is_http, problem) != 0)
            return -1;
    }
    return 0;
}

/* Before the queue, which has to know where remote bots are fetched. */
static int open_socket(struct daemon *daemon, struct text *problem)
{
    int fd;

    if (daemon->setup.socket == NULL)
        return -2;
    fd = sockets_unix(daemon->setup.socket, problem);
    if (fd < 0)
        return -1;
    daemon->made_socket = true;
    daemon->socket = realpath(daemon->setup.socket, NULL);
    return fd;
}

static int open_inherited(struct daemon *daemon, const struct sockets_inherited *list,
                          unsigned count, struct text *problem)
{
    for (unsigned i = 0; i < count; i++) {
        if (listen_at(daemon, list[i].fd, strcmp(list[i].name, "http") == 0, problem) != 0)
            return -1;
    }
    return 0;
}

static void find_inherited_socket(struct daemon *daemon, const struct sockets_inherited *list,
                                  unsigned count)
{
    for (unsigned i = 0; i < count && daemon->socket == NULL; i++) {
        char path[200];
        struct text text;

        if (!sockets_is_unix(list[i].fd))
            continue;
        text_start(&text, path, sizeof path);
        sockets_describe(list[i].fd, &text);
        daemon->socket = xstrdup(path);
    }
}

/* The parts. */

static void on_arrival(void *context)
{
    const struct daemon *daemon = context;

    if (daemon->queue != NULL)
        queue_wake(daemon->queue);
}

static bool is_organiser(void *context, const char *user)
{
    const struct daemon *daemon = context;

    return daemon->users != NULL && users_is_organiser(daemon->users, user);
}

static bool is_connected(void *context, const char *name)
{
    const struct daemon *daemon = context;

    return daemon->remote_bots != NULL && remote_bots_count(daemon->remote_bots, name) > 0;
}

static void on_idle(void *context)
{
    const struct daemon *daemon = context;

    daemon->setup.on_end(daemon->setup.context);
}

static void on_shutdown(void *context, bool is_urgent)
{
    daemon_drain(context, is_urgent);
}

static int read_settings(struct daemon *daemon, struct text *problem)
{
    return daemon->setup.settings != NULL
               ? settings_load(&daemon->settings, daemon->setup.settings, problem)
               : 0;
}

/* Whether somebody who needs a token has bots or jobs here. */
static bool is_user_with_token(const char *user)
{
    return strcmp(user, "owner") != 0 && strcmp(user, "guest") != 0 &&
           strncmp(user, "uid-", 4) != 0 &&
           strncmp(user, LEDGER_LADDER, strlen(LEDGER_LADDER)) != 0;
}

/* Without the file nobody gets in with a token, which nobody may notice for a long time. */
static void report_lost_users(const struct daemon *daemon)
{
    const struct ledger *ledger = queue_ledger(daemon->queue);
    const char *user = NULL;
    char message[600];

    for (unsigned i = 0; i < ledger_bot_count(ledger) && user == NULL; i++) {
        if (is_user_with_token(ledger_bot(ledger, i)->user))
            user = ledger_bot(ledger, i)->user;
    }
    for (unsigned i = 1; i <= ledger_job_count(ledger) && user == NULL; i++) {
        if (is_user_with_token(ledger_job(ledger, i)->user))
            user = ledger_job(ledger, i)->user;
    }
    if (user == NULL || users_count(daemon->users) > 0)
        return;
    snprintf(message, sizeof message,
             "%s is missing or empty, and %s had a token: put the file back, or create new tokens "
             "with --add-user",
             users_path(daemon->users), user);
    report(daemon, "", message);
}

static int connect_user(void *context, const char *user, struct request_error *error)
{
    const struct daemon *daemon = context;

    return control_connect(daemon->control, user, error);
}

static int open_ladders(struct daemon *daemon, struct text *problem)
{
    struct ladders_setup setup = {
        .base = daemon->base,
        .queue = daemon->queue,
        .program = daemon->setup.program,
        .files = daemon->setup.ladders,
        .is_salvage = daemon->setup.is_salvage,
    };

    if (daemon->setup.ladders[0] == NULL)
        return 0;
    daemon->ladders = ladders_new(&setup, problem);
    return daemon->ladders != NULL ? 0 : -1;
}

static void report_certificate(const struct daemon *daemon)
{
    char fingerprint[TLS_FINGERPRINT_BYTES];

    tls_fingerprint(daemon->tls, fingerprint);
    report(daemon, "certificate: fingerprint ", fingerprint);
}

static int open_tls(struct daemon *daemon, struct text *problem)
{
    const char *const *files = daemon->setup.tls;

    if (files[0] == NULL)
        return 0;
    daemon->tls = tls_open(files[0], files[1], problem);
    if (daemon->tls == NULL)
        return -1;
    report_certificate(daemon);
    return 0;
}

static int open_parts(struct daemon *daemon, struct text *problem)
{
    struct queue_setup queue = {
        .base = daemon->base,
        .folder = daemon->setup.folder,
        .is_salvage = daemon->setup.is_salvage,
        .program = daemon->setup.program,
        .slots = daemon->setup.slots,
        .gearman = daemon->setup.gearman,
        .key_file = daemon->setup.key_file,
        .tries_bots = true,
        .level = daemon->level,
        .settings = &daemon->settings,
        .socket = daemon->setup.has_remote ? daemon->socket : NULL,
        .is_connected = is_connected,
        .is_organiser = is_organiser,
        .on_idle = on_idle,
        .context = daemon,
    };
    struct control_setup control = {
        .base = daemon->base,
        .remote_bots = daemon->remote_bots,
        .connections = daemon->setup.connections,
        .on_shutdown = on_shutdown,
        .context = daemon,
    };
    struct http_setup http = {.base = daemon->base,
                              .connections = daemon->setup.connections,
                              .connect = connect_user,
                              .context = daemon};
    char *path;

    daemon->queue = queue_new(&queue, problem);
    if (daemon->queue == NULL)
        return -1;
    daemon->hook = hook_new(daemon->base, daemon->queue);
    path = directory_join(daemon->setup.folder, "users");
    daemon->users = users_open(path, problem);
    free(path);
    if (daemon->users == NULL)
        return -1;
    report_lost_users(daemon);
    if (open_tls(daemon, problem) != 0 || open_ladders(daemon, problem) != 0)
        return -1;
    control.ladders = http.ladders = daemon->ladders;
    control.tls = http.tls = daemon->tls;
    control.queue = daemon->queue;
    http.queue = daemon->queue;
    control.users = http.users = daemon->users;
    daemon->control = control_new(&control);
    daemon->http = http_new(&http);
    if (daemon->http != NULL)
        return 0;
    text_add(problem, strerror(errno));
    return -1;
}

static int open_all(struct daemon *daemon, struct text *problem)
{
    struct sockets_inherited inherited[SOCKETS_INHERITED_MAX];
    unsigned count = sockets_inherit(inherited);
    int fd = count == 0 ? open_socket(daemon, problem) : -2;

    if (fd == -1 || choose_level(daemon, problem) != 0 || read_settings(daemon, problem) != 0)
        return -1;
    find_inherited_socket(daemon, inherited, count);
    if (daemon->setup.has_remote)
        daemon->remote_bots = remote_bots_new(daemon->base, on_arrival, daemon);
    if (open_parts(daemon, problem) != 0 ||
        (fd >= 0 && listen_at(daemon, fd, false, problem) != 0) ||
        open_inherited(daemon, inherited, count, problem) != 0 ||
        open_addresses(daemon, daemon->setup.listen, false, problem) != 0)
        return -1;
    return open_addresses(daemon, daemon->setup.http, true, problem);
}

struct daemon *daemon_new(struct event_base *base, const struct daemon_setup *setup,
                          struct text *problem)
{
    struct daemon *daemon = xcalloc(1, sizeof *daemon);

    daemon->base = base;
    daemon->setup = *setup;
    daemon->settings = settings_default();
    if (open_all(daemon, problem) != 0) {
        daemon_free(daemon);
        return NULL;
    }
    report(daemon, "bots: ", sandbox_level_name(daemon->level));
    systemd_notify("READY=1");
    return daemon;
}

void daemon_free(struct daemon *daemon)
{
    if (daemon == NULL)
        return;
    http_free(daemon->http);
    control_free(daemon->control);
    ladders_free(daemon->ladders);
    hook_free(daemon->hook);
    queue_free(daemon->queue);
    remote_bots_free(daemon->remote_bots);
    users_free(daemon->users);
    tls_free(daemon->tls);
    if (daemon->made_socket)
        (void)unlink(daemon->setup.socket);
    free(daemon->socket);
    free(daemon);
}

void daemon_drain(struct daemon *daemon, bool is_urgent)
{
    if (!queue_is_draining(daemon->queue)) {
        systemd_notify("STOPPING=1");
        control_close_listeners(daemon->control);
    }
    queue_drain(daemon->queue, is_urgent);
}

void daemon_reload(struct daemon *daemon)
{
    char message[700];
    struct text problem;

    systemd_notify("RELOADING=1");
    text_start(&problem, message, sizeof message);
    if (users_reload(daemon->users, &problem) != 0)
        report(daemon, "the users are unchanged: ", message);
    else
        report(daemon, "users: ", "reloaded");
    text_start(&problem, message, sizeof message);
    if (daemon->tls != NULL && tls_reload(daemon->tls, &problem) != 0)
        report(daemon, "the certificate is unchanged: ", message);
    else if (daemon->tls != NULL)
        report_certificate(daemon);
    text_start(&problem, message, sizeof message);
    if (read_settings(daemon, &problem) != 0)
        report(daemon, "the settings are unchanged: ", message);
    else if (daemon->setup.settings != NULL)
        report(daemon, "settings: ", "reloaded");
    text_start(&problem, message, sizeof message);
    if (daemon->ladders != NULL && ladders_reload(daemon->ladders, &problem) != 0)
        report(daemon, "the ladders are unchanged: ", message);
    else if (daemon->ladders != NULL)
        report(daemon, "ladders: ", "reloaded");
    systemd_notify("READY=1");
}
