/* A config is what a tournament file says, with defaults for what it leaves out. It owns its texts
 * and shares nothing. */

#include "tournament/config/config.h"

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_bot(struct config_bot *bot)
{
    for (char **variable = bot->environment; variable != NULL && *variable != NULL; variable++)
        free(*variable);
    free((void *)bot->environment);
    free(bot->source);
    free(bot->command);
    free(bot->remote);
    free(bot->folder);
    free(bot->build);
}

void config_free(struct config *config)
{
    if (config == NULL)
        return;
    for (unsigned i = 0; i < config->bot_count; i++)
        free_bot(&config->bots[i]);
    free(config->bots);
    free(config->name);
    free(config->folder);
    free(config->output);
    free(config->sandbox);
    free(config);
}

/* At most one byte more than a file may have, so that its reader sees that it is too large. */
char *config_load_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    char *bytes;

    if (file == NULL)
        return NULL;
    bytes = xcalloc(CONFIG_FILE_MAX + 1, 1);
    *length = fread(bytes, 1, CONFIG_FILE_MAX + 1, file);
    if (ferror(file)) {
        int why = errno;

        free(bytes);
        bytes = NULL;
        errno = why;
    }
    fclose(file);
    return bytes;
}

struct config *config_load(const char *path, config_problem_fn *problem, void *context)
{
    char sentence[200];
    size_t length = 0;
    char *bytes = config_load_bytes(path, &length);
    struct config_reader reader = {.source = {bytes, length}, .opens_files = true};
    struct config *config;

    if (bytes == NULL) {
        snprintf(sentence, sizeof sentence, "cannot read it: %s", strerror(errno));
        problem(context, 0, 0, sentence);
        return NULL;
    }
    config = config_read_file(&reader, path, problem, context);
    free(bytes);
    return config;
}

void config_write_key(struct text *text, const char *path, const struct config_key *key)
{
    char name[40];
    struct text name_text;

    text_start(&name_text, name, sizeof name);
    config_write_path(&name_text, path, key->name);
    text_printf(text, "  %-19s %s\n%22s", name, key->meaning, "");
    config_write_takes(text, key);
    text_add(text, "; ");
    config_write_default(text, key);
    text_add_char(text, '\n');
}

void config_write_keys(struct text *text)
{
    for (size_t i = 0; i < CONFIG_KEY_COUNT; i++) {
        config_write_key(text, "", &config_keys[i]);
        for (size_t j = 0; i == CONFIG_BOTS && j < CONFIG_BOT_KEYS; j++)
            config_write_key(text, "bots[]", &config_bot_keys[j]);
    }
}
