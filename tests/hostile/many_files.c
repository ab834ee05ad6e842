/* Leaves 3000 small files in its scratch folder. */

#include "attack.h"

#include <limits.h>

#define FILES 3000

int main(void)
{
    char path[PATH_MAX];

    require_limits();
    start_attack();
    for (int i = 0; i < FILES; i++) {
        int fd;

        (void)snprintf(path, sizeof path, "%s/hostile-%d", scratch_folder(), i);
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            break;
        (void)!write(fd, path, strlen(path));
        (void)close(fd);
    }
    keep_playing();
}
