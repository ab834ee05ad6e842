#!/usr/bin/env python3
"""Plays real matches with the real referee and looks at what comes out."""

import fcntl
import hashlib
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios

from patience import SECONDS, until

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
RANDOM = os.path.join(BUILD, "bots", "random")
PYTHON_BOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "bots", "python", "bot.py"))
EDITIONS = ["de2026", "en2020", "nl2023", "fr2020", "es2020"]
PATIENT = ["--move-ms", "60000", "--start-ms", "60000"]


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def run(*arguments, **more):
    more.setdefault("timeout", SECONDS)
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, **more)


def records(path):
    with open(path, "rb") as file:
        return [json.loads(line) for line in file]


TIMES = {"us", "wall_us", "cpu_us", "wait_us", "pondered_us"}


def without_times(record):
    """What must be the same whenever the match is played again."""
    if isinstance(record, dict):
        return {key: without_times(value) for key, value in record.items()
                if key not in TIMES and key != "sha256"}
    if isinstance(record, list) and len(record) >= 3 and isinstance(record[1], str):
        rest = [without_times(value) for value in record[3:]]
        return record[:2] + [value for value in rest if value]
    if isinstance(record, list):
        return [without_times(value) for value in record]
    return record


def write_program(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


class Load:
    """Keeps both cores busy."""

    def __enter__(self):
        code = "while True: pass"
        self.processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


ALL_TABLES = [(edition, seats) for edition in EDITIONS for seats in range(2, 7)]
# Each edition and each size once.
SOME_TABLES = list(zip(EDITIONS, range(2, 7)))


def play_all(folder, name, tables):
    for edition, seats in tables:
        path = os.path.join(folder, f"{name}-{edition}-{seats}.ndjson")
        bots = [GREEDY, RANDOM, PYTHON_BOT, GREEDY, RANDOM, RANDOM][:seats]
        done = run("play", "--quiet", "--edition", edition, "--seed", f"same {seats}", "--log", path,
                   *PATIENT, *bots)
        if done.returncode != 0:
            yield f"{edition}, {seats} seats: {done.stderr}"


def check_same(folder):
    with Load():
        yield from play_all(folder, "busy", SOME_TABLES)
    for edition, seats in SOME_TABLES:
        one, other = (records(os.path.join(folder, f"{name}-{edition}-{seats}.ndjson"))
                      for name in ("quiet", "busy"))
        if without_times(one) != without_times(other):
            yield f"{edition}, {seats} seats: the logs differ"


def check_hashes(folder):
    logs = [name for name in os.listdir(folder) if name.endswith(".ndjson")]
    if len(logs) < 25:
        yield f"only {len(logs)} logs"
    for name in logs:
        with open(os.path.join(folder, name), "rb") as file:
            lines = file.read().splitlines(keepends=True)
        if json.loads(lines[-1])["sha256"] != hashlib.sha256(b"".join(lines[:-1])).hexdigest():
            yield f"{name}: the hash in the last line is wrong"
        seed = bytes.fromhex(json.loads(lines[-2])["seed"])
        if json.loads(lines[0])["commitment"] != hashlib.sha256(seed).hexdigest():
            yield f"{name}: the commitment is wrong"


def check_sent(folder):
    """The hash of the bytes that a bot got is the one in the log."""
    keeper = write_program(folder, "keeper", f"#!/bin/sh\ntee {folder}/bytes | {RANDOM}\n")
    path = os.path.join(folder, "sent.ndjson")
    done = run("play", "--quiet", "--log", path, *PATIENT, keeper, GREEDY, GREEDY)
    with open(os.path.join(folder, "bytes"), "rb") as file:
        sent = file.read()
    if done.returncode != 0:
        yield done.stderr
    if hashlib.blake2b(sent, digest_size=32).hexdigest() != records(path)[-2]["sent"][0]:
        yield "the hash differs"


UNWRITABLE = [
    (["play", "--log", "/nowhere/log", GREEDY, GREEDY], "cannot write the log /nowhere/log: No such file or directory"),
    (["play", "--log", "/dev/full", GREEDY, GREEDY], "cannot write the log /dev/full: No space"),
]


def check_unwritable():
    """mistakes.py has all other mistakes of a user."""
    for arguments, words in UNWRITABLE:
        done = run(*arguments)
        if done.returncode != 1 or words not in done.stderr:
            yield f"{arguments}: exit code {done.returncode}: {done.stderr}"
    both = subprocess.run([REFEREE, *UNWRITABLE[1][0]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SECONDS)
    if "the match is void" not in both.stdout.splitlines()[-1]:
        yield f"something comes after the message: {both.stdout}"


# A shell script that behaves well until its second question, and then as the case says.
SCRIPT = """#!/bin/sh
read greeting
echo hello script legal=on
asked=0
while read word id rest; do
    [ "$word" = legal ] && answer="$id $rest" && answer="${answer%%%%|*}" && answer="${answer%% }"
    [ "$word" = ask ] || continue
    asked=$((asked + 1))
    if [ $asked -eq 2 ]; then
        %s
    fi
    echo "$id $answer"
done
"""

FAULTS = [
    ("late", "sleep 100", ["it did not answer within 1000 ms"]),
    ("illegal", 'echo "$id pile"; continue', ["it answers another question"]),
    ("unreadable", "echo what; continue", ["neither `ID ANSWER`"]),
    ("unreadable", "echo; continue", []),
    ("too_long", "head -c 1000000 /dev/zero | tr '\\0' x; continue", []),
    ("unasked", 'echo "1 $answer"; continue', ["while question 2 was open"]),
    ("flood", "for i in 1 2 3; do echo say $i; done; continue", ["more than two `say` lines"]),
    ("gone", "echo last words >&2; exit 3", ["exit status 3", "last words"]),
    ("gone", "kill -SEGV $$", ["signal 11"]),
]


def check_here(folder):
    """A program in the current folder needs no ./ before its name."""
    write_program(folder, "here", SCRIPT % ":")
    done = run("play", "--quiet", *PATIENT, "here", GREEDY, cwd=folder)
    if done.returncode != 0:
        yield done.stderr


def check_faults(folder):
    for number, (code, action, words) in enumerate(FAULTS):
        bot = write_program(folder, f"bad{number}", SCRIPT % action)
        path = os.path.join(folder, f"bad{number}.ndjson")
        limit = "1000" if code == "late" else "60000"
        done = run("play", "--quiet", "--log", path, "--seed", "bad", "--move-ms", limit, "--start-ms",
                   "60000", bot, GREEDY, GREEDY)
        faults = [record for record in records(path) if "fault" in record]
        if done.returncode != 3:
            yield f"{code}: exit code {done.returncode}: {done.stderr}"
        elif [(fault["fault"], fault["seat"], fault["n"]) for fault in faults] != [(code, 0, 2)]:
            yield f"{action}: {faults}"
        elif records(path)[-2]["places"][0] != 3:
            yield f"{code}: the dismissed bot is not last"
        elif "to play it again: referee play" not in done.stderr:
            yield f"{code}: no way to play it again"
        for word in words:
            if word not in done.stderr:
                yield f"{code}: `{word}` is not said: {done.stderr}"


def check_again(folder):
    """The command of a fault report plays the same match."""
    bot = write_program(folder, "again", SCRIPT % "exit 1")
    first = run("play", "--edition", "en2020", "--set", "rounds=1", *PATIENT, bot, GREEDY)
    command = re.search(r"to play it again: referee (.*)", first.stderr).group(1)
    again = subprocess.run(f"{REFEREE} {command}", shell=True, capture_output=True, text=True, cwd=folder)
    lines = [[line for line in done.stdout.splitlines() if "points" in line or line.startswith("Round ")]
             for done in (first, again)]
    places = [[re.sub(r" +[0-9.]+ s\b", "", line) for line in group] for group in lines]
    if places[0] != places[1] or not places[0]:
        yield f"{places[0]} and then {places[1]}"


def check_stderr(folder):
    bot = write_program(folder, "loud", SCRIPT % "printf 'one\\033[31m%%s\\n' >&2")
    path = os.path.join(folder, "loud.ndjson")
    done = run("play", "--quiet", "--stderr", "--log", path, *PATIENT, bot, GREEDY)
    with open(path + ".stderr.0") as file:
        kept = file.read()
    if kept != "one\033[31m%s\n":
        yield f"kept: {kept!r}"
    if "\033" in done.stderr or "one" not in done.stderr or "%s" not in done.stderr:
        yield f"shown: {done.stderr!r}"
    if os.path.exists(path + ".stderr.1"):
        yield "there is a file for a bot that wrote nothing"


def check_json(folder):
    path = os.path.join(folder, "many.ndjson")
    done = run("play", "--json", "--matches", "3", "--seed", "x", "--log", path, *PATIENT, GREEDY, RANDOM)
    result = json.loads(done.stdout)
    if result["played"] != 3 or [len(match["seats"]) for match in result["matches"]] != [2, 2, 2]:
        yield done.stdout
    for number, match in enumerate(result["matches"]):
        log = os.path.join(folder, f"many-{number + 1}.ndjson")
        if match["log"] != log or records(log)[-2]["seed"] != match["seed"]:
            yield f"match {number + 1}: {match}"
    alone = run("play", "--json", "--seed", "x/2", *PATIENT, GREEDY, RANDOM)
    if json.loads(alone.stdout)["matches"][0]["seed"] != result["matches"][1]["seed"]:
        yield "match 2 of the seed x is not the match of the seed x/2"


def check_kill(folder):
    """No bot survives its referee, not even kill -9."""
    bot = write_program(folder, "stays", f"#!/bin/sh\necho $$ >{folder}/pid\nread x\necho hello stays\nexec sleep 1000\n")
    referee = subprocess.Popen([REFEREE, "play", "--quiet", *PATIENT, bot, GREEDY],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pid = wait_for_pid(os.path.join(folder, "pid"))
    handle = os.pidfd_open(pid)
    referee.kill()
    referee.wait()
    if not select.select([handle], [], [], SECONDS)[0]:
        yield "the bot is still there"
        os.kill(pid, signal.SIGKILL)
    os.close(handle)


def check_partial(folder):
    """A match that is killed leaves its log up to the last decision, and the log of that name as it was."""
    path, asked = os.path.join(folder, "cut.ndjson"), os.path.join(folder, "cut.asked")
    bot = write_program(folder, "thinks", SCRIPT % f"[ -e {folder}/cut.go ] || {{ : >{asked}; exec sleep 1000; }}")
    play = ["play", "--quiet", "--seed", "1", "--log", path, *PATIENT, bot, GREEDY]
    write_program(folder, "cut.go", "")
    run(*play)
    whole = [without_times(record) for record in records(path)]
    held = [at for at, record in enumerate(whole) if record.get("seat") == 0][1]
    os.remove(os.path.join(folder, "cut.go"))
    write_program(folder, "cut.ndjson", "an old log")
    referee = subprocess.Popen([REFEREE, *play], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: os.path.exists(asked), asked)
    cut = until(lambda: read_whole_lines(path + ".partial", held), "all that was decided before the question")
    referee.kill()
    referee.wait()
    if [without_times(record) for record in cut] != whole[:held]:
        yield f"{cut} and not {whole[:held]}"
    with open(path) as file:
        if file.read() != "an old log":
            yield "the old log is gone"
    write_program(folder, "cut.go", "")
    run(*play)
    if [without_times(record) for record in records(path)] != whole:
        yield "the next match does not replace it"
    if os.path.exists(path + ".partial"):
        yield "the partial log is still there"


def check_two_writers(folder):
    """The second of two matches with the same log is refused before a bot starts; the first log is whole."""
    path, go = os.path.join(folder, "two.ndjson"), os.path.join(folder, "two.go")
    asked, started = os.path.join(folder, "two.asked"), os.path.join(folder, "two.started")
    bot = write_program(folder, "waits", SCRIPT % f": >{asked}; until [ -e {go} ]; do sleep 0.05; done")
    second = write_program(folder, "second", f"#!/bin/sh\n: >{started}\nexec {GREEDY}\n")
    referee = subprocess.Popen([REFEREE, "play", "--quiet", "--log", path, *PATIENT, bot, GREEDY],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: os.path.exists(asked), asked)
    done = run("play", "--quiet", "--log", path, *PATIENT, second, GREEDY)
    write_program(folder, "two.go", "")
    referee.wait(SECONDS)
    if done.returncode != 1 or f"cannot write the log {path}: another referee writes it" not in done.stderr:
        yield f"exit code {done.returncode}: {done.stderr}"
    if os.path.exists(started):
        yield "a bot was started"
    verified = run("replay", "--verify", path)
    if referee.returncode != 0 or verified.returncode != 0:
        yield f"exit code {referee.returncode}: {verified.stderr}"


def check_link(folder):
    """A link in place of the partial log leads nowhere."""
    path, precious = os.path.join(folder, "linked.ndjson"), write_program(folder, "precious", "gold")
    os.symlink(precious, path + ".partial")
    done = run("play", "--quiet", "--log", path, *PATIENT, GREEDY, GREEDY)
    with open(precious) as file:
        if file.read() != "gold":
            yield "the file behind it was changed"
    if done.returncode != 1 or ".partial belongs to a link" not in done.stderr or os.path.lexists(path):
        yield f"exit code {done.returncode}: {done.stderr}"


def check_void(folder):
    """A match that is void, here because stderr cannot be kept, does not replace a log either."""
    path = os.path.join(folder, "void.ndjson")
    bot = write_program(folder, "mutters", SCRIPT % "echo words >&2")
    write_program(folder, "void.ndjson", "an old log")
    os.mkdir(path + ".stderr.0")
    done = run("play", "--quiet", "--log", path, *PATIENT, bot, GREEDY)
    if done.returncode != 1 or f"the match is void: cannot write {path}.stderr.0" not in done.stderr:
        yield f"exit code {done.returncode}: {done.stderr}"
    if f"its log up to then: {path}.partial\n" not in done.stderr or len(records(path + ".partial")) < 20:
        yield f"no partial log: {done.stderr}"
    with open(path) as file:
        if file.read() != "an old log":
            yield "the old log is gone"
    os.remove(path)


def read_whole_lines(path, count):
    """So many records of a log that is being written; None as long as they are not all there."""
    try:
        with open(path) as file:
            lines = file.read().splitlines(keepends=True)
    except FileNotFoundError:
        return None
    return [json.loads(line) for line in lines] if len(lines) == count and lines[-1].endswith("\n") else None


def check_last_words(folder):
    """What a bot writes to stderr before it answers is shown, also if nothing more is asked of it."""
    bot = write_program(folder, "shouts", SCRIPT.replace("eq 2", "eq 1") % "echo last words >&2")
    for _ in range(20):
        done = run("ask", "--stderr", *PATIENT, bot, POSITION)
        if done.returncode != 0 or done.stderr != "shouts: last words\n":
            yield f"exit code {done.returncode}: {done.stderr}"


def read_pid(path):
    """The number in a file; None as long as it is not there."""
    try:
        with open(path) as file:
            text = file.read()
        return int(text) if text.endswith("\n") else None
    except FileNotFoundError:
        return None


def wait_for_pid(path):
    return until(lambda: read_pid(path), path)


def check_interrupt(folder):
    """The first Ctrl-C ends after this match, with its log complete."""
    path = os.path.join(folder, "stop.ndjson")
    bot = write_program(folder, "slow", SCRIPT % f"echo $$ >{folder}/slow.pid; read x <{folder}/go")
    os.mkfifo(os.path.join(folder, "go"))
    referee = subprocess.Popen([REFEREE, "play", "--matches", "50", "--log", path, *PATIENT, bot, GREEDY],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_pid(os.path.join(folder, "slow.pid"))
    referee.send_signal(signal.SIGINT)
    said = referee.stderr.readline()
    with open(os.path.join(folder, "go"), "w") as file:
        file.write("go\n")
    output = referee.communicate(timeout=SECONDS)[0]
    if "stopping after this match" not in said:
        yield said
    if not output.startswith("1 match, "):
        yield output
    if "sha256" not in records(os.path.join(folder, "stop-1.ndjson"))[-1]:
        yield "the log is not complete"


class Person:
    """Somebody at a terminal of that width, who plays a match and keeps what was on the screen."""

    def __init__(self, columns, *arguments):
        self.seen = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execv(REFEREE, [REFEREE, "play", *PATIENT, *arguments])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))

    def read(self):
        try:
            data = os.read(self.fd, 65536).decode()
        except OSError:
            data = ""
        self.seen += data.replace("\r\n", "\n")
        return data != ""

    def play(self, choose):
        """`choose` gets the text since the last answer and says what to type. Returns the exit code."""
        start = 0
        while self.read():
            if re.search(r"seat [0-5]> $", self.seen):
                typed = choose(self.seen[start:])
                start = len(self.seen)
                self.seen += " "
                os.write(self.fd, (typed + "\n").encode())
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


VERBS = "turn|pile|discard|pass|knock|accept|decline|again|keep|drop|place|take|put|toss|clear|none"


def type_first(text):
    """The first answer of the list but `pass`, to be in the game; in small letters, and only a cell where that is
    clear."""
    answers = re.findall(rf" (?: \d|\d\d) ((?:{VERBS})(?: \d\b| (?:\d:)?[A-E][1-3])*)", text) or ["1"]
    answer = next((answer for answer in answers if answer != "pass"), "pass").lower()
    verb, _, cell = answer.partition(" ")
    return cell if verb in ("turn", "place", "take", "put") else answer


def check_human(folder):
    """A person plays a whole match and sees help, lists, refusals, points and the end."""
    path = os.path.join(folder, "human.ndjson")
    first = iter(["?", "help", "list", "nonsense", "keep A1", "999", "  ", "say", "say \x01", "say " + "x" * 121,
                  "say one", "say two", "say three"])
    person = Person(80, "--seed", "human", "--edition", "en2020", "--log", path, "human", GREEDY, RANDOM)
    code = person.play(lambda text: next(first, None) or type_first(text))
    if code != 0:
        yield f"exit code {code}: {person.seen[-500:]}"
    for words in ["The game: have the fewest points", "`referee rules --explain`", "Not a legal answer",
                  "Not allowed: it answers another question", "Turn up one of your down cards",
                  "Draw from which pile?", "1 to 120 printable ASCII", "All will hear it", "At most 2 texts",
                  "Round 3 of 3", "Fewer points are better", "round 3 ", "1. "]:
        if words not in person.seen:
            yield f"`{words}` was never shown"
    for line in re.sub(r"\033\[[0-9;]*m", "", person.seen).splitlines():
        if len(line) > 80 and not line.startswith("seat 0> "):
            yield f"a line is too long: {line}"
    log = records(path)
    if log[0]["bots"][0]["command"] != "human":
        yield "the log does not say that a person played"
    if [record["say"] for record in log if record.get("say")] != [["one", "two"]]:
        yield f"the log has other texts: {[record['say'] for record in log if record.get('say')]}"


def check_hearing(folder):
    """A person hears what others say, and others hear the person."""
    bot = write_program(folder, "talker", SCRIPT % "echo say hello there")
    heard = write_program(folder, "heard", f"#!/bin/sh\ntee {folder}/heard.txt | {RANDOM}\n")
    said = iter(["say good luck", "b2"])
    person = Person(120, "--seed", "talk", "human", bot, heard)
    code = person.play(lambda text: next(said, None) or type_first(text))
    if code != 0 or "talker says: hello there" not in person.seen:
        yield f"exit code {code}: {person.seen[:3000]}"
    if "human says" in person.seen:
        yield "the person hears itself"
    with open(os.path.join(folder, "heard.txt")) as file:
        if "said 0 good luck\n" not in file.read():
            yield "the others do not hear the person"


def check_silence(folder):
    person = Person(80, "--set", "talk=off", "human", RANDOM)
    typed = iter(["say hello", "quit"])
    if person.play(lambda text: next(typed)) != 1 or "Nobody may talk in this match" not in person.seen:
        yield person.seen


def check_pipe():
    """A script can play through a pipe, all its lines sent at once."""
    lines = "1\n1\nPile\n  KEEP   b2\n"
    done = run("play", "--seed", "pipe", *PATIENT, "human", GREEDY, input=lines)
    if done.returncode != 1 or "human keeps" not in done.stdout or "at B2 in place of" not in done.stdout:
        yield f"exit code {done.returncode}: {done.stdout[-500:]}{done.stderr}"
    if done.stderr != "referee: the match was stopped\n":
        yield done.stderr


def check_terminal(folder):
    """On a terminal the match is drawn, with colours unless NO_COLOR is set."""
    for no_colour in ("", "1"):
        pid, fd = pty.fork()
        if pid == 0:
            os.environ["NO_COLOR"] = no_colour
            os.execv(REFEREE, [REFEREE, "play", "--seed", "tty", *PATIENT, GREEDY, GREEDY, RANDOM])
        seen = b""
        while True:
            try:
                seen += os.read(fd, 65536)
            except OSError:
                break
        os.waitpid(pid, 0)
        if b"E|A   B    C    D   E|A" not in seen or b"\nrow 3 |" not in seen or b"1. " not in seen:
            yield f"no table: {seen[-300:]}"
        if (b"\033[31m" in seen) != (no_colour == ""):
            yield "colours are on or off against the wish"


def check_sheet():
    """Several rounds end with a score sheet that adds up."""
    done = run("play", "--edition", "en2020", "--seed", "sheet", *PATIENT, GREEDY, RANDOM, RANDOM)
    rows = re.findall(r"^(round [123]|total) +(.*)$", done.stdout, re.M)
    table = [[float(points) for points in row.replace("*", " ").split()] for _, row in rows]
    if len(table) != 4 or [sum(column) for column in zip(*table[:3])] != table[3]:
        yield done.stdout
    for points, (_, row) in zip(table, rows):
        marks = [mark == "*" for _, mark in re.findall(r"(-?[0-9.]+)(\*?)", row)]
        if marks != [number == min(points) for number in points]:
            yield f"the winner of a row is another one: {row}"


def check_rotation(folder):
    """The bots move on by one seat from match to match; each has one row; its faults are listed."""
    bot = write_program(folder, "fails", SCRIPT % "exit 1")
    path = os.path.join(folder, "turns.ndjson")
    done = run("play", "--matches", "4", "--seed", "turns", "--log", path, *PATIENT, GREEDY, RANDOM, bot)
    logs = [os.path.join(folder, f"turns-{number}.ndjson") for number in range(1, 5)]
    seats = [[seat["name"] for seat in records(log)[0]["bots"]] for log in logs]
    if seats != [["greedy", "random", "fails"], ["fails", "greedy", "random"], ["random", "fails", "greedy"],
                 ["greedy", "random", "fails"]]:
        yield f"the seats are {seats}"
    rows = re.findall(r"^(greedy|random|fails) .* ([0-9]+) +[0-9.]+ s", done.stdout, re.M)
    if rows != [("greedy", "0"), ("random", "0"), ("fails", "4")] or "Fewer points are better" not in done.stdout:
        yield done.stdout
    for number, seat in enumerate([2, 0, 1, 2]):
        fault = rf"^match {number + 1}: fails in seat {seat}: gone at decision [0-9]+; log {re.escape(logs[number])}$"
        if not re.search(fault, done.stdout, re.M):
            yield f"match {number + 1} is not in the list: {done.stdout}"
    for number, command in enumerate(re.findall(r"to play it again: referee (.*)", done.stderr)):
        command = command.replace("again.ndjson", f"{folder}/turns-again-{number}.ndjson")
        subprocess.run(f"{REFEREE} {command}", shell=True, capture_output=True)
        one, other = (without_times(records(log)) for log in (logs[number], f"{folder}/turns-again-{number}.ndjson"))
        # A seed in full is no longer a short text that somebody could guess.
        one[0].pop("guessable", None), other[0].pop("guessable", None)
        if one != other:
            yield f"match {number + 1} is another one when it is played again"


POSITION = ("seats=2 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 "
            "private1=#3,#6,#9/#4,#7,#10/#5,#8,#11 draw=5,1 discard=7")


def check_ask():
    position = POSITION
    done = run("ask", *PATIENT, GREEDY, position)
    if done.returncode != 0 or not re.fullmatch(r"(pile|discard)\t[0-9.]+ ms\n", done.stdout):
        yield f"{done.stdout}{done.stderr}"
    other = run("ask", "--seat", "1", *PATIENT, GREEDY, position)
    if other.returncode != 2 or "nothing is asked of seat 1" not in other.stderr:
        yield other.stderr
    silent = run("ask", "--move-ms", "200", "--start-ms", "200", "sleep 100", position)
    if silent.returncode != 3:
        yield f"exit code {silent.returncode} for a bot that is silent"


def check_proof(folder):
    """Every log of this suite proves right, whatever its bots did."""
    paths = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names
             if name.endswith(".ndjson")]
    done = run("replay", "--verify", *paths)
    if done.returncode != 0 or len(paths) < 40:
        yield f"{len(paths)} logs: {done.stderr}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        logs = os.path.join(folder, "logs")
        os.mkdir(logs)
        report("matches of 2 to 6 bots are played in every edition", play_all(logs, "quiet", ALL_TABLES))
        report("the same seed gives the same log, times apart, on a busy machine", check_same(logs))
        report("each log ends with its hash and keeps its commitment", check_hashes(logs))
        report("the log has the hash of the bytes that a bot got", check_sent(folder))
        report("a log that cannot be written is reported", check_unwritable())
        report("a program in the current folder is found", check_here(folder))
        report("every fault is named, explained and costs the last place", check_faults(folder))
        report("the command of a fault report plays the same match", check_again(folder))
        report("stderr is kept beside the log and shown as plain text", check_stderr(folder))
        report("--json and --matches give every match and its seed", check_json(folder))
        report("bots die with a referee that is killed", check_kill(folder))
        report("a match that is killed leaves its log so far, and no other", check_partial(folder))
        report("two matches at once do not write the same log", check_two_writers(folder))
        report("a link in place of the partial log is not followed", check_link(folder))
        report("a match that is void replaces no log", check_void(folder))
        report("Ctrl-C ends after the match that is being played", check_interrupt(folder))
        report("bots rotate, and each has one row and a list of its faults", check_rotation(folder))
        report("a score sheet has the winner of each round, and adds up", check_sheet())
        report("a person can play a match in the terminal", check_human(folder))
        report("a person hears and is heard", check_hearing(folder))
        report("nobody talks where the rules forbid it", check_silence(folder))
        report("a script can play through a pipe", check_pipe())
        report("a match is drawn on a terminal", check_terminal(folder))
        report("ask puts one question from a position", check_ask())
        report("the last words of a bot are shown", check_last_words(folder))
        report("every log that was made here proves right", check_proof(folder))


main()
