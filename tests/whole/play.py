#!/usr/bin/env python3
"""Plays real matches with the real referee and looks at what comes out."""

import hashlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile

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


MISTAKES = [
    (["play"], 2, "at least two seats"),
    (["play", GREEDY], 2, "at least two seats"),
    (["play", GREEDY, "/nowhere/bot"], 2, 'there is no program "/nowhere/bot"'),
    (["play", GREEDY, "nosuchprogram -x"], 2, 'there is no program "nosuchprogram"'),
    (["play", GREEDY, "/tmp"], 2, '"/tmp" is a folder'),
    (["play", GREEDY, ""], 2, "a bot name is empty"),
    (["play", GREEDY, "'open"], 2, "a quote is not closed"),
    (["play", "--seats", "7", GREEDY], 2, "--seats takes 2 to 6, not `7`"),
    (["play", "--seats", "2", GREEDY, GREEDY, GREEDY], 2, "more bots than seats"),
    (["play", *[GREEDY] * 7], 2, "play takes at most 6 bots"),
    (["play", "--editoin", "x"], 2, "there is no option --editoin; did you mean --edition?"),
    (["play", "--edition", "en2021", GREEDY, GREEDY], 2, 'did you mean "en2020"?'),
    (["play", "--set", "knok=on", GREEDY, GREEDY], 2, 'did you mean "knock"?'),
    (["play", "--set", "knock=maybe", GREEDY, GREEDY], 2, "it takes off, on"),
    (["play", "--set", "knock", GREEDY, GREEDY], 2, "key=value"),
    (["play", "--set", "rounds=2", "--edition", "en2020", GREEDY, GREEDY], 2, "before --set"),
    (["play", "--set", "deck=1,1,1,1,1,1,1,1,1,1,1,1,1", GREEDY, GREEDY], 2, "need at least 25"),
    (["play", "--move-ms", "0", GREEDY, GREEDY], 2, "--move-ms takes 1 to 86400000, not `0`"),
    (["play", "--move-ms", "1e3", GREEDY, GREEDY], 2, "--move-ms takes 1 to 86400000, not `1e3`"),
    (["play", "--clock", "sand", GREEDY, GREEDY], 2, "--clock takes fair or wall, not `sand`"),
    (["play", "--matches"], 2, "--matches needs a value"),
    (["play", "--quiet=yes", GREEDY, GREEDY], 2, "--quiet takes no value"),
    (["play", "human", "human"], 2, "only one person"),
    (["play", "--log", "/nowhere/log", GREEDY, GREEDY], 1, "cannot write the log /nowhere/log: No such file or directory"),
    (["play", "--log", "/dev/full", GREEDY, GREEDY], 1, "cannot write the log /dev/full: No space"),
    (["ask", GREEDY], 2, "ask takes a BOT and a POSITION"),
    (["ask", GREEDY, "seats=9"], 2, "a position begins with seats=2"),
    (["ask", GREEDY, "seats=2 display0=x"], 2, "the position cannot be used"),
]


def check_mistakes():
    for arguments, code, words in MISTAKES:
        done = run(*arguments)
        if done.returncode != code:
            yield f"{arguments}: exit code {done.returncode}, not {code}: {done.stderr}"
        elif words not in done.stderr:
            yield f"{arguments}: {done.stderr}"
        elif code == 2 and len(done.stderr.splitlines()) != 1:
            yield f"{arguments}: more than one sentence: {done.stderr}"


def check_programs(folder):
    """Programs that cannot be run are the user's mistake, in words."""
    cases = [
        (write_program(folder, "empty", ""), "is empty"),
        (write_program(folder, "crlf", "#!/bin/sh\r\nexit\r\n"), "carriage return"),
        (write_program(folder, "lost", "#!/nowhere/python\n"), '"/nowhere/python", which does not exist'),
        (write_program(folder, "plain", "#!/bin/sh\n"), "is not executable"),
    ]
    os.chmod(cases[3][0], 0o644)
    for path, words in cases:
        done = run("play", GREEDY, path)
        if done.returncode != 2 or words not in done.stderr:
            yield f"{path}: exit code {done.returncode}: {done.stderr}"


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
    if not output.startswith("1 matches"):
        yield output
    if "sha256" not in records(os.path.join(folder, "stop-1.ndjson"))[-1]:
        yield "the log is not complete"


def check_human(folder):
    """A person plays a whole match by typing numbers, and sees help, lists and refusals."""
    path = os.path.join(folder, "human.ndjson")
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execv(REFEREE, [REFEREE, "play", "--seed", "human", "--log", path, *PATIENT, "human", GREEDY, RANDOM])
    seen, typed = "", iter(["help", "list", "nonsense", "keep A1", "999"])
    while True:
        try:
            data = os.read(fd, 65536).decode()
        except OSError:
            break
        if not data:
            break
        seen += data
        if seen.endswith("seat 0> "):
            os.write(fd, (next(typed, "1") + "\n").encode())
            seen += " "
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code != 0:
        yield f"exit code {code}: {seen[-500:]}"
    for words in ["Your display is", "Not a legal answer", "Not allowed: it answers another question",
                  "Turn up one of your down cards", "Draw from which pile?", "1. "]:
        if words not in seen:
            yield f"`{words}` was never shown"
    if records(path)[0]["bots"][0]["command"] != "human":
        yield "the log does not say that a person played"


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
        if b"A   B   C   D   E" not in seen or b"1. " not in seen:
            yield f"no table: {seen[-300:]}"
        if (b"\033[31m" in seen) != (no_colour == ""):
            yield "colours are on or off against the wish"


def check_ask():
    position = ("seats=2 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 "
                "private1=#3,#6,#9/#4,#7,#10/#5,#8,#11 draw=5,1 discard=7")
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
        report("mistakes on the command line are reported in one sentence", check_mistakes())
        report("each reason why a program cannot be run has its own message", check_programs(folder))
        report("a program in the current folder is found", check_here(folder))
        report("every fault is named, explained and costs the last place", check_faults(folder))
        report("the command of a fault report plays the same match", check_again(folder))
        report("stderr is kept beside the log and shown as plain text", check_stderr(folder))
        report("--json and --matches give every match and its seed", check_json(folder))
        report("bots die with a referee that is killed", check_kill(folder))
        report("Ctrl-C ends after the match that is being played", check_interrupt(folder))
        report("a person can play a match in the terminal", check_human(folder))
        report("a match is drawn on a terminal", check_terminal(folder))
        report("ask puts one question from a position", check_ask())
        report("every log that was made here proves right", check_proof(folder))


main()
