"""What a ruleset says about the floor: who rules, the clock, the set-up, components.

Every table is optional: what it leaves out is as in the three games that share their regulations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, get_args

from msgspec import Meta

from ledger.facts.base import Role, Tier
from ledger.facts.shared import Inspected
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import Clause, Line, Part

Minutes = Annotated[int, Meta(ge=0, le=240)]


class Authority(Part, frozen=True):
    """Who leads an event, and whether a leader may play in it.

    `playing`: "relaxed", only in that tier and with another leader announced at the beginning
    (FFG-LEADER-TIER); "announced", wherever it is announced before the start (AOP-ORGANIZER).
    `playing_clause` is the clause of that, where it is not the table's. `placing_prize`: whether a
    playing organizer keeps a prize for placing, or passes it down.

    `final`: whose word is: a marshal's where judges rule first, or the organizer's alone; left out,
    where nobody is a judge, everybody's who leads. `documents` is the clause by which nobody
    overrules the rules documents; without it a marshal may (FFG-OVERRULE). `declares` is the one by
    which the organizer alone declares results and gives penalties; without it they are decided by
    who decides on conduct (FFG-AUTH-CONDUCT). `adjusts` is the one by which the organizer alone
    sets tables by hand and swaps seats; without it who pairs may.
    """

    clause: Clause = "FFG-ROLE-JUDGE"
    leaders: tuple[Role, ...] = ("organizer", "marshal", "judge")
    playing: Literal["relaxed", "announced"] = "relaxed"
    placing_prize: Literal["kept", "passes"] = "kept"
    playing_clause: Clause | None = None
    final: Literal["marshal", "organizer"] | None = None
    documents: Clause | None = None
    declares: Clause | None = None
    adjusts: Clause | None = None

    @property
    def has_judges(self) -> bool:
        """Whether a judge rules first and a marshal reviews."""
        return "judge" in self.leaders

    @property
    def reviewer(self) -> Role | None:
        """Who reviews the ruling of another leader; None where every ruling is final."""
        return self.final or ("marshal" if self.has_judges else None)

    @property
    def first_word(self) -> Phrase:
        """Who rules first, in words."""
        return phrase("a judge") if self.has_judges else phrase("a leader")

    @property
    def last_word(self) -> Phrase:
        """Who decides for good, in words."""
        return phrase("the organizer") if self.reviewer == "organizer" else phrase("a marshal")


SharedConduct = Literal[
    "stalling",
    "excessive force",
    "inappropriate behavior",
    "discourtesy",
    "cheating",
    "collusion on scores",
    "notes or outside material",
    "help from spectators",
    "other",
]
"""The kinds of unsporting conduct that the shared regulations list (FFG-CONDUCT-KIND)."""

Conduct = Literal[SharedConduct, "confusing others", "dramatic body language"]
"""Every kind of unsporting conduct that a game may list."""


class ConductRules(Part, frozen=True):
    """The kinds of unsporting conduct of a game, and the clause that lists them."""

    clause: Clause = "FFG-CONDUCT-KIND"
    kinds: tuple[Conduct, ...] = get_args(SharedConduct)


class FloorClock(Part, frozen=True):
    """How far a round's time can be changed, and when its end is called out.

    `extra_max`: minutes that the organizer may add to a round if announced before the event; the
    final keeps its length (SWL-CLOCK). `warning`: minutes left when the end is called out, 0 for
    never.
    """

    clause: Clause = "FFG-CLOCK"
    extra_max: Minutes = 0
    warning: Minutes = 0


class DamagedModel(Part, frozen=True):
    """What follows from a damaged model that impedes play.

    `impedes`: "lost", it counts as lost where no other is found; "kept", it is kept near the army,
    and the game goes on; "modified", it counts as lost where it is neither modified nor replaced.
    """

    clause: Clause = "FFG-DAMAGED"
    impedes: Literal["lost", "kept", "modified"] = "lost"


class Components(Part, frozen=True):
    """What follows from a lost or a damaged component.

    `lost`: who misses one concedes, and is removed (FFG-LOST). `during`: found missing during a
    game, that game is conceded at once (L5R-LOST), or looked for like at the beginning of a round.
    `essential_only`: nothing else counts as lost. `damaged`: damaged, ineligible and shared
    components are ruled on (FFG-DAMAGED, FFG-INELIGIBLE, FFG-SHARE). `proxies`: a leader makes one
    for a damaged card (FFG-PROXY). `playmats`: the clause by which a player's own mat is official.
    """

    clause: Clause = "FFG-LOST"
    during: Literal["concede", "extension"] = "concede"
    essential_only: bool = False
    damaged: bool = False
    lost: bool = True
    proxies: bool = True
    model: DamagedModel = DamagedModel()
    playmats: Clause | None = None


class Season(Part, frozen=True):
    """The scenario cards that are legal from one day on, until the next season's."""

    since: Annotated[str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]
    deployments: tuple[Line, ...]
    objectives: tuple[Line, ...]


class Scenario(Part, frozen=True):
    """The seasons of a game whose rounds each draw a deployment and an objective."""

    clause: Clause
    seasons: tuple[Season, ...]

    def season(self, date: str) -> Season | None:
        """Find the season of a day; None before the first one."""
        return next((each for each in reversed(self.seasons) if each.since <= date), None)

    def problems(self) -> Iterator[Phrase]:
        """Yield where the seasons have no order, or no cards."""
        days = [season.since for season in self.seasons]
        if days != sorted(set(days)) or not days:
            yield phrase(
                "floor.scenario: list the seasons in the order of their days, each day once"
            )
        for number, season in enumerate(self.seasons, start=1):
            for kind in ("deployments", "objectives"):
                cards = getattr(season, kind)
                if not cards or len(set(cards)) != len(cards):
                    yield phrase(
                        "floor.scenario, season {number}, {kind}: list its cards, each once",
                        number=number,
                        kind=kind,
                    )


class Armies(Part, frozen=True):
    """The most points that an army has; an event outline may have other armies."""

    clause: Clause
    most: Annotated[int, Meta(ge=1, le=1_000_000)]


class First(Part, frozen=True):
    """Who chooses the first player: the lower army total, the higher roll, or a random player."""

    clause: Clause
    chooser: Literal["army total", "roll", "random"]


class Sides(Part, frozen=True):
    """Who chooses between blue and red: the lower army total, or the second player."""

    clause: Clause
    chooser: Literal["army total", "second player"]


class ListRules(Part, frozen=True):
    """What a game says of lists and decks; the event's format may name clauses of its own.

    `clause`: lists come before the start, and are checked; `fixed`: what is played stays for the
    whole event; `deck_check`: each deck is looked at before anyone plays, list or no list.
    `sheet_alone`: a correction mends an error of the sheet, and never what is played.
    """

    clause: Clause = "FFG-LIST"
    fixed: Clause = "FFG-LIST-FIXED"
    deck_check: Clause | None = None
    sheet_alone: bool = False


class Provision(Part, frozen=True):
    """Something that a game has, and the clause by which it has it."""

    clause: Clause


class Inspections(Part, frozen=True):
    """Which components are looked at, and the tiers in which cards are in opaque sleeves."""

    clause: Clause
    of: tuple[Inspected, ...]
    opaque: tuple[Tier, ...] = ()


class Terrain(Part, frozen=True):
    """The terrain of each table is counted; another clause lets an event fix it."""

    clause: Clause
    fixed: Clause


class FloorRules(Part, frozen=True):
    """The floor's tables of a ruleset."""

    authority: Authority = Authority()
    clock: FloorClock = FloorClock()
    lists: ListRules = ListRules()
    conduct: ConductRules = ConductRules()
    components: Components = Components()
    scenario: Scenario | None = None
    armies: Armies | None = None
    first: First | None = None
    sides: Sides | None = None
    battle: Provision | None = None
    """The blue player's battle cards make the set-up, after both have struck some out."""

    terrain: Terrain | None = None
    verification: Provision | None = None
    """Players may be asked to verify each other's army totals before the first round."""

    first_five: Provision | None = None
    """A player's opening cards are looked at before each match, by an official or a player."""

    inspections: Inspections | None = None
    pace: Provision | None = None
    """A player may ask that somebody sees to the pace of a match."""

    draft: Provision | None = None
    """Players are drawn into draft groups before the first round."""

    def problems(self) -> Iterator[Phrase]:
        """Yield every contradiction, with its place."""
        if "organizer" not in self.authority.leaders:
            yield phrase("floor.authority, leaders: the organizer must be one of them")
        if "scorekeeper" in self.authority.leaders:
            yield phrase("floor.authority, leaders: a scorekeeper cannot be a leader")
        yield from self.scenario.problems() if self.scenario else ()
