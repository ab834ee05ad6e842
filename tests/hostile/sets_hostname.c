/* Tries to set the hostname, to the name that it already has. */

#include "attack.h"

int main(void)
{
    char name[256];

    start_attack();
    if (note_result("", gethostname(name, sizeof name)))
        (void)note_result("the hostname", sethostname(name, strlen(name)));
    report_and_keep_playing();
}
