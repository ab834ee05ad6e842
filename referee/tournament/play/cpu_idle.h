#ifndef REFEREE_TOURNAMENT_PLAY_CPU_IDLE_H
#define REFEREE_TOURNAMENT_PLAY_CPU_IDLE_H

/* How much of the time a core is idle. */

#include <stdint.h>

struct cpu_idle {
    int cpu;
    uint64_t idle_ticks;
    uint64_t all_ticks;
};

/* Starts to watch a core. Returns 0, or -1 if the machine does not say. */
int cpu_idle_start(struct cpu_idle *idle, int cpu);

/* The share of the time since the last call (or the start) in which the core was idle; 0 if that is
 * not known. */
double cpu_idle_share(struct cpu_idle *idle);

#endif
