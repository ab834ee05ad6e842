#ifndef REFEREE_SERVE_QUEUE_LEDGER_DESCRIBE_H
#define REFEREE_SERVE_QUEUE_LEDGER_DESCRIBE_H

/* The ledger as others see it: as members of a JSON map for the pages, and as lines of the control
 * protocol. */

#include "serve/queue/ledger.h"
#include "wire/feed_line.h"
#include "wire/json_write.h"

struct ledger_counts {
    unsigned jobs;
    unsigned states[JOB_STATE_COUNT]; /* jobs by state */
    unsigned bots;                    /* names, not versions */
};

/* Whether a version is the newest one of a bot that is not removed. */
bool ledger_describe_is_listed(const struct ledger *ledger, unsigned place);

struct ledger_counts ledger_describe_counts(const struct ledger *ledger);

/* What a list of jobs asks for: a bot, under its own name or that of the job; a kind: `match`,
 * `tournament`, `ladder` for the tables of ladders, or `submitted` for all but these. Everything
 * fits an empty word. */
bool ledger_describe_has_bot(const struct ledger *ledger, const struct job *job, struct span name);
bool ledger_describe_has_kind(const struct job *job, struct span kind);

/* As JSON. `has_bots`: with the bots of the job, too. */
void ledger_describe_job_json(struct json_writer *json, const struct ledger *ledger,
                              const struct job *job, bool has_bots);
void ledger_describe_bot_json(struct json_writer *json, const struct ledger_bot *bot);

/* As "KEY=VALUE …"; as a line of a list, without its end. */
void ledger_describe_job(struct text *text, const struct job *job);
void ledger_describe_job_line(struct text *text, const struct job *job);
void ledger_describe_bot_line(struct text *text, const struct ledger_bot *bot);

/* How a version is run and built, for those who may see it: queue_may_see_bot(). */
void ledger_describe_commands_json(struct json_writer *json, const struct ledger_bot *bot);
void ledger_describe_commands(struct text *text, const struct ledger_bot *bot);

/* "build=RESULT hello=RESULT check=RESULT". */
void ledger_describe_trial(struct text *text, const struct ledger_bot *bot);

/* The event that reported its present state. */
struct feed_line ledger_describe_state(const struct job *job);

#endif
