#!/usr/bin/env python3
"""What people do on the pages of `referee serve`, in a real browser: serve_people.mjs signs in, uploads bots, starts and
cancels jobs."""

import browser
from organiser import BUILD

if __name__ == "__main__":
    browser.run_pages("serve_people.mjs", BUILD)
