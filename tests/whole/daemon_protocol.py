#!/usr/bin/env python3
"""Plays what referee/serve/protocol.md shows, with a real daemon, and holds its tables against
the program."""

import os
import re
import socket
import subprocess
import sys
import tempfile

from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")


def report(name, problems):
    """One line for tests/run."""
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


class Connection:
    """Lines of the daemon, those of blocks among them."""

    def __init__(self, address):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family)
        self.socket.settimeout(SECONDS)
        self.socket.connect(address)
        self.file = self.socket.makefile("rb")
        self.block = []

    def say(self, lines):
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def hear(self):
        """The next line; None at the end, or if none comes."""
        if self.block:
            return self.block.pop(0)
        try:
            line = self.file.readline()
        except OSError:
            line = b""
        if not line:
            return None
        line = line.decode().removesuffix("\n")
        if line.startswith("event 0 trial "):  # when a check ends, nobody knows
            return self.hear()
        length = re.fullmatch(r"(?:block |ok .* bytes=)(\d+)", line)
        if length:
            body = self.file.read(int(length[1])).decode()
            self.block = body.splitlines()
        return line

    def close(self):
        self.file.close()
        self.socket.close()


def is_like(line, shown):
    """Whether a line is the one that is shown, in which … stands for anything."""
    pattern = ".*".join(re.escape(piece) for piece in shown.split("…"))
    return line is not None and re.fullmatch(pattern, line) is not None


def hear_all(connection, shown):
    """Holds what comes against lines that are shown one after the other."""
    for place, line in enumerate(shown):
        if line == "…":
            if place + 1 == len(shown):
                connection.block = []
            continue
        came = connection.hear()
        while came is not None and place > 0 and shown[place - 1] == "…" and not is_like(came, line):
            came = connection.hear()
        if not is_like(came, line):
            yield f"expected `{line}`, came `{came}`"
            return
    if connection.block:
        yield f"the block goes on with `{connection.block[0]}`"


def play(connection, text):
    """One transcript: what is said in turn with what is heard."""
    parts = re.findall(r"((?:^>.*\n)+)((?:^<.*\n)+)", text, re.M)
    if "".join(said + heard for said, heard in parts) != text:
        yield "it is no transcript"
    # In a sandbox the sanitizers of a bot complain on its stderr that they cannot look for leaks.
    if BUILD.endswith("sanitize"):
        parts = [part for part in parts if "wrote nothing to stderr" not in part[1]]
    for said, heard in parts:
        connection.say(line[2:].replace("/opt/bots/", f"{BUILD}/bots/") for line in said.splitlines())
        problems = list(hear_all(connection, [line[2:] for line in heard.splitlines()]))
        if problems:
            yield problems[0]
            return
    if parts[-1][1].rstrip().endswith("the connection is closed") and connection.hear() is not None:
        yield "the connection goes on"


def start(folder):
    """A daemon, and its address by TCP."""
    daemon = subprocess.Popen([REFEREE, "serve", "--socket", "socket", "--listen", "127.0.0.1:0", "--remote",
                               "--store", "store"], cwd=folder, stderr=subprocess.PIPE, text=True)
    for line in daemon.stderr:
        port = re.search(r"requests: 127\.0\.0\.1:(\d+)", line)
        if port:
            return daemon, ("127.0.0.1", int(port[1]))
    raise RuntimeError("the daemon does not start")


def check_transcripts(chapter, doors):
    for section in re.split(r"(?m)^(?=#+ )", chapter)[1:]:
        heading = section.splitlines()[0].strip("# ")
        name = "overview" if section.startswith("# ") else heading.split(" ", 1)[0].strip(",")
        for number, (door, text) in enumerate(re.findall(r"^```control( tcp)?\n(.*?)^```$", section, re.M | re.S)):
            connection = Connection(doors[door])
            report(f"daemon_protocol: {name} {number + 1}", play(connection, text))
            connection.close()


def check_requests(chapter, address):
    """Every request that there is has its heading, and each of its keys is somewhere."""
    connection = Connection(address)
    connection.say(["hello 1", "help"])
    lines = [connection.hear(), connection.hear()] + connection.block
    connection.close()
    headings = re.findall(r"[a-z]+", " ".join(re.findall(r"^### ([a-z, ]+)$", chapter, re.M)))
    verbs = [line.split()[0] for line in lines[2::2]]
    if sorted(headings) != sorted(verbs):
        yield f"{sorted(set(headings) ^ set(verbs))} are not in both"
    for line in lines[2::2]:
        for key in re.findall(r"\b([a-z_]+)=", line):
            if f"{key}=" not in chapter:
                yield f"{line.split()[0]}: nothing about {key}"


def check_errors(chapter):
    """The table of errors is the program's."""
    shown = re.findall(r"^\| (yours|bots|ours) \| `([a-z_]+)` \|", chapter, re.M)
    with open(os.path.join(ROOT, "referee", "wire", "request_error.c")) as file:
        rows = re.findall(r'\[REQUEST_ERROR_(?!NONE)[A-Z_]+\] = \{"([a-z_]+)", REQUEST_ERROR_([A-Z]+)\}', file.read())
    known = [(whose.lower(), code) for code, whose in rows]
    if shown != known:
        yield f"{sorted(set(shown) ^ set(known))} or their order"


def end(daemon, address):
    connection = Connection(address)
    connection.say(["hello 1", "shutdown now=yes"])
    connection.hear()
    if connection.hear() != "ok":
        yield "shutdown is not answered"
    if daemon.wait(SECONDS) != 0:
        yield f"exit code {daemon.returncode}"


def main():
    with open(os.path.join(ROOT, "referee", "serve", "protocol.md")) as file:
        chapter = file.read()
    with tempfile.TemporaryDirectory() as folder:
        daemon, tcp = start(folder)
        local = os.path.join(folder, "socket")
        try:
            check_transcripts(chapter, {"": local, " tcp": tcp})
            report("daemon_protocol: every request is documented", check_requests(chapter, local))
            report("daemon_protocol: every error is documented", check_errors(chapter))
            report("daemon_protocol: it ends when it is told to", end(daemon, local))
        finally:
            daemon.kill()
            daemon.wait()


if __name__ == "__main__":
    sys.exit(main())
