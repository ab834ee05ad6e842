/* The loop of a bot that uses only the `legal` and `ask` lines. A question usually arrives in one
 * piece, so there is one read and one write per question. */

#include "support/bench_bot.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES 65536
#define ANSWER_BYTES 64

struct bench_bot {
    void (*before_answer)(void);
    char answer[ANSWER_BYTES]; /* the first one of the last `legal` line, with a newline */
    size_t answer_length;
};

static bool begins_with(const char *line, size_t length, const char *word)
{
    size_t size = strlen(word);

    return length >= size && memcmp(line, word, size) == 0;
}

static void keep_answer(struct bench_bot *bot, const char *answers)
{
    size_t length = strcspn(answers, "|\n");

    if (length + 1 > sizeof bot->answer)
        _exit(1);
    memcpy(bot->answer, answers, length);
    bot->answer[length] = '\n';
    bot->answer_length = length + 1;
}

static void write_all(const char *bytes, size_t length)
{
    if (write(STDOUT_FILENO, bytes, length) != (ssize_t)length)
        _exit(1);
}

static void reply(const struct bench_bot *bot, const char *id)
{
    char line[ANSWER_BYTES + 32];
    size_t length = strcspn(id, " \n");

    if (length > 20)
        _exit(1);
    if (bot->before_answer != NULL)
        bot->before_answer();
    memcpy(line, id, length);
    line[length] = ' ';
    memcpy(line + length + 1, bot->answer, bot->answer_length);
    write_all(line, length + 1 + bot->answer_length);
}

static void handle_line(struct bench_bot *bot, const char *line, size_t length)
{
    static const char hello[] = "hello first legal=on events=off reuse=on\n";

    if (begins_with(line, length, "legal "))
        keep_answer(bot, line + strlen("legal "));
    else if (begins_with(line, length, "ask "))
        reply(bot, line + strlen("ask "));
    else if (begins_with(line, length, "allegra "))
        write_all(hello, sizeof hello - 1);
}

/* Handles all complete lines and returns their length in bytes. */
static size_t handle_lines(struct bench_bot *bot, const char *bytes, size_t length)
{
    size_t done = 0;
    const char *end;

    while ((end = memchr(bytes + done, '\n', length - done)) != NULL) {
        size_t size = (size_t)(end - (bytes + done)) + 1;

        handle_line(bot, bytes + done, size);
        done += size;
    }
    return done;
}

int bench_bot_run(void (*before_answer)(void))
{
    static char bytes[BUFFER_BYTES];
    struct bench_bot bot = {.before_answer = before_answer};
    size_t length = 0;

    for (;;) {
        ssize_t count = read(STDIN_FILENO, bytes + length, sizeof bytes - length);
        size_t done;

        if (count <= 0)
            return 0;
        length += (size_t)count;
        done = handle_lines(&bot, bytes, length);
        memmove(bytes, bytes + done, length - done);
        length -= done;
    }
}
