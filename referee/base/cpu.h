#ifndef REFEREE_BASE_CORE_H
#define REFEREE_BASE_CORE_H

/* The cores of this machine. */

#define CORE_MAX 1024

/* The cores that this process may use, lowest first; at most CORE_MAX. Returns how many, 0 if that cannot
 * be told. */
unsigned core_list(int cores[CORE_MAX]);

/* Keeps this process, and what it starts from now on, on one core; -1: as it is. */
void core_stay_on(int core);

#endif
