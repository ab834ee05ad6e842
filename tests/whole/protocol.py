#!/usr/bin/env python3
"""Runs everything that protocol.md shows: transcripts, examples, grammar, positions, the bot, the log."""

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
    """A bot that says what a transcript says, and notes where the referee does not."""
    with open(path) as file:
        script = file.read().splitlines()
    for line in script:
        if line.startswith("< "):
            print(line[2:], flush=True)
        elif line.startswith("> "):
            came = sys.stdin.readline().rstrip("\n")
            if came != line[2:]:
                with open(result, "w") as file:
                    file.write(f"expected `{line[2:]}`, came `{came}`")
                return
    with open(result, "w") as file:
        file.write("same")


def record(path, *command):
    """A bot that is another bot, and keeps all lines that go by."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with open(path, "a") as file:
        for line in sys.stdin:
            file.write("> " + line)
            child.stdin.write(line)
            child.stdin.flush()
            if line.startswith(("ask ", "allegra ")):
                answer = child.stdout.readline()
                file.write("< " + answer)
                file.flush()
                sys.stdout.write(answer)
                sys.stdout.flush()
    child.stdin.close()
    child.wait()


# The checks.

def run(*arguments, **more):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, **more)


def check_transcript(text, bot, folder):
    command, *lines = text.splitlines()
    words = command.removeprefix("$ referee ").split()
    script, result = os.path.join(folder, "script"), os.path.join(folder, "result")
    with open(script, "w") as file:
        file.write("\n".join(lines))
    names = {"./newcomer": f"{SELF} script {script} {result}", "./thirty.py": bot}
    for name in names:
        link = os.path.join(folder, name)
        with open(link, "w") as file:
            file.write(f'#!/bin/sh\nexec {names[name]} "$@"\n')
        os.chmod(link, 0o755)
    done = run(*words, "--start-ms", "60000", "--quiet", cwd=folder)
    if done.returncode != 0:
        yield f"exit code {done.returncode}: {done.stderr}"
    with open(result) as file:
        came = file.read()
    if came != "same":
        yield came


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
        for i, transcript in enumerate(blocks(page, "transcript")):
            report(f"transcript {i + 1} is what the referee says", check_transcript(transcript, bot, folder))
        report("the bot of thirty lines plays every edition and table size", check_bot(bot, text))
        lines = record_lines(folder, [])
        report("every line of real matches is in the grammar", check_grammar(rules, lines))
        report("the grammar refuses what is wrong", check_refusals(rules))
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
