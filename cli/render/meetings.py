"""Why two players met, and why one had the bye, in words and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from cli.input.find_people import labelled, name_of
from cli.render.trees import Sources, listed
from cli.terminal.counting import amount_of, how_many
from ledger.books.moments import events_of
from ledger.events.rounds import PlayersSeated, RoundPaired, SeatsSwapped, TablesRepaired
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.books.book import Book
    from projections.explain.pairings import Meeting, PairedSide
    from projections.explain.round_draws import Bye, PairingLog, Reseating, RoundDraw

NOBODY = ": nobody"


def log_of(book: Book, sources: Sources) -> PairingLog:
    """What the readings of a pairing need of a book."""
    from projections.explain.round_draws import PairingLog

    def paired(seq: int) -> RoundPaired:
        event = sources.recorded(seq).event
        assert isinstance(event, RoundPaired)  # noqa: S101 - a round knows its pairing
        return event

    swaps: list[tuple[int, Reseating]] = []
    swaps += ((recorded.seq, swap) for recorded, swap in events_of(SeatsSwapped, book.lines))
    swaps += ((recorded.seq, done) for recorded, done in events_of(TablesRepaired, book.lines))
    swaps += ((recorded.seq, done) for recorded, done in events_of(PlayersSeated, book.lines))
    return PairingLog(book.at, paired, sorted(swaps, key=itemgetter(0)))


def meeting_as_json(found: Meeting, sources: Sources) -> dict[str, object]:
    """Make a meeting for scripts; null where there is no seed, game or repair."""
    made: dict[str, object] = msgspec.to_builtins(found)
    return made | {
        "seeds": [seed or None for seed in found.seeds],
        "from_games": [game or None for game in found.from_games],
        "repaired": found.repaired or None,
        "names": [name_of(sources.tournament, player) for player in found.players],
        "event": sources.as_json(found.drawn.seq),
    }


def bye_as_json(found: Bye, sources: Sources) -> dict[str, object]:
    """Make a bye for scripts; the `rank` of a candidate is null where nothing ranked them."""
    made: dict[str, object] = msgspec.to_builtins(found)
    order = [msgspec.to_builtins(each) | {"rank": each.rank or None} for each in found.order]
    name = name_of(sources.tournament, found.player)
    return made | {"order": order, "name": name, "event": sources.as_json(found.drawn.seq)}


def meeting_in_words(found: Meeting, sources: Sources) -> Iterator[tuple[int, str]]:
    """Yield what there is to say of a meeting, each with the level that it stands at."""
    tournament = sources.tournament
    first, second = (labelled(tournament, player) for player in found.players)
    yield 0, f"{found.drawn.round}/{found.table}: {first} against {second}"
    yield from _drawn(found.drawn, sources, by_hand=found.by_hand, swapped=found.swapped)
    if not found.sides:
        yield from _in_bracket(found, tournament)
        return
    if found.repaired:
        yield 1, f"the seats are those of event {found.repaired}; by what was known then:"
    for side in found.sides:
        yield from _side(side, tournament)
    groups = how_many(found.steps, "score group")
    apart = f"they stood {groups} apart: one floats" if found.steps else "one score group"
    clause = "FFG-SWISS-LATER" if found.drawn.round > 1 else "FFG-SWISS-FIRST"
    clause = tournament.ruleset.cites(clause)
    yield 1, f"{apart} ({clause})"
    yield from _before(found)
    if found.least_gap is None:
        yield 1, f"gap of the round {found.gap}; no round without a rematch exists ({found.clause})"
    else:
        least = "the least" if found.gap == found.least_gap else f"the least is {found.least_gap}"
        yield 1, f"gap of the round {found.gap}: of all legal rounds {least}"


def _before(found: Meeting) -> Iterator[tuple[int, str]]:
    """What the two had to do with each other before."""
    first, second = found.sides
    if second.player in first.met:
        yield 1, f"they had met before ({found.clause})"
    elif found.rematch:
        yield 1, f"they had been paired before, and nobody played ({found.clause})"
    elif found.paired_again:
        unplayed = "they had been paired before, and nobody played"
        yield 1, f"{unplayed}; no round was without such a pairing ({found.clause})"


def _side(side: PairedSide, tournament: Tournament) -> Iterator[tuple[int, str]]:
    group = f"score group {side.group}, {how_many(side.group_size, 'player')}"
    points = tournament.ruleset.scoring.shown(side.points)
    yield 1, f"{labelled(tournament, side.player)}: {amount_of(points, 'point')}, {group}"
    yield 2, f"had met{listed(side.met, tournament) or NOBODY}"
    if side.paired:
        yield 2, f"had been paired, without a game, with{listed(side.paired, tournament)}"
    yield 2, f"of the group, not yet met{listed(side.could_meet, tournament) or NOBODY}"


def _in_bracket(found: Meeting, tournament: Tournament) -> Iterator[tuple[int, str]]:
    for player, seed, game in zip(found.players, found.seeds, found.from_games, strict=True):
        came = f"the winner of game {game} of the round before" if game else "here at once"
        seeded = f"seed {seed}, " if seed else ""
        yield 1, f"{labelled(tournament, player)}: {seeded}{came}"
    clause = "FFG-ELIM-NEXT" if any(found.from_games) else "FFG-ELIM-CUT"
    clause = tournament.ruleset.cites(clause)
    yield 1, f"the bracket says who meets whom ({clause})"


def _drawn(
    drawn: RoundDraw, sources: Sources, *, by_hand: bool, swapped: bool
) -> Iterator[tuple[int, str]]:
    yield 1, sources.in_words(drawn.seq)
    if by_hand:
        yield 1, "set by the organizer's hand"
    else:
        yield 1, f"drawn by {drawn.procedure}, attempt {drawn.attempt} at round {drawn.round}"
    for seq in drawn.swaps if swapped else ():
        yield 1, sources.in_words(seq)


def bye_in_words(found: Bye, sources: Sources) -> Iterator[tuple[int, str]]:
    """Yield what there is to say of a bye, each with the level that it stands at."""
    tournament = sources.tournament
    yield 0, f"the bye of round {found.drawn.round}: {labelled(tournament, found.player)}"
    yield from _drawn(found.drawn, sources, by_hand=found.by_hand, swapped=found.swapped)
    cites = tournament.ruleset.cites
    if not found.order:
        yield 1, f"the bracket left the other seat empty ({cites('FFG-ELIM-NEXT')})"
        return
    if not found.ranked and found.by_hand:
        yield 1, f"nothing ranked the players yet ({cites('FFG-BYE-FIRST')})"
        return
    if not found.ranked:
        by = cites("FFG-BYE-FIRST")
        yield 1, f"nothing ranked the players yet: drawn at random ({by})"
    else:
        yield 1, f"the fewest byes, then the lowest rank first ({cites('FFG-BYE-LATER')}):"
    for each in found.order:
        rank = f"rank {each.rank}, " if each.rank else ""
        byes = f"{how_many(each.byes, 'bye')} before"
        passed = ": passed over, no legal round was left" if each.passed_over else ""
        yield 2, f"{labelled(tournament, each.player)}: {rank}{byes}{passed}"
