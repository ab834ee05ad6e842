"""The rules of the card game ALLEGRA, for bots in Python: liballegra through ctypes, without compiling anything.

    import allegra, random

    match = allegra.Match("en2020", seats=4, seed=2020)
    while not match.over:
        for seat in match.asked:
            match.apply(seat, random.choice(match.legal(seat)))
    print(match.points, match.winners)

A `Match` is a whole table, for searching and simulating. A `Playground` has many tables and steps all of them in one
call, for learning. A `Policy` has weights that can be learned; `play` lets policies play whole matches. `serve` speaks
the protocol, so that a function that chooses becomes a bot.

The library is the one that $ALLEGRA_LIBRARY names, that of the build folder next to this file, or the installed one.
Everything here is one thread's own: matches share nothing.
"""

from .bot import Listener, serve
from .match import Event, IllegalAnswer, Match, Rules
from .native import (ACTIONS, CARD_MIN, CARD_VALUES, CELL_NAMES, CELLS, DOWN, EDITIONS, GAP, HOLE, INPUTS, NO_CARD,
                     NO_SEAT, QUESTIONS, RANDOM, SEATS_MAX, UNKNOWN, WEIGHTS, View)
from .playground import Playground, Policy, Score, play

__all__ = [
    "ACTIONS", "CARD_MIN", "CARD_VALUES", "CELL_NAMES", "CELLS", "DOWN", "EDITIONS", "Event", "GAP", "HOLE", "INPUTS",
    "IllegalAnswer", "Listener", "Match", "NO_CARD", "NO_SEAT", "Playground", "Policy", "QUESTIONS", "RANDOM", "Rules",
    "SEATS_MAX", "Score", "UNKNOWN", "View", "WEIGHTS", "play", "serve",
]
