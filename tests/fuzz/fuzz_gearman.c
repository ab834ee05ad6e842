/* What comes from a job server. The first byte says what the others are: packets, as any server may
 * send them; or a task, a result, settings or the files of a bot, which are sealed here, because
 * only somebody with the key can make them; or something that claims to be sealed. Whatever they
 * say, they are read or refused, and nothing is written outside of the folder. */

#include "base/deal_random.h"
#include "base/directory_tree.h"
#include "support/json_mutate.h"
#include "tournament/distribute/block_result.h"
#include "tournament/distribute/block_task.h"
#include "tournament/distribute/parcel.h"
#include "tournament/distribute/visit.h"
#include "wire/gearman_packet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

typedef void try_fn(struct span bytes, struct text *problem);

static const struct seal_key key = {.secret = "a secret", .cipher = "a cipher", .name = "fuzz"};
static char folder[] = "/tmp/fuzz-gearman-XXXXXX";

static void expect(bool is_true)
{
    if (!is_true)
        abort();
}

static bool is_within(struct span part, struct span whole)
{
    return part.length == 0 ||
           (part.start >= whole.start && part.start + part.length <= whole.start + whole.length);
}

/* Seals bytes and opens them. Free it. */
static char *through_seal(enum seal_kind kind, struct span bytes)
{
    size_t length;
    size_t got;
    char *sealed = seal_close(&key, kind, bytes, &length);
    char *opened = seal_open(&key, kind, (struct span){sealed, length}, &got);

    expect(opened != NULL && got == bytes.length && opened[got] == '\0');
    expect(bytes.length == 0 || memcmp(opened, bytes.start, got) == 0);
    free(sealed);
    return opened;
}

static void try_packets(struct span bytes, struct text *problem)
{
    struct gearman_packet packet;
    unsigned type;
    size_t length;

    (void)problem;
    while (bytes.length >= GEARMAN_HEAD_BYTES &&
           gearman_packet_read_head(bytes.start, &type, &length) == 0) {
        struct span body = {bytes.start + GEARMAN_HEAD_BYTES, bytes.length - GEARMAN_HEAD_BYTES};

        expect(length <= GEARMAN_PACKET_MAX);
        if (length > body.length)
            return;
        bytes = (struct span){body.start + length, body.length - length};
        body.length = length;
        if (gearman_packet_read(&packet, type, body) != 0)
            continue;
        expect(packet.count <= GEARMAN_ARGUMENTS_MAX);
        for (unsigned i = 0; i < packet.count; i++)
            expect(is_within(packet.arguments[i], body));
    }
}

/* A task that is read and written is the same task. */
static void try_task(struct span bytes, struct text *problem)
{
    char *opened = through_seal(SEAL_TASK, bytes);
    struct block_task task;
    struct block_task again;
    bool is_shut_out;
    size_t length;
    char name[BLOCK_TASK_KEY_MAX];
    char *written;

    if (block_task_read(&task, (struct span){opened, bytes.length}, "w1", &is_shut_out, problem) ==
        0) {
        expect(task.count > 0 && task.count <= BLOCK_RESULT_MATCHES_MAX);
        block_task_key(&task, name);
        written = block_task_write(&task, is_shut_out ? "w1\0" : "\0", &length);
        expect(block_task_read(&again, (struct span){written, length}, "w1", &is_shut_out,
                               problem) == 0);
        expect(memcmp(&task, &again, sizeof task) == 0);
        free(written);
    }
    free(opened);
}

static void try_result(struct span bytes, struct text *problem)
{
    char *opened = through_seal(SEAL_RESULT, bytes);
    struct span whole = {opened, bytes.length};
    struct block_result *result = calloc(1, sizeof *result);

    expect(result != NULL);
    if (block_result_read(result, whole, problem) == 0) {
        expect(result->match_count <= BLOCK_RESULT_MATCHES_MAX);
        for (unsigned i = 0; i < result->match_count; i++) {
            const struct block_result_match *match = &result->matches[i];

            expect(match->rotation < BLOCK_RESULT_MATCHES_MAX && is_within(match->log, whole));
            for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
                expect(is_within(match->stderrs[seat], whole));
        }
    } else {
        expect(problem->length > 0);
    }
    free(result);
    free(opened);
}

static void try_settings(struct span bytes, struct text *problem)
{
    char *opened = through_seal(SEAL_FILES, bytes);
    char *path = malloc(sizeof folder + 10);
    struct bot_cache *cache;
    static const bool levels[SANDBOX_AUTO] = {true, true, true};
    struct visit_place place = {
        .folder = folder, .machine = "fuzz", .levels = levels, .speed = 1000};
    struct visit *visit;

    expect(path != NULL);
    snprintf(path, sizeof folder + 10, "%s/cache", folder);
    cache = bot_cache_open(path, 1 << 20, problem);
    expect(cache != NULL);
    place.cache = cache;
    visit = visit_new((struct span){opened, bytes.length}, &place, problem);
    expect(visit != NULL || problem->length > 0);
    for (unsigned i = 0; visit != NULL && i < visit_bot_count(visit); i++)
        (void)bot_cache_has(cache, visit_bot(visit, i).parcel, visit_bot(visit, i).build);
    visit_free(visit);
    bot_cache_free(cache);
    free(path);
    free(opened);
}

/* Files that are unpacked and packed are the same files, or some were refused. */
static void try_parcel(struct span bytes, struct text *problem)
{
    char *opened = through_seal(SEAL_FILES, bytes);
    struct parcel parcel = {0};
    char to[sizeof folder + 10];

    (void)problem;
    snprintf(to, sizeof to, "%s/parcel", folder);
    if (parcel_unpack((struct span){opened, bytes.length}, to) == 0) {
        (void)parcel_add(&parcel, to, "");
        parcel_finish(&parcel);
    }
    parcel_free(&parcel);
    (void)directory_tree_remove(to);
    free(opened);
}

static void try_sealed(struct span bytes, struct text *problem)
{
    size_t length;
    char *opened = seal_open(&key, SEAL_TASK, bytes, &length);

    (void)problem;
    expect(opened == NULL); /* nobody finds a seal by chance */
}

static try_fn *const tries[] = {try_packets,  try_task,   try_result,
                                try_settings, try_parcel, try_sealed};

/* The kinds that are JSON are changed as such. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size_t kind = size > 0 ? data[0] % ARRAY_LEN(tries) : 0;

    if (size < 2 || kind < 1 || kind > 3 || seed % 4 == 0)
        return LLVMFuzzerMutate(data, size, most);
    return 1 + json_mutate(data + 1, size - 1, most - 1, seed);
}

static void remove_folder(void)
{
    (void)directory_tree_remove(folder);
}

static void begin(void)
{
    static bool has_begun;

    if (has_begun)
        return;
    has_begun = true;
    expect(deal_random_init() == 0 && mkdtemp(folder) != NULL);
    (void)atexit(remove_folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[1000];
    struct text problem;

    begin();
    if (size == 0)
        return 0;
    text_start(&problem, message, sizeof message);
    tries[data[0] % ARRAY_LEN(tries)]((struct span){(const char *)data + 1, size - 1}, &problem);
    return 0;
}
