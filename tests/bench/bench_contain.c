/* Measures what a contained bot can tell another one through each channel that we know: a sender
 * that is given random bits plays a match, then a receiver plays another one and guesses them; for
 * the channels called live both play in one match. A channel whose receiver is wrong in a share e
 * of its n bits carries n (1 - H(e)) bits, where H is the entropy. The numbers are what these
 * programs achieve, not a bound: the channels by timing carry as many bits as there are files to
 * read.
 *
 * REFEREE in the environment names another referee to measure. */

#include "support/bench_output.h"
#include "support/channels.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRIALS 6
#define DAY_SECONDS 86400
#define COMMAND_BYTES 2048

struct bench {
    char bot[300];
    char referee[300];
    char folder[60]; /* for logs */
    char log[80];
    struct channels_place place;
    char nonce[40];
    char message[CHANNELS_BITS_MAX + 1];
    struct timespec read_times[CHANNELS_BITS_MAX]; /* of the folder's files, before */
};

static const char *const files[] = {"/usr/lib/x86_64-linux-gnu/libLLVM-15.so.1",
                                    "/usr/lib/x86_64-linux-gnu/libLLVM-14.so.1",
                                    "/usr/lib/jvm/java-17-openjdk-amd64/lib/modules",
                                    "/usr/lib/gcc/x86_64-linux-gnu/12/cc1", "/usr/bin/node"};
static const char *const folders[] = {"/usr/include/linux", "/usr/share/zoneinfo/America",
                                      "/usr/bin"};

static bool find_places(struct bench *bench)
{
    char path[PATH_MAX];
    struct stat status;

    for (size_t i = 0; i < sizeof files / sizeof files[0] && bench->place.file == NULL; i++) {
        if (stat(files[i], &status) == 0 &&
            status.st_size > CHANNELS_BITS_MAX * CHANNELS_STEP_BYTES)
            bench->place.file = files[i];
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && bench->place.folder == NULL; i++) {
        if (channels_file(folders[i], CHANNELS_BITS_MAX - 1, path, sizeof path))
            bench->place.folder = folders[i];
    }
    return bench->place.file != NULL && bench->place.folder != NULL;
}

/* Whatever was read before is on the disk only. */
static void make_cold(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    close(fd);
}

/* Notes when the files of the folder were read last, to be able to put it back. */
static void note_read_times(struct bench *bench)
{
    for (unsigned i = 0; i < CHANNELS_BITS_MAX; i++) {
        char path[PATH_MAX];
        struct stat status = {0};

        if (channels_file(bench->place.folder, i, path, sizeof path))
            (void)stat(path, &status);
        bench->read_times[i] = status.st_atim;
    }
}

/* Sets when they were read last: to `when`, or to what was noted if it is 0. Only for root. */
static void set_read_times(const struct bench *bench, time_t when)
{
    for (unsigned i = 0; i < CHANNELS_BITS_MAX; i++) {
        struct timespec times[2] = {{.tv_sec = when}, {.tv_nsec = UTIME_OMIT}};
        char path[PATH_MAX];

        if (when == 0)
            times[0] = bench->read_times[i];
        if (channels_file(bench->place.folder, i, path, sizeof path))
            (void)utimensat(AT_FDCWD, path, times, 0);
    }
}

static void write_end(const struct bench *bench, const struct channels_channel *channel,
                      bool is_sender, char *command, size_t size)
{
    (void)snprintf(command, size, "'%s %s %s nonce=%s file=%s folder=%s%s%s'", bench->bot,
                   is_sender ? "send" : "receive", channel->name, bench->nonce, bench->place.file,
                   bench->place.folder, is_sender ? " bits=" : "", is_sender ? bench->message : "");
}

static bool play(const struct bench *bench, const char *level, const char *one, const char *other)
{
    char command[COMMAND_BYTES * 3];
    int status;

    (void)snprintf(
        command, sizeof command,
        "%s play --quiet --contain %s --move-ms 300000 --start-ms 60000 --edition en2020 "
        "--rounds 1 --log %s %s %s >/dev/null 2>%s.said",
        bench->referee, level, bench->log, one, other, bench->log);
    status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* How many bits the receiver, at seat 1, got wrong; half of them if it says nothing. */
static double count_errors(const struct bench *bench, unsigned bits)
{
    char path[120];
    char line[CHANNELS_BITS_MAX + 2] = "";
    double errors = 0;
    FILE *file;

    (void)snprintf(path, sizeof path, "%s.stderr.1", bench->log);
    file = fopen(path, "re");
    if (file == NULL || fgets(line, sizeof line, file) == NULL || strlen(line) < bits)
        errors = bits / 2.0;
    for (unsigned i = 0; i < bits && strlen(line) >= bits; i++)
        errors += line[i] != bench->message[i];
    if (file != NULL)
        (void)fclose(file);
    return errors;
}

/* One message. Returns the errors, or -1 if a match failed. */
static double try_once(struct bench *bench, const struct channels_channel *channel,
                       const char *level)
{
    char sender[COMMAND_BYTES];
    char receiver[COMMAND_BYTES];
    bool is_played;

    for (unsigned i = 0; i < channel->bits; i++)
        bench->message[i] = (char)('0' + random() % 2);
    bench->message[channel->bits] = '\0';
    (void)snprintf(bench->nonce, sizeof bench->nonce, "%lx", (unsigned long)random());
    write_end(bench, channel, true, sender, sizeof sender);
    write_end(bench, channel, false, receiver, sizeof receiver);
    if (channel->needs_cold)
        make_cold(bench->place.file);
    if (channel->needs_old)
        set_read_times(bench, time(NULL) - 2 * DAY_SECONDS);
    if (channel->is_live)
        is_played = play(bench, level, sender, receiver);
    else
        is_played =
            play(bench, level, sender, bench->bot) && play(bench, level, bench->bot, receiver);
    return is_played ? count_errors(bench, channel->bits) : -1;
}

static double entropy(double share)
{
    if (share <= 0 || share >= 1)
        return 0;
    return -share * log2(share) - (1 - share) * log2(1 - share);
}

static double measure(struct bench *bench, const struct channels_channel *channel,
                      const char *level)
{
    double errors = 0;
    double share;

    for (unsigned i = 0; i < TRIALS; i++) {
        double once = try_once(bench, channel, level);

        if (once < 0)
            return -1;
        errors += once;
    }
    share = errors / TRIALS / channel->bits;
    /* Within two standard errors of a half it is a guess. */
    return share < 0.5 - 1 / sqrt(TRIALS * channel->bits) ? channel->bits * (1 - entropy(share))
                                                          : 0;
}

static void measure_level(struct bench *bench, const char *level)
{
    char name[120];
    double lasting = 0;
    double live = 0;

    for (size_t i = 0; i < channels_count; i++) {
        const struct channels_channel *channel = &channels_list[i];
        double bits;

        (void)snprintf(name, sizeof name, "contain.channel_bits_per_match.%s.%s", level,
                       channel->name);
        if (!bench_output_is_wanted(name))
            continue;
        bits = channel->needs_old && geteuid() != 0 ? -1 : measure(bench, channel, level);
        if (bits < 0) {
            (void)fprintf(stderr, "%s is left out\n", name);
            continue;
        }
        bench_output_print(name, bits, "bits");
        *(channel->is_live ? &live : &lasting) += bits;
    }
    (void)snprintf(name, sizeof name, "contain.channel_bits_per_match.%s", level);
    bench_output_print(name, lasting, "bits");
    (void)snprintf(name, sizeof name, "contain.channel_bits_per_match.%s.live", level);
    bench_output_print(name, live, "bits");
}

int main(int argc, char **argv)
{
    struct bench bench = {.folder = "/tmp/referee-channels-XXXXXX"};
    const char *referee = getenv("REFEREE");
    char build[256];
    char remove[100];

    bench_output_init(argc, argv);
    if (!bench_output_folder(argv, build, sizeof build))
        return 1;
    if (!bench_output_is_wanted("contain."))
        return 0;
    if (!find_places(&bench) || mkdtemp(bench.folder) == NULL) {
        (void)fprintf(stderr, "contain. is left out: no system files to use\n");
        return 0;
    }
    srandom((unsigned)time(NULL));
    bench.place.nonce = bench.nonce;
    (void)snprintf(bench.bot, sizeof bench.bot, "%s/channel_bot", build);
    (void)snprintf(bench.referee, sizeof bench.referee, "%s/../referee", build);
    if (referee != NULL)
        (void)snprintf(bench.referee, sizeof bench.referee, "%s", referee);
    (void)snprintf(bench.log, sizeof bench.log, "%s/log", bench.folder);
    note_read_times(&bench);
    measure_level(&bench, "guarded");
    measure_level(&bench, "sealed");
    if (geteuid() == 0)
        set_read_times(&bench, 0);
    (void)snprintf(remove, sizeof remove, "rm -rf %s", bench.folder);
    return system(remove) == 0 ? 0 : 1;
}
