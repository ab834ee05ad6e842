/* Tries to open the referee's memory through /proc. */

#include "attack.h"

int main(void)
{
    start_attack();
    (void)note_result("the memory of the referee", open_proc(referee_pid(), "mem"));
    (void)note_result("the mappings of the referee", open_proc(referee_pid(), "maps"));
    report_and_keep_playing();
}
