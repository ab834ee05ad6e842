/* A bot with a `build` command never runs where its author keeps it: it is copied and built
 * elsewhere, so that its own files stay what they were, and what was built is there again when the
 * tournament goes on. Beside the copy lies the hash of what it was made of.
 *
 * A remote bot is played by a process of ours that fetches its connection from the daemon and passes on
 * what both say. Nothing is known of its program: it is the same as long as it has the same name. */

#include "tournament/entrants.h"

#include "base/memory.h"
#include "bot/folder_hash.h"
#include "tournament/build.h"
#include "tournament/copy.h"
#include "tournament/folder.h"

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

struct entrants {
    const struct plan *plan;
    struct entrant *list;
    char **copies; /* the folders of those that were built; else NULL */
    const struct entrants_builds *builds;
    struct contain *contain;
    plan_problem_fn *problem;
    void *context;
    unsigned problems;
};

static void complain(struct entrants *entrants, const struct plan_bot *bot, const char *why)
{
    char sentence[SENTENCE_BYTES];

    snprintf(sentence, sizeof sentence, "bot %s: %s", bot->name, why);
    entrants->problem(entrants->context, bot->line, 1, sentence);
    entrants->problems++;
}

/* Building. */

static int hash_folder(const char *folder, const char *build, char hex[COMMAND_HASH_HEX])
{
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)build, strlen(build) + 1);
    if (folder_hash(&state, folder) != 0)
        return -1;
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(hex, COMMAND_HASH_HEX, hash, sizeof hash);
    return 0;
}

static bool is_built(const char *note, const char *hash)
{
    char found[COMMAND_HASH_HEX] = "";
    FILE *file = fopen(note, "re");

    if (file == NULL)
        return false;
    if (fread(found, 1, sizeof found - 1, file) != sizeof found - 1)
        found[0] = '\0';
    fclose(file);
    return strcmp(found, hash) == 0;
}

static int write_note(const char *note, const char *hash)
{
    FILE *file = fopen(note, "we");
    int result = file != NULL && fputs(hash, file) >= 0 ? 0 : -1;

    if (file != NULL && fclose(file) != 0)
        result = -1;
    return result;
}

static int build(struct entrants *entrants, unsigned index, const char *note, const char *hash)
{
    const struct plan_bot *bot = &entrants->plan->bots[index];
    char words[1200];
    struct text problem;

    text_start(&problem, words, sizeof words);
    (void)remove(note);
    if (copy_folder(bot->folder, entrants->copies[index]) != 0) {
        snprintf(words, sizeof words, "its folder cannot be copied: %s", strerror(errno));
    } else if (build_run(bot, entrants->copies[index], entrants->contain, &problem) == 0) {
        if (write_note(note, hash) == 0)
            return 0;
        snprintf(words, sizeof words, "%s: %s", note, strerror(errno));
    }
    complain(entrants, bot, words);
    return -1;
}

/* Copies and builds, unless that was done before. */
static int build_once(struct entrants *entrants, unsigned index, const char *name, const char *hash)
{
    size_t size = strlen(entrants->builds->folder) + strlen(name) + 20;
    char *note = xcalloc(size, 1);
    char *copy = xcalloc(size, 1);
    int result = 0;

    snprintf(copy, size, "%s/%s", entrants->builds->folder, name);
    snprintf(note, size, "%s/%s.hash", entrants->builds->folder, name);
    entrants->copies[index] = copy;
    if (!is_built(note, hash) || access(copy, F_OK) != 0)
        result = build(entrants, index, note, hash);
    free(note);
    return result;
}

/* Where others build too, one builds at a time, and what is built is called by what it was made of: so
 * nobody changes what another one runs. */
static int build_shared(struct entrants *entrants, unsigned index, const char *hash)
{
    char *path = folder_join(entrants->builds->folder, "lock");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    int result = -1;

    free(path);
    if (fd >= 0 && flock(fd, LOCK_EX) == 0)
        result = build_once(entrants, index, hash, hash);
    else
        complain(entrants, &entrants->plan->bots[index], strerror(errno));
    if (fd >= 0)
        close(fd);
    return result;
}

/* Returns 0, or -1 after it has said why not. */
static int prepare(struct entrants *entrants, unsigned index, char hash[COMMAND_HASH_HEX])
{
    const struct plan_bot *bot = &entrants->plan->bots[index];

    if (folder_make(entrants->builds->folder) != 0 ||
        hash_folder(bot->folder, bot->build, hash) != 0) {
        complain(entrants, bot, strerror(errno));
        return -1;
    }
    return entrants->builds->is_shared ? build_shared(entrants, index, hash)
                                       : build_once(entrants, index, bot->name, hash);
}

/* What a bot finds in its environment is a part of what it is. */
static void add_environment(struct command *command, const char *const *environment)
{
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];

    if (environment[0] == NULL)
        return;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)command->hash, strlen(command->hash));
    for (unsigned i = 0; environment[i] != NULL; i++)
        crypto_hash_sha256_update(&state, (const unsigned char *)environment[i],
                                  strlen(environment[i]) + 1);
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(command->hash, sizeof command->hash, hash, sizeof hash);
}

static void hash_name(const char *name, char hex[COMMAND_HASH_HEX])
{
    static const char label[] = "referee remote bot";
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)label, sizeof label);
    crypto_hash_sha256_update(&state, (const unsigned char *)name, strlen(name));
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(hex, COMMAND_HASH_HEX, hash, sizeof hash);
}

/* Where the program lies that runs is no part of what the store keeps of the bot: it may move. */
static void read_remote(struct entrants *entrants, const struct plan_bot *bot,
                        struct entrant *entrant)
{
    const char *name = bot->source != NULL ? bot->source : bot->name;
    const char *words[] = {"bridge", bot->remote, name};
    struct command *command = &entrant->command;
    size_t size = sizeof "referee bridge " + strlen(bot->remote) + 1 + strlen(name);
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    if (length < 0) {
        complain(entrants, bot, "the program of the referee is not to be found in /proc");
        return;
    }
    program[length] = '\0';
    command->words = xcalloc(size, 1);
    snprintf(command->words, size, "referee bridge %s %s", bot->remote, name);
    command->argv = xcalloc(ARRAY_LEN(words) + 2, sizeof *command->argv);
    command->argv[0] = xstrdup(program);
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        command->argv[i + 1] = xstrdup(words[i]);
    snprintf(command->name, sizeof command->name, "%s", bot->name);
    hash_name(name, command->hash);
    entrant->is_remote = true;
}

static void read_bot(struct entrants *entrants, unsigned index)
{
    const struct plan_bot *bot = &entrants->plan->bots[index];
    struct entrant *entrant = &entrants->list[index];
    bool is_hashed = bot->folder != NULL && bot->build == NULL;
    char hash[COMMAND_HASH_HEX];
    char words[1000];
    struct text problem;

    text_start(&problem, words, sizeof words);
    entrant->name = bot->name;
    entrant->environment = (const char *const *)bot->environment;
    if (bot->remote != NULL) {
        read_remote(entrants, bot, entrant);
        return;
    }
    entrant->folder = bot->folder != NULL ? bot->folder : entrants->plan->folder;
    entrant->memory_mb = bot->memory_mb;
    if (bot->build != NULL && (entrants->builds == NULL || prepare(entrants, index, hash) != 0))
        return;
    if (bot->build != NULL)
        entrant->folder = entrants->copies[index];
    if (command_read_in(&entrant->command, entrant->folder, is_hashed, bot->command, &problem) != 0)
        complain(entrants, bot, words);
    else if (bot->build != NULL)
        memcpy(entrant->command.hash, hash, sizeof hash);
    add_environment(&entrant->command, entrant->environment);
}

struct entrants *entrants_new(const struct plan *plan, const struct entrants_builds *builds,
                              struct contain *contain, plan_problem_fn *problem, void *context)
{
    struct entrants *entrants = xcalloc(1, sizeof *entrants);

    entrants->plan = plan;
    entrants->builds = builds;
    entrants->contain = contain;
    entrants->problem = problem;
    entrants->context = context;
    entrants->list = xcalloc(plan->bot_count, sizeof *entrants->list);
    entrants->copies = xcalloc(plan->bot_count, sizeof *entrants->copies);
    for (unsigned i = 0; i < plan->bot_count; i++)
        read_bot(entrants, i);
    if (entrants->problems == 0)
        return entrants;
    entrants_free(entrants);
    return NULL;
}

void entrants_free(struct entrants *entrants)
{
    if (entrants == NULL)
        return;
    for (unsigned i = 0; i < entrants->plan->bot_count; i++) {
        command_free(&entrants->list[i].command);
        free(entrants->copies[i]);
    }
    free(entrants->copies);
    free(entrants->list);
    free(entrants);
}

const struct entrant *entrants_list(const struct entrants *entrants)
{
    return entrants->list;
}
