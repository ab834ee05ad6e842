#ifndef REFEREE_CLI_REVIEW_CMD_REVIEW_H
#define REFEREE_CLI_REVIEW_CMD_REVIEW_H

/* What the files of `referee review` share. */

#include "match/review.h"
#include "wire/json_write.h"

#include <stdbool.h>
#include <stdio.h>

#define CMD_REVIEW_NO_SEAT (-1)
#define CMD_REVIEW_WORST 5 /* decisions in the summary */

struct cmd_review_settings {
    int seat;         /* whose decisions are judged, or CMD_REVIEW_NO_SEAT: all */
    double budget_s;  /* for each seat and round */
    unsigned samples; /* 0: as many as the budget allows */
    unsigned seed;
    bool is_json;
    bool is_html;
};

/* One review. Everything is lent. */
struct cmd_review {
    const struct cmd_review_settings *settings;
    const char *path;
    const struct replay *replay;
    const struct review *review;
};

/* What the decisions of some bots cost per round, so that a figure can be compared. */
struct cmd_review_typical {
    const char *bot;
    double points;
};

#define CMD_REVIEW_TYPICAL 3
extern const struct cmd_review_typical cmd_review_typical[CMD_REVIEW_TYPICAL];

/* What a person reads first. */
void cmd_review_print(FILE *file, const struct cmd_review *command);

/* One document with everything. */
void cmd_review_write_json(struct json_writer *json, const struct cmd_review *command);

/* The part of it that the page of the viewer needs. */
void cmd_review_write_page_data(struct json_writer *json, const struct cmd_review *command);

/* Whether the decisions of a seat were judged. */
bool cmd_review_is_judged(const struct cmd_review *command, unsigned seat);

/* How many answers of a seat are of that kind. */
unsigned cmd_review_count(const struct review *review, unsigned seat, enum review_kind kind);

/* The names of the seats, and the place of one, 1 for the best; 0 if the log has no end. */
const char *cmd_review_name(const struct cmd_review *command, unsigned seat);
unsigned cmd_review_place(const struct cmd_review *command, unsigned seat);

/* Adds the table that was asked as a position. */
void cmd_review_write_position(struct text *text, const struct review_answer *answer);

#endif
