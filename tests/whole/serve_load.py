#!/usr/bin/env python3
"""Many watchers and clients at once while matches are played, and some who never read: those who behave
miss nothing, those who do not are dropped, and the daemon stays small.

LOAD_WATCHERS and LOAD_GIVERS say how many there are, LOAD_ROUNDS what each client hands in."""

import http.client
import json
import os
import shutil
import socket
import tempfile
import threading

from patience import SECONDS
from daemon import GREEDY, IS_SANITIZED, RANDOM, SHORT, Client, Daemon, report, sanitizer_words, until

WATCHERS = int(os.environ.get("LOAD_WATCHERS", "20"))
GIVERS = int(os.environ.get("LOAD_GIVERS", "5"))
ROUNDS = int(os.environ.get("LOAD_ROUNDS", "3" if IS_SANITIZED else "6"))
STALLED = 3
MARK = "the-last"  # a bot whose coming is the last event
MEMORY_MB = 600 if IS_SANITIZED else 64


class Thread(threading.Thread):
    """One that keeps what went wrong in it."""

    def __init__(self):
        super().__init__(daemon=True)
        self.problem = None

    def run(self):
        try:
            self.work()
        except Exception as error:
            self.problem = f"{type(self).__name__}: {error!r}"


class Watcher(Thread):
    """Keeps every event up to the last."""

    def __init__(self, address):
        super().__init__()
        self.client = Client(address)
        self.client.ask("watch")
        self.heard = []

    def work(self):
        while not self.heard or f" bot {MARK} " not in self.heard[-1]:
            self.heard.append(self.client.next_event().removeprefix("event "))
        self.client.close()


class Reader(Thread):
    """The same by HTTP."""

    def __init__(self, address):
        super().__init__()
        self.connection = http.client.HTTPConnection(*address, timeout=SECONDS)
        self.connection.request("GET", "/events")
        self.response = self.connection.getresponse()
        if self.response.readline() != b"retry: 2000\n":
            raise ValueError("events do not begin with `retry`")
        self.heard = []

    def work(self):
        while not self.heard or f" bot {MARK} " not in self.heard[-1]:
            line = self.response.readline().decode().rstrip("\n")
            if line.startswith("data: "):
                self.heard.append(line.removeprefix("data: "))
        self.connection.close()


class Giver(Thread):
    """Submits bots and matches, and makes other requests in between."""

    def __init__(self, address, number):
        super().__init__()
        self.address = address
        self.number = number
        self.bots = []
        self.jobs = []

    def work(self):
        with Client(self.address) as client:
            for i in range(ROUNDS):
                name = f"bot-{self.number}-{i}"
                client.submit_file(name, f"#!/bin/sh\n# {name}\n" * 100)
                self.bots.append(name)
                self.jobs.append(int(client.pairs(f"match g r title={name} {SHORT}")["job"]))
                if self.jobs[-1] not in client.queue(all="yes"):
                    raise ValueError(f"job {self.jobs[-1]} is acknowledged and not there")


# Those who never read.


def stall_control(address):
    """Watches, and asks for more than is read ahead for it."""
    client = Client(address)
    client.ask("watch")
    client.socket.setblocking(False)
    try:
        while True:
            client.socket.send(b"help\n" * 1000)
    except BlockingIOError:
        return client.socket


def stall_http(address, path):
    quiet = socket.socket()
    quiet.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    quiet.connect(address)
    quiet.setblocking(False)
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    try:
        quiet.send(request * (1 if path == "/events" else 1000))
    except BlockingIOError:
        pass
    return quiet


# What must have been heard.


def check_job(number, events, matches):
    """The events of one job: it is queued, is played, and ends, with each match once."""
    words = [event.split(" ")[1] for event in events]
    played = [event.split(" ")[2] for event in events if event.split(" ")[1] == "match"]
    if words[:2] != ["queued", "playing"] or words[-1] != "over" or not events[-1].startswith(f"{number} over done"):
        yield f"job {number}: {events}"
    if len(played) != matches or len(set(played)) != matches:
        yield f"job {number} has {matches} matches, and these were heard: {played}"


def difference(heard, expected):
    """Where a watcher heard something else than the first one."""
    if heard != expected:
        at = next((i for i, pair in enumerate(zip(heard, expected)) if pair[0] != pair[1]), min(len(heard), len(expected)))
        yield f"of {len(expected)} events a watcher heard {len(heard)}: at {at} {heard[at:at + 3]}, not {expected[at:at + 3]}"


def check_heard(heard, givers, jobs):
    for giver in givers:
        for name in giver.bots:
            if sum(event.startswith(f"0 bot {name} 1 ") for event in heard) != 1:
                yield f"the bot {name} was not heard once"
        for number in giver.jobs:
            events = [event for event in heard if event.startswith(f"{number} ")]
            yield from check_job(number, events, jobs[number][4])


def check_load(folder):
    settings = os.path.join(folder, "settings.json")
    with open(settings, "w") as file:
        json.dump({"connections_per_address": 100000, "connections_per_user": 100000}, file)
    daemon = Daemon(folder, "--workers", "2", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--settings", settings)
    daemon.start()
    stalled = []
    try:
        with daemon.client() as client:
            client.ask(f"submit g command={GREEDY}")
            client.ask(f"submit r command={RANDOM}")
            until(lambda: "=waiting" not in client.ask("bots"), "the end of all trials")
            before = daemon.descriptors()
            for _ in range(STALLED):
                stalled += [stall_control(daemon.socket), stall_control(daemon.tcp()),
                            stall_http(daemon.http(), "/events"), stall_http(daemon.http(), "/texts.js")]
            watchers = [Watcher(daemon.tcp() if i % 2 else daemon.socket) for i in range(WATCHERS)]
            watchers += [Reader(daemon.http()) for i in range(WATCHERS // 4)]
            givers = [Giver(daemon.tcp() if i % 2 else daemon.socket, i) for i in range(GIVERS)]
            for thread in watchers + givers:
                thread.start()
            for giver in givers:
                giver.join(SECONDS)
            until(lambda: not client.queue(), "the end of all jobs")
            client.ask(f"submit {MARK} command={GREEDY}")
            for watcher in watchers:
                watcher.join(SECONDS)
            jobs = client.queue(all="yes")
            yield from (thread.problem for thread in watchers + givers if thread.problem)
            if len(jobs) != GIVERS * ROUNDS:
                yield f"{len(jobs)} jobs instead of {GIVERS * ROUNDS}"
            yield from check_heard(watchers[0].heard, givers, jobs)
            for watcher in watchers:
                yield from difference(watcher.heard, watchers[0].heard)
            yield from check_stalled(daemon, client, before)
            print(f"count {len(watchers)} watchers heard {len(watchers[0].heard)} events each, {GIVERS} clients gave "
                  f"{len(jobs)} jobs; {daemon.peak_mb():.1f} MB at most")
        if daemon.stop() != 0:
            yield f"it ends badly: {daemon.words()}"
        yield from sanitizer_words(daemon)
    finally:
        daemon.end()
        for each in stalled:
            each.close()


def check_stalled(daemon, client, before):
    """A client that does not read its replies is disconnected; one that has nothing to read yet may stay."""
    until(lambda: int(client.pairs("status")["connections"]) == 1, "the end of those who never read")
    until(lambda: daemon.descriptors() <= before + STALLED, "the end of those who never read pages")
    if daemon.peak_mb() > MEMORY_MB:
        yield f"it needed {daemon.peak_mb():.1f} MB"


def main():
    folder = tempfile.mkdtemp(prefix="serve-load-")
    report("those_who_behave_miss_nothing_and_those_who_do_not_are_dropped", check_load(folder))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
