#ifndef TESTS_SUPPORT_JSON_MUTATE_H
#define TESTS_SUPPORT_JSON_MUTATE_H

/* For fuzz targets that read lines of JSON. */

#include <stddef.h>
#include <stdint.h>

/* The body of LLVMFuzzerCustomMutator(): replaces a value of some line by another one, or copies or
 * removes a line; sometimes leaves it to the fuzzer's own mutations. */
size_t json_mutate(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
