/* A log as a page for a browser. The page itself computes the tables, so the log is verified
 * first. */

#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/replay/cmd_replay.h"
#include "web/viewer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_LOG_MAX_BYTES (64L << 20)

static char *read_log(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    long size = -1;
    char *bytes = NULL;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0) {
        message_say("%s: %s", path, strerror(errno));
    } else if (size > PAGE_LOG_MAX_BYTES) {
        message_say("%s: too large for a page (64 MiB)", path);
    } else {
        rewind(file);
        bytes = xcalloc((size_t)size + 1, 1);
        *length = fread(bytes, 1, (size_t)size, file);
    }
    if (file != NULL)
        fclose(file);
    return bytes;
}

/* A page is passed on to others, so its log has to verify. */
static bool is_right(const char *path, const char *bytes, size_t length)
{
    char message[1300];
    struct text problem;
    struct replay *replay;
    int result = 1;

    text_start(&problem, message, sizeof message);
    replay = replay_read(bytes, length, NULL, NULL, &problem);
    while (replay != NULL && result > 0)
        result = replay_next(replay, &problem);
    if (replay == NULL || result < 0)
        message_say("%s: %s", path, message);
    replay_free(replay);
    return result == 0;
}

int cmd_replay_html(const char *path)
{
    size_t length = 0;
    char *bytes = read_log(path, &length);
    int code = CLI_FAILED;

    if (bytes != NULL && is_right(path, bytes, length)) {
        viewer_write(stdout, bytes, length);
        code = CLI_FINE;
    }
    free(bytes);
    return code;
}
