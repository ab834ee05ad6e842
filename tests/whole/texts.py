#!/usr/bin/env python3
"""The texts of the viewer, the pages and the report: all languages have all of them with the same blanks, all are
used, and each language has its own marks."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys

from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
SAMPLE = os.path.join(BUILD, "tests", "sample_report")
LANGUAGES = ["en", "de", "nl", "fr", "es"]
HARD = "\u00a0\u202f"  # spaces at which no line breaks
QUOTES = {"en": "“”", "de": "„“", "nl": "“”", "fr": "«»", "es": "«»"}
# What a text may not have, in any language or in one.
WRONG = {
    "a straight quote": (LANGUAGES, "[\"'`´]"),
    "three points": (LANGUAGES, r"\.\.\."),
    "a space too many": (LANGUAGES, r"^\s|\s$|\s{2}"),
    "a space before a mark": (["en", "de", "nl", "es"], r"\s[:;!?]"),
    "no hard space before a mark": (["fr"], rf"[^{HARD}][:;!?»]|[^{HARD}]»|«[^{HARD}]"),
    "a space inside quotes": (["es"], r"«\s|\s»"),
    "no hard space before a percent sign": (["en", "fr", "es"], rf"[^{HARD}]%"),
    "a soft space before a percent sign": (["de"], r"[^-\u00a0]%"),
    "a space before a percent sign": (["nl"], r"\s%"),
    "a question without its first mark": (["es"], r"^[^¿]*\?"),
    "a call without its first mark": (["es"], r"^[^¡]*!"),
    "a range or a dash made of a minus sign": (LANGUAGES, r"\s-\s"),
}


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)
    for problem in problems[1:]:
        print(f"    {problem}")


def flatten(texts, where=""):
    """Texts by their path. Of the list of keys only what they do is a text."""
    for key, value in texts.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{where}{key}.")
        elif isinstance(value, list):
            yield from ((f"{where}{key}.{number}", meaning) for number, (_, meaning) in enumerate(value))
        else:
            yield f"{where}{key}", value


def web_texts():
    done = subprocess.run(["node", os.path.join(HERE, "texts.mjs")], capture_output=True, timeout=SECONDS, check=True)
    return {place: {language: dict(flatten(texts)) for language, texts in languages.items()}
            for place, languages in json.loads(done.stdout).items()}


def report_texts():
    done = subprocess.run([SAMPLE, "texts"], capture_output=True, timeout=SECONDS, check=True, text=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {language: {str(number): row[place] for number, row in enumerate(rows)}
            for place, language in enumerate(LANGUAGES)}


def read(*patterns):
    """The files that fit, one after the other; of a table of texts only what follows it."""
    texts = ""
    for name in (name for pattern in patterns for name in sorted(glob.glob(os.path.join(ROOT, pattern)))):
        with open(name, encoding="utf-8") as file:
            text = file.read()
        texts += text.split("\n};\n", 1)[1] if "texts." in name else text
    return texts


def blanks(text):
    return sorted(re.findall(r"\{\w+\}", text))


def check_complete(places):
    for place, languages in places.items():
        if list(languages) != LANGUAGES:
            yield f"{place} has {list(languages)}"
        for language, texts in languages.items():
            if set(texts) != set(languages["en"]):
                yield f"{place}: {language} has other texts: {set(texts) ^ set(languages['en'])}"
            for key, text in texts.items():
                if not text or text == "(null)" or blanks(text) != blanks(languages["en"].get(key, "")):
                    yield f"{place}: {language} {key}: {text}"


def wrong_marks(language, text):
    filled = re.sub(r"\{\w+\}", "X", text)
    for what, (languages, pattern) in WRONG.items():
        if language in languages and re.search(pattern, filled):
            yield what
    for quote in "“”„«»‹›‚‘":
        if quote in filled and quote not in QUOTES[language]:
            yield f"quotes of another language: {quote}"


def check_marks(places):
    for place, languages in places.items():
        for language, texts in languages.items():
            for key, text in texts.items():
                yield from (f"{place}: {language} {key} has {what}: {text}" for what in wrong_marks(language, text))


def check_the_rules():
    """Each of these has one mistake."""
    for language, text in (("en", "it's"), ("de", "„so”"), ("nl", "eh ..."), ("fr", "Lien : X"), ("fr", "Quoi?"),
                           ("fr", "« X »"), ("es", "« X »"), ("es", "Qué?"), ("de", "5 %"), ("en", "so :"),
                           ("es", "“X”"), ("nl", "5 %"), ("fr", " X"), ("es", "X - X")):
        if not list(wrong_marks(language, text)):
            yield f"{language}: {text} passes"


LISTS = {"event", "keys", "reviewKeys", "linkKeys", "questions", "answers"}


def check_used(places):
    """A name is used where it stands in quotes; those of states and kinds are sent by the daemon."""
    for place, extra in (("viewer", []), ("pages", ["referee/serve/queue/*.c"])):
        sources = read(f"referee/web/{place}/*.html", f"referee/web/{place}/*.js", *extra)
        for key in {key.split(".")[0] for key in places[place]["en"]} - LISTS - {"language"}:
            if not re.search(rf"""(['"]){key}\1""", sources):
                yield f"{place}: {key} is not used"
    events = read("referee/game/event.c", "referee/web/viewer/log.js", "referee/web/viewer/texts.js")
    for key in places["viewer"]["en"]:
        if key.startswith("event.") and not re.search(rf"""(['"]){key[6:].split('_')[0]}(_?\1)""", events):
            yield f"viewer: no event is {key[6:]}"
    with open(os.path.join(ROOT, "referee/tournament/report/report_texts.h"), encoding="utf-8") as file:
        names = re.findall(r"^    (REPORT_TEXT_\w+),", file.read(), re.MULTILINE)
    sources = read("referee/tournament/report/*.c")
    for name in names:
        if not re.search(rf"\b{name}\b", sources):
            yield f"report: {name} is not used"


def main():
    report("wrong marks are found", check_the_rules())
    places = {"report": report_texts()}
    report("the report has every text in every language, with the same blanks", check_complete(places))
    report("the report has the marks of each language", check_marks(places))
    if shutil.which("node") is None:
        print("skip the texts of the viewer and the pages: node is not installed")
        return
    places |= web_texts()
    report("the viewer and the pages have every text in every language, with the same blanks", check_complete(places))
    report("the viewer and the pages have the marks of each language", check_marks(places))
    report("every text is used", check_used(places))


if __name__ == "__main__":
    sys.exit(main())
