/* A bot of least effort, for benchmarks: always the first legal answer. It reads once and writes
 * once for each question, and looks for nothing but the two lines that it needs. */

#include <string.h>
#include <unistd.h>

#define INPUT_MAX 65536

/* Copies `word` and returns where it ends. */
static char *copy(char *to, const char *word, size_t length)
{
    memcpy(to, word, length);
    return to + length;
}

/* Writes "ID ANSWER\n": the id of the line `ask`, and the beginning of the line `legal`. */
static int reply(const char *ask, const char *legal)
{
    char line[256];
    size_t id_length = strcspn(ask, " \n");
    size_t answer_length = strcspn(legal, "|\n");
    char *end = line;

    if (id_length + answer_length + 2 > sizeof line)
        return -1;
    end = copy(end, ask, id_length);
    *end++ = ' ';
    end = copy(end, legal, answer_length);
    *end++ = '\n';
    return write(STDOUT_FILENO, line, (size_t)(end - line)) == end - line ? 0 : -1;
}

/* Takes all complete lines. Returns how many bytes they have, or -1 at the end. */
static ssize_t take_lines(const char *input)
{
    static char legal[1024];
    const char *start = input;
    const char *end;

    for (; (end = strchr(start, '\n')) != NULL; start = end + 1) {
        size_t length = (size_t)(end + 1 - start);

        if (strncmp(start, "bye", 3) == 0)
            return -1;
        if (strncmp(start, "legal ", 6) == 0 && length < sizeof legal)
            *copy(legal, start + 6, length - 6) = '\0';
        if (strncmp(start, "ask ", 4) == 0 && reply(start + 4, legal) != 0)
            return -1;
    }
    return start - input;
}

int main(void)
{
    static const char hello[] = "hello first legal=on events=off reuse=on\n";
    static char input[INPUT_MAX + 1];
    size_t length = 0;
    ssize_t got;

    if (write(STDOUT_FILENO, hello, sizeof hello - 1) < 0)
        return 1;
    while ((got = read(STDIN_FILENO, input + length, INPUT_MAX - length)) > 0) {
        ssize_t taken;

        length += (size_t)got;
        input[length] = '\0';
        taken = take_lines(input);
        if (taken < 0)
            return 0;
        length -= (size_t)taken;
        memmove(input, input + taken, length);
    }
    return 0;
}
