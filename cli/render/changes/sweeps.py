"""A sweep, shown: who can make the cut by which result; one match's outcomes side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

from cli.desk.session import Desk
from cli.input.find_people import name_of, short_name, with_names
from cli.render.changes.differences import ARROW
from cli.render.changes.kinds import kinds_named
from cli.render.changes.whatif import otherwise_as_json
from cli.render.game_tables import person_columns
from cli.render.records import show_records
from cli.terminal.counting import amount_of
from cli.terminal.diagnostics import say
from cli.terminal.output import show
from cli.terminal.tables import Column, for_program, prose
from ledger.tournament.progress import winner_of
from ledger.tournament.state import Match, Tournament
from projections.standings.table import everyone
from projections.whatif.outcomes import accepted

if TYPE_CHECKING:
    from ledger.events.results import Result
    from projections.whatif import Alternative
    from projections.whatif.chances import Chance, PlayerChances, Sweep

PLACES_MAX = 4
"""How many places that would move are shown of one result; --json has all."""

ASSUMED = "everybody comes to their table, nobody is dropped, and what is reported stays"

AFTERWARDS = "who drops after the round takes nothing from those who are certain"


def show_sweep(desk: Desk, found: Sweep) -> None:
    """Print who is certain of the cut, who can still make it and by what, who is out."""
    tournament = desk.book.tournament
    columns = (
        Column("rank", right=True, value=itemgetter(0)),
        *person_columns(tournament, lambda each: each[1].player),
        for_program("verdict", lambda each: each[1].verdict),
        Column("cut", value=lambda each: _overall(each[1], found), only="person"),
        prose("by their own result", lambda each: _by_result(tournament, each[1])),
    )
    ranked = list(enumerate(found.players, start=1))
    if desk.options.for_person:
        ranked = [each for each in ranked if each[1].verdict != "out"]
    if not show_records(desk, columns, ranked, json=lambda: sweep_as_json(tournament, found)):
        return
    if out := sum(hope.verdict == "out" for hope in found.players):
        show(f"{out} are out of the cut")
    for line in _terms(tournament, found):
        say(line)


def _overall(hope: PlayerChances, found: Sweep) -> str:
    if hope.verdict in {"certain", "out"}:
        return hope.verdict
    made = sum(chance.made for chance in hope.chances)
    return f"{hope.verdict} {_percent(made, found.samples)}".strip()


def _percent(made: int, of: int) -> str:
    return f"{100 * made / of:.0f} %" if of else ""


def _by_result(tournament: Tournament, hope: PlayerChances) -> str:
    """Say each verdict with the results that bring it; nothing where all bring the same."""
    if len({chance.verdict for chance in hope.chances}) == 1:
        return ""
    every = [chance.result for chance in hope.chances if chance.result is not None]
    reported = tournament.ruleset.scoring.kind == "reported"
    parts = []
    for verdict in ("certain", "possible", "not proven", "out"):
        alike = [chance for chance in hope.chances if chance.verdict == verdict]
        if alike:
            some = [chance.result for chance in alike if chance.result is not None]
            names = ", ".join(kinds_named(some, every, reported=reported))
            parts.append(f"{verdict} {_share(alike)}".strip() + f": {names}")
    return "; ".join(parts)


def _share(chances: Sequence[Chance]) -> str:
    """In how much of a sample they made it; of what is proven nothing."""
    if chances[0].verdict in {"certain", "out"}:
        return ""
    return _percent(sum(each.made for each in chances), sum(each.tried for each in chances))


def result_named(tournament: Tournament, result: Result) -> str:
    """Name a result from its first side: `win`, `win 2-1`, `win 6-0`."""
    rules = tournament.ruleset
    main = rules.derives.main if rules.derives else ""
    score = result.facts.get(main)
    if score is None and rules.scoring.kind == "reported":
        score = result.points
    if score is None and result.manner == "concession":
        return f"{result.outcomes[0]} by concession"
    return result.outcomes[0] + (f" {score[0]}-{score[1]}" if score else "")


def _terms(tournament: Tournament, found: Sweep) -> Iterator[str]:
    """Say what the verdicts are about, what was considered for them, and what they assume."""
    size = tournament.ruleset.scoring.shown(found.size)
    of = f"{size} points or more go on" if found.by_points else f"{found.size} go on"
    names = ", ".join(kinds_named(found.results, found.results))
    every = "every result" if found.whole else "some of the results"
    results = f"{every} that {tournament.ruleset.key} accepts ({names}: {found.distinct:,} of them)"
    open_tables = f"{of}; {len(found.open)} open"
    if found.samples:
        yield from _of_a_sample(found, open_tables, results)
    else:
        yield f"{open_tables}; proven for {results}, if {ASSUMED}; {AFTERWARDS}"
    if not found.is_last:
        yield f"rounds follow before the cut: this is how it would be after round {found.round}"


def _of_a_sample(found: Sweep, open_tables: str, results: str) -> Iterator[str]:
    from projections.whatif.samples import margin

    tried = [chance.tried for hope in found.players for chance in hope.chances if chance.tried]
    fewest = min(tried, default=found.samples)
    yield (
        f"{open_tables}; from {found.samples:,} random combinations of {results}, if {ASSUMED}; "
        "certain and out are proven, possible was seen"
    )
    yield (
        f"every kind of result was as likely: a share is off by {100 * found.margin:.1f} % at "
        f"most, by a player's own result, of {fewest:,} combinations or more, by "
        f"{100 * margin(fewest):.1f} %, in 99 of 100 cases; never seen is not ruled out"
    )


def sweep_as_json(tournament: Tournament, found: Sweep) -> dict[str, object]:
    """Make a sweep for scripts."""
    import msgspec

    value: dict[str, object] = msgspec.to_builtins(found)
    names = {hope.player: name_of(tournament, hope.player) for hope in found.players}
    caveats = list(_terms(tournament, found))
    return value | {"assumed": ASSUMED, "caveats": caveats, "names": names}


def show_outcomes(
    desk: Desk,
    match: Match,
    outcomes: list[tuple[Result, Alternative]],
    caveats: Sequence[str],
) -> None:
    """Print one match's possible results side by side, each with what it would move.

    `caveats` were said already; scripts have them in the value, with those of the results.
    """
    tournament = desk.book.tournament
    is_swiss = tournament.stages[tournament.rounds[match.round - 1].stage - 1].is_swiss
    own = list(_about(tournament, match, len(outcomes), is_swiss=is_swiss))
    columns = (
        Column("result", flexible=True, value=lambda each: _result(tournament, match, each[0])),
        *(_of_swiss if is_swiss else _of_bracket)(tournament, match),
        Column(
            "other rounds",
            value=lambda each: ", ".join(str(later.round) for later in each[1].rounds),
        ),
    )
    if not show_records(
        desk,
        columns,
        outcomes,
        json=lambda: outcomes_as_json(tournament, match, outcomes) | {"caveats": [*caveats, *own]},
    ):
        return
    for line in own:
        say(line)


def _about(tournament: Tournament, match: Match, count: int, *, is_swiss: bool) -> Iterator[str]:
    """Say from whose side the results are, and how many of all results they are."""
    side = short_name(tournament, match.first)
    if not is_swiss:
        yield f"{match.round}/{match.table}: results from the side of {side}, places as played on"
        return
    yield f"{match.round}/{match.table}: results from {side}'s side, rank and points as played on"
    if count < (distinct := len(accepted(tournament.ruleset).results)):
        fields = " and ".join(each.name for each in tournament.ruleset.fields)
        yield (
            f"these are {count} of the {distinct:,} results that {tournament.ruleset.key} "
            f"accepts: of each outcome and score the least and the most of {fields}"
        )


def _of_swiss(tournament: Tournament, match: Match) -> Iterator[Column]:
    """Yield the columns of where both would stand, and who would make the cut."""
    now = {row.player: (row.rank, row.points) for row in everyone(tournament).rows}
    for player, key in zip(match.players, ("first", "second"), strict=True):
        stands = partial(_standing, tournament, player, now[player])
        yield Column(short_name(tournament, player), flexible=True, key=key, value=stands)
    yield prose("cut", lambda each: _cuts(tournament, each[1]))


def _of_bracket(tournament: Tournament, match: Match) -> Iterator[Column]:
    """Yield the columns of who would go on, and whose places would be others."""
    goes_on = partial(_goes_on, tournament, match)
    yield Column("goes on", flexible=True, value=lambda each: goes_on(each[1]))
    yield prose("places", lambda each: _places(tournament, each[1]))


def _result(tournament: Tournament, match: Match, result: Result) -> str:
    return result_named(tournament, result) + (" (is so)" if result == match.result else "")


def _goes_on(tournament: Tournament, match: Match, found: Alternative) -> str:
    winner = winner_of(tournament, match)
    for each in found.differences.games:
        if each.after is not None and each.after.match == match.number:
            winner = each.after.winner
    return name_of(tournament, winner) if winner else "nobody"


def _places(tournament: Tournament, found: Alternative) -> str:
    moved = found.differences.places
    parts = [
        f"{short_name(tournament, each.player)} {each.before or 'open'}{ARROW}"
        f"{each.after or 'open'}"
        for each in moved[:PLACES_MAX]
    ]
    more = [f"{len(moved) - PLACES_MAX} more"] if len(moved) > PLACES_MAX else []
    return "; ".join(parts + more)


def _standing(
    tournament: Tournament,
    player: int,
    now: tuple[int, int],
    outcome: tuple[Result, Alternative],
) -> str:
    rank, points = now
    for row in outcome[1].differences.rows:
        if row.player == player and row.after is not None:
            rank, points = row.after.rank, row.after.points
    return f"{rank}, {amount_of(tournament.ruleset.scoring.shown(points), 'point')}"


def _cuts(tournament: Tournament, found: Alternative) -> str:
    parts = []
    for cut in found.cuts:
        enters = [short_name(tournament, one) for one in cut.would_be if one not in cut.seeds]
        leaves = [short_name(tournament, one) for one in cut.seeds if one not in cut.would_be]
        parts += [f"in {name}" for name in enters] + [f"out {name}" for name in leaves]
        parts += ["other seeds"] if not (enters or leaves) else []
    return "; ".join(parts)


def outcomes_as_json(
    tournament: Tournament, match: Match, outcomes: list[tuple[Result, Alternative]]
) -> dict[str, object]:
    """Make one match's possible results for scripts."""
    import msgspec

    parts = [
        {"result": msgspec.to_builtins(result)} | otherwise_as_json(tournament, found)
        for result, found in outcomes
    ]
    value = {"match": match.number, "players": list(match.players), "outcomes": parts}
    return with_names(tournament, value)
