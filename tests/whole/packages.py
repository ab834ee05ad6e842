#!/usr/bin/env python3
"""The Debian packages, in a root of their own: they install, play and serve, and a purge leaves only the store.

That root is this machine as it is, with an overlay that takes everything that is written. It vanishes with the
mount namespace of this script. There is no systemd in it, so the script does what the units of the daemon say."""

import glob
import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile

from patience import SECONDS

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
PACKAGES = ["liballegra1", "liballegra-dev", "referee", "referee-bots"]
STORE = "/var/lib/referee"
# Users for bots that no other referee of the machine takes: its file of those that are in use is not in this root.
FIRST_UID = 2_000_000_000 + os.getpid() % 1_000_000 * 100
# What dpkg, ldconfig and the user of the daemon change, and places for what is temporary.
CHANGED = re.compile(r"(dev|proc|run|sys|tmp|var/tmp|root|var/lib/dpkg|var/log|var/cache|var/lib/systemd)(/|$)|"
                     r"etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$|etc/\.pwd\.lock$|etc/ld\.so\.cache$")


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {'; '.join(problems[:5])}", flush=True)
    return not problems


class Root:
    """The machine with an overlay, below a folder of a private tmpfs."""

    def __init__(self):
        place = tempfile.mkdtemp()
        self.mount("-t", "tmpfs", "tmpfs", place)
        self.upper, self.path = f"{place}/upper", f"{place}/root"
        for folder in (self.upper, f"{place}/work", self.path):
            os.mkdir(folder)
        self.mount("-t", "overlay", "-o", f"lowerdir=/,upperdir={self.upper},workdir={place}/work", "overlay", self.path)
        for folder in ("proc", "dev", "sys"):
            self.mount("--rbind", f"/{folder}", f"{self.path}/{folder}")
        self.mount("-t", "tmpfs", "tmpfs", f"{self.path}/run")
        self.mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", f"{self.path}/tmp")

    @staticmethod
    def mount(*words):
        subprocess.run(["mount", *words], check=True)

    def command(self, *words):
        unset = [word for name in ("REFEREE_SOCKET", "CC", "MAKEFLAGS", "PYTHONDONTWRITEBYTECODE") for word in ("-u", name)]
        return ["chroot", self.path, "env", *unset, "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "HOME=/root",
                f"REFEREE_UIDS={FIRST_UID}-{FIRST_UID + 99}", "TMPDIR=/tmp", *words]

    def run(self, *words):
        return subprocess.run(self.command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False, cwd="/")

    def expect(self, *words):
        """Runs it; yields what it says if it fails."""
        done = self.run(*words)
        if done.returncode != 0:
            yield f"`{shlex.join(words)}` says {done.stdout[-600:]}"

    def read(self, path):
        with open(self.path + path, encoding="utf-8") as file:
            return file.read()

    def user(self):
        """Its number and group, or None."""
        found = re.search(r"^referee:[^:]*:(\d+):(\d+):", self.read("/etc/passwd"), re.M)
        return found and (int(found.group(1)), int(found.group(2)))

    def left(self):
        """What is in the overlay and was not there before."""
        for place, folders, files in os.walk(self.upper):
            for name in folders + files:
                path = os.path.relpath(os.path.join(place, name), self.upper)
                if CHANGED.match(path) or path.startswith(STORE[1:]):
                    continue
                if name in folders and os.path.isdir(f"/{path}"):
                    continue
                yield f"/{path}"


def install(root):
    """Their files are copied into the root, because the build folder may be below /tmp."""
    for name in PACKAGES:
        found = glob.glob(f"{BUILD}/deb/{name}_*.deb")
        if len(found) != 1:
            yield f"there is no package {name} in {BUILD}/deb"
            return
        with open(found[0], "rb") as source, open(f"{root.path}/tmp/{name}.deb", "wb") as target:
            target.write(source.read())
    yield from root.expect("dpkg", "-i", *[f"/tmp/{name}.deb" for name in PACKAGES])


def check_install(root):
    yield from install(root)
    if root.user() is None:
        yield "there is no user referee"
        return
    status = os.stat(root.path + STORE)
    if (status.st_uid, status.st_gid) != root.user() or status.st_mode & 0o777 != 0o700:
        yield f"{STORE} is not of the user alone"
    yield from root.expect("referee", "version")
    yield from root.expect("sh", "-c", "MANPAGER=cat referee help protocol | grep -q hello")


def check_tests(root):
    """What autopkgtest would run."""
    for name in re.findall(r"^Tests: (.*)$", open("referee/debian/tests/control", encoding="utf-8").read(), re.M):
        for test in name.split():
            with open(f"referee/debian/tests/{test}", "rb") as source, open(f"{root.path}/tmp/{test}", "wb") as target:
                target.write(source.read())
            os.mkdir(f"{root.path}/tmp/{test}.folder")
            yield from root.expect("env", f"AUTOPKGTEST_TMP=/tmp/{test}.folder", "sh", f"/tmp/{test}")


def setting(text, name):
    return re.search(rf"^{name}=(.*)$", text, re.M).group(1)


class Daemon:
    """What systemd does with the units: the socket, the user, no rights, the command."""

    def __init__(self, root):
        service = root.read("/lib/systemd/system/referee.service")
        unit = root.read("/lib/systemd/system/referee.socket")
        self.user = setting(service, "User")
        self.path = root.path + setting(unit, "ListenStream")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.path)
        os.chmod(self.path, int(setting(unit, "SocketMode"), 8))
        os.chown(self.path, root.user()[0], 0)
        listener.listen()
        start = setting(service, "ExecStart").replace("%S", "/var/lib").replace("$REFEREE_OPTIONS", "")
        rights = "--no-new-privs --bounding-set=-all --inh-caps=-all --init-groups"
        group = setting(service, "Group")
        script = f"exec 3<&0 </dev/null; LISTEN_PID=$$ exec setpriv --reuid={self.user} --regid={group} {rights} {start}"
        words = root.command("LISTEN_FDS=1", "LISTEN_FDNAMES=control", "sh", "-c", script)
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(words, stdin=listener, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, cwd="/")
        listener.close()

    def stop(self):
        self.process.terminate()
        return self.process.communicate(timeout=SECONDS)[0]


def check_service(root):
    daemon = Daemon(root)
    bots = "/usr/share/doc/referee-bots/examples/bots/python/bot.py"
    problems = [*root.expect("referee", "submit", "bot", "anna", bots),
                *root.expect("referee", "submit", "match", "anna", "anna", "--rounds", "1", "--wait")]
    with open(f"/proc/{daemon.process.pid}/status", encoding="utf-8") as file:
        users = re.search(r"^Uid:\s+(.*)$", file.read(), re.M).group(1).split()
    said = daemon.stop()
    yield from problems
    if set(users) != {str(root.user()[0])}:
        yield f"it runs as {users}"
    if daemon.process.returncode != 0:
        yield f"it ends with {daemon.process.returncode}"
    if problems:
        yield f"it says {said}"


# Where Python, as root, keeps what it compiles of the modules that the tests import.
MODULES = ["/usr/lib/python3/dist-packages/allegra", "/usr/share/doc/referee-bots/examples/bots/python/allegra"]


def check_purge(root):
    """The store holds results now, so it stays, and its user with it."""
    yield from (f"{path} has nothing that a purge could miss" for path in MODULES
                if not os.path.exists(f"{root.path}{path}/__pycache__"))
    yield from root.expect("dpkg", "--purge", *PACKAGES)
    yield from (f"{path} is left" for path in root.left())
    if not os.path.exists(f"{root.path}{STORE}/ledger") and not os.listdir(root.path + STORE):
        yield "the store is gone"
    if root.user() is None:
        yield "the store has no owner"


def check_purge_of_nothing(root):
    """Without results nothing stays."""
    subprocess.run(["rm", "-r", root.path + STORE], check=True)
    yield from install(root)
    yield from root.expect("dpkg", "--purge", *PACKAGES)
    yield from (f"{path} is left" for path in root.left())
    if os.path.exists(root.path + STORE) or root.user() is not None:
        yield "the store or its user is left"


def main():
    root = Root()
    if not report("the packages install", check_install(root)):
        return
    report("the tests of the packages pass", check_tests(root))
    report("the service runs as its own user and plays a match", check_service(root))
    report("a purge leaves nothing but the store", check_purge(root))
    report("a purge without results leaves nothing", check_purge_of_nothing(root))


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("skip the packages install: only root can make a root for them")
    elif sys.argv[1:] == ["inside"]:
        main()
    else:
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, __file__, "inside"])
