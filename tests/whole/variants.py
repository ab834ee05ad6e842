#!/usr/bin/env python3
"""Variants of the rules: every command that takes an edition takes one, by its name or as a file; bots, logs,
reports and the command that repeats a match have its name; mistakes have places; and a daemon opens no file."""

import json
import os
import re
import shlex
import tempfile

from daemon import GREEDY as CONTAINED, Daemon, Refused
from organiser import GREEDY, RANDOM, Cup, expect, read_records, read_text, report, run, write_file, write_script
from patience import until

PATIENT = ["--start-ms", "600000", "--move-ms", "600000"]
RULES = {"rounds": 1, "turn_limit": 6, "knock": False}
POSITION = "seats=2 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 private1=#3,#6,#9/#4,#7,#10/#5,#8,#11 discard=7"


def header(log):
    return read_records(log)[0]


def heard(folder):
    """What the spying bot was told at the beginning of its matches."""
    path = os.path.join(folder, "heard")
    lines = read_text(path).splitlines() if os.path.exists(path) else []
    if lines:
        os.unlink(path)
    return lines


def spy(folder):
    return write_script(folder, "spy", f'echo "$id $rest" >>{folder}/heard')


def quick(folder, name="quick", edition="en2020", **rules):
    path = os.path.join(folder, f"{name}.json")
    return write_file(path, "// ours\n" + json.dumps({"name": name, "edition": edition, "rules": rules or RULES}))


def check_play(folder):
    """The name is told and logged, the log is proved, and the match can be repeated."""
    log, again = f"{folder}/a.ndjson", f"{folder}/again.ndjson"
    for options, name, edition in [(["--edition", quick(folder)], "quick", "en2020"),
                                   (["--edition", "fr2020-77"], "fr2020-77", "fr2020"),
                                   (["--set", "turn_limit=3", "--variant", "hasty"], "hasty", "de2026"),
                                   (["--edition", "fr2020-77", "--set", "talk=off"], None, "fr2020")]:
        leaver = write_script(folder, "leaver", on_ask="[ $asked -lt 3 ] || exit 0")
        done = run("play", "--json", "--seed", "7", *options, *PATIENT, "--log", log, spy(folder), leaver)
        yield from expect(done, 3, "to play it again")
        match = json.loads(done.stdout)["matches"][0]
        if (match["edition"], match["variant"]) != (edition, name or ""):
            yield f"{options}: {match}"
        if header(log)["edition"] != edition or header(log).get("variant") != name:
            yield f"{options}: the log has {header(log).get('variant')}"
        told = heard(folder)
        if len(told) != 1 or f" edition={edition} {f'variant={name} ' if name else ''}move_ms=" not in told[0]:
            yield f"{options}: the bot was told {told}"
        yield from expect(run("replay", "--verify", log), 0)
        command = shlex.split(re.search(r"to play it again: referee (.*)", done.stderr)[1])
        run(*command, cwd=folder)
        if header(again).get("variant") != name or header(again)["rules"] != header(log)["rules"]:
            yield f"{options}: {command} plays {header(again).get('variant')}"
        os.unlink(again)
        if name and f"{edition}, variant {name}, 2 seats" not in run("replay", log).stdout:
            yield f"{options}: replay does not show its name"
        heard(folder)
    summary = run("play", "--quiet", "--matches", "2", "--edition", quick(folder), *PATIENT, GREEDY, GREEDY).stdout
    if "variant: quick, of en2020\n" not in summary:
        yield summary


def check_compare(folder):
    store = f"{folder}/store"
    options = ["compare", "--quiet", "--store", store, "--most", "2", "--workers", "1", *PATIENT]
    done = run(*options, "--edition", quick(folder), GREEDY, RANDOM)
    if done.returncode not in (0, 1) or header(f"{store}/logs/000001/01.ndjson.zst").get("variant") != "quick":
        yield f"{done}"


def check_ask(folder):
    for options, expected in [(["--edition", quick(folder)], "edition=en2020 variant=quick "),
                              (["--edition", "nl2023-66"], "edition=nl2023 variant=nl2023-66 "), ([], "edition=de2026 move_ms"),
                              (["--set", "rounds=9"], "edition=de2026 move_ms")]:
        yield from expect(run("ask", *PATIENT, *options, spy(folder), POSITION), 0)
        told = heard(folder)
        if len(told) != 1 or f" {expected}" not in told[0]:
            yield f"{options}: {told}"
    yield from expect(run("ask", *PATIENT, spy(folder), POSITION.replace(" ", " edition=nl2023-66 ", 1)), 0)
    yield from expect(run("ask", "--set", "rounds=9", GREEDY, POSITION + " edition=en2020"), 2, "has an edition already")


def check_check(folder):
    """The scenarios are played by these rules and no others."""
    for options, name, words in [(["--edition", quick(folder)], "quick", "variant=quick"),
                                 (["--set", "knock=off", "--set", "turn_limit=5"], "", "edition=de2026 move_ms")]:
        done = run("check", "--json", *PATIENT, *options, spy(folder))
        yield from expect(done, 0)
        data = json.loads(done.stdout)
        told = heard(folder)
        if data["variant"] != name or len(data["editions"]) != 1 or data["met"]["knock"] != 0 or data["met"]["draw"] == 0:
            yield f"{options}: {data['variant']}, {data['editions']}, {data['met']}"
        if not told or sum(words in line for line in told) < len(told) - 1:
            yield f"{options}: {told}"
    text = run("check", *PATIENT, "--edition", quick(folder), RANDOM).stdout
    for line in ("variant: quick", "rules that differ from the edition: turn_limit=6 knock=off rounds=1", "editions: en2020"):
        if line not in text:
            yield text
    yield from expect(run("check", "--set", "deck=1,1,1,1,1,1,1,1,1,1,1,1,1", GREEDY), 2, "deck has")


def check_rules(folder):
    lines = run("rules", quick(folder)).stdout.splitlines()
    if lines[0] != "# quick: en2020 with turn_limit=6 knock=off rounds=1" or "knock=off" not in lines or len(lines) != 28:
        yield f"{lines}"
    values = json.loads(run("rules", "--json", quick(folder)).stdout)
    if (values["rounds"], values["knock"], values["starter"]) != (1, "off", "left"):
        yield f"{values}"
    bundled = json.loads(run("rules", "--json").stdout)["variants"]
    shown = re.findall(r"(?m)^  (\S+) +(\S+) with (\S+): (.*)$", run("rules").stdout)
    if [(name, entry["edition"], entry["change"], entry["meaning"]) for name, entry in bundled.items()] != shown:
        yield f"{shown}"
    for name, entry in bundled.items():
        if json.loads(run("rules", "--json", name).stdout) != entry["rules"]:
            yield f"{name} has other rules"


def check_tournament(folder):
    """The reports have the name; it may change when the tournament is resumed, the rules may not."""
    quick(folder)
    cup = Cup(folder, edition="quick.json", rules={}, deals=1)
    yield from expect(cup.play("--quiet"), 0)
    for name in ("standings.txt", "standings.json", "report.html"):
        if "quick" not in read_text(os.path.join(cup.store, name)):
            yield f"{name} has no name"
    if {header(log).get("variant") for log in cup.logs()} != {"quick"}:
        yield "the logs have no name"
    cup.change(deals=2, variant="slow")
    yield from expect(cup.play("--quiet"), 1, "deals was 1 and is 2 now")
    yield from expect(cup.play("--quiet", "--accept-changes"), 0)
    if {header(log).get("variant") for log in cup.logs()} != {"quick", "slow"}:
        yield "the new logs do not have the new name"
    yield from expect(run("replay", "--verify", cup.store), 0)
    cup.change(rules={"talk": False})
    yield from expect(cup.play("--quiet"), 1, "rules was")


MISTAKES = [
    ('{"name": "a",\n "rules": {"knok": false}}', ':2:12: rules: there is no rule key "knok"; did you mean "knock"?'),
    ('{"name": "en2020"}', ':1:10: name: an edition has this name'),
    ('{"nme": "a"}', ':1:2: there is no key "nme"; did you mean "name"?'),
    ('{"name": "a", "edition": "/etc/passwd"}', ":1:26: edition: here it takes a name, not a file"),
]


def check_mistakes(folder):
    bad = f"{folder}/bad.json"
    cup = Cup(folder, edition="bad.json", rules={})
    commands = [["play", "--edition", bad, GREEDY, GREEDY], ["check", "--edition", bad, GREEDY],
                ["compare", "--edition", bad, GREEDY, GREEDY], ["ask", "--edition", bad, GREEDY, POSITION],
                ["rules", bad], ["rules", "--explain", bad], ["submit", "match", "--edition", bad, "a", "b"]]
    for text, words in MISTAKES:
        write_file(bad, text)
        for command in commands:
            yield from expect(run(*command), 2, f"{bad}{words}")
        yield from expect(run("tournament", cup.file), 2, f"{cup.file}:", f": edition: {bad}{words}")
    os.unlink(bad)
    for command in commands:
        yield from expect(run(*command), 2, f"{bad}: cannot read it: No such file")
    for options, words in [(["--edition", "en2020-6"], "--edition: there is no edition"),
                           (["--variant", "a b"], "--variant: the name of a variant takes 1 to 32 letters"),
                           (["--variant", "a", "--set", "rounds=1"], "--set: it must come before --variant"),
                           (["--variant", "a", "--edition", "en2020"], "--edition: it must come once, and before")]:
        yield from expect(run("play", *options, GREEDY, GREEDY), 2, words)


def check_daemon(folder):
    """Names and inline rules are taken, from the line, the client and a tournament; a file is not opened."""
    with tempfile.TemporaryDirectory() as short:
        daemon = Daemon(os.path.join(short, "d"), "--workers", "1")
        daemon.start()
        try:
            yield from ask_daemon(folder, daemon)
        finally:
            daemon.end()


def ask_daemon(folder, daemon):
    def variant_of(number):
        with open(os.path.join(daemon.store, "jobs", str(number), "config.json")) as file:
            return json.load(file).get("variant")

    short = "start_ms=60000 move_ms=60000 set=turn_limit=3"
    with daemon.client() as client:
        client.ask(f"submit g command={CONTAINED}")
        cup = json.dumps({"bots": ["g", {"name": "h", "bot": "g"}], "variant": "ours", "rules": RULES, "deals": 1})
        submitted = run("submit", "match", "--socket", daemon.socket, "--edition", quick(folder), "g", "g")
        yield from expect(submitted, 0)
        client.ask("match g g edition=de2026-no-knock")
        client.ask(f"match g g edition=de2026 {short} variant=brief")
        client.ask(f"tournament bytes={len(cup)}", cup.encode())
        for number, name in enumerate(["quick", "de2026-no-knock", "brief", "ours"], 1):
            until(lambda: client.queue(all="yes")[number][0] in ("done", "failed", "cancelled"), f"the end of job {number}")
            page = client.ask(f"result {number} format=text")
            if variant_of(number) != name or f"({name})" not in page:
                yield f"job {number} has the name {variant_of(number)}: {page}"
        for edition in (quick(folder), f"{folder}/none.json", "/etc/passwd"):
            cup = json.dumps({"bots": ["g", "g"], "edition": edition})
            for line, block in [(f"match g g edition={edition}", b""), (f"tournament bytes={len(cup)}", cup.encode())]:
                try:
                    client.ask(line, block)
                    yield f"{line} is taken"
                except Refused as refused:
                    if "edition: here it takes a name, not a file" not in refused.words and "names must differ" not in refused.words:
                        yield f"{line}: {refused.words}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, check in [("a match is played by a variant, and its log has the name", check_play),
                            ("two bots are compared by a variant", check_compare),
                            ("a bot is asked by a variant", check_ask),
                            ("a bot is checked by a variant, and by changed rules", check_check),
                            ("variants are listed and shown", check_rules),
                            ("a tournament is played by a variant, and its reports have the name", check_tournament),
                            ("a mistake in a variant is reported with its place by every command", check_mistakes),
                            ("a daemon takes variants by name and opens no file", check_daemon)]:
            place = os.path.join(folder, check.__name__)
            os.makedirs(place)
            report(name, check(place))


main()
