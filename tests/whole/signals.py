#!/usr/bin/env python3
"""Signals to commands that run bots: SIGINT, SIGTERM and SIGHUP do the same, and nothing is left behind. The bots
are contained, so that there are copies of them and scratch folders to be left."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from organiser import GREEDY, REFEREE, SHORT, report, run, start, write_file, write_script
from patience import SECONDS, Lines, until

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
PATIENT = ["--start-ms", "600000", "--move-ms", "600000"]
QUICK = [*PATIENT, "--edition", "en2020", "--set", "rounds=1", "--set", "turn_limit=6"]
POSITION = ("seats=2 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 "
            "private1=#3,#6,#9/#4,#7,#10/#5,#8,#11 draw=5,1 discard=7")
ONE = "finishing the"

# The command; how many signals it gets; its exit code; what it says. SLOW is a bot that takes its time, STUCK one that
# never answers its first question.
CASES = [
    (["play", "--matches", "3", "--contain", "auto", *QUICK, "SLOW", GREEDY], 1, 1, "stopped after "),
    (["play", "--contain", "auto", "--log", "LOG", *QUICK, "STUCK", GREEDY], 2, 1, "the match was stopped"),
    (["compare", "--contain", "auto", *QUICK, "SLOW", GREEDY], 1, 1, ""),
    (["compare", "--contain", "auto", *QUICK, "STUCK", GREEDY], 2, 1, ONE),
    (["tournament", "CUP-SLOW"], 1, 1, "stopped after "),
    (["tournament", "CUP-STUCK"], 2, 1, "stopped after 0"),
    (["ask", "--contain", "auto", *PATIENT, "STUCK", POSITION], 1, 1, "stopped"),
    (["check", "--contain", "auto", *PATIENT, "STUCK"], 1, 1, "stopped"),
    (["replay", "--against", "STUCK", "--seat", "0", "MATCH"], 1, 1, "stopped"),
    (["replay", "--branch", "5", "--log", "LOG", "MATCH", "--", "SLOW", GREEDY], 1, 0, "finishing the match"),
    (["replay", "--branch", "5", "--log", "LOG", "MATCH", "--", "STUCK", GREEDY], 2, 1, "the match was stopped"),
]


def command_lines():
    """Of all processes but referees."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                line = file.read()
        except OSError:
            continue
        if not line.startswith(REFEREE.encode()):
            yield line


def has_bot(name):
    return any(name.encode() in line for line in command_lines())


def fill_in(arguments, folder, name, match):
    """Makes the bot of a case, whose name nothing else has."""
    kinds = {"SLOW": "sleep 0.2", "STUCK": f"exec sleep 600.{name}"}
    kind = next(kind for kind in kinds if any(kind in argument for argument in arguments))
    bot = write_script(f"{folder}/bot", f"bot{name}", on_ask=kinds[kind])
    cup = {"bots": [{"name": "s", "command": bot}, {"name": "g", "command": GREEDY}], "seats": 2, "rules": SHORT,
           "deals": 20, "edition": "en2020", "start_ms": 600000, "move_ms": 600000}
    for argument in arguments:
        if argument.startswith("CUP-"):
            yield write_file(f"{folder}/cup.json", json.dumps(cup))
        else:
            yield {kind: bot, "LOG": f"{folder}/log.ndjson", "MATCH": match}.get(argument, argument)


def try_case(case, number, folder, name, match, is_early=False):
    """One command and one signal, while a bot runs or before that."""
    arguments, count, code, words = case
    os.makedirs(f"{folder}/tmp")
    arguments = list(fill_in(arguments, folder, name, match))
    referee = start(*arguments, env={**os.environ, "TMPDIR": f"{folder}/tmp"})
    said, output = Lines(referee.stderr), Lines(referee.stdout)
    if is_early:
        until(lambda: os.listdir(f"{folder}/tmp") or referee.poll() is not None, "a temporary folder")
    else:
        until(lambda: has_bot(f"bot{name}") or has_bot(f"600.{name}") or referee.poll() is not None, "the bot")
    referee.send_signal(number)
    if count > 1:
        said.wait_for("again to stop now")
        referee.send_signal(number)
    referee.wait(SECONDS)
    what = f"{arguments[0]} {arguments[1]}, {count} times {number.name}: "
    if referee.returncode != code or words not in said.wait_end():
        yield f"{what}exit code {referee.returncode}: {said.wait_end()}{output.wait_end()}"
    if os.listdir(f"{folder}/tmp"):
        yield f"{what}left {os.listdir(f'{folder}/tmp')}"
    until(lambda: not has_bot(f"bot{name}") and not has_bot(f"600.{name}"), f"{what}no process is left")
    if f"{folder}/log.ndjson" in arguments and os.path.exists(f"{folder}/log.ndjson") != (code == 0):
        yield f"{what}{os.listdir(folder)}"
    if count > 1 and f"{folder}/log.ndjson" in arguments and f"{folder}/log.ndjson.partial" not in said.text():
        yield f"{what}where the log is is not said: {said.text()}"


def check_case(case, folder, match):
    for number in SIGNALS:
        name = f"{os.getpid()}{CASES.index(case)}{int(number)}"
        yield from try_case(case, number, f"{folder}/{name}", name, match)
    # `tournament` may be building bots at that time, and is stopped at once.
    if case[1] == 1 and "--contain" in case[0]:
        name += "0"
        yield from try_case(case, signal.SIGTERM, f"{folder}/{name}", name, match, is_early=True)


def problems_of(case, folder, match):
    try:
        return list(check_case(case, folder, match))
    except (OSError, subprocess.SubprocessError) as error:
        return [repr(error)]


def check_nohup(folder):
    """A command that was started by nohup is not stopped by SIGHUP."""
    bot = write_script(folder, "hangs", on_ask=f": >{folder}/asked; while [ ! -e {folder}/go ]; do sleep 0.05; done")
    referee = start("play", *QUICK, bot, GREEDY,
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    until(lambda: os.path.exists(f"{folder}/asked"), "the question")
    referee.send_signal(signal.SIGHUP)
    write_file(f"{folder}/go", "")
    said = referee.communicate(timeout=SECONDS)[1]
    if referee.returncode != 0 or "stopping" in said:
        yield f"exit code {referee.returncode}: {said}"


def check_killed(folder):
    """What a comparison or a dry run leaves that was killed is removed by the next referee."""
    hangs = f"exec sleep 600.{os.getpid()}9"
    stuck = write_script(folder, f"stuck{os.getpid()}", on_ask=hangs)
    mute = write_file(f"{folder}/mute{os.getpid()}", f"#!/bin/sh\n{hangs}\n", 0o755)
    cup = {"bots": [{"name": "m", "command": mute}, {"name": "g", "command": GREEDY}], "seats": 2, "start_ms": 600000}
    file = write_file(f"{folder}/cup.json", json.dumps(cup))
    os.makedirs(f"{folder}/tmp")
    environment = {**os.environ, "TMPDIR": f"{folder}/tmp"}
    for arguments in (["compare", *QUICK, stuck, GREEDY], ["compare", "--contain", "auto", *QUICK, stuck, GREEDY],
                      ["tournament", "--dry-run", "--start", file]):
        referee = start(*arguments, env=environment)
        until(lambda: has_bot(f"600.{os.getpid()}9") or referee.poll() is not None, "the bot")
        left = os.listdir(f"{folder}/tmp")
        referee.kill()
        referee.communicate()
        until(lambda: not has_bot(f"600.{os.getpid()}9"), "no process is left")
        done = run("compare", "--most", "2", *QUICK, GREEDY, GREEDY, env=environment)
        if not left or os.listdir(f"{folder}/tmp"):
            yield f"{arguments[:3]}: {left}, then {os.listdir(f'{folder}/tmp')}: {done.stderr}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        match = f"{folder}/match.ndjson"
        run("play", "--quiet", "--seed", "1", "--log", match, *QUICK, GREEDY, GREEDY)
        with ThreadPoolExecutor(4) as pool:
            problems = list(pool.map(lambda case: problems_of(case, folder, match), CASES))
        for (arguments, count, code, _), found in zip(CASES, problems):
            option = f" {arguments[1]}" if arguments[0] == "replay" else ""
            report(f"{arguments[0]}{option} ends with {code} after {'two signals' if count > 1 else 'one signal'}, and "
                   "leaves nothing", found)
        report("what a killed comparison or dry run leaves is removed by the next referee", check_killed(f"{folder}/killed"))
        report("with nohup a hang-up does not stop a match", check_nohup(f"{folder}/nohup"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
