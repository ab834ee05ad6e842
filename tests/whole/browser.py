"""What the scripts that need node or a browser share."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile

from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.abspath(os.path.join(os.environ.get("BUILD", "build").removesuffix("/sanitize"), "browser"))


def missing():
    """What there is not, in words; None if a browser can be driven."""
    for program in ("node", "chromium"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    for package in ("playwright-core", "axe-core"):
        if not os.path.isdir(os.path.join(FOLDER, "node_modules", package)):
            return f"{package} is not in {FOLDER} (`make deps-browser`)"
    return None


def start(script, *arguments, **more):
    """Runs a script of this folder in node."""
    return subprocess.Popen(["node", os.path.join(HERE, script), *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "BROWSER": FOLDER, "CHROMIUM": shutil.which("chromium") or ""},
                            **more)


def pass_on(script, *arguments, seconds=2 * SECONDS):
    """Runs such a script, which prints its own lines."""
    node = start(script, *arguments)
    try:
        output, errors = node.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        node.kill()
        output, errors = node.communicate()
        errors += f" (longer than {seconds} s)"
    print(output, end="", flush=True)
    if node.returncode != 0:
        print(f"not ok node {script} {arguments[0]}: {errors.strip()[-2000:]}", flush=True)


def run_pages(script, build, prepare=lambda folder: None):
    """Runs a script that looks at the pages of a daemon, in a folder of its own; or says why not."""
    # The pages are the same whatever the program was compiled with.
    why = "they are the same as in the plain build" if build.endswith("sanitize") else missing()
    if why is not None:
        print(f"skip the pages in a browser: {why}")
        return
    # What node leaves behind goes with us.
    os.setpgrp()
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            os.mkdir(os.path.join(folder, "tmp"))
            prepare(folder)
            pass_on(script, folder, build, *sys.argv[1:])
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)
