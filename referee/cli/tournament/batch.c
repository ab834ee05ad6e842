/* Only --list-blocks and --import write to the store, and so take its lock. --play-block reads its
 * master seed and leaves one file, which has its name when it is complete: so it can be repeated,
 * run many times at once, and be killed. What it says is verified by --import, not believed. */

#include "cli/tournament/batch.h"

#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/file_read.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/tournament/cmd_tournament.h"
#include "tournament/distribute/block_intake.h"
#include "tournament/distribute/block_player.h"
#include "tournament/distribute/seal.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t missing_of(const struct tournament *tournament, const struct block_source *source,
                           unsigned block)
{
    if (block > source->block_count(source->context))
        return 0;
    return block_mask(source->rotations(source->context, block)) &
           ~store_done(tournament->store, block);
}

static struct block_source source_of(struct tournament *tournament)
{
    return progression_source(tournament->progression, NULL, NULL);
}

/* --list-blocks. */

/* The deals of all blocks that are listed are committed to before one is played. */
int batch_list(struct tournament *tournament)
{
    int code = tournament_prepare(tournament);
    struct block_source source;
    unsigned count = 0;

    if (code != CLI_FINE)
        return code;
    source = source_of(tournament);
    do {
        unsigned blocks = source.block_count(source.context);

        if (store_commit(tournament->store, blocks) != 0 || store_write(tournament->store) != 0) {
            message_say("the store cannot be written: %s", strerror(errno));
            return CLI_FAILED;
        }
        for (unsigned block = 1; block <= blocks; block++) {
            if (missing_of(tournament, &source, block) == 0)
                continue;
            printf("%u\n", block);
            count++;
        }
    } while (count == 0 && source.extend(source.context));
    return store_seal(tournament->store) == 0 ? CLI_FINE : CLI_FAILED;
}

/* --play-block. */

struct batch {
    struct tournament *tournament;
    struct event_base *base;
    struct seal_key key;
    char *folder; /* in which the logs are written */
    char *path;   /* of the result */
    bool is_written;
};

static int read_key(struct batch *batch)
{
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (batch->tournament->key_file == NULL ||
        seal_key_read(&batch->key, batch->tournament->key_file, &problem) == 0)
        return 0;
    message_say("%s", message);
    return -1;
}

/* Written under another name first, so that a file of that name is complete. */
static int write_whole(const char *path, struct span bytes)
{
    size_t size = strlen(path) + 30;
    char *partial = xcalloc(size, 1);
    FILE *file;
    int result = -1;

    snprintf(partial, size, "%s.%ld.partial", path, (long)getpid());
    file = fopen(partial, "we");
    if (file != NULL && fwrite(bytes.start, 1, bytes.length, file) == bytes.length &&
        fflush(file) == 0 && fsync(fileno(file)) == 0)
        result = 0;
    if (file != NULL && fclose(file) != 0)
        result = -1;
    if (result == 0)
        result = rename(partial, path);
    if (result != 0)
        (void)unlink(partial);
    free(partial);
    return result;
}

static void write_result(struct batch *batch, const struct task_report *reports, unsigned count)
{
    struct block_result_head head = {.block = batch->tournament->played_block};
    size_t length;
    char *bytes;

    store_id(batch->tournament->store, head.store);
    if (gethostname(head.worker, sizeof head.worker - 1) != 0)
        head.worker[0] = '\0';
    bytes = block_result_write(&head, batch->folder, reports, count, &length);
    if (batch->tournament->key_file != NULL) {
        char *sealed = seal_close(&batch->key, SEAL_RESULT, (struct span){bytes, length}, &length);

        free(bytes);
        bytes = sealed;
    }
    if (write_whole(batch->path, (struct span){bytes, length}) == 0)
        batch->is_written = true;
    else
        message_say("%s: %s", batch->path, strerror(errno));
    free(bytes);
}

static void on_block(void *context, void *tag, const struct task_report *reports, unsigned count)
{
    struct batch *batch = context;
    unsigned played = 0;

    (void)tag;
    for (unsigned i = 0; i < count; i++) {
        if (reports[i].end == TASK_PLAYED)
            played++;
        else
            message_say("match %u.%u was not played: %s", reports[i].task.block,
                        reports[i].task.rotation + 1U, reports[i].why);
    }
    if (played == count)
        write_result(batch, reports, count);
    event_base_loopbreak(batch->base);
}

static void on_trouble(void *context, const char *message)
{
    (void)context;
    message_say("%s", message);
}

static void on_signal(void *context, unsigned count)
{
    const struct batch *batch = context;

    (void)count;
    event_base_loopbreak(batch->base);
}

static unsigned fill_tasks(const struct batch *batch, uint32_t missing, struct task *tasks)
{
    struct tournament *tournament = batch->tournament;
    struct block_source source = source_of(tournament);
    unsigned count = 0;

    for (unsigned rotation = 0; rotation < 32; rotation++) {
        struct task *task = &tasks[count];

        if ((missing >> rotation & 1) == 0)
            continue;
        *task = (struct task){.block = tournament->played_block, .rotation = (uint16_t)rotation};
        source.fill_task(source.context, task->block, rotation, task);
        store_seed(tournament->store, task->block, task->seed);
        count++;
    }
    return count;
}

static void play(struct batch *batch, uint32_t missing)
{
    struct tournament *tournament = batch->tournament;
    struct task_setup setup = tournament_task_setup(tournament);
    struct block_player_observer observer = {on_block, on_trouble, batch};
    struct task tasks[BLOCK_RESULT_MATCHES_MAX];
    struct block_player *player;
    struct interrupt *interrupt;

    setup.folder = batch->folder;
    setup.store = NULL;
    setup.measures_luck = false; /* --import does */
    (void)signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    interrupt = interrupt_watch(batch->base, on_signal, batch);
    player =
        block_player_new(batch->base, &setup,
                         tournament->workers > 0 ? (unsigned)tournament->workers : 1, &observer);
    block_player_give(player, tasks, fill_tasks(batch, missing, tasks), NULL);
    event_base_dispatch(batch->base);
    block_player_free(player);
    interrupt_free(interrupt);
}

/* The folder with the logs is closed to bots from its first moment. */
static int make_folder(struct batch *batch)
{
    const struct tournament *tournament = batch->tournament;
    char name[60];
    char *open;
    int result;

    snprintf(name, sizeof name, "playing-%u-%ld", tournament->played_block, (long)getpid());
    batch->folder = directory_join(tournament->into, name);
    open = directory_join(batch->folder, "open");
    result = directory_make(tournament->into);
    if (result == 0)
        result = mkdir(batch->folder, 0700);
    if (result == 0)
        result = directory_mark(batch->folder);
    if (result == 0)
        result = mkdir(open, 0700);
    if (result != 0)
        message_say("%s: %s", batch->folder, strerror(errno));
    free(open);
    return result;
}

static int play_missing(struct batch *batch, uint32_t missing)
{
    int code = CLI_FAILED;

    if (read_key(batch) != 0)
        return CLI_USAGE;
    batch->base = event_base_new();
    if (batch->base != NULL && make_folder(batch) == 0)
        play(batch, missing);
    if (batch->base != NULL)
        event_base_free(batch->base);
    if (batch->folder != NULL)
        (void)directory_tree_remove(batch->folder);
    if (batch->is_written)
        code = CLI_FINE;
    free(batch->folder);
    return code;
}

int batch_play(struct tournament *tournament)
{
    struct batch batch = {.tournament = tournament};
    char name[40];
    struct block_source source;
    uint32_t missing;
    int code;

    snprintf(name, sizeof name, "block-%u.result", tournament->played_block);
    batch.path = directory_join(tournament->into, name);
    if (access(batch.path, F_OK) == 0) {
        message_say("%s is there already", batch.path);
        code = CLI_FINE;
    } else {
        code = tournament_prepare_block(tournament);
    }
    if (code == CLI_FINE && tournament->progression != NULL) {
        source = source_of(tournament);
        missing = missing_of(tournament, &source, tournament->played_block);
        if (missing != 0)
            code = play_missing(&batch, missing);
        else
            message_say("block %u is not to be played: `--list-blocks` lists those that are",
                        tournament->played_block);
    }
    free(batch.path);
    return code;
}

/* --import. */

struct import {
    struct batch batch; /* for the key */
    struct task_setup setup;
    struct block_source source;
    unsigned matches; /* that were added */
    unsigned known;   /* that had a result already */
    unsigned refused; /* files */
};

static void refuse(struct import *import, const char *path, const char *why)
{
    message_say("%s is not imported: %s", path, why);
    import->refused++;
}

/* Returns 0; 1 if the log is not what it should be, with a sentence; -1 if the disk failed. */
static int import_match(struct import *import, unsigned block,
                        const struct block_result_match *match, struct text *problem)
{
    struct store *store = import->batch.tournament->store;
    struct task task = {.block = block, .rotation = (uint16_t)match->rotation};
    struct task_report report;
    enum block_intake intake;

    if ((missing_of(import->batch.tournament, &import->source, block) >> match->rotation & 1) ==
        0) {
        import->known++;
        return 0;
    }
    if (match->end != TASK_PLAYED) {
        text_printf(problem, "match %u was not played", match->rotation + 1);
        return 1;
    }
    import->source.fill_task(import->source.context, block, match->rotation, &task);
    store_seed(store, block, task.seed);
    if (store_open_block(store, block) != 0)
        return -1;
    intake = block_intake_match(&import->setup, &task, match, &report, problem);
    if (intake == BLOCK_INTAKE_TAKEN) {
        store_add_result(store, &report.result, report.log_hash, report.times);
        import->matches++;
    }
    return intake == BLOCK_INTAKE_FAILED ? -1 : intake == BLOCK_INTAKE_FALSE;
}

/* Logs become public when the whole block is on disk, as in a tournament that is played here. */
static int finish_block(struct import *import, unsigned block)
{
    struct tournament *tournament = import->batch.tournament;

    if (store_write(tournament->store) != 0)
        return -1;
    if (missing_of(tournament, &import->source, block) != 0 ||
        !store_is_open(tournament->store, block))
        return 0;
    if (store_publish(tournament->store, block) != 0)
        return -1;
    import->source.on_block_decided(import->source.context, block);
    return 0;
}

static int import_result(struct import *import, const char *path, struct span bytes)
{
    static struct block_result result; /* large */
    char id[STORE_ID_HEX];
    char message[400];
    struct text problem;
    int failed = 0;

    text_start(&problem, message, sizeof message);
    store_id(import->batch.tournament->store, id);
    if (block_result_read(&result, bytes, &problem) != 0) {
        refuse(import, path, message);
        return 0;
    }
    if (strcmp(result.head.store, id) != 0) {
        refuse(import, path, "it belongs to another tournament");
        return 0;
    }
    for (unsigned i = 0; i < result.match_count && failed == 0; i++)
        failed = import_match(import, result.head.block, &result.matches[i], &problem);
    if (failed > 0)
        refuse(import, path, message);
    return failed < 0 ? -1 : finish_block(import, result.head.block);
}

static int import_file(struct import *import, const char *path)
{
    bool has_key = import->batch.tournament->key_file != NULL;
    struct file_read file;
    char *opened = NULL;
    int result = 0;

    if (file_read(&file, path, BLOCK_RESULT_BYTES_MAX) != 0) {
        refuse(import, path, strerror(errno));
        return 0;
    }
    if (has_key)
        opened = seal_open(&import->batch.key, SEAL_RESULT, (struct span){file.bytes, file.length},
                           &file.length);
    if (has_key && opened == NULL)
        refuse(import, path, "it is not sealed with this key");
    else
        result = import_result(import, path,
                               (struct span){opened != NULL ? opened : file.bytes, file.length});
    free(opened);
    free(file.bytes);
    return result;
}

/* All results in a folder, in the order of their names. */
static int import_folder(struct import *import, const char *folder)
{
    char *pattern = directory_join(folder, "*.result");
    glob_t found = {0};
    int result = 0;

    if (access(folder, R_OK | X_OK) != 0)
        refuse(import, folder, strerror(errno));
    else if (glob(pattern, 0, NULL, &found) != 0)
        message_say("%s has no results", folder);
    for (size_t i = 0; i < found.gl_pathc && result == 0; i++)
        result = import_file(import, found.gl_pathv[i]);
    globfree(&found);
    free(pattern);
    return result;
}

static void say_imported(const struct import *import)
{
    const struct progression *progression = import->batch.tournament->progression;
    unsigned long left = progression_matches(progression) - progression_decided(progression);

    message_say("%u match%s imported, %u known before, %lu left to play%s", import->matches,
                import->matches == 1 ? "" : "es", import->known, left,
                left > 0 ? ": --list-blocks lists them" : "");
}

int batch_import(struct tournament *tournament)
{
    struct import import = {.batch = {.tournament = tournament}};
    int code = read_key(&import.batch) == 0 ? tournament_prepare(tournament) : CLI_USAGE;
    int result = 0;

    if (code != CLI_FINE)
        return code;
    import.setup = tournament_task_setup(tournament);
    import.source = source_of(tournament);
    for (char **folder = tournament->imported; *folder != NULL && result == 0; folder++)
        result = import_folder(&import, *folder);
    if (result != 0)
        message_say("the store cannot be written: %s", strerror(errno));
    (void)store_seal(tournament->store);
    say_imported(&import);
    return result == 0 && import.refused == 0 ? CLI_FINE : CLI_FAILED;
}
