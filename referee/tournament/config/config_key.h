#ifndef REFEREE_TOURNAMENT_CONFIG_CONFIG_KEY_H
#define REFEREE_TOURNAMENT_CONFIG_CONFIG_KEY_H

/* Tables of keys, and maps of a tournament file that are read after them. */

#include "base/text.h"
#include "wire/json_read.h"

#include <stdbool.h>
#include <stddef.h>

#define CONFIG_KEYS_IN_MAP 32

struct config_reader;
struct config_key;

/* A map of the file: the keys that it may have, and those that it has. */
struct config_map {
    const struct config_key *keys;
    size_t count;
    void *object;  /* whose members they set */
    char path[24]; /* "bots[2]", or "" */
    const struct json_node
        *found[CONFIG_KEYS_IN_MAP];   /* by key; NULL if the file does not say it */
    bool is_fine[CONFIG_KEYS_IN_MAP]; /* it was found, and nothing was wrong */
};

/* Reads the value of a key. Returns false after a mistake was added. */
typedef bool config_key_fn(struct config_reader *reader, const struct config_map *map,
                           const struct config_key *key, const struct json_node *node);

/* Everything about one key. */
struct config_key {
    const char *name;
    const char *meaning;
    config_key_fn *read;
    bool is_required;
    const char *takes;     /* in words; NULL: `least` to `most`, or one of `words` */
    const char *otherwise; /* what holds without it, in words; NULL: `standard` */
    size_t offset;         /* of its member in the object */
    size_t size;           /* of a number, word or flag there, 8, 4 or 1 bytes; 0 of others */
    long least;
    long most;
    long standard;        /* of a word: its place in `words` */
    const char *words[5]; /* NULL ends it */
};

/* Of the rows of tables. */
#define CONFIG_MEMBER(type, member)                                                                \
    .offset = offsetof(struct type, member), .size = sizeof(((struct type *)0)->member)

/* Sets the members to what holds without the file; reads what is in `node`. */
void config_map_start(struct config_map *map);
void config_map_read(struct config_reader *reader, struct config_map *map,
                     const struct json_node *node);

/* Adds what a key takes, and "default: …", or that it must be there. */
void config_add_takes(struct text *text, const struct config_key *key);
void config_add_otherwise(struct text *text, const struct config_key *key);

/* Adds "bots[2].name", a value as a person would call it, and "; did you mean …?" if a name is near. */
void config_add_path(struct text *text, const char *path, const char *name);
void config_add_value(struct text *text, const struct json_node *node);
void config_add_nearest(struct text *text, struct span word, const char *const *names,
                        size_t count);

/* Adds the mistake "KEY takes … , not …". Returns false. */
bool config_refuse(struct config_reader *reader, const struct config_map *map,
                   const struct config_key *key, const struct json_node *node);

/* Adds the mistake that a map has the key of `node` twice. */
void config_add_double(struct config_reader *reader, const char *path,
                       const struct json_node *first, const struct json_node *node);

/* Whether a value is a text with something in it but blanks, and without a NUL. */
bool config_is_text(const struct json_node *node);

/* Readers of values of one kind. */
config_key_fn config_read_number, config_read_word, config_read_words, config_read_path,
    config_read_flag;

#endif
