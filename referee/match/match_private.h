#ifndef REFEREE_MATCH_MATCH_PRIVATE_H
#define REFEREE_MATCH_MATCH_PRIVATE_H

/* What the files of a match share and nobody else sees: match_start.c brings it up to its first
 * question, match.c plays it, match_end.c finds its result. */

#include "game/legal.h"
#include "match/match.h"
#include "match/scribe.h"

/* What a match knows about a seat. */
struct seat {
    struct scribe *scribe;
    struct line_hello hello;
    enum bot_outcome fault; /* BOT_ANSWERED while it plays */
    unsigned long fault_at; /* the decision in which it was dismissed */
    int64_t bank_us;
    int64_t charged_us;
    int64_t slowest_us;
    struct spread times;

    /* Its answer to the open question; or how it failed, until the question is settled. */
    struct match_reply *failure;
    struct answer answer;
    bool is_autopilot;
    bool is_given;
    struct bot_time time;
    unsigned say_count;
    char says[LINE_SAYS_MAX][LINE_SAY_MAX + 1];
};

struct match {
    struct match_setup setup;
    struct match_ports ports;
    struct table table;
    struct seat seats[RULES_SEATS_MAX];
    struct record_writer *records;
    struct shuffler shuffler;
    unsigned hellos_missing;
    unsigned waiting; /* mask of the seats whose answer is still to come */
    unsigned asked;   /* mask of the seats of the open question */
    unsigned long decisions;
    unsigned long answers;
    uint8_t places[RULES_SEATS_MAX];
    bool is_over;
    struct events events;
};

static inline bool match_is_playing(const struct match *match, unsigned seat)
{
    return match->seats[seat].fault == BOT_ANSWERED;
}

static inline void match_write(struct match *match, const char *record, size_t length)
{
    match->ports.log(match->ports.context, record, length);
}

/* A copy of a failure and its texts, because a question is settled later than it fails. */
void match_keep_failure(struct match *match, unsigned seat, const struct match_reply *reply);

/* The bot of a seat whose failure was kept is out of the match. */
void match_dismiss(struct match *match, unsigned seat, bool is_hello);

/* The others hear that the bot of `out` is out. */
void match_tell_dismissed(struct match *match, unsigned out);

/* All who play, and those who watch, hear what has just happened. */
void match_tell_events(struct match *match);

/* Plays on as long as nobody has to be waited for. */
void match_go_on(struct match *match);

/* The table says that it is over: places, results, farewells. */
void match_finish(struct match *match);

#endif
