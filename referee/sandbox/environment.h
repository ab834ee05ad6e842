#ifndef REFEREE_SANDBOX_ENVIRONMENT_H
#define REFEREE_SANDBOX_ENVIRONMENT_H

/* Environments: lists of "KEY=VALUE" that end with NULL. */

/* Joins two environments; where both have a key, `added` wins. NULL is an empty one. The caller
 * frees the list; its strings are lent. */
char **environment_merge(char *const *base, const char *const *added);

#endif
