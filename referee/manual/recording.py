#!/usr/bin/env python3
"""Records a real session with the referee: a bot that makes a mistake, and the way to the line of code. The commands
run in a terminal of their own; what they print is kept with its times as an asciicast (version 2), and is drawn as an
animated SVG that any browser plays.

usage: recording.py BUILD OUTPUT, which writes OUTPUT.cast and OUTPUT.svg
"""

import fcntl
import html
import json
import os
import pty
import re
import shutil
import struct
import sys
import tempfile
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STARTER = os.path.join(HERE, "..", "..", "bots", "python", "bot.py")
COLUMNS, ROWS = 104, 26
KEY_SECONDS = 0.04  # between two keys that are typed
READ_SECONDS = 2.5  # for the reader, after each command
END_SECONDS = 5.0

# The mistake of the bot that is recorded, after this line of the starter.
BEFORE = '    """Chooses the legal answer with the best score."""\n'
MISTAKE = '    if table.legal[0].startswith("keep") and int(asked["drawn"]) > 8: return "drop E3"\n'

COMMANDS = [
    "# My bot plays a match. It makes a mistake, and the referee says which.",
    "referee play --seed 2 --log game.ndjson ./mybot ./greedy 2>&1 | cut -c1-96",
    "# The table before that decision, and the same question again, only to my bot:",
    "referee replay --at 14 game.ndjson",
    "referee replay --at 14 game.ndjson | referee ask ./mybot -",
    "# E3 is up: my bot must not drop there. Where does it say so?",
    "grep -n 'drop E3' mybot",
    "sed -i '/drop E3/d' mybot",
    "# Is it fixed? My bot sits down in the same match again:",
    "referee replay --against ./mybot --seat 0 game.ndjson | tail -4",
    "referee play --seed 2 ./mybot ./greedy | cat",
]

COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea",
           "1": "#ffffff", "2": "#8b949e"}
FOREGROUND, BACKGROUND, PROMPT = "#e6edf3", "#0d1117", "#7ee787"
CHARACTER, LINE, MARGIN = 8.45, 18, 14


def prepare(build, folder):
    """What is in the folder of the session."""
    with open(STARTER, encoding="utf-8") as file:
        text = file.read()
    if BEFORE not in text:
        sys.exit(f"recording.py: the starter bot has no line {BEFORE.strip()}")
    path = os.path.join(folder, "mybot")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(BEFORE, BEFORE + MISTAKE))
    os.chmod(path, 0o755)
    shutil.copy(os.path.join(build, "bots", "greedy"), folder)


def run_in_terminal(command, build, folder):
    """Runs a command in a new terminal; yields what it prints and when, in seconds from its start."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = {**os.environ, "PATH": build + ":" + os.environ["PATH"], "TERM": "xterm-256color",
                       "COLUMNS": str(COLUMNS), "LC_ALL": "C.UTF-8"}
        environment.pop("NO_COLOR", None)
        os.execvpe("sh", ["sh", "-c", command], environment)
    start = time.monotonic()
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the way Linux reports the end of a terminal
            data = b""
        if not data:
            break
        yield time.monotonic() - start, data.decode("utf-8", "replace")
    os.close(terminal)
    os.waitpid(pid, 0)


def record(build):
    """The events of the asciicast: time and text."""
    now, events = 0.5, []
    with tempfile.TemporaryDirectory() as folder:
        prepare(build, folder)
        for command in COMMANDS:
            events.append((now, "$ "))
            for character in command:
                now += KEY_SECONDS
                events.append((now, character))
            now += KEY_SECONDS
            events.append((now, "\r\n"))
            if command.startswith("#"):
                continue
            last = 0.0
            for seconds, text in run_in_terminal(command, build, folder):
                last = seconds
                events.append((now + seconds, text))
            now += last + (READ_SECONDS if last else 0.5)
    return events


def write_cast(events, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"version": 2, "width": COLUMNS, "height": ROWS,
                               "title": "A mistake of a bot, found and corrected"}) + "\n")
        for when, text in events:
            file.write(json.dumps([round(when, 3), "o", text], ensure_ascii=False) + "\n")


def lines_of(events):
    """The lines of the terminal: for each, when each of its characters came and in which colour. Commands that only
    print and colour lines need no more of a terminal than this."""
    lines, colour = [[]], FOREGROUND
    for when, text in events:
        for part in re.findall(r"\x1b\[[0-9;]*m|\r|\n|[^\x1b\r\n]", text):
            if part == "\n":
                lines.append([])
            elif part.startswith("\x1b"):
                colour = COLOURS.get(part[2:-1].split(";")[-1], FOREGROUND)
            elif part != "\r":
                if len(lines[-1]) == COLUMNS:
                    lines.append([])
                lines[-1].append((when, part, colour))
    return [line for line in lines if line]


def spans(line):
    """Runs of characters of one colour."""
    start = 0
    for index in range(1, len(line) + 1):
        if index == len(line) or line[index][2] != line[start][2]:
            text = "".join(character for _, character, _ in line[start:index])
            yield text, line[start][2]
            start = index


def share(when, total):
    return f"{100 * when / total:.2f}%"


def write_svg(lines, total, path):
    """Every line is drawn once. It appears at its time; a typed one is uncovered key by key; and all of them move up
    when the screen is full."""
    width, height = COLUMNS * CHARACTER + 2 * MARGIN, ROWS * LINE + 2 * MARGIN
    style, body, moves = [], [], []
    for number, line in enumerate(lines):
        first, last = line[0][0], line[-1][0]
        is_typed = line[0][1] == "$"
        begin, end = share(first, total), share(max(last, first + 0.01), total)
        if is_typed:
            style.append(f"@keyframes l{number}{{0%,{begin}{{clip-path:inset(0 100% 0 0);"
                         f"animation-timing-function:steps({len(line)},end)}}{end},100%{{clip-path:inset(0 0 0 0)}}}}")
        else:
            style.append(f"@keyframes l{number}{{0%,{begin}{{opacity:0}}{end},100%{{opacity:1}}}}")
        content = "".join(
            f'<tspan fill="{PROMPT if is_typed else colour}">{html.escape(text)}</tspan>'
            if is_typed or colour != FOREGROUND else html.escape(text) for text, colour in spans(line))
        body.append(f'<text y="{number * LINE + LINE - 4}" style="animation-name:l{number}">{content}</text>')
        if number >= ROWS:
            moves.append(f"{share(first, total)}{{transform:translateY({-(number - ROWS + 1) * LINE}px)}}")
    style.append("@keyframes up{0%{transform:translateY(0)}" + "".join(moves) + "}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" '
                   'aria-label="A bot makes a mistake; the referee shows where, asks again, and proves that it is '
                   f'fixed">\n<style>\ntext{{font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre;'
                   f'fill:{FOREGROUND};animation:{total:.1f}s linear infinite}}\n'
                   f'#all{{animation:up {total:.1f}s step-end infinite}}\n' + "\n".join(style) + "\n</style>\n"
                   f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>\n'
                   f'<svg x="{MARGIN}" y="{MARGIN}" width="{width - 2 * MARGIN:.0f}" height="{ROWS * LINE}">\n'
                   '<g id="all">\n' + "\n".join(body) + "\n</g>\n</svg>\n</svg>\n")


def main():
    build, output = os.path.abspath(sys.argv[1]), sys.argv[2]
    events = record(build)
    write_cast(events, output + ".cast")
    write_svg(lines_of(events), events[-1][0] + END_SECONDS, output + ".svg")


if __name__ == "__main__":
    main()
