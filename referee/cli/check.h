#ifndef REFEREE_CLI_CHECK_H
#define REFEREE_CLI_CHECK_H

/* What the files of `referee check` share: the scenarios (check_scenarios.c), one match of one of them
 * (check_play.c) with what is decided beforehand (check_script.c), what the bot has met so far
 * (check_coverage.c), what a fault most likely comes of (check_advice.c), and the report
 * (check_report.c). */

#include "base/spread.h"
#include "bot/command.h"
#include "bot/contain.h"
#include "game/table.h"
#include "match/match.h"
#include "match/roughen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One kind of match. */
struct check_scenario {
    const char *name;
    const char *rules; /* changes, "key=value key=value"; NULL: none */
    enum rules_edition edition;
    unsigned seats;
    unsigned seat;       /* of the bot; the other seats answer at random */
    unsigned roughness;  /* a sum of enum roughness */
    enum question opens; /* its first question, all before it being given; QUESTION_NONE: its own */
    bool has_own_rules;  /* its changes make another game: not for a bot of one edition */
    bool has_quitter;    /* its left neighbour is dismissed on the way */
    bool is_twice;       /* two matches in one process, if the bot offers that */
    bool is_courtesy;    /* the referee never does that: a fault is only worth a look */
    bool is_rich;        /* has everything in it, so it is played again for what is missing */
};

size_t check_scenario_count(void);
const struct check_scenario *check_scenario_at(size_t index);

/* What a bot should have met once. The questions come first, by their own numbers. */
enum check_need {
    NEED_FIRST = QUESTION_REVEAL,
    NEED_REFUSABLE = QUESTION_COUNT, /* asked to clear what it may leave */
    NEED_CHOICE,                     /* asked which of several triples it clears */
    NEED_BIDDING,                    /* a second bidding round */
    NEED_PRIVATE,                    /* a hand card that it may not see */
    NEED_RESHUFFLE,
    NEED_FINAL,
    NEED_ROUND,     /* a second round */
    NEED_DISMISSED, /* somebody else was dismissed */
    NEED_COUNT,
};

struct check_coverage {
    unsigned long needs[NEED_COUNT]; /* questions that it answered so */
    unsigned editions;               /* masks */
    unsigned sizes;
};

/* A few words for a list; NULL for QUESTION_NONE, which nobody needs. */
const char *check_need_words(enum check_need need);

/* The seat has answered the question that is open at the table. */
void check_cover(struct check_coverage *coverage, const struct table *table, unsigned seat,
                 bool is_one_dismissed);
bool check_is_covered(const struct check_coverage *coverage);

/* What a fault most likely comes of, beyond the outcome itself. */
enum check_cause {
    CAUSE_UNKNOWN,
    CAUSE_BUFFER,
    CAUSE_SECOND_MATCH,
    CAUSE_PIECES,
    CAUSE_PAUSE,
    CAUSE_NOTICES,
    CAUSE_WORDS,
    CAUSE_CRLF,
    CAUSE_DISMISSED,
    CAUSE_ROUND,
    CAUSE_COUNT,
};

/* One fault of the bot, with all that its author needs. Texts are its own. */
struct check_finding {
    const struct check_scenario *scenario;
    enum rules_edition edition;
    enum bot_outcome outcome;
    enum question question; /* QUESTION_NONE: the hello */
    enum check_cause cause;
    bool was_in_buffer;
    bool is_second_match;
    bool is_one_dismissed;
    bool has_played; /* before it, another scenario went well */
    unsigned round;
    unsigned also; /* so many more scenarios ended in the same way */
    char *lines;   /* the last ones, `>` to the bot and `<` from it */
    char *line;
    char *words;
    char *ending;
    char *stderr_tail;
};

void check_finding_clear(struct check_finding *finding);

/* Whether two faults are most likely one mistake: an illegal answer to the same question, or the same
 * trouble at any question. */
bool check_is_same(const struct check_finding *one, const struct check_finding *other);

/* Decides it from what the scenario did to the bot and from the findings before: what went wrong
 * without that treatment too does not come of it. */
enum check_cause check_find_cause(const struct check_finding *finding,
                                  const struct check_finding *before, size_t count);

const char *check_cause_name(enum check_cause cause);

/* What to do, in one or two sentences; "" for CAUSE_UNKNOWN. */
const char *check_cause_advice(enum check_cause cause);
const char *check_outcome_advice(enum bot_outcome outcome);

/* Everything about one call. */
struct check {
    struct event_base *base;
    struct command command;
    struct contain *contain;
    const char *seed;
    long move_ms;
    long start_ms;
    bool has_edition; /* then only that one */
    enum rules_edition edition;
    bool is_json;

    unsigned matches;
    struct line_wishes wishes; /* of its hello, once it has played a match */
    bool has_hello;
    struct check_coverage coverage;
    struct check_finding *findings;
    size_t finding_count;
    char **remarks; /* sentences about what is worth a look */
    size_t remark_count;
    size_t fine_count;
    const struct check_scenario **fine; /* that it played without a fault */
    unsigned waits;                     /* faults that took all their time */
    int64_t start_us;                   /* the longest */
    int64_t charged_us;                 /* for all answers together */
    struct spread times;
    int64_t slowest_us;
    enum question slowest_question;
};

/* Adds a remark, unless it was made before. */
void check_remark(struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the bot has used so much time already that the rest is to be short. */
bool check_is_slow(const struct check *check);

/* Plays a scenario, the `attempt`th time (from 0) with other cards and opponents. Returns 0, or -1 if
 * something went wrong that is not the bot's fault, after saying so. */
int check_play(struct check *check, const struct check_scenario *scenario, unsigned attempt);

/* The rules of a scenario as it is played. A slow bot plays short rounds. */
struct rules check_rules(const struct check *check, const struct check_scenario *scenario);

/* Answers that lead from the deal to a question of one seat; none if there is no such question. */
struct check_script {
    struct answer *answers;
    unsigned *seats;
    size_t count;
    size_t next;             /* to be given */
    unsigned long decisions; /* that they make */
};

/* Plays with random answers until `seat` is asked `question`. Returns 0, or -1 if that never happens. */
int check_script_find(struct check_script *script, const struct match_setup *setup, unsigned seat,
                      enum question question);
void check_script_free(struct check_script *script);

void check_report_print(const struct check *check);
void check_report_print_json(const struct check *check);

#endif
