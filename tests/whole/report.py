#!/usr/bin/env python3
"""Reads reports back with parsers that are not ours: JSON, CSV, XML, HTML, and a real browser (report.mjs) if there is
one."""

import csv
import html.parser
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import browser
from patience import SECONDS

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
SAMPLE = os.path.join(BUILD, "tests", "sample_report")
SIZES = ["2", "8", "40", "70"]
KINDS = ["plain", "hostile", "strange", "empty"]
LANGUAGES = ["en", "de", "nl", "fr", "es"]
VOID = {"meta", "line", "rect", "circle", "path", "col"}
CAUSES = ["late", "illegal", "unreadable", "too_long", "flood", "unasked", "gone", "deaf", "no_start",
          "bad_hello"]


def report(name, problems):
    try:
        problems = list(problems)
    except (ValueError, csv.Error, xml.etree.ElementTree.ParseError, subprocess.SubprocessError) as error:
        problems = [repr(error)]
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def sample(form, kind, size):
    done = subprocess.run([SAMPLE, form, kind, size], capture_output=True, timeout=SECONDS, check=True)
    return done.stdout


def attacks():
    done = subprocess.run([SAMPLE, "attacks"], capture_output=True, timeout=SECONDS, check=True)
    return done.stdout.split(b"\0")[:-1]


def visible(word, kept=""):
    """What the writers for people make of somebody's bytes."""
    shown = ""
    for letter in word.decode("utf-8", "surrogateescape"):
        number = ord(letter)
        if 0xDC80 <= number <= 0xDCFF:
            shown += f"\\x{number - 0xDC00:02x}"
        elif letter in kept:
            shown += letter
        elif number < 0x20 or 0x7F <= number <= 0x9F:
            shown += f"\\x{number:02x}"
        elif number in (0x202E, 0xFFFF):
            shown += f"\\u{{{number:x}}}"
        else:
            shown += letter
    return shown


def repaired(word):
    """What a JSON string makes of them: a byte that is not part of a character becomes the character of its number."""
    return "".join(chr(ord(letter) - 0xDC00) if 0xDC80 <= ord(letter) <= 0xDCFF else letter
                   for letter in word.decode("utf-8", "surrogateescape"))


def check_json():
    for kind in KINDS:
        for size in SIZES:
            document = json.loads(sample("json", kind, size))
            bots = document["bots"]
            if len(bots) != int(size) or [bot["place"] for bot in bots] != list(range(1, len(bots) + 1)):
                yield f"{kind} {size}: the rows are wrong"
            if any(set(bot["time"]) != {"median_us", "p99_us", "boxes"} for bot in bots):
                yield f"{kind} {size}: times are not where they belong"
            if any("_us" in key for bot in bots for key in bot):
                yield f"{kind} {size}: times are outside of `time`"
            if any(sorted(bot["faults"]) != sorted(["total", *CAUSES]) for bot in bots):
                yield f"{kind} {size}: causes of faults are missing"
            if len(document["cross"]) != len(bots) or any(len(row) != len(bots) for row in document["met"]):
                yield f"{kind} {size}: the cross table is not square"


def check_json_words():
    bots = json.loads(sample("json", "hostile", "18"))["bots"]
    for bot, attack in zip(bots, attacks()):
        if bot["name"] != repaired(attack):
            yield f"{attack!r} became {bot['name']!r}"


def rows_of(form, kind, size):
    text = sample(form, kind, size).decode("utf-8")
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def check_csv():
    for kind in KINDS:
        for size in SIZES:
            rows = rows_of("csv", kind, size)
            if len(rows) != int(size) + 1:
                yield f"{kind} {size}: {len(rows)} rows"
            if any(len(row) != len(rows[0]) for row in rows):
                yield f"{kind} {size}: rows are of different lengths"
            if rows[0][-2:] != ["median_us", "p99_us"]:
                yield f"{kind} {size}: times do not come last"
            for row in rows[1:]:
                values = dict(zip(rows[0], row))
                numbers = [values[key] for key in values if key != "name"]
                if not all(re.fullmatch(r"-?\d+(\.\d+)?|", number) for number in numbers):
                    yield f"{kind} {size}: no numbers: {numbers}"


def check_csv_words():
    rows = rows_of("csv", "hostile", "18")
    for row, attack in zip(rows[1:], attacks()):
        expected = visible(attack, kept="\n\r\t")
        if attack[:1] in (b"=", b"+", b"-", b"@", b"\t", b"\r", b"\n"):
            expected = "'" + expected
        if row[2] != expected:
            yield f"{attack!r} became {row[2]!r}"


def check_csv_cross():
    for kind in KINDS:
        for size in SIZES:
            rows = rows_of("cross", kind, size)
            document = json.loads(sample("json", kind, size))
            met = [(row, column) for row, line in enumerate(document["met"], 1)
                   for column, count in enumerate(line, 1) if count > 0]
            if [(int(row[0]), int(row[1])) for row in rows[1:]] != met:
                yield f"{kind} {size}: the pairs differ from those in JSON"
            for row in rows[1:]:
                share = document["cross"][int(row[0]) - 1][int(row[1]) - 1]
                if not math.isclose(float(row[5]), share):
                    yield f"{kind} {size}: {row} is not {share}"


class Balance(html.parser.HTMLParser):
    """Reads a page as a browser would and notes what is wrong with its elements."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.problems = []
        self.ids = []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.note(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        if tag not in VOID:
            self.problems.append(f"<{tag}/> would stay open")
        self.note(tag, attributes)

    def note(self, tag, attributes):
        if tag in ("script", "img", "link", "iframe", "object", "embed", "base", "form"):
            self.problems.append(f"there is a <{tag}>")
        for name, value in attributes:
            if name.startswith("on") or name in ("src", "xlink:href"):
                self.problems.append(f"{tag} has {name}")
            if name == "href" and not value.startswith("#"):
                self.problems.append(f"{tag} leads to {value}")
            if name == "id":
                self.ids.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")


def check_html(form, sizes):
    for kind in KINDS:
        for size in sizes:
            page = sample(form, kind, size).decode("utf-8")
            xml.etree.ElementTree.fromstring(page)
            balance = Balance()
            balance.feed(page)
            balance.close()
            yield from (f"{kind} {size}: {problem}" for problem in balance.problems)
            if balance.open:
                yield f"{kind} {size}: {balance.open} stay open"
            if len(balance.ids) != len(set(balance.ids)):
                yield f"{kind} {size}: an id is there twice"
            links = set(re.findall(r'href="#([^"]*)"', page))
            for labels in re.findall(r'aria-(?:labelled|described)by="([^"]*)"', page):
                links |= set(labels.split())
            if not links <= set(balance.ids):
                yield f"{kind} {size}: links lead nowhere: {links - set(balance.ids)}"


def shown(element, language):
    """What a browser shows of a page in all languages, piece by piece, if that language is chosen."""
    if element.tag in ("style", "title") or element.get("class") == "languages":
        return
    if element.tag not in ("a", "html") and element.get("lang", language) != language:
        return
    if element.get("class") == "comma" and language == "en":
        return
    yield element.text or ""
    for key in ("title", "aria-label"):
        yield element.get(key, "")
    for child in element:
        yield from shown(child, language)
        yield child.tail or ""


def check_html_languages():
    """A page in all languages has what the pages in each of them have, and nothing else."""
    for kind in KINDS:
        for size in ("2", "8"):
            root = xml.etree.ElementTree.fromstring(sample("html", kind, size).decode("utf-8"))
            texts = {}
            for language in LANGUAGES:
                alone = xml.etree.ElementTree.fromstring(sample(language, kind, size).decode("utf-8"))
                if alone.get("lang") != language or alone.find(".//*[@class='comma']") is not None:
                    yield f"{kind} {size}: a page in {language} has other languages"
                texts[language] = " ".join("".join(shown(alone, language)).split())
                if " ".join("".join(shown(root, language)).split()) != texts[language]:
                    yield f"{kind} {size}: {language} is different in a page of its own"
            if len(set(texts.values())) != len(LANGUAGES):
                yield f"{kind} {size}: two languages are alike"


def check_html_numbers():
    """Only English has a decimal point. Names, and numbers of deals and thousands, have others."""
    for language in LANGUAGES:
        root = xml.etree.ElementTree.fromstring(sample(language, "plain", "8").decode("utf-8"))
        text = re.sub(r"greedy-2\.1|(Verteilung|verdeling|donne|reparto) \d+\.\d|\d\.\d{3}\b", "",
                      " ".join(shown(root, language)))
        mark = "." if language == "en" else ","
        found = re.findall(r"\b\d+([.,])\d{1,2}\b", text)
        if len(found) < 100 or set(found) != {mark}:
            yield f"{language}: {len(found)} numbers have {set(found)}"


def check_html_words():
    root = xml.etree.ElementTree.fromstring(sample("html", "hostile", "18").decode("utf-8"))
    names = [row.find("./th/bdi").text or "" for row in root.find(".//table/tbody")]
    for name, attack in zip(names, attacks()):
        if name != visible(attack):
            yield f"{attack!r} became {name!r}"


def check_html_charts():
    """A row a bot that played in every chart, numbers within their limits."""
    for kind, size, played in (("plain", "8", 8), ("plain", "40", 40), ("strange", "40", 39)):
        root = xml.etree.ElementTree.fromstring(sample("html", kind, size).decode("utf-8"))
        for name in ("ratings", "scores", "times"):
            section = root.find(f".//h2[@id='title-{name}']/..")
            rows = [row for row in section.iter("tr") if row.find("./td/svg[@role='img']") is not None]
            if len(rows) != played:
                yield f"{kind} {size}: {name} has {len(rows)} rows"
            for element in section.iter():
                for value in element.attrib.values():
                    if re.fullmatch(r"-?[\d.]+%", value) and not 0 <= float(value[:-1]) <= 100:
                        yield f"{kind} {size}: {name} has something at {value}"


def check_text():
    for kind in KINDS:
        for size in SIZES:
            text = sample("text", kind, size).decode("utf-8")
            if any(ord(letter) < 32 and letter != "\n" or 0x7F <= ord(letter) < 0xA0 for letter in text):
                yield f"{kind} {size}: there are control characters"
            if any(line != line.rstrip() for line in text.split("\n") if "warning: " not in line):
                yield f"{kind} {size}: lines end in spaces"


def look_at_pages():
    why = browser.missing()
    if why is not None:
        print(f"skip the report in a browser: {why}")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, form, kind, size in (("all", "html", "plain", "4"), ("empty", "html", "empty", "3"),
                                       ("wide", "html", "strange", "16"), ("one", "de", "plain", "2"),
                                       *[(language, language, "plain", "4") for language in LANGUAGES]):
            with open(os.path.join(folder, f"{name}.html"), "wb") as file:
                file.write(sample(form, kind, size))
        browser.pass_on("report.mjs", folder)


def main():
    report("json_reads_back", check_json())
    report("json_has_names_as_they_are", check_json_words())
    report("csv_reads_back", check_csv())
    report("csv_has_names_without_formulas", check_csv_words())
    report("csv_cross_table_is_that_of_json", check_csv_cross())
    report("html_is_well_formed_and_loads_nothing", check_html("html", ["2", "8", "70"]))
    report("html_in_one_language_is_well_formed_and_loads_nothing", check_html("es", ["8"]))
    report("html_has_the_same_in_all_languages", check_html_languages())
    report("html_has_the_decimal_mark_of_its_language", check_html_numbers())
    report("html_shows_names_as_text", check_html_words())
    report("html_charts_have_all_bots_within_their_frames", check_html_charts())
    report("text_has_only_visible_letters", check_text())
    # The page is the same whatever the program was compiled with.
    if not BUILD.endswith("sanitize"):
        look_at_pages()


if __name__ == "__main__":
    sys.exit(main())
