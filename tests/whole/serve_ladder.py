#!/usr/bin/env python3
"""A daemon with a ladder: known bots are ranked rightly, a new version plays at once and inherits nothing, the
deadline closes the ladder and the final is played by itself; a bot that knows the cards is suspected; and the daemon is
killed again and again meanwhile.

CRASH_KILLS says how often it is killed."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import browser
from daemon import GREEDY, IS_SANITIZED, RANDOM, REFEREE, Daemon, NoDaemon, become_reaper, remains, report, sanitizer_words, until
from forged_records import seal
from patience import SECONDS

KILLS = int(os.environ.get("CRASH_KILLS", "4"))
BROKEN = "#!/bin/sh\nexit 1\n"
FUTURE = "2999-02-03T04:05Z"


def write_ladder(path, **changed):
    keys = {"name": "club", "seats": 2, "deals": 2, "enough": 6, "start_ms": 60000, "move_ms": 60000,
            "luck": False, "rules": {"rounds": 1, "turn_limit": 6}, **changed}
    with open(path, "w") as file:
        file.write("// a ladder for the tests\n" + json.dumps(keys))


def rows_of(client, more=""):
    """The rows by name and version: ranks and figures."""
    rows = {}
    for line in client.ask(f"ladder club{more}").splitlines():
        ranks, name, version, user, *pairs = line.split()
        best, _, worst = ranks.partition("-")
        rows[f"{name}@{version}"] = dict((pair.split("=") for pair in pairs), best=best, worst=worst or best, user=user)
    return rows


def state_of(client):
    name, state, *pairs = client.ask("ladder").split()
    return dict((pair.split("=") for pair in pairs), name=name, state=state)


def submit(client, name, program):
    client.ask(f"submit {name} command={program}")


def is_quiet(client, enough=6):
    """Whether everybody has played enough and been rated, and nothing is in the queue."""
    rows = rows_of(client)
    return (not client.queue() and rows and
            all(row["state"] == "broken" or (int(row["deals"]) >= enough and row["rating"] != "-")
                for row in rows.values()) and rows)


def counted(client):
    """Jobs and rows, once the matches of all jobs are in the rows: the figures follow a job a moment later."""
    jobs = client.queue(all="yes")
    rows = rows_of(client)
    is_complete = (sum(int(row["matches"]) for row in rows.values()) == 2 * sum(job[3] for job in jobs.values()) and
                   not client.queue())
    return (jobs, rows) if is_complete else None


def check_ranks(folder):
    path = os.path.join(folder, "ladder.json")
    write_ladder(path, enough=16, deals=4, rules={"rounds": 1})
    server = Daemon(os.path.join(folder, "ranks"), "--ladder", path, "--http", "127.0.0.1:0")
    server.start()
    with server.client() as client:
        for name, program in (("good", GREEDY), ("weak", RANDOM), ("same", GREEDY)):
            submit(client, name, program)
        until(lambda: is_quiet(client, 16), "the ladder is played")
        jobs, rows = until(lambda: counted(client), "everything that was played is in the figures, once")
        if not IS_SANITIZED and (rows["weak@1"]["best"] != "3" or
                                 any(rows[name]["worst"] == "3" for name in ("good@1", "same@1"))):
            yield f"the order is wrong: {rows}"
        # By chance ranks tell them apart in one of twenty ladders; a test needs more room: five standard errors.
        if abs(float(rows["good@1"]["rating"]) - float(rows["same@1"]["rating"])) > 400:
            yield f"identical bots are rated differently: {rows}"
        for row in rows.values():
            if not float(row["low"]) <= float(row["rating"]) <= float(row["high"]):
                yield f"a rating is outside of its interval: {row}"
        if any(job[1] != "ladder:club" or job[2] != "match" for job in jobs.values()):
            yield f"a table belongs to somebody else: {jobs}"
        yield from check_rotations(client, list(jobs))
        yield from check_new_version(client, rows, len(jobs))
        yield from check_history(server, client)
        yield from check_pages(server, client)
        yield from check_disqualified(client)
    if server.stop() != 0:
        yield server.words()
    yield from sanitizer_words(server)


def check_rotations(client, jobs):
    """Each deal of a table is played from each seat by each bot, and has cards of its own."""
    commitments = []
    for job in jobs:
        with io.StringIO(client.ask(f"result {job} format=matches")) as text:
            rows = list(csv.DictReader(text))
        for block in {row["block"] for row in rows}:
            seatings = [(row["bot_0"], row["bot_1"]) for row in rows if row["block"] == block]
            if len(seatings) != 2 or seatings[0] != seatings[1][::-1]:
                yield f"job {job}, deal {block}: {seatings}"
            logs = [client.ask(f"log {job} {block}.{match}").splitlines() for match in (1, 2)]
            seeds = {json.loads(log[-2])["seed"] for log in logs}
            if len(seeds) != 1:
                yield f"job {job}, deal {block}: the rotations have different cards"
            commitments += seeds
    if len(set(commitments)) != len(commitments):
        yield "a deal is played at two tables"


def board_of(address):
    with urllib.request.urlopen(f"{address}/api/ladder/club", timeout=SECONDS) as reply:
        return json.load(reply)


def is_the_same(address, client):
    """Whether pages and control protocol say the same. Ratings may change between the two."""
    rows = rows_of(client, " all=yes")
    shown = {f"{row['name']}@{row['version']}": (row["rating"], row["state"]) for row in board_of(address)["rows"]}
    return shown == {version: (float(row["rating"]), row["state"]) for version, row in rows.items()}


def check_pages(server, client):
    """What the pages show is what the control protocol says."""
    address = "http://{}:{}".format(*server.http())
    until(lambda: is_the_same(address, client), "pages and protocol say the same")
    board = board_of(address)
    if board["state"] != "open" or board["seats"] != 2:
        yield f"the page shows {board}"
    with urllib.request.urlopen(f"{address}/api/ladders", timeout=SECONDS) as reply:
        if [one["name"] for one in json.load(reply)["ladders"]] != ["club"]:
            yield "the list of ladders is wrong"
    for path, status in (("/ladder/club", 200), ("/ladder", 200), ("/ladder/none", 404), ("/api/ladder/none", 404)):
        try:
            with urllib.request.urlopen(address + path, timeout=SECONDS) as reply:
                got = reply.status
        except urllib.error.HTTPError as error:
            got = error.code
        if got != status:
            yield f"{path} is {got}"
    if IS_SANITIZED or browser.missing() is not None:
        print("skip the page of a ladder in a browser: " + (browser.missing() or "it is the same in the plain build"))
    else:
        browser.pass_on("serve_ladder.mjs", address)


def history_of(client, bot):
    """Version, deals and rating at each time."""
    lines = [line.split() for line in client.ask(f"ladder club history={bot}").splitlines()]
    pairs = [dict(pair.split("=") for pair in pairs) for _, _, _, *pairs in lines]
    return [(int(line[1]), int(pair["deals"]), float(pair["rating"])) for line, pair in zip(lines, pairs)]


def check_history(server, client):
    """How each version came to its rating is known, to pages and clients alike, also after a restart."""
    moments = until(lambda: (found := history_of(client, "weak")) and found[-1][1] >= 12 and found,
                    "the last version has a history")
    deals = {version: [count for other, count, _ in moments if other == version] for version in (1, 2)}
    if not all(deals.values()) or any(counts != sorted(set(counts)) for counts in deals.values()):
        yield f"the history is {moments}"
    address = "http://{}:{}".format(*server.http())
    with urllib.request.urlopen(f"{address}/api/ladders?bot=weak", timeout=SECONDS) as reply:
        (found,) = json.load(reply)["ladders"]
    if [(one["version"], one["deals"], one["rating"]) for one in found["history"]][:len(moments)] != moments:
        yield f"the pages show {found['history']}, and the protocol {moments}"
    if {(row["name"], row["version"]) for row in found["rows"]} != {("weak", 1), ("weak", 2)}:
        yield f"the rows of a bot are {found['rows']}"
    if client.ask("ladder club history=nobody") != "":
        yield "a bot that is not there has a history"
    shown = subprocess.run([REFEREE, "ladder", "club", "--history", "weak", "--json", "--socket", server.socket],
                           capture_output=True, text=True, timeout=SECONDS)
    if shown.returncode != 0 or [row["deals"] for row in json.loads(shown.stdout)][:len(moments)] != [one[1] for one in moments]:
        yield f"referee ladder says {shown}"


def check_disqualified(client):
    """It has no rank and no row among the active ones, plays no more, and stays in the list of all, marked."""
    client.ask('disqualify weak why="no reason"')
    until(lambda: set(rows_of(client)) and not any(row["best"] == "3" for row in rows_of(client).values())
          and "weak" not in " ".join(rows_of(client)), "the ranks without it")
    row = rows_of(client, " all=yes")["weak@1"]
    if (row["state"], row["best"]) != ("disqualified", ""):
        yield f"a disqualified bot is shown as {row}"
    if client.refusal("match weak good") != "config":
        yield "a disqualified bot plays"
    client.ask("reinstate weak")
    until(lambda: "weak" in " ".join(rows_of(client)), "it is back")


def check_new_version(client, before, played):
    submit(client, "weak", GREEDY)
    first = until(lambda: [job for number, job in client.queue(all="yes").items() if number > played],
                  "a new version plays at once")[0]
    if "weak" not in first[5]:
        yield f"the new version is not in the next table: {first}"
    rows = until(lambda: is_quiet(client, 16), "the new version has played")
    everything = rows_of(client, " all=yes")
    if set(rows) != {"good@1", "same@1", "weak@2"}:
        yield f"these versions are active: {set(rows)}"
    if everything["weak@1"]["state"] != "older" or everything["weak@1"]["matches"] != before["weak@1"]["matches"]:
        yield f"the history is {everything}"
    if int(rows["weak@2"]["deals"]) > 24:
        yield f"it has inherited something: {rows}"
    if not IS_SANITIZED and float(rows["weak@2"]["rating"]) < float(everything["weak@1"]["rating"]) + 200:
        yield f"it is rated like the old one: {everything}"


def check_deadline(folder):
    path = os.path.join(folder, "ladder.json")
    write_ladder(path, deadline=FUTURE, final={"deals": 6}, keep=1)
    server = Daemon(os.path.join(folder, "deadline"), "--ladder", path)
    server.start()
    with server.client() as client:
        for name in ("one", "two", "three"):
            submit(client, name, GREEDY)
        client.submit_file("broken", BROKEN, more=" build=false")
        until(lambda: is_quiet(client), "the ladder is played")
        if state_of(client)["state"] != "open" or rows_of(client)["one@1"]["state"] != "active":
            yield f"{state_of(client)} {rows_of(client)}"
        kept = [number for number in client.queue(all="yes") if os.path.exists(f"{server.store}/jobs/{number}")]
        if len(kept) > 1:
            yield f"the logs of old tables are still there: {kept}"
        # A mistake in the file changes nothing.
        with open(path, "a") as file:
            file.write("]")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: "the ladders are unchanged: " in server.words(), "a mistake is reported")
        # The clock of the test: everybody was there in time if the deadline is now.
        now = subprocess.run(["date", "-u", "-d", "+1 second", "+%Y-%m-%dT%H:%M:%SZ"], capture_output=True, text=True)
        write_ladder(path, deadline=now.stdout.strip(), final={"deals": 6})
        server.process.send_signal(signal.SIGHUP)
        until(lambda: state_of(client)["state"] != "open", "the deadline passes")
        final = until(lambda: int(state_of(client)["final"]), "the final is submitted")
        submit(client, "late", GREEDY)
        until(lambda: state_of(client)["state"] == "over", "the final is over")
        state, user, kind, decided, _, title = client.queue(all="yes")[final]
        if (state, user, kind, title) != ("done", "ladder:club", "tournament", "Ladder club: final") or decided < 18:
            yield f"the final is {state} {user} {kind} {decided} {title}"
        standings = json.loads(client.ask(f"result {final} format=json"))
        names = {bot["name"] for bot in standings["bots"]}
        if names != {"one", "two", "three"}:
            yield f"these played in the final: {names}"
        if "late@1" in rows_of(client):
            yield "a version entered after the deadline"
        shown = subprocess.run([REFEREE, "ladder", "club", "--socket", server.socket], capture_output=True, text=True)
        if f"The final is job {final}." not in shown.stdout or shown.returncode != 0:
            yield f"referee ladder says {shown}"
        if client.refusal("ladder nobody") != "no_ladder":
            yield "a ladder that is not there is not refused"
    yield from check_after_deadline(server, final)


def check_after_deadline(server, final):
    with server.client() as client:
        before = history_of(client, "one")
    server.kill()
    server.start()
    with server.client() as client:
        state = until(lambda: state_of(client)["state"] == "over" and state_of(client), "it is over")
        if not before or history_of(client, "one")[:len(before)] != before:
            yield f"the history was {before} and is {history_of(client, 'one')}"
        client.ask("remove one")
        if history_of(client, "one"):
            yield "a bot that was removed has a history"
        jobs = client.queue(all="yes")
        if int(state["final"]) != final or len([job for job in jobs.values() if job[2] == "tournament"]) != 1:
            yield f"there is another final: {state} {jobs}"
    if server.stop() != 0:
        yield server.words()
    yield from sanitizer_words(server)


def suspect_of(client):
    """The row of the bot that knows the cards, when it is suspected."""
    row = rows_of(client).get("reader@1", {})
    return row if row.get("suspicious") == "yes" else None


def give_luck(path):
    """Gives `reader` the luck of a bot that knows the cards, in the records of the ladder, with right checksums."""
    with open(path) as file:
        records = [json.loads(line) for line in file]
    for record in records:
        for match in record["matches"]:
            for seat, bot in enumerate(match[1:-1:2]):
                if record["versions"][bot] == "reader@1":
                    match[-1][2 + 2 * seat] = -15000
        del record["sum"], record["synced"]
    with open(path, "wb") as file:
        file.write(seal(records))


def check_luck(folder):
    """Bots that play honestly are not suspected. Then the records say that one of them has known the cards."""
    path = os.path.join(folder, "ladder.json")
    write_ladder(path, enough=12, deals=4, luck=True, rules={"rounds": 1})
    server = Daemon(os.path.join(folder, "luck"), "--ladder", path, "--http", "127.0.0.1:0")
    results = os.path.join(server.store, "ladders", "club.ndjson")
    server.start()
    with server.client() as client:
        for name in ("reader", "one", "two"):
            submit(client, name, GREEDY)
        until(lambda: is_quiet(client, 12), "the ladder is played")
        rows = until(lambda: all("gain" in row for row in rows_of(client).values()) and rows_of(client), "luck is measured")
        if any(row["suspicious"] != "no" or float(row["gain"]) > float(row["allowed"]) for row in rows.values()):
            yield f"honest bots are suspected: {rows}"
    if server.stop() != 0:
        yield server.words()
    give_luck(results)
    server.start()
    with server.client() as client:
        row = until(lambda: suspect_of(client), "a bot that knows the cards is suspected")
        yield from check_suspicion(server, client, row)
    server.kill()
    server.start()
    with server.client() as client:
        again = until(lambda: suspect_of(client), "it is suspected after a restart")
        if any(again[key] != row[key] for key in ("gain", "one_in", "evidence", "matches")):
            yield f"it was {row} and is {again}"
    if server.stop() != 0:
        yield server.words()
    yield from check_damage(server, results)
    yield from sanitizer_words(server)


def check_suspicion(server, client, row):
    """Protocol, command and pages name it with the matches that speak against it, and nobody else."""
    others = {name: other["suspicious"] for name, other in rows_of(client).items() if name != "reader@1"}
    if others != {"one@1": "no", "two@1": "no"} or float(row["gain"]) <= float(row["allowed"]):
        yield f"suspected: {row}, {others}"
    evidence = row["evidence"].split(",")
    for match in evidence:
        job, number = match.split("/")
        if '"reader"' not in client.ask(f"log {job} {number}"):
            yield f"it did not play in {match}"
    ask = [REFEREE, "ladder", "club", "--socket", server.socket]
    shown = subprocess.run(ask, capture_output=True, text=True, timeout=SECONDS).stdout
    job, number = evidence[0].split("/")
    if (shown.count("may know the cards") != 1 or "reader, version 1, may know the cards" not in shown or
            f"Most of it: match {number} of job {job}, " not in shown):
        yield f"referee ladder says {shown}"
    shown = subprocess.run([*ask, "--json"], capture_output=True, text=True, timeout=SECONDS).stdout
    if {one["name"]: one.get("evidence") for one in json.loads(shown)} != {"reader": evidence, "one": None, "two": None}:
        yield f"referee ladder says {shown}"
    peeks = {one["name"]: one["peek"] for one in board_of("http://{}:{}".format(*server.http()))["rows"]}
    named = [f"{one['job']}/{one['block']}.{one['rotation'] + 1}" for one in peeks["reader"]["evidence"]]
    if named != evidence or [name for name, peek in peeks.items() if peek["is_suspicious"]] != ["reader"]:
        yield f"the pages say {peeks}"
    if IS_SANITIZED or browser.missing() is not None:
        print("skip the page of a suspicion in a browser: " + (browser.missing() or "it is the same in the plain build"))
    else:
        browser.pass_on("serve_ladder.mjs", "http://{}:{}".format(*server.http()), "suspicion", row["evidence"])


def check_damage(server, results):
    """Luck that nobody has written is refused like everything else."""
    with open(results) as file:
        good = file.read()
    with open(results, "w") as file:
        file.write(good.replace("-15000", "-15001", 1))
    try:
        server.start()
        yield "damaged luck is read"
    except NoDaemon as why:
        if "ladders/club.ndjson" not in str(why):
            yield f"it says {why}"
    server.end()


def begin_upload(server, kill, program):
    """An upload that is under way when the daemon is killed: half of it is sent, or all of it."""
    client = server.client()
    client.send(f"submit up{kill} file=bot bytes={len(program)}", program if kill % 2 else program[:len(program) // 2])
    return client


def was_acknowledged(client):
    with client:
        try:
            return "version=1" in client.reply()
        except OSError:
            return False


def check_uploads(client, acknowledged, program, server):
    """What was acknowledged is there; what was not sent is not; nothing is there in part."""
    listed = {line.split()[0] for line in client.ask("bots").splitlines()}
    for kill, is_acknowledged in enumerate(acknowledged):
        name = f"up{kill}"
        if (is_acknowledged and name not in listed) or (kill % 2 == 0 and name in listed):
            yield f"{name}, acknowledged {is_acknowledged}, is {'' if name in listed else 'not '}there"
        path = os.path.join(server.store, "bots", name, "1", "bot")
        if name in listed and open(path, "rb").read() != program:
            yield f"{name} is not what was sent"


def check_kills(folder):
    path = os.path.join(folder, "ladder.json")
    write_ladder(path, deals=1, enough=2 * KILLS)
    server = Daemon(os.path.join(folder, "kills"), "--ladder", path)
    with open(GREEDY, "rb") as file:
        program = file.read()
    acknowledged = []
    for kill in range(KILLS):
        server.start()
        with server.client() as client:
            submit(client, f"bot{kill % 3}", GREEDY)
            client.ask("watch")
            upload = begin_upload(server, kill, program)
            # At once; when something has happened; when the ladder was rated.
            if kill > 1:
                client.wait_event("0 ladder" if kill % 2 else "")
        server.kill()
        acknowledged.append(was_acknowledged(upload))
    server.start()
    with server.client() as client:
        rows = until(lambda: is_quiet(client, 2 * KILLS), "the ladder is played")
        everything = rows_of(client, " all=yes")
        jobs = client.queue(all="yes")
        counted = sum(int(row["matches"]) for row in everything.values())
        if counted != 2 * sum(job[3] for job in jobs.values()):
            yield f"{counted} places are counted, and these jobs were played: {jobs}"
        if any(job[0] != "done" for job in jobs.values()):
            yield f"a job is not done: {jobs}"
        if len([row for row in rows if row.startswith("bot")]) != min(3, KILLS):
            yield f"these are active: {rows}"
        yield from check_uploads(client, acknowledged, program, server)
    if server.stop() != 0:
        yield server.words()
    yield from sanitizer_words(server)
    # What the file of results has is what the stores have.
    places = 0
    for number in jobs:
        with open(os.path.join(server.store, "jobs", str(number), "store", "results.ndjson")) as file:
            places += sum('"places"' in line for line in file)
    if places and 2 * places != counted:
        yield f"{counted} places are counted, and the stores have {2 * places}"


def check_mistakes(folder):
    path = os.path.join(folder, "ladder.json")
    for keys, sentence in (({"name": "a b"}, "name takes"), ({"dealz": 3}, "dealz"), ({"deadline": "soon"}, "deadline")):
        write_ladder(path, **keys)
        done = subprocess.run([REFEREE, "serve", "--store", os.path.join(folder, "no"), "--socket",
                               os.path.join(folder, "s"), "--ladder", path], capture_output=True, text=True,
                              timeout=SECONDS)
        if done.returncode == 0 or sentence not in done.stderr:
            yield f"{keys}: {done}"
    keys = subprocess.run([REFEREE, "serve", "--ladder-keys"], capture_output=True, text=True, timeout=SECONDS).stdout
    for key in ("deadline", "final.deals", "versions", "move_ms"):
        if f"\n  {key} " not in "\n" + keys:
            yield f"the help does not explain {key}: {keys}"


def main():
    become_reaper()
    for name, check in (("mistakes_in_the_file_of_a_ladder_are_reported", check_mistakes),
                        ("known_bots_are_ranked_and_a_new_version_plays_at_once", check_ranks),
                        ("after_the_deadline_the_final_is_played_by_itself", check_deadline),
                        ("a_bot_that_knows_the_cards_is_suspected_in_a_ladder", check_luck),
                        ("a_ladder_survives_kill_9", check_kills)):
        with tempfile.TemporaryDirectory() as folder:
            report(name, check(folder))
    report("nothing_is_left_running", (f"left: {left}" for left in remains()))


if __name__ == "__main__":
    sys.exit(main())
