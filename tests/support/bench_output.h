#ifndef TESTS_SUPPORT_FIGURES_H
#define TESTS_SUPPORT_FIGURES_H

/* The figures of a benchmark: `bench NAME VALUE UNIT`, those whose name begins as the user options. */

#include <stdbool.h>
#include <stddef.h>

/* The first argument of the program is the beginning of the names that are wanted. */
void figures_start(int argc, char **argv);

/* The folder of the program itself, where the bots of benchmarks are too. Returns false if it is not
 * known. */
bool figures_folder(char **argv, char *folder, size_t size);

/* Whether figures whose names begin so can be wanted. */
bool figures_are_wanted(const char *beginning);

/* Prints a figure, if it is wanted. */
void figures_print(const char *name, double value, const char *unit);

/* The value in the middle; sorts the values. */
double figures_median(double *values, size_t count);

#endif
