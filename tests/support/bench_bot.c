/* The loop of a bot that wants no more than `legal` and `ask` of each burst. */

#include "support/bench_bot.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES 65536

/* The line that begins with `word` nearest to the end; NULL if there is none. */
static const char *last_line(const char *bytes, size_t length, const char *word)
{
    size_t size = strlen(word);

    for (size_t i = length; i-- > 0;) {
        bool is_start = i == 0 || bytes[i - 1] == '\n';

        if (is_start && i + size <= length && memcmp(bytes + i, word, size) == 0)
            return bytes + i;
    }
    return NULL;
}

static size_t append(char *to, const char *from, const char *ends)
{
    size_t length = strcspn(from, ends);

    memcpy(to, from, length);
    return length;
}

/* Answers the question at the end of the burst, if there is one. */
static void answer(const char *bytes, size_t length, void (*before_answer)(void))
{
    const char *ask = last_line(bytes, length, "ask ");
    const char *legal = last_line(bytes, length, "legal ");
    char line[300];
    size_t used;

    if (ask == NULL || legal == NULL)
        return;
    if (before_answer != NULL)
        before_answer();
    used = append(line, ask + 4, " ");
    line[used++] = ' ';
    used += append(line + used, legal + 6, "|\n");
    line[used++] = '\n';
    if (write(STDOUT_FILENO, line, used) < 0)
        _exit(1);
}

int bench_bot_run(void (*before_answer)(void))
{
    static const char hello[] = "hello first legal=on events=off reuse=on\n";
    static char bytes[BUFFER_BYTES + 1];
    size_t length = 0;
    bool has_greeted = false;

    for (;;) {
        ssize_t count = read(STDIN_FILENO, bytes + length, BUFFER_BYTES - length);

        if (count <= 0)
            return 0;
        length += (size_t)count;
        bytes[length] = '\0';
        if (bytes[length - 1] != '\n')
            continue;
        if (has_greeted)
            answer(bytes, length, before_answer);
        else if (write(STDOUT_FILENO, hello, sizeof hello - 1) < 0)
            return 1;
        has_greeted = true;
        length = 0;
    }
}
