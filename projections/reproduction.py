"""The search for a reading of a file by which every published number follows from its rounds.

Tried are the plain reading, other readings, and pairs of them. The order of trials is fixed: it
depends only on the file. One reading goes before two, and of two readings those that leave fewer
numbers each. At most `TRIALS_MAX` are made, and a caller's clock may end the search; the answer
then states that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import LedgerError, Refused
from ledger.exchange.foreign import PLAIN
from ledger.exchange.translating import Translator
from ledger.facts.shared import Stage as StagePlan
from ledger.problems import marked, problem, remedy
from ledger.rulesets import parse
from ledger.tournament.state import Stage
from projections.published_tables import (
    Oddity,
    PublishedNumbers,
    PublishedTable,
    ReproductionVerdict,
    oddities,
    verdict_of,
    with_rules,
)
from projections.readings import (
    CUT,
    NotReadable,
    Reading,
    cut_after,
    in_order,
    names_of,
    of_rounds,
    playoffs_from,
    read_as,
    round_readings,
    rule_readings,
)
from projections.standings.table import ranking

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.exchange.foreign import ForeignTournament
    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Tournament

TRIALS_MAX = 200
SECONDS_MAX = 20
"""Maximum seconds of a search if a person waits for it."""

Stopped = Literal["", "trials", "time"]


class Trial(Struct, frozen=True):
    """Some readings together, and how many published numbers do not follow by them."""

    readings: tuple[Reading, ...]
    left: int

    @property
    def names(self) -> tuple[str, ...]:
        """The readings' names."""
        return names_of(self.readings)

    @property
    def setting(self) -> str:
        """Settings of the readings."""
        return " and ".join(reading.setting for reading in self.readings)

    @property
    def value(self) -> str:
        """Values of those settings."""
        return " and ".join(reading.value for reading in self.readings)


class Reproduction(Struct, frozen=True):
    """Result of comparing a file's standings with its rounds.

    `explained` are the smallest readings by which every number follows, `nearly` the one reading
    that leaves the fewest, if none leaves nothing. `tried` are the trials made; `stopped` says by
    what the search ended early.
    """

    tournament: Tournament
    comparison: PublishedTable
    explained: tuple[Trial, ...] = ()
    nearly: Trial | None = None
    tried: int = 0
    stopped: Stopped = ""

    @property
    def is_searched(self) -> bool:
        """Whether other readings than the plain one were tried."""
        return self.tried > 0

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """Oddities of the rounds themselves."""
        return tuple(oddities(self.tournament))

    @property
    def is_settled(self) -> bool:
        """Whether the file has one reading: the plain one, or the only one by which all follows."""
        return not self.explained or (len(self.explained) == 1 and not self.stopped)


def never() -> bool:
    """Say that there is time left."""
    return False


def reproduce(
    foreign: ForeignTournament,
    *,
    is_over: Callable[[], bool] = never,
    is_explained: bool = True,
    fitting: Callable[[ForeignTournament], bool] | None = None,
) -> Reproduction:
    """Compare what a file publishes with what its rounds give, and search what makes all follow.

    With `is_explained` every setting is looked at, otherwise what an import tries. `fitting` says
    which readings of the rounds may be. Where `is_over` says so, the search ends.

    Raises:
        InvalidLog: the file's rounds cannot be recorded, and why.
    """
    trials = ReadingTrials(foreign)
    plain = trials.published.beside(trials.tournament)
    reproduction = Reproduction(trials.tournament, plain)
    if not plain.wrong:
        return reproduction
    readings = [
        reading
        for reading in readings_of(foreign, reproduction)
        if (is_explained or reading.is_tried)
        and (fitting is None or (reading.is_of_rounds and _fits(foreign, reading, fitting)))
    ]
    singles, stopped = _tried(trials, [(reading,) for reading in readings], TRIALS_MAX, is_over)
    smallest, tried = [trial for trial in singles if not trial.left], trials.made
    if not smallest and not stopped:
        effective = [trial for trial in singles if trial.readings[0].is_tried]
        pairs = _pairs(sorted(effective, key=lambda trial: trial.left))
        found_pairs, stopped = _tried(trials, pairs, TRIALS_MAX - tried, is_over, is_all=True)
        smallest, tried = [trial for trial in found_pairs if not trial.left], trials.made
    smallest = [trial for trial in smallest if trials.is_exact(trial)]
    best = min(singles, key=lambda trial: trial.left, default=None)
    nearly = best if best is not None and 2 * best.left <= plain.wrong else None
    return replace(
        reproduction,
        explained=tuple(smallest),
        nearly=None if smallest else nearly,
        tried=tried,
        stopped=stopped,
    )


def several_readings(path: Path, found: Reproduction) -> Refused:
    """Return the refusal of a file that several readings explain, if no person chooses one."""
    text = marked(
        "{file} can be read in several ways; each of these readings yields all published "
        "numbers: {readings}"
    )
    if found.stopped:
        text = marked(
            "{file} can be read with {readings}, but time ran out before all readings were tried"
        )
    named = tuple(",".join(trial.names) for trial in found.explained)
    remedies = tuple(remedy("import.reading", reading=name) for name in (*named, PLAIN))
    return Refused(
        problem("import.readings", text, remedy=remedies, file=path.name, readings=named)
    )


def verdict_and_reading(
    foreign: ForeignTournament, tournament: Tournament
) -> tuple[ReproductionVerdict, tuple[str, ...]]:
    """Compare a file with the tournament that it became, and name the readings it was read by."""
    opening = tournament.opening
    source = opening.imported if opening else None
    reading = foreign.source.reading or (source.reading if source else ())
    if not reading:
        reading = names_of(reading_of_log(foreign, tournament))
    return verdict_of(foreign, tournament), tuple(reading)


def readings_of(foreign: ForeignTournament, found: Reproduction) -> list[Reading]:
    """Return the readings that a file may have, in the order in which they are tried."""
    readings = [
        *round_readings(foreign),
        *rule_readings(foreign, found.tournament, found.comparison),
    ]
    return sorted(readings, key=lambda reading: not reading.is_tried)


def made(foreign: ForeignTournament) -> Tournament:
    """Return the tournament that a file becomes.

    Raises:
        InvalidLog: the file's rounds cannot be recorded, and why.
    """
    translator = Translator(foreign, ranking)
    translator.run()
    return translator.tournament


def reading_of_log(foreign: ForeignTournament, tournament: Tournament) -> tuple[Reading, ...]:
    """Return the readings of rounds by which a log has a file's rounds; none for the plain one.

    A cut that the file itself has, as a sheet may, is not a reading.
    """
    rounds, stages = tournament.rounds, tournament.stages
    plays = [(round_, stages[round_.stage - 1].is_swiss) for round_ in rounds]
    swiss = [round_ for round_, is_swiss in plays if is_swiss]
    cuts = [earlier.number for earlier, later in pairwise(swiss) if earlier.stage != later.stage]
    plain = {*accumulate(foreign.swiss_stages)}
    readings = [cut_after(number) for number in cuts if number not in plain]
    if len(swiss) < len(rounds) and len(swiss) < len(foreign.swiss):
        readings.append(playoffs_from(len(swiss) + 1))
    return in_order(readings)


def named_readings(names: Sequence[str], foreign: ForeignTournament) -> tuple[Reading, ...]:
    """Return readings by their names; KeyError names the first that the file does not have."""
    readings = [of_rounds(name) for name in names]
    if None in readings:
        tournament = made(foreign)
        compared = PublishedNumbers(foreign).beside(tournament)
        by_name = {
            reading.name: reading for reading in rule_readings(foreign, tournament, compared)
        }
        readings = [reading or by_name[name] for reading, name in zip(readings, names, strict=True)]
    return in_order(reading for reading in readings if reading is not None)


def _fits(
    foreign: ForeignTournament, reading: Reading, fitting: Callable[[ForeignTournament], bool]
) -> bool:
    try:
        return fitting(read_as(foreign, (reading,)))
    except NotReadable:
        return False


def _pairs(singles: Sequence[Trial]) -> Iterator[tuple[Reading, ...]]:
    """Yield pairs of readings that go together, the most promising ones first."""
    ordered = sorted(
        combinations(range(len(singles)), 2),
        key=lambda pair: (sum(singles[at].left for at in pair), pair),
    )
    for first, second in ordered:
        both = in_order((*singles[first].readings, *singles[second].readings))
        if not both[0].group or both[0].group != both[1].group:
            yield both


def _tried(
    trials: ReadingTrials,
    readings: Sequence[tuple[Reading, ...]] | Iterator[tuple[Reading, ...]],
    most: int,
    is_over: Callable[[], bool],
    *,
    is_all: bool = False,
) -> tuple[list[Trial], Stopped]:
    """Try readings in turn; those that change no published number are left out."""
    done: list[Trial] = []
    for number, reading_set in enumerate(readings):
        if number >= most:
            return done, "trials"
        if is_over():
            return done, "time"
        wrong = trials.left(reading_set, is_all=is_all)
        if wrong is not None:
            done.append(Trial(reading_set, wrong))
    return done, ""


class ReadingTrials:
    """Trials of readings of one file. Work that several trials share is done once."""

    def __init__(self, foreign: ForeignTournament) -> None:
        self._foreign = foreign
        self.published = PublishedNumbers(foreign)
        self.tournament = made(foreign)
        self.made = 0
        self._rounds: dict[tuple[str, ...], Tournament | None] = {(): self.tournament}
        self._plain = self.published.figures_of(self.tournament)
        self._quick = self.published.wrong_first(self.tournament)

    def left(self, readings: tuple[Reading, ...], *, is_all: bool = False) -> int | None:
        """Count the numbers that do not follow by some readings.

        With `is_all` only whether there are any. None: the file cannot be read so, or nothing that
        is published changes by it.
        """
        self.made += 1
        try:
            tournament = self.tournament_by(readings)
        except (LedgerError, NotReadable):
            return None
        if tournament is None:
            return None
        if is_all:
            return int(not self._quick.follow_all(tournament))
        wrong, figures = self.published.figures_of(tournament)
        return None if (wrong, figures) == self._plain else wrong

    def is_exact(self, trial: Trial) -> bool:
        """Whether every number follows when the file is recorded by a trial's readings."""
        try:
            tournament = made(read_as(self._foreign, trial.readings))
        except (LedgerError, NotReadable):
            return False
        return self._quick.follow_all(tournament)

    def tournament_by(self, readings: tuple[Reading, ...]) -> Tournament | None:
        """Return the tournament by some readings, made as cheaply as it can be.

        None: its rounds cannot be so.

        Raises:
            LedgerError: the rules cannot be so.
        """
        of_rules = [reading for reading in readings if not reading.is_of_rounds]
        moved = tuple(reading for reading in readings if reading.is_of_rounds)
        if not of_rules:
            return self._of_rounds(moved)
        before, after = self._rules(()), self._rules(of_rules)
        if replace(after, declared=before.declared, edition=before.edition) != before:
            return made(read_as(self._foreign, readings))
        tournament = self._of_rounds(moved)
        return None if tournament is None else with_rules(tournament, after)

    def _rules(self, readings: Sequence[Reading]) -> Ruleset:
        foreign = read_as(self._foreign, readings)
        return parse(foreign.ruleset).on(foreign.date)

    def _of_rounds(self, readings: tuple[Reading, ...]) -> Tournament | None:
        """Return the tournament with its rounds as they are read; None if it cannot be."""
        names = names_of(readings)
        if names not in self._rounds:
            try:
                self._rounds[names] = self._moved(readings)
            except (LedgerError, NotReadable):
                self._rounds[names] = None
        return self._rounds[names]

    def _moved(self, readings: tuple[Reading, ...]) -> Tournament | None:
        foreign = read_as(self._foreign, readings)
        others = tuple(reading for reading in readings if reading.kind != CUT)
        if others == readings:
            return made(foreign)
        uncut = self._of_rounds(others)
        return None if uncut is None else _cut(uncut, foreign)


def _cut(tournament: Tournament, foreign: ForeignTournament) -> Tournament:
    """Return a tournament of one Swiss stage with its rounds in several: no act is checked again.

    What is published of it follows as if it were recorded so.
    """
    first, *others = tournament.stages
    lengths = foreign.swiss_stages
    ends = [*accumulate(lengths)]
    stage_of = [number for number, length in enumerate(lengths, 1) for _ in range(length)]
    stages = []
    for number, (end, length) in enumerate(zip(ends, lengths, strict=True), 1):
        plan = StagePlan("swiss", length, "list", carries=True)
        if number == 1:
            stage = replace(first, plan=replace(first.plan, rounds=length))
        else:
            first_round = tournament.rounds[end - length]
            present = sorted(first_round.present)
            stage = Stage(number, plan, entrants=present, seeds=present[:])
            stage.cut_seq = first_round.paired_seq
        stage.rounds = [*range(end - length + 1, end + 1)]
        stages.append(stage)
    more = len(lengths) - 1
    stages += [replace(stage, number=stage.number + more) for stage in others]
    rounds = [
        replace(round_, stage=stage_of[at] if at < len(stage_of) else round_.stage + more)
        for at, round_ in enumerate(tournament.rounds)
    ]
    return replace(tournament, stages=stages, rounds=rounds)
