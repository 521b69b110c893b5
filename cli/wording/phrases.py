"""People, tables, results, formats and free texts within a sentence; sentences of events.

`phrase` makes the sentence of an event from its members.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cli.input.find_people import labelled
from cli.input.matches import facts_in_words
from cli.languages.speaking import marked, tr, tr_of
from cli.terminal.visible import isolated, shortened, visible
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import link_over

if TYPE_CHECKING:
    from fractions import Fraction

    from ledger.facts.base import Event, Waiver
    from ledger.facts.shared import Result, TournamentOpened
    from ledger.lines.recorded import Recorded
    from ledger.rulesets.outcomes import Scoring

MANNERS = {
    "played": "",
    "time": marked(" after time"),
    "concession": marked(" by concession"),
    "no-show": marked(" (no-show)"),
    "departure": marked(" (opponent left)"),
    "declared": marked(" (declared)"),
}
BOTH_LEFT = marked(" (both left)")
BY_DECISION = marked(" (removed by a decision)")


GAMES_IN_WORDS: Mapping[int, str] = MappingProxyType(
    {1: marked("final"), 2: marked("semifinals"), 4: marked("quarterfinals")}
)
"""Names of the last rounds of a single elimination, by their number of games."""


def elimination_round(games: int) -> str:
    """Name a round of a single elimination by its number of games: `semifinals`, `round of 16`."""
    if games == 1:
        return tr_of("round", "final")
    if games in GAMES_IN_WORDS:
        return tr(GAMES_IN_WORDS[games])
    return tr("round of {players}", players=2 * games)


def playing_in_words(tournament: Tournament) -> str:
    """Return how many play on; after the finish, how many stayed, with those who missed the cut."""
    if not tournament.finished:
        return tr("{count} playing on", count=len(tournament.active()))
    stayed = [player for player in tournament.players[1:] if player.status in {"active", "cut"}]
    return tr("{count} stayed to the end", count=len(stayed))


def result_in_words(tournament: Tournament, match: Match, result: Result) -> str:
    """Say how a match ended: `Ann (#1) beat Bob (#2) 7-4 after time [score 107:49]`."""
    first, second = (labelled(tournament, player) for player in (match.first, match.second))
    is_by_decision = _is_by_decision(tournament, match, result)
    manner = _tail(BY_DECISION if is_by_decision else MANNERS[result.manner])
    scoring, records = tournament.ruleset.scoring, tournament.ruleset.records
    points = score_in_words(scoring, result.counted)
    letter, other = (records.get(outcome, " ") for outcome in result.outcomes)
    if letter == other == "L":
        manner = tr(BOTH_LEFT) if result.manner == "departure" else manner
        return tr(
            "neither {first} nor {second} won{more}",
            first=first,
            second=second,
            more=manner + facts_in_words(tournament.ruleset, result),
        )
    is_turned = letter == "L"
    seen = facts_in_words(tournament.ruleset, result, turned=is_turned) + _adjusted(
        result, turned=is_turned
    )
    if letter == "D":
        return tr(
            "{first} and {second} drew {points}{more}",
            first=first,
            second=second,
            points=points,
            more=manner + seen,
        )
    if is_turned:
        first, second = second, first
        points = score_in_words(scoring, result.counted[::-1])
    won = result.outcomes[0] if letter == "W" else result.outcomes[1]
    kind = "" if won == tournament.ruleset.full_win.name else f", {tr_of('result', won)}"
    score = f" {points}" if any(result.counted) else ""
    more = f"{score}{kind}{manner}{seen}"
    return tr("{winner} beat {loser}{more}", winner=first, loser=second, more=more)


def _tail(text: str) -> str:
    return tr(text) if text else ""


def _is_by_decision(tournament: Tournament, match: Match, result: Result) -> bool:
    """Whether the match ended because the loser was disqualified.

    An earlier log records that as a concession; the event next to it is the decision.
    """
    if result.manner != "concession" or match.result_seq == 0 or match.result != result:
        return False
    letters = map(tournament.letters.get, result.outcomes)
    for player, letter in zip(match.players, letters, strict=True):
        loser = tournament.players[player]
        if letter == "L" and loser.status == "disqualified":
            return abs(loser.left_seq - match.result_seq) == 1
    return False


def score_in_words(scoring: Scoring, points: tuple[int, int]) -> str:
    """Say both sides' points: `2-0`, or `½-½` where they are counted in halves."""
    return "-".join(map(scoring.shown, points))


def _adjusted(result: Result, *, turned: bool) -> str:
    """What a judge gave or took beside the result."""
    if not any(result.adjusted):
        return ""
    one, other = result.adjusted[::-1] if turned else result.adjusted
    return tr(" (points adjusted by {one}:{other})", one=f"{one:+}", other=f"{other:+}")


TEXT_CELLS = 200
"""How much of a text a line shows."""

Phrase = Callable[[Any, "Tournament"], str]
"""Says an event in one line; people by the names that they have now."""


def safe_text(text: str) -> str:
    """Return a typed name or text, short and safe to show.

    It is marked while a page is written: its letters may go from right to left.
    """
    return isolated(shortened(visible(text), TEXT_CELLS))


OWN_REASONS = frozenset(
    {
        marked("undone"),
        marked("undone by the player who reported it"),
        marked("the computer with the log's key is permanently lost"),
    }
)
"""Reasons that the program writes into a log if a person gives none."""


def because(text: str) -> str:
    """The end of a sentence that says why; nothing where nobody said it."""
    return f": {reason_in_words(text)}" if text.strip() else ""


def reason_in_words(text: str) -> str:
    """Return a reason, short and safe to show; one of the program's own is translated."""
    return tr(text) if text in OWN_REASONS else safe_text(text)


def by_clause(clause: str) -> str:
    """The clause that something follows, in brackets."""
    return f" ({shortened(visible(clause), TEXT_CELLS)})" if clause else ""


def who(by: str, tournament: Tournament) -> str:
    """Name who entered an event: `Kim`, or `Kim for Ann Lee (#7)`."""
    desk, _, player = by.partition("/")
    if desk.startswith("p"):
        return labelled(tournament, int(desk[1:]))
    name = safe_text(tournament.names.get(desk, desk))
    if not player:
        return name
    return tr(
        "{official} for {player}", official=name, player=labelled(tournament, int(player[1:]))
    )


def entered_by(recorded: Recorded, tournament: Tournament) -> str:
    """Name who entered an event, and over which link, where it was over one."""
    name, link = who(recorded.by, tournament), link_over(tournament.floor.links, recorded.id)
    return tr("{name}, over link {link}", name=name, link=link) if link else name


def source(recorded: Recorded, tournament: Tournament) -> str:
    """Name whom an act comes from: who entered it, or the phone of somebody who has no place yet.

    The hall's desk enters what comes in over the tournament's own link.
    """
    links = tournament.floor.links
    number = link_over(links, recorded.id)
    is_newcomer = bool(number) and links[number].of.startswith("e")
    return tr("a newcomer's phone") if is_newcomer else who(recorded.by, tournament)


def official_in_words(tournament: Tournament, number: int) -> str:
    """Name an official, short and safe to show."""
    name = tournament.names.get(f"o{number}") or tr("official {number}", number=number)
    return safe_text(name)


def holder_in_words(tournament: Tournament, number: int) -> str:
    """Name who holds a key: an official, or the log as number 0."""
    return official_in_words(tournament, number) if number else tr("the log")


def table_in_words(tournament: Tournament, match: int) -> str:
    """Name a match by round and table."""
    found = tournament.matches[match]
    return f"{found.round}/{found.table}"


def at_table(tournament: Tournament, match: int) -> str:
    """Say at which table; nothing of what is about no match."""
    return tr(" at {table}", table=table_in_words(tournament, match)) if match else ""


def missed_in_words(missed: tuple[int, ...]) -> str:
    """Say which rounds are unpaired losses; nothing where none are."""
    rounds = ", ".join(map(str, missed))
    one = marked(", unpaired loss in round {rounds}")
    many = marked(", unpaired loss in rounds {rounds}")
    return tr(one if len(missed) == 1 else many, rounds=rounds) if missed else ""


def percent(share: Fraction) -> str:
    """Write a chance so that it is not below what it is: `5 %`, `0.42 %`."""
    hundredths = -(-share.numerator * 10_000 // share.denominator)
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".") + " %"


def waived(waiver: Waiver | None, said: str = "") -> str:
    """Say which clauses were waived, and why if that was not just said."""
    if waiver is None:
        return ""
    why = "" if waiver.reason == said else because(waiver.reason)
    return tr(" (waives {clauses}{why})", clauses=", ".join(waiver.clauses), why=why)


def phrase(template: str, **parts: Phrase) -> Phrase:
    """Return what says an event by a sentence with its members in braces, each as it is read.

    A member that may be empty brings what joins it to the sentence: `{player} rejoined{missed}`.
    Other words in braces are said by the `parts`.
    """
    return lambda event, tournament: tr(template).format_map(_Members(event, tournament, parts))


class _Members:
    """The members of an event in words."""

    def __init__(self, event: Event, tournament: Tournament, parts: Mapping[str, Phrase]) -> None:
        self._event, self._tournament, self._parts = event, tournament, parts

    def __getitem__(self, name: str) -> object:
        event: Any = self._event
        tournament = self._tournament
        if part := self._parts.get(name) or _PARTS.get(name):
            return part(event, tournament)
        value = getattr(event, name)
        if name in _NUMBERS:
            return _NUMBERS[name](tournament, value)
        if name in _TEXTS:
            return _TEXTS[name](value)
        if name in _WORDS and value:
            return safe_text(tr(value))
        return safe_text(value) if isinstance(value, str) else value


_PARTS: dict[str, Phrase] = {
    "where": lambda event, tournament: at_table(tournament, event.match),
    "result": lambda event, tournament: result_in_words(
        tournament, tournament.matches[event.match], event.result
    ),
    "players": lambda event, tournament: tr(" and ").join(
        labelled(tournament, each) for each in event.players
    ),
}
_NUMBERS: dict[str, Callable[[Tournament, int], str]] = {
    **dict.fromkeys(("player", "chooser", "blue", "entrant", "leaver"), labelled),
    "match": table_in_words,
    "official": official_in_words,
    "holder": holder_in_words,
}
WORDS_OF_LOGS = (
    marked("organizer"),
    marked("marshal"),
    marked("judge"),
    marked("scorekeeper"),
    marked("co-organizer"),
    marked("warning"),
    marked("corrected play"),
    marked("discard"),
    marked("game forfeit"),
    marked("match loss"),
    marked("removal"),
    marked("declared win"),
    marked("declared draw"),
    marked("other"),
    marked("forfeit"),
    marked("card"),
    marked("model"),
    marked("tool"),
    marked("ruler"),
    marked("templates"),
    marked("tools"),
    marked("dice"),
    marked("third-party"),
    marked("indicator"),
    marked("modification"),
    marked("playmat"),
    marked("placing"),
    marked("participation"),
    marked("sleeves"),
    marked("cards"),
    marked("tokens"),
    marked("pairings"),
    marked("standings"),
    marked("basic"),
    marked("advanced"),
    marked("custom"),
    marked("no-show"),
    marked("conduct"),
    marked("component"),
)
"""Words of logs that sentences show in the language that is spoken."""

_WORDS = frozenset({"kind", "remedy", "what"})
"""Members whose value is a word of ours, or of the ruleset."""

_KINDS = {
    "p": marked("player {number}"),
    "o": marked("official {number}"),
    "s": marked("screen {number}"),
}
_TEXTS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("reason", "note", "text", "infraction"), because),
    "clause": by_clause,
    "missed": missed_in_words,
    "of": lambda of: tr(_KINDS[of[0]], number=of[1:]),
    "word": lambda word: tr(', the word is "{text}"', text=safe_text(word)) if word else "",
    "waiver": waived,
    "edge": lambda edge: tr(", edge {edge}", edge=safe_text(edge)) if edge else "",
    "during": lambda during: tr(" during the game") if during else "",
}


def game_in_words(opening: TournamentOpened) -> str:
    """Return which ruleset scores and which format says what lists hold, as `l5r, ashes:built`."""
    format_ = f", {opening.format.key}" if opening.format else ""
    return f"{opening.ruleset.key}{format_}"


def rules_in_force(opening: TournamentOpened) -> list[tuple[str, str]]:
    """Return the optional rules of the format's variant, each `in force` or `by agreement`."""
    if opening.format is None:
        return []
    from ledger.formats import of_document

    loaded = of_document(opening.format)
    return [
        ("by agreement" if rule.by_agreement else "in force", rule.name)
        for rule in loaded.format.rules_of(loaded.variant)
    ]


def rules_in_words(opening: TournamentOpened) -> str:
    """Return the same in one line; empty where the format has no optional rules."""
    known = rules_in_force(opening)
    lists = (
        (kind, [name for each, name in known if each == kind])
        for kind in (marked("in force"), marked("by agreement"))
    )
    return "; ".join(f"{tr(kind)}: {', '.join(names)}" for kind, names in lists if names)


def format_as_json(opening: TournamentOpened | None) -> dict[str, object] | None:
    """Return a tournament's format for scripts; None where it has none."""
    if opening is None or opening.format is None:
        return None
    known = rules_in_force(opening)
    return {
        "key": opening.format.key,
        "edition": opening.format.edition,
        "in_force": [name for kind, name in known if kind == "in force"],
        "by_agreement": [name for kind, name in known if kind == "by agreement"],
    }
