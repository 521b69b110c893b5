"""The players of an NRTM/Cobra file, by the id that its rounds call them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import InvalidLog
from ledger.events.base import PLAYERS_MAX
from ledger.exchange.foreign import ForeignPlayer
from ledger.files.access import one_line

if TYPE_CHECKING:
    from ledger.exchange.nrtm.document import Key, NrtmDocument, NrtmPlayer

TEXT_MAX = 1_000
"""The longest name or identity, in characters."""


def key_of(key: Key) -> str:
    """Return an id as text, so that 17 and "17" are one; "" for nobody."""
    return "" if key is None else str(key)


def players_of(document: NrtmDocument) -> tuple[ForeignPlayer, ...]:
    """Return everybody in the file's order, those who are only in the cut last.

    The published ranks become one row from 1 without gaps or ties; players without one come last.

    Raises:
        InvalidLog: two have one id, a text is too long, or there are too many players.
    """
    listed = document.players or []
    if len(listed) > PLAYERS_MAX:
        raise InvalidLog(f"{len(listed):,} players are too many: a log holds {PLAYERS_MAX:,}")
    for place, player in enumerate(listed, start=1):
        for text in filter(None, (player.name, player.corp_identity, player.runner_identity)):
            if len(text) > TEXT_MAX:
                why = f"a text of more than {TEXT_MAX:,} characters"
                raise InvalidLog(f"player {place} has {why}")
    keys = _keys(listed)
    found = [(key, one.name, one.rank, _sides(one)) for key, one in zip(keys, listed, strict=True)]
    known = set(keys)
    for qualifier in document.elimination_players or []:
        key = key_of(qualifier.id)
        if key and key not in known:
            known.add(key)
            found.append((key, qualifier.name, None if listed else qualifier.seed, {}))
    ranked = sorted(range(len(found)), key=lambda at: (found[at][2] is None, found[at][2] or 0))
    ranks = {place: rank for rank, place in enumerate(ranked, start=1)}
    return tuple(
        ForeignPlayer(key, name or f"player {place + 1}", ranks[place], sides)
        for place, (key, name, _, sides) in enumerate(found)
    )


def _keys(listed: list[NrtmPlayer]) -> list[str]:
    """Return one key each; a player without an id is in no round, and gets a key of its own."""
    keys: list[str] = []
    places: dict[str, int] = {}
    for place, player in enumerate(listed, start=1):
        key = key_of(player.id) or f"\0{place}"
        if key in places:
            raise InvalidLog(f"players {places[key]} and {place} have one id, {one_line(key)}")
        places[key] = place
        keys.append(key)
    return keys


def _sides(player: NrtmPlayer) -> dict[str, str]:
    sides = {"corp": player.corp_identity, "runner": player.runner_identity}
    return {side: identity for side, identity in sides.items() if identity}
