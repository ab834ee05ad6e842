#!/usr/bin/env python3
"""The clock with real processes: cheats are charged what they use, a bot that thinks out of turn is
frozen, a pause of everything is nobody's fault, and who was starved is never late."""

import json
import os
import signal
import subprocess
import tempfile
import threading

from patience import SECONDS, until

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
HOSTILE = os.path.join(BUILD, "tests", "hostile")
SLOW = os.path.join(BUILD, "bench", "slow_bot")
GOOD = os.path.join(HOSTILE, "good")
LEVELS = ["none", "guarded", "sealed"]
HONEST_MS = 40
LIMIT_MS = 1000


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def read_log(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def command(folder, level, bots, *options):
    return [REFEREE, "play", "--quiet", "--seed", "clock", "--contain", level, "--set",
            "turn_limit=2", "--log", os.path.join(folder, "log"), *options, *bots]


def play(folder, level, bots, *options):
    done = subprocess.run(command(folder, level, bots, *options), capture_output=True, text=True,
                          timeout=SECONDS)
    return read_log(os.path.join(folder, "log")), done


def faults(log):
    return {record["seat"]: record["fault"] for record in log if "fault" in record}


def answers(log, seat):
    for record in log:
        if record.get("seat") == seat and "do" in record:
            yield record
        for bid in record.get("bids", []):
            if bid[0] == seat:
                yield {"us": bid[2], **(bid[3] if len(bid) > 3 else {})}


def why_not(level):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command(folder, level, [GOOD, GOOD]), capture_output=True, text=True,
                              timeout=SECONDS)
    return None if done.returncode == 0 else done.stderr.strip().replace("\n", "; ")


# Out of turn.


def check_out_of_turn(level):
    """A bot with a busy thread plays beside one that takes its time."""
    with tempfile.TemporaryDirectory() as folder:
        bots = [os.path.join(HOSTILE, "thinks_out_of_turn"), f"{SLOW} burn {HONEST_MS}"]
        log, done = play(folder, level, bots, "--move-ms", str(LIMIT_MS), "--set", "turn_limit=12")
        if faults(log):
            yield f"{faults(log)}: {done.stderr}"
        pondered = [answer["pondered_us"] for answer in answers(log, 0) if "pondered_us" in answer]
        if not pondered:
            yield "nothing of it is in the log"
        # It tries to use two seconds, and all that the others need is its chance.
        thinking = sum(answer["us"] for answer in answers(log, 1))
        if sum(pondered) > thinking / 4:
            yield f"it used {sum(pondered)} us in {thinking} us of others' time"


def check_ponder():
    with tempfile.TemporaryDirectory() as folder:
        bots = [os.path.join(HOSTILE, "thinks_out_of_turn"), f"{SLOW} burn {HONEST_MS}"]
        log, _ = play(folder, "none", bots, "--move-ms", str(LIMIT_MS), "--ponder")
        if not log[0].get("ponder"):
            yield "the log does not say that it is allowed"


# Pauses.


def tree_of(pid):
    """A process and everything below it."""
    pids = [pid]
    for parent in pids:
        try:
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children") as file:
                    pids += [int(child) for child in file.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return pids


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def check_pause(level, pause_s):
    """Everything is stopped several times while bots have used a part of their time. A bot sleeps for
    300 of 1000 ms at each question."""
    with tempfile.TemporaryDirectory() as folder:
        bots = [f"{SLOW} sleep 300", f"{SLOW} sleep 300"]
        referee = subprocess.Popen(command(folder, level, bots, "--move-ms", str(LIMIT_MS)),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait = threading.Event()
        until(lambda: os.path.exists(os.path.join(folder, "log")) or referee.poll() is not None,
              "the log of the match")
        for number in range(4):
            wait.wait(0.35 + 0.13 * number)
            pids = tree_of(referee.pid)
            send(pids, signal.SIGSTOP)
            wait.wait(pause_s)
            send(reversed(pids), signal.SIGCONT)
        said = referee.communicate(timeout=SECONDS)[1]
        found = faults(read_log(os.path.join(folder, "log")))
        if found:
            yield f"{found}: {said}"


def main():
    report("play says whether bots may ponder", check_ponder())
    for level in LEVELS:
        why = why_not(level)
        if why is not None:
            print(f"skip {level}: {why}", flush=True)
            continue
        report(f"{level}: a bot that thinks out of turn is frozen", check_out_of_turn(level))
        report(f"{level}: a pause of everything is nobody's fault", check_pause(level, 1.5))


main()
