/* The first line is JSON: the head, and for each match its end and the lengths of its files. The
 * files follow in that order. Nothing in it is a path: whoever reads it decides where files go. */

#include "tournament/distribute/block_result.h"

#include "base/directory_tree.h"
#include "base/file_read.h"
#include "base/memory.h"
#include "match/log_file.h"
#include "wire/json_record.h"
#include "wire/json_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 1
#define FILE_MAX ((size_t)64 << 20)

static const char *const ends[] = {
    [TASK_PLAYED] = "played", [TASK_VOID] = "void", [TASK_RETURNED] = "returned"};

/* The files of one match. */
struct match_files {
    struct file_read log;
    struct file_read stderrs[ALLEGRA_SEATS_MAX];
};

static void read_files(struct match_files *files, const char *folder, struct task_report *report)
{
    const struct task *task = &report->task;
    char *path = store_open_path_in(folder, task->block, task->rotation);

    memset(files, 0, sizeof *files);
    if (report->end == TASK_PLAYED && file_read(&files->log, path, FILE_MAX) != 0) {
        report->end = TASK_VOID;
        snprintf(report->why, sizeof report->why, "its log cannot be read: %s", strerror(errno));
    }
    for (unsigned seat = 0; seat < task->seats && report->end == TASK_PLAYED; seat++) {
        char ending[20];
        char *name;

        snprintf(ending, sizeof ending, ".stderr.%u", seat);
        name = log_file_next_to(path, ending);
        (void)file_read(&files->stderrs[seat], name, FILE_MAX);
        free(name);
    }
    free(path);
}

static void put_match(struct json_writer *json, const struct match_files *files,
                      const struct task_report *report)
{
    json_open_map(json);
    json_put_number(json, "rotation", report->task.rotation);
    json_put_text(json, "end", ends[report->end]);
    if (report->end == TASK_PLAYED) {
        json_put_number(json, "log", (long long)files->log.length);
        json_key(json, "stderr");
        json_open_list(json);
        for (unsigned seat = 0; seat < report->task.seats; seat++)
            json_number(json, (long long)files->stderrs[seat].length);
        json_close_list(json);
    } else {
        json_put_text(json, "why", report->why);
    }
    json_close_map(json);
}

static void append(char **bytes, size_t *length, const char *more, size_t count)
{
    *bytes = xrealloc(*bytes, *length + count + 1);
    if (count > 0)
        memcpy(*bytes + *length, more, count);
    *length += count;
}

static void append_files(char **bytes, size_t *length, struct match_files *files)
{
    append(bytes, length, files->log.bytes, files->log.length);
    free(files->log.bytes);
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        append(bytes, length, files->stderrs[seat].bytes, files->stderrs[seat].length);
        free(files->stderrs[seat].bytes);
    }
}

char *block_result_write(const struct block_result_head *head, const char *folder,
                         const struct task_report *reports, unsigned count, size_t *length)
{
    struct json_writer *json = json_writer_new(false);
    struct match_files files[BLOCK_RESULT_MATCHES_MAX];
    char *bytes = NULL;
    size_t line;
    const char *text;

    json_open_map(json);
    json_put_number(json, "v", VERSION);
    json_put_text(json, "store", head->store);
    json_put_number(json, "block", head->block);
    json_put_text(json, "task", head->task);
    json_put_text(json, "worker", head->worker);
    json_key(json, "matches");
    json_open_list(json);
    for (unsigned i = 0; i < count; i++) {
        struct task_report report = reports[i];

        read_files(&files[i], folder, &report);
        put_match(json, &files[i], &report);
    }
    json_close_list(json);
    json_close_map(json);
    text = json_writer_bytes(json, &line);
    *length = 0;
    append(&bytes, length, text, line);
    append(&bytes, length, "\n", 1);
    for (unsigned i = 0; i < count; i++)
        append_files(&bytes, length, &files[i]);
    json_writer_free(json);
    return bytes;
}

/* Reading. */

/* Cuts the next file off. Returns false if there is not so much left. */
static bool cut(struct span *rest, long long length, struct span *file)
{
    if (length < 0 || (size_t)length > rest->length)
        return false;
    *file = (struct span){rest->start, (size_t)length};
    rest->start += length;
    rest->length -= (size_t)length;
    return true;
}

static int read_end(const char *text)
{
    for (int i = 0; i < (int)ARRAY_LEN(ends); i++) {
        if (strcmp(text, ends[i]) == 0)
            return i;
    }
    return -1;
}

static bool read_match(struct block_result_match *match, const struct json_node *node,
                       struct span *rest)
{
    const struct json_node *list = json_member(node, "stderr");
    int end = read_end(json_member_text(node, "end", ""));
    long long rotation = json_member_number(node, "rotation", -1);
    unsigned seat = 0;

    if (end < 0 || rotation < 0 || rotation >= BLOCK_RESULT_MATCHES_MAX)
        return false;
    match->end = (enum task_end)end;
    match->rotation = (unsigned)rotation;
    snprintf(match->why, sizeof match->why, "%s", json_member_text(node, "why", ""));
    if (match->end != TASK_PLAYED)
        return true;
    if (!cut(rest, json_member_number(node, "log", -1), &match->log))
        return false;
    for (const struct json_node *item = json_first(list); item != NULL;
         item = json_next(list, item)) {
        if (seat == ALLEGRA_SEATS_MAX || item->kind != JSON_NUMBER ||
            !cut(rest, item->number, &match->stderrs[seat++]))
            return false;
    }
    return true;
}

static bool read_matches(struct block_result *result, const struct json_node *list,
                         struct span *rest)
{
    uint32_t seen = 0;

    for (const struct json_node *item = json_first(list); item != NULL;
         item = json_next(list, item)) {
        struct block_result_match *match = &result->matches[result->match_count];

        if (result->match_count == BLOCK_RESULT_MATCHES_MAX || !read_match(match, item, rest) ||
            (seen >> match->rotation & 1) != 0)
            return false;
        seen |= UINT32_C(1) << match->rotation;
        result->match_count++;
    }
    return rest->length == 0;
}

static bool read_head(struct block_result_head *head, const struct json_node *root)
{
    long long block = json_member_number(root, "block", 0);

    if (json_member_number(root, "v", 0) != VERSION || block < 1 || block > SCHEDULE_BLOCKS_MAX)
        return false;
    head->block = (unsigned)block;
    snprintf(head->store, sizeof head->store, "%s", json_member_text(root, "store", ""));
    snprintf(head->task, sizeof head->task, "%s", json_member_text(root, "task", ""));
    snprintf(head->worker, sizeof head->worker, "%s", json_member_text(root, "worker", ""));
    return true;
}

int block_result_read(struct block_result *result, struct span bytes, struct text *problem)
{
    const char *end = memchr(bytes.start, '\n', bytes.length);
    struct json_document *document = json_document_new();
    size_t line = end != NULL ? (size_t)(end - bytes.start) : 0;
    struct span rest = {bytes.start + line + 1, bytes.length - line - 1};
    char why[200];
    struct text unused;
    const struct json_node *root;
    int found = -1;

    memset(result, 0, sizeof *result);
    text_start(&unused, why, sizeof why);
    root = end != NULL ? json_read(document, bytes.start, line, &unused) : NULL;
    if (root != NULL && read_head(&result->head, root) &&
        read_matches(result, json_member(root, "matches"), &rest))
        found = 0;
    else
        text_add(problem, "it is not the result of a block, or is damaged");
    json_document_free(document);
    return found;
}

void block_result_remove(const char *folder, unsigned block)
{
    char *path = store_open_path_in(folder, block, 0);

    *strrchr(path, '/') = '\0';
    (void)directory_tree_remove(path);
    free(path);
}
