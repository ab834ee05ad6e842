/* A log as a page for a browser. The page itself computes the tables, so the log is verified
 * first. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/replay/cmd_replay.h"
#include "web/viewer.h"

/* A page is passed on to others, so its log has to be right, as far as it goes. */
int cmd_replay_html(const char *path)
{
    struct replay *replay = cmd_replay_load(path, NULL, NULL);
    int code = CLI_FAILED;
    struct viewer_content content = {.log = NULL};

    if (replay == NULL)
        return CLI_FAILED;
    content.log = replay_bytes(replay, &content.log_length);
    if (content.log_length > VIEWER_LOG_MAX_BYTES) {
        message_say("%s: too large for a page (64 MiB)", path);
    } else if (cmd_replay_go_to(replay, path, ULONG_MAX) == 0) {
        viewer_write(stdout, &content);
        cmd_replay_say_cut(replay, path);
        code = CLI_FINE;
    }
    replay_free(replay);
    return code;
}
