"""Whose words a report, a dispute or an appeal is: a side of a match speaks for itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ledger.events import disputes
from ledger.events.results import ResultReported
from ledger.lines.recorded import Recorded
from ledger.problems import Act, Player, Problem, problem
from ledger.tournament.disputes import dispute_of, word_of
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.events import Event


def _not_their_words(tournament: Tournament, recorded: Recorded) -> Problem | None:
    """Say why these words are not the named player's: a side of a match speaks for itself."""
    event, by_player = recorded.event, "p" in recorded.by
    match event:
        case ResultReported(match=number):
            if not by_player:
                return None
            claimed = None
        case disputes.AppealMade(ruling=seq, player=claimed):
            ruling = tournament.floor.ruling(seq)
            number = ruling.made.match if ruling else 0
        case disputes.ResultConfirmed() | disputes.ResultDisputed():
            number, claimed = event.match, event.player
        case _:
            return None
    word = word_of(tournament, recorded.by)
    table = tournament.matches[number] if 0 < number < len(tournament.matches) else None
    sits = table is None or word in table.players
    if by_player and not sits:
        return not_at_match(word)
    if claimed is None or claimed == (word if sits else 0):
        return None
    text = "{act} is entered by {player}, or on their word, not by {by}"
    act, player = Act(recorded.type), Player(claimed) if claimed else "the desk"
    return problem("authority.their_words", text, act=act, player=player, by=recorded.by)


def not_at_match(player: int) -> Problem:
    """Say that a player speaks of a match that others play."""
    text = "{player} does not sit at this match: nobody reports for others"
    return problem("authority.not_at_match", text, player=Player(player))


def _withdraws_for_other(tournament: Tournament, recorded: Recorded) -> Problem | None:
    """Say why these words are not theirs to take back: a side's are its own, or the desk's."""
    word = word_of(tournament, recorded.by)
    said = _taken_back(tournament, recorded.event)
    if not word or said is None or said.player == word:
        return None
    table = tournament.matches[said.match] if said.match < len(tournament.matches) else None
    if "p" not in recorded.by and (table is None or word not in table.players):
        return None
    text = "{player} cannot take another's {what} back"
    return problem("authority.others_words", text, player=Player(word), what=said.what)


class _Said(NamedTuple):
    """What is taken back: a player's words (0: the desk's) about a match."""

    what: str
    match: int
    player: int


def _taken_back(tournament: Tournament, event: Event) -> _Said | None:
    match event:
        case disputes.DisputeWithdrawn(match=number):
            dispute = dispute_of(tournament, number)
            return _Said("dispute", number, dispute.against.player) if dispute else None
        case disputes.AppealWithdrawn(ruling=seq, player=player):
            ruling = tournament.floor.ruling(seq)
            return _Said("appeal", ruling.made.match if ruling else 0, player)
        case disputes.ConfirmationWithdrawn(match=number, withdraws=seq):
            confirmed = tournament.floor.confirmed.get(number, ())
            said = next((each for each in confirmed if each.seq == seq), None)
            return _Said("confirmation", number, said.player) if said else None
        case _:
            return None


SPOKEN: Mapping[type[Event], Callable[[Tournament, Recorded], Problem | None]] = MappingProxyType(
    {
        ResultReported: _not_their_words,
        disputes.ResultConfirmed: _not_their_words,
        disputes.ResultDisputed: _not_their_words,
        disputes.AppealMade: _not_their_words,
        disputes.DisputeWithdrawn: _withdraws_for_other,
        disputes.AppealWithdrawn: _withdraws_for_other,
        disputes.ConfirmationWithdrawn: _withdraws_for_other,
    }
)
"""What says why words about a match are not this person's to say, or to take back."""
