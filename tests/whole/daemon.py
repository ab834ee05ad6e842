"""What the scripts share that test the daemon: one that runs in a folder of its own, and clients that
speak its lines.

Nothing here waits for a time to pass: a daemon is ready when it answers, and whatever is waited for has
a deadline that only a broken daemon reaches."""

import ctypes
import os
import re
import shlex
import signal
import socket
import subprocess

from patience import SECONDS, until

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
IS_SANITIZED = b"__asan_init" in open(REFEREE, "rb").read()
# Programs with sanitizers need more room than a contained bot gets.
GOOD = os.path.join(BUILD, "tests", "hostile", "good")
GREEDY = GOOD if IS_SANITIZED else os.path.join(BUILD, "bots", "greedy")
RANDOM = GOOD if IS_SANITIZED else os.path.join(BUILD, "bots", "random")
SHORT = "rounds=1 set=turn_limit=6 start_ms=60000 move_ms=60000"
PR_SET_CHILD_SUBREAPER = 36

# A bot that takes the first legal answer, after a while of its own choice.
SLOW = """#!/bin/sh
read -r greeting
echo hello slow legal=on
while read -r word id rest; do
    case $word in
    legal) answer="$id $rest"; answer="${answer%%|*}"; answer="${answer% }" ;;
    ask) sleep SECONDS; echo "$id $answer" ;;
    bye) exit ;;
    esac
done
"""


class Refused(Exception):
    """The daemon replied `error`: class, code and message."""

    def __init__(self, line):
        super().__init__(line)
        self.kind, self.code, self.words = (line.split(" ", 3)[1:] + ["", ""])[:3]


class NoDaemon(Exception):
    """It did not begin: what it said."""


def become_reaper():
    """From now on every orphan below this process is a child of it, and so can be found."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def command_line(pid):
    """What a process was started with; nothing when it is dead."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace").split("\0")[:-1]
    except OSError:
        return []


def state_of(pid):
    """What a process is waiting for."""
    try:
        with open(f"/proc/{pid}/wchan") as waits, open(f"/proc/{pid}/status") as status:
            return " ".join(re.findall(r"^(?:State|NSpid|Uid):.*", status.read(), re.M)) + " " + waits.read()
    except OSError:
        return "gone"


def status_number(pid, key):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(rf"^{key}:\s+(\d+)", file.read(), re.M)[1])


class Client:
    """A conversation. `events` are those that have come so far."""

    def __init__(self, address, token=None, hello=True, seconds=SECONDS, tls=None):
        """`tls` is a context of ssl, if it is to be spoken."""
        is_local = isinstance(address, str)
        self.socket = socket.socket(socket.AF_UNIX if is_local else socket.AF_INET)
        self.socket.settimeout(seconds)
        self.events = []
        try:
            self.socket.connect(address)
            if tls is not None:
                self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
            self.stream = self.socket.makefile("rb")
            if hello:
                self.ask("hello 1" + (f" token={token}" if token is not None else ""))
        except BaseException:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        self.stream.close()
        self.socket.close()

    def send(self, line, block=b""):
        self.socket.sendall(line.encode() + b"\n" + block)

    def read_line(self):
        line = self.stream.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError(f"the connection ended after {line!r}")
        return line[:-1].decode()

    def reply(self):
        """The next reply: the words after `ok`, and the text of a block on the lines after them; or the text of a
        block."""
        while (line := self.read_line()).startswith("event "):
            self.events.append(line)
        word, _, rest = line.partition(" ")
        if word == "error":
            raise Refused(line)
        if word == "ok":
            length = re.search(r" bytes=(\d+)$", rest)
            return rest + "\n" + self.read_block(int(length[1])) if length else rest
        if word != "block":
            raise ValueError(f"{line!r} is no reply")
        return self.read_block(int(rest.split()[0]))

    def read_block(self, length):
        block = self.stream.read(length)
        if len(block) != length:
            raise ConnectionError(f"{len(block)} bytes of a block of {length}")
        return block.decode(errors="replace")

    def ask(self, line, block=b""):
        self.send(line, block)
        return self.reply()

    def pairs(self, line, block=b""):
        """A reply of the form KEY=VALUE, as a table."""
        return dict(word.split("=", 1) for word in shlex.split(self.ask(line, block).split("\n")[0])
                    if "=" in word)

    def refusal(self, line, block=b""):
        """The code of the error that the request gets; `None` if it is not refused."""
        try:
            self.ask(line, block)
        except Refused as refused:
            return refused.code
        return None

    def next_event(self):
        if self.events:
            return self.events.pop(0)
        line = self.read_line()
        if not line.startswith("event "):
            raise ValueError(f"{line!r} is no event")
        return line

    def wait_event(self, words):
        """Reads events until one begins so, and returns it."""
        while not (event := self.next_event()).startswith(f"event {words}"):
            pass
        return event

    def submit_file(self, name, text, file="bot.sh", more=""):
        text = text.encode() if isinstance(text, str) else text
        return self.ask(f"submit {name} file={file} bytes={len(text)}{more}", text)

    def queue(self, **keys):
        """Jobs by their numbers: state, user, kind, decided, matches and title."""
        asked = "".join(f" {key}={value}" for key, value in keys.items())
        jobs = {}
        for line in self.ask(f"queue{asked}").splitlines():
            number, state, user, kind, progress, title = line.split(" ", 5)
            decided, matches = map(int, progress.split("/"))
            jobs[int(number)] = (state, user, kind, decided, matches, title)
        return jobs


class Daemon:
    """`referee serve` in a folder. It can be started as often as it is ended."""

    def __init__(self, folder, *options, store="store"):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.socket = os.path.join(folder, "socket")
        self.store = os.path.join(folder, store)
        self.said = os.path.join(folder, "stderr")
        self.options = options
        self.process = None

    @property
    def pid(self):
        return self.process.pid

    def launch(self, *before, environment=None, socket_option=True, **more):
        """Starts it, and does not wait until it answers. `before` is put before its command."""
        where = ["--socket", self.socket] if socket_option else []
        with open(self.said, "ab") as said:
            self.begin = said.tell()
            self.process = subprocess.Popen(
                [*before, REFEREE, "serve", *where, "--store", self.store, *self.options],
                env=dict(os.environ, **(environment or {})), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=said, cwd=self.folder, **more)

    def start(self, *before, **more):
        self.launch(*before, **more)
        return self.wait_ready()

    def wait_ready(self):
        until(lambda: self.is_ready() or self.process.poll() is not None, "the daemon answers")
        if self.process.poll() is not None:
            raise NoDaemon(self.words())
        return self

    def is_ready(self):
        """All its addresses are open once it has reported the sandbox level."""
        if not re.search(r"^referee: bots: ", self.words(), re.M):
            return False
        with self.client():
            return True

    def words(self):
        """What it has said since it was started last."""
        with open(self.said, errors="replace") as file:
            file.seek(self.begin)
            return file.read()

    def client(self, **more):
        return Client(self.socket, **more)

    def doors(self, kind="requests: "):
        """Its TCP addresses, in the order in which they were opened."""
        found = re.findall(rf"^referee: {kind}([0-9.]+):(\d+)$", self.words(), re.M)
        return [("127.0.0.1", int(port)) for _, port in found]

    def tcp(self, place=0):
        return self.doors()[place]

    def http(self, place=0):
        return self.doors("pages: http://")[place]

    def kill(self):
        self.process.kill()
        self.process.wait(SECONDS)

    def stop(self, number=signal.SIGTERM):
        """Ends it in the regular way. Returns the exit code."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self):
        try:
            return self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return "timeout"

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def end(self):
        """Whatever state it is in."""
        if self.is_running():
            self.kill()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def peak_mb(self):
        return status_number(self.pid, "VmHWM") / 1024

    def add_user(self, name, *more):
        done = subprocess.run([REFEREE, "serve", "--store", self.store, "--add-user", name, *more],
                              capture_output=True, text=True, timeout=SECONDS)
        if done.returncode != 0:
            raise OSError(done.stderr)
        return done.stdout.strip()


def remains(seconds=SECONDS):
    """Children of this process, after become_reaper(), that are still there after a while. It must have
    no children that it wants to keep."""
    def none_is_left():
        for pid in children(os.getpid()):
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass
        return not children(os.getpid())
    try:
        until(none_is_left, "", seconds)
        return []
    except OSError:
        return [(pid, state_of(pid), command_line(pid)) for pid in children(os.getpid())]


def report(name, problems):
    """Runs a case, which yields what is wrong."""
    try:
        problems = [" ".join(str(problem).split()) for problem in problems]
    except NoDaemon as why:
        if "cannot be contained" in str(why):
            print(f"skip {name}: {str(why).strip()}", flush=True)
            return
        problems = [f"the daemon did not begin: {why}"]
    except (OSError, ValueError, KeyError, IndexError, TypeError, Refused, subprocess.SubprocessError) as error:
        problems = [repr(error)]
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0][:1500]}", flush=True)
    for problem in problems[1:10]:
        print(f"    {problem[:1500]}")


def sanitizer_words(daemon):
    """What a sanitizer said in any of the daemon's runs."""
    with open(daemon.said, errors="replace") as file:
        words = file.read()
    if "Sanitizer" in words or "runtime error:" in words:
        yield words[:3000]
