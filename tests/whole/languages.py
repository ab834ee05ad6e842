#!/usr/bin/env python3
"""The starters in bots/: each plays every edition, stands rough treatment and ends well.

Without LANGUAGES a few of them, in short; with LANGUAGES=all, or names, these and thoroughly.
"""

import concurrent.futures
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from patience import SECONDS

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.environ.get("BUILD", "build")
REFEREE = os.path.join(BUILD, "referee")
RANDOM = os.path.join(BUILD, "bots", "random")
TRANSCRIPT = os.path.join(BUILD, "tests", "transcript")
EDITIONS = ["de2026", "en2020", "nl2023", "fr2020", "es2020"]
# With sanitizers only C is another program than before.
USUAL = ["c"] if "sanitize" in BUILD else ["c", "python", "javascript", "perl", "bash", "awk"]
PATIENT = ["--move-ms", "60000", "--start-ms", "60000"]
IS_THOROUGH = bool(os.environ.get("LANGUAGES"))


def verdict(name, problems):
    """One line for tests/run."""
    problems = list(problems)
    return f"ok {name}" if not problems else f"not ok {name}: {problems[0]}"


def starters():
    """Of each language that is wanted: its name, what is missing, and its command."""
    wanted = os.environ.get("LANGUAGES", " ".join(USUAL)).split()
    done = subprocess.run(["bots/languages", "table", *wanted], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        name, state, command = line.split("\t")
        yield name, state, command


def play(edition, seed, bots, *more):
    """Plays matches; gives the seats of each, and what the referee has to say against them."""
    options = ["--json", "--edition", edition, "--seed", seed, *PATIENT, *more]
    done = subprocess.run([REFEREE, "play", *options, *bots], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        return [], [f"{edition}, {len(bots)} seats: exit code {done.returncode}: {done.stderr}"]
    matches = [match["seats"] for match in json.loads(done.stdout)["matches"]]
    problems = [f"{edition}, {len(bots)} seats: {seat['name']}: {seat['fault']}: {done.stderr}"
                for seats in matches for seat in seats if seat["fault"]]
    return matches, problems


def check_editions(command):
    """Every edition, every table size."""
    for i, edition in enumerate(EDITIONS):
        for seats in range(2, 7) if IS_THOROUGH else [2 + i]:
            rounds = "2" if seats == 2 else "1"
            bots = [command] + [RANDOM] * (seats - 1)
            yield from play(edition, f"edition {seats}", bots, "--rounds", rounds)[1]


def levels():
    """The sandbox levels that this machine has."""
    for level in ["guarded", "sealed"]:
        if not play("de2026", "level", [RANDOM, RANDOM], "--contain", level)[1]:
            yield level


def check_sandboxed(command):
    """Its runtime gets along with what a sandbox refuses."""
    for level in levels():
        for problem in play("de2026", "sandboxed", [command, RANDOM], "--contain", level)[1]:
            yield f"{level}: {problem}"


def check_wins(command):
    matches, problems = play("de2026", "wins", [command] + [RANDOM] * 3, "--matches", "20")
    yield from problems
    wins = sum(seat["place"] == 1 for seats in matches for seat in seats
               if not seat["name"].startswith("random"))
    if wins < 16:
        yield f"{wins} of 20"


def roughen(text):
    """The same lines as another referee might write them: unknown fields and notices, CR LF."""
    text = re.sub(r"^(ask .*)$", r"\1 mood=good", text, flags=re.M)
    text = re.sub(r"^(table .*)$", r"\1 moon=full seat=", text, flags=re.M)
    text = re.sub(r"^(match .*)$", r"weather sunny\n\1 stars=8\ncalm", text, flags=re.M)
    return text.replace("\n", "\r\n")


# What a referee never leaves out or never asks: a starter may be puzzled, but says something.
PUZZLING = """\
allegra 1 referee=test
ask 1 move 1000 drawn=3 from=pile

match seats=3 seat=2 edition=de2026 move_ms=1000 bank_ms=0 clock=fair rng=6224343f56abaa01
ask 2 draw 1000
legal keep A1|keep B1|drop C1
ask 3 move 1000 drawn=3 from=pile
legal dance A1|sing
ask 4 perform 1000 fun=1
said 1 = hello = world |
display 1 7,7,?,.,_/?,?,?,?,?/?,?,?,?,?
legal take 1:B1|take 1:C1
ask 7 take 1000 knocker=1 hand=?
display 2 .,.,.,.,./.,.,.,.,./.,.,.,.,.
legal pass|knock|knock A1
ask 8 knock 1000 drawn=2 by=1 bidding=1
legal accept 1|decline
ask 999999999999999999 answer 1000 drawn=2 bids=0:pass,1:C3 bidding=1
"""


def questions(text):
    """The number of each question and its legal answers; none if anything will do."""
    legal = []
    for line in text.splitlines():
        if line.startswith("legal "):
            legal = line[6:].split("|")
        elif line.startswith("ask "):
            yield line.split()[1], legal
            legal = []


def judge(asked, name, output):
    """Compares answers with the legal ones."""
    hello, *answers = output.splitlines() or [""]
    if not re.fullmatch(rf"hello {name}( [a-z]+=(on|off))*", hello):
        yield f"its hello is `{hello}`"
    if len(answers) != len(asked):
        yield f"{len(answers)} answers to {len(asked)} questions"
    for answer, (number, legal) in zip(answers, asked):
        words = answer.partition(" ")
        if words[0] != number or (legal and words[2] not in legal):
            yield f"`{answer}` to question {number}, but legal is {legal}"


def check_puzzled(name, command):
    done = subprocess.run(command.split(), input=PUZZLING, capture_output=True, text=True)
    yield from judge(list(questions(PUZZLING)), name, done.stdout)
    if done.returncode != 0 or done.stderr:
        yield f"exit code {done.returncode}, on stderr: {done.stderr}"


def check_rough(name, command, folder):
    """Several matches in one process, with unknown fields, in pieces that are not lines."""
    text = subprocess.run([TRANSCRIPT, "6" if IS_THOROUGH else "3", "3"], capture_output=True, text=True, check=True).stdout
    path = os.path.join(folder, f"lines-{name}")
    with open(path, "w", newline="") as file:
        file.write(roughen(text))
    done = subprocess.run(f"dd bs=61 if={path} 2>{path}.dd | {command}", shell=True, capture_output=True,
                          text=True, timeout=SECONDS)
    yield from judge(list(questions(text)), name, done.stdout)
    if done.returncode != 0 or done.stderr:
        yield f"exit code {done.returncode}, on stderr: {done.stderr}"


class Watched(subprocess.Popen):
    """A bot that is killed if it does not end."""

    def __init__(self, command, **more):
        super().__init__(command.split(), stdin=subprocess.PIPE, bufsize=0, **more)
        self.timer = threading.Timer(SECONDS, self.kill)
        self.timer.start()

    def end(self):
        """Its exit code, negative if it had to be killed."""
        code = self.wait()
        self.timer.cancel()
        self.stdin.close()
        return code


def check_end(command):
    """It goes at `bye` though its input stays open, and at the end of its input without a `bye`."""
    for last in ["bye", "the end of its input"]:
        bot = Watched(command, stdout=subprocess.PIPE)
        bot.stdin.write(b"allegra 1 referee=test\n")
        if not bot.stdout.readline().startswith(b"hello "):
            yield "no hello while its input is open"
        elif last == "bye":
            bot.stdin.write(b"bye\n")
        else:
            bot.stdin.close()
        if bot.end() != 0:
            yield f"exit code {bot.returncode} after {last}"
        bot.stdout.close()


def check_unheard(command):
    """It ends when nobody reads its answers any more, and does not wait or spin."""
    reader, writer = os.pipe()
    os.close(reader)
    bot = Watched(command, stdout=writer, stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        bot.stdin.write(b"allegra 1 referee=test\n" * 2)
    except BrokenPipeError:
        pass  # it has gone already
    bot.stdin.close()
    if bot.end() == -signal.SIGKILL:
        yield "it does not end"


def check_conformance(command):
    done = subprocess.run([REFEREE, "check", "--move-ms", "60000", "--start-ms", "60000", command],
                          capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        yield f"exit code {done.returncode}: {done.stdout}{done.stderr}"


def check_round_robin(pool, commands):
    """Everybody meets everybody; then as many as fit at a table."""
    tables = list(itertools.combinations(commands, 2))
    tables += [commands[i:i + 6] for i in range(0, len(commands) - 1, 5)]
    for _, problems in pool.map(lambda row: play(EDITIONS[row[0] % len(EDITIONS)], f"robin {row[0]}", row[1], "--rounds", "1"),
                                enumerate(tables)):
        yield from problems


def thirty_lines(folder):
    """The bot of thirty lines in protocol.md."""
    with open("protocol.md") as file:
        text = re.search(r"^```python\n(.*?)^```$", file.read(), re.M | re.S).group(1)
    path = os.path.join(folder, "thirty.py")
    with open(path, "w") as file:
        file.write(text)
    return f"{sys.executable} {path}"


def check_readmes():
    """The list of starters in bots/README.md, and a page of about ten lines beside each."""
    with open("bots/README.md") as file:
        page = file.read()
    table = subprocess.run(["bots/languages", "table"], capture_output=True, text=True, check=True).stdout
    for name in [line.split("\t")[0] for line in table.splitlines()]:
        if f"`{name}`" not in page:
            yield f"bots/README.md does not know {name}"
        with open(f"bots/{name}/README.md") as file:
            if len(file.readlines()) > 15:
                yield f"bots/{name}/README.md is too long"


def check_starter(name, command, folder):
    """All checks of one starter, as lines for tests/run."""
    start = time.monotonic()
    # A bot that does not flush would only be waited for in all that follows.
    lines = [verdict(f"{name} ends when it should", check_end(command))]
    if lines[0].startswith("not ok"):
        return lines
    lines += [verdict(f"{name} plays every edition", check_editions(command)),
              verdict(f"{name} plays at every sandbox level", check_sandboxed(command)),
              verdict(f"{name} understands strange lines in pieces", check_rough(name, command, folder)),
              verdict(f"{name} answers even if it is puzzled", check_puzzled(name, command)),
              verdict(f"{name} ends when nobody listens to it", check_unheard(command)),
              verdict(f"{name} passes `referee check` in every edition", check_conformance(command))]
    if IS_THOROUGH:
        lines += [verdict(f"{name} wins against players of chance", check_wins(command)),
                  f"count {name}: tested in {time.monotonic() - start:.0f} s"]
    return lines


def main():
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        found = list(starters())
        for name, state, _ in found:
            if state != "here":
                print(f"skip {name}: {state}", flush=True)
        here = [(name, command) for name, state, command in found if state == "here"]
        commands = [thirty_lines(folder)]
        # They wait for each other and for pauses, so there are more of them than cores.
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
            for (_, command), lines in zip(here, pool.map(lambda row: check_starter(*row, folder), here)):
                print("\n".join(lines), flush=True)
                if lines[0].startswith("ok"):
                    commands.append(command)
            print(verdict("the starters and the bot of protocol.md meet each other",
                          check_round_robin(pool, commands)), flush=True)
    print(verdict("every starter has its page", check_readmes()), flush=True)


main()
