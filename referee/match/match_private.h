#ifndef REFEREE_MATCH_MATCH_PRIVATE_H
#define REFEREE_MATCH_MATCH_PRIVATE_H

/* What the files of a match share and nobody else sees: match_setup.c brings it up to its first
 * question, match.c plays it, match_result.c finds its result. */

#include "game/legal.h"
#include "match/match.h"
#include "match/seat_stream.h"

/* What a match knows about a seat. */
struct match_seat {
    struct seat_stream *stream;
    struct bot_line_hello hello;
    enum bot_outcome fault; /* BOT_ANSWERED while it plays */
    unsigned long fault_at; /* the decision in which it was dismissed */
    int64_t bank_us;
    int64_t charged_us;
    int64_t slowest_us;
    struct histogram times;

    /* Its answer to the open question; or how it failed, until the question is settled. */
    struct match_reply *failure;
    struct allegra_answer answer;
    bool is_autopilot;
    bool is_given;
    struct bot_time time;
    unsigned say_count;
    char says[BOT_LINE_SAYS_MAX][BOT_LINE_SAY_MAX + 1];
};

struct match {
    struct match_setup setup;
    struct match_ports ports;
    struct allegra_table table;
    struct match_seat seats[ALLEGRA_SEATS_MAX];
    struct log_record_writer *records;
    struct allegra_shuffler shuffler;
    unsigned hellos_missing;
    unsigned waiting; /* mask of the seats whose answer is still to come */
    unsigned asked;   /* mask of the seats of the open question */
    unsigned long decisions;
    unsigned long answers;
    uint8_t places[ALLEGRA_SEATS_MAX];
    bool is_over;
    struct allegra_events events;
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
