/* One table: it reads the file, has the defaults, and is the help. */

#include "serve/queue/settings.h"

#include "base/memory.h"
#include "wire/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX 65536
#define SENTENCE_BYTES 600
#define DAY_MS 86400000L

static const struct settings_key {
    const char *name;
    const char *meaning;
    size_t offset;
    long least;
    long most;
    long default_value;
} keys[] = {
#define KEY(name, least, most, default_value, meaning)                                             \
    {                                                                                              \
#name, meaning, offsetof(struct settings, name), least, most, default_value                \
    }
    KEY(start_ms, 1, DAY_MS, 60000, "the most start_ms of a job"),
    KEY(move_ms, 1, DAY_MS, 60000, "the most move_ms of a job"),
    KEY(bank_ms, 0, DAY_MS, 600000, "the most bank_ms of a job"),
    KEY(memory_mb, 16, 65536, 1024, "the most memory_mb of a bot"),
    KEY(bots, 2, 1000, 200, "bots in one job"),
    KEY(matches, 1, 100000000, 10000, "matches in one job"),
    KEY(tables, 1, 256, 8, "the most tables of a job"),
    KEY(job_minutes, 1, 1000000, 1440, "how long a job may be played"),
    KEY(build_seconds, 1, 86400, 600, "how long a build may run, also the owner's"),
    KEY(build_memory_mb, 16, 65536, 1024, "the memory of a build, also the owner's"),
    KEY(check_seconds, 0, 86400, 60,
        "how long a new version of a bot is checked, also the owner's; 0: not at all"),
    KEY(submit_ms, 0, DAY_MS, 30000,
        "how long the reply to `submit` waits for the build and the hello"),
    KEY(jobs, 1, 10000, 200, "jobs of one user that are not over"),
    KEY(jobs_at_once, 2, 10000, 64, "jobs of all users that are played or held at once"),
    KEY(jobs_per_day, 1, 1000000, 2000, "jobs that one user submits in 24 hours"),
    KEY(versions, 1, 1000000, 1000, "versions of bots of one user"),
    KEY(disk_mb, 1, 1000000000, 4096, "megabytes of uploads, builds, jobs and logs of one user"),
    KEY(connections_per_user, 1, 100000, 64, "connections of one user"),
    KEY(connections_per_address, 1, 100000, 64, "connections from one address, or an IPv6 /64"),
    KEY(handshakes, 1, 100000, 100,
        "TLS handshakes per second from all addresses; those of five seconds may come at once"),
    KEY(handshakes_per_address, 1, 100000, 20,
        "TLS handshakes per second from one address, or an IPv6 /64; likewise"),
    KEY(hello_ms, 1, DAY_MS, 10000, "time to the end of the hello, and of the handshake before it"),
    KEY(request_ms, 1, DAY_MS, 30000,
        "time for a line, for each 64 KiB of a block, for a request of a browser"),
    KEY(idle_ms, 1, DAY_MS, 600000, "time without a request, for a client that does not watch"),
    KEY(on_result_ms, 1, DAY_MS, 60000, "how long the command on_result may run"),
#undef KEY
};

/* The only key that is a text. Whoever can write it runs commands as the owner. */
#define COMMAND_KEY "on_result"

static long *member_of(struct settings *settings, const struct settings_key *key)
{
    return (long *)(void *)((char *)settings + key->offset);
}

struct settings settings_default(void)
{
    struct settings settings = {.on_result = ""};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        *member_of(&settings, &keys[i]) = keys[i].default_value;
    return settings;
}

static int complain(struct text *problem, const char *path, const char *why)
{
    text_printf(problem, "%s: %s", path, why);
    return -1;
}

static void add_unknown(struct text *sentence, const char *name)
{
    const char *names[ARRAY_LEN(keys) + 1];
    const char *nearest;

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        names[i] = keys[i].name;
    names[ARRAY_LEN(keys)] = COMMAND_KEY;
    nearest = text_nearest(span_of(name), names, ARRAY_LEN(names));
    text_add(sentence, "there is no key ");
    text_add_quoted(sentence, span_of(name));
    if (nearest != NULL)
        text_printf(sentence, "; did you mean \"%s\"?", nearest);
    else
        text_add(sentence, "; `referee serve --keys` shows all keys");
}

static int take_command(struct settings *settings, const struct json_node *member,
                        struct text *sentence)
{
    if (member->kind != JSON_TEXT || member->length > SETTINGS_COMMAND_MAX ||
        strlen(member->text) != member->length) {
        text_printf(sentence, COMMAND_KEY " takes a command of at most %d bytes",
                    SETTINGS_COMMAND_MAX);
        return -1;
    }
    memcpy(settings->on_result, member->text, member->length + 1);
    return 0;
}

/* Sets the value of one member. Returns 0, or -1 with a sentence and the byte it is about. */
static int take_member(struct settings *settings, const struct json_node *map,
                       const struct json_node *member, size_t *at, struct text *sentence)
{
    const struct settings_key *key = keys;

    *at = member->key_at;
    while (key < keys + ARRAY_LEN(keys) && strcmp(key->name, member->key) != 0)
        key++;
    if (key == keys + ARRAY_LEN(keys) && strcmp(member->key, COMMAND_KEY) == 0 &&
        json_member(map, member->key) == member)
        return take_command(settings, member, sentence);
    if (key == keys + ARRAY_LEN(keys)) {
        add_unknown(sentence, member->key);
        return -1;
    }
    if (json_member(map, member->key) != member) {
        text_printf(sentence, "%s is given twice", key->name);
        return -1;
    }
    *at = member->at;
    if (member->kind != JSON_NUMBER || member->number < key->least || member->number > key->most) {
        text_printf(sentence, "%s takes a number from %ld to %ld", key->name, key->least,
                    key->most);
        return -1;
    }
    *member_of(settings, key) = (long)member->number;
    return 0;
}

static int take_file(struct settings *settings, struct json_document *document, struct span file,
                     size_t *at, struct text *sentence)
{
    const struct json_node *root = json_read_commented(document, file, at, sentence);
    int result = 0;

    if (root == NULL)
        return -1;
    if (root->kind != JSON_MAP) {
        *at = root->at;
        text_add(sentence, "the file takes a map, {\"move_ms\": 10000}");
        return -1;
    }
    for (const struct json_node *member = json_first(root); member != NULL && result == 0;
         member = json_next(root, member))
        result = take_member(settings, root, member, at, sentence);
    return result;
}

int settings_read(struct settings *settings, struct span file, const char *path,
                  struct text *problem)
{
    struct settings fresh = settings_default();
    struct json_document *document = json_document_new();
    char bytes[SENTENCE_BYTES];
    struct text sentence;
    size_t at = 0;
    int result;

    text_start(&sentence, bytes, sizeof bytes);
    result = take_file(&fresh, document, file, &at, &sentence);
    if (result == 0) {
        *settings = fresh;
    } else {
        struct json_place place = json_place_at(file, at);

        text_printf(problem, "%s, line %u, column %u: %s", path, place.line, place.column, bytes);
    }
    json_document_free(document);
    return result;
}

/* It is read in the loop, so it must be a file of bounded size. */
int settings_load(struct settings *settings, const char *path, struct text *problem)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *bytes = xcalloc(FILE_BYTES_MAX + 1, 1);
    struct settings fresh = *settings;
    struct stat status;
    ssize_t length = -1;
    int result;

    if (fd < 0 || fstat(fd, &status) != 0)
        result = complain(problem, path, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        result = complain(problem, path, "it is not a regular file");
    else if ((length = read(fd, bytes, FILE_BYTES_MAX + 1)) < 0)
        result = complain(problem, path, strerror(errno));
    else if (length > FILE_BYTES_MAX)
        result = complain(problem, path, "it is larger than 64 KiB");
    else
        result = settings_read(&fresh, (struct span){bytes, (size_t)length}, path, problem);
    if (result == 0 && fresh.on_result[0] != '\0' && (status.st_mode & 022) != 0)
        result = complain(problem, path,
                          "it has `" COMMAND_KEY "`, and others can write this file; `chmod go-w` "
                          "fixes that");
    if (result == 0)
        *settings = fresh;
    if (fd >= 0)
        close(fd);
    free(bytes);
    return result;
}

void settings_write_keys(struct text *text)
{
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        text_printf(text, "%s\n    %s; a number from %ld to %ld, default: %ld\n", keys[i].name,
                    keys[i].meaning, keys[i].least, keys[i].most, keys[i].default_value);
    text_add(text, COMMAND_KEY "\n    a command for /bin/sh when a job is over, which it gets as "
                               "JSON on stdin; default: none\n");
}
