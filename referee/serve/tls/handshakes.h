#ifndef REFEREE_SERVE_TLS_HANDSHAKES_H
#define REFEREE_SERVE_TLS_HANDSHAKES_H

/* How many handshakes there may be. One costs the daemon far more than the connection, and a client
 * next to nothing, so a flood of them would leave no time for others. */

#include <stdbool.h>
#include <stdint.h>

#define HANDSHAKES_ORIGIN_BYTES 16
#define HANDSHAKES_BURST_S 5 /* so many seconds' worth may come at once */

/* Per second. */
struct handshakes_limits {
    long per_address;
    long in_all;
};

struct handshakes;

struct handshakes *handshakes_new(void);
void handshakes_free(struct handshakes *handshakes);

/* Whether another one may begin now, which is then counted. The second half of what may come at
 * once in all is for addresses that have made none for HANDSHAKES_BURST_S: so those that make all
 * that they may keep nobody out. `now_us` never goes back. */
bool handshakes_admit(struct handshakes *handshakes,
                      const unsigned char origin[HANDSHAKES_ORIGIN_BYTES],
                      const struct handshakes_limits *limits, int64_t now_us);

#endif
