/* Writes its lines one byte at a time. */

#include "hostile.h"

int main(void)
{
    (void)setvbuf(stdout, NULL, _IONBF, 0);
    greet();
    for (;;) {
        await_question();
        for (const char *at = question_id; *at != '\0'; at++)
            (void)putchar(*at);
        (void)putchar(' ');
        for (const char *at = legal_answer; *at != '\0'; at++)
            (void)putchar(*at);
        (void)putchar('\n');
    }
}
