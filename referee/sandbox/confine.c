/* The same parts as for a bot: limits, Landlock without any place of the system, the filter of
 * system calls. Nothing can be undone. */

#include "sandbox/confine.h"

#include "sandbox/landlock.h"
#include "sandbox/seccomp.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define FILES_MAX 64

/* A sanitizer reserves far more addresses than it uses, and looks into us when we end. */
#ifdef __SANITIZE_ADDRESS__
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

static int limit(int resource, rlim_t most)
{
    struct rlimit both = {.rlim_cur = most, .rlim_max = most};

    return setrlimit(resource, &both) == 0 ? 0 : errno;
}

static int set_limits(const struct confine_limits *limits)
{
    int failed = IS_SANITIZED ? 0 : limit(RLIMIT_AS, (rlim_t)limits->memory_mb << 20);

    if (failed == 0)
        failed = limit(RLIMIT_CPU, (rlim_t)limits->cpu_s);
    if (failed == 0)
        failed = limit(RLIMIT_FSIZE, (rlim_t)limits->file_mb << 20);
    if (failed == 0)
        failed = limit(RLIMIT_NOFILE, FILES_MAX);
    return failed == 0 ? limit(RLIMIT_CORE, 0) : failed;
}

static int enter_landlock(const char *folder)
{
    struct landlock nothing;
    int abi = landlock_abi();
    int description, failed;

    if (abi == 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(nothing.fds); i++)
        nothing.fds[i] = -1;
    description = landlock_describe(&nothing, abi, NULL, folder);
    if (description < 0)
        return errno;
    failed = landlock_enter(description, abi);
    (void)close(description);
    return failed;
}

static int enter_filter(void)
{
    struct seccomp filter;
    int failed = seccomp_build(&filter, true) == 0 ? seccomp_enter(&filter) : errno;

    seccomp_free(&filter);
    return failed;
}

int confine_self(const char *folder, const struct confine_limits *limits, struct text *problem)
{
    int failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;

    if (failed == 0)
        failed = enter_landlock(folder);
    if (failed == 0 && !IS_SANITIZED)
        failed = enter_filter();
    if (failed == 0)
        failed = set_limits(limits);
    if (failed == 0)
        return 0;
    text_printf(problem, "the process cannot be contained: %s", strerror(failed));
    return -1;
}
