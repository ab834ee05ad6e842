/* Answers one byte at a time, with a pause after each. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
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
