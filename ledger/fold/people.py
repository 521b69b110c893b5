"""What registering, leaving and returning do to the tournament."""

from __future__ import annotations

from ledger.events import people
from ledger.fold.columns import erase, write
from ledger.lines import sealing
from ledger.lines.recorded import Recorded
from ledger.tournament.links import link_of
from ledger.tournament.progress import draws_wait_for
from ledger.tournament.state import Player, Status, Tournament
from ledger.tournament.table_records import Particulars


def person_recorded(tournament: Tournament, event: people.PersonRecorded, _: Recorded) -> None:
    match event.name:
        case sealing.UNOPENED | sealing.DAMAGED as unread:
            tournament.names[event.of] = _nameless(event.of, unread)
        case sealing.FORGOTTEN:
            tournament.names[event.of] = _instead(event.of)
        case name:
            tournament.names[event.of] = name


def person_forgotten(
    tournament: Tournament, event: people.PersonForgotten, recorded: Recorded
) -> None:
    tournament.forgotten.add(event.of)
    if link := link_of(tournament.floor.links, event.of):
        link.until = recorded.seq
    if tournament.finished and not event.kept:
        tournament.forgotten_wholly.add(event.of)
    tournament.names[event.of] = _instead(event.of)


def public_names_chosen(
    tournament: Tournament, event: people.PublicNamesChosen, _: Recorded
) -> None:
    tournament.public_names = event.shown


def _nameless(of: str, unread: str) -> str:
    """What is shown of who has a name that cannot be read, as player 7 (name sealed)."""
    return f"{'player' if of.startswith('p') else 'official'} {of[1:]} (name {unread[1:]}"


def _instead(of: str) -> str:
    """What is shown of who was forgotten, as forgotten 7 and forgotten o2."""
    return f"forgotten {of.removeprefix('p')}"


def player_registered(
    tournament: Tournament, event: people.PlayerRegistered, recorded: Recorded
) -> None:
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


def player_amended(tournament: Tournament, event: people.PlayerAmended, recorded: Recorded) -> None:
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


def amendment_withdrawn(
    tournament: Tournament, event: people.AmendmentWithdrawn, _: Recorded
) -> None:
    player, before = tournament.players[event.player], tournament.floor.amended[event.player].pop()
    player.faction, player.league_id = before.faction, before.league_id
    player.attributes, player.numbers = before.attributes, before.numbers


def registration_withdrawn(
    tournament: Tournament, event: people.RegistrationWithdrawn, _: Recorded
) -> None:
    tournament.players[event.player].status = "withdrawn"
    for round_ in tournament.rounds:
        erase(round_, event.player)


def player_dropped(tournament: Tournament, event: people.PlayerDropped, recorded: Recorded) -> None:
    # Removed for conduct, nobody returns (FFG-AUTH-CONDUCT).
    status: Status = "disqualified" if event.reason == "conduct" else "dropped"
    _leave(tournament, event.player, status, recorded.seq)


def player_disqualified(
    tournament: Tournament, event: people.PlayerDisqualified, recorded: Recorded
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
            stage.seeds.remove(number)
    if stage is not None and number in stage.waiting:
        stage.waiting.remove(number)


def drop_withdrawn(
    tournament: Tournament,
    event: people.DropWithdrawn | people.DisqualificationWithdrawn,
    _: Recorded,
) -> None:
    _return(tournament, event.player)


def player_rejoined(
    tournament: Tournament, event: people.PlayerRejoined, recorded: Recorded
) -> None:
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
