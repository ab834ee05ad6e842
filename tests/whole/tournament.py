#!/usr/bin/env python3
"""Plays small tournaments with the real referee: what is played, what is shown, and that neither depends on
how it was played."""

import csv
import fcntl
import glob
import hashlib
import hmac
import io
import json
import os
import pty
import re
import stat
import struct
import subprocess
import tempfile
import termios

from patience import SECONDS
from organiser import (BUILD, GREEDY, HOSTILE, RANDOM, REFEREE, Cup, differences, expect, log_of, read_records,
                       read_text, report, run, without_times, write_file, write_script)


def check_mistakes(folder):
    """All mistakes at once, each with its place, and nothing is made."""
    path = write_file(f"{folder}/wrong.json", '{\n  "bots": [{"name": "a b"}],\n  "deals": 0,\n  "colour": "red"\n}\n')
    for options in [], ["--dry-run"], ["--fresh"]:
        done = run("tournament", *options, path)
        yield from expect(done, 2)
        for line, word in [(2, "name"), (2, "command"), (3, "deals"), (4, "colour")]:
            if not re.search(rf"^{re.escape(path)}:{line}:[0-9]+: .*{word}", done.stderr, re.M):
                yield f"line {line}, {word}: {done.stderr}"
    if os.listdir(folder) != ["wrong.json"]:
        yield f"something was made: {os.listdir(folder)}"


def check_missing_bots(folder):
    cup = Cup(folder, bots=[{"name": "one", "command": "nowhere/bot"}, {"name": "two", "command": GREEDY},
                            {"name": "three", "command": "./cup.json"}])
    for options in [], ["--dry-run"]:
        done = cup.play(*options)
        yield from expect(done, 2)
        lines = [(int(line.split(":")[1]), line) for line in done.stderr.splitlines()]
        if [number for number, _ in lines] != [3, 11] or "bot one: " not in done.stderr or "bot three: " not in done.stderr:
            yield done.stderr
    if os.path.exists(cup.store):
        yield "a store was made"


def check_fresh_keeps(folder):
    """--fresh deletes nothing if the new tournament could not be played."""
    cup = Cup(folder)
    cup.play()
    cup.change(bots=cup.keys["bots"] + [{"name": "typo", "command": "nowhere"}])
    yield from expect(cup.play("--fresh"), 2, "bot typo: ")
    if len(cup.logs()) != 12:
        yield f"{len(cup.logs())} logs are left"
    few = cup.keys["bots"][:3]
    cup.change(bots=few + [{"name": f"x{i}", "command": GREEDY} for i in range(40)], seats=6, seatings="single")
    done = cup.play("--fresh")
    yield from expect(done, 2, "too many matches", "nothing was deleted: what was played before is as it was")
    cup.change(bots=few, seats=2, seatings="all")
    if len(cup.logs()) != 12 or "finished: 12 matches" not in cup.play().stdout:
        yield f"{len(cup.logs())} logs are left after {done.stderr}"


def check_output(folder):
    """--output plays elsewhere, and the same command resumes it there."""
    cup = Cup(folder, deals=1)
    elsewhere = f"{folder}/other/place"
    os.mkdir(f"{folder}/other")
    yield from expect(cup.play("--output", elsewhere), 0, "finished: ", f"report: {elsewhere}/report.html")
    yield from expect(cup.play("--dry-run", "--output", elsewhere), 0, "left: 0")
    if sorted(os.listdir(folder)) != ["cup.json", "other"]:
        yield f"there is also {os.listdir(folder)}"


def check_usage(folder):
    cases = [(["--help"], 0, "--accept-changes"), (["--keys"], 0, "max_faults"), ([], 2, "takes one FILE"),
             ([f"{folder}/no.json"], 2, "no.json: "), (["--workers", "x", "a"], 2, "--workers takes 0 to 256"),
             (["--what", "a"], 2, "--what"), (["a", "b"], 2, "tournament takes one FILE")]
    for arguments, code, words in cases:
        yield from expect(run("tournament", *arguments), code, words)
    for arguments, code, words in [([], 2, "takes one STORE"), ([f"{folder}/no"], 1, "no: "), ([folder], 1, "results"),
                                   (["--json", "--csv", folder], 2, "one form at a time"), (["--help"], 0, "STORE")]:
        yield from expect(run("standings", *arguments), code, words)


def check_dry_run(folder):
    cup = Cup(folder)
    done = cup.play("--dry-run")
    yield from expect(done, 0, "12 matches", "block 6: ", "answers per match", "at 1 ms per answer")
    if os.listdir(folder) != ["cup.json"]:
        yield f"something was made: {os.listdir(folder)}"


def check_look_ahead(folder):
    """A dry run counts what is played, and proposes something smaller where the number is absurd."""
    cup = Cup(folder, deals=1)
    cup.play()
    cup.change(deals=3)
    yield from expect(cup.play("--dry-run"), 0, f"played already, in {cup.store}: 6 matches; left: 12", "disk for the logs in ")
    cup.change(bots=[{"name": f"x{i}", "command": GREEDY} for i in range(40)], seats=4, deals=10, workers=1)
    done = cup.play("--dry-run")
    yield from expect(done, 0, "40 bots, 4 seats, 21933600 matches", ": 0 matches; left: 21933600", '"format": "swiss"')
    if not re.search(r'"matches": [1-9][0-9]*: a balanced choice, in which each bot plays about [1-9]', done.stdout):
        yield done.stdout
    cup.change(deals=100)
    yield from expect(cup.play("--dry-run"), 2, "there are too many matches", '"matches": ', '"format": "swiss"')


def check_preflight(folder):
    """--dry-run --start builds and greets every bot, says what is wrong with each, and makes no store."""
    write_script(f"{folder}/source", "bot")
    bots = [{"name": "g", "command": GREEDY}, {"name": "mute", "command": f"{HOSTILE}/exits_at_once"},
            {"name": "odd", "command": "/bin/echo what"},
            {"name": "built", "folder": "source", "command": "./made", "build": "cp bot made"},
            {"name": "broken", "folder": "source", "command": "./made", "build": "echo no ‘compiler’; exit 3"}]
    for contain in "none", "auto":
        cup = Cup(folder, bots=bots, contain=contain)
        yield from expect(cup.play("--dry-run", "--start"), 3, "  g: says hello as greedy after ", "  mute: no_start: ",
                          "  odd: bad_hello: ", "its line: `what`", "  built: says hello as script after ",
                          "bot broken: its build failed: exit status 3", "no ‘compiler’", "2 of 5 bots can play")
    cup.change(bots=bots[:1] + bots[3:4])
    yield from expect(cup.play("--dry-run", "--start"), 0, "2 of 2 bots can play")
    yield from expect(cup.play("--start"), 2, "--start goes with --dry-run")
    if os.path.exists(cup.store):
        yield "a store was made"


def check_broken_bots(folder):
    """A bot that cannot be built or found does not stop the others: it does not start, and its author is told why."""
    write_script(f"{folder}/source", "bot")
    cup = Cup(folder, deals=1, seatings="single", bots=[
        {"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM}, {"name": "typo", "command": "nowhere/bot"},
        {"name": "broken", "folder": "source", "command": "./made", "build": "echo secret; exit 3"}])
    yield from expect(cup.play(), 0, "bot typo: ", "bot broken: its build failed: exit status 3", "secret",
                      "2 of 4 bots cannot be started and lose their matches (no_start); the others play")
    logs = [read_text(log) for log in cup.logs()]
    if len(logs) != 6:
        yield f"{len(logs)} matches"
    for text in logs:
        for name in "typo", "broken":
            if (f'"name":"{name}"' in text) and '"no_start"' not in text:
                yield text
        if "secret" in text:
            yield "the output of a build is in a log"
    yield from expect(run("replay", "--verify", cup.store), 0)
    cup.change(bots=cup.keys["bots"][1:])
    yield from expect(cup.play("--accept-changes"), 2, "nothing can be played: 2 of 3 bots cannot be started")


# What must not matter.
WAYS = [
    ("j1", ["--workers", "1"], {}),
    ("j8", ["--workers", "8"], {}),
    ("tables", ["--workers", "2"], {"tables": 4}),
    ("kept1", ["--workers", "1"], {"reuse": True}),
    ("kept8", ["--workers", "8"], {"reuse": True}),
    ("kept-tables", ["--workers", "2"], {"reuse": True, "tables": 4}),
]


def play_ways(folder):
    """The same tournament in every way, at 3 seats, so that the neighbours change too."""
    cups = {}
    for name, options, keys in WAYS:
        bots = [{"name": name, "command": command} for name, command in
                [("g", GREEDY), ("r", RANDOM), ("s", write_script(folder, "script")), ("r2", RANDOM)]]
        cups[name] = Cup(folder, name, name="cup", seats=3, bots=bots, **keys)
        cups[name].printed = cups[name].play("--each", *options)
    return cups


def check_ways(cups):
    first = cups["j1"]
    wanted = first.outcome()
    if wanted[1].count("\n") != 1 + 4 * 2 * 6:
        yield wanted[1]
    for name, cup in cups.items():
        yield from expect(cup.printed, 0)
        outcome = cup.outcome()
        for fact in outcome[0]["facts"]:
            if fact["label"] == "bots kept between matches":
                fact["value"] = "no"
        for problem in differences(wanted, outcome):
            yield f"{name}: {problem}"


def without_history(records):
    """A log without what tells how long its processes had lived."""
    records[0].pop("keeps_bots", None)
    for bot in records[0]["bots"]:
        bot.pop("asked_before", None)
    records[-2].pop("sent")
    return without_times(records[:-1])


def check_same_logs(cups):
    first = cups["j1"]
    for name, cup in cups.items():
        if len(cup.logs()) != 48:
            yield f"{name}: {len(cup.logs())} logs"
        for log, other in zip(first.logs(), cup.logs()):
            one, two = read_records(log), read_records(other)
            if not name.startswith("kept") and without_times(one) != without_times(two):
                yield f"{log} and {other} differ"
            if without_history(one) != without_history(two):
                yield f"{log} and {other} differ"


def check_each(cups):
    """--each prints all matches in the order of the schedule."""
    wanted = [f"{block}.{match}" for block in range(1, 9) for match in range(1, 7)]
    for name, cup in cups.items():
        printed = [line for line in cup.printed.stdout.splitlines() if re.match(r"[0-9]+\.[0-9]+  ", line)]
        if [line.split()[0] for line in printed] != wanted:
            yield f"{name}: {printed}"
        elif printed != [line for line in cups["j1"].printed.stdout.splitlines() if line in printed]:
            yield f"{name}: {printed[0]}"


def check_again(cups):
    """The same command plays nothing more and prints the same."""
    for name in "j8", "kept8":
        cup = cups[name]
        before = cup.dates()
        journal = read_text(f"{cup.store}/results.ndjson")
        again = cup.play("--each", "--workers", "2")
        yield from expect(again, 0)
        if again.stdout != cup.printed.stdout:
            yield f"{name}: {again.stdout[:200]}"
        if cup.dates() != before or read_text(f"{cup.store}/results.ndjson") != journal:
            yield f"{name}: something was played or written"


def check_proof(cups):
    """Logs prove right, those of kept bots too, and kept bots were really kept."""
    for cup in cups.values():
        done = run("replay", "--verify", *cup.logs())
        if done.returncode != 0:
            yield done.stderr
    kept = [log for log in cups["kept1"].logs() if "asked_before" in read_text(log)]
    if len(kept) < 20:
        yield f"only {len(kept)} matches were played by bots that stayed"
    for log in kept[-1:]:
        for seat, bot in enumerate(read_records(log)[0]["bots"]):
            against = ["--against", bot["command"], "--seat", str(seat), "--move-ms", "60000"]
            yield from expect(run("replay", *against, log), 0)


def check_store(cups):
    """Hashes, commitments and modes."""
    for cup in cups.values():
        for record in cup.results():
            log = log_of(cup.store, record['block'], record['rotation'] + 1)
            lines = read_text(log).splitlines(True)
            own = json.loads(lines[-1])["sha256"]
            if record["log"] != own or hashlib.sha256("".join(lines[:-1]).encode()).hexdigest() != own:
                yield f"{log}: its hash is another one"
        commitments = dict(line.split() for line in read_text(f"{cup.store}/commitments").splitlines())
        if len(commitments) != 8:
            yield f"{len(commitments)} commitments"
        master = bytes.fromhex(read_text(f"{cup.store}/master"))
        for log in cup.logs():
            block = str(int(log.split("/")[-2]))
            seed = bytes.fromhex(read_records(log)[-2]["seed"])
            if hashlib.sha256(seed).hexdigest() != commitments[block]:
                yield f"{log}: its seed is not what was committed to"
            if hmac.digest(master, f"deal {block}".encode(), "sha256") != seed:
                yield f"{log}: its seed does not come from the master"
        yield from check_modes(cup)


def check_modes(cup):
    for name, mode in ("master", 0o600), ("open", 0o700), ("logs", 0o755), ("logs/000001", 0o755):
        if stat.S_IMODE(os.stat(f"{cup.store}/{name}").st_mode) != mode:
            yield f"{name} has the mode {os.stat(f'{cup.store}/{name}').st_mode:o}"
    if os.listdir(f"{cup.store}/open"):
        yield f"open/ has {os.listdir(f'{cup.store}/open')}"


def check_no_deal_twice(folder):
    """No process that stays sees two matches of one deal."""
    notes = f"{folder}/notes"
    bots = [{"name": name, "command": write_script(folder, name, 'echo "$$ $rest" >>"$NOTES"'),
             "environment": {"NOTES": f"{notes}-{name}"}} for name in ("a", "b", "c")]
    cup = Cup(folder, bots=bots, reuse=True, seats=3, deals=6, tables=4)
    yield from expect(cup.play("--workers", "2"), 0)
    deal_of = {}
    for log in cup.logs():
        for seat in range(3):
            got = run("replay", "--wire", str(seat), log).stdout
            deal_of[re.search(r"rng=(\w+)", got).group(1)] = log.split("/")[-2]
    for bot in bots:
        lines = [line.split() for line in read_text(bot["environment"]["NOTES"]).splitlines()]
        seen = [(line[0], deal_of[next(word for word in line if word.startswith("rng="))[4:]]) for line in lines]
        if len(seen) != 36 or len(set(seen)) != len(seen):
            yield f"{bot['name']}: {len(seen)} matches, {len(set(seen))} pairs of process and deal"
        if len({pid for pid, _ in seen}) == len(seen):
            yield f"{bot['name']} was never kept"


def check_max_faults(folder):
    """A bot that always faults is withdrawn, at the same match however many play at once."""
    bots = [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM}, {"name": "s", "command": RANDOM},
            {"name": "bad", "command": f"{HOSTILE}/exits_at_once"}]
    cups = {}
    for workers in "1", "2", "8":
        cups[workers] = Cup(folder, f"cup{workers}", bots=bots, deals=5, max_faults=3, name="cup")
        yield from expect(cups[workers].play("--workers", workers), 0)
        yield from differences(cups["1"].outcome(), cups[workers].outcome())
    rows = {row["name"]: row for row in json.loads(cups["1"].standings("--json"))["bots"]}
    # Three faults are in its second block; both matches of that count.
    if not rows["bad"]["is_withdrawn"] or rows["bad"]["matches"] != 4 or rows["g"]["is_withdrawn"]:
        yield str(rows["bad"])
    if json.dumps(rows["bad"]["faults"]).count("4") < 1:
        yield str(rows["bad"]["faults"])
    for record in cups["1"].results():
        log = log_of(cups['1'].store, record['block'], record['rotation'] + 1)
        for seat, fault in enumerate(record.get("faults", [])):
            if fault and os.path.exists(log) and record["halves"][seat] != max(read_records(log)[-2]["total_halves"]):
                yield f"{log}: a bot that was dismissed has not the worst score"


def check_blame(folder):
    """Among the worst matches, a fault is shown with the bot that made it."""
    cup = Cup(folder, bots=[{"name": "g", "command": GREEDY}, {"name": "bad", "command": f"{HOSTILE}/exits_at_once"}])
    yield from expect(cup.play(), 0)
    rows = {line.split()[0]: line for line in cup.standings().partition("worst matches")[2].splitlines() if line}
    if "no_start" in rows["g"] or "no_start" not in rows["bad"]:
        yield f"{rows['g']}, {rows['bad']}"
    worst = read_text(f"{cup.store}/report.html").partition('id="worst"')[2]
    if worst.partition("</section>")[0].count('class="tag fault"') != 1:
        yield "the page shows a fault with the match of another bot"
    for match in json.loads(cup.standings("--json"))["worst"]:
        names = [seat["name"] for seat in match["seats"]]
        if names[match["seat"]] != match["bot"] or [seat["fault"] is None for seat in match["seats"]] != [
                name == "g" for name in names]:
            yield str(match)


# Block 1 is bad against slow, block 2 bad against touchy, who is at fault whenever it meets bad. Slow waits until
# block 2 is decided: then touchy seems to be out, and so does everything that is left. But block 1 will say that
# bad was out before block 2.
TOUCHY = '[ $asked = 1 ] && [ -n "$foe" ] && exit 1'
SLOW = ('if [ $asked = 1 ] && [ -n "$foe" ] && [ -n "$RESULTS" ]; then '
        'while [ $(grep -c \'"block":2,\' "$RESULTS") -lt 2 ]; do sleep 0.05; done; fi')


def check_faults_of_others(folder):
    """Who is out can change with a block before that is decided later; all that counts is played all the same."""
    meets = 'foe= ;; player) case $rest in bad) foe=$rest ;; esac'
    cups = {}
    for name, options, keys, results in [("one", ["--workers", "1"], {"tables": 1}, ""),
                                         ("many", ["--workers", "2"], {"tables": 4}, f"{folder}/many/results.ndjson")]:
        bots = [{"name": "touchy", "command": write_script(folder, "touchy", meets, TOUCHY)},
                {"name": "bad", "command": f"{HOSTILE}/exits_at_once"},
                {"name": "slow", "command": write_script(folder, "slow", meets, SLOW), "environment": {"RESULTS": results}}]
        cups[name] = Cup(folder, name, bots=bots, deals=12, max_faults=1, name="cup", **keys)
        yield from expect(cups[name].play(*options), 0, "finished: 26 matches")
    yield from differences(cups["one"].outcome(), cups["many"].outcome())
    order = [record["block"] for record in cups["many"].results()]
    if order.index(2) > order.index(1):
        yield "block 2 was not decided before block 1"
    for row in csv.DictReader(io.StringIO(cups["many"].standings("--csv-matches"))):
        if not os.path.exists(os.path.join(cups["many"].store, row["log"])):
            yield f"{row['log']} counts, but is not published"


def read_terminal(arguments, columns):
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(REFEREE, [REFEREE, *arguments])
    seen = b""
    while True:
        try:
            seen += os.read(fd, 65536)
        except OSError:
            break
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.decode()


def check_terminal(folder):
    """A live view on a terminal, cut to its width; plain text elsewhere."""
    slow = write_script(folder, "slow", "sleep 0.6")
    cup = Cup(folder, bots=[{"name": "g", "command": GREEDY}, {"name": "slow", "command": slow}], deals=3,
              tables=1)
    code, seen = read_terminal(["tournament", "--workers", "1", cup.file], 60)
    view = seen.split("Standings.")[0]
    if code != 0 or "\033[" not in view:
        yield f"exit code {code}: {seen[-500:]!r}"
    for words in [r"\[[#.]{10,}\] [0-9]+ %", r"[0-9]+ of 6 matches, [0-9.]+ per second", "[0-9]+ running", "bot +score",
                  "slow +[0-9]"]:
        if not re.search(words, view):
            yield f"`{words}` is not shown: {view[-800:]!r}"
    if any(len(line) > 60 for line in re.sub(r"\033\[[0-9]*[A-Z]", "", view).replace("\r", "").split("\n")):
        yield "a line is wider than the terminal"
    if "finished: 6 matches" not in seen:
        yield f"no standings: {seen[-500:]!r}"
    plain = cup.play("--fresh", "--workers", "1")
    if "\033" in plain.stderr + plain.stdout or not re.search("of 6 matches, [0-9.]+ per second", plain.stderr):
        yield f"elsewhere: {plain.stderr!r}"
    quiet = cup.play("--quiet")
    if quiet.stderr != "":
        yield f"--quiet: {quiet.stderr!r}"


def check_formats(folder):
    """Gauntlet, sample and Swiss."""
    bots = [{"name": f"b{i}", "command": GREEDY if i % 2 else RANDOM} for i in range(7)]
    gauntlet = Cup(folder, "gauntlet", format="gauntlet", hero="b3", bots=bots, seats=3, deals=1)
    yield from expect(gauntlet.play(), 0, "finished: 90 matches")
    if not all(3 in record["bots"] for record in gauntlet.results()):
        yield "a match of the gauntlet was played without its hero"
    sample = Cup(folder, "sample", bots=bots, seats=3, deals=4, matches=60)
    yield from expect(sample.play(), 0, "finished: 60 matches")
    swiss = Cup(folder, "swiss", format="swiss", bots=bots, rounds=3, deals=2)
    yield from expect(swiss.play(), 0, "finished: 36 matches")
    rounds = [record for record in swiss.records() if "round" in record]
    orders = [sorted(record["order"]) for record in rounds]
    if [record["round"] for record in rounds] != [2, 3] or orders != 2 * [list(range(7))]:
        yield f"rounds: {rounds}"
    again = Cup(folder, "again", format="swiss", bots=bots, rounds=2, deals=2, name="swiss")
    yield from expect(again.play("--workers", "8"), 0, "finished: 24 matches")
    again.change(rounds=3)
    yield from expect(again.play(), 1, "rounds was 2 and is 3 now", "--accept-changes")
    yield from expect(again.play("--accept-changes", "--workers", "8"), 0, "finished: 36 matches")
    yield from differences(swiss.outcome(), again.outcome())


BUILT = """cp bot.in bot
chmod +x bot
if (echo >"$OUTSIDE") 2>/dev/null; then echo outside >>bot.note; fi
"""


def check_contained(folder, level):
    """A bot that is built and bots that are there, all contained, come to what they come to otherwise."""
    source = f"{folder}/source"
    write_script(source, "bot.in")
    bots = [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM},
            {"name": "built", "folder": source, "command": "./bot", "build": BUILT,
             "environment": {"OUTSIDE": f"{folder}/outside"}}]
    cups = {name: Cup(f"{folder}/{name}", "cup", name="contained", bots=bots, contain=name)
            for name in ("none", level)}
    for name, cup in cups.items():
        done = cup.play("--workers", "2")
        yield from expect(done, 0, "finished: 12 matches")
        if ('use "seatings": "single"' in done.stderr) != (name != "none"):
            yield f"the advice on seatings at {name}: {done.stderr}"
    if os.path.exists(f"{source}/bot"):
        yield "it was built where its author keeps it"
    header = read_records(cups[level].logs()[0])[0]
    if header["contain"] != level or "scratch" not in header["enforced"] + (" scratch" if level == "sealed" else ""):
        yield f"the log says {header['contain']}, {header.get('enforced')}"
    if os.path.exists(f"{cups[level].store}/bots/built/bot.note"):
        yield "its build wrote where it must not"
    if cups["none"].standings("--csv-matches") != cups[level].standings("--csv-matches"):
        yield "the results differ"


def report_contained(folder, level):
    name = f"bots and builds that are {level} come to the same results"
    tried = run("play", "--contain", level, "--quiet", "--set", "turn_limit=2", GREEDY, GREEDY)
    if "sanitize" in BUILD:
        print(f"skip {name}: programs with sanitizers do not fit into the limits")
    elif tried.returncode == 2:
        print(f"skip {name}: {tried.stderr.strip()}")
    else:
        report(name, check_contained(folder, level))


# What the files in a store say of their paths, in all languages.
IN_STORE = re.compile(rb" from the folder of this file|<p>(The commands work|Die Befehle gelten|De opdrachten werken|"
                      rb"Les commandes s|Las \S+rdenes funcionan)[^\n]*</p>\n")


def check_reports(cups):
    """Every form that the standings have, and the files in the store."""
    cup = cups["j8"]
    forms = {"standings.txt": [], "standings.json": ["--json"], "standings.csv": ["--csv"], "cross.csv": ["--csv-cross"],
             "matches.csv": ["--csv-matches"], "report.html": ["--html"]}
    for name, options in forms.items():
        printed = subprocess.run([REFEREE, "standings", *options, cup.store], capture_output=True, timeout=SECONDS)
        with open(f"{cup.store}/{name}", "rb") as file:
            if printed.returncode != 0 or IN_STORE.sub(b"", file.read()) != printed.stdout.replace(
                    f"{cup.store}/".encode(), b""):
                yield f"{name} is not what `standings {' '.join(options)}` prints: {printed.stderr}"
    if '<html lang="nl">' not in cup.standings("--html", "--language", "nl"):
        yield "the page is not in Dutch alone"
    for options, words in ((["--html", "--language", "it"], "--language takes en, de, nl, fr or es, not `it`"),
                           (["--language", "de"], "--language goes with --html")):
        yield from expect(run("standings", *options, cup.store), 2, words)
    rows = list(csv.DictReader(io.StringIO(cup.standings("--csv-matches"))))
    for row in rows:
        if not os.path.exists(os.path.join(cup.store, row["log"])):
            yield f"{row['log']} is not there"
    if "4 bots" in cup.standings() or len(rows) != 48:
        yield f"{len(rows)} rows"
    if json.loads(cup.play("--json").stdout) != json.loads(cup.standings("--json")):
        yield "`tournament --json` prints something else"
    if glob.glob(f"{cup.store}/*.new"):
        yield "something is half written"


# Plays by chance when a deal is new, and well when its note says that the deal has come before.
CHEAT = """#!/bin/sh
seen=$(cat "$NOTE" 2>/dev/null || echo 0)
echo $((seen + 1)) >"$NOTE"
[ $((seen %% 2)) = 0 ] && exec %s
exec %s
"""


def check_repeat_gain(folder):
    """A bot that plays a deal better when it comes again is named in every report, the others are not."""
    cheat = write_file(f"{folder}/cheat", CHEAT % (RANDOM, GREEDY), 0o755)
    bots = [{"name": "cheat", "command": cheat, "environment": {"NOTE": f"{folder}/note"}},
            {"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM}]
    cup = Cup(folder, bots=bots, deals=15, seatings="rotations", tables=1, rules={"rounds": 1})
    yield from expect(cup.play("--workers", "1"), 0, "warning: cheat may know the cards", "suspicious")
    suspects = {row["name"]: row["repeat"]["is_suspicious"] for row in json.loads(cup.standings("--json"))["bots"]}
    if suspects != {"cheat": True, "g": False, "r": False}:
        yield f"suspects: {suspects}"
    page = read_text(f"{cup.store}/report.html")
    if "cheat may know the cards" not in page or page.count(">suspicious<") != 1:
        yield "the page does not name it"
    if sum(row["is_suspicious"] == "1" for row in csv.DictReader(io.StringIO(cup.standings("--csv")))) != 1:
        yield "the CSV does not name it"
    once = Cup(folder, "once", bots=bots, deals=30, seatings="single", tables=1)
    yield from expect(once.play("--workers", "1"), 0)
    if "first match of a deal" in once.standings() or "Deals that come again" in read_text(f"{once.store}/report.html"):
        yield "deals that are played once are compared"


def check_card_reader(folder):
    """A bot that was given the deals is caught within 20 matches, in every report, and its neighbours are not."""
    bots = [{"name": "reader", "command": f"{BUILD}/tests/card_reader {folder}/cup/master"},
            *({"name": name, "command": GREEDY} for name in ("g1", "g2", "g3"))]
    cup = Cup(folder, bots=bots, deals=20, seats=4, seatings="single", rules={"rounds": 1})
    yield from expect(cup.play(), 0, "warning: reader may know the cards: ", "Who knows the cards?")
    document = json.loads(cup.standings("--json"))
    suspects = {row["name"]: row["peek"]["is_suspicious"] for row in document["bots"]}
    if suspects != {"reader": True, "g1": False, "g2": False, "g3": False}:
        yield f"suspects: {[(row['name'], row['peek']) for row in document['bots']]}"
    logs = [match["log"] for match in document["evidence"]]
    if len(logs) != 3 or not all(os.path.exists(log) and match["bot"] == "reader" and match["gain"] > 0
                                 for log, match in zip(logs, document["evidence"])):
        yield f"evidence: {document['evidence']}"
    page = read_text(f"{cup.store}/report.html")
    if page.count("reader may know the cards: ") != 1 or not all(
            f">referee replay {os.path.relpath(log, cup.store)}<" in page for log in logs):
        yield "the page does not name it with its matches"
    if sum(row["is_suspicious"] == "1" for row in csv.DictReader(io.StringIO(cup.standings("--csv")))) != 1:
        yield "the CSV does not name it"
    yield from expect(run("replay", "--verify", cup.store), 0)
    # The file that it reads is there now, and belongs to the bot.
    yield from expect(run("tournament", "--feed", "--accept-changes", cup.file), 0, "note reader may know the cards")


def check_luck(folder):
    """Raw and adjusted scores, and two ways to do without luck."""
    cup = Cup(folder, deals=4, seatings="single")
    yield from expect(cup.play(), 0, "the same mean, mostly less chance", "Who knows the cards?")
    adjusted, raw = (json.loads(cup.standings("--json", "--luck", luck))["bots"] for luck in ("on", "off"))
    for row, other in zip(adjusted, raw):
        if row["score"] != other["score"] or row["adjusted"]["mean"] is None or other["adjusted"]["mean"] is not None:
            yield f"{row['score']} {row['adjusted']}, --luck off {other['score']} {other['adjusted']}"
    for luck, words in ("off", ["less chance"]), ("on", []):
        shown = cup.standings("--luck", luck)
        if any(word in shown for word in words) or "Who knows the cards?" not in shown:
            yield f"--luck {luck}: {shown}"
    yield from expect(run("standings", "--luck", "no", cup.store), 2, "--luck takes on or off, not `no`")
    for name, options, keys in ("key", [], {"luck": False}), ("option", ["--luck", "off"], {}):
        other = Cup(folder, name, deals=4, seatings="single", **keys)
        yield from expect(other.play(*options), 0)
        if any("luck" in record for record in read_records(f"{other.store}/results.ndjson")):
            yield f"{name}: luck is recorded"
        if "adjusted" in other.standings() or "Who knows the cards?" in other.standings():
            yield f"{name}: luck is shown"
        yield from expect(run("replay", "--verify", other.store), 0)
    yield from expect(other.play("--luck", "on"), 1, "luck", "--accept-changes")


def main():
    with tempfile.TemporaryDirectory() as folder:
        def place(name):
            os.makedirs(f"{folder}/{name}")
            return f"{folder}/{name}"

        report("all mistakes of a file are reported with their places", check_mistakes(place("mistakes")))
        report("all missing programs are reported with their lines", check_missing_bots(place("missing")))
        report("--fresh deletes nothing before everything is there", check_fresh_keeps(place("fresh")))
        report("--output plays in another folder", check_output(place("output")))
        report("usage is explained", check_usage(place("usage")))
        report("--dry-run shows the schedule and makes nothing", check_dry_run(place("dry")))
        report("--dry-run counts what is played and what is absurd", check_look_ahead(place("ahead")))
        report("bots that cannot be built or found do not stop the others", check_broken_bots(place("broken")))
        report("--dry-run --start greets every bot", check_preflight(place("preflight")))
        cups = play_ways(place("ways"))
        report("results are the same at any concurrency, with bots kept or not", check_ways(cups))
        report("logs are the same, times apart", check_same_logs(cups))
        report("--each prints the matches in the order of the schedule", check_each(cups))
        report("the same command again plays nothing and prints the same", check_again(cups))
        report("all logs prove right, those of kept bots too", check_proof(cups))
        report("hashes, commitments and modes are right", check_store(cups))
        report("standings come in every form", check_reports(cups))
        report("no process sees a deal twice", check_no_deal_twice(place("twice")))
        report("a bot with too many faults is withdrawn", check_max_faults(place("faults")))
        report("a fault is shown with the worst match of the bot that made it", check_blame(place("blame")))
        report("withdrawals do not depend on the order of play", check_faults_of_others(place("others")))
        report_contained(place("guarded"), "guarded")
        report_contained(place("sealed"), "sealed")
        report("a bot that knows deals which come again is found", check_repeat_gain(place("repeats")))
        report("a bot that was given the deals is caught within 20 matches", check_card_reader(place("reader")))
        report("scores are shown with and without luck", check_luck(place("luck")))
        report("a terminal shows the progress", check_terminal(place("terminal")))
        report("gauntlet, sample and Swiss run to their end", check_formats(place("formats")))


main()
