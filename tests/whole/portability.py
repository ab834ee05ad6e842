#!/usr/bin/env python3
"""Builds the library and some bots as another user would: without root, from a read-only folder with a blank in its
name, in another language, without a network; and plays with the result.

PORTABILITY=all, which `make check-portability` sets, lets that user build and test everything, and builds everything
with other compilers, levels of optimization and C libraries, and for another machine; PORTABILITY=TEXT only does what
has TEXT in its name. The events of the same random matches must be the same everywhere."""

import glob
import json
import os
import re
import shutil
import subprocess
import tempfile

from patience import SECONDS

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
CHOSEN = os.environ.get("PORTABILITY", "")
ALL_BOTS = ["random", "greedy", "strong", "negotiator", "c"]
NOBODY = 65534
QEMU = "qemu-aarch64 -L /usr/aarch64-linux-gnu"

# What it is called, the options of make, the program that it needs, and whether the whole referee is built: that
# takes libraries which only this machine has. The usual build is gcc -O2.
BUILDS = [
    ("gcc -O0", ["CC=gcc", "CFLAGS=-O0"], "gcc", True),
    ("gcc -O1", ["CC=gcc", "CFLAGS=-O1"], "gcc", True),
    ("gcc -O3", ["CC=gcc", "CFLAGS=-O3"], "gcc", True),
    ("gcc -O3 with LTO", ["CC=gcc", "AR=gcc-ar", "CFLAGS=-O3 -flto"], "gcc-ar", True),
    ("clang -O0", ["CC=clang", "CFLAGS=-O0"], "clang", True),
    ("clang -O2", ["CC=clang", "CFLAGS=-O2"], "clang", True),
    ("clang -O3", ["CC=clang", "CFLAGS=-O3"], "clang", True),
    ("clang -O2 with LTO", ["CC=clang", "AR=llvm-ar", "CFLAGS=-O2 -flto", "LDFLAGS=-fuse-ld=lld"], "ld.lld", True),
    ("musl", ["CC=musl-gcc"], "musl-gcc", False),
    ("aarch64", ["CROSS=aarch64-linux-gnu-", f"RUN={QEMU}"], "aarch64-linux-gnu-gcc", False),
]
# What each whole build is tested with, besides the rules: processes, limits, logs.
BUILD_SUITES = ["test_sandbox", "test_bot", "test_replay"]
# What the user without rights runs: as many as need neither root nor a browser nor minutes.
USER_SUITES = ["cli.sh", "play.py", "check.py", "sandbox", "install.py", "manuals.py",
               "python_module.py", "tournament.py", "serve_files.py", "explain.py", "test_text", "test_journal"]


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {'; '.join(problems[:3])}", flush=True)


def run(words, **more):
    more.setdefault("timeout", SECONDS * 6)
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", check=False, **more)


def tail(done):
    return " ".join(done.stdout[-500:].split())


def plain_environment(**more):
    """Without the flags of a make around this one."""
    unwanted = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "SANITIZE", "CFLAGS", "LDFLAGS", "CC")
    return {**{name: value for name, value in os.environ.items() if name not in unwanted}, **more}


class Stranger:
    """A user without rights, a copy of the sources that it cannot write to, and a folder of its own."""

    def __init__(self, folder):
        os.chmod(folder, 0o755)
        self.sources = os.path.join(folder, "the source folder")
        self.own = os.path.join(folder, "own")
        self.build = os.path.join(self.own, "build")
        ignored = shutil.ignore_patterns("build", ".git", "__pycache__")
        shutil.copytree(ROOT, self.sources, ignore=ignored, symlinks=True)
        os.mkdir(self.own)
        for place, folders, files in os.walk(self.sources):
            for name in folders + files:
                path = os.path.join(place, name)
                os.chmod(path, os.stat(path).st_mode & ~0o222 | 0o444)
        os.chmod(self.sources, 0o555)
        self.wrapper = []
        if os.geteuid() == 0:
            os.chown(self.own, NOBODY, NOBODY)
            loopback = ["sh", "-c", 'ip link set lo up; exec "$@"', "sh"]
            self.wrapper = ["unshare", "--net", *loopback, "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}",
                            "--clear-groups", "--no-new-privs"]
        self.locale = self.make_locale(folder)

    def make_locale(self, folder):
        """German: it has a comma in numbers, and this one no UTF-8."""
        os.mkdir(f"{folder}/locale")
        os.chmod(f"{folder}/locale", 0o755)
        run(["localedef", "-i", "de_DE", "-f", "ISO-8859-1", f"{folder}/locale/de_DE"])
        if not os.listdir(f"{folder}/locale"):
            return None
        return {"LOCPATH": f"{folder}/locale", "LC_ALL": "de_DE", "LANG": "de_DE", "LANGUAGE": "de"}

    def run(self, *words, **more):
        environment = plain_environment(HOME=self.own, TMPDIR=self.own, **(self.locale or {}))
        return run([*self.wrapper, *words], env=environment, cwd=self.sources, **more)

    def restore(self):
        """So that the folder can be removed without root, too."""
        for place, _, _ in os.walk(self.sources):
            os.chmod(place, 0o755)


def check_stranger(stranger):
    bots = [f"{stranger.build}/bots/{name}" for name in ("greedy", "random")]
    targets = ["library", *bots, f"{stranger.build}/portable/play_events"]
    done = stranger.run("make", "-s", "-j2", f"O={stranger.build}", "CC=cc", "CFLAGS=-O0", *targets)
    if done.returncode != 0:
        yield tail(done)
        return
    done = stranger.run(f"{stranger.build}/portable/play_events", "1")
    expected = run([f"{BUILD}/portable/play_events", "1"])
    if done.stdout != expected.stdout or "total" not in done.stdout:
        yield "its matches are not those of this build"


def check_play(stranger):
    """The referee of this build, for that user: bots with a blank in their path, numbers as always."""
    shutil.copy(f"{BUILD}/referee", f"{stranger.own}/referee")
    os.chmod(f"{stranger.own}/referee", 0o755)
    bots = f"{stranger.own}/my bots"
    stranger.run("cp", "-r", f"{stranger.build}/bots", bots)
    limits = ["--start-ms", "60000", "--move-ms", "60000", "--rounds", "1", "--seed", "1"]
    words = [f"{stranger.own}/referee", "play", *limits, f"'{bots}/greedy'", f"'{bots}/random'"]
    done = stranger.run(*words)
    plain = run([f"{BUILD}/referee", *words[1:]])
    if done.returncode != 0:
        yield tail(done)
    elif done.stdout.split("\n")[0] != plain.stdout.split("\n")[0]:
        yield f"it says {tail(done)}, and usually {tail(plain)}"


def check_manuals(stranger):
    """They have characters that the language of that user has not."""
    for path in sorted(glob.glob(f"{BUILD}/man/man[357]/*")):
        with open(path, encoding="utf-8") as file:
            expected = file.read()
        name, date, version = re.match(r'\.TH (\S+) \d "(.*?)" "referee (.*?)"', expected).groups()
        what = "library" if name == "LIBALLEGRA" else name.removeprefix("REFEREE-").lower()
        done = stranger.run("referee/manual/pages.py", what, date, version, f"{stranger.own}/referee")
        if done.stdout != expected:
            yield f"{what}: {tail(done)}"


def check_characters(stranger):
    """Those that the language of that user has not, from the build of a bot and from these scripts."""
    plan = f"{stranger.own}/cup.json"
    os.mkdir(f"{stranger.own}/source")
    bots = [{"name": "greedy", "command": f"{stranger.build}/bots/greedy"},
            {"name": "broken", "folder": "source", "command": "./made", "build": "echo no ‘compiler’; exit 3"}]
    with open(plan, "w", encoding="utf-8") as file:
        json.dump({"bots": bots, "start_ms": 60000, "contain": "none"}, file)
    done = stranger.run(f"{stranger.own}/referee", "tournament", "--dry-run", "--start", plan)
    if "no ‘compiler’" not in done.stdout:
        yield f"a build says {tail(done)}"
    script = "import sys; sys.path.insert(0, 'tests/whole'); import organiser; organiser.report('\\u2018', ['\\u2019'])"
    done = stranger.run("python3", "-B", "-c", script)
    if done.stdout != "not ok ‘: ’\n":
        yield f"a script says {tail(done)}"


def check_everything(stranger):
    """All of the referee: built, tested, installed and used by that user."""
    make = ["make", "-s", f"-j{os.cpu_count()}", f"O={stranger.build}"]
    prefix = f"{stranger.own}/a prefix"
    steps = [[*make, "all", "manuals"], [*make, "tournament"], [*make, f"PREFIX={prefix}", "install"],
             [f"{prefix}/bin/referee", "play", "--rounds", "1", f"'{prefix}/lib/referee/bots/greedy'",
              f"'{prefix}/share/referee/bots/python/bot.py'"],
             *[[*make, "test", f"T={suite}"] for suite in USER_SUITES],
             [*make, f"PREFIX={prefix}", "uninstall"], [*make, "clean"]]
    for words in steps:
        done = stranger.run(*words)
        if done.returncode != 0:
            yield f"`{' '.join(words)}`: {tail(done)}"
    for path in (stranger.build, f"{prefix}/bin/referee"):
        if os.path.exists(path):
            yield f"{path} is left: {os.listdir(path)}"


def build(name, options, whole, folder):
    target = os.path.join(folder, name.replace(" ", "_"))
    words = ["make", "-s", f"-j{os.cpu_count()}", f"O={target}", *options, "portable",
             *(["all", "manuals"] if whole else [f"{target}/bots/{bot}" for bot in ALL_BOTS] + ["library"])]
    done = run(words, env=plain_environment(), cwd=ROOT)
    return target, done


def check_build(name, options, whole, folder):
    target, done = build(name, options, whole, folder)
    if done.returncode != 0 or "0 failed" not in done.stdout:
        yield tail(done)
        return
    with open(f"{target}/portable/events", encoding="utf-8") as file:
        if file.read() != run([f"{BUILD}/portable/play_events"]).stdout:
            yield "its matches are not those of this build"
    runner = next((option[4:] for option in options if option.startswith("RUN=")), "")
    words = ["play", "--seed", "1", "--rounds", "1", "--start-ms", "60000", "--move-ms", "60000",
             *[f"{runner} {target}/bots/{bot}".strip() for bot in ("greedy", "c")]]
    done = run([f"{target}/referee" if whole else f"{BUILD}/referee", *words])
    usual = run([f"{BUILD}/referee", *words[:-2], f"{BUILD}/bots/greedy", f"{BUILD}/bots/c"])
    if done.returncode != 0 or done.stdout.split("\n")[0] != usual.stdout.split("\n")[0]:
        yield f"it says {tail(done)}, and usually {tail(usual)}"
    for suite in BUILD_SUITES if whole else []:
        done = run(["make", "-s", f"-j{os.cpu_count()}", f"O={target}", *options, "test", f"T={suite}"],
                   env=plain_environment(), cwd=ROOT)
        if done.returncode != 0:
            yield f"{suite}: {tail(done)}"
    shutil.rmtree(target)


def check_dist(folder):
    """The tarball builds and tests itself where there is no git."""
    done = run(["make", "-s", f"O={folder}/packed", "dist"], env=plain_environment(), cwd=ROOT)
    archives = glob.glob(f"{folder}/packed/referee-*.tar.gz")
    if done.returncode != 0 or len(archives) != 1:
        yield tail(done)
        return
    run(["tar", "-xzf", archives[0], "-C", folder])
    sources = archives[0][:-len(".tar.gz")].replace("/packed/", "/")
    for target in ("all", "portable", "dist"):
        done = run(["make", "-s", f"-j{os.cpu_count()}", target], env=plain_environment(), cwd=sources)
        if done.returncode != 0:
            yield f"make {target}: {tail(done)}"
            return
    for suite in ("house", "library.sh", "install.py"):
        done = run(["make", "-s", "test", f"T={suite}"], env=plain_environment(), cwd=sources)
        if done.returncode != 0:
            yield f"make test T={suite}: {tail(done)}"


def is_chosen(name):
    return CHOSEN == "all" or (CHOSEN != "" and CHOSEN in name)


def run_chosen(folder, stranger):
    title = "that user builds, tests, installs and uses everything"
    if is_chosen(title):
        report(title, check_everything(stranger))
    title = "the tarball of the sources builds and tests itself"
    if is_chosen(title):
        report(title, check_dist(folder))
    for name, options, program, whole in BUILDS:
        title = f"it builds and plays the same with {name}"
        if not is_chosen(title):
            continue
        if shutil.which(program) is None:
            print(f"skip {title}: {program} is not installed")
        else:
            report(title, check_build(name, options, whole, folder))


def main():
    with tempfile.TemporaryDirectory() as folder:
        stranger = Stranger(folder)
        if stranger.locale is None:
            print("skip the language is another one: localedef has no German (the package locales)")
        report("a user without root builds from a read-only folder with a blank, in German, without network",
               check_stranger(stranger))
        report("that user plays with bots whose path has a blank", check_play(stranger))
        report("that user writes the same manuals", check_manuals(stranger))
        report("that user sees characters that the language has not", check_characters(stranger))
        run_chosen(folder, stranger)
        stranger.restore()


if __name__ == "__main__":
    main()
