#!/usr/bin/env python3
"""Which files an upload, its build and the daemon itself read: a guest without a token names paths of the
daemon's machine in every way there is, at each sandbox level. He gets none of them, and is not told which
exist; and no file keeps the daemon from answering."""

import json
import os
import re
import shutil
import sys
import tempfile

from daemon import GOOD, SHORT, Refused, become_reaper, report
from serve_hostile import Place, SPY, fault_of, settled

# Reads what its arguments name, and what lies where they would be.
READER = SPY.replace("TARGETS", "[('read', path) for path in sys.argv[1:]] + FIXED")


def reader(*paths):
    return READER.replace("FIXED", repr([("read", path) for path in paths]))


def secrets(place):
    """Files of the daemon's machine that a stranger must not see, whoever else may read them."""
    folder = os.path.join(place.daemon.folder, "closed")
    os.makedirs(folder, exist_ok=True)
    for name, mode in (("secret", 0o600), ("present", 0o755)):
        with open(os.path.join(folder, name), "w") as file:
            file.write("#!/bin/sh\nexit 0\n")
        os.chmod(os.path.join(folder, name), mode)
    return folder


def said_of(client, request, text):
    """The refusal of a request in full; the reply if there is none."""
    try:
        return client.ask(f"{request} bytes={len(text)}", text.encode())
    except Refused as refused:
        return f"{refused.code} {refused.words}"


def end_of(client, name):
    """How a match with that bot ended, in all words that a stranger gets."""
    client.ask("watch")
    number = client.pairs(f"match {name} honest {SHORT}")["job"]
    event = client.wait_event(f"{number} over")
    client.ask("watch off")
    end = event.split(" ", 2)[2] + " | " + client.ask(f"status {number}")
    return re.sub(rf"job={number}|slot_ms=[0-9]+", "", end)


def honest(place):
    with place.owner() as owner:
        if "honest" not in owner.ask("bots"):
            owner.ask(f"submit honest command={GOOD}")


# Commands.


def words_that_are_paths(place):
    """Words of a command are not followed out of the upload."""
    honest(place)
    folder = secrets(place)
    paths = [os.path.join(folder, "secret"), folder, os.path.join(place.daemon.store, "users"),
             os.path.join(place.daemon.store, "ledger.ndjson"), place.daemon.store, "../../../users",
             "/proc/self/cwd/../../../users", "/proc/1/root" + folder, "bot.py/../../../../users"]
    with place.guest() as guest:
        for path in paths:
            guest.submit_file("reader", reader(path), "bot.py", f' command="python3 bot.py {path}"')
            if fault_of(guest, "reader") != ("-", "-"):
                yield f"a bot gets {path}"
        guest.submit_file("own", reader("bot.py"), "bot.py", ' command="python3 bot.py"')
        if fault_of(guest, "own")[0] == "-":
            yield "a bot cannot read its own file"


def programs_elsewhere(place):
    """A program is in the upload, or a name; what is said of others does not tell whether they exist."""
    folder = secrets(place)
    there, missing = os.path.join(folder, "present"), os.path.join(folder, "missing")
    up = "../" * 12
    with place.guest() as guest:
        for form in ("{}", "\\\"{}\\\"", "\\\\{}", "'{}' x", up + "{}", "./" + up + "{}", "  {}", "./bot.sh/..{}"):
            replies = [said_of(guest, f'submit p{len(form)} file=bot.sh command="{form.format(path)}"', "#!/bin/sh\n")
                       .replace(path, "PATH") for path in (there, missing)]
            if replies[0] != replies[1] or replies[0].split(" ")[0] not in ("value", "cannot_run", "unreadable"):
                yield f"{form}: {replies}"
        for command in ("/bin/sh", "/usr/bin/env", "/nowhere"):
            if guest.refusal(f"submit p file=bot.sh command={command} bytes=1", b"x") != "value":
                yield f"{command} is taken"


def interpreters_elsewhere(place):
    """The first line of a script does not tell which files exist either."""
    folder = secrets(place)
    with place.guest() as guest:
        replies = [said_of(guest, f"submit shebang-{i} file=bot.sh", f"#!{folder}/{name}\n").replace(f"shebang-{i}", "shebang")
                   for i, name in enumerate(("present", "secret", "missing", "../closed/present"))]
        replies = [re.sub(r"referee-bots-\w+/copy-\w+", "COPY", reply) for reply in replies]
        if len(set(replies)) != 1:
            yield f"{replies}"
        if "does not exist" not in said_of(guest, "submit shebang file=bot.sh", "#!/usr/bin/no-such-program\n"):
            yield "a missing interpreter of the system is not reported"


def variants_elsewhere(place):
    """The file of a variant is not opened, whether it exists or not."""
    folder = secrets(place)
    with place.guest() as guest:
        replies = []
        for path in (f"{folder}/secret", f"{folder}/none", f"{place.daemon.store}/ledger.ndjson", "config.json"):
            replies.append(said_of(guest, "tournament", '{"edition": "%s", "bots": ["honest", "honest"]}' % path))
        if len(set(replies)) != 1 or "not a file" not in replies[0]:
            yield f"{replies}"


# Builds.

# What a build leaves in the place of the program, and of a file that the program reads.
LEAVES = ["ln -s {path} run", "mkdir sub && ln -s {folder} sub/up && ln -s sub/up/{name} run",
          "ln -s ../../../../../../../../..{path} run", "cd .. && mv build was && ln -s {folder} build",
          "rm -rf ../build && ln -s {folder} ../build"]


def links_of_builds(place):
    """No link that a build leaves is followed, and the end of the job does not tell whether it leads somewhere."""
    honest(place)
    folder = secrets(place)
    with place.guest() as guest:
        for i, leaves in enumerate(LEAVES):
            ends = []
            for name in ("present", "missing"):
                build = leaves.format(path=os.path.join(folder, name), folder=folder, name=name)
                guest.submit_file(f"left-{i}", f"# {name}\n", "bot.py", f' build="{build}" command=./run')
                ends.append(end_of(guest, f"left-{i}").replace(os.path.join(folder, name), "PATH").replace(name, "NAME"))
            if ends[0] != ends[1] or " done" in ends[0] or place.daemon.folder in ends[0]:
                yield f"{leaves}: {ends}"
        build = f"ln -s {folder} folder; ln -s {folder}/secret secret; ln -s {place.daemon.store}/users users"
        guest.submit_file("linked", reader("secret", "folder/secret", "folder", "users"), "bot.py",
                          f' build="{build}" command="python3 bot.py secret folder/secret users"')
        if fault_of(guest, "linked") != ("-", "-"):
            yield "a bot gets what its build has linked"
        guest.submit_file("inside", SPY.replace("TARGETS", "[]"), "bot.py",
                          ' build="chmod +x bot.py; ln -s bot.py run" command=./run')
        if fault_of(guest, "inside") != ("-", "-"):
            yield "a link inside its folder does not work"


def what_builds_read(place):
    folder = secrets(place)
    honest(place)
    paths = [f"{folder}/secret", f"{place.daemon.store}/users", f"{place.daemon.store}/ledger.ndjson", "../../../users",
             f"{place.daemon.store}/jobs/1/store/master"]
    build = "for path in " + " ".join(paths) + "; do if cat $path; then exit 1; fi; done; chmod +x bot.py"
    with place.guest() as guest:
        guest.submit_file("curious", SPY.replace("TARGETS", "[]"), "bot.py", f' build="{build}"')
        if fault_of(guest, "curious") != ("-", "-"):
            yield "a build gets secrets"


def holes_of_builds(place):
    """Files with holes need no room in a scratch folder, and none when they are copied."""
    honest(place)
    with place.guest() as guest:
        free = os.statvfs(place.daemon.store)
        guest.submit_file("holes", "#\n", "bot.py",
                          ' build="for i in $(seq 1000); do truncate -s 60M f$i; done" command="python3 bot.py"')
        end = end_of(guest, "holes")
        used = (free.f_bfree - os.statvfs(place.daemon.store).f_bfree) * free.f_frsize
        # Without root there is no tmpfs, but a limit for each file.
        is_refused = "are larger than" in end or (os.geteuid() != 0 and "exit status 153" in end)
        if not is_refused or used > 8 << 30:
            yield f"{used >> 20} MB: {end}"


# Files without an end.


def files_without_an_end(place):
    """Whatever the words of a command are, the daemon answers, and so does the job that plays the bot."""
    honest(place)
    fifo, large = (os.path.join(place.daemon.folder, name, "file") for name in ("fifo", "large"))
    os.makedirs(os.path.dirname(fifo))
    os.makedirs(os.path.dirname(large))
    os.mkfifo(fifo)
    with open(large, "wb") as file:
        file.truncate(1 << 40)
    os.chmod(large, 0o755)
    with place.guest() as guest, place.owner() as owner:
        for i, path in enumerate(("/proc/kmsg", fifo, "/dev/zero", "/dev/stdin", large, "/proc/self/mem")):
            guest.submit_file(f"guest-{i}", SPY.replace("TARGETS", "[]"), "bot.py", f' command="python3 bot.py {path}"')
            owner.ask(f'submit owner-{i} command="{GOOD} {path}"')
            owner.refusal(f"submit program-{i} command={path}")
            owner.pairs("status")
            if path != large and (fault_of(guest, f"guest-{i}"), fault_of(owner, f"owner-{i}")) != (("-", "-"),) * 2:
                yield f"{path}: a bot is at fault"
        end = end_of(owner, "owner-4")
        if "too large" not in end:
            yield end


def programs_that_the_owner_names(place):
    """A bot without a folder gets nothing of the job that it plays in."""
    folder = os.path.join(place.daemon.folder, "own")
    os.makedirs(folder)
    job = os.path.join(place.daemon.store, "jobs", "JOB", "store")
    names = ("master", "results.ndjson", "open/000001/01.ndjson", "referee.lock")
    paths = [os.path.join(top, name) for name in names for top in ("store", job.replace("JOB", "1"))]
    paths += [os.path.join(job.replace("JOB", str(number)), name) for number in range(1, 60) for name in names]
    with open(os.path.join(folder, "bot.py"), "w") as file:
        file.write(reader(*paths, "config.json"))
    os.chmod(os.path.join(folder, "bot.py"), 0o755)
    honest(place)
    with place.owner() as owner:
        owner.ask(f"submit named command={folder}/bot.py")
        if fault_of(owner, "named") != ("-", "-"):
            yield "it gets what is in the folder of its job"
        text = json.dumps({"bots": [{"name": "direct", "command": f"{folder}/bot.py"}, "honest"], "seats": 2, "deals": 1,
                           "rules": {"rounds": 1, "turn_limit": 6}, "start_ms": 60000, "move_ms": 60000}).encode()
        owner.ask("watch")
        number = owner.pairs(f"tournament bytes={len(text)}", text)["job"]
        owner.wait_event(f"{number} over")
        if "direct" in owner.ask(f"result {number}") and "no_start" in owner.ask(f"result {number}"):
            yield "it gets what is in the folder of its job, in a tournament file"


CASES = [words_that_are_paths, programs_elsewhere, interpreters_elsewhere, variants_elsewhere, links_of_builds, what_builds_read,
         holes_of_builds, files_without_an_end, programs_that_the_owner_names]


def run(folder, level):
    places = []

    def begin():
        places.append(Place(folder, {}, "--contain", level))
        yield from ()

    report(f"a daemon with {level} bots", begin())
    if not places:
        return
    try:
        for case in CASES:
            if len(sys.argv) == 1 or case.__name__ in sys.argv[1:]:
                report(f"{case.__name__}: {level}", settled(places[0], case))
        if places[0].daemon.stop() != 0:
            print(f"not ok the end of a daemon with {level} bots: {places[0].daemon.words()[-500:]}")
    finally:
        places[0].daemon.end()


def main():
    become_reaper()
    folder = tempfile.mkdtemp(prefix="serve-files-")
    os.chmod(folder, 0o755)
    for level in ("guarded", "sealed"):
        run(os.path.join(folder, level), level)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
