"""Other outcomes: the rows, cuts and rounds that one outcome changes, and sweeps of all outcomes.

A sweep shows which players make the cut by which result, or compares the outcomes of one match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from cli.desk.session import Desk
from cli.input.find_people import labelled, labels, name_of, short_name, shown_name, with_names
from cli.languages.speaking import in_figures, marked, tr, tr_of
from cli.render.differences import ARROW, change_columns, show_bracket, show_places
from cli.render.game_tables import person_columns
from cli.render.records import show_records
from cli.terminal.output import say, show
from cli.terminal.problems import said
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import amount_of, how_many
from cli.wording.phrases import result_in_words
from ledger.tournament.progress import is_of_swiss, winner_of
from ledger.tournament.state import Match, Tournament
from projections.standings.table import everyone
from projections.whatif.outcomes import accepted

if TYPE_CHECKING:
    from ledger.facts.shared import Result
    from projections.explain.differences import Differences, PlayerChange
    from projections.standings.table import StandingsRow
    from projections.whatif import Alternative
    from projections.whatif.alternatives import Games, LaterCut, LaterRound
    from projections.whatif.outcomes import Chance, PlayerChances, Sweep

Value = TypeVar("Value")


def kinds_named(
    some: Sequence[Result], every: Sequence[Result], *, reported: bool = False
) -> list[str]:
    """Name some of every kind of result: `win`, or `win 10-1, 9-2` where not each win is meant.

    Where points are `reported`, by the side's own points if the other's make no difference.
    """
    named: list[str] = []
    if reported and any(_parted(some, every)):
        own = _complete([one.points[0] for one in some], [one.points[0] for one in every])
        named += _in_ranges(own)
        some = [one for one in some if one.points[0] not in own]
    for outcome in sorted({one.outcomes[0] for one in some}, key=_best_first(every)):
        scores = [one.points for one in some if one.outcomes[0] == outcome]
        whole = len(scores) == sum(one.outcomes[0] == outcome for one in every)
        word = tr_of("result", outcome)
        named.append(word if whole else f"{word} {', '.join(_in_rows(scores))}")
    return named


def _parted(some: Sequence[Result], every: Sequence[Result]) -> Iterator[str]:
    """Yield the outcomes of which some kinds are meant and some are not."""
    for outcome in {one.outcomes[0] for one in some}:
        meant, known = (sum(one.outcomes[0] == outcome for one in each) for each in (some, every))
        if meant < known:
            yield outcome


def _complete(some: Sequence[int], every: Sequence[int]) -> list[int]:
    """The numbers that are among some as often as among all, the least first."""
    return sorted(own for own in set(some) if some.count(own) == every.count(own))


def _in_ranges(numbers: Sequence[int]) -> Iterator[str]:
    """Put numbers that follow each other together: `4 to 6 points`."""
    for first, last in _runs(numbers, lambda number: number + 1):
        yield (
            how_many(first, "point")
            if first == last
            else tr("{first} to {last} points", first=first, last=last)
        )


def _best_first(every: Sequence[Result]) -> Callable[[str], tuple[int, int]]:
    """Order outcomes by the best that they are worth."""
    best: dict[str, tuple[int, int]] = {}
    for one in every:
        worth = (one.points[1] - one.points[0], -one.points[0])
        best[one.outcomes[0]] = min(worth, best.get(one.outcomes[0], worth))
    return best.__getitem__


def _in_rows(scores: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Put scores that follow each other together: `6-0 to 6-5`."""
    ordered = sorted(scores, key=lambda score: (-score[0], score[1]))
    for run in _runs(ordered, lambda score: (score[0], score[1] + 1)):
        first, last = (f"{own}-{other}" for own, other in run)
        yield first if first == last else tr("{first} to {last}", first=first, last=last)


def _runs(values: Sequence[Value], after: Callable[[Value], Value]) -> list[tuple[Value, Value]]:
    """List the first and the last of those that follow each other."""
    runs: list[tuple[Value, Value]] = []
    for value in values:
        begins = runs.pop()[0] if runs and after(runs[-1][1]) == value else value
        runs.append((begins, value))
    return runs


ROWS_MAX = 40
"""How many rows of the standings are shown; --json has all."""


def show_otherwise(desk: Desk, found: Alternative, caveats: Sequence[str]) -> bool:
    """Print the differences, then the cuts and rounds that would have been others.

    To a spreadsheet the rows of the standings. Returns whether a person is to read it, who then
    hears the caveats; scripts have them in the value.
    """
    tournament, rows = desk.book.tournament, found.differences.rows
    moved = [row for row in rows if _has_moved(row)]
    if desk.options.for_person:
        show(*_facts(tournament, found.differences))
    if not show_records(
        desk,
        change_columns(tournament, whole=True),
        moved[:ROWS_MAX] if desk.options.for_person else rows,
        json=lambda: otherwise_as_json(tournament, found) | {"caveats": list(caveats)},
    ):
        return False
    if len(moved) > ROWS_MAX:
        show(tr("… and {count} more rows: --json shows all", count=len(moved) - ROWS_MAX))
    if only := len(rows) - len(moved):
        show(
            tr(
                "{players} with the same rank and points, but other tiebreakers",
                players=how_many(only, "more player"),
            )
        )
    for cut in found.cuts:
        show(*_cut_in_words(tournament, cut))
    for later in found.rounds:
        show(*_round_in_words(tournament, later))
    show_bracket(found.differences, tournament)
    show_places(found.differences, tournament)
    return True


def otherwise_as_json(tournament: Tournament, found: Alternative) -> dict[str, object]:
    """Make it for scripts; `differences` are as `diff` gives them, names stand beside."""
    import msgspec

    from projections.explain.differences import as_json

    value: dict[str, object] = {
        "differences": as_json(found.differences, tournament.names, tournament.ruleset.tiebreakers),
        "rounds": msgspec.to_builtins(found.rounds),
        "cuts": msgspec.to_builtins(found.cuts),
    }
    players = sorted(_players_in(found))
    return value | {"names": {player: name_of(tournament, player) for player in players}}


def _players_in(found: Alternative) -> set[int]:
    """Everybody whose number is in what would be otherwise."""
    differing = found.differences
    players = {each.player for each in differing.rows}
    players |= {each.player for each in differing.people}
    players |= {each.player for each in differing.places}
    players |= {player for cut in found.cuts for player in (*cut.seeds, *cut.would_be)}
    players |= {player for each in differing.cuts for player in (*each.before, *each.after)}
    tables = [game for later in found.rounds for game in (*later.made, *later.would_be)]
    for match in differing.matches:
        tables += [(side.first, side.second) for side in (match.before, match.after) if side]
    for game in differing.games:
        seats = [seat for side in (game.before, game.after) if side for seat in side.seats]
        players |= {seat.player for seat in seats if seat}
    return players | {player for table in tables for player in table if player}


def _facts(tournament: Tournament, found: Differences) -> Iterator[str]:
    """Say what was asked, and what happened instead."""
    for each in found.matches:
        match = tournament.rounds[each.round - 1].matches[each.table - 1]
        where = f"{each.round}/{each.table}"
        if each.after is None or each.before is None:
            continue  # a fork pairs the same rounds
        if {each.before.first, each.before.second} != {each.after.first, each.after.second}:
            here = max(each.after.first, each.after.second)
            yield f"{where}: " + (
                tr("a bye for {player}", player=labelled(tournament, here))
                if here
                else tr("no player")
            )
        else:
            result = each.after.result
            parts = result_in_words(tournament, match, result) if result else tr("no result")
            yield f"{where}: {parts}"
    for person in found.people:
        if person.before is not None and person.after is not None:
            player = labelled(tournament, person.player)
            yield tr(
                "{player}: {status}, not {before}",
                player=player,
                status=tr_of("state", person.after.status),
                before=tr_of("state", person.before.status),
            )


def _has_moved(row: PlayerChange[StandingsRow]) -> bool:
    before, after = (each and (each.rank, each.points) for each in (row.before, row.after))
    return before != after


def _cut_in_words(tournament: Tournament, cut: LaterCut) -> Iterator[str]:
    name = tr("the cut to stage {stage}", stage=cut.stage)
    if cut.problem:
        yield tr("{name} could not have been made: {problem}", name=name, problem=said(cut.problem))
        return
    enters = [player for player in cut.would_be if player not in cut.seeds]
    leaves = [player for player in cut.seeds if player not in cut.would_be]
    if enters or leaves:
        into, out = labels(tournament, enters), labels(tournament, leaves)
        made = marked("{name} would have been different: in {entering}; out {leaving}")
        to_make = marked("{name} would now be different: in {entering}; out {leaving}")
        yield tr(
            made if cut.is_made else to_make,
            name=name,
            entering=into or tr("no player"),
            leaving=out or tr("no player"),
        )
    moved = [
        f"{short_name(tournament, player)} {cut.seeds.index(player) + 1}{ARROW}{seed}"
        for seed, player in enumerate(cut.would_be, start=1)
        if player in cut.seeds and cut.seeds[seed - 1 : seed] != (player,)
    ]
    if moved:
        yield tr("{name}, seeds: {seeds}", name=name, seeds=", ".join(moved))


def _round_in_words(tournament: Tournament, later: LaterRound) -> Iterator[str]:
    name = tr("round {round}", round=later.round)
    if later.problem:
        yield tr(
            "{name} could not have been paired: {problem}", name=name, problem=said(later.problem)
        )
        return
    tables = _new_tables(later)
    if later.would_be:
        count = sum(0 not in game for game in later.would_be)
        yield tr(
            "{name} would have been drawn differently at {count} of {tables}",
            name=name,
            count=len(tables),
            tables=how_many(count, "table"),
        )
    else:
        yield tr("{name}: its draw cannot be repeated here", name=name)
    if later.byes[0] != later.byes[1]:
        was, would_be = (
            labelled(tournament, player) if player else tr("no player") for player in later.byes
        )
        yield f"  {tr('the bye: {player}, not {before}', player=would_be, before=was)}"
    if later.gaps[0] != later.gaps[1]:
        gap, least = later.gaps
        text = marked(
            "the actual tables would have a score gap of {gap}; the lowest would be {least}"
        )
        yield f"  {tr(text, gap=gap, least=least)}"
    for one, other in later.rematches:
        players = labels(tournament, (one, other))
        yield f"  {tr('{players} would have met before', players=players)}"


def _new_tables(later: LaterRound) -> list[tuple[int, int]]:
    made = {frozenset(game) for game in later.made}
    return [game for game in later.would_be if 0 not in game and frozenset(game) not in made]


def show_draw(desk: Desk, games: Games) -> None:
    """Print a round as it would have been drawn."""
    tournament = desk.book.tournament
    columns = (
        Column(marked("table"), right=True, value=itemgetter(0)),
        *person_columns(tournament, lambda each: each[1][0]),
        *person_columns(tournament, lambda each: each[1][1], marked("against"), key="against"),
    )
    show_records(desk, columns, enumerate(games, start=1))


PLACES_MAX = 4
"""How many places that would move are shown of one result; --json has all."""

ASSUMED = marked("all players come to their tables, no player drops, and reported results stay")

AFTERWARDS = marked("a player who drops after the round changes nothing for those who are certain")


VERDICTS = (marked("certain"), marked("possible"), marked("not proven"), marked("out"))
"""Verdicts on a player's chances."""


def show_sweep(desk: Desk, found: Sweep) -> None:
    """Print who is certain of the cut, who can still make it and by what, who is out."""
    tournament = desk.book.tournament
    columns = (
        Column(marked("rank"), right=True, value=itemgetter(0)),
        *person_columns(tournament, lambda each: each[1].player),
        for_program("verdict", lambda each: each[1].verdict),
        Column(marked("cut"), value=lambda each: _overall(each[1], found), only="person"),
        prose(marked("by their own result"), lambda each: _by_result(tournament, each[1])),
    )
    ranked = list(enumerate(found.players, start=1))
    if desk.options.for_person:
        ranked = [each for each in ranked if each[1].verdict != "out"]
    if not show_records(desk, columns, ranked, json=lambda: sweep_as_json(tournament, found)):
        return
    if out := sum(hope.verdict == "out" for hope in found.players):
        show(tr("out of the cut: {players}", players=how_many(out, "player")))
    for line in _terms(tournament, found):
        say(line)


def _overall(hope: PlayerChances, found: Sweep) -> str:
    if hope.verdict in {"certain", "out"}:
        return tr_of("verdict", hope.verdict)
    made = sum(chance.made for chance in hope.chances)
    return f"{tr_of('verdict', hope.verdict)} {_percent(made, found.samples)}".strip()


def _percent(made: int, of: int) -> str:
    return f"{100 * made / of:.0f} %" if of else ""


def _by_result(tournament: Tournament, hope: PlayerChances) -> str:
    """Say each verdict with the results that bring it; nothing where all bring the same."""
    if len({chance.verdict for chance in hope.chances}) == 1:
        return ""
    every = [chance.result for chance in hope.chances if chance.result is not None]
    reported = tournament.ruleset.scoring.kind == "reported"
    parts = []
    for verdict in VERDICTS:
        alike = [chance for chance in hope.chances if chance.verdict == verdict]
        if alike:
            some = [chance.result for chance in alike if chance.result is not None]
            names = ", ".join(kinds_named(some, every, reported=reported))
            said_so = f"{tr_of('verdict', verdict)} {_share(alike)}".strip()
            parts.append(f"{said_so}: {names}")
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
        return tr("{outcome} by concession", outcome=tr_of("result", result.outcomes[0]))
    return tr_of("result", result.outcomes[0]) + (f" {score[0]}-{score[1]}" if score else "")


def _terms(tournament: Tournament, found: Sweep) -> Iterator[str]:
    """Say what the verdicts are about, what was considered for them, and what they assume."""
    size = tournament.ruleset.scoring.shown(found.size)
    of = (
        tr("players with {points} points or more advance", points=size)
        if found.by_points
        else tr("{count} players advance", count=found.size)
    )
    names = ", ".join(kinds_named(found.results, found.results))
    every = marked("every result that {ruleset} accepts ({names}: {count} of them)")
    some = marked("some of the results that {ruleset} accepts ({names}: {count} of them)")
    results = tr(
        every if found.whole else some,
        ruleset=tournament.ruleset.key,
        names=names,
        count=in_figures(found.distinct),
    )
    open_tables = tr("{advancing}; {count} open", advancing=of, count=len(found.open))
    if found.samples:
        yield from _of_a_sample(found, open_tables, results)
    else:
        yield tr(
            "{open_tables}; proven for {results}, if {assumed}; {afterwards}",
            open_tables=open_tables,
            results=results,
            assumed=tr(ASSUMED),
            afterwards=tr(AFTERWARDS),
        )
    if not found.is_last:
        yield tr(
            "more rounds follow before the cut: this is the state after round {round}",
            round=found.round,
        )


def _of_a_sample(found: Sweep, open_tables: str, results: str) -> Iterator[str]:
    from projections.whatif.sweep import margin

    tried = [chance.tried for hope in found.players for chance in hope.chances if chance.tried]
    fewest = min(tried, default=found.samples)
    yield (
        tr(
            "{open_tables}; from {samples} random combinations of {results}, if {assumed}; "
            '"certain" and "out" are proven; "possible" occurred in a combination',
            open_tables=open_tables,
            samples=in_figures(found.samples),
            results=results,
            assumed=tr(ASSUMED),
        )
    )
    yield (
        tr(
            "every kind of result was taken as equally likely; in 99 of 100 cases a "
            "percentage is off by at most {most} %, or {own} % for a player's own result "
            "({count} combinations or more); what did not occur is still possible",
            most=f"{100 * found.margin:.1f}",
            own=f"{100 * margin(fewest):.1f}",
            count=in_figures(fewest),
        )
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
    is_swiss = is_of_swiss(tournament, match)
    columns = (
        Column(
            marked("result"), flexible=True, value=lambda each: _result(tournament, match, each[0])
        ),
        *(_of_swiss if is_swiss else _of_bracket)(tournament, match),
        Column(
            marked("other rounds"),
            optional=True,
            value=lambda each: ", ".join(str(later.round) for later in each[1].rounds),
        ),
    )
    if not show_records(
        desk,
        columns,
        outcomes,
        json=lambda: (
            outcomes_as_json(tournament, match, outcomes)
            | {"caveats": [*caveats, *_about(tournament, match, len(outcomes), is_swiss=is_swiss)]}
        ),
    ):
        return
    for line in _about(tournament, match, len(outcomes), is_swiss=is_swiss):
        say(line)


def _about(tournament: Tournament, match: Match, count: int, *, is_swiss: bool) -> Iterator[str]:
    """Say from whose side the results are, and how many of all results they are."""
    side, where = short_name(tournament, match.first), f"{match.round}/{match.table}"
    if not is_swiss:
        yield tr(
            "{where}: results from {side}'s side, places with the later games as played",
            where=where,
            side=side,
        )
        return
    yield tr(
        "{where}: results from {side}'s side, rank and points with the later rounds as played",
        where=where,
        side=side,
    )
    if count < (distinct := len(accepted(tournament.ruleset).results)):
        fields = tr(" and ").join(each.name for each in tournament.ruleset.fields)
        yield (
            tr(
                "these are {count} of the {total} results that {ruleset} accepts: for each "
                "outcome and score, the lowest and the highest {fields}",
                count=count,
                total=in_figures(distinct),
                ruleset=tournament.ruleset.key,
                fields=fields,
            )
        )


def _of_swiss(tournament: Tournament, match: Match) -> Iterator[Column]:
    """Yield the columns of where both would stand, and who would make the cut."""
    now = {row.player: (row.rank, row.points) for row in everyone(tournament).rows}
    for player, key in zip(match.players, ("first", "second"), strict=True):
        stands = partial(_standing, tournament, player, now[player])
        yield Column(short_name(tournament, player), flexible=True, key=key, value=stands)
    yield prose(marked("cut"), lambda each: _cuts(tournament, each[1]))


def _of_bracket(tournament: Tournament, match: Match) -> Iterator[Column]:
    """Yield the columns of who would go on, and whose places would be others."""
    goes_on = partial(_goes_on, tournament, match)
    yield Column(
        marked("advances"), flexible=True, key="goes_on", value=lambda each: goes_on(each[1])
    )
    yield prose(marked("places"), lambda each: _places(tournament, each[1]))


def _result(tournament: Tournament, match: Match, result: Result) -> str:
    named = result_named(tournament, result)
    return tr("{result} (current)", result=named) if result == match.result else named


def _goes_on(tournament: Tournament, match: Match, found: Alternative) -> str:
    winner = winner_of(tournament, match)
    for each in found.differences.games:
        if each.after is not None and each.after.match == match.number:
            winner = each.after.winner
    return shown_name(tournament, winner) if winner else tr("no player")


def _places(tournament: Tournament, found: Alternative) -> str:
    moved = found.differences.places
    parts = [
        f"{short_name(tournament, each.player)} {each.before or tr_of('place', 'open')}{ARROW}"
        f"{each.after or tr_of('place', 'open')}"
        for each in moved[:PLACES_MAX]
    ]
    rest = len(moved) - PLACES_MAX
    more = [tr("{count} more", count=rest)] if rest > 0 else []
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
        parts += [tr("in {player}", player=name) for name in enters]
        parts += [tr("out {player}", player=name) for name in leaves]
        parts += [tr("other seeds")] if not (enters or leaves) else []
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
