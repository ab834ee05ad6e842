/* Bots that play from elsewhere. `play` turns a connection into a bot that waits in the lobby: from then on
 * it is not a client any more. `fetch` is how the process that plays a match gets such a connection: as a
 * descriptor that comes with the reply. Both need all earlier replies to be sent before, so they are
 * continued by remote_go_on(). */

#include "serve/control_private.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct ledger_bot *find_remote(const struct client *client, struct denial *denial)
{
    const struct ledger_bot *bot = verb_bot(client, client->request.words[0], denial);

    if (bot == NULL || bot->command == NULL)
        return bot;
    (void)deny(denial, DENIAL_VALUE, "%s does not play from elsewhere", bot->name);
    return NULL;
}

int verb_play(struct client *client, struct denial *denial)
{
    const struct ledger_bot *bot = find_remote(client, denial);

    if (bot == NULL)
        return -1;
    if (!client->is_owner && strcmp(bot->user, client->user) != 0)
        return deny(denial, DENIAL_FORBIDDEN, "%s belongs to %s", bot->name, bot->user);
    if (evbuffer_get_length(bufferevent_get_input(client->stream)) > 0)
        return deny(denial, DENIAL_UNREADABLE, "nothing may follow play before it is answered");
    if (lobby_count(client->control->setup.lobby, bot->name) >= LOBBY_WAITING_MAX)
        return deny(denial, DENIAL_TOO_MANY, "%d connections of %s wait already", LOBBY_WAITING_MAX,
                    bot->name);
    client_ok(client, "waiting");
    client_enter(client, CLIENT_PLAYING);
    return 0;
}

static void play_on(struct client *client)
{
    int fd = client_take_fd(client);

    if (lobby_take(client->control->setup.lobby, client->request.words[0], fd) != 0)
        (void)close(fd);
}

/* The reply and the descriptor go together, past the stream. */
static void hand_over(struct client *client)
{
    char reply[] = "ok\n";
    struct iovec words = {.iov_base = reply, .iov_len = sizeof reply - 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } room = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &words,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             .msg_controllen = sizeof room.bytes};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);

    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &client->fetched_fd, sizeof(int));
    (void)sendmsg(bufferevent_getfd(client->stream), &message, MSG_NOSIGNAL);
    client_leave(client);
}

void remote_go_on(struct client *client)
{
    if (client->state == CLIENT_PLAYING)
        play_on(client);
    else if (client->fetched_fd >= 0)
        hand_over(client);
}

static void on_bot(void *context, int fd)
{
    struct client *client = context;

    client->order = NULL;
    client->fetched_fd = fd;
    if (client_waiting(client) == 0)
        hand_over(client);
}

int verb_fetch(struct client *client, struct denial *denial)
{
    const struct ledger_bot *bot = find_remote(client, denial);

    if (bot == NULL)
        return -1;
    if (client->door != CONTROL_LOCAL)
        return deny(denial, DENIAL_FORBIDDEN, "fetch is only for the Unix socket");
    client_enter(client, CLIENT_FETCHING);
    client->order = lobby_order(client->control->setup.lobby, bot->name, on_bot, client);
    return 0;
}
