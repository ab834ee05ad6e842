/* Remote bots. `play` turns a connection into a bot that waits for a match (remote_bots.h): from
 * then on it is not a client any more. With `fetch` the process that plays a match gets such a
 * connection, as a descriptor that comes with the reply. All earlier replies must be sent before,
 * so handle_remote_continue() does the rest. */

#include "serve/control/control_private.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct ledger_bot *find_remote(const struct client *client,
                                            struct request_error *error)
{
    const struct ledger_bot *bot = handle_find_bot(client, client->request.arguments[0], error);

    if (bot == NULL || bot->command == NULL)
        return bot;
    (void)request_error_set(error, REQUEST_ERROR_VALUE, "%s is not a remote bot", bot->name);
    return NULL;
}

/* A connection that waits is no client any more, but still one of the user's. */
static int check_share(const struct client *client, const char *name, struct request_error *error)
{
    const struct control_setup *setup = &client->control->setup;
    long most = queue_settings(setup->queue)->connections_per_user;

    if (remote_bots_count(setup->remote_bots, name) >= REMOTE_BOTS_WAITING_MAX)
        return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                                 "%d connections of %s are waiting already",
                                 REMOTE_BOTS_WAITING_MAX, name);
    if (!client->is_owner && remote_bots_count_user(setup->remote_bots, client->user) >= most)
        return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                                 "%ld connections of %s are waiting already, and this daemon "
                                 "allows no more (connections_per_user)",
                                 most, client->user);
    return 0;
}

int handle_play(struct client *client, struct request_error *error)
{
    const struct ledger_bot *bot = find_remote(client, error);

    if (bot == NULL)
        return -1;
    if (!client->is_owner && strcmp(bot->user, client->user) != 0)
        return request_error_set(error, REQUEST_ERROR_FORBIDDEN, "%s belongs to %s", bot->name,
                                 bot->user);
    if (evbuffer_get_length(bufferevent_get_input(client->stream)) > 0)
        return request_error_set(error, REQUEST_ERROR_UNREADABLE,
                                 "nothing may follow play before its reply");
    if (check_share(client, bot->name, error) != 0)
        return -1;
    client_ok(client, "waiting");
    client_enter(client, CLIENT_PLAYING);
    return 0;
}

static void become_bot(struct client *client)
{
    int fd = client_take_fd(client);

    if (fd >= 0 && remote_bots_take(client->control->setup.remote_bots,
                                    client->request.arguments[0], client->user, fd) != 0)
        (void)close(fd);
}

/* Reply and descriptor are sent together, bypassing the stream. */
static void hand_over(struct client *client)
{
    char reply[] = "ok\n";
    struct iovec text = {.iov_base = reply, .iov_len = sizeof reply - 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } room = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &text,
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

void handle_remote_continue(struct client *client)
{
    if (client->state == CLIENT_PLAYING)
        become_bot(client);
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

int handle_fetch(struct client *client, struct request_error *error)
{
    const struct ledger_bot *bot = find_remote(client, error);

    if (bot == NULL)
        return -1;
    if (client->address != CONTROL_LOCAL)
        return request_error_set(error, REQUEST_ERROR_FORBIDDEN,
                                 "fetch is only for the Unix socket");
    client_enter(client, CLIENT_FETCHING);
    client->order =
        remote_bots_order(client->control->setup.remote_bots, bot->name, on_bot, client);
    return 0;
}
