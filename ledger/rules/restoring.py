"""Acts of players that phones keep, and enter again if they are not in this copy of the log.

An act comes as its lines, and with the line of the act that it answers: a confirmation has that of
the report. The act lands only if the same event is in this log. It replaces nothing: where
something else is on record now, people decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import structs

from ledger.errors import Refused
from ledger.facts.disputes import ResultConfirmed, ResultDisputed
from ledger.facts.lists import ListSubmitted
from ledger.facts.people import PlayerDropped
from ledger.facts.results import ResultReported
from ledger.facts.rounds import CheckedIn
from ledger.facts.shared import JudgeCalled, RegistrationAsked
from ledger.facts.undo import ActWithdrawn
from ledger.lines.line import read
from ledger.lines.sealing import changed
from ledger.problems import marked, problem
from ledger.proof.ciphers import SEALED
from ledger.rules.command import Command, Context, match_of, registered_player
from ledger.rules.disputes import Appeal
from ledger.rules.references import table_of
from ledger.tournament import disputes
from ledger.tournament.progress import check_in_now

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.lines.sealing import Place
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import Claim

LEFT_OUT = "not kept on the player's phone"
"""Text that replaces a sealed one: phones keep no names, and a text may contain one."""


class ActAgain(Command, frozen=True):
    """Enter a player's act with the words of its lines, after an older copy was restored.

    `answers` is the line of the act that it answers, if it answers one. What is so already is left
    out.
    """

    lines: tuple[str, ...]
    answers: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        answered = read(self.answers.encode()) if self.answers else None
        for line in self.lines:
            event = changed(read(line.encode()).event, _without_seal)
            yield from KEPT[type(event)].again(tournament, event, answered)


def _without_seal(_: Place, text: str) -> str:
    return LEFT_OUT if text.startswith(SEALED) else text


def place_of(tournament: Tournament, recorded: Recorded) -> int:
    """Return the place in this log of an event of another copy, by its id; 0 without one."""
    command_id, _, number = recorded.id.partition(".")
    first = tournament.ids.get(command_id, 0)
    return first + int(number or 0) if first else 0


def _report(tournament: Tournament, event: ResultReported, _: Recorded | None) -> Iterator[Event]:
    match = match_of(tournament, event.match)
    claim = disputes.current_claim(tournament, match)
    if claim is None:
        yield event
    elif claim.result != event.result:
        text = marked("{table} has another result now (event {event})")
        raise Refused(problem("result.another_now", text, table=table_of(match), event=claim.seq))


def _confirm(
    tournament: Tournament, event: ResultConfirmed, answered: Recorded | None
) -> Iterator[Event]:
    claim = _answered_claim(tournament, event.match, answered)
    if not disputes.has_confirmed(tournament, event.match, event.player):
        yield structs.replace(event, confirms=claim.seq)


def _dispute(
    tournament: Tournament, event: ResultDisputed, answered: Recorded | None
) -> Iterator[Event]:
    claim = _answered_claim(tournament, event.match, answered)
    standing = disputes.dispute_of(tournament, event.match)
    if standing is None or not disputes.is_repeated(standing, event.player, event.claim):
        yield structs.replace(event, disputes=claim.seq)


def _answered_claim(tournament: Tournament, number: int, answered: Recorded | None) -> Claim:
    """Return the claim of a match, if it is the report that an act answers."""
    match = match_of(tournament, number)
    claim = disputes.current_claim(tournament, match)
    place = place_of(tournament, answered) if answered else 0
    result = getattr(answered.event, "result", None) if answered else None
    if claim is None or claim.seq != place or claim.result != result:
        text = marked("the report that this act answers is not the result of {table} here")
        raise Refused(problem("again.other_report", text, table=table_of(match)))
    return claim


def _withdraw(
    tournament: Tournament, event: ActWithdrawn, answered: Recorded | None
) -> Iterator[Event]:
    place = place_of(tournament, answered) if answered else 0
    undone = tournament.withdrawable.get(place)
    if answered is None or undone is None or not _is_same(undone, answered.event):
        raise Refused(problem("again.nothing", "what this act undoes is not in this log"))
    yield ActWithdrawn(place, event.reason)


def _is_same(event: Event, twin: Event) -> bool:
    """Return whether two events say the same; what they refer to may have moved."""
    members = ("match", "player", "result", "claim")
    return type(event) is type(twin) and all(
        getattr(event, name, None) == getattr(twin, name, None) for name in members
    )


def _appeal(tournament: Tournament, event: Any, answered: Recorded | None) -> Iterator[Event]:  # noqa: ANN401
    place = place_of(tournament, answered) if answered else 0
    ruling, appealed = tournament.floor.ruling(place), answered.event if answered else None
    members = "match", "player", "official", "decides"
    if ruling is None or any(
        getattr(ruling.made, name) != getattr(appealed, name, None) for name in members
    ):
        raise Refused(
            problem("again.other_ruling", "the ruling that it appeals is not in this log")
        )
    if not (
        disputes.is_appealed(ruling) and event.player in {ruling.appellant, ruling.made.player}
    ):
        yield structs.replace(event, ruling=place)


def _drop(tournament: Tournament, event: PlayerDropped, _: Recorded | None) -> Iterator[Event]:
    if registered_player(tournament, event.player).status == "active":
        yield event


def _check_in(tournament: Tournament, event: CheckedIn, _: Recorded | None) -> Iterator[Event]:
    check_in = check_in_now(tournament)
    if not (check_in and event.player in check_in.present):
        yield event


def _list(tournament: Tournament, event: ListSubmitted, _: Recorded | None) -> Iterator[Event]:
    submitted = tournament.lists.get(event.player)
    if submitted is None or (submitted.text, submitted.hidden) != (event.text, event.hidden):
        yield event


def _claim_seq(tournament: Tournament, number: int) -> int:
    match = tournament.matches[number]
    claim = None if match.void else disputes.current_claim(tournament, match)
    return claim.seq if claim else 0


def _is_confirmed(tournament: Tournament, event: ResultConfirmed, seq: int) -> bool:
    claims = tournament.floor.confirmed.get(event.match, ())
    is_said = any(claim.seq == seq for claim in claims)
    return is_said and _claim_seq(tournament, event.match) == event.confirms


def _is_disputed(tournament: Tournament, _: ResultDisputed, seq: int) -> bool:
    return any(dispute.seq == seq and not dispute.closed for dispute in tournament.floor.disputes)


def _is_appealed(tournament: Tournament, event: Any, seq: int) -> bool:  # noqa: ANN401
    ruling = tournament.floor.ruling(event.ruling)
    return ruling is not None and ruling.appealed == seq


def _has_left(tournament: Tournament, event: PlayerDropped, seq: int) -> bool:
    player = tournament.players[event.player]
    return player.status == "dropped" and player.left_seq == seq


def _is_here(tournament: Tournament, event: CheckedIn, seq: int) -> bool:
    latest = tournament.floor.check_ins[-1:]
    return any(check_in.present.get(event.player) == seq for check_in in latest)


def list_now(tournament: Tournament, player: int) -> int:
    """Return the event with a player's list; 0 without one."""
    submitted = tournament.lists.get(player)
    return submitted.seq if submitted else 0


class Keeping(NamedTuple):
    """The rules by which phones keep the acts of one type."""

    again: Callable[[Tournament, Any, Recorded | None], Iterator[Event]]
    """Yields the event for the event that it answers; nothing if it would change nothing."""

    in_force: Callable[[Tournament, Any, int], bool]
    """Whether the event of that place is in force: else the phone drops it."""

    to: Literal["match", "player", "check-in"] = "match"
    """Line that ties the act to a log: it seated a match, or registered the player, or opened the
    check-in."""

    answers: str = ""
    """The member with the event that the act answers."""

    replaces: Callable[[Tournament, int], int] | None = None
    """The event of the same player that the act replaces, if that one is older."""


KEPT: Mapping[type[Event], Keeping] = MappingProxyType(
    {
        ResultReported: Keeping(
            _report, lambda state, event, seq: _claim_seq(state, event.match) == seq
        ),
        ResultConfirmed: Keeping(_confirm, _is_confirmed, answers="confirms"),
        ResultDisputed: Keeping(_dispute, _is_disputed, answers="disputes"),
        ActWithdrawn: Keeping(_withdraw, lambda *_: True, answers="withdraws"),
        Appeal.makes: Keeping(_appeal, _is_appealed, "player", answers="ruling"),
        PlayerDropped: Keeping(_drop, _has_left, "player"),
        CheckedIn: Keeping(_check_in, _is_here, "check-in"),
        ListSubmitted: Keeping(
            _list,
            lambda state, event, seq: list_now(state, event.player) == seq,
            "player",
            replaces=list_now,
        ),
    }
)
"""Events of players that their phones keep and offer; an act is kept if its first event is."""

NOT_KEPT: Mapping[type[Event], str] = MappingProxyType(
    {
        JudgeCalled: "a call is for this minute: a player who still needs a judge calls again",
        RegistrationAsked: "a newcomer has no number yet that a receipt could be checked against",
    }
)
"""Events of players that no phone keeps, each with the reason."""


def is_undo(event: Event) -> bool:
    """Return whether an event takes another one back."""
    return isinstance(event, ActWithdrawn)
