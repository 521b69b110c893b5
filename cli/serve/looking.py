"""A log that somebody sent, looked at by the owner: at any moment, checked, next to another copy.

The file comes in as a streamed body, goes to a folder that only the owner can read, and is gone
when the server ends. Nothing of it is stored. Each question is answered by verbs of this program in
processes of their own, so that no log, however hostile, uses the hall's memory or time.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import BadZipFile, ZipFile

import msgspec

from cli.input.moments import FOR_TERMINALS
from cli.languages.speaking import tr
from cli.serve.door.owner import run_verb
from cli.serve.refusals import Malformed
from cli.terminal.problems import reason_of
from ledger.errors import NotFound, Refused
from ledger.files.system import replace_file
from ledger.problems import phrase
from ledger.proof.heads import CHECKPOINT, HASHES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request

FILE_MAX = 64_000_000
"""Bytes of a file that a page takes."""

TAKING_SECONDS = 120
FILES_MAX = 10
"""Files that are kept at once: the oldest makes room."""


NAMES = {"look": "log.jsonl", "diff": "other.jsonl", "restore": "this file"}
"""What a file is called in sentences, by what it is sent for."""


class ShownLog(NamedTuple):
    """A log at a moment: up to which of how many events; texts as a terminal shows them."""

    seq: int
    last: int
    round: int
    """The latest round that was paired by then; 0 before the first one."""

    time: str
    replayed: str
    check: str
    difference: str = ""


@dataclass
class SentFile:
    """A file that was sent; of a log its check and its length, which no moment changes."""

    path: Path
    check: str = ""
    last: int = 0


class Looking:
    """The files that were sent, for as long as this server runs."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="look-")
        self._count = 0
        self._files: dict[str, SentFile] = {}

    async def take(self, request: Request, restored: Callable[[str], Awaitable[str]]) -> str:
        """Take a file; return the address of the next page.

        Raises:
            LedgerError: the file was refused; the text does not contain its place.
        """
        job, _, of = job_of(request).partition(" ")
        if job not in NAMES:
            raise Malformed(
                phrase("this file is for nothing that the page does: open the page again")
            )
        name = secrets.token_hex(8)
        self._count += 1
        path = Path(self._folder.name) / str(self._count) / self._name(request, job, of)
        path.parent.mkdir()
        try:
            await self._receive(request, path)
            if is_form(request):
                path = await asyncio.to_thread(_unwrap, path, request.headers["content-type"])
            if not path.stat().st_size:
                raise Malformed(phrase("this file is empty: choose another one"))
            if job != "restore" and is_zip(path):
                await asyncio.to_thread(_unpack, path)
            if job == "restore":
                return await restored(str(path))
            _check_is_log(path)
            self._keep(name, path)
        except Refused as error:
            raise Refused(self._without_places(reason_of(error))) from None
        finally:  # also of a body that broke off
            if name not in self._files:
                shutil.rmtree(path.parent)
        return f"events/look?file={of}&with={name}" if job == "diff" else f"events/look?file={name}"

    def _name(self, request: Request, job: str, of: str) -> str:
        """Return what sentences call a file that is sent: the name by which it was chosen."""
        name = plain_name(request.query_params.get("name", "")) or NAMES[job]
        if job == "restore":
            return NAMES[job]
        is_same = of in self._files and self._files[of].path.name == name
        return f"other-{name}" if is_same else name

    async def _receive(self, request: Request, path: Path) -> None:
        """Write a body to a file as it comes.

        Raises:
            Malformed: it is too large, or takes too long.
        """
        size = 0
        try:
            async with asyncio.timeout(TAKING_SECONDS):
                with path.open("xb") as file:
                    async for part in request.stream():
                        size = _with_part(size, part)
                        file.write(part)
        except TimeoutError:
            raise Malformed(
                phrase(
                    "the file took longer than {seconds} s to arrive",
                    seconds=TAKING_SECONDS,
                )
            ) from None

    def _keep(self, name: str, path: Path) -> None:
        self._files[name] = SentFile(path)
        while len(self._files) > FILES_MAX:
            shutil.rmtree(self._files.pop(next(iter(self._files))).path.parent)

    def at(self, asked: Mapping[str, str]) -> ShownLog:
        """Return a log at the moment that is asked for, and the other copy's differences.

        Raises:
            NotFound: the file is no longer here.
            Refused: the file does not pass the check, or has no such moment.
        """
        log, moment = self._sent(asked["file"]), asked.get("at", "")
        if moment and not (moment.isascii() and moment.isdecimal() and len(moment) <= SEQ_DIGITS):
            raise Refused(phrase("a moment is a number, as in event 57"))
        replay = ["replay", str(log.path), "--unsigned", UNSIGNED]
        at = [*replay, "--at", moment] if moment else replay
        lines = [at, [*at, "--json"]]
        if other := asked.get("with"):
            lines.append(["diff", str(log.path), str(self._sent(other).path)])
        if not log.last:
            lines.append(["verify", *replay[1:]])
        try:
            with ThreadPoolExecutor(len(lines)) as pool:
                asked_for = [pool.submit(copy_context().run, run_verb, line) for line in lines]
                answers = [self._without_places(each.result()) for each in asked_for]
        except Refused as error:
            raise Refused(self._without_places(reason_of(error))) from None
        if not log.last:
            log.check = answers.pop()
        replayed, summary, *difference = answers
        value: dict[str, Any] = msgspec.json.decode(summary)
        log.last, seq = value["events"], int(moment or value["events"])
        skipped = tuple(map(tr, FOR_TERMINALS))
        text = "\n".join(line for line in replayed.split("\n") if not line.startswith(skipped))
        return ShownLog(seq, log.last, value["round"], value["time"], text, log.check, *difference)

    def _without_places(self, text: str) -> str:
        """Return a text that does not name where a file lies on this computer.

        What is in columns stays below its heading.
        """
        place = rf"{re.escape(self._folder.name)}/[0-9]+/"
        in_column = re.sub(
            rf"({place})(\S+)(?=  )", lambda cell: cell[2] + " " * len(cell[1]), text
        )
        return re.sub(place, "", in_column)

    def _sent(self, name: str) -> SentFile:
        if name not in self._files:
            raise NotFound(phrase("this file is no longer here: choose it again"))
        return self._files[name]

    def close(self) -> None:
        """Remove all files."""
        self._folder.cleanup()


def plain_name(file_name: str) -> str:
    """Return the end of a file's name, with `_` for unusual letters."""
    name = re.split(r"[/\\]", file_name)[-1]
    return re.sub(r"[^\w.-]+", "_", name).strip("._-")[-NAME_MAX:]


NAME_MAX = 40
LINE_MAX = 1_000_000
"""Bytes of the first line of a log: it has the text of the rules."""


def _check_is_log(path: Path) -> None:
    """Refuse a file whose first line is not a line of a log.

    Raises:
        Malformed: the file is something else, such as a picture or a text.
    """
    with path.open("rb") as file:
        line = file.readline(LINE_MAX)
    try:
        value = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        value = {}
    if not value.keys() & {"seq", "names"}:
        raise Malformed(
            phrase(
                "this file is not a log of tourney: choose the zip file of Export, or the log in it"
            )
        )


def job_of(request: Request) -> str:
    """Return what a file is sent for, as its form names it."""
    return request.query_params.get("job", "")


def is_form(request: Request) -> bool:
    """Return whether a form posts the file itself, in a browser without scripts."""
    return request.headers.get("content-type", "").lower().startswith("multipart/form-data")


BESIDE = (CHECKPOINT, HASHES)
"""Endings of the two files that Export packs with a log."""


LIST_MAX = 64_000
"""Bytes of the list of files in a zip file: Export has three."""

_ENDING = struct.Struct("<4s8xI6x")
"""The end of a zip file without a comment: its mark, and the length of the list of files."""


def is_zip(path: Path) -> bool:
    """Return whether a file is a zip file.

    Raises:
        Malformed: its list of files is too long, or is not where Export puts it.
    """
    with path.open("rb") as file:
        if file.read(4) != b"PK\3\4":
            return False
        file.seek(max(0, path.stat().st_size - _ENDING.size - 20))
        tail = file.read()
    mark, length = _ENDING.unpack(tail[-_ENDING.size :].rjust(_ENDING.size))
    if mark != b"PK\5\6" or length > LIST_MAX or b"PK\6\7" in tail[:20]:
        raise Malformed(phrase("this zip file is not one that Export gave: choose the log itself"))
    return True


def _unpack(path: Path) -> None:
    """Unpack the log of a zip file, with its signed head and hashes, in place of the zip file.

    Raises:
        Malformed: the file is damaged, or does not have exactly one log.
    """
    packed = path.with_name("packed")
    replace_file(path, packed)
    try:
        with ZipFile(packed) as archive:
            logs = [name for name in archive.namelist() if name.endswith(".jsonl")]
            if len(logs) != 1:
                raise Malformed(
                    phrase(
                        "this zip file has {logs} logs: choose one that Export gave, or a log",
                        logs=len(logs),
                    )
                )
            (log,) = logs
            _extract(archive, log, path)
            for ending in BESIDE:
                if f"{log}{ending}" in archive.namelist():
                    _extract(archive, f"{log}{ending}", path.with_name(f"{path.name}{ending}"))
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error):
        raise Malformed(phrase("this zip file is damaged: export the log again")) from None
    finally:
        packed.unlink()


def _extract(archive: ZipFile, name: str, path: Path) -> None:
    """Write a file of an archive, which says itself how large it is: only up to the maximum."""
    with archive.open(name) as content, path.open("xb") as file:
        size = 0
        while part := content.read(1 << 20):
            size = _with_part(size, part)
            file.write(part)


def _with_part(size: int, part: bytes) -> int:
    """Return the size of a file with a further part.

    Raises:
        Malformed: the file is too large.
    """
    if (larger := size + len(part)) > FILE_MAX:
        raise Malformed(phrase("a file can have at most {most} MB", most=FILE_MAX // 10**6))
    return larger


HEAD_MAX = 8_000
"""Bytes before the file in the body of a form, and after it."""


_NAMED = re.compile(rb'filename="([^"\r\n]*)"')


def _unwrap(path: Path, kind: str) -> Path:
    """Replace the body that a form posted by its only field, the file; return its place.

    A log gets the name that the field has for it.

    Raises:
        Malformed: the body is not a form with one file.
    """
    headers = Message()
    headers["content-type"] = kind
    line = b"--" + str(headers.get_boundary("")).encode()
    with path.open("rb") as body:
        head = body.read(HEAD_MAX)
        end = body.seek(0, 2)
        before_tail = body.seek(max(0, end - HEAD_MAX))
        tail = body.read()
        begin, last = head.find(b"\r\n\r\n"), tail.rfind(b"\r\n" + line + b"--")
        if len(line) == len(b"--") or not head.startswith(line + b"\r\n") or min(begin, last) < 0:
            raise Malformed(phrase("this form does not come from this page: open the page again"))
        begin, last = begin + len(b"\r\n\r\n"), before_tail + last
        inner = path.with_name("inner")
        with inner.open("xb") as file:
            body.seek(begin)
            shutil.copyfileobj(body, file)
            file.truncate(max(0, last - begin))
    named = _NAMED.search(head[:begin])
    name = plain_name(named[1].decode(errors="replace")) if named else ""
    is_log = path.name in {NAMES["look"], NAMES["diff"]}
    to = path.with_name(name) if name and is_log else path
    path.unlink()
    replace_file(inner, to)
    return to


SEQ_DIGITS = 9
UNSIGNED = "looked at in a browser"
