/* The ladders as JSON, and their pages. The list may have what each says about one bot. */

#include "serve/http/http_private.h"
#include "serve/ladder/ladder_describe.h"

void http_answer_ladders(struct http_call *call)
{
    const struct ladders *ladders = call->http->setup.ladders;
    const struct ledger *ledger = queue_ledger(call->http->setup.queue);
    struct span bot = http_read_word(call->query, "bot");
    struct json_writer *json = http_start_json();

    json_key(json, "ladders");
    json_open_list(json);
    for (unsigned i = 0; i < ladders_count(ladders); i++) {
        json_open_map(json);
        ladder_describe_json(json, ladders_at(ladders, i));
        if (bot.length > 0)
            ladder_describe_bot_json(json, ladders_at(ladders, i), ledger, bot);
        json_close_map(json);
    }
    json_close_list(json);
    http_reply_json(call, 200, json);
}

void http_answer_ladder(struct http_call *call)
{
    const struct ladder *ladder = ladders_find(call->http->setup.ladders, call->name);
    struct json_writer *json;

    if (ladder == NULL) {
        http_reply_text(call, 404, "There is no such ladder.");
        return;
    }
    json = http_start_json();
    ladder_describe_json(json, ladder);
    ladder_describe_rows_json(json, ladder, queue_ledger(call->http->setup.queue));
    http_reply_json(call, 200, json);
}

void http_answer_ladder_page(struct http_call *call)
{
    bool is_there = ladders_find(call->http->setup.ladders, call->name) != NULL;

    http_reply_page(call, is_there ? 200 : 404, is_there ? PAGE_LADDER : PAGE_MISSING);
}
