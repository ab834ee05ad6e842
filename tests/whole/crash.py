#!/usr/bin/env python3
"""Kills a tournament at random moments and write points, and lets calls of it fail: afterwards everything
must be as if nothing had happened.

CRASH_KILLS says how often it is killed, CRASH_POINTS how many calls fail, CRASH_SEED (printed) which."""

import concurrent.futures
import errno
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from organiser import read_records
from patience import SECONDS, until

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
RANDOM = os.path.join(BUILD, "bots", "random")
LIBRARY = os.path.join(BUILD, "tests", "fail_nth.so")
IS_SANITIZED = b"__asan_init" in open(REFEREE, "rb").read()
KILLS = int(os.environ.get("CRASH_KILLS", "6" if IS_SANITIZED else "20"))
POINTS = int(os.environ.get("CRASH_POINTS", "10" if IS_SANITIZED else "30"))
SEED = os.environ.get("CRASH_SEED", "1")
TOGETHER = 4

# What the library counts, and how such calls fail.
ERRORS = {
    "disk": [errno.ENOSPC, errno.EIO],
    "descriptors": [errno.EMFILE],
    "processes": [errno.EAGAIN],
    "watches": [errno.ENOMEM, errno.ENOSPC],
}
SHARED = struct.Struct("LL48sLL")
IS_OVER = struct.Struct("L")  # the last member

# Tournaments: how many bots play, and what their file says.
KINDS = {
    "plain": (2, {"deals": 3}),
    "reuse": (2, {"deals": 3, "reuse": True}),
    "swiss": (4, {"deals": 1, "format": "swiss", "rounds": 2}),
    "tiny": (2, {"deals": 1, "reuse": True}),
}


def report(name, problems):
    problems = [" ".join(problem.split()) for problem in problems]
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)
    for problem in problems[1:10]:
        print(f"    {problem}")


def preload():
    """The sanitizer's own library has to be the first of all."""
    shown = subprocess.run(["ldd", REFEREE], capture_output=True, text=True).stdout
    found = re.search(r"libasan\S* => (\S+)", shown)
    return f"{found[1]}:{LIBRARY}" if found else LIBRARY


PRELOAD = preload()


class Trial:
    """A tournament in a folder of its own."""

    def __init__(self, folder, name, kind):
        self.folder = os.path.join(folder, name)
        self.store = os.path.join(self.folder, "store")
        self.counter = os.path.join(self.folder, "counter")
        self.mark = f"CRASH_RUN={os.getpid()}.{name}"
        self.keeps_bots = KINDS[kind][1].get("reuse", False)
        os.mkdir(self.folder)
        with open(os.path.join(self.folder, "plan.json"), "w") as file:
            json.dump(self.plan(*KINDS[kind]), file)

    def plan(self, count, more):
        key, value = self.mark.split("=")
        bots = [{"name": f"bot{i}", "command": GREEDY if i == 0 else RANDOM, "environment": {key: value}}
                for i in range(count)]
        return {"name": "crash", "bots": bots, "output": "store", "seats": 2, "seatings": "all", "start_ms": 60000, "contain": "none",
                "move_ms": 60000, "workers": 2, "rules": {"rounds": 1, "turn_limit": 10}, **more}

    def start(self, finds_leaks=True, **more):
        """Starts to play, or resumes. `more` is for the library."""
        environment = dict(os.environ, **dict([self.mark.split("=")]))
        if not finds_leaks:
            environment["ASAN_OPTIONS"] = "detect_leaks=0"
        if more:
            with open(self.counter, "wb") as file:
                file.write(bytes(SHARED.size))
            environment.update(more, LD_PRELOAD=PRELOAD, FAIL_FILE=self.counter)
        with open(os.path.join(self.folder, "stderr"), "wb") as stderr:
            return subprocess.Popen([REFEREE, "tournament", "--seed", "crash", "plan.json"],
                                    cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=stderr)

    def run(self, **more):
        """Plays, and returns the exit code; `timeout` if there is none."""
        process = self.start(**more)
        return self.wait(process)

    def wait(self, process):
        try:
            return process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "timeout"

    def shared(self):
        """How many calls were counted, how many of them hit, and the name of the first."""
        with open(self.counter, "rb") as file:
            count, hits, name, _, _ = SHARED.unpack(file.read(SHARED.size))
        return count, hits, name.rstrip(b"\0").decode()

    def end_failures(self):
        """Those of FAIL_FROM."""
        with open(self.counter, "r+b") as file:
            file.seek(SHARED.size - IS_OVER.size)
            file.write(IS_OVER.pack(1))

    def words(self):
        with open(os.path.join(self.folder, "stderr"), errors="replace") as file:
            return file.read().strip()

    def remains(self):
        """What a run must not leave: processes that are still there after a while, or a sanitizer report."""
        try:
            until(lambda: not self.processes(), "the end of all its processes")
        except OSError:
            yield from (f"process {pid} is left over" for pid in self.processes())
        if "Sanitizer" in self.words() or "runtime error:" in self.words():
            yield self.words()

    def processes(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if self.mark.encode() in file.read().split(b"\0"):
                        found.append(int(pid))
            except OSError:
                pass
        return found

    def remove(self):
        shutil.rmtree(self.folder)


# What a tournament has come to, without times.

# Bots carry the mark of their trial in their environment, and so in their hash.
TIMES = {"us", "wall_us", "cpu_us", "wait_us", "pondered_us", "time", "sum", "synced", "sha256", "log", "hash"}
OF_REUSE = {"asked_before", "sent"}


def without(value, keys):
    if isinstance(value, dict):
        return {key: without(item, keys) for key, item in value.items() if key not in keys}
    if isinstance(value, list):
        return [without(item, keys) for item in value]
    return value


def standings(trial, form):
    done = subprocess.run([REFEREE, "standings", form, "store"], cwd=trial.folder, timeout=SECONDS,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(f"standings end with {done.returncode}: {done.stderr}")
    return done.stdout


def read_log(trial, match, record):
    """A log without its times; its hash must be the one that the results know."""
    lines = read_records(os.path.join(trial.store, "logs", match))
    if not lines or lines[-1].get("sha256") != record["log"]:
        raise ValueError(f"the log {match} is not the one of its result")
    return without(lines, TIMES | OF_REUSE if trial.keeps_bots else TIMES)


def read_results(trial):
    results = {}
    for record in read_records(os.path.join(trial.store, "results.ndjson")):
        if "block" not in record:
            continue
        match = f"{record['block']:06}/{record['rotation'] + 1:02}.ndjson.zst"
        if match in results:
            raise ValueError(f"{match} is there twice")
        if "faults" in record:
            raise ValueError(f"{match}: a bot is blamed: {record['faults']}")
        results[match] = record
    return results


def list_logs(trial):
    """The logs that everybody may see, without attempts that came to nothing."""
    folder = os.path.join(trial.store, "logs")
    return sorted(f"{block}/{name}" for block in os.listdir(folder)
                  for name in os.listdir(os.path.join(folder, block)) if ".attempt-" not in name)


def read_outcome(trial):
    results = read_results(trial)
    with open(os.path.join(trial.store, "commitments")) as file:
        commitments = file.read()
    return {
        "results": {match: without(record, TIMES) for match, record in results.items()},
        "files": list_logs(trial),
        "logs": {match: read_log(trial, match, results[match]) for match in sorted(results)},
        "standings": without(json.loads(standings(trial, "--json")), TIMES),
        "matches": standings(trial, "--csv-matches"),
        "commitments": commitments,
        "open": os.listdir(os.path.join(trial.store, "open")),
        "rest": sorted(name for name in os.listdir(trial.store)),
    }


def compare(trial, expected):
    """What is not as it should be, in words."""
    try:
        outcome = read_outcome(trial)
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as problem:
        return [f"{problem}"]
    return [f"{part} differ: {outcome[part]} instead of {expected[part]}"[:600]
            for part in expected if outcome[part] != expected[part]]


# Kills.

def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def kill_worker(process, chance):
    """Returns whether there was one. Its number may be another's by now, so it is held before a look."""
    workers = children(process.pid)
    if not workers:
        return False
    victim = chance.choice(workers)
    try:
        with open(os.pidfd_open(victim), "rb") as held:
            if victim not in children(process.pid):
                return False
            signal.pidfd_send_signal(held.fileno(), signal.SIGKILL)
            return True
    except ProcessLookupError:
        return False


def kill_by_time(trial, chance, length):
    """Kills the coordinator or a worker at a random moment. Returns who, or None, and the exit code.

    The leak checker is a child at the end, and a process that waits for it waits for ever if it is killed."""
    process = trial.start(finds_leaks=False)
    time.sleep(chance.uniform(0, length))
    if chance.random() < 0.6 and kill_worker(process, chance):
        return "worker, by time", trial.wait(process)
    process.kill()
    code = trial.wait(process)
    return "coordinator, by time" if code != 0 else None, code


def kill_at_call(trial, chance, at):
    """Kills whoever makes the n-th call on the disk."""
    how = chance.choice(["kill-before", "kill-after", "kill-half"])
    code = trial.run(FAIL_CALLS="disk", FAIL_AT=str(at), FAIL_TIMES="1", FAIL_HOW=how)
    _, hits, name = trial.shared()
    who = "coordinator" if code == -signal.SIGKILL else "worker"
    return f"{who}, {how} call {at}: {name}" if hits > 0 else None, code


def judge_kill(trial, who, code):
    """A dead worker's matches are played again at once; of a dead coordinator nothing is left."""
    expected = -signal.SIGKILL if who.startswith("coordinator") else 0
    if code != expected:
        yield f"exit code {code} instead of {expected}: {trial.words()}"
    yield from trial.remains()


def finish(trial, expected):
    code = trial.run()
    if code != 0:
        yield f"going on ends with {code}: {trial.words()}"
    yield from trial.remains()
    yield from compare(trial, expected)


def try_kill(trial, chance, strike, expected):
    """Kills until it was in time, once or twice; returns who was killed, and what is wrong."""
    who = None
    problems = []
    for tries in range(20):
        who, code = strike(0.7 ** tries)
        if who is not None:
            break
        shutil.rmtree(trial.store, ignore_errors=True)
    if who is None:
        return "nobody", ["it was over before anybody could be killed"]
    problems += judge_kill(trial, who, code)
    if who.startswith("coordinator") and chance.random() < 0.3:
        again, code = kill_by_time(trial, chance, 0.3)
        if again is not None:
            problems += judge_kill(trial, again, code)
    if who.startswith("worker"):
        problems += compare(trial, expected)
    problems += finish(trial, expected)
    return who, [f"{trial.folder}: {who}: {problem}" for problem in problems]


class Base:
    """The same tournament undisturbed: what must come out, how long it takes, how many calls it makes."""

    def __init__(self, folder, kind):
        self.kind = kind
        self.counts = {}
        trial = Trial(folder, f"base-{kind}", kind)
        start = time.monotonic()
        code = trial.run()
        self.length = time.monotonic() - start
        if code != 0:
            raise ValueError(f"the tournament cannot be played: {code}: {trial.words()}")
        self.expected = read_outcome(trial)
        for calls in ERRORS:
            shutil.rmtree(trial.store)
            trial.run(FAIL_CALLS=calls, FAIL_AT="0")
            self.counts[calls] = trial.shared()[0]
        trial.remove()


def kill_one(folder, number, base):
    chance = random.Random(f"{SEED} kill {number}")
    trial = Trial(folder, f"kill-{number}", base.kind)
    # The points are spread over the whole run: each kill has its own part of it.
    part = (number // 2 + chance.random()) / (KILLS / 2)

    def strike(reach):
        if number % 2 == 0:
            return kill_by_time(trial, chance, base.length * reach)
        return kill_at_call(trial, chance, 1 + int(part * reach * base.counts["disk"]))

    who, problems = try_kill(trial, chance, strike, base.expected)
    if not problems:
        trial.remove()
    return who, problems


def check_kills(pool, folder):
    bases = [Base(folder, kind) for kind in ("plain", "reuse", "swiss")]
    if bases[0].counts["disk"] < 40:
        yield f"the library counts only {bases[0].counts['disk']} calls"
    done = list(pool.map(lambda number: kill_one(folder, number, bases[number // 2 % 3]), range(KILLS)))
    for _, problems in done:
        yield from problems
    killed = [who.split(",")[0] for who, _ in done]
    at_calls = sum("call" in who for who, _ in done)
    print(f"count {len(done)} kills, {at_calls} of them at write points: {killed.count('coordinator')} "
          f"of the coordinator, {killed.count('worker')} of a worker; seed {SEED}")


# Failures.

def list_points(base):
    """Every call once with each error; of these an even choice, if they are too many."""
    points = [(calls, error, at) for calls, errors in ERRORS.items() for error in errors
              for at in range(1, base.counts[calls] + 1)]
    random.Random(f"{SEED} points").shuffle(points)
    points.sort(key=lambda point: point[0] != "processes")
    return points[:POINTS]


def fail_one(folder, number, base, point):
    calls, error, at = point
    chance = random.Random(f"{SEED} fail {number}")
    times = chance.choice([1, 1, 1, 2, 4])
    trial = Trial(folder, f"fail-{number}", base.kind)
    # The load decides how many calls there are: if it is over before, an earlier call fails.
    while True:
        code = trial.run(FAIL_CALLS=calls, FAIL_AT=str(at), FAIL_TIMES=str(times), FAIL_HOW=str(error))
        _, hits, name = trial.shared()
        if hits > 0 or at == 1:
            break
        at = max(1, int(0.7 * at))
        shutil.rmtree(trial.store)
    problems = list(trial.remains())
    if code == 0:
        problems += compare(trial, base.expected)
    elif code not in (1, 2):  # 2: it could not even read what it was to do
        problems.append(f"exit code {code}: {trial.words()}")
    elif trial.words() == "":
        problems.append(f"exit code {code} without a word")
    problems += finish(trial, base.expected)
    if not problems:
        trial.remove()
    what = f"{trial.folder}: call {at} ({name}), {times} times {errno.errorcode[error]}"
    return hits, code, [f"{what}: {problem}" for problem in problems]


def check_failures(pool, folder):
    base = Base(folder, "tiny")
    points = list_points(base)
    done = list(pool.map(lambda row: fail_one(folder, row[0], base, row[1]), enumerate(points)))
    for _, _, problems in done:
        yield from problems
    hit = sum(hits > 0 for hits, _, _ in done)
    if hit < len(points):
        yield f"only {hit} of {len(points)} calls failed"
    stopped = sum(code != 0 for _, code, _ in done)
    print(f"count {hit} calls failed: {stopped} times it stopped and could go on; seed {SEED}")


# Stores as a kill may leave them.

def check_half_begun(folder):
    """Before its first deal is committed to, a tournament can be killed after every record. The first of them is
    on disk before the master."""
    base = Base(folder, "tiny")
    trial = Trial(folder, "begun", base.kind)
    trial.run()
    with open(os.path.join(trial.store, "results.ndjson"), "rb") as file:
        lines = file.read().splitlines(keepends=True)
    committed = next(i for i, line in enumerate(lines) if line.startswith(b'{"commitments"'))
    for count, kept in [(0, ()), (1, ())] + [(count, ("master",)) for count in range(1, committed + 1)]:
        for name in os.listdir(trial.store):
            if name in ("open", "logs"):
                shutil.rmtree(os.path.join(trial.store, name))
            elif name not in (*kept, "referee.lock"):
                os.remove(os.path.join(trial.store, name))
        with open(os.path.join(trial.store, "results.ndjson"), "wb") as file:
            file.write(b"".join(lines[:count]) + lines[count][:20])
        yield from finish(trial, base.expected)


def check_closed_streams(folder):
    """What is said where nobody listens must not be written into a file of the store."""
    base = Base(folder, "tiny")
    trial = Trial(folder, "closed", base.kind)
    trial.run()
    with open(os.path.join(trial.store, "results.ndjson"), "a") as file:
        file.write('{"block":1,')  # which is dropped, in words
    done = subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", REFEREE, "tournament",
                           "plan.json"], cwd=trial.folder, timeout=SECONDS)
    if done.returncode != 1:
        yield f"exit code {done.returncode} although the standings could not be printed"
    yield from finish(trial, base.expected)


def check_aside(folder):
    """From the last deal on no worker can open a file: matches that were void three times are tried again at the
    end, and after a restart."""
    base = Base(folder, "plain")
    for is_stopped in False, True:
        trial = Trial(folder, f"aside-{is_stopped}", base.kind)
        process = trial.start(FAIL_CALLS="descriptors", FAIL_FROM="open/000003/", FAIL_HOW=str(errno.EMFILE))
        until(lambda: "trying again" in trial.words() or process.poll() is not None, "a match that is set aside")
        if is_stopped:
            process.terminate()
        else:
            trial.end_failures()
        code = trial.wait(process)
        if code != is_stopped or "trying again" not in trial.words():
            yield f"exit code {code}: {trial.words()}"
        yield from finish(trial, base.expected)


def check_start(folder):
    """No descriptor for a moment while the bots are looked for: it says so or goes on, and no bot loses by it."""
    if not os.path.exists(PRELOAD):
        return
    kind = max(KINDS, key=lambda name: KINDS[name][0])
    for at in range(1, 9):
        trial = Trial(folder, f"start-{at}", kind)
        code = trial.run(FAIL_CALLS="descriptors", FAIL_AT=str(at), FAIL_TIMES="1", FAIL_HOW=str(errno.EMFILE))
        if (code != 0 and trial.words() == "") or "no_start" in trial.words():
            yield f"call {at}: exit code {code}, {trial.words()!r}"


def main():
    folder = tempfile.mkdtemp(prefix="crash-")
    with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
        report("a_tournament_that_is_killed_loses_and_doubles_nothing", check_kills(pool, folder))
        report("a_tournament_that_is_killed_while_it_begins_starts_over", check_half_begun(folder))
        report("matches_that_were_set_aside_are_tried_again", check_aside(folder))
        report("closed_streams_leave_the_store_alone", check_closed_streams(folder))
        report("a_machine_without_descriptors_is_no_fault_of_a_bot", check_start(folder))
        report("a_call_that_fails_costs_no_result_and_no_bot", check_failures(pool, folder))
    if os.environ.get("CRASH_KEEP") is None:
        shutil.rmtree(folder)
    else:
        print(folder, file=sys.stderr)


if __name__ == "__main__":
    main()
