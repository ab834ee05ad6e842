#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

/* A folder for one test, and small files in it. What fails here fails the test. */

#include <stddef.h>

/* Makes the folder. */
void scratch_begin(void);

/* Removes it with all that is in it. */
void scratch_end(void);

/* The path of something in it; "" is the folder itself. Lent until the fourth call after this. */
const char *scratch_path(const char *name);

/* Writes a file in it, and the folders that it lies in. */
void scratch_write(const char *name, const char *bytes, size_t length);

/* Reads one. Give it back with free(). */
char *scratch_read(const char *name, size_t *length);

#endif
