#ifndef REFEREE_CLI_OPTIONS_GEARMAN_H
#define REFEREE_CLI_OPTIONS_GEARMAN_H

/* Job servers on a command line. */

#include "cli/options.h"

#define OPTIONS_GEARMAN_MAX 8

/* Checks an address. */
int options_gearman_read(void *destination, const char *name, const char *value);

#define OPTIONS_GEARMAN(type, member)                                                              \
    OPTION_LIST_OF(type, member, OPTIONS_GEARMAN_MAX, options_gearman_read,                        \
                   "HOST, HOST:PORT or [ADDRESS]:PORT with a port up to 65535")

#endif
