#ifndef TESTS_HOSTILE_HOSTILE_H
#define TESTS_HOSTILE_HOSTILE_H

/* What the bad bots do well: they say hello, read questions and can give a legal answer. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 2048
#define ANSWER_BYTES 400

/* The last question: its number and the first legal answer to it. */
static char question_id[32];
static char legal_answer[ANSWER_BYTES];

static inline void say(const char *line)
{
    (void)fputs(line, stdout);
    (void)fflush(stdout);
}

/* Reads a line; the end of the input is the end of the program. */
static inline void read_line(char line[LINE_BYTES])
{
    if (fgets(line, LINE_BYTES, stdin) == NULL)
        exit(0);
    line[strcspn(line, "\n")] = '\0';
}

static inline void greet(void)
{
    char line[LINE_BYTES];

    read_line(line);
    say("hello hostile legal=on\n");
}

/* Reads on until it is asked. */
static inline void await_question(void)
{
    char line[LINE_BYTES];

    for (;;) {
        read_line(line);
        if (sscanf(line, "ask %31s", question_id) == 1)
            return;
        (void)sscanf(line, "legal %399[^|]", legal_answer);
    }
}

static inline void answer(void)
{
    (void)printf("%s %s\n", question_id, legal_answer);
    (void)fflush(stdout);
}

/* Answers the open question and every later one. */
static inline _Noreturn void play_on(void)
{
    for (;;) {
        answer();
        await_question();
    }
}

/* Waits for ever, whatever happens to its input. */
static inline _Noreturn void stay(void)
{
    for (;;)
        (void)pause();
}

#endif
