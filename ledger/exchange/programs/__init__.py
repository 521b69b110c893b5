"""Files of other programs: which kind a file is, and its reader.

nrtm.py            Netrunner events of Cobra and AesopsTables; nrtm_members.py: their members
listfortress.py    X-Wing events as ListFortress gives them
melee.py           Magic events as collectors of results keep them
trf.py             chess: FIDE's report files, TRF16 and TRF26
go.py              go: h9, as the European Go Federation takes it, and the XML of OpenGotha
writing.py         every form that is written
building.py        bounds, JSON, rounds and crosstables, which the readers share
programs.toml      the ruleset of each kind, where nobody names another; nrtm.toml: that of NRTM
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ledger.errors import InvalidLog
from ledger.exchange.own_record import CHANGED, named, own_event, taken
from ledger.exchange.programs import go, listfortress, melee, trf
from ledger.exchange.programs.building import decoded
from ledger.exchange.programs.trf import is_trf
from ledger.rulesets import text_of
from ledger.rulesets.toml_files import Key, Part, TomlFiles

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignTournament

SNIFFED = 60_000
"""How many bytes show what a file of text is."""


class _Games(Part, frozen=True):
    """The ruleset of each kind of file."""

    rulesets: dict[Key, Key]


_FILES = TomlFiles("rulesets of files", _Games, 4_000, Path(__file__).parent)


def program_of(data: bytes) -> str:
    """Return the kind of another program's file; empty for none of these."""
    beginning = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning.startswith(b"{"):
        try:
            raw = decoded(data)
        except InvalidLog:
            return ""
        if listfortress.is_listfortress(raw):
            return listfortress.KIND
        return melee.KIND if melee.is_melee(raw) else ""
    text = data[:SNIFFED].decode("utf-8-sig", "replace")
    for kind, is_kind in (
        (go.OPENGOTHA, go.is_opengotha),
        (trf.KIND, is_trf),
        (go.H9, go.is_h9),
    ):
        if is_kind(text):
            return kind
    return ""


def read_program(
    kind: str, data: bytes, ruleset: str = "", name: str = "", day: str = ""
) -> ForeignTournament:
    """Read a file of a kind, by the ruleset's whole text or else by the one of its game.

    A file that this program wrote has a record of the event, which is read unless a ruleset is
    named.

    Raises:
        InvalidLog: everything that is wrong, by its place in the file.
    """
    reader = {
        listfortress.KIND: listfortress.read_listfortress,
        melee.KIND: melee.read_melee,
        trf.KIND: trf.read_trf,
        go.H9: go.read_h9,
        go.OPENGOTHA: go.read_opengotha,
    }[kind]
    own = None if ruleset else own_event(data)
    if own is not None and own.event is not None:
        try:
            plain = reader(data, own.event.ruleset, name, day)
        except InvalidLog:
            plain = None  # as an elimination alone, for which these formats have no place
        return named(taken(own.event, kind, data, plain), name, day)
    ruleset = ruleset or text_of(_FILES.parse(_FILES.text_of("programs")).rulesets[kind])
    found = reader(data, ruleset, name, day)
    return found if own is None else replace(found, notes=(CHANGED, *found.notes))
