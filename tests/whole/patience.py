"""How the scripts wait: for what is bound to come, with a limit that only a failure reaches, however busy the
machine is. No test passes or fails by how fast something was, or by the locale: like the referee, a script that waits
writes UTF-8."""

import sys
import threading
import time

SECONDS = 600

for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def until(is_so, what, seconds=SECONDS):
    """Waits for something that is bound to come, and returns it."""
    end = time.monotonic() + seconds
    while not (found := is_so()):
        if time.monotonic() > end:
            raise OSError(f"this never came: {what}")
        time.sleep(0.01)
    return found


class Lines(threading.Thread):
    """Keeps the lines of a stream as they come. Whoever reads some of them by itself and leaves the rest to
    communicate() loses what was read ahead."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream = stream
        self.lines = []
        self.start()

    def run(self):
        for line in self.stream:
            self.lines.append(line)

    def text(self):
        return "".join(self.lines)

    def wait_for(self, words, count=1):
        """Waits until this text has come so many times. Returns everything so far."""
        until(lambda: self.text().count(words) >= count or not self.is_alive(), words)
        if self.text().count(words) < count:
            raise OSError(f"`{words}` never came: {self.text()}")
        return self.text()

    def wait_end(self):
        """All that has come when nothing more can come."""
        self.join(SECONDS)
        if self.is_alive():
            raise OSError(f"the stream does not end: {self.text()}")
        return self.text()
