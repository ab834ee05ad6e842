#!/usr/bin/env python3
"""Cuts the power while a tournament is played and while the daemon works. Afterwards everything that was
acknowledged is there, once, and what is resumed ends as if nothing had happened.

The states of the disk are rebuilt from a trace (disk_trace.py): any that POSIX allows. And, where the machine
allows it, a real ext4 is shut down without a flush. POWER_CUTS says how often, POWER_SEED (printed) when."""

import glob
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import threading
import time

import crash
from daemon import GREEDY, RANDOM, REFEREE, SHORT, Client, Daemon, NoDaemon, Refused, become_reaper, remains, report
from disk_trace import Image, Trace, traced, why_no_image, why_no_trace
from patience import SECONDS, until

CUTS = int(os.environ.get("POWER_CUTS", "8"))
SEED = os.environ.get("POWER_SEED", "1")
OVER = ("done", "cancelled", "failed", "paused")
# More matches at once, so that many results are written together.
crash.KINDS["many"] = (4, {"deals": 3, "tables": 8})
LOST = (OSError, ConnectionError, ValueError, Refused)


def choose_cuts(chance, trace):
    """Steps spread over the whole trace: any, just after something was said, while something is being synced, and
    while folders are made."""
    places = [range(len(trace.steps) + 1),
              [number + 1 for number in sorted(trace.words)],
              [number for number, step in enumerate(trace.steps) if step.call == "fdatasync"],
              [number + 1 for number, step in enumerate(trace.steps) if step.call in ("mkdir", "mkdirat")]]
    for number in range(CUTS):
        kind = places[number % len(places)]
        yield kind[int((number + chance.random()) / CUTS * len(kind))]


# A tournament.

class Undisturbed:
    """What must come out of it, and how long it takes."""

    def __init__(self, folder, kind):
        trial = crash.Trial(folder, f"base-{kind}", kind)
        start = time.monotonic()
        code = trial.run()
        self.length = time.monotonic() - start
        if code != 0:
            raise ValueError(f"the tournament cannot be played: {code}: {trial.words()}")
        self.expected = crash.read_outcome(trial)
        trial.remove()


def feed_of(trial):
    return os.path.join(trial.folder, "feed")


def play_traced(trial):
    with open(feed_of(trial), "wb") as feed:
        subprocess.run([*traced(os.path.join(trial.folder, "trace")), REFEREE, "tournament", "--feed", "--seed", "crash",
                        "plan.json"], cwd=trial.folder, stdin=subprocess.DEVNULL, stdout=feed,
                       stderr=subprocess.DEVNULL, timeout=SECONDS, check=True)

    def is_word(step):
        return b"".join(step.texts()).decode() if step.call == "write" and f"<{feed_of(trial)}>" in step.arguments else None

    return Trace(os.path.join(trial.folder, "trace"), trial.folder, is_word)


def matches_in(words):
    """The matches that a feed has reported, as they are in the results."""
    return {f"{int(block):06}/{int(match):02}.ndjson.zst" for block, match in re.findall(r"^match (\d+)\.(\d+) ", words, re.M)}


def judge_tournament(trial, base, said, logs):
    """Resumes it. The result of a match that was reported is the one of that time, down to the hash of its log."""
    code = trial.run()
    if code != 0:
        yield f"going on ends with {code}: {trial.words()}"
        return
    yield from crash.compare(trial, base.expected)
    results = crash.read_results(trial)
    for match in sorted(matches_in(said)):
        if match not in results or (logs is not None and results[match]["log"] != logs[match]):
            yield f"the match {match} was reported and is lost"


def ready_trial(folder, name, kind):
    """A tournament that is to be found as the power failure has left it: only its plan is there for sure."""
    trial = crash.Trial(folder, name, kind)
    plan = os.path.join(trial.folder, "plan.json")
    with open(plan) as file:
        config = json.load(file)
    for bot in config["bots"]:
        del bot["environment"]
    with open(plan, "w") as file:
        json.dump(config, file)
    return trial


def check_tournament(folder, kind):
    chance = random.Random(f"{SEED} {kind}")
    base = Undisturbed(folder, kind)
    trial = ready_trial(folder, f"trace-{kind}", kind)
    trace = play_traced(trial)
    logs = {match: record["log"] for match, record in crash.read_results(trial).items()}
    bad = 0
    for line in trace.differs("store", os.path.join(folder, f"again-{kind}")):
        yield f"the trace does not explain the store: {line}"
    for number, cut in enumerate(choose_cuts(chance, trace)):
        state = ready_trial(folder, f"cut-{kind}-{number}", kind)
        rebuilt = os.path.join(folder, "rebuilt")
        trace.rebuild(cut, rebuilt, chance)
        if os.path.isdir(os.path.join(rebuilt, "store")):
            os.rename(os.path.join(rebuilt, "store"), state.store)
        shutil.rmtree(rebuilt)
        problems = list(judge_tournament(state, base, "".join(trace.said_before(cut)), logs))
        yield from (f"{state.folder}: cut at step {cut} of {len(trace.steps)}: {problem}" for problem in problems)
        bad += bool(problems)
        if not problems:
            state.remove()
    print(f"count {CUTS} power cuts of a tournament ({kind}), {bad} of them cost something; seed {SEED}", flush=True)


# The daemon.

def cup(name, **more):
    return json.dumps({"name": name, "bots": ["g", "r"], "seats": 2, "deals": 1, "seatings": "all", "start_ms": 60000,
                       "move_ms": 60000, "rules": {"rounds": 1, "turn_limit": 6}, **more}).encode()


def upload(number):
    return b"#!/bin/sh\n# " + random.Random(number).randbytes(3000 * number).hex().encode()


class Organiser:
    """Hands in bots and jobs, and keeps each request with its reply."""

    def __init__(self, client):
        self.client = client
        self.said = []

    def ask(self, request, block=b""):
        self.said.append((request, block, self.client.ask(request, block)))
        return self.said[-1][2]

    def wait_jobs(self):
        until(lambda: not self.client_queue(), "the end of all jobs")
        self.ask("queue all=yes")

    def client_queue(self):
        time.sleep(0.02)
        return self.ask("queue")

    def work(self):
        self.ask(f"submit g command={GREEDY}")
        self.ask(f"submit r command={RANDOM}")
        for number in (1, 2):
            self.ask(f"submit up file=bot.sh bytes={len(upload(number))}", upload(number))
        self.ask(f"match g r title=one {SHORT}")
        self.ask(f"tournament bytes={len(cup('two'))}", cup("two"))
        self.wait_jobs()
        self.ask(f"match g r title=three {SHORT}")
        # It is cancelled while it waits or while it is played.
        self.ask(f"tournament bytes={len(cup('four', deals=200))}", cup("four", deals=200))
        self.ask("cancel 4")
        self.ask(f"submit other file=bot.sh bytes={len(upload(3))}", upload(3))
        self.wait_jobs()
        self.ask(f"submit late command={RANDOM}")


def listed(client):
    bots = {line.split()[0]: int(line.split()[1]) for line in client.ask("bots").splitlines()}
    return bots, client.queue(all="yes", limit=10000)


def check_said(daemon, client, said):
    """Everything that was answered `ok` is there once."""
    bots, jobs = listed(client)
    titles = [job[5] for job in jobs.values()]
    versions = {}
    for request, block, reply in said:
        words = request.split()
        if words[0] == "submit":
            versions[words[1]] = versions.get(words[1], 0) + 1
            if bots.get(words[1], 0) < versions[words[1]]:
                yield f"{request[:60]!r} was answered {reply!r} and is lost"
            elif block:
                yield from check_upload(daemon, words[1], versions[words[1]], block)
        elif words[0] in ("match", "tournament"):
            number = int(re.search(r"job=(\d+)", reply)[1])
            title = json.loads(block)["name"] if block else re.search(r"title=(\S+)", request)[1]
            if number not in jobs or titles.count(title) != 1:
                yield f"job {number} ({title}) was accepted and is there {titles.count(title)} times"
        elif words[0] == "cancel" and jobs.get(int(words[1]), ("lost",))[0] != "cancelled":
            yield f"{request!r} was answered {reply!r}, and the job is {jobs.get(int(words[1]))}"
        elif words[0] == "queue":
            for line in reply.splitlines():
                number, state = line.split()[:2]
                if state in OVER and jobs.get(int(number), ("lost",))[0] != state:
                    yield f"job {number} was {state} and is {jobs.get(int(number))}"


def check_upload(daemon, name, version, block):
    path = os.path.join(daemon.store, "bots", name, str(version), "bot.sh")
    try:
        with open(path, "rb") as file:
            if file.read() != block:
                yield f"{path} is not what was sent"
    except OSError as problem:
        yield f"{problem}"


def check_ends(daemon, client, sent):
    """All that is left is played, once."""
    until(lambda: not client.queue(), "the end of all jobs")
    bots, jobs = listed(client)
    for number, (state, _, _, decided, matches, title) in jobs.items():
        if title not in sent or state not in ("done", "cancelled") or (state == "cancelled" and title != "four"):
            yield f"job {number} ({title}) is {state}: {client.ask(f'status {number}')}"
        if state != "done" or title == "four":
            continue
        store = os.path.join(daemon.store, "jobs", str(number), "store")
        results = crash.read_records(os.path.join(store, "results.ndjson"))
        places = [(record["block"], record["rotation"]) for record in results if "block" in record]
        logs = glob.glob(os.path.join(store, "logs", "*", "??.ndjson.zst"))
        if decided != matches or len(places) != matches or len(set(places)) != matches or len(logs) != matches:
            yield f"job {number}: {decided} of {matches} matches, results of {places}, {len(logs)} logs"


TITLES = ("one", "two", "three", "four")


def judge_daemon(daemon, said):
    try:
        daemon.start()
    except NoDaemon as why:
        yield f"it does not start: {why}"
        return
    try:
        with daemon.client() as client:
            yield from check_said(daemon, client, said)
            # Long ones that nobody cancelled before the cut are not waited for.
            for number, job in client.queue().items():
                if job[5] == "four":
                    client.ask(f"cancel {number}")
            yield from check_ends(daemon, client, TITLES)
            client.ask("shutdown now=yes")
        if daemon.wait() != 0:
            yield f"it ends badly: {daemon.words()}"
    finally:
        daemon.end()


def serve_traced(folder):
    """Lets the daemon work under a trace. Returns it, the trace and what was said."""
    daemon = Daemon(os.path.join(folder, "traced"), "--workers", "1", "--contain", "guarded")
    path = os.path.join(folder, "trace")
    daemon.start(*traced(path))
    with daemon.client() as client:
        organiser = Organiser(client)
        organiser.work()
        client.ask("shutdown now=yes")
    daemon.wait()

    def is_word(step):
        if step.call not in ("write", "writev", "sendto", "sendmsg") or "<socket:" not in step.arguments:
            return None
        words = b"".join(step.texts())
        return words if re.match(rb"(ok|block|error)\b", words) else None

    trace = Trace(path, daemon.folder, is_word)
    # The last replies are those of the work, and the one of the end.
    own = sorted(trace.words)[-len(organiser.said) - 1:-1]
    trace.words = dict(zip(own, organiser.said))
    return daemon, trace


def check_daemon(folder):
    chance = random.Random(f"{SEED} daemon")
    daemon, trace = serve_traced(folder)
    bad = 0
    for line in trace.differs("store", os.path.join(folder, "again-daemon")):
        if "remote.socket" not in line:
            yield f"the trace does not explain the store: {line}"
    for number, cut in enumerate(choose_cuts(chance, trace)):
        where = os.path.join(folder, f"cut-daemon-{number}")
        state = Daemon(where, "--workers", "2", "--contain", "guarded")
        rebuilt = os.path.join(folder, "rebuilt")
        trace.rebuild(cut, rebuilt, chance)
        if os.path.isdir(os.path.join(rebuilt, "store")):
            os.rename(os.path.join(rebuilt, "store"), state.store)
        shutil.rmtree(rebuilt)
        problems = list(judge_daemon(state, trace.said_before(cut)))
        yield from (f"{where}: cut at step {cut} of {len(trace.steps)}: {problem}" for problem in problems)
        bad += bool(problems)
        if not problems:
            shutil.rmtree(where)
    print(f"count {CUTS} power cuts of the daemon, {bad} of them cost something; seed {SEED}", flush=True)


# The same on a real ext4.

def check_image_tournament(folder):
    chance = random.Random(f"{SEED} image")
    kind = "plain"
    base = Undisturbed(folder, kind)
    for number in range(max(1, CUTS // 4)):
        where = os.path.join(folder, f"image-{number}")
        os.mkdir(where)
        image = Image(where)
        try:
            trial = ready_trial(image.path, "trial", kind)
            os.sync()
            said = os.path.join(where, "feed")
            with open(said, "wb") as feed:
                process = subprocess.Popen([REFEREE, "tournament", "--feed", "--seed", "crash", "plan.json"], cwd=trial.folder,
                                           stdin=subprocess.DEVNULL, stdout=feed, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, base.length))
            with open(said) as file:
                words = file.read()
            image.cut()
            process.kill()
            process.wait()
            remains()
            until(lambda: try_unmount(image), "the end of all that uses the disk")
            image.mount()
            yield from (f"cut {number}: {problem}" for problem in judge_tournament(trial, base, words, None))
        finally:
            try_unmount(image)
    print(f"count {max(1, CUTS // 4)} power cuts of an ext4 under a tournament; seed {SEED}", flush=True)


def try_unmount(image):
    try:
        image.unmount()
        return True
    except OSError:
        return not os.path.ismount(image.path)


def check_image_daemon(folder):
    chance = random.Random(f"{SEED} image daemon")
    for number in range(max(1, CUTS // 4)):
        where = os.path.join(folder, f"image-daemon-{number}")
        os.mkdir(where)
        image = Image(where)
        daemon = Daemon(where, "--workers", "1", "--contain", "guarded", store="disk/store")
        try:
            daemon.start()
            organiser = Organiser(Client(daemon.socket))
            worker = threading.Thread(target=work_until_lost, args=(organiser,), daemon=True)
            worker.start()
            time.sleep(chance.uniform(0, 1.5))
            said = list(organiser.said)
            image.cut()
            daemon.kill()
            worker.join(SECONDS)
            remains()
            until(lambda: try_unmount(image), "the end of all that uses the disk")
            image.mount()
            yield from (f"cut {number}: {problem}" for problem in judge_daemon(daemon, said))
        finally:
            daemon.end()
            remains()
            until(lambda: try_unmount(image), "the end of all that uses the disk")
    print(f"count {max(1, CUTS // 4)} power cuts of an ext4 under the daemon; seed {SEED}", flush=True)


def work_until_lost(organiser):
    try:
        organiser.work()
    except LOST:
        pass


def check(why_not, names_and_cases):
    for name, case in names_and_cases:
        if why_not is not None:
            print(f"skip {name}: {why_not}", flush=True)
        else:
            report(name, case())


def main():
    become_reaper()
    folder = tempfile.mkdtemp(prefix="power-")
    check(why_no_trace(), [
        ("a_tournament_loses_nothing_in_a_power_failure", lambda: check_tournament(folder, "many")),
        ("a_swiss_tournament_loses_nothing_in_a_power_failure", lambda: check_tournament(folder, "swiss")),
        ("the_daemon_loses_nothing_in_a_power_failure", lambda: check_daemon(folder)),
    ])
    check(why_no_image(folder), [
        ("a_tournament_on_an_ext4_that_is_cut_off_loses_nothing", lambda: check_image_tournament(folder)),
        ("the_daemon_on_an_ext4_that_is_cut_off_loses_nothing", lambda: check_image_daemon(folder)),
    ])
    if os.environ.get("CRASH_KEEP") is None:
        shutil.rmtree(folder)
    else:
        print(folder)


if __name__ == "__main__":
    main()
