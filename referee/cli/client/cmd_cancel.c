/* `referee cancel` removes jobs from the daemon's queue, or stops them. */

#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/client/each_job.h"

#include <stdint.h>

static const struct option_row rows[] = {
    {.group = dial_rows},
    {.name = NULL},
};

static const struct options options = {
    .command = "cancel",
    .usage = "[OPTION...] JOB...",
    .purpose =
        "Takes jobs out of the daemon's queue, or stops them. Results that are decided stay.\n",
    .examples = "  referee cancel 17\n",
    .rows = rows,
    .takes = "the numbers of jobs, which `referee queue` shows",
    .least = 1,
    .most = SIZE_MAX,
};

int cli_cancel(int argc, char **argv)
{
    return each_job_ask(&options, REQUEST_CANCEL, argc, argv);
}
