/* Tries to load a bpf map into the kernel, to watch perf events and to use userfaultfd. */

#include "attack.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

int main(void)
{
    union bpf_attr map = {
        .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1};
    struct perf_event_attr events = {.type = PERF_TYPE_SOFTWARE, .size = sizeof events};

    start_attack();
    (void)note_result("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
    (void)note_result("perf events", syscall(SYS_perf_event_open, &events, -1, 0, -1, 0));
    (void)note_result("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC));
    report_and_keep_playing();
}
