"""When somebody may be registered, leave and return."""

from __future__ import annotations

from ledger.checks.leaders import registered, rejoined
from ledger.checks.references import is_waived, needs_reason, not_here, table_of
from ledger.events import people as events
from ledger.events.base import PLAYERS_MAX, label_problem
from ledger.problems import Official, Player, Problems, in_words, problem, remedy
from ledger.rulesets.entries import wrong_numbers
from ledger.tournament import progress, state
from ledger.tournament.early_finish import to_add_a_round
from ledger.tournament.state import Stage, Tournament

OPEN_NAMES = (
    "this log was opened with open names: they stand in its lines for good, so nobody can be "
    "forgotten"
)


def person_of(text: str) -> Player | Official:
    """Return who `p7` or `o2` is."""
    return (Player if text[0] == "p" else Official)(int(text[1:]))


def person_recorded(tournament: Tournament, event: events.PersonRecorded) -> Problems:
    number = int(event.of[1:])
    known = tournament.players if event.of[0] == "p" else tournament.officials
    if number >= len(known):
        yield problem("person.unknown", "there is no {person}", person=person_of(event.of))
    if event.of in tournament.forgotten:
        text = "{person} was forgotten, and no name is recorded for them again"
        yield problem("person.forgotten", text, person=person_of(event.of))
    if not event.name.strip() and not tournament.importing:
        yield problem("person.name_empty", "a name needs at least one letter")


def public_names_chosen(tournament: Tournament, event: events.PublicNamesChosen) -> Problems:
    if event.shown == tournament.public_names:
        yield problem("name.shown_so", "pages show names so already")


def person_forgotten(tournament: Tournament, event: events.PersonForgotten) -> Problems:
    known = tournament.players if event.of[0] == "p" else tournament.officials
    if int(event.of[1:]) >= len(known):
        yield problem("person.unknown", "there is no {person}", person=person_of(event.of))
    completes = tournament.finished and event.of not in tournament.forgotten_wholly
    if event.of in tournament.forgotten and (event.kept or not completes):
        text = "{person} was forgotten already"
        yield problem("person.forgotten_already", text, person=person_of(event.of))
    appeals = tournament.opening.appeals if tournament.opening is not None else 0
    if event.kept and tournament.finished and not appeals:
        text = "play is closed and no appeals were announced: no text about them is kept any more"
        yield problem("person.texts_kept", text)
    if not tournament.is_sealed:
        yield in_words(OPEN_NAMES, "person.open_names")


def player_registered(tournament: Tournament, event: events.PlayerRegistered) -> Problems:
    if event.player != len(tournament.players):
        text, following = "the next player is number {next}, not {player}", len(tournament.players)
        yield problem("registration.next_number", text, next=following, player=event.player)
    if event.player > PLAYERS_MAX:
        text = "a tournament holds {players} players"
        yield problem("registration.players_max", text, players=f"{PLAYERS_MAX:,}")
    for wrong in filter(None, map(label_problem, event.attributes)):
        yield in_words(wrong, "registration.attribute")
    for wrong in wrong_numbers(tournament.ruleset.numbers, event.numbers):
        yield in_words(wrong, "registration.number")
    if event.random_rank and progress.draws_wait_for(tournament):
        text = "{player} has a random rank before the ranks are drawn"
        yield problem("registration.rank_early", text, player=Player(event.player))
    yield from registered(tournament, event)
    if tournament.importing:
        yield from _missed_as_recorded(tournament, None, event.missed)
        return
    yield from _registration_over(tournament)
    if list(event.missed) != progress.missed_rounds(tournament, None):
        text = "a late player has an unpaired loss for every round missed"
        yield problem("registration.missed", text, clause="FFG-REJOIN")


def player_amended(tournament: Tournament, event: events.PlayerAmended) -> Problems:
    player = progress.find_player(tournament, event.player)
    if not player or player.status == "withdrawn":
        yield not_here(event.player)
        return
    if f"p{event.player}" in tournament.forgotten:
        text = "{player} was forgotten: nothing is recorded for them again"
        yield problem("amend.forgotten", text, player=Player(event.player))
    for wrong in wrong_numbers(tournament.ruleset.numbers, event.numbers):
        yield in_words(wrong, "registration.number")
    if not (event.attributes or event.numbers) and {event.faction, event.league_id} == {None}:
        yield problem("amend.nothing", "an amendment says what is other: faction, league id, …")
    for wrong in filter(None, map(label_problem, event.attributes)):
        yield in_words(wrong, "registration.attribute")
    yield from league_id_taken(tournament, event.league_id or "", event.player)


def league_id_taken(tournament: Tournament, league_id: str, besides: int = 0) -> Problems:
    """Yield that another entrant has this league id."""
    for player in tournament.registered() if league_id else ():
        if player.league_id == league_id and player.number != besides:
            text = "the league id {id} is that of {other}: in a league an id is one person"
            other = Player(player.number)
            yield problem("league_id.taken", text, id=league_id, other=other)


def amendment_withdrawn(tournament: Tournament, event: events.AmendmentWithdrawn) -> Problems:
    amended = tournament.floor.amended.get(event.player)
    if not amended or amended[-1].seq != event.withdraws:
        text = "event {event} is not the last amendment of {player}"
        yield problem("amend.not_last", text, event=event.withdraws, player=Player(event.player))
    elif f"p{event.player}" in tournament.forgotten:
        text = "{player} was forgotten: nothing is recorded for them again"
        yield problem("amend.forgotten", text, player=Player(event.player))
    else:
        yield from league_id_taken(tournament, amended[-1].league_id, event.player)


def _registration_over(tournament: Tournament) -> Problems:
    stage = progress.stage_in_play(tournament)
    if stage is None or not tournament.rounds:
        return
    if stage.number > 1 or not stage.is_swiss or progress.is_complete(tournament, stage):
        text = "registration is over: the first stage has been played"
        yield problem("registration.stage_over", text)
    elif any(later.cut_seq for later in tournament.stages):
        yield problem("registration.cut_made", "registration is over: the cut is made")
    elif not _has_room(tournament, stage):
        text = "registration is over: the last round is paired"
        yield problem("registration.last_round", text, remedy=to_add_a_round(tournament, stage))


def _has_room(tournament: Tournament, stage: Stage) -> bool:
    """Whether a round is still to be paired in which a newcomer could play."""
    later = tournament.stages[stage.number :]
    is_last_paired = 0 < stage.plan.rounds <= len(stage.rounds)
    return not is_last_paired or any(each.plan.entry == "all" for each in later)


def registration_withdrawn(tournament: Tournament, event: events.RegistrationWithdrawn) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status != "active":
        text = "{player} is not registered and active"
        yield problem("registration.not_active", text, player=Player(event.player))
    elif any(
        event.player in match.players for round_ in tournament.rounds for match in round_.matches
    ):
        text = "{player} has been paired: let them drop"
        yield problem("registration.paired", text, player=Player(event.player))


def player_dropped(tournament: Tournament, event: events.PlayerDropped) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status != "active":
        text = "{player} does not play on and cannot drop"
        yield problem("drop.not_active", text, player=Player(event.player))
    elif not tournament.importing and (match := progress.open_match_of(tournament, event.player)):
        text = "{player} has an open match at {table}"
        yield problem("player.open_match", text, player=Player(event.player), table=table_of(match))


def drop_withdrawn(tournament: Tournament, event: events.DropWithdrawn) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status != "dropped" or player.left_seq != event.withdraws:
        text = "event {event} is not the drop of {player}"
        yield problem("drop.unknown", text, event=event.withdraws, player=Player(event.player))
    else:
        yield from _passed_over(tournament, event.player, event.withdraws)


def disqualification_withdrawn(
    tournament: Tournament, event: events.DisqualificationWithdrawn
) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status != "disqualified" or player.left_seq != event.withdraws:
        text = "event {event} is not the disqualification of {player}"
        who = Player(event.player)
        yield problem("disqualification.unknown", text, event=event.withdraws, player=who)
    elif player.status_before != "active":
        text = "{player} had left before"
        yield problem("disqualification.left_before", text, player=Player(event.player))
    else:
        yield from _passed_over(tournament, event.player, event.withdraws)


def _passed_over(tournament: Tournament, player: int, left: int) -> Problems:
    """A departure can be taken back until something was decided without the player."""
    if any(round_.paired_seq > left for round_ in tournament.rounds):
        text, way = "a round has been paired since", remedy("rejoin", player=Player(player))
        yield problem("departure.round_paired", text, clause="FFG-REJOIN", remedy=way)
    elif any(stage.cut_seq > left for stage in tournament.stages):
        text = "a cut has been made since: take it back first"
        yield problem("departure.cut_made", text, clause="FFG-CUT")
    elif _has_lost_place(tournament, player):
        text, clause = "the place of {player} in the cut is filled", "FFG-CUT-REPLACE"
        yield problem("departure.place_filled", text, clause=clause, player=Player(player))


def _has_lost_place(tournament: Tournament, player: int) -> bool:
    """Whether the player was in a cut and is no more: their place is taken or given up."""
    return any(
        stage.cut_seq and player in stage.entrants and player not in stage.seeds
        for stage in tournament.stages
    )


def player_rejoined(tournament: Tournament, event: events.PlayerRejoined) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status in {"active", "withdrawn"}:
        yield problem("rejoin.not_left", "{player} has not left", player=Player(event.player))
        return
    yield from rejoined(tournament, event.player)
    if player.status == "disqualified":
        text = "a disqualified player cannot rejoin"
        yield problem("rejoin.disqualified", text, clause="FFG-AUTH-DQ, FFG-REJOIN")
    if player.status == "cut":
        text = "a player who was cut comes back only as a replacement"
        yield problem("rejoin.cut", text, clause="FFG-CUT-REPLACE")
    if player.status != "dropped":
        return
    if tournament.importing:
        yield from _missed_as_recorded(tournament, event.player, event.missed)
        return
    yield from _stage_left(tournament, event, player)
    stage = progress.stage_in_play(tournament)
    if stage is not None and not stage.is_swiss and tournament.rounds:
        yield problem("rejoin.elimination", "nobody rejoins an elimination", clause="FFG-ELIM-DROP")
    if list(event.missed) != progress.missed_rounds(tournament, event.player):
        text = "a returning player has an unpaired loss for every round missed"
        yield problem("rejoin.missed", text, clause="FFG-REJOIN")


def _missed_as_recorded(
    tournament: Tournament, player: int | None, missed: tuple[int, ...]
) -> Problems:
    """Another program may have given unpaired losses for fewer rounds, never for one played."""
    for number in sorted(set(missed) - set(progress.missed_rounds(tournament, player))):
        text = "round {round} is not one that the player missed"
        yield problem("registration.not_missed", text, round=number)


def _stage_left(
    tournament: Tournament, event: events.PlayerRejoined, player: state.Player
) -> Problems:
    """A player returns within the stage they left, and never into a cut made without them."""
    begun = max(1, len(tournament.begun_stages()))
    elsewhere = player.left_stage != begun or any(
        stage.cut_seq and stage.number > player.left_stage for stage in tournament.stages
    )
    cut = tournament.pending_cut()
    without_them = any(
        stage.cut_seq and event.player not in stage.entrants for stage in tournament.stages
    )
    only_within = elsewhere and tournament.ruleset.rejoin == "stage"
    if only_within and not is_waived("FFG-REJOIN", event.waiver, tournament):
        text = "a player rejoins only within the stage they left"
        way = remedy("rejoin.anyway", player=Player(event.player))
        yield problem("rejoin.other_stage", text, clause="FFG-REJOIN", remedy=way)
    elif without_them or (cut is not None and event.player not in cut.vacancies):
        text = "the cut was made without them: they come back only as a replacement"
        yield problem("rejoin.cut_without", text, clause="FFG-CUT")


def player_disqualified(tournament: Tournament, event: events.PlayerDisqualified) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status in {"disqualified", "withdrawn"}:
        yield not_here(event.player)
    elif match := progress.open_match_of(tournament, event.player):
        text = "{player} has an open match at {table}"
        yield problem("player.open_match", text, player=Player(event.player), table=table_of(match))
    yield from needs_reason(event, "FFG-AUTH-DQ")
    if event.recommendation != tournament.floor.recommended.get(event.player, 0):
        text = "event {event} does not recommend it"
        clause = "FFG-AUTH-DQ"
        yield problem(
            "disqualification.not_recommended", text, clause=clause, event=event.recommendation
        )
