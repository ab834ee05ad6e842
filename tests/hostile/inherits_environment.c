/* Looks into its own environment for what the organiser keeps secret. */

#include "attack.h"

int main(void)
{
    await_moment();
    if (getenv("HOSTILE_SECRET") != NULL)
        (void)tried("a secret of the organiser", 0);
    conclude_and_play_on();
}
