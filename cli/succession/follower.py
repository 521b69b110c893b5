"""A desk that follows another: every line and head is checked before it is kept.

    follower-<tournament>.key           signs the take-over; a further key of the log
    following/<tournament>.secrets      the secrets, sealed for the reader's key of this computer
    following/<tournament>.json         whose key that is, and where the desk was asked last

The lines are in the store of this computer, and acts on them are refused until the take-over. A
line is kept once a head covers it that the log's key signed: the key that signed the heads before,
or one that took its place by the lines themselves.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct

from cli.machine.keyring import (
    LOG,
    folder,
    follower_path,
    keep_key,
    key_path,
    mark_only_read,
    proving,
    unlocked,
)
from cli.machine.last_heads import checkpoint_file_of
from cli.succession.questions_of_followers import (
    Applying,
    AskingFollower,
    Followed,
    reader_text,
    secrets_text,
)
from cli.succession.remote import UnknownFollower
from cli.succession.secrets import digest_of_secrets, opened_secrets, plain_secrets
from ledger.errors import InvalidLog, LedgerError, Refused
from ledger.exchange.log_files import admit_line
from ledger.files.access import first_bytes, make_private_folder, whole_file
from ledger.problems import marked, problem
from ledger.proof.formats import (
    ED25519,
    SIGNATURE_BYTES,
    Checkpoint,
    Invalid,
    Key,
    Tree,
    is_signed,
    open_note,
    parse_checkpoint,
    parse_note,
    unbase64,
)
from ledger.proof.notes import SEED_BYTES, base64_of, signer
from ledger.proof.signatures import LOG as LOG_ITSELF
from ledger.proof.signatures import origin_of, possession
from ledger.rules.signing import active
from ledger.tournament.state import Tournament
from projections.standings.table import ranking

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cli.succession.remote import RemoteDesk
    from ledger.problems import Problem
    from ledger.proof.notes import Signer
    from ledger.store import Store
    from ledger.store.base import Entry

FOLDER = "following"
SECRETS_BYTES_MAX = 64_000_000
STATE_BYTES_MAX = 10_000
READER = "follower"


class FollowerState(Struct, frozen=True, forbid_unknown_fields=True):
    """What is remembered of a desk that is followed: its address, and the reader's key here."""

    address: str = ""
    reader: str = ""
    fingerprint: str = ""


class Standing(NamedTuple):
    """Where a follower stands: events here and at the desk, and whether the secrets are here."""

    name: str
    here: int
    there: int
    has_secrets: bool


def secrets_path(stream: str) -> Path:
    """Return the file of the sealed secrets of a desk that is followed."""
    return folder() / FOLDER / f"{stream}.secrets"


def read_state(stream: str) -> FollowerState:
    """Read what is remembered of a desk that is followed; nothing from a damaged file."""
    try:
        data = first_bytes(_state_path(stream), STATE_BYTES_MAX)
        return msgspec.json.decode(data, type=FollowerState)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return FollowerState()


def _state_path(stream: str) -> Path:
    return folder() / FOLDER / f"{stream}.json"


def _write(path: Path, data: bytes) -> None:
    try:
        make_private_folder(path.parent)
        with whole_file(path, is_secret=True) as file:
            file.write(data)
    except OSError as error:
        text = marked("{path} cannot be written: {why}")
        why = error.strerror or str(error)
        raise Refused(problem("follow.unwritten", text, path=str(path), why=why)) from None


class Follower:
    """One tournament of another desk, followed into a store here."""

    def __init__(self, store: Store, stream: str, remote: RemoteDesk) -> None:
        """Read what is here already, and hold it to the rules once more.

        Raises:
            Refused: this computer has the log's key, so that it follows nobody.
            InvalidLog: what is here is damaged.
        """
        if key_path(LOG, stream).exists():
            text = marked("this computer has the log's key: it is the one to be followed")
            raise Refused(problem("follow.own", text))
        self._store, self._stream, self._remote = store, stream, remote
        self._tournament, self._tree = Tournament(), Tree()
        self._lines: list[bytes] = []
        self._digest = ""
        self._take_lines(store.lines(stream))
        self._own = _own_key(stream)
        self._reader = _reader_of(stream, remote)
        self._sig = base64_of(self._own.sign(reader_text(stream, self._reader)))
        self._by = self._signer_of_kept()

    def register(self) -> None:
        """Let the desk register the key of this computer; raises as `RemoteDesk.enter`."""
        own = self._public
        held = self._tournament.keys.get(self._own.key.public)
        if held is not None and held.until:
            text = marked(
                "the desk revoked the key of this computer (event {event}); to follow again, "
                "delete {path}"
            )
            path = str(follower_path(self._stream))
            raise Refused(problem("follow.revoked", text, event=held.until, path=path))
        proof = base64_of(self._own.sign(possession(self._stream, LOG_ITSELF, own)))
        command_id = f"follow-{sha256(own.encode()).hexdigest()[:24]}"
        applying = Applying(command_id, own, proof)
        self._remote.enter("/api/v1/followers", msgspec.to_builtins(applying))

    def step(self) -> Standing:
        """Ask for what is new, check it and keep it; return where this computer stands.

        Raises:
            Unreachable: the desk gives no answer.
            InvalidLog: what it sent is not what the log's key signed; nothing of it is kept.
            Refused: it shows another history, or has revoked the key of this computer.
        """
        try:
            found = self._asked()
        except UnknownFollower:
            self.register()
            found = self._asked()
        if not found.fits:
            text = marked(
                "the desk shows fewer lines, or others, than those that its key signed for this "
                "computer ({count}): nothing of it is kept; ask there whether a backup was restored"
            )
            raise Refused(problem("follow.other_history", text, count=len(self._lines)))
        entries = self._checked(found) if found.lines else []
        if found.secrets:
            self._keep_secrets(found)  # before the lines that need them
        if entries:
            self._keep(found, entries)
        opening = self._tournament.opening
        name = opening.name if opening is not None else ""
        return Standing(name, len(self._lines), found.size, bool(self._digest))

    @property
    def _public(self) -> str:
        return base64_of(self._own.key.public)

    def _asked(self) -> Followed:
        root = base64_of(self._tree.root())
        after = len(self._lines)
        asked = AskingFollower(self._public, self._reader, self._sig, after, root, self._digest)
        value = self._remote.ask("/api/v1/follow", msgspec.to_builtins(asked))
        try:
            return msgspec.convert(value, Followed)
        except msgspec.ValidationError:
            raise InvalidLog(_forged("this is no answer of a desk")) from None

    def _checked(self, found: Followed) -> list[Entry]:
        """Check new lines and the head over them; return them as a store has them."""
        try:
            entries = self._take_lines([line.encode() for line in found.lines])
            self._by = self._checked_head(found.head)
        except (LedgerError, Invalid, UnicodeError) as error:
            raise InvalidLog(_forged(str(error))) from None
        return entries

    def _keep(self, found: Followed, entries: Sequence[Entry]) -> None:
        """Keep lines and their head, once both were checked."""

        def decide(unread: Sequence[bytes]) -> Sequence[Entry]:
            if unread:
                text = marked(
                    "somebody else wrote into this copy: `tourney follow` needs it for itself"
                )
                raise Refused(problem("follow.written_here", text))
            return entries

        mark_only_read(self._stream)
        self._store.transact(self._stream, len(self._lines) - len(entries), decide)
        file = checkpoint_file_of(self._stream, self._lines)
        file.take(found.head.encode(), self._lines)

    def _take_lines(self, lines: Sequence[bytes]) -> list[Entry]:
        entries: list[Entry] = []
        for line in lines:
            recorded = admit_line(self._tournament, line, self._tree, ranking)
            self._lines.append(line)
            entries.append((recorded.name, line))
        opening = self._tournament.opening
        if lines and (opening is None or opening.tournament != self._stream):
            text = marked("these are lines of another tournament")
            raise InvalidLog(problem("follow.another", text))
        return entries

    def _checked_head(self, note: str) -> bytes:
        """Return the key that signed a head over exactly the lines that are here; or Invalid."""
        parsed = parse_note(note.encode())
        head = parse_checkpoint(parsed.text)
        origin = origin_of(self._stream)
        if head != Checkpoint(origin, len(self._lines), self._tree.root()):
            raise Invalid("the signed head is not that of these lines")
        keys = [Key(origin, ED25519, each) for each in self._who_signs()]
        return next(iter(open_note(parsed, keys))).public

    def _who_signs(self) -> list[bytes]:
        """List the keys whose heads count: that of the heads before, or what took its place."""
        held = self._tournament.keys.get(self._by) if self._by else None
        if held is not None and not held.until:
            return [self._by]
        own = self._own.key.public
        return [each.public for each in active(self._tournament, LOG_ITSELF) if each.public != own]

    def _signer_of_kept(self) -> bytes:
        """Return the key that signed the head that is here; empty if there is none."""
        kept = checkpoint_file_of(self._stream, self._lines).read() if self._lines else None
        if kept is None:
            return b""
        return signer_of_head(self._stream, self._tournament, kept.note)

    def _keep_secrets(self, found: Followed) -> None:
        """Keep sealed secrets, once they are known to be whole and from the log's own desk."""
        text = secrets_text(self._stream, found.digest)
        try:
            signature = unbase64(found.voucher, SIGNATURE_BYTES)
        except Invalid:
            signature = b""
        if not any(is_signed(key, signature, text) for key in self._who_signs()):
            raise InvalidLog(_forged("nobody vouches for its secrets"))
        secrets = opened_secrets(self._stream, found.secrets)
        if digest_of_secrets(plain_secrets(self._stream, secrets)) != found.digest:
            raise InvalidLog(_forged("its secrets are not those that it names"))
        _write(secrets_path(self._stream), found.secrets)
        self._digest = found.digest


def _forged(why: str) -> Problem:
    text = marked(
        "what the desk sent is not what the log's key signed, and nothing of it is kept: {why}"
    )
    return problem("follow.forged", text, why=why)


def signer_of_head(stream: str, tournament: Tournament, note: str) -> bytes:
    """Return the key of the log that signed a head; empty if none did."""
    origin = origin_of(stream)
    own = [each.public for each in tournament.keys.values() if not each.holder]
    try:
        signed = open_note(parse_note(note.encode()), [Key(origin, ED25519, each) for each in own])
    except Invalid:
        return b""
    return next(iter(signed)).public


def _own_key(stream: str) -> Signer:
    """Read the key with which this computer follows; it is made the first time."""
    path = follower_path(stream)
    if not path.exists():
        with proving():
            keep_key(path, signer(origin_of(stream), os.urandom(SEED_BYTES)))
    return unlocked(path)


def _reader_of(stream: str, remote: RemoteDesk) -> str:
    """Return the reader's key that secrets are sealed for; it is made the first time."""
    from cli.machine.backup_keys import new_reader

    state = read_state(stream)
    reader = state.reader
    if not reader:
        _, made = new_reader(READER, "")
        reader = made.text
    now = FollowerState(remote.address, reader, remote.fingerprint)
    if now != state:
        _write(_state_path(stream), msgspec.json.encode(now) + b"\n")
    return reader
