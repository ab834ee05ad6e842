#!/usr/bin/env python3
"""Measures tournaments that a worker behind a job server plays, against local workers on the same cores; then
simulates up to 1,000 workers from the measured figures.

Usage: gearman_bench.py [PREFIX]; BUILD names the build folder."""

import heapq
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
RANDOM = os.path.join(BUILD, "bots", "random")
SLOW = os.path.join(BUILD, "bench", "slow_bot")
ONLY = sys.argv[1] if len(sys.argv) > 1 else ""
TICKS = os.sysconf("SC_CLK_TCK")
CORES = 4  # of a simulated worker


def show(name, value, unit):
    if name.startswith(ONLY):
        print(f"bench {name} {value:.4g} {unit}", flush=True)


def cpu_of(pid):
    """The CPU time of a process without its children."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def cpu_of_tree(pid):
    """The CPU time of a process and of all that it has started."""
    total, parents = 0, {}
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            parents[int(number)] = int(fields[1]), sum(map(int, fields[11:15]))
        except OSError:
            pass
    for number, (_, ticks) in parents.items():
        above = number
        while above in parents and above != pid:
            above = parents[above][0]
        total += ticks if above == pid else 0
    return total / TICKS


class Bench:
    def __init__(self, folder):
        self.folder = folder
        self.key = os.path.join(folder, "key")
        with open(self.key, "w") as file:
            file.write("the key of a benchmark\n")
        os.chmod(self.key, 0o600)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.server = subprocess.Popen(["gearmand", "-p", str(self.port), "-L", "127.0.0.1", "-l", "none"])
        self.worker = subprocess.Popen([REFEREE, "worker", "--gearman", self.address(), "--key-file", self.key, "--cache",
                                        os.path.join(folder, "cache")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.count = 0

    def address(self):
        return f"127.0.0.1:{self.port}"

    def cpu(self):
        return cpu_of_tree(self.worker.pid) + cpu_of_tree(self.server.pid)

    def end(self):
        for process in (self.worker, self.server):
            process.kill()
            process.wait()

    def play(self, command, deals, rules, *options, luck=False):
        """Plays once. Returns the seconds of wall time and of CPU, with local workers and bots."""
        self.count += 1
        path = os.path.join(self.folder, f"{self.count}.json")
        with open(path, "w") as file:
            json.dump({"bots": [{"name": "a", "command": command}, {"name": "b", "command": command}], "seats": 2, "deals": deals,
                       "output": f"store{self.count}", "rules": rules, "reuse": True, "contain": "none", "luck": luck}, file)
        start = time.monotonic()
        process = subprocess.Popen([REFEREE, "tournament", path, "--quiet", "--seed", "1", *options], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"a tournament ended with status {status}")
        return time.monotonic() - start, usage.ru_utime + usage.ru_stime

    def away(self, *arguments, **more):
        return self.play(*arguments, "--gearman", self.address(), "--key-file", self.key, **more)


def overhead(bench, name, command, deals, rules):
    """How much more time and CPU it takes behind a job server: the medians of five runs of each, in turns, so that both
    have the same noise. On a busy machine only the CPU says something. Returns the CPU of a block that is played here."""
    bench.away(command, 2, rules)  # the worker has the bots now
    here, there = [], []
    for _ in range(5):
        here.append(bench.play(command, deals, rules))
        before = bench.cpu()
        seconds, used = bench.away(command, deals, rules)
        there.append((seconds, used + bench.cpu() - before))
    for index, kind in enumerate(["overhead_percent", "cpu_overhead_percent"]):
        local, away = (statistics.median(run[index] for run in runs) for runs in (here, there))
        show(f"gearman.{kind}.{name}", 100 * (away / local - 1), "%")
    return statistics.median(run[1] for run in here) / deals


def cost(bench, deals, rules, luck):
    """CPU of the coordinator and of the job server per block."""
    empty = bench.away(RANDOM, 1, rules, luck=luck)[1]
    before = cpu_of(bench.server.pid)
    used = bench.away(RANDOM, deals, rules, luck=luck)[1]
    return (used - empty) / (deals - 1), max((cpu_of(bench.server.pid) - before) / deals, 1e-6)


def simulate(workers, block_s, coordinator_s, server_s, blocks=20000):
    """A closed network: cores play blocks, one server passes each on twice, one coordinator verifies it. Returns the
    blocks per second, and the shares of time that cores, coordinator and server are busy."""
    dice = random.Random(1)
    cores = workers * CORES
    limit = max(blocks, 20 * cores)
    free_at = {"server": 0.0, "coordinator": 0.0}
    events = [(0.0, i, "start") for i in range(cores)]
    heapq.heapify(events)
    done, now = 0, 0.0
    while done < limit:
        now, core, what = heapq.heappop(events)
        if what == "start":  # the server hands it out
            free_at["server"] = max(free_at["server"], now) + server_s / 2
            heapq.heappush(events, (free_at["server"] + block_s * dice.uniform(0.5, 1.5), core, "end"))
        else:  # the result passes the server; the coordinator verifies it and gives the next
            free_at["server"] = max(free_at["server"], now) + server_s / 2
            free_at["coordinator"] = max(free_at["coordinator"], free_at["server"]) + coordinator_s
            heapq.heappush(events, (free_at["coordinator"], core, "start"))
            done += 1
    rate = done / now
    rate = min(rate, 1 / coordinator_s, 1 / server_s)  # without those that still wait at the end
    return rate, rate * block_s / cores, rate * coordinator_s, rate * server_s


def table(kinds, coordinator_s, server_s):
    print(f"workers of {CORES} cores   " + "".join(f"{name:>34}" for name in kinds))
    print("                     " + "  blocks/s  cores coord. server" * len(kinds))
    for workers in (1, 3, 10, 30, 100, 300, 1000):
        row = f"{workers:>18}   "
        for block_s in kinds.values():
            rate, cores, coordinator, server = simulate(workers, block_s, coordinator_s, server_s)
            row += f"{rate:>10.1f} {100 * cores:>5.0f}% {100 * coordinator:>5.0f}% {100 * server:>5.0f}%"
        print(row)
    for name, block_s in kinds.items():
        most = 1 / max(coordinator_s, server_s)
        print(f"With {name} a block takes {block_s:.3g} s of a core, so {most:.0f} blocks/s, the most that the "
              f"{'coordinator verifies' if coordinator_s > server_s else 'job server passes on'}, keep {most * block_s / CORES:.0f} "
              "workers busy.")
    print(f"The coordinator needs {1e3 * coordinator_s:.2f} ms of CPU per block, nearly all of it to play the log again, and the job "
          f"server {1e3 * server_s:.2f} ms. Blocks are verified one after the other in one process: handing logs to verifiers, one "
          "process per core, would lift that limit as many times; after that, several job servers share the next one.")


def main():
    if not "gearman".startswith(ONLY[:7]) or shutil.which("gearmand") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        show("gearman.load", os.getloadavg()[0], "processes")
        bench = Bench(folder)
        instant = overhead(bench, "instant", RANDOM, 400, {"rounds": 1})
        slow = overhead(bench, "10ms", f"{SLOW} burn 10", 12, {"rounds": 1, "turn_limit": 6})
        coordinator_s, server_s = cost(bench, 600, {"rounds": 1}, False)
        lucky_s, _ = cost(bench, 200, {"rounds": 1}, True)
        show("gearman.blocks_per_s", 1 / max(coordinator_s, 1e-6), "blocks/s")
        show("gearman.blocks_per_s.luck", 1 / max(lucky_s, 1e-6), "blocks/s")
        show("gearman.server_us_per_block", 1e6 * server_s, "us")
        bench.end()
        if "gearman.simulation".startswith(ONLY):
            print(f"Without luck; with it the coordinator verifies {1 / lucky_s:.0f} blocks/s, and everything below that it limits "
                  f"is {lucky_s / coordinator_s:.1f} times less.")
            table({"instant bots": instant, "bots of 10 ms": slow, "bots of 100 ms": 10 * slow}, coordinator_s, server_s)


main()
