#!/usr/bin/env python3
"""The pages of `referee serve` in a real browser: serve_pages.mjs runs a daemon, has jobs played and looks
at them. Here is only what that needs: a folder, a bot that waits while a file is there, and a way to skip."""

import os

import browser
from organiser import BUILD, write_file, write_script

# While its folder has a file `hold`, it thinks. In the sandbox that folder is a copy, made when a job begins, in the
# temporary folder of the daemon: serve_pages.mjs finds it there.
HOLDS = "while [ -e hold ]; do sleep 0.05; done"


def prepare(folder):
    os.mkdir(os.path.join(folder, "gate"))
    write_script(os.path.join(folder, "gate"), "gate", on_ask=HOLDS)
    write_file(os.path.join(folder, "gate", "hold"), "")


if __name__ == "__main__":
    browser.run_pages("serve_pages.mjs", BUILD, prepare)
