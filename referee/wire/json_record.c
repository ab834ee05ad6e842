/* One function per kind; each looks for the member, checks it, and otherwise refuses the record and
 * returns a value that nothing can go wrong with. */

#include "wire/json_record.h"

#include <string.h>

int json_record_refuse(struct json_record *record, const char *why)
{
    if (!record->is_refused)
        text_printf(record->problem, "invalid record: %s", why);
    record->is_refused = true;
    return -1;
}

int json_record_refuse_member(struct json_record *record, const char *name)
{
    char why[80];
    struct text text;

    text_start(&text, why, sizeof why);
    text_printf(&text, "it has no valid `%.60s`", name);
    return json_record_refuse(record, why);
}

/* Which of two members counts would depend on the reader. */
static bool is_unique(const struct json_node *map, const struct json_node *member)
{
    const struct json_node *other = json_first(map);

    while (other != member && strcmp(other->key, member->key) != 0)
        other = json_next(map, other);
    return other == member;
}

struct json_record json_record_start(const struct json_node *map, struct text *problem)
{
    struct json_record record = {.map = map, .problem = problem};
    unsigned count = 0;

    if (map == NULL || map->kind != JSON_MAP) {
        record.map = NULL;
        (void)json_record_refuse(&record, "it is not a map");
        return record;
    }
    for (const struct json_node *member = json_first(map); member != NULL && !record.is_refused;
         member = json_next(map, member)) {
        if (++count > JSON_RECORD_MEMBERS_MAX)
            (void)json_record_refuse(&record, "it has too many members");
        else if (!is_unique(map, member))
            (void)json_record_refuse(&record, "it has a member twice");
    }
    return record;
}

bool json_record_has(const struct json_record *record, const char *name)
{
    return json_member(record->map, name) != NULL;
}

/* The member of that kind; or NULL, and the record is refused. */
static const struct json_node *member_of(struct json_record *record, const char *name,
                                         enum json_kind kind)
{
    const struct json_node *member = record->is_refused ? NULL : json_member(record->map, name);

    if (member != NULL && member->kind == kind)
        return member;
    (void)json_record_refuse_member(record, name);
    return NULL;
}

long long json_record_number(struct json_record *record, const char *name, long long least,
                             long long most)
{
    const struct json_node *member = member_of(record, name, JSON_NUMBER);

    if (member == NULL)
        return least;
    if (member->number < least || member->number > most) {
        (void)json_record_refuse_member(record, name);
        return least;
    }
    return member->number;
}

bool json_record_flag(struct json_record *record, const char *name)
{
    const struct json_node *member = member_of(record, name, JSON_FLAG);

    return member != NULL && member->number == 1;
}

const char *json_record_text(struct json_record *record, const char *name, size_t most)
{
    const struct json_node *member = member_of(record, name, JSON_TEXT);

    if (member == NULL)
        return "";
    if (member->length > most) {
        (void)json_record_refuse_member(record, name);
        return "";
    }
    return member->text;
}

const char *json_record_line(struct json_record *record, const char *name, size_t most)
{
    const char *text = json_record_text(record, name, most);

    for (const char *byte = text; *byte != '\0'; byte++) {
        if ((unsigned char)*byte < ' ' || *byte == '\x7f') {
            (void)json_record_refuse_member(record, name);
            return "";
        }
    }
    return text;
}

const char *json_record_optional_text(struct json_record *record, const char *name, size_t most)
{
    return json_record_has(record, name) ? json_record_text(record, name, most) : NULL;
}

static const struct json_node *values_of(struct json_record *record, const char *name,
                                         enum json_kind kind, unsigned most)
{
    const struct json_node *member = member_of(record, name, kind);

    if (member == NULL || json_count(member) <= most)
        return member;
    (void)json_record_refuse_member(record, name);
    return NULL;
}

const struct json_node *json_record_list(struct json_record *record, const char *name,
                                         unsigned most)
{
    return values_of(record, name, JSON_LIST, most);
}

const struct json_node *json_record_map(struct json_record *record, const char *name, unsigned most)
{
    return values_of(record, name, JSON_MAP, most);
}

unsigned json_record_numbers(struct json_record *record, const char *name, const long long range[2],
                             long long *numbers, unsigned most)
{
    const struct json_node *list = json_record_list(record, name, most);
    unsigned count = 0;

    for (const struct json_node *value = json_first(list); value != NULL;
         value = json_next(list, value)) {
        if (value->kind != JSON_NUMBER || value->number < range[0] || value->number > range[1]) {
            (void)json_record_refuse_member(record, name);
            return 0;
        }
        numbers[count++] = value->number;
    }
    return count;
}
