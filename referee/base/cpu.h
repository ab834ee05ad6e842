#ifndef REFEREE_BASE_CPU_H
#define REFEREE_BASE_CPU_H

/* The cores of this machine. */

#define CPU_MAX 1024

/* The cores that this process may use, lowest first; at most CPU_MAX. Returns how many there are; 0
 * if that is unknown. */
unsigned cpu_list(int cpus[CPU_MAX]);

/* The core that this thread runs on now; -1 if that is unknown. */
int cpu_current(void);

/* Keeps this process, and what it starts from now on, on one core; -1 changes nothing. */
void cpu_pin(int cpu);

#endif
