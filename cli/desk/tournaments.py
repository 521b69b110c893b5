"""Which tournaments a store holds, and the one that a person means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from cli.input.find_people import plain
from cli.terminal.visible import in_quotes, short_id, shortened, visible
from ledger.errors import InvalidLog, LedgerError, NotFound, OtherWire, StoreUnavailable
from ledger.lines.line import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import Store

NAME_CELLS = 40


class ListedTournament(Struct, frozen=True):
    """A tournament as its first line has it."""

    stream: str
    name: str
    date: str
    ruleset: str
    format: str = ""


def listed_tournaments(store: Store) -> list[ListedTournament]:
    """List the tournaments of a store, in the order of their opening."""
    return [_first_line(store, stream) for stream in store.streams() if store.size(stream)]


def find_stream(store: Store, named: str, in_hand: str) -> str:
    """Find the tournament named with -t, else in hand, else the only one; NotFound lists all."""
    if named:
        return find_named(store, named)
    if in_hand and store.size(in_hand):
        return in_hand
    streams = store.streams()
    if len(streams) == 1:
        return streams[0]
    if not streams:
        raise NotFound(f"{store.where} holds no tournament yet: `tourney new` opens one")
    raise NotFound(
        f"{store.where} holds {len(streams)} tournaments: name one with -t, or take it in hand "
        f"with `tourney use`: {_listed(listed_tournaments(store))}"
    )


def find_named(store: Store, words: str) -> str:
    """Find a tournament by its id's beginning or part of its name; NotFound lists several."""
    if store.size(words.lower()):
        return words.lower()
    known = listed_tournaments(store)
    sought = plain(words)
    for found in (
        [each for each in known if plain(each.name) == sought],
        [each for each in known if each.stream.startswith(words.lower())],
        [each for each in known if sought in plain(each.name)],
    ):
        if len(found) == 1:
            return found[0].stream
        if found:
            raise NotFound(f"{in_quotes(words)} could be {_listed(found)}")
    raise NotFound(f"no tournament {in_quotes(words)} in {store.where}: {_listed(known) or 'none'}")


def _first_line(store: Store, stream: str) -> ListedTournament:
    from ledger.events.opening import TournamentOpened

    entries = store.entries(stream, 0, 1)
    try:
        opening = decode(entries[0][1]).event
    except OtherWire:
        return ListedTournament(stream, "?", "", "")  # its own release lists it
    except (IndexError, InvalidLog) as error:
        raise _damaged(
            store, stream, f"the first {f'cannot be read ({error})' if entries else 'is missing'}"
        ) from None
    if not isinstance(opening, TournamentOpened):
        return ListedTournament(stream, "?", "", "")
    format_ = opening.format.key if opening.format else ""
    return ListedTournament(stream, opening.name, opening.date, opening.ruleset.key, format_)


def changes(store: Store) -> Iterator[str]:
    """Say of which tournaments the lines are not as many as listed, or not as they were signed."""
    from cli.machine.last_heads import known

    for stream in store.streams():
        size, lines = store.size(stream), None
        try:
            heads = known(stream)
            lines = store.lines(stream)
            heads.hold(lines, store.where, quickly=True)
        except LedgerError as error:
            yield f"tournament {short_id(stream)}: {error}"
        lines = store.lines(stream) if lines is None else lines
        if len(lines) < size:
            yield str(_damaged(store, stream, f"{size - len(lines)} of its {size} are missing"))


def _damaged(store: Store, stream: str, what: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"the store at {store.where} is damaged: of tournament {short_id(stream)}'s events {what}; "
        "restore the newest backup into a new store"
    )


def _listed(known: list[ListedTournament]) -> str:
    shown = [
        f"{shortened(visible(each.name), NAME_CELLS)} ({short_id(each.stream)})"
        for each in known[:8]
    ]
    if len(known) > len(shown):
        shown.append(f"{len(known) - len(shown)} more")
    return ", ".join(shown)
