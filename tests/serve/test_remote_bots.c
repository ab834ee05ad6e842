/* Remote bots and orders for them: each is handed over once, in order, and only while it is
 * silent. */

#include "serve/queue/remote_bots.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

TestSuite(remote_bots);

static struct event_base *base;
static struct remote_bots *remote_bots;
static unsigned arrivals;

static void count_arrival(void *context)
{
    cr_assert_eq(context, &arrivals);
    arrivals++;
}

static void open_remote_bots(void)
{
    base = event_base_new();
    arrivals = 0;
    remote_bots = remote_bots_new(base, count_arrival, &arrivals);
}

static void close_remote_bots(void)
{
    remote_bots_free(remote_bots);
    event_base_free(base);
}

/* Everything that can be done now. */
static void turn(void)
{
    (void)event_base_loop(base, EVLOOP_NONBLOCK);
}

/* A bot that waits, by its end of the connection. */
static int bot_named(const char *name)
{
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    cr_assert_eq(remote_bots_take(remote_bots, name, "anna", ends[0]), 0);
    return ends[1];
}

/* What an order was given. */
struct gift {
    int fd;
    unsigned times;
};

static void take_gift(void *context, int fd)
{
    struct gift *gift = context;

    gift->fd = fd;
    gift->times++;
}

/* Whether the connection `bot` is the one that was given: what is written to one comes out of the
 * other. */
static bool is_given(const struct gift *gift, int bot)
{
    char text[20] = "";

    cr_assert_eq(gift->times, 1);
    cr_assert_eq(write(gift->fd, "ping\n", 5), 5);
    if (recv(bot, text, sizeof text - 1, MSG_DONTWAIT) < 0)
        return false;
    cr_assert_str_eq(text, "start\nping\n");
    return true;
}

static bool is_closed(int bot)
{
    char byte;

    return recv(bot, &byte, 1, MSG_DONTWAIT) == 0;
}

Test(remote_bots, a_bot_that_waits_is_handed_to_the_next_order)
{
    struct gift gift = {-1, 0};
    int bot;

    open_remote_bots();
    bot = bot_named("far");
    turn();
    cr_assert_eq(arrivals, 1);
    cr_assert_eq(remote_bots_count(remote_bots, "far"), 1);
    cr_assert_not_null(remote_bots_order(remote_bots, "far", take_gift, &gift));
    cr_assert_eq(gift.times, 0, "only from the loop");
    turn();
    cr_assert(is_given(&gift, bot));
    cr_assert_eq(remote_bots_count(remote_bots, "far"), 0);
    close_remote_bots();
    cr_assert_not(is_closed(bot), "it is not held any longer");
    close(gift.fd);
    cr_assert(is_closed(bot));
    close(bot);
}

Test(remote_bots, an_order_waits_for_its_bot_and_that_is_no_arrival)
{
    struct gift gift = {-1, 0};
    int other, bot;

    open_remote_bots();
    remote_bots_order(remote_bots, "far", take_gift, &gift);
    turn();
    other = bot_named("farther");
    turn();
    cr_assert_eq(gift.times, 0);
    cr_assert_eq(arrivals, 1);
    bot = bot_named("far");
    turn();
    cr_assert(is_given(&gift, bot));
    cr_assert_eq(arrivals, 1);
    cr_assert_eq(remote_bots_count(remote_bots, "farther"), 1);
    close_remote_bots();
    cr_assert(is_closed(other));
    close(other);
    close(bot);
    close(gift.fd);
}

Test(remote_bots, bots_and_orders_are_served_in_order)
{
    struct gift gifts[6] = {{-1, 0}};
    int bots[6];

    open_remote_bots();
    for (unsigned i = 0; i < 3; i++)
        bots[i] = bot_named(i % 2 == 0 ? "even" : "odd");
    for (unsigned i = 0; i < 6; i++)
        remote_bots_order(remote_bots, i % 2 == 0 ? "even" : "odd", take_gift, &gifts[i]);
    for (unsigned i = 3; i < 6; i++)
        bots[i] = bot_named(i % 2 == 0 ? "even" : "odd");
    turn();
    for (unsigned i = 0; i < 6; i++) {
        cr_assert(is_given(&gifts[i], bots[i]), "%u", i);
        close(bots[i]);
        close(gifts[i].fd);
    }
    cr_assert_eq(arrivals, 0);
    close_remote_bots();
}

Test(remote_bots, an_order_that_was_cancelled_is_not_served)
{
    struct gift gifts[3] = {{-1, 0}};
    struct remote_bots_order *orders[3];
    int bot;

    open_remote_bots();
    for (unsigned i = 0; i < 3; i++)
        orders[i] = remote_bots_order(remote_bots, "far", take_gift, &gifts[i]);
    remote_bots_cancel(orders[0]);
    remote_bots_cancel(orders[2]);
    remote_bots_cancel(NULL);
    bot = bot_named("far");
    turn();
    cr_assert(is_given(&gifts[1], bot));
    cr_assert_eq(gifts[0].times + gifts[2].times, 0);
    remote_bots_order(remote_bots, "far", take_gift, &gifts[0]);
    close_remote_bots();
    cr_assert_eq(gifts[0].times, 0);
    close(bot);
    close(gifts[1].fd);
    remote_bots_free(NULL);
}

/* Ways to break the silence while waiting. Each is tried before the loop polls, and at the moment
 * the bot is ordered. */
static void misbehave(int bot, unsigned way)
{
    switch (way) {
    case 0:
        cr_assert_eq(write(bot, "1 draw\n", 7), 7);
        break;
    case 1:
        shutdown(bot, SHUT_WR);
        break;
    default:
        shutdown(bot, SHUT_RDWR);
        break;
    }
}

/* Unlike is_closed(), also accepts a reset: unread input turns the end into an error. */
static bool is_dropped(int bot)
{
    return is_closed(bot) || errno == ECONNRESET;
}

Test(remote_bots, a_bot_that_sends_or_disconnects_while_it_waits_is_removed)
{
    for (unsigned i = 0; i < 6; i++) {
        struct gift gift = {-1, 0};
        int bad, good;

        open_remote_bots();
        bad = bot_named("far");
        if (i < 3)
            turn();
        misbehave(bad, i % 3);
        if (i < 3) {
            turn();
            cr_assert_eq(remote_bots_count(remote_bots, "far"), 0, "%u", i);
        }
        good = bot_named("far");
        remote_bots_order(remote_bots, "far", take_gift, &gift);
        turn();
        cr_assert(is_given(&gift, good), "%u", i);
        cr_assert(is_dropped(bad), "%u", i);
        cr_assert_eq(remote_bots_count(remote_bots, "far"), 0, "%u", i);
        close_remote_bots();
        close(bad);
        close(good);
        close(gift.fd);
    }
}

Test(remote_bots, the_number_of_waiting_bots_is_limited)
{
    char name[20];
    int others[REMOTE_BOTS_ALL_MAX];
    int extra[2];

    open_remote_bots();
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, extra), 0);
    for (unsigned i = 0; i < REMOTE_BOTS_ALL_MAX; i++) {
        snprintf(name, sizeof name, "bot%u", i / REMOTE_BOTS_WAITING_MAX);
        if (i % REMOTE_BOTS_WAITING_MAX == 0)
            cr_assert_eq(remote_bots_count(remote_bots, name), 0);
        others[i] = bot_named(name);
        if (i + 1 == REMOTE_BOTS_WAITING_MAX)
            cr_assert_eq(remote_bots_take(remote_bots, name, "anna", extra[0]), -1,
                         "too many of one name");
    }
    cr_assert_eq(remote_bots_take(remote_bots, "another", "anna", extra[0]), -1, "too many of all");
    cr_assert_not(is_closed(extra[1]), "it is still ours");
    close(others[0]);
    turn();
    cr_assert_eq(remote_bots_take(remote_bots, "another", "anna", extra[0]), 0);
    close_remote_bots();
    cr_assert(is_closed(extra[1]));
    for (unsigned i = 1; i < REMOTE_BOTS_ALL_MAX; i++)
        close(others[i]);
    close(extra[1]);
}

/* In a callback of the remote bots: everything but its end is allowed. */
struct greedy_order {
    unsigned left;
    int bots[3];
    int given[3];
};

static void order_again(void *context, int fd)
{
    struct greedy_order *greedy = context;

    greedy->given[--greedy->left] = fd;
    if (greedy->left == 0)
        return;
    remote_bots_order(remote_bots, "far", order_again, greedy);
    remote_bots_cancel(remote_bots_order(remote_bots, "far", order_again, NULL));
    if (greedy->left == 1)
        greedy->bots[2] = bot_named("far");
}

Test(remote_bots, a_receiver_may_order_the_next_bot_at_once)
{
    struct greedy_order greedy = {.left = 3};

    open_remote_bots();
    greedy.bots[0] = bot_named("far");
    greedy.bots[1] = bot_named("far");
    remote_bots_order(remote_bots, "far", order_again, &greedy);
    turn();
    cr_assert_eq(greedy.left, 0);
    for (unsigned i = 0; i < 3; i++) {
        struct gift gift = {greedy.given[2 - i], 1};

        cr_assert(is_given(&gift, greedy.bots[i]), "%u", i);
        close(gift.fd);
        close(greedy.bots[i]);
    }
    close_remote_bots();
}

static int tcp_pair(int *far)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    int near;

    cr_assert_eq(bind(listener, (struct sockaddr *)&address, length), 0);
    cr_assert_eq(listen(listener, 1), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    *far = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(*far, (struct sockaddr *)&address, length), 0);
    near = accept(listener, NULL, NULL);
    close(listener);
    return near;
}

static int option_of(int fd, int level, int option)
{
    int value = -1;
    socklen_t length = sizeof value;

    cr_assert_eq(getsockopt(fd, level, option, &value, &length), 0);
    return value;
}

Test(remote_bots, a_machine_that_is_switched_off_is_noticed)
{
    int far;
    int near = tcp_pair(&far);

    open_remote_bots();
    cr_assert_eq(remote_bots_take(remote_bots, "far", "anna", near), 0);
    cr_assert_eq(option_of(near, SOL_SOCKET, SO_KEEPALIVE), 1);
    cr_assert_leq(option_of(near, IPPROTO_TCP, TCP_KEEPIDLE), 60);
    cr_assert_eq(option_of(near, IPPROTO_TCP, TCP_NODELAY), 1);
    cr_assert(fcntl(near, F_GETFL) & O_NONBLOCK);
    close_remote_bots();
    close(far);
}
