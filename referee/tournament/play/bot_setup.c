/* A bot with a `build` command never runs where its author keeps it: it is copied and built
 * elsewhere, so that its own files stay as they are, and the built copy is still there when the
 * tournament is resumed. Next to the copy is a file with the hash of what it was built from.
 *
 * A remote bot is played by a process of ours that gets its connection from the daemon and relays
 * what both sides say. Nothing is known about its program: it is the same as long as it has the
 * same name. */

#include "tournament/play/bot_setup.h"

#include "base/memory.h"
#include "base/directory_hash.h"
#include "tournament/play/bot_build.h"
#include "base/directory_tree.h"
#include "base/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define SENTENCE_BYTES 1500

struct bot_setups {
    const struct config *config;
    struct bot_setup *list;
    char **copies; /* the folders of bots that were built; NULL for others */
    const struct bot_setups_builds *builds;
    struct sandbox *sandbox;
    config_problem_fn *problem;
    void *context;
    unsigned problems;
};

static void add_problem(struct bot_setups *bot_setups, const struct config_bot *bot,
                        const char *why)
{
    char sentence[SENTENCE_BYTES];

    snprintf(sentence, sizeof sentence, "bot %s: %s", bot->name, why);
    bot_setups->problem(bot_setups->context, bot->line, 1, sentence);
    bot_setups->problems++;
}

/* Hashes. */

static void hash_text(crypto_hash_sha256_state *state, const char *text)
{
    crypto_hash_sha256_update(state, (const unsigned char *)text, strlen(text) + 1);
}

static void hash_end(crypto_hash_sha256_state *state, char hex[BOT_COMMAND_HASH_HEX])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_final(state, hash);
    sodium_bin2hex(hex, BOT_COMMAND_HASH_HEX, hash, sizeof hash);
}

static int hash_source(const struct config_bot *bot, char hex[BOT_COMMAND_HASH_HEX])
{
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    hash_text(&state, bot->build);
    if (directory_hash(&state, bot->folder) != 0)
        return -1;
    hash_end(&state, hex);
    return 0;
}

/* The environment of a bot is a part of what it is. */
static void add_environment(struct bot_command *command, const char *const *environment)
{
    crypto_hash_sha256_state state;

    if (environment[0] == NULL)
        return;
    crypto_hash_sha256_init(&state);
    hash_text(&state, command->hash);
    for (unsigned i = 0; environment[i] != NULL; i++)
        hash_text(&state, environment[i]);
    hash_end(&state, command->hash);
}

/* Building. */

static bool is_built(const char *hash_path, const char *hash)
{
    char found[BOT_COMMAND_HASH_HEX] = "";
    FILE *file = fopen(hash_path, "re");

    if (file == NULL)
        return false;
    if (fread(found, 1, sizeof found - 1, file) != sizeof found - 1)
        found[0] = '\0';
    fclose(file);
    return strcmp(found, hash) == 0;
}

static int write_hash(const char *hash_path, const char *hash)
{
    FILE *file = fopen(hash_path, "we");
    int result = file != NULL && fputs(hash, file) >= 0 ? 0 : -1;

    if (file != NULL && fclose(file) != 0)
        result = -1;
    return result;
}

/* Copies and builds, unless that was done before with the same files. Returns 0, or -1 after it has
 * reported why not. */
static int build_once(struct bot_setups *bot_setups, unsigned index, const char *name,
                      const char *hash)
{
    const struct config_bot *bot = &bot_setups->config->bots[index];
    size_t size = strlen(bot_setups->builds->folder) + strlen(name) + 20;
    char *hash_path = xcalloc(size, 1);
    char *copy = xcalloc(size, 1);
    char message[1200];
    struct text problem;
    int result = -1;

    snprintf(copy, size, "%s/%s", bot_setups->builds->folder, name);
    snprintf(hash_path, size, "%s/%s.hash", bot_setups->builds->folder, name);
    bot_setups->copies[index] = copy;
    text_start(&problem, message, sizeof message);
    if (is_built(hash_path, hash) && access(copy, F_OK) == 0) {
        result = 0;
    } else {
        (void)remove(hash_path);
        if (directory_tree_copy(bot->folder, copy) != 0)
            text_printf(&problem, "cannot copy its folder: %s", strerror(errno));
        else if (bot_build_run(bot, copy, bot_setups->sandbox, &problem) == 0) {
            result = write_hash(hash_path, hash);
            if (result != 0)
                text_printf(&problem, "%s: %s", hash_path, strerror(errno));
        }
    }
    if (result != 0)
        add_problem(bot_setups, bot, message);
    free(hash_path);
    return result;
}

/* In a shared folder one process builds at a time, and a built bot is named after its hash, so that
 * nobody changes a bot that another process runs. */
static int build_shared(struct bot_setups *bot_setups, unsigned index, const char *hash)
{
    char *path = directory_join(bot_setups->builds->folder, "lock");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    int result = -1;

    free(path);
    if (fd >= 0 && flock(fd, LOCK_EX) == 0)
        result = build_once(bot_setups, index, hash, hash);
    else
        add_problem(bot_setups, &bot_setups->config->bots[index], strerror(errno));
    if (fd >= 0)
        close(fd);
    return result;
}

/* Returns 0, or -1 after it has reported why not. */
static int build(struct bot_setups *bot_setups, unsigned index, char hash[BOT_COMMAND_HASH_HEX])
{
    const struct config_bot *bot = &bot_setups->config->bots[index];

    if (directory_make(bot_setups->builds->folder) != 0 || hash_source(bot, hash) != 0) {
        add_problem(bot_setups, bot, strerror(errno));
        return -1;
    }
    return bot_setups->builds->is_shared ? build_shared(bot_setups, index, hash)
                                         : build_once(bot_setups, index, bot->name, hash);
}

/* Bots. */

/* The store does not remember where the referee's program is: it may move. */
static void read_remote(struct bot_setups *bot_setups, const struct config_bot *bot,
                        struct bot_setup *bot_setup)
{
    const char *name = bot->source != NULL ? bot->source : bot->name;
    const char *arguments[] = {"bridge", bot->remote, name};
    struct bot_command *command = &bot_setup->command;
    size_t size = sizeof "referee bridge " + strlen(bot->remote) + 1 + strlen(name);
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    crypto_hash_sha256_state state;

    if (length < 0) {
        add_problem(bot_setups, bot, "cannot find the program of the referee in /proc");
        return;
    }
    program[length] = '\0';
    command->words = xcalloc(size, 1);
    snprintf(command->words, size, "referee bridge %s %s", bot->remote, name);
    command->argv = xcalloc(ARRAY_LEN(arguments) + 2, sizeof *command->argv);
    command->argv[0] = xstrdup(program);
    for (size_t i = 0; i < ARRAY_LEN(arguments); i++)
        command->argv[i + 1] = xstrdup(arguments[i]);
    snprintf(command->name, sizeof command->name, "%s", bot->name);
    crypto_hash_sha256_init(&state);
    hash_text(&state, "referee remote bot");
    hash_text(&state, name);
    hash_end(&state, command->hash);
    bot_setup->is_remote = true;
}

static void read_bot(struct bot_setups *bot_setups, unsigned index)
{
    const struct config_bot *bot = &bot_setups->config->bots[index];
    struct bot_setup *bot_setup = &bot_setups->list[index];
    bool is_hashed = bot->folder != NULL && bot->build == NULL;
    char hash[BOT_COMMAND_HASH_HEX];
    char message[1000];
    struct text problem;

    text_start(&problem, message, sizeof message);
    bot_setup->name = bot->name;
    bot_setup->environment = (const char *const *)bot->environment;
    if (bot->remote != NULL) {
        read_remote(bot_setups, bot, bot_setup);
        return;
    }
    bot_setup->folder = bot->folder != NULL ? bot->folder : bot_setups->config->folder;
    bot_setup->memory_mb = bot->memory_mb;
    if (bot->build != NULL && (bot_setups->builds == NULL || build(bot_setups, index, hash) != 0))
        return;
    if (bot->build != NULL)
        bot_setup->folder = bot_setups->copies[index];
    if (bot_command_read_in(&bot_setup->command, bot_setup->folder, is_hashed, bot->command,
                            &problem) != 0)
        add_problem(bot_setups, bot, message);
    else if (bot->build != NULL)
        memcpy(bot_setup->command.hash, hash, sizeof hash);
    add_environment(&bot_setup->command, bot_setup->environment);
}

struct bot_setups *bot_setups_new(const struct config *config,
                                  const struct bot_setups_builds *builds, struct sandbox *sandbox,
                                  config_problem_fn *problem, void *context)
{
    struct bot_setups *bot_setups = xcalloc(1, sizeof *bot_setups);

    bot_setups->config = config;
    bot_setups->builds = builds;
    bot_setups->sandbox = sandbox;
    bot_setups->problem = problem;
    bot_setups->context = context;
    bot_setups->list = xcalloc(config->bot_count, sizeof *bot_setups->list);
    bot_setups->copies = xcalloc(config->bot_count, sizeof *bot_setups->copies);
    for (unsigned i = 0; i < config->bot_count; i++)
        read_bot(bot_setups, i);
    if (bot_setups->problems == 0)
        return bot_setups;
    bot_setups_free(bot_setups);
    return NULL;
}

void bot_setups_free(struct bot_setups *bot_setups)
{
    if (bot_setups == NULL)
        return;
    for (unsigned i = 0; i < bot_setups->config->bot_count; i++) {
        bot_command_free(&bot_setups->list[i].command);
        free(bot_setups->copies[i]);
    }
    free(bot_setups->copies);
    free(bot_setups->list);
    free(bot_setups);
}

const struct bot_setup *bot_setups_list(const struct bot_setups *bot_setups)
{
    return bot_setups->list;
}
