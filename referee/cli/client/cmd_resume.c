/* `referee resume` queues jobs again that are paused or have failed. */

#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/client/each_job.h"

#include <stdint.h>

static const struct option_row rows[] = {
    {.group = dial_rows},
    {.name = NULL},
};

static const struct options options = {
    .command = "resume",
    .usage = "[OPTION...] JOB...",
    .purpose =
        "Queues jobs again that are paused or have failed. What is decided is not played again.\n",
    .examples = "  referee resume 17\n",
    .rows = rows,
    .takes = "the numbers of jobs, which `referee queue --all` shows",
    .least = 1,
    .most = SIZE_MAX,
};

int cli_resume(int argc, char **argv)
{
    return each_job_ask(&options, REQUEST_RESUME, argc, argv);
}
