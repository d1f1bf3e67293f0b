"""Matches that were started from a page: each a process of its own, which can be paused and goes on where it was.

The process (`python -m tesuji.web.matches STORE`) reads a spec from its standard input and plays it into the store. It
is paused by SIGINT, as Ctrl-C pauses `tesuji match`, and resumed by starting it again. It never runs a command that a
page has sent: players are those of the server's config.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from tesuji.experiments.run.match import play_match
from tesuji.experiments.run.spec import MatchSpec, spec_json
from tesuji.web.settings import WebSettings

__all__ = ["Matches"]

_PATIENCE_S = 10.0


class Matches:
    """The processes.

    Parameters
    ----------
    settings : WebSettings
        Players and limits.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._processes: dict[Path, subprocess.Popen[bytes]] = {}

    def is_running(self, store: Path) -> bool:
        """Whether somebody plays into a store from here."""
        process = self._processes.get(store)
        return process is not None and process.poll() is None

    def failure(self, store: Path) -> str:
        """Why a match ended that did not end well; empty if it did, or runs."""
        process = self._processes.get(store)
        if process is None or process.poll() in (None, 0) or process.stderr is None or process.stderr.closed:
            return ""
        lines = process.stderr.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        process.stderr.close()
        return lines[-1][:500] if lines else ""

    def start(self, store: Path, spec: MatchSpec) -> None:
        """Play a match, or what is left of it.

        Raises
        ------
        ValueError
            If a player is not one of the config, or too many matches run.
        """
        for player in spec.players:
            if self._settings.players.get(player.name) != player:
                raise ValueError(
                    f"{player.name!r} is not a player of this server's config, or has other settings there;"
                    " run this match with tesuji match"
                )
        if self.is_running(store):
            raise ValueError("this match is being played already")
        if sum(map(self.is_running, self._processes)) >= self._settings.limits.matches:
            raise ValueError(f"{self._settings.limits.matches} matches run at once at most; pause another one first")
        if (before := self._processes.pop(store, None)) is not None and before.stderr is not None:
            before.stderr.close()
        process = subprocess.Popen(
            [sys.executable, "-m", "tesuji.web.matches", str(store)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C of the server is not meant for it
        )
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(spec_json(spec))
            process.stdin.close()
        self._processes[store] = process

    def pause(self, store: Path) -> None:
        """Let a match end after no further game; what is played is kept."""
        if self.is_running(store):
            self._processes[store].send_signal(signal.SIGINT)

    def close(self) -> None:
        """Pause all, and wait for them."""
        for store in self._processes:
            self.pause(store)
        for process in self._processes.values():
            try:
                process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stderr is not None:
                process.stderr.close()


def _main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a server in the background may have ignored it
    try:
        spec = msgspec.json.decode(sys.stdin.buffer.read(), type=MatchSpec)
        play_match(spec, store_path=Path(sys.argv[1]))
    except KeyboardInterrupt:
        pass
    except (ValueError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    _main()
