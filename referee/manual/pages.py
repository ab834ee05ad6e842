#!/usr/bin/env python3
"""Writes the manuals that are not about commands, from what the repository has anyway: chapters of protocol.md, the
keys of tournament files as the program prints them, the comments of the public header, and other pages.

usage: pages.py WHAT DATE VERSION [REFEREE], where WHAT is a key of NAMES
"""

import os
import re
import subprocess
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
PROTOCOL = os.path.join(HERE, "..", "..", "protocol.md")
HEADER = os.path.join(HERE, "..", "game", "allegra.h")
# Pages that are not beside this file.
ELSEWHERE = {"control": "../serve/protocol.md", "distribute": "../tournament/distribute/README.md"}
LOG_CHAPTERS = ("10", "11")
NAMES = {
    "protocol": ("referee-protocol", "5", "what bots and the referee say to each other"),
    "log": ("referee-log", "5", "logs of matches, and positions as text"),
    "tournament": ("referee-tournament", "5", "the file that describes a tournament"),
    "library": ("liballegra", "3", "the rules of the card game ALLEGRA, for bots in C"),
    "matches": ("referee-matches", "7", "rules, time, logs and opponents of a match"),
    "debugging": ("referee-debugging", "7", "why a bot lost, and whether its new version is better"),
    "python": ("referee-python", "7", "bots in Python that search and learn"),
    "sandbox": ("referee-sandbox", "7", "what bots of strangers cannot do"),
    "daemon": ("referee-daemon", "7", "a referee for a club or a class"),
    "control": ("referee-control", "5", "what clients and the daemon say to each other"),
    "distribute": ("referee-distribute", "7", "tournaments on more than one machine"),
}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def escape(text):
    """Text for roff: nothing in it is taken for a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"`([^`]+)`", r"\\fB\1\\fP", text)


def fold(line, columns=64):
    """A line of running text as lines that are not long; none of them starts a request."""
    for part in textwrap.wrap(line, columns, break_long_words=False, break_on_hyphens=False):
        yield "\\&" + part if part[0] in ".'" else part


def chapters():
    """The chapters of protocol.md by their number; what comes before the first has the number ''."""
    number, lines, is_code, found = "", [], False, {}
    for line in read(PROTOCOL).split("\n"):
        is_code ^= line.startswith("```")
        start = not is_code and re.match(r"## (\d+) ", line)
        if start:
            found[number] = "\n".join(lines)
            number, lines = start.group(1), []
        lines.append(line)
    found[number] = "\n".join(lines)
    return found


def from_markdown(text):
    """Lines of man(7). Chapters become sections; what mandoc does not like about them is corrected."""
    text = re.sub(r"^## \d+ (.*)$", lambda match: "# " + match.group(1).upper(), text, flags=re.M)
    text = re.sub(r"^### ", "## ", text, flags=re.M)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    page = subprocess.run(["lowdown", "-tman", "--out-no-smarty", "--nroff-nolinks"], input=text, capture_output=True,
                          encoding="utf-8", check=True).stdout
    page = re.sub(r"^(\.S[HS])\n(.*)$", r"\1 \2", page.replace("\\fC", "\\fB"), flags=re.M)
    before, is_literal = "", False
    for line in page.split("\n"):
        is_literal = (is_literal or line in (".EX", ".nf", ".TS")) and line not in (".EE", ".fi", ".TE")
        if (line == "" and not is_literal) or (line in (".PP", ".LP") and before.startswith((".SH", ".SS"))):
            continue
        before = line
        if is_literal or line.startswith("."):
            yield line
        else:
            yield from fold(line)


def protocol():
    found = chapters()
    yield from from_markdown("## 0 Description\n\n" + re.sub(r"(?s)^# .*?\n(.*?)\n1\. .*", r"\1", found[""]))
    for number, text in found.items():
        if number not in ("",) + LOG_CHAPTERS:
            yield from from_markdown(text)


def page_of(name):
    """A page as chapters: its title is not needed, and what follows it is the description."""
    text = read(os.path.join(HERE, ELSEWHERE.get(name, name + ".md"))).split("\n", 1)[1]
    text = re.sub(r"^!\[.*\n+", "", text, flags=re.M)
    text = re.sub(r"(?s)\n## Inside\n.*", "\n", text)  # for readers of the sources
    return "## 0 Description\n\n" + re.sub(r"^###? ", "## 0 ", text, flags=re.M).lstrip("\n")


def log():
    for number in LOG_CHAPTERS:
        yield from from_markdown(chapters()[number])


def tournament(referee):
    yield ".SH DESCRIPTION"
    yield from fold("A tournament is one file of JSON, in which comments are allowed. Paths in it are relative to its own "
                    "folder. The shortest is")
    yield from (".PP", ".RS", '{"bots": ["./mine", "./yours"]}', ".RE", ".PP")
    yield from fold(escape("`referee tournament --dry-run FILE` shows what it would play."))
    yield ".SH KEYS"
    keys = subprocess.run([referee, "tournament", "--keys"], capture_output=True, encoding="utf-8",
                          check=True).stdout
    for key, about, takes in re.findall(r"^  (\S+) +(.*)\n {3,}(.*)$", keys, re.M):
        yield ".TP"
        yield f"\\fB{escape(key)}\\fP"
        yield from fold(escape(about[0].upper() + about[1:] + "."))
        yield from fold(escape("Takes " + takes + "."))
    yield from from_markdown(page_of("tournaments").replace("## 0 Description", "## 0 Playing it", 1))


def comment_text(comment):
    """A comment without its stars, as paragraphs."""
    text = re.sub(r"^/\*+ ?|\s*\*/$", "", comment.strip())
    text = re.sub(r"\n \* ?", "\n", text)
    return [" ".join(part.split()) for part in text.split("\n\n")]


def library():
    """Sections and comments of the header, each with the declarations that follow it."""
    header = re.sub(r"(?s)#ifdef __cplusplus.*?#endif\n|#include .*?\n", "", read(HEADER))
    body = header[header.index("/* liballegra"):header.rindex("#endif")]
    # Bodies of inline functions are not documentation.
    body = re.sub(r"(?ms)^(static inline [^{;]*?)\n\{.*?^\}", r"\1;", body)
    yield from (".SH SYNOPSIS", ".B #include <allegra.h>", ".PP",
                "cc bot.c $(pkg\\-config \\-\\-cflags \\-\\-libs liballegra)", ".SH DESCRIPTION")
    parts = re.split(r"(?ms)^(/\*.*?\*/)$", body)
    before = ".SH"
    for index in range(1, len(parts), 2):
        paragraphs, code = comment_text(parts[index]), parts[index + 1].strip("\n")
        title = re.match(r"--- (.*?) ---\s*(.*)", paragraphs[0])
        if title:
            yield ".SH " + escape(title.group(1).split(":")[0].upper())
            before = ".SH"
            paragraphs[0] = title.group(2) or (title.group(1).split(": ", 1) + [""])[1]
            paragraphs[0] = paragraphs[0][:1].upper() + paragraphs[0][1:]
        for paragraph in filter(None, paragraphs):
            if before != ".SH":
                yield ".PP"
            before = ""
            yield from fold(escape(paragraph))
        if code.strip():
            yield from (".PP", ".nf") if before != ".SH" else (".nf",)
            yield from (escape(line) if not line.startswith((".", "'")) else "\\&" + escape(line)
                        for line in code.split("\n"))
            yield ".fi"
            before = ""


def main():
    what, date, version = sys.argv[1:4]
    page, section, about = NAMES[what]
    sys.stdout.reconfigure(encoding="utf-8")  # whatever the language of the user is
    print(f'.TH {page.upper()} {section} "{date}" "referee {version}"')
    print(".SH NAME")
    print(f"{page} \\- {about}")
    own = {"protocol": protocol, "log": log, "tournament": lambda: tournament(sys.argv[4]), "library": library}
    for line in own[what]() if what in own else from_markdown(page_of(what)):
        print(line)
    print(".SH SEE ALSO")
    others = sorted({("referee", "1")} | {(name, number) for name, number, _ in NAMES.values() if name != page})
    for line in fold(", ".join(f"\\fB{name}\\fP({number})" for name, number in others)):
        print(line)


if __name__ == "__main__":
    main()
