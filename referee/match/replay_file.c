/* A log as a file: its lines, the hash in the last one, header and result. It is read as a whole
 * before it is played, because the seed is in its result. */

#include "match/replay_private.h"

#include "base/memory.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A larger file is not a log. */
#define FILE_MAX_BYTES (256L << 20)

void replay_complain(struct replay *replay, unsigned long line, const char *what, const char *more)
{
    if (replay->is_wrong)
        return;
    replay->is_wrong = true;
    snprintf(replay->problem, sizeof replay->problem, "line %lu: %s%s", line + 1, what, more);
}

static int read_file(struct replay *replay, const char *path, struct text *problem)
{
    FILE *file = fopen(path, "re");
    long size = -1;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || size > FILE_MAX_BYTES) {
        text_add(problem, size < 0 ? strerror(errno) : "it is too large to be a log");
        if (file != NULL)
            fclose(file);
        return -1;
    }
    rewind(file);
    replay->file = xcalloc((size_t)size + 1, 1);
    replay->length = fread(replay->file, 1, (size_t)size, file);
    replay->bytes = replay->file;
    fclose(file);
    return 0;
}

static int split_lines(struct replay *replay, struct text *problem)
{
    struct span rest = {replay->bytes, replay->length};
    unsigned long count = 0;

    if (replay->length == 0) {
        text_add(problem, "it is empty");
        return -1;
    }
    if (replay->bytes[0] != '{') {
        text_add(problem, "not a referee log");
        return -1;
    }
    for (size_t i = 0; i < replay->length; i++)
        count += replay->bytes[i] == '\n';
    replay->lines = xcalloc(count + 1, sizeof *replay->lines);
    replay->line_count = count;
    for (unsigned long i = 0; i < count; i++)
        replay->lines[i] = span_cut(&rest, '\n');
    if (rest.start != NULL && rest.length > 0) {
        text_printf(problem, "line %lu: it has no line end: the log is cut off in the middle",
                    count + 1);
        return -1;
    }
    return 0;
}

const struct json_node *replay_read_line(struct replay *replay, struct json_document *document,
                                         unsigned long line)
{
    char message[100];
    struct text problem;
    const struct json_node *record;

    text_start(&problem, message, sizeof message);
    record = json_read(document, replay->lines[line].start, replay->lines[line].length, &problem);
    if (record == NULL)
        replay_complain(replay, line, message, "");
    return record;
}

static void check_hash(struct replay *replay)
{
    unsigned long last = replay->line_count - 1;
    size_t length = (size_t)(replay->lines[last].start - replay->bytes);
    const struct json_node *record = replay_read_line(replay, replay->ahead[0], last);
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, (const unsigned char *)replay->bytes, length);
    sodium_bin2hex(replay->hash, sizeof replay->hash, hash, sizeof hash);
    if (record == NULL || log_record_kind_of(record) != LOG_RECORD_END)
        replay_complain(
            replay, last,
            "this should be the last line, with the hash: the end of the log is missing", "");
    else if (strcmp(json_member_text(record, "sha256", ""), replay->hash) != 0)
        replay_complain(
            replay, last,
            "the hash is not that of the lines before it: the log was changed; their hash is ",
            replay->hash);
}

static void read_header(struct replay *replay)
{
    const struct json_node *record = replay_read_line(replay, replay->header_document, 0);
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (record == NULL || log_record_kind_of(record) != LOG_RECORD_HEADER)
        replay_complain(replay, 0, "this is not the header of a log", "");
    else if (log_record_read_header(record, &replay->header, &replay->rules, &problem) != 0)
        replay_complain(replay, 0, message, "");
    else if (clock_rule_read(span_of(replay->header.clock), &replay->setup.clock) != 0)
        replay_complain(replay, 0, "the clock is neither fair nor wall", "");
    replay->setup.may_ponder = replay->header.may_ponder;
}

static void read_result(struct replay *replay)
{
    unsigned long at = replay->line_count - 2;
    const struct json_node *record = replay_read_line(replay, replay->result_document, at);
    const char *seed = json_member_text(record, "seed", "");
    size_t length = 0;

    if (record == NULL || log_record_kind_of(record) != LOG_RECORD_RESULT)
        replay_complain(replay, at, "this is not the result of a match", "");
    else if (sodium_hex2bin(replay->setup.seed, sizeof replay->setup.seed, seed, strlen(seed), NULL,
                            &length, NULL) != 0 ||
             length != sizeof replay->setup.seed)
        replay_complain(replay, at, "the seed is not 64 hexadecimal digits", "");
    replay->decisions = (unsigned long)json_member_number(record, "decisions", 0);
}

static void fill_setup(struct replay *replay)
{
    const struct log_record_header *header = &replay->header;
    struct match_setup *setup = &replay->setup;

    setup->rules = replay->rules;
    setup->seats = header->seats;
    setup->dealer = header->dealer;
    setup->is_guessable = header->is_guessable;
    setup->start_ms = header->start_ms;
    setup->move_ms = header->move_ms;
    setup->bank_ms = header->bank_ms;
    setup->sandbox = header->sandbox;
    setup->enforced = header->enforced;
    setup->branch_of = header->branch_of;
    setup->branch_at = header->branch_at;
    setup->keeps_bots = header->keeps_bots;
    for (unsigned seat = 0; seat < header->seats; seat++) {
        setup->names[seat] = header->bots[seat].name;
        setup->commands[seat] = header->bots[seat].command;
        setup->hashes[seat] = header->bots[seat].hash;
        setup->is_kept[seat] = header->bots[seat].is_kept;
        setup->asked_before[seat] = header->bots[seat].asked_before;
    }
}

static void prepare(struct replay *replay)
{
    replay->header_document = json_document_new();
    replay->result_document = json_document_new();
    for (unsigned i = 0; i < AHEAD_MAX; i++)
        replay->ahead[i] = json_document_new();
    if (replay->line_count < 4) {
        replay_complain(replay, replay->line_count, "this is too short to be a log", "");
        read_header(replay);
        return;
    }
    read_header(replay);
    if (!replay->is_wrong)
        check_hash(replay);
    if (!replay->is_wrong)
        read_result(replay);
    if (replay->is_wrong)
        return;
    fill_setup(replay);
    replay_begin(replay);
}

static struct replay *check(struct replay *replay, int result, struct text *problem)
{
    if (result == 0)
        result = split_lines(replay, problem);
    if (result == 0) {
        prepare(replay);
        if (replay->is_wrong)
            text_add(problem, replay->problem);
    }
    if (result == 0 && !replay->is_wrong)
        return replay;
    replay_free(replay);
    return NULL;
}

struct replay *replay_load(const char *path, replay_tap_fn *tap, void *context,
                           struct text *problem)
{
    struct replay *replay = xcalloc(1, sizeof *replay);

    replay->tap = tap;
    replay->context = context;
    return check(replay, read_file(replay, path, problem), problem);
}

struct replay *replay_read(const char *bytes, size_t length, replay_tap_fn *tap, void *context,
                           struct text *problem)
{
    struct replay *replay = xcalloc(1, sizeof *replay);

    replay->bytes = bytes;
    replay->length = length;
    replay->tap = tap;
    replay->context = context;
    return check(replay, 0, problem);
}

void replay_free(struct replay *replay)
{
    if (replay == NULL)
        return;
    match_free(replay->match);
    json_document_free(replay->header_document);
    json_document_free(replay->result_document);
    for (unsigned i = 0; i < AHEAD_MAX; i++)
        json_document_free(replay->ahead[i]);
    free(replay->lines);
    free(replay->file);
    free(replay);
}
