/* Bots from elsewhere and who wants them: each is given once, in order, and only while it is silent. */

#include "serve/lobby.h"

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

TestSuite(lobby);

static struct event_base *base;
static struct lobby *lobby;
static unsigned arrivals;

static void count_arrival(void *context)
{
    cr_assert_eq(context, &arrivals);
    arrivals++;
}

static void open_lobby(void)
{
    base = event_base_new();
    arrivals = 0;
    lobby = lobby_new(base, count_arrival, &arrivals);
}

static void close_lobby(void)
{
    lobby_free(lobby);
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
    cr_assert_eq(lobby_take(lobby, name, ends[0]), 0);
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

/* Whether the connection `bot` is the one that was given: what is written to one comes out of the other. */
static bool is_given(const struct gift *gift, int bot)
{
    char words[20] = "";

    cr_assert_eq(gift->times, 1);
    cr_assert_eq(write(gift->fd, "ping\n", 5), 5);
    if (recv(bot, words, sizeof words - 1, MSG_DONTWAIT) < 0)
        return false;
    cr_assert_str_eq(words, "start\nping\n");
    return true;
}

static bool is_closed(int bot)
{
    char letter;

    return recv(bot, &letter, 1, MSG_DONTWAIT) == 0;
}

Test(lobby, a_bot_that_waits_is_given_to_the_next_who_orders_it)
{
    struct gift gift = {-1, 0};
    int bot;

    open_lobby();
    bot = bot_named("far");
    turn();
    cr_assert_eq(arrivals, 1);
    cr_assert_eq(lobby_count(lobby, "far"), 1);
    cr_assert_not_null(lobby_order(lobby, "far", take_gift, &gift));
    cr_assert_eq(gift.times, 0, "only from the loop");
    turn();
    cr_assert(is_given(&gift, bot));
    cr_assert_eq(lobby_count(lobby, "far"), 0);
    close_lobby();
    cr_assert_not(is_closed(bot), "it is not the lobby's any more");
    close(gift.fd);
    cr_assert(is_closed(bot));
    close(bot);
}

Test(lobby, an_order_waits_for_its_bot_and_that_is_no_arrival)
{
    struct gift gift = {-1, 0};
    int other, bot;

    open_lobby();
    lobby_order(lobby, "far", take_gift, &gift);
    turn();
    other = bot_named("farther");
    turn();
    cr_assert_eq(gift.times, 0);
    cr_assert_eq(arrivals, 1);
    bot = bot_named("far");
    turn();
    cr_assert(is_given(&gift, bot));
    cr_assert_eq(arrivals, 1);
    cr_assert_eq(lobby_count(lobby, "farther"), 1);
    close_lobby();
    cr_assert(is_closed(other));
    close(other);
    close(bot);
    close(gift.fd);
}

Test(lobby, bots_and_orders_are_served_as_they_came)
{
    struct gift gifts[6] = {{-1, 0}};
    int bots[6];

    open_lobby();
    for (unsigned i = 0; i < 3; i++)
        bots[i] = bot_named(i % 2 == 0 ? "even" : "odd");
    for (unsigned i = 0; i < 6; i++)
        lobby_order(lobby, i % 2 == 0 ? "even" : "odd", take_gift, &gifts[i]);
    for (unsigned i = 3; i < 6; i++)
        bots[i] = bot_named(i % 2 == 0 ? "even" : "odd");
    turn();
    for (unsigned i = 0; i < 6; i++) {
        cr_assert(is_given(&gifts[i], bots[i]), "%u", i);
        close(bots[i]);
        close(gifts[i].fd);
    }
    cr_assert_eq(arrivals, 0);
    close_lobby();
}

Test(lobby, an_order_that_was_cancelled_is_not_served)
{
    struct gift gifts[3] = {{-1, 0}};
    struct lobby_order *orders[3];
    int bot;

    open_lobby();
    for (unsigned i = 0; i < 3; i++)
        orders[i] = lobby_order(lobby, "far", take_gift, &gifts[i]);
    lobby_cancel(orders[0]);
    lobby_cancel(orders[2]);
    lobby_cancel(NULL);
    bot = bot_named("far");
    turn();
    cr_assert(is_given(&gifts[1], bot));
    cr_assert_eq(gifts[0].times + gifts[2].times, 0);
    lobby_order(lobby, "far", take_gift, &gifts[0]);
    close_lobby();
    cr_assert_eq(gifts[0].times, 0);
    close(bot);
    close(gifts[1].fd);
    lobby_free(NULL);
}

/* Who does not wait in silence, by what he does: once before the loop looks, once in the same moment in
 * which he is ordered. */
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

/* Unlike is_closed(): words of his that nobody read make the end an error. */
static bool is_dropped(int bot)
{
    return is_closed(bot) || errno == ECONNRESET;
}

Test(lobby, who_speaks_or_leaves_while_he_waits_is_forgotten)
{
    for (unsigned i = 0; i < 6; i++) {
        struct gift gift = {-1, 0};
        int bad, good;

        open_lobby();
        bad = bot_named("far");
        if (i < 3)
            turn();
        misbehave(bad, i % 3);
        if (i < 3) {
            turn();
            cr_assert_eq(lobby_count(lobby, "far"), 0, "%u", i);
        }
        good = bot_named("far");
        lobby_order(lobby, "far", take_gift, &gift);
        turn();
        cr_assert(is_given(&gift, good), "%u", i);
        cr_assert(is_dropped(bad), "%u", i);
        cr_assert_eq(lobby_count(lobby, "far"), 0, "%u", i);
        close_lobby();
        close(bad);
        close(good);
        close(gift.fd);
    }
}

Test(lobby, there_is_an_end_to_those_who_wait)
{
    char name[20];
    int others[LOBBY_ALL_MAX];
    int extra[2];

    open_lobby();
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, extra), 0);
    for (unsigned i = 0; i < LOBBY_ALL_MAX; i++) {
        snprintf(name, sizeof name, "bot%u", i / LOBBY_WAITING_MAX);
        if (i % LOBBY_WAITING_MAX == 0)
            cr_assert_eq(lobby_count(lobby, name), 0);
        others[i] = bot_named(name);
        if (i + 1 == LOBBY_WAITING_MAX)
            cr_assert_eq(lobby_take(lobby, name, extra[0]), -1, "too many of one name");
    }
    cr_assert_eq(lobby_take(lobby, "another", extra[0]), -1, "too many of all");
    cr_assert_not(is_closed(extra[1]), "it is still ours");
    close(others[0]);
    turn();
    cr_assert_eq(lobby_take(lobby, "another", extra[0]), 0);
    close_lobby();
    cr_assert(is_closed(extra[1]));
    for (unsigned i = 1; i < LOBBY_ALL_MAX; i++)
        close(others[i]);
    close(extra[1]);
}

/* In a callback of the lobby: everything but its end is allowed. */
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
    lobby_order(lobby, "far", order_again, greedy);
    lobby_cancel(lobby_order(lobby, "far", order_again, NULL));
    if (greedy->left == 1)
        greedy->bots[2] = bot_named("far");
}

Test(lobby, who_is_given_a_bot_may_order_the_next_at_once)
{
    struct greedy_order greedy = {.left = 3};

    open_lobby();
    greedy.bots[0] = bot_named("far");
    greedy.bots[1] = bot_named("far");
    lobby_order(lobby, "far", order_again, &greedy);
    turn();
    cr_assert_eq(greedy.left, 0);
    for (unsigned i = 0; i < 3; i++) {
        struct gift gift = {greedy.given[2 - i], 1};

        cr_assert(is_given(&gift, greedy.bots[i]), "%u", i);
        close(gift.fd);
        close(greedy.bots[i]);
    }
    close_lobby();
}

static int tcp_pair(int *far)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    int near;

    cr_assert_eq(bind(door, (struct sockaddr *)&address, length), 0);
    cr_assert_eq(listen(door, 1), 0);
    cr_assert_eq(getsockname(door, (struct sockaddr *)&address, &length), 0);
    *far = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(*far, (struct sockaddr *)&address, length), 0);
    near = accept(door, NULL, NULL);
    close(door);
    return near;
}

static int option_of(int fd, int level, int option)
{
    int value = -1;
    socklen_t length = sizeof value;

    cr_assert_eq(getsockopt(fd, level, option, &value, &length), 0);
    return value;
}

Test(lobby, a_machine_that_is_switched_off_is_noticed)
{
    int far;
    int near = tcp_pair(&far);

    open_lobby();
    cr_assert_eq(lobby_take(lobby, "far", near), 0);
    cr_assert_eq(option_of(near, SOL_SOCKET, SO_KEEPALIVE), 1);
    cr_assert_leq(option_of(near, IPPROTO_TCP, TCP_KEEPIDLE), 60);
    cr_assert_eq(option_of(near, IPPROTO_TCP, TCP_NODELAY), 1);
    cr_assert(fcntl(near, F_GETFL) & O_NONBLOCK);
    close_lobby();
    close(far);
}
