#!/usr/bin/env python3
"""What a daemon allows to others than its owner, and what they cannot do to each other: a real daemon with a
settings file, users with tokens and a guest."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

from patience import SECONDS
from daemon import GREEDY, REFEREE, SHORT, SLOW, Client, Daemon, NoDaemon, Refused, report, sanitizer_words, until

BOTS = ("alice", "bob")
QUICK = "rounds=1 set=turn_limit=6"


class Place:
    """A daemon with a settings file, a guest and two users."""

    def __init__(self, folder, settings, *options):
        self.settings = os.path.join(folder, "settings.json")
        os.makedirs(folder)
        self.write(settings)
        self.daemon = Daemon(folder, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--settings", self.settings,
                             *options)
        self.tokens = {name: self.daemon.add_user(name) for name in BOTS}
        self.daemon.start()

    def write(self, settings):
        with open(self.settings, "w") as file:
            file.write(settings if isinstance(settings, str) else json.dumps(settings))

    def reload(self, settings):
        """New settings for the daemon that runs. Returns what it says about them."""
        before = len(self.daemon.words())
        self.write(settings)
        self.daemon.process.send_signal(signal.SIGHUP)
        until(lambda: "settings" in self.daemon.words()[before:], "the settings are read again")
        return self.daemon.words()[before:]

    def restart(self):
        self.daemon.stop()
        self.daemon.start()

    def owner(self):
        return self.daemon.client()

    def guest(self):
        return Client(self.daemon.tcp())

    def user(self, name):
        return Client(self.daemon.tcp(), token=self.tokens[name])

    def get(self, path):
        """The status and the body of a page."""
        url = "http://{}:{}{}".format(*self.daemon.http(), path)
        try:
            with urllib.request.urlopen(url, timeout=SECONDS) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


@contextlib.contextmanager
def running(folder, settings, *options):
    place = Place(folder, settings, *options)
    try:
        yield place
    finally:
        place.daemon.end()


def refusal(client, line, block=b""):
    """What the daemon says to a request; nothing if it takes it."""
    try:
        client.ask(line, block)
    except Refused as refused:
        return f"{refused.code} {refused.words}"
    return None


def tournament(client, config):
    text = json.dumps(config).encode()
    return refusal(client, f"tournament bytes={len(text)}", text)


def wait_end(client, number):
    """How a job has ended."""
    return until(lambda: (found := client.pairs(f"status {number}"))["state"] not in ("queued", "playing") and found,
                 f"the end of job {number}")


# Caps.

CAPS = {"start_ms": 5000, "move_ms": 400, "bank_ms": 0, "memory_mb": 200, "matches": 12, "bots": 3, "tables": 2,
        "versions": 3, "jobs": 4, "jobs_per_day": 5}


def too_much(key, asked, most, code="value"):
    return f"{code} {key} is {asked}, and this daemon allows at most {most}"


def check_caps(folder):
    with running(folder, CAPS, "--workers", "1") as place, place.owner() as owner, place.guest() as guest, place.user("bob") as bob:
        owner.ask(f"submit g command={GREEDY}")
        fine = "start_ms=5000 move_ms=400 " + QUICK
        for words, expected in (("start_ms=5001 move_ms=1", too_much("start_ms", 5001, 5000)),
                                ("start_ms=1 move_ms=86400000", too_much("move_ms", 86400000, 400)),
                                ("start_ms=1", too_much("move_ms", 1000, 400)),  # its default
                                ("start_ms=1 move_ms=1 bank_ms=1", too_much("bank_ms", 1, 0)),
                                (fine + " deals=13", too_much("the number of matches", 13, 12)),
                                (fine + " deals=7 seatings=all", too_much("the number of matches", 14, 12))):
            if (said := refusal(guest, f"match g g {words}")) != expected:
                yield f"{words}: {said}"
            if refusal(owner, f"match g g {words} title=own") is not None:
                yield f"the owner may not ask for {words}"
        base = {"start_ms": 5000, "move_ms": 400, "deals": 1, "seats": 2, "seatings": "single"}
        named = [{"name": f"g{i}", "bot": "g"} for i in range(4)]
        for config, expected in (({"bots": named}, too_much("the number of bots", 4, 3)),
                                 ({"bots": named[:2], "tables": 3}, too_much("tables", 3, 2)),
                                 ({"bots": [{**named[0], "memory_mb": 201}, named[1]]},
                                  too_much("bot g0: memory_mb", 201, 200))):
            if (said := tournament(guest, {**base, **config})) != expected:
                yield f"{config}: {said}"
            if tournament(owner, {**base, **config}) is not None:
                yield f"the owner may not ask for {config}"
        for number in owner.queue(user="owner"):
            owner.ask(f"cancel {number}")
        yield from check_counts(place, owner, bob, fine)


def check_counts(place, owner, bob, fine):
    """What one user may have. A match of the owner occupies the only slot meanwhile."""
    owner.submit_file("still", "#!/bin/sh\nsleep 100000\n")
    still = owner.pairs("match still still start_ms=86400000")["job"]
    if (said := refusal(bob, "submit b file=a memory_mb=201 bytes=1", b"x")) != too_much("memory_mb", 201, 200):
        yield f"memory of a bot: {said}"
    for _ in range(3):
        bob.submit_file("b", "#!/bin/sh\nsleep 1000\n")
    if (said := refusal(bob, "submit c file=a bytes=1", b"x")) != (
            "too_many bob has submitted 3 versions of bots, and this daemon allows at most 3 (versions)"):
        yield f"versions: {said}"
    jobs = [int(bob.pairs(f"match g g {fine}")["job"]) for _ in range(4)]
    if (said := refusal(bob, f"match g g {fine}")) != (
            "too_many bob has 4 jobs in the queue, and this daemon allows at most 4 (jobs)"):
        yield f"jobs: {said}"
    for number in jobs:
        bob.ask(f"cancel {number}")
    if (said := refusal(bob, f"match g g {fine}")) is not None:
        yield f"after they are over: {said}"
    if (said := refusal(bob, f"match g g {fine}")) != (
            "too_many bob has submitted 5 jobs in 24 hours, and this daemon allows at most 5 (jobs_per_day)"):
        yield f"jobs per day: {said}"
    with place.guest() as guest:
        if refusal(guest, f"match g g {fine}") is not None:
            yield "another user has no share any more"
    owner.ask(f"cancel {still}")


def check_sandbox_level(folder):
    """Others may not choose a weaker sandbox for somebody's bot."""
    with running(folder, {}, "--contain", "sealed") as place, place.owner() as owner, place.guest() as guest:
        owner.ask(f"submit g command={GREEDY}")
        config = {"bots": ["g", {"name": "h", "bot": "g"}], "deals": 1, "contain": "guarded"}
        if tournament(guest, config) != "value contain is guarded, and this daemon allows nothing below sealed":
            yield f"{tournament(guest, config)}"
        if tournament(owner, config) is not None:
            yield f"the owner may not: {tournament(owner, config)}"


def check_reload(folder):
    with running(folder, "{}") as place, place.owner() as owner, place.guest() as guest:
        owner.ask(f"submit g command={GREEDY}")
        if refusal(guest, f"match g g {SHORT}") is not None:
            yield "the defaults allow too little"
        said = place.reload('{"move_ms": 300 /* from today on */}')
        if "settings: reloaded" not in said:
            yield said
        if refusal(guest, f"match g g {SHORT}") != too_much("move_ms", 60000, 300):
            yield f"after reloading: {refusal(guest, f'match g g {SHORT}')}"
        for wrong, words in (('{"move_ms": 0}', "line 1, column 13: move_ms takes a number from 1 to 86400000"),
                             ('{"mov_ms": 1}', 'there is no key "mov_ms"; did you mean "move_ms"?'), ("{", "line 1")):
            said = place.reload(wrong)
            if "the settings are unchanged: " not in said or words not in said:
                yield f"{wrong}: {said}"
            if refusal(guest, f"match g g {SHORT}") != too_much("move_ms", 60000, 300):
                yield f"{wrong} changes something"
        place.daemon.stop()
        with contextlib.suppress(NoDaemon):
            place.daemon.start()
            yield "it starts with wrong settings"
        if "settings.json, line 1" not in place.daemon.words():
            yield f"it does not say why: {place.daemon.words()}"


def check_documents(folder):
    """`--keys` and the page of the daemon's protocol have the same list."""
    said = subprocess.run([REFEREE, "serve", "--keys"], capture_output=True, text=True, timeout=SECONDS).stdout
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "..", "..", "referee", "serve", "protocol.md")) as file:
        section = file.read().split("\n### Settings\n")[1].split("\n### ")[0]
    shown = re.findall(r"^(\w+)\n    (.*); a number from \d+ to \d+, default: (\d+)$", said, re.M)
    written = re.findall(r"^\| `(\w+)` \| (\d+) \| (.*) \|$", section, re.M)
    if not shown or shown != [(key, meaning, default) for key, default, meaning in written]:
        yield f"{shown} and {written}"


# Figures.


def figures(place, name):
    """The figures of a bot by all ways to ask for them: matches and faults."""
    with place.guest() as guest:
        line = dict(word.split("=") for word in guest.ask(f"bots {name}").split() if "=" in word)
    bot = next(bot for bot in json.loads(place.get("/api/bots")[1])["bots"] if bot["name"] == name)
    by_line, by_page = (int(line["matches"]), int(line["faults"])), (bot["matches"], sum(bot["faults"].values()))
    return by_line if by_line == by_page else (by_line, by_page)


def check_figures(folder):
    """A match with a millisecond to start makes every bot late, and spoils nobody else's record."""
    with running(folder, {}, "--workers", "1") as place:
        with place.owner() as owner, place.user("alice") as alice, place.user("bob") as bob:
            owner.ask(f"submit g command={GREEDY}")
            alice.submit_file("hers", "#!/bin/sh\nsleep 1000\n")
            bob.submit_file("his", "#!/bin/sh\nsleep 1000\n")
            for client, hers, his in ((bob, 0, 1), (alice, 1, 1), (owner, 2, 2)):
                number = client.pairs(f"match hers his g rounds=1 start_ms=1 move_ms=1")["job"]
                if (state := wait_end(client, number))["state"] != "done":
                    yield f"{state}"
                for name, matches in (("hers", hers), ("his", his), ("g", 1 if client is owner else 0)):
                    found = figures(place, name)
                    if found[0] != matches or (name != "g" and found[1] != matches):
                        yield f"{name} after the job of {state['user']}: {found}"
        with place.guest() as guest:
            wait_end(guest, guest.pairs("match hers his rounds=1 start_ms=1")["job"])
        before = [figures(place, name) for name in ("hers", "his", "g")]
        place.restart()
        after = [figures(place, name) for name in ("hers", "his", "g")]
        if before != after or before[0] != (2, 2):
            yield f"{before}, and after a restart {after}"


# Jobs that name programs.


def check_programs(folder):
    """The owner may name programs in a job: they are in no list of bots, whoever asks, also after a restart."""
    with running(folder, {}, "--workers", "1") as place:
        own = [{"name": "own", "command": GREEDY}, {"name": "too", "command": GREEDY}]
        with place.owner() as owner:
            owner.ask(f"submit g command={GREEDY}")
            for bots in (own, [own[0], {"name": "known", "bot": "g"}], ["g", own[1]], [GREEDY, own[1]]):
                text = json.dumps({"bots": bots, "deals": 1, "seatings": "single", "start_ms": 60000, "move_ms": 60000,
                                   "rules": {"rounds": 1, "turn_limit": 6}}).encode()
                number = int(owner.pairs(f"tournament bytes={len(text)}", text)["job"])
                yield from ask_everything(place, owner, number)
                if (state := wait_end(owner, number))["state"] != "done":
                    yield f"{bots}: {state}"
                yield from ask_everything(place, owner, number)
        place.restart()
        with place.owner() as owner:
            for number in (1, 2, 3, 4):
                yield from ask_everything(place, owner, number)
            text = json.dumps({"bots": own, "deals": 100000}).encode()
            owner.ask(f"tournament bytes={len(text)}", text)
        # One that was not over.
        place.restart()
        with place.owner() as owner:
            yield from ask_everything(place, owner, 5)
            owner.ask("cancel 5")
            wait_end(owner, 5)
            yield from ask_everything(place, owner, 5)
        place.restart()
        with place.owner() as owner:
            yield from ask_everything(place, owner, 5)
        yield from sanitizer_words(place.daemon)


def ask_everything(place, owner, number):
    """Every page and request about a job: each is answered, and the daemon is still there."""
    for path in ("/", "/bots", f"/jobs/{number}", f"/report/{number}", f"/view/{number}/1.1", f"/log/{number}/1.1",
                 "/api/status", "/api/jobs", "/api/bots", f"/api/jobs/{number}",
                 *(f"/api/jobs/{number}/{name}" for name in ("standings", "table", "cross", "matches", "text"))):
        status, body = place.get(path)
        if status not in (200, 204, 404):
            yield f"{path}: {status} {body}"
        if path == f"/api/jobs/{number}" and [set(bot) for bot in json.loads(body)["bots"] if bot["name"] == "own"] not in (
                [], [{"name"}]):
            yield f"{path}: {body}"
    for line in (f"status {number}", "status", "queue", "queue all=yes", "bots", "bots g", "bots own", f"watch {number}",
                 "watch off", f"result {number}", f"result {number} format=json", f"log {number} 1.1"):
        refusal(owner, line)
    owner.events.clear()
    owner.pairs("status")


# Slots.


def check_turns(folder):
    """On one slot, a match that lasts is held while others have their turn, and continues after it."""
    slow = SLOW.replace("SECONDS", "0.5")
    with running(folder, {}, "--workers", "1") as place, place.user("alice") as alice, place.user("bob") as bob:
        alice.submit_file("slow", slow)
        with place.owner() as owner:
            owner.ask(f"submit g command={GREEDY}")
        lasting = alice.pairs(f"match slow slow {SHORT}")["job"]
        bob.ask("watch")
        quick = bob.pairs(f"match g g {SHORT} deals=3")["job"]
        bob.wait_event(f"{quick} over done")
        if (state := bob.pairs(f"status {lasting}"))["state"] != "playing":
            yield f"the match that lasts: {state}"
        bob.wait_event(f"{lasting} over done")
        log = os.path.join(folder, "log.ndjson")
        with open(log, "w") as file:
            file.write(bob.ask(f"log {lasting} 1.1"))
        if (said := subprocess.run([REFEREE, "replay", "--verify", log], capture_output=True, text=True)).returncode != 0:
            yield said.stderr
        if any(json.loads(line).get("kind") == "fault" for line in open(log)):
            yield "a bot was at fault"


def check_disk(folder):
    """Uploads, jobs and logs of a user count, and a job that writes too much is stopped."""
    with running(folder, {"disk_mb": 1}, "--workers", "1") as place, place.owner() as owner, place.user("bob") as bob:
        owner.ask(f"submit g command={GREEDY}")
        big = b"#!/bin/sh\n" + b"#" * (1 << 20)
        words = "would have 2 MB of bots, builds, jobs and logs, and this daemon allows at most 1 (disk_mb); " \
                "`prune JOB` deletes logs, `remove BOT` a bot"
        if (said := refusal(bob, f"submit big file=bot.sh bytes={len(big)}", big)) != f"too_many bob {words}":
            yield f"an upload: {said}"
        number = bob.pairs("match g g deals=2000 start_ms=60000 move_ms=60000")["job"]
        if (state := wait_end(bob, number))["state"] != "failed" or f"bob {words}" not in state["message"]:
            yield f"a job: {state}"
        place.restart()
        with place.user("bob") as bob:
            if (said := refusal(bob, "match g g")) is None or "disk_mb" not in said:
                yield f"after it: {said}"
            if int(bob.pairs(f"prune {number}")["freed"]) < 1 << 19 or (said := refusal(bob, "match g g")) is not None:
                yield f"after its logs are deleted: {said}"
            wait_end(bob, str(int(number) + 1))
        place.restart()
        with place.user("bob") as bob:
            if (said := refusal(bob, "match g g")) is not None:
                yield f"after that and a restart: {said}"
        with place.owner() as owner:
            if refusal(owner, "match g g") is not None:
                yield "the owner may not"


# Builds.


def check_builds(folder):
    """A build that lasts holds up nobody else's; every build has an end, and a size."""
    bot = "#!/bin/sh\nexec true\n"
    with running(folder, {"submit_ms": 100}, "--workers", "2") as place, place.user("alice") as alice, place.user("bob") as bob:
        alice.submit_file("lasting", bot, "bot.sh", ' build="sleep 100000" command="sh bot.sh"')
        bob.submit_file("quick", bot, "bot.sh", ' build="echo built >done" command="sh bot.sh"')
        bob.ask("watch")
        lasting = alice.pairs(f"match lasting lasting {SHORT}")["job"]
        bob.wait_event(f"{lasting} playing")
        locks = os.path.join(place.daemon.store, "builds")
        until(lambda: os.path.isdir(locks) and os.listdir(locks), "the build of the first begins")
        quick = bob.pairs(f"match quick quick {SHORT}")["job"]
        if (state := wait_end(bob, quick))["state"] != "done":
            yield f"the quick one: {state}"
        if (state := bob.pairs(f"status {lasting}"))["state"] != "playing":
            yield f"the lasting one: {state}"
        alice.ask(f"cancel {lasting}")
        wait_end(alice, lasting)
        place.reload({"build_seconds": 1, "submit_ms": 100})
        yield from check_failure(bob, "late", "sleep 100000", "it took longer than 1 seconds")
        place.reload({})
        for name, build in (("sparse", "truncate -s 60M a; truncate -s 60M b"),
                            ("linked", "truncate -s 60M a; ln a b; ln a c")):
            yield from check_failure(bob, name, build, "the files in the end are larger than 64 MB")
        bob.submit_file("hole", bot, "bot.sh", ' build="truncate -s 60M a" command="sh bot.sh"')
        wait_end(bob, bob.pairs(f"match hole hole {SHORT}")["job"])
        yield from (f"{path} is on the disk" for path in files_below(locks) if os.stat(path).st_blocks * 512 > 1 << 20)


def sleepers(seconds):
    """The processes that sleep for so long."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                found += [pid] if file.read() == b"sleep\0%d\0" % seconds else []
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def check_cancelled_build(folder):
    """What a build of a job has started ends with it, and is not left to the daemon. A job builds programs that only
    its file names."""
    seconds = 100000 + os.getpid()
    build = " ".join([f"sleep {seconds} &"] * 3) + f" sleep {seconds}"
    with running(folder, {}, "--workers", "2") as place, place.daemon.client() as owner:
        source = os.path.join(folder, "source")
        os.mkdir(source)
        bots = [{"name": name, "command": "sh bot.sh", "folder": source, "build": build} for name in "ab"]
        text = json.dumps({"bots": bots, "seats": 2, "deals": 1}).encode()
        job = owner.pairs(f"tournament bytes={len(text)}", text)["job"]
        until(lambda: len(sleepers(seconds)) == 4, "four processes of the build")
        owner.ask(f"cancel {job}")
        wait_end(owner, job)
        try:
            until(lambda: not sleepers(seconds), "the end of the build's processes")
        except OSError as error:
            yield str(error)


def check_failure(client, name, build, words):
    client.submit_file(name, "#!/bin/sh\n", "bot.sh", f' build="{build}" command="sh bot.sh"')
    state = wait_end(client, client.pairs(f"match {name} {name} {SHORT}")["job"])
    if state["state"] != "failed" or words not in state["message"]:
        yield f"{name}: {state}"


def files_below(folder):
    return [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]


CHECKS = {
    "who_asks_for_too_much_is_told_what_is_allowed": check_caps,
    "nobody_chooses_a_weaker_sandbox": check_sandbox_level,
    "settings_are_read_again_and_mistakes_change_nothing": check_reload,
    "every_setting_is_documented": check_documents,
    "a_job_of_somebody_else_spoils_no_record": check_figures,
    "jobs_that_name_programs_are_shown_also_after_a_restart": check_programs,
    "a_match_that_lasts_keeps_nobody_waiting_and_is_not_lost": check_turns,
    "a_user_has_only_so_much_disk": check_disk,
    "a_build_holds_up_nobody_and_has_limits": check_builds,
    "nothing_of_a_cancelled_build_goes_on": check_cancelled_build,
}


def main():
    folder = tempfile.mkdtemp(prefix="serve-limits-")
    os.chmod(folder, 0o755)
    for name, check in CHECKS.items():
        report(name, check(os.path.join(folder, check.__name__)))
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
