#!/usr/bin/env python3
"""Who may read what of a daemon: each cell of the table in serve/protocol.md is tried over the pages and over the
control protocol. Every reader asks for everything; what is private about a bot has a word in it that is found nowhere
else."""

import base64
import http.client
import re
import tempfile

from daemon import Client, Daemon, Refused, report, sanitizer_words
from organiser import BUILD
from patience import SECONDS, until

# A bot that greets, complains to stderr and dies when it is asked.
BOT = """#!/bin/sh
# SOURCE-OF-ANNA
echo hello rude
while read line; do
    case $line in ask*) echo "STDERR-OF-ANNA" >&2; exit 3 ;; esac
done
"""
SECRETS = {"stderr": "STDERR-OF-ANNA", "build output": "BUILD-OF-ANNA", "hello": "HELLO-OF-ANNA",
           "bot files": "SOURCE-OF-ANNA", "grades": "ID-OF-ANNA"}
READERS = ("author", "other user", "guest", "organiser", "owner")
# What a reader gets to see in some way; nobody gets anything else.
ALL = {"stderr", "build output", "hello"}
MAY_READ = {"author": ALL, "other user": set(), "guest": set(), "organiser": ALL | {"grades"},
            "owner": ALL | {"grades"}}
PATHS = ("/", "/bots", "/bots/rude", "/users/anna", "/submit", "/jobs/1", "/jobs/2", "/view/1/1.1", "/log/1/1.1",
         "/report/1", "/report/2", "/stderr/1/1.1/rude", "/stderr/1/1.1/house", "/api/me", "/api/status", "/api/bots",
         "/api/jobs", "/api/jobs?bot=rude", "/api/jobs?user=anna", "/api/jobs/1", "/api/jobs/2",
         "/api/jobs/1/standings", "/api/jobs/1/text", "/api/jobs/1/table", "/api/jobs/1/cross",
         "/api/jobs/1/matches", "/api/grades?jobs=1", "/api/grades?jobs=1&format=json", "/users", "/bots/rude/1/bot.sh", "/jobs/1/messages",
         "/bots/broken/1/build", "/bots/broken/2/build", "/bots/rude/1/hello", "/bots/rude/1/check",
         "/bots/mute/1/hello", "/bots/mute/1/", "/bots/mute", "/api/languages", "/trials/mute/1/hello")
REQUESTS = ("help", "status", "status 1", "status 2", "queue all=yes", "bots", "bots rude", "bots broken", "watch 1",
            "watch 2", "log 1 1.1", "stderr 1 1.1 rude", "stderr 1 1.1 house", "result 1", "result 1 format=json",
            "result 1 format=csv", "result 1 format=cross", "result 1 format=matches", "result 1 format=html",
            "result 2 format=html", "watch off", "status", "grades 1",
            "grades 1 format=csv", "grades 1,2 format=json", "output broken", "output broken@1 of=build", "output rude",
            "output rude of=hello", "output rude@1 of=check", "output mute", "output mute of=hello", "bots mute",
            "bots commands=yes", "bots broken commands=yes", "languages")
# Who may read them gets to see how a version is run, and who may not, does not.
COMMANDS = ("/api/bots", "bots broken commands=yes")
# Nobody else gets a word of these.
OUTPUTS = [request for request in REQUESTS if request.startswith("output ")]
OUTPUTS += ["/bots/broken/1/build", "/bots/rude/1/hello", "/bots/rude/1/check", "/bots/mute/1/hello"]


def over_http(daemon, name, token):
    """All that the pages give to a reader, by path."""
    headers = {}
    if token is not None:
        headers["Authorization"] = "Basic " + base64.b64encode(f"{name}:{token}".encode()).decode()
    found = {}
    for path in PATHS:
        connection = http.client.HTTPConnection(*daemon.http(), timeout=SECONDS)
        connection.request("GET", path, headers=headers)
        reply = connection.getresponse()
        found[path] = (reply.status, reply.read().decode(errors="replace"))
        connection.close()
    return found


def over_control(client):
    """All that the control protocol gives to a reader, by request."""
    found = {}
    with client:
        for request in REQUESTS:
            try:
                found[request] = (200, client.ask(request))
            except Refused as refused:
                found[request] = (403 if refused.code == "forbidden" else 404, str(refused))
        found["events"] = (200, "\n".join(client.events))
    return found


def check(reader, found, tokens):
    """What is wrong with what a reader got."""
    everything = "\n".join(text for _, text in found.values())
    for what, word in SECRETS.items():
        places = [place for place, (_, text) in found.items() if word in text]
        if bool(places) != (what in MAY_READ[reader]):
            yield f"the {reader} and {what}: {places}"
    for token in tokens:
        if token in everything:
            yield f"the {reader} reads a token"
    own = [place for place in found if "stderr" in place and "rude" in place]
    for place in own:
        wanted = 200 if "stderr" in MAY_READ[reader] else 403
        if found[place][0] != wanted:
            yield f"the {reader} gets {found[place]} for {place}, not {wanted}"
    for place in OUTPUTS:
        wanted = 200 if MAY_READ[reader] else 403
        if place in found and found[place][0] != wanted:
            yield f"the {reader} gets {found[place]} for {place}, not {wanted}"
    for place in COMMANDS:
        if place in found and ("build_command" in found[place][1]) != bool(MAY_READ[reader]):
            yield f"the {reader} gets {found[place]} for {place}"
    logs = [text for place, (_, text) in found.items() if re.match(r"/?log", place)]
    if not logs or any('"fault":"gone"' not in text or not text.endswith('"}\n') for text in logs):
        yield f"the {reader} gets no log"


def prepare(daemon, tokens):
    """A match in which the bot fails, and one of a bot that cannot be built."""
    with Client(daemon.tcp(), token=tokens["author"]) as anna:
        anna.submit_file("rude", BOT)
        try:
            anna.submit_file("broken", BOT, more=' build="sh -c \'echo BUILD-OF-ANNA; exit 1\'"')
        except Refused:
            pass
        anna.submit_file("mute", "#!/bin/sh\necho HELLO-OF-ANNA >&2\nexit 1\n")
    with daemon.client() as owner:
        until(lambda: "check=failed" in owner.ask("bots rude"), "the check of rude")
        owner.ask(f"submit house command={BUILD}/bots/random")
        owner.ask("watch")
        owner.ask("match rude house rounds=1")
        owner.wait_event("1 over")
        if owner.refusal("match broken house rounds=1") is None:
            owner.wait_event("2 over")
        else:
            owner.ask("match house house rounds=1")
            owner.wait_event("2 over")


def check_all(folder):
    daemon = Daemon(folder, "--http", "127.0.0.1:0", "--listen", "127.0.0.1:0")
    tokens = {reader: daemon.add_user(name, *more) for reader, name, more in
              (("author", "anna", ("--id", "ID-OF-ANNA")), ("other user", "bert", ()),
               ("organiser", "carl", ("--organiser",)))}
    daemon.start()
    try:
        prepare(daemon, tokens)
        for reader, name in (("author", "anna"), ("other user", "bert"), ("guest", None), ("organiser", "carl")):
            yield f"the {reader}, over HTTP", list(check(reader, over_http(daemon, name, tokens.get(reader)),
                                                         tokens.values()))
        for reader in READERS:
            client = daemon.client() if reader == "owner" else Client(daemon.tcp(), token=tokens.get(reader))
            yield f"the {reader}, over the control protocol", list(check(reader, over_control(client),
                                                                         tokens.values()))
        yield "nothing is wrong with memory", list(sanitizer_words(daemon))
    finally:
        daemon.end()


def main():
    with tempfile.TemporaryDirectory() as folder:
        try:
            cases = list(check_all(folder))
        except (OSError, ValueError, Refused) as error:
            cases = [("who may read what", [repr(error)])]
    for name, problems in cases:
        report(name if "read" in name or "memory" in name else f"{name}, reads what is theirs and no more", problems)


if __name__ == "__main__":
    main()
