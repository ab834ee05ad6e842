#!/usr/bin/env python3
"""TLS: of the daemon itself (--tls), for requests, pages and remote bots alike, and by nginx in front of its pages, with
the configuration that referee/serve/nginx.conf proposes. Tokens and cookies never go over an address in the clear."""

import ctypes
import fcntl
import hashlib
import http.client
import json
import os
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import warnings

from daemon import GREEDY, REFEREE, SHORT, Client, Daemon, become_reaper, report, sanitizer_words, until
from patience import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
SITE = os.path.join(HERE, "..", "..", "referee", "serve", "nginx.conf")
AROUND = """daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCSIFADDR, SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8916, 0x8913, 0x8914, 1
ELSEWHERE = "10.9.8.7"


def make_certificate(folder, name="cert", subject="club.example", names="DNS:localhost,IP:127.0.0.1"):
    """A new key, and a certificate that it has signed itself. Returns the path of the certificate."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", f"/CN={subject}", "-addext", f"subjectAltName={names}",
                    "-keyout", f"{folder}/{name}-key.pem", "-out", f"{folder}/{name}.pem"], check=True, capture_output=True)
    return f"{folder}/{name}.pem"


def trusting(certificate):
    return ssl.create_default_context(cafile=certificate)


def fingerprint(certificate):
    with open(certificate, encoding="ascii") as file:
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(file.read())).hexdigest()


class TlsDaemon(Daemon):
    """One that speaks TLS at two addresses of this machine. anna has a token."""

    def __init__(self, folder):
        os.makedirs(folder)
        self.certificate = make_certificate(folder)
        self.rules = os.path.join(folder, "settings.json")
        with open(self.rules, "w", encoding="ascii") as file:
            file.write("{}")
        super().__init__(folder, "--tls", self.certificate, self.certificate.replace(".pem", "-key.pem"), "--remote",
                         "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--workers", "2", "--settings", self.rules)
        os.makedirs(self.store)
        self.token = self.add_user("anna")
        self.start()

    def tcp(self, place=0):
        return self.doors("requests with TLS: ")[place]

    def http(self, place=0):
        return self.doors("pages: https://")[place]

    def secure(self, **more):
        return Client(self.tcp(), tls=trusting(self.certificate), **more)

    def address(self, host="localhost"):
        return f"{host}:{self.tcp()[1]}"


def referee(*arguments, **environment):
    environment = {"PATH": os.environ["PATH"], "HOME": "/", **environment}
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=SECONDS, env=environment)


def expect(done, code, words):
    if done.returncode != code or words not in done.stdout + done.stderr:
        yield f"{done.args[1:]}: {done.returncode} {done.stdout} {done.stderr} instead of {code} {words}"


def check_clients(daemon):
    """Which certificates the clients of the program trust."""
    other = make_certificate(daemon.folder, "other")
    stranger = make_certificate(daemon.folder, "stranger", names="DNS:elsewhere.example")
    here = ("queue", "--connect", daemon.address())
    known = fingerprint(daemon.certificate)
    if f"fingerprint {known}" not in daemon.words():
        yield "the daemon does not print its fingerprint: " + daemon.words()
    for options, code, words in [
            (["--ca", daemon.certificate], 0, "job"), (["--fingerprint", known], 0, "job"),
            (["--fingerprint", known.upper()], 0, "job"), (["--tls"], 2, "is not to be trusted"),
            (["--ca", other], 2, "is not to be trusted"), (["--ca", "/dev/null"], 2, "not a file of certificates"),
            (["--fingerprint", fingerprint(other)], 2, "another fingerprint"), (["--fingerprint", "12"], 2, "64 digits"),
            (["--tls", "--plaintext"], 2, "there is no TLS"), ([], 1, "or only with --tls")]:
        yield from expect(referee(*here, *options), code, words)
    yield from expect(referee("queue", "--socket", daemon.socket, "--tls"), 2, "TLS is for TCP")
    yield from expect(referee(*here, "--ca", daemon.certificate, REFEREE_TOKEN="12"), 2, "token")
    yield from expect(referee("submit", "bot", "tiny", GREEDY, "--connect", daemon.address("127.0.0.1"), "--ca",
                              daemon.certificate, REFEREE_TOKEN=daemon.token), 0, "bot tiny, version 1")
    with daemon.client() as client:
        if "tiny 1 anna upload" not in client.ask("bots"):
            yield client.ask("bots")
    # The certificate has to be the host's, not only one that is trusted.
    os.replace(stranger, daemon.certificate)
    os.replace(stranger.replace(".pem", "-key.pem"), daemon.certificate.replace(".pem", "-key.pem"))
    reload(daemon)
    yield from expect(referee(*here, "--ca", daemon.certificate), 2, "hostname mismatch")
    yield from expect(referee("queue", "--connect", daemon.address("127.0.0.1"), "--ca", daemon.certificate), 2, "IP address mismatch")
    yield from expect(referee(*here, "--fingerprint", fingerprint(daemon.certificate)), 0, "job")


def reload(daemon):
    before = daemon.words().count("users: reloaded")
    daemon.process.send_signal(signal.SIGHUP)
    until(lambda: daemon.words().count("users: reloaded") > before and "certificate" in
          daemon.words().rpartition("users: reloaded")[2], "the certificate is reloaded")


def half_close(daemon, text):
    """Sends something, then the end of TLS, and returns all that comes before the daemon's end."""
    received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = trusting(daemon.certificate).wrap_bio(received, sent, server_hostname="localhost")
    said = b""
    with socket.create_connection(daemon.tcp(), SECONDS) as connection:
        def until_done(step):
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    connection.sendall(sent.read())
                    received.write(connection.recv(65536))
        until_done(session.do_handshake)
        session.write(text)
        try:
            session.unwrap()
        except ssl.SSLWantReadError:
            pass  # the daemon has not ended yet
        try:
            while part := until_done(lambda: session.read(65536)):
                said += part
        except ssl.SSLZeroReturnError:
            pass
    return said


def check_requests(daemon):
    with daemon.secure() as guest, daemon.secure(token=daemon.token) as anna:
        if "user=anna" in guest.ask("bots") or "user=guest" in anna.ask("bots"):
            yield "the wrong user"
        text = b"#!/bin/sh\n" + b"# a long program\n" * 100000
        anna.ask(f"submit long file=bot.sh bytes={len(text)}", text)
        anna.ask("watch")
        with daemon.client() as owner:
            owner.ask(f"submit greedy command={GREEDY}")
            owner.ask(f"match greedy greedy {SHORT}")
        anna.wait_event("1 over done")
        log, help_text = anna.ask("log 1 1.1"), guest.ask("help")
        with daemon.client() as owner:
            if log != owner.ask("log 1 1.1") or help_text != owner.ask("help"):
                yield "a log or the help is not the same over TLS"
    said = half_close(daemon, b"hello 1\nstatus\nhelp\nstatus\n").decode()
    if said.count("ok jobs=1") != 2 or "submit NAME" not in said:
        yield f"after a half-close: {said}"
    # What speaks no TLS gets nothing.
    with socket.create_connection(daemon.tcp(), SECONDS) as plain:
        plain.sendall(b"hello 1\n")
        said = b""
        try:
            while part := plain.recv(4096):
                said += part
        except ConnectionResetError:
            pass
        if b"ok" in said or b"error" in said:
            yield f"without TLS it says {said}"


def check_versions(daemon):
    """Only TLS 1.2 and later, and no renegotiation."""
    for version, is_fine in [(ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True), (ssl.TLSVersion.TLSv1_3, True)]:
        context = trusting(daemon.certificate)
        context.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            context.minimum_version = context.maximum_version = version
        try:
            with Client(daemon.tcp(), tls=context) as client:
                client.ask("status")
                is_spoken = True
        except OSError:
            is_spoken = False
        if is_spoken != is_fine:
            yield f"{version} is {'' if is_spoken else 'not '}spoken"
    asked = subprocess.run(["openssl", "s_client", "-connect", daemon.address(), "-tls1_2", "-CAfile", daemon.certificate],
                           input="R\nhello 1\n", capture_output=True, text=True, timeout=SECONDS)
    if "RENEGOTIATING" not in asked.stdout + asked.stderr or "ok 1 referee" in asked.stdout:
        yield f"it renegotiates: {asked.stdout} {asked.stderr}"


def check_limits(daemon):
    """A connection counts before its handshake, and ends if it makes none."""
    with open(daemon.rules, "w", encoding="ascii") as file:
        json.dump({"connections_per_address": 4, "hello_ms": 60000, "request_ms": 60000}, file)
    reload(daemon)
    slow = [socket.create_connection(daemon.tcp(), SECONDS) for _ in range(4)]
    for one in slow:
        one.sendall(b"\x16\x03\x01")
    # They are accepted in their order, so all four count when the fifth comes.
    try:
        with daemon.secure() as client:
            yield "a fifth connection beside four that make no handshake: " + client.ask("status")
    except OSError:
        pass
    with open(daemon.rules, "w", encoding="ascii") as file:
        json.dump({"hello_ms": 300, "request_ms": 300}, file)
    for one in slow:
        one.close()
    reload(daemon)
    for address in (daemon.tcp(), daemon.http()):
        with socket.create_connection(address, SECONDS) as one:
            one.sendall(b"\x16\x03\x01\x02")
            one.settimeout(SECONDS)
            try:
                if one.recv(100) != b"":
                    yield f"{address} speaks before the handshake"
            except ConnectionResetError:
                pass
            except TimeoutError:
                yield f"{address} waits for ever for a handshake"
    with open(daemon.rules, "w", encoding="ascii") as file:
        file.write("{}")
    reload(daemon)
    with daemon.secure() as client:
        client.ask("status")


def shake_hands(daemon, address, source):
    """Whether the daemon makes a handshake with that address."""
    try:
        with socket.create_connection(address, SECONDS, (source, 0)) as one, \
                trusting(daemon.certificate).wrap_socket(one, server_hostname="localhost"):
            return True
    except OSError:
        return False


def check_handshakes(daemon):
    """So many per second from one address, to requests and pages together; others are not kept out."""
    with open(daemon.rules, "w", encoding="ascii") as file:
        json.dump({"handshakes_per_address": 1, "connections_per_address": 1000}, file)
    reload(daemon)
    begin, most = time.monotonic(), 0
    for place, address in enumerate((daemon.tcp(), daemon.http())):
        made = sum(shake_hands(daemon, address, "127.0.0.1") for _ in range(40))
        most = 5 * (place == 0) + time.monotonic() - begin + 1
        begin = time.monotonic()
        if made > most:
            yield f"{address}: {made} handshakes, where {most:.1f} may be"
        if not shake_hands(daemon, address, f"127.0.0.{place + 2}"):
            yield f"{address}: another address is kept out"
    with daemon.client() as owner:
        owner.ask("status")


class Browser:
    """What a browser sends over https."""

    def __init__(self, certificate, port, host="club.example"):
        self.port, self.host, self.cookie = port, host, ""
        self.context = trusting(certificate)
        self.context.check_hostname = False

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=SECONDS)
        sent = {"Host": self.host, "Cookie": self.cookie, **headers}
        if method == "POST":
            sent.setdefault("Origin", f"https://{self.host}")
        connection.request(method, path, body, sent)
        reply = connection.getresponse()
        return reply, reply.read().decode()

    def me(self):
        return json.loads(self.ask("GET", "/api/me")[1])


def check_sign_in(browser, token):
    reply, text = browser.ask("POST", "/api/sign-in", token, **{"X-CSRF-Token": browser.me()["csrf"]})
    cookie = reply.getheader("Set-Cookie") or ""
    if reply.status != 204 or not cookie.startswith("__Host-referee=") or not cookie.endswith("; Secure"):
        yield f"signing in: {reply.status} {cookie} {text}"
    browser.cookie = cookie.partition(";")[0]
    me = browser.me()
    if me["user"] != "anna":
        yield f"the session is of {me}"
    reply, text = browser.ask("POST", "/api/requests", "status\n", **{"X-CSRF-Token": me["csrf"]})
    if reply.status != 200:
        yield f"a change over https: {reply.status} {text}"


def check_pages(daemon):
    """The daemon's own https, at an address of this machine."""
    browser = Browser(daemon.certificate, daemon.http()[1], f"localhost:{daemon.http()[1]}")
    yield from check_sign_in(browser, daemon.token)
    secret = browser.me()["csrf"]
    reply, _ = browser.ask("POST", "/api/requests", "status\n", **{"X-CSRF-Token": secret, "Origin": "http://" + browser.host})
    if reply.status != 403:
        yield f"a page without TLS may change something: {reply.status}"
    reply, text = browser.ask("GET", "/")
    if reply.status != 200 or "<html" not in text:
        yield f"the front page: {reply.status}"
    # A log in the viewer is the largest page, and comes from a file.
    with daemon.client() as owner:
        owner.ask(f"submit greedy command={GREEDY}")
        owner.ask("watch")
        job = owner.pairs(f"match greedy greedy {SHORT}")["job"]
        owner.wait_event(f"{job} over done")
        log = owner.ask(f"log {job} 1.1")
    reply, text = browser.ask("GET", f"/log/{job}/1.1")
    if reply.status != 200 or text.splitlines()[0] != log.splitlines()[0]:
        yield f"a log: {reply.status} {text[:200]}"
    stream = browser.context.wrap_socket(socket.create_connection(daemon.http(), SECONDS), server_hostname="localhost")
    stream.sendall(f"GET /events HTTP/1.1\r\nHost: {browser.host}\r\nCookie: {browser.cookie}\r\n\r\n".encode())
    with daemon.client() as owner, stream:
        said = stream.recv(4096)
        owner.ask(f"submit other command={GREEDY}")
        while b"0 bot other 1" not in said:
            part = stream.recv(4096)
            if part == b"":
                yield f"the events ended after {said}"
                return
            said += part


def check_remote(daemon):
    """A remote bot over TLS plays whole matches, and nothing of it stays in the daemon."""
    with daemon.secure(token=daemon.token) as anna, daemon.client() as owner:
        anna.ask("submit far remote=yes")
        owner.ask(f"submit greedy command={GREEDY}")
        before = daemon.descriptors()
        jobs = [owner.pairs(f"match far greedy {SHORT}")["job"] for _ in range(2)]
        far = subprocess.Popen([REFEREE, "connect", "--ca", daemon.certificate, daemon.address(), "far", GREEDY],
                               env=dict(os.environ, REFEREE_TOKEN=daemon.token), stderr=subprocess.PIPE, text=True)
        try:
            for job in jobs:
                until(lambda number=job: owner.pairs(f"status {number}")["state"] == "done", f"job {job} is done")
                matches = owner.ask(f"result {job} format=matches").splitlines()[1]
                if "late" in matches or "gone" in matches or "no_start" in matches:
                    yield f"a fault: {matches}"
        finally:
            far.terminate()
            said = far.communicate(timeout=SECONDS)[1]
        if said.count("match started") < 2:
            yield f"the client says {said}"
        # One that disconnects, and one that speaks before its match, wait no longer.
        for word in (None, b"hello far\n"):
            bot = daemon.secure(token=daemon.token)
            bot.ask("play far")
            until(lambda: "waiting=1" in owner.ask("bots far"), "the bot waits")
            if word is not None:
                bot.socket.sendall(word)
            else:
                bot.close()
            until(lambda: "waiting=0" in owner.ask("bots far"), "the bot waits no more")
            bot.close()
        until(lambda: daemon.descriptors() <= before, "all descriptors are closed")


def check_reload(daemon):
    old = daemon.certificate
    with daemon.secure() as kept:
        first = fingerprint(old)
        key = old.replace(".pem", "-key.pem")
        with open(old, encoding="ascii") as file:
            good = file.read()
        with open(old, "w", encoding="ascii") as file:
            file.write("no certificate")
        reload(daemon)
        if "the certificate is unchanged: --tls: " not in daemon.words():
            yield f"a broken certificate: {daemon.words()}"
        yield from expect(referee("queue", "--connect", daemon.address(), "--fingerprint", first), 0, "job")
        with open(old, "w", encoding="ascii") as file:
            file.write(good)
        new = make_certificate(daemon.folder, "renewed")
        os.replace(new, old)
        os.replace(new.replace(".pem", "-key.pem"), key)
        reload(daemon)
        yield from expect(referee("queue", "--connect", daemon.address(), "--fingerprint", first), 2, "another fingerprint")
        yield from expect(referee("queue", "--connect", daemon.address(), "--ca", old), 0, "job")
        # A connection that was there before goes on.
        kept.ask("status")


def check_open_addresses(folder):
    """An address that other machines can reach needs users, and TLS or a word."""
    daemon = Daemon(folder, "--listen", "0.0.0.0:0")
    os.makedirs(daemon.store)
    daemon.add_user("anna")
    certificate = make_certificate(folder)
    key = certificate.replace(".pem", "-key.pem")
    for options, words in [(["--listen", "0.0.0.0:0"], "in the clear: add --tls"), (["--http", "0.0.0.0:0"], "in the clear"),
                           (["--listen", "0.0.0.0:0", "--tls", certificate, certificate], "not the key"),
                           (["--listen", "0.0.0.0:0", "--tls", "/nowhere", key], "not a certificate")]:
        yield from expect(referee("serve", "--store", daemon.store, "--socket", daemon.socket, *options), 1, words)
    for options in (["--plaintext"], ["--tls", certificate, key]):
        daemon.options = ("--listen", "0.0.0.0:0", "--http", "0.0.0.0:0", *options)
        daemon.start()
        if daemon.stop() != 0:
            yield daemon.words()


def set_up_network():
    """A network of this process alone, in which this machine has an address that is not of the loopback."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET) != 0 and libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for name, address in ((b"lo", "127.0.0.1"), (b"lo:1", ELSEWHERE)):
            place = struct.pack("16sH2x4s8x", name, socket.AF_INET, socket.inet_aton(address))
            fcntl.ioctl(control, SIOCSIFADDR, place)
            fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", name, IFF_UP))
    return True


def check_clear_tokens():
    """Runs in a network of its own. What arrives at another machine?"""
    with socket.create_server((ELSEWHERE, 0)) as server:
        server.settimeout(SECONDS)
        address = "{}:{}".format(*server.getsockname())
        for options, token, code, arrives in [([], "abcd", 2, b""), (["--plaintext"], "abcd", 1, b"hello 1 token=abcd\n"),
                                              ([], "", 1, b"hello 1\n")]:
            client = subprocess.Popen([REFEREE, "queue", "--connect", address, *options], stderr=subprocess.PIPE, text=True,
                                      env=dict(os.environ, REFEREE_TOKEN=token))
            connection, _ = server.accept()
            with connection:
                connection.settimeout(SECONDS)
                arrived = b""
                while not arrived.endswith(b"\n") and (part := connection.recv(1000)):
                    arrived += part
            said = client.communicate(timeout=SECONDS)[1]
            if (client.returncode, arrived) != (code, arrives):
                print(f"{options} {token}: {client.returncode} {arrived} {said}")
            if code == 2 and "in the clear: add --tls" not in said:
                print(said)


def check_elsewhere():
    """A token is sent to another machine only with TLS, or with a word."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "--elsewhere"], capture_output=True, text=True,
                          timeout=SECONDS)
    if done.returncode == 3:
        return "no network of its own can be made"
    return (line for line in (done.stdout + done.stderr).splitlines())


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def start_nginx(folder, port, pages):
    """The proposed configuration with our port, address and certificate."""
    certificate = make_certificate(folder)
    with open(SITE, encoding="utf-8") as file:
        site = file.read()
    for before, after in [("listen 443", f"listen 127.0.0.1:{port}"), ("127.0.0.1:8080", pages),
                          ("/etc/ssl/club.example/fullchain.pem", certificate),
                          ("/etc/ssl/club.example/privkey.pem", certificate.replace(".pem", "-key.pem"))]:
        if before not in site:
            raise OSError(f"{before} is not in {SITE}")
        site = site.replace(before, after)
    with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
        file.write(AROUND.format(folder=folder, site=site))
    return certificate, subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"])


def is_up(browser):
    try:
        return browser.ask("GET", "/sign-in")[0].status == 200
    except OSError:
        return False


def check_nginx(folder):
    os.makedirs(folder)
    server = Daemon(os.path.join(folder, "daemon"), "--http", "127.0.0.1:0")
    os.makedirs(server.store)
    token = server.add_user("anna")
    server.start()
    port = free_port()
    certificate, nginx = start_nginx(folder, port, "{}:{}".format(*server.http()))
    try:
        browser = Browser(certificate, port)
        until(lambda: is_up(browser), "the form behind nginx")
        reply, _ = browser.ask("GET", "/api/jobs")
        if reply.status not in (303, 401):
            yield f"everybody can read the jobs: {reply.status}"
        yield from check_sign_in(browser, token)
    finally:
        nginx.send_signal(signal.SIGTERM)
        nginx.wait(SECONDS)
    if server.stop() != 0:
        yield server.words()
    yield from sanitizer_words(server)


CASES = {
    "clients trust only the certificate of their daemon": check_clients,
    "requests over TLS are the same as without": check_requests,
    "TLS is at least 1.2 and is not renegotiated": check_versions,
    "connections count before their handshake, which has a deadline": check_limits,
    "an address makes only so many handshakes": check_handshakes,
    "people sign in over the daemon's own https": check_pages,
    "remote bots play over TLS": check_remote,
    "SIGHUP reads the certificate again": check_reload,
}


def run(folder, check):
    daemon = TlsDaemon(folder)
    try:
        yield from check(daemon)
        if daemon.stop() != 0:
            yield daemon.words()
        yield from sanitizer_words(daemon)
    finally:
        daemon.end()


def main():
    if sys.argv[1:] == ["--elsewhere"]:
        if not set_up_network():
            sys.exit(3)
        check_clear_tokens()
        return
    behind = "people sign in over https behind nginx"
    os.environ["PATH"] += f":/usr/sbin:{os.path.join(HERE, '..', '..', 'build', 'nginx', 'usr', 'sbin')}"
    become_reaper()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for number, (name, check) in enumerate(CASES.items()):
            report(name, run(os.path.join(folder, str(number)), check))
        report("an address that others can reach needs TLS or a word", check_open_addresses(os.path.join(folder, "open")))
        elsewhere = check_elsewhere()
        if isinstance(elsewhere, str):
            print(f"skip a token is not sent in the clear to another machine: {elsewhere}")
        else:
            report("a token is not sent in the clear to another machine", elsewhere)
        if shutil.which("nginx") is None:
            print(f"skip {behind}: nginx is not installed")
        else:
            report(behind, check_nginx(os.path.join(folder, "nginx")))


if __name__ == "__main__":
    main()
