#!/usr/bin/env python3
"""A course: 40 users submit 60 versions of bots, some broken and some hostile, while a ladder is running. One user wants
all slots for a tournament that takes for ever, another one with bots that only sleep. Every honest job is finished
within twice its fair share of the slots, the ladder ranks known bots rightly, and nobody reads what belongs to others.

Shares are counted in the daemon's own books, in time on slots, so the load of the machine does not matter.
CLASS says how many jobs each honest user submits."""

import base64
import http.client
import json
import os
import tempfile
import time

from concurrent.futures import ThreadPoolExecutor
from daemon import (BUILD, GREEDY, IS_SANITIZED, RANDOM, Client, Daemon, Refused, become_reaper, report, sanitizer_words,
                    until)
from patience import SECONDS

JOBS = int(os.environ.get("CLASS", "1"))
USERS = [f"user{number:02}" for number in range(1, 41)]
SLOTS = 2
TURN_S = 6  # how long others may have a slot before it is somebody's turn: five seconds, and a tick
STARTER = os.path.join(BUILD, "bots", "c")
RULES = {"rounds": 1, "turn_limit": 12}
SETTINGS = {"check_seconds": 0, "submit_ms": 60000, "start_ms": 20000, "move_ms": 20000, "matches": 12000, "jobs": 8}

BROKEN = [
    ("#!/bin/sh\nexit 1\n", ""),
    ("#!/usr/bin/python3\nprint('hello broken'\n", ""),
    ("int main( {}\n", " build=\"cc -o bot bot.sh\""),
    ("#!/nowhere/interpreter\n", ""),
]
HOSTILE = [
    "#!/bin/sh\necho hello flood\nread a\nread a\nyes\n",
    "#!/bin/sh\necho hello deaf\nexec sleep 100000\n",
    "#!/bin/sh\necho hello forks\nwhile read line; do (sleep 100000 &) ; done\n",
    "#!/bin/sh\necho hello loud\nwhile read line; do echo SECRET-OF-LOUD >&2; echo 0 nonsense; done\n",
]
KNOWN = {"user01": ("good", GREEDY), "user02": ("plain", STARTER), "user03": ("weak", RANDOM)}


def kind_of(user):
    number = int(user[4:])
    return "greedy" if number >= 39 else "broken" if number % 10 == 4 else "hostile" if number % 10 == 7 else "honest"


def honest_users():
    return [user for user in USERS if kind_of(user) == "honest"]


class Course:
    def __init__(self, folder):
        os.makedirs(folder)
        with open(os.path.join(folder, "settings.json"), "w", encoding="ascii") as file:
            json.dump(SETTINGS, file)
        with open(os.path.join(folder, "ladder.json"), "w", encoding="ascii") as file:
            json.dump({"name": "course", "seats": 2, "deals": 4, "enough": 8, "luck": False, "start_ms": 20000,
                       "move_ms": 20000, "rules": {"rounds": 1}}, file)
        self.daemon = Daemon(folder, "--workers", str(SLOTS), "--settings", os.path.join(folder, "settings.json"),
                             "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--ladder", os.path.join(folder, "ladder.json"))
        self.tokens = {user: self.daemon.add_user(user) for user in USERS}
        self.programs = {}
        for path in (GREEDY, RANDOM, STARTER):
            with open(path, "rb") as file:
                self.programs[path] = file.read()

    def user(self, name):
        return Client(self.daemon.tcp(), token=self.tokens[name])


def submit_bots(course, user):
    """Two versions of every second user, one of the others. Returns what is wrong."""
    kind = kind_of(user)
    number = int(user[4:])
    with course.user(user) as client:
        for version in range(2 if number % 2 == 0 else 1):
            try:
                if user in KNOWN:
                    name, path = KNOWN[user]
                    client.submit_file(name, course.programs[path], file="bot")
                elif kind == "broken":
                    text, more = BROKEN[(number // 10 + version) % len(BROKEN)]
                    client.submit_file(f"bot{number}", text, more=more)
                elif kind == "hostile":
                    client.submit_file(f"bot{number}", HOSTILE[number // 10 % len(HOSTILE)])
                elif user == "user40":
                    client.submit_file("sleeper", HOSTILE[1])
                else:
                    client.submit_file(f"bot{number}", course.programs[STARTER], file="bot")
            except Refused as refused:
                if kind == "honest":
                    return [f"the bot of {user}: {refused}"]
    return []


def bot_of(user):
    return KNOWN[user][0] if user in KNOWN else f"bot{int(user[4:])}"


def want_everything(course):
    """The two who are greedy for slots. Asking for more than the caps is refused with the cap."""
    config = {"bots": ["bot39", "plain"], "deals": 12000, "rules": RULES, "luck": False, "name": "everything"}
    with course.user("user39") as client:
        for _ in range(3):
            text = json.dumps(config).encode()
            client.ask(f"tournament bytes={len(text)}", text)
        text = json.dumps({**config, "deals": 12001}).encode()
        try:
            client.ask(f"tournament bytes={len(text)}", text)
            yield "a tournament above the cap is accepted"
        except Refused as refused:
            if "12000" not in str(refused) or "matches" not in str(refused):
                yield f"the cap is not in {refused}"
    with course.user("user40") as client:
        try:
            client.ask("match sleeper plain start_ms=86400000")
            yield "a start of a day is accepted"
        except Refused as refused:
            if "20000" not in str(refused) or "start_ms" not in str(refused):
                yield f"the cap is not in {refused}"
        for _ in range(4):
            client.ask("match sleeper sleeper start_ms=20000 move_ms=20000")


class Ledger:
    """When jobs were submitted and over, by the events, and how many users had some at a time."""

    def __init__(self, course):
        self.client = course.daemon.client()
        self.client.ask("watch")
        self.begun, self.ended, self.user = {}, {}, {}
        self.changes = []  # (time, users that have jobs which are not over)

    def active(self):
        return {self.user[job] for job in self.begun if job not in self.ended}

    def read(self):
        words = self.client.next_event().split(" ", 4)
        job, what, now = int(words[1]), words[2], time.monotonic()
        if what == "queued":
            self.begun[job], self.user[job] = now, words[3]
        elif what == "over":
            self.ended[job] = now
        else:
            return
        self.changes.append((now, len(self.active())))

    def fair_share(self, job):
        """The time on slots that its user would have had while it was not over, if all had shared equally."""
        start, end = self.begun[job], self.ended.get(job, time.monotonic())
        sum_s, at, count = 0.0, start, 1
        for now, active in self.changes + [(end, 1)]:
            if now > at:
                sum_s += (min(now, end) - at) * min(SLOTS, SLOTS / max(count, 1))
                at = min(now, end)
            count = active
            if now >= end:
                break
        return sum_s


def play_honest_jobs(course, ledger):
    """Every honest user plays some deals against a known bot. Returns what is wrong with their shares of the slots,
    as soon as that can be seen: a job that never gets one would not end."""
    jobs = set()
    for user in honest_users():
        with course.user(user) as client:
            for _ in range(JOBS):
                text = json.dumps({"bots": [{"name": "own", "bot": bot_of(user)}, {"name": "other", "bot": "plain"}],
                                   "deals": 4, "rules": RULES, "luck": False}).encode()
                jobs.add(int(client.pairs(f"tournament bytes={len(text)}", text)["job"]))
    owner = course.daemon.client()
    looked = time.monotonic()
    while not jobs <= ledger.ended.keys():
        ledger.read()
        if time.monotonic() > looked + 5:
            looked = time.monotonic()
            starved = [why for job in sorted(jobs - ledger.ended.keys()) if (why := check_share(owner, ledger, job))]
            if starved:
                return starved
    return [why for job in sorted(jobs) if (why := check_share(owner, ledger, job, ("done",)))]


def check_share(owner, ledger, job, states=("queued", "playing", "done")):
    """What is wrong with a job that is over, or that still waits for its share; else nothing."""
    status = owner.pairs(f"status {job}")
    if status["state"] not in states:
        return f"an honest job: {status}"
    used_s, fair_s = int(status["slot_ms"]) / 1000, ledger.fair_share(job)
    # What it waited in vain: until the turns before its own were over.
    waited_s = TURN_S * SLOTS / 2
    if used_s * 2 + waited_s < fair_s:
        return f"job {job} of {status['user']} had {used_s:.1f} s of a fair {fair_s:.1f} s"
    return None


def check_ladder(course):
    def rows():
        with course.daemon.client() as owner:
            return {line.split()[1]: (line.split()[0], dict(pair.split("=") for pair in line.split()[4:]))
                    for line in owner.ask("ladder course").splitlines()}

    def is_played():
        found = rows()
        names = [bot_of(user) for user in honest_users()]
        return all(name in found and int(found[name][1]["deals"]) >= 8 and found[name][1]["rating"] != "-"
                   for name in names) and found

    found = until(is_played, "all honest bots have played enough in the ladder")
    if IS_SANITIZED:
        return
    rating = {name: float(found[name][1]["rating"]) for name in ("good", "plain", "weak")}
    ranks = {name: [int(rank) for rank in found[name][0].split("-")] for name in rating}
    if not min(rating["good"], rating["plain"]) > rating["weak"]:
        yield f"the order is wrong: {rating}"
    # After a few deals the better one of two may be behind by chance. But then the ladder must not be sure of it.
    if ranks["good"][0] > ranks["plain"][-1]:
        yield f"the possible ranks are wrong: {ranks}, {rating}"
    broken = [name for name in found if name in {f"bot{int(user[4:])}" for user in USERS if kind_of(user) == "broken"}
              and found[name][1]["rating"] != "-"]
    if broken:
        yield f"bots that cannot start have ratings: {broken}"


def check_privacy(course):
    """The stderr of a hostile bot is its author's, and its files are nobody's."""
    with course.daemon.client() as owner:
        job = owner.pairs("match bot37 plain rounds=1")["job"]
        until(lambda: owner.pairs(f"status {job}")["state"] not in ("queued", "playing"), "the match of loud")
    paths = (f"/stderr/{job}/1.1/bot37", f"/log/{job}/1.1", f"/view/{job}/1.1", "/bots/bot37", f"/report/{job}", f"/jobs/{job}")
    for user, may_read in (("user37", True), ("user01", False), ("user04", False)):
        said = ""
        headers = {"Authorization": "Basic " + base64.b64encode(f"{user}:{course.tokens[user]}".encode()).decode()}
        for path in paths:
            connection = http.client.HTTPConnection(*course.daemon.http(), timeout=SECONDS)
            connection.request("GET", path, headers=headers)
            said += connection.getresponse().read().decode(errors="replace")
            connection.close()
        with course.user(user) as client:
            for request in (f"stderr {job} 1.1 bot37", f"log {job} 1.1", f"result {job} format=html", "output bot37"):
                try:
                    said += client.ask(request)
                except Refused:
                    pass
        if ("SECRET-OF-LOUD" in said) != may_read:
            yield f"{user} {'reads' if not may_read else 'does not read'} the stderr of bot37"
        if any(token in said for token in course.tokens.values()):
            yield f"{user} reads a token"


def check_course(folder):
    course = Course(folder)
    course.daemon.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            for problems in pool.map(lambda user: submit_bots(course, user), USERS):
                yield from problems
        ledger = Ledger(course)
        yield from want_everything(course)
        starved = play_honest_jobs(course, ledger)
        if starved:
            yield from starved
            return
        yield from check_privacy(course)
        for user in ("user39", "user40"):
            with course.user(user) as client:
                for number in client.queue(user=user):
                    client.ask(f"cancel {number}")
        with course.daemon.client() as owner:
            for name in ("sleeper", "bot17", "bot27"):
                owner.ask(f'disqualify {name} why="it only sleeps"')
        yield from check_ladder(course)
        yield from sanitizer_words(course.daemon)
    finally:
        course.daemon.stop()
        course.daemon.end()


def main():
    become_reaper()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        report("a class of 40 shares a daemon with greedy, broken and hostile users", check_course(os.path.join(folder, "course")))


if __name__ == "__main__":
    main()
