#!/usr/bin/env python3
"""A long life of one daemon: many small jobs, of which some are cancelled, some lose the process that plays them,
and some are resumed. In the end nothing of all that is left but the jobs: no process, no scratch folder, no
control group, no descriptor, and little memory.

SOAK_JOBS says how many jobs, SOAK_SEED (printed) what happens to them. Where there is room in memory the store is
there: every job syncs its disk several times, which takes most of the time beside other programs that write, and
power failures are for power_cut.py."""

import fcntl
import glob
import os
import random
import shutil
import signal
import tempfile
import time

from daemon import (GOOD, IS_SANITIZED, Daemon, become_reaper, children, command_line, remains, report,
                    sanitizer_words, status_number, until)

JOBS = int(os.environ.get("SOAK_JOBS", "40"))
SEED = os.environ.get("SOAK_SEED", "1")
AT_ONCE = 12  # in the queue
REQUEST = "match g h rounds=1 set=turn_limit=1 start_ms=600000 move_ms=600000"
JOB_BYTES = 400  # of memory for a job that is over
MEMORY = "/dev/shm"
STORE_BYTES = 200_000  # for a job that is over, with its reports
IS_LONG = JOBS >= 1000  # with fewer, the pages of the allocator count for more than the jobs


class Soak:
    """The daemon, and what was done to it."""

    def __init__(self, daemon, client):
        self.daemon, self.client = daemon, client
        self.chance = random.Random(SEED)
        self.counts = dict.fromkeys(["cancelled", "processes killed", "workers killed", "resumed"], 0)

    def count(self, what):
        self.counts[what] += 1

    def cancel(self, job):
        if self.client.refusal(f"cancel {job}") is None:
            self.count("cancelled")

    def resume(self, job):
        if self.client.refusal(f"resume {job}") is None:
            self.count("resumed")

    def kill(self, _):
        """The process of a job, or one of its workers."""
        playing = [pid for pid in children(self.daemon.pid) if "tournament" in command_line(pid)[1:2]]
        if not playing:
            return
        pid = self.chance.choice(playing)
        workers = children(pid)
        is_worker = workers and self.chance.random() < 0.5
        try:
            os.kill(self.chance.choice(workers) if is_worker else pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.count("workers killed" if is_worker else "processes killed")

    def trouble(self, first, job):
        """Sometimes something happens to a job, more often to a young one."""
        number = self.chance.randint(max(first, job - AT_ONCE), job)
        ways = [(0.25, self.cancel), (0.40, self.kill), (0.45, self.resume)]
        draw = self.chance.random()
        for limit, way in ways:
            if draw < limit:
                way(number)
                return

    def play(self, count):
        """So many more jobs; then everything is over."""
        first = None
        for _ in range(count):
            until(lambda: int(self.client.pairs("status")["queued"]) < AT_ONCE, "room in the queue")
            job = int(self.client.pairs(REQUEST)["job"])
            first = first or job
            self.trouble(first, job)
        until(lambda: not self.client.queue(), "the end of all jobs")

    def figures(self):
        """When nothing is being played: memory in bytes, and open descriptors."""
        return 1024 * status_number(self.daemon.pid, "RssAnon"), self.daemon.descriptors()


def left_groups(pid):
    """Control groups beside that of the daemon that no living referee has locked."""
    with open(f"/proc/{pid}/cgroup") as file:
        places = [line.rstrip("\n").split(":", 2)[1:] for line in file]
    for controller, place in places:
        for path in glob.glob(f"/sys/fs/cgroup/{controller}{place}/referee-??????"):
            if is_free(path):
                yield path


def is_free(path):
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False
    finally:
        os.close(fd)


def check_left(daemon, temporary):
    """Everything that the jobs left was collected while the daemon ran. Referees of other suites that are killed
    leave control groups in the same place, so these are only looked at when this suite runs alone."""
    until(lambda: not children(daemon.pid), f"the end of {children(daemon.pid)}, children of the daemon")
    for path in glob.glob(os.path.join(temporary, "*")):
        yield f"{path} is left"
    if IS_LONG:
        yield from (f"the control group {path} is left" for path in left_groups(daemon.pid))


def check_growth(early, late, jobs):
    bytes_per_job = (late[0] - early[0]) / jobs
    if late[1] > early[1]:
        yield f"{late[1] - early[1]} more descriptors are open after {jobs} jobs"
    if IS_LONG and not IS_SANITIZED and bytes_per_job > JOB_BYTES:
        yield f"each job that is over keeps {bytes_per_job:.0f} bytes"


def check_states(client):
    """Nothing but a cancel ends a job before it is played; three deaths do, and then it can be resumed."""
    for number, (state, _, _, decided, _, _) in client.queue(all="yes", limit=10000).items():
        if state not in ("done", "cancelled", "failed") or (state == "done" and decided != 1):
            yield f"job {number} is {state} with {decided} matches"


def check_life(daemon, temporary):
    """From its start to its end."""
    start = time.monotonic()
    daemon.start(environment={"TMPDIR": temporary})
    with daemon.client() as client:
        for name in ("g", "h"):
            client.ask(f"submit {name} command={GOOD}")
        soak = Soak(daemon, client)
        soak.play(JOBS // 4)
        early = soak.figures()
        soak.play(JOBS - JOBS // 4)
        late = soak.figures()
        grown = JOBS - JOBS // 4
        yield from check_states(client)
        yield from check_left(daemon, temporary)
        yield from check_growth(early, late, grown)
    happened = ", ".join(f"{count} {what}" for what, count in soak.counts.items())
    print(f"count {JOBS} jobs in {time.monotonic() - start:.0f} s: {happened}; {(late[0] - early[0]) / grown:.0f} "
          f"bytes per job, {late[1]} descriptors; seed {SEED}", flush=True)
    if daemon.stop() != 0:
        yield f"it ends badly: {daemon.words()}"
    yield from (f"process {pid} is left over: {line}" for pid, *line in remains())
    yield from sanitizer_words(daemon)


def place():
    """A folder in memory, if the jobs leave most of it free; else where temporary files belong."""
    try:
        room = os.statvfs(MEMORY)
        with open("/proc/meminfo") as file:
            available = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return None
    return MEMORY if min(room.f_bavail * room.f_frsize, available) > 3 * JOBS * STORE_BYTES else None


def main():
    become_reaper()
    folder = tempfile.mkdtemp(prefix="serve-soak-", dir=place())
    temporary = os.path.join(folder, "tmp")
    os.mkdir(temporary)
    for path in (folder, temporary):
        os.chmod(path, 0o711)
    daemon = Daemon(os.path.join(folder, "daemon"), "--workers", "2", "--contain", "guarded")
    try:
        report("jobs_cancels_and_kills_leave_no_process_folder_or_descriptor_behind", check_life(daemon, temporary))
    finally:
        daemon.end()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
