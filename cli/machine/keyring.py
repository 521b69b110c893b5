"""The private keys of this desk: a folder of its own, never the store, the log or the line typed.

The folder is `.tourney-keys` beside `.tourney`, or the one that `TOURNEY_KEYS` names. A passphrase
is asked for on the terminal, before the store's write lock is taken. The keys that seasons are
signed with are there, too: `season-<id>.key`.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cli import outside
from cli.languages.speaking import tr
from cli.terminal.problems import said
from ledger.errors import InvalidLog, Refused, Unsigned
from ledger.files import landed
from ledger.files.access import sync_folder
from ledger.files.kinds import KEYS_FOLDER
from ledger.files.system import rename_file
from ledger.problems import Phrase, in_words, phrase, problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.problems import Problem
    from ledger.proof.notes import Signer
    from ledger.proof.signatures import Held
    from ledger.tournament.state import Tournament

KEYS_VARIABLE = "TOURNEY_KEYS"
PASSPHRASE_VARIABLE = "TOURNEY_PASSPHRASE"  # noqa: S105 - the name of a variable
LOG = "log"
WITNESS = "witness"

_typed: dict[str, str] = {}
"""Passphrases that were typed and opened the file of this place."""


_nobody_is_asked = False


def ask_nobody() -> None:
    """Refuse from now on what needs a passphrase that is not known: a server has no terminal."""
    global _nobody_is_asked  # noqa: PLW0603 - for this process, to its end
    _nobody_is_asked = True


def draw_key() -> bytes:
    """Draw a tournament's shuffle key, or a key that seals."""
    from ledger.facts.base import SECRET_BYTES

    return os.urandom(SECRET_BYTES)


def folder() -> Path:
    """Return the folder of this desk's keys."""
    return Path(os.environ.get(KEYS_VARIABLE, "") or KEYS_FOLDER)


def key_path(name: str, stream: str = "") -> Path:
    """Return the file of a key: by numbers and ids alone."""
    return folder() / f"{name}{'-' if stream else ''}{stream}.key"


RENEW_LOST = "`tourney key renew --lost --reason TEXT`"
"""The command after which this computer signs the heads of a log whose key is lost."""

IF_LOST = phrase(
    "if the computer that has it is permanently lost, use {command}", command=RENEW_LOST
)


MAKE_FIRST = "`tourney key new log`"
"""The command that makes the first key of a log, such as one that was imported without a key."""


def key_is_missing(tournament: Tournament) -> str:
    """Say why no head can be signed from here, by the keys that the log names, and what helps."""
    from ledger.proof.signatures import LOG as OF_THE_LOG
    from ledger.rules.signing import active

    if not active(tournament, OF_THE_LOG):
        return tr("this log has no key; {command} makes one here", command=MAKE_FIRST)
    return key_is_away()


def key_is_away() -> str:
    """Say that no head can be signed from here: another folder, or another machine, has the key."""
    return tr(
        "the log's key is not in {folder} here; {if_lost}", folder=folder(), if_lost=said(IF_LOST)
    )


def only_read_path(stream: str) -> Path:
    """Return the file that marks a log as only read here: its key is in use on another machine."""
    return key_path(LOG, stream).with_suffix(".read")


def mark_only_read(stream: str) -> None:
    """Mark a log as only read on this computer, until it has the log's key.

    Raises:
        Refused: the mark cannot be written.
    """
    from ledger.files.access import write_whole
    from ledger.files.kinds import HEAD

    make_keys_folder()
    write_whole(only_read_path(stream), [b"{}\n"], HEAD)


def unmark_only_read(stream: str) -> None:
    """Remove the mark of a log that is only read here, if there is one."""
    only_read_path(stream).unlink(missing_ok=True)


def only_read_in_words() -> str:
    """Say that a restored log is only read here, and what makes it writable."""
    return tr(
        "acts on this restored copy are refused: the log's key is not in {folder} here, "
        "and the computer that has it runs the tournament; {if_lost}",
        folder=folder(),
        if_lost=said(IF_LOST),
    )


def follower_path(stream: str) -> Path:
    """Return the file of the key with which this computer follows a log; it signs a take-over."""
    return key_path("follower", stream)


def taken_over_path(stream: str) -> Path:
    """Return the file that stops this desk: the line by which another one took over from it."""
    return key_path(LOG, stream).with_suffix(".taken-over")


def why_only_read(stream: str) -> Problem:
    """Say why no act is carried out here, and what changes that."""
    if taken_over_path(stream).exists():
        return problem(
            "takeover.from_here",
            "another computer took over this tournament, and a phone brought its signed act here: "
            "go on at that computer; acts on this one are refused",
        )
    if follower_path(stream).exists():
        return problem(
            "takeover.follows",
            "this computer follows the tournament of another one, so acts here are refused; if "
            "that computer is gone, use `tourney take-over`",
        )
    return in_words(only_read_in_words(), Refused.code)


def official_path(stream: str, official: int, public: bytes) -> Path:
    """Return the file of an official's key."""
    return key_path(f"o{official}-{public[:4].hex()}", stream)


def is_kept(path: Path) -> bool:
    """Return whether a file of the keys' folder is on this machine."""
    return path.exists()


def official_keys(stream: str, official: int) -> list[Path]:
    """List the files of an official's keys on this machine."""
    return sorted(folder().glob(f"o{official}-*-{stream}.key"))


def make_keys_folder() -> Path:
    """Make the keys' folder, if it is missing; only its owner may look into it."""
    from ledger.files.access import make_private_folder

    make_private_folder(folder())
    return folder()


@contextmanager
def proving(where: str = "") -> Iterator[None]:
    """Turn Invalid into an InvalidLog of one line, which names `where` it is read from."""
    from ledger.proof.formats import Invalid

    try:
        yield
    except Invalid as error:
        said = in_words(error.text, error.code, *error.officials)
        raise InvalidLog(said.within(where) if where else said) from None


def keep_key(path: Path, signer: Signer, passphrase: str = "") -> None:
    """Write a private key to a new file, perhaps sealed; Invalid where that is not possible."""
    from ledger.files.key_files import write_key
    from ledger.proof.ciphers import RANDOM_BYTES

    write_key(path, signer, passphrase, os.urandom(RANDOM_BYTES))
    landed.note_place(str(path))


def log_signer(stream: str) -> Signer | None:
    """Read the log's key; None on a machine without it; InvalidLog for one that is of no use."""
    path = key_path(LOG, stream)
    return unlocked(path) if path.exists() else None


def next_log_path(stream: str) -> Path:
    """Return the file of the key that the log signs with next, until its registration landed."""
    return key_path(LOG, stream).with_suffix(".next")


def next_log_signer(stream: str, *, has_landed: bool) -> Signer:
    """Make the key that the log signs with next, sealed as the last; or take this command's."""
    from ledger.proof.notes import SEED_BYTES, signer
    from ledger.proof.signatures import origin_of

    path, before = next_log_path(stream), key_path(LOG, stream)
    if has_landed and not path.exists():
        path = before
    if not path.exists():
        typed = new_passphrase(tr("the log's new key")) if needs_passphrase(before) else ""
        with proving():
            keep_key(path, signer(origin_of(stream), os.urandom(SEED_BYTES)), typed)
    return unlocked(path)


def take_next_log_key(stream: str, keys: Mapping[bytes, Held]) -> None:
    """Put the log's next key, once it is registered, in the place of the one before."""
    coming, path = next_log_path(stream), key_path(LOG, stream)
    if not coming.exists() or (public := unlocked(coming).key.public) not in keys:
        return
    if path.exists():
        rename_file(path, path.with_suffix(f".until-{keys[public].since}"))
        sync_folder(path.parent)  # else the next name may be kept and this one lost
    rename_file(coming, path)
    sync_folder(path.parent)


def needs_passphrase(path: Path) -> bool:
    """Whether a key is here and sealed with a passphrase; InvalidLog where it cannot be used."""
    from ledger.files.key_files import is_sealed

    with proving():
        return path.exists() and is_sealed(path)


def unlocked(path: Path) -> Signer:
    """Read a key, asking for its passphrase where it has one; InvalidLog if it cannot be used."""
    from ledger.files.key_files import read_key

    return opened_with(path, read_key)


Key = TypeVar("Key")


def opened_with(path: Path, read: Callable[[Path, str], Key]) -> Key:
    """Read a key, by its passphrase where it has one, known or asked for; InvalidLog or Refused."""
    from ledger.proof.formats import Invalid

    if not needs_passphrase(path):
        with proving():
            return read(path, "")
    place = str(path.absolute())
    known = (_typed.get(place, ""), *_typed.values()) if _typed else ()
    for typed in () if PASSPHRASE_VARIABLE in os.environ else dict.fromkeys(known):
        with suppress(Invalid):
            return read(path, typed)
    typed = asked(tr("passphrase of {path}: ", path=path))
    with proving():
        found = read(path, typed)
    if PASSPHRASE_VARIABLE not in os.environ:
        _typed[place] = typed
    return found


def passphrase_typed(path: Path) -> str:
    """Return the passphrase that opened a file in this command; empty where none was typed."""
    return _typed.get(str(path.absolute()), "")


def asked(prompt: str) -> str:
    """Ask for a passphrase on the terminal, or take a script's variable; Refused without either."""
    if PASSPHRASE_VARIABLE in os.environ:
        return os.environ[PASSPHRASE_VARIABLE]
    if _nobody_is_asked or not sys.stdin.isatty():
        raise Refused(
            phrase(
                "a passphrase is needed, and there is no terminal to ask at: set {variable}",
                variable=PASSPHRASE_VARIABLE,
            )
        )
    from getpass import getpass

    return getpass(prompt)


def new_passphrase(what: str) -> str:
    """Ask for the passphrase of something new, typed twice; Refused if empty or not the same."""
    typed = asked(tr("passphrase of {what}: ", what=what))
    if not typed:
        raise Refused(phrase("the passphrase must not be empty; nothing was written"))
    if PASSPHRASE_VARIABLE not in os.environ and asked(tr("the same again: ")) != typed:
        raise Refused(phrase("the two passphrases differ; nothing was written"))
    return typed


def signer_for(stream: str, unsigned: Unsigned) -> Signer:
    """Unlock a key that an act has to be signed with; Refused where this machine has none."""
    for holder, public in unsigned.held:
        if holder and (path := official_path(stream, holder, public)).exists():
            return unlocked(path)
        for path in (key_path(LOG, stream), next_log_path(stream)):
            if not holder and path.exists() and (own := unlocked(path)).key.public == public:
                return own
    if not unsigned.held:
        raise unsigned
    way_on = _way_on(unsigned)
    why = phrase(", which is not in {folder} here: {way_on}", folder=str(folder()), way_on=way_on)
    raise Refused(unsigned.problems[0].followed_by(why))


def _way_on(unsigned: Unsigned) -> Phrase:
    """Say how an act goes on whose key is not on this machine."""
    if unsigned.kind == "KeyRegistered":
        return phrase(
            "otherwise two leaders who hold keys must agree to it (`key agree`); if fewer "
            "than two leaders hold a key, add --lost --reason TEXT"
        )
    if unsigned.held[0][0]:
        return phrase(
            "enter it on the computer that has the key; if it is permanently lost, make a new one "
            "with `key new`"
        )
    return phrase("enter it on the computer that has the key")


SEASON = "season"


def season_keys() -> dict[str, Signer]:
    """Read the season keys of this machine, by their verifier keys.

    Raises:
        InvalidLog: a key file is damaged, or others may read it.
    """
    from ledger.proof.notes import vkey

    signers = map(unlocked, sorted(folder().glob(f"{SEASON}-*.key")))
    return {vkey(signer.key): signer for signer in signers}


def season_signer(verifier_key: str) -> Signer:
    """Return the season key with a verifier key; a new key if this machine has no such key."""
    from ledger.proof.notes import SEED_BYTES, signer
    from projections.season.tables.signed_heads import ORIGIN

    if (known := season_keys().get(verifier_key)) is not None:
        return known
    season = outside.draw_id()
    with proving():
        made = signer(ORIGIN + season, os.urandom(SEED_BYTES))
        keep_key(key_path(SEASON, season), made)
    return made
