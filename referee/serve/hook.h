#ifndef REFEREE_SERVE_HOOK_H
#define REFEREE_SERVE_HOOK_H

/* The command that the owner's settings name in `on_result`: it is run when a job is over, and gets
 * the job as JSON on stdin, for mail or chat. Nobody else can name a command, and no text of a user
 * becomes part of it. At most HOOK_AT_ONCE run at a time, each for at most `on_result_ms`; up to
 * HOOK_WAITING_MAX wait, and further ones are dropped. What goes wrong is reported, and has no
 * other effect.
 *
 * At most once: what waits or runs when the daemon ends is not run again. */

#include "serve/queue/queue.h"

#define HOOK_AT_ONCE 2
#define HOOK_WAITING_MAX 1000

struct hook;

/* `queue` is lent; its settings say which command, at the time when a job is over. */
struct hook *hook_new(struct event_base *base, struct queue *queue);

/* Kills what still runs. NULL is fine. Before the queue is freed. */
void hook_free(struct hook *hook);

#endif
