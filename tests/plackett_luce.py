#!/usr/bin/env python3
"""Computes Plackett-Luce ratings independently of the referee, with another method.

Reads tournaments from stdin and prints the rating of each bot:

    field 3                  the number of bots
    match 7 0:1 2:2 1:2      block, then BOT:PLACE per seat
    end

    bot 0 173.717792761 body     or `unbeaten`; `bot 1 nan body` for a bot without a match

For shared places it takes the mean of the log likelihoods over all orders of the bots that share
one. It finds the maximum by Newton's method with the full matrix of second derivatives and Gaussian
elimination.
"""

import itertools
import math
import sys


def orders(match):
    """Yields every strict order that fits the places."""
    places = sorted({place for _, place in match})
    groups = [[bot for bot, place in match if place == wanted] for wanted in places]
    for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [bot for part in parts for bot in part]


def derivatives(strengths, chains, ghosts):
    """Gradient and negated second derivatives of the log likelihood."""
    count = len(strengths)
    gradient = [0.0] * count
    matrix = [[0.0] * count for _ in range(count)]
    for chain, weight in chains:
        for first in range(len(chain) - 1):
            left = chain[first:]
            total = sum(math.exp(strengths[bot]) for bot in left)
            odds = {bot: math.exp(strengths[bot]) / total for bot in left}
            gradient[chain[first]] += weight
            for a in left:
                gradient[a] -= weight * odds[a]
                matrix[a][a] += weight * odds[a]
                for b in left:
                    matrix[a][b] -= weight * odds[a] * odds[b]
    for bot in ghosts:
        odds = 1 / (1 + math.exp(-strengths[bot]))
        gradient[bot] += 0.5 - odds
        matrix[bot][bot] += odds * (1 - odds)
    return gradient, matrix


def solve(matrix, right):
    """Gaussian elimination with the largest pivot."""
    count = len(right)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for column in range(count):
        pivot = max(range(column, count), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, count):
            factor = rows[row][column] / rows[column][column]
            for k in range(column, count + 1):
                rows[row][k] -= factor * rows[column][k]
    result = [0.0] * count
    for row in reversed(range(count)):
        rest = sum(rows[row][k] * result[k] for k in range(row + 1, count))
        result[row] = (rows[row][count] - rest) / rows[row][row]
    return result


def likelihood(strengths, chains, ghosts):
    value = 0.0
    for chain, weight in chains:
        for first in range(len(chain) - 1):
            total = sum(math.exp(strengths[bot]) for bot in chain[first:])
            value += weight * (strengths[chain[first]] - math.log(total))
    for bot in ghosts:
        value += 0.5 * strengths[bot] - math.log(1 + math.exp(strengths[bot]))
    return value


def maximise(count, chains, ghosts):
    strengths = [0.0] * count
    for _ in range(200):
        gradient, matrix = derivatives(strengths, chains, ghosts)
        if not ghosts:  # fixes the common shift, which is free
            for a in range(count):
                for b in range(count):
                    matrix[a][b] += 1.0 / count
        step = solve(matrix, gradient)
        length = 1.0
        before = likelihood(strengths, chains, ghosts)
        while length > 1e-6:
            tried = [s + length * d for s, d in zip(strengths, step)]
            if likelihood(tried, chains, ghosts) >= before - 1e-12 * abs(before):
                break
            length /= 2
        strengths = tried
        if max(abs(d) for d in step) < 1e-12:
            break
    return strengths


def reach(edges, start):
    seen, todo = {start}, [start]
    while todo:
        for other in edges[todo.pop()]:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def split(count, matches):
    """Yields the groups of bots that are connected by matches, each with its tiers."""
    beats = [set() for _ in range(count)]
    met = [set() for _ in range(count)]
    for match in matches:
        for (a, a_place), (b, b_place) in itertools.permutations(match, 2):
            met[a].add(b)
            if a_place <= b_place:
                beats[a].add(b)
    reached = [reach(beats, bot) for bot in range(count)]
    left = set(bot for bot in range(count) if met[bot])
    while left:
        part = sorted(reach(met, min(left)))
        left -= set(part)
        tiers = {frozenset(b for b in part if b in reached[a] and a in reached[b]) for a in part}
        yield part, sorted(tiers, key=len, reverse=True)


def rate(count, matches):
    """Returns a list of (points, is_unbeaten), by bot."""
    result = [(math.nan, False)] * count
    for part, tiers in split(count, matches):
        index = {bot: i for i, bot in enumerate(part)}
        chains = []
        for match in matches:
            if match[0][0] in index:
                possible = list(orders(match))
                chains += [([index[bot] for bot in order], 1 / len(possible)) for order in possible]
        ghosts = range(len(part)) if len(tiers) > 1 else []
        strengths = maximise(len(part), chains, ghosts)
        body = set(part)
        if len(tiers) > 1:
            body = set(tiers[0]) if len(tiers[0]) > len(tiers[1]) else set()
        centre = [strengths[index[bot]] for bot in body or part]
        mean = sum(centre) / len(centre)
        for bot in part:
            points = 400 / math.log(10) * (strengths[index[bot]] - mean)
            result[bot] = (points, bot not in body)
    return result


def main():
    count, matches = 0, []
    for line in sys.stdin:
        words = line.split()
        if words[0] == "field":
            count, matches = int(words[1]), []
        elif words[0] == "match":
            seats = (word.split(":") for word in words[2:])
            matches.append([(int(bot), int(place)) for bot, place in seats])
        elif words[0] == "end":
            for bot, (points, is_unbeaten) in enumerate(rate(count, matches)):
                print(f"bot {bot} {points:.9f} {'unbeaten' if is_unbeaten else 'body'}")


if __name__ == "__main__":
    main()
