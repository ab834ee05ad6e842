/* Writes its lines one byte at a time, which is allowed. */

#include "hostile.h"

int main(void)
{
    (void)setvbuf(stdout, NULL, _IONBF, 0);
    say_hello();
    for (;;) {
        wait_for_question();
        for (const char *at = question_id; *at != '\0'; at++)
            (void)putchar(*at);
        (void)putchar(' ');
        for (const char *at = legal_answer; *at != '\0'; at++)
            (void)putchar(*at);
        (void)putchar('\n');
    }
}
