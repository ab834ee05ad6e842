/* Three kinds. Some ask the kernel about a file or mark it: these are exact as long as they are not
 * refused. Some move a counter that all processes share until its upper digits are those of the
 * message. Some warm up a cache and measure later how fast it answers. A receiver that is refused
 * everything guesses zeros. */

#include "support/channels.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NAMES_PER_BIT 5
#define SLOW_READ_NS 15000
#define TIME_SLOT_MS 8
#define PID_BUCKET 128
#define PIPE_BUCKET 16384
#define BOOK_BUCKET 16
#define FRESH_SECONDS 3600
#define PAGE_BYTES 4096

/* The message as a number, for counters. */
static unsigned number_of(const bool *bits, unsigned count)
{
    unsigned number = 0;

    for (unsigned i = 0; i < count; i++)
        number = number * 2 + bits[i];
    return number;
}

static void number_to(unsigned number, bool *bits, unsigned count)
{
    for (unsigned i = count; i-- > 0; number /= 2)
        bits[i] = number % 2 != 0;
}

static int64_t now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

bool channels_file(const char *folder, unsigned number, char *path, size_t size)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, by_name);
    unsigned found = 0;
    bool is_there = false;

    for (int i = 0; i < count; i++) {
        if (entries[i]->d_type == DT_REG && found++ == number) {
            (void)snprintf(path, size, "%s/%s", folder, entries[i]->d_name);
            is_there = true;
        }
        free(entries[i]);
    }
    free(entries);
    return is_there;
}

static int open_number(const struct channels_place *place, unsigned number)
{
    char path[PATH_MAX];

    return channels_file(place->folder, number, path, sizeof path)
               ? open(path, O_RDONLY | O_CLOEXEC)
               : -1;
}

/* The page cache, by asking. */

static void read_byte(int fd, unsigned bit)
{
    char byte;

    (void)!pread(fd, &byte, 1, (off_t)bit * CHANNELS_STEP_BYTES);
}

static void send_cached(const struct channels_place *place, const bool *sent, unsigned bits)
{
    int fd = open(place->file, O_RDONLY | O_CLOEXEC);

    for (unsigned i = 0; i < bits; i++) {
        (void)posix_fadvise(fd, (off_t)i * CHANNELS_STEP_BYTES, CHANNELS_STEP_BYTES,
                            POSIX_FADV_DONTNEED);
        if (sent[i])
            read_byte(fd, i);
    }
    close(fd);
}

static void receive_cached(const struct channels_place *place, bool *received, unsigned bits)
{
    int fd = open(place->file, O_RDONLY | O_CLOEXEC);
    char byte;
    struct iovec piece = {&byte, 1};

    for (unsigned i = 0; i < bits; i++)
        received[i] = preadv2(fd, &piece, 1, (off_t)i * CHANNELS_STEP_BYTES, RWF_NOWAIT) == 1;
    close(fd);
}

/* The page cache, by timing: only what was never read can be told from what was. */

static void send_cold(const struct channels_place *place, const bool *sent, unsigned bits)
{
    int fd = open(place->file, O_RDONLY | O_CLOEXEC);

    for (unsigned i = 0; i < bits; i++) {
        if (sent[i])
            read_byte(fd, i);
    }
    close(fd);
}

static void receive_cold(const struct channels_place *place, bool *received, unsigned bits)
{
    int fd = open(place->file, O_RDONLY | O_CLOEXEC);

    for (unsigned i = 0; i < bits; i++) {
        int64_t start_ns = now_ns();

        read_byte(fd, i);
        received[i] = now_ns() - start_ns < SLOW_READ_NS;
    }
    close(fd);
}

/* The kernel remembers names that do not exist. */

static int64_t look_up(const struct channels_place *place, const char *kind, unsigned bit,
                       unsigned name)
{
    char path[PATH_MAX];
    struct stat status;
    int64_t start_ns;

    (void)snprintf(path, sizeof path, "%s/%s-%s-%u-%u", place->folder, place->nonce, kind, bit,
                   name);
    start_ns = now_ns();
    (void)stat(path, &status);
    return now_ns() - start_ns;
}

static void send_names(const struct channels_place *place, const bool *sent, unsigned bits)
{
    for (unsigned i = 0; i < bits * NAMES_PER_BIT; i++) {
        if (sent[i / NAMES_PER_BIT])
            (void)look_up(place, "message", i / NAMES_PER_BIT, i % NAMES_PER_BIT);
    }
}

static int compare_times(const void *one, const void *other)
{
    const int64_t *left = one;
    const int64_t *right = other;

    return (*left > *right) - (*left < *right);
}

static int64_t median_time(const struct channels_place *place, const char *kind, unsigned bit)
{
    int64_t times[NAMES_PER_BIT];

    for (unsigned i = 0; i < NAMES_PER_BIT; i++)
        times[i] = look_up(place, kind, bit, i);
    qsort(times, NAMES_PER_BIT, sizeof *times, compare_times);
    return times[NAMES_PER_BIT / 2];
}

/* Names of its own show how long a lookup takes the first time and the second time. */
static void receive_names(const struct channels_place *place, bool *received, unsigned bits)
{
    int64_t first = 0;
    int64_t second = 0;

    for (unsigned i = 0; i < bits; i++)
        first += median_time(place, "trial", i);
    for (unsigned i = 0; i < bits; i++)
        second += median_time(place, "trial", i);
    for (unsigned i = 0; i < bits; i++)
        received[i] = median_time(place, "message", i) * 2 * bits < first + second;
}

/* When a file was read last. */

static void send_read_times(const struct channels_place *place, const bool *sent, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        int fd = sent[i] ? open_number(place, i) : -1;

        if (fd >= 0) {
            read_byte(fd, 0);
            close(fd);
        }
    }
}

static void receive_read_times(const struct channels_place *place, bool *received, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        char path[PATH_MAX];
        struct stat status;

        received[i] = channels_file(place->folder, i, path, sizeof path) &&
                      stat(path, &status) == 0 &&
                      status.st_atim.tv_sec > time(NULL) - FRESH_SECONDS;
    }
}

/* When /dev/null was changed last: anybody may set that to the present time. */

static int64_t slot_of(struct timespec time)
{
    return (time.tv_sec * 1000 + time.tv_nsec / 1000000) / TIME_SLOT_MS;
}

static void send_change_time(const struct channels_place *place, const bool *sent, unsigned bits)
{
    struct timespec now;

    (void)place;
    do
        (void)clock_gettime(CLOCK_REALTIME, &now);
    while (slot_of(now) % (1 << bits) != number_of(sent, bits));
    (void)usleep(TIME_SLOT_MS * 1000 / 2);
    (void)utimensat(AT_FDCWD, "/dev/null", NULL, 0);
}

static void receive_change_time(const struct channels_place *place, bool *received, unsigned bits)
{
    struct stat status = {0};

    (void)place;
    (void)stat("/dev/null", &status);
    number_to((unsigned)(slot_of(status.st_mtim) % (1 << bits)), received, bits);
}

/* Counters. The message is the upper part of the number; the middle of its range is aimed at. */

static bool is_at(uint64_t counter, uint64_t bucket, unsigned number, unsigned bits)
{
    return counter / bucket % (1U << bits) == number && counter % bucket >= bucket / 4 &&
           counter % bucket < bucket / 2;
}

/* The number of a process that ends at once; -1 if there cannot be one. */
static __attribute__((noinline)) pid_t use_pid(void)
{
    pid_t pid = vfork();

    if (pid == 0)
        _exit(0);
    (void)waitpid(pid, NULL, 0);
    return pid;
}

static void send_pid(const struct channels_place *place, const bool *sent, unsigned bits)
{
    (void)place;
    for (unsigned i = 0; i < 2U * PID_BUCKET << bits; i++) {
        pid_t pid = use_pid();

        if (pid < 0 || is_at((uint64_t)pid, PID_BUCKET, number_of(sent, bits), bits))
            break;
    }
}

static void receive_pid(const struct channels_place *place, bool *received, unsigned bits)
{
    (void)place;
    number_to((unsigned)getpid() / PID_BUCKET % (1U << bits), received, bits);
}

static uint64_t next_pipe_number(void)
{
    struct stat status = {0};
    int fds[2];

    if (pipe(fds) != 0)
        return 0;
    (void)fstat(fds[0], &status);
    close(fds[0]);
    close(fds[1]);
    return status.st_ino;
}

static void send_pipe(const struct channels_place *place, const bool *sent, unsigned bits)
{
    unsigned number = number_of(sent, bits);

    (void)place;
    for (unsigned i = 0; i < 2U * PIPE_BUCKET << bits; i++) {
        if (is_at(next_pipe_number(), PIPE_BUCKET, number, bits))
            break;
    }
}

static void receive_pipe(const struct channels_place *place, bool *received, unsigned bits)
{
    (void)place;
    number_to((unsigned)(next_pipe_number() / PIPE_BUCKET % (1U << bits)), received, bits);
}

/* How many pages have ever been locked in memory, on the whole machine. */
static uint64_t read_book(void)
{
    FILE *file = fopen("/proc/vmstat", "re");
    unsigned long value = 0;
    char line[200];

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        (void)sscanf(line, "unevictable_pgs_mlocked %lu", &value);
    if (file != NULL)
        (void)fclose(file);
    return value;
}

static void send_book(const struct channels_place *place, const bool *sent, unsigned bits)
{
    void *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)place;
    for (unsigned i = 0; i < 4U * BOOK_BUCKET << bits && page != MAP_FAILED; i++) {
        if (is_at(read_book(), BOOK_BUCKET, number_of(sent, bits), bits))
            break;
        (void)mlock(page, PAGE_BYTES);
        (void)munlock(page, PAGE_BYTES);
    }
}

static void receive_book(const struct channels_place *place, bool *received, unsigned bits)
{
    (void)place;
    number_to((unsigned)(read_book() / BOOK_BUCKET % (1U << bits)), received, bits);
}

/* Between two that play at the same time. What is opened stays open. */

static void send_locks(const struct channels_place *place, const bool *sent, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        if (sent[i])
            (void)flock(open_number(place, i), LOCK_EX | LOCK_NB);
    }
}

static void receive_locks(const struct channels_place *place, bool *received, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        int fd = open_number(place, i);

        received[i] = flock(fd, LOCK_EX | LOCK_NB) != 0;
        close(fd);
    }
}

static void send_ranges(const struct channels_place *place, const bool *sent, unsigned bits)
{
    int fd = open(place->file, O_RDONLY | O_CLOEXEC);

    for (unsigned i = 0; i < bits; i++) {
        struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = i, .l_len = 1};

        if (sent[i])
            (void)fcntl(fd, F_SETLK, &range);
    }
}

static void receive_ranges(const struct channels_place *place, bool *received, unsigned bits)
{
    int fd = open(place->file, O_RDONLY | O_CLOEXEC);

    for (unsigned i = 0; i < bits; i++) {
        struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = i, .l_len = 1};

        received[i] = fcntl(fd, F_GETLK, &range) == 0 && range.l_type != F_UNLCK;
    }
    close(fd);
}

static int watch = -1;
static int watches[CHANNELS_BITS_MAX];

static void listen_watches(const struct channels_place *place, unsigned bits)
{
    watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    for (unsigned i = 0; i < bits; i++) {
        char path[PATH_MAX];

        watches[i] = channels_file(place->folder, i, path, sizeof path)
                         ? inotify_add_watch(watch, path, IN_OPEN)
                         : -1;
    }
}

static void receive_watches(const struct channels_place *place, bool *received, unsigned bits)
{
    struct inotify_event event;

    (void)place;
    while (read(watch, &event, sizeof event) == sizeof event) {
        for (unsigned i = 0; i < bits; i++)
            received[i] = received[i] || watches[i] == event.wd;
    }
}

const struct channels_channel channels_list[] = {
    {"page_cache_asked", 64, .send = send_cached, .receive = receive_cached},
    {"page_cache_timed", 64, .needs_cold = true, .send = send_cold, .receive = receive_cold},
    {"names_timed", 64, .send = send_names, .receive = receive_names},
    {"read_times", 64, .needs_old = true, .send = send_read_times, .receive = receive_read_times},
    {"change_time", 8, .send = send_change_time, .receive = receive_change_time},
    {"process_number", 6, .send = send_pid, .receive = receive_pid},
    {"pipe_number", 6, .send = send_pipe, .receive = receive_pipe},
    {"machine_books", 8, .send = send_book, .receive = receive_book},
    {"locks_live", 64, .is_live = true, .send = send_locks, .receive = receive_locks},
    {"lock_queries_live", 64, .is_live = true, .send = send_ranges, .receive = receive_ranges},
    {"watches_live", 64, .is_live = true, .listen = listen_watches, .send = send_read_times,
     .receive = receive_watches},
};
const size_t channels_count = sizeof channels_list / sizeof channels_list[0];

const struct channels_channel *channels_find(const char *name)
{
    for (size_t i = 0; i < channels_count; i++) {
        if (strcmp(channels_list[i].name, name) == 0)
            return &channels_list[i];
    }
    return NULL;
}
