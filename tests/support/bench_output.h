#ifndef TESTS_SUPPORT_BENCH_OUTPUT_H
#define TESTS_SUPPORT_BENCH_OUTPUT_H

/* Prints the results of a benchmark as `bench NAME VALUE UNIT`. The user can select them by the
 * start of their names. */

#include <stdbool.h>
#include <stddef.h>

/* Takes the prefix of the wanted names from the first argument of the program. */
void bench_output_init(int argc, char **argv);

/* Writes the folder of this program, which also holds the benchmark bots. Returns false if it is
 * unknown. */
bool bench_output_folder(char **argv, char *folder, size_t size);

/* Whether any name that starts with `prefix` can be wanted. */
bool bench_output_is_wanted(const char *prefix);

/* Prints a result if it is wanted. */
void bench_output_print(const char *name, double value, const char *unit);

/* Returns the median; sorts the values. */
double bench_output_median(double *values, size_t count);

#endif
