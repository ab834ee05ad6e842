#!/usr/bin/env python3
"""A person plays in a browser: person.mjs runs a daemon and plays. Here is only a folder, and a way to skip."""

import os
import signal
import sys
import tempfile

import browser
from organiser import BUILD


def main():
    if BUILD.endswith("sanitize"):
        print("skip a person in a browser: the page is the same as in the plain build")
        return
    why = browser.missing()
    if why is not None:
        print(f"skip a person in a browser: {why}")
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        browser.pass_on("person.mjs", folder, BUILD)


if __name__ == "__main__":
    # What node leaves behind goes with us.
    os.setpgrp()
    try:
        main()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)
    sys.exit()
