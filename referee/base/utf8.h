#ifndef REFEREE_BASE_UTF8_H
#define REFEREE_BASE_UTF8_H

/* UTF-8 characters in untrusted bytes. */

#include <stddef.h>
#include <stdint.h>

/* How many bytes the UTF-8 character at `bytes` has; 0 if there is none. `left` is at least 1. */
size_t utf8_length(const uint8_t *bytes, size_t left);

/* The number that Unicode gives to a character of that length. */
uint32_t utf8_code_point(const uint8_t *bytes, size_t length);

#endif
