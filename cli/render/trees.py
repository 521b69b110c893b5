"""Explanations: a number as a tree of exact terms, and why two players met or one had the bye.

A terminal shows an indented tree; a script gets the whole tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from cli.input.find_people import labelled, name_of
from cli.input.moments import time_in
from cli.languages.speaking import in_figures, marked, tr
from cli.render.game_tables import decimal
from cli.terminal.output import show
from cli.terminal.problems import said
from cli.terminal.tables import broken, terminal_width
from cli.terminal.visible import amount_of, cells, how_many, visible
from cli.wording.event_words import in_words
from cli.wording.phrases import who
from ledger.books.open_log import events_of
from ledger.errors import Refused
from ledger.facts.results import UNPLAYED, ResultCorrected
from ledger.facts.rounds import PlayersSeated, RoundPaired, SeatsSwapped, TablesRepaired
from ledger.tournament.state import Tournament
from projections.explain import Explanation, tree_size
from projections.explain.tree import ADJUSTMENT

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.lines.recorded import Recorded
    from projections.explain.pairings import (
        Bye,
        Meeting,
        PairedSide,
        PairingLog,
        Reseating,
        RoundDraw,
    )

NODES_MAX = 200_000
"""The largest tree that is printed: a ruleset can declare means of means of means."""

WORDS = {
    "greatest": marked(", at least the minimum"),
    "after": marked(", 1 more than the players counted"),
    "cut": marked(", left out"),
    "least": marked(", the lowest of these"),
    "rounded": marked(", rounded to a whole number"),
    "step": marked(", from the table"),
    "performance": marked(", the lowest number at which this result is expected"),
}
"""Sentences that explain how some nodes follow from their terms."""

INDENT = 2
WIDTH_MIN = 20
PLAYERS_SHOWN = 12


class Sources:
    """The events behind the numbers, read from a book's lines when they are asked for."""

    def __init__(self, book: Book, seen: Tournament | None = None) -> None:
        """`seen` is the state with the names that are shown, if it differs from the book's."""
        self.tournament = seen or book.tournament
        self._book = book
        self._read: dict[int, Recorded] = {}

    def recorded(self, seq: int) -> Recorded:
        """The event at a place of the log."""
        if seq not in self._read:
            self._read[seq] = self._book.recorded_at(seq)
        return self._read[seq]

    def waived(self, seq: int) -> tuple[str, ...]:
        """The clauses that were waived for an event."""
        waiver = getattr(self.recorded(seq).event, "waiver", None)
        return waiver.clauses if waiver else ()

    def in_words(self, seq: int) -> str:
        """Say which event, when, by whom, and what: `event 57, 10:42:00, o1 Olga Brandt: …`."""
        recorded = self.recorded(seq)
        by = f"{recorded.by.partition('/')[0]} {who(recorded.by, self.tournament)}"
        phrase = in_words(recorded.event, self.tournament)
        return tr(
            "event {seq}, {time}, {by}: {act}",
            seq=seq,
            time=time_in(self.tournament, recorded.at),
            by=by,
            act=phrase,
        )

    def as_json(self, seq: int) -> dict[str, object]:
        """Return the event for scripts; only corrections, rulings and waivers have details."""
        recorded = self.recorded(seq)
        made: dict[str, object] = {
            "seq": seq,
            "at": recorded.at,
            "by": recorded.by,
            "type": recorded.type,
        }
        if isinstance(recorded.event, ResultCorrected):
            made["corrects"] = recorded.event.corrects
            if recorded.event.ruling:
                made["ruling"] = recorded.event.ruling
        waived = self.waived(seq)
        return made | {"waives": waived} if waived else made


def tree_as_json(root: Explanation, sources: Sources, depth: int | None) -> dict[str, object]:
    """Make a tree for scripts, whole or down to a depth.

    Raises:
        Refused: the tree is too large.
    """
    from projections.explain.tree import as_json

    _refuse_large(root, depth)
    tournament = sources.tournament

    def name(player: int) -> str:
        return name_of(tournament, player)

    tree = as_json(root, name, sources.as_json, depth)
    return tree | {"points_scale": tournament.ruleset.scoring.scale}


def tree_in_words(root: Explanation, sources: Sources, depth: int) -> Iterator[str]:
    """Yield the lines of a tree, broken to the width of the terminal.

    Raises:
        Refused: the tree is too large.
    """
    _refuse_large(root, depth)
    yield from _lines(root, None, sources, 0, depth)


def is_cut_off(root: Explanation, depth: int) -> bool:
    """Return whether a tree has nodes below a depth."""
    return tree_size(root) > tree_size(root, depth)


def _refuse_large(root: Explanation, depth: int | None) -> None:
    count = tree_size(root, depth)
    if count > NODES_MAX:
        raise Refused(
            tr(
                "this tree has {count} nodes: limit it with --depth 3, or another depth",
                count=in_figures(count),
            )
        )


def _lines(
    node: Explanation, parent: Explanation | None, sources: Sources, level: int, depth: int
) -> Iterator[str]:
    tournament = sources.tournament
    yield from indented(phrase(node, parent, tournament), level, tournament)
    if not (node.terms and node.round):
        for seq in node.seqs:
            words = f"{sources.in_words(seq)}{_waived(sources, seq)}"
            yield from indented(words, level + 1, tournament)
    if level < depth:
        for term in node.terms:
            yield from _lines(term, node, sources, level + 1, depth)


GLUE = "\0"
"""In the place of a space at which no line is broken: nothing that is shown has one."""

_NUMBER = re.compile(r"\(#([0-9]{1,7})\)")


def indented(text: str, level: int, tournament: Tournament) -> Iterator[str]:
    """Break a text into lines, indented to a level; no name of a player is broken over two."""
    pad = " " * (INDENT * level)
    room = max(terminal_width() - len(pad), WIDTH_MIN)
    shown = visible(text)
    if cells(shown) <= room:
        yield pad + shown
        return
    glued = _with_names_whole(shown, tournament, room - INDENT)
    first = broken(glued, room)[0]
    below = glued[len(first) :].removeprefix(" ")
    yield pad + first.replace(GLUE, " ")
    for line in broken(below, room - INDENT) if below else ():
        yield pad + " " * INDENT + line.replace(GLUE, " ")


def _with_names_whole(text: str, tournament: Tournament, room: int) -> str:
    """Glue the words of each name and its number together if a line has room for them."""
    for number in dict.fromkeys(map(int, _NUMBER.findall(text))):
        name = labelled(tournament, number)
        if cells(name) <= room:
            text = text.replace(name, name.replace(" ", GLUE))
    return text


def show_indented(lines: Iterable[tuple[int, str]], tournament: Tournament) -> None:
    """Print lines, each at its level."""
    for level, line in lines:
        show(*indented(line, level, tournament))


def _waived(sources: Sources, seq: int) -> str:
    waived = sources.waived(seq)
    return tr(" (waives {clauses}{why})", why="", clauses=", ".join(waived)) if waived else ""


def phrase(node: Explanation, parent: Explanation | None, tournament: Tournament) -> str:
    """Describe one node in one line."""
    clause = f" ({node.clause})" if node.clause else ""
    if node.how == "difference":
        return _difference(node, clause)
    if node.how == "compared":
        above = parent is not None and node.value < parent.value
        below = marked("the player below is {player}, rank {rank}")
        return tr(
            marked("the player above is {player}, rank {rank}") if above else below,
            player=labelled(tournament, node.player),
            rank=node.value,
        )
    if node.how == "count":
        behind = tr(", tied players who are behind") if node.player else ""
        counted = f"{node.value}{behind}{listed(node.players, tournament)}{clause}"
        counted = tr("{label}: {text}", label=said(node.label), text=counted)
        if not node.player:
            return counted
        return tr("{label}: {text}", label=labelled(tournament, node.player), text=counted)
    where = tr("round {round}", round=node.round) if node.round else ""
    if where and node.how != "event":
        where += "".join(f", {tr('event {seq}', seq=seq)}" for seq in node.seqs)
    whose = ""
    if node.player and (parent is None or node.player != parent.player):
        whose = labelled(tournament, node.player) + _forfeit(node, tournament)
    place = ", ".join(part for part in (where, whose) if part)
    column = "" if node.how == "event" and where else said(node.label)
    label = tr("{label}: {text}", label=place, text=column) if place and column else place or column
    value = node.terms[0].value if node.how == "cut" else node.value
    text = f"{exact(value)}{_made(node)}{clause}"
    return f"{label} = {text}" if column else tr("{label}: {text}", label=label, text=text)


def _forfeit(node: Explanation, tournament: Tournament) -> str:
    """Return the mark of an opponent in a match that was not played and counts for tiebreakers."""
    rules = tournament.ruleset
    if not (node.round and rules.forfeit and rules.forfeit.met):
        return ""
    matches = tournament.rounds[node.round - 1].matches
    results = (match.result for match in matches if node.player in match.players)
    is_unplayed = any(result and result.manner in UNPLAYED for result in results)
    return tr(" (forfeit)") if is_unplayed else ""


def _difference(node: Explanation, clause: str) -> str:
    own, other = node.terms
    tied = tr(", the same") if node.value == 0 else ""
    clause = clause or (f" ({own.clause})" if own.clause and own.how != "sum" else "")
    return tr(
        "{column}: {own} against {other}{more}",
        column=said(node.label),
        own=exact(own.value),
        other=exact(other.value),
        more=tied + clause,
    )


def _made(node: Explanation) -> str:
    others = any(term.player != node.player for term in node.terms)
    many = how_many(len(node.terms), "opponent" if others else "round")
    match node.how:
        case "sum" if not node.terms:
            return tr(", no round counts")
        case "mean" | "performance" if not node.terms:
            return tr(", no round counts: there is no value, which ranks as 0")
        case "sum":
            parts = node.column == "record" or any(term.column == ADJUSTMENT for term in node.terms)
            return tr(", the sum of its parts") if parts else tr(", the sum of {many}", many=many)
        case "mean":
            return tr(", the mean of {many}", many=many)
        case _:
            return tr(WORDS[node.how]) if node.how in WORDS else ""


def listed(players: Sequence[int], tournament: Tournament) -> str:
    """Name players after a colon, of many only the first; empty without players."""
    shown = [labelled(tournament, player) for player in players[:PLAYERS_SHOWN]]
    if len(players) > len(shown):
        shown.append(tr("{count} more", count=len(players) - len(shown)))
    return f": {', '.join(shown)}" if shown else ""


def exact(value: Fraction) -> str:
    """Write a number exactly, and a fraction also with four decimals."""
    if value.denominator == 1:
        return str(value)
    sign = "-" if value < 0 else ""
    return f"{value} = {sign}{decimal(abs(value))}"


NOBODY = marked(": no player")


def log_of(book: Book, sources: Sources) -> PairingLog:
    """Return the part of a book that the readings of a pairing need."""
    from projections.explain.pairings import PairingLog

    def paired(seq: int) -> RoundPaired:
        event = sources.recorded(seq).event
        assert isinstance(event, RoundPaired)  # noqa: S101 - a round knows its pairing
        return event

    swaps: list[tuple[int, Reseating]] = []
    swaps += ((recorded.seq, swap) for recorded, swap in events_of(SeatsSwapped, book.lines))
    swaps += ((recorded.seq, done) for recorded, done in events_of(TablesRepaired, book.lines))
    swaps += ((recorded.seq, done) for recorded, done in events_of(PlayersSeated, book.lines))
    return PairingLog(book.at, paired, sorted(swaps, key=itemgetter(0)))


def meeting_as_json(found: Meeting, sources: Sources) -> dict[str, object]:
    """Make a meeting for scripts; with null for a missing seed, game or repair."""
    made: dict[str, object] = msgspec.to_builtins(found)
    return made | {
        "seeds": [seed or None for seed in found.seeds],
        "from_games": [game or None for game in found.from_games],
        "repaired": found.repaired or None,
        "names": [name_of(sources.tournament, player) for player in found.players],
        "event": sources.as_json(found.drawn.seq),
    }


def bye_as_json(found: Bye, sources: Sources) -> dict[str, object]:
    """Make a bye for scripts; the `rank` of an unranked candidate is null."""
    made: dict[str, object] = msgspec.to_builtins(found)
    order = [msgspec.to_builtins(each) | {"rank": each.rank or None} for each in found.order]
    name = name_of(sources.tournament, found.player)
    return made | {"order": order, "name": name, "event": sources.as_json(found.drawn.seq)}


def meeting_in_words(found: Meeting, sources: Sources) -> Iterator[tuple[int, str]]:
    """Yield the sentences about a meeting, each with its level of indentation."""
    tournament = sources.tournament
    first, second = (labelled(tournament, player) for player in found.players)
    yield (
        0,
        tr(
            "{round}/{table}: {first} against {second}",
            round=found.drawn.round,
            table=found.table,
            first=first,
            second=second,
        ),
    )
    yield from _drawn(found.drawn, sources, by_hand=found.by_hand, swapped=found.swapped)
    if not found.sides:
        yield from _in_bracket(found, tournament)
        return
    if found.repaired:
        yield (
            1,
            tr(
                "the seats come from event {seq}; as known at that time:",
                seq=found.repaired,
            ),
        )
    for side in found.sides:
        yield from _side(side, tournament)
    groups = how_many(found.steps, "score group")
    apart = (
        tr("they were {groups} apart: one floats", groups=groups)
        if found.steps
        else tr("same score group")
    )
    clause = "FFG-SWISS-LATER" if found.drawn.round > 1 else "FFG-SWISS-FIRST"
    clause = tournament.ruleset.cites(clause)
    yield 1, f"{apart} ({clause})"
    yield from _before(found)
    if found.least_gap is None:
        text = tr(
            "score gap of these pairings: {gap}; the round cannot be paired without a rematch "
            "({clause})",
            gap=found.gap,
            clause=found.clause,
        )
        yield 1, text
    else:
        lowest = marked("score gap of these pairings: {gap}; of all legal pairings, the lowest")
        higher = marked(
            "score gap of these pairings: {gap}; of all legal pairings, the lowest is {least}"
        )
        text = lowest if found.gap == found.least_gap else higher
        yield 1, tr(text, gap=found.gap, least=found.least_gap)


def _before(found: Meeting) -> Iterator[tuple[int, str]]:
    """Yield the earlier meetings of the two players."""
    first, second = found.sides
    if second.player in first.met:
        yield 1, tr("they had met before ({clause})", clause=found.clause)
    elif found.rematch:
        yield 1, tr("they had been paired before, without playing ({clause})", clause=found.clause)
    elif found.paired_again:
        text = tr(
            "they had been paired before, without playing; every possible round had such a "
            "pairing ({clause})",
            clause=found.clause,
        )
        yield 1, text


def _side(side: PairedSide, tournament: Tournament) -> Iterator[tuple[int, str]]:
    group = tr(
        "score group {group}, {players}",
        group=side.group,
        players=how_many(side.group_size, "player"),
    )
    points = tournament.ruleset.scoring.shown(side.points)
    yield (
        1,
        tr(
            "{player}: {points}, {group}",
            player=labelled(tournament, side.player),
            points=amount_of(points, "point"),
            group=group,
        ),
    )
    yield 2, tr("had met{players}", players=listed(side.met, tournament) or tr(NOBODY))
    if side.paired:
        yield (
            2,
            tr(
                "had been paired, without playing, with{players}",
                players=listed(side.paired, tournament),
            ),
        )
    others = listed(side.could_meet, tournament) or tr(NOBODY)
    yield 2, tr("in the group, not yet met{players}", players=others)


def _in_bracket(found: Meeting, tournament: Tournament) -> Iterator[tuple[int, str]]:
    for player, seed, game in zip(found.players, found.seeds, found.from_games, strict=True):
        came = (
            tr("the winner of game {game} of the round before", game=game)
            if game
            else tr("starts here")
        )
        seeded = tr("seed {seed}, ", seed=seed) if seed else ""
        yield 1, f"{labelled(tournament, player)}: {seeded}{came}"
    clause = "FFG-ELIM-NEXT" if any(found.from_games) else "FFG-ELIM-CUT"
    clause = tournament.ruleset.cites(clause)
    yield 1, tr("the bracket fixes the pairings ({clause})", clause=clause)


def _drawn(
    drawn: RoundDraw, sources: Sources, *, by_hand: bool, swapped: bool
) -> Iterator[tuple[int, str]]:
    yield 1, sources.in_words(drawn.seq)
    if by_hand:
        yield 1, tr("set by hand by the organizer")
    else:
        yield (
            1,
            tr(
                "drawn by {procedure}, attempt {attempt} for round {round}",
                procedure=drawn.procedure,
                attempt=drawn.attempt,
                round=drawn.round,
            ),
        )
    for seq in drawn.swaps if swapped else ():
        yield 1, sources.in_words(seq)


def bye_in_words(found: Bye, sources: Sources) -> Iterator[tuple[int, str]]:
    """Yield the sentences about a bye, each with its level of indentation."""
    tournament = sources.tournament
    yield (
        0,
        tr(
            "the bye of round {round}: {player}",
            round=found.drawn.round,
            player=labelled(tournament, found.player),
        ),
    )
    yield from _drawn(found.drawn, sources, by_hand=found.by_hand, swapped=found.swapped)
    cites = tournament.ruleset.cites
    if not found.order:
        yield (
            1,
            tr("the bracket left the other seat empty ({clause})", clause=cites("FFG-ELIM-NEXT")),
        )
        return
    if not found.ranked and found.by_hand:
        yield 1, tr("the players had no ranks yet ({clause})", clause=cites("FFG-BYE-FIRST"))
        return
    if not found.ranked:
        by = cites("FFG-BYE-FIRST")
        yield 1, tr("the players had no ranks yet: drawn at random ({clause})", clause=by)
    else:
        yield (
            1,
            tr(
                "the fewest byes, then the lowest rank first ({clause}):",
                clause=cites("FFG-BYE-LATER"),
            ),
        )
    for each in found.order:
        rank = tr("rank {rank}, ", rank=each.rank) if each.rank else ""
        byes = tr("{byes} before", byes=how_many(each.byes, "bye"))
        passed = (
            tr(": skipped, as the other players could not be paired legally")
            if each.passed_over
            else ""
        )
        yield 2, f"{labelled(tournament, each.player)}: {rank}{byes}{passed}"
