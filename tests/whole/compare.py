#!/usr/bin/env python3
"""Compares bots with the real referee: the verdict, its formats, and resuming from a store."""

import glob
import json
import os
import re
import signal
import tempfile

from patience import SECONDS
from organiser import (GREEDY, HOSTILE, RANDOM, WAITS, expect, logs_of, read_records, read_text, report, run,
                       start, wait_for, write_file, write_script)

NEGOTIATOR = os.path.join(os.path.dirname(GREEDY), "negotiator")
PATIENT = ["--edition", "en2020", "--set", "rounds=1", "--set", "turn_limit=6", "--start-ms", "60000", "--move-ms",
           "60000", "--reuse", "--seed", "x"]


# What the second line says about the interval.
RANGES = {"better": " points per round fewer; ", "worse": " points per round more; ", "equal": " worse; "}


def compare(*arguments, **more):
    return run("compare", *PATIENT, *arguments, **more)


def verdict(done):
    return json.loads(done.stdout)


def check_verdicts(folder):
    """Greedy is better than random, random worse than greedy, and a bot is as good as itself."""
    cases = [(GREEDY, RANDOM, "better", -1, 30), (RANDOM, GREEDY, "worse", 1, 30), (GREEDY, GREEDY, "equal", 0, 170)]
    for new, old, word, sign, most in cases:
        text = compare(new, old)
        yield from expect(text, 0, f": {word}\n", "fewer points are better; with 95 % certainty NEW ", RANGES[word])
        result = verdict(compare("--json", "--workers", "8", new, old))
        if result["verdict"] != word or result["matches"] != 2 * result["blocks"] or result["blocks"] > most:
            yield str(result)
        if sign * result["difference"] < 0 or not result["low"] <= result["difference"] <= result["high"]:
            yield str(result)
        if (result["p_value"] <= 0.05) != (sign != 0) or result["matches_needed"] != 0:
            yield str(result)
        if sign * (result["chance_better"] - 0.5) > 0 or (sign == 0) != (result["chance_better"] == 0.5):
            yield str(result)
        if f"{result['blocks']} blocks, {result['matches']} matches" not in text.stdout:
            yield f"with other workers the verdict comes at another block: {text.stdout} {result}"
    yield from expect(compare(GREEDY, RANDOM), 0, "NEW loses ", " points per round fewer than OLD: better\n")
    yield from expect(compare(GREEDY, GREEDY), 0, "no difference at all in ")


def check_answers(folder):
    """What ends without a verdict still says how large the difference can be, and what would decide it."""
    few = compare("--most", "4", GREEDY, RANDOM)
    yield from expect(few, 1, "not decided after 4 blocks, too few to say", "fewer points are better; 4 blocks, 8 matches",
                      "NEW is very probably better; about ", " more matches would decide it (--most ")
    some = ["--most", "12", GREEDY, NEGOTIATOR]
    text, result = compare(*some), verdict(compare("--json", *some))
    yield from expect(text, 1, "not decided after 12 blocks: with 95 % certainty NEW is between ")
    ends = re.search(r"between ([0-9.]+) points per round better and ([0-9.]+) worse than OLD\n", text.stdout)
    # Both are rounded, to two places and to four.
    if ends is None or abs(float(ends[1]) + result["low"]) > 0.0051 or abs(float(ends[2]) - result["high"]) > 0.0051:
        yield f"{text.stdout} {result}"
    if result["verdict"] != "undecided" or not result["low"] < 0 < result["high"] or result["matches_needed"] < 2:
        yield str(result)
    result = verdict(compare("--json", "--most", "4", GREEDY, RANDOM))
    if (result["verdict"], result["low"], result["high"]) != ("undecided", None, None):
        yield str(result)


def check_field(folder):
    """With a field both play the same deals from every seat."""
    store = f"{folder}/store"
    done = compare("--json", "--store", store, GREEDY, RANDOM, "--field", RANDOM, GREEDY)
    yield from expect(done, 0)
    result = verdict(done)
    if result["verdict"] != "better" or result["matches"] != 6 * result["blocks"]:
        yield str(result)
    seen = {}
    for record in read_records(f"{store}/results.ndjson"):
        if "block" in record:
            seen.setdefault(record["block"], set()).add(tuple(record["bots"]))
    wanted = {order for hero in (0, 1) for order in [(hero, 2, 3), (3, hero, 2), (2, 3, hero)]}
    for block in range(1, result["blocks"] + 1):
        if seen.get(block) != wanted:
            yield f"block {block}: {seen.get(block)}"
    for block in (1, result["blocks"]):
        seeds = {read_records(log)[-2]["seed"] for log in glob.glob(f"{store}/logs/{block:06}/??.ndjson.zst")}
        if len(seeds) != 1:
            yield f"block {block} has {len(seeds)} deals"


def check_store(folder):
    """--store keeps everything, and the next call resumes or repeats the verdict."""
    store = f"{folder}/store"
    short = compare("--json", "--store", store, "--most", "5", "--margin", "0.001", GREEDY, f"{GREEDY} ")
    if verdict(short)["blocks"] > 5:
        yield short.stdout
    more = compare("--store", store, "--json", RANDOM, GREEDY)
    yield from expect(more, 1, "other bots, other rules")
    more = compare("--store", store, "--luck", "off", "--most", "5", GREEDY, f"{GREEDY} ")
    yield from expect(more, 1, "another --luck")
    store = f"{folder}/other"
    first = compare("--store", store, RANDOM, GREEDY)
    yield from expect(first, 0, "worse", f"logs: {store}/logs")
    journal = read_text(f"{store}/results.ndjson")
    again = compare("--store", store, RANDOM, GREEDY)
    if again.stdout != first.stdout or read_text(f"{store}/results.ndjson") != journal:
        yield f"it played on: {again.stdout}"
    if run("replay", "--verify", *logs_of(store)).returncode != 0:
        yield "a log is wrong"


def check_resumed(folder):
    """Ctrl-C lets the running matches end; with a store the next call continues to the same verdict."""
    gate, store = f"{folder}/gate", f"{folder}/store"
    slow = write_script(folder, "slow", ":", WAITS.replace("$GATE", gate))
    referee = start("compare", *PATIENT, "--workers", "1", "--store", store, slow, GREEDY)
    wait_for(f"{gate}.asked")
    referee.send_signal(signal.SIGINT)
    said = referee.stderr.readline()
    write_file(gate, "")
    output, rest = referee.communicate(timeout=SECONDS)
    if referee.returncode != 1 or "finishing the running matches" not in said or "not decided" not in output:
        yield f"exit code {referee.returncode}: {said}{rest}{output}"
    resumed, alone = compare("--store", store, slow, GREEDY), compare(slow, GREEDY)
    yield from expect(resumed, 0, "worse")
    if resumed.stdout.splitlines()[0] != alone.stdout.splitlines()[0]:
        yield f"{resumed.stdout} and {alone.stdout}"
    yield from stop_before_the_least(gate, store, slow)


def stop_before_the_least(gate, store, slow):
    """With an interval that says which bot is better, a comparison that is stopped says it, too."""
    for file in gate, f"{gate}.asked":
        os.remove(file)
    referee = start("compare", *PATIENT, "--workers", "1", "--store", store, "--least", "1000", slow, GREEDY)
    wait_for(f"{gate}.asked")
    referee.send_signal(signal.SIGINT)
    referee.stderr.readline()
    write_file(gate, "")
    output, rest = referee.communicate(timeout=SECONDS)
    if referee.returncode != 1 or ": worse\n" not in output or RANGES["worse"] not in output or "not decided" in output:
        yield f"stopped before --least, exit code {referee.returncode}: {rest}{output}"


def check_stopped(folder):
    """Whatever signal stops it: the folder for its matches is deleted, and a second one stops at once."""
    gate = f"{folder}/gate"
    slow = write_script(folder, "slow", ":", WAITS.replace("$GATE", gate))
    os.makedirs(f"{folder}/tmp")
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        referee = start("compare", *PATIENT, "--workers", "1", slow, GREEDY,
                        env={**os.environ, "TMPDIR": f"{folder}/tmp"})
        wait_for(f"{gate}.asked")
        os.remove(f"{gate}.asked")
        referee.send_signal(number)
        said = referee.stderr.readline()
        referee.send_signal(number)
        output, rest = referee.communicate(timeout=SECONDS)
        if referee.returncode != 1 or "press Ctrl-C again" not in said or "not decided" not in output:
            yield f"signal {number}: exit code {referee.returncode}: {said}{rest}{output}"
        if os.listdir(f"{folder}/tmp"):
            yield f"signal {number}: left {os.listdir(f'{folder}/tmp')}"


def check_faults(folder):
    """Dismissals are reported separately."""
    done = compare("--most", "8", f"{HOSTILE}/exits_at_once", GREEDY)
    yield from expect(done, 3, "NEW was dismissed ")
    if verdict(compare("--json", "--most", "8", GREEDY, f"{HOSTILE}/exits_at_once"))["faults_old"] < 8:
        yield "faults of OLD are not counted"
    yield from expect(compare("--most", "4", GREEDY, RANDOM, "--field", f"{HOSTILE}/exits_at_once"), 3,
                      "the field was dismissed ")


def check_usage(folder):
    cases = [([], "NEW and OLD"), ([GREEDY], "NEW and OLD"),
             ([GREEDY, GREEDY, GREEDY], "a third bot must come after --field"),
             ([GREEDY, "nowhere"], "there is no program"),
             ([GREEDY, GREEDY, "--field", "nowhere"], "there is no program"),
             ([GREEDY, GREEDY] + 6 * ["--field", GREEDY], "at most 5"),
             (["--margin", "x", GREEDY, GREEDY], "--margin takes a number"),
             (["--margin", "0", GREEDY, GREEDY], "margin"), (["--alpha", "2", GREEDY, GREEDY], "above 0 and below 0.5"),
             (["--least", "1", GREEDY, GREEDY], "--least"), (["--most", "1", GREEDY, GREEDY], "--most"),
             (["--least", "9", "--most", "3", GREEDY, GREEDY], "--most not below it"),
             (["--beta", "0.1", GREEDY, GREEDY], "there is no option --beta"),
             (["--set", "rounds=0", GREEDY, GREEDY], "rounds"), (["--workers", "-1", GREEDY, GREEDY], "--workers")]
    for arguments, words in cases:
        done = run("compare", *arguments)
        yield from expect(done, 2, words)
        if len(done.stderr.splitlines()) != 1:
            yield f"more than one sentence: {done.stderr}"
    yield from expect(run("compare", "--help"), 0, "--field", "referee compare ./new ./old")


def check_nothing_left(folder):
    """Without a store nothing is left behind."""
    places = {**os.environ, "TMPDIR": folder}
    yield from expect(run("compare", *PATIENT, GREEDY, RANDOM, env=places), 0)
    if os.listdir(folder):
        yield f"left: {os.listdir(folder)}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        def place(name):
            os.makedirs(f"{folder}/{name}")
            return f"{folder}/{name}"

        report("the better bot is found, with any number of workers", check_verdicts(place("verdicts")))
        report("a comparison without a verdict has an answer too", check_answers(place("answers")))
        report("a field is the same for both", check_field(place("field")))
        report("a store is resumed, and only with the same bots", check_store(place("store")))
        report("a comparison that is resumed comes to the same verdict", check_resumed(place("resumed")))
        report("signals stop it as they stop a tournament", check_stopped(place("stopped")))
        report("bots that are dismissed are counted", check_faults(place("faults")))
        report("mistakes are reported in one sentence", check_usage(place("usage")))
        report("nothing is left without a store", check_nothing_left(place("nothing")))


main()
