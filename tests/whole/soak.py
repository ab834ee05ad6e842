#!/usr/bin/env python3
"""Plays a long series of matches with a fifth of hostile bots, a different one each time, and watches
the referee from outside: its memory and descriptors stay flat, its children never stay zombies, and
every honest bot has its result. SOAK_MATCHES says how many matches."""

import ctypes
import glob
import json
import os
import shutil
import subprocess
import tempfile
import time


BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
PROGRAMS = os.path.join(BUILD, "tests", "hostile")
MATCHES = int(os.environ.get("SOAK_MATCHES", "60"))
LEVELS = ["sealed", "guarded", "none"]
SEATS = 5
HOSTILE_BOT = 2
SAMPLE_SECONDS = 0.01
# A zombie that is still there after so many younger honest bots, those of a few matches, stays. Orphans
# don't count: a fork bomb leaves a hundred of them, which are adopted and reaped within one match.
YOUNGER_BOTS = 4 * (SEATS - 1)
PR_SET_CHILD_SUBREAPER = 36

# Some of all kinds. The second list is for levels that end whatever a bot leaves behind.
ANYWHERE = """bad_hello blank_lines byte_by_byte child_answers closes_stderr closes_stdout crlf
    daemonizes dies_by_signal execs_itself exits_after_answer exits_at_once flood
    flood_between_questions flood_no_newline hello_flood say_flood grandchild_holds_pipe
    half_line html_name io_uring kills_its_group late main_thread_exits no_last_newline nonblocking_pipes
    nul_bytes ptrace_referee random_bytes says_log_records silent stack_overflow stale_answer
    stderr_escapes stops_itself tcp_socket ten_megabyte_line two_answers user_namespace
    leaves_zombies""".split()
CONTAINED = """deep_folders double_fork fork_bomb locked_folders many_files memory_balloon
    own_subreaper refuses_to_die thread_flood traps_in_scratch""".split()

# How many different outcomes there must have been for hostile bots: that it is a different one each time.
KINDS_OF_FAULTS = 6

# What a result may add to the memory of the referee, and what the allocator may keep.
MATCH_BYTES = 2048
SLACK_BYTES = 1 << 20
SLACK_DESCRIPTORS = 8


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


class Watch:
    """What can be seen of a running referee."""

    def __init__(self, pid):
        self.pid, self.memory, self.descriptors = pid, [], []
        self.honest, self.zombies, self.problems = set(), {}, []

    def look(self):
        try:
            self.memory.append(int(read(f"/proc/{self.pid}/statm").split()[1]) * os.sysconf("SC_PAGESIZE"))
            self.descriptors.append(len(os.listdir(f"/proc/{self.pid}/fd")))
            self.look_for_zombies()
        except (FileNotFoundError, ProcessLookupError):
            pass

    def look_for_zombies(self):
        """A child may be a zombie for a moment, until the referee gets to it. How long that is depends on the
        machine; but a referee that has started the bots of later matches has got to everything before."""
        zombies = {}
        for pid in read(f"/proc/{self.pid}/task/{self.pid}/children").split():
            try:
                words = read(f"/proc/{pid}/stat")
                command = read(f"/proc/{pid}/cmdline")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if command.rstrip("\0").endswith("/good"):
                self.honest.add(pid)
            if words.rpartition(") ")[2].startswith("Z"):
                zombies[pid] = self.zombies.get(pid, len(self.honest))
        self.zombies = zombies
        self.problems += [f"{pid} is a zombie" for pid, before in zombies.items()
                          if len(self.honest) - before > YOUNGER_BOTS]


def most_of(samples, quarter):
    """The most in one of the four quarters of the series."""
    quarters = len(samples) // 4
    return max(samples[quarter * quarters:(quarter + 1) * quarters])


def play(level, folder):
    """Plays the series. Returns what the referee printed and what was seen of it."""
    names = ANYWHERE + (CONTAINED if level != "none" else [])
    bots = [os.path.join(PROGRAMS, "good")] * SEATS
    bots[HOSTILE_BOT] = " ".join([os.path.join(PROGRAMS, "execs_random_program"), *names])
    # The quarantine of the sanitizer would look like a leak.
    environment = {**os.environ, "TMPDIR": folder, "ASAN_OPTIONS": "quarantine_size_mb=1"}
    results = os.path.join(os.path.dirname(folder), "results")
    with open(results, "w") as output:
        referee = subprocess.Popen([REFEREE, "play", "--json", "--matches", str(MATCHES), "--contain",
                                    level, "--seed", "soak", "--set", "turn_limit=2", "--move-ms", "300",
                                    "--start-ms", "60000", *bots], stdout=output, stderr=subprocess.DEVNULL, env=environment)
    watch = Watch(referee.pid)
    while referee.poll() is None:
        watch.look()
        time.sleep(SAMPLE_SECONDS)
    return read(results), watch


def check_results(output):
    result = json.loads(output) if output else {"played": 0, "matches": []}
    if result["played"] != MATCHES:
        yield f"{result['played']} matches were played"
    faults = set()
    for number, match in enumerate(result["matches"], 1):
        for seat in match["seats"]:
            if seat["bot"] == HOSTILE_BOT:
                faults.add(seat["fault"])
            elif seat["fault"] is not None:
                yield f"match {number}: an honest bot is at fault: {seat['fault']}"
    if len(faults) < KINDS_OF_FAULTS:
        yield f"hostile bots had no other outcomes than {faults}"


def check_flat(watch):
    memory = most_of(watch.memory, 3) - most_of(watch.memory, 1)
    descriptors = most_of(watch.descriptors, 3) - most_of(watch.descriptors, 1)
    if memory > SLACK_BYTES + MATCH_BYTES * MATCHES:
        yield f"its memory grew by {memory} bytes from the second to the last quarter"
    if descriptors > SLACK_DESCRIPTORS:
        yield f"{descriptors} more descriptors are open in the last quarter than in the second"


def check_remains(folder):
    children = read(f"/proc/self/task/{os.getpid()}/children").split()
    if children:
        yield f"{len(children)} processes are left"
    for path in glob.glob(os.path.join(folder, "*")):
        yield f"{path} is left"


def soak(level, folder):
    start = time.monotonic()
    output, watch = play(level, folder)
    report(f"{level}: every honest bot has its result in {MATCHES} matches", check_results(output))
    if len(watch.memory) >= 40:
        report(f"{level}: memory and descriptors stay flat", check_flat(watch))
    report(f"{level}: no child stays a zombie", watch.problems)
    report(f"{level}: nothing is left", check_remains(folder) if level != "none" else [])
    print(f"count {level}: {MATCHES} matches in {time.monotonic() - start:.0f} s, at most "
          f"{max(watch.memory) >> 10} KiB and {max(watch.descriptors)} descriptors", flush=True)


def why_not(level):
    """Why a level is not available here, or None."""
    good = os.path.join(PROGRAMS, "good")
    done = subprocess.run([REFEREE, "play", "--quiet", "--contain", level, good, good],
                          capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip().replace("\n", "; ")


def main():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for level in LEVELS:
        why = why_not(level)
        if why is not None:
            print(f"skip {level}: {why}", flush=True)
            continue
        home = tempfile.mkdtemp(prefix="referee-soak-")
        os.mkdir(os.path.join(home, "tmp"))
        try:
            soak(level, os.path.join(home, "tmp"))
        finally:
            shutil.rmtree(home)


main()
