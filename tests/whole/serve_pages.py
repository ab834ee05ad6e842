#!/usr/bin/env python3
"""The pages of `referee serve` in a real browser: serve_pages.mjs runs a daemon, has jobs played and looks
at them. Here is only what that needs: a folder, a bot that waits while a file is there, and a way to skip."""

import os
import signal
import sys
import tempfile

import browser
from organiser import BUILD, write_file, write_script

# While its folder has a file `hold`, it thinks. In the sandbox that folder is a copy, made when a job begins, in the
# temporary folder of the daemon: serve_pages.mjs finds it there.
HOLDS = "while [ -e hold ]; do sleep 0.05; done"


def main():
    # The pages are the same whatever the program was compiled with.
    if BUILD.endswith("sanitize"):
        print("skip the pages in a browser: they are the same as in the plain build")
        return
    why = browser.missing()
    if why is not None:
        print(f"skip the pages in a browser: {why}")
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        os.mkdir(os.path.join(folder, "tmp"))
        os.mkdir(os.path.join(folder, "gate"))
        write_script(os.path.join(folder, "gate"), "gate", on_ask=HOLDS)
        write_file(os.path.join(folder, "gate", "hold"), "")
        browser.pass_on("serve_pages.mjs", folder, BUILD, *sys.argv[1:])


if __name__ == "__main__":
    # What node leaves behind goes with us.
    os.setpgrp()
    try:
        main()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)
    sys.exit()
