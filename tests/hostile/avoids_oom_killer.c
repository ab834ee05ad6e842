/* Tries to exempt itself from the kernel's OOM killer. */

#include "attack.h"

int main(void)
{
    int fd;

    start_attack();
    fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (note_result("", fd))
        (void)note_result("an exemption from the OOM killer", write(fd, "-1000", 5));
    report_and_keep_playing();
}
