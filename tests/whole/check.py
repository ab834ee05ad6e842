#!/usr/bin/env python3
"""Checks bots with `referee check`: good ones pass, and of bad ones it says what is wrong."""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "protocol.md")
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
RANDOM = os.path.join(BUILD, "bots", "random")
EDITIONS = ["de2026", "en2020", "nl2023", "fr2020", "es2020"]
# Bots get plenty of time, so that a busy machine does not matter; silent ones do not.
PATIENT = ["--move-ms", "60000", "--start-ms", "60000"]
SILENT = {"late": ["--move-ms", "300", "--start-ms", "60000"], "deaf": ["--move-ms", "300", "--start-ms", "60000"],
          "no_start": ["--move-ms", "60000", "--start-ms", "1000"]}
STARVED_MAX = 20  # times that a bot without its share of the machine is checked again


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def run(*arguments):
    """A match in which the machine starved a bot is void, and says nothing about the bot: it is played again."""
    for _ in range(STARVED_MAX):
        done = subprocess.run([REFEREE, "check", *arguments], capture_output=True, text=True, timeout=SECONDS)
        if done.returncode != 1 or "the machine gave" not in done.stderr:
            break
    return done


def check(*arguments):
    """The exit code and the report as data."""
    done = run("--json", *arguments)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


def judge_good(name, *arguments, missing=(), editions=EDITIONS):
    code, data = check(*PATIENT, *arguments)
    if code == 0 and data["editions"] != editions:
        yield f"{name} played {data['editions']}"
    elif code != 0 or data["wrong"] or data["doubtful"]:
        yield f"{name}: exit code {code}, {data}"
    elif [need for need, count in data["met"].items() if count == 0 and need not in missing]:
        yield f"{name} did not meet everything: {data['met']}"


def good_bots(folder):
    for name, command in (("greedy", GREEDY), ("random", RANDOM)):
        yield from judge_good(name, command)
    with open(PAGE) as page:
        bot = re.findall(r"^```python\n(.*?)^```$", page.read(), re.M | re.S)[-1]
    path = write_bot(folder, "thirty.py", bot)
    yield from judge_good("the bot of thirty lines", path)


def whole_report():
    code, data = check(*PATIENT, GREEDY)
    if data["editions"] != EDITIONS or data["seats"] != [2, 3, 4, 5, 6]:
        yield f"editions {data['editions']}, seats {data['seats']}"
    if len(data["fine"]) < 20 or data["times"]["answers"] < 500:
        yield f"too little was played: {data['fine']}, {data['times']}"
    if not 0 < data["times"]["median_us"] <= data["times"]["p99_us"] <= 1.1 * data["times"]["slowest_us"]:
        yield f"times {data['times']}"
    words = run(*PATIENT, GREEDY).stdout
    if not re.search(r"^greedy is fine: no fault in \d+ matches\.$", words.splitlines()[-1]):
        yield f"the last line is {words.splitlines()[-1]}"
    for title in ("fine", "times"):
        if title not in words.splitlines():
            yield f"the section {title} is missing"


RULES_ASIDE = ["a triple that may be left", "a choice of triples", "a second bidding round", "a hidden hand card",
               "a reshuffle", "the final round", "clear"]


def one_edition():
    for edition in EDITIONS:
        yield from judge_good(edition, "--edition", edition, RANDOM, missing=RULES_ASIDE, editions=[edition])


def contained_bots():
    code, data = check(*PATIENT, "--contain", "auto", "--edition", "de2026", GREEDY)
    if code != 0:
        yield f"exit code {code}: {data}"


def seeds():
    first, again, other = (check(*PATIENT, "--edition", "de2026", "--seed", seed, RANDOM)[1] for seed in ("a", "a", "b"))
    if first["met"] != again["met"]:
        yield "the same seed led to other matches"
    if first["met"] == other["met"]:
        yield "another seed led to the same matches"


def usage():
    for arguments in ([], ["/nowhere/bot"], ["--edition", "de2027", GREEDY], ["--move-ms", "0", GREEDY],
                      ["--contain", "glass", GREEDY], [GREEDY, GREEDY]):
        done = run(*arguments)
        if done.returncode != 2 or not done.stderr or done.stdout:
            yield f"{arguments}: exit code {done.returncode}, {done.stdout}{done.stderr}"


# What is found of each bad bot: code, question, cause.
HOSTILE = {
    "bad_hello": ("bad_hello", "hello", ""),
    "blank_lines": ("unreadable", "reveal", ""),
    "burns_cpu": ("late", "reveal", ""),
    "closes_stdin": ("deaf", "reveal", ""),
    "closes_stdout": ("gone", "reveal", ""),
    "dies_by_signal": ("gone", "reveal", ""),
    "does_not_flush": ("late", "reveal", "buffer"),
    "exits_after_answer": ("gone", "reveal", ""),
    "exits_at_once": ("no_start", "hello", ""),
    "flood": ("flood", "reveal", ""),
    "flood_no_newline": ("too_long", "reveal", ""),
    "say_flood": ("flood", "reveal", ""),
    "grandchild_holds_pipe": ("gone", "reveal", ""),
    "half_line": ("late", "reveal", ""),
    "ignores_sigterm": ("late", "reveal", ""),
    "late": ("late", "reveal", ""),
    "no_hello": ("no_start", "hello", ""),
    "non_ascii": ("unreadable", "reveal", ""),
    "nul_bytes": ("unreadable", "reveal", ""),
    "silent": ("late", "reveal", ""),
    "stops_itself": ("late", "reveal", ""),
    "ten_megabyte_line": ("too_long", "reveal", ""),
    "two_answers": ("unasked", "reveal", ""),
}


def one_hostile_bot(name):
    code, data = check(*SILENT.get(HOSTILE[name][0], PATIENT), os.path.join(BUILD, "tests", "hostile", name))
    if code != 3:
        yield f"{name}: exit code {code}, {data}"
        return
    first = data["wrong"][0]
    if (first["code"], first["ask"], first["cause"]) != HOSTILE[name]:
        yield f"{name}: {first}"
    if not first["advice"] or not first["message"]:
        yield f"{name}: no advice in {first}"


def each_at_once(judge, names):
    """They mostly wait, for limits, pauses and pieces, so several can wait at once."""
    with ThreadPoolExecutor(4) as pool:
        for problems in pool.map(lambda name: list(judge(name)), names):
            yield from problems


def harmless_bots():
    for name in ("byte_by_byte", "child_answers", "crlf", "early_hello"):
        code, data = check(*PATIENT, os.path.join(BUILD, "tests", "hostile", name))
        if code != 0:
            yield f"{name}: exit code {code}, {data['wrong']}"


# A good bot into which one mistake at a time is put, at a mark of that name.
# It is started hundreds of times, so Python leaves out what it would load in vain.
MODEL = '''#!/usr/bin/env -S python3 -IS
import os, select, sys, time
legal, seat, opened = [], None, 0
def lines():
    rest = b""
    while True:
        #reading
        piece = os.read(0, 65536)
        if not piece:
            return
        #pieces
        rest += piece
        while b"\\n" in rest:
            line, rest = rest.split(b"\\n", 1)
            line = line.decode().rstrip("\\r")
            #line
            yield line
def say(line):
    sys.stdout.write(line + "\\n")
    sys.stdout.flush()
#start
for line in lines():
    word, _, rest = line.partition(" ")
    if word == "allegra":
        say("hello model legal=on reuse=on")
    elif word == "match":
        #match
        seat = dict(pair.split("=") for pair in rest.split())["seat"]
    elif word == "legal":
        legal = rest.split("|")
    elif word == "ask":
        number, what, _ms, *more = rest.split()
        #ask
        say(number + " " + legal[0])
    elif word == "bye":
        break
    #other
'''
KNOWN = ("rules player table display round turned turn reshuffled drew passed knocked again declined accepted kept "
         "dropped placed took put tossed returned cleared discarded final limit exhausted shown scored over said "
         "dismissed result").split()

# By the name of the mistake: the mark, what is put there, and code, cause and a word of the advice.
MISTAKES = {
    "pieces": ("pieces", "assert piece.endswith(b'\\n')", "gone|no_start", "pieces", "whole lines"),
    "pause": ("reading", "assert select.select([0], [], [], 1.0)[0]", "gone", "pause", "no timeout"),
    "notices": ("other", f"elif word not in {KNOWN}:\n        raise ValueError(line)", "gone", "notices", "Ignore"),
    "fields": ("ask", "assert not set(pair.split('=')[0] for pair in more) & "
                      "{'season', 'hint', 'spare', 'level'}", "gone", "fields", "ignore all others"),
    "dismissed": ("other", "elif word == 'dismissed':\n        sys.exit(1)", "gone", "dismissed", "match continues"),
    "round": ("other", "elif word == 'round':\n        opened += 1\n        assert opened == 1", "gone", "round",
              "dealt again"),
    "second match": ("match", "if seat is not None: say = lambda line: print('?', flush=True)", "unreadable",
                     "second_match", "forget everything"),
    "place": ("ask", "if what == 'place': legal[0] = 'pass'", "illegal", "", "legal=on"),
    "clear": ("ask", "if what == 'clear' and 'none' not in legal: legal[0] = 'none'", "illegal", "", "legal=on"),
    "number": ("ask", "if what == 'take': number = str(int(number) + 1)", "unasked", "", "number of that question"),
    "debugging": ("ask", "if what == 'put': say('putting')", "unreadable", "", "standard error"),
    "slow start": ("start", "time.sleep(600)", "no_start", "", "start_ms"),
}


def write_bot(folder, name, text):
    path = os.path.join(folder, name.replace(" ", "_"))
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


def one_mistake(folder, name):
    mark, code_text, outcome, cause, advice = MISTAKES[name]
    path = write_bot(folder, name, MODEL.replace(f"#{mark}\n", code_text + "\n"))
    code, data = check(*SILENT.get(outcome, PATIENT), path)
    found = [(one["code"], one["cause"]) for one in data["wrong"]]
    if code != 3 or not any((kind, cause) in found for kind in outcome.split("|")):
        yield f"{name}: exit code {code}, {found}, {data['wrong'][:1]}"
    elif not any(advice in one["advice"] and one["cause"] == cause for one in data["wrong"]):
        yield f"{name}: {data['wrong'][0]['advice']}"


def mistakes(folder):
    marks = sorted({mark for mark, *_ in MISTAKES.values()})
    model = MODEL
    for mark in marks:
        model = model.replace(f"#{mark}\n", "pass\n" if mark != "other" else "\n")
    yield from judge_good("the model", write_bot(folder, "model", model))
    yield from each_at_once(lambda name: one_mistake(folder, name), MISTAKES)


def courtesy(folder):
    """A bot that stumbles over a CR is warned, but not called faulty: the referee never writes one."""
    bot = MODEL.replace('.rstrip("\\r")', "").replace("#ask\n", "assert '\\r' not in line\n")
    code, data = check(*PATIENT, write_bot(folder, "return", bot))
    if code != 0 or [one["cause"] for one in data["doubtful"]] != ["crlf"]:
        yield f"exit code {code}, {data['wrong']}, {data['doubtful']}"
    elif "strip it" not in data["doubtful"][0]["advice"]:
        yield data["doubtful"][0]["advice"]


def reuse(folder):
    """A bot that breaks between two matches is started again by the referee: no fault, but worth a look."""
    for mark, text in (("match", "assert seat is None"), ("other", "elif word == 'result':\n        break")):
        code, data = check(*PATIENT, write_bot(folder, "once", MODEL.replace(f"#{mark}\n", text + "\n")))
        if code != 0 or not any("reuse=on" in remark for remark in data["remarks"]):
            yield f"{mark}: exit code {code}, {data['wrong']}, {data['remarks']}"


def words_of_a_fault(folder):
    """The report for people has the lines, the end of stderr and the advice."""
    bot = MODEL.replace("#ask\n", "if what == 'move': raise KeyError('lost')\n")
    done = run(*PATIENT, write_bot(folder, "lost", bot))
    for piece in ("wrong\n", "gone at `move`", "KeyError: 'lost'", "> ask ", " move 60000 drawn=", "how to fix it",
                  "lost would be dismissed: 1 thing to fix"):
        if piece not in done.stdout:
            yield f"no {piece!r} in {done.stdout}"


def main():
    chosen = sys.argv[1:]  # words of names; none: all
    with tempfile.TemporaryDirectory() as folder:
        cases = [
            ("good bots pass and meet everything", lambda: good_bots(folder)),
            ("the report is complete", whole_report),
            ("one edition can be checked alone", one_edition),
            ("contained bots are checked", contained_bots),
            ("a seed decides what is played", seeds),
            ("a wrong command line is refused", usage),
            ("hostile bots are found out", lambda: each_at_once(one_hostile_bot, HOSTILE)),
            ("harmless oddities pass", harmless_bots),
            ("every typical mistake gets its advice", lambda: mistakes(folder)),
            ("a bot that stumbles over a CR is warned", lambda: courtesy(folder)),
            ("a bot that breaks between two matches is warned", lambda: reuse(folder)),
            ("a fault is explained in words", lambda: words_of_a_fault(folder)),
        ]
        cases = [case for case in cases if not chosen or any(word in case[0] for word in chosen)]
        with ThreadPoolExecutor(3) as pool:
            for (name, _), problems in zip(cases, pool.map(lambda case: list(case[1]()), cases)):
                report(name, problems)


if __name__ == "__main__":
    main()
