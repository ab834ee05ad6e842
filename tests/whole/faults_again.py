#!/usr/bin/env python3
"""From a fault to its line: each of the ten faults is committed in a match, `replay --against` reproduces it, and a
bot without the fault passes. Then the debuggers, through a terminal, stop in a bot that reads the logged bytes."""

import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

from patience import SECONDS

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
HOSTILE = os.path.join(BUILD, "tests", "hostile")
PATIENT = ["--move-ms", "60000", "--start-ms", "60000"]

BOT = '''#!{python}
import os, sys, time

def act(fault, number, legal):
    if fault == "late":
        time.sleep(10000)
    while fault == "children":
        child = os.fork()
        if child == 0:
            sum(range(1000000))
            os._exit(0)
        os.waitpid(child, 0)
    if fault == "deaf":
        os.close(0)
        time.sleep(10000)
    if fault == "gone":
        sys.exit("these are my last words")
    return {{"illegal": number + " pile", "unreadable": "what?", "too_long": "x" * 300, "unasked": "999 " + legal,
            "flood": "say one\\nsay two\\nsay three"}}.get(fault, number + " " + legal)

def main():
    fault, at = sys.argv[1], int(sys.argv[2])
    asked = 0
    legal = ""
    for line in iter(sys.stdin.readline, ""):
        word, _, rest = line.rstrip("\\n").partition(" ")
        if word == "allegra":
            if fault == "no_start":
                sys.exit(4)
            print("Welcome!" if fault == "bad_hello" else "hello faulty legal=on", flush=True)
        elif word == "legal":
            legal = rest.split("|")[0].strip()
        elif word == "ask":
            asked += 1
            number = rest.split()[0]
            reply = act(fault if asked == at else "", number, legal)
            print(reply, flush=True)

main()
'''

# The fault, the question at which it is committed, and what the report of the fault says.
FAULTS = [
    ("late", 1, "it did not answer within 500 ms; it slept or waited for "),
    ("illegal", 2, ""),
    ("unreadable", 2, "neither `ID ANSWER`"),
    ("too_long", 2, "longer than 256 bytes"),
    ("flood", 2, "more than two `say` lines"),
    ("unasked", 2, ""),
    ("gone", 2, "it ended with exit status 1"),
    ("deaf", 1, "it closed its input"),
    ("no_start", 0, "it ended with exit status 4 before it said hello"),
    ("bad_hello", 0, ""),
]


def report(name, problems):
    try:
        problems = list(problems)
    except OSError as error:
        problems = [error]
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def run(*arguments, **more):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=SECONDS, **more)


def record_fault(log):
    with open(log) as file:
        return next((record for record in map(json.loads, file) if "fault" in record), {})


def idle_share(sentence):
    """The part of its time that a late bot slept or waited, by the sentence about it."""
    found = re.search(r"it slept or waited for (\d+) of (\d+) ms", sentence)
    return int(found[1]) / int(found[2]) if found else 0 if "it computed for" in sentence else 1


def report_books(bot, log):
    """A bot that computes in short-lived children: its time is measured as in the match, although they have ended.
    On a busy machine it waits for some of it."""
    name = "the time of a bot is measured as in a match"
    run("play", "--quiet", "--seed", "faults", "--log", log, "--move-ms", "500", "--start-ms", "60000",
        f"{bot} children 1", GREEDY)
    if idle_share(record_fault(log).get("message", "")) > 0.8:
        print(f"skip {name}: without control groups nobody knows what children used that have ended")
        return
    again = run("replay", "--against", f"{bot} children 1", "--seat", "0", log)
    is_right = idle_share(again.stdout.partition("this bot: late: ")[2]) <= 0.8
    report(name, [] if is_right else [again.stdout + again.stderr])


def check_fault(bot, log, fault, at, words):
    limits = ["--move-ms", "500", "--start-ms", "60000"] if at == 1 else PATIENT
    played = run("play", "--quiet", "--seed", "faults", "--log", log, *limits, f"{bot} {fault} {at}", GREEDY)
    record = record_fault(log)
    if played.returncode != 3 or record.get("fault") != fault or words not in record["message"]:
        yield f"the match: {played.returncode}, {record}, {played.stderr}"
        return
    if run("replay", "--verify", log).returncode != 0:
        yield "its log does not verify"
    where = f"decision {record['n']}" if at > 0 else "the hello"
    again = run("replay", "--against", f"{bot} {fault} {at}", "--seat", "0", log)
    expected = f"{where}, at which the logged bot was dismissed: it fails again\n  the log: {fault}"
    if again.returncode != 3 or expected not in again.stdout or f"this bot: {fault}: " not in again.stdout:
        yield f"again: {again.returncode}, {again.stdout} {again.stderr}"
    fixed = run("replay", "--against", f"{bot} none 0", "--seat", "0", "--move-ms", "60000", log)
    if fixed.returncode != 0 or f"{where}, at which the logged bot was dismissed: fixed" not in fixed.stdout:
        yield f"fixed: {fixed.returncode}, {fixed.stdout} {fixed.stderr}"
    if fault == "gone" and "these are my last words" not in again.stdout:
        yield "what it wrote to stderr is not shown"


def check_other_fault(bot, log):
    """`gone` where the log has `illegal`; and a bot that answers differently before that."""
    other = run("replay", "--against", f"{bot} gone 2", "--seat", "0", "--move-ms", "60000", log)
    if other.returncode != 3 or "it fails again, in another way\n  the log: illegal" not in other.stdout:
        yield other.stdout + other.stderr
    random = run("replay", "--against", GREEDY, "--seat", "0", "--move-ms", "60000", log)
    if random.returncode not in (0, 1) or "dismissed: fixed" not in random.stdout:
        yield random.stdout + random.stderr
    early = run("replay", "--against", f"{bot} gone 1", "--seat", "0", "--from", "3", "--move-ms", "60000", log)
    if early.returncode != 3 or "this bot: gone" not in early.stdout:
        yield f"before --from: {early.stdout}{early.stderr}"


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, *argv, **environment):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(argv[0], argv, {**os.environ, "TERM": "dumb", "ASAN_OPTIONS": "detect_leaks=0", **environment})

    def read_until(self, words):
        """Reads on until these words have come, and returns what came."""
        end = time.monotonic() + SECONDS
        while words not in self.text:
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                raise OSError(f"`{words}` never came: {self.text}")
            try:
                piece = os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                piece = ""
            if piece == "":
                raise OSError(f"it ended without `{words}`: {self.text}")
            self.text += piece
        before, _, self.text = self.text.partition(words)
        return before + words

    def type(self, line):
        os.write(self.fd, line.encode() + b"\n")

    def leave(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def check_gdb(log):
    """`late` of the hostile bots takes its sleep as an argument: a quoted one must come through as it is."""
    bot = f"{os.path.join(HOSTILE, 'late')} '0 \"quoted\" it'\\''s' last"
    terminal = Terminal(REFEREE, "replay", "--against", bot, "--seat", "0", "--at", "3", "--debugger", log)
    try:
        terminal.read_until("(gdb) ")
        for command, words in [
            ("set pagination off", ""),
            ("print argc", "= 3"),
            ("print argv[1]", "\"0 \\\"quoted\\\" it's\""),
            ("print argv[2]", "\"last\""),
            ("break usleep", "Breakpoint 2"),
            ("continue", "Breakpoint 2, "),
            ("finish", ""),
            ("print (char *)question_id", "\"1\""),
            ("delete 2", ""),
            ("continue", "exited normally"),
        ]:
            terminal.type(command)
            came = terminal.read_until("(gdb) ")
            if words not in came:
                yield f"{command}: {came}"
        terminal.type("quit")
    finally:
        terminal.leave()


def check_pdb(command, log, bot):
    terminal = Terminal(REFEREE, "replay", "--against", command, "--seat", "0", "--at", "3", "--debugger", log)
    line = next(i for i, text in enumerate(open(bot), 1) if "reply = act(" in text)
    try:
        terminal.read_until("(Pdb) ")
        for command, words in [
            (f"break {bot}:{line}", f"Breakpoint 1 at {bot}:{line}"),
            ("continue", "hello faulty legal=on"),
            ("p sys.argv[1:]", "['none', '0', 'two words']"),
            ("p (number, asked)", "('1', 1)"),
            ("clear 1", "Deleted breakpoint 1"),
            ("continue", "The program finished and will be restarted"),
            (f"break {bot}:{line}", "Breakpoint 2"),
            ("continue", "hello faulty legal=on"),
            ("p (number, asked)", "('1', 1)"),
        ]:
            terminal.type(command)
            came = terminal.read_until("(Pdb) ")
            if words not in came:
                yield f"{command}: {came}"
        terminal.type("quit")
    finally:
        terminal.leave()


def check_kept_bytes(folder, log):
    """A script that no debugger is known for: the printed command runs it with the logged bytes."""
    script = os.path.join(folder, "shell bot")
    with open(script, "w") as file:
        file.write("#!/bin/sh\nprintf '%s|' \"$@\"\ntail -n 1\n")
    os.chmod(script, 0o755)
    done = run("replay", "--against", f"'{script}' 'one two' \"it's\"", "--seat", "0", "--at", "3", "--debugger", log,
               env={**os.environ, "TMPDIR": folder})
    pipe = done.stdout.splitlines()[-1]
    answer = subprocess.run(["sh", "-c", pipe], capture_output=True, text=True).stdout
    wire = run("replay", "--wire", "0", "--at", "3", log).stdout
    if done.returncode != 0 or answer != "one two|it's|" + wire.splitlines()[-1] + "\n":
        yield f"{done.stdout}{done.stderr}{answer}"


def check_ask(folder, bot, log):
    """What --at prints is asked as it is, from a pipe and from a file; it is the question of that decision."""
    path = os.path.join(folder, "position.txt")
    with open(log) as file:
        decisions = [record for record in map(json.loads, file) if "do" in record]
    for record in [decisions[0], decisions[-1]]:
        shown = run("replay", "--at", str(record["n"]), log).stdout
        with open(path, "w") as file:
            file.write(shown)
        piped = run("ask", *PATIENT, GREEDY, "-", input=shown)
        filed = run("ask", *PATIENT, GREEDY, path)
        if piped.returncode != 0 or piped.stdout.split("\t")[0] != filed.stdout.split("\t")[0]:
            yield f"{record}: {piped} {filed}"
    crash = run("ask", *PATIENT, f"{bot} gone 1", path)
    if crash.returncode != 3 or "these are my last words" not in crash.stderr:
        yield f"a crash: {crash.stderr}"
    for argument, words in [
        (os.path.join(folder, "nothing"), "cannot be read from"),
        (bot, "none of its lines begins with seats="),
        ("edition=de2026 seats=2", "a position begins with seats=2 to seats=6"),
        ("seats=2", "`display0=` (or `private0=` and `shared0=`) is missing"),
    ]:
        done = run("ask", GREEDY, argument)
        if done.returncode != 2 or words not in done.stderr:
            yield f"{argument}: {done.returncode}, {done.stderr}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        bot = os.path.join(folder, "faulty.py")
        with open(bot, "w") as file:
            file.write(BOT.format(python=sys.executable))
        os.chmod(bot, 0o755)
        logs = {fault: os.path.join(folder, fault + ".ndjson") for fault, _, _ in FAULTS}
        for fault, at, words in FAULTS:
            report(f"`{fault}` is reproduced, and fixed by a bot without it",
                   check_fault(bot, logs[fault], fault, at, words))
        report_books(bot, os.path.join(folder, "children.ndjson"))
        report("another fault is told apart, and a difference before it does not hide it",
               check_other_fault(bot, logs["illegal"]))
        report("`ask` takes what `replay --at` prints, and shows the stderr of a crash",
               check_ask(folder, bot, logs["illegal"]))
        gdb = "gdb stops in a program with all its arguments and the logged bytes"
        if shutil.which("gdb") is None:
            print(f"skip {gdb}: gdb is not installed")
        else:
            report(gdb, check_gdb(logs["illegal"]))
        report("pdb stops in a script with a #! line, and again after its end",
               check_pdb(f"{bot} none 0 'two words'", logs["illegal"], bot))
        report("pdb stops in a script that is given to python",
               check_pdb(f"{sys.executable} -u -W ignore {bot} none 0 'two words'", logs["illegal"], bot))
        shim = os.path.join(folder, "python3")
        with open(shim, "w") as file:
            file.write(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        os.chmod(shim, 0o755)
        report("pdb stops in a script that is given to a python which is a script itself, found by env",
               check_pdb(f"/usr/bin/env {shim} {bot} none 0 'two words'", logs["illegal"], bot))
        report("the command that is printed for other scripts runs them with the logged bytes",
               check_kept_bytes(folder, logs["illegal"]))


main()
