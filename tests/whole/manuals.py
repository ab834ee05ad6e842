#!/usr/bin/env python3
"""The manuals say what the help says, and are well formed; shells complete what the program offers."""

import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import xml.dom.minidom

from daemon import GREEDY, RANDOM, Daemon
from daemon import report as report_daemon
from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
PAGES = os.path.join(BUILD, "man")
SCRIPTS = os.path.join(HERE, "..", "..", "referee", "manual")
OTHERS = {"protocol": "man5/referee-protocol.5", "log": "man5/referee-log.5",
          "tournament-file": "man5/referee-tournament.5", "library": "man3/liballegra.3",
          "matches": "man7/referee-matches.7", "debugging": "man7/referee-debugging.7",
          "python": "man7/referee-python.7", "sandbox": "man7/referee-sandbox.7", "daemon": "man7/referee-daemon.7",
          "control": "man5/referee-control.5", "distribute": "man7/referee-distribute.7"}

# What is typed after `referee`, and what must be among the candidates, and what must not.
TYPED = [
    (["pl"], ["play"], ["ask"]),
    ([""], ["play", "tournament", "help"], ["bridge", "complete", "manual"]),
    (["play", "--ed"], ["--edition"], ["--set"]),
    (["play", "--edition", ""], ["de2026", "en2020-66"], ["--set"]),
    (["play", "--set", "knock_r"], ["knock_rounds="], ["knock="]),
    (["play", "--set", "clear_row="], ["clear_row=must", "clear_row=may"], []),
    (["check", "--contain", ""], ["sealed", "none"], []),
    (["play", "--clock", "f"], ["fair"], ["wall"]),
    (["tournament", "--luck", ""], ["on", "off"], []),
    (["standings", "--language", ""], ["de", "es"], []),
    (["submit", "m"], ["match"], ["bot"]),
    (["submit", "bot", "--bu"], ["--build"], []),
    (["help", "rep"], ["replay"], []),
    (["help", "sand"], ["sandbox"], ["standings"]),
    (["standings", "--prune", ""], ["days=", "best="], ["fair"]),
    (["queue", "--format", ""], ["csv", "html"], []),
    (["output", "--of", "b"], ["build"], ["hello"]),
    (["rules", ""], ["de2026"], []),
    (["no-such-command", ""], [], ["play"]),
]


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {'; '.join(problems[:5])}", flush=True)


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False, **more)


def shown(page):
    """A page as a reader sees it, without emphasis."""
    text = run("mandoc", "-Tascii", "-O", "width=150", os.path.join(PAGES, page)).stdout
    return re.sub(".\b", "", text)


def commands():
    return re.findall(r"^  ([\w-]+) ", run(REFEREE, "help").stdout.split("\nmanuals:")[0], re.M)


def check_commands():
    """Each command has a page with its purpose, every option with its description, and every example of its help."""
    for command in commands():
        if command in ("help", "version"):
            continue
        page = " ".join(shown(f"man1/referee-{command}.1").split())
        kinds = ["bot", "match", "tournament"] if command == "submit" else [""]
        for words in [[command, kind] if kind else [command] for kind in kinds]:
            text = run(REFEREE, *words, "--help").stdout
            options = text[text.find("\noptions:"):text.find("\nexamples:")]
            for option in re.findall(r"^  (--.*)$", options, re.M):
                if " ".join(option.replace("`", "").split()) not in page:
                    yield f"{command}: `{option}` is missing"
            for example in re.findall(r"^  (referee .*)$", text, re.M):
                if " ".join(example.split()) not in page:
                    yield f"{command}: `{example}` is missing"
        if not page:
            yield f"{command} has no page"


def check_width():
    """Help fits into a terminal of 100 columns."""
    for command in commands():
        for words in [[command, kind] for kind in ("bot", "match", "tournament")] if command == "submit" else [[command]]:
            for line in run(REFEREE, *words, "--help").stdout.splitlines():
                if len(line) > 100:
                    yield f"{command}: `{line}`"


# What the system sets, or any program looks at.
USUAL = {"PATH", "HOME", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET"}


def check_program():
    page = shown("man1/referee.1")
    sources = glob.glob(os.path.join(SCRIPTS, "..", "**", "*.c"), recursive=True)
    for path in sources:
        with open(path, encoding="utf-8") as file:
            yield from (f"{name} of {os.path.basename(path)} is missing"
                        for name in set(re.findall(r'getenv\("(\w+)"\)', file.read())) - USUAL if name not in page)
    for command in commands():
        if not re.search(rf"referee[- ]{command}\b", page):
            yield f"{command} is missing"


def check_lint():
    for path in sorted(glob.glob(os.path.join(PAGES, "man*", "*"))):
        for line in run("mandoc", "-Tlint", path).stdout.splitlines():
            # They are not installed here.
            if "referenced manual not found: Xr referee" not in line and "Xr liballegra" not in line:
                yield line


def check_others():
    """Nothing of what they are made from is missing."""
    for page, topics in {"protocol.md": ["protocol", "log"], "referee/serve/protocol.md": ["control"]}.items():
        shown_pages = " ".join("".join(shown(OTHERS[topic]) for topic in topics).split())
        with open(os.path.join(HERE, "..", "..", page), encoding="utf-8") as file:
            text = file.read()
        for title in re.findall(r"^##+ (?:\d+ )?(.*)$", re.sub(r"(?ms)^```.*?^```", "", text), re.M):
            if title.upper() not in shown_pages.upper():
                yield f"the chapter {title} of {page} is missing"
    for key in re.findall(r"^  (\S+) ", run(REFEREE, "tournament", "--keys").stdout, re.M):
        if key not in shown(OTHERS["tournament-file"]):
            yield f"the key {key} is missing"
    with open(os.path.join(HERE, "..", "..", "referee", "game", "allegra.h"), encoding="utf-8") as file:
        header = file.read()
    library = shown(OTHERS["library"])
    for name in sorted(set(re.findall(r"\ballegra_\w+(?=\()", header))):
        if f"{name}(" not in library:
            yield f"{name}() is missing"


def check_help():
    """`referee help TOPIC` shows a manual, also where nothing is installed."""
    environment = {**os.environ, "MANPAGER": "cat", "PAGER": "cat", "MANWIDTH": "100"}
    with tempfile.TemporaryDirectory() as folder:
        # A man that only says which page it was given: the real one need not be installed.
        path = os.path.join(folder, "man")
        with open(path, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "page $1"\n')
        os.chmod(path, 0o755)
        environment["PATH"] = folder + ":" + environment["PATH"]
        for topic, page in OTHERS.items():
            done = run(REFEREE, "help", topic, env=environment)
            if done.returncode != 0 or not done.stdout.strip().endswith(page):
                yield f"{topic}: {done.stdout}{done.stderr}"


def said(path):
    """The text of a recording, without times."""
    with open(path, encoding="utf-8") as file:
        events = [json.loads(line) for line in file.read().splitlines()[1:]]
    return re.sub(r"\d+\.\d+ (m?s)\b", r"\1", "".join(text for _, _, text in events))


def check_recording():
    """Recorded again, the session of the README has the same texts, and its picture is well formed."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "recording")
        done = run(os.path.join(SCRIPTS, "recording.py"), BUILD, path)
        if done.returncode != 0:
            yield done.stderr
            return
        texts = [said(name + ".cast").split() for name in (path, os.path.join(SCRIPTS, "recording"))]
        for new, old in zip(*texts):
            if new != old:
                yield f"it says `{new}` where the recording says `{old}`: run `make pictures`"
                return
        if len(texts[0]) != len(texts[1]):
            yield "it is longer or shorter: run `make pictures`"
        for name in (path, os.path.join(SCRIPTS, "recording")):
            xml.dom.minidom.parse(name + ".svg")


def check_readme():
    with open(os.path.join(HERE, "..", "..", "README.md"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    if len(lines) > 200:
        yield f"it has {len(lines)} lines"


def problems_of(typed, wanted, unwanted, offered):
    for word in wanted:
        if word not in offered:
            yield f"after {typed}: {word} is not offered, but {offered}"
    for word in unwanted:
        if word in offered:
            yield f"after {typed}: {word} is offered"


def in_program(typed):
    return [line.split("\t")[0] for line in run(REFEREE, "complete", *typed).stdout.splitlines()]


def in_bash(typed):
    """bash cuts a word at `=`, and completes only what is behind it."""
    words = [part for word in typed for part in (re.split("(=)", word) if "=" in word else [word])]
    before = typed[-1].split("=")[0] + "=" if "=" in typed[-1] else ""
    script = f'. "{SCRIPTS}/referee.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _referee; ' \
             'printf "%s\\n" "${COMPREPLY[@]}"'
    return [before + word for word in run("bash", "-c", script, "bash", REFEREE, *words).stdout.splitlines()]


def in_zsh(typed):
    """The functions of its completion system only print what they are given."""
    script = '_describe() { print -rl -- ${(P)2} }; _files() { print -rl -- *(N) }; words=("$@"); CURRENT=$#; ' \
             f'_test() {{ {open(os.path.join(SCRIPTS, "_referee"), encoding="utf-8").read()} }}; _test'
    return [line.split(":")[0] for line in run("zsh", "-f", "-c", script, "zsh", REFEREE, *typed).stdout.splitlines()]


def in_fish(typed):
    line = " ".join(["referee", *typed])
    environment = {**os.environ, "PATH": BUILD + ":" + os.environ["PATH"], "LINE": line}
    script = f'source "{SCRIPTS}/referee.fish"; complete -C"$LINE"'
    done = run("fish", "--no-config", "-c", script, env=environment)
    return [word.split("\t")[0] for word in done.stdout.splitlines()]


SHELLS = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}


def check_shell(complete):
    for typed, wanted, unwanted in TYPED:
        yield from problems_of(typed, wanted, unwanted, complete(typed))


# Programs of bots, logs and tournament files are files where the user is.
FILES = ["game.ndjson", "mybot", "cup.json"]
TYPED_FILES = [(["replay", "--verify", "ga"], ["game.ndjson"], []), (["play", "my"], ["mybot"], []),
               (["review", "ga"], ["game.ndjson"], []), (["tournament", "cu"], ["cup.json"], []),
               (["compare", "mybot", "my"], ["mybot"], [])]


def check_files():
    """In each shell."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            with open(os.path.join(folder, name), "w", encoding="utf-8"):
                pass
        os.chdir(folder)
        for shell, complete in SHELLS.items():
            for row in TYPED_FILES if shutil.which(shell) else []:
                yield from (f"{shell}: {problem}" for problem in problems_of(*row, complete(row[0])))
        os.chdir(here)


# The same with a daemon that has two bots and a job.
TYPED_TO_DAEMON = [
    (["submit", "match", "an"], ["anna"], ["bert"]),
    (["submit", "match", "anna", ""], ["anna", "bert"], []),
    (["queue", ""], ["1"], ["anna"]),
    (["cancel", ""], ["1"], ["anna"]),
    (["prune", ""], ["1"], ["anna"]),
    (["ladder", ""], ["club"], ["anna"]),
]


def check_elsewhere(socket):
    """Of the daemon that the command line names."""
    typed = ["remove", "--socket", socket, "an"]
    yield from problems_of(typed, ["anna"], [], in_program(typed))
    typed[2] += ".not"
    yield from problems_of(typed, [], ["anna"], in_program(typed))


def check_daemon(folder):
    """What only a running daemon knows, in each shell."""
    ladder = os.path.join(folder, "club.json")
    with open(ladder, "w", encoding="utf-8") as file:
        json.dump({"name": "club", "seats": 2, "deadline": "2000-01-01T00:00Z"}, file)
    daemon = Daemon(folder, "--ladder", ladder).start()
    os.environ["REFEREE_SOCKET"] = daemon.socket
    try:
        for words in (["bot", "anna", GREEDY], ["bot", "bert", RANDOM], ["match", "anna", "bert", "--rounds", "1"]):
            done = run(REFEREE, "submit", *words)
            if done.returncode != 0:
                yield done.stderr
        for shell, complete in {"sh": in_program, **SHELLS}.items():
            for row in TYPED_TO_DAEMON if shutil.which(shell) else []:
                yield from (f"{shell}: {problem}" for problem in problems_of(*row, complete(row[0])))
        del os.environ["REFEREE_SOCKET"]
        yield from check_elsewhere(daemon.socket)
    finally:
        os.environ.pop("REFEREE_SOCKET", None)
        daemon.end()


def main():
    report("every command has a manual with all that its help says", check_commands())
    report("no line of the help is longer than 100 characters", check_width())
    report("the manual of the program has every command", check_program())
    report("mandoc finds nothing to complain about", check_lint())
    report("the other manuals have every chapter, key and function", check_others())
    report("help shows a manual", check_help())
    report("the recording in the README is what the program says", check_recording())
    report("the README has at most 200 lines", check_readme())
    report("the program says what can be typed next", check_shell(in_program))
    for shell, complete in SHELLS.items():
        if shutil.which(shell) is None:
            print(f"skip {shell} completes commands, options and values: it is not installed")
            continue
        report(f"{shell} completes commands, options and values", check_shell(complete))
    report("bots, logs and tournament files are completed", check_files())
    with tempfile.TemporaryDirectory() as folder:
        report_daemon("bots and jobs of a running daemon are completed", check_daemon(folder))


if __name__ == "__main__":
    main()
