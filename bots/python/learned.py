#!/usr/bin/env python3
"""A bot that plays with the weights that learn.py has learned.

usage: learned.py [WEIGHTS.json], by default learned.json beside this file
"""

import os
import sys

import allegra


def main():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "learned.json")
    policy = allegra.Policy.load(sys.argv[1] if len(sys.argv) > 1 else beside)
    allegra.serve(lambda table: policy.choose(table.view, table.unseen(), table.legal), "learned")


if __name__ == "__main__":
    main()
