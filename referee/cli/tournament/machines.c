/* The machine of a match is in the header of its log. The points of a bot on one machine are
 * compared with those on all others by the difference of the means, in standard errors. With many
 * bots and machines some difference is always large, so the 5 % are divided among all rows. */

#include "cli/tournament/machines.h"

#include "base/file_read.h"
#include "base/memory.h"
#include "match/log_zstd.h"
#include "wire/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOG_MAX ((size_t)256 << 20)
#define HERE "(this one)"
#define LEAST 2 /* matches of a row that is compared */

struct sums {
    double count;
    double sum;
    double squares;
};

struct machine {
    char name[LOG_RECORD_MACHINE_MAX + 1];
    long speed;
    struct sums *bots;
    struct machine *next;
};

struct machine_list {
    struct machine *first;
    unsigned bots;
    unsigned long missing; /* logs */
};

static struct machine *find_machine(struct machine_list *list, const char *name, long speed)
{
    struct machine **link = &list->first;

    while (*link != NULL && strcmp((*link)->name, name) != 0)
        link = &(*link)->next;
    if (*link == NULL) {
        *link = xcalloc(1, sizeof **link);
        snprintf((*link)->name, sizeof(*link)->name, "%s", name);
        (*link)->bots = xcalloc(list->bots, sizeof *(*link)->bots);
    }
    (*link)->speed = speed;
    return *link;
}

/* The machine in the header of a log; NULL if it cannot be read. */
static struct machine *read_machine(struct machine_list *list, struct span lines)
{
    const char *end = memchr(lines.start, '\n', lines.length);
    struct json_document *document = json_document_new();
    char message[200];
    struct text problem;
    const struct json_node *root = NULL;
    struct machine *machine = NULL;

    text_start(&problem, message, sizeof message);
    if (end != NULL)
        root = json_read(document, lines.start, (size_t)(end - lines.start), &problem);
    if (root != NULL)
        machine = find_machine(list, json_member_text(root, "machine", HERE),
                               (long)json_member_number(root, "speed", 0));
    json_document_free(document);
    return machine;
}

static struct machine *machine_of(struct machine_list *list, const struct store *store,
                                  const struct result *result)
{
    char *path = store_log_path(store, result->block, result->rotation);
    struct machine *machine = NULL;
    struct file_read file = {0};
    char message[200];
    struct text problem;
    size_t length = 0;
    char *lines = NULL;

    text_start(&problem, message, sizeof message);
    if (file_read(&file, path, LOG_MAX) == 0)
        lines = log_zstd_unpack((struct span){file.bytes, file.length}, LOG_MAX, &length, &problem);
    if (lines != NULL)
        machine = read_machine(list, (struct span){lines, length});
    free(lines);
    free(file.bytes);
    free(path);
    return machine;
}

static void count_result(struct machine_list *list, const struct store *store,
                         const struct result *result)
{
    struct machine *machine = machine_of(list, store, result);

    if (machine == NULL || result->rounds == 0) {
        list->missing++;
        return;
    }
    for (unsigned seat = 0; seat < result->seats; seat++) {
        double points = result_points(result, seat, result->has_luck) / result->rounds;
        struct sums *sums = &machine->bots[result->bots[seat]];

        sums->count++;
        sums->sum += points;
        sums->squares += points * points;
    }
}

static double mean_of(const struct sums *sums)
{
    return sums->sum / sums->count;
}

/* The square of the standard error of the mean. */
static double error_of(const struct sums *sums)
{
    double mean = mean_of(sums);

    return (sums->squares / sums->count - mean * mean) / (sums->count - 1);
}

/* The sums of a bot on all machines but one. */
static struct sums elsewhere(const struct machine_list *list, const struct machine *machine,
                             unsigned bot)
{
    struct sums all = {0};

    for (const struct machine *other = list->first; other != NULL; other = other->next) {
        if (other == machine)
            continue;
        all.count += other->bots[bot].count;
        all.sum += other->bots[bot].sum;
        all.squares += other->bots[bot].squares;
    }
    return all;
}

/* Prints a row. Returns the probability that chance makes such a difference; 1 if that cannot be
 * said. */
static double print_row(FILE *file, const struct machine_list *list, const struct machine *machine,
                        const char *name, unsigned bot)
{
    const struct sums *here = &machine->bots[bot];
    struct sums others = elsewhere(list, machine, bot);
    double error, difference, chance;

    fprintf(file, "%-20s %-20s %8.1f %8.0f %8.2f", name, machine->name,
            (double)machine->speed / 1e3, here->count, mean_of(here));
    if (here->count < LEAST || others.count < LEAST) {
        fputs("        -        -\n", file);
        return 1;
    }
    difference = mean_of(here) - mean_of(&others);
    error = sqrt(error_of(here) + error_of(&others));
    chance = error > 0 ? erfc(fabs(difference) / error / sqrt(2)) : 1;
    fprintf(file, " %+8.2f %8.3f\n", difference, chance);
    return chance;
}

static void print_table(FILE *file, const struct machine_list *list, const struct store *store)
{
    const char *worst_bot = "";
    const char *worst_machine = "";
    double worst = 1;
    unsigned rows = 0;

    fprintf(file, "%-20s %-20s %8s %8s %8s %8s %8s\n", "bot", "machine", "M/s", "matches", "score",
            "differs", "chance");
    for (unsigned bot = 0; bot < list->bots; bot++) {
        for (const struct machine *machine = list->first; machine != NULL;
             machine = machine->next) {
            const char *name = store_bot(store, bot)->name;
            double chance;

            if (machine->bots[bot].count == 0)
                continue;
            chance = print_row(file, list, machine, name, bot);
            rows += chance < 1;
            if (chance >= worst)
                continue;
            worst = chance;
            worst_bot = name;
            worst_machine = machine->name;
        }
    }
    if (rows > 0 && worst * rows < 0.05)
        fprintf(file, "The results of %s depend on the machine, most of all on %s.\n", worst_bot,
                worst_machine);
    else
        fputs("No bot's results depend on the machine more than chance explains.\n", file);
}

void machines_print(FILE *file, const struct progression *progression, const struct store *store)
{
    struct machine_list list = {.bots = store_bot_count(store)};
    size_t count;
    struct result *results = progression_results(progression, &count);

    for (size_t i = 0; i < count; i++)
        count_result(&list, store, &results[i]);
    print_table(file, &list, store);
    if (list.missing > 0)
        fprintf(file, "%lu matches are left out: their logs are not there.\n", list.missing);
    while (list.first != NULL) {
        struct machine *machine = list.first;

        list.first = machine->next;
        free(machine->bots);
        free(machine);
    }
    free(results);
}
