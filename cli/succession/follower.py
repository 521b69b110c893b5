"""Follow another desk, and check every line and head before it is stored.

    follower-<tournament>.key           signs the take-over; a further key of the log
    following/<tournament>.secrets      the secrets, sealed for the reader's key of this computer
    following/<tournament>.json         the reader's key, and the last address of the desk
    following/<tournament>.head         the last head that came, written before its lines

The lines are in the store of this computer, and acts on them are refused until the take-over. A
line is stored once a head that the log's key signed covers the line. The log's key is the key that
signed the previous heads, or a key that replaced it according to the lines. The computer may stop
after it stored lines and before it stored their head: `complete_head` stores the head then.
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
STATE_BYTES_MAX = HEAD_BYTES_MAX = 10_000
READER = "follower"


class FollowerState(Struct, frozen=True, forbid_unknown_fields=True):
    """Address and fingerprint of a desk that is followed, and the reader's key of this computer."""

    address: str = ""
    reader: str = ""
    fingerprint: str = ""


class Standing(NamedTuple):
    """Progress of a follower: its events, the desk's events, and whether it has the secrets."""

    name: str
    here: int
    there: int
    has_secrets: bool


def secrets_path(stream: str) -> Path:
    """Return the file of the sealed secrets of a desk that is followed."""
    return folder() / FOLDER / f"{stream}.secrets"


def read_state(stream: str) -> FollowerState:
    """Read the state of a desk that is followed; return an empty state if the file is damaged."""
    try:
        data = first_bytes(_state_path(stream), STATE_BYTES_MAX)
        return msgspec.json.decode(data, type=FollowerState)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return FollowerState()


def complete_head(stream: str, tournament: Tournament, lines: Sequence[bytes], root: bytes) -> None:
    """Store the head of all lines, if this computer stopped before it had stored it.

    `root` is that of their tree.
    """
    try:
        note = first_bytes(_head_path(stream), HEAD_BYTES_MAX)
        head = parse_checkpoint(parse_note(note).text)
        signing = signer_of_head(stream, tournament, note.decode())
    except (OSError, Invalid, UnicodeDecodeError):
        return
    if signing and head == Checkpoint(origin_of(stream), len(lines), root):
        checkpoint_file_of(stream, lines).take(note, lines)


def _head_path(stream: str) -> Path:
    return folder() / FOLDER / f"{stream}.head"


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
        """Read the lines that are already stored, and check them against the rules again.

        Raises:
            Refused: this computer has the log's key, so it cannot follow another desk.
            InvalidLog: the stored lines are damaged.
        """
        if key_path(LOG, stream).exists():
            text = marked("this computer has the log's key: it is the one to be followed")
            raise Refused(problem("follow.own", text))
        self._store, self._stream, self._remote = store, stream, remote
        self._tournament, self._tree = Tournament(), Tree()
        self._lines: list[bytes] = []
        self._digest = ""
        self._take_lines(store.lines(stream))
        complete_head(stream, self._tournament, self._lines, self._tree.root())
        self._own = _own_key(stream)
        self._reader = _reader_of(stream, remote)
        self._sig = base64_of(self._own.sign(reader_text(stream, self._reader)))
        self._by = self._signer_of_kept()

    def register(self) -> None:
        """Let the desk register the key of this computer.

        Raises:
            Refused: the desk revoked this key, or refused as in `RemoteDesk.enter`.
            Unreachable: the desk gives no answer.
        """
        public = self._public
        registered = self._tournament.keys.get(self._own.key.public)
        if registered is not None and registered.until:
            text = marked(
                "the desk revoked the key of this computer (event {event}); to follow again, "
                "delete {path}"
            )
            path = str(follower_path(self._stream))
            raise Refused(problem("follow.revoked", text, event=registered.until, path=path))
        proof = base64_of(self._own.sign(possession(self._stream, LOG_ITSELF, public)))
        command_id = f"follow-{sha256(public.encode()).hexdigest()[:24]}"
        applying = Applying(command_id, public, proof)
        self._remote.enter("/api/v1/followers", msgspec.to_builtins(applying))

    def step(self) -> Standing:
        """Ask the desk for new lines and secrets, check and store them, and return the progress.

        Raises:
            Unreachable: the desk gives no answer.
            InvalidLog: the log's key did not sign the answer; no part of the answer is stored.
            Refused: the desk shows another history, or has revoked the key of this computer.
        """
        try:
            news = self._asked()
        except UnknownFollower:
            self.register()
            news = self._asked()
        if not news.fits:
            text = marked(
                "the desk shows fewer lines, or others, than those that its key signed for this "
                "computer ({count}): nothing of it is kept; ask there whether a backup was restored"
            )
            raise Refused(problem("follow.other_history", text, count=len(self._lines)))
        entries = self._checked(news) if news.lines else []
        if news.secrets:
            self._keep_secrets(news)  # before the lines that need them
        if entries:
            self._keep(news, entries)
        opening = self._tournament.opening
        name = opening.name if opening is not None else ""
        return Standing(name, len(self._lines), news.size, bool(self._digest))

    @property
    def _public(self) -> str:
        return base64_of(self._own.key.public)

    def _asked(self) -> Followed:
        root = base64_of(self._tree.root())
        after = len(self._lines)
        question = AskingFollower(self._public, self._reader, self._sig, after, root, self._digest)
        value = self._remote.ask("/api/v1/follow", msgspec.to_builtins(question))
        try:
            return msgspec.convert(value, Followed)
        except msgspec.ValidationError:
            raise InvalidLog(_forged("this is no answer of a desk")) from None

    def _checked(self, news: Followed) -> list[Entry]:
        """Check new lines and the head that covers them; return the lines as entries of a store."""
        try:
            entries = self._take_lines([line.encode() for line in news.lines])
            self._by = self._checked_head(news.head)
        except (LedgerError, Invalid, UnicodeError) as error:
            raise InvalidLog(_forged(str(error))) from None
        return entries

    def _keep(self, news: Followed, entries: Sequence[Entry]) -> None:
        """Store lines and their head, once both were checked."""

        def decide(unread: Sequence[bytes]) -> Sequence[Entry]:
            if unread:
                text = marked(
                    "somebody else wrote into this copy: `tourney follow` needs it for itself"
                )
                raise Refused(problem("follow.written_here", text))
            return entries

        mark_only_read(self._stream)
        _write(_head_path(self._stream), news.head.encode())
        self._store.transact(self._stream, len(self._lines) - len(entries), decide)
        file = checkpoint_file_of(self._stream, self._lines)
        file.take(news.head.encode(), self._lines)

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
        """Return the key that signed a head over exactly the lines of this computer.

        Raises:
            Invalid: the head covers other lines, or no key of the log signed it.
        """
        parsed = parse_note(note.encode())
        head = parse_checkpoint(parsed.text)
        origin = origin_of(self._stream)
        if head != Checkpoint(origin, len(self._lines), self._tree.root()):
            raise Invalid("the signed head is not that of these lines")
        keys = [Key(origin, ED25519, public) for public in self._who_signs()]
        return next(iter(open_note(parsed, keys))).public

    def _who_signs(self) -> list[bytes]:
        """List the keys that may sign heads: the key of the previous heads, or its successors."""
        signing = self._tournament.keys.get(self._by) if self._by else None
        if signing is not None and not signing.until:
            return [self._by]
        public = self._own.key.public
        keys = active(self._tournament, LOG_ITSELF)
        return [key.public for key in keys if key.public != public]

    def _signer_of_kept(self) -> bytes:
        """Return the key that signed the stored head; empty bytes if no head is stored."""
        stored = checkpoint_file_of(self._stream, self._lines).read() if self._lines else None
        if stored is None:
            return b""
        return signer_of_head(self._stream, self._tournament, stored.note)

    def _keep_secrets(self, news: Followed) -> None:
        """Store sealed secrets, after checking that they are complete and from the log's desk."""
        text = secrets_text(self._stream, news.digest)
        try:
            signature = unbase64(news.voucher, SIGNATURE_BYTES)
        except Invalid:
            signature = b""
        if not any(is_signed(key, signature, text) for key in self._who_signs()):
            raise InvalidLog(_forged("nobody vouches for its secrets"))
        secrets = opened_secrets(self._stream, news.secrets)
        if digest_of_secrets(plain_secrets(self._stream, secrets)) != news.digest:
            raise InvalidLog(_forged("its secrets are not those that it names"))
        _write(secrets_path(self._stream), news.secrets)
        self._digest = news.digest


def _forged(why: str) -> Problem:
    text = marked(
        "what the desk sent is not what the log's key signed, and nothing of it is kept: {why}"
    )
    return problem("follow.forged", text, why=why)


def signer_of_head(stream: str, tournament: Tournament, note: str) -> bytes:
    """Return the key of the log that signed a head; empty bytes if no key of the log did."""
    origin = origin_of(stream)
    publics = [key.public for key in tournament.keys.values() if not key.holder]
    keys = [Key(origin, ED25519, public) for public in publics]
    try:
        signed = open_note(parse_note(note.encode()), keys)
    except Invalid:
        return b""
    return next(iter(signed)).public


def _own_key(stream: str) -> Signer:
    """Read the key with which this computer follows; create it the first time."""
    path = follower_path(stream)
    if not path.exists():
        with proving():
            keep_key(path, signer(origin_of(stream), os.urandom(SEED_BYTES)))
    return unlocked(path)


def _reader_of(stream: str, remote: RemoteDesk) -> str:
    """Return the reader's key that secrets are sealed for; create it the first time."""
    from cli.machine.backup_keys import new_reader

    state = read_state(stream)
    reader = state.reader
    if not reader:
        _, new_key = new_reader(READER, "")
        reader = new_key.text
    now = FollowerState(remote.address, reader, remote.fingerprint)
    if now != state:
        _write(_state_path(stream), msgspec.json.encode(now) + b"\n")
    return reader
