/* Leaves a note for its next match wherever it can write, and looks for the note of its last one.
 * */

#include "attack.h"

#include <limits.h>

static const char *const folders[] = {"/tmp", "/var/tmp", "/dev/shm", "/run/lock", "."};

static int open_note(const char *folder, int flags)
{
    char path[PATH_MAX];

    (void)snprintf(path, sizeof path, "%s/hostile-note", folder);
    return open(path, flags | O_CLOEXEC, 0600);
}

int main(void)
{
    size_t count = sizeof folders / sizeof folders[0];

    start_attack();
    (void)note_result("a note in its scratch folder", open_note(scratch_folder(), O_RDONLY));
    for (size_t i = 0; i < count; i++)
        (void)note_result(folders[i], open_note(folders[i], O_RDONLY));
    (void)open_note(scratch_folder(), O_WRONLY | O_CREAT);
    for (size_t i = 0; i < count; i++)
        (void)open_note(folders[i], O_WRONLY | O_CREAT);
    report_and_keep_playing();
}
