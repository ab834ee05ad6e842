/* A log as a file: its lines, the hash in the last one, header and result. It is read as a whole
 * before it is played, because the seed is in its result. A log without a result is one of a match
 * that was killed, or one that was cut off: then its events say what the cards were. */

#include "match/replay_private.h"

#include "base/file_read.h"
#include "base/memory.h"
#include "match/log_check.h"
#include "match/log_zstd.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whatever is larger, as a file or decompressed, is not a log. */
#define LOG_MAX_BYTES ((size_t)256 << 20)

void replay_complain(struct replay *replay, unsigned long line, const char *what, const char *more)
{
    if (replay->is_wrong)
        return;
    replay->is_wrong = true;
    snprintf(replay->problem, sizeof replay->problem, "line %lu: %s%s", line + 1, what, more);
}

/* What a path is that is not a file, with what can be done about it; NULL if it is one. */
static const char *not_a_file(mode_t mode)
{
    if (S_ISREG(mode))
        return NULL;
    if (S_ISDIR(mode))
        return "it is a folder, not a log; if it is the store of a tournament, --verify proves all "
               "of it";
    if (S_ISFIFO(mode))
        return "it is a pipe, not a file: save the log in a file first";
    return "it is a device or a socket, not a log";
}

/* Decompresses the file if it is compressed, whatever its name is. */
static int unpack(struct file_read *file, struct text *problem)
{
    struct span packed = {file->bytes, file->length};

    if (!log_zstd_is_packed(packed.start, packed.length))
        return 0;
    file->bytes = log_zstd_unpack(packed, LOG_MAX_BYTES, &file->length, problem);
    free((char *)packed.start);
    return file->bytes != NULL ? 0 : -1;
}

static int read_file(struct replay *replay, const char *path, struct text *problem)
{
    struct file_read file;
    const char *why = NULL;

    if (file_read(&file, path, LOG_MAX_BYTES) != 0) {
        if (errno == EFBIG)
            why = "it is too large to be a log";
        else if (file.mode != 0)
            why = not_a_file(file.mode);
        text_add(problem, why != NULL ? why : strerror(errno));
        return -1;
    }
    if (unpack(&file, problem) != 0)
        return -1;
    replay->file = file.bytes;
    replay->bytes = file.bytes;
    replay->length = file.length;
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
    replay->record_count = count;
    for (unsigned long i = 0; i < count; i++)
        replay->lines[i] = span_cut(&rest, '\n');
    replay->is_torn = rest.start != NULL && rest.length > 0;
    if (count > 0)
        return 0;
    text_add(problem, "line 1: it has no line end: the log is cut off before the match began");
    return -1;
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

/* The last line has exactly one form. */
static void check_last_line(struct replay *replay, struct span line)
{
    struct log_record_writer *writer = log_record_writer_new();
    size_t length;
    const char *wanted = log_record_end(writer, replay->hash, &length);

    if (line.length != length || memcmp(line.start, wanted, length) != 0)
        replay_complain(replay, replay->line_count - 1,
                        "the last line has the hash and nothing else: ", wanted);
    log_record_writer_free(writer);
}

static void check_hash(struct replay *replay, const struct json_node *record)
{
    unsigned long last = replay->line_count - 1;
    size_t length = (size_t)(replay->lines[last].start - replay->bytes);
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, (const unsigned char *)replay->bytes, length);
    sodium_bin2hex(replay->hash, sizeof replay->hash, hash, sizeof hash);
    if (strcmp(json_member_text(record, "sha256", ""), replay->hash) != 0)
        replay_complain(
            replay, last,
            "the hash is not that of the lines before it: the log was changed; their hash is ",
            replay->hash);
    check_last_line(replay, replay->lines[last]);
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
    else if (log_check_header(&replay->header, &problem) != 0)
        replay_complain(replay, 0, message, "");
    replay->header_root = record;
}

static void read_result(struct replay *replay)
{
    unsigned long at = replay->record_count - 1;
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
    replay->has_seed = true;
    if (!replay->is_wrong && replay->header.branch_of != NULL &&
        replay->header.branch_at >= replay->decisions)
        replay_complain(replay, 0, "it branches off after its last decision", "");
}

/* Without a result there is no seed: collects the cards that the events show, and counts the
 * decisions. */
static void read_events(struct replay *replay)
{
    replay->cards = replay_cards_new(&replay->rules, replay->header.seats);
    for (unsigned long line = 1; line < replay->record_count && !replay->is_wrong; line++) {
        const struct json_node *record = replay_read_line(replay, replay->ahead[0], line);

        if (record == NULL)
            return;
        replay_cards_add(replay->cards, span_of(json_member_text(record, "ev", "")));
        replay->decisions += log_record_kind_of(record) == LOG_RECORD_DECISION;
    }
    replay->shuffler = replay_cards_shuffler(replay->cards);
    replay->setup.shuffler = &replay->shuffler;
    replay->setup.commitment = replay->header.commitment;
}

static void note_cut(struct replay *replay, bool has_result)
{
    unsigned long line = replay->line_count + (replay->is_torn ? 1 : 0);

    replay->is_cut = true;
    if (has_result)
        snprintf(replay->cut, sizeof replay->cut,
                 "line %lu: the log is cut off: its last line, with the hash, is missing",
                 replay->line_count + 1);
    else
        snprintf(replay->cut, sizeof replay->cut,
                 "line %lu: the log is cut off after decision %lu: the match has no result", line,
                 replay->decisions);
}

/* The end of the log: its hash and its result; or as far as it goes. */
static void read_end(struct replay *replay)
{
    unsigned long last = replay->line_count - 1;
    const struct json_node *record = replay_read_line(replay, replay->ahead[1], last);
    enum log_record_kind kind = record != NULL ? log_record_kind_of(record) : LOG_RECORD_UNKNOWN;

    if (kind == LOG_RECORD_END && replay->is_torn) {
        replay_complain(replay, last + 1, "the log continues after its last line", "");
    } else if (kind == LOG_RECORD_END && last < 3) {
        replay_complain(replay, last, "this is too short to be a log", "");
    } else if (kind == LOG_RECORD_END) {
        replay->record_count = last;
        check_hash(replay, record);
        read_result(replay);
    } else if (kind == LOG_RECORD_RESULT) {
        read_result(replay);
        note_cut(replay, true);
    } else if (kind == LOG_RECORD_HEADER ||
               (kind == LOG_RECORD_FAULT && log_record_number_of(record) == 0)) {
        replay_complain(replay, last + 1, "the log is cut off before the first card was dealt", "");
    } else if (kind == LOG_RECORD_UNKNOWN) {
        replay_complain(replay, last, "this is not a record of a log", "");
    } else {
        read_events(replay);
        note_cut(replay, false);
    }
}

static void fill_setup(struct replay *replay)
{
    const struct log_record_header *header = &replay->header;
    struct match_setup *setup = &replay->setup;

    setup->rules = replay->rules;
    setup->variant = header->variant;
    setup->machine = header->machine;
    setup->speed = header->speed;
    setup->reference = header->reference;
    setup->seats = header->seats;
    setup->dealer = header->dealer;
    setup->is_guessable = header->is_guessable;
    setup->may_ponder = header->may_ponder;
    setup->cores = header->cores;
    setup->referee = header->referee;
    setup->autopilot = header->autopilot;
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
    read_header(replay);
    if (!replay->is_wrong)
        read_end(replay);
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
    replay_cards_free(replay->cards);
    free(replay->lines);
    free(replay->file);
    free(replay);
}
