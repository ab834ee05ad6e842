/* Loads a program into the kernel by bpf, and watches events of the machine. */

#include "attack.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

int main(void)
{
    union bpf_attr map = {
        .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1};
    struct perf_event_attr events = {.type = PERF_TYPE_SOFTWARE, .size = sizeof events};

    await_moment();
    (void)tried("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
    (void)tried("events", syscall(SYS_perf_event_open, &events, -1, 0, -1, 0));
    (void)tried("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC));
    conclude_and_play_on();
}
