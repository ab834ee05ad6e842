#!/usr/bin/env python3
"""A tournament whose blocks are played by a batch system: listed, played by processes of their own, imported. The
outcome is that of a local run, and nothing is believed that a log does not prove."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile

from organiser import (RANDOM, REFEREE, WAITS, Cup, differences, expect, report, run, start, wait_for, write_file,
                       write_script)
from patience import SECONDS

SWISS = {"format": "swiss", "rounds": 2, "deals": 1, "seatings": "single",
         "bots": [{"name": f"b{i}", "command": RANDOM} for i in range(4)]}


def list_blocks(cup):
    done = run("tournament", "--seed", "x", cup.file, "--list-blocks")
    if done.returncode != 0:
        raise ValueError(f"--list-blocks: {done.stderr}")
    return done.stdout.split()


def play_blocks(cup, blocks, into, *options):
    """As users do it, with GNU parallel."""
    done = subprocess.run(["parallel", "-j2", "--halt", "now,fail=1", REFEREE, "tournament", cup.file, "--play-block", "{}", "--into",
                           into, *options, ":::", *blocks], capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        raise ValueError(f"parallel: {done.stdout} {done.stderr}")


def import_from(cup, *folders):
    return run("tournament", cup.file, "--import", *folders)


def play_all(cup, folder):
    """Until nothing is left, as Swiss rounds come one after the other."""
    count = 0
    while blocks := list_blocks(cup):
        count += 1
        into = os.path.join(folder, f"round{count}")
        play_blocks(cup, blocks, into)
        yield from expect(import_from(cup, into), 0, "imported, 0 known before")
        left = [name for name in os.listdir(into) if not name.endswith(".result")]
        if left:
            yield f"--play-block has left {left}"


def same_as_local(folder, name, **keys):
    local = Cup(os.path.join(folder, "local"), name, **keys)
    away = Cup(os.path.join(folder, "away"), name, **keys)
    yield from expect(local.play(), 0)
    yield from play_all(away, os.path.join(folder, f"{name}-played"))
    if list_blocks(away):
        yield "blocks are left"
    yield from differences([local.outcome()[0]["bots"], local.outcome()[1]], [away.outcome()[0]["bots"], away.outcome()[1]])
    if len(local.logs()) != len(away.logs()):
        yield "logs are missing"
    yield from expect(run("replay", "--verify", away.store), 0, "verified")
    yield from expect(away.play(), 0)
    if len(away.results()) != len(local.results()):
        yield "something was played again"


def imported_once(cup, played):
    yield from expect(import_from(cup, played), 0, "4 matches imported, 0 known before")
    before = cup.results()
    yield from expect(import_from(cup, played, played), 0, "0 matches imported, 8 known before")
    if cup.results() != before:
        yield "results have changed"
    yield from expect(run("replay", "--verify", cup.store), 0)


def change(path, to, old, new):
    """A copy of a result with other bytes in it."""
    with open(path, "rb") as file:
        content = file.read()
    if old not in content:
        raise ValueError(f"{old} is not in {path}")
    os.makedirs(to, exist_ok=True)
    with open(os.path.join(to, "forged.result"), "wb") as file:
        file.write(content.replace(old, new, 1))
    return to


def swap_matches(path, to):
    """A copy of a result in which each of two matches claims to be the other."""
    change(path, to, b'"rotation":0', b'"rotation":X')
    change(os.path.join(to, "forged.result"), to, b'"rotation":1', b'"rotation":0')
    return change(os.path.join(to, "forged.result"), to, b'"rotation":X', b'"rotation":1')


def with_log(path, to, changed):
    """A copy of a result whose first log has other lines, compressed again, with a last line that fits."""
    with open(path, "rb") as file:
        head, rest = file.read().split(b"\n", 1)
    header = json.loads(head)
    first = header["matches"][0]
    plain = subprocess.run(["zstd", "-dcq"], input=rest[:first["log"]], capture_output=True, check=True).stdout
    lines = changed(plain.splitlines(keepends=True)[:-1])
    body = b"".join(lines)
    body += b'{"sha256":"%s"}\n' % hashlib.sha256(body).hexdigest().encode()
    packed = subprocess.run(["zstd", "-cq"], input=body, capture_output=True, check=True).stdout
    rest = packed + rest[first["log"]:]
    first["log"] = len(packed)
    os.makedirs(to, exist_ok=True)
    with open(os.path.join(to, "forged.result"), "wb") as file:
        file.write(json.dumps(header, separators=(",", ":")).encode() + b"\n" + rest)
    return to


def forgeries(cup, other, played, folder):
    """What is wrong is said, nothing of it is in the store."""
    one = os.path.join(played, "block-1.result")
    empty = write_file(os.path.join(folder, "empty", "x.result"), "")
    cases = [
        ("other cards", lambda to: change(one, to, b'"block":1,', b'"block":2,')),
        ("other bots on these seats", lambda to: swap_matches(one, to)),
        ("or is damaged", lambda to: change(one, to, b'"end":"played"', b'"end":"paid"')),
        ("or is damaged", lambda to: change(one, to, b'"block":1,', b'"block":0,')),
        ("or is damaged", lambda to: os.path.dirname(empty)),
        ("other bots on these seats", lambda to: other),
        ("not imported", lambda to: with_log(one, to, lambda lines: lines[:-1])),
        ("other clocks", lambda to: with_log(one, to, lambda lines: [line.replace(b'"move_ms":60000', b'"move_ms":60001')
                                                                    for line in lines])),
        ("not imported", lambda to: with_log(one, to, lambda lines: [line.replace(b'"us":', b'"us":9', 1) for line in lines]
                                             [:len(lines) - 2] + lines[-1:])),
    ]
    for number, (words, make) in enumerate(cases):
        for found in expect(import_from(cup, make(os.path.join(folder, f"forged{number}"))), 1, words, "0 matches imported"):
            yield f"case {number}: {found}"
    if cup.results() or cup.logs():
        yield "something was believed"


def with_key(folder):
    """Sealed results are read with their key only."""
    key = write_file(os.path.join(folder, "key"), "0123456789abcdef0123456789abcdef\n", 0o600)
    wrong = write_file(os.path.join(folder, "wrong"), "fedcba9876543210fedcba9876543210\n", 0o600)
    loose = write_file(os.path.join(folder, "loose"), "0123456789abcdef0123456789abcdef\n", 0o644)
    cup = Cup(folder, "sealed", deals=1, seatings="single")
    into = os.path.join(folder, "sealed-played")
    play_blocks(cup, list_blocks(cup), into, "--key-file", key)
    yield from expect(import_from(cup, into), 1, "or is damaged")
    yield from expect(import_from(cup, into, "--key-file", wrong), 1, "it is not sealed with this key")
    yield from expect(import_from(cup, into, "--key-file", loose), 2, "others can read it")
    if cup.results():
        yield "something was believed"
    yield from expect(import_from(cup, into, "--key-file", key), 0, "0 left to play")


def killed_in_the_middle(folder):
    """A process that is killed leaves no result, and can be started again."""
    gate = os.path.join(folder, "gate")
    script = write_script(folder, "waits.sh", on_ask=WAITS)
    cup = Cup(folder, "killed", deals=1, seatings="single",
              bots=[{"name": "w", "command": script, "environment": {"GATE": gate}}, {"name": "r", "command": RANDOM}])
    into = os.path.join(folder, "killed-played")
    (block,) = list_blocks(cup)
    process = start("tournament", cup.file, "--play-block", block, "--into", into)
    wait_for(gate + ".asked")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    if any(name.endswith(".result") for name in os.listdir(into)):
        yield "there is a result of a match that was not played"
    yield from expect(import_from(cup, into), 0, "has no results")
    write_file(gate, "")
    play_blocks(cup, [block], into)
    play_blocks(cup, [block], into)  # it is there already
    yield from expect(import_from(cup, into), 0, "1 match imported")


def changed_bots(folder):
    """A block is played only with the bots for which it was listed."""
    script = write_script(folder, "mine.sh")
    cup = Cup(folder, "changed", deals=1, seatings="single",
              bots=[{"name": "m", "command": script}, {"name": "r", "command": RANDOM}])
    (block,) = list_blocks(cup)
    write_script(folder, "mine.sh", on_match="true")
    yield from expect(run("tournament", cup.file, "--play-block", block, "--into", os.path.join(folder, "never")), 1,
                      "the bots have changed since the blocks were listed")


def main():
    if shutil.which("parallel") is None:
        print("skip batch: GNU parallel is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        report("blocks_in_processes_of_their_own_give_the_outcome_of_a_local_run", same_as_local(folder, "round"))
        report("swiss_rounds_are_listed_when_the_one_before_is_imported", same_as_local(folder, "swiss", **SWISS))
        cup = Cup(folder, "cup", deals=1, seatings="all", bots=[{"name": "g", "command": RANDOM}, {"name": "r", "command": RANDOM}])
        cup.change(deals=2)
        played = os.path.join(folder, "played")
        play_blocks(cup, list_blocks(cup), played)
        other = os.path.join(folder, "swiss-played", "round1")
        report("what_a_log_does_not_prove_is_not_imported", forgeries(cup, other, played, folder))
        report("a_result_counts_once_however_often_it_is_imported", imported_once(cup, played))
        report("sealed_results_need_their_key", with_key(folder))
        report("a_block_that_was_killed_can_be_played_again", killed_in_the_middle(folder))
        report("a_block_is_played_with_the_bots_for_which_it_was_listed", changed_bots(folder))


main()
