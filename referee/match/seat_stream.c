/* A scribe collects lines until its seat is asked something and then hands them over in one piece:
 * so a bot is woken once for each of its own questions, not for each event, and the hash is computed
 * over long runs of bytes. */

#include "match/scribe.h"

#include "base/memory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* More than a question with its table, its legal answers and all events since the last one needs;
 * what would not fit is handed over before. */
#define BUFFER_BYTES 16384
#define FLUSH_BYTES (BUFFER_BYTES - 8 * LINE_REFEREE_MAX)

struct scribe {
    unsigned seat;
    scribe_out_fn *out;
    void *context;
    struct line_wishes wishes;
    uint64_t id;
    struct text text;
    crypto_generichash_state hash;
    char buffer[BUFFER_BYTES];
};

struct scribe *scribe_new(unsigned seat, scribe_out_fn *out, void *context)
{
    struct scribe *scribe = xcalloc(1, sizeof *scribe);

    scribe->seat = seat;
    scribe->out = out;
    scribe->context = context;
    scribe->wishes = (struct line_wishes){.has_table = true, .has_events = true};
    text_start(&scribe->text, scribe->buffer, sizeof scribe->buffer);
    crypto_generichash_init(&scribe->hash, NULL, 0, 32);
    return scribe;
}

void scribe_free(struct scribe *scribe)
{
    free(scribe);
}

void scribe_set_wishes(struct scribe *scribe, struct line_wishes wishes)
{
    scribe->wishes = wishes;
}

void scribe_flush(struct scribe *scribe)
{
    struct text *text = &scribe->text;

    if (text->length == 0)
        return;
    crypto_generichash_update(&scribe->hash, (const unsigned char *)text->buffer, text->length);
    scribe->out(scribe->context, scribe->seat, text->buffer, text->length);
    text_start(text, scribe->buffer, sizeof scribe->buffer);
}

/* The text to add lines to, with room for at least eight of them. */
static struct text *room(struct scribe *scribe)
{
    if (scribe->text.length > FLUSH_BYTES)
        scribe_flush(scribe);
    return &scribe->text;
}

void scribe_greeting(struct scribe *scribe)
{
    line_write_greeting(room(scribe));
    scribe_flush(scribe);
}

void scribe_go_on(struct scribe *scribe, uint64_t asked)
{
    scribe->id = asked;
}

void scribe_match(struct scribe *scribe, const struct line_match *match)
{
    line_write_match(room(scribe), match);
}

void scribe_events(struct scribe *scribe, const struct events *events)
{
    if (!scribe->wishes.has_events)
        return;
    for (unsigned i = 0; i < events->count; i++) {
        struct event event = event_hide(events->list[i], scribe->seat);

        line_write_event(room(scribe), &event, true);
    }
}

void scribe_event_lines(struct scribe *scribe, struct span lines)
{
    if (!scribe->wishes.has_events)
        return;
    if (scribe->text.length + lines.length > FLUSH_BYTES)
        scribe_flush(scribe);
    text_add_bytes(&scribe->text, lines.start, lines.length);
}

void scribe_said(struct scribe *scribe, unsigned seat, const char *words)
{
    line_write_said(room(scribe), seat, words);
}

void scribe_dismissed(struct scribe *scribe, unsigned seat, const char *code)
{
    line_write_dismissed(room(scribe), seat, code);
}

void scribe_result(struct scribe *scribe, const uint8_t *places, unsigned seats, bool is_last)
{
    line_write_result(room(scribe), places, seats);
    if (is_last)
        line_write_bye(room(scribe));
    scribe_flush(scribe);
}

uint64_t scribe_ask(struct scribe *scribe, const struct view *view, const struct legal *legal,
                    struct span table_lines, long limit_ms)
{
    struct text *text = room(scribe);

    if (scribe->wishes.has_table)
        text_add_bytes(text, table_lines.start, table_lines.length);
    if (scribe->wishes.has_legal)
        line_write_legal(text, legal);
    scribe->id++;
    line_write_ask(text, view, scribe->id, limit_ms);
    scribe_flush(scribe);
    return scribe->id;
}

uint64_t scribe_id(const struct scribe *scribe)
{
    return scribe->id;
}

void scribe_hash(const struct scribe *scribe, char hex[RECORD_HASH_HEX])
{
    crypto_generichash_state copy = scribe->hash;
    unsigned char hash[32];

    crypto_generichash_final(&copy, hash, sizeof hash);
    sodium_bin2hex(hex, RECORD_HASH_HEX, hash, sizeof hash);
}
