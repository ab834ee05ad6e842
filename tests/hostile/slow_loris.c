/* Answers one byte at a time, with a pause before each. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        for (const char *at = question_id; *at != '\0'; at++) {
            (void)putchar(*at);
            (void)fflush(stdout);
            (void)usleep(300000);
        }
        for (;;) {
            say(" ");
            (void)usleep(300000);
        }
    }
}
