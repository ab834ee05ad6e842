/* Two lists in the order of arrival: bots that wait, and orders for bots. They are matched by an
 * event of their own, never within a call, so that callers are not called back before they return.
 *
 * A bot that waits may send nothing before `start`. Whatever can be read from it before, a byte, an
 * end or an error, ends its wait. That is checked once more when it is handed over, because input
 * that arrived since the loop last polled is not known otherwise. */

#include "serve/queue/remote_bots.h"

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

/* A machine that is switched off sends nothing: after two minutes of silence it counts as gone. */
#define KEEPALIVE_IDLE_S 60
#define KEEPALIVE_INTERVAL_S 15
#define KEEPALIVE_PROBES 4

struct waiting_bot {
    struct waiting_bot *next;
    struct remote_bots *remote_bots;
    char *name;
    char *user;
    int fd;
    struct event *readable;
    bool is_new; /* on_arrival was not called for it */
};

struct remote_bots_order {
    struct remote_bots_order *next;
    struct remote_bots *remote_bots;
    char *name;
    remote_bots_fn *give;
    void *context;
};

struct remote_bots {
    struct event_base *base;
    struct event *matching; /* active when a list has grown */
    struct waiting_bot *bots;
    struct remote_bots_order *orders;
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
    free(bot->user);
    free(bot);
}

static void remove_bot(struct waiting_bot *bot)
{
    struct waiting_bot **place = &bot->remote_bots->bots;

    while (*place != bot)
        place = &(*place)->next;
    *place = bot->next;
    bot->remote_bots->count--;
    free_bot(bot);
}

static void free_order(struct remote_bots_order *order)
{
    free(order->name);
    free(order);
}

static void remove_order(struct remote_bots_order *order)
{
    struct remote_bots_order **place = &order->remote_bots->orders;

    while (*place != order)
        place = &(*place)->next;
    *place = order->next;
}

static struct waiting_bot *find_bot(const struct remote_bots *remote_bots, const char *name)
{
    struct waiting_bot *bot = remote_bots->bots;

    while (bot != NULL && strcmp(bot->name, name) != 0)
        bot = bot->next;
    return bot;
}

/* Sends `start` to a bot that has sent nothing. No other output is waiting, so if the line does not
 * fit at once the connection is broken. */
static bool send_start(int fd)
{
    static const char line[] = "start\n";
    char byte;

    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
           (errno == EAGAIN || errno == EWOULDBLOCK) &&
           send(fd, line, sizeof line - 1, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof line - 1;
}

/* Serves an order if one of its bots is still connected. Broken ones are removed. */
static bool serve_order(struct remote_bots_order *order)
{
    struct waiting_bot *bot;

    while ((bot = find_bot(order->remote_bots, order->name)) != NULL) {
        int fd = bot->fd;
        bool is_fine = send_start(fd);

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

/* The receiver of a bot may change the lists, so each search starts over. */
static bool serve_first(struct remote_bots *remote_bots)
{
    for (struct remote_bots_order *order = remote_bots->orders; order != NULL;
         order = order->next) {
        if (serve_order(order))
            return true;
    }
    return false;
}

static bool has_new(struct remote_bots *remote_bots)
{
    bool is_any = false;

    for (struct waiting_bot *bot = remote_bots->bots; bot != NULL; bot = bot->next) {
        is_any |= bot->is_new;
        bot->is_new = false;
    }
    return is_any;
}

static void on_matching(evutil_socket_t fd, short what, void *context)
{
    struct remote_bots *remote_bots = context;

    (void)fd;
    (void)what;
    while (serve_first(remote_bots))
        continue;
    if (has_new(remote_bots))
        remote_bots->on_arrival(remote_bots->context);
}

static void on_readable(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    remove_bot(context);
}

struct remote_bots *remote_bots_new(struct event_base *base, void (*on_arrival)(void *context),
                                    void *context)
{
    struct remote_bots *remote_bots = xcalloc(1, sizeof *remote_bots);

    remote_bots->base = base;
    remote_bots->on_arrival = on_arrival;
    remote_bots->context = context;
    remote_bots->matching = event_new(base, -1, 0, on_matching, remote_bots);
    if (remote_bots->matching == NULL)
        fatal("no event for remote bots");
    return remote_bots;
}

void remote_bots_free(struct remote_bots *remote_bots)
{
    if (remote_bots == NULL)
        return;
    event_free(remote_bots->matching);
    for (struct waiting_bot *bot = remote_bots->bots, *next; bot != NULL; bot = next) {
        next = bot->next;
        free_bot(bot);
    }
    for (struct remote_bots_order *order = remote_bots->orders, *next; order != NULL;
         order = next) {
        next = order->next;
        free_order(order);
    }
    free(remote_bots);
}

/* An option that this kind of connection does not have is ignored. */
static void set_option(int fd, int level, int option, int value)
{
    (void)setsockopt(fd, level, option, &value, sizeof value);
}

void remote_bots_keep_alive(int fd)
{
    set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE_S);
    set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S);
    set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES);
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

int remote_bots_take(struct remote_bots *remote_bots, const char *name, const char *user, int fd)
{
    struct waiting_bot **place = &remote_bots->bots;
    struct waiting_bot *bot;

    if (remote_bots->count >= REMOTE_BOTS_ALL_MAX ||
        remote_bots_count(remote_bots, name) >= REMOTE_BOTS_WAITING_MAX)
        return -1;
    bot = xcalloc(1, sizeof *bot);
    *bot = (struct waiting_bot){.remote_bots = remote_bots,
                                .name = xstrdup(name),
                                .user = xstrdup(user),
                                .fd = fd,
                                .is_new = true};
    (void)evutil_make_socket_nonblocking(fd);
    remote_bots_keep_alive(fd);
    bot->readable = event_new(remote_bots->base, fd, EV_READ, on_readable, bot);
    if (bot->readable == NULL || event_add(bot->readable, NULL) != 0)
        fatal("no event for a remote bot");
    while (*place != NULL)
        place = &(*place)->next;
    *place = bot;
    remote_bots->count++;
    event_active(remote_bots->matching, 0, 0);
    return 0;
}

unsigned remote_bots_count(const struct remote_bots *remote_bots, const char *name)
{
    unsigned count = 0;

    for (const struct waiting_bot *bot = remote_bots->bots; bot != NULL; bot = bot->next)
        count += strcmp(bot->name, name) == 0;
    return count;
}

unsigned remote_bots_count_user(const struct remote_bots *remote_bots, const char *user)
{
    unsigned count = 0;

    for (const struct waiting_bot *bot = remote_bots->bots; bot != NULL; bot = bot->next)
        count += strcmp(bot->user, user) == 0;
    return count;
}

struct remote_bots_order *remote_bots_order(struct remote_bots *remote_bots, const char *name,
                                            remote_bots_fn *give, void *context)
{
    struct remote_bots_order **place = &remote_bots->orders;
    struct remote_bots_order *order = xcalloc(1, sizeof *order);

    *order = (struct remote_bots_order){
        .remote_bots = remote_bots, .name = xstrdup(name), .give = give, .context = context};
    while (*place != NULL)
        place = &(*place)->next;
    *place = order;
    event_active(remote_bots->matching, 0, 0);
    return order;
}

void remote_bots_cancel(struct remote_bots_order *order)
{
    if (order == NULL)
        return;
    remove_order(order);
    free_order(order);
}
