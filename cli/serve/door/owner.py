"""The owner: the person at this computer, who needs no link and may do what its terminal may do.

`serve` opens the browser with a file that only its owner can read. That file leads to `/owner` with
a token behind `#`, so no list of processes and no log of addresses has it. The token works once,
and gives a cookie that counts over loopback alone. Nothing of that is on record: in a tournament
the owner acts as the official at this desk, as lines typed at the terminal do.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import webbrowser
from hmac import compare_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from cli.languages.choice import OPTION
from cli.languages.speaking import language, tr
from cli.machine.keyring import folder
from cli.serve.door.guard import is_forwarded, is_loopback
from cli.serve.door.keeper import cookie_in
from cli.serve.refusals import NotSignedIn
from ledger.errors import Refused
from ledger.files.access import whole_file
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import Scope

COOKIE = "tourney_owner"
TOKEN_BYTES = 24
TOKEN_SECONDS = 60.0
"""How long the token of a file works: a browser needs a moment to open it."""

SESSIONS_MAX = 20
COLUMNS = 100
"""The width of the tables that a page shows as they are."""

LINE_SECONDS = 120
"""How long a verb may take that a page runs, such as the check of a large backup."""


class Owner:
    """The sessions of the owner, for as long as this server runs."""

    def __init__(self) -> None:
        self._token, self._until = "", 0.0
        self._sessions: list[str] = []

    def new_token(self, seconds: float = TOKEN_SECONDS) -> str:
        """Return a token that signs in once within so many seconds; an earlier one ends."""
        self._token, self._until = secrets.token_urlsafe(TOKEN_BYTES), monotonic() + seconds
        return self._token

    def sign_in(self, scope: Scope, token: str) -> str:
        """Exchange the token for the value of a cookie.

        Raises:
            NotSignedIn: another computer asks, or the token is wrong, used or too old.
        """
        is_right = bool(self._token) and compare_digest(token.encode(), self._token.encode())
        if not (_is_here(scope) and is_right and monotonic() < self._until):
            raise NotSignedIn(
                phrase(
                    "this address has signed in already, or this is not the computer that serves. "
                    "For a new address, stop `tourney serve` there with Ctrl-C and start it again: "
                    "nothing is lost, phones come back by themselves, and it prints the new address"
                )
            )
        self._token = ""
        self._sessions = [*self._sessions[1 - SESSIONS_MAX :], secrets.token_urlsafe(TOKEN_BYTES)]
        return self._sessions[-1]

    def is_signed_in(self, scope: Scope) -> bool:
        """Return whether the owner asks: at this computer, by a cookie of this server."""
        cookie = cookie_in(scope, COOKIE).encode() if self._sessions and _is_here(scope) else b""
        return any(compare_digest(cookie, each.encode()) for each in self._sessions)


def _is_here(scope: Scope) -> bool:
    return is_loopback(scope) and not is_forwarded(scope)


FORWARD = """<!doctype html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>tourney</title>
<meta http-equiv="refresh" content="0;url={address}">
<p><a href="{address}">Open the hall</a>
"""


class OwnersBrowser:
    """Opens the owner's browser; the file that leads it is gone when the server ends."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="tourney-owner-")

    def open(self, address: str) -> bool:
        """Open an address with a token in the default browser; return whether there is one."""
        file = Path(self._folder.name) / "open.html"
        with whole_file(file) as written:  # readable by its owner alone
            written.write(FORWARD.format(address=address).encode())
        try:
            return webbrowser.open(file.as_uri())
        except webbrowser.Error:
            return False

    def close(self) -> None:
        """Remove the file."""
        self._folder.cleanup()


def run_verb(words: Sequence[str], location: str = "") -> str:
    """Run a verb of this program as the terminal would, perhaps on a store; return what it shows.

    What it remarks beside its answer follows the answer. It is a process of its own, so that a page
    never shares its answers or its working memory. It is asked nothing.

    Raises:
        Refused: the verb refused, with its sentences.
    """
    answer = verb_answer(words, location)
    return answer.shown if "--json" in words else f"{answer.shown}\n{answer.remarks}".strip()


class VerbAnswer(NamedTuple):
    """Output of a verb, and its remarks."""

    shown: str
    remarks: str


def verb_answer(words: Sequence[str], location: str = "") -> VerbAnswer:
    """Run a verb as `run_verb` does; return its answer and its remarks apart.

    Raises:
        Refused: the verb refused, with its sentences.
    """
    place = ["--store", location] if location else []
    try:
        done = subprocess.run(  # noqa: S603 - our own program, no shell
            [sys.executable, "-m", "cli", *place, OPTION, language(), *words],
            env={**os.environ, "COLUMNS": str(COLUMNS), "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=LINE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Refused(
            phrase(
                "this takes longer than {seconds} s: type it at a terminal",
                seconds=LINE_SECONDS,
            )
        ) from None
    if done.returncode:
        raise Refused(_sentence_of(_without_keys(done.stderr)))
    return VerbAnswer(_without_keys(done.stdout), _without_keys(done.stderr))


def _without_keys(text: str) -> str:
    """Return an answer without the paths of this computer's keys and heads."""
    return re.sub(rf",? ?{re.escape(str(folder()))}/[^\s,;)]+", "", text)


def _sentence_of(stderr: str) -> str:
    """Return why a verb refused, without the program's name."""
    lines = [line.removeprefix("tourney: ").strip() for line in stderr.splitlines()]
    return " ".join(line for line in lines if line)[:2_000] or tr(
        "the verb ended without an answer"
    )
