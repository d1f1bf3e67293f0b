"""How long the page takes: the first board, a move that is drawn, 50 pages at once. Behind docs/results/web.md.

python bench/web_clock.py [TRIES]

A server of its own process, Debian's chromium for the first two. On a busy machine the clock says little, so that each
number is the least of many tries on the clock, beside the median and the server's processor time for one of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

_DRAWN = """move => new Promise((done) => {
  const input = document.querySelector(".typed input"), before = document.querySelectorAll("ol.moves li").length;
  const start = performance.now();
  new MutationObserver((_, self) => {
    if (document.querySelectorAll("ol.moves li").length <= before) return;
    self.disconnect();
    requestAnimationFrame(() => done(performance.now() - start));
  }).observe(document.querySelector("ol.moves"), { childList: true });
  input.value = move;
  input.form.requestSubmit();
})"""
_PAGES, _MOVES = 50, 10


class Measured(msgspec.Struct):
    """Times in milliseconds: on the clock, and of the server's processor for each of them."""

    clock: list[float]
    server_ms: float

    def __str__(self) -> str:
        later = sorted(self.clock)[int(0.95 * (len(self.clock) - 1))]
        return (
            f"least {min(self.clock):.0f} ms, median {statistics.median(self.clock):.0f} ms, 95 % within {later:.0f} ms"
            f" on the clock ({len(self.clock)} times); {self.server_ms:.1f} ms of the server's processor each"
        )


def processor_s(process: subprocess.Popen[str]) -> float:
    """User and system seconds of a process, all its threads."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(server: subprocess.Popen[str], clock: Callable[[], list[float]]) -> Measured:
    """What some tries take."""
    before = processor_s(server)
    times = clock()
    return Measured(times, 1000 * (processor_s(server) - before) / len(times))


def started(folder: str) -> tuple[subprocess.Popen[str], str]:
    """A server, and its address when it answers."""
    command = [sys.executable, "-m", "tesuji", "web", "--no-browser", "--port", "0", "--folder", folder]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    address = next(line.split()[-1] for line in server.stderr if "http" in line).partition("#")[0].rstrip("/")
    for _ in range(600):
        try:
            with urllib.request.urlopen(address):
                return server, address
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"{address} does not answer")


def first_boards(browser: Any, address: str, tries: int, page_ms: list[float]) -> list[float]:
    """From the request for the page until a board is there, each time in a window that has seen nothing.

    The processor time of the page's main thread is appended to `page_ms`.
    """
    times = []
    for _ in range(tries):
        context = browser.new_context()
        page = context.new_page()
        page.goto("about:blank")
        tools = context.new_cdp_session(page)
        tools.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        tools.send("Performance.enable")
        start = time.perf_counter()
        page.goto(f"{address}/#/play", wait_until="commit")
        page.wait_for_selector(".board-svg .grid", state="attached")
        times.append(1000 * (time.perf_counter() - start))
        found = {each["name"]: each["value"] for each in tools.send("Performance.getMetrics")["metrics"]}
        page_ms.append(1000 * found["ThreadTime"])
        context.close()
    return times


def drawn_moves(browser: Any, address: str, tries: int) -> list[float]:
    """From typing a move on 19x19, both players people, until the frame in which it is drawn."""
    page = browser.new_page()
    page.goto(f"{address}/#/play")
    page.select_option("#size", "19")
    page.locator("label.field", has_text="White").locator("select").select_option("you")
    page.click("#begin")
    page.wait_for_selector(".typed")
    points = [f"{letter}{row}" for row in range(1, 20, 2) for letter in "ABCDEFGHJKLMNOPQRST"]
    times = [page.evaluate(_DRAWN, point) for point in points[:tries]]
    page.close()
    return times


def many_pages(address: str, num_pages: int) -> list[float]:
    """Moves on 9x9 of pages that play at once, a move every half second each: until the answer is back."""
    import websockets

    async def one(number: int, times: list[float]) -> None:
        where = address.replace("http", "ws") + "/live"
        async with websockets.connect(where, origin=address, max_size=None) as socket:
            asked = 0

            async def ask(do: str, **of: object) -> Any:
                nonlocal asked
                asked += 1
                await socket.send(json.dumps({"n": asked, "do": do, "of": of}))
                while True:
                    said = json.loads(await socket.recv())
                    if said.get("n") == asked:
                        assert "error" not in said, said
                        return said["of"]

            game = await ask("play.new", setup={"game": "go", "size": 9}, seats=["you", "you"])
            for move in range(_MOVES):
                await asyncio.sleep(0.5 + 0.01 * (number % 50) * (move == 0))
                start = time.perf_counter()
                await ask("play.move", id=game["id"], move=8 * move)
                times.append(1000 * (time.perf_counter() - start))

    async def everybody() -> list[float]:
        times: list[float] = []
        await asyncio.gather(*(one(number, times) for number in range(num_pages)))
        return times

    return asyncio.run(everybody())


def main() -> None:
    """Print a line for each."""
    tries = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        server, address = started(folder)
        try:
            print(f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} processors", flush=True)
            chromium = shutil.which("chromium")
            if chromium is None:
                print("chromium is not installed: no first board, no drawn move")
            else:
                from playwright.sync_api import sync_playwright

                with sync_playwright() as playwright:
                    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                    first_boards(browser, address, 1, [])  # what is compiled and imported once
                    page_ms: list[float] = []
                    found = measured(server, lambda: first_boards(browser, address, tries, page_ms))
                    print(
                        f"first board: {found}; {min(page_ms):.0f} to {max(page_ms):.0f} ms of the page's", flush=True
                    )
                    print("a move drawn:", measured(server, lambda: drawn_moves(browser, address, tries)), flush=True)
                    browser.close()
            for pages in (1, _PAGES):
                found = measured(server, lambda pages=pages: many_pages(address, pages))
                print(f"a move of {pages} pages at once:", found, flush=True)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
