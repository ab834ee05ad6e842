#!/usr/bin/env python3
"""The pages behind nginx with TLS, with the configuration that referee/serve/nginx.conf proposes: people sign in over
https, their cookie never goes over an address in the clear, and nobody becomes the guest of this machine."""

import http.client
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile

from daemon import REFEREE, Daemon, become_reaper, report, sanitizer_words, until
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


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def start_nginx(folder, port, pages):
    """The proposed configuration with our port, address and certificate."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=club.example",
                    "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], check=True, capture_output=True)
    with open(SITE, encoding="utf-8") as file:
        site = file.read()
    for before, after in [("listen 443", f"listen 127.0.0.1:{port}"), ("127.0.0.1:8080", pages),
                          ("/etc/ssl/club.example/fullchain.pem", f"{folder}/cert.pem"),
                          ("/etc/ssl/club.example/privkey.pem", f"{folder}/key.pem")]:
        if before not in site:
            raise OSError(f"{before} is not in {SITE}")
        site = site.replace(before, after)
    with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
        file.write(AROUND.format(folder=folder, site=site))
    return subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"])


class Browser:
    """What a browser sends over https."""

    def __init__(self, folder, port):
        self.port, self.cookie = port, ""
        self.context = ssl.create_default_context(cafile=f"{folder}/cert.pem")
        self.context.check_hostname = False

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=SECONDS)
        sent = {"Host": "club.example", "Cookie": self.cookie, **headers}
        if method == "POST":
            sent["Origin"] = "https://club.example"
        connection.request(method, path, body, sent)
        reply = connection.getresponse()
        return reply, reply.read().decode()

    def me(self):
        return json.loads(self.ask("GET", "/api/me")[1])


def is_up(browser):
    try:
        return browser.ask("GET", "/sign-in")[0].status == 200
    except OSError:
        return False


def check_pages(browser, token):
    reply, _ = browser.ask("GET", "/api/jobs")
    if reply.status not in (303, 401):
        yield f"everybody can read the jobs: {reply.status}"
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


def run(folder):
    server = Daemon(os.path.join(folder, "daemon"), "--http", "127.0.0.1:0")
    os.makedirs(server.store, exist_ok=True)
    token = subprocess.run([REFEREE, "serve", "--store", server.store, "--add-user", "anna"], capture_output=True,
                           text=True, check=True, timeout=SECONDS).stdout.split()[-1]
    server.start()
    port = free_port()
    nginx = start_nginx(folder, port, "{}:{}".format(*server.http()))
    try:
        browser = Browser(folder, port)
        until(lambda: is_up(browser), "the form behind nginx")
        yield from check_pages(browser, token)
    finally:
        nginx.send_signal(signal.SIGTERM)
        nginx.wait(SECONDS)
    if server.stop() != 0:
        yield server.words()
    yield from sanitizer_words(server)


def main():
    name = "people sign in over https behind nginx"
    missing = [tool for tool in ("nginx", "openssl") if shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin") is None]
    if missing:
        print(f"skip {name}: {missing[0]} is not installed")
        return
    os.environ["PATH"] += ":/usr/sbin"
    become_reaper()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        report(name, run(folder))


if __name__ == "__main__":
    main()
