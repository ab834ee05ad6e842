#!/usr/bin/env python3
"""Bots and builds that look for the secrets of a tournament, wherever its store lies: the master seed, the
journal and the logs of matches that are still played. Each case is played at each sandbox level that this
machine has, and if we are root, also as a normal user."""

import json
import os
import re
import shutil
import subprocess
import tempfile

from organiser import BUILD, GREEDY, HOSTILE, REFEREE, read_text, report, write_file
from patience import SECONDS

LEVELS = ["guarded", "sealed"]
NOBODY = 65534
README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "README.md")
QUICK = {"deals": 1, "rules": {"rounds": 1, "turn_limit": 4}, "start_ms": 60000, "move_ms": 60000}
# Programs with sanitizers need more room than a contained bot gets.
OTHER = os.path.join(HOSTILE, "good") if os.path.basename(BUILD) == "sanitize" else GREEDY

# A bot that needs a module beside it, takes the first legal answer, and looks for secrets at its start and at
# its first question: everywhere below its folder, where that was before it was copied, at what its command names.
SPY = """#!/usr/bin/env python3
import os, sys
import helper

def is_secret(path):
    name = os.path.basename(path)
    return name in ("master", "results.ndjson", "referee.lock") or name.startswith("leak") or "/open/" in path

def look(path):
    if is_secret(path) and not os.path.isdir(path):
        try:
            os.read(os.open(path, os.O_RDONLY), 1)
            print("spy: got", path, file=sys.stderr)
        except OSError:
            pass

def search():
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    for top in (".", here, "/proc/self/cwd", "ORIGINAL", "upORIGINAL", *sys.argv[1:]):
        look(top)
        for name in ("master", "results.ndjson", "open/000001/01.ndjson"):
            for folder in ("", "cup", "results/2026/cup", "old", "link"):
                look(os.path.join(top, folder, name))
        for where, _, names in os.walk(top):
            for name in names:
                look(os.path.join(where, name))

search()
print("spy: has its module", helper.NUMBER, file=sys.stderr)
sys.stdin.readline()
print("hello spy legal=on", flush=True)
asked = 0
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "legal":
        number, _, answers = rest.partition(" ")
        answer = (number + " " + answers).split("|")[0].strip()
    if word == "ask":
        if asked == 0:
            search()
        asked += 1
        print(rest.split(" ")[0], answer, flush=True)
"""

# A build that fails if it can read a secret.
BUILDER = """#!/bin/sh
for path in $(find . ORIGINAL -name master -o -name results.ndjson -o -name 'leak*' 2>/dev/null) \\
        ORIGINAL/cup/master ORIGINAL/old/master link/master; do
    if head -c 1 "$path" >/dev/null 2>&1; then echo "the build got $path"; exit 1; fi
done
"""


class Place:
    """A folder with a spy, another bot and a store of an earlier tournament."""

    def __init__(self, folder, level, user):
        self.folder, self.level, self.user = folder, level, user
        self.file = os.path.join(folder, "cup.json")
        self.write("mine", SPY.replace("ORIGINAL", folder), 0o755)
        self.write("look.sh", BUILDER.replace("ORIGINAL", folder), 0o755)
        self.write("helper.py", "NUMBER = 42\n")
        os.makedirs(os.path.join(folder, "build", "bots"))
        shutil.copy(OTHER, os.path.join(folder, "build", "bots", "greedy"))
        shutil.copy(REFEREE, os.path.join(folder, "build", "referee"))
        for name in ("referee.lock", "results.ndjson", "master", "open/000001/01.ndjson"):
            self.write(f"old/{name}", "secret\n")

    def write(self, name, text, mode=0o644):
        return write_file(os.path.join(self.folder, name), text, mode)

    def link(self, name, target):
        os.symlink(target, os.path.join(self.folder, name))

    def tournament(self, text):
        """Plays a tournament file. Returns what became of it."""
        write_file(self.file, text if isinstance(text, str) else json.dumps({**QUICK, **text}))
        if self.user != os.geteuid():
            for where, folders, names in os.walk(self.folder):
                for path in [where, *(os.path.join(where, name) for name in folders + names)]:
                    os.chown(path, self.user, self.user, follow_symlinks=False)
        as_user = {"user": self.user, "group": self.user, "extra_groups": []} if self.user != os.geteuid() else {}
        environment = {**os.environ, "HOME": "/nonexistent"}
        return subprocess.run([os.path.join(self.folder, "build", "referee"), "tournament", "--quiet", "--contain",
                               self.level, self.file], cwd=self.folder, capture_output=True, text=True, timeout=SECONDS,
                              env=environment, **as_user)

    def words(self):
        """What all bots have written to stderr."""
        return "".join(read_text(os.path.join(where, name)) for where, _, names in os.walk(self.folder)
                       for name in names if ".stderr." in name)

    def gains(self, done):
        """What the spy got, and whether it has played at all."""
        said = self.words()
        if done.returncode not in (0, 3):
            yield f"exit code {done.returncode}: {done.stderr}"
        elif "spy: has its module 42" not in said:
            yield f"the spy does not find the module beside it: {said[-500:]} {done.stderr[-500:]}"
        yield from re.findall(r"^spy: (got .*)$", said, re.M)


def shortest_file(place):
    """As the README has it."""
    file = re.search(r"The shortest is `(\{.*?\})`", read_text(README))[1]
    yield from place.gains(place.tournament(file))


def own_folder_around_the_store(place):
    yield from place.gains(place.tournament({"bots": [{"command": "./mine", "folder": "."}, "build/bots/greedy"]}))


def store_further_down(place):
    place.write("results/2026/notes", "")
    yield from place.gains(place.tournament({"bots": ["python3 mine", "build/bots/greedy"],
                                             "output": "results/2026/cup"}))


def links_to_stores(place):
    place.link("link", "old")
    place.link("leak-old", "old/master")
    place.link("leak-cup", os.path.join(place.folder, "cup", "master"))
    place.link("up", "../" * 20)
    for bot in ("./mine", {"command": "./mine", "folder": "."}):
        yield from place.gains(place.tournament({"bots": [bot, "build/bots/greedy"]}))
        shutil.rmtree(os.path.join(place.folder, "cup"), ignore_errors=True)


def words_that_are_paths_of_stores(place):
    words = "cup cup/master old old/master ./old/open/000001/01.ndjson build/../old/results.ndjson /proc/self/cwd/cup"
    for bot in (f"./mine {words}", f"python3 mine {words} {place.folder}/cup/master",
                {"command": f"./mine {words} {place.folder}/old/master", "folder": "."}):
        yield from place.gains(place.tournament({"bots": [bot, "build/bots/greedy"]}))
        shutil.rmtree(os.path.join(place.folder, "cup"), ignore_errors=True)


def bots_in_a_store(place):
    """Nothing in a store is a bot's, whatever the file says."""
    for name in ("mine", "open/mine", "bots/mine"):
        place.write(f"old/{name}", SPY, 0o755)
        place.write(f"old/{os.path.dirname(name)}/helper.py", "NUMBER = 42\n")
    place.link("link", "old")
    for bot in ("old/mine", "old/open/mine", "link/mine", "python3 old/mine", {"command": "./mine", "folder": "old"},
                {"command": "./mine", "folder": "link/open"}, {"command": "./mine", "folder": "old/bots"},
                {"command": "./mine", "folder": "old", "build": "true"}):
        done = place.tournament({"bots": [bot, "build/bots/greedy"]})
        said = place.words()
        if "spy: " in said or (done.returncode == 0 and bot != "python3 old/mine"):
            yield f"{bot} is played: {done.returncode} {done.stderr}"
        shutil.rmtree(os.path.join(place.folder, "cup"), ignore_errors=True)


def builds(place):
    place.link("link", "old")
    place.link("leak", os.path.join(place.folder, "cup", "master"))
    yield from place.gains(place.tournament({"bots": [{"command": "./mine", "folder": ".", "build": "./look.sh"},
                                                      "build/bots/greedy"]}))


def builds_that_leave_a_link(place):
    """A build cannot make a folder of ours its own by leaving a link in the place of its result."""
    place.write("own/mine", "#!/bin/sh\n", 0o755)
    for target in (os.path.join(place.folder, "old"), os.path.join(place.folder, "closed")):
        place.write("closed/mine", SPY.replace("ORIGINAL", place.folder), 0o755)
        place.write("closed/leak", "secret\n", 0o600)
        build = f'cd .. && mv build was && ln -s "{target}" build'
        done = place.tournament({"bots": [{"command": "./mine", "folder": "own", "build": build}, "build/bots/greedy"]})
        if done.returncode == 0 or "the build cannot be copied" not in done.stderr:
            yield f"{target}: exit code {done.returncode}: {done.stderr}"


def second_names(place):
    config = {"bots": ["./mine", "build/bots/greedy"]}
    place.tournament(config)
    os.link(os.path.join(place.folder, "cup", "master"), os.path.join(place.folder, "leak"))
    done = place.tournament(config)
    if done.returncode != 1 or "one name only" not in done.stderr:
        yield f"exit code {done.returncode}: {done.stderr}"


def store_among_the_system(place):
    """Every bot can read /opt, so a store there is closed to the users of bots, or refused."""
    if not os.access("/opt", os.W_OK):
        return
    folder = tempfile.mkdtemp(prefix="referee-secrets-", dir="/opt")
    try:
        os.chmod(folder, 0o755)
        os.chown(folder, place.user, place.user)
        output = os.path.join(folder, "cup")
        done = place.tournament({"bots": [f"./mine {output}", "build/bots/greedy"], "output": output})
        if place.user != 0 and (done.returncode != 1 or "which every bot can read" not in done.stderr):
            yield f"exit code {done.returncode}: {done.stderr}"
        if place.user == 0:
            shutil.copytree(output, os.path.join(place.folder, "cup"))
            yield from place.gains(done)
    finally:
        shutil.rmtree(folder)


CASES = [shortest_file, own_folder_around_the_store, store_further_down, links_to_stores,
         words_that_are_paths_of_stores, bots_in_a_store, builds, builds_that_leave_a_link, second_names,
         store_among_the_system]


def play(case, level, user):
    folder = os.path.realpath(tempfile.mkdtemp(prefix="referee-secrets-"))
    os.chmod(folder, 0o755)
    try:
        yield from case(Place(folder, level, user))
    finally:
        shutil.rmtree(folder)


def main():
    doctor = json.loads(subprocess.run([REFEREE, "doctor", "--json"], capture_output=True, text=True).stdout)
    users = [os.geteuid()] if os.geteuid() != 0 else [0, NOBODY]
    for level in LEVELS:
        for user in users:
            for case in CASES:
                name = f"{case.__name__}: {level}, {'root' if user == 0 else 'a normal user'}"
                if doctor[level]:
                    report(name, play(case, level, user))
                else:
                    print(f"skip {name}: see referee doctor")


main()
