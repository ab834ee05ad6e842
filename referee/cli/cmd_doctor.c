/* `referee doctor` finds out what this machine can enforce and how exact its timers are, and
 * recommends settings for tournaments. Everything is tried; nothing is derived from version
 * numbers. */

#include "cli/cmd_doctor.h"

#include "base/message.h"
#include "bot/schedstat.h"
#include "sandbox/sandbox.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "tournament/schedule/schedule.h"
#include "wire/json_write.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct settings {
    bool is_json;
};

static const struct option_row rows[] = {
    {"--json", NULL, "print one JSON document", OPTION_FLAG(struct settings, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "doctor",
    .usage = "[--json]",
    .purpose =
        "Tests what this machine can enforce against untrusted programs, measures how late its\n"
        "timers are when it is busy, and recommends settings for tournaments. Takes a few\n"
        "seconds.\n",
    .examples = "  referee doctor\n"
                "  referee doctor --json | jq '.parts[] | select(.works | not)'\n",
    .rows = rows,
    .takes = "no arguments",
};

static const unsigned busy_counts[] = {1, 2, 4, 8};

struct findings {
    struct sandbox_fact facts[SANDBOX_PART_COUNT];
    struct doctor_timers timers[ARRAY_LEN(busy_counts)];
    bool has_waits; /* the kernel reports how long a process waited for a core */
    long cpus;
};

static bool is_complete(const struct findings *findings, enum sandbox_level level)
{
    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT; part++) {
        if (sandbox_needs(level, part) && !findings->facts[part].works)
            return false;
    }
    return true;
}

static int examine(struct findings *findings)
{
    sandbox_probe(findings->facts);
    findings->has_waits = findings->facts[SANDBOX_GROUPS].works || schedstat_own_us() > 0;
    findings->cpus = sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < ARRAY_LEN(busy_counts); i++) {
        if (doctor_measure(busy_counts[i], &findings->timers[i]) != 0) {
            message_say("cannot measure timers: out of resources");
            return -1;
        }
    }
    return 0;
}

static const char *best_level(const struct findings *findings)
{
    if (is_complete(findings, SANDBOX_SEALED))
        return "sealed";
    return is_complete(findings, SANDBOX_GUARDED) ? "guarded" : "auto";
}

/* The shortest time per answer that late timers do not distort: with a clock that does not
 * charge waiting, a few times the lateness of an idle machine; with one that does, of a busy
 * machine. */
static long shortest_move_ms(const struct findings *findings)
{
    const struct doctor_timers *calm = &findings->timers[0];
    const struct doctor_timers *busiest = &findings->timers[ARRAY_LEN(busy_counts) - 1];
    int64_t late_us = findings->has_waits ? calm->p99_us * 4 : busiest->worst_us * 4;
    long move_ms = (long)((late_us + 999) / 1000);

    return move_ms < 10 ? 10 : move_ms;
}

static void print_parts(const struct findings *findings)
{
    puts("What this machine enforces against untrusted programs:\n");
    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT; part++) {
        const struct sandbox_fact *fact = &findings->facts[part];

        printf("  %-11s %-9s against %s\n", sandbox_part_name(part),
               fact->works ? "works" : "does not", sandbox_part_purpose(part));
        if (fact->why[0] != '\0')
            printf("  %-11s %-9s %s\n", "", "", fact->why);
    }
    printf("\n  level guarded: %s\n", is_complete(findings, SANDBOX_GUARDED) ? "yes" : "no");
    printf("  level sealed:  %s\n", is_complete(findings, SANDBOX_SEALED) ? "yes" : "no");
}

static void print_timers(const struct findings *findings)
{
    printf("\nHow late timers fire, on %ld cores:\n\n", findings->cpus);
    puts("  busy matches     median       99 %      worst");
    for (size_t i = 0; i < ARRAY_LEN(busy_counts); i++) {
        const struct doctor_timers *timers = &findings->timers[i];

        printf("  %12u %7.2f ms %7.2f ms %7.2f ms\n", timers->busy, (double)timers->median_us / 1e3,
               (double)timers->p99_us / 1e3, (double)timers->worst_us / 1e3);
    }
    printf("\n  clock fair:    %s\n",
           findings->has_waits ? "yes, the kernel reports how long a bot waited for a core"
                               : "no, the kernel does not report waiting times: a bot gets "
                                 "three times its limit");
}

static void print_advice(const struct findings *findings)
{
    puts("\nFor a tournament on this machine:\n");
    printf("  contain  %s\n  seatings %s\n  clock    %s\n  workers  %ld\n  move_ms  at least %ld\n",
           best_level(findings), schedule_seatings_names[SCHEDULE_SINGLE],
           findings->has_waits ? "fair" : "wall", findings->cpus, shortest_move_ms(findings));
    puts("\n  Single seatings where strangers play for something:\n  " SCHEDULE_WHY_SINGLE ".");
    if (geteuid() != 0)
        puts("\n  As root, each bot would get its own user and exact limits on processes.");
    if (!findings->facts[SANDBOX_NAMESPACES].works)
        puts("\n  For the level sealed, install bubblewrap and allow user namespaces.");
}

static void print_json(const struct findings *findings)
{
    struct json_writer *json = json_writer_new(true);
    const char *bytes;
    size_t length;

    json_open_map(json);
    json_key(json, "parts");
    json_open_list(json);
    for (enum sandbox_part part = 0; part < SANDBOX_PART_COUNT; part++) {
        json_open_map(json);
        json_put_text(json, "name", sandbox_part_name(part));
        json_put_flag(json, "works", findings->facts[part].works);
        json_put_text(json, "against", sandbox_part_purpose(part));
        json_put_text(json, "remark", findings->facts[part].why);
        json_close_map(json);
    }
    json_close_list(json);
    json_put_flag(json, "guarded", is_complete(findings, SANDBOX_GUARDED));
    json_put_flag(json, "sealed", is_complete(findings, SANDBOX_SEALED));
    json_key(json, "timers");
    json_open_list(json);
    for (size_t i = 0; i < ARRAY_LEN(busy_counts); i++) {
        json_open_map(json);
        json_put_number(json, "busy", findings->timers[i].busy);
        json_put_number(json, "median_us", findings->timers[i].median_us);
        json_put_number(json, "p99_us", findings->timers[i].p99_us);
        json_put_number(json, "worst_us", findings->timers[i].worst_us);
        json_close_map(json);
    }
    json_close_list(json);
    json_put_flag(json, "fair_clock", findings->has_waits);
    json_key(json, "advice");
    json_open_map(json);
    json_put_text(json, "contain", best_level(findings));
    json_put_text(json, "seatings", schedule_seatings_names[SCHEDULE_SINGLE]);
    json_put_text(json, "clock", findings->has_waits ? "fair" : "wall");
    json_put_number(json, "workers", findings->cpus);
    json_put_number(json, "move_ms", shortest_move_ms(findings));
    json_close_map(json);
    json_close_map(json);
    bytes = json_writer_bytes(json, &length);
    fwrite(bytes, 1, length, stdout);
    json_writer_free(json);
}

int cli_doctor(int argc, char **argv)
{
    static struct findings findings;
    struct settings settings = {.is_json = false};
    int code;

    if (options_read(&options, argc, argv, &settings, &code) < 0)
        return code;
    if (examine(&findings) != 0)
        return CLI_FAILED;
    if (settings.is_json) {
        print_json(&findings);
    } else {
        print_parts(&findings);
        print_timers(&findings);
        print_advice(&findings);
    }
    return CLI_FINE;
}
