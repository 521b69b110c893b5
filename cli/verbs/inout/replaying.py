"""`replay`: a log checked without a store."""

from __future__ import annotations

from typing import Annotated

from cli.desk.session import Desk
from cli.input import options  # noqa: TC001 - typer resolves them
from cli.input.file_names import NO_INPUT, InFile
from cli.input.given_files import refuse_other_kinds
from cli.input.options import word
from cli.machine.trust import asked_of
from cli.terminal.output import say, show, show_json
from cli.terminal.visible import how_many
from cli.verbs.views import print_bracket, print_standings
from cli.wording.import_words import head_as_json, head_in_words
from cli.wording.phrases import format_as_json, game_in_words, rules_in_words
from ledger.tournament.state import Tournament


def replay_log(
    desk: Desk,
    file: Annotated[InFile, word("FILE", "A log that `export` wrote.")],
    policy: options.Policy = NO_INPUT,
    unsigned: options.Unsigned = "",
) -> None:
    """Check a log without a store: standings, bracket, signature.

    The signed head and the hashes next to the file must match its lines, and if the log names a
    key, the head must cover all lines. `verify` checks more.
    """
    from cli.input.matches import has_standings
    from cli.machine.caveats import caveat_of_file
    from cli.machine.last_heads import hold_file
    from ledger.exchange import replay
    from projections.standings.table import ranking
    from projections.verification import in_short, of_replay

    path = desk.files.reading(file)
    refuse_other_kinds(path, "replay")
    trust = asked_of(desk.files.named(policy), unsigned, "replay")
    replayed = replay(path, ranking, trust=trust)
    tournament, vouched = replayed.tournament, replayed.vouched
    count = len(replayed.entries)
    is_accepted = vouched is not None and vouched.is_pinned
    hold_file(
        str(file), replayed.stream, [line for _, line in replayed.entries], is_accepted=is_accepted
    )
    if replayed.taken_for:
        caveat_of_file(replayed.tree.size, replayed.uncovered, replayed.taken_for)
    if desk.json:
        show_json(_replayed(tournament, count) | {"head": head_as_json(replayed.vouched)})
        return
    opening = tournament.opening
    if opening is not None:
        rules = rules_in_words(opening)
        show(f"{opening.name}, {opening.date}, {game_in_words(opening)}")
        show(*([f"optional rules: {rules}"] if rules else []), "")
    if has_standings(tournament):
        print_standings(desk, tournament)
    if _has_bracket(tournament):
        show("")
        print_bracket(desk, tournament)
    signed = head_in_words(replayed.vouched, count, replayed.taken_for)
    show("", f"consistent with itself: {how_many(count, 'event')}; {signed}")
    for key in tournament.draw_keys[1:]:
        say(f"draws before line {key.seq} can never be checked again: their key was lost")
    for key in tournament.hidden_keys[1:]:
        say(f"cards sealed before line {key.seq} can never be opened: their key was lost")
    if opening is not None and opening.imported is not None:
        say("its rounds were drawn by another program: UNCHECKED")
    if tournament.importing:
        say("its import was never completed: few rules are checked for imported facts")
    say(in_short(of_replay(replayed)))


def _has_bracket(tournament: Tournament) -> bool:
    return any(
        not stage.is_swiss and (stage.rounds or stage.cut_seq) for stage in tournament.stages
    )


def _replayed(tournament: Tournament, count: int) -> dict[str, object]:
    """What `standings --json` and `bracket --json` give; null for what the event has not."""
    from cli.input.matches import has_standings
    from projections.standings import bracket
    from projections.standings.table import as_json, everyone

    opening = tournament.opening
    table = everyone(tournament) if has_standings(tournament) else None
    shown = bracket.bracket(tournament) if _has_bracket(tournament) else None
    return {
        "tournament": opening.tournament if opening else "",
        "events": count,
        "format": format_as_json(opening),
        "standings": as_json(table, tournament.names) if table else None,
        "bracket": bracket.as_json(shown, tournament.names) if shown else None,
    }
