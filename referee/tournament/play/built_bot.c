/* A bot with a `build` command never runs where its author keeps it: it is copied and built
 * elsewhere, so that its own files stay as they are, and the built copy is still there when the
 * tournament is resumed. Next to the copy is a file with the hash of what it was built from, or one
 * with why it could not be built.
 *
 * In a shared folder a built bot is named after its hash, so that nobody changes a bot that another
 * process runs, and one process builds it while others that want the same bot wait. Builds of other
 * bots do not wait. */

#include "tournament/play/built_bot.h"

#include "base/directory.h"
#include "base/directory_hash.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "tournament/play/bot_build.h"
#include "tournament/play/bot_setup.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define MESSAGE_BYTES 1200

enum part { BUILT, HASH, FAILURE, OUTPUT, LOCK };

const char *const built_bot_endings[BUILT_BOT_ENDINGS] = {
    [BUILT] = "", [HASH] = ".hash", [FAILURE] = ".failed", [OUTPUT] = ".output", [LOCK] = ".lock"};

static char *path_of(const struct built_bot_place *place, const char *name, enum part part)
{
    size_t size = strlen(place->folder) + strlen(name) + strlen(built_bot_endings[part]) + 2;
    char *path = xcalloc(size, 1);

    snprintf(path, size, "%s/%s%s", place->folder, name, built_bot_endings[part]);
    return path;
}

char *built_bot_output(const struct built_bot_place *place, const char *name)
{
    return path_of(place, name, OUTPUT);
}

char *built_bot_folder(const struct built_bot_place *place, const char *name)
{
    return path_of(place, name, BUILT);
}

int built_bot_hash(const struct config_bot *bot, char hex[BOT_COMMAND_HASH_HEX])
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)bot->build, strlen(bot->build) + 1);
    if (directory_hash(&state, bot->folder) != 0)
        return -1;
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(hex, BOT_COMMAND_HASH_HEX, hash, sizeof hash);
    return 0;
}

/* Small files next to the copy. */

/* Returns its length, 0 if there is none. */
static size_t read_small(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t length = file != NULL ? fread(bytes, 1, size - 1, file) : 0;

    bytes[length] = '\0';
    if (file != NULL)
        (void)fclose(file);
    return length;
}

static int write_small(const char *path, const char *bytes)
{
    FILE *file = fopen(path, "we");
    int result = file != NULL && fputs(bytes, file) >= 0 ? 0 : -1;

    if (file != NULL && fclose(file) != 0)
        result = -1;
    return result;
}

/* One build. */

struct build {
    const struct built_bot_place *place;
    const struct config_bot *bot;
    struct sandbox *sandbox;
    const char *hash;
    char *copy, *hash_path, *failure_path, *output_path;
};

static bool is_built(const struct build *build)
{
    char found[BOT_COMMAND_HASH_HEX];

    return read_small(build->hash_path, found, sizeof found) > 0 &&
           strcmp(found, build->hash) == 0 && access(build->copy, F_OK) == 0;
}

static bool has_failed(const struct build *build, struct text *problem)
{
    char why[MESSAGE_BYTES];

    if (!build->place->is_shared || build->place->keeps_failures ||
        read_small(build->failure_path, why, sizeof why) == 0)
        return false;
    text_add(problem, why);
    errno = 0;
    return true;
}

/* In a shared folder only the reason stays, unless it may be the machine's fault. */
static void keep_failure(const struct build *build, const char *why)
{
    int error = errno;

    if (!build->place->is_shared)
        return;
    (void)directory_tree_remove(build->copy);
    if (build->place->keeps_failures && !bot_setup_is_trouble(error))
        (void)write_small(build->failure_path, why);
    errno = error;
}

static int run(const struct build *build, struct text *problem)
{
    struct bot_build_limits limits = {build->place->limit_s, build->place->memory_mb,
                                      build->place->most_kb, build->output_path};
    char why[MESSAGE_BYTES];
    struct text text;

    (void)remove(build->hash_path);
    (void)remove(build->failure_path);
    text_start(&text, why, sizeof why);
    errno = 0;
    if (bot_build_run(build->bot, build->copy, &limits, build->sandbox, &text) != 0) {
        keep_failure(build, why);
        text_add(problem, why);
        return -1;
    }
    if (write_small(build->hash_path, build->hash) == 0)
        return 0;
    text_printf(problem, "%s: %s", build->hash_path, strerror(errno));
    return -1;
}

/* Returns the folder, or NULL. */
static char *make(const struct built_bot_place *place, const struct config_bot *bot,
                  struct sandbox *sandbox, const char *hash, struct text *problem)
{
    const char *name = place->is_shared ? hash : bot->name;
    struct build build = {
        .place = place,
        .bot = bot,
        .sandbox = sandbox,
        .hash = hash,
        .copy = path_of(place, name, BUILT),
        .hash_path = path_of(place, name, HASH),
        .failure_path = path_of(place, name, FAILURE),
        .output_path = path_of(place, name, OUTPUT),
    };
    bool is_good = is_built(&build) || (!has_failed(&build, problem) && run(&build, problem) == 0);

    free(build.output_path);
    free(build.failure_path);
    free(build.hash_path);
    if (is_good)
        return build.copy;
    free(build.copy);
    return NULL;
}

static char *make_shared(const struct built_bot_place *place, const struct config_bot *bot,
                         struct sandbox *sandbox, const char *hash, struct text *problem)
{
    char *path = path_of(place, hash, LOCK);
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    char *folder = NULL;
    int error;

    free(path);
    if (fd >= 0 && flock(fd, LOCK_EX) == 0)
        folder = make(place, bot, sandbox, hash, problem);
    else
        text_add(problem, strerror(errno));
    error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return folder;
}

char *built_bot_make(const struct built_bot_place *place, const struct config_bot *bot,
                     struct sandbox *sandbox, char hash[BOT_COMMAND_HASH_HEX], struct text *problem)
{
    errno = 0;
    if (directory_make(place->folder) != 0 || built_bot_hash(bot, hash) != 0) {
        text_add(problem, strerror(errno));
        return NULL;
    }
    return place->is_shared ? make_shared(place, bot, sandbox, hash, problem)
                            : make(place, bot, sandbox, hash, problem);
}
