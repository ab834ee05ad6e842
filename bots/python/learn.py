#!/usr/bin/env python3
"""Learns a bot by self-play, from nothing, in some minutes on one core; needs nothing but Python and liballegra.

usage: learn.py [--seats N] [--rules EDITION] [--minutes M] [--seed S] [OUTPUT.json]

The cross-entropy method: each generation draws candidates from a normal distribution over the weights, lets them play
the same deals against the mean and against earlier means, and moves the distribution to the candidates that won most.
The result is a file of weights; `learned.py OUTPUT.json` plays with it.
"""

import argparse
import math
import random
import statistics
import time

import allegra

CANDIDATES, ELITE = 32, 8
RIVALS = 4  # the mean, and earlier ones
DEALS = 12  # per rival and seat
KEPT = 0.3  # of the distribution, from one generation to the next
SPREAD_MIN = 0.03
COUNT = len(allegra.WEIGHTS)


def win_share(candidate, rivals, settings, generation):
    """How often a candidate wins from each seat, against each rival in all others. The deals are the generation's."""
    total = 0.0
    for number, rival in enumerate(rivals):
        first = (generation * RIVALS + number) * DEALS
        for seat in range(settings.seats):
            policies = [candidate if other == seat else rival for other in range(settings.seats)]
            total += allegra.play(policies, DEALS, settings.rules, settings.seed, first)[seat].win_share
    return total / (len(rivals) * settings.seats)


def move(mean, spread, best):
    """The distribution of the next generation."""
    for i in range(COUNT):
        values = [weights[i] for weights in best]
        mean[i] = KEPT * mean[i] + (1 - KEPT) * statistics.fmean(values)
        spread[i] = max(KEPT * spread[i] + (1 - KEPT) * statistics.pstdev(values), SPREAD_MIN)


def learn(settings, report=print):
    """The mean after all generations that the time allows, averaged over the second half: single ones are noisy."""
    dice, start, generation = random.Random(settings.seed), time.process_time(), 0
    mean, spread, past = [0.0] * COUNT, [1.0] * COUNT, []
    while time.process_time() - start < settings.minutes * 60:
        past.append(mean[:])
        rivals = [allegra.Policy(mean)] + [allegra.Policy(dice.choice(past)) for _ in range(RIVALS - 1)]
        drawn = [[dice.gauss(m, s) for m, s in zip(mean, spread)] for _ in range(CANDIDATES)]
        shares = [win_share(allegra.Policy(weights), rivals, settings, generation) for weights in drawn]
        order = sorted(range(CANDIDATES), key=lambda i: -shares[i])
        move(mean, spread, [drawn[i] for i in order[:ELITE]])
        generation += 1
        first = allegra.play([allegra.Policy(mean)] + [allegra.Policy(past[0])] * (settings.seats - 1), 200,
                             settings.rules, settings.seed + 1)[0]
        report(f"generation {generation}: the best wins {shares[order[0]]:.2f} against its elders; the mean wins "
               f"{first.win_share:.2f} against the first; {time.process_time() - start:.0f} s")
    late = (past + [mean])[math.ceil(len(past) / 2):]
    return allegra.Policy([statistics.fmean(values) for values in zip(*late)]), generation


def main():
    parser = argparse.ArgumentParser(description="Learns a bot by self-play.")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rules", default="de2026")
    parser.add_argument("--minutes", type=float, default=3.0, help="of CPU time (3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("output", nargs="?", default="learned.json")
    settings = parser.parse_args()
    policy, generations = learn(settings, lambda line: print(line, flush=True))
    policy.save(settings.output, seats=settings.seats, rules=settings.rules, generations=generations)
    print(f"learned.py {settings.output} plays with it")


if __name__ == "__main__":
    main()
