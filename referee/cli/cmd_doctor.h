#ifndef REFEREE_CLI_CMD_DOCTOR_H
#define REFEREE_CLI_CMD_DOCTOR_H

/* What `referee doctor` measures. */

#include "base/histogram.h"

/* How late timers fire while so many processes compute. */
struct doctor_timers {
    unsigned busy;
    int64_t median_us;
    int64_t p99_us;
    int64_t worst_us;
};

/* Measures timers for about half a second while `busy` processes compute. Returns 0, or -1 with
 * errno. */
int doctor_measure(unsigned busy, struct doctor_timers *timers);

#endif
