/* Tries to find out whether parts of a system file lie in memory, and to change that: a mark that
 * its next process could read. */

#include "attack.h"

#include <linux/aio_abi.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define SYSTEM_FILE "/etc/passwd"
#define CALL_CACHESTAT 451
#define PAGE_BYTES 4096

static void ask_kernel(int fd)
{
    char byte;
    struct iovec piece = {&byte, 1};
    uint64_t range[2] = {0, PAGE_BYTES};
    uint64_t counts[5];

    (void)note_result("RWF_NOWAIT", preadv2(fd, &piece, 1, 0, RWF_NOWAIT));
    (void)note_result("cachestat", syscall(CALL_CACHESTAT, fd, range, counts, 0));
    (void)note_result("readahead", readahead(fd, 0, PAGE_BYTES));
    (void)note_result("fadvise", syscall(SYS_fadvise64, fd, 0, 0, POSIX_FADV_DONTNEED));
}

/* The same by asynchronous reading, whose flags lie in memory. */
static void ask_by_aio(int fd)
{
    aio_context_t context = 0;
    char byte;
    struct iocb request = {.aio_lio_opcode = IOCB_CMD_PREAD,
                           .aio_fildes = (uint32_t)fd,
                           .aio_buf = (uint64_t)(uintptr_t)&byte,
                           .aio_nbytes = 1,
                           .aio_rw_flags = RWF_NOWAIT};
    struct iocb *requests[] = {&request};

    if (!note_result("", syscall(SYS_io_setup, 1, &context)))
        return;
    (void)note_result("RWF_NOWAIT by io_submit", syscall(SYS_io_submit, context, 1, requests));
    (void)syscall(SYS_io_destroy, context);
}

static void ask_by_mapping(int fd)
{
    void *map = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_PRIVATE, fd, 0);
    unsigned char is_present;

    if (!note_result("", map != MAP_FAILED ? 0 : -1))
        return;
    (void)note_result("mincore", mincore(map, PAGE_BYTES, &is_present));
    (void)note_result("MADV_COLD", madvise(map, PAGE_BYTES, MADV_COLD));
    (void)note_result("MADV_PAGEOUT", madvise(map, PAGE_BYTES, MADV_PAGEOUT));
    (void)munmap(map, PAGE_BYTES);
}

int main(void)
{
    struct open_how cached = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_CACHED};
    int fd = open(SYSTEM_FILE, O_RDONLY | O_CLOEXEC);

    start_attack();
    ask_kernel(fd);
    ask_by_aio(fd);
    ask_by_mapping(fd);
    (void)note_result("RESOLVE_CACHED",
                      syscall(SYS_openat2, AT_FDCWD, SYSTEM_FILE, &cached, sizeof cached));
    report_and_keep_playing();
}
