#!/usr/bin/env python3
"""A bot for ALLEGRA that keeps low cards and collects triples.

The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell us
something; a line that begins with `ask` needs an answer. To make a better player, change `worth`.
"""

import sys

COLUMNS = "ABCDE"
ALL_DOWN = "?,?,?,?,?/?,?,?,?,?/?,?,?,?,?"
UNSEEN = 5  # about the mean of all cards
BARGAIN = 4  # the top of the discard pile must save us this much


def pairs(words):
    """Reads ["a=1", "b=2"] as a dictionary."""
    return dict(word.partition("=")[::2] for word in words)


def points(face):
    """What a cell counts: an unseen card as much as the mean, a gap nothing."""
    if face in (".", "_"):
        return 0
    return UNSEEN if face == "?" else int(face)


class Display(dict):
    """The fifteen cells of a seat: from "A1" to what is there, "7", "?", "." or "_"."""

    @classmethod
    def parse(cls, text):
        return cls(
            (column + str(number), face)
            for number, row in enumerate(text.split("/"), start=1)
            for column, face in zip(COLUMNS, row.split(","))
        )

    def total(self):
        return sum(points(face) for face in self.values())

    def threes(self, cell):
        """The threes that a cell is part of, in its column and its row; gaps are left out."""
        column, row = cell
        for line in ([column + number for number in "123"], [letter + row for letter in COLUMNS]):
            cells = [other for other in line if self[other] != "."]
            for start in range(len(cells) - 2):
                if cell in cells[start : start + 3]:
                    yield cells[start : start + 3]

    def matches(self, card, cell):
        """How many equal cards it would meet there: 2 make a triple."""
        return max(
            (sum(self[other] == str(card) for other in three if other != cell)
             for three in self.threes(cell)),
            default=0,
        )

    def gain(self, card, cell):
        """The points that we save by putting a card into a cell. A pair may become a triple."""
        bonus = {0: 0, 1: card / 2, 2: 3 * card}[self.matches(card, cell)]
        return points(self[cell]) - card + bonus

    def best_gain(self, card):
        return max((self.gain(card, cell) for cell in self if self[cell] not in "._"), default=0)


class Table:
    """What the referee has told us about this match."""

    def __init__(self, seats=2, seat=0):
        self.seat = seat
        self.facts = {}  # from the `table` line: round, turn, draw, discard, top, trigger, ...
        self.displays = [Display.parse(ALL_DOWN) for _ in range(seats)]
        self.legal = []  # the legal answers to the next question

    def hear(self, word, rest):
        """Takes a line that needs no answer. We ignore what we do not know."""
        if word == "table":
            self.facts = pairs(rest.split())
        elif word == "display":
            seat, rows = rest.split()[:2]
            self.displays[int(seat)] = Display.parse(rows)
        elif word == "legal":
            self.legal = rest.split("|")

    @property
    def own(self):
        return self.displays[self.seat]

    def ends_badly(self, cell, gain):
        """Would a card on that cell end the round for us, while somebody else has fewer points?"""
        down = [other for other in self.own if self.own[other] == "?"]
        others = (display.total() for seat, display in enumerate(self.displays) if seat != self.seat)
        return down == [cell] and self.own.total() - gain >= min(others)


def worth(table, asked, answer):
    """How good an answer is, in points. `asked` holds details such as the drawn card."""
    own = table.own
    verb, *where = answer.split()
    cell = where[0][-2:] if where else None

    if verb == "discard":
        return own.best_gain(int(table.facts["top"]))
    if verb == "pile":
        return BARGAIN
    if verb in ("keep", "place", "put"):
        gain = own.gain(int(asked.get("drawn") or asked["taken"]), cell)
        return gain - 20 if table.ends_badly(cell, gain) else gain
    if verb == "drop":
        return -20 if table.ends_badly(cell, 0) else 0
    if verb == "knock":
        # Whoever accepts takes our best card, so this one must make a triple.
        card = int(asked["drawn"])
        makes_triple = cell is not None and own.matches(card, cell) == 2
        return 2 * card + min(map(points, own.values())) - 3 if makes_triple else -1
    if verb == "decline":
        return max(own.best_gain(int(asked["drawn"])), 0) + 3
    if verb == "accept":
        knocker = table.displays[int(where[0])].values()
        return max((own.best_gain(points(face)) for face in knocker if face not in "._"), default=0)
    if verb == "again":
        return -1
    if verb == "take":
        return own.best_gain(points(table.displays[int(asked["knocker"])][cell]))
    if verb == "clear":
        return points(own[cell])
    return 0  # turn any card, pass, toss, none


def choose(table, asked):
    """Chooses the legal answer with the best score."""
    return max(table.legal, key=lambda answer: worth(table, asked, answer), default="pass")


def main():
    table = Table()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "allegra":
            print("hello python legal=on events=off reuse=on", flush=True)
        elif word == "ask":
            number, _question, _limit_ms, *asked = rest.split()
            print(number, choose(table, pairs(asked)), flush=True)
            table.legal = []
        elif word == "match":
            facts = pairs(rest.split())
            table = Table(int(facts["seats"]), int(facts["seat"]))
        elif word == "bye":
            break
        else:
            table.hear(word, rest)


if __name__ == "__main__":
    main()
