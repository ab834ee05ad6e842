"""A disk that is cut off, in two ways.

`Trace` runs a program under strace and keeps what it does to the files below a folder. `Trace.rebuild` makes a
state of that folder that POSIX allows after a power failure at any of these steps: everything that was synced is
there, and of everything else any part. What counts as synced is what is promised and not what a file system happens
to do: fsync of a file is for its bytes, fsync of a folder for its names, a rename happens or does not, and syncfs
is for everything.

`Image` is an ext4 file system in a file that can be shut down without a flush, where the machine allows it."""

import ast
import ctypes
import fcntl
import os
import re
import shutil
import struct
import subprocess

from patience import SECONDS

CALLS = ("open,openat,creat,write,pwrite64,writev,sendto,sendmsg,truncate,ftruncate,rename,renameat,renameat2,mkdir,mkdirat,"
         "unlink,unlinkat,rmdir,fsync,fdatasync,syncfs,sync,link,linkat,fallocate,copy_file_range,sendfile,pwritev")
SYNCS = ("fsync", "fdatasync", "syncfs", "sync")
UNKNOWN = ("link", "linkat", "fallocate", "copy_file_range", "pwritev", "truncate")
FS_IOC_SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2
CLONE_NEWNS = 0x20000
MS_REC = 0x4000
MS_PRIVATE = 0x40000


def why_no_trace():
    """Why programs cannot be traced here; None if they can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    done = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "true"], capture_output=True, text=True)
    return None if done.returncode == 0 else f"strace cannot trace: {done.stderr.strip()}"


# The model of a disk.

class File:
    def __init__(self, mode):
        self.mode = mode
        self.durable = b""
        self.now = b""

    def change(self, offset, data):
        self.now = self.now[:offset].ljust(offset, b"\0") + data + self.now[offset + len(data):]

    def after_cut(self, chance):
        """What may be on the disk: all or nothing since the last sync, or any blocks of it."""
        how = chance.random()
        if self.now == self.durable or how < 0.3:
            return self.durable
        if how < 0.45:
            return self.now
        size = chance.choice([len(self.now), len(self.now), len(self.durable)])
        block = chance.choice([512, 4096])
        # What was synced is there, and what was not written is zero.
        return b"".join(chance.choice([self.now, self.durable])[start:min(size, start + block)]
                        .ljust(min(size, start + block) - start, b"\0") for start in range(0, size, block))


class Folder:
    def __init__(self, mode=0o755):
        self.mode = mode
        self.durable = {}
        self.now = {}


class Model:
    """Files and folders below one folder, as they are and as they are sure to be."""

    def __init__(self, root):
        self.root = root
        self.top = Folder()
        self.nodes = [self.top]
        self.pending = []  # changes of names: lists of (folder, name, node or None)

    def find(self, path):
        """What is there, or None."""
        if path != self.root and not path.startswith(self.root + "/"):
            return None
        node = self.top
        for name in filter(None, path[len(self.root):].split("/")):
            node = node.now.get(name) if isinstance(node, Folder) else None
        return node

    def place(self, path):
        """The folder and the name of a path; a folder that is not ours is None."""
        path = os.path.normpath(path)
        folder = self.find(os.path.dirname(path))
        return (folder if isinstance(folder, Folder) else None), os.path.basename(path)

    def rename(self, changes):
        for folder, name, node in changes:
            if node is None:
                folder.now.pop(name, None)
            else:
                folder.now[name] = node
        self.pending.append(changes)

    def add(self, path, node):
        folder, name = self.place(path)
        if folder is not None and name not in folder.now:
            self.nodes.append(node)
            self.rename([(folder, name, node)])

    def mark(self):
        """What there is to be synced now."""
        return [(node, node.now) for node in self.nodes if isinstance(node, File)], list(self.pending)

    def sync(self, mark, only=None):
        """Makes what was marked sure: all of it, or one file, or the names in one folder."""
        files, pending = mark
        for node, content in files:
            if only in (None, node):
                node.durable = content
        done = [changes for changes in pending if only is None or any(folder is only for folder, _, _ in changes)]
        for changes in done:
            put_names(changes, lambda folder: folder.durable)
        self.pending = [changes for changes in self.pending if not any(changes is one for one in done)]

    def write_after_cut(self, target, chance):
        """Makes a state that the disk may have, in a folder that is not there yet."""
        names = {id(node): dict(node.durable) for node in self.nodes if isinstance(node, Folder)}
        share = chance.choice([0, 0.5, 0.9, 1])
        for changes in self.pending:
            if chance.random() < share:
                put_names(changes, lambda folder: names[id(folder)])
        write_tree(self.top, target, names, chance)

    def write_now(self, target):
        names = {id(node): node.now for node in self.nodes if isinstance(node, Folder)}
        write_tree(self.top, target, names, None)


def put_names(changes, names_of):
    for folder, name, node in changes:
        if node is None:
            names_of(folder).pop(name, None)
        else:
            names_of(folder)[name] = node


def write_tree(node, path, names, chance):
    if isinstance(node, File):
        with open(path, "wb") as file:
            file.write(node.after_cut(chance) if chance else node.now)
        os.chmod(path, node.mode)
        return
    os.mkdir(path, 0o700)
    for name, inside in names[id(node)].items():
        write_tree(inside, os.path.join(path, name), names, chance)
    os.chmod(path, node.mode)


# The trace.

LINE = re.compile(r"^(\d+) +(.*)$")
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
DESCRIPTOR = re.compile(r"^(?:AT_FDCWD|\d+)<([^>]*)>")


class Step:
    """One call: its name, its arguments as they are printed, and whether it has succeeded."""

    def __init__(self, call, arguments, result):
        self.call = call
        self.arguments = arguments
        self.result = result
        self.begun_at = 0  # how many steps were complete when it began

    def texts(self):
        return [ast.literal_eval(f'b"{text}"') for text in TEXT.findall(self.arguments)]

    def descriptors(self):
        """The paths of the descriptors among the arguments, in their order."""
        return re.findall(r"(?:AT_FDCWD|\b\d+)<(/[^>]*|[a-zA-Z][^>]*)>", TEXT.sub('""', self.arguments))


def read_steps(path):
    """Completed calls in the order in which they ended. One that began before others ended knows how many."""
    steps = []
    begun = {}
    with open(path, encoding="latin-1") as file:
        for line in file:
            pid, rest = LINE.match(line.rstrip("\n")).groups()
            at = len(steps)
            if rest.endswith("<unfinished ...>"):
                begun[pid] = (rest[:-len("<unfinished ...>")].rstrip(), at)
                continue
            if rest.startswith("<..."):
                before, at = begun.pop(pid, ("", at))
                rest = before + rest.partition(" resumed>")[2]
            found = re.match(r"^(\w+)\((.*)\)\s+= (-?\d+)", rest, re.S)
            if found and int(found[3]) >= 0:
                step = Step(*found.groups())
                step.begun_at = at
                steps.append(step)
    return steps


class Trace:
    """What a program did below a folder, step by step. `acknowledged` are the steps in which it told somebody
    something, with what it told."""

    def __init__(self, path, root, is_word):
        """The program was started in the folder `root`."""
        self.root = root
        self.steps = []
        begun_at = []  # by steps of the file: how many of our steps were complete
        for step in read_steps(path):
            begun_at.append(len(self.steps))
            if is_word(step) is not None or self.concerns(step):
                step.begun_at = begun_at[step.begun_at] if step.begun_at < len(begun_at) else len(self.steps)
                self.steps.append(step)
        self.words = {number: is_word(step) for number, step in enumerate(self.steps) if is_word(step) is not None}

    def concerns(self, step):
        """Calls with paths from a folder of ours, or with such a path. Reading changes nothing."""
        if step.call in ("open", "openat") and not re.search("O_CREAT|O_TRUNC", step.arguments):
            return False
        return step.call in ("sync", "mkdir", "rename", "unlink", "rmdir") or self.root in step.arguments

    def said_before(self, cut):
        return [words for number, words in sorted(self.words.items()) if number < cut]

    def model_at(self, cut):
        """A sync is for what was complete when it began."""
        model = Model(self.root)
        marks = {}
        begins = {}
        for number, step in enumerate(self.steps[:cut]):
            if step.call in SYNCS:
                begins.setdefault(step.begun_at, []).append(number)
        for number, step in enumerate(self.steps[:cut]):
            marks.update((sync, model.mark()) for sync in begins.get(number, []))
            if step.call in SYNCS:
                apply_sync(model, step, marks.pop(number))
            else:
                apply(model, step)
        return model

    def rebuild(self, cut, target, chance):
        self.model_at(cut).write_after_cut(target, chance)

    def differs(self, name, target):
        """Replays everything, and says how a folder in it differs from what is really there."""
        self.model_at(len(self.steps)).write_now(target)
        done = subprocess.run(["diff", "-rq", "--no-dereference", os.path.join(self.root, name), os.path.join(target, name)],
                              capture_output=True, text=True)
        return done.stdout.splitlines() + done.stderr.splitlines()


def apply(model, step):
    """Paths that begin nowhere begin at the root, where the program was started."""
    paths = step.descriptors()
    texts = step.texts()
    base = paths[0] if paths and step.call.endswith("at") else model.root
    if step.call in UNKNOWN and any(model.find(path) is not None for path in paths):
        raise ValueError(f"a call that the model does not know: {step.call}")
    if step.call in ("open", "openat", "creat"):
        path = os.path.join(base, texts[0].decode())
        mode = re.search(r", (0\d+)\)?$", step.arguments)
        model.add(path, File(int(mode[1], 8) & 0o777 if mode else 0o644))
        node = model.find(os.path.normpath(path))
        if isinstance(node, File) and "O_TRUNC" in step.arguments:
            node.now = b""
    elif step.call in ("write", "writev", "pwrite64"):
        node = model.find(paths[0]) if paths else None
        if isinstance(node, File):
            offset = int(step.arguments.rsplit(",", 1)[1]) if step.call == "pwrite64" else len(node.now)
            node.change(offset, b"".join(texts)[:int(step.result)])
    elif step.call == "sendfile":
        copy_bytes(model, step, *paths)
    elif step.call == "ftruncate":
        node = model.find(paths[0])
        if isinstance(node, File):
            length = int(step.arguments.rsplit(",", 1)[1])
            node.now = node.now[:length].ljust(length, b"\0")
    elif step.call in ("mkdir", "mkdirat"):
        mode = int(re.search(r"(0\d+)$", step.arguments)[1], 8)
        model.add(os.path.join(base, texts[0].decode()), Folder(mode & 0o755 | 0o700))
    elif step.call in ("rename", "renameat", "renameat2"):
        bases = paths if len(paths) == 2 else [base, base]
        source, target = (model.place(os.path.join(base, text.decode())) for base, text in zip(bases, texts))
        if source[0] is not None and target[0] is not None and source[1] in source[0].now:
            model.rename([(*target, source[0].now[source[1]]), (*source, None)])
    elif step.call in ("unlink", "unlinkat", "rmdir"):
        folder, name = model.place(os.path.join(base, texts[0].decode()))
        if folder is not None and name in folder.now:
            model.rename([(folder, name, None)])


def copy_bytes(model, step, target, source):
    """The referee copies each part of a file to the same place in another file."""
    to, of = model.find(target), model.find(source)
    if not isinstance(to, File):
        return
    if not isinstance(of, File):
        raise ValueError(f"a copy of a file that the model does not know: {source}")
    start = int(re.search(r"\[(\d+)\]", step.arguments)[1])
    to.change(start, of.now[start:start + int(step.result)])


def apply_sync(model, step, mark):
    paths = step.descriptors()
    if step.call in ("syncfs", "sync"):
        model.sync(mark)
    elif model.find(paths[0]) is not None:
        model.sync(mark, model.find(paths[0]))


def traced(path):
    """The words before a command that is to be traced into a file. The leak checker traces, too, and cannot do so then."""
    return ["strace", "-E", "ASAN_OPTIONS=detect_leaks=0", "-f", "-y", "-qq", "--seccomp-bpf", "-s", "16777216", "-e", "signal=none", "-e", f"trace={CALLS}", "-o", path]


# A real file system.

class Image:
    """An ext4 file system that can lose its power."""

    def __init__(self, folder):
        self.image = os.path.join(folder, "image")
        self.path = os.path.join(folder, "disk")
        os.mkdir(self.path)
        run("truncate", "-s", "64M", self.image)
        run("mkfs.ext4", "-q", "-F", self.image)
        self.mount()

    def mount(self):
        run("mount", "-o", "loop", self.image, self.path)

    def cut(self):
        """From now on nothing reaches the disk."""
        handle = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.ioctl(handle, FS_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(handle)

    def unmount(self):
        run("umount", self.path)

    def power_on(self):
        """After all processes that used it have ended."""
        self.unmount()
        self.mount()


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        raise OSError(f"{words[0]}: {done.stderr.strip() or done.returncode}")


def leave_mounts():
    """From now on only this process and its children see what it mounts. Otherwise whoever makes a mount namespace
    meanwhile, as sandboxes do, would keep the file system alive."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(CLONE_NEWNS) != 0 or library.mount(None, b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        raise OSError(ctypes.get_errno(), "no mount namespace")


def why_no_image(folder):
    """Why no file system can be cut off here; None if it can."""
    if os.geteuid() != 0:
        return "only root can mount an image"
    if shutil.which("mkfs.ext4") is None:
        return "mkfs.ext4 is not installed"
    where = os.path.join(folder, "try")
    os.mkdir(where)
    try:
        leave_mounts()
        image = Image(where)
        try:
            image.cut()
        finally:
            image.unmount()
    except OSError as problem:
        return f"an ext4 image cannot be mounted and shut down: {problem}"
    return None
