/* Filters results by name and prints them. */

#include "support/bench_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *only = "";

void bench_output_init(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : "";
}

bool bench_output_folder(char **argv, char *folder, size_t size)
{
    const char *slash = argv[0] != NULL ? strrchr(argv[0], '/') : NULL;

    if (slash == NULL || (size_t)(slash - argv[0]) >= size)
        return false;
    memcpy(folder, argv[0], (size_t)(slash - argv[0]));
    folder[slash - argv[0]] = '\0';
    return true;
}

bool bench_output_is_wanted(const char *prefix)
{
    size_t length = strlen(only) < strlen(prefix) ? strlen(only) : strlen(prefix);

    return strncmp(only, prefix, length) == 0;
}

void bench_output_print(const char *name, double value, const char *unit)
{
    bool is_whole = value >= 100 || value == (double)(long)value;

    if (strncmp(name, only, strlen(only)) == 0)
        printf("bench %s %.*f %s\n", name, is_whole ? 0 : 3, value, unit);
    fflush(stdout);
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one;
    double b = *(const double *)other;

    return (a > b) - (a < b);
}

double bench_output_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}
