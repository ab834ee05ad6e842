#!/usr/bin/env python3
"""Remote bots: through `referee connect`, or by TCP themselves, at the real daemon."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading

from daemon import GREEDY, RANDOM, REFEREE, children, command_line
from patience import SECONDS
from organiser import expect, report, run, wait_for, write_file

# All that a bot needs that does without `referee connect`.
TCP_BOT = """import socket, sys

address, token, name = sys.argv[1:]
host, port = address.rsplit(":", 1)
stream = socket.create_connection((host, int(port))).makefile("rw", newline="\\n")


def say(words):
    stream.write(words + "\\n")
    stream.flush()


say(f"hello 1 token={token}")
assert stream.readline().startswith("ok ")
say(f"play {name}")
assert stream.readline() == "ok waiting\\n"
assert stream.readline() == "start\\n"
stream.readline()
say("hello tcp legal=on")
for line in stream:
    word, *rest = line.split("|")[0].split()
    if word == "legal":
        answer = " ".join(rest)
    elif word == "ask":
        say(f"{rest[0]} {answer}")
"""
PATIENT = ["--start-ms", "60000", "--move-ms", "60000", "--rounds", "1"]


class Daemon:
    """A referee that serves, with bots `g` and `r` of its own and a user anna."""

    def __init__(self, folder, *options):
        self.folder = folder
        self.socket = f"{folder}/socket"
        self.options = ["--socket", self.socket, "--store", f"{folder}/store", "--workers", "2", *options]
        self.token = run("serve", "--store", f"{folder}/store", "--add-user", "anna").stdout.strip()
        self.token_file = write_file(f"{folder}/token", self.token + "\n", 0o600)
        self.start("127.0.0.1:0")
        for name, program in ("g", GREEDY), ("r", RANDOM):
            self.ask("submit", "bot", name, program)

    def start(self, address):
        self.process = subprocess.Popen([REFEREE, "serve", *self.options, "--listen", address], stderr=subprocess.PIPE, text=True)
        self.host = None
        while not self.host:
            line = self.process.stderr.readline()
            if not line:
                raise OSError("the daemon does not start")
            self.host = (re.findall(r"127\.0\.0\.1:[0-9]+", line) or [None])[0]
        self.drain = threading.Thread(target=self.process.stderr.read, daemon=True)
        self.drain.start()

    def ask(self, *arguments, **more):
        return run(*arguments, env=dict(os.environ, REFEREE_SOCKET=self.socket), **more)

    def from_other_machine(self, *arguments):
        return run(*arguments, "--connect", self.host, "--token-file", self.token_file)

    def register(self, name="far"):
        return self.from_other_machine("submit", "bot", name, "--remote")

    def connect(self, *arguments):
        return subprocess.Popen([REFEREE, "connect", "--token-file", self.token_file, self.host, *arguments],
                                stderr=subprocess.PIPE, text=True)

    def play(self, *arguments):
        return self.ask("submit", "match", *PATIENT, *arguments, "--wait")

    def end(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        if error:
            self.end()
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.end()
            raise OSError("the daemon does not end") from None
        if self.process.returncode != 0:
            raise OSError(f"the daemon ended with {self.process.returncode}")


class Guest:
    """A bot in the hands of the test."""

    def __init__(self, daemon, name="far"):
        host, port = daemon.host.rsplit(":", 1)
        self.connection = socket.create_connection((host, int(port)), timeout=SECONDS)
        self.stream = self.connection.makefile("rw", newline="\n")
        self.say(f"hello 1 token={daemon.token}")
        self.hear("ok ")
        self.say(f"play {name}")
        self.hear("ok waiting")

    def say(self, words):
        self.stream.write(words + "\n")
        self.stream.flush()

    def hear(self, beginning):
        line = self.stream.readline()
        if not line.startswith(beginning):
            raise OSError(f"`{line}` instead of `{beginning}`")

    def begin(self):
        self.hear("start")
        self.stream.readline()
        self.say("hello guest legal=on")

    def answer(self, most=None):
        """Takes the first answer, so often or to the end."""
        answer, count = None, 0
        while most is None or count < most:
            line = self.stream.readline()
            if not line:
                return
            word, *rest = line.split("|")[0].split()
            if word == "legal":
                answer = " ".join(rest)
            elif word == "ask":
                self.say(f"{rest[0]} {answer}")
                count += 1

    def is_sent_away(self):
        try:
            return self.stream.readline() == ""
        except ConnectionResetError:
            return True

    def leave(self):
        # The daemon may have cut the connection already.
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


def check_log(daemon, job, match="1.1"):
    """The log can be had, and is a true one."""
    log = daemon.ask("queue", job, "--log", match)
    yield from expect(log, 0)
    path = write_file(f"{daemon.folder}/log-{job}.ndjson", log.stdout)
    yield from expect(run("replay", "--verify", path), 0, "verified")


def stop(process):
    process.terminate()
    return process.communicate(timeout=SECONDS)[1]


def check_connect(folder):
    with Daemon(folder, "--remote") as daemon:
        yield from expect(daemon.register(), 0, "bot far, version 1")
        author = daemon.connect("far", GREEDY)
        yield from expect(daemon.play("g", "far", "r"), 0, "match 1.1: ", " far ", "finished: 1 match")
        yield from check_log(daemon, "1")
        yield from expect(daemon.play("far", "g", "--deals", "3"), 0, "3 of 3 matches decided")
        yield from expect(daemon.ask("queue", "--bots"), 0, "remote")
        said = stop(author)
        if said.count("match started") != 4 or said.count("match over") != 4 or "left" in said:
            yield said


def check_own_tcp(folder):
    program = write_file(f"{folder}/bot.py", TCP_BOT)
    with Daemon(folder, "--remote") as daemon:
        daemon.register()
        bot = subprocess.Popen([sys.executable, program, daemon.host, daemon.token, "far"])
        yield from expect(daemon.play("g", "far"), 0, "match 1.1: ")
        if bot.wait(SECONDS) != 0:
            yield f"the bot ended with {bot.returncode}"
        yield from check_log(daemon, "1")


def check_refusals(folder):
    with Daemon(folder, "--remote") as daemon:
        daemon.register()
        daemon.ask("submit", "bot", "owners", "--remote")
        wrong = write_file(f"{folder}/wrong", "0" * 32 + "\n", 0o600)
        for token, name, code, word in [(wrong, "far", 2, "token"), (daemon.token_file, "nobody", 2, "there is no bot nobody"),
                                        (daemon.token_file, "g", 2, "is not a remote bot"),
                                        (daemon.token_file, "owners", 2, "belongs to owner")]:
            yield from expect(run("connect", "--token-file", token, daemon.host, name, GREEDY), code, word)
        cup = write_file(f"{folder}/cup.json", '{"bots": ["g", "far"], "seats": 2, "deals": 1, "seatings": "all"}')
        yield from expect(daemon.ask("submit", "tournament", cup), 2, "single")


def check_off(folder):
    with Daemon(folder) as daemon:
        done = daemon.register()
        if done.returncode == 0:
            yield "a remote bot is accepted although they are not allowed"
        done = run("connect", "--once", "--token-file", daemon.token_file, daemon.host, "far", GREEDY)
        if done.returncode == 0 or "waiting" in done.stderr:
            yield f"{done}"


def check_cut(folder):
    """A bot that leaves in the middle of its match is gone; a silent one never started."""
    with Daemon(folder, "--remote") as daemon:
        daemon.register()
        guest = Guest(daemon)
        playing = threading.Thread(target=lambda: (guest.begin(), guest.answer(3), guest.leave()))
        playing.start()
        yield from expect(daemon.play("far", "g"), 3, "(gone)")
        playing.join(SECONDS)
        yield from check_log(daemon, "1")
        guest = Guest(daemon)
        yield from expect(daemon.ask("submit", "match", "far", "g", "--start-ms", "200", "--rounds", "1", "--wait"), 3, "(no_start)")
        guest.leave()


def check_waiting(folder):
    """A job waits for its bot; a bot that speaks before its match does not get one."""
    with Daemon(folder, "--remote") as daemon:
        daemon.register()
        yield from expect(daemon.ask("submit", "match", *PATIENT, "far", "g"), 0, "job 1")
        yield from expect(daemon.play("r", "g"), 0)
        yield from expect(daemon.ask("queue"), 0, "queued")
        guest = Guest(daemon)
        guest.begin()
        early = Guest(daemon)
        early.say("1 draw")
        if not early.is_sent_away():
            yield "a bot that sends too early is not disconnected"
        guest.answer()
        yield from expect(daemon.ask("watch", "1"), 0, "over: done")
        yield from check_log(daemon, "1")


def check_tables(folder):
    """Two matches of one bot at once: both have begun before one of them is played."""
    with Daemon(folder, "--remote") as daemon:
        daemon.register()
        guests = [Guest(daemon), Guest(daemon)]
        for job in 1, 2:
            yield from expect(daemon.ask("submit", "match", *PATIENT, "far", "g"), 0, f"job {job}")
        for guest in guests:
            guest.begin()
        threads = [threading.Thread(target=guest.answer) for guest in guests]
        for thread in threads:
            thread.start()
        for job in "1", "2":
            yield from expect(daemon.ask("watch", job), 0, "over: done")
        for thread in threads:
            thread.join(SECONDS)
        author = daemon.connect("--tables", "2", "far", GREEDY)
        yield from expect(daemon.play("far", "far", "--deals", "3"), 0, "3 of 3")
        said = stop(author)
        if said.count("match started") != 6:
            yield said


def check_restart(folder):
    """A daemon that was killed resumes the match when its bot has reconnected, which the bot does by itself."""
    with Daemon(folder, "--remote") as daemon:
        daemon.register()
        gate = f"{folder}/gate"
        slow = write_file(f"{folder}/slow", f'#!/bin/sh\n[ -e {gate} ] || {{ : >{gate}; exec sleep 1000; }}\nexec {GREEDY}\n', 0o755)
        author = daemon.connect("far", slow)
        yield from expect(daemon.ask("submit", "match", *PATIENT, "far", "g"), 0)
        wait_for(gate)
        daemon.end()
        daemon.start(daemon.host)
        yield from expect(daemon.ask("watch", "1"), 0, "over: done")
        yield from check_log(daemon, "1", "2.1")
        stop(author)


def check_void(folder):
    """The worker dies in the middle of a match, again and again: each time the bot gets other cards."""
    with Daemon(folder, "--remote") as daemon:
        daemon.register()
        seen = []
        yield from expect(daemon.ask("submit", "match", *PATIENT, "far", "g"), 0)
        for attempt in range(3):
            guest = Guest(daemon)
            guest.begin()
            seen.append(guest.stream.readline().split("rng=")[1])
            if attempt < 2:
                guest.answer(1)
                workers = [pid for job in children(daemon.process.pid) if "tournament" in command_line(job)
                           for pid in children(job) if command_line(pid)[:1] == command_line(job)[:1]]
                for pid in workers:
                    os.kill(pid, signal.SIGKILL)
                guest.leave()
        guest.answer()
        yield from expect(daemon.ask("watch", "1"), 0, "over: done")
        if len(set(seen)) != 3:
            yield f"the same cards again: {seen}"
        yield from check_log(daemon, "1", "3.1")
        yield from expect(daemon.ask("queue", "1", "--log", "1.1"), 2, "no such match")
        yield from expect(run("replay", "--verify", f"{folder}/store/jobs/1/store"), 0)


CHECKS = {
    "a remote bot plays through connect, and the log is true": check_connect,
    "a bot can speak TCP itself": check_own_tcp,
    "wrong tokens, names and tournaments are refused": check_refusals,
    "remote bots are off by default": check_off,
    "a bot that is cut off is gone, and one that says nothing never started": check_cut,
    "a match waits for its remote bot": check_waiting,
    "a remote bot plays at two tables": check_tables,
    "after kill -9 the bot comes back and the match is played": check_restart,
    "a void match of a remote bot is played with other cards": check_void,
}

if __name__ == "__main__":
    # A wait for something that never comes must end before the time limit of the suite.
    signal.alarm(3 * SECONDS)
    for title, check in CHECKS.items():
        with tempfile.TemporaryDirectory() as scratch:
            report(title, check(scratch))
