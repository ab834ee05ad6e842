#!/usr/bin/env python3
"""Real logs through the real `referee replay`."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from patience import SECONDS, until

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
RANDOM = os.path.join(BUILD, "bots", "random")
VERIFIER = os.path.join(HERE, "..", "verify_log.py")
PATIENT = ["--move-ms", "60000", "--start-ms", "60000"]
KEPT = os.path.join(HERE, "kept")
EDITIONS = ["de2026", "en2020", "nl2023", "fr2020", "es2020"]


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def run(*arguments, **more):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=SECONDS, **more)


def write_program(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


def make_logs(folder):
    """All editions and table sizes, and a bot that leaves in the middle."""
    leaver = write_program(folder, "leaver", f"#!/bin/sh\nsed -u 60q | {RANDOM}\n")
    for edition in EDITIONS:
        for seats in range(2, 7):
            path = os.path.join(folder, f"{edition}-{seats}.ndjson")
            bots = [GREEDY, RANDOM, leaver, GREEDY, RANDOM, RANDOM][:seats]
            done = run("play", "--quiet", "--edition", edition, "--seed", f"log {seats}", "--log", path,
                       "--set", "turn_limit=40", *PATIENT, *bots)
            if done.returncode not in (0, 3):
                yield f"{edition}, {seats} seats: {done.stderr}"


def logs_of(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".ndjson"))


def check_packed(folder):
    """A compressed log is read like a plain one; one that is cut off as far as it goes; a bomb is refused."""
    packed, many = os.path.join(folder, "packed.ndjson.zst"), os.path.join(folder, "many.ndjson.zst")
    options = ["play", "--quiet", "--start-ms", "60000", "--move-ms", "60000", "--set", "turn_limit=6"]
    for log, more in [(packed, []), (many, ["--matches", "2"])]:
        subprocess.run([REFEREE, *options, *more, "--seed", "x", "--log", log, GREEDY, GREEDY], capture_output=True,
                       timeout=SECONDS)
    if sorted(os.listdir(folder)) != ["many-1.ndjson.zst", "many-2.ndjson.zst", "packed.ndjson.zst"]:
        yield str(os.listdir(folder))
    plain = os.path.join(folder, "plain.ndjson")
    subprocess.run(["zstd", "-dq", packed, "-o", plain], check=True, timeout=SECONDS)
    for form in ["--verify"], ["--json"], ["--html"], ["--wire", "0"], ["--at", "5"]:
        one, other = (subprocess.run([REFEREE, "replay", *form, path], capture_output=True, timeout=SECONDS)
                      for path in (packed, plain))
        if one.returncode != 0 or one.stdout.replace(packed.encode(), plain.encode()) != other.stdout:
            yield f"{form}: {one.stderr}"
    if subprocess.run([sys.executable, VERIFIER, packed], capture_output=True, timeout=SECONDS).returncode != 0:
        yield "the second implementation cannot read it"
    with open(packed, "rb") as file:
        content = file.read()
    bomb = subprocess.run(["zstd", "-cq"], input=b"{" * (300 << 20), capture_output=True, timeout=SECONDS).stdout
    for bytes_, words in [(bomb, "too large to be a log"), (content[:100], ""), (content[:8], "nothing is left of it"),
                          (content[:200] + b"x" * (len(content) - 200), "cannot be decompressed"), (content + content, "")]:
        with open(packed, "wb") as file:
            file.write(bytes_)
        done = subprocess.run([REFEREE, "replay", "--verify", packed], capture_output=True, text=True, timeout=SECONDS)
        if done.returncode != 1 or words not in done.stderr + done.stdout:
            yield f"{words}: {done.returncode} {done.stderr}"


def check_verify(folder):
    done = run("replay", "--verify", *logs_of(folder))
    if done.returncode != 0 or "25 logs verified, 0 wrong" not in done.stdout:
        yield done.stdout + done.stderr


def check_independent(folder):
    done = subprocess.run([sys.executable, VERIFIER, *logs_of(folder)], capture_output=True, text=True)
    if done.returncode != 0 or done.stdout.count(": right,") != 25:
        yield done.stdout + done.stderr
    damaged = os.path.join(folder, "damaged")
    with open(logs_of(folder)[0]) as file, open(damaged, "w") as other:
        other.write(file.read().replace("scored 0 ", "scored 0 1", 1))
    done = subprocess.run([sys.executable, VERIFIER, damaged], capture_output=True, text=True)
    if done.returncode != 1:
        yield "a changed log is right for it"


def check_shows(log):
    whole = run("replay", log).stdout
    events = run("replay", "--events", log).stdout.splitlines()
    with open(log) as file:
        records = [json.loads(line) for line in file]
    logged = sum(len(record["ev"].split("; ")) for record in records if record.get("ev"))
    bids = sum(len(record["bids"]) for record in records if "bids" in record)
    if len(events) != logged + bids:
        yield f"{len(events)} events, not {logged + bids}"
    if "1. " not in whole or whole.count("\n") < 100:
        yield whole[-300:]
    rounds = run("replay", "--round", "2", "--events", log).stdout
    if not re.search(r"^\d+ round 2 ", rounds, re.M) or " round 3 " in rounds or "\n0 round 1" in rounds:
        yield f"round 2: {rounds[:200]}"


def check_moments(log):
    at = run("replay", "--at", "30", log).stdout
    if "position for `referee ask`:" not in at or "   30 " not in at:
        yield at
    position = at.split("position for `referee ask`:\n")[1]
    asked = run("ask", *PATIENT, GREEDY, "-", input=position)
    if asked.returncode != 0:
        yield f"the position cannot be asked: {asked.stderr}"
    seat = run("replay", "--at", "30", "--seat", "1", log).stdout
    if "position" in seat:
        yield "a seat's view tells the position"
    document = json.loads(run("replay", "--json", "--at", "30", log).stdout)
    if document["n"] != 30 or not document["answers"] or not document["table"][0].startswith("table "):
        yield str(document)
    lines = run("replay", "--json", log).stdout.splitlines()
    if [json.loads(line)["n"] for line in lines] != list(range(1, len(lines) + 1)):
        yield "the documents are not numbered in order"
    if run("replay", "--at", "1000000", log).returncode != 2:
        yield "a decision that is not there"


def check_wire(folder):
    """What --wire prints is what the bot got, and up to a decision it ends with its question."""
    keeper = write_program(folder, "keeper", f"#!/bin/sh\ntee {folder}/bytes | {RANDOM}\n")
    log = os.path.join(folder, "wire.log")
    run("play", "--quiet", "--log", log, "--seed", "wire", *PATIENT, GREEDY, keeper, GREEDY)
    wire = subprocess.run([REFEREE, "replay", "--wire", "1", log], capture_output=True).stdout
    with open(os.path.join(folder, "bytes"), "rb") as file:
        sent = file.read()
    if wire != sent:
        yield "the bytes differ"
    at = run("replay", "--wire", "1", "--at", "3", log).stdout
    if not at.splitlines()[-1].startswith("ask 1 "):
        yield at.splitlines()[-1]


def check_against(log, folder):
    same = run("replay", "--against", GREEDY, "--seat", "0", *PATIENT[:2], log)
    if same.returncode != 0 or ", different: 0, faults: 0" not in same.stdout:
        yield same.stdout + same.stderr
    other = run("replay", "--against", RANDOM, "--seat", "0", *PATIENT[:2], log)
    if other.returncode != 1 or "is different:" not in other.stdout or "the log: " not in other.stdout:
        yield other.stdout + other.stderr
    every = run("replay", "--against", RANDOM, "--seat", "0", "--all", *PATIENT[:2], log)
    if every.stdout.count("is different:") < 5:
        yield every.stdout
    late = run("replay", "--against", RANDOM, "--seat", "0", "--all", "--from", "60", *PATIENT[:2], log)
    numbers = [int(number) for number in re.findall(r"^decision (\d+) is different", late.stdout, re.M)]
    if not numbers or min(numbers) < 60:
        yield f"--from 60: {numbers[:3]}"
    dead = write_program(folder, "dead", "#!/bin/sh\nread x\necho hello dead\necho oh no >&2\nexit 1\n")
    gone = run("replay", "--against", dead, "--seat", "0", log)
    if gone.returncode != 3 or "gone" not in gone.stdout or "oh no" not in gone.stdout:
        yield gone.stdout + gone.stderr


def check_debugger(log):
    if shutil.which("gdb") is None:
        print("skip a bot can be debugged with the logged bytes: gdb is not installed")
        return
    quiet = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")  # it cannot look for leaks under a debugger
    done = run("replay", "--against", GREEDY, "--seat", "0", "--debugger", log, input="continue\nquit\n",
               env=quiet)
    report("a bot can be debugged with the logged bytes",
           [] if "hello greedy" in done.stdout and "exited normally" in done.stdout else [done.stdout + done.stderr])


def check_branch(log, folder):
    new = os.path.join(folder, "branch.log")
    done = run("replay", "--branch", "40", "--log", new, log, "--", RANDOM, RANDOM, RANDOM)
    if done.returncode != 0:
        yield done.stderr
    verified = run("replay", "--verify", new)
    if verified.returncode != 0:
        yield verified.stderr
    with open(new) as file:
        header, *records = [json.loads(line) for line in file]
    with open(log) as file:
        old = [json.loads(line) for line in file]
    if [bot["name"] for bot in header["bots"]] != ["random", "random-2", "random-3"]:
        yield str(header["bots"])
    if header["branch"] != {"of": old[-1]["sha256"], "at": 39}:
        yield str(header.get("branch"))
    events = [[record.get("ev") for record in group if 0 < record.get("n", 0) < 40 and "fault" not in record]
              for group in (old, records)]
    if events[0] != events[1]:
        yield "the decisions before the branch are others"
    again = os.path.join(folder, "again.log")
    run("replay", "--branch", "80", "--log", again, new, "--", GREEDY, RANDOM, GREEDY)
    if run("replay", "--verify", again).returncode != 0:
        yield "a branch of a branch is wrong"


def reseal(path, text):
    """Writes a log with the hash that belongs to it."""
    body = "".join(text.splitlines(keepends=True)[:-1])
    digest = hashlib.sha256(body.encode()).hexdigest()
    with open(path, "w") as file:
        file.write(body + json.dumps({"sha256": digest}, separators=(",", ":")) + "\n")


def check_kept():
    logs = logs_of(KEPT)
    done = run("replay", "--verify", *logs)
    if done.returncode != 0 or f"{len(logs)} logs verified, 0 wrong" not in done.stdout:
        yield done.stdout + done.stderr
    second = subprocess.run([sys.executable, VERIFIER, *logs], capture_output=True, text=True)
    if second.returncode != 0:
        yield second.stdout + second.stderr
    for log in logs:
        for form in ([], ["--html"], ["--json"], ["--events"], ["--at", "9"], ["--wire", "0"]):
            done = run("replay", *form, log)
            if done.returncode != 0 or not done.stdout or done.stderr:
                yield f"{log} {form}: {done.stderr}"


def check_versions(folder):
    """Versions are noted, and none is a reason to refuse a log, as long as it can be played again."""
    other = os.path.join(folder, "other-version")
    cases = [
        ("two.ndjson", [('"autopilot":1', '"autopilot":7')], None),
        ("dismissed.ndjson", [('"autopilot":1', '"autopilot":7')], "version 7 of the autopilot plays from here on"),
        ("two.ndjson", [("}]}", '}],"weather":"fine","n":[{"a":1}]}')], None),
        ("two.ndjson", [("}]}", '}],"weather":"fine","weather":"bad"}')], "line 1: it says"),
        ("two.ndjson", [('"allegra_log":1', '"allegra_log":2')], "line 1: it is a log of version 2"),
        ("two.ndjson", [('"protocol":1', '"protocol":2')], "line 1: its bots spoke version 2"),
    ]
    for name, changes, words in cases:
        with open(os.path.join(KEPT, name)) as file:
            text = file.read()
        for old, new in changes:
            text = text.replace(old, new, 1)
        reseal(other, text)
        for form in (["--verify"], ["--html"], []):
            done = run("replay", *form, other)
            if (done.returncode != 0) != (words is not None) or (words or "") not in done.stderr:
                yield f"{changes} {form}: {done.returncode}, {done.stderr}"


def check_old_referee(folder):
    """The version of the referee is in the greeting, so the hash of the bytes sent depends on it."""
    other = os.path.join(folder, "old-referee")
    with open(os.path.join(KEPT, "two.ndjson")) as file:
        text = file.read().replace('"referee":"0.1.0"', '"referee":"0.0.9"', 1)
    reseal(other, text)
    for seat in range(2):
        wire = subprocess.run([REFEREE, "replay", "--wire", str(seat), other], capture_output=True).stdout
        if not wire.startswith(b"allegra 1 referee=0.0.9\n"):
            yield wire[:40].decode()
        old = json.loads(text.splitlines()[-2])["sent"][seat]
        text = text.replace(old, hashlib.blake2b(wire, digest_size=32).hexdigest())
    reseal(other, text)
    done = run("replay", "--verify", other)
    if done.returncode != 0:
        yield done.stderr


def check_cut(log, folder):
    """A log that is cut off is shown as far as it goes."""
    with open(log) as file:
        whole = file.read()
    events = run("replay", "--events", log).stdout
    cut = os.path.join(folder, "cut.log")
    size = len(whole)
    for length in (size // 5, size // 2, size * 4 // 5, size - 90, size - 30, size - 1):
        with open(cut, "w") as file:
            file.write(whole[:length])
        has_seed = '"seed":' in whole[:whole.rindex("\n", 0, length)]
        shown = run("replay", "--events", cut)
        if shown.returncode != 0 or not events.startswith(shown.stdout) or "the log is cut off" not in shown.stderr:
            yield f"{length}: {shown.returncode}, {shown.stderr}"
        last = shown.stdout.splitlines()[-1].split(" ")[0]
        at = run("replay", "--at", last, cut)
        whole_at = run("replay", "--at", last, log).stdout
        table = whole_at[whole_at.index("\n"):whole_at.index("question ")] if "question " in whole_at else ""
        if at.returncode != 0 or table not in at.stdout or ("position" in at.stdout) != has_seed:
            yield f"{length}: {at.stdout}{at.stderr}"
        for form in ([], ["--json"], ["--html"], ["--round", "1"], ["--seat", "1"]):
            done = run("replay", *form, cut)
            if done.returncode != 0 or not done.stdout or "the log is cut off" not in done.stderr:
                yield f"{length} {form}: {done.returncode}, {done.stderr}"
        for form, needs in ((["--verify"], ""), (["--wire", "0"], "--wire needs all of it"),
                            (["--against", GREEDY, "--seat", "0"], "--against needs all of it"),
                            (["--branch", "3", "--log", cut + ".new", cut, "--", GREEDY, GREEDY, GREEDY],
                             "--branch needs all of it")):
            done = run("replay", *form, *([] if cut in form else [cut]))
            if done.returncode != 1 or done.stdout or "the log is cut off" not in done.stderr or needs not in done.stderr:
                yield f"{length} {form}: {done.returncode}, {done.stdout}{done.stderr}"


def check_mistakes(log, folder):
    names, fifo, empty = (os.path.join(folder, name) for name in ("names.log", "fifo", "empty"))
    with open(log) as file:
        reseal(names, file.read().replace('"name":"greedy"', '"name":"\\u001b[31mred"', 1))
    os.mkfifo(fifo)
    open(empty, "w").close()
    cases = [
        (["replay"], 2, "replay takes a LOG"),
        (["replay", "/nowhere/log"], 1, "No such file"),
        (["replay", REFEREE], 1, ": not a referee log"),
        (["replay", empty], 1, "it is empty"),
        (["replay", folder], 1, "it is a folder, not a log"),
        (["replay", "--html", folder], 1, "it is a folder, not a log"),
        (["replay", fifo], 1, "it is a pipe, not a file"),
        (["replay", "--verify", fifo], 1, "it is a pipe, not a file"),
        (["replay", "/dev/null"], 1, "it is a device or a socket"),
        (["replay", log, log], 2, "only --verify takes several logs"),
        (["replay", "--seat", "5", log], 2, "--seat takes 0 to 2"),
        (["replay", "--wire", "9", log], 2, "--wire takes 0 to 5, not `9`"),
        (["replay", "--against", GREEDY, log], 2, "needs --seat"),
        (["replay", "--against", "/nowhere/bot", "--seat", "0", log], 2, "there is no program"),
        (["replay", "--branch", "5", log, "--", GREEDY], 2, "name as many bots"),
        (["replay", "--branch", "5", log, "--", GREEDY, GREEDY, GREEDY], 2, "needs --log"),
        (["replay", "--branch", "99999", "--log", "x", log, "--", GREEDY, GREEDY, GREEDY], 2, "--branch takes 1 to "),
        (["replay", "--step", log], 2, "needs a terminal"),
        (["replay", "--at", "x", log], 2, "--at takes a number, not `x`"),
        (["replay", "--at", "0", log], 2, "--at takes 1 to "),
        (["replay", "--at", "-3", "--wire", "0", log], 2, "--at takes 1 to "),
        (["replay", "--from", "0", "--against", GREEDY, "--seat", "0", log], 2, "--from takes 1 to "),
        (["replay", names], 1, "line 1: a name"),
    ]
    for arguments, code, words in cases:
        done = run(*arguments)
        if done.returncode != code or words not in done.stderr or len(done.stderr.splitlines()) != 1:
            yield f"{arguments}: exit code {done.returncode}: {done.stderr}"
        if "\033" in done.stdout + done.stderr:
            yield f"{arguments}: an escape sequence gets through"


def tmux(*arguments):
    return subprocess.run(["tmux", "-L", f"replay-{os.getpid()}", *arguments], capture_output=True, text=True).stdout


def wait_for(words):
    """Reads the screen until it shows the text."""
    until(lambda: re.search(words, tmux("capture-pane", "-p")), f"`{words}` on the screen")


def check_step(log):
    """Somebody steps through a match in a real terminal."""
    if shutil.which("tmux") is None:
        print("skip a match can be stepped through in a terminal: tmux is not installed")
        return
    problems = []
    with open(log) as file:
        decisions = max(json.loads(line).get("n", 0) for line in file)
    tmux("new-session", "-d", "-x", "80", "-y", "24", f"{REFEREE} replay --step {log}")
    try:
        wait_for("decision 1 of ")
        tmux("send-keys", "Right")
        wait_for("decision 2 of ")
        tmux("send-keys", "Down")
        wait_for("decision 12 of ")
        tmux("send-keys", "Left")
        wait_for("decision 11 of ")
        tmux("send-keys", "c")
        wait_for("clears three")
        tmux("send-keys", "g", "k")
        wait_for("knocks")
        tmux("send-keys", "g", "f")
        wait_for("is dismissed: gone")
        tmux("send-keys", "j", "33", "Enter")
        wait_for("decision 33 of ")
        tmux("send-keys", "G")
        wait_for("the match is over")
        wait_for(rf"after decision {decisions}, the last one")
        tmux("send-keys", "f")
        wait_for("no later decision of that kind")
        tmux("send-keys", "Right")
        wait_for(rf"after decision {decisions}, the last one  this is the end")
        tmux("send-keys", "F")
        wait_for("is dismissed: gone")
        tmux("send-keys", "G", "b", "c")
        wait_for("clears three")
        tmux("send-keys", "g", "b", "0")
        wait_for("no earlier decision of that kind")
        tmux("send-keys", "Left")
        wait_for("decision 1 of .* this is the beginning")
        tmux("send-keys", "?")
        wait_for("Press any key to return")
        tmux("send-keys", "x", "j", "99999", "Enter")
        wait_for(rf"after decision {decisions}, the last one")
        tmux("send-keys", "C-c")
        until(lambda: not tmux("list-sessions"), "the end after Ctrl-C")
    except OSError as problem:
        problems.append(str(problem))
    finally:
        tmux("kill-server")
    report("a match can be stepped through in a terminal", problems)


def main():
    with tempfile.TemporaryDirectory() as folder:
        logs = os.path.join(folder, "logs")
        os.mkdir(logs)
        report("logs of all editions and table sizes are made", make_logs(logs))
        log = os.path.join(logs, "en2020-3.ndjson")
        report("all of them verify, faults included", check_verify(logs))
        report("an independent program finds them right, and a changed one wrong", check_independent(logs))
        report("the whole match, its events and one round are shown", check_shows(log))
        report("one moment is shown, as anybody, as a seat, as JSON, as a position", check_moments(log))
        report("the bytes that a bot got are printed", check_wire(folder))
        report("a bot is held against the log", check_against(log, folder))
        check_debugger(log)
        report("a match branches off, and the new log verifies too", check_branch(log, folder))
        report("logs of earlier versions verify and are shown", check_kept())
        report("other versions are noted, and unknown keys of the header tolerated", check_versions(folder))
        report("a log of another referee verifies with what that one sent", check_old_referee(folder))
        report("a log that is cut off is shown as far as it goes", check_cut(log, folder))
        report("mistakes and foreign files are reported in one sentence", check_mistakes(log, folder))
        os.mkdir(os.path.join(folder, "packed"))
        report("compressed logs are read like others, and bombs refused", check_packed(os.path.join(folder, "packed")))
        check_step(log)


if __name__ == "__main__":
    main()
