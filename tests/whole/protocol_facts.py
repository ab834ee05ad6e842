#!/usr/bin/env python3
"""What protocol.md says about questions, texts and faults without showing it: each sentence is looked up in the
page, and then tried, in a position or in a real match."""

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
PLAY_EXAMPLE = os.path.join(BUILD, "tests", "play_example")
SELF = os.path.abspath(__file__)
PATIENT = ["--move-ms", "60000", "--start-ms", "60000"]

TWO = "private1=#3,#6,#9/#4,#7,#10/#5,#8,#11"
KNOCK = """seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=7,8,2/7,0,#1/10,#2,#3
private1=5,5,9/7,9,9/#7,#1,2 private2=#3,#6,#9/#4,#8,#10/#1,#8,#11 draw=0,5 discard=6"""
# The active seat 0 has one cell, which it shares with seat 1.
LONELY = """seats=3 shared0=#4,.,. shared1=.,.,. shared2=.,.,. private0=.,.,./.,.,./.,.,.
private2=#3,#6,#9/#4,#8,#10/#1,#8,#11 draw=0,5 discard=6"""
ACCEPTED = "0 pile\n1 knock D1\n2 pass\n0 accept 1\n"

# A sentence of the page; the edition; a position with answers; what must happen then; and what must not.
POSITIONS = [
    ("With `reshuffle=end_round`, `pile` is always legal, and if the draw pile is empty it ends the round.", "de2026",
     f"seats=2 reshuffle=end_round display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 {TWO} draw= discard=7\n0 pile\n",
     ["0 draw: legal pile|discard", "exhausted 0"], ["reshuffled"]),
    ("if the discard pile has only that one card, only `discard` is legal.", "de2026",
     f"seats=2 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 {TWO} draw= discard=7\n0 pile\n",
     ["0 draw: legal discard\n", "illegal: "], ["drew"]),
    ("`pile` first turns the discard pile, except its top card, into a new draw pile", "de2026",
     f"seats=2 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 {TWO} draw= discard=1,2,7\n0 pile\n",
     ["reshuffled 2", "drew pile 0 "], ["exhausted"]),
    ("With `discard_return=no`, a card `from=discard` cannot be dropped.", "de2026",
     f"seats=2 discard_return=no display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 {TWO} draw=5 discard=7\n"
     "0 discard\n0 drop C1\n", ["illegal: a card taken from the discard pile"], ["drop A", "|drop", "dropped 0"]),
    ("`accept SEAT`, a seat that knocked in this bidding round", "de2026",
     KNOCK + " knock_rounds=2\n0 pile\n1 knock\n2 pass\n0 again\n1 pass\n2 knock\n0 accept 1\n",
     ["0 answer: legal accept 1|decline|again", "again 0 2", "0 answer: legal accept 2|decline\n",
      "illegal: that seat did not knock"], ["accepted"]),
    ("and somebody knocked or another bidding round is allowed", "de2026",
     KNOCK + "\n0 pile\n1 pass\n2 pass\n", ["0 move:"], ["0 answer:"]),
    ("or `again` for another bidding round, if `bidding` is less than `knock_rounds`", "de2026",
     KNOCK + " knock_rounds=2\n0 pile\n1 pass\n2 pass\n", ["0 answer: legal decline|again"], ["0 move:"]),
    ("With `knock_offers=binding` you are not asked if you offered a cell: the referee places the card there.", "de2026",
     KNOCK + f" knock_offers=binding\n{ACCEPTED}", ["placed 1:D1 5 9"], ["1 place:"]),
    ("With `knock_offers=binding` you are not asked if you offered a cell", "de2026",
     KNOCK + " knock_offers=binding\n0 pile\n1 knock\n2 pass\n0 accept 1\n", ["1 place: legal place A1"], ["placed"]),
    ("your last cell, if the knocker shares it, cannot be taken", "de2026",
     LONELY + f" private1=5,3,9/7,2,9/#7,#1,2\n{ACCEPTED}1 place D1\n0 take 1:E1\n",
     ["0 take: legal take 1:B1|", "illegal: no other cell"], ["take 1:E1|", "took"]),
    ("the knock is broken off without this question: the card in the knocker's hand is discarded "
     "(`discarded KNOCKER CARD`) and the turn is over", "de2026",
     LONELY + f" private1=5,5,#9/.,.,./.,.,.\n{ACCEPTED}1 place D1\n",
     ["cleared 1:B1 1:C1 1:D1 5\n    discarded 1 9\n"], ["0 take:", "returned"]),
    ("one of your cells that is neither a gap nor the hole", "de2026",
     KNOCK + f"\n{ACCEPTED}1 place D1\n0 take 1:E2\n0 put A2\n", ["took 0 1:E2 4", "illegal: "], ["put 0:A2"]),
    ("or, with `knock_active_swap=may`, `toss`", "nl2023",
     KNOCK + f"\n{ACCEPTED}1 place D1\n1 none\n0 take 1:B2\n0 toss\n", ["tossed 0 7"], ["illegal"]),
    ("or, with `knock_active_swap=may`, `toss`", "en2020",
     KNOCK + f"\n{ACCEPTED}1 place D1\n0 take 1:B2\n0 toss\n", ["illegal: the taken card must be put"], ["tossed"]),
    ("only triples with the placed card and chains from them can be cleared at `step=knock1`", "nl2023",
     KNOCK.replace("/7,9,9/", "/9,9,9/") + f"\n{ACCEPTED}1 place D1\n1 clear B2 C2 D2\n",
     ["1 clear: legal clear B1 C1 D1|none\n", "illegal: those cells are not a triple"], ["cleared 1"]),
    ("and does not count as a choice", "nl2023",
     KNOCK.replace("/7,9,9/", "/9,9,9/") + f"\n{ACCEPTED}1 place A3\n", ["0 take:"], ["1 clear:"]),
    ("`clear` alone is not asked if there is nothing to choose", "de2026",
     KNOCK + f"\n{ACCEPTED}1 place D1\n", ["cleared 1:B1 1:C1 1:D1 5"], ["1 clear:"]),
    ("You are asked again until there is nothing left to choose.", "nl2023",
     f"seats=2 display0=#4,#2,5,3,#9/5,5,9,2,#6/8,8,5,8,#3 {TWO} draw=1,5 discard=3\n"
     "0 pile\n0 keep C2\n0 clear C1 C2 C3\n",
     ["0 clear: legal clear C1 C2 C3|clear A2 B2 C2|none", "0 clear: legal clear A3 B3 D3|none"], []),
]

CLEARABLE = ("seats=2 edition=nl2023 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,7,2,#8,#3 private1=#3,#6,#9/#4,#7,#10/#5,#8,#11 "
             "draw=5 discard=7 ask=clear clear=move start=A1,B1,C1,D1,E1,A2,B2,C2,D2,E2,A3,B3,C3,D3,E3")
# A sentence of the page; the hello; what the bot answers to `ask 1 clear`; and what the referee makes of it.
ANSWERS = [
    ("The cells stand in the order A1 B1 … E1 A2 … E3; in another order the line is `unreadable`.",
     "hello x", "1 clear B3 B2 B1", "unreadable"),
    ("a `clear` with cells in another order or twice the same", "hello x", "1 clear B1 B1 B2", "unreadable"),
    ("*Answer*: `clear CELL CELL CELL`", "hello x", "1 clear B1 B2 B3", "clear B1 B2 B3"),
    ("an answer with the right number that is well-formed, but is not among the legal ones", "hello x",
     "1 clear A1 A2 A3", "illegal"),
    ("or answers another kind of question", "hello x", "1 pile", "illegal"),
    ("an answer, whatever it is, with the number of another question", "hello x", "2 clear B1 B2 B3", "unasked"),
    ("an answer, whatever it is, with the number of another question", "hello x", "2 rubbish", "unasked"),
    ("an unknown keyword", "hello x", "1 rubbish", "unreadable"),
    ("Options with an unknown key are ignored, whatever their value", "hello x colour=red", "1 none", "none"),
    ("Options with an unknown key are ignored, whatever their value", "hello x colour=", "1 none", "none"),
    ("(An unknown option is not a fault.)", "hello x table=off colour=red legal=on", "1 none", "none"),
    ("a word after NAME without `=`", "hello x colour", "1 none", "bad_hello"),
    ("a known option with a value other than `on` or `off`", "hello x table=maybe", "1 none", "bad_hello"),
    ("the first line is not `hello NAME`", "hullo x", "1 none", "bad_hello"),
]

# Sentences that the matches below prove.
MATCHES = [
    "Then all bots get them as `said`, yours too, before the events of the answer.",
    "if several bidders spoke, in seat order before all bids",
    "in seat order, after all `said` lines of the bidders",
    "`said`, `dismissed`, `result` and `bye` are sent all the same",
    "NAME is the organiser's name for the bot (of its program, or in the tournament file), not the one in its hello",
    "named as the *knocker* sees it",
    "at any other time a `say` is a line that arrived too early, the fault `unasked`",
    "If your answer is a fault, nobody gets them.",
    "It comes before the `said` lines and events of the same question",
    "if one is given twice, the last one counts",
]


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def flat(text):
    return " ".join(text.split())


def check_page(page):
    text = flat(page)
    for sentence in [*(row[0] for row in POSITIONS), *(row[0] for row in ANSWERS), *MATCHES]:
        if flat(sentence) not in text:
            yield f"the page does not say `{sentence}`"


def check_positions():
    for sentence, edition, example, expected, unexpected in POSITIONS:
        done = subprocess.run([PLAY_EXAMPLE, edition, "questions"], input=example, capture_output=True, text=True)
        if done.returncode != 0:
            yield f"{sentence}: {done.stderr}"
        happened = done.stdout[len(example.split("\n0 ")[0]):]
        for words in expected:
            if words not in happened:
                yield f"{sentence}: no `{words}` in {happened}"
        for words in unexpected:
            if words in "\n".join(line for line in happened.splitlines() if line.startswith("    ")):
                yield f"{sentence}: `{words}` in {happened}"


def check_answers(folder):
    for sentence, hello, answer, expected in ANSWERS:
        plan = write_plan(folder, "answer", {"hello": hello, "clear": [[answer]]})
        done = subprocess.run([REFEREE, "ask", *PATIENT, plan, CLEARABLE], capture_output=True, text=True)
        fault = re.search(r"the bot is at fault: ([a-z_]+)", done.stderr)
        came = fault[1] if fault else done.stdout.split("\t")[0]
        if came != expected:
            yield f"{sentence}: `{hello}`, `{answer}` is {came}, not {expected}"


# A bot that follows a plan: the lines of its hello, and for the n-th question of a kind the lines that it writes
# instead of the first legal answer, in which ID is the number of the question.

def follow(path):
    with open(path) as file:
        plan = json.load(file)
    with open(path + ".heard", "w") as heard:
        for line in sys.stdin:
            heard.write(line)
            heard.flush()
            word, *rest = line.split()
            if word == "allegra":
                print(plan["hello"], flush=True)
            elif word == "legal":
                legal = line[6:].strip().split("|")
            elif word == "ask":
                planned = plan.get(rest[1], [])
                lines = planned.pop(0) if planned else None
                print("\n".join(lines or [f"ID {legal[0]}"]).replace("ID", rest[0]), flush=True)


def write_plan(folder, name, plan):
    """Writes the program of a bot, and returns its path."""
    path = os.path.join(folder, name)
    with open(path + ".plan", "w") as file:
        json.dump(plan, file)
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\nexec {sys.executable} {SELF} follow {path}.plan\n")
    os.chmod(path, 0o755)
    return path


def play(folder, plans):
    """Plays a round of two turns each, and returns what each bot heard."""
    paths = [write_plan(folder, f"bot{seat}", plan) for seat, plan in enumerate(plans)]
    done = subprocess.run([REFEREE, "play", "--quiet", *PATIENT, "--seed", "facts", "--set", "turn_limit=2", *paths],
                          capture_output=True, text=True)
    heard = []
    for path in paths:
        with open(path + ".plan.heard") as file:
            heard.append(file.read().splitlines())
    return done, heard


def follows(lines, expected):
    """Whether these lines come one directly after the other."""
    return any(lines[i:i + len(expected)] == expected for i in range(len(lines)))


def check_texts(folder):
    """Seat 0 draws first; in the turn of seat 1 the seats 0 and 2 bid and speak, and seat 0 offers a shared cell."""
    done, heard = play(folder, [
        {"hello": "hello a table=off legal=on", "knock": [["say zero", "ID knock A2"]]},
        {"hello": "hello b table=on table=off events=off legal=on", "knock": [["ID pass"]], "answer": [["ID decline"]]},
        {"hello": "hello c table=off legal=on", "knock": [["ID pass"], ["say two", "say three", "ID knock"]]},
    ])
    bids = ["said 0 zero", "said 2 two", "said 2 three", "knocked 0 0:A2", "knocked 2"]
    if done.returncode != 0:
        yield f"exit code {done.returncode}: {done.stderr}"
    for seat in (0, 2):
        if not follows(heard[seat], bids):
            yield f"seat {seat} did not hear {bids}, but {heard[seat]}"
    if not follows([line for line in heard[1] if not line.startswith("legal ")],
                   bids[:3] + ["ask 5 answer 60000 drawn=" + drawn_by(heard[0], 1) + " bids=0:A2,2:knock bidding=1"]):
        yield f"seat 1 heard {heard[1]}"
    if [line for line in heard[1] if line.startswith(("turned", "passed", "table ", "display "))]:
        yield "seat 1 hears events or tables that it does not want"
    if heard[1][-2].split()[0] != "result" or heard[1][-1] != "bye":
        yield f"without events the end is {heard[1][-2:]}"
    if "player 0 bot0" not in heard[0]:
        yield "the name of a player is not that of the program"


def drawn_by(lines, seat):
    return next(line.split()[3] for line in lines if line.startswith(f"drew pile {seat} "))


def check_dismissals(folder):
    """Seat 2 speaks and then answers what is not legal, while seat 0 speaks and bids."""
    done, heard = play(folder, [
        {"hello": "hello a table=off legal=on", "knock": [["say zero", "ID pass"]]},
        {"hello": "hello b table=off events=off legal=on"},
        {"hello": "hello c legal=on", "knock": [["ID pass"], ["say lost", "ID pile"]]},
    ])
    if done.returncode == 0 or not follows(heard[0], ["dismissed 2 illegal", "said 0 zero", "passed 0"]):
        yield f"exit code {done.returncode}, seat 0 heard {heard[0]}"
    if "dismissed 2 illegal" not in heard[1]:
        yield "without events there is no `dismissed`"
    if any("lost" in line for lines in heard for line in lines):
        yield "the text before a fault is passed on"


def check_too_early(folder):
    done, heard = play(folder, [
        {"hello": "hello a table=off legal=on", "reveal": [["ID turn A1", "say now and not later"]]},
        {"hello": "hello b table=off legal=on"},
    ])
    if done.returncode == 0 or "dismissed 0 unasked" not in heard[1]:
        yield f"exit code {done.returncode}, seat 1 heard {heard[1]}"


def main():
    with open(PAGE) as file:
        page = file.read()
    report("protocol.md says all these sentences", check_page(page))
    report("questions and legal answers are those of protocol.md", check_positions())
    with tempfile.TemporaryDirectory() as folder:
        report("hellos and answers are taken or refused as protocol.md says", check_answers(folder))
        report("texts come to all, before the events, in seat order", check_texts(folder))
        report("a dismissal comes before texts, and takes those of the bot with it", check_dismissals(folder))
        report("a bot that speaks without being asked is dismissed", check_too_early(folder))


if sys.argv[1:2] == ["follow"]:
    follow(sys.argv[2])
else:
    main()
