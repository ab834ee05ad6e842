#ifndef REFEREE_TOURNAMENT_CONFIG_CONFIG_PRIVATE_H
#define REFEREE_TOURNAMENT_CONFIG_CONFIG_PRIVATE_H

/* What the files that read a tournament file or a variant share: tables of keys, maps that are read
 * by them, and the list of mistakes. */

#include "tournament/config/config.h"
#include "wire/json_read.h"

#define CONFIG_SENTENCE_MAX 1000
#define CONFIG_KEYS_IN_MAP 32

/* A file that is being read. */
struct config_reader {
    struct config *config;       /* NULL for a variant */
    struct allegra_rules *rules; /* that are read */
    char *variant;               /* their name: RULES_VARIANT_NAME_MAX + 1 bytes */
    bool opens_files;            /* an edition can be the path of a variant */
    struct span source;
    const struct config_catalogue *catalogue; /* or NULL */
    struct config_problem *problems;
    size_t problem_count;
    size_t problem_capacity;
};

struct config_key;

/* A map of the file: the keys that it may have, and those that it has. */
struct config_map {
    const struct config_key *keys;
    size_t count;
    void *object;                                      /* whose members they set */
    char path[24];                                     /* "bots[2]", or "" */
    const struct json_node *found[CONFIG_KEYS_IN_MAP]; /* by key; NULL: not in the file */
    bool is_fine[CONFIG_KEYS_IN_MAP];                  /* found, and without a mistake */
};

/* Reads the value of a key. Returns false after it has added a mistake. */
typedef bool config_key_fn(struct config_reader *reader, const struct config_map *map,
                           const struct config_key *key, const struct json_node *node);

/* Everything about one key. */
struct config_key {
    const char *name;
    const char *meaning;
    config_key_fn *read;
    bool is_required;
    const char *takes;        /* NULL: `least` to `most`, or one of `choices` */
    const char *default_text; /* NULL: `default_value` */
    size_t offset;            /* of its member in the object */
    size_t size;              /* of a number, choice or flag there: 8, 4 or 1 bytes; 0 of others */
    long least;
    long most;
    long default_value;     /* for a choice: its index in `choices` */
    const char *choices[5]; /* NULL ends it */
};

#define CONFIG_MEMBER(type, member)                                                                \
    .offset = offsetof(struct type, member), .size = sizeof(((struct type *)0)->member)

/* The keys of a bot. */
enum config_bot_key {
    CONFIG_BOT_NAME,
    CONFIG_BOT_SOURCE,
    CONFIG_BOT_COMMAND,
    CONFIG_BOT_FOLDER,
    CONFIG_BOT_BUILD,
    CONFIG_BOT_ENVIRONMENT,
    CONFIG_BOT_MEMORY,
    CONFIG_BOT_REMOTE,
    CONFIG_BOT_KEYS,
};

extern const struct config_key config_bot_keys[CONFIG_BOT_KEYS];

/* The keys of the file, in the order in which they are read and shown. */
enum config_key_number {
    CONFIG_NAME,
    CONFIG_OUTPUT,
    CONFIG_BOTS,
    CONFIG_EDITION,
    CONFIG_RULES,
    CONFIG_VARIANT,
    CONFIG_SEATS,
    CONFIG_FORMAT,
    CONFIG_HERO,
    CONFIG_DEALS,
    CONFIG_MATCHES,
    CONFIG_ROUNDS,
    CONFIG_SEATINGS,
    CONFIG_SCHEDULE_SEED,
    CONFIG_CLOCK,
    CONFIG_PONDER,
    CONFIG_CLOCK_SCALE,
    CONFIG_START_MS,
    CONFIG_MOVE_MS,
    CONFIG_BANK_MS,
    CONFIG_CONTAIN,
    CONFIG_WORKERS,
    CONFIG_TABLES,
    CONFIG_REUSE,
    CONFIG_LUCK,
    CONFIG_MAX_FAULTS,
    CONFIG_KEY_COUNT,
};

extern const struct config_key config_keys[CONFIG_KEY_COUNT];

/* Mistakes (config_errors.c). */

/* Adds one sentence about what is at that byte of the file. */
void config_add_problem(struct config_reader *reader, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds "KEY takes …, not …". Returns false. */
bool config_refuse(struct config_reader *reader, const struct config_map *map,
                   const struct config_key *key, const struct json_node *node);

/* Adds that the key of `node` is in its map twice. */
void config_refuse_twice(struct config_reader *reader, const char *path,
                         const struct json_node *first, const struct json_node *node);

/* Adds that a map has no key of the name of `node`. */
void config_refuse_unknown(struct config_reader *reader, const struct config_map *map,
                           const struct json_node *node);

/* Reports all mistakes in the order of the file, and frees them. */
void config_report_problems(struct config_reader *reader, config_problem_fn *problem,
                            void *context);

/* Pieces of sentences: "bots[2].name"; what a key takes; its default, or that it is required; a
 * value as a person would call it; "; did you mean …?" if a name is near. */
void config_write_path(struct text *text, const char *path, const char *name);
void config_write_takes(struct text *text, const struct config_key *key);
void config_write_default(struct text *text, const struct config_key *key);
void config_write_value(struct text *text, const struct json_node *node);
void config_write_nearest(struct text *text, struct span word, const char *const *names,
                          size_t count);

/* Adds a key with its meaning, what it takes and its default, for the help (config.c). */
void config_write_key(struct text *text, const char *path, const struct config_key *key);

/* Keys and maps (config_key.c). */

/* Sets the members to their defaults; reads what is in `node`. */
void config_map_start(struct config_map *map);
void config_map_read(struct config_reader *reader, struct config_map *map,
                     const struct json_node *node);

size_t config_choice_count(const struct config_key *key);

/* Whether a value is a text with something in it besides blanks, and without a NUL. */
bool config_is_text(const struct json_node *node);

/* Readers of values of one kind, and of single keys (config_bots.c, config_rules.c). */
config_key_fn config_read_number, config_read_choice, config_read_text, config_read_path,
    config_read_flag;
config_key_fn config_read_bots, config_read_edition, config_read_rules, config_read_variant;

/* The key "rules", in a tournament file and in a variant. */
#define CONFIG_RULES_KEY                                                                           \
    {                                                                                              \
        "rules", "rule keys that differ from the edition", config_read_rules,                      \
            .takes = "a map of rule keys, {\"rounds\": 3}", .default_text = "none"                 \
    }

/* All bytes of a file (config.c); one more than CONFIG_FILE_MAX if it is too large. Free them. NULL
 * with errno. */
char *config_load_bytes(const char *path, size_t *length);

/* Reads the whole file into a map, and has it checked (config_read.c). `example` is a short one. */
typedef void config_check_fn(struct config_reader *reader, const struct config_map *map,
                             const struct json_node *root);
void config_read_document(struct config_reader *reader, struct config_map *map, const char *example,
                          config_check_fn *check);

/* The folder of a file (config_read.c). Free it. */
char *config_folder_of(const char *path);

/* The path that a path in the file means: relative ones start at the file's folder. Free it. */
char *config_path(const struct config *config, const char *path);

/* Reads a tournament file, of which `reader` has the source and how to read it (config_read.c). */
struct config *config_read_file(struct config_reader *reader, const char *path,
                                config_problem_fn *problem, void *context);

/* Checks what depends on several keys, and sets defaults that depend on others (config_check.c). */
void config_check(struct config_reader *reader, const struct config_map *map,
                  const struct json_node *root);

#endif
