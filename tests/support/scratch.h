#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

/* A temporary folder for one test, and small files in it. Any error fails the test. */

#include <stddef.h>

/* Creates the folder. */
void scratch_begin(void);

/* Removes the folder and everything in it. */
void scratch_end(void);

/* The path of a file in the folder; "" is the folder itself. Valid until the fourth call after
 * this. */
const char *scratch_path(const char *name);

/* Writes a file, and creates the folders on its path. */
void scratch_write(const char *name, const char *bytes, size_t length);

/* Reads a file. The caller frees the result. */
char *scratch_read(const char *name, size_t *length);

#endif
