#!/usr/bin/env python3
"""The referee's ratings agree with an independent computation."""

import math
import os
import random
import subprocess
import sys

from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
OURS = os.path.join(BUILD, "tests", "rating_vectors")
THEIRS = os.path.join(HERE, "..", "plackett_luce.py")
TOLERANCE = 1e-6


def draw_match(chance, strengths, seats, ties, bots):
    """Places by form; forms near each other share a place, the better one."""
    chosen = chance.sample(bots, seats)
    form = {bot: strengths[bot] - math.log(chance.expovariate(1)) for bot in chosen}
    order = sorted(form, key=form.get, reverse=True)
    match, place = [], 1
    for position, bot in enumerate(order):
        if position == 0 or chance.random() >= ties:
            place = position + 1
        match.append((bot, place))
    chance.shuffle(match)
    return match


def field(seed):
    """Sizes, strengths and ties change from field to field; some fields have a bot that never plays,
    some fall into two parts, some have bots that always win or lose."""
    chance = random.Random(seed)
    count = chance.randint(2, 9)
    seats = min(chance.randint(2, 6), count)
    spread = chance.choice([0.0, 1.0, 3.0])
    strengths = [chance.uniform(-spread, spread) for _ in range(count)]
    kind = seed % 6
    ties = 0.0 if kind in (1, 2) else chance.choice([0.0, 0.1, 0.5])
    if kind == 1:
        strengths[0] += 50
    if kind == 2:
        strengths[-1] -= 50
    parts = [range(count)]
    if kind == 3 and count >= 4:
        parts = [range(count // 2), range(count // 2, count)]
    if kind == 4 and count >= 3:
        parts = [range(count - 1)]
    matches = []
    for _ in range(1 if kind == 5 else chance.randint(5, 60)):
        bots = list(chance.choice(parts))
        matches.append(draw_match(chance, strengths, min(seats, len(bots)), ties, bots))
    return count, matches


def words(count, matches):
    lines = [f"field {count}"]
    for number, match in enumerate(matches):
        seats = " ".join(f"{bot}:{place}" for bot, place in match)
        lines.append(f"match {number // 2 + 1} {seats}")
    return lines + ["end"]


def ratings(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr}")
    return [line.split() for line in done.stdout.splitlines()]


def differences(ours, theirs):
    if len(ours) != len(theirs):
        yield f"{len(ours)} and {len(theirs)} lines"
    for mine, other in zip(ours, theirs):
        is_near = mine[2] == other[2] == "nan" or abs(float(mine[2]) - float(other[2])) <= TOLERANCE
        if mine[1] != other[1] or mine[3] != other[3] or not is_near:
            yield f"{' '.join(mine)}, not {' '.join(other)}"


def main():
    seen = {"unbeaten": 0, "nan": 0, "shared": 0}
    for seed in range(36):
        count, matches = field(seed)
        text = "\n".join(words(count, matches)) + "\n"
        theirs = ratings([sys.executable, THEIRS], text)
        problems = list(differences(ratings([OURS], text), theirs))
        name = f"the ratings of field {seed} ({count} bots, {len(matches)} matches) agree"
        print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)
        seen["unbeaten"] += sum(line[3] == "unbeaten" for line in theirs)
        seen["nan"] += sum(line[2] == "nan" for line in theirs)
        seen["shared"] += sum(len({place for _, place in match}) < len(match) for match in matches)
    missing = [what for what, times in seen.items() if times == 0]
    name = "the fields have shared places, unbeaten bots and bots without a match"
    print(f"ok {name}" if not missing else f"not ok {name}: no {missing[0]}")


main()
