"""Programs that this process started die with it, even if it is killed with ``kill -9``.

A process that is killed cannot clean up, so somebody else must: one shell per process waits on a pipe that only this
process holds open. It is told which process groups are running (``+ 123``, ``- 123``); when the pipe ends, it kills
those that are left, whole groups, and ends too. Decent programs end at the end of their input anyway; this is for the
others, and for what they started.

Chosen against ``PR_SET_PDEATHSIG``, which reaches only the program itself and not its children, exists on Linux only,
and must be set between fork and exec, where Python code is not safe. A shell costs a millisecond per process, not per
program.

It does not end programs in the ordinary course of things: `gtp_client.py` does.
"""

from __future__ import annotations

import contextlib
import os
import threading

__all__ = ["release", "watch"]

_SHELL = "/bin/sh"
_SCRIPT = """
trap '' INT TERM HUP QUIT
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="${groups%%" $group "*} ${groups#*" $group "}" ;; esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
"""


class _Watchdog:
    """The shell, and what it has been told."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.groups: set[int] = set()
        self.pipe: int | None = None

    def tell(self, sign: str, group: int) -> None:
        with self.lock:
            (self.groups.add if sign == "+" else self.groups.discard)(group)
            if self.pipe is None:
                if self.groups:
                    self._start()
                return
            try:
                os.write(self.pipe, f"{sign} {group}\n".encode())
            except BrokenPipeError:  # somebody killed it
                os.close(self.pipe)
                self._start()

    def _start(self) -> None:
        """Start a shell and tell it all groups; without a shell the programs' end of input has to do."""
        self.pipe = None
        reading, writing = os.pipe()
        quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
        try:
            os.posix_spawn(
                _SHELL,
                ["sh", "-c", _SCRIPT],
                {"PATH": os.defpath},
                file_actions=[(os.POSIX_SPAWN_DUP2, reading, 0), *quiet],
                setpgroup=0,  # out of reach of the terminal's Ctrl-C
            )
        except OSError:
            os.close(writing)
            return
        finally:
            os.close(reading)
        self.pipe = writing
        os.write(writing, "".join(f"+ {group}\n" for group in self.groups).encode())

    def forget(self) -> None:
        """In a child that was forked: the shell belongs to the parent."""
        if self.pipe is not None:
            with contextlib.suppress(OSError):
                os.close(self.pipe)
        self.__init__()  # type: ignore[misc]  # a new lock too: another thread may have held the old one


_watchdog = _Watchdog()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watchdog.forget)


def watch(group: int) -> None:
    """Kill this process group when this process dies."""
    _watchdog.tell("+", group)


def release(group: int) -> None:
    """The group has ended; its number may be somebody else's soon."""
    _watchdog.tell("-", group)
