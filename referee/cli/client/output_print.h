#ifndef REFEREE_CLI_CLIENT_OUTPUT_PRINT_H
#define REFEREE_CLI_CLIENT_OUTPUT_PRINT_H

/* Prints what a bot or its build has printed. */

#include <stddef.h>
#include <stdio.h>

/* As it is; but a terminal gets no control characters except tabs and line ends, because the author
 * is perhaps a stranger. */
void output_print(FILE *file, const char *bytes, size_t length);

#endif
