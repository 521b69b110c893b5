"""What a missing, damaged or ineligible component forbids; what a proxy and a prize need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.events.components import (
    ComponentDamaged,
    ComponentDecided,
    ComponentFound,
    ComponentMissing,
    ComponentsShared,
    PrizeAwarded,
    PrizeOffered,
    ProxyMade,
)
from ledger.tournament.progress import find_player, not_played, open_match_of, round_in_play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ledger.events import Event
    from ledger.events.results import Result
    from ledger.tournament.state import Match, Tournament

GIVEN_UP = frozenset({"concession", "departure", "no-show"})


def result_allowed(tournament: Tournament, match: Match, result: Result) -> Iterator[str]:
    """Yield where a match must be conceded: a component is missing (FFG-LOST, L5R-LOST)."""
    missing = {
        player: lost.component
        for player in match.players
        if (lost := tournament.floor.missing.get(player)) and lost.round == match.round
    }
    if not missing or tournament.importing:
        return
    letters = [tournament.letters.get(outcome) for outcome in result.outcomes]
    conceding = {p for p, letter in zip(match.players, letters, strict=True) if letter == "L"}
    if result.manner not in GIVEN_UP or not conceding & missing.keys():
        player, component = next(iter(missing.items()))
        yield (
            f"player {player} misses {component}: that game is conceded, unless it is found "
            "(FFG-LOST)"
        )


def may_be_paired(
    tournament: Tournament, number: int, games: Iterable[tuple[int, ...]]
) -> Iterator[str]:
    """Yield who is removed, not paired: a component is missing since an earlier round."""
    if tournament.importing or not tournament.floor.missing:
        return
    for player in sorted(player for game in games for player in game if player):
        lost = tournament.floor.missing.get(player)
        if lost is not None and lost.round < number:
            yield (
                f"player {player} still misses {lost.component}: found, or removed with a drop "
                f"for `component` ({lost.clause})"
            )


def _is_playing(tournament: Tournament, player: int) -> Iterator[str]:
    known = find_player(tournament, player)
    if known is None or known.status != "active":
        yield f"player {player} does not play on"


def _missing(tournament: Tournament, event: ComponentMissing) -> Iterator[str]:
    rules = tournament.ruleset.floor.components
    yield from _is_playing(tournament, event.player)
    if round_in_play(tournament) is None:
        yield "no round is in play"
    elif event.during and open_match_of(tournament, event.player) is None:
        yield f"player {event.player} is not in a game"
    if event.player in tournament.floor.missing:
        yield f"player {event.player} misses a component already"
    if rules.essential_only and not event.essential:
        yield f"only an essential component counts as lost ({rules.clause})"


def _found(tournament: Tournament, event: ComponentFound) -> Iterator[str]:
    lost = tournament.floor.missing.get(event.player)
    if lost is None:
        yield f"player {event.player} misses nothing"
    elif lost.conceded and open_match_of(tournament, event.player) is not None:
        yield "a component found missing during a game: that game is conceded (L5R-LOST)"


def _damaged(tournament: Tournament, event: ComponentDamaged) -> Iterator[str]:
    yield from _is_playing(tournament, event.player)
    if event.kind != "card" and not tournament.ruleset.floor.components.damaged:
        yield f"{tournament.ruleset.key} rules on damaged cards alone (FFG-PROXY)"
    if event.impedes and event.kind != "model":
        yield "a model may impede play, nothing else (FFG-DAMAGED)"
    if round_in_play(tournament) is None and event.kind != "card":
        yield "no round is in play"


def _proxy(tournament: Tournament, event: ProxyMade) -> Iterator[str]:
    yield from _is_playing(tournament, event.player)
    if event.card not in tournament.floor.damaged_cards.get(event.player, ()):
        yield f"player {event.player} has no damaged {event.card}: no proxy (FFG-PROXY-ONLY)"
    if not event.illegible.strip():
        yield "say what cannot be read on the card (FFG-PROXY)"


def _decided(tournament: Tournament, event: ComponentDecided) -> Iterator[str]:
    if event.player:
        yield from _is_playing(tournament, event.player)
    if event.kind == "playmat" and event.player and event.allowed and not event.genuine:
        yield "a player's own mat is an official one; a venue's need not be (RW-PLAYMAT)"
    if event.necessary and not (event.player and not event.allowed):
        yield "necessary is what one player may not use (FFG-INELIGIBLE)"
    elif event.necessary and not tournament.ruleset.floor.components.damaged:
        yield f"{tournament.ruleset.key} drops nobody for a component (FFG-INELIGIBLE)"


def _shared(tournament: Tournament, event: ComponentsShared) -> Iterator[str]:
    match = tournament.matches[event.match] if event.match < len(tournament.matches) else None
    if not tournament.ruleset.floor.components.damaged:
        yield f"{tournament.ruleset.key} shares no components (FFG-SHARE)"
    elif match is None or not match.is_open:
        yield not_played(tournament, event.match)
    elif event.player and event.player not in match.players:
        yield f"player {event.player} does not sit at {match.round}/{match.table} (FFG-SHARE)"


def _offered(_: Tournament, event: PrizeOffered) -> Iterator[str]:
    if event.last < event.first:
        yield f"ranks {event.first} to {event.last} are none"


def _awarded(tournament: Tournament, event: PrizeAwarded) -> Iterator[str]:
    player = find_player(tournament, event.player)
    if player is None or player.status == "withdrawn":
        yield f"player {event.player} is not in the event"
    elif event.kind == "placing" and player.status == "disqualified":
        yield f"player {event.player} is disqualified and has no place (FFG-AUTH-DQ)"
    elif event.kind == "placing" and event.player in without_placing_prize(tournament):
        yield (
            "the organizer who plays takes no prize for placing: it passes to the next rank "
            "(AOP-ORGANIZER)"
        )


def without_placing_prize(tournament: Tournament) -> set[int]:
    """The players whose prize for placing passes down: the playing organizer (AOP-ORGANIZER)."""
    if tournament.ruleset.floor.authority.placing_prize == "kept":
        return set()
    return {
        each.player for each in tournament.officials if each.player and "organizer" in each.roles
    }


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    ComponentMissing: _missing,
    ComponentFound: _found,
    ComponentDamaged: _damaged,
    ProxyMade: _proxy,
    ComponentDecided: _decided,
    ComponentsShared: _shared,
    PrizeOffered: _offered,
    PrizeAwarded: _awarded,
}
