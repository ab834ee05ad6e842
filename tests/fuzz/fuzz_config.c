/* Reads any bytes as a tournament file, every second one with a catalogue of bots. The result is
 * either a config that keeps the promises of config.h, or errors. Errors come in the order of the
 * file, at places inside it, and each has a message. A config that is written and read again is the
 * same. */

#include "tournament/config/config.h"

#include "base/memory.h"
#include "wire/json_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

struct report {
    struct json_place end;
    struct json_place last;
    unsigned count;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool is_before(struct json_place one, struct json_place other)
{
    return one.line < other.line || (one.line == other.line && one.column < other.column);
}

static void on_error(void *context, unsigned line, unsigned column, const char *message)
{
    struct report *report = context;
    struct json_place place = {line, column};

    check(line >= 1 && column >= 1 && !is_before(report->end, place));
    check(!is_before(place, report->last));
    /* The second text is the message for an error that was not found. */
    check(message[0] != '\0' && strcmp(message, "this cannot be read") != 0);
    report->last = place;
    report->count++;
    check(report->count <= 51);
}

static void check_config(const struct config *config)
{
    const struct schedule_setup *schedule = &config->schedule;
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    check(config->variant[0] == '\0' ||
          rules_variant_check_name(span_of(config->variant), &config->rules, &problem) == 0);
    check(config->bot_count >= 2 && config->bot_count <= CONFIG_BOTS_MAX);
    check(schedule->bots == config->bot_count && schedule->hero < config->bot_count);
    check(schedule->seats >= 2 && schedule->seats <= 6 && schedule->seats <= config->bot_count);
    check(schedule->seatings != SCHEDULE_ALL || schedule->seats <= 4);
    check(schedule->format != SCHEDULE_SWISS || (schedule->rounds > 0 && schedule->matches == 0));
    check(config->name[0] != '\0' && config->output[0] != '\0' && config->sandbox[0] != '\0');
    check(config->start_ms > 0 && config->move_ms > 0 && config->bank_ms >= 0);
    for (unsigned i = 0; i < config->bot_count; i++) {
        const struct config_bot *bot = &config->bots[i];

        check(bot->name[0] != '\0' && bot->environment != NULL);
        check((bot->command != NULL) != (bot->remote != NULL));
        check(bot->build == NULL || bot->folder != NULL);
        check(bot->remote == NULL ||
              (schedule->seatings == SCHEDULE_SINGLE && bot->folder == NULL &&
               bot->environment[0] == NULL && bot->memory_mb == 0));
        for (unsigned other = 0; other < i; other++)
            check(strcmp(bot->name, config->bots[other].name) != 0);
    }
}

/* Names of one character are known; bots with an upper-case name are remote. */
static int find(void *context, const char *name, struct config_bot *bot, struct text *problem)
{
    (void)context;
    if (name[0] == '\0' || name[1] != '\0') {
        text_add(problem, "no such bot");
        return -1;
    }
    if (name[0] >= 'A' && name[0] <= 'Z') {
        bot->remote = xstrdup("/run/socket");
        return 0;
    }
    bot->command = xstrdup("./bot");
    bot->folder = xstrdup("/bots/bot");
    bot->build = name[0] < 'm' ? xstrdup("make") : NULL;
    bot->memory_mb = name[0] < 'm' ? 64 : 0;
    return 0;
}

static void fail_on_error(void *context, unsigned line, unsigned column, const char *message)
{
    (void)context;
    (void)line;
    (void)column;
    (void)message;
    check(false);
}

/* Writes a config as a file, to compare it. */
static char *write_config(const struct config *config, size_t *length)
{
    struct json_writer *writer = json_writer_new(true);
    const char *bytes;
    char *copy;

    config_write(config, writer);
    bytes = json_writer_bytes(writer, length);
    copy = xstrndup(bytes, *length);
    json_writer_free(writer);
    return copy;
}

static void check_written(const struct config *config)
{
    size_t length;
    char *one = write_config(config, &length);
    struct config *again;
    char *other;

    if (length > CONFIG_FILE_MAX) {
        free(one);
        return;
    }
    again = config_read(one, length, "config.json", fail_on_error, NULL);
    check_config(again);
    check(again->schedule.hero == config->schedule.hero);
    check(memcmp(&again->rules, &config->rules, sizeof config->rules) == 0);
    other = write_config(again, &length);
    check(strcmp(one, other) == 0);
    config_free(again);
    free(one);
    free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct config_catalogue catalogue = {find, NULL};
    struct span source = {(const char *)bytes, length};
    struct report report = {.end = json_place_at(source, length)};
    const struct config_catalogue *known = length % 2 == 0 ? &catalogue : NULL;
    struct config *config = config_read_with(source, "config.json", known, on_error, &report);

    check((config == NULL) == (report.count > 0));
    if (config != NULL) {
        check_config(config);
        check_written(config);
    }
    config_free(config);
    return 0;
}
