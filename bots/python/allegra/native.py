"""liballegra through ctypes: constants, structs and functions of allegra.h, member by member. The other files of this
package make it comfortable."""

from __future__ import annotations

import ctypes as c
import os
from typing import Iterator

SEATS_MAX, CELLS, CARD_VALUES, CARD_MIN = 6, 15, 13, -1
NO_CARD, NO_SEAT = 100, 255
DOWN, GAP, HOLE, UNKNOWN = 101, 102, 103, 104  # faces that are not cards
ACTIONS, INPUTS, RANDOM = 154, SEATS_MAX * CELLS + 13, 255
EDITIONS = ("de2026", "en2020", "nl2023", "fr2020", "es2020")
QUESTIONS = (None, "reveal", "draw", "knock", "answer", "move", "place", "take", "put", "clear")
CELL_NAMES = tuple(column + row for row in "123" for column in "ABCDE")
WEIGHTS = ("down", "down_turns", "high", "pair", "pair_down", "pair_up", "end_move", "end_sure", "end_fail", "end_win",
           "tempo", "tempo_lead", "last_but_one", "last_but_one_lead", "neighbour", "shared_turn", "left", "left_usual",
           "left_unseen", "discard", "knock", "accept")


def _bytes(*names):
    return [(name, c.c_uint8) for name in names]


class RulesStruct(c.Structure):
    _fields_ = [("edition", c.c_uint8), ("deck", c.c_uint8 * CARD_VALUES)] + _bytes(
        "starter", "deal_shared", "row_match", "clear_row", "clear_column", "clear_chain", "standing",
        "discard_return", "reshuffle", "knock", "knock_rounds", "knock_offers", "knock_hand", "knock_clear1",
        "knock_clear_scope", "knock_complete", "knock_active_swap", "knock_active_clear", "knock_toss", "knock_clear2",
        "trigger", "failed_negative", "rounds", "talk") + [("turn_limit", c.c_uint16), ("score_limit", c.c_uint16)]


class AnswerStruct(c.Structure):
    _fields_ = [("verb", c.c_uint8), ("seat", c.c_uint8), ("cells", c.c_uint16)]


class LegalStruct(c.Structure):
    _fields_ = [("count", c.c_uint), ("list", AnswerStruct * 44)]


class EventStruct(c.Structure):
    _fields_ = _bytes("kind", "seat", "other", "cell") + [
        ("card", c.c_int8), ("old", c.c_int8), ("seen_by", c.c_uint8), ("cells", c.c_uint16), ("number", c.c_int32),
        ("score_halves", c.c_int32), ("total_halves", c.c_int32)]


class EventsStruct(c.Structure):
    _fields_ = [("count", c.c_uint), ("list", EventStruct * 128)]


class TableStruct(c.Structure):
    _fields_ = [("rules", RulesStruct), ("codes", c.c_uint64 * SEATS_MAX), ("total_halves", c.c_int32 * SEATS_MAX),
                ("present", c.c_uint16 * SEATS_MAX), ("down", c.c_uint16 * SEATS_MAX), ("pile", c.c_int8 * 200)] + _bytes(
        "draw_count", "discard_count", "seats", "dealer", "round", "reveals_left") + [
        ("turn", c.c_uint16), ("reshuffles", c.c_uint16)] + _bytes(
        "trigger", "final_left", "final_moved", "active", "question", "asked", "completed", "first_completed") + [
        ("drawn", c.c_int8), ("is_from_discard", c.c_bool)] + _bytes("bid_round", "bidders", "knockers") + [
        ("offer", c.c_uint16 * SEATS_MAX), ("knocker", c.c_uint8), ("hole", c.c_uint8), ("placed", c.c_uint16),
        ("hand", c.c_int8), ("is_hand_private", c.c_bool), ("taken", c.c_int8), ("aside", c.c_int8),
        ("clear_step", c.c_uint8), ("clear_start", c.c_uint16)]


class View(c.Structure):
    """The table as one seat sees it, with the members of struct allegra_view. `face[seat][cell]` is a card, -1 to 11,
    or DOWN, GAP or HOLE; cells are numbered A1 to E1, A2 to E3."""

    _fields_ = [("rules", RulesStruct), ("total_halves", c.c_int32 * SEATS_MAX), ("face", (c.c_int8 * CELLS) * SEATS_MAX),
                ("discard_top", c.c_int8)] + _bytes(
        "draw_count", "discard_count", "me", "seats", "dealer", "round", "active") + [
        ("turn", c.c_uint16), ("is_final", c.c_bool)] + _bytes("trigger", "final_left", "final_moved", "question") + [
        ("drawn", c.c_int8), ("is_from_discard", c.c_bool)] + _bytes("bid_round", "bidders", "knockers") + [
        ("offer", c.c_uint16 * SEATS_MAX), ("knocker", c.c_uint8), ("placed", c.c_uint16), ("hand", c.c_int8),
        ("taken", c.c_int8), ("aside", c.c_int8), ("clear_step", c.c_uint8), ("clear_start", c.c_uint16),
        ("first_completed", c.c_uint8)]


class DiceStruct(c.Structure):
    _fields_ = [("state", c.c_uint64)]


class ShufflerStruct(c.Structure):
    _fields_ = [("shuffle", c.c_void_p), ("context", c.c_void_p)]


class WeightsStruct(c.Structure):
    _fields_ = [("weights", c.c_float * len(WEIGHTS))]


class BatchTableStruct(c.Structure):
    _fields_ = [("table", TableStruct), ("cards", DiceStruct), ("choices", DiceStruct), ("match", c.c_uint64)]


class BatchStruct(c.Structure):
    _fields_ = [("rules", RulesStruct), ("tables", c.POINTER(BatchTableStruct)), ("seed", c.c_uint64),
                ("count", c.c_uint32), ("seats", c.c_uint32)]


class ResultStruct(c.Structure):
    _fields_ = _bytes("refusal", "is_over", "winners") + [("total_halves", c.c_int32 * SEATS_MAX)]


class ScoreStruct(c.Structure):
    _fields_ = [("points", c.c_double), ("win_share", c.c_double)]


UnseenArray = c.c_uint8 * CARD_VALUES
PoliciesArray = c.POINTER(WeightsStruct) * SEATS_MAX

P = c.POINTER

# Name, what it returns, what it takes.
_FUNCTIONS = [
    ("allegra_rules_read_edition", c.c_int, [P(RulesStruct), c.c_char_p, c.c_char_p, c.c_size_t]),
    ("allegra_rules_set", c.c_int, [P(RulesStruct), c.c_char_p, c.c_char_p, c.c_char_p, c.c_size_t]),
    ("allegra_rules_check", c.c_int, [P(RulesStruct), c.c_uint, c.c_char_p, c.c_size_t]),
    ("allegra_rules_cards_of", c.c_uint, [P(RulesStruct), c.c_uint, c.c_int]),
    ("allegra_simulate_shuffler", ShufflerStruct, [P(DiceStruct)]),
    ("allegra_table_start", c.c_int, [P(TableStruct), P(RulesStruct), c.c_uint, c.c_uint, P(ShufflerStruct),
     P(EventsStruct)]),
    ("allegra_table_apply", c.c_int, [P(TableStruct), c.c_uint, AnswerStruct, P(ShufflerStruct), P(EventsStruct)]),
    ("allegra_table_winners", c.c_uint, [P(TableStruct)]),
    ("allegra_table_unseen", None, [P(TableStruct), c.c_uint, P(c.c_uint8)]),
    ("allegra_legal_list", None, [P(TableStruct), c.c_uint, P(LegalStruct)]),
    ("allegra_answer_read", c.c_int, [c.c_char_p, P(AnswerStruct)]),
    ("allegra_answer_write", c.c_size_t, [AnswerStruct, c.c_char_p, c.c_size_t]),
    ("allegra_refusal_text", c.c_char_p, [c.c_int]),
    ("allegra_event_name", c.c_char_p, [c.c_int]),
    ("allegra_event_hide", EventStruct, [EventStruct, c.c_uint]),
    ("allegra_view_of", View, [P(TableStruct), c.c_uint]),
    ("allegra_position_write", c.c_size_t, [P(TableStruct), c.c_char_p, c.c_size_t]),
    ("allegra_position_read", c.c_int, [c.c_char_p, P(TableStruct), c.c_char_p, c.c_size_t]),
    ("allegra_simulate_play_out", None, [P(TableStruct), P(DiceStruct)]),
    ("allegra_policy_choose", c.c_uint, [P(WeightsStruct), P(View), P(c.c_uint8), P(LegalStruct)]),
    ("allegra_batch_start", c.c_int, [P(BatchStruct), P(RulesStruct), c.c_uint, c.c_uint64, P(BatchTableStruct),
     c.c_uint]),
    ("allegra_batch_look", None, [P(BatchStruct), c.c_void_p, c.c_void_p, c.c_void_p]),
    ("allegra_batch_step", c.c_uint, [P(BatchStruct), c.c_void_p, c.c_void_p]),
    ("allegra_batch_choose", None, [P(BatchStruct), c.c_void_p, c.c_void_p]),
    ("allegra_batch_play", c.c_uint64, [P(RulesStruct), c.c_uint, c.c_uint64, c.c_uint64, c.c_uint64, c.c_void_p,
     P(ScoreStruct)]),
]


def _candidates() -> Iterator[str]:
    """Where the library may be, the most particular place first."""
    if os.environ.get("ALLEGRA_LIBRARY"):
        yield os.environ["ALLEGRA_LIBRARY"]
        return
    here = os.path.dirname(os.path.realpath(__file__))
    yield os.path.join(here, "..", "..", "..", "build", "lib", "liballegra.so.1")
    for up in (".", "..", "../..", "../../..", "../../../..", "../../../../.."):  # beside a bot, or in a PREFIX
        yield os.path.join(here, up, "lib", "liballegra.so.1")
        yield os.path.join(here, up, "liballegra.so.1")
    yield "liballegra.so.1"


def _load() -> c.CDLL:
    problem = ""
    for path in _candidates():
        if os.sep in path and not os.path.exists(path):
            continue
        try:
            loaded = c.CDLL(path)
            for name, result, arguments in _FUNCTIONS:
                function = getattr(loaded, name)
                function.restype, function.argtypes = result, arguments
            return loaded
        except (OSError, AttributeError) as error:
            problem = str(error)
    raise ImportError("liballegra is not there: run `make`, install it, or name it in $ALLEGRA_LIBRARY. " + problem)


library = _load()
REFUSALS = tuple(library.allegra_refusal_text(i).decode() for i in range(16))
EVENT_NAMES = tuple(library.allegra_event_name(i).decode() for i in range(26))
