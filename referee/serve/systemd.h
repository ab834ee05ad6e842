#ifndef REFEREE_SERVE_SYSTEMD_H
#define REFEREE_SERVE_SYSTEMD_H

/* Reports a state to systemd, if it asked for that when it started the daemon: "READY=1",
 * "STOPPING=1", … */
void systemd_notify(const char *state);

#endif
