#!/usr/bin/env python3
"""The game in five minutes, `referee rules --explain`: its examples are played, its lists are held against the
table of rule keys, and what the printed sheets say must be in it. The first chapter of protocol.md is that page.

usage: explain.py          runs the tests
       explain.py write    writes the page into protocol.md"""

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
EDITIONS = ["de2026", "en2020", "nl2023", "fr2020", "es2020"]
ALL = " ".join(EDITIONS)
CHAPTER = re.compile(r"(?ms)^(## 1 The game\n\n)(.*?)(\n## 2 )")

# What the sheets say, sentence by sentence in our own words; the editions whose sheet says it; and the words of
# the page of such an edition that say the same.
SENTENCES = [
    (ALL, "the aim is the lowest score", "**The lowest score wins.**"),
    (ALL, "120 cards, -1 to 11", "120 cards with the values -1 to 11"),
    ("en2020 es2020", "8, 11 and 9 of each", '"8 each, 11 each, 9 each"'),
    (ALL, "2 or 3 players remove two of each value: 94 cards", "With 2 or 3 players, two cards of each value are removed, which leaves 94"),
    (ALL, "a dealer is found", "Seat 0 deals the first round. (At a real table: whoever is chosen, or had the most recent birthday.)"),
    (ALL, "12 cards each, face down", "each player gets 12 of them face down"),
    (ALL, "nobody looks at them", "Nobody may look at them"),
    ("de2026", "nine in a grid, three on the left", "fill your private cells and the shared column on your left"),
    ("en2020 nl2023 fr2020 es2020", "a grid of 3 rows and 4 columns", "fill a grid of your private cells and the shared column on your right, row by row"),
    (ALL, "the shared columns are marked", "a marker lies at each shared column"),
    (ALL, "the shared columns belong to both neighbours: 15 cards", "Your *display* has 15 cells"),
    (ALL, "the left column is the left neighbour's right one", "your column A is column E of your left neighbour"),
    (ALL, "the 3x3 cards between them are private", "Columns B, C and D are yours alone"),
    (ALL, "the rest is the draw pile, its top card the discard pile", "its top card is turned up and starts the *discard pile*"),
    (ALL, "everybody turns up two cards, shared ones too", "turn up any two cards of their displays, one after the other, so that they see the first before they choose the second; shared ones too"),
    ("de2026", "the dealer begins to turn up", "The dealer is the *starter*"),
    (ALL, "turns pass clockwise", "the turns pass clockwise"),
    ("en2020 nl2023 fr2020 es2020", "the dealer's left neighbour starts", "The left neighbour of the dealer is the *starter*"),
    (ALL, "draw from either pile", "**Draw** the top card of the draw pile or of the discard pile, and show it to all"),
    (ALL, "keep it: swap it with any card, up or down", "**Keep** the card: it replaces any card of your display, up or down, and lies face up"),
    (ALL, "or discard it and turn up a card", "**drop** it on the discard pile, and then turn up one of your cards that are down"),
    (ALL, "cards are always laid face up", "are always face up"),
    (ALL, "three equal cards of a column, up", "A *column triple* is a column of three equal cards that are up"),
    (ALL, "three equal cards of a row, next to each other", "The three cards of a row must be next to each other"),
    ("de2026 en2020", "a row is cleared", "A row triple must be cleared"),
    ("nl2023 fr2020 es2020", "a row may be cleared", "A row triple may be cleared"),
    ("de2026 en2020 es2020", "a column is cleared", "A column triple must be cleared"),
    ("nl2023 fr2020", "a column may be cleared", "A column triple may be cleared"),
    (ALL, "the swapped card is discarded after clearing", "A card that was set aside goes on the discard pile last, on top of the cleared cards"),
    (ALL, "cleared cards lie on a dropped one", "A dropped card lies under them"),
    (ALL, "of a row and a column the player chooses", "if a row and a column overlap, you choose which triple to clear"),
    (ALL, "gaps stay, and are ignored", "Cleared cells become gaps, which are not filled again"),
    (ALL, "gaps are ignored in rows", "Gaps between them do not matter"),
    (ALL, "a cleared column can lead to a row", "the gaps of a cleared column can bring three equal cards of a row together"),
    ("de2026 en2020 fr2020", "that row is cleared too", "A chain must be cleared"),
    ("nl2023 es2020", "that row may be cleared too", "A chain may be cleared"),
    (ALL, "around the corner", "A row triple across gaps, from one shared column to the other"),
    (ALL, "only the active player clears, but in a knock", "Only the active player clears and, in an accepted knock, the knocker"),
    (ALL, "no knocking with two", "With three or more players, an opponent may knock"),
    (ALL, "knocking is for a card from the draw pile", "may knock for a card from the draw pile"),
    (ALL, "not for one from the discard pile", "Nobody may knock for a card from the discard pile"),
    (ALL, "the active player accepts one, or none", "The active player accepts one knock of several, or declines and continues with step 2"),
    (ALL, "players may negotiate and advise", "Players may talk: negotiate, advise"),
    (ALL, "the knocker swaps the card", "The knocker places the drawn card face up in any cell of the display"),
    (ALL, "and takes the old one in hand", "takes the card that was there into the hand"),
    ("de2026", "openly", "The card in the knocker's hand is shown to all"),
    ("de2026 en2020 es2020", "the knocker clears", "In step 2 the knocker must clear"),
    ("nl2023 fr2020", "the knocker may clear", "In step 2 the knocker may clear"),
    ("nl2023 fr2020", "what this action made possible", "only triples with the placed card count"),
    (ALL, "the active player takes any card of the knocker", "The active player takes any card of the knocker's display, up or down, shared ones too"),
    ("de2026 en2020 fr2020 es2020", "and replaces an own one", "the taken card must be put in a cell"),
    ("nl2023", "and may swap it", "the taken card may be tossed on the discard pile instead"),
    ("de2026", "then clears", "The active player clears in step 5, not in step 8"),
    ("en2020 nl2023 fr2020 es2020", "the turn ends after a clearing", "The active player clears in step 8, not in step 5"),
    ("de2026 en2020 es2020", "and only then discards", "The replaced card goes on the discard pile after the active player's last clearing"),
    ("nl2023 fr2020", "the replaced card is discarded, then", "The replaced card goes on the discard pile at once, in step 4"),
    (ALL, "the knocker fills the place that is free now", "The knocker puts the card in hand face up into the hole"),
    ("de2026", "and clears again", "In step 7 the knocker clears"),
    (ALL, "not with three cards or fewer", "A player with three cards or fewer may not knock"),
    (ALL, "not after the last move of the final round", "one who has already had the last turn"),
    (ALL, "all cards up or cleared, by whoever's action: the final round", "The first player who becomes complete, in whoever's turn, is the *trigger*"),
    ("de2026", "of two the active player is the trigger", "the active player is the trigger if complete"),
    ("en2020 nl2023 fr2020 es2020", "the first player without down cards", "the first is the trigger"),
    (ALL, "one last move for all others", "each of the others has exactly one more turn"),
    (ALL, "complete players are skipped", "Complete players are skipped"),
    ("en2020 nl2023 fr2020 es2020", "complete players can do nothing", "A player without a card that is down may not knock"),
    (ALL, "then all cards are turned up, and nothing is cleared", "all cards that are still down are turned up. Nothing is cleared any more"),
    (ALL, "the cards are added, shared ones for both", "The cards that are left in your display are added up, shared ones in full"),
    (ALL, "-10 for an empty display", "If all 15 are cleared, you get -10 points"),
    (ALL, "the trigger must be lowest alone, or points double", "the trigger must have fewer points than everybody else. Otherwise the points of the trigger are doubled if they are positive"),
    ("de2026", "but not negative ones", "If they are negative, they stay as they are"),
    ("en2020 nl2023 fr2020 es2020", "negative ones are halved", "If they are negative, they are halved. Half points exist"),
    (ALL, "the lowest score wins, ties share", "The lowest score wins the round; equal scores share the win"),
    ("en2020 nl2023 fr2020 es2020", "three rounds", "A match is three rounds"),
    (ALL, "points of all rounds are added", "The points of all rounds are added; the lowest total wins"),
    (ALL, "the left neighbour deals next", "After each round the left neighbour of the dealer becomes the dealer"),
    (ALL, "another number of rounds", "1 to 100 are possible"),
]
# What is only on the page of all editions: variants that no edition plays by default.
VARIANTS = [
    ("a limit of 66 or 77 points", "a total reaches or exceeds 66 points"),
    ("66 or 77", "The sheets propose 66 or 77"),
    ("no knocking with children", "Nobody knocks: the simple game, for younger children"),
    ("author and publishers", "a game by Bella Lucca, published by Drei Hasen in der Abendsonne, by IELLO"),
    ("we are not they", "This project is not affiliated with them"),
    ("our reading of the deck", "That these are the values in the picture is our reading"),
    ("our reading of de2026", "de2026 does not say whether a complete player may knock"),
]


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def run(*arguments):
    return subprocess.run([REFEREE, "rules", *arguments], capture_output=True, text=True)


def explain(*edition):
    """The page without its title, which names the edition."""
    title, _, page = run("--explain", *edition).stdout.partition("\n\n")
    return page if title == ", edition ".join(["# The game of ALLEGRA", *edition]) else title


def examples(page):
    return re.findall(r"^```example\n(.*?)^```$", page, re.M | re.S)


def check_examples(page, edition):
    """Each example, played, is the example again."""
    if len(examples(page)) < 10:
        yield f"{len(examples(page))} examples"
    for text in examples(page):
        done = subprocess.run([PLAY_EXAMPLE, edition], input=text, capture_output=True, text=True)
        if done.stdout != text:
            shown, played = text.splitlines(), done.stdout.splitlines()
            wrong = [pair for pair in zip(shown, played + [""] * len(shown)) if pair[0] != pair[1]]
            yield f"{edition}: {wrong[:1]} {done.stderr} in {text}"


def items(page):
    """The rules in lists: key, value and what stands behind it."""
    flat = re.sub(r"\n  +", " ", page)
    return [match.groups() for match in re.finditer(r"(?m)^- .*\(`([a-z_0-9]+)=([^`]*)`(.*)\)$", flat)]


def check_items(pages, data):
    """The lists have every value of every key, and the right editions."""
    found = {(key, value): rest for key, value, rest in items(pages[""])}
    for entry in data["keys"]:
        values = entry["values"].split(", ")
        if not re.search(r"\d", entry["values"]):
            for value in values:
                if (entry["key"], value) not in found:
                    yield f"nothing about {entry['key']}={value}"
        elif not any(key == entry["key"] for key, _ in found):
            yield f"nothing about {entry['key']}"
    for (key, value), rest in found.items():
        having = [name for name in EDITIONS if text_of(data["editions"][name][key]) == value]
        expected = "no edition" if not having else "all editions" if having == EDITIONS else ", ".join(having)
        if rest != f": {expected}":
            yield f"{key}={value} is said to be in{rest}, but is in {expected}"
    for name in EDITIONS:
        for key, value, _ in items(pages[name]):
            if text_of(data["editions"][name][key]) != value:
                yield f"the page of {name} has {key}={value}"
        held = {key for key, _, _ in items(pages[name])}
        if held != {entry["key"] for entry in data["keys"]}:
            yield f"the page of {name} has nothing about {sorted({e['key'] for e in data['keys']} - held)}"


def text_of(value):
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def check_keys(pages, data):
    """The table of keys at the end, and the list of those that are the same in all."""
    for entry in data["keys"]:
        key = entry["key"]
        row = [text_of(data["editions"][name][key]) for name in EDITIONS]
        if len(set(row)) > 1 and f"| `{key}` | {' | '.join(row)} |" not in pages[""]:
            yield f"the row of {key}"
        if len(set(row)) == 1 and f"`{key}={row[0]}`" not in pages[""].split("The same in all editions:")[1]:
            yield f"{key} is the same in all editions"
        for name, value in zip(EDITIONS, row):
            if f"`{key}={value}`" not in pages[name].split("### The keys")[1]:
                yield f"{key} is not among the keys of {name}"


def flat(page):
    return " ".join(page.replace("**your", "your").replace("neighbour**", "neighbour").split())


def check_sentences(pages):
    texts = {name: flat(page) for name, page in pages.items()}
    for editions, meaning, words in SENTENCES:
        for name in ["", *editions.split()]:
            if flat(words) not in texts[name]:
                yield f"{name or 'all editions'}: {meaning}: `{words}` is not there"
    for meaning, words in VARIANTS:
        if words not in texts[""]:
            yield f"{meaning}: `{words}` is not there"


def check_sizes(page):
    """The table of sizes fits the deck."""
    deck = json.loads(run("--json").stdout)["editions"]["de2026"]["deck"]
    rows = re.findall(r"(?m)^\| (\d) \| (\d+) \| (\d+) \| (\d+) \|$", page)
    if [int(row[0]) for row in rows] != [2, 3, 4, 5, 6]:
        yield f"it has the rows {rows}"
    for players, cards, dealt, left in (map(int, row) for row in rows):
        whole = sum(deck) - (2 * len(deck) if players < 4 else 0)
        if (cards, dealt, left) != (whole, 12 * players, whole - 12 * players - 1):
            yield f"{players} players"


def check_mistakes():
    for arguments in (["--explain", "--json"], ["--explain", "en2021"], ["--explain", "en2020", "de2026"]):
        done = run(*arguments)
        if done.returncode != 2 or done.stdout or len(done.stderr.splitlines()) < 1:
            yield f"{arguments}: exit code {done.returncode}, {done.stdout[:80]}{done.stderr}"


def check_width(pages):
    for name, page in pages.items():
        for line in page.splitlines():
            if len(line) > 104 and not line.startswith("|"):
                yield f"{name}: {line}"


def check_variants(pages, data):
    """The page of a variant has its own rules, and the examples of its edition."""
    whole = dict(data["variants"]["en2020-66"]["rules"], deck="9,9,9,9,9,9,9,9,9,9,9,9,9", rounds=7, turn_limit=6,
                 knock_rounds=4, score_limit=500, knock="off")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "own.json")
        with open(path, "w") as file:
            json.dump({"name": "own", "edition": "en2020", "rules": whole}, file)
        cases = [(name, name, entry["edition"], entry["rules"]) for name, entry in data["variants"].items()]
        for word, name, edition, rules in [*cases, (path, "own", "en2020", whole)]:
            title, _, page = run("--explain", word).stdout.partition("\n\n")
            if title != f"# The game of ALLEGRA, edition {edition}, variant {name}":
                yield f"{name}: {title}"
            if {key: value for key, value, _ in items(page)} != {key: text_of(rules[key]) for key in rules}:
                yield f"{name} has {items(page)}"
            if examples(page) != examples(pages[edition]):
                yield f"{name} has other examples than {edition}"


def check_chapter(page):
    with open(PAGE) as file:
        chapter = CHAPTER.search(file.read())
    if chapter is None or chapter[2] != page:
        yield "they differ; `tests/whole/explain.py write` copies the page"


def write(page):
    with open(PAGE) as file:
        text = file.read()
    with open(PAGE, "w") as file:
        file.write(CHAPTER.sub(lambda match: match[1] + page + match[3], text))


def main():
    data = json.loads(run("--json").stdout)
    pages = {name: explain(*[name] if name else []) for name in ["", *EDITIONS]}
    for name, page in pages.items():
        report(f"the examples of the page of {name or 'all editions'} are played as they stand",
               check_examples(page, name or EDITIONS[0]))
    report("every value of every rule key is explained, with its editions", check_items(pages, data))
    report("the page shows the keys of all editions", check_keys(pages, data))
    report("the page of a variant has its rules", check_variants(pages, data))
    report("the page has every rule of the sheets", check_sentences(pages))
    report("the page has the right numbers of cards", check_sizes(pages[""]))
    report("the page fits a terminal", check_width(pages))
    report("--explain refuses what it cannot explain", check_mistakes())
    report("the first chapter of protocol.md is the page", check_chapter(pages[""]))


if sys.argv[1:] == ["write"]:
    write(explain())
else:
    main()
