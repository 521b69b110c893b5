"""A tournament as another program recorded it, read and validated, before it becomes events.

Whatever the file's format, a reader makes these structs and `translating` makes events of them.
Players go by a key of the file's own, unique within it; "" is nobody.

A file may publish tables that its ruleset does not give, and may list a table twice. Points that
the rules do not give are entered as the nearest result and as adjusted points. A table that cannot
be entered so, as a game of 300:100 points or a drawn final, is entered as near as the rules allow,
or as the player who went on, and is listed as not computed (`NotComputed`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import LedgerError
from ledger.exchange.account import Ignored  # noqa: TC001 - msgspec resolves it
from ledger.facts import results
from ledger.facts.base import Tier  # noqa: TC001 - msgspec resolves it
from ledger.facts.shared import Result, Source  # noqa: TC001 - as above
from ledger.problems import Phrase, marked, phrase
from ledger.rulesets import Forfeit, of_edition, parse, with_forfeits

if TYPE_CHECKING:
    from ledger.rulesets import Ruleset

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
    published: Phrase | str
    """The result as the file gives it."""

    entered: Phrase | str
    """What the log has instead."""

    def __str__(self) -> str:
        """Return a sentence for the people who compare the log with the file."""
        return str(self.words)

    def as_json(self) -> dict[str, str]:
        """Return it for scripts."""
        published, entered = str(self.published), str(self.entered)
        return {"place": self.place, "published": published, "entered": entered}

    @property
    def words(self) -> Phrase:
        """The sentence, so that it can be translated."""
        return phrase(
            "{place}: {published}; {entered}; not computed",
            place=self.place,
            published=self.published,
            entered=self.entered,
        )


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
    notes: tuple[Phrase | str, ...] = ()
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
        result = results.absence(rules, (first == loss, second == loss))
        kept = results.before_play(rules, one.result.fields)
        result = replace(result, fields=result.fields | kept)
        if any(one.result.adjusted):  # the file says itself what the match gave
            pairs = zip(one.result.counted, result.points, strict=True)
            first_more, second_more = (counted - given for counted, given in pairs)
            result = replace(result, adjusted=(first_more, second_more))
        return replace(one, result=result)

    swiss = tuple(replace(each, games=tuple(map(game, each.games))) for each in foreign.swiss)
    return replace(foreign, ruleset=text, swiss=swiss)


Facts = Mapping[str, tuple[int, int]]
Odd = Callable[[str, "Phrase | str", "Phrase | str"], None]
"""Notes the place of an odd table, the published result, and the result that is entered."""

LISTED_TWICE = marked("match listed from both sides")
"""What an account calls the second row of a match."""

NOTES_MAX = 20
"""Notes of a file that are shown one by one."""


def adjusted_result(rules: Ruleset, points: tuple[int, int]) -> Result | None:
    """Return the result nearest to both sides' points, with the rest as adjusted points.

    Equally near results are a draw if the ruleset has one. None if outcomes have no points.
    """
    found: list[tuple[int, bool, Result]] = []
    for outcome in rules.outcomes:
        try:
            result = results.by_outcome(rules, outcome.name)
            worth = rules.points(outcome)
        except LedgerError:
            continue
        rest = (points[0] - worth[0], points[1] - worth[1])
        found.append((sum(map(abs, rest)), outcome.record != "D", replace(result, adjusted=rest)))
    return min(found, key=lambda one: one[:2])[2] if found else None


def nearest_by_facts(rules: Ruleset, facts: Facts, claimed: str) -> Result | None:
    """Return the result of the nearest facts that the rules allow; None if there is no such."""
    declared = rules.derives
    if declared is None:
        return None
    bounded = {}
    for label, pair in facts.items():
        fact = declared.labels.get(label)
        if fact is None:
            continue
        one, two = (min(max(own, fact.min), fact.max) for own in pair)
        if fact.max_for_one and one == two == fact.max:
            one, two = one - (pair[0] <= pair[1]), two - (pair[0] >= pair[1])
        bounded[label] = one, two
    main = bounded.get(declared.main, (0, 0))
    level = {**bounded, declared.main: (max(main), max(main))}
    for tried, won in ((bounded, claimed), (level, claimed), (bounded, ""), (level, "")):
        try:
            return results.by_facts(rules, "", tried, won)
        except LedgerError:
            continue
    return None


def facts_in_words(facts: Facts) -> str:
    """Return what a table saw, as a file gives it."""
    return ", ".join(f"{label} {one}:{two}" for label, (one, two) in facts.items())


class RoundTables:
    """The tables of one round, each pair and each player once.

    A file may list a match from both sides: the second row is the same match if its result is the
    first one's mirror image. Otherwise the first row is entered, and `odd` notes the other.
    """

    def __init__(self, odd: Odd, names: Callable[[str], str] = str) -> None:
        self._odd, self._names = odd, names
        self._games: list[ForeignGame] = []
        self._seats: dict[str, int] = {}
        self._published: dict[int, Phrase | str] = {}

    @property
    def games(self) -> tuple[ForeignGame, ...]:
        """The tables, in the file's order."""
        return tuple(self._games)

    def add(self, game: ForeignGame, published: Phrase | str = "") -> bool:
        """Add a table with its result as published; return False if it is another's second row."""
        keys = [key for key in (game.first, game.second) if key]
        if game.first and game.first == game.second:
            text = phrase(
                "{name} sits on both sides, {published}",
                name=self._names(game.first),
                published=published,
            )
            self._odd(game.place, text, phrase("the table is left out"))
            return True
        seated = [self._seats[key] for key in keys if key in self._seats]
        if not seated:
            at = len(self._games)
            self._games.append(game)
            self._published[at] = published
            self._seats |= dict.fromkeys(keys, at)
            return True
        return self._again(game, seated[0], published)

    def has_missed(self, key: str) -> bool:
        """Return whether an earlier row already lists a player as missing the round."""
        return self._seats.get(key) == -1

    def miss(self, key: str, place: str) -> bool:
        """Return whether a player may have missed the round; one with a table has not."""
        if key not in self._seats:
            self._seats[key] = -1
            return True
        if self.has_missed(key):
            return False
        entered = phrase("the other row is entered")
        self._odd(
            place,
            phrase("{name} missed the round, but has another row", name=self._names(key)),
            entered,
        )
        return False

    def _again(self, game: ForeignGame, at: int, published: Phrase | str) -> bool:
        known = self._games[at] if at >= 0 else None
        if known is None or {known.first, known.second} != {game.first, game.second}:
            players = (key for key in (game.first, game.second) if key in self._seats)
            who = self._names(next(players))
            if known:
                text = phrase("{name} already sits at {place}", name=who, place=known.place)
            else:
                text = phrase("{name} missed the round, as another row says", name=who)
            if published:
                text = phrase("{published}; {problem}", published=published, problem=text)
            self._odd(game.place, text, phrase("the table is left out"))
            return True
        turned = mirrored(game) if game.first != known.first else game
        if known.is_open and not game.is_open:
            self._games[at] = replace(turned, place=known.place)
            self._published[at] = published
        elif not game.is_open and not _alike(known, turned):
            text = phrase(
                "{published}, but {other} at {place}",
                published=published,
                other=self._published[at],
                place=known.place,
            )
            self._odd(
                game.place, text, phrase("entered as published at {place}", place=known.place)
            )
        return False


def mirrored(game: ForeignGame) -> ForeignGame:
    """Return a table as its other side sees it."""
    result, points = game.result, game.points
    return replace(
        game, first=game.second, second=game.first, adjusted=game.adjusted[::-1],
        points=points[::-1] if points else None,
        result=results.turned(result) if result else None,
    )  # fmt: skip


def _alike(one: ForeignGame, other: ForeignGame) -> bool:
    facts = ("points", "winner", "result", "adjusted")
    return all(getattr(one, name) == getattr(other, name) for name in facts)


def decided(
    elimination: Sequence[ForeignRound],
    undecided: Mapping[str, Phrase | str],
    places: Mapping[str, int],
    odd: Odd,
    name_of: Callable[[str], str],
) -> tuple[ForeignRound, ...]:
    """Return the rounds with the player who went on at each table without a winner.

    Of two players, the one who plays in a later round went on, or else the one with the better
    final place. Tables of the last round that are not `undecided` wait for their result; all others
    are noted as `odd`. `undecided` are tables by place, each as it is published.
    """
    found: dict[str, str] = {}
    rounds = []
    for number, round_ in enumerate(elimination, start=1):
        later = {key for after in elimination[number:] for key in after.present}
        games = []
        for game in round_.games:
            is_last = number == len(elimination)
            if game.is_open and not (is_last and game.place not in undecided):
                winner = went_on(game, later, places)
                found |= {game.place: winner} if winner else {}
                games.append(replace(game, winner=winner))
            else:
                found |= {game.place: game.winner} if game.place in undecided else {}
                games.append(game)
        rounds.append(replace(round_, games=tuple(games)))
    open_ones: dict[str, Phrase | str] = dict.fromkeys(found, phrase("no result"))
    for place, published in {**open_ones, **undecided}.items():
        winner = name_of(found[place]) if found.get(place) else ""
        advances = phrase("{name} advances", name=winner)
        odd(place, published, advances if winner else phrase("no result is entered"))
    return tuple(rounds)


def went_on(game: ForeignGame, later: set[str], places: Mapping[str, int]) -> str:
    """Return the key of the player who went on after a game, "" if nothing shows it.

    Of the two players that is the only one in `later`, or else the one with the better place.
    """
    keys = (game.first, game.second)
    playing = [key for key in keys if key in later]
    if len(playing) == 1:
        return playing[0]
    first, second = (places.get(key, 0) for key in keys)
    if not (first or second) or first == second:
        return ""
    return keys[0] if first and (not second or first < second) else keys[1]


def with_byes(text: str, byes: Mapping[str, int]) -> str:
    """Return a ruleset's text with more byes, by their names and their points.

    A bye of a full win counts as the round's, all others as rounds that a player asked for.
    """
    if not byes:
        return text
    rules = parse(text)
    tables = "".join(
        f'\n[[byes]]\nclause = "{rules.bye.clause}"\nname = "{name}"\npoints = {points}\n'
        f'kind = "{"bye" if points >= rules.most_points else "asked"}"\n'
        for name, points in byes.items()
    )
    return of_edition(text.rstrip("\n") + "\n", "byes of its file") + tables


def with_byes_of(foreign: ForeignTournament, ruleset: str) -> ForeignTournament:
    """Return a tournament whose byes have the names by which a log's ruleset gives their points.

    A bye with points that the log's ruleset does not give becomes an ordinary bye, which is listed
    as not computed.
    """
    file_rules, rules = parse(foreign.ruleset), parse(ruleset)
    if (file_rules.bye.points, file_rules.byes) == (rules.bye.points, rules.byes):
        return foreign
    names = {bye.points: bye.name for bye in reversed(rules.byes)} | {rules.bye.points: ""}
    worths = {bye.name: bye.points for bye in rules.byes} | {"": rules.bye.points}
    unusual: list[NotComputed] = []

    def renamed(game: ForeignGame) -> ForeignGame:
        points = file_rules.worth_of_bye(game.bye).points
        if not game.is_bye or worths.get(game.bye) == points:
            return game
        if points not in names:
            entered = phrase("entered as a bye of {points}", points=rules.bye.points)
            unusual.append(
                NotComputed(game.place, phrase("a bye of {points} points", points=points), entered)
            )
        return replace(game, bye=names.get(points, ""))

    swiss = tuple(
        replace(round_, games=tuple(map(renamed, round_.games))) for round_ in foreign.swiss
    )
    not_computed = (*foreign.not_computed, *unusual)
    notes = first_notes([*foreign.notes, *(each.words for each in unusual)])
    return replace(foreign, swiss=swiss, not_computed=not_computed, notes=notes)


def bye_name(points: int) -> str:
    """Return what a bye of unusual worth is called."""
    return f"bye of {points}"


def left_out(place: str) -> Phrase:
    """Return the note on a round without games: those after it have other numbers in the log."""
    return phrase(
        "{place} has no games: it is left out, and the next round takes its number", place=place
    )


def first_notes(notes: Sequence[Phrase | str]) -> tuple[Phrase | str, ...]:
    """Return the first notes, and how many more there are."""
    more = len(notes) - NOTES_MAX
    return (
        *notes[:NOTES_MAX],
        *([phrase("and {more} more notes", more=f"{more:,}")] if more > 0 else []),
    )
