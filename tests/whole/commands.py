#!/usr/bin/env python3
"""Runs every command that the README, the manuals and the examples of the help show, in a scratch folder that has
what they name. Commands that cannot be run here are in a table, with the reason and the test that runs them instead.

By default long ones are shortened; with COMMANDS=all they run as they are written."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import zipfile

from patience import SECONDS, until

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
DOCUMENTS = ["README.md", "bots/README.md", "referee/tournament/distribute/README.md", *sorted(
    os.path.join("referee/manual", name) for name in os.listdir(os.path.join(ROOT, "referee/manual"))
    if name.endswith(".md"))]
# They show no commands but in running text; protocol.py and daemon_protocol.py run all the rest.
PROTOCOLS = ["protocol.md", "referee/serve/protocol.md"]
# What a line of a code block begins with if it is a command; anything else is output, or a file.
COMMANDS = r"(?:build/referee|referee|make|cp|jq|cc|zstdcat|python3|PYTHONPATH=\S+ python3|bots/python/learn.py|\./\w+|nc|curl|echo|mkdir|cd|man|ssh|openssl|apt) "

# What is not run here: a pattern, and why. Each reason names the test that does what the command does.
NOT_RUN = {
    r"^make tournament": "it takes minutes; commands.py plays a shorter version of its file",
    r"^make check": "it takes minutes, and runs commands.py itself",
    r"^make install": "install.py does",
    r"^make deb": "packages.py tests what it makes",
    r"play human": "needs a person; play.py types",
    r"--debugger": "needs a terminal; replay.py has one",
    r"referee connect |--connect club": "needs a daemon on another machine; remote.py connects by TCP, serve_tls.py by TLS",
    r"referee watch(?! --raw)( |$)": "does not end; clients.py watches",
    r"referee watch --raw": "does not end; clients.py watches",
    r"--listen 0\.0\.0\.0": "opens this machine; serve_hostile.py listens there, serve_tls.py with TLS",
    r"parallel|--import played": "needs another folder; batch.py plays blocks by GNU parallel and imports them",
    r"serve --store club --ladder": "serve_ladder.py plays a ladder",
    r"referee ladder club": "serve_ladder.py has a ladder",
    r"submit bot greedy --command /usr/local": "names a program that is not installed here; clients.py submits a command",
    r"referee worker(?! --help)": "does not end; gearman.py has a server and workers",
    r"tournament my\.json --gearman": "needs workers; gearman.py has a server and workers",
    r"^apt install": "changes the machine; gearman.py has a job server",
    r"^ssh|serve --gearman": "needs another machine; gearman.py has a server and workers",
    r"--edition FILE|--replay-bot anna FILE": "names no file; variants.py and replay_bot.py do",
    r"serve --(ladder|settings) FILE": "names no file; serve_ladder.py and serve_limits.py do",
    r"example\.(org|com)": "needs another machine; serve_trial.py asks for the languages",
    r"referee cancel ": "the job may be over; clients.py cancels one",
    r"referee prune ": "later examples read the logs of that job; clients.py and serve_organise.py delete some",
    r"referee resume 17": "the job did not fail; serve_crash.py resumes some",
    r"^cc mybot\.c": "example.sh and install.py build such a bot",
}
if "sanitize" in BUILD:
    NOT_RUN[r"import allegra|bots/python/learn"] = "python_module.py loads a library with sanitizers"
# Places and numbers that are other ones here.
ELSEWHERE = [(r"127\.0\.0\.1:8080", "127.0.0.1:0"), (r"replay-bot 17", "replay-bot 2"), (r"\b17\b", "1"),
             (r"--log 3\.1", "--log 1.1"), (r"\| less", "| cat"), (r"--seat 2\b", "--seat 1"), (r"@3\b", "@1"), (r"\bgrades (.*)\b3 7 1\b", r"grades \1 1")]
# What stands for something else in running text, in the folder where the examples of the help are run.
PLACEHOLDERS = {"LOG…": "game.ndjson", "LOG": "game.ndjson", "STORE": "build/tournament", "BOT…": "./mybot ./other",
                "BOT": "./mybot", "EDITION": "en2020", "COMMAND": "play", "NAME": "anna", "ID": "7", "S": "0", "my": "build/tournament"}
SHORTER = [(r"--matches (100|20)\b", "--matches 2"), (r"--minutes 0\.1\b", "--minutes 0.01"), (r"referee review ", "referee review --budget-s 1 "),
           (r"referee compare ", "referee compare --most 2 "), (r"--most 100000|--least \d+", ""),
           (r"(referee tournament )(?!.*--dry-run)", r"\1--luck off "), (r"--samples 500|--budget-s 10", ""),
           (r"referee check ", "referee check --edition en2020 "), (r"--edition en2020 --edition en2020", "--edition en2020"),
           (r"referee doctor", "referee doctor --help >/dev/null; : "), (r"--deals 20", "--deals 2")]
LONG = os.environ.get("COMMANDS") == "all"
# A comparison that is cut short has no answer, and says so with its exit code.
MAY_FAIL = [] if LONG else [r"referee compare --most 2 "]


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)
    for problem in problems[1:]:
        print(f"    {problem}")


def lines_of_page(text):
    """The commands in the code blocks of a page, with lines that go on put together."""
    text = re.sub(r" *(\||\\)\n +", lambda end: " | " if end.group(1) == "|" else " ", text)
    for line in text.split("\n"):
        found = re.match(rf"^(?: {{4,8}}|\$ )(?:\$ )?({COMMANDS}.*)$", line)
        if found:
            yield found.group(1)


def lines_of_help():
    """The examples of all commands; those that submit come before those that ask about jobs."""
    names = re.findall(r"^  ([\w-]+) ", run_plain("help").split("\nmanuals:")[0], re.M)
    pages = [[name] for name in names if name not in ("help", "version", "submit")]
    for words in [["submit", "bot"], ["submit", "match"], ["submit", "tournament"], *pages]:
        text = run_plain(*words, "--help")
        examples = text[text.find("\nexamples:") + 1:] if "\nexamples:" in text else ""
        yield from lines_of_page(re.sub("(?m)^  ", "    ", examples))


def without_blocks(text):
    """The running text of a page."""
    return re.sub(r"(?ms)^```.*?^```$|^ {4}.*?$", "", text)


def lines_of_text(text):
    """The commands in running text. Where only a subcommand or options are named, its help must have them."""
    for code in re.findall(r"`(?:build/)?referee\s+([^`]+)`", without_blocks(text)):
        words = [PLACEHOLDERS.get(word, word) for word in code.split()]
        if all(word.startswith("--") for word in words[1:]):
            yield f"referee {words[0]} --help"
            yield from (f"referee {words[0]} --help | grep -e '^  {word} '" for word in words[1:] if word != "--help")
        else:
            yield "referee " + " ".join(words)


def targets_of_text(text):
    """What `make` is to make, in running text."""
    return {target for code in re.findall(r"`([^`]+)`", without_blocks(text))
            for target in re.findall(r"^make ([a-z-]+)", " ".join(code.split()))}


def check_targets():
    rules = "".join(read(f"{ROOT}/{name}") for name in ("Makefile", "referee/install.mk"))
    for page in [*DOCUMENTS, *PROTOCOLS, "tests/README.md"]:
        for target in sorted(targets_of_text(read(f"{ROOT}/{page}"))):
            if not re.search(rf"^(?:[\w -]+ )?{target}(?: [\w -]+)?:", rules, re.M):
                yield f"{page}: there is no `make {target}`"


def run_plain(*words):
    return subprocess.run([REFEREE, *words], capture_output=True, text=True, timeout=SECONDS, check=False).stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class World:
    """A folder with everything that the commands name, and a daemon if one of them starts it."""

    def __init__(self, folder):
        self.folder = folder
        self.daemon = None
        self.environment = {**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": folder, "PAGER": "cat",
                            "MANPAGER": "cat", "REFEREE_SOCKET": f"{folder}/socket", "PYTHONDONTWRITEBYTECODE": "1"}
        os.mkdir(f"{folder}/build")
        for name in ("referee", "bots", "lib"):
            os.symlink(f"{BUILD}/{name}", f"{folder}/build/{name}")
        for name in ("bots", "tests", "referee", "protocol.md"):
            os.symlink(f"{ROOT}/{name}", f"{folder}/{name}")
        shutil.copytree(f"{ROOT}/tournaments", f"{folder}/tournaments")
        if not LONG:
            demo = read(f"{ROOT}/tournaments/demo.json")
            write(f"{folder}/tournaments/demo.json", demo.replace('"deals": 60', '"deals": 2'))
        for name in ("mybot", "mine", "new", "old", "other"):
            shutil.copy(f"{BUILD}/bots/c", f"{folder}/{name}")
        with zipfile.ZipFile(f"{folder}/carl.zip", "w") as file:
            file.write(f"{ROOT}/bots/python/bot.py", "main.py")
        for name in ("bot.py", "mybot.py", "other.py"):
            shutil.copy(f"{ROOT}/bots/python/bot.py", f"{folder}/{name}")
        self.write_files()

    def write_files(self):
        os.mkdir(f"{self.folder}/src")
        shutil.copy(f"{ROOT}/bots/c/bot.c", f"{self.folder}/src")
        write(f"{self.folder}/src/Makefile", "bert: bot.c\n\tcc -o bert bot.c\n")
        write(f"{self.folder}/my.json", '{"bots": ["./mine", "./mybot", "build/bots/greedy"], "deals": 4}')
        write(f"{self.folder}/cup.json", '{"bots": ["anna", "bert"], "deals": 2}')
        write(f"{self.folder}/house.json", '{"name": "quick", "edition": "en2020", "rules": {"rounds": 1}}')

    def prepare(self):
        """For the examples of the help, which have no beginning."""
        os.mkdir(f"{self.folder}/logs")
        for line in ["play --seed 42 --edition en2020 --log game.ndjson ./mybot build/bots/greedy",
                     "play --seed 1 --rounds 1 --log logs/01.ndjson ./mybot build/bots/greedy",
                     "replay --at 21 game.ndjson >position.txt",
                     "tournament --quiet --luck off --output build/tournament tournaments/demo.json"]:
            yield from self.run("referee " + line)
        self.start_daemon("referee serve --remote --http 127.0.0.1:0")
        for line in ["anna bot.py", "bert src/ --build make --command ./bert", "cheat mybot", "mybot mybot"]:
            yield from self.run("referee submit bot " + line)
        yield from self.run("referee submit match anna bert --rounds 1 --wait")
        yield from self.run("referee submit match anna mybot --rounds 1 --wait")

    def start_daemon(self, line):
        words = line.rstrip("& ").split() + ["--store", f"{self.folder}/store"]
        with open(f"{self.folder}/daemon.said", "w", encoding="utf-8") as said:
            # pylint: disable=consider-using-with
            self.daemon = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=said, stderr=said)
        until(lambda: os.path.exists(f"{self.folder}/socket"), "the socket of the daemon")

    def run(self, line):
        try:
            done = subprocess.run(["bash", "-c", "set -o pipefail; " + line], cwd=self.folder, env=self.environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            yield f"`{line}` does not end"
            return
        if done.returncode != 0 and not (done.returncode == 1 and any(re.search(known, line) for known in MAY_FAIL)):
            yield f"`{line}` ends with {done.returncode}: {' '.join(done.stdout[-400:].split())}"

    def stop(self):
        if self.daemon is not None:
            self.daemon.send_signal(signal.SIGINT)
            self.daemon.send_signal(signal.SIGINT)
            self.daemon.wait(SECONDS)


def reason_not_to(line):
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, line)), None)


def try_lines(world, lines, used):
    for line in lines:
        plain = re.sub(r"\s+# .*$", "", line).strip()
        why = reason_not_to(plain)
        if why is not None:
            used.update(pattern for pattern in NOT_RUN if re.search(pattern, plain))
            continue
        for pattern, other in ELSEWHERE + ([] if LONG else SHORTER):
            plain = re.sub(pattern, other, plain)
        if re.search(r"referee serve (?!.*--add-user)", plain):
            if world.daemon is None:
                world.start_daemon(plain)
        else:
            yield from world.run(plain)


def check(lines, used, is_prepared=False):
    with tempfile.TemporaryDirectory() as folder:
        world = World(folder)
        try:
            if is_prepared:
                yield from world.prepare()
            yield from try_lines(world, lines, used)
        finally:
            world.stop()


def check_reasons(used):
    """Of a table that says who runs a command instead, each row is needed, and each test is there."""
    for pattern, why in NOT_RUN.items():
        tests = re.findall(r"\b\w+\.(?:py|sh)\b", why)
        if pattern not in used and "sanitize" not in BUILD:
            yield f"no command is like `{pattern}`"
        if not tests:
            yield f"`{pattern}` names no test"
        yield from (f"there is no {name}" for name in tests if not os.path.exists(f"{ROOT}/tests/whole/{name}"))


def main():
    used = set()
    for page in DOCUMENTS:
        lines = list(lines_of_page(read(f"{ROOT}/{page}")))
        if lines:
            report(f"every command of {page} works ({len(lines)})", check(lines, used))
    lines = list(lines_of_help())
    report(f"every example of the help works ({len(lines)})", check(lines, used, True))
    lines = list(dict.fromkeys(line for page in DOCUMENTS + PROTOCOLS for line in lines_of_text(read(f"{ROOT}/{page}"))))
    report(f"every command in running text works ({len(lines)})", check(lines, used, True))
    report("everything that running text makes can be made", check_targets())
    report("what is not run here has a test elsewhere", check_reasons(used))
    if LONG:
        for pattern, why in NOT_RUN.items():
            if pattern in used:
                print(f"skip commands like `{pattern}`: {why}")


if __name__ == "__main__":
    main()
