#ifndef TESTS_PORTABLE_CRITERION_H
#define TESTS_PORTABLE_CRITERION_H

/* As much of Criterion as the suites of the rules use, for machines and C libraries that do not
 * have it: `make portable` finds this header before the real one. Tests run one after the other in
 * one process, and one that fails does not stop the others. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct portable_options {
    void (*init)(void);
    void (*fini)(void);
};

struct portable_test {
    const char *suite;
    const char *name; /* NULL: the options of a suite */
    void (*run)(void);
    struct portable_options options;
    struct portable_test *next;
};

void portable_add(struct portable_test *test);

/* Reports a failure, with a message that may be empty, and ends the test if it `is_fatal`. */
__attribute__((format(printf, 5, 6))) void portable_fail(bool is_fatal, const char *file, int line,
                                                         const char *condition, const char *format,
                                                         ...);

#define PORTABLE_ADD(title, ...)                                                                   \
    __attribute__((constructor)) static void title##_add(void)                                     \
    {                                                                                              \
        static struct portable_test test = {__VA_ARGS__};                                          \
        portable_add(&test);                                                                       \
    }

#define Test(suite_, name_, ...)                                                                   \
    static void suite_##_##name_##_run(void);                                                      \
    PORTABLE_ADD(suite_##_##name_, #suite_, #name_, suite_##_##name_##_run, {__VA_ARGS__})         \
    static void suite_##_##name_##_run(void)

#define TestSuite(suite_, ...) PORTABLE_ADD(suite_, #suite_, NULL, NULL, {__VA_ARGS__})

#define PORTABLE_CHECK(is_fatal, condition, ...)                                                   \
    ((condition) ? (void)0                                                                         \
                 : portable_fail(is_fatal, __FILE__, __LINE__, #condition, " " __VA_ARGS__))

#define cr_assert(condition, ...) PORTABLE_CHECK(true, condition, __VA_ARGS__)
#define cr_assert_not(condition, ...) PORTABLE_CHECK(true, !(condition), __VA_ARGS__)
#define cr_assert_eq(a, b, ...) PORTABLE_CHECK(true, (a) == (b), __VA_ARGS__)
#define cr_assert_neq(a, b, ...) PORTABLE_CHECK(true, (a) != (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...) PORTABLE_CHECK(true, (a) < (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...) PORTABLE_CHECK(true, (a) <= (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...) PORTABLE_CHECK(true, (a) > (b), __VA_ARGS__)
#define cr_assert_geq(a, b, ...) PORTABLE_CHECK(true, (a) >= (b), __VA_ARGS__)
#define cr_assert_null(a, ...) PORTABLE_CHECK(true, (a) == NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...) PORTABLE_CHECK(true, (a) != NULL, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) PORTABLE_CHECK(true, strcmp(a, b) == 0, __VA_ARGS__)
#define cr_assert_str_empty(a, ...) PORTABLE_CHECK(true, (a)[0] == '\0', __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) PORTABLE_CHECK(true, memcmp(a, b, size) == 0, __VA_ARGS__)
#define cr_assert_float_eq(a, b, margin, ...)                                                      \
    PORTABLE_CHECK(true, (a) - (b) <= (margin) && (b) - (a) <= (margin), __VA_ARGS__)
#define cr_assert_fail(...) portable_fail(true, __FILE__, __LINE__, "fail", " " __VA_ARGS__)
#define cr_expect(condition, ...) PORTABLE_CHECK(false, condition, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) PORTABLE_CHECK(false, (a) == (b), __VA_ARGS__)
#define cr_expect_gt(a, b, ...) PORTABLE_CHECK(false, (a) > (b), __VA_ARGS__)
#define cr_expect_null(a, ...) PORTABLE_CHECK(false, (a) == NULL, __VA_ARGS__)
#define cr_expect_not_null(a, ...) PORTABLE_CHECK(false, (a) != NULL, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) PORTABLE_CHECK(false, strcmp(a, b) == 0, __VA_ARGS__)

#endif
