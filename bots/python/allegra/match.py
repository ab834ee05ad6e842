"""Rules, and whole matches."""

from __future__ import annotations

import ctypes as c
from typing import List, NamedTuple, Optional, Tuple, Union

from .native import (EVENT_NAMES, QUESTIONS, REFUSALS, AnswerStruct, DiceStruct, EventsStruct, LegalStruct, RulesStruct,
                     TableStruct, UnseenArray, View, library)


class IllegalAnswer(ValueError):
    """The rules do not allow the answer; the match is unchanged."""


class Rules:
    """The rules of an edition or bundled variant, with changes: Rules("en2020", knock_rounds=2)."""

    def __init__(self, edition: str = "de2026", **keys: Union[str, int]):
        self._rules = RulesStruct()
        problem = c.create_string_buffer(200)
        if library.allegra_rules_read_edition(self._rules, edition.encode(), problem, 200) != 0:
            raise ValueError(problem.value.decode())
        for key, value in keys.items():
            if library.allegra_rules_set(self._rules, key.encode(), str(value).encode(), problem, 200) != 0:
                raise ValueError(problem.value.decode())

    def check(self, seats: int) -> None:
        problem = c.create_string_buffer(200)
        if library.allegra_rules_check(self._rules, seats, problem, 200) != 0:
            raise ValueError(problem.value.decode())


def rules_of(rules: Union[str, Rules, None], seats: int) -> Rules:
    rules = rules if isinstance(rules, Rules) else Rules(rules or "de2026")
    rules.check(seats)
    return rules


class Event(NamedTuple):
    """What happened, with the members of struct allegra_event; `kind` is its keyword in the protocol."""

    kind: str
    seat: int
    other: int
    cell: int
    card: int
    old: int
    seen_by: int
    cells: int
    number: int
    score_halves: int
    total_halves: int


def event_list(events: EventsStruct) -> List[Event]:
    return [Event(EVENT_NAMES[e.kind], e.seat, e.other, e.cell, e.card, e.old, e.seen_by, e.cells, e.number,
                  e.score_halves, e.total_halves) for e in events.list[:events.count]]


def read_answer(text: str) -> AnswerStruct:
    answer = AnswerStruct()
    if library.allegra_answer_read(text.encode(), answer) != 0:
        raise IllegalAnswer(f"`{text}` is not an answer")
    return answer


def write_answer(answer: AnswerStruct) -> str:
    buffer = c.create_string_buffer(16)
    library.allegra_answer_write(answer, buffer, 16)
    return buffer.value.decode()


class Match:
    """A whole match, hidden cards included. Answers are texts as in the protocol: "keep B3", "clear A1 C1 E1"."""

    def __init__(self, rules: Union[str, Rules, None] = None, seats: int = 2, seed: int = 0, dealer: int = 0):
        self._table, self._events, self._dice = TableStruct(), EventsStruct(), DiceStruct(seed & (2**64 - 1))
        self._shuffler = library.allegra_simulate_shuffler(self._dice)
        made = rules_of(rules, seats)
        if library.allegra_table_start(self._table, made._rules, seats, dealer, self._shuffler, self._events) != 0:
            raise ValueError(f"there is no seat {dealer} to deal")

    @classmethod
    def from_position(cls, text: str, seed: int = 0) -> "Match":
        """A match from the text of a position, as `referee replay --at` prints it."""
        match = cls(seed=seed)
        problem = c.create_string_buffer(200)
        if library.allegra_position_read(text.encode(), match._table, problem, 200) != 0:
            raise ValueError(problem.value.decode())
        match._events.count = 0
        return match

    def copy(self, seed: Optional[int] = None) -> "Match":
        """A match that goes on by itself: with the same cards to come, or with a seed, with other reshuffles."""
        other = Match.__new__(Match)
        other._table = TableStruct.from_buffer_copy(self._table)
        other._events = EventsStruct.from_buffer_copy(self._events)
        other._dice = DiceStruct(self._dice.state if seed is None else seed & (2**64 - 1))
        other._shuffler = library.allegra_simulate_shuffler(other._dice)
        return other

    @property
    def over(self) -> bool:
        return self._table.question == 0

    @property
    def seats(self) -> int:
        return self._table.seats

    @property
    def question(self) -> Optional[str]:
        """What is asked now: "reveal", "draw" and so on; None when the match is over."""
        return QUESTIONS[self._table.question]

    @property
    def asked(self) -> List[int]:
        """The seats that have to answer it. Only a bid is asked of several."""
        return [seat for seat in range(self.seats) if self._table.asked >> seat & 1]

    @property
    def points(self) -> Tuple[float, ...]:
        """The totals so far; fewer are better."""
        return tuple(halves / 2 for halves in self._table.total_halves[:self.seats])

    @property
    def winners(self) -> List[int]:
        mask = library.allegra_table_winners(self._table)
        return [seat for seat in range(self.seats) if mask >> seat & 1]

    @property
    def events(self) -> List[Event]:
        """What the start or the last answer caused."""
        return event_list(self._events)

    def events_for(self, seat: int) -> List[Event]:
        """The same, as a seat may know it."""
        hidden = EventsStruct(count=self._events.count)
        for i in range(self._events.count):
            hidden.list[i] = library.allegra_event_hide(self._events.list[i], seat)
        return event_list(hidden)

    def _legal(self, seat: int) -> LegalStruct:
        legal = LegalStruct()
        library.allegra_legal_list(self._table, seat, legal)
        return legal

    def legal(self, seat: int) -> List[str]:
        """What a seat may answer; nothing if it is not asked."""
        legal = self._legal(seat)
        return [write_answer(answer) for answer in legal.list[:legal.count]]

    def apply(self, seat: int, answer: str) -> List[Event]:
        """Takes an answer and goes on to the next question. Returns what happened."""
        refusal = library.allegra_table_apply(self._table, seat, read_answer(answer), self._shuffler, self._events)
        if refusal != 0:
            raise IllegalAnswer(f"`{answer}` of seat {seat}: {REFUSALS[refusal]}")
        return self.events

    def view(self, seat: int) -> View:
        """The table as a seat sees it: nothing hidden is in it."""
        return library.allegra_view_of(self._table, seat)

    def unseen(self, seat: int) -> List[int]:
        """How many cards of each value, -1 to 11, a seat cannot see."""
        counts = UnseenArray()
        library.allegra_table_unseen(self._table, seat, counts)
        return list(counts)

    def position(self) -> str:
        """The table as text, which `referee ask` and from_position() read."""
        buffer = c.create_string_buffer(4096)
        library.allegra_position_write(self._table, buffer, 4096)
        return buffer.value.decode()

    def play_out(self) -> None:
        """Plays to the end with random answers."""
        library.allegra_simulate_play_out(self._table, self._dice)
