"""People: registered, amended, dropped, forgotten; the facts, and what each does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal
from unicodedata import normalize

from msgspec import Meta, field

from ledger.facts import base
from ledger.facts.base import DESK, ORGANIZER, Event, Meaning, Recording
from ledger.facts.columns import erase, write
from ledger.facts.shared import PersonRecorded
from ledger.lines import texts
from ledger.problems import marked, remedy
from ledger.tournament.progress import draws_wait_for
from ledger.tournament.state import Player, Status, Tournament
from ledger.tournament.table_records import Particulars, link_of

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded

Departure = Literal["request", "no-show", "unable", "conduct", "component"]


class PersonForgotten(Event, frozen=True):
    """The keys of this person's name, and of the free texts about them, were destroyed.

    `kept` says how many texts that are about others as well were held back, because the event was
    not decided yet. They are destroyed by another such event after play is closed.
    """

    recording = Recording(
        marked("forgetting a person"),
        ORGANIZER,
        after_finish=True,
        stays=marked("the keys of the data are destroyed"),
    )

    of: base.PersonId
    kept: base.Count = 0


class PublicNamesChosen(Event, frozen=True):
    """How much of a name pages for everybody show from here on; until then it is `short`.

    `short` is the first name and the first letter of the last one, `number` no name at all.
    """

    recording = Recording(
        marked("choosing how pages show names"),
        ORGANIZER,
        after_finish=True,
        instead=remedy("names"),
    )

    shown: base.PublicNames


class PlayerRegistered(Event, frozen=True):
    """A player is enrolled.

    `random_rank` breaks their exact ties for good, the lowest first. Before the start nobody has
    one: `RanksDrawn` gives them theirs; who comes later has it here, and so do those of an import.
    `missed` lists the rounds that a late entrant has an unpaired loss for. `official` is who this
    player is among the officials, if they hold office. `numbers` are those that the ruleset asks
    of each player, as a rating.
    """

    recording = Recording(marked("registering a player"), DESK, withdrawable=True)

    player: base.Number
    random_rank: Annotated[int, Meta(ge=0, lt=base.RANKS_MAX)] = 0
    league_id: Annotated[str, Meta(max_length=64)] = ""
    faction: Annotated[str, Meta(max_length=64)] = ""
    attributes: dict[base.Label, base.Text] = field(default_factory=dict)
    missed: tuple[base.Ordinal, ...] = ()
    official: base.Seat = 0
    numbers: dict[base.Label, base.Whole] = field(default_factory=dict)


class PlayerAmended(Event, frozen=True):
    """What a registration says beside the name is other than was entered.

    Members that are not there stay as they were, and so do labels; an empty text removes a label.
    """

    recording = Recording(
        marked("amending a registration"), DESK, after_finish=True, withdrawable=True
    )

    player: base.Number
    faction: Annotated[str, Meta(max_length=64)] | None = None
    league_id: Annotated[str, Meta(max_length=64)] | None = None
    attributes: dict[base.Label, base.Text] = field(default_factory=dict)
    reason: base.Text = ""
    numbers: dict[base.Label, base.Whole] = field(default_factory=dict)


class AmendmentWithdrawn(Meaning, frozen=True):
    """A registration says again what it said before."""

    recording = Recording(
        marked("withdrawing an amendment"), DESK, after_finish=True, instead=remedy("amend")
    )
    takes_back = (PlayerAmended,)

    player: base.Number


class RegistrationWithdrawn(Meaning, frozen=True):
    """A registration made by mistake is taken back; the number is not given again."""

    recording = Recording(marked("withdrawing a registration"), DESK, instead=remedy("register"))
    takes_back = (PlayerRegistered,)

    player: base.Number


class PlayerDropped(Event, frozen=True):
    """A player left; earlier results keep counting for everyone (FFG-DROP)."""

    recording = Recording(marked("dropping a player"), DESK, by_players=True, withdrawable=True)

    player: base.Number
    reason: Departure = "request"
    note: base.Text = ""


class DropWithdrawn(Meaning, frozen=True):
    """A drop entered by mistake is taken back, as if it had not been."""

    recording = Recording(marked("withdrawing a drop"), DESK, instead=remedy("drop"))
    takes_back = (PlayerDropped,)

    player: base.Number


class PlayerRejoined(Event, frozen=True):
    """The organizer let a dropped player return, with unpaired losses (FFG-REJOIN)."""

    recording = Recording(marked("letting a player rejoin"), ORGANIZER, instead=remedy("drop"))

    player: base.Number
    missed: tuple[base.Ordinal, ...] = ()
    waiver: base.Waiver | None = None


class PlayerDisqualified(Event, frozen=True):
    """The organizer removed a player for good, on a marshal's recommendation or without one.

    `recommendation` is the event of the marshal's (FFG-AUTH-DQ).
    """

    recording = Recording(
        marked("disqualifying a player"), ORGANIZER, after_finish=True, withdrawable=True
    )

    player: base.Number
    reason: base.Text
    clause: Annotated[str, Meta(max_length=64)] = ""
    recommendation: base.SeqOrNone = 0


class DisqualificationWithdrawn(Meaning, frozen=True):
    """The organizer takes a disqualification back that was a mistake, as if it had not been."""

    recording = Recording(
        marked("withdrawing a disqualification"),
        ORGANIZER,
        after_finish=True,
        instead=remedy("disqualify"),
    )
    takes_back = (PlayerDisqualified,)

    player: base.Number


def person_recorded(tournament: Tournament, event: PersonRecorded, _: Recorded) -> None:
    match event.name:
        case texts.UNOPENED | texts.DAMAGED as unread:
            tournament.names[event.of] = _nameless(event.of, unread)
        case texts.FORGOTTEN:
            tournament.names[event.of] = _instead(event.of)
        case name:
            tournament.names[event.of] = name


def person_forgotten(tournament: Tournament, event: PersonForgotten, recorded: Recorded) -> None:
    tournament.forgotten.add(event.of)
    if link := link_of(tournament.floor.links, event.of):
        link.until = recorded.seq
    if tournament.finished and not event.kept:
        tournament.forgotten_wholly.add(event.of)
    tournament.names[event.of] = _instead(event.of)


def public_names_chosen(tournament: Tournament, event: PublicNamesChosen, _: Recorded) -> None:
    tournament.public_names = event.shown


def _nameless(of: str, unread: str) -> str:
    """What is shown of who has a name that cannot be read, as player 7 (name sealed)."""
    return f"{'player' if of.startswith('p') else 'official'} {of[1:]} (name {unread[1:]}"


def _instead(of: str) -> str:
    """What is shown of who was forgotten, as forgotten 7 and forgotten o2."""
    return f"forgotten {of.removeprefix('p')}"


def player_registered(tournament: Tournament, event: PlayerRegistered, recorded: Recorded) -> None:
    tournament.ranked += not draws_wait_for(tournament)
    tournament.players.append(
        Player(
            event.player,
            event.random_rank,
            event.faction,
            event.league_id,
            event.attributes,
            late=tournament.started,
            seq=recorded.seq,
            rank_seq=recorded.seq,
            numbers=event.numbers,
        )
    )
    if event.official:
        tournament.officials[event.official].player = event.player
    _miss(tournament, event.player, event.missed, recorded.seq)


def player_amended(tournament: Tournament, event: PlayerAmended, recorded: Recorded) -> None:
    player = tournament.players[event.player]
    said = player.faction, player.league_id, player.attributes, player.numbers
    before = Particulars(recorded.seq, *said)
    tournament.floor.amended.setdefault(event.player, []).append(before)
    if event.faction is not None:
        player.faction = event.faction
    if event.league_id is not None:
        player.league_id = event.league_id
    attributes = player.attributes | event.attributes
    player.attributes = {label: text for label, text in attributes.items() if text}
    player.numbers = player.numbers | event.numbers


def amendment_withdrawn(tournament: Tournament, event: AmendmentWithdrawn, _: Recorded) -> None:
    player, before = tournament.players[event.player], tournament.floor.amended[event.player].pop()
    player.faction, player.league_id = before.faction, before.league_id
    player.attributes, player.numbers = before.attributes, before.numbers


def registration_withdrawn(
    tournament: Tournament, event: RegistrationWithdrawn, _: Recorded
) -> None:
    tournament.players[event.player].status = "withdrawn"
    for round_ in tournament.rounds:
        erase(round_, event.player)


def player_dropped(tournament: Tournament, event: PlayerDropped, recorded: Recorded) -> None:
    # Removed for conduct, nobody returns (FFG-AUTH-CONDUCT).
    status: Status = "disqualified" if event.reason == "conduct" else "dropped"
    _leave(tournament, event.player, status, recorded.seq)


def player_disqualified(
    tournament: Tournament, event: PlayerDisqualified, recorded: Recorded
) -> None:
    _leave(tournament, event.player, "disqualified", recorded.seq)


def _leave(tournament: Tournament, number: int, status: Status, seq: int) -> None:
    player = tournament.players[number]
    player.status_before = player.status
    player.status = status
    tournament.floor.missing.pop(number, None)
    player.left_seq = seq
    player.left_stage = max(1, len(tournament.begun_stages()))
    stage = tournament.pending_cut()
    if stage is not None and number in stage.seeds and number not in stage.vacancies:
        # Only a cut by the standings has a next ranked to ask; another one just gets smaller.
        if stage.plan.entry == "top":
            stage.vacancies.append(number)
        else:
            tournament.lose_seed(stage, number, seq)
    if stage is not None and number in stage.waiting:
        stage.waiting.remove(number)


def drop_withdrawn(
    tournament: Tournament,
    event: DropWithdrawn | DisqualificationWithdrawn,
    _: Recorded,
) -> None:
    _return(tournament, event.player)


def player_rejoined(tournament: Tournament, event: PlayerRejoined, recorded: Recorded) -> None:
    _return(tournament, event.player)
    _miss(tournament, event.player, event.missed, recorded.seq)


def _return(tournament: Tournament, number: int) -> None:
    tournament.players[number].status = "active"
    for stage in tournament.stages:
        if number in stage.vacancies:
            stage.vacancies.remove(number)


def _miss(tournament: Tournament, player: int, rounds: tuple[int, ...], seq: int) -> None:
    worth = tournament.ruleset.unpaired_loss
    for number in rounds:
        write(tournament.rounds[number - 1], player, seq, worth.points, "L", fields=worth.fields)


disqualification_withdrawn = drop_withdrawn


def name_key(name: str) -> str:
    """A name as it is compared; equal for two ways to write the same one."""
    if name.isascii():
        return " ".join(name.lower().split())
    # Folding can take letters apart that the first form has put together (Unicode, caseless match).
    folded = normalize("NFKC", name).casefold()
    return " ".join(normalize("NFKC", folded).split())


def player_named(tournament: Tournament, name: str, besides: str = "") -> int:
    """The registered player of that name, other than besides (p7); 0 for none."""
    numbers = (player.number for player in tournament.registered())
    return _first_named(tournament, "p", numbers, name, besides)


def official_named(tournament: Tournament, name: str, besides: str = "") -> int:
    """The official of that name, other than besides (o2); 0 for none."""
    numbers = range(1, len(tournament.officials))
    return _first_named(tournament, "o", numbers, name, besides)


def _first_named(
    tournament: Tournament, kind: str, numbers: Iterable[int], name: str, besides: str
) -> int:
    sought = name_key(name)
    for number in numbers:
        of = f"{kind}{number}"
        known = "" if of == besides or of in tournament.forgotten else tournament.names.get(of, "")
        if known and name_key(known) == sought:
            return number
    return 0
