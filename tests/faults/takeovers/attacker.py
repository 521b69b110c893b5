"""An attacker at the address of the desk that was killed: take-overs that no known key signed."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from ledger.facts.keys import DeskTakenOver
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import base64_of, checkpoint_text, signed_note, signer, vkey
from ledger.proof.signatures import origin_of
from tests.cli.succession.two_desks import signed_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ledger.proof.notes import Signer

FORGERIES = ("unsigned", "thief", "former", "elsewhere", "without")
"""Not signed; signed with a key of the attacker, with the key that it revokes, for another log; and
a shorter history without any act."""

_ELSEWHERE = "0" * 32
_KEPT = re.compile(rb"kept=([0-9]+)")


class Forgery:
    """A shorter history with a take-over of a kind, as the answer to a witness."""

    def __init__(self, kind: str, stream: str, lines: list[bytes], former: Signer) -> None:
        thief = signer(origin_of(stream), b"t" * 32)
        by = former if kind == "former" else thief
        root = Prover(lines).root(len(lines)).hex()
        act = DeskTakenOver(len(lines), root, base64_of(former.key.public))
        line = signed_line(lines, act, by, _ELSEWHERE if kind == "elsewhere" else stream)
        if kind == "unsigned":
            line = line.rpartition(b',"sig"')[0] + b"}"
        self._lines = lines if kind == "without" else [*lines, line]
        self._by, self._stream, self._has_act = by, stream, kind != "without"
        self._prover = Prover(self._lines)

    def answer(self, kept: int) -> dict[str, Any]:
        """Return the answer to a phone that keeps a head of so many lines."""
        size = len(self._lines)
        root = self._prover.root(size)
        head = Checkpoint(origin_of(self._stream), size, root)
        act = None
        if self._has_act:
            act = {
                "line": self._lines[-1].decode(),
                "root": base64_of(self._prover.root(size - 1)),
                "proof": self._proof(size - 1),
                "registered": self._proof(max(self._since() - 1, 1)),
            }
        return {
            "origin": head.origin,
            "event": "Soak",
            "size": size,
            "root": base64_of(root),
            "key": "open",
            "signed_in": True,
            "head": {
                "note": signed_note(checkpoint_text(head), self._by).decode(),
                "keys": [vkey(self._by.key)],
                "renewed": self._renewed(),
                "proof": [],
            },
            "proof": self._proof(kept) if 0 < kept <= size else None,
            "posting": None,
            "takeover": act,
        }

    def _proof(self, old: int) -> list[str]:
        return [base64_of(each) for each in self._prover.consistency(old, len(self._lines))]

    def _since(self) -> int:
        lines = enumerate(self._lines, 1)
        return next((seq for seq, line in lines if b'"type":"KeyRegistered"' in line), 2)

    def _renewed(self) -> list[dict[str, str]]:
        return [
            {"line": line.decode(), "root": base64_of(self._prover.root(seq - 1))}
            for seq, line in enumerate(self._lines, 1)
            if b'"type":"KeyRegistered","at"' in line and b'"holder":0' in line
        ]


@asynccontextmanager
async def attacking(port: int, forgery: Forgery) -> AsyncIterator[None]:
    """Answer phones at a port, as a hall does that wants to be believed."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            writer.write(_answer(path, forgery))
            await writer.drain()
        except (OSError, EOFError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", port)
    try:
        yield
    finally:
        server.close()


def _answer(path: bytes, forgery: Forgery) -> bytes:
    status, body = b"503 Busy", b""
    if path.startswith(b"/api/v1/witness"):
        asked = _KEPT.search(path)
        status, body = b"200 OK", json.dumps(forgery.answer(int(asked[1]) if asked else 0)).encode()
    elif path.startswith(b"/api/v1/stream"):
        status, body = b"200 OK", b"event: beyond\ndata: {}\n\n"
    head = b"HTTP/1.1 %s\r\nTourney: hall\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
    return head % (status, len(body)) + body
