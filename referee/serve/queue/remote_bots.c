/* Two lists in the order of arrival: bots that wait, and orders for bots. They are brought together by an
 * event of their own, never within a call, so nobody who calls in here is called back before he returns.
 *
 * A bot that waits has nothing to say until it is told `start`. Whatever can be read from it before, be it
 * a word, an end or an error, is the end of its waiting. That is looked at once more when it is handed
 * over, because what has come since the loop last polled is not known otherwise. */

#include "serve/lobby.h"

#include "base/memory.h"
#include "base/message.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A machine that is switched off says nothing: after two minutes without a sign it is gone. */
#define KEEPALIVE_IDLE_S 60
#define KEEPALIVE_INTERVAL_S 15
#define KEEPALIVE_PROBES 4

struct waiting_bot {
    struct waiting_bot *next;
    struct lobby *lobby;
    char *name;
    int fd;
    struct event *readable;
    bool is_new; /* on_arrival was not told of it */
};

struct lobby_order {
    struct lobby_order *next;
    struct lobby *lobby;
    char *name;
    lobby_fn *give;
    void *context;
};

struct lobby {
    struct event_base *base;
    struct event *matching; /* active when a list has grown */
    struct waiting_bot *bots;
    struct lobby_order *orders;
    unsigned count; /* of the bots */
    void (*on_arrival)(void *context);
    void *context;
};

static void free_bot(struct waiting_bot *bot)
{
    if (bot->readable != NULL)
        event_free(bot->readable);
    if (bot->fd >= 0)
        close(bot->fd);
    free(bot->name);
    free(bot);
}

static void remove_bot(struct waiting_bot *bot)
{
    struct waiting_bot **place = &bot->lobby->bots;

    while (*place != bot)
        place = &(*place)->next;
    *place = bot->next;
    bot->lobby->count--;
    free_bot(bot);
}

static void free_order(struct lobby_order *order)
{
    free(order->name);
    free(order);
}

static void remove_order(struct lobby_order *order)
{
    struct lobby_order **place = &order->lobby->orders;

    while (*place != order)
        place = &(*place)->next;
    *place = order->next;
}

static struct waiting_bot *find_bot(const struct lobby *lobby, const char *name)
{
    struct waiting_bot *bot = lobby->bots;

    while (bot != NULL && strcmp(bot->name, name) != 0)
        bot = bot->next;
    return bot;
}

static bool is_silent(int fd)
{
    char letter;

    return recv(fd, &letter, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
           (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* Tells the bot that its match begins. Nothing waits to be sent to it, so a line that does not fit at
 * once is a connection that is broken. */
static bool begins(int fd)
{
    static const char line[] = "start\n";

    return is_silent(fd) &&
           send(fd, line, sizeof line - 1, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof line - 1;
}

/* Serves the order if one of its bots is in order. Others of that name are forgotten. */
static bool serve_order(struct lobby_order *order)
{
    struct waiting_bot *bot;

    while ((bot = find_bot(order->lobby, order->name)) != NULL) {
        int fd = bot->fd;
        bool is_fine = begins(fd);

        if (is_fine)
            bot->fd = -1;
        remove_bot(bot);
        if (is_fine) {
            remove_order(order);
            order->give(order->context, fd);
            free_order(order);
            return true;
        }
    }
    return false;
}

/* Whoever is given a bot may change the lists, so each search begins anew. */
static bool serve_first(struct lobby *lobby)
{
    for (struct lobby_order *order = lobby->orders; order != NULL; order = order->next) {
        if (serve_order(order))
            return true;
    }
    return false;
}

static bool welcome_new(struct lobby *lobby)
{
    bool is_any = false;

    for (struct waiting_bot *bot = lobby->bots; bot != NULL; bot = bot->next) {
        is_any |= bot->is_new;
        bot->is_new = false;
    }
    return is_any;
}

static void on_matching(evutil_socket_t fd, short what, void *context)
{
    struct lobby *lobby = context;

    (void)fd;
    (void)what;
    while (serve_first(lobby))
        continue;
    if (welcome_new(lobby))
        lobby->on_arrival(lobby->context);
}

static void on_readable(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    remove_bot(context);
}

struct lobby *lobby_new(struct event_base *base, void (*on_arrival)(void *context), void *context)
{
    struct lobby *lobby = xcalloc(1, sizeof *lobby);

    lobby->base = base;
    lobby->on_arrival = on_arrival;
    lobby->context = context;
    lobby->matching = event_new(base, -1, 0, on_matching, lobby);
    if (lobby->matching == NULL)
        fatal("no event for the bots that wait");
    return lobby;
}

void lobby_free(struct lobby *lobby)
{
    if (lobby == NULL)
        return;
    event_free(lobby->matching);
    for (struct waiting_bot *bot = lobby->bots, *next; bot != NULL; bot = next) {
        next = bot->next;
        free_bot(bot);
    }
    for (struct lobby_order *order = lobby->orders, *next; order != NULL; order = next) {
        next = order->next;
        free_order(order);
    }
    free(lobby);
}

/* What the kernel does not want to hear of this kind of connection is no harm. */
static void set_option(int fd, int level, int option, int value)
{
    (void)setsockopt(fd, level, option, &value, sizeof value);
}

static void prepare_connection(int fd)
{
    (void)evutil_make_socket_nonblocking(fd);
    set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE_S);
    set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S);
    set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES);
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

int lobby_take(struct lobby *lobby, const char *name, int fd)
{
    struct waiting_bot **place = &lobby->bots;
    struct waiting_bot *bot;

    if (lobby->count >= LOBBY_ALL_MAX || lobby_count(lobby, name) >= LOBBY_WAITING_MAX)
        return -1;
    bot = xcalloc(1, sizeof *bot);
    *bot = (struct waiting_bot){.lobby = lobby, .name = xstrdup(name), .fd = fd, .is_new = true};
    prepare_connection(fd);
    bot->readable = event_new(lobby->base, fd, EV_READ, on_readable, bot);
    if (bot->readable == NULL || event_add(bot->readable, NULL) != 0)
        fatal("no event for a bot that waits");
    while (*place != NULL)
        place = &(*place)->next;
    *place = bot;
    lobby->count++;
    event_active(lobby->matching, 0, 0);
    return 0;
}

unsigned lobby_count(const struct lobby *lobby, const char *name)
{
    unsigned count = 0;

    for (const struct waiting_bot *bot = lobby->bots; bot != NULL; bot = bot->next)
        count += strcmp(bot->name, name) == 0;
    return count;
}

struct lobby_order *lobby_order(struct lobby *lobby, const char *name, lobby_fn *give,
                                void *context)
{
    struct lobby_order **place = &lobby->orders;
    struct lobby_order *order = xcalloc(1, sizeof *order);

    *order = (struct lobby_order){
        .lobby = lobby, .name = xstrdup(name), .give = give, .context = context};
    while (*place != NULL)
        place = &(*place)->next;
    *place = order;
    event_active(lobby->matching, 0, 0);
    return order;
}

void lobby_cancel(struct lobby_order *order)
{
    if (order == NULL)
        return;
    remove_order(order);
    free_order(order);
}
