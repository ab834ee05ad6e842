#!/usr/bin/env python3
"""`referee tournament --replay-bot NAME`: the matches of a repaired bot are played again with other deals, its old
results stay in the store and do not count, and the store can be proved. Also if it is killed at any moment, if bots
join or deals are added later, and in a Swiss tournament.

REPLAY_KILLS says how often the referee is killed."""

import os
import shutil
import tempfile

from organiser import GREEDY, RANDOM, Cup, differences, expect, report, run, start, write_script
from patience import until

KILLS = int(os.environ.get("REPLAY_KILLS", "4"))
BROKEN = "kill -9 $$"


def bots(folder, *more):
    script = os.path.join(folder, "script")
    return [{"name": "g", "command": GREEDY}, {"name": "r", "command": RANDOM}, {"name": "s", "command": script}, *more]


def make(folder, label, on_match=":", **keys):
    """A tournament with a bot that is broken, or not."""
    write_script(folder, "script", on_match)
    return Cup(folder, label, name="cup", **dict({"bots": bots(folder), "deals": 2}, **keys))


def verified(cup, *words):
    yield from expect(run("replay", "--verify", cup.store), 0, "verified", "finished", *words)


def seeds(cup):
    """The deals of the matches that count, and of all."""
    counted = {line.split(",")[0] for line in cup.standings("--csv-matches").splitlines()[1:]}
    return counted, {str(result["block"]) for result in cup.results()}


def check_repaired(folder):
    cup = make(folder, "cup", BROKEN)
    yield from expect(cup.play(), 0, "finished: 12 matches", "gone")
    before = cup.dates()
    write_script(folder, "script")
    yield from expect(cup.play(), 1, "--replay-bot NAME")
    yield from expect(cup.play("--replay-bot", "s"), 0, "8 matches of bot s are played again", "finished: 12 matches")
    if "gone" in cup.standings():
        yield "a repaired bot keeps its faults"
    for log, date in before.items():
        if cup.dates().get(log) != date:
            yield f"{log} was changed"
    counted, everything = seeds(cup)
    if len(counted) != 6 or len(everything) != 10:
        yield f"{len(counted)} of {len(everything)} deals count, not 6 of 10"
    yield from verified(cup, "20 matches")
    yield from expect(cup.play(), 0, "finished: 12 matches")


def check_twice(folder):
    """Once more, for another bot of the same matches, and for the same one."""
    cup = make(folder, "cup")
    cup.play()
    yield from expect(cup.play("--replay-bot", "g", "--replay-bot", "r"), 0, "8 matches of bot g",
                      "4 matches of bot r are", "finished: 12 matches")
    yield from verified(cup)
    yield from expect(cup.play("--replay-bot", "s=1"), 0, "8 matches of bot s", "finished: 12 matches")
    records = len(cup.records())
    yield from expect(cup.play("--replay-bot", "s=1"), 0, "finished: 12 matches")
    if len(cup.records()) != records:
        yield "s=1 replayed s a second time"
    yield from verified(cup)


def check_put_out(folder):
    """A bot that was put out by its faults comes back, and plays what it has missed."""
    cup = make(folder, "cup", BROKEN, max_faults=2, deals=3, seatings="single")
    yield from expect(cup.play(), 0, "withdrawn")
    write_script(folder, "script")
    yield from expect(cup.play("--replay-bot", "s"), 0, "finished: 9 matches")
    if "withdrawn" in cup.standings():
        yield "it is still out"
    yield from verified(cup)


def check_grown(folder):
    """Bots that join later, and more deals, come after the rematches."""
    cup = make(folder, "cup")
    cup.play()
    cup.play("--replay-bot", "s")
    cup.change(deals=3)
    yield from expect(cup.play("--accept-changes"), 0, "finished: 18 matches")
    yield from verified(cup, "26 matches")
    cup.change(bots=bots(folder, {"name": "new", "command": RANDOM}))
    yield from expect(cup.play("--accept-changes"), 0, "finished: 36 matches")
    yield from verified(cup)
    yield from expect(cup.play("--replay-bot", "new"), 0, "18 matches of bot new", "finished: 36 matches")
    yield from verified(cup)


def swiss(folder, label):
    return make(folder, label, format="swiss", rounds=2, deals=1,
                bots=bots(folder, {"name": "g2", "command": GREEDY}))


def check_swiss(folder):
    """Rounds that were there keep their pairs; a round that comes later follows from the rematches."""
    cup = swiss(folder, "cup")
    yield from expect(cup.play(), 0, "finished: 8 matches")
    yield from expect(cup.play("--replay-bot", "s"), 0, "4 matches of bot s", "finished: 8 matches")
    yield from verified(cup)
    cup.change(rounds=3)
    yield from expect(cup.play("--accept-changes"), 0, "finished: 12 matches")
    yield from verified(cup)


def check_refused(folder):
    cup = make(folder, "cup")
    yield from expect(cup.play("--replay-bot", "s"), 1, "bot s has not played yet")
    cup.play()
    before = cup.records()
    yield from expect(cup.play("--replay-bot", "nobody"), 1, "there is no bot nobody")
    yield from expect(cup.play("--replay-bot", "s=0"), 2, "NAME=TIMES")
    yield from expect(cup.play("--replay-bot", "../s"), 2, "NAME=TIMES")
    yield from expect(cup.play("--replay-bot", "s", "--fresh"), 2, "--fresh")
    if cup.records() != before:
        yield "something was written"


def kill_at(cup, records):
    """The same command, until it has written so many records, if it does not end before."""
    referee = start("tournament", "--seed", "x", "--quiet", "--replay-bot", "s", cup.file)
    until(lambda: referee.poll() is not None or len(journal_lines(cup)) >= records, f"{records} records")
    referee.kill()
    referee.communicate()
    return referee.returncode < 0


def journal_lines(cup):
    with open(os.path.join(cup.store, "results.ndjson"), "rb") as file:
        return file.read().splitlines()


def check_killed(folder):
    """The command is killed and repeated, and the tables are those of a run that was not killed. A command that is
    repeated does not replay the bot once more."""
    for kind in ("plain", "swiss"):
        cups = [swiss(folder, f"{kind}-{i}") if kind == "swiss" else make(folder, f"{kind}-{i}") for i in range(2)]
        cups[0].play()
        shutil.copytree(cups[0].store, cups[1].store)
        write_script(folder, "script", "true", "sleep 0.01")
        cups[0].play("--replay-bot", "s")
        killed = 0
        while killed < KILLS and kill_at(cups[1], len(journal_lines(cups[1])) + 1 + killed % 2):
            killed += 1
        if killed == 0:
            yield "it ended before it could be killed"
        yield from expect(cups[1].play(), 0)
        if sum("rematch" in record for record in cups[1].records()) != 1:
            yield "a command that was repeated replayed the bot again"
        yield from differences(cups[0].outcome(), cups[1].outcome())
        yield from verified(cups[1])


def main():
    for check in (check_repaired, check_twice, check_put_out, check_grown, check_swiss, check_refused, check_killed):
        with tempfile.TemporaryDirectory(prefix="referee-replay-bot-") as folder:
            report(check.__name__.replace("check_", "replay_bot_"), check(folder))


if __name__ == "__main__":
    main()
