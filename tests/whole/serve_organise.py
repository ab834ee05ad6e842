#!/usr/bin/env python3
"""What organisers of a daemon can do and others cannot: cancel, rerun and replay jobs, disqualify and remove bots, export
grades. Each change is done over the control protocol or as a page does it, is there after kill -9, and is shown where
it belongs. And the hook that the settings name."""

import base64
import http.client
import json
import os
import re
import signal
import subprocess
import tempfile

from daemon import GREEDY, RANDOM, REFEREE, SHORT, SLOW, Client, Daemon, Refused, report
from patience import SECONDS, until

QUICK = SLOW.replace("sleep SECONDS; ", "")
# A bot that greets, and dies when it is asked.
DYING = """#!/bin/sh
read -r greeting
echo hello dying
while read -r line; do case $line in ask*) exit 3 ;; esac; done
"""
PLAN = {"seats": 2, "deals": 2, "seatings": "single", "luck": False, "start_ms": 60000, "move_ms": 60000,
        "rules": {"rounds": 1, "turn_limit": 6}}


def play(client, name, bots, wait=True, **more):
    """Submits a tournament; its number."""
    file = json.dumps(dict(PLAN, name=name, bots=bots, **more)).encode()
    number = int(client.ask(f"tournament bytes={len(file)}", file).split("=")[1])
    if wait:
        client.ask(f"watch {number}")
        client.wait_event(f"{number} over")
        client.ask("watch off")
        client.events.clear()
    return number


def wait_over(client, number):
    client.ask(f"watch {number}")
    event = client.wait_event(f"{number} over")
    client.ask("watch off")
    client.events.clear()
    return event


class Club:
    """A daemon with an organiser and two students."""

    def __init__(self, folder, *options):
        self.daemon = Daemon(folder, "--http", "127.0.0.1:0", "--listen", "127.0.0.1:0", *options)
        self.tokens = {name: self.daemon.add_user(name, *more) for name, more in
                       {"tutor": ("--organiser",), "anna": ("--id", "4711"), "bert": ()}.items()}
        self.daemon.start()

    def client(self, name):
        return self.daemon.client() if name == "owner" else Client(self.daemon.tcp(), token=self.tokens[name])

    def crash(self):
        """kill -9, and a new start."""
        self.daemon.kill()
        self.daemon.start()


def expect(what, found, wanted):
    if found != wanted:
        yield f"{what}: {found!r}, not {wanted!r}"


def prepare(club):
    with club.client("anna") as anna, club.client("bert") as bert, club.client("owner") as owner:
        anna.submit_file("a", QUICK)
        bert.submit_file("b", DYING)
        owner.ask(f"submit house command={RANDOM}")
        return play(owner, "cup", ["a", "b", "house"])


def check_powers(club):
    """Who may do what; a user does not become an organiser by anything but the file."""
    with club.client("anna") as anna, club.client("tutor") as tutor, club.client("bert") as bert:
        job = play(anna, "long", ["a", "house"], wait=False, deals=500)
        for request, code in ((f"cancel {job}", "forbidden"), ("disqualify a", "forbidden"),
                              ("reinstate a", "forbidden"), ("remove a", "forbidden"), (f"rerun {job}", "forbidden"),
                              (f"replay {job} a", "forbidden"), (f"grades {job}", "forbidden"),
                              ("shutdown", "forbidden")):
            yield from expect(f"bert: {request}", bert.refusal(request), code)
        for request, code in (("shutdown", "forbidden"), ("fetch a", "forbidden"),
                              (f"submit mine command={GREEDY}", "forbidden"), ("disqualify nobody", "no_bot"),
                              ("grades 99", "no_job"), (f"grades {job}", "no_log"), ("grades x", "value"),
                              ("rerun 99", "no_job"), (f"replay {job} nobody", "no_bot")):
            yield from expect(f"tutor: {request}", tutor.refusal(request), code)
        tutor.ask(f"cancel {job}")
    club.crash()
    with club.client("tutor") as tutor:
        yield from expect("the job of anna", wait_over(tutor, job), f"event {job} over cancelled")


def check_replay(club, job):
    """The repaired bot plays its matches again with its new version; its old version keeps its figures."""
    with club.client("bert") as bert, club.client("tutor") as tutor:
        yield from expect("the faults of b", "Faults by cause" in tutor.ask(f"result {job}"), True)
        bert.submit_file("b", QUICK)
        tutor.ask(f"replay {job} b")
    club.crash()
    with club.client("tutor") as tutor:
        yield from expect("the end", wait_over(tutor, job), f"event {job} over done")
        yield from expect("the faults of b after its repair", "Faults by cause" in tutor.ask(f"result {job}"), False)
        lines = tutor.ask("bots b").splitlines()
        yield from expect("faults by version", re.findall(r"faults=(\d+)", "\n".join(lines)), ["4", "0"])
    done = subprocess.run([REFEREE, "replay", "--verify", f"{club.daemon.store}/jobs/{job}/store"],
                          capture_output=True, text=True, timeout=SECONDS)
    yield from expect("the proof of the store", done.returncode, 0)


def as_page(club, name, line, has_secret=True):
    """Sends a request as a page does, with the secret of its reader; the status of the reply, and its text."""
    def ask(method, path, body=None, **headers):
        headers["Authorization"] = "Basic " + base64.b64encode(f"{name}:{club.tokens[name]}".encode()).decode()
        connection = http.client.HTTPConnection(*club.daemon.http(), timeout=SECONDS)
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        status, text = reply.status, reply.read().decode()
        connection.close()
        return status, text
    secret = json.loads(ask("GET", "/api/me")[1])["csrf"]
    return ask("POST", "/api/requests", line + "\n", **({"X-CSRF-Token": secret} if has_secret else {}))


def check_prune(club):
    """Logs are deleted for who submitted the job and for organisers; what is left is proved."""
    readers = {name: club.client(name) for name in ("anna", "bert", "tutor", "owner")}
    try:
        own, house = play(readers["anna"], "mine", ["a", "house"], deals=3), play(readers["owner"], "big", ["a", "house"])
        long = play(readers["anna"], "long", ["a", "house"], wait=False, deals=500)
        for name, request, code in (
                ("bert", f"prune {own}", "forbidden"), ("bert", f"prune {house}", "forbidden"),
                ("anna", f"prune {house}", "forbidden"), ("anna", f"prune {long}", "value"),
                ("tutor", f"prune {long}", "value"), ("anna", "prune 99", "no_job"),
                ("anna", f"prune {own} days=1", "no_log"), ("anna", f"prune {own} days=-1", "value"),
                ("anna", f"prune {own} days=1 best=1", "value"), ("anna", f"prune {own} best=2", "no_log"),
                ("anna", f"prune {own}", None), ("anna", f"prune {own}", "no_log"), ("tutor", f"prune {house}", None),
                ("owner", f"prune {own}", "no_log")):
            yield from expect(f"{name}: {request}", readers[name].refusal(request), code)
        until(lambda: int(readers["anna"].pairs(f"status {long}")["decided"]) > 0, "a match is decided")
        readers["anna"].ask(f"cancel {long}")
        wait_over(readers["anna"], long)
        yield from expect("no log", readers["anna"].refusal(f"log {own} 1.1"), "no_log")
    finally:
        for reader in readers.values():
            reader.close()
    done = subprocess.run([REFEREE, "replay", "--verify", f"{club.daemon.store}/jobs/{own}/store"],
                          capture_output=True, text=True, timeout=SECONDS)
    yield from expect("a page without the secret", as_page(club, "anna", f"prune {long}", has_secret=False)[0], 403)
    yield from expect("a page of another user", as_page(club, "bert", f"prune {long}")[0], 400)
    status, text = as_page(club, "anna", f"prune {long}")
    yield from expect("a page", (status, text if "logs=" not in text else ""), (200, ""))
    yield from expect("the proof of the store", (done.returncode, "3 logs were pruned" in done.stdout), (0, True))


def check_rerun(club, job):
    with club.client("tutor") as tutor:
        again = int(tutor.ask(f"rerun {job}").split("=")[1])
    club.crash()
    with club.client("tutor") as tutor:
        yield from expect("the end", wait_over(tutor, again), f"event {again} over done")
        yield from expect("who has it", tutor.queue(all="yes")[again][1], "tutor")
        with_old = re.findall(r"^\d+\.\d+|finished: \d+ matches", tutor.ask(f"result {job}"), re.M)
        yield from expect("its matches", re.findall(r"finished: \d+ matches", tutor.ask(f"result {again}")),
                          [with_old[-1]])


def check_grades(club, job):
    with club.client("tutor") as tutor:
        rows = [line.split(",") for line in tutor.ask(f"grades {job} format=csv").splitlines()]
        yield from expect("the columns", rows[0], "id,user,place,points,bot,version,win_share,score,matches,faults,"
                          "state".split(","))
        yield from expect("the ids", {row[1]: row[0] for row in rows[1:]}, {"anna": "4711", "bert": ""})
        yield from expect("the points", sorted(row[3] for row in rows[1:]) in (["0.0", "100.0"], ["50.0", "50.0"]),
                          True)
        season = json.loads(tutor.ask(f"grades {job},{job} format=json"))
        yield from expect("a season", [(row["user"], len(row["jobs"])) for row in sorted(season, key=lambda r: r["user"])],
                          [("anna", 2), ("bert", 2)])
        yield from expect("the text", "job" in tutor.ask(f"grades {job}"), True)


def check_disqualified(club, job):
    """It leaves what is not over, is refused, and has no place in grades; its matches stay. All of it can be undone."""
    with club.client("tutor") as tutor, club.client("owner") as owner, club.client("bert") as bert:
        match = int(owner.ask(f"match b house deals=500 {SHORT}").split("=")[1])
        long = play(owner, "long", ["a", "b", "house"], wait=False, deals=60)
        until(lambda: tutor.ask(f"status {long}").split()[1] != "state=queued", "the tournament plays")
        tutor.ask('disqualify b why="a copy of a"')
    club.crash()
    with club.client("tutor") as tutor, club.client("owner") as owner, club.client("bert") as bert:
        yield from expect("its match", wait_over(tutor, match), f"event {match} over cancelled")
        wait_over(tutor, long)
        text = tutor.ask(f"result {long}")
        yield from expect("a tournament without it", "withdrawn" in text or not re.search(r"^\d b ", text, re.M), True)
        yield from expect("a new match", owner.refusal("match b house"), "config")
        yield from expect("a new version", bert.refusal(f"submit b file=bot.sh bytes={len(QUICK)}", QUICK.encode()),
                          "forbidden")
        yield from expect("its author removes it", bert.refusal("remove b"), "forbidden")
        yield from expect("the list", 'disqualified="a copy of a"' in tutor.ask("bots b"), True)
        rows = [line.split(",") for line in tutor.ask(f"grades {job} format=csv").splitlines()]
        yield from expect("its grade", [row[3:5] + row[-1:] for row in rows if row[1] == "bert"],
                          [["0.0", "b", "disqualified"]])
        tutor.ask("reinstate b")
        yield from expect("the list afterwards", "disqualified" in tutor.ask("bots b"), False)


def check_removed(club):
    with club.client("bert") as bert, club.client("anna") as anna, club.client("tutor") as tutor:
        bert.submit_file("gone", QUICK)
        yield from expect("others", anna.refusal("remove gone"), "forbidden")
        bert.ask("remove gone")
        yield from expect("once more", bert.refusal("remove gone"), "no_bot")
        yield from expect("its files", os.path.exists(f"{club.daemon.store}/bots/gone/1"), False)
        yield from expect("the list", "gone" in [line.split()[0] for line in tutor.ask("bots").splitlines()], False)
        yield from expect("the name", anna.refusal(f"submit gone file=x bytes={len(QUICK)}", QUICK.encode()),
                          "name_taken")
    club.crash()
    with club.client("bert") as bert:
        yield from expect("after a crash", bert.refusal("bots gone"), "no_bot")
        yield from expect("a new version", bert.submit_file("gone", QUICK).split()[:2],
                          ["bot=gone", "version=2"])
        yield from expect("what is listed", [line.split()[1] for line in bert.ask("bots gone").splitlines()], ["2"])


def check_role(club):
    """The role is in the file, and is read again at SIGHUP."""
    path = f"{club.daemon.store}/users"
    with open(path) as file:
        text = file.read()
    with club.client("tutor") as tutor:
        tutor.ask("grades 1")
        with open(path, "w") as file:
            file.write(text.replace(" organiser", ""))
        club.daemon.process.send_signal(signal.SIGHUP)
        until(lambda: tutor.refusal("grades 1") == "forbidden", "the role is gone")
        with open(path, "w") as file:
            file.write(text)
        club.daemon.process.send_signal(signal.SIGHUP)
        until(lambda: tutor.refusal("grades 1") is None, "the role is back")
    yield from ()


def check_commands(club, job):
    """The same by the commands of the client."""
    def run(*words):
        environment = dict(os.environ, REFEREE_TOKEN=club.tokens["tutor"])
        return subprocess.run([REFEREE, *words, "--connect", "%s:%d" % club.daemon.tcp()], capture_output=True,
                              text=True, env=environment, timeout=SECONDS)
    for words, wanted in ((("grades", "--csv", str(job)), "id,user,place"), (("rerun", str(job)), "job="),
                          (("disqualify", "b", "--why", "late"), ""), (("disqualify", "b", "--undo"), ""),
                          (("replay-bot", str(job), "a"), "")):
        done = run(*words)
        if done.returncode != 0 or wanted not in done.stdout:
            yield f"{words}: {done.returncode}, {done.stdout!r}, {done.stderr!r}"
    yield from expect("a bot that is not there", run("remove", "nobody").returncode, 2)


def check_hook(folder):
    """The command of the settings gets each job that is over, bounded in time, and does not hurt if it fails; nobody but
    the owner can name one."""
    settings = os.path.join(folder, "settings.json")
    found = os.path.join(folder, "found")

    def write(command, mode=0o600):
        with open(settings, "w") as file:
            json.dump({"on_result": command}, file)
        os.chmod(settings, mode)
    write(f"cat >>{found}")
    daemon = Daemon(folder, "--settings", settings)
    daemon.start()
    try:
        with daemon.client() as owner:
            owner.ask(f"submit house command={RANDOM}")
            owner.ask(f"match house house {SHORT} title=\"a ; touch {folder}/bad\"")
            until(lambda: os.path.exists(found) and open(found).read().endswith("\n"), "the hook")
            event = json.loads(open(found).read())
            yield from expect("the event", [event[key] for key in ("event", "number", "state", "user")],
                              ["over", 1, "done", "owner"])
            yield from expect("its bots", [bot["bot"] for bot in event["bots"]], ["house", "house"])
            yield from expect("a command in a title", os.path.exists(f"{folder}/bad"), False)
            write("echo no way >&2; exit 7")
            daemon.process.send_signal(signal.SIGHUP)
            number = int(owner.ask(f"match house house {SHORT}").split("=")[1])
            until(lambda: "exit code 7: no way" in daemon.words() or open(found).read().count("\n") > 1, "the report")
            if "exit code 7" not in daemon.words():
                owner.ask(f"match house house {SHORT}")
                until(lambda: f"on_result for job {number + 1}: exit code 7: no way" in daemon.words(), "the report")
            write("true", 0o622)
            daemon.process.send_signal(signal.SIGHUP)
            until(lambda: "others can write this file" in daemon.words(), "the refusal")
            yield from expect("the daemon", owner.ask("status").split()[0], f"jobs={number}" if
                              len(owner.queue(all="yes")) == number else f"jobs={number + 1}")
    finally:
        daemon.end()


def main():
    with tempfile.TemporaryDirectory() as folder:
        report("organisers: hook", check_hook(folder))
    with tempfile.TemporaryDirectory() as folder:
        club = Club(folder)
        try:
            job = prepare(club)
            for check, *more in ((check_powers,), (check_replay, job), (check_prune,), (check_rerun, job), (check_grades, job),
                                 (check_disqualified, job), (check_removed,), (check_role,), (check_commands, job)):
                try:
                    problems = list(check(club, *more))
                except (OSError, ValueError, KeyError, IndexError, Refused) as error:
                    problems = [repr(error)]
                report(check.__name__.replace("check_", "organisers: "), problems)
        finally:
            club.daemon.end()


if __name__ == "__main__":
    main()
