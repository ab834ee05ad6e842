/* The request that shows the ladders. */

#include "serve/control/control_private.h"
#include "serve/ladder/ladder_describe.h"

static void add_rows(struct evbuffer *body, const struct client *client,
                     const struct ladder *ladder)
{
    bool is_all = request_text(&client->request, "all") != NULL;
    unsigned count;
    const struct ladder_row *rows = ladder_rows(ladder, &count);

    for (unsigned i = 0; i < count; i++) {
        char line[REQUEST_LINE_MAX];
        struct text text;

        if (!is_all && !rows[i].is_active)
            continue;
        text_start(&text, line, sizeof line);
        ladder_describe_row_line(&text, &rows[i], queue_ledger(client->control->setup.queue));
        client_add_line(body, "%s", line);
    }
}

/* How a bot came to its ratings. */
static void add_history(struct evbuffer *body, const struct client *client,
                        const struct ladder *ladder, const char *bot)
{
    const struct ledger *ledger = queue_ledger(client->control->setup.queue);
    unsigned count;
    const struct ladder_moment *moments = ladder_moments(ladder, &count);

    for (unsigned i = 0; i < count; i++) {
        char line[REQUEST_LINE_MAX];
        struct text text;

        text_start(&text, line, sizeof line);
        if (ladder_describe_moment_line(&text, &moments[i], ledger, span_of(bot)))
            client_add_line(body, "%s", line);
    }
}

static void add_ladders(struct evbuffer *body, const struct ladders *ladders)
{
    for (unsigned i = 0; i < ladders_count(ladders); i++) {
        char line[REQUEST_LINE_MAX];
        struct text text;

        text_start(&text, line, sizeof line);
        ladder_describe_line(&text, ladders_at(ladders, i));
        client_add_line(body, "%s", line);
    }
}

int handle_ladder(struct client *client, struct request_error *error)
{
    const struct ladders *ladders = client->control->setup.ladders;
    const char *name = client->request.arguments[0];
    const char *bot = request_text(&client->request, "history");
    const struct ladder *ladder = NULL;
    struct evbuffer *body;

    if (client->request.argument_count > 0) {
        ladder = ladders_find(ladders, name);
        if (ladder == NULL)
            return request_error_set(error, REQUEST_ERROR_NO_LADDER, "there is no ladder %.40s",
                                     name);
    }
    body = evbuffer_new();
    if (ladder != NULL && bot != NULL)
        add_history(body, client, ladder, bot);
    else if (ladder != NULL)
        add_rows(body, client, ladder);
    else
        add_ladders(body, ladders);
    client_send_block(client, body);
    return 0;
}
