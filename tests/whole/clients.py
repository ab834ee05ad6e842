#!/usr/bin/env python3
"""The clients of the daemon, with a daemon that says what the test wants: what they send, what they make of the
answers, and their exit codes."""

import io
import json
import os
import re
import signal
import socket
import subprocess
import tarfile
import tempfile
import threading

from fake_daemon import FakeDaemon
from patience import SECONDS, Lines
from organiser import GREEDY, REFEREE, expect, read_text, report, run, start, write_file, write_script


def block(text):
    data = text if isinstance(text, bytes) else text.encode()
    return b"block %d\n" % len(data) + data


def at(daemon, *arguments, **more):
    return run(arguments[0], "--socket", daemon.socket, *arguments[1:], **more)


def submit(daemon, kind, *arguments, **more):
    return run("submit", kind, "--socket", daemon.socket, *arguments, **more)


# Finding the daemon.

COMMANDS = [["queue"], ["watch"], ["cancel", "1"], ["resume", "1"], ["submit", "match", "a", "b"], ["submit", "bot", "a", "--remote"]]


def check_no_daemon(folder):
    for command in COMMANDS:
        yield from expect(run(*command, "--socket", f"{folder}/none"), 1, f"no daemon is at {folder}/none",
                          "`referee serve` starts one")
        yield from expect(run(*command, "--connect", "127.0.0.1:1"), 1, "no daemon is at 127.0.0.1:1")
    yield from expect(run("queue", env={"REFEREE_SOCKET": f"{folder}/usual"}), 1, f"{folder}/usual")
    yield from expect(run("queue", "--socket", f"{folder}/{'x' * 200}"), 1, "File name too long")
    yield from expect(run("queue", "--connect", "nowhere"), 2, "HOST:PORT")
    yield from expect(run("queue", "--connect", "a:1", "--socket", "b"), 2, "one daemon at a time")


def check_no_referee(folder):
    """Something else listens there."""
    for number, words in enumerate([b"SSH-2.0-OpenSSH\r\n", b"x" * 100000, b"", b"ok"]):
        os.makedirs(f"{folder}/{number}")
        daemon = FakeDaemon(f"{folder}/{number}", hello=lambda *_, words=words: words or None)
        if words == b"ok":
            daemon.replies["hello"] = None
        yield from expect(at(daemon, "queue"), 1, "there is no daemon of the referee")
        daemon.close()


def check_tokens(folder):
    daemon = FakeDaemon(folder, token="00ff", queue=block(""))
    file = write_file(f"{folder}/token", "00ff\n", 0o600)
    yield from expect(run("queue", "--connect", daemon.host, "--token-file", file), 0)
    yield from expect(run("queue", "--connect", daemon.host, env={"REFEREE_TOKEN": "00ff"}), 0)
    yield from expect(run("queue", "--connect", daemon.host, env={"REFEREE_TOKEN": "0000"}), 2, "nobody has this token")
    yield from expect(run("queue", "--connect", daemon.host, env={}), 2, "nobody has this token")
    yield from expect(run("queue", "--connect", daemon.host, "--token-file", f"{folder}/none"), 2,
                      "cannot read the token from")
    yield from expect(run("queue", "--connect", daemon.host, "--token-file", "/dev/null"), 2, "it is empty")


def check_classes(folder):
    """The exit code says whose fault an error is."""
    for whose, code in [("yours", 2), ("bots", 3), ("ours", 1)]:
        os.makedirs(f"{folder}/{whose}")
        error = f"error {whose} code a sentence about it\n".encode()
        daemon = FakeDaemon(f"{folder}/{whose}", queue=error, watch=error, cancel=error, resume=error, match=error,
                            submit=error)
        for command in COMMANDS:
            done = run(*command, "--socket", daemon.socket)
            yield from expect(done, code)
            if done.stderr != "referee: a sentence about it\n" or done.stdout:
                yield f"{command}: {done.stderr}"


def check_hostile(folder):
    """Nothing that a daemon says can harm a terminal or the memory."""
    daemon = FakeDaemon(folder, queue=b"error ours x \x1b[2J\x07 \xc3\xa9\n", status=b"block 1000000000\nend",
                        bots=b"block -1\n", log=None, watch=b"ok\nevent 3 note \x1b]0;x\x07\nwhat is this\n")
    done = at(daemon, "queue")
    if done.stderr != "referee: ?[2J? ??\n":
        yield repr(done.stderr)
    for command in [["--bots"], ["3", "--log", "1.1"]]:
        yield from expect(at(daemon, "queue", *command), 1, "the daemon closed the connection")
    done = at(daemon, "watch")
    if done.stdout != "job 3: ?]0;x?\n" or done.returncode != 1:
        yield repr(done)


# Bots.

def check_upload(folder):
    daemon = FakeDaemon(folder, submit=b"ok bot=anna version=3\n")
    script = write_script(folder, "bot.sh")
    yield from expect(submit(daemon, "bot", "anna", script), 0, "bot anna, version 3\n")
    done = submit(daemon, "bot", "anna", script, "--command", 'sh "bot.sh" \\', "--build", "make", "--memory-mb", "64",
                  "--json")
    if json.loads(done.stdout) != {"bot": "anna", "version": 3}:
        yield done.stdout
    data = read_text(script).encode()
    size = ("bytes", str(len(data)))
    wanted = [(["anna"], [("file", "bot.sh"), size], data),
              (["anna"], [("file", "bot.sh"), size, ("command", 'sh "bot.sh" \\'), ("memory_mb", "64"),
                          ("build", "make")], data)]
    if daemon.asked("submit") != wanted:
        yield f"{daemon.asked('submit')}"
    plain = write_file(f"{folder}/bot.py", "print()\n")
    yield from expect(submit(daemon, "bot", "anna", plain), 2, "no `#!` line")
    yield from expect(submit(daemon, "bot", "anna", plain, "--command", "python3 bot.py"), 0)
    yield from expect(submit(daemon, "bot", "greedy", GREEDY), 0)
    if daemon.asked("submit")[-1][2] != open(GREEDY, "rb").read():
        yield "the program did not arrive as it is"
    yield from expect(submit(daemon, "bot", "anna", f"{folder}/none"), 2, "cannot read")
    with open(f"{folder}/large", "wb") as file:
        file.truncate((16 << 20) + 1)
    yield from expect(submit(daemon, "bot", "anna", f"{folder}/large"), 2, "too large for the daemon")


def check_folder_upload(folder):
    """A folder becomes an archive, which the daemon unpacks; an archive is sent as it is."""
    daemon = FakeDaemon(folder, submit=b"ok bot=anna version=1\n")
    write_file(f"{folder}/src/lib/words", "hello\n")
    write_file(f"{folder}/src/make.sh", "cp lib/words built\n")
    yield from expect(submit(daemon, "bot", "anna", f"{folder}/src"), 2, "--command")
    for build in "sh make.sh", None:
        options = ["--build", build] if build else []
        yield from expect(submit(daemon, "bot", "anna", f"{folder}/src", "--command", "./built", *options), 0)
        _, keys, data = daemon.asked("submit")[-1]
        if dict(keys).get("build") != build or dict(keys)["file"] != "bot.tar":
            yield f"{keys}"
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            if archive.extractfile("./lib/words").read() != b"hello\n":
                yield "the archive is wrong"
        write_file(f"{folder}/sent.zip", "PK")
        yield from expect(submit(daemon, "bot", "anna", f"{folder}/sent.zip"), 2, "an archive needs a --command")
        yield from expect(submit(daemon, "bot", "anna", f"{folder}/sent.zip", "--command", "./x"), 0)
        if dict(daemon.asked("submit")[-1][1])["file"] != "sent.zip" or daemon.asked("submit")[-1][2] != b"PK":
            yield f"{daemon.asked('submit')[-1]}"
    yield from expect(submit(daemon, "bot", "anna", f"{folder}/none", "--command", "x"), 2, "cannot read")


def check_other_bots(folder):
    daemon = FakeDaemon(folder, submit=b"ok bot=anna version=1\n")
    cases = [(["far", "--remote"], ["far"], [("remote", "yes")]),
             (["a", "--command", "/bin/bot --fast"], ["a"], [("command", "/bin/bot --fast")]),
             (["a", "--command", "./bot", "--folder", folder, "--build", "make"], ["a"],
              [("command", "./bot"), ("folder", os.path.realpath(folder)), ("build", "make")])]
    for arguments, words, keys in cases:
        yield from expect(submit(daemon, "bot", *arguments), 0)
        if daemon.asked("submit")[-1] != (words, keys, b""):
            yield f"{daemon.asked('submit')[-1]}"
    for arguments, word in [([], "the NAME of the bot"), (["a"], "which bot?"), (["a", "--command", "./bot"], "whole path"),
                            (["a", "--command", "x", "--build", "y"], "--folder"), (["a", "b", "--remote"], "only one of"),
                            (["a", "--remote", "--command", "x"], "on its own machine"),
                            (["a", "--command", "é"], "printable ASCII"), (["a", "--command", "x" * 5000], "too long"),
                            (["a", "--command", "x", "--folder", f"{folder}/no"], "cannot enter")]:
        yield from expect(submit(daemon, "bot", *arguments), 2, word)


# Jobs.

EVENTS = b"""event 7 queued anna a, b
event 7 playing
event 7 begin 0 0
event 7 begin 0 2
event 7 match 1.1 a 1 12.5 - b 2 30 %s
event 7 block 1 1 2
event 7 standings
event 7 note the disk is full
event 7 bot a 2 1 1500 22000
event 7 end finished
event 8 over failed of another job
event 7 over %s
"""
TEXTS = """job 7: queued by anna: a, b
job 7: playing
job 7: 0 of 2 matches decided
job 7: match 1.1: 1. a 12.5, 2. b 30%s
job 7: block 1 decided; 1 of 2 matches decided
job 7: the disk is full
job 7: a: 2 matches, 1 won; half of its answers within 1.5 ms, 99 %% within 22.0 ms
job 8: over: failed: of another job
job 7: over: %s
"""
ENDS = [(b"-", b"done", "", "done", 0), (b"late", b"done all played", " (late)", "done: all played", 3),
        (b"-", b"cancelled by anna", "", "cancelled: by anna", 1), (b"-", b"failed", "", "failed", 1)]


def check_match(folder):
    daemon = FakeDaemon(folder, match=b"ok job=7\n")
    done = submit(daemon, "match", "a", "b", "a", "--edition", "en2020", "--set", "turn_limit=6", "--rounds", "2",
                  "--move-ms", "50", "--deals", "3", "--title", "a good one", "--clock", "wall")
    yield from expect(done, 0)
    if done.stdout != "job 7\n" or json.loads(submit(daemon, "match", "a", "b", "--json").stdout) != {"job": 7}:
        yield done.stdout
    words, keys, _ = daemon.asked("match")[0]
    if words != ["a", "b", "a"] or keys != [("move_ms", "50"), ("clock", "wall"), ("edition", "en2020"),
                                            ("set", "turn_limit=6"), ("set", "rounds=2"), ("deals", "3"),
                                            ("title", "a good one")]:
        yield f"{words} {keys}"
    file = write_file(f"{folder}/quick.json", '{"name": "quick", "edition": "en2020-66", "rules": {"talk": false}}')
    yield from expect(submit(daemon, "match", "a", "b", "--edition", file), 0)
    words, keys, _ = daemon.asked("match")[-1]
    if keys != [("edition", "en2020"), ("set", "score_limit=66"), ("set", "talk=off"), ("variant", "quick")]:
        yield f"{keys}"
    for arguments, word in [(["a"], "2 to 6 bots"), (["a", "b", "--rounds", "x"], "rounds"), (["a", "b", "--deals", "0"], "--deals"),
                            (["a", "b", "--set", "colour=red"], "colour"), (["a", "b", "--clock", "sun"], "--clock")]:
        yield from expect(submit(daemon, "match", *arguments), 2, word)
    yield from expect(run("submit", "cake"), 2, "not `cake`")
    yield from expect(run("submit"), 2, "submit takes bot, match or tournament")


def check_wait(folder):
    """The events on stderr, the standings on stdout, and how it ended as the exit code."""
    for number, (fault, end, _, _, code) in enumerate(ENDS):
        os.makedirs(f"{folder}/{number}")
        daemon = FakeDaemon(f"{folder}/{number}", match=b"ok job=7\n", tournament=b"ok job=7\n",
                            watch=lambda words, *_: b"ok\n" if words == ["off"] else b"ok\n" + EVENTS % (fault, end),
                            result=lambda words, keys, _: block(f"{words} {keys['format']}\n"))
        done = submit(daemon, "match", "a", "b", "--wait")
        yield from expect(done, code, "job 7: over")
        if done.stdout != ("['7'] text\n" if code != 1 else ""):
            yield f"{done.stdout}"
        file = write_file(f"{folder}/cup.json", '{"bots": ["a", "b"]}')
        done = submit(daemon, "tournament", file, "--wait", "--json")
        if done.returncode != code or done.stdout != ("['7'] json\n" if code != 1 else ""):
            yield f"{done}"
        if daemon.asked("tournament") != [([], [("bytes", "20")], b'{"bots": ["a", "b"]}')]:
            yield f"{daemon.asked('tournament')}"
    daemon.replies["watch"] = b"ok\nevent 7 playing\nerror ours ending bye\n"
    yield from expect(submit(daemon, "match", "a", "b", "--wait"), 1, "`referee queue 7` shows the job")
    yield from expect(submit(daemon, "tournament", f"{folder}/none"), 2, "cannot read")
    yield from expect(submit(daemon, "tournament", folder), 2, "is not a file")


def check_watch(folder):
    for number, (fault, end, fault_words, end_words, code) in enumerate(ENDS):
        os.makedirs(f"{folder}/{number}")
        events = EVENTS % (fault, end)
        daemon = FakeDaemon(f"{folder}/{number}", watch=b"ok\n" + events)
        done = at(daemon, "watch", "7")
        yield from expect(done, code)
        if done.stdout != TEXTS % (fault_words, end_words):
            yield done.stdout
        if at(daemon, "watch", "7", "--raw").stdout != events.decode().replace("event ", ""):
            yield "raw events are not as they came"
        if daemon.asked("watch")[0][0] != ["7"]:
            yield f"{daemon.asked('watch')}"
    daemon.replies["watch"] = lambda *_: b"ok\nevent 0 bot anna 2 bert\nevent 0 news of tomorrow\nevent 0 ending\nno\n"
    done = at(daemon, "watch")
    if done.returncode != 0 or done.stdout != "bot anna: version 2, by bert\n0 news of tomorrow\nthe daemon is about to end\n":
        yield f"{done}"
    yield from expect(at(daemon, "watch", "x"), 2, "a job is a number")


def check_live(folder):
    """A line is there when its event is, though the output is a pipe."""
    daemon = FakeDaemon(folder, watch=b"ok\nevent 7 playing\n")
    watch = start("watch", "7", "--socket", daemon.socket)
    if watch.stdout.readline() != "job 7: playing\n":
        yield "the event is not printed"
    watch.send_signal(signal.SIGINT)
    if watch.wait(SECONDS) != -signal.SIGINT:
        yield f"Ctrl-C gives {watch.returncode}"
    watch.communicate()


def check_queue(folder):
    jobs = "12 done anna match 4/4 a, b\n13 playing bert tournament 3/12 the \"great\" cup = 1\n14 queued anna match 0/1 \n"
    bots = ("greedy 2 anna upload matches=12 wins=4 faults=1 median_us=1500 p99_us=20000\n"
            "far 1 bert remote matches=0 wins=0 faults=0 median_us=0 p99_us=0\n")
    log = bytes(range(256)) * 1000
    daemon = FakeDaemon(folder, queue=block(jobs), bots=block(bots), log=block(log), cancel=b"ok\n", resume=b"ok\n",
                        status=b'ok job=13 state=playing title="the \\"great\\" cup" decided=3\n', result=block("table\n"))
    lines = at(daemon, "queue").stdout.splitlines()
    if not re.fullmatch(r" +13 +playing +bert +tournament +3/12 +the \"great\" cup = 1", lines[2]) or len(lines) != 4:
        yield f"{lines}"
    listed = json.loads(at(daemon, "queue", "--all", "--json").stdout)
    if listed[1] != {"job": 13, "state": "playing", "user": "bert", "kind": "tournament", "decided": 3, "matches": 12,
                     "title": 'the "great" cup = 1'} or len(listed) != 3 or listed[2]["title"] != "":
        yield f"{listed}"
    if [keys for _, keys, _ in daemon.asked("queue")] != [[], [("all", "yes")]]:
        yield f"{daemon.asked('queue')}"
    listed = json.loads(at(daemon, "queue", "--bots", "--json").stdout)
    if listed[0] != {"name": "greedy", "version": 2, "user": "anna", "kind": "upload", "matches": 12, "wins": 4,
                     "faults": 1, "median_us": 1500, "p99_us": 20000} or listed[1]["name"] != "far":
        yield f"{listed}"
    if not re.search(r"greedy +2 +anna +upload +12 +4 +1 +1\.5 +20\.0 *\n", at(daemon, "queue", "--bots").stdout):
        yield at(daemon, "queue", "--bots").stdout
    yield from expect(at(daemon, "queue", "13"), 0, 'title      the "great" cup\n', "\n\ntable\n")
    if json.loads(at(daemon, "queue", "13", "--json").stdout)["decided"] != 3:
        yield "the status is not JSON"
    if at(daemon, "queue", "13", "--format", "html").stdout != "table\n" or daemon.asked("result")[-1][1] != [("format", "html")]:
        yield f"{daemon.asked('result')}"
    done = subprocess.run([REFEREE, "queue", "--socket", daemon.socket, "13", "--log", "3.1"], capture_output=True, timeout=SECONDS)
    if done.stdout != log or daemon.asked("log") != [(["13", "3.1"], [], b"")]:
        yield "the log is not as it came"
    for arguments, word in [(["--log", "1.1"], "which job?"), (["1", "--bots"], "do not go with a JOB"), (["x"], "a number"),
                            (["--bots", "--status"], "only one of"), (["1", "--log", "1.1", "--json"], "--format json")]:
        yield from expect(at(daemon, "queue", *arguments), 2, word)
    for verb in ("cancel", "resume"):
        yield from expect(at(daemon, verb, "3", "4"), 0)
        if [words for words, _, _ in daemon.asked(verb)] != [["3"], ["4"]]:
            yield f"{daemon.asked(verb)}"
        yield from expect(at(daemon, verb), 2, "the numbers of jobs")
        yield from expect(at(daemon, verb, "3", "four"), 2, "`four`")


def check_prune(folder):
    """Each rule is a key; what was deleted is printed, and one refusal does not keep the next job from being asked for."""
    daemon = FakeDaemon(folder, prune=b"ok logs=4 freed=4096\n")
    yield from expect(at(daemon, "prune", "3", "4"), 0, "logs=4 freed=4096\n")
    yield from expect(at(daemon, "prune", "--best", "0", "5"), 0)
    yield from expect(at(daemon, "prune", "--days", "30", "6"), 0)
    asked = [(words, pairs) for words, pairs, _ in daemon.asked("prune")]
    if asked != [(["3"], []), (["4"], []), (["5"], [("best", "0")]), (["6"], [("days", "30")])]:
        yield f"{asked}"


# The bridge and `connect`.

def bridge(daemon, name="far"):
    return subprocess.Popen([REFEREE, "bridge", daemon.socket, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def far_bot(daemon, name="far"):
    """A bot that speaks TCP itself, when its match has begun."""
    connection = socket.create_connection(("127.0.0.1", daemon.port))
    connection.sendall(f"hello 1\nplay {name}\n".encode())
    stream = connection.makefile("rb")
    if [stream.readline(), stream.readline()] != [b"ok\n", b"ok waiting\n"]:
        raise OSError("the daemon does not let it play")
    return connection, stream


def check_bridge(folder):
    """Everything comes through in both directions, and both ends are passed on."""
    daemon = FakeDaemon(folder)
    connection, stream = far_bot(daemon)
    near = bridge(daemon)
    if stream.readline() != b"start\n":
        yield "there was no start"
    data = os.urandom(3 << 20)
    writer = threading.Thread(target=lambda: (near.stdin.write(data), near.stdin.close()))
    writer.start()
    answers = threading.Thread(target=lambda: (connection.sendall(data[::-1]), connection.shutdown(socket.SHUT_WR)))
    heard = []
    reader = threading.Thread(target=lambda: heard.append(near.stdout.read()))
    reader.start()
    if stream.read() != data:
        yield "what the referee says does not arrive"
    answers.start()
    for thread in writer, answers, reader:
        thread.join(SECONDS)
    if heard != [data[::-1]]:
        yield "what the bot says after the end of its input does not arrive"
    if near.wait(SECONDS) != 0 or near.stderr.read():
        yield f"the bridge ends with {near.returncode}"


def check_bridge_ends(folder):
    daemon = FakeDaemon(folder)
    connection, stream = far_bot(daemon)
    near = bridge(daemon)
    stream.readline()
    connection.shutdown(socket.SHUT_RDWR)
    if near.stdout.read() != b"" or near.wait(SECONDS) != 0:
        yield f"the bridge of a bot that is gone ends with {near.returncode}"
    daemon.replies["fetch"] = b""
    near = bridge(daemon)
    daemon.await_request("fetch", 2)
    near.stdin.write(b"hello\n")
    near.stdin.close()
    if near.wait(SECONDS) != 1:
        yield f"a bridge that nobody wants any more ends with {near.returncode}"
    daemon.replies["fetch"] = b"error yours no_bot there is no bot far\n"
    near = bridge(daemon)
    if near.wait(SECONDS) != 1 or b"there is no bot far" not in near.stderr.read():
        yield "a bridge without a bot does not say so"
    yield from expect(run("bridge", f"{folder}/none", "far"), 1, "no daemon is at")
    yield from expect(run("bridge"), 2)


ECHO = "#!/bin/sh\necho begun >&2\nread line\necho \"$line\" $0 $*\ncat >/dev/null\n%s\n"


def connect(daemon, *arguments, **more):
    more.setdefault("env", dict(os.environ, REFEREE_TOKEN="00ff"))
    return subprocess.Popen([REFEREE, "connect", daemon.host, *arguments], stderr=subprocess.PIPE, text=True, **more)


def check_connect(folder):
    """The bot is started for a match, with its own arguments, and reads and writes through `connect`."""
    daemon = FakeDaemon(folder, token="00ff")
    bot = write_file(f"{folder}/bot", ECHO % "exit 0", 0o755)
    author = connect(daemon, "--once", "far", "--", bot, "a b", 'c"\\')
    match = daemon.take_bot("far")
    match.sendall(b"start\nword\n")
    answer = match.makefile().readline()
    match.close()
    if answer != f'word {bot} a b c"\\\n':
        yield f"the bot says {answer}"
    _, said = author.communicate(timeout=SECONDS)
    if author.returncode != 0 or said != ("referee: waiting for a match as far\nreferee: match started\nbegun\n"
                                         "referee: match over\n"):
        yield f"{author.returncode} {said}"


def check_connect_ends(folder):
    daemon = FakeDaemon(folder, token="00ff")
    quick = write_file(f"{folder}/quick", "#!/bin/sh\nread line\nexit 4\n", 0o755)
    author = connect(daemon, "--once", "far", quick)
    match = daemon.take_bot("far")
    match.sendall(b"start\nword\n")
    if match.makefile().read() != "":
        yield "the daemon does not hear that the bot has ended"
    _, said = author.communicate(timeout=SECONDS)
    if author.returncode != 3 or "exit status 4" not in said:
        yield f"{author.returncode} {said}"
    stubborn = write_file(f"{folder}/stubborn", "#!/bin/sh\ntrap '' TERM\nexec sleep 1000\n", 0o755)
    author = connect(daemon, "--once", "far", stubborn)
    match = daemon.take_bot("far")
    match.sendall(b"start\n")
    match.shutdown(socket.SHUT_RDWR)
    if author.wait(SECONDS) != 0:
        yield f"a bot that does not end: {author.returncode}"
    author.communicate()
    for arguments, code, word in [(["far", "./none"], 2, "there is no program"), (["far"], 2, "its command"),
                                  (["--tables", "0", "far", quick], 2, "--tables")]:
        yield from expect(run("connect", daemon.host, *arguments), code, word)
    yield from expect(run("connect", daemon.host, "far", quick, env={"REFEREE_TOKEN": "x"}), 2, "nobody has this token")
    daemon.replies["play"] = b"error yours no_bot there is no bot far\n"
    author = connect(daemon, "--tables", "3", "far", quick)
    _, said = author.communicate(timeout=SECONDS)
    if author.returncode != 2 or "there is no bot far" not in said:
        yield f"{author.returncode} {said}"


def check_reconnect(folder):
    """A daemon that was not running, or was restarted, is found; that is reported once."""
    daemon = FakeDaemon(folder)
    daemon.close()
    quick = write_file(f"{folder}/quick", ECHO % "exit 0", 0o755)
    author = connect(daemon, "far", quick)
    said = Lines(author.stderr)
    said.wait_for("trying again")
    os.makedirs(f"{folder}/again")
    again = FakeDaemon(f"{folder}/again", port=daemon.port)
    match = again.take_bot("far")
    said.wait_for("waiting for a match as far")
    match.close()
    match = again.take_bot("far")
    for _ in range(2):
        match.sendall(b"start\nword\n")
        if not match.makefile().readline().startswith("word "):
            yield "the bot does not play"
        match.close()
        match = again.take_bot("far")
    said.wait_for("waiting for a match as far", 4)
    author.terminate()
    said = said.wait_end()
    author.wait(SECONDS)
    wanted = (f"no daemon is at 127.0.0.1:{daemon.port}; `referee serve` starts one; trying again, until Ctrl-C\n"
              "waiting for a match as far\nthe daemon closed the connection; trying again, until Ctrl-C\n"
              "waiting for a match as far\nmatch started\nbegun\nmatch over\n"
              "waiting for a match as far\nmatch started\nbegun\nmatch over\nwaiting for a match as far\n")
    if said.replace("referee: ", "") != wanted:
        yield said


def check_tables(folder):
    """Two matches at once; and nobody is left when it is ended."""
    daemon = FakeDaemon(folder)
    bot = write_file(f"{folder}/bot", ECHO % "exit 0", 0o755)
    author = connect(daemon, "--tables", "2", "far", bot)
    matches = [daemon.take_bot("far"), daemon.take_bot("far")]
    for match in matches:
        match.sendall(b"start\nword\n")
    for match in matches:
        if not match.makefile().readline().startswith("word "):
            yield "a bot does not play"
    author.send_signal(signal.SIGINT)
    if author.wait(SECONDS) != -signal.SIGINT:
        yield f"Ctrl-C gives {author.returncode}"
    for match in matches:
        match.settimeout(SECONDS)
        if match.recv(10) != b"":
            yield "somebody still plays"
    said = author.communicate()[1]
    if "table 1: match started" not in said or "table 2: match started" not in said:
        yield said


CHECKS = {
    "a daemon that is not there is one sentence that says where": check_no_daemon,
    "what is no daemon of the referee is recognised": check_no_referee,
    "the token comes from a file or the environment": check_tokens,
    "the exit code tells whose fault it is": check_classes,
    "nothing that a daemon says can do harm": check_hostile,
    "a bot is sent as it is": check_upload,
    "a folder is sent as an archive, and an archive as it is": check_folder_upload,
    "bots of the daemon's machine and remote bots are submitted": check_other_bots,
    "a match is submitted with its rules and clocks": check_match,
    "a client that waits for a job sees it and its standings": check_wait,
    "events are printed as text, or as they are": check_watch,
    "events are printed while they happen": check_live,
    "jobs, bots, results and logs are shown, for people and programs": check_queue,
    "logs of jobs are deleted by a rule": check_prune,
    "a bridge passes everything on in both directions": check_bridge,
    "a bridge ends with its match and with its bot": check_bridge_ends,
    "connect starts the bot for a match": check_connect,
    "connect tells how a match ended, and what nobody can help": check_connect_ends,
    "connect comes back to a daemon that was away": check_reconnect,
    "connect plays at several tables and leaves nobody behind": check_tables,
}

if __name__ == "__main__":
    # A wait for something that never comes must end before the time limit of the suite.
    signal.alarm(3 * SECONDS)
    for name, check in CHECKS.items():
        with tempfile.TemporaryDirectory() as scratch:
            report(name, check(scratch))
