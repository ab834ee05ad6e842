/* Tries to read the stores that lie in its own folder, beside its program and further down: by
 * their paths, by a link, and by the ways that /proc has to its current folder and its program. */

#include "attack.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>

static const char *const stores[] = {"cup", "sub/folder/cup", "link"};
static const char *const secrets[] = {"", "master", "results.ndjson", "open/000001/01.ndjson"};

static void read_secrets(const char *folder)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        for (size_t j = 0; j < sizeof secrets / sizeof secrets[0]; j++) {
            (void)snprintf(path, sizeof path, "%s/%s/%s", folder, stores[i], secrets[j]);
            (void)note_result(path, open(path, O_RDONLY | O_CLOEXEC));
        }
    }
}

int main(int argc, char **argv)
{
    char original[PATH_MAX] = "";
    char copy[PATH_MAX] = "";

    start_attack();
    (void)snprintf(original, sizeof original, "%s", folder_argument(argc, argv));
    if (readlink("/proc/self/exe", copy, sizeof copy - 1) < 0)
        copy[0] = '\0';
    read_secrets(original);
    read_secrets(dirname(copy));
    read_secrets(".");
    read_secrets("/proc/self/cwd");
    report_and_keep_playing();
}
