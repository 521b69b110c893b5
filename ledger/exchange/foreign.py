"""A tournament as another program recorded it, read and validated, before it becomes events.

Whatever the file's format, a reader makes these structs and `translating` makes events of them.
Players go by a key of the file's own, unique within it; "" is nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from msgspec import Struct
from msgspec.structs import replace

from ledger.events.base import Tier  # noqa: TC001 - msgspec resolves it
from ledger.events.opening import Source  # noqa: TC001 - as above
from ledger.events.results import Result  # noqa: TC001 - msgspec resolves it
from ledger.exchange.account import Ignored  # noqa: TC001 - as above
from ledger.rulesets import Forfeit, parse, with_forfeits
from ledger.tournament import scoring

PLAIN = "plain"
"""Name of the reading of a file that changes nothing."""


def reading_name(names: Sequence[str]) -> str:
    """Return the text for the names of a reading, as an option takes it."""
    return ",".join(names) or PLAIN


class ForeignPlayer(Struct, frozen=True):
    """A player, with the published place among exact ties, from 1, unique."""

    key: str
    name: str
    rank: int
    attributes: dict[str, str]
    faction: str = ""
    league_id: str = ""
    numbers: dict[str, int] = {}
    """What the ruleset asks of each player, as a rating."""


class ForeignGame(Struct, frozen=True):
    """A game in table order: without a second player a bye, without points or winner unreported.

    `points` belong to a Swiss round, and `adjusted` is what a judge gave or took on top of them;
    `winner` is a key, in an elimination. A reader that knows the whole `result` gives it instead.
    """

    first: str
    second: str = ""
    points: tuple[int, int] | None = None
    winner: str = ""
    result: Result | None = None
    adjusted: tuple[int, int] = (0, 0)
    place: str = ""
    """Where in the file it is, for who has to mend it."""

    bye: str = ""
    """Which bye it is, of those that the ruleset has by name; none: the round's."""

    @property
    def is_bye(self) -> bool:
        """Whether nobody sits opposite."""
        return not self.second

    @property
    def is_open(self) -> bool:
        """Whether it still needs a result."""
        reported = self.points is not None or self.winner or self.result is not None
        return not (self.is_bye or reported)


class PublishedRow(Struct, frozen=True):
    """A player's row of the standings that a file publishes, each figure as it is written there.

    `figures` are `points` and tiebreakers by the ruleset's codes; `rank` is 0 if none is given.
    Points are counted in the file's own unit (`ForeignTournament.points_unit`).
    """

    key: str
    rank: int
    figures: dict[str, str]
    place: str = ""


class NotComputed(Struct, frozen=True):
    """A table of a file that the ruleset cannot hold as it is published."""

    place: str
    published: str
    """The result as the file gives it."""

    entered: str
    """What the log has instead."""

    def __str__(self) -> str:
        """Return a sentence for the people who compare the log with the file."""
        return f"{self.place}: {self.published}; {self.entered}; not computed"


class ForeignRound(Struct, frozen=True):
    """A round: its games, and the players who had neither a game nor a bye in it, and 0 points.

    `leaving` are those who dropped after it, by the file.
    """

    elimination: bool
    games: tuple[ForeignGame, ...]
    absent: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    place: str = ""
    """Where in the file it begins."""

    disqualified: tuple[str, ...] = ()
    """The players who were disqualified after it."""

    @property
    def is_open(self) -> bool:
        """Whether a game still needs a result."""
        return any(game.is_open for game in self.games)

    @property
    def present(self) -> set[str]:
        """Everybody who took part."""
        seated = {key for game in self.games for key in (game.first, game.second) if key}
        return seated | set(self.absent)


class ForeignCut(Struct, frozen=True):
    """Who went on, in the order of the seeds; "" where the file does not say who has the seed."""

    seeds: tuple[str, ...]
    unplaced: tuple[str, ...] = ()
    """Those who went on with a seed that the file does not give."""

    @classmethod
    def of(cls, elimination: Sequence[ForeignRound]) -> ForeignCut | None:
        """Return who went on where a file does not say: all who play, by the standings' seeds."""
        games = (game for round_ in elimination for game in round_.games)
        playing = dict.fromkeys(key for game in games for key in (game.first, game.second) if key)
        return cls(("",) * len(playing), tuple(playing)) if playing else None

    @property
    def known(self) -> set[str]:
        """Everybody who went on, by the file."""
        return {key for key in (*self.seeds, *self.unplaced) if key}


class ForeignTournament(Struct, frozen=True):
    """The whole; Swiss rounds come before elimination rounds, no round is without games."""

    source: Source
    tournament: str
    ruleset: str
    """The ruleset's whole text."""
    name: str
    date: str
    recorder: str
    players: tuple[ForeignPlayer, ...]
    swiss: tuple[ForeignRound, ...]
    elimination: tuple[ForeignRound, ...]
    swiss_announced: int
    cut: ForeignCut | None
    swiss_stages: tuple[int, ...] = ()
    """The rounds of each Swiss stage, the later ones for those who play in them; none: all one."""

    ignored: tuple[Ignored, ...] = ()
    notes: tuple[str, ...] = ()
    """What of the file is not taken, and what a reader should look at."""

    published: tuple[PublishedRow, ...] = ()
    """The standings after its Swiss rounds, as the file has them."""

    is_ranked: bool = False
    """Whether the file says itself by which tiebreakers it ranks, as its ruleset does."""

    tier: Tier = "relaxed"
    stays_open: bool = False
    """Whether the file may grow: the event is not over before its owner says so."""

    not_computed: tuple[NotComputed, ...] = ()
    """The tables whose published numbers the rules do not give, each with what was entered."""

    points_unit: int = 1
    """Points of the ruleset in one published point: a win of chess is published as 1."""

    is_over: bool = False
    """Whether the file states that the event is over, even if its games do not show it."""

    last_day: str = ""
    """The day on which the event ended, if the file gives another one than the first."""


def cut_after(foreign: ForeignTournament, rounds: int) -> ForeignTournament:
    """Return the tournament with its field cut after a number of Swiss rounds, maybe once more.

    The players of the next round continue with their points, as on a second day.
    """
    ends = sorted({*accumulate(foreign.swiss_stages), rounds, len(foreign.swiss)})
    lengths = tuple(end - begin for begin, end in pairwise((0, *ends)))
    return replace(foreign, swiss_stages=lengths)


def under_forfeits(
    foreign: ForeignTournament, forfeit: Forfeit, what: str = "other forfeits"
) -> ForeignTournament:
    """Return a tournament whose ruleset counts forfeits in another way.

    The ruleset's text has the section, and its edition names it as `what`; the results of matches
    that were not played follow from it.

    Raises:
        InvalidRuleset: the ruleset declares no such fields, or the section declares nothing.
    """
    text = with_forfeits(foreign.ruleset, forfeit, what)
    rules = parse(text)
    loss = rules.full_win.against

    def game(one: ForeignGame) -> ForeignGame:
        if one.result is None or one.result.manner != "no-show":
            return one
        first, second = one.result.outcomes
        result = scoring.absence(rules, (first == loss, second == loss))
        kept = scoring.before_play(rules, one.result.fields)
        result = replace(result, fields=result.fields | kept)
        if any(one.result.adjusted):  # the file says itself what the match gave
            pairs = zip(one.result.counted, result.points, strict=True)
            first_more, second_more = (counted - given for counted, given in pairs)
            result = replace(result, adjusted=(first_more, second_more))
        return replace(one, result=result)

    swiss = tuple(replace(each, games=tuple(map(game, each.games))) for each in foreign.swiss)
    return replace(foreign, ruleset=text, swiss=swiss)
