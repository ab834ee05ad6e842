#ifndef TESTS_SUPPORT_BENCH_BOT_H
#define TESTS_SUPPORT_BENCH_BOT_H

/* A least-effort bot: a burst of lines in, the first legal answer out, one read and one write for each
 * question. */

/* Answers until its input ends. `before_answer` is called between question and answer, or is NULL.
 * Returns the exit code of the program. */
int bench_bot_run(void (*before_answer)(void));

#endif
