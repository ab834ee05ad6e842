/* Calls itself like the bot at the next seat: tables have the names of the organiser. */

#include "hostile.h"

int main(void)
{
    say("hello good legal=on\n");
    await_question();
    play_on();
}
