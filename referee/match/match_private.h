#ifndef REFEREE_MATCH_MATCH_PRIVATE_H
#define REFEREE_MATCH_MATCH_PRIVATE_H

/* Shared by the files of a match: match_setup.c brings it to its first question, match.c plays it,
 * match_result.c finds its result. */

#include "game/allegra.h"
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
    struct seat_reply reply;
    struct bot_time time;
    bool is_autopilot;
    bool is_given;
    struct bot_failure *failure; /* with texts of its own; or NULL */
};

struct match {
    struct match_setup setup;
    struct match_ports ports;
    struct allegra_table table;
    struct allegra_table asked_table; /* as it was when the question was opened */
    struct luck luck;                 /* if the setup wants it measured */
    struct match_seat seats[ALLEGRA_SEATS_MAX];
    struct log_record_writer *records;
    struct allegra_shuffler shuffler;
    unsigned hellos_missing;
    enum allegra_question question; /* that is open */
    unsigned asked;                 /* mask of the seats that it is put to */
    unsigned waiting;               /* mask of those whose answer is still to come */
    unsigned applied;               /* mask of those whose answer the table has taken */
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

/* A time as the log has it. */
struct log_record_time match_time_record(const struct bot_time *time);

/* A copy of a failure and its texts, because a question is settled later than it fails. */
void match_keep_failure(struct match *match, unsigned seat, const struct bot_failure *failure);

/* A seat said hello or failed to; with the last one the match begins. */
void match_hello_came(struct match *match);

/* The bot of a seat whose failure was kept is out of the match. */
void match_dismiss(struct match *match, unsigned seat, bool is_hello);

/* Tells the other bots that the bot of `out` was dismissed. */
void match_tell_dismissed(struct match *match, unsigned out);

/* Tells all bots that play, and the observer, what has just happened. */
void match_tell_events(struct match *match);

/* Continues until an answer has to be awaited. */
void match_continue(struct match *match);

/* Count the deal, and what the answers to the question that is being settled left to chance, if the
 * match measures luck. */
void match_count_deal(struct match *match);
void match_count_answers(struct match *match);

/* The table says that the match is over: finds the places, writes the results. */
void match_finish(struct match *match);

#endif
