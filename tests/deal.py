#!/usr/bin/env python3
"""A second implementation of the referee's random streams, written from their description.

A stream has a seed of 32 bytes and a label. Block i of it (i = 0, 1, ...) is HMAC-SHA256 with the
seed as key over the text "LABEL i". The blocks are read as big-endian 32-bit words. A number below
a bound is word mod bound, where words at or above the largest multiple of the bound are skipped.
A shuffle goes from the last card down to the second and swaps card i with card number
"below i + 1", counted from 0.

It uses only the standard library, so that anyone can check a deal with this file alone.

usage: deal.py vectors                prints test vectors
       deal.py shuffle SEED LABEL N   prints the numbers 0 to N-1, shuffled with that stream
"""

import hashlib
import hmac
import struct
import sys

WORDS = 20
BOUNDS = (1, 2, 3, 6, 10, 94, 120, 256, 1000003, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1)


class Stream:
    def __init__(self, seed, label):
        self.words = self._all_words(seed, label)

    @staticmethod
    def _all_words(seed, label):
        number = 0
        while True:
            text = "%s %d" % (label, number)
            block = hmac.new(seed, text.encode("ascii"), hashlib.sha256).digest()
            yield from struct.unpack(">8I", block)
            number += 1

    def next(self):
        return next(self.words)

    def below(self, bound):
        multiple = 2**32 // bound * bound
        while True:
            word = self.next()
            if word < multiple:
                return word % bound

    def shuffle(self, cards):
        for place in range(len(cards) - 1, 0, -1):
            other = self.below(place + 1)
            cards[place], cards[other] = cards[other], cards[place]


def seed_from_text(text):
    return hashlib.sha256(text.encode("utf-8")).digest()


def labels():
    yield ""
    yield "x"
    yield "l" * 100
    for match_round in range(1, 6):
        for shuffle in range(4):
            yield "round %d shuffle %d" % (match_round, shuffle)


def shuffled(seed, label, count):
    cards = list(range(count))
    Stream(seed, label).shuffle(cards)
    return cards


def line(name, values):
    print(name, *values)


def print_vector(text, label):
    seed = seed_from_text(text)
    print("words %s" % text)
    print("label %s" % label)
    print("seed %s" % seed.hex())
    stream = Stream(seed, label)
    line("next", ("%08x" % stream.next() for _ in range(WORDS)))
    stream = Stream(seed, label)
    line("below", (stream.below(bound) for bound in BOUNDS))
    for bound in BOUNDS:
        stream = Stream(seed, label)
        line("below_%d" % bound, (stream.below(bound) for _ in range(WORDS)))
    line("shuffle", shuffled(seed, label, 120))


def main(arguments):
    if arguments == ["vectors"]:
        for number, label in enumerate(labels()):
            print_vector("seed number %d" % number, label)
    elif len(arguments) == 4 and arguments[0] == "shuffle":
        print(*shuffled(bytes.fromhex(arguments[1]), arguments[2], int(arguments[3])))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
