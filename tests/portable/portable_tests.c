/* The program around the suites of the rules where there is no Criterion. It prints a line for each
 * test that fails and how many passed. */

#include <criterion/criterion.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct portable_test *tests;
static jmp_buf end_of_test;
static bool has_failed;

void portable_add(struct portable_test *test)
{
    test->next = tests;
    tests = test;
}

void portable_fail(bool is_fatal, const char *file, int line, const char *condition,
                   const char *format, ...)
{
    va_list arguments;

    has_failed = true;
    printf("%s:%d: %s:", file, line, condition);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    if (is_fatal)
        longjmp(end_of_test, 1);
}

static struct portable_options options_of(const struct portable_test *test)
{
    for (const struct portable_test *other = tests; other != NULL; other = other->next) {
        if (other->name == NULL && strcmp(other->suite, test->suite) == 0)
            return other->options;
    }
    return test->options;
}

static void run(const struct portable_test *test)
{
    struct portable_options options = options_of(test);

    has_failed = false;
    if (options.init != NULL)
        options.init();
    if (setjmp(end_of_test) == 0)
        test->run();
    if (options.fini != NULL)
        options.fini();
}

int main(void)
{
    unsigned passed = 0;
    unsigned failed = 0;

    for (const struct portable_test *test = tests; test != NULL; test = test->next) {
        if (test->name == NULL)
            continue;
        run(test);
        if (has_failed)
            printf("not ok %s/%s\n", test->suite, test->name);
        failed += has_failed;
        passed += !has_failed;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0 || passed == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
