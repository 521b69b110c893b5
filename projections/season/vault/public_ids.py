"""Public ids in registrations: labels that are ids, and the entrants of a log for a vault.

A public id, as a FIDE id or an EGF PIN, is printed in rating lists: it identifies a person as a
name does. No row of a season holds one. A league's vault turns an id into a pseudonym with its
secret key; without a vault, who has only a public id is a guest of each tournament.

Imports write an id as a label (`fide id` of a TRF), or, for go, as the league id. A label that an
organizer typed in a sheet counts as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from ledger.tournament.state import Player, Tournament


class _LeagueIds(Struct, frozen=True, forbid_unknown_fields=True):
    """Files and rulesets in which league ids are public ids, with their kind."""

    kind: str
    files: frozenset[str]
    rulesets: frozenset[str]


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """The kinds of ids: the labels and the form of each."""

    labels: dict[str, tuple[str, ...]]
    forms: dict[str, str]
    league_ids: _LeagueIds


_TABLE = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_text("utf-8"), type=_Table)

KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(_TABLE.labels)
"""Labels of each kind of id; the first kind that an entrant has gives the pseudonym."""

_NO_LETTER = re.compile(r"[\W_]+")
_KIND_OF = MappingProxyType(
    {_NO_LETTER.sub("", label): kind for kind, labels in KINDS.items() for label in labels}
)
_ORDER = MappingProxyType({kind: place for place, kind in enumerate(KINDS)})
_ANY_ID = re.compile(r"(?:^|[\W_])(?:id|pin|uid|uuid|account|login|username)[\W_]*$")
"""End of a label for an id of an unknown kind, which is left out and joins no entrants."""

_FORMS = MappingProxyType({kind: re.compile(form) for kind, form in _TABLE.forms.items()})
_NO_ID = frozenset(("none", "na", "nil", "null", "unknown", "no", "nan"))

ID_MAX = 128
"""Maximum characters of a public id."""

NAME_MAX = 200
"""Maximum characters that a vault keeps of a name or a region."""

_REGIONS = ("federation", "country", "region", "club")
"""Labels for the region of a player, the most exact first."""


@lru_cache(maxsize=4_096)
def kind_of(label: str) -> str:
    """Return the kind of id that a label holds; empty for any other label."""
    return _KIND_OF.get(_NO_LETTER.sub("", normalize("NFKC", label).casefold()), "")


@lru_cache(maxsize=4_096)
def is_id(label: str) -> bool:
    """Return whether a label holds an id, of a known kind or another: no season has its value."""
    return bool(kind_of(label)) or _ANY_ID.search(normalize("NFKC", label).casefold()) is not None


def read_id(kind: str, written: str) -> str:
    """Return an id in the form that is compared; empty if the text is not an id of that kind."""
    if len(written) > ID_MAX:
        return ""
    plain = "".join(normalize("NFKC", written).casefold().split())
    bare = _NO_LETTER.sub("", plain)
    if not bare.strip("0") or bare in _NO_ID or not plain.isprintable() or len(plain) > ID_MAX:
        return ""
    form = _FORMS.get(kind)
    return plain if form is None or form.fullmatch(plain) else ""


class LogEntry(Struct, frozen=True, gc=False):
    """Entrant of a log, for the league's vault; ids are (kind, id), in order.

    `joins`: the first id may give the pseudonym, since no other entrant of the tournament has it.
    The name is empty if it is sealed or forgotten, or the registration was withdrawn.
    """

    player: int
    league_id: str
    name: str
    game: str
    region: str
    day: str
    ids: tuple[tuple[str, str], ...]
    joins: bool


def league_ids_are_public(tournament: Tournament) -> bool:
    """Return whether a log's league ids are public ids, as those of files of go programs are."""
    opening = tournament.opening
    imported = opening.imported if opening is not None else None
    return imported is not None and imported.kind in _TABLE.league_ids.files


def league_id_of(tournament: Tournament, player: Player) -> str:
    """Return the league's pseudonym that a log has for a player, or an empty text.

    A PIN in a log of go is not a pseudonym.
    """
    if not player.league_id or league_ids_are_public(tournament):
        return ""
    opening = tournament.opening
    may_be = opening is not None and opening.ruleset.key in _TABLE.league_ids.rulesets
    form = _FORMS[_TABLE.league_ids.kind]
    return "" if may_be and form.fullmatch(player.league_id) else player.league_id


def labels_of(player: Player) -> dict[str, str]:
    """Return a player's labels without those that hold an id."""
    if not player.attributes:
        return player.attributes
    return {label: text for label, text in player.attributes.items() if not is_id(label)}


def entries_of(tournament: Tournament, names: Mapping[str, str] | None = None) -> list[LogEntry]:
    """Return every entrant of a log, withdrawn ones included, with names and ids.

    `names` are by person, as p7; without them, those that the log itself was read with.
    """
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - a checked log begins with it
    names_of = tournament.names if names is None else names
    players = tournament.players[1:]
    ids = {player.number: tuple(_ids_of(tournament, player)) for player in players}
    counts = Counter(
        ids[player.number][0]
        for player in players
        if ids[player.number] and player.status != "withdrawn"
    )
    return [
        LogEntry(
            player.number,
            league_id_of(tournament, player),
            "" if player.status == "withdrawn" else _name(names_of.get(f"p{player.number}", "")),
            opening.ruleset.key,
            _region(player),
            opening.date,
            ids[player.number],
            bool(ids[player.number]) and counts[ids[player.number][0]] <= 1,
        )
        for player in players
    ]


def _ids_of(tournament: Tournament, player: Player) -> Iterator[tuple[str, str]]:
    """Yield the ids of a player, one of each kind, in the order of the kinds."""
    ids: dict[str, str] = {}
    if player.league_id and not league_id_of(tournament, player):
        kind = _TABLE.league_ids.kind
        ids[kind] = read_id(kind, player.league_id)
    for label, text in player.attributes.items():
        if kind := kind_of(label):
            ids[kind] = ids.get(kind) or read_id(kind, text)
    for kind in sorted(ids, key=_ORDER.__getitem__):
        if ids[kind]:
            yield kind, ids[kind]


_PLACEHOLDER = re.compile(r"(?:player|official) \d+ \(name [a-z]+\)|forgotten o?\d+|\([a-z]+\)")


def _name(written: str) -> str:
    """Return a name on one line, without controls; empty if the text only replaces a name."""
    text = "".join(letter if letter.isprintable() else " " for letter in written)
    name = " ".join(text.split())[:NAME_MAX]
    return "" if _PLACEHOLDER.fullmatch(name) else name


def _region(player: Player) -> str:
    for label in _REGIONS:
        if text := player.attributes.get(label, ""):
            return _name(text)
    return ""


def plain_name(written: str) -> str:
    """Return the normalised name: "Lee, Ann" and "ANN LEE" are "ann lee"."""
    last, comma, first = written.partition(",")
    text = f"{first} {last}" if comma and first.strip() else written
    apart = normalize("NFKD", text.casefold())
    return " ".join(
        _NO_LETTER.sub(" ", "".join(letter for letter in apart if not combining(letter))).split()
    )


def public_league_ids() -> tuple[list[str], list[str], str]:
    """Return the files and rulesets whose league ids are public ids, and the form of such an id."""
    where = _TABLE.league_ids
    return sorted(where.files), sorted(where.rulesets), _TABLE.forms[where.kind]


def id_labels(labels: Iterable[str]) -> list[str]:
    """List the labels that hold an id, of those that rows made elsewhere have."""
    return [label for label in labels if is_id(label)]
