/* Takes the name of another bot: standings must show the organiser's names. */

#include "hostile.h"

int main(void)
{
    say("hello good legal=on\n");
    wait_for_question();
    keep_playing();
}
