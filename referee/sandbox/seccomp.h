#ifndef REFEREE_SANDBOX_SECCOMP_H
#define REFEREE_SANDBOX_SECCOMP_H

/* The system calls that a contained program may not make, as a filter for the kernel. */

#include <linux/filter.h>
#include <stdbool.h>

struct seccomp {
    struct sock_fprog program;
};

/* Compiles the filter; for a program that plays matches it also forbids what could carry news from
 * one match to another. Returns 0, or -1 with errno. Free it with seccomp_free() in both cases. */
int seccomp_build(struct seccomp *filter, bool is_for_matches);
void seccomp_free(struct seccomp *filter);

/* Puts the calling process under the filter for ever. Needs no_new_privs. Makes one system call and
 * nothing else, so that it may be called in a child that shares our memory. Returns 0 or an
 * errno. */
int seccomp_enter(const struct seccomp *filter);

/* A descriptor from which the filter can be read, for bubblewrap to load it; -1 with errno. */
int seccomp_open(const struct seccomp *filter);

#endif
