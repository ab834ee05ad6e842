#ifndef TESTS_SUPPORT_BENCH_BOT_H
#define TESTS_SUPPORT_BENCH_BOT_H

/* A bot that does as little as possible: it reads a question, writes the first legal answer, and
 * needs one read and one write per question. */

/* Answers until its input ends. `before_answer`, unless NULL, is called between question and
 * answer. Returns the exit code of the program. */
int bench_bot_run(void (*before_answer)(void));

#endif
