#!/usr/bin/env python3
"""What the daemon says about a bot that is submitted: whether it is built, says hello and passes its check, in the
reply, in the lists, in events and in files that only its author reads; and that a version which fails replaces none
that works, stops no job, and is tried again by a daemon that was killed."""

import io
import json
import os
import signal
import subprocess
import tarfile
import tempfile
import zipfile

from daemon import BUILD, GREEDY, RANDOM, REFEREE, SHORT, Client, Daemon, Refused, report, sanitizer_words, until

HELLO = "#!/bin/sh\necho hello x\nwhile read -r line; do :; done\n"
TYPO = 'int main() { puts("hällo") return 0; }\n'
LATE = 600  # seconds; nobody waits for that


def settings(daemon, **keys):
    path = os.path.join(daemon.folder, "settings")
    with open(path, "w") as file:
        json.dump(keys, file)
    return path


def result_of(client, name):
    """The keys build, hello and check of a version."""
    for line in client.ask(f"bots {name.partition('@')[0]}").splitlines():
        words = line.split()
        if "@" not in name or f"{words[0]}@{words[1]}" == name:
            found = dict(word.split("=") for word in words[4:])
    return found["build"], found["hello"], found["check"]


def the_reply_says_whether_it_works(daemon, client):
    reply = client.submit_file("typo", TYPO, "bot.c", ' build="cc -o bot bot.c" command=./bot')
    if not reply.startswith("bot=typo version=1 build=failed hello=none bytes="):
        yield reply
    if "hällo" not in reply or "‘;’" not in reply or not reply.endswith("its build failed: exit status 1\n"):
        yield f"the compiler's words: {reply}"
    reply = client.submit_file("good", HELLO, more=' build="echo ready"')
    if reply != "bot=good version=1 build=ok hello=ok":
        yield reply
    if client.ask("output good of=build") != "ready\n":
        yield client.ask("output good of=build")
    reply = client.submit_file("mute", "#!/bin/sh\nprintf 'Gründe\\nGründe \\033\\n' >&2\nexit 3\n")
    if not reply.startswith("bot=mute version=1 build=none hello=failed bytes=") or "exit status 3" not in reply or \
            "\nGründe\nGr\\xc3\\xbcnde \\x1b\n" not in reply:
        yield reply
    reply = client.submit_file("odd", "#!/bin/sh\necho good day\n")
    if "hello=failed" not in reply or "good day" not in reply:
        yield reply


def a_missing_language_is_reported(daemon, client):
    for command, name in (('command="cobol bot.sh"', "first"), ('build="cobol -c bot.sh"', "second"), ("", "third")):
        text = "#!/usr/bin/env cobol\n"
        try:
            reply = client.submit_file(name, text, more=" " + command if command else "")
        except Refused as refused:
            reply = str(refused)
        if "cobol" not in reply or "this machine has: " not in reply or "bash (bash)" not in reply:
            yield f"{name}: {reply}"
    lines = [line.split(" ", 3) for line in client.ask("languages").splitlines()]
    if ["bash", "yes", "bash"] not in [line[:3] for line in lines]:
        yield f"languages: {lines}"


def every_starter_has_a_language(daemon, client):
    table = subprocess.run(["bots/languages", "table"], capture_output=True, text=True, check=True).stdout
    starters = {line.split("\t")[0] for line in table.splitlines()} - {"typescript"}
    known = {line.split()[0] for line in client.ask("languages").splitlines()}
    if starters != known:
        yield f"{sorted(starters ^ known)} are not in both"


def a_check_follows(daemon, client):
    client.ask("watch")
    client.ask(f"submit fair command={RANDOM}")
    event = client.wait_event("0 trial fair 1 build=none hello=ok check=ok")
    if "no fault" not in client.ask("output fair"):
        yield f"{event}: {client.ask('output fair')}"
    client.submit_file("dies", HELLO.replace("while read -r line; do :; done", "read -r a; read -r b; echo Gründe >&2; exit 4"))
    client.wait_event("0 trial dies 1 build=none hello=ok check=failed")
    if not {"its process: exit status 4", "Gründe"} <= {line.strip() for line in client.ask("output dies of=check").splitlines()}:
        yield client.ask("output dies of=check")
    client.ask("watch off")


def a_failing_version_replaces_none_that_works(daemon, client):
    client.ask(f"submit twice command={GREEDY}")
    client.ask("submit twice command=/bin/false")
    numbers = [client.pairs(f"match {name} fair {SHORT}")["job"] for name in ("twice", "twice@2")]
    for number in numbers:
        until(lambda: client.pairs(f"status {number}")["state"] == "done", f"the end of job {number}")
    faults = [client.ask(f"result {number} format=matches").splitlines()[1].split(",") for number in numbers]
    if "no_start" in faults[0]:
        yield f"the version that does not start played: {faults[0]}"
    if "no_start" not in faults[1]:
        yield f"twice@2 is another version: {faults[1]}"


def one_that_cannot_start_stops_no_tournament(daemon, client):
    cup = {"name": "cup", "bots": ["fair", "typo", "mute", "twice"], "seats": 2, "deals": 1, "seatings": "rotations",
           "start_ms": 60000, "move_ms": 60000, "rules": {"rounds": 1, "turn_limit": 4}}
    block = json.dumps(cup).encode()
    client.ask("watch")
    number = client.pairs(f"tournament bytes={len(block)}", block)["job"]
    event = client.wait_event(f"{number} over")
    client.ask("watch off")
    if event != f"event {number} over done":
        yield event
    rows = client.ask(f"result {number} format=matches").splitlines()[1:]
    if len(rows) != 12 or not all(("no_start" in row) == ("typo" in row or "mute" in row) for row in rows):
        yield f"{len(rows)} matches: {rows}"


def make_zip(entries, how=zipfile.ZIP_DEFLATED):
    """Entries are (name, bytes) or (name, bytes, mode)."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how) as file:
        for name, data, *mode in entries:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (mode[0] if mode else 0o100644) << 16
            entry.compress_type = how
            file.writestr(entry, data)
    return made.getvalue()


def make_tar(entries, mode="w", kind=tarfile.REGTYPE):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as file:
        for name, data in entries:
            entry = tarfile.TarInfo(name)
            entry.type = kind
            entry.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            entry.size = len(data)
            file.addfile(entry, io.BytesIO(data))
    return made.getvalue()


SOURCES = [("my bot/main.sh", b". ./lib/words.sh\nhello\nwhile read -r line; do :; done\n"),
           ("my bot/lib/words.sh", "hello() { echo hello ärger | tr -d är; }\n".encode())]
ARCHIVES = {"a.zip": make_zip(SOURCES), "b.zip": make_zip(SOURCES, zipfile.ZIP_STORED), "c.tar": make_tar(SOURCES),
            "d.tar.gz": make_tar(SOURCES, "w:gz"), "e.tgz": make_tar([(f"./{name[7:]}", data) for name, data in SOURCES], "w:gz")}


def archives_are_unpacked(daemon, client):
    for version, (name, block) in enumerate(ARCHIVES.items(), 1):
        reply = client.submit_file("packed", block, name, ' command="sh main.sh"')
        if reply != f"bot=packed version={version} build=none hello=ok":
            yield f"{name}: {reply}"
        folder = os.path.join(daemon.store, "bots", "packed", str(version))
        if sorted(os.listdir(folder)) != ["lib", "main.sh"]:
            yield f"{name}: {os.listdir(folder)}"
    if os.listdir(os.path.join(daemon.store, "unpacking")):
        yield "something is left of an archive"


BOMB = make_zip([("a", bytes(40 << 20)), ("b", bytes(40 << 20))])
HOSTILE = {
    "lead out": [make_zip([("../x", b"")]), make_tar([("a/../../x", b"")]), make_zip([("a/..", b"")])],
    "absolute": [make_zip([("/etc/x", b"")]), make_tar([("/etc/x", b"")])],
    "links": [make_zip([("x", b"/etc/passwd", 0o120777)]), make_tar([("x", b"")], kind=tarfile.SYMTYPE),
              make_tar([("x", b"")], kind=tarfile.LNKTYPE)],
    "only files": [make_zip([("x", b"", 0o060644)]), make_tar([("x", b"")], kind=tarfile.CHRTYPE),
                   make_tar([("x", b"")], kind=tarfile.FIFOTYPE)],
    "64 MB": [BOMB, make_tar([("a", bytes(65 << 20))], "w:gz"), make_zip([("x" * 9, bytes(65 << 20))])],
    "5000": [make_zip([(f"{i}", b"") for i in range(5001)]),
             make_zip([(f"{i}/" + "d/" * 30, b"") for i in range(200)]),  # folders that no entry names
             make_tar([(f"{i}/" + "d/" * 30 + "x", b"") for i in range(200)], "w:gz")],
    "twice": [make_zip([("x", b"1"), ("./x", b"2")]), make_tar([("x", b"1"), ("x", b"2")])],
    "is a file": [make_zip([("x", b"1"), ("x/y", b"2")])],
    "damaged": [make_zip(SOURCES)[:-9], make_tar(SOURCES, "w:gz")[:-9], make_zip(SOURCES)[:60]],
    "not a zip": [b"hello", bytes(2000), b"#!/bin/sh\n" * 200],
    "control characters": [make_zip([("a\nb", b"")]), make_tar([("a\\b", b"")])],
}


def hostile_archives_are_refused(daemon, client):
    for words, blocks in HOSTILE.items():
        for block in blocks:
            try:
                reply = client.submit_file("evil", block, "bot.zip", ' command="sh x"')
            except Refused as refused:
                reply = str(refused)
            if not reply.startswith("error yours value ") or words not in reply:
                yield f"{words}: {reply}"
    if client.refusal("bots evil") != "no_bot" or os.path.exists(os.path.join(daemon.store, "bots", "evil")):
        yield "there is something of a refused archive"
    if client.refusal("submit evil file=bot.zip bytes=1", b"x") != "value":
        yield "an archive needs no command"


def what_is_unpacked_counts_on_the_disk(daemon, client):
    """A small archive of a large file, and one of many files and folders that are small or empty."""
    many = [("x", b"")] + [(f"{i}/x", b"x") for i in range(2499)]
    with Client(daemon.tcp()) as guest:
        for files in ([("x", bytes(30 << 20))], many):
            try:
                reply = guest.submit_file("large", make_zip(files), "bot.zip", ' command="sh x"')
            except Refused as refused:
                reply = str(refused)
            if "disk_mb" not in reply:
                yield reply


def builds_of(daemon):
    return set(os.listdir(os.path.join(daemon.store, "builds")))


def a_build_counts_on_the_disk_and_is_removed_with_its_bot(daemon, client):
    """Its author has 19 MB; builds of the same files are shared, and stay as long as one of the bots does."""
    before = builds_of(daemon)
    fat = ' build="yes x | head -c 12000000 >fat"'
    with Client(daemon.tcp()) as guest:
        if guest.submit_file("fat", HELLO, more=fat) != "bot=fat version=1 build=ok hello=ok":
            yield "a build of 12 MB is refused"
        if client.submit_file("twin", HELLO, more=fat) != "bot=twin version=1 build=ok hello=ok":
            yield "the same build of another user is refused"
        shared = builds_of(daemon) - before
        if len([name for name in shared if "." not in name]) != 1:
            yield f"two bots with the same files have the builds {shared}"
        if guest.refusal("submit more file=bot.sh bytes=8000000", HELLO.encode().ljust(8000000)) != "too_many":
            yield "the build does not count"
        reply = guest.submit_file("fatter", HELLO + "# more\n", more=fat)
        if "build=failed" not in reply or "KB of disk left" not in reply:
            yield f"a build beyond disk_mb: {reply}"
        reply = guest.submit_file("many", HELLO, more=' build="seq 1 9000 | xargs touch"')
        if "KB of disk left" not in reply:
            yield f"thousands of empty files: {reply}"
        number = client.pairs(f"match fatter fair {SHORT}")["job"]
        until(lambda: client.pairs(f"status {number}")["state"] in ("done", "failed"), f"the end of job {number}")
        if {name for name in builds_of(daemon) - before - shared if "." not in name}:
            yield f"a job has built what could not be built: {builds_of(daemon)}"
        guest.ask("remove fat")
        if not shared <= builds_of(daemon):
            yield "the build of a bot was removed with that of another"
        if "build=ok hello=ok" not in guest.submit_file("fatter", HELLO + "# more\n", more=fat):
            yield "what was removed still counts"
        guest.ask("remove fatter")
        guest.ask("remove many")
    client.ask("remove twin")
    until(lambda: builds_of(daemon) == before, "the builds of bots that were removed are deleted")


def a_long_build_keeps_nobody_waiting(daemon, client):
    """The reply comes after submit_ms; others are built meanwhile; the daemon answers all the time."""
    with Client(daemon.tcp()) as guest:
        reply = guest.submit_file("slow", HELLO, more=f' build="sleep {LATE}"')
        if reply != "bot=slow version=1 build=waiting hello=waiting":
            yield reply
        reply = client.submit_file("quick", HELLO)
        if reply != "bot=quick version=1 build=none hello=ok":
            yield reply
        if guest.refusal("output slow of=build") != "no_log":
            yield "the output of a build that runs can be read"
        if result_of(guest, "slow") != ("waiting", "waiting", "waiting"):
            yield f"slow is {result_of(guest, 'slow')}"


def requests_behind_a_submission_wait_for_it(daemon, client):
    client.send(f"submit line file=bot.sh bytes={len(HELLO)}\n{HELLO}status 99\nbots line")
    first, second = client.reply(), None
    try:
        client.reply()
    except Refused as refused:
        second = refused.code
    third = client.reply()
    if (first, second) != ("bot=line version=1 build=none hello=ok", "no_job") or "hello=ok" not in third:
        yield f"{first}, {second}, {third}"


def a_killed_daemon_tries_again(daemon, client):
    """With settings that end the long build."""
    daemon.kill()
    settings(daemon, build_seconds=1, submit_ms=1, check_seconds=0)
    known = builds_of(daemon)
    stray = os.path.join(daemon.store, "builds", "a" * 64)
    os.mkdir(stray)
    daemon.start()
    until(lambda: not os.path.exists(stray), "a build that belongs to no bot is deleted")
    if not {name for name in known if "." not in name} <= builds_of(daemon):
        yield "a build that belongs to a bot is deleted"
    with daemon.client() as again:
        until(lambda: result_of(again, "slow")[0] != "waiting", "the build is done again")
        if result_of(again, "slow") != ("failed", "none", "none"):
            yield f"slow is {result_of(again, 'slow')}"
        if "longer than 1 seconds" not in again.ask("output slow"):
            yield again.ask("output slow")
        if result_of(again, "typo") != ("failed", "none", "none") or "hällo" not in again.ask("output typo"):
            yield "what was known before is lost"
        for name in ("a", "b"):
            again.ask(f"submit {name} command={GREEDY}")
        until(lambda: result_of(again, "b")[1] == "ok", "b says hello")
        if result_of(again, "b") != ("none", "ok", "waiting"):
            yield f"b is {result_of(again, 'b')}, although nothing is checked"


def the_clients_say_it(daemon, client):
    with open(os.path.join(daemon.folder, "bot.c"), "w") as file:
        file.write(TYPO)
    settings(daemon)
    daemon.stop()
    daemon.start()

    def run(*words):
        return subprocess.run([REFEREE, *words, "--socket", daemon.socket], capture_output=True, text=True, check=False,
                              cwd=daemon.folder)

    done = run("submit", "bot", "cli", "bot.c", "--build", "cc -o bot bot.c", "--command", "./bot")
    if done.returncode != 3 or "its build failed" not in done.stdout or "hällo" not in done.stdout:
        yield f"{done.returncode}: {done.stdout}{done.stderr}"
    done = run("submit", "bot", "cli", "bot.c", "--build", "cc -o bot bot.c", "--command", "./bot", "--json")
    found = json.loads(done.stdout)
    if found["version"] != 2 or found["build"] != "failed" or "hällo" not in found["output"]:
        yield done.stdout
    done = run("submit", "bot", "fine", "--command", GREEDY)
    if (done.returncode, done.stdout) != (0, "bot fine, version 1: it says hello\n"):
        yield f"{done.returncode}: {done.stdout}{done.stderr}"
    if "hällo" not in run("output", "cli@1").stdout or run("output", "nobody").returncode != 2:
        yield f"output: {run('output', 'cli@1')}"
    if not any(line.split()[:2] == ["bash", "yes"] for line in run("languages").stdout.splitlines()):
        yield f"languages: {run('languages')}"


CASES = (the_reply_says_whether_it_works, a_missing_language_is_reported, every_starter_has_a_language, a_check_follows,
         a_failing_version_replaces_none_that_works, one_that_cannot_start_stops_no_tournament,
         requests_behind_a_submission_wait_for_it, archives_are_unpacked, hostile_archives_are_refused,
         what_is_unpacked_counts_on_the_disk, a_build_counts_on_the_disk_and_is_removed_with_its_bot, a_long_build_keeps_nobody_waiting, a_killed_daemon_tries_again,
         the_clients_say_it)


def main():
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(folder, "--listen", "127.0.0.1:0", "--settings", os.path.join(folder, "settings"))
        settings(daemon, submit_ms=60000, disk_mb=19)
        daemon.start()
        try:
            with daemon.client() as client:
                for case in CASES:
                    if case is a_long_build_keeps_nobody_waiting:
                        settings(daemon, submit_ms=3000)
                        daemon.process.send_signal(signal.SIGHUP)
                        until(lambda: "settings" in daemon.words(), "the settings are read again")
                    try:
                        problems = list(case(daemon, client))
                    except (OSError, ValueError, KeyError, Refused) as error:
                        problems = [repr(error)]
                    report(case.__name__, problems)
            report("nothing_is_wrong_with_memory", sanitizer_words(daemon))
        finally:
            daemon.end()


if __name__ == "__main__":
    main()
