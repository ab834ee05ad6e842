/* Where the program of each bot is: where the config says, or where it was built (built_bot.c). A
 * remote bot is played by a process of ours that gets its connection from the daemon and relays
 * what both sides say. Nothing is known about its program: it is the same as long as it has the
 * same name. */

#include "tournament/play/bot_setup.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SENTENCE_BYTES 1500

struct bot_setup_list {
    const struct config *config;
    struct bot_setup *list;
    char **refusals; /* why bots cannot be started; NULL for others */
    char **copies;   /* the folders of bots that were built; NULL for others */
    const struct built_bot_place *builds;
    struct sandbox *sandbox;
    config_problem_fn *problem;
    void *context;
    unsigned problems;
    char *trouble; /* of the machine, or NULL */
};

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

/* What cannot be read is the same as long as it is called the same. */
static void hash_missing(const char *command, char hex[BOT_COMMAND_HASH_HEX])
{
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    hash_text(&state, "referee missing bot");
    hash_text(&state, command);
    hash_end(&state, hex);
}

/* Problems. */

/* What everybody may read of a problem is its first line: the rest is the output of its build. */
void bot_setup_list_refuse(struct bot_setup_list *list, unsigned index, const char *why)
{
    struct bot_setup *bot_setup = &list->list[index];

    if (list->refusals[index] != NULL)
        return;
    list->refusals[index] = xstrndup(why, strcspn(why, "\n"));
    bot_setup->problem = list->refusals[index];
    if (bot_setup->command.text == NULL)
        bot_setup->command.text = xstrdup(list->config->bots[index].command);
    if (bot_setup->command.hash[0] == '\0')
        hash_missing(bot_setup->command.text, bot_setup->command.hash);
    list->problems++;
}

bool bot_setup_is_trouble(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN ||
           error == ENOSPC || error == EDQUOT || error == EIO || error == EINTR;
}

/* Whose problem it is, errno says: callers set it to 0 before they try something. */
static void add_problem(struct bot_setup_list *list, const struct config_bot *bot, const char *why)
{
    char sentence[SENTENCE_BYTES];

    snprintf(sentence, sizeof sentence, "bot %s: %s", bot->name, why);
    if (bot_setup_is_trouble(errno) && list->trouble == NULL)
        list->trouble = xstrdup(sentence);
    list->problem(list->context, bot->line, 1, sentence);
    bot_setup_list_refuse(list, (unsigned)(bot - list->config->bots), why);
}

/* Building. */

/* Returns 0, or -1 after it has reported why not. */
static int build(struct bot_setup_list *list, unsigned index, char hash[BOT_COMMAND_HASH_HEX])
{
    const struct config_bot *bot = &list->config->bots[index];
    char message[1200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    list->copies[index] = built_bot_make(list->builds, bot, list->sandbox, hash, &problem);
    if (list->copies[index] != NULL)
        return 0;
    memcpy(list->list[index].command.hash, hash, BOT_COMMAND_HASH_HEX);
    add_problem(list, bot, message);
    return -1;
}

/* Bots. */

/* The store does not remember where the referee's program is: it may move. */
static void read_remote(struct bot_setup_list *list, const struct config_bot *bot,
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
        add_problem(list, bot, "cannot find the program of the referee in /proc");
        return;
    }
    program[length] = '\0';
    command->text = xcalloc(size, 1);
    snprintf(command->text, size, "referee bridge %s %s", bot->remote, name);
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

static void read_bot(struct bot_setup_list *list, unsigned index)
{
    const struct config_bot *bot = &list->config->bots[index];
    struct bot_setup *bot_setup = &list->list[index];
    struct bot_command_place place = {.is_whole = bot->folder != NULL,
                                      .is_hashed = bot->build == NULL};
    char hash[BOT_COMMAND_HASH_HEX] = "";
    char message[1000];
    struct text problem;

    text_start(&problem, message, sizeof message);
    bot_setup->name = bot->name;
    bot_setup->environment = (const char *const *)bot->environment;
    if (bot->remote != NULL) {
        read_remote(list, bot, bot_setup);
        return;
    }
    bot_setup->folder = bot->folder != NULL ? bot->folder : list->config->folder;
    bot_setup->is_folder_shared = bot->folder == NULL;
    bot_setup->memory_mb = bot->memory_mb;
    if (bot->build != NULL && (list->builds == NULL || build(list, index, hash) != 0))
        return;
    if (bot->build != NULL) {
        bot_setup->folder = list->copies[index];
        bot_setup->is_built = true;
    }
    place.folder = bot_setup->folder;
    errno = 0;
    if (bot_command_read_in(&bot_setup->command, &place, bot->command, &problem) != 0)
        add_problem(list, bot, message);
    else if (bot->build != NULL)
        memcpy(bot_setup->command.hash, hash, sizeof hash);
    add_environment(&bot_setup->command, bot_setup->environment);
}

struct bot_setup_list *bot_setup_list_new(const struct config *config,
                                          const struct built_bot_place *builds,
                                          struct sandbox *sandbox, config_problem_fn *problem,
                                          void *context)
{
    struct bot_setup_list *list = xcalloc(1, sizeof *list);

    list->config = config;
    list->builds = builds;
    list->sandbox = sandbox;
    list->problem = problem;
    list->context = context;
    list->list = xcalloc(config->bot_count, sizeof *list->list);
    list->copies = xcalloc(config->bot_count, sizeof *list->copies);
    list->refusals = xcalloc(config->bot_count, sizeof *list->refusals);
    for (unsigned i = 0; i < config->bot_count; i++)
        read_bot(list, i);
    return list;
}

const char *bot_setup_list_trouble(const struct bot_setup_list *list)
{
    return list->trouble;
}

unsigned bot_setup_list_problems(const struct bot_setup_list *list)
{
    return list->problems;
}

void bot_setup_list_free(struct bot_setup_list *list)
{
    if (list == NULL)
        return;
    for (unsigned i = 0; i < list->config->bot_count; i++) {
        bot_command_free(&list->list[i].command);
        free(list->copies[i]);
        free(list->refusals[i]);
    }
    free(list->refusals);
    free(list->trouble);
    free(list->copies);
    free(list->list);
    free(list);
}

const struct bot_setup *bot_setup_list_get(const struct bot_setup_list *list)
{
    return list->list;
}
