/* A log as a page for a browser. The page works out the tables by itself; so the log is played by the
 * rules first, and only one that is right becomes a page. */

#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/replay/cmd_replay.h"
#include "web/viewer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A file larger than this is no log for a browser. */
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
        message_say("%s: it is too large for a page", path);
    } else {
        rewind(file);
        bytes = xcalloc((size_t)size + 1, 1);
        *length = fread(bytes, 1, (size_t)size, file);
    }
    if (file != NULL)
        fclose(file);
    return bytes;
}

/* Plays the log to its end, because a page is passed on and should be true. */
static bool is_right(const char *path, const char *bytes, size_t length)
{
    char words[1300];
    struct text problem;
    struct replay *replay;
    int result = -1;

    text_start(&problem, words, sizeof words);
    replay = replay_read(bytes, length, NULL, NULL, &problem);
    if (replay != NULL) {
        do
            result = replay_next(replay, &problem);
        while (result > 0);
    }
    replay_free(replay);
    if (result != 0)
        replay_say_wrong(path, words);
    return result == 0;
}

int replay_html(const char *path)
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
