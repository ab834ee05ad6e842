/* Submitting bots. An upload is on the disk under its final name before the ledger counts it. A
 * folder that is there already and that the ledger does not count is set aside: perhaps the daemon
 * died in between, perhaps the ledger is not the one that it was. */

#include "base/memory.h"
#include "bot/bot_command.h"
#include "bot/language.h"
#include "serve/archive/archive.h"
#include "serve/queue/queue_private.h"
#include "base/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME_MAX 64

static int check_name(const struct queue *queue, const struct caller *caller, const char *name,
                      struct request_error *error)
{
    int before = ledger_find_bot(queue->ledger, name);
    const struct ledger_bot *bot = before >= 0 ? ledger_bot(queue->ledger, (unsigned)before) : NULL;

    if (!span_is_name(span_of(name), CONFIG_NAME_MAX))
        return request_error_set(
            error, REQUEST_ERROR_VALUE,
            "the name of a bot has 1 to 32 letters, digits, `.`, `-` and `_`, the first a "
            "letter or digit");
    if (bot != NULL && bot->is_disqualified)
        return request_error_set(error, REQUEST_ERROR_FORBIDDEN, "bot %s is disqualified: %s",
                                 bot->name, bot->why);
    if (bot != NULL && strcmp(bot->name, name) != 0)
        return request_error_set(error, REQUEST_ERROR_NAME_TAKEN,
                                 "there is a bot %s, and names are compared without case",
                                 bot->name);
    if (bot != NULL && !caller->is_owner && strcmp(bot->user, caller->user) != 0)
        return request_error_set(error, REQUEST_ERROR_NAME_TAKEN, "the bot %s belongs to %s", name,
                                 bot->user);
    return 0;
}

/* The daemon's working directory is not its owner's. A program without any `/` is looked for in the
 * usual folders. */
static bool has_relative_path(const struct new_bot *new)
{
    struct span rest = span_of(new->command);
    struct span program = span_cut_word(&rest);

    if (new->folder != NULL)
        return new->folder[0] != '/';
    return program.length > 0 && program.start[0] != '/' &&
           memchr(program.start, '/', program.length) != NULL;
}

/* Whether the first word of a command, which may be quoted, is an absolute path. */
static bool is_absolute(const char *command)
{
    return command[strspn(command, " \t\n\"'\\")] == '/';
}

static int check_kind(const struct queue *queue, const struct caller *caller,
                      const struct new_bot *new, struct request_error *error)
{
    if (new->is_remote) {
        if (new->file != NULL || new->command != NULL || new->build != NULL || new->folder != NULL)
            return request_error_set(error, REQUEST_ERROR_VALUE,
                                     "a remote bot has no file, command, build or folder here");
        if (queue->setup.socket == NULL)
            return request_error_set(
                error, REQUEST_ERROR_NOT_CONNECTED,
                "remote bots are not allowed; the owner can allow them with --remote");
        return 0;
    }
    if (new->file != NULL &&new->command != NULL && is_absolute(new->command))
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "the words of an upload's command are paths inside the upload, "
                                 "or its first word is the name of a program of the system");
    if (new->file != NULL && archive_is_name(new->file) && new->command == NULL)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "an archive needs a command: how is it run when it is unpacked?");
    if (new->file != NULL)
        return new->folder == NULL &&span_is_name(span_of(new->file), FILE_NAME_MAX)
                   ? 0
                   : request_error_set(
                         error, REQUEST_ERROR_VALUE,
                         "the name of a file has 1 to 64 letters, digits, `.`, `-` and `_`, and "
                         "no folder");
    if (new->command == NULL)
        return request_error_set(error, REQUEST_ERROR_VALUE, "a bot needs a file or a command");
    if (!caller->is_owner)
        return request_error_set(error, REQUEST_ERROR_FORBIDDEN,
                                 "only the owner can name programs of this machine; send a file");
    if (has_relative_path(new))
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "paths of this machine must be absolute");
    if (new->build != NULL &&new->folder == NULL)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "a build needs a file or a folder to build in");
    return 0;
}

static int write_file(const char *path, const char *bytes, size_t length)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    size_t done = 0;
    int result = 0;

    if (fd < 0)
        return -1;
    while (done < length && result == 0) {
        ssize_t written = write(fd, bytes + done, length - done);

        if (written > 0)
            done += (size_t)written;
        else if (errno != EINTR)
            result = -1;
    }
    return close(fd) == 0 ? result : -1;
}

static int sync_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int result = fd >= 0 ? fsync(fd) : -1;

    if (fd >= 0)
        close(fd);
    return result;
}

/* The names of all folders are synced, also of those that were there: an attempt before may have
 * failed to. That of the first one does not change any more. */
static int sync_names(struct queue *queue, const char *name)
{
    char *path = directory_join(queue->folder, name);
    int result = directory_sync(path);

    for (size_t length = strlen(path); length > strlen(queue->folder) && result == 0; length--) {
        if (path[length] != '/')
            continue;
        path[length] = '\0';
        result = directory_sync(path);
    }
    if (result == 0 && !queue->is_synced) {
        result = directory_sync(queue->folder);
        queue->is_synced = result == 0;
    }
    free(path);
    return result;
}

/* A bot with a build can only be checked after it was built. No file is read to its end here: the
 * whole daemon would wait. */
static int check_command(const struct ledger_bot *bot, const char *folder,
                         struct request_error *error)
{
    struct bot_command_place place = {.folder = folder, .is_whole = folder != NULL};
    struct bot_command command;
    char message[REQUEST_ERROR_MESSAGE_MAX];
    struct text problem;
    int result;

    if (bot->command == NULL || bot->build != NULL)
        return 0;
    text_start(&problem, message, sizeof message);
    result = bot_command_read_in(&command, &place, bot->command, &problem);
    bot_command_free(&command);
    if (result != 0 &&
        (language_is_missing(bot->command) || strstr(message, "interpreter") != NULL)) {
        text_add(&problem, "; this machine has: ");
        language_add_installed(&problem);
    }
    return result == 0 ? 0 : request_error_set(error, REQUEST_ERROR_CANNOT_RUN, "%s", message);
}

/* Makes it count. Returns its version, or -1. */
static int count_bot(struct queue *queue, const struct ledger_bot *bot, struct request_error *error)
{
    const struct ledger_bot *kept = ledger_bot(queue->ledger, ledger_add_bot(queue->ledger, bot));

    if (ledger_write(queue->ledger) != 0) {
        ledger_take_back(queue->ledger);
        return queue_error_disk(error, "the ledger");
    }
    broadcast_send(queue->broadcast, &(struct feed_line){.kind = FEED_LINE_NEW_BOT,
                                                         .name = span_of(kept->name),
                                                         .version = kept->version,
                                                         .user = span_of(kept->user)});
    queue_wake(queue);
    return (int)kept->version;
}

/* Writes the file, or moves the folder of an archive to its place. */
static int put_files(const struct new_bot *new, const char *folder, const char *file)
{
    if (directory_make_unsynced(folder) != 0)
        return -1;
    return new->unpacked != NULL ? rename(new->unpacked, folder)
                                 : write_file(file, new->bytes, new->length);
}

static int take_upload(struct queue *queue, const struct new_bot *new, struct ledger_bot *bot,
                       struct request_error *error)
{
    char *folder, *file;
    int result;

    if (queue_set_aside(queue, bot->folder) != 0)
        return queue_error_disk(error, bot->folder);
    folder = directory_join(queue->folder, bot->folder);
    file = directory_join(folder, new->file);
    if (put_files(new, folder, file) != 0)
        result = queue_error_disk(error, "the file");
    else
        result = check_command(bot, folder, error);
    /* What is refused costs no sync. The files of an archive are synced already. */
    if (result == 0 &&
        ((new->unpacked == NULL &&sync_file(file) != 0) || sync_names(queue, bot->folder) != 0))
        result = queue_error_disk(error, "the file");
    if (result == 0)
        result = count_bot(queue, bot, error);
    if (result < 0)
        queue_discard(queue, folder);
    free(file);
    free(folder);
    return result;
}

int queue_check_bot(const struct queue *queue, const struct caller *caller,
                    const struct new_bot *new, struct request_error *error)
{
    if (queue_error_if_ending(queue, error) != 0 ||
        check_name(queue, caller, new->name, error) != 0 ||
        check_kind(queue, caller, new, error) != 0)
        return -1;
    return caps_check_bot(queue, caller, new, error);
}

int queue_submit_bot(struct queue *queue, const struct caller *caller, const struct new_bot *new,
                     struct request_error *error)
{
    int before = ledger_find_bot(queue->ledger, new->name);
    unsigned version = before >= 0 ? ledger_bot(queue->ledger, (unsigned)before)->version + 1 : 1;
    char folder[CONFIG_NAME_MAX + 24];
    char run_file[FILE_NAME_MAX + 4];
    struct ledger_bot bot = {
        .user = caller->user,
        .command = (char *)new->command,
        .build = (char *)new->build,
        .folder = (char *)new->folder,
        .memory_mb = caps_memory(queue, caller, new->memory_mb),
        .is_upload = new->file != NULL,
        .bytes = (int64_t) new->length,
    };

    if (queue_check_bot(queue, caller, new, error) != 0)
        return -1;
    memcpy(bot.name, new->name, strlen(new->name));
    if (new->file == NULL)
        return check_command(&bot, new->folder, error) == 0 ? count_bot(queue, &bot, error) : -1;
    snprintf(folder, sizeof folder, "bots/%s/%u", new->name, version);
    snprintf(run_file, sizeof run_file, "./%s", new->file);
    bot.folder = folder;
    if (bot.command == NULL)
        bot.command = run_file;
    return take_upload(queue, new, &bot, error);
}
