#!/usr/bin/env python3
"""What becomes of the daemon's folder when something in it is lost, damaged or old, and what `ok` is worth when
the daemon is killed at once or the disk is full."""

import contextlib
import errno
import glob
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading

from daemon import (GREEDY, REFEREE, SHORT, Client, Daemon, NoDaemon, Refused, become_reaper, children, report,
                    sanitizer_words, until)
from patience import SECONDS
from serve_crash import Disk, reap_remains, running, submit_slow, wait_match

UPLOAD = '#!/bin/sh\n# the first\n'


def give_past(daemon):
    """A bot, an upload, and a job that is done."""
    with daemon.client() as client:
        client.ask(f"submit g command={GREEDY}")
        client.submit_file("up", UPLOAD)
        client.ask(f"match g g {SHORT}")
        until(lambda: not client.queue(), "the end of a job")
    daemon.stop()


def refused(daemon, *options):
    """What it says when it does not start."""
    daemon.options = options
    try:
        daemon.start()
    except NoDaemon as why:
        return str(why)
    finally:
        daemon.end()
        daemon.options = ()
    return ""


def expect(said, *parts):
    for part in parts:
        if part not in said:
            yield f"{part!r} is not in {said!r}"


def files_of(folder):
    return {path: open(path, "rb").read() for path in glob.glob(f"{folder}/**", recursive=True) if os.path.isfile(path)
            and not path.endswith("referee.lock")}


def check_lost(folder):
    with running(folder, "lost") as daemon:
        give_past(daemon)
        ledger = os.path.join(daemon.store, "ledger.ndjson")
        shutil.copy(ledger, os.path.join(folder, "backup"))
        os.remove(ledger)
        before = files_of(daemon.store)
        for _ in range(2):
            said = refused(daemon)
            yield from expect(said, "ledger.ndjson is missing or empty", "put the ledger back", "--salvage")
        open(ledger, "w").close()
        yield from expect(refused(daemon), "ledger.ndjson is missing or empty")
        os.remove(ledger)
        if files_of(daemon.store) != before:
            yield "a refused start changes files"
        os.remove(os.path.join(daemon.store, "referee.lock"))
        shutil.copy(os.path.join(folder, "backup"), ledger)
        daemon.start()
        with daemon.client() as client:
            if "g 1 owner" not in client.ask("bots") or client.queue(all="yes")[1][0] != "done":
                yield "the ledger that was put back does not count, or a lock is missed"
        daemon.stop()


def check_salvage(folder):
    """After a salvage the numbers start again, and nothing old is taken for new."""
    with running(folder, "salvage") as daemon:
        give_past(daemon)
        os.remove(os.path.join(daemon.store, "ledger.ndjson"))
        daemon.options = ("--salvage",)
        daemon.start()
        yield from expect(daemon.words(), "0 versions of bots and 0 jobs", "salvaged/bots/up/1", "salvaged/jobs/1")
        with daemon.client() as client:
            if client.refusal("log 1 1.1") != "no_job":
                yield "a log of a lost job is served"
            client.ask(f"submit g command={GREEDY}")
            client.submit_file("up", "#!/bin/sh\n# the second\n")
            submit_slow(client, "1000")
            client.ask(f"match slow slow {SHORT}")
            if client.refusal("log 1 1.1") != "no_log" or client.refusal("result 1") != "no_log":
                yield "an old log is served as that of a new job"
            client.ask("cancel 1")
            until(lambda: not client.queue(), "the end of a job")
        daemon.stop()
        with open(os.path.join(daemon.store, "salvaged", "bots", "up", "1", "bot.sh")) as file:
            if file.read() != UPLOAD:
                yield "an upload is lost"
        if not glob.glob(os.path.join(daemon.store, "salvaged", "jobs", "1", "store", "logs", "*", "*")):
            yield "a log is lost"
        daemon.options = ()
        daemon.start()
        daemon.stop()


def check_damage(folder):
    with running(folder, "damage") as daemon:
        give_past(daemon)
        daemon.start()
        give_past(daemon)
        ledger = os.path.join(daemon.store, "ledger.ndjson")
        with open(ledger, "r+b") as file:
            lines = file.read().splitlines(keepends=True)
            place = next(number for number, line in enumerate(lines) if line.startswith(b'{"job":1,'))
            lines[place] = lines[place].replace(b"owner", b"0wner", 1)
            file.seek(0)
            file.write(b"".join(lines))
        yield from expect(refused(daemon), f"ledger.ndjson: line {place + 1}: wrong checksum", "--salvage")
        daemon.options = ("--salvage",)
        daemon.start()
        yield from expect(daemon.words(), f"damaged in line {place + 1}", "ledger.ndjson.damaged-1",
                          "2 versions of bots and 0 jobs; jobs whose end was lost", "salvaged/bots/up/2", "salvaged/jobs/1", "salvaged/jobs/2")
        with daemon.client() as client:
            if "up 1 owner" not in client.ask("bots"):
                yield "what was before the damage is lost"
        daemon.stop()
        daemon.options = ()
        daemon.start()
        daemon.stop()


def check_last_line(folder):
    """A last record that is damaged cannot be told from one that was cut off: it is dropped, and that is said."""
    with running(folder, "last") as daemon:
        give_past(daemon)
        ledger = os.path.join(daemon.store, "ledger.ndjson")
        with open(ledger, "r+b") as file:
            lines = file.read().splitlines(keepends=True)
            file.seek(sum(map(len, lines[:-1])) + 3)
            file.write(bytes([lines[-1][3] ^ 1]))
        daemon.start()
        yield from expect(daemon.words(), "ledger.ndjson: the last records were cut off",
                          f"({len(lines[-1])} bytes from line {len(lines)}) and are dropped")
        daemon.stop()


def check_missing(folder):
    """What the ledger knows and the folder has lost is named at the start."""
    with running(folder, "missing") as daemon:
        give_past(daemon)
        shutil.rmtree(os.path.join(daemon.store, "jobs", "1"))
        shutil.rmtree(os.path.join(daemon.store, "bots", "up", "1"))
        daemon.start()
        yield from expect(daemon.words(), "1 job folder is missing (jobs/1): its results and logs are lost",
                          "1 uploaded bot is missing (bots/up/1): it cannot play until it is submitted again")
        daemon.stop()


def check_first_line(folder):
    """Where nothing can be kept, --salvage changes nothing, and the way out is in the message."""
    with running(folder, "first") as daemon:
        give_past(daemon)
        daemon.options = ("--salvage",)
        daemon.start()
        yield from expect(daemon.words(), "2 versions of bots and 1 job\n")
        daemon.stop()
        ledger = os.path.join(daemon.store, "ledger.ndjson")
        with open(ledger, "r+b") as file:
            file.write(b"x")
        before = files_of(daemon.store)
        for options in (), ("--salvage",):
            yield from expect(refused(daemon, *options), "ledger.ndjson: line 1: wrong checksum",
                              "restore the file from a backup, or move it away and use --salvage")
        if files_of(daemon.store) != before:
            yield "a refused start changes files"
        os.rename(ledger, f"{ledger}.away")
        daemon.options = ("--salvage",)
        daemon.start()
        yield from expect(daemon.words(), "0 versions of bots and 0 jobs\n")
        daemon.stop()


def check_not_files(folder):
    """Nobody waits for a pipe, and the store of a tournament is not a daemon's folder."""
    with running(folder, "pipes", "--listen", "127.0.0.1:0") as daemon:
        options = daemon.options
        daemon.add_user("alice")
        daemon.stop()
        for name in "ledger.ndjson", "users":
            path = os.path.join(daemon.store, name)
            os.rename(path, f"{folder}/kept")
            os.mkfifo(path, 0o600)
            yield from expect(refused(daemon, *options), f"{path}: it is not a regular file")
            os.remove(path)
            os.rename(f"{folder}/kept", path)
        with open(os.path.join(daemon.store, "results.ndjson"), "w"):
            pass
        yield from expect(refused(daemon, *options), "this is the store of a tournament")


def check_ledger_gone(folder):
    """A submission into a ledger that is no longer there is not acknowledged."""
    for name, happens in [("removed", os.remove), ("emptied", lambda path: os.truncate(path, 0)),
                          ("folder", lambda path: shutil.rmtree(os.path.dirname(path)))]:
        with running(folder, f"gone-{name}") as daemon, daemon.client() as client:
            client.ask(f"submit g command={GREEDY}")
            happens(os.path.join(daemon.store, "ledger.ndjson"))
            for request in f"submit h command={GREEDY}", f"match g g {SHORT}":
                try:
                    yield f"{name}: {request}: {client.ask(request)}"
                except Refused as refusal:
                    if refusal.code != "disk" or "removed or changed while it was in use" not in str(refusal):
                        yield f"{name}: {request}: {refusal}"


def check_second_daemon(folder):
    """A lock that somebody has removed does not let a second daemon in."""
    with running(folder, "second") as daemon:
        os.remove(os.path.join(daemon.store, "referee.lock"))
        second = subprocess.run([REFEREE, "serve", "--store", daemon.store, "--socket", f"{folder}/second.socket"],
                                capture_output=True, text=True, timeout=SECONDS)
        yield from expect(second.stderr, "ledger.ndjson: somebody else is playing in this store")
        if second.returncode != 1:
            yield f"exit code {second.returncode}"
        daemon.stop()


def check_users(folder):
    """Errors about the users are about that file, and a file that is lost is noticed."""
    with running(folder, "users", "--listen", "127.0.0.1:0") as daemon:
        users = os.path.join(daemon.store, "users")
        token = daemon.add_user("alice")
        daemon.stop()
        daemon.start()
        with Client(daemon.tcp(), token=token) as client:
            client.submit_file("hers", UPLOAD)
        daemon.stop()
        options = daemon.options
        with open(users, "a") as file:
            file.write("bob 123\n")
        said = refused(daemon, *options)
        if not said.startswith(f"referee: {users}: line 2 is not a name and the SHA-256 of a token") or said.count("\n") != 1:
            yield f"a wrong line: {said!r}"
        with open(users, "w") as file:
            file.write("# " + "x" * 500 + "\nbob 123\n")
        yield from expect(refused(daemon, *options), f"{users}: line ")
        os.chmod(users, 0o644)
        said = refused(daemon, *options)
        if not said.startswith(f"referee: {users}: others can read"):
            yield f"an open file: {said!r}"
        os.remove(users)
        said = refused(daemon, "--listen", "0.0.0.0:0")
        yield from expect(said, f"{users} is missing or empty, and alice had a token", "nobody has a token")
        daemon.options = options
        daemon.start()
        yield from expect(daemon.words(), f"{users} is missing or empty, and alice had a token")
        try:
            Client(daemon.tcp(), token=token).close()
            yield "a token counts without the file"
        except Refused as refusal:
            if refusal.code != "token":
                yield f"a token without the file: {refusal}"


def check_many_users(folder):
    """Tokens that were printed are in the file, also if several processes add users at once."""
    daemon = Daemon(os.path.join(folder, "many"))
    tokens = {}
    adders = [threading.Thread(target=lambda name=name: tokens.update({name: daemon.add_user(name)}))
              for name in ("anna", "bert", "carl", "dora", "emil", "fred", "gert", "hans")]
    for adder in adders:
        adder.start()
    for adder in adders:
        adder.join(SECONDS)
    with open(os.path.join(daemon.store, "users")) as file:
        names = sorted(line.split()[0] for line in file)
    if names != sorted(tokens) or len(names) != len(adders):
        yield f"tokens were printed for {sorted(tokens)}, and the file has {names}"


def check_ok(folder):
    """The daemon is killed as soon as a cancel or a resume is acknowledged: it counts."""
    with running(folder, "ok", "--workers", "1") as daemon:
        with daemon.client() as client:
            submit_slow(client, "1000")
            for _ in range(6):
                client.ask(f"match slow slow {SHORT}")
            wait_match(daemon)
        for number in range(1, 7):  # the first is being played, then each after a restart
            with daemon.client() as client:
                if number % 2 == 0:
                    until(lambda: client.queue()[number][0] == "playing", "a job that is played")
                client.ask(f"cancel {number}")
                daemon.kill()
            daemon.start()
            with daemon.client() as client:
                state = client.queue(all="yes")[number][0]
            if state != "cancelled":
                yield f"job {number} was cancelled, and is {state} after a kill"
        yield from reap_remains_of(daemon)


def reap_remains_of(daemon):
    daemon.stop()
    yield from reap_remains()


def check_resume(folder):
    """A job whose process was killed too often can be resumed; that is on the disk, too."""
    with running(folder, "resume", "--workers", "1") as daemon:
        with daemon.client() as client:
            submit_slow(client, "1000")
            client.ask("watch")
            client.ask(f"match slow slow {SHORT}")
            for _ in range(3):
                client.wait_event("1 begin")
                for pid in children(daemon.pid):
                    os.kill(pid, signal.SIGKILL)
            client.wait_event("1 over failed its process was killed 3 times")
            client.ask("resume 1")
            daemon.kill()
        daemon.start()
        with daemon.client() as client:
            until(lambda: client.queue()[1][0] == "playing", "the job is played again")
            asked = subprocess.run([REFEREE, "resume", "--socket", daemon.socket, "1"], capture_output=True, text=True,
                                   timeout=SECONDS)
            if asked.returncode != 0:
                yield f"referee resume: {asked.stderr}"
            client.ask("cancel 1")
            until(lambda: not client.queue(), "the end of a job")
            if client.refusal("resume 1") != "too_late":
                yield "a cancelled job can be resumed"
        yield from reap_remains_of(daemon)


def check_prune(folder):
    """The daemon is killed while it deletes logs, somewhere between the two records in the ledger: what is left is
    deleted when it is started again, and then it does not count any more."""
    def records(key):
        with open(os.path.join(daemon.store, "ledger.ndjson"), encoding="utf-8") as file:
            return [json.loads(line) for line in file.read().splitlines() if line.startswith(f'{{"{key}":')]
    with running(folder, "prune", "--workers", "1") as daemon:
        with daemon.client() as client:
            client.ask(f"submit g command={GREEDY}")
            for _ in range(4):
                client.ask(f"match g g deals=20 {SHORT}")
            until(lambda: not client.queue(), "the end of the jobs")
        for number in range(1, 5):
            with daemon.client() as client:
                client.send(f"prune {number}")
                until(lambda: len(records("prune")) == number, "the first record")
                until(lambda: number % 2 == 0 or children(daemon.pid) or len(records("pruned")) == number, "the process")
                daemon.kill()
            daemon.start()
            until(lambda: len(records("pruned")) == number, "the second record")
            store = os.path.join(daemon.store, "jobs", str(number), "store")
            left = [name for name in os.listdir(os.path.join(store, "logs")) if not name.startswith(".")]
            proof = subprocess.run([REFEREE, "replay", "--verify", store], capture_output=True, text=True,
                                   timeout=SECONDS)
            if left or proof.returncode != 0 or "20 logs were pruned" not in proof.stdout:
                yield f"job {number}: {left}, {proof.stdout}{proof.stderr}"
            before, after = records("end")[number - 1]["bytes"], records("pruned")[number - 1]["bytes"]
            if after > before - 20 * 8192:
                yield f"job {number} had {before} bytes, and {after} are left"
        yield from reap_remains_of(daemon)


def check_prune_links(folder):
    """What somebody has put into a store in place of a folder or a log is not followed: files elsewhere stay."""
    with running(folder, "links", "--workers", "1") as daemon, daemon.client() as client:
        client.ask(f"submit g command={GREEDY}")
        client.ask(f"match g g deals=3 {SHORT}")
        until(lambda: not client.queue(), "the end of the job")
        logs = os.path.join(daemon.store, "jobs", "1", "store", "logs")
        elsewhere = os.path.join(folder, "elsewhere")
        os.rename(os.path.join(logs, "000001"), elsewhere)
        os.symlink(elsewhere, os.path.join(logs, "000001"))
        kept = os.path.join(folder, "kept.ndjson.zst")
        os.rename(os.path.join(logs, "000002", "01.ndjson.zst"), kept)
        os.symlink(kept, os.path.join(logs, "000002", "01.ndjson.zst"))
        pruned = client.ask("prune 1").split()[0]
        if pruned != "logs=1" or not os.listdir(elsewhere) or not os.path.exists(kept):
            yield f"{pruned}; elsewhere: {os.listdir(elsewhere)}, the log: {os.path.exists(kept)}"


def check_full_disk(folder):
    """What was not written was not acknowledged, and is not done."""
    where = os.path.join(folder, "full")
    os.mkdir(where)
    disk = Disk(os.path.join(where, "counter"), errno.ENOSPC)
    with running(where, "daemon", "--workers", "1", environment=disk.environment) as daemon:
        with daemon.client() as client:
            submit_slow(client, "1000")
            for _ in range(10):
                client.ask(f"match slow slow {SHORT}")
            wait_match(daemon)
            disk.let_fail(True)
            answers = [client.refusal(f"cancel {number}") for number in range(1, 6)]
            disk.let_fail(False)
            answers += [client.refusal(f"cancel {number}") for number in range(6, 11)]
            daemon.kill()
        if answers != ["disk"] * 5 + [None] * 5:
            yield f"the answers are {answers}"
        daemon.start(environment=disk.environment)
        with daemon.client() as client:
            states = [job[0] for job in client.queue(all="yes").values()]
            if states[5:] != ["cancelled"] * 5 or "cancelled" in states[:5]:
                yield f"after a restart: {states}"
            for number in range(1, 6):
                client.ask(f"cancel {number}")
            until(lambda: not client.queue(), "the end of all jobs")


def check_foreign(folder):
    """Only a folder of its own is closed to other users: here below /opt, which all bots can read."""
    place = tempfile.mkdtemp(prefix="referee-test-", dir="/opt" if os.geteuid() == 0 else folder)
    try:
        os.chmod(place, 0o755)
        path = os.path.join(place, "notes.txt")
        with open(path, "w") as file:
            file.write("somebody's")
        os.chmod(path, 0o644)
        for store, words in [(place, "it has other files"), (path, "Not a directory")]:
            done = subprocess.run([REFEREE, "serve", "--store", store, "--socket", os.path.join(folder, "s")],
                                  capture_output=True, text=True, timeout=SECONDS)
            if done.returncode != 1 or words not in done.stderr:
                yield f"{store}: {done.returncode}, {done.stderr}"
        modes = [os.stat(name).st_mode & 0o777 for name in (place, path)]
        if modes != [0o755, 0o644] or os.listdir(place) != ["notes.txt"]:
            yield f"modes {modes}, files {os.listdir(place)}"
    finally:
        shutil.rmtree(place)


def main():
    become_reaper()
    folder = tempfile.mkdtemp(prefix="serve-damage-")
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        report("a_folder_whose_ledger_is_lost_is_refused_and_stays_as_it_is", check_lost(folder))
        report("a_salvaged_folder_starts_over_and_keeps_what_was_there", check_salvage(folder))
        report("a_damaged_ledger_is_salvaged_up_to_the_damage", check_damage(folder))
        report("a_last_record_that_is_dropped_is_reported", check_last_line(folder))
        report("folders_that_the_ledger_knows_and_are_missing_are_named_at_the_start", check_missing(folder))
        report("a_ledger_of_which_nothing_can_be_kept_stays_as_it_is", check_first_line(folder))
        report("nobody_waits_for_a_pipe_in_place_of_a_file", check_not_files(folder))
        report("nothing_is_acknowledged_that_went_to_a_removed_ledger", check_ledger_gone(folder))
        report("a_removed_lock_does_not_let_a_second_daemon_in", check_second_daemon(folder))
        report("errors_about_users_name_that_file_and_its_line", check_users(folder))
        report("users_that_are_added_at_once_are_all_in_the_file", check_many_users(folder))
        report("a_folder_of_somebody_else_is_refused_and_stays_as_it_is", check_foreign(folder))
        report("a_cancel_that_is_acknowledged_survives_a_kill", check_ok(folder))
        report("a_resume_that_is_acknowledged_survives_a_kill", check_resume(folder))
        report("logs_that_were_being_deleted_at_a_kill_are_deleted_afterwards", check_prune(folder))
        report("logs_are_not_deleted_through_links", check_prune_links(folder))
        report("a_cancel_that_cannot_be_written_is_refused", check_full_disk(folder))


if __name__ == "__main__":
    main()
