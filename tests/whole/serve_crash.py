#!/usr/bin/env python3
"""Kills the daemon at random moments while clients submit bots and jobs, cancel some and resume others: afterwards
everything that it acknowledged is there once, and everything is played once. Then the other ways to end and to begin.

CRASH_KILLS says how often it is killed, CRASH_SEED (printed) when."""

import contextlib
import errno
import glob
import io
import json
import os
import random
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import tempfile
import threading
import time
import zipfile

from patience import SECONDS
from daemon import (BUILD, GREEDY, IS_SANITIZED, RANDOM, REFEREE, SHORT, SLOW, Client, Daemon, NoDaemon, Refused,
                    become_reaper, children, command_line, remains, report, sanitizer_words, until)

KILLS = int(os.environ.get("CRASH_KILLS", "4" if IS_SANITIZED else "8"))
SEED = os.environ.get("CRASH_SEED", "1")
CLIENTS = 3
LADDER_USER = "ladder:club"
JOBS_AT_ONCE = 12  # in the queue, over which clients hand in bots only
LIBRARY = os.path.join(BUILD, "tests", "fail_nth.so")
LOST = (OSError, ConnectionError)


# Clients that continue whatever happens to the daemon.


class Giver(threading.Thread):
    """Submits bots and jobs, and knows what it has sent and what was acknowledged."""

    def __init__(self, daemon, number):
        super().__init__(daemon=True)
        self.server = daemon
        self.number = number
        self.chance = random.Random(f"{SEED} client {number}")
        self.sent = {}  # by the name of a bot or the title of a job: the bytes of the upload, or None
        self.acknowledged = {}  # of those: the reply
        self.archives = set()  # of those: the names of bots
        self.cancels = {}  # by the title of a job: whether its cancel was acknowledged
        self.problems = []
        self.has_given = threading.Event()
        self.is_over = threading.Event()

    def run(self):
        while not self.is_over.is_set():
            try:
                with self.server.client() as client:
                    while not self.is_over.is_set():
                        self.give(client)
                        time.sleep(self.chance.uniform(0, 0.15))
            except LOST:
                time.sleep(0.005)
            except Refused as refused:
                self.problems.append(f"refused: {refused}")

    def give(self, client):
        name = f"c{self.number}-{len(self.sent)}"
        kind = self.chance.choice(["bot", "upload", "build", "archive", "match", "match", "tournament", "change"])
        if kind == "change":
            self.change(client)
            return
        if kind in ("match", "tournament") and len(client.queue()) >= JOBS_AT_ONCE:
            kind = "upload"
        request, block = getattr(self, kind)(name)
        if kind == "archive":
            self.archives.add(name)
        self.sent[name] = block if kind in ("upload", "build") else None
        self.acknowledged[name] = client.ask(request, block)
        self.has_given.set()

    def change(self, client):
        """Cancels a job of its own, or resumes one that has failed."""
        mine = {number: job for number, job in client.queue(all="yes", limit=10000).items() if job[5] in self.sent}
        failed = [number for number, job in mine.items() if job[0] == "failed"]
        opened = [number for number, job in mine.items() if job[0] in ("queued", "playing")]
        if failed and self.chance.random() < 0.5:
            client.ask(f"resume {failed[0]}")
        elif opened:
            number = self.chance.choice(opened)
            self.cancels.setdefault(mine[number][5], False)
            if client.refusal(f"cancel {number}") is None:
                self.cancels[mine[number][5]] = True
                self.has_given.set()

    def bot(self, name):
        return f"submit {name} command={GREEDY}", b""

    def upload(self, name):
        block = f"#!/bin/sh\n# {name}\n".encode() + bytes(self.chance.randbytes(self.chance.choice([9, 9000, 90000])))
        return f"submit {name} file=bot.sh bytes={len(block)}", block

    def build(self, name):
        """One that takes a while."""
        block = f"#!/bin/sh\necho hello {name}\nwhile read -r line; do :; done\n".encode()
        return f'submit {name} file=bot.sh bytes={len(block)} build="sleep 0.{self.chance.randrange(5)}; echo {name}"', block

    def archive(self, name):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as file:
            file.writestr(f"{name}/bot.sh", f"#!/bin/sh\necho hello {name}\nwhile read -r line; do :; done\n")
            file.writestr(f"{name}/data", self.chance.randbytes(self.chance.choice([9, 200000])))
        block = made.getvalue()
        return f"submit {name} file=bot.zip command=./bot.sh bytes={len(block)}", block

    def match(self, name):
        players = self.chance.choice(["g r", "r g", "g up"])
        return f"match {players} title={name} {SHORT}", b""

    def tournament(self, name):
        block = json.dumps(cup(name)).encode()
        return f"tournament bytes={len(block)}", block


def cup(name):
    return {"name": name, "bots": ["g", "r"], "seats": 2, "deals": 1, "seatings": "all", "start_ms": 60000, "move_ms": 60000,
            "rules": {"rounds": 1, "turn_limit": 6}}


# What must be there.


def listed_bots(client):
    """The newest versions, by name: version and matches."""
    found = {}
    for line in client.ask("bots").splitlines():
        name, version, *rest = line.split()
        found[name] = (int(version), int(re.search(r"matches=(\d+)", line)[1]))
    return found


def cancelled_jobs(givers):
    return {name for giver in givers for name, was_heard in list(giver.cancels.items()) if was_heard}


def check_ledger(client, givers, cancelled):
    """Everything that was acknowledged, once; and nothing that nobody sent. Jobs that were cancelled do not come
    back with another daemon."""
    acknowledged = [(name, reply) for giver in givers for name, reply in list(giver.acknowledged.items())]
    bots = listed_bots(client)
    jobs = [job for job in client.queue(all="yes", limit=10000).values() if job[1] != LADDER_USER]
    titles = [job[5] for job in jobs]
    sent = {name for giver in givers for name in list(giver.sent)} | {"g", "r", "up"}
    for name, reply in acknowledged:
        if reply.startswith("bot=") and bots.get(name, (0,))[0] != 1:
            yield f"the bot {name} was acknowledged, and its version is {bots.get(name)}"
        if reply.startswith("job=") and titles.count(name) != 1:
            yield f"the job {name} was acknowledged, and is there {titles.count(name)} times"
    yield from (f"the job {job[5]} was cancelled, and is {job[0]}" for job in jobs
                if job[5] in cancelled and job[0] != "cancelled")
    yield from (f"{name} occurs twice" for name in set(titles) if titles.count(name) > 1)
    yield from (f"nobody sent {name}" for name in (set(bots) | set(titles)) - sent)


def check_uploads(daemon, client, givers):
    bots = listed_bots(client)
    for giver in givers:
        for name, block in giver.sent.items():
            if block is None or name not in bots:
                continue
            with open(os.path.join(daemon.store, "bots", name, "1", "bot.sh"), "rb") as file:
                if file.read() != block:
                    yield f"the upload of {name} is not what was sent"


def check_trials(client, givers):
    """Whatever was killed, in the end each version was tried, with the result that it deserves."""
    until(lambda: "hello=waiting" not in client.ask("bots"), "the end of all trials")
    lines = {line.split()[0]: line for line in client.ask("bots").splitlines()}
    for giver in givers:
        for name, block in giver.sent.items():
            is_built = block is not None and b"echo hello" in block
            if not is_built or name not in lines:
                continue
            if "build=ok hello=ok" not in lines[name] or client.ask(f"output {name} of=build") != f"{name}\n":
                yield f"{lines[name]}: {client.ask(f'output {name} of=build')}"
            reply = giver.acknowledged.get(name)
            if reply is not None and "build=ok hello=ok" not in reply and "waiting" not in reply:
                yield f"{name} got {reply}"


def check_archives(daemon, client, givers):
    """Those that were acknowledged are unpacked, and nothing else is left of them."""
    lines = {line.split()[0]: line for line in client.ask("bots").splitlines()}
    for name in (name for giver in givers for name in giver.archives if name in giver.acknowledged):
        if "hello=ok" not in lines.get(name, ""):
            yield f"{name}: {lines.get(name)}"
        if sorted(os.listdir(os.path.join(daemon.store, "bots", name, "1"))) != ["bot.sh", "data"]:
            yield f"{name} is not unpacked"
    left = os.path.join(daemon.store, "unpacking")
    if os.path.isdir(left) and os.listdir(left):
        yield f"something is left of archives: {os.listdir(left)}"


def read_results(store):
    if not os.path.exists(os.path.join(store, "results.ndjson")):
        return []
    with open(os.path.join(store, "results.ndjson"), "rb") as file:
        return [record for record in map(json.loads, file) if "block" in record]


def add_matches(played, folder, count):
    """For each bot of a job, if it was ever started."""
    if not os.path.exists(os.path.join(folder, "config.json")):
        return
    with open(os.path.join(folder, "config.json")) as file:
        for bot in json.load(file)["bots"]:
            played[bot["name"]] = played.get(bot["name"], 0) + count


def check_jobs(daemon, client, asked):
    """Each match is played, once, and its log is whole; and the scores of bots are from just these. A job that is
    `asked` to be cancelled may have been: then what is decided stays, and it counts if its process could say so."""
    played = {}
    cancelled = {}
    logs = []
    for number, (state, _, _, decided, matches, title) in client.queue(all="yes", limit=10000).items():
        store = os.path.join(daemon.store, "jobs", str(number), "store")
        if state == "cancelled" and title in asked:
            add_matches(cancelled, os.path.dirname(store), len(read_results(store)))
            continue
        results = read_results(store)
        places = [(record["block"], record["rotation"]) for record in results]
        mine = glob.glob(os.path.join(store, "logs", "*", "??.ndjson.zst"))
        if state != "done":
            yield f"job {number} ({title}) is {state}: {client.ask(f'status {number}')}"
        if decided != matches or matches not in (1, 2) or len(results) != matches or len(mine) != matches:
            yield f"job {number}: {decided} of {matches} matches, {len(results)} results, {len(mine)} logs"
        if len(set(places)) != len(places):
            yield f"job {number}: a result occurs twice: {places}"
        if os.listdir(os.path.join(store, "open")):
            yield f"job {number} has matches that are not over"
        add_matches(played, os.path.dirname(store), len(results))
        logs += mine
    for name, (_, matches) in listed_bots(client).items():
        if not 0 <= matches - played.get(name, 0) <= cancelled.get(name, 0):
            yield f"{name} has played {played.get(name, 0)} matches, and {matches} are counted"
    yield from verify(logs)


def check_ladder(client):
    """Every match of a table is in the ladder, once."""
    tables = [job for job in client.queue(all="yes", limit=10000).values() if job[1] == LADDER_USER]
    rows = [dict(pair.split("=") for pair in line.split()[4:]) for line in client.ask("ladder club all=yes").splitlines()]
    counted, played = sum(int(row["matches"]) for row in rows), 2 * sum(job[3] for job in tables)
    if not tables:
        yield "the ladder has played nothing"
    if counted != played:
        yield f"the ladder has {counted} places, and its tables {played}: {rows}"


def verify(logs):
    done = subprocess.run([REFEREE, "replay", "--verify", *logs], capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        yield f"a log does not verify: {done.stdout[-300:]} {done.stderr[-500:]}"


def check_twice(daemon):
    """No job has two processes of one daemon."""
    configs = [line[-1] for line in map(command_line, children(daemon.pid)) if line[1:2] == ["tournament"]]
    yield from (f"{config} is played twice at once" for config in set(configs) if configs.count(config) > 1)


# The kills.


def is_unborn(pid):
    """Bubblewrap's first process in its own world waits for the one that made it, and for ever if that was
    killed. It has run nothing of a bot's, and is ended before its user is lent again."""
    try:
        with open(f"/proc/{pid}/status") as file:
            is_first = re.search(r"^NSpid:.*\t1$", file.read(), re.M)
    except OSError:
        return False
    return is_first and command_line(pid)[:1] == ["bwrap"] and not children(pid)


def reap_remains():
    for pid, *line in remains(1):
        if is_unborn(pid):
            os.kill(pid, signal.SIGKILL)
    yield from (f"process {pid} is left over: {line}" for pid, *line in remains())


def kill_players(daemon, chance):
    """Jobs whose processes are killed again and again fail, and have to be resumed."""
    for pid in children(daemon.pid):
        if chance.random() < 0.05 and command_line(pid)[1:2] == ["tournament"]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def kill_once(daemon, givers, chance):
    """Lets it run for a while, kills it and starts it again."""
    moment = time.monotonic() + chance.choice([0.02, 0.3, 1.2]) * chance.random()
    while time.monotonic() < moment:
        yield from check_twice(daemon)
        kill_players(daemon, chance)
        time.sleep(0.01)
    if chance.random() < 0.6:  # just when something has been acknowledged
        giver = chance.choice(givers)
        giver.has_given.clear()
        giver.has_given.wait(5)
    daemon.kill()
    cancelled = cancelled_jobs(givers)
    if chance.random() < 0.5:
        yield from reap_remains()
    daemon.launch()
    if chance.random() < 0.2:  # before it is even ready
        time.sleep(chance.uniform(0, 0.05))
        daemon.kill()
        daemon.launch()
    daemon.wait_ready()
    with daemon.client() as client:
        yield from check_ledger(client, givers, cancelled)


def check_kills(folder):
    chance = random.Random(f"{SEED} kills")
    ladder = os.path.join(folder, "ladder.json")
    with open(ladder, "w") as file:
        json.dump({"name": "club", "seats": 2, "deals": 1, "enough": 1, "luck": False, "start_ms": 60000, "move_ms": 5000,
                   "rules": {"rounds": 1, "turn_limit": 6}}, file)
    daemon = Daemon(os.path.join(folder, "kills"), "--workers", "2", "--ladder", ladder)
    daemon.start()
    givers = [Giver(daemon, number) for number in range(CLIENTS)]
    try:
        with daemon.client() as client:
            client.ask(f"submit g command={GREEDY}")
            client.ask(f"submit r command={RANDOM}")
            with open(GREEDY if not IS_SANITIZED else RANDOM, "rb") as file:
                client.submit_file("up", file.read(), "bot")
        for giver in givers:
            giver.start()
        for _ in range(KILLS):
            yield from kill_once(daemon, givers, chance)
        for giver in givers:
            giver.is_over.set()
        for giver in givers:
            giver.join(SECONDS)
            yield from giver.problems
        with daemon.client() as client:
            until(lambda: not client.queue(), "the end of all jobs")
            failed = [number for number, job in client.queue(all="yes", limit=10000).items() if job[0] == "failed"]
            for number in failed:
                client.ask(f"resume {number}")
            until(lambda: not client.queue(), "the end of all jobs")
            yield from check_ledger(client, givers, cancelled_jobs(givers))
            yield from check_uploads(daemon, client, givers)
            yield from check_trials(client, givers)
            yield from check_archives(daemon, client, givers)
            yield from check_jobs(daemon, client, {name for giver in givers for name in giver.cancels})
            until(lambda: not list(check_ladder(client)), "the ladder has all its matches")
        jobs = sum(reply.startswith("job=") for giver in givers for reply in giver.acknowledged.values())
        lost = sum(len(giver.sent) - len(giver.acknowledged) for giver in givers)
        sent = sum(len(giver.sent) for giver in givers)
        if jobs == 0:
            yield "no job was given"
        cancels = sum(sum(giver.cancels.values()) for giver in givers)
        print(f"count {KILLS} kills of the daemon: {sent} bots and jobs sent, {lost} of them not acknowledged, "
              f"{jobs} jobs played once or cancelled ({cancels}); seed {SEED}")
        if daemon.stop() != 0:
            yield f"it ends badly: {daemon.words()}"
        yield from reap_remains()
        yield from sanitizer_words(daemon)
    finally:
        for giver in givers:
            giver.is_over.set()
        daemon.end()


def check_begins(folder):
    """While it begins it tries how bots can be kept, with processes that have all its descriptors."""
    chance = random.Random(f"{SEED} begins")
    daemon = Daemon(os.path.join(folder, "begins"))
    start = time.monotonic()
    daemon.start()
    length = time.monotonic() - start
    daemon.kill()
    for _ in range(KILLS):
        daemon.launch()
        time.sleep(chance.uniform(0, length))
        daemon.kill()
        yield from reap_remains()
    daemon.start()
    if daemon.stop() != 0:
        yield f"it ends badly: {daemon.words()}"
    yield from sanitizer_words(daemon)


# Other ends.


@contextlib.contextmanager
def running(folder, name, *options, **more):
    daemon = Daemon(os.path.join(folder, name), *options)
    try:
        yield daemon.start(**more)
        if any(sanitizer_words(daemon)):
            raise ValueError(next(sanitizer_words(daemon)))
    finally:
        daemon.end()


def submit_slow(client, seconds="0.3"):
    client.submit_file("slow", SLOW.replace("SECONDS", seconds), "slow.sh", ' command="sh slow.sh"')


def wait_match(daemon):
    """Until a match of the first job is being played."""
    until(lambda: glob.glob(os.path.join(daemon.store, "jobs", "1", "store", "open", "*", "*")), "a match")


def until_closed(client):
    with contextlib.suppress(ConnectionError):
        while client.next_event():
            pass


def dates_of_logs(daemon):
    logs = glob.glob(os.path.join(daemon.store, "jobs", "*", "store", "logs", "*", "??.ndjson.zst"))
    return {log: os.stat(log).st_mtime_ns for log in logs}


def states(daemon):
    with daemon.client() as client:
        return [job[0] for job in client.queue(all="yes").values()]


def check_drain(folder):
    """What plays is played to its end, what waits is played after the next start."""
    with running(folder, "drain", "--workers", "1") as daemon:
        with daemon.client() as client:
            submit_slow(client)
            client.ask("watch")
            for _ in range(3):
                client.ask(f"match slow slow {SHORT}")
            wait_match(daemon)
            daemon.process.send_signal(signal.SIGTERM)
            client.wait_event("0 ending")
            if client.refusal(f"match slow slow {SHORT}") != "ending" or client.refusal("status") is not None:
                yield "it takes jobs while it ends, or says nothing any more"
            client.wait_event("1 match 1.1 slow")
            until_closed(client)
        if daemon.wait() != 0:
            yield f"it ends badly: {daemon.words()}"
        if os.path.exists(daemon.socket):
            yield "its socket is still there"
        yield from reap_remains()
        dates = dates_of_logs(daemon)
        daemon.start()
        with daemon.client() as client:
            until(lambda: not client.queue(), "the end of all jobs")
        if states(daemon) != ["done"] * 3:
            yield f"in the end: {states(daemon)}"
        if len(dates) != 1 or not dates.items() <= dates_of_logs(daemon).items():
            yield f"what was played is played again: {dates}, {dates_of_logs(daemon)}"


def check_shutdown_now(folder):
    with running(folder, "now", "--workers", "1") as daemon:
        with daemon.client() as client:
            submit_slow(client, "5")
            client.ask("watch")
            client.ask(f"match slow slow {SHORT}")
            wait_match(daemon)
            client.ask("shutdown now=yes")
        if daemon.wait() != 0:
            yield f"it ends badly: {daemon.words()}"
        yield from reap_remains()
        daemon.start()
        with daemon.client() as client:
            if client.queue()[1][0] not in ("queued", "playing"):
                yield f"what was stopped does not go on: {client.queue(all='yes')}"
            client.ask("cancel 1")
            until(lambda: not client.queue(), "the end of a cancelled job")
            if client.queue(all="yes")[1][0] != "cancelled":
                yield f"after cancel: {client.queue(all='yes')}"
        daemon.kill()
        daemon.start()
        if states(daemon) != ["cancelled"]:
            yield f"cancelled jobs come back: {states(daemon)}"


def check_cancel(folder):
    """A child that gets a signal before it runs its own program takes nobody with it."""
    with running(folder, "cancel", "--workers", "2") as daemon, daemon.client() as client:
        client.ask(f"submit g command={GREEDY}")
        client.ask("watch")
        for number in range(1, 31):
            client.ask(f"match g g {SHORT}")
            client.wait_event(f"{number} playing")
            if client.refusal(f"cancel {number}") not in (None, "too_late"):
                yield f"job {number} cannot be cancelled"
            client.wait_event(f"{number} over")
        if client.pairs("status")["ending"] != "no" or "finishing" in daemon.words():
            yield f"the daemon is about to end: {daemon.words()}"


def check_reload(folder):
    with running(folder, "reload", "--listen", "127.0.0.1:0") as daemon:
        token = daemon.add_user("alice")

        def user_of():
            try:
                with Client(daemon.tcp(), token=token) as client:
                    return client.pairs("status") and True
            except Refused as refused:
                return refused.code

        if user_of() != "token":
            yield "a token counts before it was read"
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: "users: reloaded" in daemon.words(), "the users are reloaded")
        if user_of() is not True:
            yield f"a new token does not count: {user_of()}"
        with open(os.path.join(daemon.store, "users"), "a") as file:
            file.write("this is no user\n")
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: "the users are unchanged" in daemon.words(), "the users are wrong")
        if user_of() is not True:
            yield "a wrong file of users takes tokens away"


# Beginnings.


def check_sockets(folder):
    with running(folder, "sockets") as daemon:
        if stat.S_IMODE(os.stat(daemon.socket).st_mode) != 0o600:
            yield "others can come in by the socket"
        second = Daemon(os.path.join(folder, "sockets-2"))
        second.socket = daemon.socket
        with contextlib.suppress(NoDaemon):
            second.start()
            yield "a second daemon takes the socket of a living one"
        second.end()
        third = Daemon(os.path.join(folder, "sockets-3"))
        third.store = daemon.store
        with contextlib.suppress(NoDaemon):
            third.start()
            yield "two daemons have one store"
        third.end()
        daemon.client().close()
        daemon.kill()
        if not os.path.exists(daemon.socket):
            yield "a killed daemon has no remains to be replaced"
        daemon.start()
        daemon.stop()
        with open(daemon.socket, "w") as file:
            file.write("precious\n")
        with contextlib.suppress(NoDaemon):
            daemon.start()
            yield "it begins where a file is"
        if open(daemon.socket).read() != "precious\n":
            yield "it removed a file that is no socket"


def check_activation(folder):
    """Sockets from systemd, which stay when the daemon goes, and word when it is ready."""
    where = os.path.join(folder, "activation")
    daemon = Daemon(where)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(daemon.socket)
    listener.listen()
    notes = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notes.bind(os.path.join(where, "notes"))
    notes.settimeout(SECONDS)
    launch = ["sh", "-c", f'exec 3<&{listener.fileno()}; export LISTEN_PID=$$; exec "$@"', "sh"]
    settings = {"environment": {"LISTEN_FDS": "1", "NOTIFY_SOCKET": os.path.join(where, "notes")},
                "socket_option": False, "pass_fds": [listener.fileno()]}
    try:
        early = Client(daemon.socket, hello=False)
        early.send("hello 1")
        daemon.launch(*launch, **settings)
        if notes.recv(100) != b"READY=1":
            yield "it does not say READY=1 first"
        if "user=owner" not in early.reply():
            yield "a client that connected before the daemon started is not the owner"
        early.ask(f"submit g command={GREEDY}")
        daemon.process.send_signal(signal.SIGHUP)
        if [notes.recv(100).split(b"\n")[0] for _ in range(2)] != [b"RELOADING=1", b"READY=1"]:
            yield "it does not say that it reloads"
        daemon.kill()
        early = Client(daemon.socket, hello=False)
        daemon.launch(*launch, **settings)
        if early.ask("hello 1") and "g 1 owner" not in early.ask("bots"):
            yield "a bot is lost"
        notes.recv(100)
        if daemon.stop() != 0 or notes.recv(100) != b"STOPPING=1":
            yield "it does not say that it stops"
        if not os.path.exists(daemon.socket):
            yield "it removes a socket that is not its own"
    finally:
        daemon.end()
        listener.close()
        notes.close()


# A disk that fails.

SHARED = struct.Struct("LL48sLL")
FAILS_FROM, FAILS_TO = 1000000, 2000000


def preload():
    """The sanitizer's own library has to be the first of all."""
    shown = subprocess.run(["ldd", REFEREE], capture_output=True, text=True).stdout
    found = re.search(r"libasan\S* => (\S+)", shown)
    return f"{found[1]}:{LIBRARY}" if found else LIBRARY


class Disk:
    """Counts the daemon's calls on the disk. Those between two numbers fail, so the count is set."""

    def __init__(self, path, error):
        self.path = path
        self.let_fail(False)
        self.environment = {"LD_PRELOAD": preload(), "FAIL_FILE": path, "FAIL_CALLS": "disk",
                            "FAIL_AT": str(FAILS_FROM), "FAIL_TIMES": str(FAILS_TO - FAILS_FROM),
                            "FAIL_HOW": str(error)}

    def let_fail(self, does_fail):
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as file:
            file.write(SHARED.pack(FAILS_FROM if does_fail else FAILS_TO, 0, b"", 0, 0))


def check_disk(folder, error):
    """What cannot be written is refused and not half there, and can be given again."""
    where = os.path.join(folder, f"disk-{errno.errorcode[error]}")
    os.mkdir(where)
    disk = Disk(os.path.join(where, "counter"), error)
    with running(where, "daemon", environment=disk.environment) as daemon, daemon.client() as client:
        given = [(f"submit g command={GREEDY}", b""), ("submit up file=bot.sh bytes=9", b"#!/bin/sh"),
                 (f"match g g {SHORT}", b""),
                 (f"tournament bytes={len(json.dumps(cup('cup')))}", json.dumps(cup("cup")).encode())]
        client.ask(f"submit r command={RANDOM}")
        for request, block in given:
            disk.let_fail(True)
            try:
                client.ask(request, block)
                yield f"it takes {request!r} although nothing can be written"
            except Refused as refused:
                if (refused.kind, refused.code) != ("ours", "disk"):
                    yield f"{request!r}: {refused}"
            seen = client.ask("bots") + client.ask("queue all=yes")
            disk.let_fail(False)
            if re.search(r"(?:version|job)=(\d+)", client.ask(request, block))[1] not in ("1", "2"):
                yield f"{request!r} counts twice"
            if seen.count("\n") != (client.ask("bots") + client.ask("queue all=yes")).count("\n") - 1:
                yield f"{request!r} was half there: {seen}"
            until(lambda: not client.queue(), "the end of all jobs")
        before = client.ask("bots") + client.ask("queue all=yes")
        daemon.kill()
        daemon.start(environment=disk.environment)
        with daemon.client() as again:
            after = again.ask("bots") + again.ask("queue all=yes")
            if before != after or after.count(" done ") != 2:
                yield f"after a restart: {after!r} instead of {before!r}"


def check_late_disk(folder):
    """The disk fails when a job has ended: its end is written as soon as it can be."""
    where = os.path.join(folder, "disk-late")
    os.mkdir(where)
    disk = Disk(os.path.join(where, "counter"), errno.ENOSPC)
    with running(where, "daemon", environment=disk.environment) as daemon, daemon.client() as client:
        client.ask(f"submit g command={GREEDY}")
        client.ask("watch")
        client.ask(f"match g g {SHORT}")
        client.wait_event("1 match")
        disk.let_fail(True)
        client.wait_event("1 over")
        disk.let_fail(False)
        state = client.queue(all="yes")[1][0]
        client.ask(f"submit g command={GREEDY}")  # which writes all that waits
        daemon.kill()
        daemon.start(environment=disk.environment)
        with daemon.client() as again:
            until(lambda: not again.queue(), "the end of all jobs")
            if again.queue(all="yes")[1][0] != state:
                yield f"a job that was {state} is {again.queue(all='yes')}"


def main():
    become_reaper()
    folder = tempfile.mkdtemp(prefix="serve-crash-")
    report("a_daemon_that_is_killed_loses_and_doubles_nothing", check_kills(folder))
    report("a_daemon_that_is_killed_while_it_begins_leaves_nothing", check_begins(folder))
    report("sigterm_lets_matches_end_and_the_rest_goes_on_later", check_drain(folder))
    report("shutdown_now_stops_matches_and_they_go_on_later", check_shutdown_now(folder))
    report("cancelling_a_job_that_has_just_begun_ends_that_job_alone", check_cancel(folder))
    report("sighup_reloads_the_users", check_reload(folder))
    report("a_stale_socket_is_replaced_and_a_living_daemon_is_not", check_sockets(folder))
    report("sockets_of_systemd_are_taken_and_word_is_sent", check_activation(folder))
    for error in (errno.ENOSPC, errno.EIO):
        report(f"nothing_is_half_accepted_with_{errno.errorcode[error]}", check_disk(folder, error))
    report("an_end_that_cannot_be_written_is_written_later", check_late_disk(folder))
    if os.environ.get("CRASH_KEEP") is None:
        shutil.rmtree(folder)
    else:
        print(folder)


if __name__ == "__main__":
    main()
