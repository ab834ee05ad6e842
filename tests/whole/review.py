#!/usr/bin/env python3
"""Real logs through the real `referee review`."""

import json
import math
import os
import subprocess
import sys
import tempfile

from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
BOTS = os.path.join(BUILD, "bots")
GREEDY, RANDOM = os.path.join(BOTS, "greedy"), os.path.join(BOTS, "random")
STRONG = f"{os.path.join(BOTS, 'strong')} --samples 100"
PATIENT = ["--move-ms", "60000", "--start-ms", "60000"]

# Answers as strong does, except that its last move of the round puts a higher card on its lowest one. It notes which.
BLUNDERER = """#!/usr/bin/env python3
import subprocess, sys
strong = subprocess.Popen({strong!r}.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
planted, display = 0, ""
for line in sys.stdin:
    strong.stdin.write(line)
    words = line.split()
    pairs = dict(word.split("=", 1) for word in words if "=" in word)
    if words[0] == "match":
        me = pairs["seat"]
    if words[0] == "table":
        turn, is_final = pairs["turn"], pairs["trigger"] != "-"
    if words[0] == "display" and words[1] == me:
        display = words[2]
    if words[0] in ("allegra", "ask"):
        answer = strong.stdout.readline()
        if words[2:3] == ["move"] and is_final and planted == 0:
            cells = [(face, column + str(row + 1)) for row, faces in enumerate(display.split("/"))
                     for column, face in zip("ABCDE", faces.split(",")) if face not in "?._"]
            face, cell = min(((int(face), cell) for face, cell in cells), default=(9, ""))
            if int(pairs["drawn"]) - face >= 5:
                planted = 1
                answer = f"{{words[1]}} keep {{cell}}\\n"
                with open({note!r}, "a") as file:
                    file.write(f"{{me}} {{turn}} keep {{cell}}\\n")
        sys.stdout.write(answer)
        sys.stdout.flush()
"""


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def run(*arguments, **more):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=SECONDS, **more)


def play(path, bots, *options):
    done = run("play", "--quiet", "--log", path, *PATIENT, *options, *bots)
    if done.returncode not in (0, 3):
        raise ValueError(done.stderr)
    return path


def review(log, *options):
    done = run("review", "--json", *options, log)
    if done.returncode != 0:
        raise ValueError(done.stderr)
    return json.loads(done.stdout)


def make_blunders(folder, number):
    """A match in which strong may play as nobody would. Returns its log and what was planted."""
    program, note = os.path.join(folder, "blunderer"), os.path.join(folder, f"planted{number}")
    with open(program, "w") as file:
        file.write(BLUNDERER.format(strong=STRONG, note=note))
    os.chmod(program, 0o755)
    log = play(os.path.join(folder, f"blunders{number}.ndjson"), [program] * 4, "--seed",
               f"blunders {number}")
    if not os.path.exists(note):
        return log, []
    with open(note) as file:
        return log, [tuple(line.strip().split(" ", 2)) for line in file]


def check_planted(folder):
    """Not every last move gets a high card, and strong makes mistakes of its own: so several matches count."""
    places = []
    for number in range(10):
        if len(places) >= 2:
            break
        log, planted = make_blunders(folder, number)
        for seat, turn, answer in planted:
            worst = review(log, "--samples", "64", "--seat", seat)["worst"]
            found = [place for place, decision in enumerate(worst, start=1)
                     if (str(decision["turn"]), decision["do"]) == (turn, answer)]
            if not found:
                yield f"{answer} in turn {turn} is not among {[decision['do'] for decision in worst]}"
            places += found
    if len(places) < 2 or 2 * places.count(1) < len(places):
        yield f"the places of planted blunders are {places}"


def check_text(log, document):
    """The same number of deals gives the same review, and the text says what the document says."""
    text = run("review", "--samples", "32", "--seat", "1", log).stdout
    for decision in document["worst"]:
        for words in (f"Decision {decision['n']} ", f"`{decision['do']}`", f"`{decision['better']}` was better",
                      f"replay --at {decision['n']} {log} | referee ask --seat 1 BOT -"):
            if words not in text:
                yield f"{words} is not in {text}"
    seat = document["seats"][1]
    if f"{seat['luck_points']:+.1f}" not in text:
        yield f"luck {seat['luck_points']}: {text}"
    typical = ", ".join(f"{bot} {points}" for bot, points in document["typical_points_per_round"].items())
    if f"four of a kind: {typical}.\n" not in text or not typical.startswith("strong "):
        yield f"typical losses are {typical}: {text}"
    if "not judged" not in text.split("\n")[3]:
        yield text


def check_document(log, document):
    with open(log) as file:
        records = [json.loads(line) for line in file]
    decided = {record["n"]: record for record in records if "n" in record and "fault" not in record}
    mine = [decision for decision in document["decisions"] if decision["seat"] == 1]
    if len(mine) != len(document["decisions"]) or len(mine) != document["seats"][1]["choices"]:
        yield "other decisions than those of seat 1"
    for decision in mine:
        record = decided[decision["n"]]
        if decision["do"] not in (record.get("do"), *(bid[1] for bid in record.get("bids", []))):
            yield f"decision {decision['n']} is {record}"
    if [moment["n"] for moment in document["moments"]] != sorted(decided)[-len(document["moments"]):]:
        yield "the moments are not those of the log"
    if not document["worst"] or any(not decision["sure"] for decision in document["worst"]):
        yield f"the worst: {document['worst']}"


def check_positions(log, document):
    """The position of a blunder is the question that was asked, and a bot can be asked it again."""
    for decision in document["worst"]:
        moment = json.loads(run("replay", "--json", "--at", str(decision["n"]), log).stdout)
        if moment["position"] != decision["position"] or moment["question"] != decision["question"]:
            yield f"decision {decision['n']}: {decision['position']}"
        asked = run("ask", *PATIENT, "--seat", "1", GREEDY, decision["position"])
        if asked.returncode != 0:
            yield asked.stderr


def check_seeds(log, first):
    """Reviews on other deals agree."""
    second = review(log, "--samples", "32", "--seat", "1", "--seed", "9")
    one, other = (document["seats"][1]["lost_per_round"] for document in (first, second))
    if abs(one["points"] - other["points"]) > 4 * math.hypot(one["points_error"], other["points_error"]):
        yield f"{one} and {other}"
    if first["moments"] != second["moments"]:
        yield "luck or chances depend on the seed"


def check_budget(log):
    """Without time for whole deals only the screening is left, and says so."""
    text = run("review", "--budget-s", "0", "--seat", "1", log).stdout
    if "(not confirmed)" not in text or "There was no time to confirm" not in text:
        yield text


def check_cut(folder, log):
    cut = os.path.join(folder, "cut")
    with open(log) as file, open(cut, "w") as other:
        other.write("".join(file.readlines()[:70]) + '{"n":')
    done = run("review", "--samples", "4", "--seat", "1", cut)
    if done.returncode != 0 or "not finished" not in done.stdout or "is cut off" not in done.stderr:
        yield f"{done.returncode}: {done.stdout} {done.stderr}"
    if "replay --at" in done.stdout:
        yield "replay gives no position of a log without a seed"
    document = review(cut, "--samples", "4", "--seat", "1")
    if document["finished"] or "place" in document["seats"][0]:
        yield "a match that was cut off has places"
    for decision in document["worst"]:
        if run("ask", *PATIENT, "--seat", "1", GREEDY, decision["position"]).returncode != 0:
            yield decision["position"]


def check_faults(folder):
    log = os.path.join(HERE, "kept", "dismissed.ndjson")
    done = run("review", "--samples", "4", log)
    document = review(log, "--samples", "4")
    count = max(seat["autopilot"] for seat in document["seats"])
    if count == 0 or f"Not judged: {count} answer" not in done.stdout or "by the autopilot" not in done.stdout:
        yield f"{count}: {done.stdout} {done.stderr}"


def check_branch(folder, log):
    branch = os.path.join(folder, "branch.ndjson")
    done = run("replay", "--branch", "60", "--log", branch, log, "--", GREEDY, GREEDY, GREEDY)
    document = review(branch, "--samples", "4", "--seat", "0")
    if done.returncode != 0 or document["seats"][0]["given"] < 5:
        yield f"{done.stderr} {document['seats'][0]}"
    if any(decision["n"] < 60 for decision in document["decisions"]):
        yield "decisions of the log that it branches off are judged"


def check_wrong(folder, log):
    wrong = os.path.join(folder, "wrong")
    with open(log) as file, open(wrong, "w") as other:
        other.write(file.read().replace("turned 0:", "turned 1:", 1))
    for path, words in ((wrong, "line"), (os.path.join(folder, "missing"), "missing")):
        done = run("review", path)
        if done.returncode != 1 or done.stdout or words not in done.stderr:
            yield f"{done.returncode}: {done.stdout[:100]} {done.stderr}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        log = play(os.path.join(folder, "log.ndjson"), [GREEDY, RANDOM, GREEDY], "--seed", "review")
        document = review(log, "--samples", "32", "--seat", "1")
        report("all choices of a seat are judged", check_document(log, document))
        report("the summary says what the document says", check_text(log, document))
        report("the position of a blunder is the question that was asked", check_positions(log, document))
        report("reviews on other deals agree", check_seeds(log, document))
        report("without time nothing is confirmed", check_budget(log))
        report("a log that was cut off is reviewed as far as it goes", check_cut(folder, log))
        report("answers of the autopilot are not judged", check_faults(folder))
        report("given answers of a branch are not judged", check_branch(folder, log))
        report("a log that is not right is not reviewed", check_wrong(folder, log))
        report("planted blunders are at the top of the list of strong", check_planted(folder))


if __name__ == "__main__":
    sys.exit(main())
