#!/usr/bin/env python3
"""Runs everything that protocol.md shows: transcripts, examples, grammar, positions, the bot, the log. The chapter
about the game has explain.py; protocol_facts.py has what the page says without showing it."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "protocol.md")
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")
RANDOM = os.path.join(BUILD, "bots", "random")
SELF = f"{sys.executable} {os.path.abspath(__file__)}"
EDITIONS = ["de2026", "en2020", "nl2023", "fr2020", "es2020"]
QUESTIONS = ["reveal", "draw", "knock", "answer", "move", "place", "take", "put", "clear"]


def report(name, problems):
    """One line for tests/run."""
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, re.M | re.S)


# The grammar: enough of ABNF (RFC 5234, RFC 7405) to make regular expressions of our own rules.

TOKEN = re.compile(r'%s"([^"]*)"|%x([0-9A-F]+)-([0-9A-F]+)|%x([0-9A-F]+)|(\d*)\*(\d*)|(\d+)(?=[\[("%A-Za-z])'
                   r'|([A-Za-z][A-Za-z0-9-]*)|([\[\]()/])|\s+')


def tokens_of(text):
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"not understood: {text[at:at + 20]}")
        at = match.end()
        if match.group().strip():
            yield match


def regex_of(rules, name):
    return "".join(piece_of(rules, match) for match in tokens_of(rules[name]))


def piece_of(rules, match):
    literal, first, last, single, least, most, exactly, rule, mark = match.groups()
    if literal is not None:
        return re.escape(literal)
    if first is not None:
        return f"[\\x{int(first, 16):02x}-\\x{int(last, 16):02x}]"
    if single is not None:
        return f"\\x{int(single, 16):02x}"
    if rule is not None:
        return f"(?:{regex_of(rules, rule)})"
    if mark is not None:
        return {"[": "(?:(?:", "]": ")?)", "(": "(?:", ")": ")", "/": "|"}[mark]
    raise ValueError("a repetition must stand before a group: " + match.group())


def read_grammar(text):
    rules = {}
    for line in re.sub(r";.*", "", text).splitlines():
        if re.match(r"\S+\s*=", line):
            name, rest = line.split("=", 1)
            rules[name.strip()] = rest
        elif line.strip():
            rules[name.strip()] += " " + line
    return {name: unfold(rule) for name, rule in rules.items()}


def unfold(rule):
    """Writes n*m(x) out as groups, so that the rest has no repetitions."""
    while True:
        match = re.search(r"(\d*)\*(\d*)\(", rule)
        if match is None:
            return rule
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(rule[end], 0)
            end += 1
        body = rule[match.end():end - 1]
        REPEATED.append((body, match.group(1) or "0", match.group(2)))
        rule = f"{rule[:match.start()]}repeat-{len(REPEATED) - 1} {rule[end:]}"


REPEATED = []


def compile_rule(rules, name):
    def expand(text):
        out = []
        for match in tokens_of(text):
            rule = match.group(8)
            if rule and rule.startswith("repeat-"):
                body, least, most = REPEATED[int(rule[7:])]
                out.append(f"(?:{expand(unfold(body))}){{{least},{most}}}")
            elif rule:
                out.append(f"(?:{expand(rules[rule])})")
            else:
                out.append(piece_of(rules, match))
        return "".join(out)

    return re.compile(expand(rules[name]))


# Bots that this program is itself.

def play_script(path, result):
    """A bot that says what a transcript says, and notes where the referee does not. `…` is any number of lines."""
    with open(path) as file:
        script = file.read().splitlines()
    is_skipping = False
    for line in script:
        if line.startswith("< "):
            print(line[2:], flush=True)
            continue
        if line == "> …":
            is_skipping = True
            continue
        came = sys.stdin.readline()
        while is_skipping and came and came.rstrip("\n") != line[2:]:
            came = sys.stdin.readline()
        is_skipping = False
        if came.rstrip("\n") != line[2:]:
            with open(result, "w") as file:
                file.write(f"expected `{line[2:]}`, came `{came}`")
            return
    with open(result, "w") as file:
        file.write("same")


def record(path, *command):
    """A bot that is another bot, and keeps all lines that go by, with the legal answers."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with open(path, "a") as file:
        for line in sys.stdin:
            file.write("> " + line)
            child.stdin.write(line)
            child.stdin.flush()
            if line.startswith(("ask ", "allegra ")):
                answer = child.stdout.readline()
                if answer.startswith("hello "):
                    answer = answer.rstrip("\n") + " legal=on\n"
                file.write("< " + answer)
                file.flush()
                sys.stdout.write(answer)
                sys.stdout.flush()
    child.stdin.close()
    child.wait()


# The checks.

def run(*arguments, **more):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, **more)


def write_program(path, command):
    with open(path, "w") as file:
        file.write(f'#!/bin/sh\nexec {command} "$@"\n')
    os.chmod(path, 0o755)


def answers_of(log):
    """Pairs of a seat and its answer, in the order of the log."""
    with open(log) as file:
        for record_ in map(json.loads, file):
            for seat, answer in [bid[:2] for bid in record_.get("bids", [])]:
                yield str(seat), answer
            if "do" in record_:
                yield str(record_["seat"]), record_["do"]


def check_transcript(text, bot, folder):
    """Each bot of the transcript gets the lines that are shown, and the answers come in the order that is shown."""
    command, *lines = text.splitlines()
    words = command.removeprefix("$ referee ").split()
    lines = [re.fullmatch(r"(\d?)([<>] .*)", line).groups() for line in lines]
    seats = sorted({seat or "0" for seat, _ in lines})
    log = os.path.join(folder, "transcript.ndjson")
    programs = [word for word in words if word.startswith("./")]
    for seat, name in enumerate(programs):
        script, result = (os.path.join(folder, f"{kind}{seat}") for kind in ("script", "result"))
        with open(script, "w") as file:
            file.write("\n".join(line for owner, line in lines if (owner or "0") == str(seat)))
        path = os.path.join(folder, name)
        write_program(path, f"{SELF} script {script} {result}" if str(seat) in seats else bot)
    done = run(*words, "--start-ms", "60000", "--quiet", "--log", log, cwd=folder)
    for seat in seats:
        with open(os.path.join(folder, f"result{seat}")) as file:
            came = file.read()
        if came != "same":
            yield f"seat {seat}: {came}"
    if done.returncode != 0:
        yield f"exit code {done.returncode}: {done.stderr}"
    shown = [(seat or "0", line[2:].split(" ", 1)[1]) for seat, line in lines if re.match(r"< \d", line)]
    if shown != [pair for pair in answers_of(log) if pair[0] in seats]:
        yield "the answers come in another order"
    os.remove(log)


def check_coverage(transcripts):
    """Together the transcripts show every question, and a whole knock."""
    text = "\n".join(transcripts)
    for word in QUESTIONS:
        if not re.search(rf"> ask \d+ {word} ", text):
            yield f"no transcript has the question `{word}`"
    for word in ["said", "knocked", "passed", "accepted", "placed", "cleared", "took", "put", "discarded", "returned"]:
        if f"> {word} " not in transcripts[1]:
            yield f"the knock has no `{word}`"


def check_bot(bot, text):
    if len(text.splitlines()) > 30:
        yield f"it has {len(text.splitlines())} lines"
    for edition in EDITIONS:
        for seats in range(2, 7):
            others = [GREEDY, RANDOM, GREEDY, RANDOM, GREEDY][:seats - 1]
            done = run("play", "--quiet", "--edition", edition, "--seed", f"thirty {seats}",
                       "--move-ms", "60000", "--start-ms", "60000", bot, *others)
            if done.returncode != 0:
                yield f"{edition}, {seats} seats: exit code {done.returncode}: {done.stderr}"


def record_lines(folder, rules):
    """Lines of real matches, of all editions and table sizes, with bidding rounds and reshuffles."""
    path = os.path.join(folder, "lines")
    for seats in range(2, 7):
        for edition in EDITIONS:
            bots = [f"{SELF} record {path} {RANDOM}"] + [RANDOM] * (seats - 1)
            done = run("play", "--quiet", "--edition", edition, "--seed", f"lines {seats}",
                       "--move-ms", "60000", "--start-ms", "60000", "--set", "knock_rounds=2",
                       "--set", "turn_limit=30", *rules, *bots)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
    with open(path) as file:
        return file.read().splitlines()


def check_grammar(rules, lines):
    referee, bot = compile_rule(rules, "referee-line"), compile_rule(rules, "bot-line")
    for line in lines:
        rule = referee if line.startswith("> ") else bot
        if not rule.fullmatch(line[2:]):
            yield f"the grammar does not know `{line}`"
        if len(line) - 2 >= 1024:
            yield f"a line is too long: {line[:60]}"


def check_questions(page, rules, lines):
    """The quick reference and the grammar have the keys that questions really have, in their order, and no others."""
    rows = re.findall(r"^\| `([a-z]+)` \| ((?:`[a-z]+` ?)*)\| [^|]* \| ([^|]*) \|$", page, re.M)
    question, answer = compile_rule(rules, "question"), compile_rule(rules, "answer")
    if [row[0] for row in rows] != QUESTIONS:
        yield f"the quick reference has {[row[0] for row in rows]}"
    keys = {name: re.findall(r"[a-z]+", words) for name, words, _ in rows}
    answers = {name: re.findall(r"`([^`]*)`", words) for name, _, words in rows}
    asked = [line[2:] for line in lines if line.startswith("> ask ")]
    for line in asked:
        word = line.split()[2]
        if not question.fullmatch(line):
            yield f"the grammar does not know the keys of `{line}`"
        if re.findall(r" ([a-z]+)=", line) != keys[word]:
            yield f"`{line}` has other keys than the quick reference"
    for word in set(QUESTIONS) - {line.split()[2] for line in asked}:
        yield f"`{word}` was never asked"
    for word, shown in answers.items():
        for form in shown:
            if not answer.fullmatch(form.replace("CELL", "B2").replace("SEAT", "1")):
                yield f"`{form}` is not an answer of the grammar"
    yield from check_answers(lines, answers)


def check_answers(lines, answers):
    """What bots really answer, and could have, is what the quick reference shows."""
    seen, legal = {word: set() for word in QUESTIONS}, []
    for line in lines:
        if line.startswith("> legal "):
            legal = line[8:].split("|")
        elif line.startswith("> ask "):
            word = line.split()[3]
            seen[word] |= {re.sub(r"\b[A-E][1-3]\b", "CELL", re.sub(r"\b\d\b", "SEAT", text)) for text in legal}
    for word in QUESTIONS:
        if seen[word] != set(answers[word]):
            yield f"`{word}` has the answers {sorted(seen[word])}, not {answers[word]}"


def check_refusals(rules):
    bot = compile_rule(rules, "bot-line")
    for line in ["", "17", "0 pile", "01 pile", "1  pile", "1 pile ", "1 keep F1", "1 clear A1 B1",
                 "say ", "hello", "1 take B2", "1 accept 6", "x", "1 drop"]:
        if bot.fullmatch(line):
            yield f"the grammar takes `{line}` for a bot's line"


def check_events(page, lines):
    listed = set(re.findall(r"^\| `([a-z]+(?: pile| discard)?) ?[A-Z0-9\[:` ]", page, re.M))
    seen = {" ".join(line[2:].split()[:2]) if line.startswith("> drew") else line[2:].split()[0]
            for line in lines if line.startswith("> ")}
    for word in seen - listed - {"table", "display", "legal", "ask", "over", "bye"}:
        yield f"`{word}` is not in the tables of notices"


def check_examples(page, rules):
    referee, bot = compile_rule(rules, "referee-line"), compile_rule(rules, "bot-line")
    examples = re.findall(r"\*Example\*:\s+`([^`]*)` →\s+`([^`]*)`", page)
    if len(examples) != 9:
        yield f"{len(examples)} examples of questions, not 9"
    for question, answer in examples:
        if not referee.fullmatch(question) or not bot.fullmatch(answer):
            yield f"`{question}` → `{answer}` is not in the grammar"
        if question.split()[1] != answer.split()[0]:
            yield f"`{answer}` does not answer `{question}`"


# The rows of the table of limits, and where the program has them.
LIMITS = [("a line from the referee", "wire/bot_line.h", "BOT_LINE_REFEREE_MAX"),
          ("a line from a bot", "bot/line_buffer.h", "LINE_BUFFER_LINE_MAX"),
          ("a bot's name", "wire/bot_line.h", "BOT_LINE_NAME_MAX"),
          ("`say` lines before one answer", "wire/bot_line.h", "BOT_LINE_SAYS_MAX"),
          ("the text of a `say` line", "wire/bot_line.h", "BOT_LINE_SAY_MAX"),
          ("digits in a question's number", "wire/bot_line_read.c", "ID_DIGITS_MAX")]


def source(path):
    with open(os.path.join(HERE, "..", "..", "referee", path)) as file:
        return file.read()


def check_tables(page):
    """The tables of limits and faults are the program's."""
    for row, path, name in LIMITS:
        shown = re.search(rf"(?m)^\| {re.escape(row)}[^|]*\| \D*(?:1 to )?(\d+)", page)
        known = re.search(rf"#define {name} (\d+)", source(path))
        if shown is None or known is None or shown[1] != known[1]:
            yield f"{row}: {shown and shown[1]}, not {known and known[1]}"
    faults = re.findall(r"(?m)^\| `([a-z_]+)` \|", page[page.index("## 8 "):page.index("## 9 ")])
    names = re.findall(r'\[BOT_[A-Z_]+\] = \{"([a-z_]+)"', source("bot/fault_text.c"))
    if set(faults) != set(names) - {"answered"}:
        yield f"{set(faults) ^ set(names)} are not in both"


def anchors_of(path):
    """The headings of a page, as links name them."""
    with open(path) as file:
        headings = re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```$", "", file.read()))
    return {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links():
    """Every link of a page for users leads to a file that is there, and to a heading of it."""
    root = os.path.join(HERE, "..", "..")
    manuals = [os.path.relpath(path, root) for path in glob.glob(os.path.join(root, "referee", "manual", "*.md"))]
    for page in ["README.md", "protocol.md", "referee/README.md", "referee/serve/protocol.md", *sorted(manuals)]:
        folder = os.path.dirname(os.path.join(root, page))
        with open(os.path.join(root, page)) as file:
            links = re.findall(r"\]\(((?!https?:)[^)\s]*)\)", file.read())
        for link in links:
            path, _, anchor = link.partition("#")
            target = os.path.join(folder, path) if path else os.path.join(root, page)
            if not os.path.exists(target):
                yield f"{page}: {link} is not there"
            elif anchor and anchor not in anchors_of(target):
                yield f"{page}: {link} leads to no heading"


def check_positions(page):
    for text in blocks(page, "position"):
        done = run("ask", "--move-ms", "60000", "--start-ms", "60000", GREEDY, "-", input=text)
        if done.returncode != 0 or not done.stdout:
            yield f"{text}: {done.stderr}"


def check_log(page, folder):
    """The fields of real logs are those of the page, and the other way round."""
    path = os.path.join(folder, "log.ndjson")
    late = os.path.join(folder, "late")
    with open(late, "w") as file:
        file.write("#!/bin/sh\nread greeting\necho hello late\nexec sleep 600\n")
    os.chmod(late, 0o755)
    run("play", "--quiet", "--log", path, "--move-ms", "200", "--start-ms", "60000", "--seed", "log", late, GREEDY, GREEDY)
    with open(path) as file:
        records = [json.loads(line) for line in file]
    section = page[page.index("## 10 Logs"):page.index("## 11 ")]
    documented = set(re.findall(r"`([a-z0-9_]+)`", section))
    for record_ in records:
        for field in record_:
            if field not in documented:
                yield f"`{field}` is not documented"
    for field in ["allegra_log", "rules", "commitment", "bots"]:
        if field not in records[0]:
            yield f"the header has no `{field}`"
    for field in ["result", "places", "total_halves", "seed", "sent"]:
        if field not in records[-2]:
            yield f"the result has no `{field}`"
    if not any(record_.get("fault") == "late" for record_ in records):
        yield "a bot that never answers is not late"


def main():
    with open(PAGE) as file:
        page = file.read()
    rules = read_grammar(blocks(page, "abnf")[0])
    with tempfile.TemporaryDirectory() as folder:
        bot = os.path.join(folder, "bot.py")
        text = blocks(page, "python")[0]
        with open(bot, "w") as file:
            file.write(text)
        os.chmod(bot, 0o755)
        transcripts = blocks(page, "transcript")
        for i, transcript in enumerate(transcripts):
            report(f"transcript {i + 1} is what the referee says", check_transcript(transcript, bot, folder))
        report("the transcripts show every question and a whole knock", check_coverage(transcripts))
        report("the bot of thirty lines plays every edition and table size", check_bot(bot, text))
        lines = record_lines(folder, [])
        report("every line of real matches is in the grammar", check_grammar(rules, lines))
        report("the grammar refuses what is wrong", check_refusals(rules))
        report("the quick reference has the keys and answers of every question", check_questions(page, rules, lines))
        report("every link leads somewhere", check_links())
        report("the tables of limits and faults are the program's", check_tables(page))
        report("every notice is in the tables", check_events(page, lines))
        report("the examples of all questions are in the grammar", check_examples(page, rules))
        report("the positions can be asked", check_positions(page))
        report("logs have the fields that are documented", check_log(page, folder))


if len(sys.argv) > 3 and sys.argv[1] == "script":
    play_script(*sys.argv[2:])
elif len(sys.argv) > 3 and sys.argv[1] == "record":
    record(*sys.argv[2:])
else:
    main()
