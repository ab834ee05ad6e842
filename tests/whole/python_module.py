#!/usr/bin/env python3
"""The Python module does what the library in C does, steps many tables at once, learns, and plays over the protocol."""

import ctypes
import os
import random
import re
import subprocess
import sys
import tempfile
import textwrap

from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE, LIBRARY = os.path.join(BUILD, "referee"), os.path.join(BUILD, "lib", "liballegra.so.1")
BOTS = os.path.join(HERE, "..", "..", "bots", "python")
MATCHES = int(os.environ.get("PYTHON_MATCHES", "1000"))
LEARN_MINUTES = float(os.environ.get("PYTHON_MINUTES", "0.03"))


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {'; '.join(map(str, problems[:3]))}", flush=True)


def prepare():
    """A library with sanitizers needs theirs to be loaded first: then this starts again with it."""
    with open(LIBRARY, "rb") as file:
        is_sanitized = b"__asan_init" in file.read()
    if is_sanitized and "libasan" not in os.environ.get("LD_PRELOAD", ""):
        compiler = os.environ.get("CC", "cc").split()[0]
        runtime = [subprocess.run([compiler, "-print-file-name=" + name], text=True, capture_output=True,
                                  check=True).stdout.strip() for name in ("libasan.so", "libubsan.so")]
        os.environ.update(LD_PRELOAD=" ".join(runtime), ASAN_OPTIONS="detect_leaks=0")
        os.execv(sys.executable, [sys.executable, *sys.argv])
    os.environ["ALLEGRA_LIBRARY"] = LIBRARY
    sys.path.insert(0, BOTS)
    sys.dont_write_bytecode = True


def seen(allegra, match, seat):
    """What print_view() of match_events.c prints."""
    view, unseen = match.view(seat), match.unseen(seat)
    faces = [face for display in view.face[:view.seats] for face in display]
    return [view.me, view.question, view.drawn, view.discard_top, view.draw_count, view.discard_count, view.turn,
            view.hand, view.taken, view.clear_step, view.first_completed,
            sum((i + 1) * face for i, face in enumerate(faces)), sum((i + 1) * n for i, n in enumerate(unseen))]


def rules_of(allegra, edition, number):
    """Those of match_events.c: every eighth match is long."""
    return allegra.Rules(edition, rounds=1, turn_limit=5 if number % 8 else 100)


def replay(allegra, lines):
    """Plays what the program in C printed; yields the first difference of each match."""
    match, events, is_right, count = None, [], True, 0
    for line in lines:
        word, _, rest = line.rstrip("\n").partition(" ")
        words = rest.split()
        if word == "match":
            if match is not None and not match.over:
                yield "a match is not over"
            match = allegra.Match(rules_of(allegra, words[0], int(words[2])), int(words[1]), int(words[2]))
            events, is_right, count = match.events, True, count + 1
            continue
        if not is_right:
            continue
        if word == "ev":
            own = " ".join(map(str, events.pop(0))) if events else "nothing"
            is_right = own == rest
        elif word == "see":
            own = " ".join(map(str, seen(allegra, match, int(words[0]))))
            is_right = own == rest
        elif word == "do":
            seat, answer = int(words[0]), " ".join(words[2:])
            legal = match.legal(seat)
            own = f"{events} {legal}"
            is_right = not events and len(legal) == int(words[1]) and answer in legal
            events = match.apply(seat, answer)
        elif word == "end":
            own = " ".join(f"{points:.1f}" for points in match.points)
            is_right = not events and match.over and own == rest
        if not is_right:
            yield f"{line.strip()}, but here {own}"
    if count != MATCHES:
        yield f"only {count} matches"


def check_matches(allegra):
    with subprocess.Popen([os.path.join(BUILD, "tests", "match_events"), "0", str(MATCHES)], stdout=subprocess.PIPE,
                          text=True, env={**os.environ, "LD_PRELOAD": ""}) as program:
        yield from replay(allegra, program.stdout)
    if program.returncode != 0:
        yield f"match_events exits with {program.returncode}"


def check_copies(allegra):
    """A copy and its original go on by themselves, with the same cards; a refused answer changes nothing."""
    dice = random.Random(5)
    match = allegra.Match("en2020", seats=3, seed=9)
    while match.question != "move":
        for seat in match.asked:
            match.apply(seat, dice.choice(match.legal(seat)))
    before, seat = match.position(), match.asked[0]
    for wrong in ("keep F9", "pile", ""):
        try:
            match.apply(seat, wrong)
            yield f"`{wrong}` is accepted"
        except allegra.IllegalAnswer:
            pass
    other = match.copy()
    other.play_out()
    if match.position() != before or not other.over or match.over:
        yield "a copy changes its original"
    again = match.copy()
    again.play_out()
    if again.points != other.points:
        yield "two copies get other cards"
    if allegra.Match.from_position(before).position() != before:
        yield "a position is not the same when it is read"
    for wrong in (lambda: allegra.Rules("xx"), lambda: allegra.Rules("en2020", knock="maybe"),
                  lambda: allegra.serve(lambda table: table.legal[0], "my name"),
                  lambda: allegra.Match(seats=7), lambda: allegra.Match.from_position("seats=2")):
        try:
            wrong()
            yield "a mistake is accepted"
        except ValueError:
            pass


def flags_of(allegra, ground):
    """Which actions are legal, for each table."""
    flags = bytes(ground.legal)
    return [flags[i:i + allegra.ACTIONS] for i in range(0, len(flags), allegra.ACTIONS)]


def check_playground(allegra):
    """Flags of legal actions are right, whoever chooses; the same seed gives the same results."""
    for seats, rules in ((2, "de2026"), (4, "en2020"), (6, "nl2023")):
        totals = []
        for _ in range(2):
            dice, ground, ended = random.Random(3), allegra.Playground(32, seats, allegra.Rules(rules, rounds=1), 7), []
            for step in range(200):
                ground.look()
                flags = flags_of(allegra, ground)
                ground.step(bytes(dice.choice([a for a, flag in enumerate(legal) if flag]) for legal in flags))
                ended += ground.ended()
                if ground.refused():
                    yield f"{rules}: tables {ground.refused()} refuse a legal action in step {step}"
                    return
                if step == 0 and any(sum(legal) != 12 + 3 for legal in flags):
                    yield f"{rules}: not every cell can be turned up first"
            totals.append(ended)
        if totals[0] != totals[1] or (seats == 2 and not totals[0]):
            yield f"{rules}: other results with the same seed, or none"
        ground.look()
        ground.step(bytes(legal.index(0) for legal in flags_of(allegra, ground)))
        if len(ground.refused()) != ground.count:
            yield f"{rules}: illegal actions are accepted"


def check_policies(allegra):
    """Policies choose legal actions at every table, and stepping them is the same as playing whole matches."""
    dice = random.Random(1)
    for seats in (2, 3, 5):
        policies = [allegra.Policy([dice.gauss(0, 1) for _ in allegra.WEIGHTS]) for _ in range(seats - 1)] + [None]
        ground, points = allegra.Playground(20, seats, seed=4), {}
        while len(points) < ground.count:
            ctypes.memset(ground.actions, allegra.RANDOM, ground.count)
            ground.choose(policies)
            ground.step()
            if ground.refused():
                yield f"{seats} seats: a policy chooses what is illegal"
                return
            for table, totals in ground.ended():
                points.setdefault(table, totals)
        scores = allegra.play(policies, ground.count, seed=4)
        for seat, score in enumerate(scores):
            if abs(score.points - sum(totals[seat] for totals in points.values()) / ground.count) > 1e-6:
                yield f"{seats} seats: stepped and played matches differ"


def check_learning(folder):
    path = os.path.join(folder, "weights.json")
    done = subprocess.run([os.path.join(BOTS, "learn.py"), "--minutes", str(LEARN_MINUTES), path], capture_output=True,
                          text=True, timeout=SECONDS, check=False)
    wins = [float(line.split("the mean wins ")[1].split()[0]) for line in done.stdout.splitlines() if "mean" in line]
    if done.returncode != 0 or not wins or max(wins) < 0.7 or not os.path.exists(path):
        yield f"{wins}: {done.stderr}"


def check_manual(folder):
    """Its examples run as they are: two by themselves, and the last one is a bot."""
    with open(os.path.join(HERE, "..", "..", "referee", "manual", "python.md"), encoding="utf-8") as file:
        blocks = re.findall(r"(?m)(?:^ {4}.*\n|^\n(?= {4}))+", file.read())
    examples = [textwrap.dedent(block) for block in blocks if re.match(r"\s*(import|playground)\b", block)]
    if len(examples) != 3:
        yield f"there are {len(examples)} examples"
        return
    environment = {**os.environ, "PYTHONPATH": BOTS}
    for example in examples[:-1]:
        done = subprocess.run([sys.executable, "-c", "import allegra\n" + example], capture_output=True, text=True,
                              env=environment, timeout=SECONDS, check=False)
        if done.returncode != 0:
            yield done.stderr
    path = os.path.join(folder, "bot.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(examples[-1])
    done = subprocess.run([REFEREE, "play", "--rounds", "1", "--move-ms", "60000", "--start-ms", "60000",
                           f"{sys.executable} {path}", os.path.join(BUILD, "bots", "greedy")], capture_output=True,
                          text=True, env=environment, timeout=SECONDS, check=False)
    if done.returncode != 0:
        yield f"{done.stdout}{done.stderr}"


def check_bot():
    """The learned bot makes no mistake in any edition and at any table size."""
    bot, greedy = os.path.join(BOTS, "learned.py"), os.path.join(BUILD, "bots", "greedy")
    for number, edition in enumerate(("de2026", "en2020", "nl2023", "fr2020", "es2020")):
        done = subprocess.run([REFEREE, "play", "--quiet", "--edition", edition, "--set", "rounds=1", "--seed", "3",
                               "--set", "knock_rounds=2", "--move-ms", "60000", "--start-ms", "60000",
                               "--seats", str(number + 2), "--matches", "2", bot, greedy], capture_output=True, text=True,
                              timeout=SECONDS, check=False)
        if done.returncode != 0:
            yield f"{edition}: {done.stdout}{done.stderr}"


def main():
    prepare()
    import allegra  # pylint: disable=import-outside-toplevel

    report(f"the Python module plays {MATCHES} matches like the library in C, event by event", check_matches(allegra))
    report("copies are independent, and mistakes change nothing", check_copies(allegra))
    report("the playground knows what is legal at every table", check_playground(allegra))
    report("policies choose legal actions, the same in both ways to play them", check_policies(allegra))
    with tempfile.TemporaryDirectory() as folder:
        report("a policy learns by playing against itself", check_learning(folder))
        report("the examples of its manual run", check_manual(folder))
    report("the learned bot plays over the protocol without a mistake", check_bot())


if __name__ == "__main__":
    main()
