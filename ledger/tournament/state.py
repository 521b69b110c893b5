"""The tournament as its events have made it so far: what `decide` and `check` look at.

One mutable accumulator, private to a fold: `fold` builds it, `evolve` moves it on by one event,
nobody else writes to it. Players, matches and the like are found by number; place 0 is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from ledger.facts import base
from ledger.facts.base import NOBODY, Event
from ledger.facts.shared import HeadRecorded, Result, StructureAnnounced, TournamentOpened
from ledger.facts.shared import Stage as StagePlan
from ledger.proof.signatures import Held
from ledger.rulesets import Letter, Ruleset
from ledger.tournament.table_records import SubmittedList, TableRecords

if TYPE_CHECKING:
    from ledger.lines.recorded import AnyRecorded

Status = Literal["active", "cut", "dropped", "disqualified", "withdrawn"]
"""cut: did not go on, which is no drop; withdrawn: the registration was a mistake."""


class Player(Struct):
    """A registered player and where they stand in the day.

    `status_before` is that before they left, `late`: they registered after the start; `seq` is the
    event of the registration, `rank_seq` the one that gave the random rank.
    """

    number: int
    random_rank: int
    faction: str = ""
    league_id: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    status: Status = "active"
    status_before: Status = "active"
    left_stage: int = 0
    left_seq: int = 0
    byes: int = 0
    late: bool = False
    seq: int = 0
    rank_seq: int = 0
    numbers: dict[str, int] = field(default_factory=dict)


class Official(Struct):
    """A person in office.

    `player` is who they are among the players, or 0; `announced`: a leader when play began.
    """

    number: int
    roles: tuple[base.Role, ...]
    player: int = 0
    stood_down: bool = False
    announced: bool = False


class Match(Struct):
    """A game of a round: first against second, 0 for a bye; named: not the round's bye."""

    number: int
    round: int
    table: int
    first: int
    second: int
    result: Result | None = None
    result_seq: int = 0
    void: bool = False
    """The pairing was taken back; the id is not given again."""
    named: str = ""

    @property
    def players(self) -> tuple[int, ...]:
        """Who sits at the table."""
        return tuple(filter(None, (self.first, self.second)))

    @property
    def is_bye(self) -> bool:
        """Whether nobody sits opposite."""
        return not (self.first and self.second)

    @property
    def is_open(self) -> bool:
        """Whether it still needs a result."""
        return self.result is None and not self.is_bye and not self.void


class Round(Struct):
    """A round, and its results as columns: the place in a column is the player's number.

    `against` is the opponent met, 0 where there was none (a bye, an unpaired loss, a match that
    was not played or has no result); `seqs` the event that gave the result, 0 without one;
    `records` is `W`, `L`, `D`, `B` (bye) or a blank. `fields` holds the ruleset's further columns.
    """

    number: int
    stage: int
    attempt: int = 1
    status: Literal["paired", "started", "closed"] = "paired"
    paired_seq: int = 0
    procedure: str = ""
    by_hand: int = 0
    matches: list[Match] = field(default_factory=list)
    unreported: int = 0
    minutes: int = 0
    started_at: str = ""
    against: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    seqs: list[int] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    fields: dict[str, list[int]] = field(default_factory=dict)
    reseated: dict[int, int] = field(default_factory=dict)
    """By match, the last event that changed who sits there; none where it is as paired."""
    latecomers: dict[int, int] = field(default_factory=dict)
    """Who was seated after the pairing, each with the event of the loss that this took away."""

    @property
    def seated_seq(self) -> int:
        """The last event that said who sits at any of the tables."""
        return max(self.reseated.values(), default=self.paired_seq)

    @property
    def seated(self) -> set[int]:
        """The players with a seat in this round, also those with a bye."""
        return {player for match in self.matches for player in match.players}

    @property
    def missed(self) -> set[int]:
        """The players without a seat to whom this round counts all the same."""
        seated = self.seated
        return {player for player, seq in enumerate(self.seqs) if seq and player not in seated}

    @property
    def present(self) -> set[int]:
        """The players to whom this round counts: they have a seat, or missed the round."""
        return self.seated | self.missed


class Stage(Struct):
    """A stage as announced, with its players once they are known."""

    number: int
    plan: StagePlan
    rounds: list[int] = field(default_factory=list)
    entrants: list[int] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    vacancies: list[int] = field(default_factory=list)
    cut_players: list[int] = field(default_factory=list)
    cut_seq: int = 0

    @property
    def is_swiss(self) -> bool:
        """Whether points are played for."""
        return self.plan.kind == "swiss"


class CommittedKey(Struct, frozen=True):
    """A secret key of the log: its SHA-256, and the act that commits to it."""

    commitment: str
    seq: int
    command_id: str


class Tournament(Struct):
    """Everything known of one tournament so far."""

    seq: int = 0
    opening: TournamentOpened | None = None
    rules: Ruleset | None = None
    letters: dict[str, Letter] = field(default_factory=dict)
    """The letter of each outcome, as the ruleset has it: a result needs nothing else."""

    importing: bool = False
    officials: list[Official] = field(default_factory=lambda: [Official(NOBODY, ())])
    players: list[Player] = field(default_factory=lambda: [Player(NOBODY, 0, status="withdrawn")])
    names: dict[str, str] = field(default_factory=dict)
    """What each person is called, by `p7` or `o2`; see `ledger.facts.people` for sealed names."""

    forgotten: set[str] = field(default_factory=set)
    """Who was forgotten; under names they have what is shown of them instead."""

    forgotten_wholly: set[str] = field(default_factory=set)
    """Of whom nothing is kept any more: also no text that is about others as well."""
    public_names: base.PublicNames = "short"
    plain_http: bool = False
    """Whether officials may act in the served hall over plain HTTP."""

    announced: StructureAnnounced | None = None
    stages: list[Stage] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    matches: list[Match] = field(default_factory=lambda: [Match(0, 0, 0, 0, 0, void=True)])
    lost_seeds: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """For players who left a cut, or whose cut was undone: the stage, the seed and the event."""

    lists: dict[int, SubmittedList] = field(default_factory=dict)
    """What players handed in, or had checked without a list, by their number."""

    attempts: dict[int, int] = field(default_factory=dict)
    """How often each round has been paired so far; a pairing taken back leaves no round."""

    started: bool = False
    start_seq: int = 0
    finished_seq: int = 0
    """The events of the start and of the end of play, 0 before them."""
    word: str = ""
    head: HeadRecorded | None = None
    """The head of the start, which covers the word."""

    cosignature: str = ""
    """The witness's, of that head; empty where line 1 names none, and until it is here."""

    ranked: int = 0
    """How many players, the first ones, have their random rank."""
    draw_keys: list[CommittedKey] = field(default_factory=list)
    hidden_keys: list[CommittedKey] = field(default_factory=list)
    """The keys that the log commits to, in order, the last in use; none where nothing is drawn."""

    shuffle_key: str = ""
    hidden_key: str = ""
    """The keys in use, in hex, once they are revealed: of draws, of what is hidden to the end."""

    postings: list[AnyRecorded] = field(default_factory=list)
    keys: dict[bytes, Held] = field(default_factory=dict)
    """Every key that was ever registered, by its public bytes."""

    floor: TableRecords = field(default_factory=TableRecords)
    ids: dict[str, int] = field(default_factory=dict)
    last_acts: dict[str, AnyRecorded] = field(default_factory=dict)
    """The first event of the last act at every desk."""

    withdrawable: dict[int, Event] = field(default_factory=dict)
    """The events, by their places, that a withdrawal may name, but those of the floor."""

    further_events: dict[str, list[AnyRecorded]] = field(default_factory=dict)
    """The later events of the last act at every desk that had more than one."""

    def lose_seed(self, stage: Stage, player: int, seq: int) -> None:
        """Take a player out of the cut of a stage; lower seeds move up."""
        self.lost_seeds[player] = stage.number, stage.seeds.index(player) + 1, seq
        stage.seeds.remove(player)

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset in force; there is one as soon as the book is opened."""
        assert self.rules is not None  # noqa: S101 - the first event brings it
        return self.rules

    @property
    def rules_number(self) -> int:
        """Which rules the log holds to: what a rule asks that is stricter than it was once."""
        assert self.opening is not None  # noqa: S101 - the first event brings it
        return self.opening.rules

    @property
    def finished(self) -> bool:
        """Whether play is closed; the book is not."""
        return bool(self.finished_seq)

    @property
    def witness(self) -> str:
        """The key of who cosigns the head of the start; empty where nobody does."""
        return self.opening.witness if self.opening is not None else ""

    @property
    def anchor(self) -> str:
        """What was signed for the head of the start, in base64: every draw mixes it in."""
        return self.cosignature if self.witness or self.head is None else self.head.signature

    @property
    def is_imported(self) -> bool:
        """Whether the event began elsewhere."""
        return self.opening is not None and self.opening.imported is not None

    @property
    def is_sealed(self) -> bool:
        """Whether names and free texts are sealed in the lines."""
        return self.opening is not None and self.opening.names == "sealed"

    def registered(self) -> Iterable[Player]:
        """Every player whose registration stands, in order of registration."""
        return (player for player in self.players if player.status != "withdrawn")

    def last_act(self, by: str) -> list[AnyRecorded]:
        """The events of the last act at somebody's desk; that of `o1/p7` is official 1's."""
        desk = by.partition("/")[0]
        first, further = self.last_acts.get(desk), self.further_events.get(desk, ())
        return [first, *(each for each in further if each.command_id == first.id)] if first else []

    def last_of_act(self, by: str) -> AnyRecorded | None:
        """The last event of the last act at somebody's desk, however many events the act had."""
        desk = by.partition("/")[0]
        first, further = self.last_acts.get(desk), self.further_events.get(desk)
        if first is not None and further and further[-1].command_id == first.id:
            return further[-1]
        return first

    def active(self) -> list[int]:
        """The numbers of the players who play on, in order of registration."""
        return [player.number for player in self.players if player.status == "active"]

    def begun_stages(self) -> list[Stage]:
        """The stages that have a round."""
        return [stage for stage in self.stages if stage.rounds]

    def pending_cut(self) -> Stage | None:
        """The stage whose cut is made and whose first game has not begun."""
        cuts = (stage for stage in self.stages if stage.cut_seq and not self.has_begun(stage))
        return next(cuts, None)

    def has_begun(self, stage: Stage) -> bool:
        """Whether a game of the stage has started: its round was, or has a report."""
        if not stage.rounds:
            return False
        first = self.rounds[stage.rounds[0] - 1]
        return first.status in {"started", "closed"} or any(
            match.result or match.number in self.floor.unconfirmed for match in first.matches
        )
