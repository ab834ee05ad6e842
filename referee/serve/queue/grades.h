#ifndef REFEREE_SERVE_QUEUE_GRADES_H
#define REFEREE_SERVE_QUEUE_GRADES_H

/* Grades of users, from the standings of jobs: one job in detail, or a season of several. In each
 * job the best bot of a user counts. Its points are the percentage of the other users whose best
 * bot it is placed before; equal places count half. So the first one has 100 and the last one 0,
 * however many took part. The points of a season are the mean over its jobs; whoever was not in a
 * job has 0 there. Bots of the owner, and programs that only a tournament file names, are not
 * graded. A bot that is disqualified or was removed has no place. */

#include "serve/queue/queue.h"
#include "serve/queue/users.h"

#define GRADES_JOBS_MAX 200

enum grades_format { GRADES_TEXT, GRADES_CSV, GRADES_JSON, GRADES_FORMAT_COUNT };

/* "text", "csv", "json". */
extern const char *const grades_format_names[GRADES_FORMAT_COUNT];

struct grades_request {
    unsigned jobs[GRADES_JOBS_MAX];
    unsigned count;
    enum grades_format format;
};

/* Reads the numbers of jobs, "3,7,9", and the name of a format, or NULL for text. Returns 0, or -1
 * with an error. */
int grades_read(struct grades_request *request, struct span jobs, const char *format,
                struct request_error *error);

/* Makes the table. Only organisers may read it, because of the ids of users. All jobs must be over.
 * Returns it, with its length, or NULL with an error. Free it. */
char *grades_make(const struct queue *queue, const struct users *users,
                  const struct grades_request *request, size_t *length,
                  struct request_error *error);

#endif
