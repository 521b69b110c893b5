"""Components and prizes: the facts, and what each does to the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.facts import base
from ledger.facts.base import LEADERS, MARSHAL, ORGANIZER, Event, Recording
from ledger.facts.columns import listed
from ledger.facts.shared import Inspected
from ledger.problems import marked, remedy
from ledger.tournament.progress import latest_round, round_in_play
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import Missing

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rulesets import Ruleset

Component = Annotated[str, Meta(min_length=1, max_length=200)]
Damaged = Literal["card", "model", "tool", "other"]
Shared = Literal["ruler", "templates", "tools", "dice"]
ShareAnswer = Literal["granted", "asked", "declined"]
Decided = Literal["third-party", "indicator", "modification", "playmat"]

Verdict = Literal["fine", "replace", "remove"]
PrizeKind = Literal["placing", "participation", "other"]


class ComponentMissing(Event, frozen=True):
    """A player's component is missing, at the beginning of the round or during it (FFG-LOST)."""

    recording = Recording(marked("recording a missing component"), LEADERS, withdrawable=True)

    player: base.Number
    component: Component
    during: bool = False
    essential: bool = True


class ComponentFound(Event, frozen=True):
    """The player's missing component was found or replaced."""

    recording = Recording(
        marked("recording a found component"), LEADERS, instead=remedy("component.missing")
    )

    player: base.Number


class ComponentDamaged(Event, frozen=True):
    """A player's component is damaged (FFG-DAMAGED).

    `impedes`: a model that cannot be played on with. `replaced`: the player had another.
    `modified`: it was changed so that it impedes nothing (SWL-DAMAGED-MINI). `shares`: which tool
    the players share from now on.
    """

    recording = Recording(marked("recording a damaged component"), LEADERS, withdrawable=True)

    player: base.Number
    component: Component
    kind: Damaged
    impedes: bool = False
    replaced: bool = False
    modified: bool = False
    shares: Shared | None = None


class ProxyMade(Event, frozen=True):
    """A leader made a proxy for a damaged card: what cannot be read, and when (FFG-PROXY)."""

    recording = Recording(marked("making a proxy"), LEADERS, withdrawable=True)

    player: base.Number
    card: Component
    illegible: base.Text
    date: base.Day


class ComponentDecided(Event, frozen=True):
    """A marshal allowed a component or ruled it ineligible (FFG-COMPONENT).

    `player` 0: for everyone, or the venue's. `necessary`: the player cannot play without it.
    `genuine`: a playmat that the publisher sells (RW-PLAYMAT).
    """

    recording = Recording(marked("deciding on a component"), MARSHAL, withdrawable=True)

    component: Component
    kind: Decided
    allowed: bool
    player: base.Seat = 0
    necessary: bool = False
    genuine: bool = False
    reason: base.Text = ""


class ComponentsShared(Event, frozen=True):
    """Both sides of a match share components: at a player's request, or by order (FFG-SHARE).

    `answer`: a request may be asked and wait; it is granted, or declined for a reason.
    """

    recording = Recording(marked("ordering components to be shared"), LEADERS, withdrawable=True)

    match: base.Ordinal
    what: Shared
    player: base.Seat = 0
    answer: ShareAnswer = "granted"
    reason: base.Text = ""


class ComponentsInspected(Event, frozen=True):
    """A player's sleeves, cards, dice or tokens were looked at (AOP-COMPONENT, L5R-SLEEVES).

    `asked` is the player who was concerned; 0: a leader looked of themselves. `verdict`: they
    stay, others take their place, or they are taken away.
    """

    recording = Recording(marked("inspecting components"), LEADERS, withdrawable=True)

    player: base.Number
    what: Inspected
    verdict: Verdict = "fine"
    asked: base.Seat = 0
    reason: base.Text = ""


class PrizeOffered(Event, frozen=True):
    """A prize for the ranks from first to last."""

    recording = Recording(
        marked("offering a prize"), ORGANIZER, after_finish=True, withdrawable=True
    )

    prize: Component
    first: base.Number
    last: base.Number


class PrizeAwarded(Event, frozen=True):
    """A player was given a prize (AOP-ORGANIZER, AOP-PARTICIPATION-PRIZE).

    `reason` says why a prize for placing does not follow the final order.
    """

    recording = Recording(
        marked("awarding a prize"), ORGANIZER, after_finish=True, withdrawable=True
    )

    player: base.Number
    prize: Component
    kind: PrizeKind
    reason: base.Text = ""


def _lose(
    tournament: Tournament,
    event: ComponentMissing | ComponentDamaged | ComponentDecided,
    clause: str,
    *,
    seq: int,
    conceded: bool = False,
) -> None:
    round_ = latest_round(tournament)
    number = round_.number if round_ else 0
    is_ruled_out = isinstance(event, ComponentDecided)
    if not is_ruled_out and not round_in_play(tournament):
        number += 1  # between two rounds: it is looked for at the beginning of the next
    tournament.floor.missing[event.player] = Missing(number, event.component, clause, seq, conceded)


def clause_of_loss_in_game(rules: Ruleset) -> str:
    """Return the clause by which a game is conceded for a component missing during it.

    L5R-LOST is of one game. Another game has its own clause of components, or none.
    """
    clause = rules.floor.components.clause
    return rules.without_foreign("L5R-LOST") if clause == "FFG-LOST" else clause


def component_missing(tournament: Tournament, event: ComponentMissing, recorded: Recorded) -> None:
    rules = tournament.ruleset.floor.components
    conceded = event.during and rules.during == "concede"
    _lose(tournament, event, rules.clause, seq=recorded.seq, conceded=conceded)
    tournament.floor.components.append(recorded)


def component_found(tournament: Tournament, event: ComponentFound, recorded: Recorded) -> None:
    if event.player in tournament.floor.missing:
        del tournament.floor.missing[event.player]
    else:
        del tournament.floor.worn[event.player]
    tournament.floor.components.append(recorded)


def component_damaged(tournament: Tournament, event: ComponentDamaged, recorded: Recorded) -> None:
    tournament.floor.components.append(recorded)
    if event.kind == "card":
        tournament.floor.damaged_cards.setdefault(event.player, []).append(event.component)
    elif event.kind == "tool" and not event.replaced:
        tournament.floor.worn.setdefault(event.player, []).append(recorded)
    elif _counts_as_lost(tournament, event):
        model = tournament.ruleset.floor.components.model
        clause = model.clause if event.kind == "model" else "FFG-DAMAGED"
        _lose(tournament, event, clause, seq=recorded.seq)


def _counts_as_lost(tournament: Tournament, event: ComponentDamaged) -> bool:
    """Whether nothing replaces it, and it is not of those that are played on without."""
    if event.replaced or event.modified:
        return False
    model = tournament.ruleset.floor.components.model
    return event.kind == "other" or (event.impedes and model.impedes != "kept")


def component_decided(tournament: Tournament, event: ComponentDecided, recorded: Recorded) -> None:
    tournament.floor.components.append(recorded)
    if event.necessary:
        _lose(tournament, event, "FFG-INELIGIBLE", seq=recorded.seq)


def undo_component_missing(
    tournament: Tournament,
    event: ComponentMissing | ComponentDamaged | ComponentDecided,
    recorded: Recorded,
) -> None:
    floor = tournament.floor
    floor.components.remove(recorded)
    lost = floor.missing.get(event.player)
    if lost is not None and lost.seq == recorded.seq:
        del floor.missing[event.player]
    if isinstance(event, ComponentDamaged) and event.kind == "card":
        _undamaged(floor.damaged_cards, event)
    if recorded in (worn := floor.worn.get(event.player, [])):
        worn.remove(recorded)
        if not worn:
            del floor.worn[event.player]


def _undamaged(cards: dict[int, list[str]], event: ComponentDamaged) -> None:
    cards[event.player].remove(event.component)
    if not cards[event.player]:
        del cards[event.player]


undo_component_damaged = undo_component_decided = undo_component_missing
components_inspected, undo_components_inspected = listed("components")
proxy_made, undo_proxy_made = components_shared, undo_components_shared = listed("components")
prize_offered, undo_prize_offered = prize_awarded, undo_prize_awarded = listed("prizes")
