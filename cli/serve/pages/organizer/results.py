"""The tables of the round as rows of the desk: each row takes the result of its table.

A result takes two taps: the winner, and the button that enters it. Other endings of the game, its
points and its facts are fields of the same row. A row states what it is waiting for: a result, a
confirmation, a ruling, or more time. `changed_tables` finds the rows that changed since a page was
made, so that a round of 256 tables is not sent again for each result.
"""

from __future__ import annotations

from itertools import count
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.input.find_people import short_name
from cli.languages.speaking import tr, tr_of
from cli.render.elements import tr_nodes
from cli.render.game_tables import table_to_sit_at
from cli.render.round_clock import time_left
from cli.serve.forms import HAS
from cli.serve.pages.organizer.answers import with_commands
from cli.serve.pages.organizer.day_forms import RESULT_FORM
from cli.serve.pages.organizer.lines import (
    LINE_FORMS,
    act_form,
    carried,
    hidden,
    labelled_field,
    refilled,
    title_of,
)
from cli.serve.pages.organizer.waiting import calls_waiting
from cli.terminal.visible import how_many, visible
from cli.wording.dispute_words import claim_in_words
from cli.wording.phrases import result_in_words
from ledger.facts.setups import recorded_facts
from ledger.tournament.disputes import dispute_of
from ledger.tournament.progress import is_of_swiss, latest_round, round_in_play
from ledger.tournament.round_clock import clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from htpy import Node

    from cli.serve.pages.organizer.lines import Sight
    from ledger.books.book import Book
    from ledger.rulesets.procedures import Procedure
    from ledger.tournament.round_clock import TableClock
    from ledger.tournament.state import Match, Tournament

CHANGES_MAX = 400
"""Events since a page was made beyond which all rows are sent."""

OPEN_FIRST_FROM = 24
"""Tables from which a page begins with the filter for open tables."""


class Way(NamedTuple):
    """A way in which a match can end: the words of a report, and what its button says."""

    words: str
    text: str
    side: int = 0
    """The player who won: 1 or 2; 0 for no winner."""


def winners(tournament: Tournament, match: Match) -> list[Way]:
    """Return the plain results: a win of each side, and a draw if the game has one."""
    rules = tournament.ruleset
    results = [
        Way(f"#{player}", short_name(tournament, player), side)
        for side, player in enumerate(match.players, start=1)
    ]
    if any(outcome.record == "D" for outcome in rules.outcomes):
        results.append(Way("draw", tr_of("result", "draw")))
    return results


def further_ways(tournament: Tournament, match: Match) -> list[Way]:
    """Return the other results of the game: special wins of each side, and absent players."""
    results = _special_wins(tournament, match)
    names = [short_name(tournament, player) for player in match.players]
    for player, name in zip(match.players, names, strict=True):
        results.append(Way(f"no-show #{player}", tr("{player} did not come", player=name)))
    both = " ".join(f"#{player}" for player in match.players)
    return [*results, Way(f"no-show {both}", tr("neither came"))]


def _special_wins(tournament: Tournament, match: Match) -> list[Way]:
    """Return the special wins of the game, for each side."""
    rules, results = tournament.ruleset, list[Way]()
    names = [short_name(tournament, player) for player in match.players]
    for outcome in rules.outcomes:
        spelled = (outcome.name, *outcome.typed)
        word = next((spelling for spelling in spelled if " " not in spelling), "")
        if outcome.record == "W" and outcome != rules.full_win and word:
            for side, (player, name) in enumerate(zip(match.players, names, strict=True), start=1):
                results.append(Way(f"#{player} {word}", f"{name}, {tr(outcome.name)}", side))
    return results


def words_of_result(fields: Mapping[str, str]) -> list[str]:
    """Return the words of the line that the fields of a row make.

    `winner` is the side and the words of a result, `points1` and `points2` are points in the order
    of the pairing, `ending` is the ending of the game, and `fact.NAME.1` counts the table.
    """
    side, _, winner = fields.get("winner", "").strip().partition(" ")
    options = [f"--ended={fields['ending'].replace(' ', '-')}"] if fields.get("ending") else []
    for name, pair in _facts_in(fields):
        first, second = pair[::-1] if side == "2" else pair
        options.append(f"--fact={name}={first}:{second}")
    points = [fields.get(name, "").strip() for name in ("points1", "points2")]
    score = ["-".join(points)] if all(points) else []
    is_other = winner.startswith("no-show")
    if is_other:
        options, score = [], []
    return ["report", *options, "--", fields.get("table", ""), *winner.split(), *score]


def _facts_in(fields: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, str]]]:
    for field, value in fields.items():
        if field.startswith("has.") and value in HAS:
            first, second = HAS[value]
            yield field.removeprefix("has."), (str(first), str(second))
        elif field.startswith("fact.") and field.endswith(".1"):
            name = field.removeprefix("fact.").removesuffix(".1")
            pair = value.strip(), fields.get(f"fact.{name}.2", "").strip()
            if any(pair):
                yield name, pair


def changed_tables(book: Book, after: int) -> set[int] | None:
    """Return the matches that events after a position name; None if all rows may have changed."""
    latest = len(book.lines)
    if not 0 < after <= latest or latest - after > CHANGES_MAX:
        return None
    matches = set[int]()
    for seq in range(after + 1, latest + 1):
        event = book.recorded_at(seq).event
        match = getattr(event, "match", 0)
        if not match:
            return None
        matches.add(match)
    return matches


def table_rows(sight: Sight, now: str, only: set[int] | None = None, opened: str = "") -> Node:
    """Return the rows of the latest round, or those of some matches.

    The row of the match `opened` (`1/4`) has the fields of every result; the other rows have those
    of the usual results, because a round may have hundreds of tables.
    """
    tournament = sight.tournament
    played = latest_round(tournament)
    if played is None:
        return None
    round_clock = clock(tournament, played, now)
    clocks = {entry.match: entry for entry in round_clock.tables}
    return [
        _row(sight, match, clocks.get(match.number), opened)
        for match in played.matches
        if only is None or match.number in only or opened == f"{match.round}/{match.table}"
    ]


def rows_around(sight: Sight, rows: Node) -> Node:
    """Return the list of the rows with its filter, and the field that moves to a table."""
    played = latest_round(sight.tournament)
    if played is None:
        return None
    is_long = len(played.matches) >= OPEN_FIRST_FROM
    return htpy.section(class_="tables", aria_label=tr("Tables of the round"))[
        htpy.div(class_="row find-table")[
            htpy.label(class_="field", id="go-label", hidden=True)[
                htpy.span[tr("Table, then a letter, then Enter")],
                htpy.input(type="text", id="go", inputmode="numeric", autocomplete="off", size="6"),
            ],
            htpy.label(class_="choice")[
                htpy.input(type="checkbox", id="only-open", checked=is_long),
                htpy.span[tr("only open tables")],
            ],
        ],
        htpy.p(id="row-said", role="status", class_="hint"),
        htpy.ol(class_="rows", id="rows")[rows],
    ]


def _row(sight: Sight, match: Match, table: TableClock | None, opened: str) -> Node:
    tournament = sight.tournament
    where = f"{match.round}/{match.table}"
    is_open = match.is_open and match.number not in tournament.floor.unconfirmed
    dispute = dispute_of(tournament, match.number)
    kind = "open" if is_open else "disputed" if dispute else "reported"
    row_id = f"row-{match.round}-{match.table}"
    number = table_to_sit_at(match)
    label = tr("Bye") if match.is_bye else tr("Table {table}", table=match.table)
    return htpy.li(id=row_id, class_=kind, data_key=row_id, data_table=number or None)[
        htpy.a(class_="number", href=f"judge/match/{where}", aria_label=label)[number or "\u2013"],
        _entry(sight, match, where, is_whole=where == opened)
        if is_open and not dispute
        else _stated(sight, match, where),
        _state(tournament, match, table),
    ]


def _stated(sight: Sight, match: Match, where: str) -> Node:
    """Return what is on record of a table, with the act that is due."""
    tournament = sight.tournament
    if match.is_bye:
        name = short_name(tournament, match.players[0]) if match.players else ""
        return htpy.p(class_="stated")[tr("{player}: bye", player=name)]
    if match.void:
        return htpy.p(class_="stated")[tr("taken back")]
    claim = tournament.floor.unconfirmed.get(match.number)
    dispute = dispute_of(tournament, match.number)
    if dispute:
        text = tr("disputed")
        if dispute.reported.result is not None:
            claimed = claim_in_words(tournament, match.number, dispute.reported)
            text = tr("disputed: {claim}", claim=claimed)
        due = htpy.a(class_="button", href=f"judge/match/{where}")[tr("Open the dispute")]
        return htpy.div(class_="stated")[htpy.p[text], due]
    if claim:
        return htpy.div(class_="stated")[
            htpy.p[tr("reported: {claim}", claim=claim_in_words(tournament, match.number, claim))],
            act_form(sight, LINE_FORMS["confirm"], {"table": where}),
        ]
    if match.result is None:
        return htpy.p(class_="stated")[tr("no result yet")]
    return htpy.p(class_="stated")[
        result_in_words(tournament, match, match.result),
        " ",
        htpy.a(href=f"desk/lines?form=correct&table={where}")[tr_of("button", "Correct")],
    ]


def correction(sight: Sight, match: Match) -> Node:
    """Return the form that replaces a result: what stands, and the results to choose from."""
    tournament, form = sight.tournament, LINE_FORMS["correct"]
    where = f"{match.round}/{match.table}"
    stands = tr("no result yet")
    if match.result is not None:
        stands = result_in_words(tournament, match, match.result)
    results = [*winners(tournament, match), *_special_wins(tournament, match)]
    filled = refilled(sight, form, {"table": where})
    return htpy.section(class_="panel", aria_label=title_of(form))[
        htpy.h2[
            tr(
                "Correct the result of round {round}, table {table}",
                round=match.round,
                table=match.table,
            )
        ],
        htpy.p[tr_nodes("On record: {result}", result=htpy.strong[stands])],
        htpy.form(method="post", action="line", class_="act")[
            hidden({"form": form.name, "table": where, **carried(sight)}),
            htpy.fieldset[
                htpy.legend[tr("The right result")],
                (
                    htpy.label(class_="choice")[
                        htpy.input(
                            type="radio",
                            name="result",
                            value=result.words,
                            required=True,
                            checked=result.words == filled.get("result"),
                        ),
                        htpy.span[visible(result.text)],
                    ]
                    for result in results
                ),
            ],
            labelled_field(form.fields[-1], filled),
            htpy.button(type="submit", class_="main")[title_of(form)],
        ],
        htpy.p[
            tr("The old result stays in the log."),
            " ",
            htpy.a(href="desk/lines?verb=correct")[tr("Type another result")],
        ],
    ]


def is_chosen(tournament: Tournament, match: Match) -> bool:
    """Whether a result of a match is one of a few, and not points that are counted."""
    return tournament.ruleset.scoring.kind != "reported" or not is_of_swiss(tournament, match)


def _state(tournament: Tournament, match: Match, table: TableClock | None) -> Node:
    """Return the marks of a row: extra time, time left below none, a judge on the way."""
    marks: list[Node] = []
    if table is not None and not table.reported and table.extension:
        marks.append(htpy.span(class_="mark")[tr("+{minutes} min", minutes=table.extension)])
    in_play = round_in_play(tournament)
    is_past = table is not None and table.left is not None and table.left < 0
    if table is not None and is_past and not table.reported and in_play is not None:
        marks.append(
            htpy.span(class_="mark late")[tr("time is up, {time}", time=time_left(table.left))]
        )
    if any(call.made.match == match.number for call in calls_waiting(tournament)):
        marks.append(htpy.span(class_="mark late")[tr("calls a judge")])
    return htpy.p(class_="marks")[marks] if marks else None


def _entry(sight: Sight, match: Match, where: str, *, is_whole: bool) -> Node:
    """Return the form of an open table; the whole form has the fields of every result."""
    tournament = sight.tournament
    rules, declared = tournament.ruleset, tournament.ruleset.derives
    is_swiss = is_of_swiss(tournament, match)
    letters = iter(ascii_lowercase)
    filled = refilled(sight, RESULT_FORM, {"table": where})
    has_points = rules.scoring.kind == "reported" and is_swiss
    counts = bool(declared and declared.main and not declared.bare)
    asks_facts = counts and is_swiss
    if has_points:
        above: Node = [_sides(tournament, match), _points(tournament, match, filled)]
    else:
        above = _picks(
            winners(tournament, match),
            letters,
            filled,
            is_needed=not asks_facts and not is_whole,
        )
    return htpy.form(method="post", action="line", class_="entry")[
        hidden({"form": RESULT_FORM.name, "table": where, **carried(sight)}),
        htpy.p(class_="problems", role="alert", hidden=not filled)[
            with_commands(sight.refusal, sight.verbs) if filled else None
        ],
        above,
        _facts(tournament, match, declared, filled, is_first=True)
        if declared and asks_facts
        else None,
        [
            _picks(further_ways(tournament, match), letters, filled, is_needed=False),
            _facts(tournament, match, declared, filled, is_first=not asks_facts)
            if declared and is_swiss
            else None,
            _facts(tournament, match, declared, filled, is_first=False)
            if declared and is_swiss and not asks_facts
            else None,
        ]
        if is_whole
        else htpy.a(class_="other-ways", href=f"desk?table={where}")[tr("Other result")],
        htpy.button(type="submit", class_="main confirm")[tr_of("button", "Confirm")],
    ]


def _sides(tournament: Tournament, match: Match) -> Node:
    names = " - ".join(short_name(tournament, player) for player in match.players)
    return htpy.p(class_="names")[names]


def _picks(
    results: list[Way],
    letters: Iterator[str],
    filled: Mapping[str, str],
    *,
    is_needed: bool = True,
) -> Node:
    if not results:
        return None
    return htpy.div(class_="picks")[
        (
            htpy.label(class_="pick")[
                htpy.input(
                    type="radio",
                    name="winner",
                    value=(value := f"{result.side} {result.words}"),
                    checked=filled.get("winner") == value,
                    required=is_needed,
                    data_letter=(letter := next(letters, "")),
                ),
                htpy.span[visible(result.text)],
                htpy.kbd(aria_hidden="true")[letter],
            ]
            for result in results
        )
    ]


def _points(tournament: Tournament, match: Match, filled: Mapping[str, str]) -> Node:
    scoring = tournament.ruleset.scoring
    return htpy.div(class_="points")[
        (
            htpy.label(class_="field")[
                htpy.span[short_name(tournament, player)],
                htpy.input(
                    type="text",
                    inputmode="decimal" if scoring.halves else "numeric",
                    name=(name := f"points{side}"),
                    value=visible(filled.get(name, "")) or None,
                    size="4",
                    autocomplete="off",
                    data_field=True,
                ),
            ]
            for side, player in zip(count(1), match.players, strict=False)
        )
    ]


def _facts(
    tournament: Tournament,
    match: Match,
    declared: Procedure,
    filled: Mapping[str, str],
    *,
    is_first: bool,
) -> Node:
    """Return the fields of the facts of a table: those of each result, or the other ones.

    The other ones come with the field of the ending.
    """
    asked_for = {name for ending in declared.endings for name in (*ending.needs, *ending.asks)}
    usual = asked_for | ({declared.main} if declared.main else set())
    marks = {ending.marks for ending in declared.endings}
    recorded = recorded_facts(tournament, match)
    facts = [
        fact
        for fact in declared.facts
        if fact.name not in marks and fact.name not in recorded and not fact.official
        if (fact.name in usual) == is_first
    ]
    endings = [ending for ending in declared.endings if ending.manner in {"played", "time"}]
    names = [short_name(tournament, player) for player in match.players]
    return htpy.div(class_="facts-in")[
        htpy.label(class_="field")[
            htpy.span[tr("Ending")],
            htpy.select(name="ending", data_field=True)[
                htpy.option(value="")[tr("as usual")],
                (
                    htpy.option(value=ending.name, selected=filled.get("ending") == ending.name)[
                        tr(ending.name)
                    ]
                    for ending in endings
                ),
            ],
        ]
        if len(endings) > 1 and not is_first
        else None,
        (
            _fact(label, (fact.min, fact.max), names, filled)
            for fact in facts
            for label in fact.names()
        ),
    ]


def _fact(label: str, bounds: tuple[int, int], names: list[str], filled: Mapping[str, str]) -> Node:
    if bounds == (0, 1):
        options = [("", tr("not given")), ("1", names[0]), ("2", names[1]), ("both", tr("both"))]
        return htpy.label(class_="field")[
            htpy.span[tr(label)],
            htpy.select(name=f"has.{label}", data_field=True)[
                (
                    htpy.option(value=value, selected=filled.get(f"has.{label}") == value)[
                        visible(text)
                    ]
                    for value, text in options
                )
            ],
        ]
    return htpy.fieldset(class_="pair")[
        htpy.legend[tr(label)],
        (
            htpy.input(
                type="number",
                inputmode="numeric",
                name=(field := f"fact.{label}.{side}"),
                value=visible(filled.get(field, "")) or None,
                min=str(bounds[0]),
                max=str(bounds[1]),
                autocomplete="off",
                aria_label=f"{tr(label)}, {name}",
                placeholder=name,
                data_field=True,
            )
            for side, name in enumerate(names, start=1)
        ),
    ]


def open_in_words(tournament: Tournament) -> str:
    """Return how many tables of the latest round are open."""
    played = latest_round(tournament)
    count_open = played.unreported if played else 0
    if not count_open:
        return tr("all results are in")
    return tr("{tables} open", tables=how_many(count_open, "table"))
