/* Tries to read files that belong to root. */

#include "attack.h"

int main(void)
{
    start_attack();
    (void)note_result("/etc/shadow", open("/etc/shadow", O_RDONLY | O_CLOEXEC));
    (void)note_result("/root", open("/root", O_RDONLY | O_CLOEXEC | O_DIRECTORY));
    report_and_keep_playing();
}
