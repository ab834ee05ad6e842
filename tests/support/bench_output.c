/* Printing figures. */

#include "support/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *only = "";

void figures_start(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : "";
}

bool figures_folder(char **argv, char *folder, size_t size)
{
    const char *slash = argv[0] != NULL ? strrchr(argv[0], '/') : NULL;

    if (slash == NULL || (size_t)(slash - argv[0]) >= size)
        return false;
    memcpy(folder, argv[0], (size_t)(slash - argv[0]));
    folder[slash - argv[0]] = '\0';
    return true;
}

bool figures_are_wanted(const char *beginning)
{
    size_t length = strlen(only) < strlen(beginning) ? strlen(only) : strlen(beginning);

    return strncmp(only, beginning, length) == 0;
}

void figures_print(const char *name, double value, const char *unit)
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

double figures_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}
