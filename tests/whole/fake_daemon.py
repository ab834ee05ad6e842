"""A daemon that says what a test tells it to: the other side of the clients, without the real one behind it.

Requests are taken apart as referee/serve/protocol.md has it. What is not told to it is answered with `ok`."""

import os
import shlex
import socket
import threading

from patience import SECONDS


class FakeDaemon:
    """Listens on a Unix socket and on TCP of this machine. `replies` has the answer to a verb: bytes, or a
    function of the request's words, keys and block; None ends the connection. `heard` is what came."""

    def __init__(self, folder, token=None, port=0, **replies):
        self.socket = os.path.join(folder, "fake.socket")
        self.token = token
        self.replies = replies
        self.heard = []
        self.waiting = {}
        self.change = threading.Condition()
        local = socket.socket(socket.AF_UNIX)
        local.bind(self.socket)
        tcp = socket.create_server(("127.0.0.1", port))
        self.port = tcp.getsockname()[1]
        self.doors = [local, tcp]
        for door in self.doors:
            door.listen()
            threading.Thread(target=self.let_in, args=[door], daemon=True).start()

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def close(self):
        for door in self.doors:
            door.shutdown(socket.SHUT_RDWR)
            door.close()

    def let_in(self, door):
        while True:
            try:
                connection, _ = door.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=[connection], daemon=True).start()

    def talk(self, connection):
        try:
            stream = connection.makefile("rb")
            while line := stream.readline():
                verb, *rest = shlex.split(line.decode())
                words = [word for word in rest if "=" not in word]
                keys = [tuple(word.split("=", 1)) for word in rest if "=" in word]
                block = stream.read(int(dict(keys).get("bytes", 0)))
                with self.change:
                    self.heard.append((verb, words, keys, block))
                    self.change.notify_all()
                is_mixed = ["=" in word for word in rest] != sorted("=" in word for word in rest)
                if not self.answer(connection, is_mixed, verb, words, keys, block):
                    return
            connection.close()
        except OSError:
            connection.close()

    def answer(self, connection, is_mixed, verb, words, keys, block):
        """Whether the connection is still a conversation."""
        if is_mixed:
            connection.sendall(b"error yours unreadable arguments come before keys\n")
        elif verb in self.replies:
            reply = self.replies[verb]
            reply = reply(words, dict(keys), block) if callable(reply) else reply
            if reply is None:
                connection.close()
                return False
            connection.sendall(reply)
        elif verb == "hello" and self.token not in (None, dict(keys).get("token")):
            connection.sendall(b"error yours token nobody has this token\n")
        elif verb == "play":
            connection.sendall(b"ok waiting\n")
            with self.change:
                self.waiting.setdefault(words[0], []).append(connection)
                self.change.notify_all()
            return False
        elif verb == "fetch":
            self.hand_over(connection, words[0])
            return False
        else:
            connection.sendall(b"ok\n")
        return True

    def hand_over(self, connection, name):
        bot = self.take_bot(name)
        bot.sendall(b"start\n")
        socket.send_fds(connection, [b"ok\n"], [bot.fileno()])
        bot.close()
        connection.close()

    def take_bot(self, name):
        with self.change:
            self.change.wait_for(lambda: self.waiting.get(name))
            return self.waiting[name].pop(0)

    def await_request(self, verb, count=1, seconds=SECONDS):
        """Until that was asked so often."""
        with self.change:
            if not self.change.wait_for(lambda: self.count(verb) >= count, seconds):
                raise OSError(f"`{verb}` was asked {self.count(verb)} times, not {count}")

    def count(self, verb):
        return sum(request[0] == verb for request in self.heard)

    def asked(self, verb):
        return [request[1:] for request in self.heard if request[0] == verb]
