/* A writer is a yajl generator; what this module adds is the certainty that its output is JSON. The
 * generator is told to take memory from us, so it never fails for want of it, and any other refusal
 * means that the caller's calls do not make a document. It does not see all of them: it closes a
 * list as a map, and a map after a key, so the writer remembers what is open and whether a key
 * waits for its value. Strings come from bots and files as bytes: they are checked here, because
 * the generator copies them as they are. */

#include "wire/json_write.h"

#include "base/utf8.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "wire/json_private.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#define DEPTH_MAX 64

struct json_writer {
    yajl_gen generator;
    bool is_map[DEPTH_MAX]; /* of each thing that is open, outermost first */
    size_t depth;
    bool is_key_waiting;
};

static void *take_memory(void *context, size_t size)
{
    (void)context;
    return xrealloc(NULL, size);
}

static void *resize_memory(void *context, void *memory, size_t size)
{
    (void)context;
    return xrealloc(memory, size);
}

static void give_memory(void *context, void *memory)
{
    (void)context;
    free(memory);
}

struct json_writer *json_writer_new(bool is_pretty)
{
    static const yajl_alloc_funcs memory = {take_memory, resize_memory, give_memory, NULL};
    struct json_writer *writer = xcalloc(1, sizeof *writer);

    writer->generator = yajl_gen_alloc(&memory);
    yajl_gen_config(writer->generator, yajl_gen_beautify, (int)is_pretty);
    return writer;
}

void json_writer_free(struct json_writer *writer)
{
    if (writer == NULL)
        return;
    if (writer->generator != NULL)
        yajl_gen_free(writer->generator);
    free(writer);
}

static void must_hold(bool holds)
{
    if (!holds)
        fatal("a JSON document was put together wrongly");
}

static void must_fit(yajl_gen_status status)
{
    must_hold(status == yajl_gen_status_ok);
}

static bool is_in_map(const struct json_writer *writer)
{
    return writer->depth > 0 && writer->is_map[writer->depth - 1];
}

static void begin_value(struct json_writer *writer)
{
    must_hold(is_in_map(writer) == writer->is_key_waiting);
    writer->is_key_waiting = false;
}

static void begin_inside(struct json_writer *writer, bool is_map)
{
    begin_value(writer);
    must_hold(writer->depth < DEPTH_MAX);
    writer->is_map[writer->depth++] = is_map;
}

static void end_inside(struct json_writer *writer, bool is_map)
{
    must_hold(writer->depth > 0 && is_in_map(writer) == is_map && !writer->is_key_waiting);
    writer->depth--;
}

void json_open_map(struct json_writer *writer)
{
    begin_inside(writer, true);
    must_fit(yajl_gen_map_open(writer->generator));
}

void json_close_map(struct json_writer *writer)
{
    end_inside(writer, true);
    must_fit(yajl_gen_map_close(writer->generator));
}

void json_open_list(struct json_writer *writer)
{
    begin_inside(writer, false);
    must_fit(yajl_gen_array_open(writer->generator));
}

void json_close_list(struct json_writer *writer)
{
    end_inside(writer, false);
    must_fit(yajl_gen_array_close(writer->generator));
}

static size_t valid_length(const uint8_t *bytes, size_t length)
{
    const uint64_t high_bits = UINT64_C(0x8080808080808080);
    size_t done = 0;
    size_t letter = 1;
    uint64_t eight = 0;

    /* Nearly everything is ASCII: eight bytes at a time. */
    for (; done + sizeof eight <= length; done += sizeof eight) {
        memcpy(&eight, bytes + done, sizeof eight);
        if (eight & high_bits)
            break;
    }
    while (done < length && letter > 0) {
        letter = utf8_length(bytes + done, length - done);
        done += letter;
    }
    return done;
}

/* Copies `bytes` with each stray byte written as the character of its number, which takes two bytes
 * because a stray byte is never below 0x80. Returns the length of the copy. */
static size_t repair(uint8_t *copy, const uint8_t *bytes, size_t length)
{
    size_t used = 0;

    for (size_t done = 0; done < length;) {
        size_t letter = utf8_length(bytes + done, length - done);

        memcpy(copy + used, bytes + done, letter);
        used += letter;
        done += letter;
        if (letter == 0) {
            copy[used++] = (uint8_t)(0xc0 | bytes[done] >> 6);
            copy[used++] = (uint8_t)(0x80 | (bytes[done] & 0x3f));
            done++;
        }
    }
    return used;
}

static void write_string(struct json_writer *writer, const char *bytes, size_t length)
{
    const uint8_t *letters = (const uint8_t *)bytes;
    uint8_t *copy;

    if (valid_length(letters, length) == length) {
        must_fit(yajl_gen_string(writer->generator, letters, length));
        return;
    }
    copy = xcalloc(length, 2);
    must_fit(yajl_gen_string(writer->generator, copy, repair(copy, letters, length)));
    free(copy);
}

void json_key(struct json_writer *writer, const char *name)
{
    must_hold(is_in_map(writer) && !writer->is_key_waiting);
    write_string(writer, name, strlen(name));
    writer->is_key_waiting = true;
}

void json_text(struct json_writer *writer, const char *value)
{
    json_text_bytes(writer, value, strlen(value));
}

void json_text_bytes(struct json_writer *writer, const char *bytes, size_t length)
{
    begin_value(writer);
    write_string(writer, bytes, length);
}

void json_number(struct json_writer *writer, long long number)
{
    char digits[32];
    struct text text;

    /* The generator's own way goes through printf, which costs as much as the rest of a record. */
    begin_value(writer);
    text_start(&text, digits, sizeof digits);
    text_add_number(&text, (long)number);
    must_fit(yajl_gen_number(writer->generator, digits, text.length));
}

void json_decimal(struct json_writer *writer, double value, unsigned digits)
{
    char buffer[32];
    struct text text;

    begin_value(writer);
    text_start(&text, buffer, sizeof buffer);
    if (text_add_decimal(&text, value, digits))
        must_fit(yajl_gen_number(writer->generator, buffer, text.length));
    else
        must_fit(yajl_gen_null(writer->generator));
}

void json_flag(struct json_writer *writer, bool is_set)
{
    begin_value(writer);
    must_fit(yajl_gen_bool(writer->generator, is_set));
}

void json_null(struct json_writer *writer)
{
    begin_value(writer);
    must_fit(yajl_gen_null(writer->generator));
}

void json_put_text(struct json_writer *writer, const char *key, const char *value)
{
    json_key(writer, key);
    json_text(writer, value);
}

void json_put_number(struct json_writer *writer, const char *key, long long number)
{
    json_key(writer, key);
    json_number(writer, number);
}

void json_put_flag(struct json_writer *writer, const char *key, bool is_set)
{
    json_key(writer, key);
    json_flag(writer, is_set);
}

void json_put_decimal(struct json_writer *writer, const char *key, double value, unsigned digits)
{
    json_key(writer, key);
    json_decimal(writer, value, digits);
}

const char *json_writer_bytes(struct json_writer *writer, size_t *length)
{
    const unsigned char *bytes;

    must_fit(yajl_gen_get_buf(writer->generator, &bytes, length));
    /* A generator that has written nothing yet has no buffer either. */
    return bytes != NULL ? (const char *)bytes : "";
}

void json_writer_clear(struct json_writer *writer)
{
    writer->depth = 0;
    writer->is_key_waiting = false;
    yajl_gen_reset(writer->generator, NULL);
    yajl_gen_clear(writer->generator);
}
