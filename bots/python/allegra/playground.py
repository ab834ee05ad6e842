"""Policies with weights that can be learned, and many tables at once."""

from __future__ import annotations

import ctypes as c
import json
from typing import Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .match import Rules, read_answer, rules_of
from .native import (ACTIONS, INPUTS, RANDOM, SEATS_MAX, WEIGHTS, BatchStruct, BatchTableStruct, LegalStruct,
                     PoliciesArray, ResultStruct, ScoreStruct, UnseenArray, View, WeightsStruct, library)


class Policy:
    """Costs every answer in points and chooses the cheapest. The weights are explained in liballegra(3)."""

    def __init__(self, weights: Union[Sequence[float], Mapping[str, float], None] = None):
        if isinstance(weights, Mapping):
            weights = [weights.get(name, 0.0) for name in WEIGHTS]
        self._policy = WeightsStruct()
        self._policy.weights[:] = list(weights or [0.0] * len(WEIGHTS))

    @property
    def weights(self) -> List[float]:
        return list(self._policy.weights)

    @classmethod
    def load(cls, path: str) -> "Policy":
        with open(path, encoding="utf-8") as file:
            return cls(json.load(file)["weights"])

    def save(self, path: str, **facts: object) -> None:
        named = {name: round(weight, 5) for name, weight in zip(WEIGHTS, self.weights)}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**facts, "weights": named}, file, indent=4)
            file.write("\n")

    def choose(self, view: View, unseen: Sequence[int], legal: Sequence[str]) -> str:
        """The answer for the seat `view.me`, of those in `legal`."""
        answers = LegalStruct(count=len(legal))
        for i, text in enumerate(legal):
            answers.list[i] = read_answer(text)
        return legal[library.allegra_policy_choose(self._policy, view, UnseenArray(*unseen), answers)]


class Score(NamedTuple):
    """What a seat got, per match."""

    points: float
    win_share: float


def policy_array(policies: Sequence[Optional[Policy]]):
    return PoliciesArray(*[c.pointer(policy._policy) if policy else None for policy in policies])


def play(policies: Sequence[Optional[Policy]], matches: int, rules: Union[str, Rules, None] = None, seed: int = 0,
         first: int = 0) -> List[Score]:
    """Plays the matches `first`, first + 1 and so on of a seed to their end, at C speed: one policy per seat, None plays
    at random. The same numbers have the same cards, whoever plays."""
    seats, scores = len(policies), (ScoreStruct * SEATS_MAX)()
    library.allegra_batch_play(rules_of(rules, seats)._rules, seats, seed, first, matches, policy_array(policies),
                                scores)
    return [Score(score.points / matches, score.win_share / matches) for score in scores[:seats]]


class Playground:
    """N tables that are stepped together. After look(), `inputs` has INPUTS numbers per table (what the asked seat sees),
    `legal` ACTIONS flags, and `asked` the seat; allegra.h says what they mean. They are buffers of bytes that stay where
    they are: numpy.frombuffer(playground.inputs, numpy.int8).reshape(N, INPUTS) costs nothing.

        playground = allegra.Playground(1024, seats=2)
        while True:
            playground.look()
            ended = playground.step(choose(playground))     # N bytes: an action per table, or RANDOM
    """

    def __init__(self, tables: int = 1024, seats: int = 2, rules: Union[str, Rules, None] = None, seed: int = 0):
        self.count, self.seats = tables, seats
        self._tables, self._batch = (BatchTableStruct * tables)(), BatchStruct()
        self.inputs = (c.c_int8 * (tables * INPUTS))()
        self.legal = (c.c_uint8 * (tables * ACTIONS))()
        self.asked = (c.c_uint8 * tables)()
        self.actions = (c.c_uint8 * tables)(*[RANDOM] * tables)
        self.results = (ResultStruct * tables)()
        made = rules_of(rules, seats)
        if library.allegra_batch_start(self._batch, made._rules, seats, seed, self._tables, tables) != 0:
            raise ValueError("no tables")

    def look(self) -> None:
        """Fills in `inputs`, `legal` and `asked`."""
        library.allegra_batch_look(self._batch, self.inputs, self.legal, self.asked)

    def step(self, actions: Optional[bytes] = None) -> int:
        """Takes an action per table (or `self.actions`) and starts new matches where one ended. Returns how many did."""
        if actions is not None:
            if len(actions) != self.count:
                raise ValueError(f"{self.count} tables need as many actions, not {len(actions)}")
            c.memmove(self.actions, bytes(actions), self.count)
        return library.allegra_batch_step(self._batch, self.actions, self.results)

    def choose(self, policies: Sequence[Optional[Policy]]) -> None:
        """Lets a policy per seat choose `actions`; where it is None, they stay as they are."""
        library.allegra_batch_choose(self._batch, policy_array(policies), self.actions)

    def ended(self) -> Iterator[Tuple[int, Tuple[float, ...]]]:
        """After a step: the tables at which a match ended, and the points of its seats."""
        for i, result in enumerate(self.results):
            if result.is_over:
                yield i, tuple(halves / 2 for halves in result.total_halves[:self.seats])

    def refused(self) -> List[int]:
        """After a step: the tables whose action was illegal, so that nothing happened there."""
        return [i for i, result in enumerate(self.results) if result.refusal]
