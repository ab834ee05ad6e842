"""What the scripts that run tournaments share: files of small tournaments, bots, and looks into a store.

The matches are short and the bots deterministic, and nobody runs out of time however busy the machine
is; so whatever differs between two runs is a fault."""

import glob
import json
import os
import subprocess

from patience import SECONDS, until

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
RANDOM = os.path.join(BUILD, "bots", "random")
HOSTILE = os.path.join(BUILD, "tests", "hostile")
SHORT = {"rounds": 1, "turn_limit": 6}

# A bot that takes the first legal answer. What is done when a match begins (with its words in $rest) and
# before each answer is for the case to say; $asked counts the questions of a match.
SCRIPT = """#!/bin/sh
read -r greeting
echo hello script legal=on reuse=on
while read -r word id rest; do
    case $word in
    legal) answer="$id $rest"; answer="${answer%%%%|*}"; answer="${answer%% }" ;;
    match) asked=0; %s ;;
    ask) asked=$((asked + 1)); %s; echo "$id $answer" ;;
    bye) exit ;;
    esac
done
"""

# Leaves word that it was asked, and waits for the file $GATE if there is to be one.
WAITS = 'if [ $asked = 3 ] && [ -n "$GATE" ]; then : >"$GATE.asked"; while [ ! -e "$GATE" ]; do sleep 0.05; done; fi'


def report(name, problems):
    try:
        problems = list(problems)
    except (OSError, ValueError, KeyError, IndexError, subprocess.SubprocessError) as error:
        problems = [repr(error)]
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def run(*arguments, **more):
    """What the referee reads and writes is UTF-8 in any locale."""
    more.setdefault("timeout", SECONDS)
    return subprocess.run([REFEREE, *arguments], capture_output=True, encoding="utf-8", **more)


def start(*arguments, **more):
    return subprocess.Popen([REFEREE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                            **more)


def write_file(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def write_script(folder, name, on_match=":", on_ask=":"):
    return write_file(os.path.join(folder, name), SCRIPT % (on_match, on_ask), 0o755)


def read_bytes(path):
    """A file; a compressed one is decompressed, whatever its name is."""
    with open(path, "rb") as file:
        content = file.read()
    if content[:4] != b"\x28\xb5\x2f\xfd":
        return content
    return subprocess.run(["zstd", "-dcq"], input=content, capture_output=True, check=True, timeout=SECONDS).stdout


def read_text(path):
    return read_bytes(path).decode().replace("\r\n", "\n")


def read_records(path):
    return [json.loads(line) for line in read_bytes(path).splitlines()]


def log_of(store, block, match):
    """Where a store has the log of a match; both are counted from 1."""
    return os.path.join(store, "logs", f"{block:06}", f"{match:02}.ndjson.zst")


def logs_of(store):
    """All logs of a store."""
    return sorted(glob.glob(os.path.join(store, "logs", "*", "??.ndjson.zst")))


def wait_for(path):
    """Something that a bot or a referee leaves behind."""
    until(lambda: os.path.exists(path), path)


class Cup:
    """A tournament file and its store."""

    def __init__(self, folder, label="cup", **keys):
        os.makedirs(folder, exist_ok=True)
        self.file = os.path.join(folder, f"{label}.json")
        self.store = os.path.join(folder, label)
        self.keys = {"bots": [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM},
                              {"name": "g2", "command": GREEDY}],
                     "seats": 2, "edition": "en2020", "rules": SHORT, "deals": 2, "seatings": "all", "contain": "none",
                     "start_ms": 60000, "move_ms": 60000}
        self.change(**keys)

    def change(self, **keys):
        self.keys.update(keys)
        write_file(self.file, json.dumps(self.keys, indent=1))

    def play(self, *options, **more):
        return run("tournament", "--seed", "x", *options, self.file, **more)

    def standings(self, *options):
        return run("standings", *options, self.store).stdout

    def records(self):
        return read_records(os.path.join(self.store, "results.ndjson"))

    def results(self):
        return [record for record in self.records() if "block" in record]

    def logs(self):
        return logs_of(self.store)

    def dates(self):
        return {log: os.stat(log).st_mtime_ns for log in self.logs()}

    def outcome(self):
        """All that must come out the same, however it was played."""
        tables = self.standings("--json").replace(self.store, "STORE")
        return without_times(json.loads(tables)), self.standings("--csv-matches")


TIMES = {"us", "wall_us", "cpu_us", "wait_us", "pondered_us", "time", "sha256"}


def without_times(record):
    """What must be the same whenever it is played again. Of a bid the time is its third part."""
    if isinstance(record, dict):
        return {key: without_times(value) for key, value in record.items() if key not in TIMES}
    if isinstance(record, list) and len(record) >= 3 and isinstance(record[0], int) and isinstance(record[1], str):
        return record[:2] + [without_times(value) for value in record[3:] if without_times(value)]
    if isinstance(record, list):
        return [without_times(value) for value in record]
    return record


def differences(one, other):
    """Where two outcomes differ."""
    for left, right in zip(one, other):
        if left != right:
            yield f"{str(left)[:300]} and {str(right)[:300]}"


def expect(done, code, *words):
    """Whether a run ended so, and said that."""
    if done.returncode != code:
        yield f"exit code {done.returncode}, not {code}: {done.stderr[-500:]}"
    for word in words:
        if word not in done.stderr + done.stdout:
            yield f"`{word}` is not said: {done.stderr[-500:]}"


def processes_with(marker):
    """Processes that have this in their environment."""
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                if marker.encode() in file.read():
                    found.append(path.split("/")[2])
        except OSError:
            pass
    return found
