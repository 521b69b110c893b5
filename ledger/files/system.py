"""The differences between systems: one function for each, with its fallback.

No other module imports a module of POSIX or of Windows, and no other module asks for the system. A
docstring states first the guarantee for the rest of the program, and after "Else" the fallback on a
system that cannot do it.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import signal
    from types import ModuleType

HAS_MODES = os.name == "posix"
"""Whether a file's mode decides who may open it; Windows has access lists instead."""

SYNCS_FOLDERS = os.name == "posix"
"""Whether the names in a folder can be made durable apart from the files."""

REMOVES_OPEN_FILES = os.name == "posix"
"""Whether an open file can be removed, and its place given to another one."""

REPLACING_SECONDS = 5
"""Seconds for which the replacement of a file is tried that another program has open."""

_PAUSE_SECONDS = 0.05
_OPEN_ELSEWHERE = frozenset({5, 32, 33})
"""Windows' codes for a file that another program has open: denied, shared, locked."""

CLOSE_IT = (
    "another program has it open: close it there (a viewer, an editor, a backup), then repeat"
)

_OTHERS = 0o077
_OWNER_ALONE = 0o600


def replace_file(draft: Path, path: Path) -> None:
    """Give a draft the name of a file, in one step, also while another program reads that file.

    Else (on Windows an open file keeps its name): it is tried for `REPLACING_SECONDS`.

    Raises:
        OSError: it cannot be renamed; for an open file the text asks to close it.
    """
    _retried(lambda: draft.replace(path), path)


def rename_file(path: Path, name: Path) -> None:
    """Give a file or a folder another name, which is free; as `replace_file` for the rest."""
    _retried(lambda: path.rename(name), path)


def _retried(work: Callable[[], object], path: Path) -> None:
    end = monotonic() + REPLACING_SECONDS
    while True:
        try:
            work()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _OPEN_ELSEWHERE:
                raise
            if monotonic() > end:
                raise PermissionError(errno.EACCES, CLOSE_IT, str(path)) from None
            sleep(_PAUSE_SECONDS)
        else:
            return


_listed: set[str] = set()
"""The files of this process whose access list was set."""


def _say_nothing(_text: str) -> None:
    """Ignore a warning, until `warn_by` was called."""


_warn: list[Callable[[str], object]] = [_say_nothing]


def warn_by(tell: Callable[[str], object]) -> None:
    """Send the warnings of this module to a function of one sentence."""
    _warn[:] = [tell]


def is_open_to_others(mode: int, others: int = _OTHERS) -> bool:
    """Whether a file's mode lets other accounts open it. Else: no, its access list decides."""
    return HAS_MODES and bool(stat.S_IMODE(mode) & others)


def close_to_others(path: Path) -> None:
    """Let only the owner of a file of secrets open it.

    Else (Windows): it gets an access list with one entry, by `icacls`; if that fails, there is a
    warning each time.
    """
    if HAS_MODES:
        with suppress(PermissionError):  # the file belongs to another account
            path.chmod(_OWNER_ALONE)
        return
    if str(path.absolute()) in _listed:
        return
    if reason := _list_owner(path):
        _warn[0](
            f"other accounts of this computer may be able to read {path} ({reason}): "
            "move the folder to a disk of your own account"
        )
    else:
        _listed.add(str(path.absolute()))


def guard_secret(path: Path) -> None:
    """Protect a file of secrets on a system without modes; with modes it was made closed."""
    if not HAS_MODES:
        close_to_others(path)


def _list_owner(path: Path) -> str:
    """Set an access list that names only this account; return a reason if it cannot be set."""
    import subprocess  # noqa: PLC0415 - Windows alone needs it

    account = "\\".join(filter(None, map(os.environ.get, ("USERDOMAIN", "USERNAME"))))
    if not account:
        return "the name of this account is not known"
    words = ["icacls", str(path), "/inheritance:r", "/grant:r", f"{account}:F"]
    try:
        ended = subprocess.run(words, check=False, capture_output=True, timeout=10)  # noqa: S603 - our own words
    except (OSError, subprocess.SubprocessError) as error:
        return f"icacls does not run: {getattr(error, 'strerror', None) or type(error).__name__}"
    return f"icacls ended with {ended.returncode}" if ended.returncode else ""


def link_or_copy(name: Path, place: Path) -> None:
    """Give a file or a folder a second name. Else (Windows, without that right): a copy has it."""
    try:
        name.symlink_to(place, target_is_directory=place.is_dir())
    except OSError:
        import shutil  # noqa: PLC0415 - most systems need it not

        (shutil.copytree if place.is_dir() else shutil.copy2)(place, name)


def is_ours(status: os.stat_result) -> bool:
    """Whether a file belongs to the account that runs this. Else: yes, folders are per account."""
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def give_way(steps: int) -> None:
    """Let other processes have the processor first. Else: this one runs as all others do."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.nice(steps)


def _limits() -> ModuleType | None:
    """Return the module of a process's limits. Else: None, and no limit is asked for."""
    try:
        import resource  # noqa: PLC0415 - not every system has it
    except ImportError:
        return None
    return resource


def open_files(count: int) -> int:
    """Ask for room for so many open files; return how many there are.

    Else (Windows): there is no such limit below what a hall asks for.
    """
    resource = _limits()
    if resource is None:
        return count
    most, hard = map(int, resource.getrlimit(resource.RLIMIT_NOFILE))
    number = count if hard == resource.RLIM_INFINITY else min(hard, count)
    if most < number:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
            most = number
    return most


RESIDENT, DATA = 1, 5
"""Places in the system's account of a process's memory, in pages."""


def memory_of(process: str, place: int = RESIDENT) -> int:
    """Return what a process (its number, or self) has of memory, in bytes. Else: 0, not known."""
    from mmap import PAGESIZE  # noqa: PLC0415 - few ask for it

    with suppress(OSError, IndexError, ValueError):
        return int(Path("/proc", process, "statm").read_text("ascii").split()[place]) * PAGESIZE
    return 0


def has_memory_limit() -> bool:
    """Whether the system can refuse a process more memory: only Linux counts what is mapped."""
    return sys.platform == "linux" and _limits() is not None and memory_of("self", DATA) > 0


def limit_data(more: int) -> bool:
    """Let the system refuse this process memory beyond what it has and so many bytes.

    Return whether it does. Else: no limit; who reads a file from elsewhere refuses it before.
    """
    resource = _limits() if has_memory_limit() else None
    if resource is None:
        return False
    try:
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (memory_of("self", DATA) + more, most))
    except (OSError, ValueError):
        return False
    return True


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Postpone a Ctrl-C in this process, and ignore it in each process that starts meanwhile.

    Without this it could arrive before that process ignores it. Else (Windows): it may, and ends
    that process at once.
    """
    if sys.platform != "win32":
        import signal  # noqa: PLC0415 - short commands start no process

        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        yield


def never_wait(pipe: int) -> None:
    """Let no writer wait for a pipe, as signals ask for. Else (Windows): they ask for none."""
    with suppress(AttributeError, OSError):  # Windows had none before Python 3.12
        os.set_blocking(pipe, False)


def ending_signals() -> list[signal.Signals]:
    """List the signals that end a program at once. Else (Windows): no SIGHUP is sent."""
    import signal  # noqa: PLC0415 - as above

    return [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


_HERE, _EXCHANGE = -100, 2
"""As Linux's renameat2 has them."""


def exchange_folders(first: Path, second: Path) -> bool:
    """Let two folders change places in one step; return whether they did.

    Else: they did not, and who asks renames one after the other: for a moment there is none.
    """
    names = os.fsencode(first), os.fsencode(second)
    exchange = _of_system("renameat2") if sys.platform == "linux" else None
    return exchange is not None and exchange(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0


def _of_system(function: str) -> Callable[..., int] | None:
    import ctypes  # noqa: PLC0415 - publishing alone needs it

    return getattr(ctypes.CDLL(None, use_errno=True), function, None)


def recall_lines(path: Path, most: int) -> None:
    """Let the arrows bring back the lines of earlier shells, which a file keeps.

    Else: the arrows bring back what the terminal itself keeps, and no file is made.
    """
    try:
        import readline as module  # noqa: PLC0415 - not every system has it
    except ImportError:
        return
    import atexit  # noqa: PLC0415 - a shell alone needs it

    readline: ModuleType = module  # of which Windows' Python knows no function
    with suppress(OSError):
        readline.read_history_file(path)
    readline.set_history_length(most)

    def keep() -> None:
        with suppress(OSError):
            path.touch(mode=_OWNER_ALONE)
            readline.write_history_file(path)
            close_to_others(path)  # an older one may be open to all

    atexit.register(keep)


def zone_name() -> str:
    """Return the name of this machine's time zone; empty if it is not known.

    POSIX has an IANA name. Windows has other names, which `cli.input.moments` translates.
    """
    return os.environ.get("TZ", "").lstrip(":") or _zone_file() or _registered_zone()


_TIMEZONE, _LOCALTIME = Path("/etc/timezone"), Path("/etc/localtime")


def _zone_file() -> str:
    if _TIMEZONE.is_file() and (named := _TIMEZONE.read_text("utf-8", "replace").strip()):
        return named
    return str(_LOCALTIME.resolve()).partition("zoneinfo/")[2] if _LOCALTIME.is_symlink() else ""


def _registered_zone() -> str:
    """Return Windows' name in English; the name that programs show is in the user's language."""
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415 - Windows alone has it

        place = r"SYSTEM\CurrentControlSet\Control\TimeZoneInformation"
        with suppress(OSError), winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, place) as key:
            return str(winreg.QueryValueEx(key, "TimeZoneKeyName")[0]).partition("\0")[0]
    return ""
