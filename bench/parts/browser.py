"""Chromium without a window, driven through a pipe: pages are opened, clicked, measured and photographed.

The DevTools protocol speaks JSON, each message ended by a zero byte; Chromium reads descriptor 3 and writes 4. So
nothing is needed but Chromium itself.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-extensions --hide-scrollbars --remote-debugging-pipe"
).split()
_START = """\
import fcntl, os, sys
pipes = [fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3]]
os.dup2(pipes[0], 3)
os.dup2(pipes[1], 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""  # the numbers of descriptors that Chromium expects
PATIENCE = 120.0  # seconds, for any answer


def find_browser() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page at a time."""

    def __init__(self, program: str, width: int = 1400, height: int = 1000) -> None:
        self._folder = tempfile.mkdtemp(prefix="browser-")
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()
        words = [program, *FLAGS, f"--user-data-dir={self._folder}", f"--window-size={width},{height}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(to_child), str(from_child), *words],
            pass_fds=(to_child, from_child),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self._number, self._session, self._rest = 0, "", b""
        self._events: list[dict[str, Any]] = []
        try:
            targets = self.ask("Target.getTargets")["targetInfos"]
            page = next(each["targetId"] for each in targets if each["type"] == "page")
            self._session = self.ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
            self.ask("Page.enable")
            self.ask("Runtime.enable")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._folder, ignore_errors=True)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])
            self._events.append(answer)

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            if not part:
                raise RuntimeError("Chromium has ended" if ready else f"no answer from Chromium in {PATIENCE:g} s")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))

    def open(self, file: Path, fragment: str = "") -> None:
        """Load a file, and wait until it is there."""
        end = time.monotonic() + PATIENCE
        for address in ("about:blank", file.resolve().as_uri() + fragment):  # so that it is loaded even if it was there
            self._events.clear()
            self.ask("Page.navigate", url=address)
            while not self.run(f"document.readyState === 'complete' && location.href === {json.dumps(address)}"):
                if time.monotonic() > end:
                    raise RuntimeError(f"{address} is not loaded in {PATIENCE:g} s")
                time.sleep(0.01)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def problems(self) -> list[str]:
        """Errors of scripts, and what the page asked of a network."""
        return [json.dumps(each) for each in self._events if each.get("method") == "Runtime.exceptionThrown"]

    def photograph(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def print_pdf(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.ask("Page.printToPDF", printBackground=False)["data"]))

    def emulate(self, width: int = 1400, height: int = 1000, scheme: str = "light", media: str = "") -> None:
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", media=media, features=features)
