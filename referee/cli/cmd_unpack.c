/* `referee unpack` is started by the daemon for an archive that a user has sent. It reads the
 * archive into memory, gives up all rights but to write into one folder, and unpacks it there. The
 * last line on stdout is `ok BYTES`, or `bad` and a sentence for the user. */

#include "base/directory.h"
#include "base/file_read.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "sandbox/confine.h"
#include "serve/archive/archive.h"
#include "wire/request.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES "files"
#define BLOCK_BYTES ((size_t)4096) /* that a disk gives to whatever is not empty */

struct unpacking {
    int place;  /* where all is done */
    int folder; /* FILES in it */
    size_t bytes;
    unsigned entries; /* that were made, with folders that no entry of the archive names */
};

static const struct option_row rows[] = {{.name = NULL}};

static const struct options options = {
    .command = "unpack",
    .usage = "ARCHIVE FOLDER",
    .purpose = "Unpacks a zip, tar or tar.gz into FOLDER/files, for the daemon.\n",
    .examples = "  referee unpack bot.zip store/unpacking/1\n",
    .rows = rows,
    .takes = "an ARCHIVE and a FOLDER",
    .least = 2,
    .most = 2,
};

/* Counts what was made: one short path in an archive may stand for many folders. Returns 0, or -1
 * with E2BIG. */
static int count_entry(struct unpacking *unpacking, size_t bytes)
{
    unpacking->bytes += (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    if (++unpacking->entries <= ARCHIVE_ENTRIES_MAX)
        return 0;
    errno = E2BIG;
    return -1;
}

/* Makes the folders of a path; the last part too if it is one itself. All of them are ours, so none
 * is a link. */
static int make_folders(struct unpacking *unpacking, const char *path, bool is_folder)
{
    int folder = unpacking->folder;
    char part[ARCHIVE_PATH_MAX + 1];

    for (size_t length = strcspn(path, "/");; length += 1 + strcspn(path + length + 1, "/")) {
        struct stat status;

        if (path[length] == '\0' && !is_folder)
            return 0;
        memcpy(part, path, length);
        part[length] = '\0';
        if (mkdirat(folder, part, 0755) == 0 ? count_entry(unpacking, BLOCK_BYTES) != 0
                                             : errno != EEXIST)
            return -1;
        if (fstatat(folder, part, &status, AT_SYMLINK_NOFOLLOW) != 0)
            return -1;
        if (!S_ISDIR(status.st_mode)) {
            errno = ENOTDIR;
            return -1;
        }
        if (path[length] == '\0')
            return 0;
    }
}

static int take_folder(void *context, const char *path)
{
    return make_folders(context, path, true);
}

/* Like a single upload, each file can be executed. */
static int take_file(void *context, const char *path, struct span bytes)
{
    struct unpacking *unpacking = context;
    int fd = make_folders(unpacking, path, false) == 0
                 ? openat(unpacking->folder, path,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755)
                 : -1;
    size_t done = 0;

    if (fd < 0)
        return -1;
    while (done < bytes.length) {
        ssize_t count = write(fd, bytes.start + done, bytes.length - done);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            (void)close(fd);
            return -1;
        }
        done += (size_t)count;
    }
    if (close(fd) != 0)
        return -1;
    return count_entry(unpacking, bytes.length);
}

/* The only thing in a folder, if that is a folder itself; "" otherwise. */
static void find_only_folder(int folder, char name[256])
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    struct stat status;
    unsigned count = 0;

    name[0] = '\0';
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, 256, "%s", entry->d_name);
        count++;
    }
    if (count != 1 || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISDIR(status.st_mode))
        name[0] = '\0';
    if (entries != NULL)
        closedir(entries);
    else if (fd >= 0)
        close(fd);
}

/* Many archives have one folder with everything in it: then that is what was meant. */
static int lift_only_folder(const struct unpacking *unpacking)
{
    char name[256];

    find_only_folder(unpacking->folder, name);
    if (name[0] == '\0')
        return 0;
    return renameat(unpacking->folder, name, unpacking->place, "lifted") == 0 &&
                   unlinkat(unpacking->place, FILES, AT_REMOVEDIR) == 0 &&
                   renameat(unpacking->place, "lifted", unpacking->place, FILES) == 0
               ? 0
               : -1;
}

static int finish(const struct unpacking *unpacking)
{
    if (lift_only_folder(unpacking) != 0 || syncfs(unpacking->place) != 0) {
        message_say("cannot write: %s", strerror(errno));
        return CLI_FAILED;
    }
    printf("ok %zu\n", unpacking->bytes);
    return CLI_FINE;
}

static int unpack(struct span archive, int place)
{
    struct unpacking unpacking = {.place = place};
    struct archive_taker taker = {take_folder, take_file, &unpacking};
    char sentence[600];
    struct text problem;

    unpacking.folder = mkdirat(place, FILES, 0755) == 0
                           ? openat(place, FILES, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                           : -1;
    if (unpacking.folder < 0) {
        message_say("cannot make a folder: %s", strerror(errno));
        return CLI_FAILED;
    }
    text_start(&problem, sentence, sizeof sentence);
    if (archive_read(archive, &taker, &problem) == 0)
        return finish(&unpacking);
    printf("bad %s\n", sentence);
    return CLI_FINE;
}

int cli_unpack(int argc, char **argv)
{
    static const struct confine_limits limits = {.memory_mb = 512, .cpu_s = 20, .file_mb = 64};
    char sentence[300];
    struct text problem;
    struct file_read archive;
    int folder, code;

    if (options_read(&options, argc, argv, NULL, &code) < 0)
        return code;
    if (file_read(&archive, argv[1], REQUEST_UPLOAD_MAX) != 0) {
        message_say("%s: %s", argv[1], strerror(errno));
        return CLI_FAILED;
    }
    folder = directory_make(argv[2]) == 0
                 ? open(argv[2], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                 : -1;
    text_start(&problem, sentence, sizeof sentence);
    if (folder < 0)
        text_printf(&problem, "%s: %s", argv[2], strerror(errno));
    if (folder >= 0 && confine_self(argv[2], &limits, &problem) == 0) {
        code = unpack((struct span){archive.bytes, archive.length}, folder);
    } else {
        message_say("%s", sentence);
        code = CLI_FAILED;
    }
    free(archive.bytes);
    return code;
}
