/* Maps of the file are read by tables. First every member is matched with the key of its name,
 * which finds keys that are unknown or given twice; then the keys are read in the order of the
 * table, whatever their order in the file, because some depend on others. After a mistake the
 * reading continues. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <string.h>

size_t config_choice_count(const struct config_key *key)
{
    size_t count = 0;

    while (count < ARRAY_LEN(key->choices) && key->choices[count] != NULL)
        count++;
    return count;
}

static void set_number(const struct config_map *map, const struct config_key *key, long number)
{
    char *member = (char *)map->object + key->offset;
    uint32_t narrow = (uint32_t)number;
    bool is_set = number != 0;

    if (key->size == sizeof number)
        memcpy(member, &number, sizeof number);
    else if (key->size == sizeof narrow)
        memcpy(member, &narrow, sizeof narrow);
    else if (key->size == sizeof is_set)
        memcpy(member, &is_set, sizeof is_set);
}

bool config_read_number(struct config_reader *reader, const struct config_map *map,
                        const struct config_key *key, const struct json_node *node)
{
    if (node->kind != JSON_NUMBER || node->number < key->least || node->number > key->most)
        return config_refuse(reader, map, key, node);
    set_number(map, key, (long)node->number);
    return true;
}

bool config_read_choice(struct config_reader *reader, const struct config_map *map,
                        const struct config_key *key, const struct json_node *node)
{
    for (size_t i = 0; node->kind == JSON_TEXT && i < config_choice_count(key); i++) {
        if (span_is((struct span){node->text, node->length}, key->choices[i])) {
            set_number(map, key, (long)i);
            return true;
        }
    }
    return config_refuse(reader, map, key, node);
}

bool config_read_flag(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    if (node->kind != JSON_FLAG)
        return config_refuse(reader, map, key, node);
    set_number(map, key, (long)node->number);
    return true;
}

bool config_is_text(const struct json_node *node)
{
    return node->kind == JSON_TEXT && strlen(node->text) == node->length &&
           strspn(node->text, " \t\r\n") < node->length;
}

static bool set_text(struct config_reader *reader, const struct config_map *map,
                     const struct config_key *key, const struct json_node *node, bool is_path)
{
    char *copy;

    if (!config_is_text(node))
        return config_refuse(reader, map, key, node);
    copy = is_path ? config_path(reader->config, node->text) : xstrdup(node->text);
    memcpy((char *)map->object + key->offset, (void *)&copy, sizeof copy);
    return true;
}

bool config_read_text(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    return set_text(reader, map, key, node, false);
}

bool config_read_path(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    return set_text(reader, map, key, node, true);
}

void config_map_start(struct config_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        set_number(map, &map->keys[i], map->keys[i].default_value);
}

void config_map_read(struct config_reader *reader, struct config_map *map,
                     const struct json_node *node)
{
    for (const struct json_node *member = json_first(node); member != NULL;
         member = json_next(node, member)) {
        size_t i = 0;

        while (i < map->count && strcmp(member->key, map->keys[i].name) != 0)
            i++;
        if (i == map->count)
            config_refuse_unknown(reader, map, member);
        else if (map->found[i] != NULL)
            config_refuse_twice(reader, map->path, map->found[i], member);
        else
            map->found[i] = member;
    }
    for (size_t i = 0; i < map->count; i++) {
        if (map->found[i] != NULL)
            map->is_fine[i] = map->keys[i].read(reader, map, &map->keys[i], map->found[i]);
    }
}
