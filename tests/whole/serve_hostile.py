#!/usr/bin/env python3
"""Clients and bots that mean harm, against the daemon itself, on all its addresses. After each of them it
still answers, has the descriptors that it had before, and is not larger than it may be."""

import base64
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import socket
import sys
import tempfile
import threading

from patience import SECONDS
from daemon import (BUILD, GOOD, GREEDY, IS_SANITIZED, SHORT, SLOW, Client, Daemon, Refused, become_reaper, remains,
                    report, sanitizer_words, until)

MEMORY_MB = 900 if IS_SANITIZED else 96  # uploads of 64 MB may be under way at once
SEED = os.environ.get("HOSTILE_SEED", "1")
CONNECTIONS = 1000
ENDED = (BrokenPipeError, ConnectionError)
JOBS_MOST = 200
UPLOAD_MOST = 16 << 20


class Place:
    """A daemon with all kinds of addresses, and users with tokens."""

    def __init__(self, folder, settings, *options):
        os.makedirs(folder)
        self.settings = settings
        self.file = os.path.join(folder, "settings.json")
        self.write(settings)
        self.daemon = Daemon(folder, "--workers", "1", "--listen", "127.0.0.1:0", "--listen", "0.0.0.0:0",
                             "--http", "127.0.0.1:0", "--http", "0.0.0.0:0", "--plaintext", "--settings", self.file, *options)
        self.tokens = {name: self.daemon.add_user(name) for name in ("alice", "bob")}
        self.daemon.start()
        with self.owner() as owner:
            owner.ask(f"submit g command={GREEDY}")
            owner.ask("watch")
            owner.ask(f"match g g {SHORT}")
            owner.wait_event("1 over done")
        # Pages, so that what is only made once has been made.
        self.get("/")
        self.before = self.daemon.descriptors()

    def write(self, settings):
        with open(self.file, "w") as file:
            json.dump(settings, file)

    def change(self, settings):
        """While it runs."""
        self.write(settings)
        before = self.daemon.words().count("settings: reloaded")
        self.daemon.process.send_signal(signal.SIGHUP)
        until(lambda: self.daemon.words().count("settings: reloaded") > before, "new settings")

    def owner(self):
        return self.daemon.client()

    def guest(self):
        return Client(self.daemon.tcp(0))

    def user(self, name, door=1):
        return Client(self.daemon.tcp(door), token=self.tokens[name])

    def doors(self):
        """Addresses for requests, each with a valid first line."""
        return [(self.daemon.socket, b"hello 1\n"), (self.daemon.tcp(0), b"hello 1\n"),
                (self.daemon.tcp(1), f"hello 1 token={self.tokens['alice']}\n".encode())]

    def get(self, target, *headers, door=0, method="GET"):
        """The status of an HTTP reply; 0 if there is none."""
        lines = [f"{method} {target} HTTP/1.1", *(headers or ["Host: localhost"]), "Connection: close", "", ""]
        return self.get_raw("\r\n".join(lines).encode("latin-1"), door)

    def get_raw(self, sent, door=0):
        reply = talk(self.daemon.http(door), sent)
        return int(reply.split(b" ")[1]) if reply.startswith(b"HTTP/1.") else 0

    def settle(self):
        """What must hold whatever has been done."""
        with self.owner() as owner:
            owner.pairs("status")
        until(lambda: self.daemon.descriptors() <= self.before, f"{self.before} descriptors, "
              f"not {self.daemon.descriptors()}")
        if self.daemon.peak_mb() > MEMORY_MB:
            yield f"it needed {self.daemon.peak_mb():.1f} MB"


def open_socket(address):
    stream = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
    stream.settimeout(SECONDS)
    stream.connect(address)
    return stream


def read_all(stream):
    reply = b""
    with contextlib.suppress(ConnectionError):
        while got := stream.recv(65536):
            reply += got
    return reply


def talk(address, sent, closes=True):
    """Sends that, says no more, and returns all that comes until the other side closes."""
    with open_socket(address) as stream:
        with contextlib.suppress(OSError):
            stream.sendall(sent)
            if closes:
                stream.shutdown(socket.SHUT_WR)
        return read_all(stream)


def codes(reply):
    """The codes of all refusals in what a daemon said."""
    return [line.split(b" ")[2].decode() for line in reply.split(b"\n") if line.startswith(b"error ")]


# Lines.


def half_lines(place):
    for address, hello in place.doors():
        for sent in (b"hel", hello + b"stat", hello + b"submit x file=a bytes=10\n12345"):
            if codes(talk(address, sent)) not in (["unreadable"], ["no_hello"]):
                yield f"{sent}: {talk(address, sent)}"
            open_socket(address).close()
            with open_socket(address) as stream:
                stream.sendall(sent)


def byte_by_byte(place):
    for address, hello in place.doors():
        with open_socket(address) as stream:
            for byte in hello + b"status\r\nhelp\n":
                stream.sendall(bytes([byte]))
            stream.shutdown(socket.SHUT_WR)
            reply = read_all(stream)
        if not reply.startswith(b"ok 1 ") or b"\nok jobs=" not in reply or b"\nblock " not in reply:
            yield f"{reply[:200]}"


def floods_without_reading(place):
    streams = []
    for address, hello in place.doors() * 3:
        stream = open_socket(address)
        stream.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            stream.send(hello + b"watch\n")
            while True:
                stream.send(b"help\nqueue all=yes\nresult 1 format=html\n" * 500)
        streams.append(stream)
    with place.owner() as owner:
        owner.pairs("status")
    for stream in streams:
        stream.close()
    yield from ()


def long_lines(place):
    for address, hello in place.doors():
        for sent in (b"a" * 10_000_000, hello + b"status " + b"a" * 10_000_000, hello + b"submit " + b"\n" * 3 +
                     b"x" * 4097 + b"\n"):
            reply = talk(address, sent, closes=False)
            if reply and codes(reply)[-1] not in ("too_long", "no_hello"):
                yield f"{len(sent)} bytes: {reply[-200:]}"


def bad_bytes(place):
    for address, hello in place.doors():
        for line in (b"status\0", b"\0", b"stat\tus", b"status \x1b[2J", b"status \x7f", b"status \xff\xfe",
                     "status \u00e4".encode(), b"status \r 1", b" status", b"status  1", b'status "1', b'status 1"',
                     b"=", b"x=", b'"', b"\\", b"status a=b=c", b"submit x command=\"a\\n\"", b"status status status"):
            reply = talk(address, hello + line + b"\nstatus\n")
            if not codes(reply) or b"\nok jobs=" not in reply:
                yield f"{line}: {reply[-300:]}"


def random_bytes(place):
    chance = random.Random(f"{SEED} bytes")
    words = [b"submit", b"match", b"tournament", b"bytes=", b"9", b" ", b"=", b'"', b"\n", b"g", b"watch", b"cancel",
             b"file=", b"\0", b"\\", b"queue", b"log", b"1.1", b"hello 1", b"play", b"fetch", b"off", b"set="]
    for _ in range(100):
        for address, hello in place.doors():
            sent = b"".join(chance.choice(words) if chance.random() < 0.9 else chance.randbytes(4)
                            for _ in range(chance.randrange(1, 60)))
            talk(address, hello + sent)
    yield from ()


def wrong_tokens(place):
    right = place.tokens["alice"]
    for door in (0, 1):
        for token in ("0" * 32, right[:-1], right + "0", right[:-1] + ("0" if right[-1] != "0" else "1"), '""',
                      "f" * 4000, "../users", right.upper() + "A", "alice"):
            reply = talk(place.daemon.tcp(door), f"hello 1 token={token}\nstatus\n".encode())
            if len(codes(reply)) != 1 or reply.count(b"\n") != 1:
                yield f"door {door}, {token[:50]}: {reply[:200]}"
    if codes(talk(place.daemon.tcp(1), b"hello 1\nstatus\n")) != ["token"]:
        yield "nobody needs a token at an open door"
    with place.user("alice") as alice, place.user("bob", 0) as bob:
        if "alice" in bob.ask("bots") or alice.refusal("shutdown") != "forbidden":
            yield "a user is the owner"


def requests_before_hello(place):
    for address, _ in place.doors():
        for line in (b"status", b"shutdown now=yes", b"submit x file=a bytes=3\nabc", b"hello", b"hello 2", b"hello 0",
                     b"hello 1 1", b"HELLO 1", b"", b"\n\n\n", b"help"):
            reply = talk(address, line + b"\nstatus\n")
            if len(codes(reply)) != 1 or reply.count(b"\n") != 1:
                yield f"{line}: {reply}"


def requests_after_close(place):
    for address, hello in place.doors():
        reply = talk(address, hello + b"status\nstatus\n")
        if reply.count(b"ok jobs=") != 2:
            yield f"the last requests are not answered: {reply}"
        with open_socket(address) as stream:
            with contextlib.suppress(*ENDED):
                for _ in range(200):
                    stream.sendall(b"nonsense before hello\n" * 100)
            if codes(read_all(stream)) not in (["no_hello"], []):
                yield "who was sent away is still answered"


# Other protocols.


def http_at_the_door_for_requests(place):
    for address, _ in place.doors():
        reply = talk(address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if codes(reply) != ["no_hello"]:
            yield f"{reply}"
        talk(address, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500))


def requests_at_the_door_for_pages(place):
    for door in (0, 1):
        for sent in (b"hello 1\nshutdown now=yes\n", b"\0" * 1000, b"\r\n\r\n", b"\x16\x03\x01" + bytes(500), b"GET",
                     b"GET / HTTP/9.9\r\n\r\n", b"GET  HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n"):
            status = place.get_raw(sent, door)
            if 200 <= status < 400:
                yield f"{sent[:30]}: {status}"


# Paths and names.

OUTSIDE = ["..", ".", "../x", "../../etc/passwd", "/etc/passwd", "a/b", ".hidden", "a\\b", "a b", "%2e%2e", "~root",
           "-rf", "*", "$(id)", "`id`", "a;b", "a|b", "x" * 33, ""]


def names_that_are_paths(place):
    before = listing(place)
    with place.user("alice") as alice, place.owner() as owner:
        for client in (alice, owner):
            for name in OUTSIDE:
                word = '"' + name.replace("\\", "\\\\") + '"'
                for request, block in ((f"submit {word} file=a bytes=1", b"x"), (f"submit {word} command={GREEDY}", b""),
                                       (f"match {word} g", b""), (f"bots {word}", b""), (f"status {word}", b""),
                                       (f"cancel {word}", b""), (f"result {word}", b""), (f"result 1 format={word}", b""),
                                       (f"log {word} 1.1", b""), (f"log 1 {word}", b""), (f"watch {word}", b""),
                                       (f"play {word}", b""), (f"fetch {word}", b"")):
                    if client.refusal(request, block) is None:
                        yield f"{request} is taken"
                if len(name) not in (33,) and client.refusal(f"submit ok file={word} bytes=1", b"x") is None:
                    yield f"a file {name} is taken"
        for number in ("0", "-1", "01", "1.0", "99999999999999999999", "4294967297", "1e0", "0x1", "+1", "1/../1"):
            if owner.refusal(f"result {number}") is None or owner.refusal(f"log {number} 1.1") is None:
                yield f"job {number} is one"
        for match in ("1", "1.", ".1", "1.1.1", "0.1", "1.0", "-1.1", "1.-1", "01.1", "1.99", "999999.1", "1.1/../.."):
            if owner.refusal(f"log 1 {match}") is None:
                yield f"match {match} is one"
    if listing(place) != before:
        yield f"the store has changed: {set(listing(place)) ^ set(before)}"


def listing(place):
    return sorted(os.path.join(where, name) for where, folders, files in os.walk(place.daemon.store)
                  for name in folders + files if not where.endswith("/bots"))


def names_that_are_folders(place):
    with place.user("alice") as alice:
        for name in ("bots", "jobs", "store", "users", "referee.lock", "ledger.ndjson", "1", "CON", "nul", "dev", "con.sh"):
            text = f"#!/bin/sh\n# {name}\n"
            alice.submit_file(name, text, name if name != "bots" else "bot.sh")
            where = os.path.join(place.daemon.store, "bots", name, "1")
            with open(os.path.join(where, os.listdir(where)[0])) as file:
                if file.read() != text or len(os.listdir(where)) != 1:
                    yield f"the bot {name} is not what was sent"


def paths_of_pages(place):
    for target in ("/../ledger.ndjson", "/users", "/ledger.ndjson", "/%2e%2e/users", "/jobs/../../users", "//users",
                   "/log/1/../../users", "/log/1/1.1/..", "/log/1/1.1%00", "/jobs/%31", "/jobs/01", "/jobs/1/", "/jobs/-1",
                   "/jobs/1.", "/api/jobs/1/../../users", "/api/jobs/4294967297", "/view/1/1.1/../../..", "/./bots",
                   "/bots/", "/bots/../users", "/\\..\\users", "/log/1/01.1", "/log/1/1.0", "/log/99999999999999999999/1.1",
                   "/style.css/..", "/" + "a" * 5000, "/" + "../" * 500 + "etc/passwd", "/events?job=99999",
                   "/events?job=../1", "http://localhost/users", "*"):
        status = place.get(target)
        if status not in (0, 400, 404, 414):
            yield f"{target[:60]}: {status}"
    if [place.get(target) for target in ("/", "/jobs/1", "/log/1/1.1", "/api/jobs")] != [200] * 4:
        yield "nothing is there at all"


def links_in_the_store(place):
    """Whatever is in the place of an artifact or a log: only a regular file is sent, and nothing blocks on it."""
    folder = os.path.join(place.daemon.store, "jobs", "1", "store")
    for path, request, target in ((os.path.join(folder, "standings.txt"), "result 1", "/api/jobs/1/text"),
                                  (os.path.join(folder, "logs", "000001", "01.ndjson.zst"), "log 1 1.1", "/log/1/1.1")):
        os.rename(path, path + ".kept")
        for make in (lambda: os.symlink("/etc/passwd", path), lambda: os.symlink(place.daemon.store + "/users", path),
                     lambda: os.mkfifo(path), lambda: os.mkdir(path), lambda: os.symlink("/dev/zero", path)):
            make()
            with place.owner() as owner:
                if owner.refusal(request) not in ("no_log", "disk") or place.get(target) not in (204, 404, 500, 503):
                    yield f"{request}: {owner.refusal(request)}, {place.get(target)}"
            os.rmdir(path) if os.path.isdir(path) else os.unlink(path)
        os.rename(path + ".kept", path)
    yield from links_for_uploads(place)


def links_for_uploads(place):
    precious = os.path.join(os.path.dirname(place.daemon.store), "precious")
    os.makedirs(precious)
    with open(os.path.join(precious, "file"), "w") as file:
        file.write("precious\n")
    os.makedirs(os.path.join(place.daemon.store, "bots", "linked"))
    os.symlink(precious, os.path.join(place.daemon.store, "bots", "linked", "1"))
    with place.user("alice") as alice:
        alice.refusal("submit linked file=file bytes=5", b"wrong")
    if os.listdir(precious) != ["file"] or open(os.path.join(precious, "file")).read() != "precious\n":
        yield "an upload went through a link"


# Uploads.


def wrong_byte_counts(place):
    with place.user("alice") as alice:
        bots = alice.ask("bots")
    for count in ("0", "-1", "abc", "1e3", str(UPLOAD_MOST + 1), "99999999999999999999", "", "1,2", "0x10"):
        for verb in ("submit counted file=a", "tournament"):
            reply = talk(place.daemon.tcp(1), f"hello 1 token={place.tokens['alice']}\n{verb} bytes={count}\n".encode() +
                         b"shutdown now=yes\n" * 3)
            if not codes(reply) or b"\nok" in reply:
                yield f"{verb} bytes={count}: {reply}"
    # Less than was sent: the rest is read as requests. More: nothing of it counts.
    reply = talk(place.daemon.tcp(1), f"hello 1 token={place.tokens['alice']}\nsubmit less file=a bytes=4\n".encode() +
                 b"#!/bef\nstatus\n")
    if codes(reply) != ["unknown"] and codes(reply) != ["unreadable"] or b"ok jobs=" not in reply:
        yield f"less than was sent: {reply}"
    for _ in range(30):
        with open_socket(place.daemon.tcp(1)) as stream:
            stream.sendall(f"hello 1 token={place.tokens['alice']}\nsubmit more file=a bytes=1000000\n".encode() +
                           b"x" * 100_000)
    with place.user("alice") as alice:
        after = [line for line in alice.ask("bots").splitlines() if not line.startswith("less ")]
    if after != bots.splitlines():
        yield f"{after} instead of {bots}"


def many_large_uploads(place):
    """More than is held for all: some are refused or wait, none is lost, and nothing else suffers."""
    done = []

    def upload(number):
        try:
            with place.user("alice") as alice:
                alice.ask(f"submit large-{number} file=a bytes={UPLOAD_MOST}", bytes(UPLOAD_MOST))
                done.append("ok")
        except Refused as refused:
            done.append(refused.code)
        except ENDED as error:
            done.append(repr(error))

    threads = [threading.Thread(target=upload, args=[i], daemon=True) for i in range(8)]
    for thread in threads:
        thread.start()
    with place.owner() as owner:
        owner.pairs("status")
    for thread in threads:
        thread.join(SECONDS)
    if len(done) != len(threads) or set(done) - {"ok", "busy"} or "ok" not in done:
        yield f"{done}"


# Too many.


def a_thousand_connections(place):
    for address in (place.daemon.tcp(0), place.daemon.tcp(1), place.daemon.http(0), place.daemon.http(1)):
        streams = []
        for _ in range(CONNECTIONS):
            stream = socket.socket()
            stream.setblocking(False)
            stream.connect_ex(address)
            streams.append(stream)
        with place.owner() as owner:
            owner.pairs("status")
        for stream in streams:
            stream.close()
        yield from place.settle()
    if place.get("/") != 200:
        yield "there are no pages any more"
    with place.guest() as guest:
        guest.pairs("status")


# Connections that stay. Nothing ends by its time there: each could stay for a day.

PATIENT = {"hello_ms": 86400000, "request_ms": 86400000, "idle_ms": 86400000}
PLACES_MOST = 64  # connections of that daemon
SHARE = 8  # and of one address, and of one user
HALVES = {"requests": [b"", b"h", b"hello 1", b"hello 1 token="],
          "pages": [b"", b"GET", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "]}


def stay(address, source, sent):
    """Connects from one of the addresses of this machine, sends that, and stays."""
    stream = socket.socket()
    stream.settimeout(SECONDS)
    stream.bind((source, 0))
    stream.connect(address)
    with contextlib.suppress(*ENDED):
        stream.sendall(sent)
    return stream


def half_requests_that_stay(place):
    """Ten times as many connections as there may be, from many addresses, each with half a request."""
    for kind, addresses in (("requests", place.daemon.doors()), ("pages", place.daemon.doors("pages: http://"))):
        for address in addresses:
            streams = [stay(address, f"127.1.{i % 250}.1", HALVES[kind][i % 4]) for i in range(10 * PLACES_MOST)]
            for door in (0, 1):
                if place.get("/", "Host: localhost", basic_of(place, "alice"), door=door) != 200:
                    yield f"half {kind} at {address} keep others from pages"
            with place.guest() as guest, place.user("bob") as bob, place.owner() as owner:
                for client in (guest, bob, owner):
                    client.pairs("status")
            for stream in streams:
                stream.close()
            yield from place.settle()


def basic_of(place, name):
    words = f"{name}:{place.tokens[name]}".encode()
    return "Authorization: Basic " + base64.b64encode(words).decode()


def one_address_that_wants_all(place):
    """It gets its share, and what it gets is answered; others are not concerned."""
    streams = [stay(place.daemon.tcp(0), "127.2.0.1", b"hello 1\n") for _ in range(5 * SHARE)]
    heard = [stream.recv(200) for stream in streams]
    if sum(reply.startswith(b"ok 1 ") for reply in heard) != SHARE:
        yield f"{heard}"
    if not all(b"(connections_per_address)" in reply for reply in heard if not reply.startswith(b"ok 1 ")):
        yield f"it is not told why: {heard}"
    watchers = [stay(place.daemon.http(0), "127.2.0.1", b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                for _ in range(5 * SHARE)]
    heard = [hear(stream) for stream in watchers]
    if sum(reply.startswith(b"HTTP/1.1 200") for reply in heard) != SHARE:
        yield f"{heard}"
    with place.user("bob") as bob:
        bob.pairs("status")
    if place.get("/") != 200:
        yield "others get no pages"
    for stream in streams + watchers:
        stream.close()


def hear(stream):
    try:
        return stream.recv(200)
    except ConnectionError:
        return b""


def one_user_who_wants_all(place):
    """A token that is used from everywhere."""
    hello = f"hello 1 token={place.tokens['alice']}\n".encode()
    request = f"GET /events HTTP/1.1\r\nHost: club\r\n{basic_of(place, 'alice')}\r\n\r\n".encode()
    for address, sent, fine, why in ((place.daemon.tcp(1), hello, b"ok 1 ", b"(connections_per_user)"),
                                     (place.daemon.http(1), request, b"HTTP/1.1 200", b"HTTP/1.1 503")):
        streams = [stay(address, f"127.3.{i}.1", sent) for i in range(3 * SHARE)]
        heard = [hear(stream) for stream in streams]
        if sum(reply.startswith(fine) for reply in heard) != SHARE:
            yield f"{heard}"
        if not all(why in reply for reply in heard if not reply.startswith(fine)):
            yield f"it is not told why: {heard}"
        with place.user("bob") as bob:
            bob.pairs("status")
        if place.get("/", "Host: club", basic_of(place, "bob"), door=1) != 200:
            yield "another user gets no pages"
        for stream in streams:
            stream.close()
        yield from place.settle()


def slow_uploads_that_stay(place):
    """Uploads that never end, as many as one user can begin: others upload as before."""
    streams = []
    for _ in range(SHARE):
        streams.append(stay(place.daemon.tcp(1), "127.4.0.1", f"hello 1 token={place.tokens['alice']}\nsubmit slow file=a "
                            f"bytes={UPLOAD_MOST}\n".encode() + bytes(UPLOAD_MOST // 3)))
    for name in ("bob", None):
        with place.user(name) if name is not None else place.guest() as client:
            client.submit_file(f"of-{name}", b"#!/bin/sh\n" + bytes(UPLOAD_MOST - 10))
    for stream in streams:
        stream.close()
    yield from ()


def idle_connections(place):
    """A client that neither asks nor watches has to go, and a half request too; a watcher may stay."""
    place.change({"hello_ms": 1000, "request_ms": 1000, "idle_ms": 1000})
    try:
        with place.owner() as owner, place.user("alice") as watcher:
            owner.ask("watch")
            watcher.ask("watch")
            for sent in (b"", b"hello 1\n", b"hello 1\nstat", b"hello 1\nsubmit x file=a bytes=9\n1"):
                read_all(stay(place.daemon.tcp(0), "127.0.0.1", sent))
            for sent in HALVES["pages"]:
                read_all(stay(place.daemon.http(0), "127.0.0.1", sent))
            owner.ask(f"submit idle command={GREEDY}")
            watcher.wait_event("0 bot idle")
            owner.wait_event("0 bot idle")
    finally:
        place.change(place.settings)
    yield from ()


def too_many_jobs(place):
    with place.owner() as owner, place.user("alice") as alice, place.user("bob") as bob, place.guest() as guest:
        alice.submit_file("slow", SLOW.replace("SECONDS", "30"), "slow.sh", ' command="sh slow.sh"')
        jobs = [int(alice.pairs(f"match slow slow {SHORT}")["job"]) for _ in range(JOBS_MOST)]
        if alice.refusal(f"match slow slow {SHORT}") != "too_many":
            yield "a user can fill the queue"
        own = int(bob.pairs(f"match slow slow {SHORT}")["job"])
        for client in (bob, guest):
            if {client.refusal(f"cancel {number}") for number in (jobs[0], jobs[-1])} != {"forbidden"}:
                yield "somebody else's job can be cancelled"
        if bob.refusal("submit slow file=a bytes=1", b"x") != "name_taken":
            yield "a bot of somebody else can be replaced"
        if alice.refusal("submit SLOW file=a bytes=1", b"x") != "name_taken":
            yield "names differ by case"
        for number in jobs[:-1]:
            alice.ask(f"cancel {number}")
        owner.ask(f"cancel {jobs[-1]}")
        bob.ask(f"cancel {own}")
        until(lambda: not owner.queue(), "the end of all jobs")


# Rights.


def strangers_and_the_machine(place):
    outside = {"name": "x", "command": "/bin/sh", "folder": "/etc"}
    configs = [{"bots": [outside, "g"]}, {"bots": [{"name": "x", "command": "sh"}, "g"]},
             {"bots": [{"bot": "g", "name": "x", "environment": {"LD_PRELOAD": "/tmp/x"}}, "g"]},
             {"bots": [{"bot": "g", "name": "x", "folder": "/etc"}, "g"]},
             {"bots": [{"bot": "g", "name": "x", "command": "/bin/sh"}, "g"]},
             {"bots": [{"bot": "g", "name": "x", "remote": place.daemon.socket}, "g"]}]
    with place.guest() as guest, place.user("alice") as alice, place.owner() as owner:
        for client in (guest, alice):
            for request in ("submit p command=/bin/sh", "submit p command=sh folder=/etc", "submit p folder=/etc",
                            "submit p command=/bin/sh build=\"touch /tmp/x\"", "shutdown", "shutdown now=yes", "fetch g"):
                if client.refusal(request) not in ("forbidden", "value", "not_connected"):
                    yield f"{request} is taken: {client.refusal(request)}"
            for config in configs:
                text = json.dumps({**config, "seats": 2}).encode()
                if client.refusal(f"tournament bytes={len(text)}", text) not in ("forbidden", "config"):
                    yield f"{config} is taken: {client.refusal(f'tournament bytes={len(text)}', text)}"
        for client in (guest, owner):
            text = json.dumps({"bots": ["g", {"bot": "g", "name": "h"}], "seats": 2, "contain": "none"}).encode()
            if client.refusal(f"tournament bytes={len(text)}", text) != "value":
                yield "bots can be let out"
        text = json.dumps({"bots": ["g", {"bot": "g", "name": "h"}], "seats": 2, "deals": 1, "output": "../../../out",
                           "rules": {"rounds": 1, "turn_limit": 6}}).encode()
        guest.refusal(f"tournament bytes={len(text)}", text)
        until(lambda: not owner.queue(), "the end of all jobs")
        if os.path.exists(os.path.join(os.path.dirname(place.daemon.folder), "out")):
            yield "a tournament is stored elsewhere"


def other_sites(place):
    """What a page from elsewhere can let a browser ask for."""
    port = place.daemon.http(0)[1]
    for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.2",
                 "localhost:80@evil", "[::1].evil", "localhost:80x", "0.0.0.0", " ", "127.1", "localhost, evil"):
        for target in ("/", "/api/jobs", "/events"):
            if place.get(target, f"Host: {host}") not in (400, 403, 421):
                yield f"{host}: {place.get(target, f'Host: {host}')}"
    for headers in (["Host: localhost", "Sec-Fetch-Site: cross-site"], ["Accept: */*"]):
        if place.get("/api/jobs", *headers) not in (400, 403, 421):
            yield f"{headers}: {place.get('/api/jobs', *headers)}"
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "HACK"):
        if place.get("/", method=method) not in (0, 400, 405, 501):
            yield f"{method}: {place.get('/', method=method)}"


def pages_for_nobody(place):
    def basic(words):
        return "Authorization: Basic " + base64.b64encode(words.encode()).decode()

    alice, bob = place.tokens["alice"], place.tokens["bob"]
    for headers in ([], [basic("alice:")], [basic(f"alice:{bob}")], [basic(f":{alice}")], [basic(alice)],
                    [f"Authorization: Bearer {alice}"], ["Authorization: Basic ="], ["Authorization: Basic " + "A" * 5000],
                    [basic(f"alice:{alice}x")], [basic(f"owner:{alice}")]):
        for target in ("/", "/bots", "/api/jobs", "/events"):
            # Pages send their readers to the form, which everybody may see.
            if place.get(target, "Host: club.example", *headers, door=1) not in (303, 400, 401):
                yield f"{headers}: {place.get(target, 'Host: club.example', *headers, door=1)}"
    if place.get("/api/jobs", "Host: club.example", basic(f"alice:{alice}"), door=1) != 200:
        yield "a user cannot come in"


def large_requests_for_pages(place):
    for sent in (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 10_000_000 + b"\r\n\r\n",
                 b"GET /" + b"a" * 10_000_000 + b" HTTP/1.1\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 1_000_000 + b"\r\n",
                 b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 1_000_000,
                 b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n" +
                 b"x" * 1_000_000):
        status = place.get_raw(sent)
        if 200 <= status < 400:
            yield f"{sent[:30]}: {status}"


# Bots.

SPY = """#!/usr/bin/env python3
import os, socket, sys

def gets(what):
    kind, target = what
    try:
        if kind == "read":
            return bool(os.listdir(target)) if os.path.isdir(target) else open(target, "rb").read(1) is not None
        if kind == "write":
            return open(target, "ab") is not None
        family = socket.AF_UNIX if isinstance(target, str) else socket.AF_INET
        socket.socket(family).connect(target)
        return True
    except OSError:
        return False

if any(map(gets, TARGETS)):
    sys.exit(3)
sys.stdin.readline()
print("hello spy legal=on", flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "legal":
        number, _, answers = rest.partition(" ")
        answer = (number + " " + answers).split("|")[0].strip()
    if word == "ask":
        print(rest.split(" ")[0], answer, flush=True)
"""


def fault_of(client, name):
    """What a bot is blamed for in a match against an honest one."""
    client.ask("watch")
    number = client.pairs(f"match {name} honest {SHORT}")["job"]
    words = client.wait_event(f"{number} match 1.1").split(" ")
    client.wait_event(f"{number} over done")
    client.ask("watch off")
    return words[words.index(name) + 3], words[words.index("honest") + 3]


def spies(place):
    daemon = place.daemon
    with place.user("alice") as alice, place.owner() as owner:
        owner.ask(f"submit honest command={GOOD}")
        targets = [("read", os.path.join(daemon.store, name)) for name in
                   ("", "ledger.ndjson", "users", "referee.lock", "bots", "bots/g", "jobs", "jobs/1", "jobs/1/config.json",
                    "jobs/1/store", "jobs/1/store/master", "jobs/1/store/results.ndjson")]
        targets += [("read", daemon.folder), ("read", daemon.said), ("read", f"/proc/{daemon.pid}/environ"),
                    ("read", f"/proc/{daemon.pid}/fd"), ("write", os.path.join(daemon.store, "ledger.ndjson")),
                    ("write", os.path.join(daemon.store, "users")), ("write", os.path.join(daemon.store, "bots", "x")),
                    ("connect", daemon.socket)]
        targets += [("connect", address) for address in daemon.doors() + daemon.doors("pages: http://")]
        alice.submit_file("spy", SPY.replace("TARGETS", repr(targets)), "spy.py")
        alice.submit_file("caught", SPY.replace("TARGETS", repr([("read", "/etc/passwd")])), "spy.py")
        if fault_of(owner, "caught")[0] == "-":
            yield "the spy does not see what it may see"
        if fault_of(owner, "spy") != ("-", "-"):
            yield next((f"a bot gets {target}" for target in targets if gets_alone(alice, owner, target)), "a bot gets in")


def gets_alone(alice, owner, target):
    alice.submit_file("spy-one", SPY.replace("TARGETS", repr([target])), "spy.py")
    return fault_of(owner, "spy-one")[0] != "-"


def bots_that_misbehave(place):
    names = ["kills_all_processes", "signal_referee", "ptrace_referee", "proc_mem", "steals_descriptor", "double_fork", "daemonizes",
             "flood", "stderr_flood", "memory_balloon", "fills_disk", "reads_shadow"]
    if os.geteuid() == 0 or "sealed" in place.daemon.words():
        names.append("fork_bomb")
    with place.user("alice") as alice, place.owner() as owner:
        for name in names:
            with open(os.path.join(BUILD, "tests", "hostile", name), "rb") as file:
                alice.submit_file(name, file.read(), name)
            if fault_of(owner, name)[1] != "-":
                yield f"{name}: the honest bot is blamed"
    plays = [pid for pid in os.listdir("/proc") if pid.isdigit() and is_from(pid, place.daemon.store)]
    if plays:
        yield f"still there: {plays}"


def is_from(pid, store):
    try:
        return os.readlink(f"/proc/{pid}/exe").startswith(os.path.join(store, "bots"))
    except OSError:
        return False


CLIENTS = [half_lines, byte_by_byte, floods_without_reading, long_lines, bad_bytes, random_bytes, wrong_tokens,
           requests_before_hello, requests_after_close, http_at_the_door_for_requests, requests_at_the_door_for_pages,
           names_that_are_paths, names_that_are_folders, paths_of_pages, links_in_the_store, wrong_byte_counts,
           many_large_uploads, a_thousand_connections, too_many_jobs, strangers_and_the_machine, other_sites,
           pages_for_nobody, large_requests_for_pages]
HOLDERS = [half_requests_that_stay, one_address_that_wants_all, one_user_who_wants_all, slow_uploads_that_stay,
           idle_connections]
BOTS = [spies, bots_that_misbehave]


def settled(place, case):
    yield from case(place)
    yield from place.settle()


def run(folder, cases, label, settings, *options):
    """Runs cases at one daemon, and looks at its end."""
    places = []

    def begin():
        places.append(Place(folder, settings, *options))
        yield from ()

    def end():
        if places[0].daemon.stop() != 0:
            yield f"it ends badly: {places[0].daemon.words()}"
        yield from (f"process {left} is left over" for left in remains())
        yield from sanitizer_words(places[0].daemon)

    report(f"a_daemon_with_open_doors{label}", begin())
    if not places:
        return
    try:
        for case in cases:
            report(case.__name__ + label, settled(places[0], case))
        report(f"and_it_ends_in_peace{label}", end())
    finally:
        places[0].daemon.end()


def main():
    become_reaper()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 4 * CONNECTIONS), limit))
    folder = tempfile.mkdtemp(prefix="serve-hostile-")
    wanted = sys.argv[1:]
    pick = [case for case in CLIENTS if not wanted or case.__name__ in wanted]
    if pick:
        run(os.path.join(folder, "clients"), pick, "", {})
    pick = [case for case in HOLDERS if not wanted or case.__name__ in wanted]
    if pick:
        shares = {"connections_per_address": SHARE, "connections_per_user": SHARE}
        run(os.path.join(folder, "holders"), pick, "_with_few_places", {**PATIENT, **shares}, "--connections", str(PLACES_MOST))
    for level in ("guarded", "sealed"):
        pick = [case for case in BOTS if not wanted or case.__name__ in wanted]
        if pick:
            run(os.path.join(folder, level), pick, f"_{level}", {}, "--contain", level)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"count {len(CLIENTS) + len(HOLDERS)} kinds of hostile clients; seed {SEED}")


if __name__ == "__main__":
    main()
