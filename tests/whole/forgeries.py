#!/usr/bin/env python3
"""Forgeries of logs and of a store, each with all checksums made right again.

The table in protocol.md has the same forgeries and marks: found by the log alone, found when the
store is verified, or not at all. The code that makes checksums right is written from protocol.md.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile

from organiser import read_bytes
from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
PROTOCOL = os.path.join(HERE, "..", "..", "protocol.md")
QUESTIONS = {"turn": "reveal", "pile": "draw", "discard": "draw", "accept": "answer", "decline": "answer",
             "again": "answer", "keep": "move", "drop": "move", "place": "place", "take": "take", "put": "put",
             "toss": "put", "clear": "clear", "none": "clear"}
SEALED = "limits memory scratch sweep hidden filter namespaces"
LOG, STORE, NEVER = "found by the log", "found by the store", "cannot be found"

# Says something, thinks long once, or answers what nobody may answer.
BOT = '''#!/usr/bin/env python3
import sys, time
kind, count = sys.argv[1], 0
print("hello " + kind + " legal=on", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "legal":
        answer = line[6:].strip().split("|")[0]
    if words[0] != "ask":
        continue
    count += 1
    if kind == "talker" and count == 3:
        print("say good luck", flush=True)
        time.sleep(0.9)
    wrong = kind == "clumsy" and count == 6
    print(words[1], "clear A1 B1 C1" if wrong else answer, flush=True)
'''


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {'; '.join(problems)}", flush=True)


def run(*arguments):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=SECONDS)


def compact(record):
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


class Log:
    """A log to be forged. `tail` is the last line, if it is not to be the right one."""

    def __init__(self, path):
        lines = read_bytes(path).decode().splitlines()
        self.records = [json.loads(line) for line in lines[:-1]]
        self.lines, self.tail = {}, None
        assert [compact(record) for record in self.records] == lines[:-1]

    @property
    def header(self):
        return self.records[0]

    @property
    def result(self):
        return self.records[-1]

    def first(self, wanted):
        return next(record for record in self.records if wanted(record))

    def index(self, record):
        return next(i for i, other in enumerate(self.records) if other is record)

    def fault(self):
        return self.first(lambda record: "fault" in record)

    def said(self):
        return self.first(lambda record: "say" in record)

    def measured(self):
        return self.first(lambda record: "wall_us" in record and "do" in record)

    def quick(self):
        return self.first(lambda record: "do" in record and "by" not in record and "wall_us" not in record)

    def autopilot(self):
        return self.first(lambda record: record.get("by") == "autopilot" and record["do"].startswith("drop"))

    def bids(self):
        return self.first(lambda record: "bids" in record)

    def raw(self, record, old, new):
        """Replaces bytes of a line that JSON has no words for."""
        line = compact(record)
        assert old in line, (old, line)
        self.lines[self.index(record)] = line.replace(old, new, 1)

    def bytes(self):
        lines = [self.lines.get(i, compact(record)) for i, record in enumerate(self.records)]
        body = "".join(line + "\n" for line in lines).encode()
        tail = self.tail or '{"sha256":"%s"}'
        return body + (tail % hashlib.sha256(body).hexdigest()).encode() + b"\n"

    def hash(self):
        return json.loads(self.bytes().splitlines()[-1])["sha256"]

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.bytes())

    def send_again(self, path):
        """Makes the hashes of the bytes sent right as well, with the help of the referee itself."""
        self.write(path)
        for seat in range(self.header["seats"]):
            wire = subprocess.run([REFEREE, "replay", "--wire", str(seat), path], capture_output=True)
            self.result["sent"][seat] = hashlib.blake2b(wire.stdout, digest_size=32).hexdigest()
        self.write(path)


class Journal:
    """The journal of a store to be forged."""

    def __init__(self, store):
        self.path = os.path.join(store, "results.ndjson")
        with open(self.path) as file:
            self.records = [json.loads(line) for line in file]
        self.lines, self.synced = {}, {}

    def raw(self, record, old, new):
        """Replaces bytes of a record that JSON has no words for."""
        line = compact({key: value for key, value in record.items() if key not in ("synced", "sum")})
        assert old in line, (old, line)
        self.lines[self.records.index(record)] = line.replace(old, new, 1)

    def first(self, key):
        return next(record for record in self.records if key in record)

    def match(self, block, rotation=0):
        return next(record for record in self.records
                    if record.get("block") == block and record["rotation"] == rotation)

    def write(self):
        before, length = "", 0
        with open(self.path, "w") as file:
            for i, record in enumerate(self.records):
                body = self.lines.get(i) or compact({key: value for key, value in record.items()
                                                     if key not in ("synced", "sum")})
                body = f'{body[:-1]},"synced":{self.synced.get(i, length)}'
                before = hashlib.blake2b((before + body).encode(), digest_size=16).hexdigest()
                length += file.write(f'{body},"sum":"{before}"}}\n')


# --- Forgeries of a log: each changes it, and returns the words with which it is found. ---

LOGS = []
STORES = []


def simple(name, words, change, base="match"):
    LOGS.append((name, words, base, change))


def set_of(get, **fields):
    return lambda log: get(log).update(fields)


def rewritten(**fields):
    """A quick answer with fields that it does not have, in their place."""
    def change(log):
        quick = log.quick()
        known = {key: quick[key] for key in ("n", "seat", "do", "us")}
        log.records[log.index(quick)] = {**known, **fields, "ev": quick["ev"]}
    return change


def without_measures(log):
    record = log.measured()
    for key in ("wall_us", "cpu_us", "wait_us", "away_us", "stolen_us"):
        record.pop(key, None)


def another_card(log):
    quick = log.quick()
    card = "10" if quick["ev"].endswith(" 11") else "11"
    quick["ev"] = re.sub(r"-?\d+$", card, quick["ev"])


def line_of(log):
    """A line that is fine at the question of the fault: what the autopilot answered there."""
    fault = log.fault()
    decision = log.first(lambda record: record.get("n") == fault["n"] and "fault" not in record)
    number = fault["line"].split(" ")[0]
    answer = decision["do"] if "do" in decision else \
        next(bid[1] for bid in decision["bids"] if bid[0] == fault["seat"])
    return f"{number} {answer}"


def fault_of(code, message, line=None, **fields):
    def change(log):
        log.fault().update(fault=code, message=message, line=line_of(log) if line is None else line, **fields)
    return change


def late_of(**times):
    """A fault without a line, with times in their place."""
    def change(log):
        fault = log.fault()
        at = log.index(fault)
        idle = times["us"] - times["cpu_us"]
        how = f"slept or waited for {idle // 1000}" if idle else f"computed for {times['cpu_us'] // 1000}"
        log.records[at] = {**{key: fault[key] for key in ("n", "fault", "seat", "ask")}, **times,
                           **{key: fault[key] for key in ("line", "message", "ending", "stderr")}}
        log.records[at].update(fault="late", line="", message="it did not answer within 3000 ms; "
                               f"it {how} of {times['us'] // 1000} ms")
    return change


def contain(header, enforced, level="guarded"):
    """A sandbox in the header, in its place."""
    items = [item for item in header.items() if item[0] != "enforced"]
    header.clear()
    for key, value in items:
        header[key] = value
        if key == "contain":
            header.update(contain=level, enforced=enforced)


def contained(log, enforced):
    contain(log.header, enforced)


def stopped_of(reason, enforced="limits memory scratch", ending="signal 9 (Killed)"):
    """A bot in a sandbox that was stopped."""
    def change(log):
        contained(log, enforced)
        fault_of("gone", f"it was stopped: {reason}", "", ending=ending)(log)
    return change


def over_of(code, message, line, ending=""):
    """A fault one second after the limit of three."""
    def change(log):
        late_of(us=4000000, wall_us=4000000, cpu_us=0, wait_us=0)(log)
        log.fault().update(fault=code, message=message, line=line, ending=ending)
    return change


def with_times(log, **times):
    """A measured answer with other times, in their places."""
    record = log.measured()
    order = ("wall_us", "cpu_us", "wait_us", "away_us", "stolen_us")
    times = {"wall_us": record["wall_us"], **times}
    head = {key: record[key] for key in ("n", "seat", "do")}
    rest = {key: value for key, value in record.items() if key not in head and key != "us" and key not in order}
    log.records[log.index(record)] = {**head, "us": times["us"],
                                      **{key: times[key] for key in order if key in times}, **rest}


def dismiss_winner(log):
    """The bot in the best place is dismissed at its last question, for an answer that was fine."""
    seat = log.result["places"].index(1)
    last = [record for record in log.records if record.get("seat") == seat and "do" in record][-1]
    at = log.index(last)
    name = QUESTIONS[last["do"].split(" ")[0]]
    asked = sum(1 for record in log.records[:at + 1]
                if record.get("seat") == seat and "do" in record or
                any(bid[0] == seat for bid in record.get("bids", [])))
    log.records.insert(at, {"n": last["n"], "fault": "illegal", "seat": seat, "ask": name, "us": last["us"],
                            "line": f"{asked} {last['do']}",
                            "message": "the rules do not allow it: this is not the answer to the question",
                            "ending": "", "stderr": ""})
    last.update(us=0, by="autopilot")
    log.result["places"] = [1 + (place == 1) if place < 3 else 3 for place in log.result["places"]]


def with_seed(log, seed):
    log.result["seed"] = seed
    log.header["commitment"] = hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def exchange(items, one, other):
    items[one], items[other] = items[other], items[one]


simple("an answer is changed, and nothing made right", "the hash is not that",
       lambda log: (setattr(log, "tail", '{"sha256":"' + log.hash() + '"}%.0s'), log.quick().update(us=8)))
simple("something is said although `talk` is off", "nobody may talk",
       lambda log: log.header["rules"].update(talk="off"))
simple("an empty text is said", "invalid `say`", lambda log: log.said().update(say=[""]))
simple("a third text is said", "invalid `say`", lambda log: log.said().update(say=["a", "b", "c"]))
simple("a text of 121 bytes is said", "invalid `say`", lambda log: log.said().update(say=["x" * 121]))
simple("`late` after 5 µs", "do not make the fault",
       fault_of("late", "it did not answer within 3000 ms", "", us=5))
simple("`illegal` with a line that is legal", "do not make the fault",
       lambda log: log.fault().update(line=line_of(log)))
simple("a winner is dismissed at its last question for a legal line", "do not make the fault", dismiss_winner)
simple("`unreadable` with a line that can be read", "do not make the fault",
       fault_of("unreadable", "it is neither `ID ANSWER` nor `say TEXT`"))
simple("`too_long` with a short line", "do not make the fault",
       fault_of("too_long", "its line is longer than 256 bytes"))
simple("`flood` with one answer", "do not make the fault",
       fault_of("flood", "it sent more than two `say` lines before one answer"))
simple("`unasked` with the right number", "do not make the fault",
       fault_of("unasked", "it answered question 6 while question 6 was open"))
simple("`deaf` after 5 µs", "do not make the fault",
       fault_of("deaf", "it did not read its input: the question could not be written within 3000 ms", "", us=5))
simple("`gone` with an end that the message does not tell", "do not make the fault",
       fault_of("gone", "it ended with exit status 1", "", ending="signal 9 (Killed)"))
simple("an end that no process has", "no process ends like that", set_of(Log.fault, ending="exit status 999"))
simple("`bad_hello` with a hello that is fine", "do not make the fault", set_of(Log.fault, line="hello me"), "hello")
simple("`no_start` after a part of the time", "do not make the fault",
       set_of(Log.fault, fault="no_start", message="it did not say hello within 60000 ms", line="", us=5), "hello")
simple("another message about a fault", "do not make the fault", set_of(Log.fault, message="it is a bad bot"))
simple("charged more than the wall time", "by the clock it is", set_of(Log.measured, us=1900000))
simple("charged less than the CPU time", "by the clock it is",
       lambda log: log.measured().update(cpu_us=log.measured()["us"] + 1))
simple("a long answer without wall, CPU and waiting time", "belong to it", without_measures)
simple("a quick answer with wall, CPU and waiting time", "too quick to be measured",
       rewritten(wall_us=7, cpu_us=0, wait_us=0))
simple("an answer that took longer than its limit", "longer than its time", set_of(Log.quick, us=3000001))
simple("a negative time", "no valid", set_of(Log.quick, us=-1))
simple("a time without a question that is too short to be noted", "is not counted", rewritten(pondered_us=5))
simple("a bot has thought for two weeks on one core without a question", "no bot can think for so long",
       lambda log: (rewritten(pondered_us=1209600000000)(log), contained(log, "limits scratch filter"),
                    log.header.update(cores=1)))
simple("a bot has thought for ten years on all cores without a question", "no valid `pondered_us`",
       rewritten(pondered_us=10 * 8192 * 31536000000000))
simple("the last line has another field", "has the hash and nothing else",
       lambda log: setattr(log, "tail", '{"sha256":"%s","by":"me"}'))
simple("the last line has a blank", "has the hash and nothing else",
       lambda log: setattr(log, "tail", '{"sha256": "%s"}'))
simple("a decision has another field", "where the match makes it", set_of(Log.quick, note="fine"))
simple("a decision has a blank", "where the match makes it",
       lambda log: log.raw(log.quick(), '"seat":', '"seat": '))
simple("the header has a key twice", "where the match makes it",
       lambda log: log.raw(log.header, "]}", '],"seats":3}'))
simple("another answer of a bot", "line ", lambda log: log.quick().update(
    do="turn E3" if log.quick()["do"] != "turn E3" else "turn E2"))
simple("another card in an event", "where the match makes it", another_card)
simple("two places are exchanged", "where the match makes it", lambda log: log.result["places"].reverse())
simple("another total", "where the match makes it", lambda log: exchange(log.result["total_halves"], 0, 2))
simple("another seed, with its commitment", "where the match makes it", lambda log: with_seed(log, "ab" * 32))
simple("a decision is left out", "should be the next decision", lambda log: log.records.remove(log.quick()))
simple("two decisions are exchanged", "should be the next decision",
       lambda log: exchange(log.records, log.index(log.quick()), log.index(log.quick()) + 1))
simple("a bot's answer is called the autopilot's", "where the match makes it", rewritten(by="autopilot"))
simple("an answer that the autopilot does not give", "where the match makes it",
       lambda log: log.autopilot().update(do=log.autopilot()["do"].replace("drop", "keep")))
simple("a time for a decision that is taken from another log", "takes no time",
       lambda log: log.first(lambda record: record.get("by") == "log").update(us=7), "branch")
simple("another name of a bot", "where the match makes it",
       lambda log: log.header["bots"][0].update(name="other"))
simple("another name of the rules", "where the match makes it", lambda log: log.header.update(variant="house"))
simple("the name of a bundled variant that has other rules", "a bundled variant with other rules",
       lambda log: log.header.update(variant="de2026-66"))
simple("the name of an edition for the rules", "an edition has this name", lambda log: log.header.update(variant="en2020"))
simple("a name of the rules that is not a word", "no valid `variant`", lambda log: log.header.update(variant="a b"))
simple("more time in the header", "where the match makes it", lambda log: log.header.update(bank_ms=100))
simple("`late` after ten days", "awaited for so long",
       late_of(us=864000000000, wall_us=864000000000, cpu_us=0, wait_us=0))
simple("`late` after more CPU time than all cores have", "cannot compute for so long",
       lambda log: (contained(log, "limits scratch filter"),
                    late_of(us=99000000, wall_us=3100000, cpu_us=99000000, wait_us=0)(log), log.header.update(cores=2)))
simple("a program that gives up", "do not make the fault", fault_of("gone", "it gave up", "", us=0))
simple("`gone` because it was stopped for another reason", "do not make the fault",
       fault_of("gone", "it was stopped: I do not like it", "", ending="signal 9 (Killed)"))
simple("`gone` because it was stopped, with a line that the message does not tell", "do not make the fault",
       fault_of("gone", "it was stopped: it used more than 64 MB of memory", ending="signal 9 (Killed)"))
simple("`gone` because of a scratch folder without a sandbox", "do not make the fault",
       fault_of("gone", "it was stopped: its scratch folder holds more than 64 MB", "", ending="signal 9 (Killed)"))
simple("a signal that there is not", "no process ends like that",
       fault_of("gone", "it was killed by signal 99 (banana)", "", ending="signal 99 (banana)"))
simple("a signal with the name of another", "no process ends like that",
       fault_of("gone", "it was killed by signal 11 (Killed)", "", ending="signal 11 (Killed)"))
simple("`gone` because of memory that its sandbox did not limit", "do not make the fault",
       stopped_of("it used more than 64 MB of memory", "limits scratch"))
simple("`gone` because of a limit of memory that there is not", "do not make the fault",
       stopped_of("it used more than 1 MB of memory"))
simple("`gone` because of a limit of files that there is not", "do not make the fault",
       stopped_of("its scratch folder holds more than 7 files"))
simple("`gone` because it was stopped, but it ended by itself", "do not make the fault",
       stopped_of("it used more than 64 MB of memory", ending="exit status 0"))
simple("`gone` because it was stopped, but it runs", "do not make the fault",
       stopped_of("it used more than 64 MB of memory", ending=""))
simple("`gone` after its time", "do not make the fault",
       over_of("gone", "it ended with exit status 1", "", "exit status 1"))
simple("`too_long` after its time", "do not make the fault",
       over_of("too_long", "its line is longer than 256 bytes", "x" * 256 + "..."))
simple("`late` after 23 hours on the wall clock", "awaited for so long",
       lambda log: (log.header.update(clock="wall"), without_measures(log),
                    fault_of("late", "it did not answer within 3000 ms", "", us=82800000000)(log)))
simple("`deaf` because of more than was sent", "do not make the fault",
       fault_of("deaf", "it did not read its input: more than 1 MiB was waiting for it", "", us=0))
simple("`gone` because a sealed bot closed its output", "do not make the fault",
       lambda log: (contain(log.header, SEALED, "sealed"), fault_of("gone", "it closed its output", "")(log)))
simple("`deaf` because a sealed bot closed its input", "do not make the fault",
       lambda log: (contain(log.header, SEALED, "sealed"), fault_of("deaf", "it closed its input", "", us=0)(log)))
simple("the referee was away for longer than it waited", "more time was withheld",
       lambda log: with_times(log, us=0, cpu_us=0, wait_us=0, away_us=900000000))
simple("a bot waited for a CPU for longer than it took", "more time was withheld",
       lambda log: with_times(log, us=0, cpu_us=0, wait_us=1000000000))
simple("the host took 250 hours in a second", "no host can take",
       lambda log: with_times(log, us=0, cpu_us=0, wait_us=0, stolen_us=900000000000))
simple("more from stderr than is kept", "is not kept", set_of(Log.fault, stderr="x" * 601))
simple("a sandbox with a part that there is not", "does not list parts", lambda log: contained(log, "scratch banana"))
simple("a sandbox with a part twice", "does not list parts", lambda log: contained(log, "scratch scratch"))
simple("a sandbox with a part of another level", "does not list parts", lambda log: contained(log, "scratch namespaces"))
simple("a sandbox without a scratch folder", "does not list parts", lambda log: contained(log, "limits memory"))
simple("a seal with a part missing", "does not list parts",
       lambda log: contain(log.header, "limits scratch namespaces", "sealed"))
simple("a sandbox with a blank for its parts", "does not list parts", lambda log: contained(log, " "))
simple("a sandbox without parts", "does not list parts", lambda log: log.header.update(contain="guarded"))
simple("the sandbox level `auto`", "the level that `auto` came to", lambda log: log.header.update(contain="auto"))
simple("a bot without a command", "has no command", lambda log: log.header["bots"][0].update(command=""))


# --- Forgeries of a store: each gets its folder and a published log in it. ---

def in_store(name, mark, words="", base="store"):
    def add(function):
        STORES.append((name, mark, words, base, function))
        return function
    return add


class Forged:
    """A copy of the store. Logs are kept by block; seal() makes the journal right again."""

    def __init__(self, folder):
        self.folder = folder
        self.journal = Journal(folder)

    def path(self, block=1):
        return os.path.join(self.folder, "logs", f"{block:06}", "01.ndjson.zst")

    def log(self, block=1):
        return Log(self.path(block))

    def file(self, name):
        return os.path.join(self.folder, name)

    def remove_tables(self):
        for name in ("standings.txt", "standings.json", "standings.csv", "cross.csv", "matches.csv", "report.html"):
            os.unlink(self.file(name))

    def seal(self, log, block=1):
        """A log with its hash in the journal."""
        log.write(self.path(block))
        self.journal.match(block)["log"] = log.hash()
        self.journal.write()

    def edit(self, name, old, new):
        with open(self.file(name), newline="") as file:
            text = file.read()
        assert old in text, old
        with open(self.file(name), "w", newline="") as file:
            file.write(text.replace(old, new, 1))


@in_store("two bots are exchanged, and the hashes of the bytes sent made right", STORE, "the bot of the log is")
def exchange_bots(forged):
    log = forged.log()
    exchange(log.header["bots"], 0, 2)
    for key in ("table", "events", "legal", "reuse", "hello"):
        one, other = log.header["bots"][0], log.header["bots"][2]
        one[key], other[key] = other[key], one[key]
    log.send_again(forged.path())


def header_forgery(name, words, change, sends=False):
    def function(forged):
        log = forged.log()
        change(log.header)
        if sends:
            log.send_again(forged.path())
        else:
            log.write(forged.path())
    in_store(name, STORE, words)(function)


header_forgery("another name of a bot, and the bytes sent made right", "the bot of the log is",
               lambda header: header["bots"][0].update(name="other"), True)
header_forgery("another name of the rules, and the bytes sent made right", "the variant of the log is house",
               lambda header: header.update(variant="house"), True)
header_forgery("another hash of a bot's files", "hash of a bot's files",
               lambda header: header["bots"][0].update(hash="0" * 64))
header_forgery("another command of a bot", "command of a bot",
               lambda header: header["bots"][0].update(command="/bin/true"))
header_forgery("a seed that somebody chose is called secret", "can be guessed",
               lambda header: header.update(guessable=False))
header_forgery("another sandbox level", "contain of the log", lambda header: contain(header, SEALED, "sealed"))
header_forgery("more time in the header, and the bytes sent made right", "bank_ms of the log",
               lambda header: header.update(bank_ms=100), True)
header_forgery("another version of the referee, and the bytes sent made right", "the hash of the log",
               lambda header: header.update(referee="9.9.9"), True)


@in_store("the time of an answer", STORE, "the times of seat")
def change_time(forged):
    log = forged.log()
    quickest = min((record for record in log.records if "do" in record and "by" not in record),
                   key=lambda record: record["us"])
    quickest["us"] = 2 * quickest["us"] + 9
    log.write(forged.path())


@in_store("what a bot wrote to stderr", STORE, "the hash of the log")
def change_stderr(forged):
    log = forged.log()
    log.fault().update(stderr="I am a bad bot")
    log.write(forged.path())


@in_store("two logs are exchanged", STORE, "the bot of the log is")
def exchange_logs(forged):
    os.rename(forged.path(1), forged.file("kept"))
    os.rename(forged.path(2), forged.path(1))
    os.rename(forged.file("kept"), forged.path(2))


@in_store("a log is missing", STORE, "the log is missing")
def remove_log(forged):
    os.unlink(forged.path())


@in_store("a log is added", STORE, "no result of this match")
def add_log(forged):
    shutil.copy(forged.path(), forged.path().replace("01.nd", "02.nd"))


def odd_file(name, path, words="no referee has put this here", base="store"):
    """A good log where the store would not put it."""
    def function(forged):
        shutil.copy(forged.path(), forged.file(path))
    in_store(name, STORE, words, base)(function)


odd_file("a log is added next to the folders of the blocks", "logs/evil.ndjson")
odd_file("a log is added in other letters", "logs/000001/01.NDJSON")
odd_file("a log is added under a second spelling of its name", "logs/000001/1.ndjson.zst")
odd_file("a log is added that is not compressed", "logs/000001/01.ndjson")
odd_file("a log is added with a name of a hidden file", "logs/000001/.01.ndjson.zst")
odd_file("an attempt at a match is added that was never played", "logs/000001/05.attempt-1.ndjson",
         "no result of this match")
odd_file("stderr of a match is added that was never played", "logs/000001/05.ndjson.stderr.0", "no result of this match")
odd_file("stderr of a seat is added that there is not", "logs/000001/01.ndjson.stderr.9")


@in_store("a folder is added for a block that was not played", STORE, "no result of this block")
def add_block(forged):
    os.mkdir(forged.file("logs/000003"))


@in_store("a folder is added in the folder of a block", STORE, "no referee has put this here")
def add_folder(forged):
    os.makedirs(forged.file("logs/000001/more/000001"))


@in_store("a second folder of a block is added under another spelling", STORE, "no referee has put this here")
def add_spelling(forged):
    shutil.copytree(forged.file("logs/000001"), forged.file("logs/1"))


@in_store("a link in place of the folder of a block", STORE, "it is a link")
def link_block(forged):
    os.rename(forged.file("logs/000001"), forged.file("elsewhere"))
    os.symlink("../elsewhere", forged.file("logs/000001"))


@in_store("a link in place of the journal", STORE, "it is a link")
def link_journal(forged):
    os.rename(forged.file("results.ndjson"), forged.file("elsewhere"))
    os.symlink("elsewhere", forged.file("results.ndjson"))


@in_store("a folder in place of the secret of the deals", STORE, "it is not a file")
def folder_for_master(forged):
    os.unlink(forged.file("master"))
    os.mkdir(forged.file("master"))


@in_store("the commitments are missing", STORE, "it is missing")
def remove_commitments(forged):
    os.unlink(forged.file("commitments"))


def journal_forgery(name, words, change, base="store"):
    def function(forged):
        change(forged.journal)
        forged.journal.write()
    in_store(name, STORE, words, base)(function)


def remove_result(journal):
    journal.records.remove(journal.match(1))
    seal = journal.first("sealed")
    seal.update(sealed=seal["sealed"] - 1)


journal_forgery("two places are exchanged in the journal", "not those of the journal",
                lambda journal: journal.match(1)["places"].reverse())
journal_forgery("other points in the journal", "not those of the journal",
                lambda journal: exchange(journal.match(1)["halves"], 0, 2))
journal_forgery("other luck in the journal", "luck in the journal does not follow from the log",
                lambda journal: journal.match(1)["luck"].reverse())
journal_forgery("no luck in the journal", "whether luck was measured",
                lambda journal: (journal.match(1).pop("luck"), journal.match(1).pop("luck_version")))
journal_forgery("two bots are exchanged in the journal", "not in its schedule",
                lambda journal: exchange(journal.match(1)["bots"], 0, 2))
journal_forgery("other times in the journal", "the times of seat",
                lambda journal: journal.match(1)["time"][0].__setitem__(1, 77))
journal_forgery("a result is missing in the journal", "no result of this match", remove_result)
journal_forgery("a result is twice in the journal", "two results",
                lambda journal: journal.records.append(dict(journal.match(1))))
journal_forgery("another number of results in the seal of the journal", "no valid `sealed`",
                lambda journal: journal.first("sealed").update(sealed=7))
journal_forgery("another setting in the journal", "move_ms of the log",
                lambda journal: journal.records[0]["settings"].update(move_ms="500"))
journal_forgery("`auto` for another setting than the sandbox", "clock of the log is fair, of the journal auto",
                lambda journal: journal.records[0]["settings"].update(clock="auto"))
journal_forgery("the sandbox of matches without one is left to the machine", "contain of the log is none",
                lambda journal: journal.records[0]["settings"].update(contain="auto"))
journal_forgery("a setting is missing in the journal", "no setting `ponder`",
                lambda journal: journal.records[0]["settings"].pop("ponder"))
journal_forgery("the setting for bots that stay is missing in the journal", "no setting `reuse`",
                lambda journal: journal.records[0]["settings"].pop("reuse"))


BYTES = "it is not written as a referee writes it"


def insert(journal, **record):
    """A record before the seal."""
    journal.records.insert(len(journal.records) - 1, record)


def scheduled_void(journal, block, rotation):
    """A void match, recorded before its result."""
    journal.records.insert(journal.records.index(journal.match(1)), {"void": block, "rotation": rotation, "why": "x"})


journal_forgery("a decided match is void", "void that was decided before",
                lambda journal: insert(journal, void=1, rotation=0, why="out of memory"))
journal_forgery("a match is void that the schedule does not have", "void that the schedule does not have",
                lambda journal: scheduled_void(journal, 1, 9))
journal_forgery("a result in the journal has another field", BYTES, lambda journal: journal.match(1).update(note="fine"))
journal_forgery("a result in the journal has a blank", BYTES,
                lambda journal: journal.raw(journal.match(1), '"rounds":', '"rounds": '))
journal_forgery("a result in the journal has its fields in another order", BYTES,
                lambda journal: journal.match(1).update(rounds=journal.match(1).pop("rounds")))
journal_forgery("a bot in the journal has a letter of its name escaped", BYTES,
                lambda journal: journal.raw(journal.first("bot"), '"talker"', '"\\u0074alker"'))
journal_forgery("the first record of the journal has another field", BYTES,
                lambda journal: journal.records[0].update(weather="fine"))
journal_forgery("the seal of the journal has another field", BYTES, lambda journal: journal.first("sealed").update(by="me"))
journal_forgery("the commitments in the journal have another field", BYTES,
                lambda journal: journal.first("commitments").update(by="me"))
journal_forgery("the commitments in the journal have no hash", "no valid `sha256`",
                lambda journal: journal.first("commitments").update(sha256=""))
journal_forgery("a bot in the journal has no hash", "no valid `hash`", lambda journal: journal.first("bot").update(hash=""))
journal_forgery("a result in the journal has no hash of its log", "no valid `log`",
                lambda journal: journal.match(1).update(log=""))
journal_forgery("a setting that there is not", "no such setting",
                lambda journal: journal.records[0]["settings"].update(weather="fine"))
journal_forgery("a setting that there is not is set later", "no such setting",
                lambda journal: insert(journal, set="weather", value="fine"))
journal_forgery("a setting is changed that cannot change", "that cannot change",
                lambda journal: insert(journal, set="matches", value="7"))
journal_forgery("a flag has another value than yes and no", "no such setting",
                lambda journal: insert(journal, set="luck", value="maybe"))
journal_forgery("a setting is set to the value that it has", "has this value already",
                lambda journal: insert(journal, set="move_ms", value="3000"))
journal_forgery("a bot changes and is the same", "nothing about the bot changes",
                lambda journal: insert(journal, changed=0, command=journal.first("bot")["command"],
                                       hash=journal.first("bot")["hash"]))
journal_forgery("a bot is back that was not withdrawn", "was not withdrawn", lambda journal: insert(journal, reinstated=1))
journal_forgery("a second seal after the seal of the journal", "since the last seal",
                lambda journal: journal.records.append({"sealed": 2}))
journal_forgery("another length in `synced`", "its `synced` is not", lambda journal: journal.synced.update({3: 1}))


def round_before_results(journal):
    """The second round is recorded before the last result of the first."""
    at = journal.records.index(journal.first("round"))
    last = max(i for i in range(at) if "block" in journal.records[i])
    journal.records.insert(last, journal.records.pop(at))
    journal.records[:] = [record for record in journal.records if "sealed" not in record]


def round_forgery(name, change):
    """Changes the second round. What was played afterwards would not fit, and is not there."""
    def function(forged):
        journal = forged.journal
        at = journal.records.index(journal.first("round"))
        for record in journal.records[at:]:
            if "block" in record:
                shutil.rmtree(forged.file(f"logs/{record['block']:06}"), ignore_errors=True)
        del journal.records[at + 1:]
        change(journal.records[at]["order"])
        journal.write()
        forged.remove_tables()
    in_store(name, STORE, "the order of round 2 does not follow", "swiss")(function)


round_forgery("another order in a round of Swiss", lambda order: exchange(order, 0, 1))
round_forgery("a bot is left out of a round of Swiss", lambda order: order.pop())
journal_forgery("a round of Swiss is recorded before its results", "before the results that it follows from",
                round_before_results, "swiss")


@in_store("a line of the journal, without its sum", STORE, "results.ndjson")
def change_line(forged):
    forged.edit("results.ndjson", '"rounds":1', '"rounds":2')


@in_store("the commitments and their hash in the journal", STORE, "not those that were committed to")
def change_commitments(forged):
    with open(forged.file("commitments")) as file:
        lines = file.read().splitlines()
    lines[0] = "1 " + "0" * 64
    text = "".join(line + "\n" for line in lines)
    with open(forged.file("commitments"), "w") as file:
        file.write(text)
    forged.journal.first("commitments")["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    forged.journal.write()


@in_store("another master seed", STORE, "not made from this secret")
def change_master(forged):
    with open(forged.file("master"), "w") as file:
        file.write("0" * 64 + "\n")


@in_store("the table", STORE, "does not follow from the results")
def change_table(forged):
    forged.edit("standings.csv", "talker", "winner")


@in_store("a row of the matches", STORE, "does not follow from the results")
def change_row(forged):
    with open(forged.file("matches.csv"), newline="") as file:
        row = file.read().split("\r\n")[1]
    forged.edit("matches.csv", row, row.replace(row.split(",logs/")[0], "1,1,1,greedy,1,-5,,talker,2,999,late,clumsy,3,5,"))


@in_store("a table, after a NUL byte", STORE, "does not follow from the results")
def append_to_table(forged):
    with open(forged.file("standings.csv"), "ab") as file:
        file.write(b"\0winner,1\n")


@in_store("a pipe in place of a table", STORE, "does not follow from the results")
def replace_table(forged):
    os.unlink(forged.file("report.html"))
    os.mkfifo(forged.file("report.html"))


@in_store("a pipe in place of the commitments", STORE, "it is not a file")
def replace_commitments(forged):
    os.unlink(forged.file("commitments"))
    os.mkfifo(forged.file("commitments"))


@in_store("a line after the commitments", STORE, "more than the journal has recorded")
def append_commitment(forged):
    with open(forged.file("commitments"), "a") as file:
        file.write("3 " + "0" * 64 + "\n")


@in_store("bytes after the commitments", STORE, "more than the journal has recorded")
def append_bytes(forged):
    with open(forged.file("commitments"), "ab") as file:
        file.write(b"\0")


@in_store("a link in place of the folder of the logs", STORE, "it is a link")
def link_logs(forged):
    os.rename(forged.file("logs"), forged.file("elsewhere"))
    os.symlink("elsewhere", forged.file("logs"))


@in_store("a link in place of a log", STORE, "it is a link")
def link_log(forged):
    os.rename(forged.path(), forged.file("elsewhere"))
    os.symlink(forged.file("elsewhere"), forged.path())


@in_store("a tournament is called a comparison", STORE, "this is a comparison")
def call_comparison(forged):
    forged.journal.records[0]["settings"].update(format="compare")
    forged.journal.write()


def box_of(time):
    """The box of a time in a distribution: one value each up to 15, then eight boxes to each doubling."""
    shift = max(time.bit_length() - 4, 0)
    return time if time < 16 else 8 * shift + (time >> shift)


@in_store("the time of an answer, in the log and in the journal", NEVER)
def change_time_everywhere(forged):
    log = forged.log()
    time = log.quick()["us"]
    seat = log.quick()["seat"]
    log.quick().update(us=time + 1)
    # Within the same box of the distribution, or moved to the next one.
    boxes = forged.journal.match(1)["time"][seat]
    counts = dict(zip(boxes[::2], boxes[1::2]))
    before, after = box_of(time), box_of(time + 1)
    counts[before] -= 1
    counts[after] = counts.get(after, 0) + 1
    forged.journal.match(1)["time"][seat] = [number for box in sorted(counts) if counts[box]
                                             for number in (box, counts[box])]
    forged.remove_tables()
    forged.seal(log)


@in_store("a bot has thought without a question, in the log and its hash in the journal", NEVER)
def ponder_everywhere(forged):
    log = forged.log()
    rewritten(pondered_us=1000000)(log)
    forged.seal(log)


@in_store("what a bot wrote to stderr, in the log and its hash in the journal", NEVER)
def change_stderr_everywhere(forged):
    log = forged.log()
    log.fault().update(stderr="I am a bad bot")
    forged.seal(log)


@in_store("an unknown key at the end of the header, and its hash in the journal", NEVER)
def add_key_everywhere(forged):
    log = forged.log()
    log.header.update(weather="fine")
    forged.seal(log)


@in_store("the last match, in the journal and its log", NEVER)
def remove_last(forged):
    last = [record for record in forged.journal.records if "block" in record][-1]
    forged.journal.records.remove(last)
    forged.journal.first("sealed")["sealed"] -= 1
    shutil.rmtree(os.path.dirname(forged.path(last["block"])))
    forged.remove_tables()
    forged.journal.write()


@in_store("another name of a bot, in all logs and in the journal", NEVER)
def rename_everywhere(forged):
    for block in (1, 2):
        log = forged.log(block)
        for bot in log.header["bots"]:
            bot["name"] = bot["name"].replace("greedy", "gredy")
        log.send_again(forged.path(block))
        forged.seal(log, block)
    for record in forged.journal.records:
        if record.get("name") == "greedy":
            record["name"] = "gredy"
    forged.journal.write()
    forged.remove_tables()


@in_store("other luck in the journal, as if another version had measured it", NEVER)
def other_version(forged):
    forged.journal.match(1)["luck"].reverse()
    forged.journal.match(1)["luck_version"] = 9999
    forged.journal.write()
    forged.remove_tables()


@in_store("what is kept of a bot's stderr next to its log", NEVER)
def change_kept_stderr(forged):
    with open(forged.file("logs/000001/01.ndjson.stderr.0"), "w") as file:
        file.write("I am a bad bot\n")


@in_store("a log is removed, and a record says that it was pruned", NEVER)
def prune(forged):
    insert(forged.journal, pruned=1, last=1, matches=1, why="to save space")
    forged.journal.write()
    os.unlink(forged.path())
    forged.remove_tables()


@in_store("two results in the journal in another order", NEVER)
def exchange_results(forged):
    records = forged.journal.records
    exchange(records, records.index(forged.journal.match(1)), records.index(forged.journal.match(2)))
    forged.journal.write()


@in_store("an attempt at a match that was played", NEVER)
def add_attempt(forged):
    shutil.copy(forged.path(), forged.file("logs/000001/01.attempt-1.ndjson"))


@in_store("a file next to the logs, which is not part of the store", NEVER)
def add_note(forged):
    with open(forged.file("read me\x1b[2J"), "w") as file:
        file.write("talker has won\n")


@in_store("a fault that only the machine saw: a process that ended", NEVER)
def invent_end(forged):
    log = forged.log()
    log.fault().update(fault="gone", line="", message="it ended with exit status 1", ending="exit status 1")
    result = forged.journal.match(1)
    result["faults"] = ["gone" if fault else None for fault in result["faults"]]
    log.send_again(forged.path())
    forged.remove_tables()
    forged.seal(log)


# --- The test ---

def documented():
    """The table of protocol.md: forgery and mark."""
    with open(PROTOCOL) as file:
        text = file.read()
    part = text[text.index("| forgery | "):]
    rows = [line.strip("|").split(" | ") for line in part[:part.index("\n\n")].splitlines()[2:]]
    return [(row[0].strip(), row[1].strip().split(",")[0].split(":")[0]) for row in rows]


def play(folder):
    """A tournament with a text, a long answer and a fault in each match; a branch; a bad hello."""
    bot = os.path.join(folder, "bot.py")
    with open(bot, "w") as file:
        file.write(BOT)
    os.chmod(bot, 0o755)
    config = {"name": "Forgers' cup", "seats": 3, "deals": 2, "move_ms": 3000, "start_ms": 60000,
              "contain": "none", "output": "store", "rules": {"turn_limit": 8},
              "bots": [{"name": "talker", "command": f"{bot} talker"}, {"name": "clumsy", "command": f"{bot} clumsy"},
                       {"name": "greedy", "command": GREEDY}]}
    with open(os.path.join(folder, "cup.json"), "w") as file:
        json.dump(config, file)
    done = run("tournament", "--seed", "forgers", os.path.join(folder, "cup.json"))
    if done.returncode != 0:
        yield done.stderr
    config.update(name="Swiss", format="swiss", rounds=2, deals=1, seats=2, output="swiss",
                  bots=[{"name": f"greedy-{i}", "command": GREEDY} for i in range(4)])
    with open(os.path.join(folder, "swiss.json"), "w") as file:
        json.dump(config, file)
    done = run("tournament", "--seed", "forgers", os.path.join(folder, "swiss.json"))
    if done.returncode != 0:
        yield done.stderr
    match = os.path.join(folder, "store", "logs", "000001", "01.ndjson.zst")
    run("replay", "--branch", "20", "--log", os.path.join(folder, "branch"), match, "--", GREEDY, GREEDY, GREEDY)
    mute = os.path.join(folder, "mute")
    with open(mute, "w") as file:
        file.write("#!/bin/sh\necho good morning\ncat >/dev/null\n")
    os.chmod(mute, 0o755)
    run("play", "--quiet", "--start-ms", "60000", "--set", "turn_limit=1", "--log", os.path.join(folder, "hello"),
        mute, GREEDY)
    shutil.copy(match, os.path.join(folder, "match"))
    done = run("replay", "--verify", *(os.path.join(folder, name) for name in ("match", "branch", "hello", "store", "swiss")))
    if done.returncode != 0:
        yield done.stderr


def verified(paths):
    """What the referee says about each path: a list of problems."""
    done = run("replay", "--verify", "--json", *paths)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(paths), done.stderr
    return [[problem["why"] for problem in document["problems"]] for document in found]


def check_logs(folder):
    paths = []
    for number, (name, words, base, change) in enumerate(LOGS):
        log = Log(os.path.join(folder, base))
        change(log)
        paths.append(os.path.join(folder, f"forged-{number}"))
        log.write(paths[-1])
    for (name, words, base, change), problems in zip(LOGS, verified(paths)):
        if not problems or words not in problems[0]:
            yield f"{name}: {problems or 'it is not found'}"


def check_stores(folder):
    stores, logs = [], []
    for number, (name, mark, words, base, change) in enumerate(STORES):
        stores.append(os.path.join(folder, f"store-{number}"))
        shutil.copytree(os.path.join(folder, base), stores[-1])
        forged = Forged(stores[-1])
        change(forged)
        logs.append(forged.path() if os.path.exists(forged.path()) else os.path.join(folder, "match"))
    for (name, mark, words, base, change), problems, alone in zip(STORES, verified(stores), verified(logs)):
        if alone:
            yield f"{name}: the log alone tells: {alone}"
        if mark == STORE and not any(words in problem for problem in problems):
            yield f"{name}: {problems or 'it is not found'}"
        if mark == NEVER and problems:
            yield f"{name}: it is found: {problems}"


def check_documented():
    tested = [(name, LOG) for name, *rest in LOGS] + [(name, mark) for name, mark, *rest in STORES]
    if len(tested) < 62:
        yield f"there are only {len(tested)} forgeries"
    for row, wanted in zip(documented(), tested):
        if row != wanted:
            yield f"protocol.md has {row}, the test {wanted}"
    if len(documented()) != len(tested):
        yield f"protocol.md has {len(documented())} forgeries, the test {len(tested)}"


def check_line(folder):
    """The line to publish has the sum of the last record; a changed journal has another one."""
    store = os.path.join(folder, "store")
    journal = Journal(store)
    done = run("replay", "--verify", store)
    wanted = f"{len(journal.records)} records, sum {journal.records[-1]['sum']}\n"
    if done.returncode != 0 or ": verified: 2 matches, finished\n" not in done.stdout or not done.stdout.endswith(wanted):
        yield done.stdout + done.stderr
    for number, (name, mark, *rest) in enumerate(STORES):
        forged = run("replay", "--verify", os.path.join(folder, f"store-{number}")).stdout
        is_in_journal = read_bytes(os.path.join(folder, f"store-{number}", "results.ndjson")) != read_bytes(journal.path)
        if mark == NEVER and is_in_journal and forged.endswith(wanted):
            yield f"{name}: the published line does not tell either"
        if mark == STORE and "publish this line" in forged:
            yield f"{name}: a line of a wrong store is to be published"


def append(path, content):
    with open(path, "ab") as file:
        file.write(content)


def check_verdicts(folder):
    """The last line says what was left out, and why."""
    def verdict(change):
        path = os.path.join(folder, "said")
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(os.path.join(folder, "store"), path)
        change(Forged(path))
        done = run("replay", "--verify", path)
        return done.stdout + done.stderr

    def compare(forged):
        forged.remove_tables()
        call_comparison(forged)

    said = verdict(lambda forged: os.unlink(forged.file("master")))
    if ": verified: 2 matches, finished, without the file `master`, which is missing\n" not in said:
        yield said
    said = verdict(lambda forged: forged.edit("results.ndjson", '"rounds":1', '"rounds":2'))
    if ": wrong: 0 matches\n" not in said:
        yield said
    said = verdict(compare)
    if ": verified: 2 matches, a comparison, without a schedule\n" not in said:
        yield said
    said = verdict(other_version)
    if ": verified: 2 matches, finished, the luck of 1 was not compared: another version measured it\n" not in said:
        yield said
    said = verdict(add_note)
    if ": verified: 2 matches, finished, not part of it: read me\\x1b[2J\n" not in said:
        yield said
    said = verdict(add_attempt)
    if ": verified: 2 matches, finished, not verified: 1 log of a void match\n" not in said:
        yield said
    said = verdict(prune)
    if ": verified: 1 matches, finished, 1 logs were pruned (block 1)\n" not in said:
        yield said
    said = verdict(lambda forged: append(forged.file("results.ndjson"), b'{"block":9}\n'))
    if ": verified: 2 matches, finished, the last 12 bytes of the journal do not count: they were" not in said:
        yield said
    said = verdict(lambda forged: (append(forged.file("standings.txt.new"), b"x"), os.mkdir(forged.file("logs.damaged-1"))))
    if ": verified: 2 matches, finished, not part of it: logs.damaged-1, standings.txt.new\n" not in said:
        yield said
    said = verdict(lambda forged: append(forged.file("master"), b"x"))
    if ": verified: 2 matches, finished, without the file `master`, which cannot be read\n" not in said:
        yield said
    done = run("replay", "--verify", os.path.join(folder, "store", "logs"))
    if "this is not the output folder of a tournament: it has no results.ndjson" not in done.stderr:
        yield done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        report("a tournament, a branch and a bad hello are played and verify", play(folder))
        report("forgeries that the log itself refutes are found by it", check_logs(folder))
        report("forgeries that need the store are found there, and the others are not", check_stores(folder))
        report("the line to publish tells what cannot be found otherwise", check_line(folder))
        report("the verdict says what was left out, and why", check_verdicts(folder))
        report("protocol.md lists the same forgeries", check_documented())


if __name__ == "__main__":
    main()
