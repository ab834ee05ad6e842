/* Tries to be told when somebody else opens a system file. */

#include "attack.h"

#include <sys/fanotify.h>
#include <sys/inotify.h>

int main(void)
{
    int folder = open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int watch;

    start_attack();
    watch = inotify_init1(IN_CLOEXEC);
    (void)note_result("", watch);
    (void)note_result("inotify", inotify_add_watch(watch, "/etc", IN_OPEN));
    (void)note_result("dnotify", fcntl(folder, F_NOTIFY, DN_ACCESS));
    (void)note_result("fanotify", fanotify_init(FAN_CLOEXEC | FAN_REPORT_FID, O_RDONLY));
    report_and_keep_playing();
}
