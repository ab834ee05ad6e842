#!/usr/bin/env python3
"""Verifies logs independently of the referee, written from protocol.md alone.

Deals again from the revealed seed and follows the events card by card. Checks the commitment, the
deal, reshuffles, every card that is turned up, both piles, scores, totals, places, times, texts and
the hash of the file.

usage: verify_log.py LOG...
"""

import hashlib
import hmac
import json
import subprocess
import sys

COLUMNS, ROWS = "ABCDE", "123"
BLOCKS = {"A": [c + r for r in ROWS for c in "BCD"] + ["A" + r for r in ROWS],
          "E": [c + r for r in ROWS for c in "BCDE"]}


class Wrong(Exception):
    pass


def expect(is_right, message):
    if not is_right:
        raise Wrong(message)


class Stream:
    """Random numbers from a seed and a label."""

    def __init__(self, seed, label):
        self.seed, self.label, self.block, self.words = seed, label, 0, []

    def word(self):
        if not self.words:
            digest = hmac.new(self.seed, f"{self.label} {self.block}".encode(), hashlib.sha256).digest()
            self.words = [int.from_bytes(digest[i:i + 4], "big") for i in range(0, 32, 4)]
            self.block += 1
        return self.words.pop(0)

    def below(self, bound):
        while True:
            word = self.word()
            if word < 2 ** 32 // bound * bound:
                return word % bound

    def shuffle(self, cards):
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


class Table:
    def __init__(self, header, seed):
        self.header, self.seed, self.seats = header, seed, header["seats"]
        self.rules = header["rules"]
        self.totals = [0] * self.seats

    def name(self, seat, cell):
        """Names each cell once: column E of a seat is column A of the previous seat."""
        seat = int(seat)
        return ((seat - 1) % self.seats, "A" + cell[1]) if cell[0] == "E" else (seat, cell)

    def at(self, place):
        return self.name(*place.split(":"))

    def deal(self, number):
        counts = [int(count) for count in self.rules["deck"].split(",")]
        if self.seats <= 3:
            counts = [max(0, count - 2) for count in counts]
        deck = [card for card, count in enumerate(counts, -1) for _ in range(count)]
        Stream(self.seed, f"deal {number} 0").shuffle(deck)
        self.cells = {self.name(seat, cell): deck.pop()
                      for seat in range(self.seats) for cell in BLOCKS[self.rules["deal_shared"]]}
        self.down = set(self.cells)
        self.discard, self.draw = [deck.pop()], deck
        self.number, self.reshuffles, self.trigger, self.hand = number, 0, None, {}

    def display(self, seat):
        return [self.cells[self.name(seat, c + r)] for c in COLUMNS for r in ROWS
                if self.name(seat, c + r) in self.cells]

    # One function per event, with the arguments of the log.

    def on_round(self, number, dealer, top):
        self.deal(int(number))
        expect(self.discard[-1] == int(top), "the first discarded card")
        expect(int(dealer) == (self.header["dealer"] + int(number) - 1) % self.seats, "the dealer")

    def on_turned(self, place, card):
        expect(self.at(place) in self.down, f"{place} is not down")
        expect(self.cells[self.at(place)] == int(card), f"the card at {place}")
        self.down.discard(self.at(place))

    on_shown = on_turned

    def on_reshuffled(self, count):
        self.reshuffles += 1
        top = self.discard.pop()
        self.draw, self.discard = self.discard, [top]
        Stream(self.seed, f"deal {self.number} {self.reshuffles}").shuffle(self.draw)
        expect(len(self.draw) == int(count), "the size of the new draw pile")

    def on_drew(self, pile, seat, card):
        drawn = (self.draw if pile == "pile" else self.discard).pop()
        expect(drawn == int(card), "the drawn card")
        self.drawn = drawn

    def swap(self, place, card, old):
        expect(self.cells[self.at(place)] == int(old), f"the card that was at {place}")
        self.cells[self.at(place)] = int(card)
        self.down.discard(self.at(place))

    def on_kept(self, place, card, old):
        expect(self.drawn == int(card), "the kept card")
        self.swap(place, card, old)

    def on_dropped(self, seat, card):
        expect(self.drawn == int(card), "the dropped card")
        self.discard.append(int(card))

    def on_placed(self, place, card, old):
        expect(self.drawn == int(card), "the placed card")
        self.swap(place, card, old)
        self.hand = int(old)

    def on_took(self, seat, place, card):
        expect(self.cells[self.at(place)] == int(card), f"the card taken from {place}")
        self.down.discard(self.at(place))
        self.cells[self.at(place)], self.taken = None, int(card)

    def on_put(self, place, card, old):
        expect(self.taken == int(card), "the put card")
        self.swap(place, card, old)

    def on_tossed(self, seat, card):
        expect(self.taken == int(card), "the tossed card")
        self.discard.append(int(card))

    def on_returned(self, place, card):
        expect(self.cells[self.at(place)] is None and self.hand == int(card), "the returned card")
        self.cells[self.at(place)] = int(card)

    def on_cleared(self, *arguments):
        *places, card = arguments
        for place in places:
            expect(self.at(place) not in self.down, f"{place} is cleared while it is down")
            expect(self.cells.pop(self.at(place)) == int(card), f"the card cleared at {place}")
            self.discard.append(int(card))

    def on_discarded(self, seat, card):
        self.discard.append(int(card))

    def on_final(self, seat):
        self.trigger = int(seat)

    def on_scored(self, seat, raw, counted, total):
        raws = [sum(self.display(s)) if self.display(s) else -10 for s in range(self.seats)]
        seat, mine = int(seat), raws[int(seat)]
        expect(not self.down and int(raw) == mine, f"the points of seat {seat}")
        score = mine
        if seat == self.trigger and any(raws[s] <= mine for s in range(self.seats) if s != seat):
            halves = self.rules["failed_negative"] == "halve"
            score = mine * 2 if mine > 0 else mine / 2 if halves else mine
        self.totals[seat] += score
        expect((float(counted), float(total)) == (score, self.totals[seat]), f"the score of seat {seat}")

    def on_nothing(self, *_):
        pass

    on_turn = on_again = on_declined = on_accepted = on_limit = on_exhausted = on_over = on_nothing


def check_places(table, result, faults):
    for seat in range(table.seats):
        key = lambda s: (s in faults, -faults.get(s, 0), 0 if s in faults else table.totals[s])
        better = sum(key(other) < key(seat) for other in range(table.seats))
        expect(result["places"][seat] == 1 + better, f"the place of seat {seat}")
    expect(result["total_halves"] == [2 * total for total in table.totals], "the totals of the result")


def compact(record):
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def answers_of(record):
    """Seat, time and other fields of each answer of a decision."""
    if "bids" in record:
        return [(bid[0], bid[2], bid[3] if len(bid) > 3 else {}) for bid in record["bids"]]
    return [(record["seat"], record["us"], record)]


class Clock:
    """Limits, the bank, and what is charged."""

    def __init__(self, header):
        self.header, self.is_fair = header, header["clock"] == "fair"
        self.move_us = 1000 * header["move_ms"]
        self.banks = [1000 * header["bank_ms"]] * header["seats"]

    def check(self, us, more, limit):
        expect(us >= 0 and more.get("pondered_us", 1000) >= 1000, "a time")
        is_long = more.get("wall_us", us) > limit // max(4, self.header["cores"])
        expect(("wall_us" in more) == (self.is_fair and is_long), "what was measured of a time")
        if "wall_us" in more:
            stolen = more.get("stolen_us", 0)
            rest = more["wall_us"] - more["wait_us"] - more.get("away_us", 0) - stolen
            expect(us == max(rest, more["cpu_us"] - stolen, 0), "the time charged")

    def answer(self, seat, us, more):
        limit = self.move_us + self.banks[seat]
        if "by" in more:
            expect(us == 0 and "say" not in more and "wall_us" not in more, "an answer that nobody gave")
            return
        expect(us <= limit, "an answer after its time")
        self.check(us, more, limit)
        self.banks[seat] -= max(0, us - self.move_us)
        texts = more.get("say", ["x"])
        expect(1 <= len(texts) <= 2 and all(1 <= len(text) <= 120 for text in texts), "what was said")
        expect("say" not in more or self.header["rules"]["talk"] == "on", "a text with talk=off")

    def fault(self, record):
        limit = 1000 * self.header["start_ms"] if record["n"] == 0 else self.move_us + self.banks[record["seat"]]
        self.check(record["us"], record, limit)
        expect(record["fault"] != "late" or record["us"] > limit, "`late` before the end of the time")


def verify(path):
    lines = subprocess.run(["zstd", "-dcfq", path], capture_output=True, check=True).stdout.splitlines(keepends=True)
    records = [json.loads(line) for line in lines]
    header, result = records[0], records[-2]
    expect(records[-1]["sha256"] == hashlib.sha256(b"".join(lines[:-1])).hexdigest(), "the hash of the file")
    seed = bytes.fromhex(result["seed"])
    expect(header["commitment"] == hashlib.sha256(seed).hexdigest(), "the commitment")
    table, faults, clock = Table(header, seed), {}, Clock(header)
    expect(lines[1:] == [compact(record) for record in records[1:]], "the form of a line")
    expect(list(records[-1]) == ["sha256"], "the last line")
    for record in records[1:-2]:
        if "fault" in record:
            clock.fault(record)
            faults[record["seat"]] = record["n"]
        elif record["n"] > 0:
            for seat, us, more in answers_of(record):
                clock.answer(seat, us, more)
        for event in filter(None, record.get("ev", "").split("; ")):
            word, *rest = event.split(" ")
            getattr(table, "on_" + word)(*rest)
    check_places(table, result, faults)
    return len(records)


def main(paths):
    wrong = 0
    for path in paths:
        try:
            print(f"{path}: right, {verify(path)} lines")
        except (Wrong, ValueError, KeyError, IndexError, TypeError, AttributeError) as problem:
            wrong += 1
            print(f"{path}: wrong: {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
