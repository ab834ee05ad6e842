#!/usr/bin/env python3
"""Every mistake on a command line: what was typed, what the referee says, and its exit code."""

import fnmatch
import os
import shlex
import subprocess
import tempfile

from patience import SECONDS

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
REFEREE = os.path.join(BUILD, "referee")
GREEDY = os.path.join(BUILD, "bots", "greedy")

# Exit code, command line, message without `referee: `. GREEDY and BUILD stand for their paths; * in a message is
# anything. What is not about one command is tried with `play`.
TABLE = r"""
2 | xyzzy | there is no command `xyzzy`; `referee help` lists them
2 | ruels | there is no command `ruels`; did you mean `rules`?
2 | hlep | there is no command `hlep`; did you mean `help`?
2 | help xyzzy | there is no command `xyzzy`; `referee help` lists them
2 | version 2 | version takes no arguments
2 | -s | options follow a command: `referee COMMAND -s`; `referee help` lists the commands
2 | --seed 3 play GREEDY GREEDY | options follow a command: `referee COMMAND --seed`; *
2 | '' | there is no command ``; *

2 | play --editoin x | there is no option --editoin; did you mean --edition?
2 | play --xyzzy | there is no option --xyzzy; see `referee play --help`
2 | play -s 4 GREEDY | there is no option -s; did you mean --set or --start-ms or --seats or --seed or --stderr?
2 | play -seed 4 GREEDY | there is no option -seed; did you mean --seed?
2 | play -seed=4 GREEDY | there is no option -seed; did you mean --seed?
2 | play -x GREEDY | there is no option -x; see `referee play --help`
2 | play --matches | --matches needs a value: --matches N
2 | play --log --quiet GREEDY GREEDY | --log needs a value: --log FILE
2 | play --quiet=yes GREEDY GREEDY | --quiet takes no value
2 | play --matches 0 GREEDY GREEDY | --matches takes 1 to 1000000, not `0`
2 | play --matches 1.5 GREEDY GREEDY | --matches takes 1 to 1000000, not `1.5`
2 | play --matches= GREEDY GREEDY | --matches takes 1 to 1000000, not ``
2 | play --move-ms 0 GREEDY GREEDY | --move-ms takes 1 to 86400000, not `0`
2 | play --move-ms 1e3 GREEDY GREEDY | --move-ms takes 1 to 86400000, not `1e3`
2 | play --move-ms 99999999999999999999 GREEDY GREEDY | --move-ms takes 1 to 86400000, not *
2 | play --bank-ms -1 GREEDY GREEDY | --bank-ms takes 0 to 86400000, not `-1`
2 | play --clock sand GREEDY GREEDY | --clock takes fair or wall, not `sand`
2 | play --contain strong GREEDY GREEDY | --contain takes auto, sealed, guarded or none, not `strong`
2 | play --edition en2021 GREEDY GREEDY | --edition: there is no edition "en2021"; did you mean "en2020"?
2 | play --edition x GREEDY GREEDY | --edition: there is no edition "x"; there are de2026 *
2 | play --edition en2020 --edition en2020 GREEDY GREEDY | --edition: it must come once, and before --set, --rounds and --variant
2 | play --set rounds=2 --edition en2020 GREEDY GREEDY | --edition: it must come once, and before --set, --rounds and --variant
2 | play --set knok=on GREEDY GREEDY | --set: *did you mean "knock"?
2 | play --set knock=maybe GREEDY GREEDY | --set: knock cannot be "maybe": it takes off, on
2 | play --set knock GREEDY GREEDY | --set: *key=value*
2 | play --set rounds=0 GREEDY GREEDY | --set: rounds cannot be "0": it takes 1..100
2 | play --rounds 0 GREEDY GREEDY | --rounds: rounds cannot be "0": it takes 1..100
2 | play --set deck=1,1,1,1,1,1,1,1,1,1,1,1,1 GREEDY GREEDY | *need at least 25*

2 | play | a match needs at least two seats: name more bots, or use --seats
2 | play GREEDY | a match needs at least two seats: name more bots, or use --seats
2 | play --seats 7 GREEDY | --seats takes 2 to 6, not `7`
2 | play --seats 2 GREEDY GREEDY GREEDY | there are more bots than seats
2 | play a b c d e f g | unexpected argument `g`: play takes at most 6 bots
2 | play human human | only one person can play at this terminal
2 | play --seats 3 human GREEDY | only one person can play at this terminal
2 | play human GREEDY | `human` needs a terminal: stdin is neither a terminal nor a pipe
2 | play greedy GREEDY | there is no program "greedy"; the bundled bot is BUILD/bots/greedy
2 | play 'strong --samples 4' GREEDY | there is no program "strong"; the bundled bot is BUILD/bots/strong
2 | play GREEDY nosuchprogram | there is no program "nosuchprogram"
2 | play GREEDY 'nosuchprogram -x' | there is no program "nosuchprogram"
2 | play GREEDY /nowhere/bot | there is no program "/nowhere/bot"
2 | play GREEDY folder | *"folder"*
2 | play GREEDY ./folder | "./folder" is a folder
2 | play GREEDY '' | a bot name is empty
2 | play GREEDY "'open" | a quote is not closed in "'open"
2 | play GREEDY ./plain | "./plain" is not executable; `chmod +x` makes it so
2 | play GREEDY ./empty | "./empty" is empty
2 | play GREEDY ./crlf | the first line of "./crlf" ends with a carriage return (Windows line ends), *
2 | play GREEDY ./lost | the first line of "./lost" asks for the interpreter "/nowhere/python", which does not exist
2 | play GREEDY ./bare.py | "./bare.py" is a script without a first line that names its interpreter, such as `#!/usr/bin/env python3`; add it, or put `python3` before its name
2 | play GREEDY ./bare | "./bare" is a script without *such as `#!/usr/bin/env sh`*
2 | play GREEDY bare.py | "./bare.py" is a script without a first line *
1 | play --log /nowhere/log GREEDY GREEDY | *cannot write the log /nowhere/log*: No such file or directory*

2 | ask | ask takes a BOT and a POSITION; see `referee ask --help`
2 | ask GREEDY | ask takes a BOT and a POSITION; see `referee ask --help`
2 | ask GREEDY a b | unexpected argument `b`: ask takes a BOT and a POSITION
2 | ask --seat 7 GREEDY seats=2 | --seat takes 0 to 5, not `7`
2 | ask GREEDY seats=9 | *a position begins with seats=2*
2 | ask GREEDY 'seats=2 display0=x' | *

2 | check | check takes one BOT; see `referee check --help`
2 | check a b | unexpected argument `b`: check takes one BOT
2 | check greedy | there is no program "greedy"; the bundled bot is BUILD/bots/greedy
2 | check --edition x GREEDY | --edition: there is no edition "x"; *
2 | check ./bare.py | "./bare.py" is a script without *
2 | check -e de2026 GREEDY | there is no option -e; did you mean --edition?

2 | tournament | tournament takes one FILE; see `referee tournament --help`
2 | tournament a b | tournament takes one FILE; see `referee tournament --help`
2 | tournament a --gearman localhost | --gearman needs --key-file: a job server has no users, so only what is sealed with your key counts
2 | tournament a --gearman x:y --key-file k | --gearman takes HOST, HOST:PORT or [ADDRESS]:PORT with a port up to 65535, not `x:y`
2 | tournament a --gearman x --key-file k --list-blocks | --gearman plays a tournament: it cannot be combined with --list-blocks, --play-block or --import
2 | serve --gearman localhost | --gearman HOST and --key-file FILE go together
2 | worker | worker needs --gearman HOST and --key-file FILE; see `referee worker --help`
2 | worker x | unexpected argument `x`: worker takes no arguments
2 | tournament a --import | --import takes the folders that --play-block has filled
2 | tournament a --play-block 1 | --play-block N and --into DIR go together
2 | tournament a --into x | --play-block N and --into DIR go together
2 | tournament a --play-block 1 --into x --fresh | --play-block leaves the store as it is: --fresh and --salvage go with --list-blocks
2 | tournament a --list-blocks --dry-run | --list-blocks, --play-block and --import cannot be combined with each other, with --dry-run or with --feed
2 | tournament a --play-block 0 --into x | --play-block takes 1 to 1000000, not `0`
2 | tournament nothing.json | nothing.json: cannot read it: No such file or directory
2 | tournament . | .: cannot read it: Is a directory
2 | tournament --workers x torn.json | --workers takes 0 to 256, not `x`
2 | tournament --contain x torn.json | --contain takes auto, sealed, guarded or none, not `x`
2 | tournament -w 3 torn.json | there is no option -w; did you mean --workers?
2 | standings | standings takes one STORE, the output folder of a tournament; see `referee standings --help`
2 | standings a b | unexpected argument `b`: standings takes one STORE, the output folder of a tournament
2 | standings --html page.html b | unexpected argument `b`: standings takes one STORE, the output folder of a tournament; --html prints to stdout, so put `>FILE` at the end
2 | standings --xml a | there is no option --xml; *
1 | standings nothing | *nothing*

2 | compare | compare takes NEW and OLD, and at most 5 bots after --field; see `referee compare --help`
2 | compare GREEDY | compare takes NEW and OLD, and at most 5 bots after --field; see `referee compare --help`
2 | compare GREEDY GREEDY GREEDY | a third bot must come after --field
2 | compare strong GREEDY | there is no program "strong"; the bundled bot is BUILD/bots/strong
2 | compare GREEDY GREEDY --field nothing | --field: there is no program "nothing"
2 | compare --margin x GREEDY GREEDY | --margin takes a number such as 0.05, not `x`
2 | compare --margin -1 GREEDY GREEDY | --margin must be above 0
2 | compare --alpha 0.5 GREEDY GREEDY | --alpha must be above 0 and below 0.5
2 | compare --least 9 --most 3 GREEDY GREEDY | --least must be 2 or more, and --most not below it
2 | compare --seats 3 GREEDY GREEDY | there is no option --seats; did you mean --set?

2 | serve x | unexpected argument `x`: serve takes no arguments
2 | serve --workers 0 | --workers takes 1 to 256, not `0`
2 | serve --organiser | --organiser and --id go with --add-user
1 | serve --store store --add-user anna --id =1 | =1: an id is 1 to 64 printable characters without spaces, commas, semicolons and quotes, and does not begin with = + - or @
2 | grades --csv --json 1 | use --csv or --json, not both
2 | grades x | a job is a number, as `referee queue` shows it, not `x`
2 | ladder --history x | --history goes with the NAME of a ladder
2 | ladder club --history x --all | --history lists all versions of the bot: leave out --all
2 | tournament --replay-bot .x a | --replay-bot takes the name of a bot, or NAME=TIMES: as many times in all, not `.x`
2 | tournament --replay-bot x --fresh a | --replay-bot plays matches of this tournament again: it cannot be combined with --fresh or --dry-run
2 | serve --contain none | --contain takes auto, sealed or guarded, not `none`
2 | serve --connections 0 | --connections takes 1 to 100000, not `0`
2 | serve --listen 127.0.0.1:70000 | --listen takes ADDR:PORT with a port up to 65535, not `127.0.0.1:70000`
2 | serve --listen 70000 | --listen takes ADDR:PORT with a port up to 65535, not `70000`
2 | serve --listen 127.0.0.1:-1 | --listen takes ADDR:PORT with a port up to 65535, not `127.0.0.1:-1`
2 | serve --http 127.0.0.1:65536 | --http takes ADDR:PORT with a port up to 65535, not `127.0.0.1:65536`
2 | serve --http 127.0.0.1 | --http takes ADDR:PORT with a port up to 65535, not `127.0.0.1`
2 | serve --http [::1]:http | --http takes ADDR:PORT with a port up to 65535, not `[::1]:http`
1 | serve --store store --socket /nowhere/socket | cannot listen at /nowhere/socket: No such file or directory
2 | serve --tls cert.pem | --tls needs two values: --tls CERT KEY
2 | serve --tls cert.pem --http 8080 | --tls needs two values: --tls CERT KEY
2 | queue --tls | TLS is for TCP: add --connect HOST:PORT
2 | queue --connect localhost:1 --fingerprint 12 | --fingerprint takes the 64 digits that `referee serve` prints, not `12`
2 | serve -l 80 | there is no option -l; did you mean --listen or --ladder or --ladder-keys?

2 | submit x | submit takes bot, match or tournament, not `x`
2 | submit bot | submit bot takes the NAME of the bot and at most one FILE; see `referee submit bot --help`
2 | submit bot a b c | unexpected argument `c`: submit bot takes the NAME of the bot and at most one FILE
2 | submit bot a | which bot? Give a FILE, --command or --remote
2 | submit bot a nothing | cannot read nothing: No such file or directory
2 | submit bot --memory-mb x a empty | --memory-mb takes 1 to 1000000, not `x`
2 | submit match a | submit match takes 2 to 6 bots; see `referee submit match --help`
2 | submit match a b c d e f g | unexpected argument `g`: submit match takes 2 to 6 bots
2 | submit match --rounds x a b | --rounds: rounds cannot be "x": it takes 1..100
2 | submit tournament | submit tournament takes one FILE; see `referee submit tournament --help`
2 | submit tournament nothing | cannot read nothing: No such file or directory
1 | submit tournament torn.json | no daemon is at /nowhere/referee; `referee serve` starts one
1 | queue | no daemon is at /nowhere/referee; `referee serve` starts one
1 | queue --socket /nowhere/other | no daemon is at /nowhere/other; `referee serve` starts one
2 | queue --connect 127.0.0.1:70000 | --connect takes HOST:PORT with a port from 1 to 65535, not `127.0.0.1:70000`
2 | queue --connect 127.0.0.1:0 | --connect takes HOST:PORT with a port from 1 to 65535, not `127.0.0.1:0`
2 | queue --connect nowhere | --connect takes HOST:PORT with a port from 1 to 65535, not `nowhere`
2 | queue --connect :80 | --connect takes HOST:PORT with a port from 1 to 65535, not `:80`
2 | queue --socket a --connect b:1 | one daemon at a time: --socket or --connect
2 | queue --token-file nothing | --token-file: cannot read the token from nothing: No such file or directory
2 | queue x | a job is a number, as `referee queue` shows it, not `x`
2 | queue 1 2 | unexpected argument `2`: queue takes at most one JOB
2 | watch x | a job is a number, as `referee queue` shows it, not `x`
2 | watch --connect 127.0.0.1:99999 | --connect takes HOST:PORT with a port from 1 to 65535, not `127.0.0.1:99999`
2 | cancel | cancel takes the numbers of jobs, which `referee queue` shows; see `referee cancel --help`
2 | cancel 0 | a job is a number, as `referee queue` shows it, not `0`
2 | prune | prune takes the numbers of jobs, which `referee queue --all` shows; see `referee prune --help`
2 | prune x | a job is a number, as `referee queue` shows it, not `x`
2 | prune --days -1 1 | --days takes 0 to 100000, not `-1`
2 | prune --days 1 --best 1 1 | --days does not go with --best
2 | standings --feed store | --feed goes with --prune
2 | connect localhost:1 a | connect takes HOST:PORT, the NAME of the bot and its command; see `referee connect --help`
2 | connect localhost:70000 a GREEDY | connect takes HOST:PORT with a port from 1 to 65535, not `localhost:70000`
2 | connect localhost a GREEDY | connect takes HOST:PORT with a port from 1 to 65535, not `localhost`
2 | connect localhost:1 a nothing | there is no program "nothing"
2 | connect localhost:1 a python4 -u bot.py | there is no program "python4"
2 | connect --tables 0 localhost:1 a GREEDY | --tables takes 1 to 64, not `0`
2 | bridge | bridge takes a SOCKET and the NAME of a bot; see `referee bridge --help`

2 | replay | replay takes a LOG; see `referee replay --help`
1 | replay nothing | nothing: No such file or directory
2 | replay --at x nothing | --at takes a number, not `x`
2 | replay --seat 9 nothing | --seat takes 0 to 5, not `9`
2 | replay -at 3 nothing | there is no option -at; did you mean --at?
2 | replay --debugger nothing | --debugger needs --against COMMAND
2 | replay --from 5 nothing | --from needs --against COMMAND
2 | replay --log x nothing | --log needs --branch N
2 | replay --json --html nothing | --json does not go with --html
2 | replay --verify --wire 0 nothing | --wire does not go with --verify
2 | play --log= GREEDY GREEDY | --log takes FILE, not an empty text
2 | serve --socket= | --socket takes PATH, not an empty text
2 | replay nothing nothing | only --verify takes several logs
2 | replay --html out.html nothing | only --verify takes several logs; --html prints to stdout, so put `>FILE` at the end
2 | replay --html=out.html nothing | --html takes no value: it prints to stdout; use `--html ... >out.html`
2 | review | review takes a LOG; see `referee review --help`
2 | review nothing nothing | unexpected argument `nothing`: review takes a LOG
2 | review --html out.html nothing | unexpected argument `nothing`: review takes a LOG; --html prints to stdout, so put `>FILE` at the end
1 | review nothing | nothing: No such file or directory
2 | review --seat 9 nothing | --seat takes 0 to 5, not `9`
2 | review --samples 0 nothing | --samples takes 1 to 1000000, not `0`
2 | review --budget-s -1 nothing | --budget-s takes 0 to 86400 seconds
2 | review --budget-s x nothing | --budget-s takes a number such as 0.05, not `x`
2 | review --json --html nothing | --json and --html exclude each other: print one, then the other
2 | doctor x | unexpected argument `x`: doctor takes no arguments
2 | doctor --json=1 | --json takes no value
2 | rules x | there is no edition "x"; *
2 | rules a b | unexpected argument `b`: rules takes at most one EDITION
"""


def rows():
    for line in TABLE.splitlines():
        if line:
            code, command, message = (part.strip() for part in line.split(" | ", 2))
            yield int(code), command, message


def write_files(folder):
    for name, text, mode in [("empty", "", 0o755), ("crlf", "#!/bin/sh\r\nexit\r\n", 0o755),
                             ("lost", "#!/nowhere/python\n", 0o755), ("plain", "#!/bin/sh\n", 0o644),
                             ("bare.py", "print('hello')\n", 0o755), ("bare", "echo hello\n", 0o755),
                             ("torn.json", "{", 0o644)]:
        path = os.path.join(folder, name)
        with open(path, "w", newline="") as file:
            file.write(text)
        os.chmod(path, mode)
    os.mkdir(os.path.join(folder, "folder"))


def run(folder, arguments):
    environment = {"PATH": os.environ["PATH"], "REFEREE_SOCKET": "/nowhere/referee"}
    for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS"]:
        if name in os.environ:
            environment[name] = os.environ[name]
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, timeout=SECONDS)


def as_pattern(message):
    """Only * is special."""
    message = message.replace("[", "[[]").replace("?", "[?]")
    return "referee: " + message.replace("BUILD", BUILD) + "\n"


def check_table(folder):
    for code, command, message in rows():
        done = run(folder, [word.replace("GREEDY", GREEDY) for word in shlex.split(command)])
        if done.returncode != code:
            yield f"{command}: exit code {done.returncode}, not {code}: {done.stderr}"
        if done.stdout or len(done.stderr.splitlines()) != 1:
            yield f"{command}: more than one sentence: {done.stdout}{done.stderr}"
        if not fnmatch.fnmatchcase(done.stderr, as_pattern(message)):
            yield f"{command}: {done.stderr}"


def check_help(folder):
    """Every way to ask for help or the version gives the same text."""
    for ways in [[["help"], ["--help"], ["-h"], ["help", "help"], ["help", "version"]],
                 [["version"], ["--version"], ["-V"]],
                 [["help", "play"], ["play", "--help"], ["play", "-h"], ["play", "x", "--help"]],
                 [["help", "submit"], ["submit", "--help"], ["submit", "-h"]],
                 [["help", "submit", "bot"], ["submit", "bot", "--help"]]]:
        texts = {(done.returncode, done.stdout, done.stderr) for done in (run(folder, way) for way in ways)}
        if len(texts) != 1 or min(texts)[0] != 0 or min(texts)[2] or not min(texts)[1]:
            yield f"{ways}: {texts}"
    listed = [line.split()[0] for line in run(folder, ["help"]).stdout.splitlines() if line.startswith("  ")]
    for command in listed:
        if run(folder, ["help", command]).returncode != 0:
            yield f"no help for {command}"


def check_near(folder):
    """The hint for a bundled bot is what can be typed in this folder."""
    done = run(os.path.dirname(BUILD), ["play", "greedy", GREEDY])
    if not done.stderr.endswith(f"the bundled bot is {os.path.basename(BUILD)}/bots/greedy\n"):
        yield done.stderr


def report(name, problems):
    problems = list(problems)
    print(f"ok {name}" if not problems else f"not ok {name}: {problems[0]}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        report(f"{len(list(rows()))} mistakes get one sentence and an exit code each", check_table(folder))
        report("help and version have many names and one text each", check_help(folder))
        report("a bundled bot is named by its path from here", check_near(folder))


main()
