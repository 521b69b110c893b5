"""Let the program run as on a system that is not POSIX: `TOURNEY_ELSEWHERE=1 pytest ...`.

Python imports this module by itself in each process that has its folder in PYTHONPATH, so it also
holds in the processes that a test or the program starts (`join` puts it there). Standard library
and packages keep what they have: only `ledger`, `projections` and `cli` lose it.

* The modules of POSIX cannot be imported.
* Text files that a test writes for a person (tables, lists, rulesets) end their lines with CRLF.
* Processes start by `spawn`.
"""

from __future__ import annotations

import builtins
import multiprocessing
import os
import sys
from pathlib import Path
from subprocess import Popen
from typing import Any

VARIABLE = "TOURNEY_ELSEWHERE"
FOLDER = str(Path(__file__).parent)
OURS = ("ledger", "projections", "cli")
MISSING = frozenset(
    ("fcntl", "resource", "readline", "termios", "tty", "pty", "pwd", "grp", "syslog", "posix")
)
WITH_CRLF = frozenset((".csv", ".tsv", ".txt", ".toml"))


def begin() -> None:
    """Take away what other systems lack, in this process and in those that it starts."""
    _hide_modules()
    _start_alike()
    _write_crlf()
    multiprocessing.set_start_method("spawn", force=True)


def _hide_modules() -> None:
    imports = builtins.__import__

    def import_(name: str, names: Any = None, *rest: Any, **more: Any) -> Any:  # noqa: ANN401
        importer = str((names or {}).get("__name__", "")).partition(".")[0]
        if name in MISSING and importer in OURS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return imports(name, names, *rest, **more)

    builtins.__import__ = import_  # type: ignore[assignment]


def _start_alike() -> None:
    start = Popen.__init__

    def init(self: Any, *words: Any, **options: Any) -> None:  # noqa: ANN401
        told = options.get("env")
        if told is not None and VARIABLE in told:
            options["env"] = {**told, "PYTHONPATH": joined(told.get("PYTHONPATH", ""))}
        start(self, *words, **options)

    Popen.__init__ = init  # type: ignore[method-assign]


def joined(path: str) -> str:
    """Return a PYTHONPATH that begins with this folder."""
    rest = [part for part in path.split(os.pathsep) if part and part != FOLDER]
    return os.pathsep.join([FOLDER, *rest])


def _write_crlf() -> None:
    write = Path.write_text

    def write_text(self: Path, data: str, *words: Any, **options: Any) -> int:  # noqa: ANN401
        called_by = sys._getframe(1).f_globals.get("__name__", "")
        if self.suffix in WITH_CRLF and called_by.partition(".")[0] == "tests":
            options.setdefault("newline", "\r\n")
        return write(self, data, *words, **options)

    Path.write_text = write_text  # type: ignore[method-assign]


if os.environ.get(VARIABLE):
    begin()
