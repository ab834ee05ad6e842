#!/usr/bin/env python3
"""What `referee tournament --feed` reports to the program that runs a tournament: in which order, what of
it, that the tables are there when it says so, and how it ends."""

import csv
import json
import os
import re
import signal
import subprocess
import tempfile

from fake_daemon import FakeDaemon
from patience import SECONDS
from organiser import (BUILD, GREEDY, HOSTILE, RANDOM, REFEREE, WAITS, Cup, expect, log_of, processes_with, read_text, report, run, start,
                       wait_for, write_file, write_script)

TABLES = ["standings.json", "standings.txt", "standings.csv", "cross.csv", "matches.csv", "report.html"]
MATCH = re.compile(r"match (\d+)\.(\d+)((?: [\w.-]+ \d -?\d+\.[05] [a-z_-]+){2,6})$")


def read_matches(lines):
    """{(block, match): [(name, place, score, fault), ...]} of the match lines."""
    found = {}
    for line in lines:
        match = MATCH.match(line)
        if match:
            words = match[3].split()
            found[int(match[1]), int(match[2])] = [tuple(words[i:i + 4]) for i in range(0, len(words), 4)]
    return found


def read_table(cup):
    """The same of matches.csv."""
    found = {}
    with open(os.path.join(cup.store, "matches.csv"), newline="") as file:
        for row in csv.DictReader(file):
            seats = [(row[f"bot_{i}"], row[f"place_{i}"], f"{float(row[f'points_{i}']):.1f}", row[f"fault_{i}"] or "-")
                     for i in range(6) if row.get(f"bot_{i}")]
            found[int(row["block"]), int(row["match"])] = seats
    return found


def check_order(lines, before, matches):
    """begin, then blocks with their matches before them, then bots and the end; counts that grow."""
    if lines[0] != f"begin {before} {matches}":
        yield lines[0]
    decided, waiting = before, []
    for line in lines[1:]:
        words = line.split()
        if words[0] == "match":
            if not MATCH.match(line):
                yield f"no match line: {line}"
            waiting.append(words[1])
        elif words[0] == "block":
            decided += len(waiting)
            if waiting != [f"{words[1]}.{i + 1}" for i in range(len(waiting))] or not waiting:
                yield f"{line} after {waiting}"
            if words[2:] != [str(decided), str(matches)]:
                yield f"{line}: {decided} are decided"
            waiting = []
        elif waiting:
            yield f"{line} between the matches of a block"
    kinds = [line.split()[0] for line in lines]
    tail = kinds[kinds.index("bot"):] if "bot" in kinds else []
    if kinds[kinds.index("bot") - 1] != "standings" or set(tail[:-2]) != {"bot"} or tail[-2:] != ["disk", "end"]:
        yield f"it ends with {lines[-8:]}"


def check_whole(folder):
    bots = [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM}, {"name": "g2", "command": GREEDY},
            {"name": "bad", "command": os.path.join(HOSTILE, "exits_at_once")}]
    cup = Cup(folder, bots=bots, seats=3, deals=4)
    done = cup.play("--feed")
    lines = done.stdout.splitlines()
    yield from expect(done, 0)
    yield from check_order(lines, 0, 4 * 4 * 6)
    if done.stderr or lines[-1] != "end finished":
        yield f"{done.stderr} {lines[-1]}"
    if read_matches(lines) != read_table(cup) or len(read_matches(lines)) != 96:
        yield "the matches are not those of the table"
    standings = json.loads(read_text(f"{cup.store}/standings.json"))
    told = {line.split()[1]: line.split()[2:] for line in lines if line.startswith("bot ")}
    wins = {bot["name"]: 0 for bot in bots}
    for seats in read_matches(lines).values():
        for name, place, _, _ in seats:
            wins[name] += place == "1"
    for name, words in told.items():
        if words[:2] != ["72", str(wins[name])] or words[4:] != (["no_start=72"] if name == "bad" else []):
            yield f"bot {name} {words}"
    if sorted(told) != sorted(wins) or len(standings["bots"]) != 4:
        yield f"{told}"
    again = cup.play("--feed").stdout.splitlines()
    yield from check_order(again, 96, 96)
    if [line.split()[0] for line in again] != ["begin", "disk", "standings", "bot", "bot", "bot", "bot", "disk", "end"]:
        yield f"played already, and yet: {again}"


def gated(folder, **keys):
    """A tournament in which the third question to one bot waits for a file."""
    gate = os.path.join(folder, "gate")
    bots = [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM},
            {"name": "slow", "command": write_script(folder, "slow", ":", WAITS), "environment": {"GATE": gate}}]
    return Cup(folder, bots=bots, **keys), gate


def feed_of(cup, *options):
    return start("tournament", "--feed", "--seed", "x", "--workers", "1", *options, cup.file)


def read_rest(referee):
    """What comes after some lines were read; communicate() would lose what was read ahead."""
    lines = referee.stdout.read().splitlines()
    said = referee.stderr.read()
    referee.wait(SECONDS)
    return lines, said


def check_published(folder):
    """A block with a match that is still played is not reported and has no logs; the others are."""
    cup, gate = gated(folder, deals=6, tables=16)
    referee = feed_of(cup)
    lines = []
    wait_for(f"{gate}.asked")
    while not any(line.startswith("block") for line in lines):
        lines.append(referee.stdout.readline().rstrip("\n"))
    for block, match in read_matches(lines):
        if not os.path.exists(log_of(cup.store, block, match)):
            yield f"{block}.{match} is told before it is published"
        if "slow" in [seat[0] for seat in read_matches(lines)[block, match]]:
            yield f"{block}.{match} cannot be decided"
    write_file(gate, "")
    lines += read_rest(referee)[0]
    yield from check_order(lines, 0, 36)
    if read_matches(lines) != read_table(cup):
        yield "the matches are not those of the table"


def check_unpublished(folder):
    """Killed before it published a block, it reports that block when it resumes, and counts it once."""
    cup = Cup(folder, deals=1)
    before = cup.play("--feed").stdout.splitlines()
    os.rename(os.path.join(cup.store, "logs", "000002"), os.path.join(cup.store, "open", "000002"))
    lines = cup.play("--feed").stdout.splitlines()
    yield from check_order(lines, 4, 6)
    if read_matches(lines) != {key: value for key, value in read_matches(before).items() if key[0] == 2}:
        yield f"it tells {lines}"


def check_tables(folder):
    """Whenever it says so, every table is complete and has at least what was reported."""
    cup, gate = gated(folder, deals=30)
    write_file(gate, "")
    referee = feed_of(cup)
    lines, written = [], 0
    for line in referee.stdout:
        lines.append(line.rstrip("\n"))
        if lines[-1] != "standings":
            continue
        written += 1
        for name in TABLES:
            text = read_text(f"{cup.store}/{name}")
            if name.endswith(".json"):
                json.loads(text)
            if not text.endswith("</html>\n" if name.endswith(".html") else "\n"):
                yield f"{name} is cut off"
        table = read_table(cup)
        if not read_matches(lines).items() <= table.items():
            yield f"{len(table)} matches in the table, {len(read_matches(lines))} were told"
    yield from expect(run("standings", cup.store), 0)
    if referee.wait(SECONDS) != 0 or written < 2 or lines[-1] != "end finished":
        yield f"{written} times; {lines[-1]}"


def stop(cup, gate, signals):
    """SIGTERM while a match waits; the match continues if there is no second signal. Counts the matches that
    are decided afterwards."""
    referee = feed_of(cup)
    wait_for(f"{gate}.asked")
    wait_for(f"{cup.store}/results.ndjson")
    before = len(cup.results())
    lines = [referee.stdout.readline().rstrip("\n")]
    for _ in range(signals):
        referee.send_signal(signal.SIGTERM)
        # Two signals that come together are one: the first was taken when none is pending.
        while re.search(r"^ShdPnd:.*[1-9a-f]", read_text(f"/proc/{referee.pid}/status"), re.M):
            pass
    if signals == 1:
        write_file(gate, "")
    rest, said = read_rest(referee)
    return referee.returncode, lines + rest, said, len(cup.results()) - before


def check_sigterm(folder):
    cup, gate = gated(folder, deals=8, tables=1)
    code, lines, said, decided = stop(cup, gate, 1)
    told = read_matches(lines)
    if code != 1 or lines[-1] != "end stopped" or said:
        yield f"exit code {code}: {lines[-1]} {said}"
    if decided == 0:
        yield "the match that was being played is not decided"
    if len(told) >= 48 or told != read_table(cup):
        yield f"{len(told)} matches are told, {len(read_table(cup))} are in the table"
    yield from check_order(lines, 0, 48)
    rest = cup.play("--feed").stdout.splitlines()
    yield from check_order(rest, len(told), 48)
    if told.keys() & read_matches(rest).keys():
        yield "a match of the first run is told again"
    if {**told, **read_matches(rest)} != read_table(cup) or rest[-1] != "end finished":
        yield f"something is missing: {rest[-1]}"


def check_second_sigterm(folder):
    cup, gate = gated(folder, deals=8, tables=1)
    cup.change(bots=cup.keys["bots"][1:])
    code, lines, said, decided = stop(cup, gate, 2)
    if code != 1 or lines[-1] != "end stopped" or said:
        yield f"exit code {code}: {lines[-1]} {said}"
    if decided > 0:
        yield "it waited for the match that was being played"
    write_file(gate, "")
    yield from expect(cup.play("--feed"), 0, "end finished")


def check_closed(folder):
    """The reader is gone while nothing is being reported."""
    cup, gate = gated(folder, deals=8, tables=1)
    referee = feed_of(cup)
    wait_for(f"{gate}.asked")
    referee.stdout.readline()
    referee.stdout.close()
    if referee.wait(SECONDS) != 1:
        yield f"exit code {referee.returncode}"
    if processes_with(gate):
        yield f"processes are left: {processes_with(gate)}"
    write_file(gate, "")
    yield from expect(cup.play("--feed"), 0, "end finished")


def check_failures(folder):
    """Whatever keeps it from playing, there is an end."""
    cup = Cup(folder, bots=[{"name": "a", "command": "nowhere"}, {"name": "b", "command": GREEDY}])
    for path in cup.file, f"{folder}/no.json":
        done = run("tournament", "--feed", path)
        yield from expect(done, 2)
        if done.stdout != "end failed\n" or not done.stderr:
            yield f"{done.stdout} {done.stderr}"
    cup.change(bots=[{"name": "a", "command": RANDOM}, {"name": "b", "command": GREEDY}])
    cup.play()
    cup.change(seats=2, deals=3, schedule_seed=7)
    done = cup.play("--feed")
    if not done.stdout.startswith("note schedule_seed was 1 and is 7 now\n") or not done.stdout.endswith("\nend failed\n"):
        yield done.stdout
    for option in "--json", "--each", "--dry-run":
        yield from expect(run("tournament", "--feed", option, cup.file), 2, "--feed cannot be combined with")


def check_single(folder):
    """Each deal once, in every format."""
    bots = [{"name": f"r{i}", "command": RANDOM} for i in range(5)]
    for number, (seats, keys, matches) in enumerate([(5, {}, 4), (2, {}, 40), (3, {"format": "gauntlet", "hero": "r2"}, 24),
                                                     (2, {"format": "swiss", "rounds": 3}, 24),
                                                     (3, {"matches": 7}, 7)]):
        cup = Cup(folder, f"cup{number}", bots=bots, seats=seats, deals=4, seatings="single", **keys)
        lines = cup.play("--feed").stdout.splitlines()
        yield from check_order(lines, 0, matches)
        if any(match != 1 for _, match in read_matches(lines)):
            yield f"a deal is played twice: {lines}"
        if number == 0 and [seat[0] for seat in read_matches(lines)[1, 1]] != ["r0", "r1", "r2", "r3", "r4"]:
            yield f"they do not sit as they are listed: {lines[1]}"
        dry = run("tournament", "--dry-run", cup.file)
        yield from expect(dry, 0, f"{matches} matches")


class CountingDaemon(FakeDaemon):
    """Counts who waits for the same bot at the same time."""

    fetching = []
    most = 0

    def take_bot(self, name):
        with self.change:
            self.fetching.append(name)
            self.most = max(self.most, self.fetching.count(name))
        bot = super().take_bot(name)
        with self.change:
            self.fetching.remove(name)
        return bot


def check_remote(folder, level):
    """Remote bots get the same results as local ones; each match fetches them again."""
    bots = [{"name": name, "command": command} for name, command in
            [("g", GREEDY), ("here", write_script(folder, "script")), ("r", RANDOM)]]
    near = Cup(folder, "near", name="cup", bots=bots, seatings="single", seats=3, deals=4)
    near.play("--feed")
    daemon = CountingDaemon(folder)
    authors = [subprocess.Popen([REFEREE, "connect", daemon.host, name, command], stderr=subprocess.DEVNULL)
               for name, command in [("g", GREEDY), ("there", bots[1]["command"])]]
    remote = [{"name": "g", "remote": "fake.socket"}, {"name": "here", "bot": "there", "remote": daemon.socket}, bots[2]]
    far = Cup(folder, "far", name="cup", bots=remote, seatings="single", seats=3, deals=4, contain=level, reuse=True,
              workers=4, tables=4)
    done = far.play("--feed")
    for author in authors:
        author.terminate()
        author.wait(SECONDS)
    yield from expect(done, 0, "end finished")
    if read_table(far) != read_table(near):
        yield f"{read_table(far)} and not {read_table(near)}: {done.stderr}"
    if sorted(words[0] for words, _, _ in daemon.asked("fetch")) != ["g"] * 4 + ["there"] * 4:
        yield f"{daemon.asked('fetch')}"
    if daemon.most > 1:
        yield f"{daemon.most} matches wait for the same bot"
    if {bot["name"]: bot["command"] for bot in far.records() if "command" in bot} != {
            "g": f"referee bridge {folder}/fake.socket g", "here": f"referee bridge {daemon.socket} there", "r": RANDOM}:
        yield f"{[bot for bot in far.records() if 'command' in bot]}"
    daemon.close()
    far.change(seatings="rotations")
    yield from expect(far.play("--feed"), 2, "nobody may see a deal twice")


def report_remote(folder):
    """At a sandbox level if there is one; the process that relays the lines of a bot is not contained."""
    tried = run("play", "--contain", "guarded", "--quiet", "--set", "turn_limit=2", GREEDY, GREEDY)
    level = "none" if "sanitize" in BUILD or tried.returncode == 2 else "guarded"
    report("remote bots get the same results", check_remote(folder, level))


def main():
    with tempfile.TemporaryDirectory() as folder:
        def place(name):
            os.makedirs(f"{folder}/{name}")
            return f"{folder}/{name}"

        report("a feed reports every match once, in order", check_whole(place("whole")))
        report("a feed reports nothing about a block that is not published", check_published(place("published")))
        report("a block that was decided and not published is reported once", check_unpublished(place("late")))
        report("the tables are there whenever a feed says so", check_tables(place("tables")))
        report("SIGTERM lets matches end, and the next feed reports only the rest", check_sigterm(place("term")))
        report("a second SIGTERM stops at once", check_second_sigterm(place("twice")))
        report("a feed that nobody reads ends the tournament", check_closed(place("closed")))
        report("a feed has an end if nothing can be played", check_failures(place("failures")))
        report("with single seatings each deal is played once", check_single(place("single")))
        report_remote(place("remote"))


main()
