#!/usr/bin/env python3
"""Measures random play of four seats by the rules of en2020 through the Python module, and the same in C.

The playground looks at all tables (what the asked seat sees, and all that is legal) and steps them, once per call for
1,024 tables. In C it is one call that plays whole matches: list the legal answers, choose, apply, which is what
`game.decisions_per_s` measures. Both are measured in turn, in CPU time, so that a busy machine does not change the ratio;
each result is the median of five. python.learned lets the bundled weights play against greedy, python.learning learns others
in half a minute of CPU each, and compares them with greedy.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
BOTS = os.path.join(HERE, "..", "..", "bots", "python")
RUNS, RUN_SECONDS, TABLES = 5, 1.0, 1024
MATCHES = 1000

os.environ["ALLEGRA_LIBRARY"] = os.path.join(BUILD, "lib", "liballegra.so.1")
sys.path.insert(0, BOTS)

import allegra  # noqa: E402
from allegra.native import PoliciesArray, ScoreStruct, library  # noqa: E402


def per_second(work):
    start, done = time.process_time(), 0
    while time.process_time() - start < RUN_SECONDS:
        done += work()
    return done / (time.process_time() - start)


def speeds():
    ground = allegra.Playground(TABLES, seats=4, rules="en2020")
    rules, scores, played = allegra.Rules("en2020"), (ScoreStruct * allegra.SEATS_MAX)(), [0]

    def in_python():
        ground.look()
        ground.step()
        return TABLES

    def in_c():
        played[0] += 100
        return library.allegra_batch_play(rules._rules, 4, 1, played[0], 100, PoliciesArray(), scores)

    pairs = [(per_second(in_c), per_second(in_python)) for _ in range(RUNS)]
    print(f"bench python.c_decisions_per_s {statistics.median(c for c, _ in pairs):.0f} /s")
    print(f"bench python.playground_decisions_per_s {statistics.median(p for _, p in pairs):.0f} /s")
    print(f"bench python.playground_ratio {statistics.median(p / c for c, p in pairs):.2f} of the speed in C", flush=True)


def strength(seats):
    """Win share of the learned bot against greedy in all other seats, over the protocol."""
    bots = [os.path.join(BOTS, "learned.py")] + [os.path.join(BUILD, "bots", "greedy")] * (seats - 1)
    done = subprocess.run([os.path.join(BUILD, "referee"), "play", "--quiet", "--matches", str(MATCHES), "--seed", "1",
                           "--move-ms", "60000", "--start-ms", "60000", *bots], capture_output=True, text=True,
                          check=True)
    share = float(re.search(r"(?m)^learned\S* +([\d.]+)%", done.stdout)[1]) / 100
    error = 1.96 * (share * (1 - share) / MATCHES) ** 0.5
    print(f"bench python.learned_vs_greedy_{seats} {share:.3f} win share ({share - error:.3f} to {share + error:.3f})",
          flush=True)


def learning(seed):
    """How many points per round fewer than greedy a bot loses that has learned for half a minute."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "learned.json")
        subprocess.run([os.path.join(BOTS, "learn.py"), "--seed", str(seed), "--minutes", "0.5", path], check=True,
                       stdout=subprocess.DEVNULL)
        done = subprocess.run([os.path.join(BUILD, "referee"), "compare", "--quiet", "--json", "--seed", "1", "--reuse",
                               "--least", "300", "--move-ms", "60000", "--start-ms", "60000",
                               f"{os.path.join(BOTS, 'learned.py')} {path}", os.path.join(BUILD, "bots", "greedy")],
                              capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    print(f"bench python.learning_{seed} {-found['difference']:.2f} points per round fewer than greedy "
          f"({-found['high']:.2f} to {-found['low']:.2f})", flush=True)


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    if "python.playground".startswith(only) or only.startswith(("python.playground", "python.c_")):
        speeds()
    for seats in (2, 4):
        name = f"python.learned_vs_greedy_{seats}"
        if name.startswith(only):
            strength(seats)
    for seed in (1, 2, 3):
        if f"python.learning_{seed}".startswith(only):
            learning(seed)


if __name__ == "__main__":
    main()
