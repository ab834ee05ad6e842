#ifndef REFEREE_SERVE_NOTIFY_H
#define REFEREE_SERVE_NOTIFY_H

/* Tells systemd how we are, if it has started us so that it wants to know: "READY=1", "STOPPING=1", … */
void notify_service(const char *state);

#endif
