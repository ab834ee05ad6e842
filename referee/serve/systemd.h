#ifndef REFEREE_SERVE_SYSTEMD_H
#define REFEREE_SERVE_SYSTEMD_H

/* Tells systemd how we are, if it has started us so that it wants to know: "READY=1", "STOPPING=1", … */
void systemd_notify(const char *state);

#endif
