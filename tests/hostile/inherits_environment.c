/* Looks for a secret of the organiser in its own environment. */

#include "attack.h"

int main(void)
{
    start_attack();
    if (getenv("HOSTILE_SECRET") != NULL)
        (void)note_result("a secret of the organiser", 0);
    report_and_keep_playing();
}
