/* A bot with a folder travels with that folder; one without, with the folder of each argument that
 * is a file, or only the file if the folder holds too much: what the sandbox gives it at home
 * (sandbox/program_files.c). Paths are written as they are in the parcel, so that no worker learns
 * how this machine is arranged. */

#include "tournament/distribute/travel.h"

#include "base/memory.h"
#include "game/rules.h"
#include "match/log_zstd.h"
#include "sandbox/landlock.h"
#include "tournament/distribute/parcel.h"
#include "wire/json_write.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_MAX 16

struct thing {
    char hash[SEAL_HASH_HEX];
    char *packed;
    size_t length;
    struct thing *next;
};

struct travel {
    struct thing *things;
    char hash[SEAL_HASH_HEX];
};

/* A bot that is being packed. */
struct packer {
    const struct bot_setup *bot;
    const struct config_bot *source;
    struct parcel parcel;
    char *own[OWN_MAX]; /* folders or files that are in it, without links */
    unsigned own_count;
};

static void keep(struct travel *travel, const char *hash, const char *bytes, size_t length)
{
    struct thing *thing;
    size_t found;

    if (travel_find(travel, hash, &found) != NULL)
        return;
    thing = xcalloc(1, sizeof *thing);
    memcpy(thing->hash, hash, sizeof thing->hash);
    thing->packed = log_zstd_pack(bytes, length, &thing->length);
    thing->next = travel->things;
    travel->things = thing;
}

/* Adds "N/..." for a path of the bot's own; false if it is not one. */
static bool write_own(const struct packer *packer, const char *real, char *name, size_t size)
{
    for (unsigned i = 0; i < packer->own_count; i++) {
        const char *rest = real + strlen(packer->own[i]);

        if (!landlock_is_below(real, packer->own[i]))
            continue;
        if (packer->source->folder != NULL)
            snprintf(name, size, "%s", *rest == '/' ? rest + 1 : ".");
        else if (*rest == '/')
            snprintf(name, size, "%u%s", i, rest);
        else
            snprintf(name, size, "%u/%s", i, strrchr(real, '/') + 1);
        return true;
    }
    return false;
}

/* Packs the folder that a file is in, or the file alone. A folder that was named comes as a whole.
 * Returns 0, or -1 with errno. */
static int pack_near(struct packer *packer, const char *real)
{
    size_t length = packer->parcel.length;
    unsigned entries = packer->parcel.entries;
    unsigned number = packer->own_count;
    char *folder = xstrdup(real);
    char name[PATH_MAX];
    struct stat status;
    int result = -1;

    if (number == OWN_MAX || stat(real, &status) != 0) {
        free(folder);
        errno = E2BIG;
        return -1;
    }
    if (!S_ISDIR(status.st_mode) && strrchr(folder, '/') != folder)
        *strrchr(folder, '/') = '\0';
    snprintf(name, sizeof name, "%u", number);
    errno = EFBIG;
    if (!landlock_is_broad(folder))
        result = parcel_add(&packer->parcel, folder, name);
    if (result != 0 && errno == EFBIG && S_ISREG(status.st_mode)) {
        free(folder);
        folder = xstrdup(real);
        parcel_cut(&packer->parcel, length, entries);
        /* The folder that the file is alone in has to be there. */
        result = parcel_add_folder(&packer->parcel, name);
        snprintf(name, sizeof name, "%u/%.4000s", number, strrchr(real, '/') + 1);
        if (result == 0)
            result = parcel_add(&packer->parcel, real, name);
    }
    packer->own[packer->own_count++] = folder;
    return result;
}

/* Whether a path is a file or folder that has to travel. */
static char *find_real(const struct packer *packer, const char *argument)
{
    char path[PATH_MAX];
    struct stat status;
    char *real;

    snprintf(path, sizeof path, "%s%s%s", argument[0] == '/' ? "" : packer->bot->folder,
             argument[0] == '/' ? "" : "/", argument);
    real = argument[0] != '-' ? realpath(path, NULL) : NULL;
    if (real != NULL && !landlock_is_system(real) && stat(real, &status) == 0 &&
        (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
        return real;
    free(real);
    return NULL;
}

static int pack_arguments(struct packer *packer)
{
    char *const *argv = packer->bot->command.argv;
    int result = 0;

    for (size_t i = 0; argv[i] != NULL && result == 0; i++) {
        char *real = find_real(packer, argv[i]);
        char name[PATH_MAX];

        if (real != NULL && !write_own(packer, real, name, sizeof name))
            result = pack_near(packer, real);
        free(real);
    }
    return result;
}

static int pack(struct packer *packer)
{
    int result;

    if (packer->source->folder == NULL) {
        result = pack_arguments(packer);
    } else {
        result = parcel_add(&packer->parcel, packer->source->folder, "");
        packer->own[packer->own_count++] = realpath(packer->bot->folder, NULL);
        if (packer->own[0] == NULL)
            packer->own[0] = xstrdup(packer->bot->folder);
    }
    if (result == 0)
        parcel_finish(&packer->parcel);
    return result;
}

/* An argument is a text, or a list with a path in the parcel. */
static void put_arguments(struct json_writer *json, const struct packer *packer)
{
    char *const *argv = packer->bot->command.argv;

    json_key(json, "argv");
    json_open_list(json);
    for (size_t i = 0; argv != NULL && argv[i] != NULL; i++) {
        /* In its own folder a bot finds its files by the names that it wrote. */
        bool may_be_own = i == 0 || packer->source->folder == NULL;
        char *real = may_be_own ? find_real(packer, argv[i]) : NULL;
        char name[PATH_MAX];

        if (real != NULL && write_own(packer, real, name, sizeof name)) {
            json_open_list(json);
            json_text(json, name);
            json_close_list(json);
        } else {
            json_text(json, argv[i]);
        }
        free(real);
    }
    json_close_list(json);
}

static void put_bot(struct json_writer *json, const struct packer *packer)
{
    const struct bot_setup *bot = packer->bot;

    json_open_map(json);
    json_put_text(json, "name", bot->name);
    json_put_text(json, "command", bot->command.text);
    json_put_text(json, "hash", bot->command.hash);
    json_put_text(json, "parcel", packer->parcel.hash);
    json_put_flag(json, "shared", packer->source->folder == NULL);
    json_put_text(json, "build", packer->source->build != NULL ? packer->source->build : "");
    json_put_number(json, "memory_mb", bot->memory_mb);
    json_put_text(json, "problem", bot->problem != NULL ? bot->problem : "");
    put_arguments(json, packer);
    json_key(json, "environment");
    json_open_list(json);
    for (size_t i = 0; bot->environment != NULL && bot->environment[i] != NULL; i++)
        json_text(json, bot->environment[i]);
    json_close_list(json);
    json_close_map(json);
}

/* A bot that cannot be started here cannot be started elsewhere: nothing of it travels. */
static int pack_bot(struct travel *travel, struct json_writer *json, struct packer *packer,
                    struct text *problem)
{
    int result = packer->bot->problem != NULL ? 0 : pack(packer);

    if (result != 0)
        text_printf(problem, "the files of bot %s cannot be sent to workers: %s", packer->bot->name,
                    errno == EFBIG ? "they are more than 64 MB or 20000 entries" : strerror(errno));
    if (result == 0 && packer->parcel.hash[0] != '\0')
        keep(travel, packer->parcel.hash, packer->parcel.bytes, packer->parcel.length);
    if (result == 0)
        put_bot(json, packer);
    parcel_free(&packer->parcel);
    while (packer->own_count > 0)
        free(packer->own[--packer->own_count]);
    return result;
}

static int put_bots(struct travel *travel, struct json_writer *json,
                    const struct travel_setup *setup, struct text *problem)
{
    int result = 0;

    json_key(json, "bots");
    json_open_list(json);
    for (unsigned i = 0; i < setup->bot_count && result == 0; i++) {
        struct packer packer = {.bot = &setup->tasks->bot_setups[i], .source = setup->sources[i]};

        if (packer.source != NULL)
            result = pack_bot(travel, json, &packer, problem);
        else
            json_null(json);
    }
    json_close_list(json);
    return result;
}

static void put_settings(struct json_writer *json, const struct travel_setup *setup)
{
    const struct task_setup *tasks = setup->tasks;
    char changes[RULES_CHANGES_MAX];
    struct text text;

    text_start(&text, changes, sizeof changes);
    rules_write_changes(&text, &tasks->rules, " ");
    json_put_number(json, "v", 1);
    json_put_text(json, "store", setup->store);
    json_put_text(json, "edition",
                  allegra_edition_name((enum allegra_edition)tasks->rules.edition));
    json_put_text(json, "rules", changes);
    json_put_text(json, "variant", tasks->variant != NULL ? tasks->variant : "");
    json_put_text(json, "clock", clock_rule_name(tasks->clock));
    json_put_flag(json, "ponder", tasks->may_ponder);
    json_put_flag(json, "reuse", tasks->keeps_bots);
    json_put_flag(json, "guessable", tasks->is_guessable);
    json_put_number(json, "start_ms", tasks->start_ms);
    json_put_number(json, "move_ms", tasks->move_ms);
    json_put_number(json, "bank_ms", tasks->bank_ms);
    json_put_number(json, "tables", tasks->tables);
    json_put_number(json, "speed", setup->speed);
    json_put_text(json, "contain", sandbox_level_name(setup->level));
}

struct travel *travel_new(const struct travel_setup *setup, struct text *problem)
{
    struct travel *travel = xcalloc(1, sizeof *travel);
    struct json_writer *json = json_writer_new(false);
    const char *bytes;
    size_t length;
    int result;

    json_open_map(json);
    put_settings(json, setup);
    result = put_bots(travel, json, setup, problem);
    if (result == 0) {
        json_close_map(json);
        bytes = json_writer_bytes(json, &length);
        seal_hash((struct span){bytes, length}, travel->hash);
        keep(travel, travel->hash, bytes, length);
    }
    json_writer_free(json);
    if (result == 0)
        return travel;
    travel_free(travel);
    return NULL;
}

void travel_free(struct travel *travel)
{
    if (travel == NULL)
        return;
    while (travel->things != NULL) {
        struct thing *thing = travel->things;

        travel->things = thing->next;
        free(thing->packed);
        free(thing);
    }
    free(travel);
}

const char *travel_hash(const struct travel *travel)
{
    return travel->hash;
}

const char *travel_find(const struct travel *travel, const char *hash, size_t *length)
{
    for (const struct thing *thing = travel->things; thing != NULL; thing = thing->next) {
        if (strcmp(thing->hash, hash) == 0) {
            *length = thing->length;
            return thing->packed;
        }
    }
    return NULL;
}
