"""A bot that speaks the protocol: a listener follows the match, and a function chooses."""

from __future__ import annotations

import re
import sys
from typing import Callable, List

from .native import (CARD_MIN, CARD_VALUES, CELL_NAMES, DOWN, GAP, HOLE, NO_CARD, NO_SEAT, QUESTIONS, SEATS_MAX, UNKNOWN,
                     View, library)


def _number(text: str, otherwise: int) -> int:
    return int(text) if re.fullmatch(r"-?\d+", text) else otherwise


class Listener:
    """What a bot knows of its match from the referee's lines: `view`, `legal`, and the cards it cannot see."""

    def __init__(self) -> None:
        self.view, self.legal, self.discards = View(), [], []  # type: View, List[str], List[int]

    def hear(self, line: str) -> None:
        """Takes a line that is not a question. Lines that it does not know are ignored."""
        word, _, rest = line.partition(" ")
        method = getattr(self, "_hear_" + word, None)
        if method:
            method(rest.split(), rest)

    def ask(self, line: str) -> str:
        """Takes the rest of an `ask` line after its number; returns the question."""
        question, _, *details = line.split()
        facts = dict(word.partition("=")[::2] for word in details)
        view = self.view
        view.question = QUESTIONS.index(question) if question in QUESTIONS else 0
        view.drawn = _number(facts.get("drawn", "-"), NO_CARD)
        view.taken = _number(facts.get("taken", "-"), NO_CARD)
        view.hand = _number(facts.get("hand", "-"), view.hand)
        view.knocker = _number(facts.get("knocker", "-"), NO_SEAT)
        return question

    def unseen(self) -> List[int]:
        """How many cards of each value, -1 to 11, this seat cannot see."""
        view = self.view
        seen = [face for seat in range(view.seats) for cell, face in enumerate(view.face[seat]) if cell % 5 != 4]
        seen += self.discards + [view.drawn, view.hand, view.taken]
        counts = [library.allegra_rules_cards_of(view.rules, view.seats, i + CARD_MIN) for i in range(CARD_VALUES)]
        for card in seen:
            if CARD_MIN <= card < CARD_MIN + CARD_VALUES and counts[card - CARD_MIN] > 0:
                counts[card - CARD_MIN] -= 1
        return counts

    def _hear_match(self, words: List[str], _: str) -> None:
        facts = dict(word.partition("=")[::2] for word in words)
        self.__init__()  # type: ignore[misc]
        view = self.view
        view.seats, view.me = int(facts["seats"]), int(facts["seat"])
        library.allegra_rules_read_edition(view.rules, facts.get("edition", "de2026").encode(), None, 0)
        view.trigger = view.knocker = view.first_completed = NO_SEAT
        view.drawn = view.hand = view.taken = view.aside = view.discard_top = NO_CARD

    def _hear_rules(self, words: List[str], _: str) -> None:
        for word in words:
            key, _, value = word.partition("=")
            library.allegra_rules_set(self.view.rules, key.encode(), value.encode(), None, 0)

    def _hear_table(self, words: List[str], _: str) -> None:
        facts, view = dict(word.partition("=")[::2] for word in words), self.view
        view.round, view.turn = int(facts["round"]), int(facts["turn"])
        view.dealer, view.active = int(facts["dealer"]), int(facts["active"])
        view.draw_count, view.discard_count = int(facts["draw"]), int(facts["discard"])
        view.discard_top = _number(facts["top"], NO_CARD)
        view.trigger = _number(facts["trigger"], NO_SEAT)
        view.is_final = view.trigger != NO_SEAT

    def _hear_display(self, words: List[str], _: str) -> None:
        others = {".": GAP, "_": HOLE}
        faces = [others.get(word, _number(word, DOWN)) for word in re.split("[,/]", words[1])]
        self.view.face[int(words[0])][:] = faces

    def _hear_legal(self, _: List[str], rest: str) -> None:
        self.legal = rest.split("|")

    def _hear_round(self, words: List[str], _: str) -> None:
        self.discards = [int(words[2])]

    def _hear_turn(self, _: List[str], __: str) -> None:
        self.view.offer[:] = [0] * SEATS_MAX
        self.view.hand = NO_CARD

    def _hear_reshuffled(self, _: List[str], __: str) -> None:
        del self.discards[:-1]

    def _hear_drew(self, words: List[str], _: str) -> None:
        if words[0] == "discard" and self.discards:
            self.discards.pop()

    def _hear_knocked(self, words: List[str], _: str) -> None:
        if len(words) > 1:
            self.view.offer[int(words[0])] = 1 << CELL_NAMES.index(words[1].split(":")[1])

    def _hear_placed(self, words: List[str], _: str) -> None:
        self.view.hand = _number(words[2], UNKNOWN)

    def _hear_returned(self, _: List[str], __: str) -> None:
        self.view.hand = NO_CARD

    def _hear_discarded(self, words: List[str], _: str) -> None:
        self.discards.append(int(words[1]))

    _hear_dropped = _hear_tossed = _hear_discarded

    def _hear_cleared(self, words: List[str], _: str) -> None:
        self.discards += [int(words[3])] * 3


def serve(choose: Callable[[Listener], str], name: str = "python") -> None:
    """Plays as a bot over stdin and stdout: `choose` gets the listener and returns one of `listener.legal`."""
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,32}", name):
        raise ValueError(f"a name has 1 to 32 letters, digits, `.`, `-` and `_`, unlike {name!r}")
    listener = Listener()
    for line in sys.stdin:
        line = line.rstrip("\n")
        word, _, rest = line.partition(" ")
        if word == "allegra":
            print(f"hello {name} legal=on reuse=on", flush=True)
        elif word == "ask":
            number, _, question = rest.partition(" ")
            listener.ask(question)
            print(number, choose(listener), flush=True)
        elif word == "bye":
            return
        else:
            listener.hear(line)
