"""What opening, announcing, starting and finishing do to the tournament."""

from __future__ import annotations

from ledger.events import opening
from ledger.lines.recorded import Recorded
from ledger.proof.formats import unbase64
from ledger.proof.signatures import Held
from ledger.rulesets import parse
from ledger.tournament import office
from ledger.tournament.state import CommittedKey, Official, Stage, Tournament
from ledger.tournament.table_records import AskedRegistration, Handover


def tournament_opened(
    tournament: Tournament, event: opening.TournamentOpened, recorded: Recorded
) -> None:
    tournament.opening = event
    tournament.rules = parse(event.ruleset.text).on(event.date)
    tournament.letters = tournament.ruleset.records
    tournament.importing = event.imported is not None
    if event.commitment:
        act = recorded.seq, recorded.command_id
        tournament.draw_keys.append(CommittedKey(event.commitment, *act))
        tournament.hidden_keys.append(CommittedKey(event.hidden, *act))
    if event.log_key:
        public = unbase64(event.log_key)
        tournament.keys[public] = Held(0, public, recorded.seq)


def official_appointed(
    tournament: Tournament, event: opening.OfficialAppointed, recorded: Recorded
) -> None:
    official = Official(event.official, event.roles, event.player)
    if not tournament.started:
        official.announced = office.leads(tournament, event.roles)
    if event.official == len(tournament.officials):
        tournament.officials.append(official)
        return
    before = tournament.officials[event.official]
    official.player = official.player or before.player
    official.stood_down = before.stood_down
    official.announced = official.announced or (tournament.started and before.announced)
    tournament.officials[event.official] = official
    if event.hands_to:
        _laid_down(tournament, event, recorded)
    elif (handover := tournament.floor.handover) and handover.to == event.official:
        tournament.floor.handover = None
        official.stood_down = official.stood_down and not handover.back
        if handover.for_now:
            tournament.floor.deputies[event.official] = handover.of


def _laid_down(
    tournament: Tournament, event: opening.OfficialAppointed, recorded: Recorded
) -> None:
    """The organizer lays the office down: for now as a spectator, or giving it back."""
    by = int(recorded.by.partition("/")[0][1:])
    back = tournament.floor.deputies.pop(event.official, 0) == event.hands_to
    tournament.floor.handover = Handover(by, event.official, event.hands_to, event.for_now, back)
    if event.for_now:
        tournament.officials[event.official].stood_down = True


def structure_announced(
    tournament: Tournament, event: opening.StructureAnnounced, _: Recorded
) -> None:
    tournament.announced = event
    del tournament.stages[len(event.stages) :]
    for number, plan in enumerate(event.stages, start=1):
        if number <= len(tournament.stages):
            tournament.stages[number - 1].plan = plan
        else:
            tournament.stages.append(Stage(number, plan))


def tournament_started(
    tournament: Tournament, event: opening.TournamentStarted, recorded: Recorded
) -> None:
    tournament.started = True
    tournament.start_seq = recorded.seq
    tournament.word = event.word


def tournament_finished(
    tournament: Tournament, event: opening.TournamentFinished, recorded: Recorded
) -> None:
    tournament.finished_seq = recorded.seq
    tournament.shuffle_key = event.shuffle_key
    tournament.hidden_key = event.hidden_key


def import_resumed(tournament: Tournament, _event: opening.ImportResumed, _: Recorded) -> None:
    tournament.importing = True


def import_ended(tournament: Tournament, _event: opening.ImportEnded, _: Recorded) -> None:
    tournament.letters = tournament.ruleset.records
    tournament.importing = False


def registration_asked(
    tournament: Tournament, event: opening.RegistrationAsked, recorded: Recorded
) -> None:
    tournament.floor.requests.append(AskedRegistration(recorded.seq, recorded.at, event))


def registration_answered(
    tournament: Tournament, event: opening.RegistrationAnswered, recorded: Recorded
) -> None:
    if request := tournament.floor.request(event.asked):
        request.answered, request.player = recorded.seq, event.player
