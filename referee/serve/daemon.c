/* The parts know each other only here. A door that other machines can reach is opened only if there is
 * somebody who has a token. */

#include "serve/server.h"

#include "base/memory.h"
#include "serve/control.h"
#include "serve/http.h"
#include "serve/listen.h"
#include "serve/lobby.h"
#include "serve/notify.h"
#include "serve/office.h"
#include "tournament/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct server {
    struct event_base *base;
    struct server_setup setup;
    char *socket; /* where bots from elsewhere are fetched; NULL if there is no Unix socket */
    struct users *users;
    struct lobby *lobby;
    struct office *office;
    struct control *control;
    struct http *http;
    enum contain_level level;
    bool made_socket; /* so that it is ours to remove */
};

static int complain(struct text *problem, const char *what, const char *why)
{
    text_add(problem, what);
    text_add(problem, why);
    return -1;
}

static void say(const struct server *server, const char *before, const char *words)
{
    char line[400];

    snprintf(line, sizeof line, "%s%s", before, words);
    server->setup.say(server->setup.context, line);
}

/* The level. */

static bool is_complete(const struct contain_fact facts[CONTAIN_PART_COUNT],
                        enum contain_level level, enum contain_part *missing)
{
    for (unsigned i = 0; i < CONTAIN_PART_COUNT; i++) {
        *missing = (enum contain_part)i;
        if (contain_needs(level, *missing) && !facts[i].works)
            return false;
    }
    return true;
}

/* Strangers send programs here: without complete containment there is no daemon. */
static int choose_level(struct server *server, struct text *problem)
{
    static const enum contain_level levels[] = {CONTAIN_SEALED, CONTAIN_GUARDED};
    struct contain_fact facts[CONTAIN_PART_COUNT];
    enum contain_part missing = CONTAIN_LIMITS;

    contain_try(facts);
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        if (server->setup.level != CONTAIN_AUTO && server->setup.level != levels[i])
            continue;
        server->level = levels[i];
        if (is_complete(facts, levels[i], &missing))
            return 0;
    }
    text_add(problem, "bots cannot be contained on this machine: ");
    text_add(problem, contain_part_name(missing));
    text_add(problem, " does not work; `referee doctor` tells more");
    return -1;
}

/* Doors. */

static void tell_door(const struct server *server, int fd, const char *before)
{
    char words[200];
    struct text text;

    text_start(&text, words, sizeof words);
    listen_describe(fd, &text);
    say(server, before, words);
}

/* Takes `fd`. */
static int open_door(struct server *server, int fd, bool is_http, struct text *problem)
{
    bool is_open = listen_is_open(fd);
    enum control_door door = listen_is_unix(fd) ? CONTROL_LOCAL
                             : is_open          ? CONTROL_OPEN
                                                : CONTROL_LOOPBACK;

    if (is_open && users_count(server->users) == 0) {
        listen_describe(fd, problem);
        close(fd);
        return complain(problem, "",
                        " is open to other machines, and nobody has a token; first: referee serve "
                        "--add-user NAME");
    }
    tell_door(server, fd, is_http ? "pages: http://" : "requests: ");
    if (is_http)
        return http_listen(server->http, fd, is_open) == 0
                   ? 0
                   : complain(problem, "the pages: ", strerror(errno));
    return control_listen(server->control, fd, door) == 0
               ? 0
               : complain(problem, "the doors: ", strerror(errno));
}

static int open_addresses(struct server *server, const char *const *addresses, bool is_http,
                          struct text *problem)
{
    for (; *addresses != NULL; addresses++) {
        int fd = listen_tcp(*addresses, problem);

        if (fd < 0 || open_door(server, fd, is_http, problem) != 0)
            return -1;
    }
    return 0;
}

/* Before the office: it has to know where bots from elsewhere are fetched. */
static int open_socket(struct server *server, struct text *problem)
{
    int fd;

    if (server->setup.socket == NULL)
        return -2;
    fd = listen_unix(server->setup.socket, problem);
    if (fd < 0)
        return -1;
    server->made_socket = true;
    server->socket = realpath(server->setup.socket, NULL);
    return fd;
}

static int open_inherited(struct server *server, const struct listen_inherited *list,
                          unsigned count, struct text *problem)
{
    for (unsigned i = 0; i < count; i++) {
        if (open_door(server, list[i].fd, strcmp(list[i].name, "http") == 0, problem) != 0)
            return -1;
    }
    return 0;
}

static void find_inherited_socket(struct server *server, const struct listen_inherited *list,
                                  unsigned count)
{
    for (unsigned i = 0; i < count && server->socket == NULL; i++) {
        char words[200];
        struct text text;

        if (!listen_is_unix(list[i].fd))
            continue;
        text_start(&text, words, sizeof words);
        listen_describe(list[i].fd, &text);
        server->socket = xstrdup(words);
    }
}

/* The parts. */

static void on_arrival(void *context)
{
    const struct server *server = context;

    if (server->office != NULL)
        office_look(server->office);
}

static bool is_connected(void *context, const char *name)
{
    const struct server *server = context;

    return server->lobby != NULL && lobby_count(server->lobby, name) > 0;
}

static void on_idle(void *context)
{
    const struct server *server = context;

    server->setup.on_end(server->setup.context);
}

static void on_shutdown(void *context, bool is_urgent)
{
    server_drain(context, is_urgent);
}

static int open_office(struct server *server, struct text *problem)
{
    struct office_setup setup = {
        .base = server->base,
        .folder = server->setup.folder,
        .program = server->setup.program,
        .slots = server->setup.slots,
        .level = server->level,
        .socket = server->setup.has_remote ? server->socket : NULL,
        .is_connected = is_connected,
        .on_idle = on_idle,
        .context = server,
    };
    char *path;

    server->office = office_new(&setup, problem);
    if (server->office == NULL)
        return -1;
    path = folder_join(server->setup.folder, "users");
    server->users = users_open(path, problem);
    free(path);
    return server->users != NULL ? 0 : -1;
}

static int open_rooms(struct server *server, struct text *problem)
{
    struct control_setup control = {
        .base = server->base,
        .lobby = server->lobby,
        .connections = server->setup.connections,
        .on_shutdown = on_shutdown,
        .context = server,
    };
    struct http_setup http = {.base = server->base, .connections = server->setup.connections};

    if (open_office(server, problem) != 0)
        return -1;
    control.office = server->office;
    control.users = server->users;
    http.office = server->office;
    http.users = server->users;
    server->control = control_new(&control);
    server->http = http_new(&http);
    return server->control != NULL && server->http != NULL
               ? 0
               : complain(problem, "the doors: ", strerror(errno));
}

static int open_all(struct server *server, struct text *problem)
{
    struct listen_inherited inherited[LISTEN_INHERITED_MAX];
    unsigned count = listen_inherit(inherited);
    int fd = count == 0 ? open_socket(server, problem) : -2;

    if (fd == -1 || choose_level(server, problem) != 0)
        return -1;
    find_inherited_socket(server, inherited, count);
    if (server->setup.has_remote)
        server->lobby = lobby_new(server->base, on_arrival, server);
    if (open_rooms(server, problem) != 0 ||
        (fd >= 0 && open_door(server, fd, false, problem) != 0) ||
        open_inherited(server, inherited, count, problem) != 0 ||
        open_addresses(server, server->setup.listen, false, problem) != 0)
        return -1;
    return open_addresses(server, server->setup.http, true, problem);
}

struct server *server_new(struct event_base *base, const struct server_setup *setup,
                          struct text *problem)
{
    struct server *server = xcalloc(1, sizeof *server);

    server->base = base;
    server->setup = *setup;
    if (open_all(server, problem) != 0) {
        server_free(server);
        return NULL;
    }
    say(server, "bots: ", contain_level_name(server->level));
    notify_service("READY=1");
    return server;
}

void server_free(struct server *server)
{
    if (server == NULL)
        return;
    control_free(server->control);
    http_free(server->http);
    office_free(server->office);
    lobby_free(server->lobby);
    users_free(server->users);
    if (server->made_socket)
        (void)unlink(server->setup.socket);
    free(server->socket);
    free(server);
}

void server_drain(struct server *server, bool is_urgent)
{
    if (!office_is_draining(server->office)) {
        notify_service("STOPPING=1");
        control_close_doors(server->control);
    }
    office_drain(server->office, is_urgent);
}

void server_reload(struct server *server)
{
    char words[300];
    struct text problem;

    text_start(&problem, words, sizeof words);
    notify_service("RELOADING=1");
    if (users_reload(server->users, &problem) != 0)
        say(server, "still with the users that were there: ", words);
    else
        say(server, "users: ", "read anew");
    notify_service("READY=1");
}
