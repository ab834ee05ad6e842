#ifndef REFEREE_BOT_FILTER_H
#define REFEREE_BOT_FILTER_H

/* The system calls that a contained bot may not make, as a program for the kernel. */

#include <linux/filter.h>

struct filter {
    struct sock_fprog program;
};

/* Compiles the filter. Returns 0, or -1 with errno. Give it back with filter_free() in both cases. */
int filter_build(struct filter *filter);
void filter_free(struct filter *filter);

/* Puts the calling process under the filter for ever. Needs no_new_privs. Makes one system call and
 * nothing else, so that it may be called in a child that shares our memory. Returns 0 or an errno. */
int filter_enter(const struct filter *filter);

/* A descriptor from which the program can be read, for those who load it themselves; -1 with errno. */
int filter_open(const struct filter *filter);

#endif
