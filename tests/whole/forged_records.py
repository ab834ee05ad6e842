#!/usr/bin/env python3
"""Records that nobody should have written, with right checksums: each gets a sentence and exit code 1, whoever
reads it: `standings`, `tournament` that resumes, `compare` that resumes, and the daemon. Nothing crashes, and
nothing waits.

FORGED says how many random changes of single members are tried besides the table, FORGED_SEED (printed) which."""

import concurrent.futures
import copy
import hashlib
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile

from patience import SECONDS, until

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
RANDOM = os.path.join(BUILD, "bots", "random")
FORGED = int(os.environ.get("FORGED", "30"))
SEED = os.environ.get("FORGED_SEED", "1")
MEMORY = 2 << 30  # of address space: more than any forged number may ask for

PLAN = {"name": "forged", "output": "store", "seats": 2, "seatings": "all", "contain": "none", "start_ms": 60000,
        "move_ms": 60000, "rules": {"rounds": 1, "turn_limit": 6}}
KINDS = {
    "plain": (2, {"deals": 2}),
    "swiss": (4, {"deals": 1, "format": "swiss", "rounds": 2}),
    "gauntlet": (3, {"deals": 1, "format": "gauntlet", "hero": "b1", "max_faults": 3}),
}


def report(name, problems):
    problems = [" ".join(problem.split()) for problem in problems]
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)
    for problem in problems[1:20]:
        print(f"    {problem}")


# Journals.

def read_journal(path):
    with open(path, "rb") as file:
        records = [json.loads(line) for line in file]
    for record in records:
        del record["sum"], record["synced"]
    return records


def seal(records):
    """The lines of a journal, with the sums that they must have."""
    lines = []
    last = ""
    for record in records:
        body = record if isinstance(record, bytes) else json.dumps(record, separators=(",", ":")).encode()[:-1]
        body += b',"synced":%d' % sum(map(len, lines))
        last = hashlib.blake2b(last.encode() + body, digest_size=16).hexdigest()
        lines.append(body + b',"sum":"' + last.encode() + b'"}\n')
    return b"".join(lines)


# Stores.

def play(folder, kind):
    bots, more = KINDS[kind]
    plan = dict(PLAN, **more, bots=[{"name": f"b{i}", "command": GREEDY if i == 0 else RANDOM} for i in range(bots)])
    os.mkdir(folder)
    with open(os.path.join(folder, "plan.json"), "w") as file:
        json.dump(plan, file)
    done = run(folder, "tournament", "--seed", "forged", "plan.json")
    if done.returncode != 0:
        raise ValueError(f"{kind} cannot be played: {done.stderr}")
    return read_journal(os.path.join(folder, "store", "results.ndjson"))


def run(folder, *words, limit=None):
    command = [REFEREE, *words]
    if limit:
        command = ["prlimit", f"--as={limit}", *command]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=SECONDS)


def forge(folder, base, records):
    """A copy of a store in which the journal has these records."""
    shutil.copytree(base, folder, symlinks=True)
    with open(os.path.join(folder, "store", "results.ndjson"), "wb") as file:
        file.write(seal(records))


def judge(what, done, must_refuse=True):
    """The reader says something is wrong, in a sentence; or, if it is all the same, nothing is."""
    words = done.stderr.strip()
    if done.returncode not in ((1,) if must_refuse else (0, 1)):
        yield f"{what}: exit code {done.returncode}: {words[-300:]}"
    elif done.returncode == 1 and not words:
        yield f"{what}: exit code 1 without a word"
    elif "anitizer" in words or "runtime error" in words:
        yield f"{what}: {words[-600:]}"


# What is forged: the kind of store, the first key of a record, which of these, and what becomes of it.

def put(*path_and_value):
    """Sets a member of a record, or a member of a member."""
    *path, value = path_and_value

    def change(record):
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = value
    return change


def drop(key):
    return lambda record: record.pop(key)


BIG = 2**63 - 1
BOOKS = [
    ("plain", "allegra_store", 0, put("settings", ["x"])),
    ("plain", "allegra_store", 0, put("settings", "x")),
    ("plain", "allegra_store", 0, put("settings", None)),
    ("plain", "allegra_store", 0, drop("settings")),
    ("plain", "allegra_store", 0, put("settings", "seats", 2)),
    ("plain", "allegra_store", 0, put("settings", {f"k{i}": "x" for i in range(5000)})),
    ("plain", "allegra_store", 0, put("settings", "seats", "0")),
    ("plain", "allegra_store", 0, put("settings", "seats", "7")),
    ("plain", "allegra_store", 0, put("settings", "seats", "4294967298")),
    ("plain", "allegra_store", 0, put("settings", "seats", "two")),
    ("plain", "allegra_store", 0, put("settings", "seats", "3")),
    ("plain", "allegra_store", 0, put("settings", "deals", "4294967296")),
    ("plain", "allegra_store", 0, put("settings", "deals", "999999999")),
    ("plain", "allegra_store", 0, put("settings", "format", "other")),
    ("plain", "allegra_store", 0, put("settings", "format", "gauntlet")),
    ("plain", "allegra_store", 0, put("settings", "format", "compare")),
    ("plain", "allegra_store", 0, put("settings", "hero", "nobody")),
    ("plain", "allegra_store", 0, put("settings", "schedule_seed", "-1")),
    ("plain", "allegra_store", 0, put("name", 1)),
    ("plain", "allegra_store", 0, put("name", "a\u001b[2Jb")),
    ("plain", "allegra_store", 0, put("guessable", "no")),
    ("plain", "allegra_store", 0, put("allegra_store", "1")),
    ("plain", "bot", 0, put("name", "../x")),
    ("plain", "bot", 0, put("name", "b1")),
    ("plain", "bot", 0, put("name", "x" * 5000)),
    ("plain", "bot", 0, put("hash", "x" * 5000)),
    ("plain", "bot", 0, put("command", None)),
    ("plain", "bot", 0, put("generation", 3)),
    ("plain", "bot", 0, put("generation", BIG)),
    ("plain", "bot", 1, put("bot", 65536)),
    ("plain", "commitments", 0, put("commitments", 0)),
    ("plain", "commitments", 0, put("commitments", 1)),
    ("plain", "commitments", 0, put("commitments", 100000000)),
    ("plain", "commitments", 0, put("sha256", 7)),
    ("plain", "block", 0, put("block", 0)),
    ("plain", "block", 0, put("block", 3)),
    ("plain", "block", 0, put("block", 100000000)),
    ("plain", "block", 0, put("rotation", 31)),
    ("plain", "block", 0, put("rotation", 2)),
    ("plain", "block", 0, put("rotation", -1)),
    ("plain", "block", 0, put("bots", [])),
    ("plain", "block", 0, put("bots", [0])),
    ("plain", "block", 0, put("bots", [0, 0])),
    ("plain", "block", 0, put("bots", [0, 65537])),
    ("plain", "block", 0, put("bots", {"a": 0, "b": 1})),
    ("plain", "block", 0, put("places", [0, 300])),
    ("plain", "block", 0, put("halves", [BIG, -BIG])),
    ("plain", "block", 0, put("rounds", 256)),
    ("plain", "block", 0, put("faults", ["late"])),
    ("plain", "block", 0, put("faults", ["made-up", None])),
    ("plain", "block", 0, put("faults", {"a": None, "b": None})),
    ("plain", "block", 0, put("luck", [[1, 2, 3, 4]])),
    ("plain", "block", 0, put("luck", [[1, 2, 3], [1, 2, 3, 4]])),
    ("plain", "block", 0, put("luck", [[1, 2, 3, 4, 5], [1, 2, 3, 4]])),
    ("plain", "block", 0, put("luck", [[1, 2, 3, -1], [1, 2, 3, 4]])),
    ("plain", "block", 0, put("luck", [[BIG, 2, 3, 4], [1, 2, 3, 4]])),
    ("plain", "block", 0, put("luck", [["a", 2, 3, 4], [1, 2, 3, 4]])),
    ("plain", "block", 0, put("luck", {"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]})),
    ("plain", "block", 0, put("time", [[1], []])),
    ("plain", "block", 0, put("time", [[240, 1], []])),
    ("plain", "block", 0, put("time", [["a", "b"], []])),
    ("plain", "block", 0, put("time", ["a", "b"])),
    ("plain", "block", 0, put("log", ["x"])),
    ("swiss", "round", 0, put("order", [0, 0, 1, 2])),
    ("swiss", "round", 0, put("order", {"a": 0})),
    ("swiss", "round", 0, put("order", "0123")),
    ("swiss", "round", 0, put("order", [3, 2, 1, 0, 0])),
    ("swiss", "round", 0, put("round", 7)),
    ("swiss", "allegra_store", 0, put("settings", "format", "round-robin")),
    ("swiss", "allegra_store", 0, put("settings", "rounds", "4294967297")),
    ("gauntlet", "allegra_store", 0, put("settings", "hero", "")),
    ("gauntlet", "allegra_store", 0, put("settings", "seatings", "none")),
]


def nth(records, key, number):
    return [record for record in records if next(iter(record)) == key][number]


def insert(key, record, at_end=False):
    """Puts a record before the first one of a kind, or at the end."""
    def change(records):
        at = len(records) if at_end else records.index(nth(records, key, 0))
        records.insert(at, copy.deepcopy(record) if isinstance(record, (dict, bytes)) else record(records))
    return change


def move_first(key):
    def change(records):
        record = nth(records, key, 0)
        records.remove(record)
        records.insert(1, record)
    return change


ORDERS = [
    ("a second beginning", insert("block", lambda records: copy.deepcopy(records[0]))),
    ("a result before the bots", move_first("block")),
    ("no beginning", lambda records: records.pop(0)),
    ("a round of a round robin", insert("", {"round": 2, "order": [1, 0]}, True)),
    ("a bot that is withdrawn and not there", insert("", {"withdrawn": 2}, True)),
    ("a bot that is back and not there", insert("", {"reinstated": -1}, True)),
    ("a changed bot that is not there", insert("", {"changed": 9, "command": "x", "hash": ""}, True)),
    ("fewer commitments than before", insert("", {"commitments": 1, "sha256": ""}, True)),
    ("a void match of no block", insert("", {"void": 9, "rotation": 0, "why": "x"}, True)),
    ("rematches of a bot that is not there", insert("", {"rematch": 9, "after": 2, "blocks": 2}, True)),
    ("rematches before the last result", insert("", {"rematch": 0, "after": 1, "blocks": 2}, True)),
    ("rematches after no block", insert("", {"rematch": 0, "after": 3, "blocks": 2}, True)),
    ("rematches of matches that were not played", insert("", {"rematch": 0, "after": 2, "blocks": 3}, True)),
    ("another deal for a block that is decided", insert("", {"redeal": 1, "after": 2}, True)),
    ("another deal for no block", insert("", {"redeal": 0, "after": 2}, True)),
    ("another deal for a block that is not there", insert("", {"redeal": 3, "after": 2}, True)),
    ("rematches of no match", insert("block", {"rematch": 0, "after": 2, "blocks": 0})),
    ("a setting that is a list", insert("", {"set": ["x"], "value": "x"}, True)),
    ("a bot of an older generation", insert("", {"bot": 2, "name": "z", "command": "z", "hash": "",
                                                 "generation": 0}, True)),
    ("an unknown record", insert("", {"what": 1}, True)),
    ("an empty record", insert("", b'{"":0', True)),
    ("a key that is there twice", insert("", b'{"withdrawn":0,"withdrawn":1', True)),
    ("a key with a zero byte", insert("", b'{"withdrawn\\u0000x":0', True)),
    ("a number that is too long", insert("", b'{"withdrawn":99999999999999999999', True)),
    ("a fraction", insert("", b'{"withdrawn":0.5', True)),
    ("a record that is no JSON", insert("", b'{"withdrawn":', True)),
    ("a deep record", insert("", b'{"withdrawn":' + b"[" * 5000 + b"]" * 5000, True)),
    ("a wide record", insert("", b'{"withdrawn":0' + b"".join(b',"%d":0' % i for i in range(20000)), True)),
    ("bytes that are no text", insert("", b'{"set":"\xff\xfe","value":"\xff"', True)),
]


class Shop:
    """Stores as they were played, and room for forged ones."""

    def __init__(self, folder):
        self.folder = folder
        self.count = 0
        self.journals = {kind: play(os.path.join(folder, kind), kind) for kind in KINDS}

    def base(self, kind):
        return os.path.join(self.folder, kind)

    def try_both(self, number, kind, what, records, must_refuse=True):
        """Lets `standings` and `tournament` read them."""
        folder = os.path.join(self.folder, f"forged-{number}")
        forge(folder, self.base(kind), records)
        problems = list(judge(f"standings: {what}", run(folder, "standings", "--json", "store", limit=LIMIT), must_refuse))
        problems += judge(f"tournament: {what}", run(folder, "tournament", "plan.json", limit=LIMIT), must_refuse)
        shutil.rmtree(folder)
        return problems


IS_SANITIZED = b"__asan_init" in open(REFEREE, "rb").read()
LIMIT = None if IS_SANITIZED else MEMORY


def check_books(pool, shop):
    tasks = []
    for number, (kind, key, which, change) in enumerate(BOOKS):
        records = copy.deepcopy(shop.journals[kind])
        record = nth(records, key, which)
        before = json.dumps(record)
        change(record)
        tasks.append((number, kind, f"{kind}: {before[:60]} is now {json.dumps(record)[:160]}", records))
    for problems in pool.map(lambda task: shop.try_both(*task), tasks):
        yield from problems


def check_orders(pool, shop):
    tasks = []
    for number, (what, change) in enumerate(ORDERS):
        records = copy.deepcopy(shop.journals["plain"])
        change(records)
        tasks.append((1000 + number, "plain", what, records))
    for problems in pool.map(lambda task: shop.try_both(*task), tasks):
        yield from problems


VALUES = [None, True, -1, 0, 1, 2, 31, 255, 256, 65536, 2**31, 2**32, BIG, -BIG, "", "x", "0", "-1", "9" * 30, "x" * 9999,
          [], {}, ["x"], [0], [0, 0], [BIG] * 3, {"x": "y"}, [[[]]], "\u0007"]


def places_of(value, path=()):
    """The paths of everything in a record."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield path + (key,)
            yield from places_of(value[key], path + (key,))


def change_anything(chance, records):
    """Changes one value of one record, or exchanges, doubles or drops records. Returns what."""
    at = chance.randrange(len(records))
    how = chance.random()
    if how < 0.1:
        records.insert(chance.randrange(len(records) + 1), records[at])
        return f"record {at} is there twice"
    if how < 0.2:
        return f"without {json.dumps(records.pop(at))[:60]}"
    path = chance.choice(list(places_of(records[at])))
    inside = records[at]
    for key in path[:-1]:
        inside = inside[key]
    if how < 0.3 and isinstance(inside, dict):
        del inside[path[-1]]
        return f"record {at} without {path}"
    inside[path[-1]] = chance.choice(VALUES)
    return f"record {at}, {path} is {json.dumps(inside[path[-1]])[:60]}"


def check_anything(pool, shop):
    """Some of these changes are all the same to a reader; but no reader may crash."""
    chance = random.Random(f"{SEED} anything")
    tasks = []
    for number in range(FORGED):
        kind = chance.choice(list(KINDS))
        records = copy.deepcopy(shop.journals[kind])
        what = ", ".join(change_anything(chance, records) for _ in range(chance.choice([1, 1, 2])) if records)
        tasks.append((2000 + number, kind, f"{kind}: {what}", records, False))
    for problems in pool.map(lambda task: shop.try_both(*task), tasks):
        yield from problems
    print(f"count {FORGED} random changes, seed {SEED}")


# The same for `compare`, which has a store of another kind.

COMPARE = ["compare", "--quiet", "--store", "store", "--most", "2", "--rounds", "1", "--set", "turn_limit=6",
           GREEDY, RANDOM]


COMPARISONS = [
    ("a third bot", insert("block", {"bot": 2, "name": "z", "command": "z", "hash": "", "generation": 1})),
    ("many bots", lambda records: [insert("block", {"bot": i, "name": f"z{i}", "command": "z", "hash": "", "generation": 1})
                                   (records) for i in range(2, 40)]),
    ("one bot", lambda records: records.remove(nth(records, "bot", 1))),
    ("other seats", lambda records: nth(records, "block", 0).update(bots=[1, 0])),
    ("another rotation", lambda records: nth(records, "block", 0).update(rotation=9)),
    ("another block", lambda records: nth(records, "block", 0).update(block=77)),
]


def check_compare(pool, shop):
    base = os.path.join(shop.folder, "compare")
    os.mkdir(base)
    done = run(base, *COMPARE)
    if not os.path.exists(os.path.join(base, "store", "results.ndjson")):
        yield f"compare cannot be played: {done.returncode} {done.stderr}"
        return
    journal = read_journal(os.path.join(base, "store", "results.ndjson"))
    for number, (what, change) in enumerate(COMPARISONS):
        records = copy.deepcopy(journal)
        change(records)
        folder = os.path.join(shop.folder, f"compare-{number}")
        forge(folder, base, records)
        yield from judge(f"compare: {what}", run(folder, *COMPARE, limit=LIMIT))


# The ledger of the daemon.

A_BOT = {"bot": "a", "user": "owner", "command": "/bin/true", "memory_mb": 0, "is_upload": 0, "bytes": 0,
         "submitted_s": 1}
A_BUILT = {"bot": "a", "user": "owner", "command": "./a", "build": "true", "folder": "/tmp", "memory_mb": 0,
           "is_upload": 0, "bytes": 0, "submitted_s": 1}
A_JOB = {"job": 1, "user": "owner", "title": "t", "is_match": 1, "is_official": 1, "matches": 0, "submitted_s": 1,
         "config": "{}", "bots": [{"name": "a", "bot": 0}, {"bot": 0, "name": "b"}]}
SCORE = {"matches": 1, "wins": 0, "median_us": 1, "p99_us": 1}
AN_END = {"end": 1, "state": "done", "message": "", "decided": 1, "matches": 1, "bytes": 0, "ended_s": 1,
          "scores": [SCORE, SCORE]}
A_TRIAL = {"trial": 0, "build": "none", "hello": "ok"}
A_CHECK = {"checked": 0, "check": "ok"}
A_REMOTE = {key: value for key, value in A_BOT.items() if key != "command"}
A_MARK = {"disqualify": "a", "by": "owner", "at_s": 1, "why": "x"}
A_REPLAY = {"replay": 1, "player": 1, "version": 0, "by": "owner", "at_s": 1}
A_PRUNE = {"prune": 1, "best": 0, "by": "owner", "at_s": 1}
A_PRUNED = {"pruned": 1, "bytes": 0}
ENDED = [A_BOT, A_JOB, AN_END]
LEDGERS = [
    [A_PRUNE], [A_BOT, A_JOB, A_PRUNE], [*ENDED, dict(A_PRUNE, prune=2)], [*ENDED, dict(A_PRUNE, best=-1)],
    [*ENDED, dict(A_PRUNE, best=BIG)], [*ENDED, dict(A_PRUNE, days=1)], [*ENDED, dict(A_PRUNE, by="a b")],
    [*ENDED, {"prune": 1, "by": "owner", "at_s": 1}], [*ENDED, A_PRUNE, A_PRUNE], [*ENDED, A_PRUNED],
    [*ENDED, A_PRUNE, dict(A_PRUNED, bytes=-1)], [*ENDED, A_PRUNE, A_PRUNED, A_PRUNED],
    [*ENDED, A_PRUNE, dict(A_PRUNED, pruned="1")],
    [A_MARK], [A_BOT, dict(A_MARK, disqualify="b")], [A_BOT, dict(A_MARK, disqualify="../a")],
    [A_BOT, dict(A_MARK, by="")], [A_BOT, dict(A_MARK, why="a\nb")], [A_BOT, dict(A_MARK, why=None)],
    [A_BOT, dict(A_MARK, at_s=-1)], [A_BOT, dict(A_MARK, more=1)], [A_BOT, {"remove": "a"}],
    [A_BOT, {"reinstate": ["a"], "by": "owner", "at_s": 1}], [A_BOT, A_REPLAY], [A_BOT, A_JOB, dict(A_REPLAY, replay=2)],
    [A_BOT, A_JOB, dict(A_REPLAY, player=2)], [A_BOT, A_JOB, dict(A_REPLAY, player=-1)],
    [A_BOT, A_JOB, dict(A_REPLAY, version=1)], [A_BOT, A_JOB, dict(A_REPLAY, version="0")],
    [dict(A_BOT, bot="../../etc")], [dict(A_BOT, bot="")], [dict(A_BOT, bot=["a"])], [dict(A_BOT, user=None)],
    [dict(A_BOT, user="a b\nc")], [dict(A_BOT, command=1)], [dict(A_BOT, memory_mb=-1)], [dict(A_BOT, is_upload=1)],
    [dict(A_BOT, memory_mb=BIG)], [A_BOT, dict(A_BOT, bot="A")], [dict(A_BOT, submitted_s="now")],
    [A_JOB], [A_BOT, dict(A_JOB, job=2)], [A_BOT, dict(A_JOB, job="1")], [A_BOT, dict(A_JOB, bots=[{"bot": 1}])],
    [A_BOT, dict(A_JOB, bots=[{"bot": 4294967295}])], [A_BOT, dict(A_JOB, bots=[{"bot": -1}])],
    [A_BOT, dict(A_JOB, bots=[{}])], [A_BOT, dict(A_JOB, bots=["a"])], [A_BOT, dict(A_JOB, bots={"a": {"bot": 0}})],
    [A_BOT, dict(A_JOB, bots=[{"name": "../x"}])], [A_BOT, dict(A_JOB, title=7)], [A_BOT, dict(A_JOB, title="a\nb")],
    [A_BOT, dict(A_JOB, config=None)], [A_BOT, dict(A_JOB, matches=-5)], [A_BOT, dict(A_JOB, user="")],
    [A_BOT, A_JOB, dict(AN_END, end=2)], [A_BOT, A_JOB, dict(AN_END, end=0)], [A_BOT, A_JOB, AN_END, AN_END],
    [A_BOT, A_JOB, dict(AN_END, state="queued")], [A_BOT, A_JOB, dict(AN_END, state=3)],
    [A_BOT, A_JOB, dict(AN_END, scores=[SCORE])], [A_BOT, A_JOB, dict(AN_END, scores=[SCORE] * 99)],
    [A_BOT, A_JOB, dict(AN_END, scores=["x", "y"])], [A_BOT, A_JOB, dict(AN_END, scores=[dict(SCORE, wins=-1), SCORE])],
    [A_BOT, A_JOB, dict(AN_END, scores=[dict(SCORE, late="x"), SCORE])], [A_BOT, A_JOB, dict(AN_END, message=["x"])],
    [A_BOT, A_JOB, dict(AN_END, decided=-1)], [AN_END], [{"what": 1}], [A_BOT, A_JOB, dict(AN_END, ended_s=None)],
    [A_TRIAL], [A_BOT, dict(A_TRIAL, trial=1)], [A_BOT, dict(A_TRIAL, trial=-1)], [A_BOT, dict(A_TRIAL, build="waiting")],
    [A_BOT, dict(A_TRIAL, hello="x")], [A_BOT, dict(A_TRIAL, hello=1)], [A_BOT, {"trial": 0}], [A_BOT, A_TRIAL, A_TRIAL],
    [A_BOT, dict(A_TRIAL, source="a" * 64, build_bytes=1)], [A_BUILT, dict(A_TRIAL, source="../x", build_bytes=1)],
    [A_BUILT, dict(A_TRIAL, source="A" * 64, build_bytes=1)], [A_BUILT, dict(A_TRIAL, source="a" * 64)],
    [A_BUILT, dict(A_TRIAL, source="a" * 64, build_bytes=-1)], [A_BUILT, dict(A_TRIAL, build_bytes=1)],
    [A_REMOTE, A_TRIAL], [A_BOT, A_CHECK], [A_BOT, A_TRIAL, dict(A_CHECK, checked=1)],
    [A_BOT, A_TRIAL, dict(A_CHECK, check="waiting")], [A_BOT, A_TRIAL, A_CHECK, A_CHECK],
    [A_BOT, dict(A_TRIAL, hello="failed"), A_CHECK], [A_REMOTE, A_CHECK],
]


def answers(path):
    """Whether a daemon answers there."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(path)
            client.sendall(b"hello 1\n")
            return client.recv(1) != b""
    except OSError:
        return False


def run_daemon(folder, store):
    """Starts it. It should end by itself; if it does not, its exit code is that of the kill."""
    path = os.path.join(store, "s")
    with open(os.path.join(store, "stderr"), "w+") as stderr:
        daemon = subprocess.Popen([REFEREE, "serve", "--store", store, "--socket", path, "--contain", "guarded"],
                                  cwd=folder, stdout=subprocess.DEVNULL, stderr=stderr)
        until(lambda: daemon.poll() is not None or answers(path), "the end or the start of the daemon")
        if daemon.poll() is None:
            daemon.kill()
        code = daemon.wait()
        stderr.seek(0)
        return subprocess.CompletedProcess([], code, "", stderr.read())


def check_ledgers(pool, folder):
    def serve(number):
        store = os.path.join(folder, f"ledger-{number}")
        os.mkdir(store)
        with open(os.path.join(store, "referee.lock"), "w"):
            pass
        with open(os.path.join(store, "ledger.ndjson"), "wb") as file:
            file.write(seal(LEDGERS[number]))
        what = f"serve: {json.dumps(LEDGERS[number][-1])[:200]}"
        return list(judge(what, run_daemon(folder, store)))

    for problems in pool.map(serve, range(len(LEDGERS))):
        yield from problems


def main():
    with tempfile.TemporaryDirectory(prefix="forged-") as folder, concurrent.futures.ThreadPoolExecutor(3) as pool:
        shop = Shop(folder)
        report("forged_members_of_records_get_a_sentence", check_books(pool, shop))
        report("forged_orders_of_records_get_a_sentence", check_orders(pool, shop))
        report("whatever_is_forged_crashes_nobody", check_anything(pool, shop))
        report("a_forged_comparison_gets_a_sentence", check_compare(pool, shop))
        report("a_forged_ledger_gets_a_sentence", check_ledgers(pool, folder))


if __name__ == "__main__":
    main()
