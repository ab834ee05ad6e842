#!/usr/bin/env python3
"""What a store lives through: changes of its file and its bots, Ctrl-C, a full disk, damage, a reader that has
gone."""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from patience import SECONDS
from organiser import (GREEDY, RANDOM, REFEREE, WAITS, Cup, differences, expect, processes_with, read_text,
                       report, run, start, wait_for, write_file, write_script)


def check_kept(cup, before, what):
    """Whatever was there is still there, untouched."""
    after = cup.dates()
    for log, date in before.items():
        if after.get(log) != date:
            yield f"{what}: {log} was played again"


def refused(cup, *words):
    """It says what is in the way and what can be done, and does nothing."""
    before = read_text(f"{cup.store}/results.ndjson")
    yield from expect(cup.play(), 1, *words, "--fresh")
    if read_text(f"{cup.store}/results.ndjson") != before:
        yield f"something was written although it was refused: {words}"


def accepted(cup, matches, *words):
    """It needs --accept-changes, and then plays what is missing and nothing else."""
    before = cup.dates()
    yield from refused(cup, *words, "--accept-changes")
    yield from expect(cup.play("--accept-changes"), 0, f"finished: {matches} matches")
    yield from check_kept(cup, before, words[0])
    yield from expect(cup.play(), 0)


def check_changes(folder):
    cup = Cup(folder, bots=[{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM},
                            {"name": "s", "command": write_script(folder, "script")}])
    yield from expect(cup.play(), 0, "finished: 12 matches")
    first = cup.outcome()
    for key, value in [("edition", "de2026"), ("seats", 3), ("schedule_seed", 5), ("seatings", "rotations"),
                       ("matches", 6), ("deals", 1)]:
        was = cup.keys.get(key)
        cup.change(**{key: value})
        yield from refused(cup, "does not go with the matches", "rules was" if key == "edition" else f"{key} was")
        del cup.keys[key]
        cup.change(**({key: was} if was is not None else {}))
    cup.change(workers=1, max_faults=7, tables=2)
    yield from expect(cup.play(), 0)
    cup.change(max_faults=0, move_ms=50000)
    yield from accepted(cup, 12, "move_ms was 60000 and is 50000 now")
    cup.change(move_ms=60000)
    yield from accepted(cup, 12, "move_ms was 50000 and is 60000 now")
    yield from differences(first, cup.outcome())
    cup.change(deals=3)
    yield from accepted(cup, 18, "deals was 2 and is 3 now")
    same = {key: cup.keys[key] for key in ("bots", "deals", "workers", "tables", "max_faults")}
    alone = Cup(folder, "alone", name="cup", **same)
    alone.play()
    yield from differences(alone.outcome(), cup.outcome())


def check_bots_change(folder):
    script = write_script(folder, "script")
    three = [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM}, {"name": "s", "command": script}]
    cup = Cup(folder, bots=three)
    cup.play()
    write_script(folder, "script", "true")
    yield from accepted(cup, 12, "bot s is not the same program as before")
    cup.change(bots=three + [{"name": "r2", "command": RANDOM}])
    yield from accepted(cup, 24, "bot r2 is new")
    cup.change(bots=three[:1] + three[2:] + [{"name": "r2", "command": RANDOM}])
    yield from accepted(cup, 24, "bot r is withdrawn")
    if '"is_withdrawn": true' not in cup.standings("--json"):
        yield "the standings do not say that a bot is withdrawn"
    cup.change(bots=three + [{"name": "r2", "command": RANDOM}])
    yield from accepted(cup, 24, "bot r, which was withdrawn, is back")
    os.rename(script, f"{folder}/moved")
    cup.change(bots=three[:2] + [{"name": "s", "command": f"{folder}/moved"}, {"name": "r2", "command": RANDOM}])
    yield from accepted(cup, 24, "the command of bot s was")
    before = cup.dates()
    yield from expect(cup.play("--fresh"), 0, "finished: 24 matches")
    if any(before[log] == date for log, date in cup.dates().items()):
        yield "--fresh left something"


def stop_at_once(referee):
    """Ctrl-C twice. Two signals that come together are one."""
    referee.send_signal(signal.SIGINT)
    said = referee.stderr.readline()
    referee.send_signal(signal.SIGINT)
    return said + referee.communicate(timeout=SECONDS)[1]


def check_withdrawn_early(folder):
    """A bot that goes before it has played: its blocks are dropped; when it is back they are played."""
    gate = f"{folder}/gate"
    bots = [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM},
            {"name": "slow", "command": write_script(folder, "slow", ":", WAITS), "environment": {"GATE": gate}}]
    cup = Cup(folder, bots=bots)
    referee = start("tournament", "--seed", "x", "--workers", "1", cup.file)
    wait_for(f"{gate}.asked")
    stop_at_once(referee)
    write_file(gate, "")
    cup.change(bots=bots[:2])
    yield from expect(cup.play("--accept-changes"), 0, "finished: 4 matches")
    cup.change(bots=bots)
    yield from expect(cup.play("--accept-changes"), 0, "finished: 12 matches")


# Files of folders that are not a store, although they have something that a store has, too.
FOREIGN = [
    (["ledger.ndjson", "referee.lock", "bots/a/1/a.py", "jobs/1/results.ndjson"], "this is the folder of a daemon"),
    (["ledger.ndjson", "results.ndjson"], "this is the folder of a daemon"),
    (["referee.lock", "bots/a/1/a.py"], "not a store"),
    (["referee.lock", "jobs/1/results.ndjson", "logs/mine"], "not a store"),
    (["master"], "not a store"),
    (["master", "logs/mine"], "not a store"),
    (["master/thesis.tex", "logs/mine"], "not a store"),
]


def check_foreign(folder):
    """A folder with somebody else's files is not taken for a store, let alone emptied."""
    cup = Cup(folder)
    mine = write_file(f"{cup.store}/logs/mine", "precious")
    for options in [], ["--fresh"]:
        yield from expect(cup.play(*options), 1, "not a store")
    if not os.path.exists(mine) or os.listdir(cup.store) != ["logs"]:
        yield f"it has been touched: {os.listdir(cup.store)}"
    for names, words in FOREIGN:
        shutil.rmtree(cup.store)
        for name in names:
            write_file(f"{cup.store}/{name}", "precious" * 20)
        for options in [], ["--fresh"], ["--salvage"]:
            done = cup.play(*options)
            yield from expect(done, 1, words)
            if "--fresh" in done.stderr or not all(os.path.exists(f"{cup.store}/{name}") for name in names):
                yield f"{names}: {options}: {done.stderr}: {sorted(files_of(cup.store))}"


def gated(folder, **keys):
    """A tournament in which the first match with the bot `slow` waits for a file."""
    gate = f"{folder}/gate"
    bots = [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM},
            {"name": "slow", "command": write_script(folder, "slow", ":", WAITS),
             "environment": {"GATE": gate, "MARK": f"mark-of-{os.path.basename(folder)}-{os.getpid()}"}}]
    return Cup(folder, bots=bots, **keys), gate, bots[2]["environment"]["MARK"]


def check_lock(folder):
    """Only one plays in a store; reading is free."""
    cup, gate, _ = gated(folder)
    referee = start("tournament", "--seed", "x", "--workers", "1", cup.file)
    try:
        wait_for(f"{gate}.asked")
        yield from expect(cup.play(), 1, "somebody else is playing in this store")
        if read_text(f"{cup.store}/referee.lock").strip() != str(referee.pid):
            yield "the lock does not say who"
        for options in [], ["--fresh"]:
            os.remove(f"{cup.store}/referee.lock")
            yield from expect(cup.play(*options), 1, "somebody else is playing in this store")
        yield from check_running(cup)
    finally:
        write_file(gate, "")
        _, said = referee.communicate(timeout=SECONDS)
    if referee.returncode != 0:
        yield said
    yield from expect(cup.play(), 0)


def check_running(cup):
    """What can be seen of a tournament that runs: whole blocks alone."""
    for option in "--json", "--csv", "--csv-cross", "--csv-matches", "--html":
        yield from expect(run("standings", option, cup.store), 0)
    if "not finished" not in cup.standings():
        yield "the standings do not say that it goes on"
    done = {}
    for record in cup.results():
        done[record["block"]] = done.get(record["block"], 0) + 1
    for name in os.listdir(f"{cup.store}/logs"):
        if done.get(int(name), 0) != 2:
            yield f"block {name} is shown before it is decided"
    if not os.listdir(f"{cup.store}/open"):
        yield "no block is open"
    if len(read_text(f"{cup.store}/commitments").splitlines()) != 6:
        yield "the deals were not committed to before"


def interrupt(cup, gate, workers):
    """Presses Ctrl-C while a match waits, and lets the match continue when the referee has taken it."""
    referee = start("tournament", "--seed", "x", "--workers", workers, cup.file)
    wait_for(f"{gate}.asked")
    referee.send_signal(signal.SIGINT)
    said = referee.stderr.readline()
    write_file(gate, "")
    output, rest = referee.communicate(timeout=SECONDS)
    return referee.returncode, output, said + rest


def check_interrupt(folder):
    """Ctrl-C: what runs ends, and the rest is played by the next call, with the same results."""
    cup, gate, mark = gated(folder, deals=8)
    code, output, said = interrupt(cup, gate, "1")
    if code != 1 or "finishing the running matches" not in said or "not finished" not in output:
        yield f"exit code {code}: {said}"
    found = re.search(r"stopped after (\d+) of 48 matches; to resume: referee (.*)", said)
    if not found or not 0 < int(found.group(1)) < 48 or int(found.group(1)) != len(cup.results()):
        yield f"it does not say how to resume: {said}"
    if processes_with(mark):
        yield f"processes are left: {processes_with(mark)}"
    before = {record["log"] for record in cup.results()}
    yield from expect(run(*found.group(2).split()), 0, "finished: 48 matches")
    if not before <= {record["log"] for record in cup.results()} or len(cup.results()) != 48:
        yield "matches were lost or played twice"
    whole = Cup(folder, "whole", name="cup", bots=cup.keys["bots"], deals=8)
    whole.play()
    yield from differences(whole.outcome(), cup.outcome())
    if run("replay", "--verify", *cup.logs()).returncode != 0:
        yield "a log is wrong"


def check_other_signals(folder):
    """A closed terminal sends SIGHUP to all processes of the group: the matches end nevertheless."""
    for number in signal.SIGTERM, signal.SIGHUP:
        cup, gate, _ = gated(f"{folder}/{number}", deals=8)
        referee = start("tournament", "--seed", "x", "--workers", "1", cup.file, process_group=0)
        wait_for(f"{gate}.asked")
        if number == signal.SIGHUP:
            os.killpg(referee.pid, number)
        else:
            referee.send_signal(number)
        said = referee.stderr.readline()
        write_file(gate, "")
        said += referee.communicate(timeout=SECONDS)[1]
        if referee.returncode != 1 or "finishing the running matches" not in said or "killed by signal" in said:
            yield f"signal {number}: exit code {referee.returncode}: {said}"
        if not cup.results():
            yield f"signal {number}: the running match was lost"


def check_nohup(folder):
    """Where SIGHUP is ignored, as nohup(1) has it, it stays so."""
    cup, gate, _ = gated(folder)
    referee = start("tournament", "--seed", "x", "--workers", "1", cup.file,
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for(f"{gate}.asked")
    referee.send_signal(signal.SIGHUP)
    write_file(gate, "")
    output, said = referee.communicate(timeout=SECONDS)
    if referee.returncode != 0 or "finished: 12 matches" not in output:
        yield f"exit code {referee.returncode}: {said}"


def check_interrupt_twice(folder):
    """The second Ctrl-C stops at once, although a match waits; the standings are written."""
    cup, gate, mark = gated(folder, deals=4, reuse=True)
    referee = start("tournament", "--seed", "x", "--workers", "2", cup.file)
    wait_for(f"{gate}.asked")
    said = stop_at_once(referee)
    if "slow" not in read_text(f"{cup.store}/standings.txt"):
        yield "the standings are not written"
    if referee.returncode != 1 or "to resume: referee tournament" not in said:
        yield f"exit code {referee.returncode}: {said}"
    if processes_with(mark):
        yield f"processes are left: {processes_with(mark)}"
    write_file(gate, "")
    yield from expect(cup.play(), 0, "finished: 24 matches")


def check_swiss_interrupted(folder):
    cup, gate, _ = gated(folder, format="swiss", rounds=3, deals=2)
    cup.change(bots=cup.keys["bots"] + [{"name": f"x{i}", "command": RANDOM} for i in range(3)])
    code, _, said = interrupt(cup, gate, "2")
    if code != 1 or "stopped after" not in said:
        yield f"exit code {code}: {said}"
    yield from expect(cup.play(), 0, "finished: 36 matches")
    whole = Cup(folder, "whole", name="cup", bots=cup.keys["bots"], format="swiss", rounds=3, deals=2)
    whole.play("--workers", "1")
    yield from differences(whole.outcome(), cup.outcome())


def check_torn(folder):
    """Lines that were being written are cut off, and their matches played again."""
    cup = Cup(folder)
    cup.play()
    whole = cup.outcome()
    path = f"{cup.store}/results.ndjson"
    text = "".join(line for line in read_text(path).splitlines(True) if not line.startswith('{"sealed"'))
    start = text.rindex("\n", 0, -1) + 1
    block = json.loads(text[start:])["block"]
    for kept in len(text) - 1, len(text) - 30, start + 1:
        write_file(path, text[:kept])
        os.rename(f"{cup.store}/logs/{block:06}", f"{cup.store}/open/{block:06}")
        yield from expect(cup.play(), 0, f"cut off while they were written ({kept - start} bytes from line "
                          f"{text.count(chr(10))})", "finished: 12 matches")
        yield from differences(whole, cup.outcome())
        if "cut off" in cup.play().stderr or len(cup.results()) != 12:
            yield "it is not repaired"


def files_of(folder):
    """All files below a folder, with their contents."""
    return {os.path.relpath(os.path.join(path, name), folder): read_bytes(os.path.join(path, name))
            for path, _, names in os.walk(folder) for name in names if name != "referee.lock"}


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


class Damage:
    """What can happen to a store."""

    def __init__(self, store):
        self.store = store
        self.lines = read_text(f"{store}/results.ndjson").splitlines(True)
        self.begun = next(i for i, line in enumerate(self.lines) if line.startswith('{"commitments"'))
        self.first = next(i for i, line in enumerate(self.lines) if line.startswith('{"block"'))

    def remove(self, *names):
        for name in names:
            path = f"{self.store}/{name}"
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def keep(self, lines):
        write_file(f"{self.store}/results.ndjson", "".join(lines))

    def change(self, line):
        self.keep(self.lines[:line] + [self.lines[line].replace(":", ";", 1)] + self.lines[line + 1:])

    def write(self, name, text):
        write_file(f"{self.store}/{name}", text)


# A name, what happens, the exit code of `tournament`, what it says, and whether `standings` works.
LOST = "restore the file from a backup"
DAMAGES = [
    ("no journal", lambda it: it.remove("results.ndjson"), 1,
     ["`results.ndjson` is missing, but its `logs` is still there", LOST, "--fresh"], 1),
    ("no journal and no lock", lambda it: it.remove("results.ndjson", "referee.lock"), 1,
     ["`results.ndjson` is missing", LOST], 1),
    ("only the tables", lambda it: it.remove("results.ndjson", "logs", "commitments", "master"), 1,
     ["`results.ndjson` is missing, but its `report.html` is still there", LOST], 1),
    ("only a master", lambda it: it.remove("results.ndjson", "logs", "open", "commitments"), 1,
     ["`results.ndjson` is missing, but its `master` is still there", LOST], 1),
    ("an empty journal", lambda it: it.keep([]), 1, ["`results.ndjson` is empty or damaged", LOST, "--fresh"], 1),
    ("an empty journal and no logs", lambda it: (it.keep([]), it.remove("logs", "open")), 1,
     ["`results.ndjson` is empty or damaged, but its `master`"], 1),
    ("a journal of zeros", lambda it: it.keep(["\0" * 5000]), 1, ["is empty or damaged"], 1),
    ("a journal without commitments", lambda it: it.keep(it.lines[:it.begun]), 1,
     ["`results.ndjson` has lost its results", LOST, "--fresh"], 1),
    ("a journal without results", lambda it: it.keep(it.lines[:it.begun + 1]), 1,
     ["has lost results: there is a log logs/", LOST, "--salvage"], 0),
    ("a journal without its last results", lambda it: it.keep(it.lines[:it.first + 7]), 1,
     ["has lost results: there is a log logs/", LOST, "--salvage"], 0),
    ("a changed first line", lambda it: it.change(0), 1, ["line 1: wrong checksum", "backup"], 1),
    ("a changed result", lambda it: it.change(it.first + 3), 1, ["wrong checksum", LOST, "--salvage"], 1),
    ("a changed last result", lambda it: it.change(len(it.lines) - 2), 1, ["wrong checksum", LOST, "--salvage"], 1),
    ("no master", lambda it: it.remove("master"), 1, ["`master`", "missing or damaged", "`referee standings`"], 0),
    ("an empty master", lambda it: it.write("master", ""), 1, ["`master`", "missing or damaged"], 0),
    ("another master", lambda it: it.write("master", "0" * 64 + "\n"), 1, ["not of the same tournament", "backup"], 0),
]

# The same, but it is played all the same, and nothing is played again.
REPAIRED = [
    ("no lock", lambda it: it.remove("referee.lock"), []),
    ("no commitments", lambda it: it.remove("commitments"),
     ["the file `commitments` was missing: it is written again from `master`. It has the hash that"]),
    ("changed commitments", lambda it: it.write("commitments", "1 2\n"), ["the file `commitments` was changed: it is"]),
    ("no seal", lambda it: it.keep(it.lines[:-1]), []),
    ("a missing log", lambda it: it.remove("logs/000001/01.ndjson.zst"),
     ["1 log of decided matches is missing: logs/000001/01.ndjson.zst; the results still count"]),
    ("a missing block", lambda it: it.remove("logs/000002"),
     ["2 logs of decided matches are missing: logs/000002/01.ndjson.zst, logs/000002/02.ndjson.zst; the"]),
    ("no logs", lambda it: it.remove("logs"), ["12 logs of decided matches are missing: logs/000001/01", "02/01.ndjson.zst, ...;"]),
]


def check_losses(folder):
    """Damage is refused with its sentence and the way out, and nothing is changed, let alone played over."""
    cup = Cup(folder)
    cup.play()
    shutil.copytree(cup.store, f"{folder}/good")
    for name, happens, code, words, shows in DAMAGES:
        shutil.rmtree(cup.store)
        shutil.copytree(f"{folder}/good", cup.store)
        happens(Damage(cup.store))
        before = files_of(cup.store)
        yield from (f"{name}: {problem}" for problem in expect(cup.play(), code, *words))
        shown = run("standings", cup.store)
        if shown.returncode != shows or (shows == 1 and words[0] not in shown.stderr):
            yield f"{name}: standings: exit code {shown.returncode}: {shown.stderr}"
        for file in before | files_of(cup.store):
            if files_of(cup.store).get(file) != before.get(file):
                yield f"{name}: {file} was changed"
    yield from expect(cup.play("--fresh"), 0, "finished: 12 matches")


def check_repairs(folder):
    """A loss that costs no result is no reason to refuse a store, and is reported."""
    cup = Cup(folder)
    cup.play()
    whole = cup.outcome()
    commitments = read_text(f"{cup.store}/commitments")
    shutil.copytree(cup.store, f"{folder}/good")
    for name, happens, words in REPAIRED:
        shutil.rmtree(cup.store)
        shutil.copytree(f"{folder}/good", cup.store)
        happens(Damage(cup.store))
        results = cup.results()
        yield from (f"{name}: {problem}" for problem in expect(cup.play(), 0, *words))
        yield from (f"{name}: {problem}" for problem in differences(whole, cup.outcome()))
        if cup.results() != results or not words and "missing" in cup.play().stderr:
            yield f"{name}: it was played again"
        if read_text(f"{cup.store}/commitments") != commitments or not os.path.exists(f"{cup.store}/referee.lock"):
            yield f"{name}: it is not repaired"


def check_salvage(folder):
    """--salvage keeps the results before the damage, plays the rest again, and destroys nothing."""
    cup = Cup(folder)
    cup.play()
    whole = cup.outcome()
    shutil.copytree(cup.store, f"{folder}/good")
    for name, happens, kept in [("a changed line", lambda it: it.change(it.first + 5), 5),
                                ("a lost tail", lambda it: it.keep(it.lines[:it.first + 7]), 7),
                                ("a lost tail, torn", lambda it: it.keep(it.lines[:it.first + 7] + ["{"]), 7),
                                ("two damages", lambda it: it.keep(it.lines[:it.first + 4] + ["x\n"] +
                                                                   it.lines[it.first + 5:-3] + ["y\n"]), 4),
                                ("no damage", lambda it: None, 12)]:
        shutil.rmtree(cup.store)
        shutil.copytree(f"{folder}/good", cup.store)
        happens(Damage(cup.store))
        damaged = read_bytes(f"{cup.store}/results.ndjson")
        logs = {read_bytes(log) for log in cup.logs()}
        done = cup.play("--salvage")
        yield from (f"{name}: {problem}" for problem in
                    expect(done, 0, f"matches that count: {kept}; left to play: {12 - kept}", "finished: 12 matches"))
        yield from (f"{name}: {problem}" for problem in differences(whole, cup.outcome()))
        rest = f"{cup.store}/results.ndjson.damaged-1"
        rest = read_bytes(rest) if os.path.exists(rest) else b""
        if not damaged.endswith(rest) or not read_bytes(f"{cup.store}/results.ndjson").startswith(
                damaged[:len(damaged) - len(rest)]) or (rest and "results.ndjson.damaged-1" not in done.stderr):
            yield f"{name}: a part of the journal is lost"
        aside = glob.glob(f"{cup.store}/logs.damaged-1/*/??.ndjson.zst")
        if len(aside) != 12 - kept or not logs <= {read_bytes(log) for log in aside + cup.logs()}:
            yield f"{name}: {len(aside)} logs were kept"
        if aside and f"{len(aside)} logs without a result were moved to" not in done.stderr:
            yield f"{name}: {done.stderr}"
        if bool(aside) != ("were public, so the cards of these matches" in done.stderr):
            yield f"{name}: known cards: {done.stderr}"
        yield from (f"{name}: {problem}" for problem in expect(cup.play(), 0))
    yield from expect(cup.play("--fresh", "--salvage"), 2, "use one of them")


def check_salvage_refused(folder):
    """Where nothing can be kept, --salvage is not offered, and changes nothing."""
    cup = Cup(folder)
    cup.play()
    damage = Damage(cup.store)
    for line in range(damage.begun + 1):
        damage.change(line)
        before = files_of(cup.store)
        done = cup.play()
        yield from expect(done, 1, f"line {line + 1}: wrong checksum", LOST, "--fresh")
        if "--salvage" in done.stderr:
            yield f"line {line + 1}: {done.stderr}"
        yield from expect(cup.play("--salvage"), 1, LOST, "--fresh")
        if files_of(cup.store) != before:
            yield f"line {line + 1}: something was changed"
    damage.change(damage.first + 2)
    os.rename(f"{cup.store}/master", f"{folder}/master")
    before = files_of(cup.store)
    yield from expect(cup.play("--salvage"), 1, "`master`", "missing or damaged")
    if files_of(cup.store) != before:
        yield "without a master: something was changed"


def check_salvage_foreign(folder):
    """The journal of another tournament, or the file of another one, is refused before anything is moved."""
    cup, other = Cup(f"{folder}/one"), Cup(f"{folder}/other")
    cup.play()
    run("tournament", "--seed", "another", other.file)
    shutil.copytree(cup.store, f"{folder}/good")
    lines = read_text(f"{other.store}/results.ndjson").splitlines(True)
    first = next(i for i, line in enumerate(lines) if line.startswith('{"block"'))
    write_file(f"{cup.store}/results.ndjson", "".join(lines[:first + 3]))
    for options in [], ["--salvage"]:
        before = files_of(cup.store)
        yield from expect(cup.play(*options), 1, "not of the same tournament", "restore the one that was replaced")
        if files_of(cup.store) != before:
            yield f"another journal {options}: something was changed"
    shutil.rmtree(cup.store)
    shutil.copytree(f"{folder}/good", cup.store)
    Damage(cup.store).change(first + 2)
    cup.change(seatings="rotations")
    before = files_of(cup.store)
    yield from expect(cup.play("--salvage"), 1, "that does not go with the matches played so far")
    if files_of(cup.store) != before:
        yield "another file: something was changed"


def check_links(folder):
    """Nothing is written through a link in a store, nor anything else taken for a file of it."""
    cup = Cup(folder)
    cup.play()
    shutil.copytree(cup.store, f"{folder}/good")
    for name in ("referee.lock", "results.ndjson", "master", "commitments", "open", "logs", "bots"):
        for kind in ("link", "other"):
            shutil.rmtree(cup.store)
            shutil.copytree(f"{folder}/good", cup.store)
            path, target = f"{cup.store}/{name}", f"{folder}/target"
            is_folder = name in ("open", "logs", "bots")
            shutil.rmtree(path, ignore_errors=True) if is_folder else os.unlink(path)
            if kind == "link" and is_folder:
                os.makedirs(target, exist_ok=True)
                os.symlink(target, path)
            elif kind == "link":
                write_file(f"{folder}/secret", "mine\n")
                os.symlink(f"{folder}/secret", path)
            elif is_folder:
                write_file(path, "")
            else:
                os.mkdir(path)
            done = cup.play()
            if kind == "link" and name == "commitments":
                yield from expect(done, 0, "the file `commitments` was changed")
            elif done.returncode != 1 or name not in done.stderr or (kind == "link" and "link" not in done.stderr):
                yield f"{name}, {kind}: exit code {done.returncode}: {done.stderr}"
            if not is_folder and kind == "link" and read_text(f"{folder}/secret") != "mine\n":
                yield f"{name}: the target of the link was changed"
            if os.path.exists(target) and os.listdir(target):
                yield f"{name}: something was written to the target of the link"


def without_logs(outcome):
    """What does not depend on which logs are there."""
    tables, matches = outcome
    return {key: value for key, value in tables.items() if key != "worst"}, [
        line.rpartition(",")[0] for line in matches.splitlines()]


def check_names_of_logs(cup, count):
    """The tables name only logs that are there: those on the disk, and those that are printed now."""
    tables = [read_text(f"{cup.store}/{name}") for name in ("standings.json", "matches.csv")]
    for worst, matches in (tables, (cup.standings("--json").replace(cup.store + "/", ""), cup.standings("--csv-matches"))):
        named = [line.rpartition(",")[2] for line in matches.splitlines()[1:]]
        if sum(map(bool, named)) != count or len(named) != 12:
            yield f"logs in the table of matches: {named}"
        shown = [match["log"] for match in json.loads(worst)["worst"]]
        if bool(shown) != bool(count) or not set(shown) <= set(named):
            yield f"worst matches {shown} of {named}"
        if missing := [name for name in {*named, *shown} - {""} if not os.path.exists(f"{cup.store}/{name}")]:
            yield f"these are not there: {missing}"


def check_prune(folder):
    """Pruned logs are gone, their results count, the rest is still proved; other missing logs are still a problem."""
    cup = Cup(folder)
    cup.play()
    before, logs = cup.outcome(), cup.logs()
    for rule in "days=", "days=-1", "best=2x", "worst=1":
        yield from expect(run("standings", "--prune", rule, cup.store), 2, "--prune takes days=N or best=N")
    yield from expect(run("standings", "--prune", "days=30", cup.store), 0, "0 logs were pruned")
    yield from expect(run("standings", "--prune", "best=1", cup.store), 0, "4 logs were pruned")
    os.utime(cup.logs()[0], (0, 0))
    yield from expect(run("standings", "--prune", "days=30", cup.store), 0, "1 logs were pruned")
    kept = cup.dates()
    if len(kept) != 7:
        yield f"{len(kept)} logs are left"
    yield from expect(run("replay", "--verify", cup.store), 0, "verified: 7 matches", "5 logs were pruned (block")
    done = cup.play()
    yield from expect(done, 0, "finished: 12 matches")
    if "missing" in done.stderr:
        yield done.stderr
    yield from differences(without_logs(before), without_logs(cup.outcome()))
    yield from check_names_of_logs(cup, 7)
    run("standings", "--prune", "best=0", cup.store)
    yield from check_names_of_logs(cup, 0)
    cup.change(deals=3)
    yield from expect(cup.play("--accept-changes"), 0, "finished: 18 matches")
    yield from expect(run("replay", "--verify", cup.store), 0, "verified: 6 matches", "12 logs were pruned (block")
    if set(cup.logs()) & set(logs):
        yield "pruned matches were played again"
    os.remove(cup.logs()[0])
    yield from expect(run("replay", "--verify", cup.store), 1, "the log is missing", "12 logs were pruned")
    yield from expect(run("standings", "--prune", "best=1", f"{folder}/nowhere"), 1, "No such file")


def build_cup(folder, build, **keys):
    """A tournament with a bot that has to be built."""
    write_script(f"{folder}/source", "bot")
    bots = [{"name": "g", "command": GREEDY}, {"name": "b", "folder": "source", "command": "./bot", "build": build}]
    return Cup(folder, bots=bots, **keys)


def check_fresh_stopped(folder):
    """--fresh that is stopped before the first match deletes nothing."""
    gate = f"{folder}/gate"
    cup = build_cup(folder, "true")
    yield from expect(cup.play(), 0, "finished: 4 matches")
    before, logs = cup.outcome(), cup.dates()
    build_cup(folder, f": >{gate}; read -r never <&2; while :; do sleep 60; done")
    referee = start("tournament", "--fresh", cup.file)
    wait_for(gate)
    yield from expect(run("standings", cup.store), 1, "a start with --fresh is not finished")
    referee.kill()
    referee.communicate(timeout=SECONDS)
    build_cup(folder, "true")
    done = cup.play()
    yield from expect(done, 0, "what was played before is there again", "finished: 4 matches")
    if cup.dates() != logs:
        yield "matches were played again"
    yield from differences(before, cup.outcome())
    yield from expect(cup.play("--fresh"), 0, "finished: 4 matches")
    if any(cup.dates()[log] == date for log, date in logs.items()):
        yield "--fresh left a log"
    if any(os.path.exists(f"{cup.store}/{name}") for name in ("replacing", "replaced", "removal")):
        yield f"--fresh left something: {os.listdir(cup.store)}"


def check_gone(folder):
    """A store that is removed, or whose journal is, ends the tournament with a sentence."""
    for name, happens in [("store", lambda cup: shutil.rmtree(cup.store)),
                          ("journal", lambda cup: os.remove(f"{cup.store}/results.ndjson")),
                          ("emptied", lambda cup: write_file(f"{cup.store}/results.ndjson", ""))]:
        cup, gate, _ = gated(os.path.join(folder, name))
        referee = start("tournament", "--seed", "x", "--workers", "1", cup.file)
        wait_for(f"{gate}.asked")
        happens(cup)
        write_file(gate, "")
        _, said = referee.communicate(timeout=SECONDS)
        if referee.returncode != 1 or "the store cannot be written" not in said or "trying again" in said:
            yield f"{name}: exit code {referee.returncode}: {said}"


def check_pipes(folder):
    """What is not a regular file is refused, and nobody waits for it."""
    cup = Cup(folder)
    cup.play()
    for name in "results.ndjson", "master":
        path = f"{cup.store}/{name}"
        os.rename(path, f"{folder}/kept")
        for make, words in [(os.mkfifo, "it is not a regular file"), (os.mkdir, "it is not a regular file"),
                            (lambda path: os.symlink("nowhere", path), "it is a link")]:
            make(path)
            for options in [], ["--salvage"]:
                yield from expect(cup.play(*options), 1, f"{name}: {words}")
            if run("standings", cup.store).returncode != (1 if name == "results.ndjson" else 0):
                yield f"{name}: {words}: standings"
            os.rmdir(path) if os.path.isdir(path) else os.remove(path)
        os.rename(f"{folder}/kept", path)
    os.remove(f"{cup.store}/commitments")
    for name in "commitments", "commitments.new":
        os.mkfifo(f"{cup.store}/{name}")
    yield from expect(run("replay", "--verify", cup.store), 1, "commitments")
    yield from expect(cup.play(), 0)
    yield from expect(run("replay", "--verify", cup.store), 0)


def check_cut_at_start(folder):
    """A power failure may keep the name of a log that was being written and lose the commitments before it."""
    cup = Cup(folder)
    yield from expect(cup.play(), 0)
    shutil.rmtree(f"{cup.store}/logs")
    with open(f"{cup.store}/results.ndjson") as file:
        first = file.readline()
    write_file(f"{cup.store}/results.ndjson", first)
    os.makedirs(f"{cup.store}/open/000001", exist_ok=True)
    write_file(f"{cup.store}/open/000001/01.ndjson.partial", "")
    yield from expect(cup.play(), 0, "finished")


def check_damage(folder):
    """Damage is refused with its line."""
    cup = Cup(folder)
    cup.play()
    path = f"{cup.store}/results.ndjson"
    lines = read_text(path).splitlines(True)
    cases = [(lines[:6] + [lines[6].replace('"rounds":1', '"rounds":2')] + lines[7:], "line 7: wrong checksum"),
             (lines[:5] + lines[6:], "line 6: wrong checksum"),
             (lines[:6] + [lines[7], lines[6]] + lines[8:], "line 7: wrong checksum"),
             (lines[:8] + ["\n"] + lines[8:], "line 9: wrong checksum"),
             (["x\n"] + lines, "line 1: wrong checksum")]
    for damaged, words in cases:
        write_file(path, "".join(damaged))
        for done in cup.play(), run("standings", cup.store):
            yield from expect(done, 1, words)
        if read_text(path) != "".join(damaged):
            yield "a damaged file was changed"


def check_reader_gone(folder):
    """Nobody reads what it prints: the store is finished all the same."""
    for name, command in [("head", f"{REFEREE} tournament --seed x --each FILE | head -n 1"),
                          ("closed", f"{REFEREE} tournament --seed x --each FILE >&-"),
                          ("both", f"{REFEREE} tournament --seed x --each FILE 2>&1 | true"),
                          ("nothing", f"{REFEREE} tournament --seed x --each FILE <&- >&- 2>&-")]:
        cup = Cup(folder, name, deals=6)
        subprocess.run(["sh", "-c", command.replace("FILE", cup.file)], capture_output=True, timeout=SECONDS)
        if len(cup.results()) != 36 or "finished: 36 matches" not in cup.standings():
            yield f"{name}: {len(cup.results())} matches"
        if not os.path.exists(f"{cup.store}/report.html"):
            yield f"{name}: no report"
        if not read_text(f"{cup.store}/referee.lock").strip().isdigit():
            yield f"{name}: what was printed is in the store"


C_BOT = """#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[2048], id[32], answer[400] = "";
    while (fgets(line, sizeof line, stdin) != NULL) {
        sscanf(line, "legal %399[^|\\n]", answer);
        if (strncmp(line, "allegra", 7) == 0)
            puts("hello built legal=on");
        else if (sscanf(line, "ask %31s", id) == 1)
            printf("%s %s\\n", id, answer);
        fflush(stdout);
    }
    return 0;
}
"""


def check_build(folder):
    """A bot is built in the store, once, and again when its files have changed."""
    own = f"{folder}/own"
    write_file(f"{own}/bot.c", C_BOT)
    cup = Cup(folder, deals=1, bots=[{"name": "g", "command": GREEDY},
                                     {"name": "b", "folder": "own", "command": "./bot",
                                      "build": "echo built >>history; ${CC:-cc} -o bot bot.c",
                                      "environment": {"CC": os.environ.get("CC", "cc")}}])
    yield from expect(cup.play("--dry-run"), 0)
    yield from expect(cup.play(), 0, "finished: 2 matches")
    if os.listdir(own) != ["bot.c"]:
        yield f"its own folder was changed: {os.listdir(own)}"
    built = os.stat(f"{cup.store}/bots/b/bot").st_mtime_ns
    cup.play()
    if os.stat(f"{cup.store}/bots/b/bot").st_mtime_ns != built or read_text(f"{cup.store}/bots/b/history") != "built\n":
        yield "it was built again"
    write_file(f"{own}/bot.c", C_BOT.replace("hello built", "hello again"))
    yield from accepted(cup, 2, "bot b is not the same program as before")
    cup.change(deals=2)
    yield from expect(cup.play("--accept-changes"), 0)
    names = [json.loads(read_text(log).splitlines()[0])["bots"] for log in cup.logs()]
    hellos = sorted(bot["hello"] for bots in names for bot in bots if bot["name"] == "b")
    if hellos != ["again", "again", "built", "built"]:
        yield f"another program played: {names}"


def check_failing_build(folder):
    write_file(f"{folder}/own/bot.c", "int main(void) { return x; }\n")
    bots = [{"name": "g", "command": GREEDY}] + [
        {"name": f"b{i}", "folder": "own", "command": "./bot", "build": build}
        for i, build in enumerate(["cc -o bot bot.c", "echo the dog ate it; exit 7", "kill -9 $$", "true"])]
    done = Cup(folder, bots=bots).play()
    yield from expect(done, 2, "bot b0: its build failed: exit status 1", "error:",
                      "bot b1: its build failed: exit status 7", "the dog ate it",
                      "bot b2: its build failed: signal 9", "bot b3: there is no program")
    if not all(re.search(rf"cup\.json:\d+:\d+: bot b{i}: ", done.stderr) for i in range(4)):
        yield done.stderr
    if os.listdir(f"{folder}/own") != ["bot.c"]:
        yield "its own folder was changed"


def check_surroundings(folder):
    """Folder, environment and memory reach the bot."""
    tells = f'{{ pwd; echo "$COLOUR,$EMPTY,$HOME_OF"; ulimit -d; }} >{folder}/told'
    write_script(f"{folder}/own", "bot", tells)
    cup = Cup(folder, deals=1, bots=[{"name": "g", "command": GREEDY},
                                     {"name": "b", "folder": "own", "command": "./bot", "memory_mb": 64,
                                      "environment": {"COLOUR": "deep red", "EMPTY": "", "HOME_OF": "$HOME"}}])
    yield from expect(cup.play(), 0)
    if read_text(f"{folder}/told") != f"{folder}/own\ndeep red,,$HOME\n65536\n":
        yield read_text(f"{folder}/told")
    if "g,1" not in cup.standings("--csv-matches") and "b,1" not in cup.standings("--csv-matches"):
        yield "nothing was played"


def check_large_neighbours(folder):
    """However much lies beside the file of a tournament and its bots, they play; a store beside them is not
    theirs and does not count."""
    for name, program in [("g", GREEDY), ("r", RANDOM)]:
        shutil.copy(program, f"{folder}/{name}")
    for contain in "guarded", "sealed":
        cup = Cup(folder, deals=1, contain=contain,
                  bots=[{"name": "g", "command": "./g"}, {"name": "r", "command": "./r"}])
        done = cup.play("--fresh")
        if contain == "sealed" and done.returncode == 2:
            continue
        yield from expect(done, 0, "finished: 2 matches")
        for where, words in [(f"{cup.store}/logs/large", []), (f"{folder}/large", ["holds too much to copy"])]:
            with open(where, "wb") as file:
                file.truncate(1 << 40)
            cup.change(deals=cup.keys["deals"] + 1)
            done = cup.play("--accept-changes")
            yield from expect(done, 0, *words)
            if done.stderr.count("holds too much") != len(words):
                yield done.stderr
            if any("faults" in result for result in cup.results()):
                yield "a bot is at fault"
            os.remove(where)


def check_disk_full(folder):
    """A full disk: it says so and waits, and continues when there is space."""
    disk = f"{folder}/disk"
    os.makedirs(disk)
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        print("skip a full disk makes it wait: a disk of its own cannot be mounted here", flush=True)
        return
    try:
        report("a full disk makes it wait", fill_disk(folder, disk))
    finally:
        subprocess.run(["umount", "-l", disk])


def fill_disk(folder, disk):
    cup = Cup(folder, output="disk/cup", deals=40)
    cup.store = f"{disk}/cup"
    filler = f"{disk}/filler"
    with open(filler, "wb") as file:
        file.write(bytes(500 * 1024))
    referee = subprocess.Popen([REFEREE, "tournament", "--seed", "x", "--workers", "2", cup.file],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = ""
    while "No space left" not in said and referee.poll() is None:
        said += referee.stderr.readline()
    size = os.path.getsize(f"{cup.store}/results.ndjson")
    time.sleep(1)
    subprocess.run(["mount", "-o", "remount,size=16m", disk])
    output, rest = referee.communicate(timeout=SECONDS)
    said += rest
    if referee.returncode != 0 or "finished: 240 matches" not in output or size == 0:
        yield f"exit code {referee.returncode}: {said[-500:]}"
    if "waiting" not in said or "play resumes" not in said or "void" in said:
        yield said[-500:]
    if len(said.splitlines()) > 8:
        yield f"it says too much: {len(said.splitlines())} lines, {said[:400]}"
    whole = Cup(folder, "whole", name="cup", deals=40)
    whole.play()
    yield from differences(whole.outcome(), cup.outcome())
    if run("replay", "--verify", *cup.logs()).returncode != 0 or len(cup.logs()) != 240:
        yield "a log is wrong"


def main():
    with tempfile.TemporaryDirectory() as folder:
        def place(name):
            os.makedirs(f"{folder}/{name}")
            return f"{folder}/{name}"

        report("changes of the file are refused, accepted or do not matter", check_changes(place("changes")))
        report("bots can change, come, go and come back", check_bots_change(place("bots")))
        report("a bot can go before it has played", check_withdrawn_early(place("early")))
        report("a folder that is not a store is left alone", check_foreign(place("foreign")))
        report("only one plays in a store, and others can read it", check_lock(place("lock")))
        report("Ctrl-C lets the running matches end, and nothing is lost", check_interrupt(place("interrupt")))
        report("SIGTERM and SIGHUP do the same", check_other_signals(place("signals")))
        report("nohup is respected", check_nohup(place("nohup")))
        report("a second Ctrl-C stops at once", check_interrupt_twice(place("twice")))
        report("a Swiss tournament that was stopped ends as it would have", check_swiss_interrupted(place("swiss")))
        report("lines that were being written are cut off", check_torn(place("torn")))
        report("logs that were begun and nothing else are no loss", check_cut_at_start(place("cut")))
        report("damage is refused with its place", check_damage(place("damage")))
        report("a lost file never destroys the rest", check_losses(place("losses")))
        report("a loss that costs no result is reported or repaired", check_repairs(place("repairs")))
        report("--salvage keeps all results before the damage", check_salvage(place("salvage")))
        report("--salvage changes nothing if nothing can be kept", check_salvage_refused(place("unsalvaged")))
        report("--salvage refuses what is of another tournament, and moves nothing",
               check_salvage_foreign(place("salvage-foreign")))
        report("nothing is written through a link in a store", check_links(place("links")))
        report("logs can be pruned, and the rest is proved", check_prune(place("prune")))
        report("--fresh that is stopped deletes nothing", check_fresh_stopped(place("fresh-stopped")))
        report("a store that is removed while it is played ends it", check_gone(place("gone")))
        report("nobody waits for a pipe in place of a file", check_pipes(place("pipes")))
        report("a reader that has gone does not stop it", check_reader_gone(place("reader")))
        report("a bot is built in the store, once", check_build(place("build")))
        report("builds that fail are reported together", check_failing_build(place("failing")))
        report("folder, environment and memory reach a bot", check_surroundings(place("surroundings")))
        report("whatever lies beside a tournament does not stop it", check_large_neighbours(place("large")))
        check_disk_full(place("disk"))


main()
