#ifndef TESTS_HOSTILE_HOSTILE_H
#define TESTS_HOSTILE_HOSTILE_H

/* What the hostile bots do right: they say hello, read questions and can give a legal answer. */

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

/* Reads a line. Ends the program at the end of the input. */
static inline void read_line(char line[LINE_BYTES])
{
    if (fgets(line, LINE_BYTES, stdin) == NULL)
        exit(0);
    line[strcspn(line, "\n")] = '\0';
}

static inline void say_hello(void)
{
    char line[LINE_BYTES];

    read_line(line);
    say("hello hostile legal=on\n");
}

/* Reads lines up to the next question. */
static inline void wait_for_question(void)
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

/* Answers the open question and all later ones. */
static inline _Noreturn void keep_playing(void)
{
    for (;;) {
        answer();
        wait_for_question();
    }
}

/* Never returns, even when the input ends. */
static inline _Noreturn void wait_forever(void)
{
    for (;;)
        (void)pause();
}

#endif
