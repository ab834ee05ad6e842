#!/usr/bin/env python3
"""The page that `referee replay --html` writes: its bytes here, its tables against the rules in node,
and its behaviour in a real browser (viewer.mjs). What is not installed is skipped and said."""

import base64
import hashlib
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import browser
from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
EDITIONS = ["de2026", "en2020", "nl2023", "fr2020", "es2020"]
VOID = {"meta", "input"}


def bot(name):
    return os.path.join(BUILD, "bots", name)


def hostile(name):
    return os.path.join(BUILD, "tests", "hostile", name)


def report(name, problems):
    try:
        problems = list(problems)
    except (ValueError, KeyError, IndexError, subprocess.SubprocessError) as error:
        problems = [repr(error)]
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def run(*arguments):
    return subprocess.run([REFEREE, *arguments], capture_output=True, timeout=SECONDS)


def play(path, seats, *arguments):
    done = run("play", "--quiet", "--log", path, "--seed", os.path.basename(path), "--move-ms", "60000",
               "--start-ms", "60000", *arguments, *seats)
    if done.returncode not in (0, 3):
        raise ValueError(done.stderr.decode())


def make_logs(folder):
    """Every edition with two to six seats; in each log greedy bots knock. And one with bad manners."""
    for number, edition in enumerate(EDITIONS):
        seats = [bot("greedy"), bot("random")] * 3
        play(os.path.join(folder, f"{edition}.ndjson"), seats[:6 - number], "--edition", edition, "--set",
             "knock_rounds=2", "--set", "turn_limit=30")
    few = ["--set", "deck=" + ",".join(["6"] * 13), "--set", "turn_limit=12"]
    play(os.path.join(folder, "few.ndjson"), [bot("random")] * 6, *few)
    play(os.path.join(folder, "end.ndjson"), [bot("random")] * 6, *few, "--rounds", "4", "--set",
         "reshuffle=end_round", "--set", "standing=turn_start", "--set", "knock_active_swap=may")
    play(os.path.join(folder, "limit.ndjson"), [bot("random")] * 3, "--set", "turn_limit=2", "--rounds", "9",
         "--set", "knock_active_swap=may")
    strange = os.path.join(folder, "<img src=x onerror=alert(1)>")
    os.symlink(bot("greedy"), strange)
    play(os.path.join(folder, "manners.ndjson"), [hostile("says_html"), f"'{strange}'", hostile("late"),
         bot("greedy")], "--edition", "nl2023", "--move-ms", "1000")


def add_others(folder):
    """Logs that older versions wrote, and one that was cut off within a line."""
    kept = os.path.join(HERE, "kept")
    for name in os.listdir(kept):
        if name.endswith(".ndjson"):
            shutil.copy(os.path.join(kept, name), os.path.join(folder, "kept-" + name))
    with open(os.path.join(kept, "dismissed.ndjson"), "rb") as file:
        whole = file.read()
    with open(os.path.join(folder, "cut"), "wb") as file:
        file.write(whole[:2 * len(whole) // 3])


def check_events(logs):
    """What no log has, no comparison of tables tries."""
    seen = set()
    for log in logs:
        with open(log) as file:
            for record in map(json.loads, file):
                seen |= {event.split(" ")[0] for event in record.get("ev", "").split("; ")}
                seen |= {"passed" if bid[1] == "pass" else "knocked" for bid in record.get("bids", [])}
    with open(os.path.join(HERE, "..", "..", "protocol.md")) as file:
        events = file.read().split("### Events")[1].split("### Others")[0]
    for word in re.findall("^\\| `([a-z]+)", events, re.MULTILINE):
        if word not in seen:
            yield f"no log has `{word}`"


class Page(html.parser.HTMLParser):
    """Checks that elements close as they opened, and keeps the text of some."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts, self.styles, self.policy, self.wrong = [], [], [], "", None
        self.feed(text)
        self.close()
        if self.open:
            self.wrong = f"open at the end: {self.open}"

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if any(name.startswith("on") or name in ("src", "style") for name in values):
            self.wrong = f"{tag} has {values}"
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        if tag in ("script", "style"):
            (self.scripts if tag == "script" else self.styles).append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong = f"</{tag}> closes nothing"

    def handle_data(self, data):
        if self.open and self.open[-1] in ("script", "style"):
            (self.scripts if self.open[-1] == "script" else self.styles)[-1] += data


def make_pages(folder, logs):
    for log in logs:
        done = run("replay", "--html", log)
        if done.returncode != 0:
            yield done.stderr.decode()
        with open(log.replace(".ndjson", ".html"), "wb") as file:
            file.write(done.stdout)


def page_of(log):
    with open(log.replace(".ndjson", ".html"), encoding="utf-8") as file:
        return Page(file.read())


def check_form(logs):
    for log in logs:
        page = page_of(log)
        if page.wrong or len(page.scripts) != 2 or len(page.styles) != 1:
            yield f"{log}: {page.wrong} {len(page.scripts)} {len(page.styles)}"


def check_log_inside(logs):
    for log in logs:
        text = page_of(log).scripts[0]
        with open(log, encoding="utf-8") as file:
            if json.loads(text) != file.read():
                yield f"{log}: the page has another log"
        if re.search("[<>&]", text):
            yield f"{log}: markup in the log is left as it is"


def check_hostile_texts(folder):
    with open(os.path.join(folder, "manners.ndjson")) as file:
        log = file.read()
    if "</script>" not in log or "<img src=x" not in log:
        yield "the log has no markup to escape"
    with open(os.path.join(folder, "manners.html")) as file:
        page = file.read()
    if page.count("</script") != 2 or "<img" in page:
        yield "what a bot wrote is markup in the page"


def hash_of(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def check_policy(logs):
    for log in logs:
        page = page_of(log)
        expected = ("default-src 'none'; base-uri 'none'; form-action 'none'; script-src "
                    f"{hash_of(page.scripts[1])}; style-src {hash_of(page.styles[0])}")
        if page.policy != expected:
            yield f"{log}: {page.policy}, but it should be {expected}"


def check_no_reach(logs):
    """Nothing in the script makes markup or code of a text, or calls anybody."""
    script = page_of(logs[0]).scripts[1]
    for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "fetch(",
                 "XMLHttp", "import(", "WebSocket", "setAttribute('on"):
        if word in script:
            yield word


def check_refusals(folder, logs):
    with open(logs[0]) as file:
        text = file.read()
    wrong = os.path.join(folder, "wrong")
    for name, changed in (("a changed log", text.replace("turned 0:", "turned 1:", 1)), ("no match", text[:300]),
                          ("nothing", "")):
        with open(wrong, "w") as file:
            file.write(changed)
        done = run("replay", "--html", wrong)
        if done.returncode != 1 or done.stdout or not done.stderr:
            yield f"{name}: {done.returncode}, {len(done.stdout)} bytes"
    if run("replay", "--html", os.path.join(folder, "missing")).returncode != 1:
        yield "a missing file is no failure"


def check_review(folder):
    """A review is data of the page: the log, the policy and the script are those of any page."""
    done = run("review", "--html", "--samples", "16", "--seat", "1", os.path.join(folder, "de2026.ndjson"))
    with open(os.path.join(folder, "review.html"), "wb") as file:
        file.write(done.stdout)
    plain, page = page_of(os.path.join(folder, "de2026.ndjson")), Page(done.stdout.decode())
    if done.returncode != 0 or page.wrong or len(page.scripts) != 3:
        yield f"{done.returncode} {page.wrong} {len(page.scripts)}: {done.stderr}"
    elif [page.scripts[0], page.scripts[2], page.policy] != [*plain.scripts, plain.policy]:
        yield "it is another page"
    elif re.search("[<>&]", page.scripts[1]) or set(json.loads(page.scripts[1])) != {"chances", "luck", "answers"}:
        yield page.scripts[1][:200]


def check_cut(folder):
    done = run("replay", "--html", os.path.join(folder, "cut"))
    if done.returncode != 0 or b"the log is cut off after decision" not in done.stderr:
        yield f"{done.returncode}: {done.stderr}"
    page = Page(done.stdout.decode())
    log = json.loads(page.scripts[0])
    if page.wrong or not log.endswith("}\n") or '{"n":50,' not in log:
        yield f"the page has another log: {page.wrong} {log[-300:]}"


def check_in_node(folder, logs):
    if shutil.which("node") is None:
        print("skip the tables of the page: node is not installed")
        return
    logs = [*logs, os.path.join(folder, "cut")]
    for log in logs:
        with open(log + ".json", "wb") as file:
            file.write(run("replay", "--json", log).stdout)
    browser.pass_on("viewer.mjs", "states", *logs)
    why = browser.missing()
    if why is None:
        browser.pass_on("viewer.mjs", "browser", folder)
    else:
        print(f"skip the page in a browser: {why}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        make_logs(folder)
        add_others(folder)
        logs = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".ndjson"))
        report("the logs have every event", check_events(logs))
        report("every log becomes a page", make_pages(folder, logs))
        report("pages are well formed", check_form(logs))
        report("a page has the log, byte by byte", check_log_inside(logs))
        report("texts of bots stay texts", check_hostile_texts(folder))
        report("the policy names the one script and the one style sheet", check_policy(logs))
        report("the script makes no markup and calls nobody", check_no_reach(logs))
        report("a log that is not right becomes no page", check_refusals(folder, logs))
        report("a log that was cut off becomes a page", check_cut(folder))
        report("a page with a review has the same log, script and policy", check_review(folder))
        # The page is the same whatever the program was compiled with.
        if not BUILD.endswith("sanitize"):
            check_in_node(folder, logs)


if __name__ == "__main__":
    sys.exit(main())
