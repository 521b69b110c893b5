"""A grown file taken into the event that an earlier state of it became.

What is new becomes new events: players, rounds, tables of the last round, results. A cell that was
corrected becomes a correction, with the file as its reason. What an event cannot take any more, as
a row that is gone or an opponent who is another, is refused by its place in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ledger.errors import InvalidLog, Refused
from ledger.exchange.foreign import ForeignTournament  # noqa: TC001 - msgspec resolves it
from ledger.exchange.translating import DISQUALIFIED, Translator
from ledger.facts.opening import ImportEnded, ImportResumed
from ledger.facts.people import (
    PlayerAmended,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    name_key,
)
from ledger.facts.results import ResultCorrected, ResultReported, turned
from ledger.facts.rounds import PlayersSeated, RoundClosed, RoundReopened
from ledger.facts.shared import PersonRecorded, StructureAnnounced
from ledger.problems import Player, Problem, marked, problem, remedy
from ledger.rules.command import Command, Context
from ledger.rules.opening import not_imported
from ledger.rulesets.toml_files import first_few

if TYPE_CHECKING:
    from ledger.exchange.foreign import ForeignGame, ForeignPlayer, ForeignRound
    from ledger.exchange.translating import Ranking
    from ledger.facts.base import Event
    from ledger.tournament.state import Match, Round, Tournament


class TakeGrownFile(Command, frozen=True):
    """What a grown file says beyond the log; the file is named in the reasons."""

    foreign: ForeignTournament
    file: str

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        """Yield what is new and what is corrected, between the words that an import goes on."""
        growth = Growth(self.foreign, context.ranking, tournament, self.file)
        yield from growth.events()


class Growth(Translator):
    """What a file says beyond a log, tried on a copy of its state."""

    def __init__(
        self, foreign: ForeignTournament, ranking: Ranking, tournament: Tournament, file: str
    ) -> None:
        super().__init__(foreign, ranking)
        self._before, self._problems = tournament, list[Problem]()
        self._reason = f"{file}, SHA-256 {foreign.source.sha256[:16]}…"
        self._writer.tournament = deepcopy(tournament)
        self._played = (*foreign.swiss, *foreign.elimination)

    def events(self) -> list[Event]:
        """Return the events, none where the file says nothing new.

        Raises:
            Refused: everything that the file says and the event cannot take any more.
        """
        if self._before.opening is None or self._before.opening.imported is None:
            raise Refused(not_imported())
        if self._before.finished:
            text = marked(
                "play is closed: the file can no longer be imported; correct mistakes in tourney"
            )
            raise Refused(problem("import.closed", text, remedy=remedy("correct")))
        self._know_people()
        self._refuse()
        self._refuse_what_went()
        self._refuse()
        try:
            self._write(ImportResumed(self._foreign.source))
            begun = len(self._writer.events)
            self._grow()
            self._refuse()
        except InvalidLog as error:
            raise Refused(*error.problems) from None
        if len(self._writer.events) == begun:
            return []
        self._write(ImportEnded())
        return self._writer.events

    def _refuse(self) -> None:
        if self._problems:
            raise Refused(*first_few(self._problems))

    def _know_people(self) -> None:
        """Find the player of each name of the file; who is not there yet gets a number later."""
        here: dict[str, list[int]] = {}
        for player in self._before.registered():
            name = name_key(self._before.names.get(f"p{player.number}", ""))
            here.setdefault(name, []).append(player.number)
        for each in self._foreign.players:
            found = here.pop(name_key(each.name), [])
            if len(found) > 1:
                text = marked(
                    "several players are called {name}: it is not clear which one the file means"
                )
                self._problems.append(problem("import.same_name", text, name=each.name))
            elif found:
                self._numbers[each.key] = found[0]
        for numbers in here.values():
            for number in numbers:
                text = marked(
                    "{player} is no longer in the file: if their name changed, rename them first"
                )
                self._problems.append(problem("import.person_gone", text, player=Player(number)))

    def _refuse_what_went(self) -> None:
        log, file = len(self._before.rounds), len(self._played)
        if file < log:
            text = marked(
                "the file ends with round {file}, the log with round {log}: the file is too old"
            )
            self._problems.append(problem("import.earlier_file", text, file=file, log=log))
        for round_, again in zip(self._before.rounds, self._played, strict=False):
            seated = {frozenset(self._seats(game)) for game in again.games}
            for match in round_.matches:
                if frozenset(match.players) not in seated:
                    who = " - ".join(self._before.names.get(f"p{n}", "?") for n in match.players)
                    text = marked("round {round}: the table of {who} is no longer in the file")
                    self._problems.append(
                        problem("import.table_gone", text, round=round_.number, who=who)
                    )

    def _seats(self, game: ForeignGame) -> list[int]:
        return [self._numbers.get(key, 0) for key in (game.first, game.second) if key]

    def _grow(self) -> None:
        self._amend()
        seated = {key for round_ in self._played for key in round_.present}
        self._register(each for each in self._foreign.players if each.key not in seated)
        known = self._writer.tournament.rounds
        for round_, again in zip(list(known), self._played, strict=False):
            self._compare(round_, again, is_last=round_.number == len(self._before.rounds))
        if len(self._played) > len(self._before.rounds):
            self._announce_more()
            self._play(after=len(self._before.rounds))

    def _amend(self) -> None:
        """Say what a player's row says of them now."""
        for each in self._foreign.players:
            number = self._numbers.get(each.key)
            if number is None:
                continue
            known = self._writer.tournament.players[number]
            faction = each.faction if each.faction not in ("", known.faction) else None
            league_id = each.league_id if each.league_id not in ("", known.league_id) else None
            new = {k: v for k, v in each.attributes.items() if known.attributes.get(k) != v}
            if new or {faction, league_id} != {None}:
                self._write(PlayerAmended(number, faction, league_id, new, self._reason))

    def _compare(self, round_: Round, again: ForeignRound, *, is_last: bool) -> None:
        """Enter the results of a round that the log lacks or has otherwise, and its new tables."""
        matches = {frozenset(match.players): match for match in round_.matches}
        new = []
        for game in again.games:
            if (match := matches.get(frozenset(self._seats(game)))) is None:
                new.append(game)
            elif match.is_bye:
                self._hold_bye(round_, game, match.named)
            else:
                self._result_of(match, game)
        if new and not is_last:
            for game in new:
                text = marked("a new table in round {round}, but later rounds were already played")
                found = problem("import.late_table", text, round=round_.number)
                self._problems.append(found.within(game.place) if game.place else found)
        elif new:
            self._more_tables(round_, new)
        self._miss(round_, again, is_last=is_last)
        self._close_again(round_)
        if is_last:
            self._leave(again)

    def _hold_bye(self, round_: Round, game: ForeignGame, named: str) -> None:
        """Refuse a bye to which the file gives other points than the log's ruleset."""
        rules = self._writer.tournament.ruleset
        if rules.worth_of_bye(game.bye).points != rules.worth_of_bye(named).points:
            text = marked(
                "round {round}: the file gives the bye of {player} other points than the log; an "
                "import cannot change a bye: import the file as a new tournament"
            )
            players = self._foreign.players
            name = next(player.name for player in players if player.key == game.first)
            refusal = problem("import.other_bye", text, round=round_.number, player=name)
            self._problems.append(refusal.within(game.place) if game.place else refusal)

    def _miss(self, round_: Round, again: ForeignRound, *, is_last: bool) -> None:
        """Enter the players who missed a round by the file and are not in that round of the log."""
        self._register(player for player in self._foreign.players if player.key in again.absent)
        for number in (self._numbers[key] for key in again.absent):
            if number in round_.present:
                continue
            was_active = self._writer.tournament.players[number].status == "active"
            if was_active:
                self._write_at(again.place, PlayerDropped(number))
            self._write_at(again.place, PlayerRejoined(number, (round_.number,)))
            if not (is_last or was_active):
                self._write_at(again.place, PlayerDropped(number))

    def _leave(self, again: ForeignRound) -> None:
        """Enter the players who left after the last round, if an earlier file did not list them."""
        players = self._writer.tournament.players
        for number in (self._numbers[key] for key in again.leaving):
            if players[number].status == "active":
                self._write_at(again.place, PlayerDropped(number))
        for number in (self._numbers[key] for key in again.disqualified):
            if players[number].status != "disqualified":
                self._write_at(again.place, PlayerDisqualified(number, DISQUALIFIED))

    def _result_of(self, match: Match, game: ForeignGame) -> None:
        result = self._result(game)
        if result is not None and self._numbers[game.first] != match.first:
            result = turned(result)
        if result == match.result:
            return
        if result is None:
            text = marked("the result is no longer in the file")
            found = problem("import.result_gone", text)
            self._problems.append(found.within(game.place) if game.place else found)
        elif match.result is None:
            self._write_at(game.place, ResultReported(match.number, result))
        else:
            seq = match.result_seq
            self._write_at(game.place, ResultCorrected(match.number, seq, result, self._reason))

    def _more_tables(self, round_: Round, games: list[ForeignGame]) -> None:
        """Open further tables in the last round."""
        if round_.status == "closed":
            self._write(RoundReopened(round_.number, self._reason))
        for game in games:
            self._enter_people(game)
            if game.is_bye:
                self._hold_bye(round_, game, "")
            seats = (self._numbers[game.first], self._numbers.get(game.second, 0))
            table = len(round_.matches) + 1
            self._write_at(game.place, PlayersSeated(round_.number, table, seats, (0, 0)))
            if result := self._result(game):
                self._write_at(game.place, ResultReported(round_.matches[-1].number, result))

    def _enter_people(self, game: ForeignGame) -> None:
        keys = [key for key in (game.first, game.second) if key]
        self._register(each for each in self._foreign.players if each.key in keys)
        for number in map(self._numbers.__getitem__, keys):
            if self._writer.tournament.players[number].status == "dropped":
                self._write(PlayerRejoined(number))

    def _close_again(self, round_: Round) -> None:
        """Close a round that has every result now, or that others follow."""
        goes_on = len(self._played) > len(self._before.rounds)
        if round_.status != "closed" and (goes_on or not round_.unreported):
            results = tuple(match.result_seq for match in round_.matches)
            self._write(RoundClosed(round_.number, results))

    def _register(self, players: Iterable[ForeignPlayer]) -> None:
        """Register who is new, with a rank of their own behind everybody else's."""
        for player in players:
            if player.key in self._numbers:
                continue
            tournament = self._writer.tournament
            number = len(tournament.players)
            rank = 1 + max(each.random_rank for each in tournament.players)
            said = player.league_id, player.faction, player.attributes
            self._numbers[player.key] = number
            self._write(PlayerRegistered(number, rank, *said, numbers=player.numbers))
            self._write(PersonRecorded(f"p{number}", player.name))

    def _announce_more(self) -> None:
        """Announce the stages as they are by the file, those that have begun as they are."""
        tournament = self._writer.tournament
        begun = [stage.plan for stage in tournament.begun_stages()]
        planned = self._planned_stages()
        kept = [
            replace(old, rounds=max(old.rounds, new.rounds) if old.rounds else 0)
            for old, new in zip(begun, planned, strict=False)
        ]
        stages = (*kept, *planned[len(kept) :])
        if stages != tuple(stage.plan for stage in tournament.stages):
            players = len(tournament.active())
            self._write(StructureAnnounced("custom", stages, players, reason=self._reason))
