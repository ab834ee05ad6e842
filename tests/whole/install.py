#!/usr/bin/env python3
"""What `make install` installs works where it was installed, and `make uninstall` removes all of it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from patience import SECONDS

BUILD = os.environ.get("BUILD", "build")
IS_SANITIZED = "sanitize" in BUILD
FLAGS = ["-fsanitize=address,undefined"] if IS_SANITIZED else []
CC = os.environ.get("CC", "cc")
FIRST = []  # folders of programs that come before those of the machine
EXAMPLE = os.path.abspath("tests/example_library.c")


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {'; '.join(problems[:5])}", flush=True)


def run(*words, **more):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SECONDS, check=False, **more)


def make(*words):
    """The flags of a make around this one are not for the one within."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
    environment["PATH"] = ":".join([*FIRST, environment["PATH"]])
    build = ["SANITIZE=1" if IS_SANITIZED else "SANITIZE=", "O=" + re.sub("/sanitize$", "", BUILD)]
    return run("make", "--no-print-directory", *build, *words, env=environment)


def below(folder):
    """All paths in a folder, relative to it."""
    found = set()
    for place, folders, files in os.walk(folder):
        found |= {os.path.relpath(os.path.join(place, name), folder) for name in folders + files}
    return found


class Place:
    """A PREFIX with everything installed."""

    def __init__(self, folder):
        self.prefix = os.path.join(folder, "prefix")
        self.scratch = os.path.join(folder, "scratch")
        os.mkdir(self.scratch)
        self.said = make(f"PREFIX={self.prefix}", "install").stdout

    def path(self, *names):
        return os.path.join(self.prefix, *names)

    def environment(self):
        return {**os.environ, "PKG_CONFIG_PATH": self.path("lib/pkgconfig"), "LD_LIBRARY_PATH": self.path("lib"),
                "PATH": self.path("bin") + ":" + os.environ["PATH"]}

    def run(self, *words):
        return run(*words, env=self.environment(), cwd=self.scratch)


def build_example(place, name, libraries):
    """Builds the example as its author would, by pkg-config; returns what it prints."""
    flags = place.run("pkg-config", "--cflags", "liballegra").stdout.split()
    done = place.run(*CC.split(), *FLAGS, *flags, "-o", name, EXAMPLE, *libraries)
    return done.stdout if done.returncode != 0 else place.run(f"./{name}").stdout


def check_shared(place, said):
    libraries = place.run("pkg-config", "--libs", "liballegra").stdout.split()
    said["shared"] = build_example(place, "shared", libraries)
    if ", wins" not in said["shared"]:
        yield f"it says {said['shared']}"
    if place.path("lib/liballegra.so.1") not in place.run("ldd", "./shared").stdout:
        yield "it does not load liballegra.so.1 from PREFIX"


def check_static(place, said):
    libraries = place.run("pkg-config", "--libs", "--static", "liballegra").stdout.split()
    libraries = ["-Wl,-Bstatic" if word == "-lallegra" else word for word in libraries] + ["-lallegra", "-Wl,-Bdynamic"]
    said["static"] = build_example(place, "static", libraries)
    if said["static"] != said["shared"]:
        yield f"it says {said['static']}, but with the shared library {said['shared']}"
    if "liballegra" in place.run("ldd", "./static").stdout:
        yield "it loads a shared library"


def check_symbols(place):
    """The shared library exports every function of the header, and nothing else."""
    listed = run("nm", "-D", "--defined-only", place.path("lib/liballegra.so.1")).stdout
    exported = {line.split()[-1].split("@")[0] for line in listed.splitlines() if " A " not in line}
    with open(place.path("include/allegra.h"), encoding="utf-8") as file:
        header = file.read()
    declared = set(re.findall(r"^(?!static|typedef)\w[^;{}#]*?\b(allegra_\w+)\([^;{}]*\);", header, re.M))
    for name in sorted(exported ^ declared):
        yield f"{name} is {'exported, not declared' if name in exported else 'declared, not exported'}"
    with open("referee/debian/liballegra1.symbols", encoding="utf-8") as file:
        listed = set(re.findall(r"^ (allegra_\w+)@ALLEGRA_1 ", file.read(), re.M))
    for name in sorted(listed ^ declared):
        yield f"{name} is only in {'liballegra1.symbols' if name in listed else 'allegra.h'}"
    if "SONAME" not in run("objdump", "-p", place.path("lib/liballegra.so.1")).stdout:
        yield "it has no soname"


def check_help(place):
    """`help TOPIC` shows the page below PREFIX: a man that only says what it was given."""
    man = os.path.join(place.scratch, "man")
    with open(man, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho "page $1"\n')
    os.chmod(man, 0o755)
    environment = place.environment()
    environment["PATH"] = place.scratch + ":" + environment["PATH"]
    # A package has compressed it.
    for page, change in {"share/man/man5/referee-protocol.5": ["true"],
                         "share/man/man3/liballegra.3.gz": ["gzip", place.path("share/man/man3/liballegra.3")]}.items():
        run(*change)
        said = run("referee", "help", "library" if "liballegra" in page else "protocol", env=environment).stdout.strip()
        if os.path.realpath(said.removeprefix("page ")) != os.path.realpath(place.path(page)):
            yield said


def check_example_bots(place):
    """Those in C build against the installed library, from a folder that nobody may write to."""
    words = ["make", "-s", "-C", place.path("share/referee/bots"), f"O={place.scratch}/bots", f"CC={CC}"]
    done = place.run(*words, "CFLAGS=-O0 -Wall -Wextra -Werror " + " ".join(FLAGS), "BOTS=random greedy")
    if done.returncode != 0:
        yield done.stdout
        return
    bots = ["bots/greedy", "bots/random", place.path("share/referee/bots/python/bot.py")]
    done = place.run("referee", "play", "--start-ms", "60000", "--move-ms", "60000", "--rounds", "1", *bots)
    if done.returncode != 0:
        yield done.stdout


def check_example_tournaments(place):
    """They use the installed bots, and can be played where the user says."""
    # A limit of memory leaves no room for the sanitizers of a bot.
    start = [] if IS_SANITIZED else ["--start"]
    for name in sorted(os.listdir(place.path("share/referee/tournaments"))):
        file = place.path("share/referee/tournaments", name)
        done = place.run("referee", "tournament", "--dry-run", *start, "--output", "cup", file)
        if done.returncode != 0 or " cup: about" not in done.stdout:
            yield f"{name}: {done.stdout}"


def check_build_depends():
    """Libraries that the Makefile installs for a build; Criterion is only for tests."""
    with open("Makefile", encoding="utf-8") as file:
        needed = set(re.findall(r"[\w.+-]+-dev\b", "".join(re.findall(r"^DEPS [:+]= ((?:.*\\\n)*.*)", file.read(), re.M))))
    with open("referee/debian/control", encoding="utf-8") as file:
        listed = re.search(r"^Build-Depends:((?:.*\n )*.*)", file.read(), re.M).group(1)
    for name in sorted(needed - {"libc6-dev", "libcriterion-dev"} - set(re.findall(r"[\w.+-]+", listed))):
        yield f"{name} is not in Build-Depends of referee/debian/control"
    if "libevent-dev" not in needed:
        yield "DEPS of the Makefile were not found"


def check_python(folder):
    """In a virtual environment of Python, where the module is found by itself; what Python adds is removed, too."""
    prefix = os.path.join(folder, "venv")
    run(sys.executable, "-m", "venv", "--without-pip", prefix)
    os.makedirs(os.path.join(prefix, "share/man"))
    before = below(prefix)
    FIRST.append(os.path.join(prefix, "bin"))
    make(f"PREFIX={prefix}", "install")
    python = os.path.join(prefix, "bin/python3")
    # A library with sanitizers needs theirs to be loaded first.
    words = "import allegra; print(allegra.Match(seats=3).question)" if not IS_SANITIZED else "import allegra.native"
    done = run(python, "-c", words, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""}, cwd=folder)
    if "reveal" not in done.stdout and not (IS_SANITIZED and "ASan runtime" in done.stdout):
        yield done.stdout
    if not any(path.endswith(".pyc") for path in below(prefix) ^ before):
        yield "Python has compiled nothing"
    make(f"PREFIX={prefix}", "uninstall")
    FIRST.pop()
    yield from (f"{path} is left" for path in sorted(below(prefix) ^ before))


def check_ldconfig(folder):
    """Programs find the shared library at once; but nothing is changed outside of DESTDIR."""
    ran = os.path.join(folder, "ran")
    FIRST.append(os.path.join(folder, "fake"))
    os.mkdir(FIRST[-1])
    with open(os.path.join(FIRST[-1], "ldconfig"), "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n: >'{ran}'\n")
    os.chmod(os.path.join(FIRST[-1], "ldconfig"), 0o755)
    for words in (["install"], ["uninstall"]):
        make(f"PREFIX={folder}/cached", *words)
        if not os.path.exists(ran):
            yield f"{words[0]} does not run ldconfig"
            return
        os.remove(ran)
    make(f"DESTDIR={folder}/packed", "PREFIX=/usr", "install")
    if os.path.exists(ran):
        yield "with DESTDIR it runs ldconfig"
    FIRST.pop()


def check_uninstall(folder):
    """DESTDIR and PREFIX, with a blank, and a program of somebody else."""
    stage = os.path.join(folder, "a stage")
    prefix = os.path.join(stage, "opt/club")
    for name in ("bin", "include", "lib", "share/man"):
        os.makedirs(os.path.join(prefix, name))
    with open(os.path.join(prefix, "bin/referee-of-others"), "w", encoding="utf-8"):
        pass
    before = below(stage)
    first = make(f"DESTDIR={stage}", "PREFIX=/opt/club", "install")
    with open(os.path.join(prefix, "lib/systemd/system/referee.service"), encoding="utf-8") as file:
        if "\nExecStart=/opt/club/bin/referee serve " not in file.read():
            yield "the service does not start the program below PREFIX"
    installed = below(stage)
    for name in ("bin/referee", "lib/liballegra.so", "lib/sysusers.d/referee.conf", "lib/tmpfiles.d/referee.conf",
                 "lib/referee/bots/strong", "share/fish/vendor_completions.d/referee.fish"):
        if "opt/club/" + name not in installed:
            yield f"{name} is not installed: {first.stdout}"
    second = make(f"DESTDIR={stage}", "PREFIX=/opt/club", "uninstall")
    for name in sorted(below(stage) ^ before):
        yield f"{name} is left, or was removed: {second.stdout}"


def main():
    folder = tempfile.mkdtemp()
    said = {}
    try:
        place = Place(folder)
        report("the example builds by pkg-config with the shared library, and plays", check_shared(place, said))
        report("with the static library it plays the same match", check_static(place, said))
        report("the shared library exports the functions of its header only", check_symbols(place))
        report("an installed referee shows its installed manuals", check_help(place))
        report("the installed bots in C build against the installed library", check_example_bots(place))
        report("the installed tournaments can be played", check_example_tournaments(place))
        report("the Debian package needs what the Makefile installs", check_build_depends())
        report("the Python module is found where it was installed, and removed with what Python adds", check_python(folder))
        report("the shared library is found at once", check_ldconfig(folder))
        report("uninstall leaves nothing and takes nothing of others", check_uninstall(folder))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
