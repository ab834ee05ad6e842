#!/usr/bin/env python3
"""Tournaments whose blocks are played by `referee worker`s behind a real job server on the loopback. Most of them
wait most of the time, so several cases run at once, each with a folder, a server and workers of its own.

GEARMAN_KILLS says how often something is killed, GEARMAN_SEED (printed) what and when."""

import concurrent.futures
import glob
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from organiser import (BUILD, GREEDY, RANDOM, REFEREE, Cup, differences, expect, read_records, report, run, write_file,
                       write_script)
from patience import SECONDS, Lines, until

IS_SANITIZED = b"__asan_init" in open(REFEREE, "rb").read()
KILLS = int(os.environ.get("GEARMAN_KILLS", "6" if IS_SANITIZED else "20"))
SEED = os.environ.get("GEARMAN_SEED", "1")
LIAR = os.path.join(BUILD, "tests", "lying.so")
AT_ONCE = 5


class Skipped(Exception):
    """A case cannot be run here, and why."""


def free_port(lock=threading.Lock(), given=set()):
    """A port that no other case has got."""
    with lock:
        while True:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            if port not in given:
                given.add(port)
                return port


def is_listening(port, host="127.0.0.1"):
    try:
        socket.create_connection((host, port), 1).close()
        return True
    except OSError:
        return False


class Child:
    """A process of ours, and what it says."""

    started = []

    def __init__(self, *command, **more):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, start_new_session=True, **more)
        self.said = Lines(self.process.stdout)
        Child.started.append(self)

    def send(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def end(self, number=signal.SIGKILL):
        self.send(number)
        return self.process.wait(SECONDS)


class Cluster:
    """A job server and workers."""

    def __init__(self, folder, networks=None):
        self.folder = folder
        self.networks = networks
        self.key = write_file(os.path.join(folder, "key"), "a key of the cluster of this test\n", 0o600)
        self.port = free_port()
        self.server = None
        self.workers = []
        self.count = 0
        self.start_server()

    def start_server(self):
        self.server = Child(*self.inside(), "gearmand", "-p", str(self.port), "-L", "0.0.0.0" if self.networks else "127.0.0.1",
                            "-l", "none", "--threads=1")
        if self.networks is None:
            until(lambda: is_listening(self.port), "gearmand")

    def inside(self, network=None):
        """What a command begins with in the network of a worker, or in that of the server."""
        if self.networks is None:
            return []
        return ["ip", "netns", "exec", self.networks.hub if network is None else self.networks.names[network]]

    def address(self, network=None):
        return f"127.0.0.1:{self.port}" if network is None else f"10.77.{network}.1:{self.port}"

    def worker(self, *options, key=None, cache=None, environment=None, network=None, address=None):
        self.count += 1
        cache = cache or os.path.join(self.folder, f"cache{self.count}")
        if "--speed" not in options:
            options = ("--speed", "20000", *options)
        worker = Child(*self.inside(network), REFEREE, "worker", "--gearman", address or self.address(network), "--key-file",
                       key or self.key, "--workers", "1", "--cache", cache, "--name", f"w{self.count}", *options,
                       env=dict(os.environ, **(environment or {})))
        worker.cache = cache
        self.workers.append(worker)
        return worker

    def options(self, *more):
        return ["--gearman", self.address(), "--key-file", self.key, "--quiet", *more]

    def play(self, cup, *more):
        return cup.play(*self.options(*more))

    def start(self, cup, *more):
        return Child(*self.inside(), REFEREE, "tournament", "--seed", "x", *self.options(*more), cup.file)

    def end_workers(self):
        for worker in self.workers:
            worker.send(signal.SIGCONT)
            worker.end(signal.SIGKILL)
        self.workers = []

    def end(self):
        self.end_workers()
        self.server.end()


def same(local, away):
    """Byte for byte, times apart."""
    yield from differences([local.outcome()[0]["bots"], local.outcome()[1]], [away.outcome()[0]["bots"], away.outcome()[1]])
    if len(away.results()) != len(local.results()) or len(away.logs()) != len(local.logs()):
        yield "results or logs are missing, or too many"
    yield from expect(run("replay", "--verify", away.store), 0, "verified")


def cups(folder, name, **keys):
    return Cup(os.path.join(folder, "local"), name, **keys), Cup(os.path.join(folder, "away"), name, **keys)


def machines_of(cup):
    return {read_records(log)[0].get("machine") for log in cup.logs()}


def own_bots(folder):
    """Bots that travel in different ways: a built one, one with a folder, scripts, and a program."""
    built = os.path.join(folder, "built")
    write_script(built, "bot.in")
    helped = os.path.join(folder, "helped")
    write_script(helped, "bot.sh", on_match=". ./help.sh")
    write_file(os.path.join(helped, "help.sh"), ":\n")
    script = write_script(os.path.join(folder, "plain"), "script.sh")
    return [{"name": "g", "command": GREEDY}, {"name": "built", "command": "./bot", "folder": built,
                                               "build": "cp bot.in bot && chmod +x bot"},
            {"name": "helped", "command": "./bot.sh", "folder": helped}, {"name": "script", "command": f"sh {script}"}]


def same_as_local(folder):
    cluster = Cluster(os.path.join(folder, "cluster"))
    local, away = cups(folder, "four", deals=2, bots=own_bots(folder))
    yield from expect(local.play(), 0)
    for _ in range(4):
        cluster.worker()
    yield from expect(cluster.play(away), 0)
    yield from same(local, away)
    if not machines_of(away) <= {f"w{i}" for i in range(1, 5)}:
        yield f"played by {machines_of(away)}"
    # Each worker gets each bot once, and has it when it is asked again.
    again = Cup(os.path.join(folder, "again"), "four", deals=2, bots=away.keys["bots"])
    yield from expect(cluster.play(again), 0)
    yield from same(local, again)
    cluster.end()


def beside_local(folder):
    cluster = Cluster(os.path.join(folder, "cluster"))
    cluster.worker()
    local, away = cups(folder, "beside", deals=12)
    yield from expect(local.play(), 0)
    yield from expect(cluster.play(away, "--workers", "1"), 0)
    yield from same(local, away)
    if None not in machines_of(away) or len(machines_of(away)) < 2:
        yield f"played by {machines_of(away)} only"
    cluster.end()


def contained(folder):
    """At the level that the tournament demands, and no other."""
    local, away = cups(folder, "contained", deals=1, contain="guarded", seatings="single")
    done = local.play()
    if done.returncode != 0:
        raise Skipped("bots cannot be guarded here")
    cluster = Cluster(os.path.join(folder, "cluster"))
    cluster.worker()
    yield from expect(cluster.play(away), 0)
    yield from same(local, away)
    if {read_records(log)[0]["contain"] for log in away.logs()} != {"guarded"}:
        yield "at another level"
    cluster.end()


def killed(folder):
    """Something is killed at random moments and started again; in the end everything is as if nothing had happened."""
    choice = random.Random(SEED)
    local, away = cups(folder, "killed", deals=40, seatings="single", start_ms=60000)
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "kills"))
    caches = [os.path.join(folder, "kills", f"c{i}") for i in range(3)]
    workers = [cluster.worker(cache=cache) for cache in caches]
    play = cluster.start(away)
    kills = 0
    deadline = time.monotonic() + SECONDS * max(1, KILLS / 50)
    while time.monotonic() < deadline:
        try:
            if play.process.wait(choice.uniform(0.01, 0.25)) == 0 and kills >= KILLS:
                break
        except subprocess.TimeoutExpired:
            pass
        if play.process.poll() is not None and kills < KILLS:
            # Too quick: once more, from the start.
            shutil.rmtree(away.store, ignore_errors=True)
            play = cluster.start(away)
        if kills >= KILLS:
            continue
        kills += 1
        victim = choice.choice(["worker", "worker", "server", "coordinator"])
        if victim == "worker":
            i = choice.randrange(len(workers))
            workers[i].end()
            workers[i] = cluster.worker(cache=caches[i])
        elif victim == "server":
            cluster.server.end()
            cluster.start_server()
        elif play.process.poll() is None:
            play.end()
            play = cluster.start(away)
    code = play.process.wait(SECONDS)
    if code != 0:
        yield f"exit code {code} after {kills} kills: {play.said.text()[-800:]}"
    yield from same(local, away)
    cluster.end()


def hung(folder):
    """A worker that hangs is given up; when it wakes up, its answer is late and dropped."""
    gate = os.path.join(folder, "hung-gate")
    script = write_script(os.path.join(folder, "hung"), "waits.sh",
                          on_ask=f'if [ $asked = 2 ] && [ ! -e {gate} ]; then : >{gate}; : >{gate}.now; sleep 1; fi')
    local, away = cups(folder, "hung", deals=2, seatings="single", bots=[{"name": "w", "command": script}, {"name": "r", "command": RANDOM}])
    write_file(gate, "")
    yield from expect(local.play(), 0)
    os.remove(gate)
    cluster = Cluster(os.path.join(folder, "hung-cluster"))
    cluster.worker()
    play = cluster.start(away, "--silence", "3")
    until(lambda: os.path.exists(gate + ".now"), "a question")
    os.killpg(cluster.workers[0].process.pid, signal.SIGSTOP)
    second = cluster.worker()
    code = play.process.wait(SECONDS)
    os.killpg(cluster.workers[0].process.pid, signal.SIGCONT)
    if code != 0 or "has said nothing for 3 s" not in play.said.wait_end():
        yield f"exit code {code}: {play.said.text()}"
    yield from same(local, away)
    yield from expect(run("standings", away.store), 0)
    if second.process.poll() is not None:
        yield "the second worker has ended"
    cluster.end()


def poisonous(folder):
    """A block that kills whoever plays it is set aside, and the rest is played."""
    poison = write_file(os.path.join(folder, "poison"), "")
    kill = f'if [ -e {poison} ] && [ $asked = 2 ]; then kill -9 $PPID; fi'
    script = write_script(os.path.join(folder, "poisonous"), "kills.sh", on_ask=kill)
    bots = [{"name": "k", "command": script}, {"name": "r", "command": RANDOM}, {"name": "g", "command": GREEDY}]
    local, away = cups(folder, "poisonous", deals=1, seatings="single", bots=bots)
    cluster = Cluster(os.path.join(folder, "poison-cluster"))
    cluster.worker()
    play = cluster.start(away)
    said = play.said.wait_for("is set aside; the last reason")
    if "a worker was killed by signal 9" not in said:
        yield f"the reason is not said: {said}"
    os.remove(poison)
    code = play.process.wait(SECONDS)
    if code != 0:
        yield f"exit code {code}: {play.said.text()}"
    yield from expect(local.play(), 0)
    yield from same(local, away)
    cluster.end()


def worker_killer(folder):
    """A block that takes down the whole worker, not only the process that plays."""
    poison = write_file(os.path.join(folder, "strong-poison"), "")
    kill = f'if [ -e {poison} ] && [ $asked = 2 ]; then read -r a b c parent d </proc/$PPID/stat; kill -9 $parent; fi'
    script = write_script(os.path.join(folder, "killer"), "kills.sh", on_ask=kill)
    local, away = cups(folder, "killer", deals=1, seatings="single", bots=[{"name": "k", "command": script}, {"name": "r", "command": RANDOM}])
    cluster = Cluster(os.path.join(folder, "killer-cluster"))
    workers = [cluster.worker() for _ in range(2)]
    play = cluster.start(away)
    deaths = 0
    while "3 workers were lost while they played it" not in play.said.text():
        for i, worker in enumerate(workers):
            if worker.process.poll() is not None:
                deaths += 1
                workers[i] = cluster.worker(cache=worker.cache)
        if deaths > 50:
            yield "it kills for ever"
            break
        time.sleep(0.02)
    if deaths > 6:
        yield f"it killed {deaths} workers"
    os.remove(poison)
    while play.process.poll() is None:
        for i, worker in enumerate(workers):
            if worker.process.poll() is not None:
                workers[i] = cluster.worker(cache=worker.cache)
        time.sleep(0.05)
    if play.process.returncode != 0:
        yield f"exit code {play.process.returncode}: {play.said.text()}"
    yield from expect(local.play(), 0)
    yield from same(local, away)
    cluster.end()


def lying(folder):
    """A worker whose logs are wrong is shut out and named; it ends, and others play its blocks."""
    local, away = cups(folder, "lying", deals=4, seatings="single")
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "lying-cluster"))
    liar = cluster.worker(environment={"LD_PRELOAD": LIAR, "LIE_FILE": os.path.join(folder, "lie")})
    play = cluster.start(away)
    said = play.said.wait_for("is shut out")
    name = f"w1:{liar.process.pid}"
    if f"worker {name} is shut out: its match" not in said:
        yield f"it is not named: {said}"
    until(lambda: liar.process.poll() is not None, "the end of the liar")
    if "has shut this worker out" not in liar.said.wait_end():
        yield f"the liar says nothing: {liar.said.text()}"
    cluster.worker()
    code = play.process.wait(SECONDS)
    if code != 0:
        yield f"exit code {code}: {play.said.text()}"
    yield from same(local, away)
    cluster.end()


def deaf_liar(folder):
    """A liar that plays on when it is shut out cannot keep blocks going round for ever. Without it they are played."""
    local, away = cups(folder, "deaf", deals=2, seatings="single")
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "deaf-cluster"))
    liar = cluster.worker(environment={"LD_PRELOAD": LIAR, "LIE_FILE": os.path.join(folder, "lie"), "LIE_DEAF": "w1:"})
    play = cluster.start(away)
    name = f"w1:{liar.process.pid}"
    code = play.process.wait(SECONDS)
    said = play.said.wait_end()
    if code != 1 or f"is missing, it was void 8 times; the last reason: tried by {name}: " not in said:
        yield f"exit code {code}: {said}"
    for words in (f"was void 3 times and is set aside; the last reason: tried by {name}: ", "does not stop",
                  "when the cause is fixed, play them"):
        if words not in said:
            yield f"`{words}` is not said: {said}"
    if liar.process.poll() is not None:
        yield f"the liar has ended: {liar.said.text()}"
    liar.end()
    cluster.worker()
    yield from expect(cluster.play(away), 0)
    yield from same(local, away)
    cluster.end()


def hung_player(folder):
    """A process that plays and hangs is ended by its worker, or by a tournament that plays here."""
    gate = os.path.join(folder, "gate")
    stop = f'if [ $asked = 2 ] && [ ! -e {gate} ]; then : >{gate}; kill -STOP $PPID; fi'
    script = write_script(os.path.join(folder, "stops"), "stops.sh", on_ask=stop)
    local, away = cups(folder, "stops", deals=2, seatings="single", bots=[{"name": "s", "command": script}, {"name": "r", "command": RANDOM}])
    cluster = Cluster(os.path.join(folder, "stop-cluster"))
    worker = cluster.worker("--silence", "2")
    yield from expect(cluster.play(away), 0)
    worker.said.wait_for("a worker said nothing for 2 s and was killed")
    os.remove(gate)
    done = local.play("--silence", "2")
    yield from expect(done, 0)
    if "a worker said nothing for 2 s and was killed" not in done.stderr:
        yield f"nothing is said: {done.stderr}"
    yield from same(local, away)
    cluster.end()


def full_disk(folder):
    """A worker without room on its disk gives its blocks back; with room it plays."""
    disk = os.path.join(folder, "small")
    os.makedirs(disk)
    if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", disk], capture_output=True).returncode != 0:
        raise Skipped("no small disk can be mounted here")
    try:
        local, away = cups(folder, "full", deals=4, seatings="single", bots=own_bots(os.path.join(folder, "full-bots"))[1:])
        yield from expect(local.play(), 0)
        cluster = Cluster(os.path.join(folder, "full-cluster"))
        worker = cluster.worker(cache=os.path.join(disk, "cache"))
        worker.said.wait_for("ready for blocks")
        filler = os.path.join(disk, "filler")
        subprocess.run(["dd", "if=/dev/zero", f"of={filler}", "bs=64k"], capture_output=True)
        play = cluster.start(away)
        worker.said.wait_for("taking no blocks")
        os.remove(filler)
        code = play.process.wait(SECONDS)
        if code != 0:
            yield f"exit code {code}: {play.said.text()}"
        yield from same(local, away)
        cluster.end()
    finally:
        subprocess.run(["umount", "-l", disk], capture_output=True)


def stale_cache(folder):
    """Bots that are not what they were in a cache are got again; what is not used makes room."""
    bots = own_bots(os.path.join(folder, "stale-bots"))[1:]
    local, away = cups(folder, "stale", deals=1, seatings="single", bots=bots)
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "stale-cluster"))
    worker = cluster.worker()
    yield from expect(cluster.play(away), 0)
    worker.end(signal.SIGTERM)
    scripts = glob.glob(os.path.join(worker.cache, "*", "*", "**", "*.sh"), recursive=True)
    scripts += glob.glob(os.path.join(worker.cache, "*", "built-*", "bot"))
    if len(scripts) < 4:
        yield f"the cache has {scripts}"
    for script in scripts:
        with open(script, "a") as file:
            file.write("\nexit 1\n")
    again = Cup(os.path.join(folder, "again"), "stale", **{key: away.keys[key] for key in away.keys})
    cluster.worker(cache=worker.cache)
    yield from expect(cluster.play(again), 0)
    yield from same(local, again)
    cluster.end_workers()
    # A cache that holds one bot of two at a time.
    large = [os.path.join(folder, f"large{i}") for i in range(3)]
    for i, one in enumerate(large):
        write_script(one, "bot.sh")
        with open(os.path.join(one, "data"), "wb") as file:
            file.write(bytes([i]) * 400000)
    local, away = cups(folder, "large", deals=1, seatings="single", bots=[{"name": f"l{i}", "command": "./bot.sh", "folder": one}
                                                                          for i, one in enumerate(large)])
    yield from expect(local.play(), 0)
    worker = cluster.worker("--cache-mb", "1")
    yield from expect(cluster.play(away), 0)
    yield from same(local, away)
    kept = [name for name in os.listdir(worker.cache) if len(name) == 64]
    if len(kept) != 2:
        yield f"{len(kept)} bots are kept"
    cluster.end()


def wrong_key(folder):
    """Workers with another key take nothing, and junk from whoever reaches the server does no harm."""
    local, away = cups(folder, "keys", deals=1, seatings="single")
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "key-cluster"))
    other = write_file(os.path.join(folder, "other-key"), "another key, which nobody knows\n", 0o600)
    wrong = cluster.worker(key=other)
    play = cluster.start(away)
    play.said.wait_for("no worker has taken a block yet")
    right = cluster.worker()
    # Somebody without the key hands out a job and a request for files, and offers to do jobs.
    right.said.wait_for("ready for blocks")
    code = play.process.wait(SECONDS)
    functions = subprocess.run(["gearadmin", "-p", str(cluster.port), "--status"], capture_output=True, text=True).stdout
    names = [line.split()[0] for line in functions.splitlines() if line.startswith("referee-block-none-")]
    for name in names:
        Child("gearman", "-p", str(cluster.port), "-f", name, "junk")
    right.said.wait_for("a job is not a task that was sealed with our key")
    if code != 0:
        yield f"exit code {code}: {play.said.text()}"
    if machines_of(away) != {"w2"}:
        yield f"played by {machines_of(away)}"
    if len(names) != 2:
        yield f"the server has {functions}"
    yield from same(local, away)
    yield from expect(cluster.play(Cup(os.path.join(folder, "once-more"), "keys", deals=1, seatings="single")), 0)
    del wrong
    cluster.end()


def gone_coordinator(folder):
    """Workers wait for a coordinator that is gone, and for a server."""
    local, away = cups(folder, "gone", deals=6)
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "gone-cluster"))
    worker = cluster.worker()
    play = cluster.start(away)
    until(lambda: os.path.exists(os.path.join(away.store, "results.ndjson")) and away.results(), "a result")
    play.end()
    cluster.server.end()
    worker.said.wait_for("is gone")
    cluster.start_server()
    yield from expect(cluster.play(away), 0)
    yield from same(local, away)
    worker.end(signal.SIGTERM)
    if os.listdir(os.path.join(worker.cache)) and os.path.exists(os.path.join(worker.cache, "playing")):
        yield "logs are left in the cache"
    cluster.end()


def scaled_clocks(folder):
    """Times are scaled by the speed of a machine, logs say so, and standings show what came of it."""
    local, away = cups(folder, "scaled", deals=3, seatings="single", clock_scale=True)
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "scaled-cluster"))
    cluster.worker("--speed", "1")
    cluster.worker("--speed", "900000000")
    play = cluster.start(away)
    yield from expect_child(play, 0)
    yield from same(local, away)
    for log in away.logs():
        header = read_records(log)[0]
        wanted = {1: 240000, 900000000: 15000}[header["speed"]]
        if header["move_ms"] != wanted or header["start_ms"] != wanted or header["reference"] < 1000:
            yield f"{header['machine']}: {header['move_ms']}, {header['start_ms']}, {header.get('reference')}"
    shown = run("standings", "--machines", away.store)
    yield from expect(shown, 0, "differs", "chance")
    if not all(name in shown.stdout for name in machines_of(away)):
        yield f"machines are missing: {shown.stdout}"
    cluster.end()


def served(folder):
    """The jobs of a daemon are played by workers, too."""
    cluster = Cluster(os.path.join(folder, "served"))
    cluster.worker()
    path = os.path.join(folder, "daemon.socket")
    store = os.path.join(folder, "daemon")
    daemon = Child(REFEREE, "serve", "--socket", path, "--store", store, "--workers", "1", "--gearman", cluster.address(),
                   "--key-file", cluster.key)
    until(lambda: os.path.exists(path), "the socket of the daemon")
    cup = Cup(folder, "served", deals=20)
    cup.keys.pop("contain")
    cup.change()
    done = run("submit", "tournament", "--socket", path, "--wait", cup.file)
    logs = glob.glob(os.path.join(store, "**", "??.ndjson.zst"), recursive=True)
    machines = {read_records(log)[0].get("machine") for log in logs}
    if done.returncode != 0 or not {None, "w1"} <= machines:
        yield f"exit code {done.returncode}, {len(logs)} logs, played by {machines}: {done.stderr} {daemon.said.text()}"
    daemon.end(signal.SIGTERM)
    cluster.end()


class SlowLink:
    """Passes connections on to a port, with a delay and now and then a pause, as when packets are lost and sent again."""

    def __init__(self, port):
        self.port = port
        self.choice = random.Random(SEED)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.port))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self.carry, args=(one, other), daemon=True).start()
        except OSError:
            pass

    def carry(self, one, other):
        try:
            while data := one.recv(1400):
                time.sleep(0.2 if self.choice.random() < 0.03 else self.choice.uniform(0.005, 0.02))
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def behind_slow_links(folder):
    """The delay and loss of bad networks, for machines whose kernel has no netem."""
    local, away = cups(folder, "slow", deals=3, bots=own_bots(os.path.join(folder, "slow-bots"))[1:])
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "slow-cluster"))
    links = [SlowLink(cluster.port) for _ in range(3)]
    for link in links:
        cluster.worker(address=link.address)
    yield from expect_child(cluster.start(away), 0)
    yield from same(local, away)
    if len(machines_of(away)) < 2:
        yield f"played by {machines_of(away)} only"
    for link in links:
        link.listener.close()
    cluster.end()


def ip(*arguments):
    return subprocess.run(["ip", *arguments], capture_output=True, text=True)


class Networks:
    """A namespace per worker, with a link of its own to a namespace for the job server and the coordinator."""

    def __init__(self, count, purpose):
        self.hub = f"gear{purpose}{os.getpid()}hub"
        self.names = [f"gear{purpose}{os.getpid()}n{i}" for i in range(count)]
        self.problem = ""

    def add(self):
        for name in [self.hub, *self.names]:
            self.check(ip("netns", "add", name))
            self.check(ip("-n", name, "link", "set", "lo", "up"))
        for i, name in enumerate(self.names):
            self.check(ip("-n", self.hub, "link", "add", f"hub{i}", "type", "veth", "peer", "name", "up0", "netns", name))
            self.check(ip("-n", self.hub, "addr", "add", f"10.77.{i}.1/24", "dev", f"hub{i}"))
            self.check(ip("-n", name, "addr", "add", f"10.77.{i}.2/24", "dev", "up0"))
            self.check(ip("-n", self.hub, "link", "set", f"hub{i}", "up"))
            self.check(ip("-n", name, "link", "set", "up0", "up"))
        return self.problem == ""

    def check(self, done):
        if done.returncode != 0 and not self.problem:
            self.problem = " ".join(done.stderr.split())

    def disturb(self):
        """Delay and loss on every link. Returns why not, if the kernel cannot do that."""
        for i in range(len(self.names)):
            done = ip("netns", "exec", self.hub, "tc", "qdisc", "add", "dev", f"hub{i}", "root", "netem", "delay", "20ms", "5ms", "loss", "3%")
            if done.returncode != 0:
                return " ".join(done.stderr.split())
        return ""

    def cut(self, number, is_cut):
        ip("-n", self.hub, "link", "set", f"hub{number}", "down" if is_cut else "up")

    def remove(self):
        for name in [self.hub, *self.names]:
            ip("netns", "del", name)


def in_networks(folder, networks):
    """Workers in networks of their own; one link is cut while its worker plays, and restored."""
    local, away = cups(folder, "networks", deals=30, seatings="single", bots=own_bots(os.path.join(folder, "net-bots"))[1:])
    yield from expect(local.play(), 0)
    cluster = Cluster(os.path.join(folder, "net-cluster"), networks)
    workers = [cluster.worker(network=i) for i in range(len(networks.names))]
    play = cluster.start(away, "--silence", "4")
    workers[0].said.wait_for("ready for blocks")
    until(lambda: os.path.exists(os.path.join(away.store, "results.ndjson")) and "w1" in machines_of(away), "a block of worker 1")
    networks.cut(0, True)
    before = len(away.results())
    until(lambda: len(away.results()) > before or play.process.poll() is not None, "blocks of the others")
    networks.cut(0, False)
    code = play.process.wait(SECONDS)
    if code != 0:
        yield f"exit code {code}: {play.said.text()}"
    yield from same(local, away)
    # The worker is there again.
    for worker in workers[1:]:
        worker.end()
    again = Cup(os.path.join(folder, "again"), "networks", **{**away.keys, "deals": 2})
    yield from expect_child(cluster.start(again), 0)
    if machines_of(again) != {"w1"}:
        yield f"played by {machines_of(again)}"
    cluster.end()


def expect_child(child, code):
    if child.process.wait(SECONDS) != code:
        yield f"exit code {child.process.returncode}: {child.said.wait_end()}"


def in_own_networks(folder):
    networks = Networks(3, "play")
    try:
        if os.getuid() != 0 or shutil.which("ip") is None or not networks.add():
            raise Skipped(f"no network namespaces here: {networks.problem}")
        networks.disturb()
        yield from in_networks(folder, networks)
    finally:
        networks.remove()


def with_loss(folder):
    """Only whether the links of in_own_networks() have delay and loss."""
    networks = Networks(1, "loss")
    try:
        problem = networks.problem if os.getuid() != 0 or shutil.which("ip") is None or not networks.add() else networks.disturb()
        if problem:
            raise Skipped(f"netem cannot be used here: {problem}")
    finally:
        networks.remove()
    yield from ()


# The longest first.
CASES = {
    "a_liar_that_does_not_stop_cannot_play_for_ever": deaf_liar,
    "KILLS_kills_of_workers_server_and_coordinator_change_nothing_random": killed,
    "a_wrong_key_gets_nothing_and_junk_does_no_harm": wrong_key,
    "workers_in_networks_of_their_own_one_link_cut_and_restored": in_own_networks,
    "networks_have_delay_and_loss": with_loss,
    "jobs_of_a_daemon_are_played_by_workers_too": served,
    "a_hung_player_is_ended": hung_player,
    "workers_play_behind_links_with_delays_and_pauses": behind_slow_links,
    "a_block_that_kills_its_player_is_set_aside": poisonous,
    "a_worker_with_a_full_disk_gives_blocks_back": full_disk,
    "a_hung_worker_is_given_up_and_its_late_answer_dropped": hung,
    "four_workers_give_the_standings_of_a_local_run": same_as_local,
    "local_workers_play_beside_remote_ones": beside_local,
    "blocks_are_played_at_the_level_that_is_demanded": contained,
    "a_block_that_kills_three_workers_is_set_aside": worker_killer,
    "a_lying_worker_is_shut_out_and_named": lying,
    "a_stale_cache_entry_is_replaced_and_the_least_used_evicted": stale_cache,
    "workers_wait_for_coordinators_and_servers": gone_coordinator,
    "clocks_are_scaled_by_speed": scaled_clocks,
}
# With sanitizers only these, unless GEARMAN_ONLY names others: the rest takes too long.
SANITIZED = {same_as_local, beside_local, contained, killed}


def attempt(case, folder):
    os.makedirs(folder)
    return list(case(folder))


def again(future):
    """The problems that a case has found, or the exception that it ended with."""
    yield from future.result()


def show(name, future):
    if isinstance(future.exception(), Skipped):
        print(f"skip {name}: {future.exception()}", flush=True)
    else:
        report(name, again(future))


def main():
    if shutil.which("gearmand") is None:
        print("skip gearman: gearmand is not installed")
        return
    only = os.environ.get("GEARMAN_ONLY", "")
    print(f"seed {SEED}", flush=True)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        names = {}
        for number, (name, case) in enumerate(CASES.items()):
            if IS_SANITIZED and not only and case not in SANITIZED:
                print(f"skip {name}: with sanitizers it takes too long", flush=True)
            elif only in name:
                names[pool.submit(attempt, case, os.path.join(folder, str(number)))] = name.replace("KILLS", str(KILLS))
        for future in concurrent.futures.as_completed(names):
            show(names[future], future)
        # A case that has failed leaves some.
        for child in Child.started:
            child.send(signal.SIGCONT)
            child.end()


main()
