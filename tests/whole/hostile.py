#!/usr/bin/env python3
"""Plays every program of tests/hostile against five honest bots, at each sandbox level that this
machine has, and compares what becomes of it with tests/hostile/table.txt.

Two lanes play at a time. A lane is a process to which every orphan below it goes, so that whatever a
match leaves behind is found among the lane's children. What the programs said of their attacks is
written to hostile.txt in the build folder, beside the outcome."""

import contextlib
import concurrent.futures
import ctypes
import glob
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

from patience import SECONDS, until

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
STARVED_MAX = 20
PROGRAMS = os.path.join(BUILD, "tests", "hostile")
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hostile", "table.txt")
LEVELS = ["none", "guarded", "sealed"]
LANES = 3
SEATS = 6
SEED = "the-seed-of-this-match"
LIMITS = {
    "long": ["--move-ms", "60000", "--start-ms", "60000"],
    "short": ["--move-ms", "1000", "--start-ms", "60000"],
    "start": ["--move-ms", "60000", "--start-ms", "4000"],
    "twice": ["--move-ms", "60000", "--start-ms", "60000", "--matches", "2"],
}
FILE_BYTES_MOST = 1 << 30
REFUSED_WITHOUT_LIMITS = 77
PR_SET_CHILD_SUBREAPER = 36

# A program that behaves well, and one that becomes another.
NOT_IN_TABLE = {"good", "execs_random_program"}

# Where programs leave things that outlive them, all of which have `hostile` in their names.
SHARED_FOLDERS = ["/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/dev/mqueue"]
SHARED_LISTS = ["/proc/keys", "/proc/net/unix", "/proc/mounts"]
SYSV_LISTS = ["/proc/sysvipc/shm", "/proc/sysvipc/msg", "/proc/sysvipc/sem"]
SYSV_KEY = str(0x484F5354)


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


class Row:
    """A line of the table."""

    def __init__(self, line):
        self.name, self.group, self.limits, *outcomes = line.split(None, 6)
        self.stopper = outcomes.pop().strip()
        self.outcomes = dict(zip(LEVELS, outcomes))


def read_table():
    return [Row(line) for line in read(TABLE).splitlines() if line and not line.startswith("#")]


# One match.


def honest_programs():
    """Programs with sanitizers need more room than a contained bot gets."""
    if os.path.basename(BUILD) == "sanitize":
        return [os.path.join(PROGRAMS, "good")]
    return [os.path.join(PROGRAMS, "good"), os.path.join(BUILD, "bots", "random"),
            os.path.join(BUILD, "bots", "greedy")]


def place_program(folder, program):
    """Copies a program into a folder of its own and returns its path there."""
    name = os.path.basename(program)
    os.makedirs(os.path.join(folder, name))
    return shutil.copy(program, os.path.join(folder, name, name))


def make_store(folder):
    """What a tournament leaves, as far as it is a secret; the files can be read by all users."""
    os.makedirs(os.path.join(folder, "open", "000001"))
    for name in ("referee.lock", "results.ndjson", "master", "commitments", "open/000001/01.ndjson"):
        with open(os.path.join(folder, name), "w") as file:
            file.write("secret\n")


class Table:
    """The folders of one match, and the command that plays it."""

    def __init__(self, folder, row, level, number):
        self.folder, self.row, self.level = folder, row, level
        self.seat = number % SEATS
        for name, mode in (("results", 0o700), ("bots", 0o700), ("honest", 0o700), ("run", 0o755),
                           ("tmp", 0o755)):
            os.makedirs(os.path.join(folder, name))
            os.chmod(os.path.join(folder, name), mode)
        self.results = os.path.join(folder, "results")
        honest = [place_program(os.path.join(folder, "honest"), program) for program in honest_programs()]
        self.hostile = place_program(os.path.join(folder, "bots"), os.path.join(PROGRAMS, row.name))
        self.prepare(honest[0])
        self.bots = [honest[seat % len(honest)] for seat in range(SEATS)]
        self.bots[self.seat] = f"{self.hostile} {self.argument(honest[0])}".strip()
        self.before = self.own_files()
        self.traces = shared_traces()

    def prepare(self, honest):
        """What some programs need to find."""
        secret = os.path.join(self.results, "secret")
        for path in (secret, os.path.join(os.path.dirname(honest), "notes")):
            with open(path, "w") as file:
                file.write("secret\n")
            os.chmod(path, 0o600)
        if self.row.name == "symlink_in_its_folder":
            os.symlink(secret, self.hostile + ".link")
        elif self.row.name == "reads_store":
            make_store(os.path.join(os.path.dirname(self.hostile), "cup"))
            make_store(os.path.join(os.path.dirname(self.hostile), "sub", "folder", "cup"))
            os.symlink("sub/folder/cup", os.path.join(os.path.dirname(self.hostile), "link"))
        elif self.row.name == "fifo_in_its_folder":
            os.mkfifo(self.hostile + ".pipe")

    def argument(self, honest):
        folder = {"writes_results": self.results, "reads_results": self.results,
                  "traps_in_scratch": self.results, "reads_store": os.path.dirname(self.hostile),
                  "reads_sibling_folder": os.path.dirname(honest),
                  "writes_sibling_folder": os.path.dirname(honest)}.get(self.row.name)
        return f"folder={folder}" if folder is not None else ""

    def own_files(self):
        """Everything that lies in the folders of the match, and what the programs hold."""
        files = {}
        for where, folders, names in os.walk(self.folder):
            for name in folders + names:
                path = os.path.join(where, name)
                mode = os.lstat(path).st_mode
                is_program = stat.S_ISREG(mode) and "/results/" not in path
                files[os.path.relpath(path, self.folder)] = read_bytes(path) if is_program else mode
        return files

    def command(self):
        log = os.path.join(self.results, "match.ndjson")
        return [REFEREE, "play", "--quiet", "--seed", SEED, "--set", "turn_limit=2", "--log", log,
                "--contain", self.level, *LIMITS[self.row.limits], *self.bots]

    def play(self):
        """Plays a match, and again while it is void because the machine gave a bot too little time."""
        for _ in range(STARVED_MAX):
            code, said = self.play_once()
            if code != 1 or "the machine gave" not in said:
                break
        return code, said

    def play_once(self):
        """Returns the exit code of the referee and what it said, or None after too long."""
        environment = {**os.environ, "TMPDIR": os.path.join(self.folder, "tmp"), "HOSTILE_SECRET": "1"}
        referee = subprocess.Popen(self.command(), cwd=os.path.join(self.folder, "run"), text=True,
                                   env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, errors="replace", preexec_fn=limit_referee)
        try:
            said = referee.communicate(timeout=SECONDS)[1]
        except subprocess.TimeoutExpired:
            referee.kill()
            referee.communicate()
            return None, f"it was still playing after {SECONDS} s"
        return referee.returncode, said

    def logs(self):
        return sorted(glob.glob(os.path.join(self.results, "*.ndjson")))


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def limit_referee():
    """Bounds what the referee and all its bots can do to this machine, come what may."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES_MOST, FILE_BYTES_MOST))


def faults_of(log):
    with open(log) as file:
        return [record for record in map(json.loads, file) if "fault" in record]


def attack_of(table):
    """What the hostile program said of its attack: a pair like ("refused", "EPERM")."""
    said = ("", "")
    for path in sorted(glob.glob(os.path.join(table.results, f"*.stderr.{table.seat}"))):
        found = re.search(r"^attack [a-z_0-9]+: (succeeded|refused) \((.*)\)$", read(path), re.M)
        said = found.groups() if found and said[0] != "succeeded" else said
    return said


# What is left after it.


def process_state(pid):
    """The state of a process and its command, or None."""
    try:
        words = read(f"/proc/{pid}/stat")
    except (FileNotFoundError, ProcessLookupError):
        return None
    return words.rpartition(") ")[2][0], words.partition("(")[2].rpartition(")")[0]


def end_orphans():
    """Ends what the match left running. Returns the names of those processes. One that is dead already was left, too,
    if it was killed: a referee of another test that starts now ends what others have left."""
    names = []
    while children := read(f"/proc/self/task/{os.getpid()}/children").split():
        for pid in map(int, children):
            state, name = process_state(pid) or ("Z", "?")
            try:
                os.kill(pid, signal.SIGKILL)
                _, status = os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                continue
            if state != "Z" or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
                names.append(name)
    return names


def shared_traces():
    """Things of hostile programs in places that all processes of the machine share."""
    traces = [path for folder in SHARED_FOLDERS for path in glob.glob(os.path.join(folder, "hostile*"))]
    for path in SHARED_LISTS:
        if os.path.exists(path):
            traces += [f"{path}: {line}" for line in read(path).splitlines()
                       if re.search(r"(@|; |/)hostile", line) and "/tests/hostile" not in line]
    for path in SYSV_LISTS:
        if os.path.exists(path):
            traces += [path for line in read(path).splitlines() if line.split()[:1] == [SYSV_KEY]]
    return traces


def leftovers(table):
    """What the match left behind, in words."""
    after = table.own_files()
    for path, content in after.items():
        if path not in table.before and not re.fullmatch(r"results/match.*(ndjson|stderr\.\d)", path):
            yield f"it left {path}"
        elif path in table.before and content != table.before[path]:
            yield f"it changed {path}"
    for path in table.before:
        if path not in after:
            yield f"{path} has gone"
    # Where nothing is promised it might be a trace of the other lane.
    for trace in shared_traces():
        if table.level != "none" and trace not in table.traces:
            yield f"it left {trace}"


def clean_up(table):
    """After a level that promises nothing. The other lane may have been faster."""
    for folder in SHARED_FOLDERS:
        for path in glob.glob(os.path.join(folder, "hostile-note")):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)


# The verdict on a row.


class Verdict:
    """What became of a row at a level."""

    def __init__(self, row, level):
        self.row, self.level = row, level
        self.outcome, self.attack, self.problems = "", ("", ""), []

    def is_expected(self):
        """Without root a scratch folder has no fixed size: a bot that fills it may be stopped, too."""
        return (self.outcome == self.row.outcomes[self.level] or
                (os.geteuid() != 0 and self.outcome == "gone" and
                 self.row.stopper.startswith("the size of the scratch folder")))

    def why_skipped(self):
        """Why the outcome says nothing on this machine, or None."""
        if (self.level == "none" and self.row.outcomes["none"] == "gains" and
                self.outcome == "harmless" and self.attack[0] == "refused"):
            return f"this machine itself refuses it ({self.attack[1]})"
        if (self.level == "guarded" and os.geteuid() != 0 and self.outcome == "gains" and
                self.row.stopper.startswith("the process limit")):
            return "only root can give each bot a user, and the limit counts by user"
        return None


def judge_match(verdict, table, code, said):
    logs = table.logs()
    faults = [fault for log in logs for fault in faults_of(log)]
    own = [fault["fault"] for fault in faults if fault["seat"] == table.seat]
    others = [fault for fault in faults if fault["seat"] != table.seat]
    verdict.attack = attack_of(table)
    if own:
        verdict.outcome = own[0]
    else:
        verdict.outcome = "gains" if verdict.attack[0] == "succeeded" else "harmless"
    if others:
        verdict.problems.append(f"an honest bot is at fault: {others[0]}")
    elif code != (3 if own else 0):
        verdict.problems.append(f"exit code {code}: {said}")
    elif len(logs) != (2 if verdict.row.limits == "twice" else 1):
        verdict.problems.append(f"{len(logs)} logs")


def judge_remains(verdict, table):
    orphans = end_orphans()
    remains = [f"{name} is still running" for name in orphans] + list(leftovers(table))
    if verdict.level == "none":
        if remains and verdict.outcome == "harmless":
            verdict.outcome = "gains"
        clean_up(table)
    else:
        verdict.problems += remains


def play_row(folder, row, level, number):
    """Plays a row and returns its verdict. Runs in a lane."""
    verdict = Verdict(row, level)
    fds = len(os.listdir("/proc/self/fd"))
    table = Table(os.path.join(folder, level, row.name), row, level, number)
    code, said = table.play()
    if code is None or code == 2 or not table.logs():
        verdict.problems.append(f"exit code {code}: {said}")
    else:
        judge_match(verdict, table, code, said)
    judge_remains(verdict, table)
    if not verdict.problems and verdict.why_skipped() is None and not verdict.is_expected():
        verdict.problems.append(f"{verdict.outcome}, not {row.outcomes[level]}: "
                                f"{verdict.attack} {said}")
    if len(os.listdir("/proc/self/fd")) != fds:
        verdict.problems.append("a descriptor is left open")
    return verdict


def open_lane():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


# A level.


def why_not(level):
    """Why a level is not available here, or None."""
    good = os.path.join(PROGRAMS, "good")
    done = subprocess.run([REFEREE, "play", "--quiet", "--contain", level, good, good],
                          capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip().replace("\n", "; ")


def show(verdict):
    name = f"{verdict.level}: {verdict.row.name}"
    if verdict.problems:
        print(f"not ok {name}: {verdict.problems[0]}", flush=True)
    elif verdict.why_skipped() is not None:
        print(f"skip {name}: {verdict.why_skipped()}", flush=True)
    else:
        print(f"ok {name}", flush=True)


def play_level(folder, rows, level, file):
    """Plays all rows of a level, and writes what came of them."""
    rows = [row for row in rows if row.outcomes[level] != "-"]
    with concurrent.futures.ProcessPoolExecutor(LANES, multiprocessing.get_context("fork"),
                                                initializer=open_lane) as lanes:
        verdicts = list(lanes.map(play_row, *zip(*[(folder, row, level, number)
                                                   for number, row in enumerate(rows)])))
    for verdict in verdicts:
        show(verdict)
        said = " ".join(word for word in verdict.attack if word)
        file.write(f"{level:8} {verdict.row.name:26} {verdict.outcome:11} {said:40} "
                   f"{verdict.row.stopper}\n")
    skipped = sum(verdict.why_skipped() is not None for verdict in verdicts)
    right = sum(not verdict.problems for verdict in verdicts) - skipped
    print(f"count {level}: {right} of {len(rows)} with the right verdict, {skipped} skipped", flush=True)


def check_proof(folder, level):
    paths = glob.glob(os.path.join(folder, level, "*", "results", "*.ndjson"))
    done = subprocess.run([REFEREE, "replay", "--verify", *paths], capture_output=True, text=True)
    if done.returncode != 0 or not paths:
        yield f"{len(paths)} logs: {done.stderr}"


def play_levels(folder, rows):
    with open(os.path.join(BUILD, "hostile.txt"), "w") as file:
        for level in LEVELS:
            why = why_not(level)
            if why is not None:
                print(f"skip {level}: {len(rows)} programs: {why}", flush=True)
                continue
            if not any(row.outcomes[level] != "-" for row in rows):
                continue
            play_level(folder, rows, level, file)
            report(f"{level}: every log proves right", check_proof(folder, level))


# Around the table.


def check_complete(rows):
    """The table has every program, and is long enough."""
    names = sorted(row.name for row in rows)
    files = glob.glob(os.path.join(os.path.dirname(TABLE), "*.c"))
    expected = sorted({os.path.basename(path)[:-2] for path in files} - NOT_IN_TABLE)
    if names != expected:
        yield f"the table and the folder differ in {set(names) ^ set(expected)}"
    if len(rows) < 70:
        yield f"{len(rows)} programs"


def check_refusals(rows):
    """Dangerous programs end at once where no hard limit holds them."""
    for row in rows:
        if row.outcomes["none"] != "-":
            continue
        done = subprocess.run([os.path.join(PROGRAMS, row.name)], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS)
        if done.returncode != REFUSED_WITHOUT_LIMITS or "runs only under hard limits" not in done.stderr:
            yield f"{row.name}: exit code {done.returncode}: {done.stderr}"


# Programs that cannot be run: what is in the file, its mode, what is said at the command line (None if
# only running it can tell), what is said when it turns out later.
BROKEN = {
    "missing_interpreter": (b"#!/nowhere/python\n", 0o755, "which does not exist",
                            'its interpreter "/nowhere/python" does not exist'),
    "crlf_in_first_line": (b"#!/bin/sh\r\nexit\r\n", 0o755, "carriage return", "carriage return"),
    "not_executable": (b"#!/bin/sh\n", 0o644, "is not executable", "it is not executable"),
    "empty_file": (b"", 0o755, "is empty", "the file is empty"),
    "no_first_line": (b"just words\n", 0o755, "without a first line", "neither a program nor a script"),
    "wrong_format": (b"\0\1\2\3", 0o755, None, "neither a program nor a script"),
    "other_machine": (b"\177ELF\1\1\1" + bytes(45), 0o755, None, "a program for another kind of machine"),
}


def write_file(path, content, mode):
    """Puts a file in the place of another at once."""
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.chmod(path + ".new", mode)
    os.rename(path + ".new", path)


def check_broken(folder, level):
    """At the command line a program that cannot be run is the user's mistake, or else no_start."""
    for name, (content, mode, at_once, later) in BROKEN.items():
        path = os.path.join(folder, name)
        write_file(path, content, mode)
        done = subprocess.run([REFEREE, "play", "--quiet", "--contain", level, *LIMITS["long"], path,
                               os.path.join(PROGRAMS, "good")], capture_output=True, text=True)
        code, words = (2, at_once) if at_once is not None else (3, later if level != "sealed" else "no_start")
        if done.returncode != code or words not in done.stderr:
            yield f"{name}: exit code {done.returncode}: {done.stderr}"


# A good bot that says hello when there is a file `go` beside it.
GATE = b"""#!/bin/sh
while [ ! -e "${0%/*}/go" ]; do sleep 0.02; done
exec "${0%/*}/good"
"""


def has_bots(referee, count):
    """Whether the bots of a referee run, and not only what it tries the machine with; also when it has
    ended."""
    bots = 0
    try:
        children = read(f"/proc/{referee.pid}/task/{referee.pid}/children").split()
    except (FileNotFoundError, ProcessLookupError):
        return True
    for pid in children:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            bots += read(f"/proc/{pid}/cmdline").rstrip("\0").endswith("/bot")
    return bots >= count


def check_broken_later(folder, level):
    """A program that breaks while a series is played, uncontained, is the bot's fault, no_start, from then on."""
    good = os.path.join(PROGRAMS, "good")
    for name, (content, mode, _, later) in BROKEN.items():
        home = os.path.join(folder, "later", name)
        gate = os.path.join(home, "gate")
        os.makedirs(gate)
        path = shutil.copy(good, os.path.join(home, "bot"))
        shutil.copy(good, gate)
        write_file(os.path.join(gate, "bot"), GATE, 0o755)
        referee = subprocess.Popen([REFEREE, "play", "--json", "--contain", level, "--matches", "3",
                                    *LIMITS["long"], path, os.path.join(gate, "bot")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until(lambda: has_bots(referee, 2), "the bots of the first match")
        write_file(path, content, mode)
        write_file(os.path.join(gate, "go"), b"", 0o644)
        said = referee.communicate(timeout=SECONDS)[1]
        if referee.returncode != 3 or "no_start" not in said or later not in said:
            yield f"{name}: exit code {referee.returncode}: {said[-600:]}"


def check_broken_original(folder, level):
    """A contained program plays to the end as it was at the start, whatever happens to its file."""
    home = os.path.join(folder, "original")
    os.makedirs(home)
    path = shutil.copy(os.path.join(PROGRAMS, "good"), os.path.join(home, "bot"))
    referee = subprocess.Popen([REFEREE, "play", "--json", "--contain", level, "--matches", "200", "--set",
                                "turn_limit=2", *LIMITS["long"], path, path],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(lambda: has_bots(referee, 2), "the bots of the first match")
    referee.send_signal(signal.SIGSTOP)
    if referee.poll() is not None:
        yield "it has played everything before its program could be broken"
    write_file(path, b"just words\n", 0o755)
    referee.send_signal(signal.SIGCONT)
    said = referee.communicate(timeout=SECONDS)[1]
    if referee.returncode != 0:
        yield f"exit code {referee.returncode}: {said[-600:]}"


def check_environment(folder):
    for level in LEVELS:
        if why_not(level) is not None:
            continue
        home = os.path.join(folder, "environment", level)
        os.makedirs(home)
        report(f"{level}: programs that cannot be run are told apart", check_broken(home, level))
        if level == "none":
            report("none: programs that break later do not start", check_broken_later(home, level))
        else:
            report(f"{level}: programs stay as they were at the start", check_broken_original(home, level))


def main():
    rows = read_table()
    if len(sys.argv) > 1:
        rows = [row for row in rows if row.name in sys.argv[1:]]
    folder = tempfile.mkdtemp(prefix="referee-hostile-")
    # Bots that run as users of their own have to find their scratch folders below it.
    os.chmod(folder, 0o755)
    try:
        if len(sys.argv) == 1:
            report("the table has every hostile program", check_complete(rows))
        report("dangerous programs run only under hard limits", check_refusals(rows))
        play_levels(folder, rows)
        if len(sys.argv) == 1:
            check_environment(folder)
    finally:
        shutil.rmtree(folder)


main()
