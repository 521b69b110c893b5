"""`replay`: a log checked without a store, shown at a moment, or walked through event by event."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated

from cli.desk.questions import ESCAPE, HELP, QUIT
from cli.desk.session import Desk
from cli.input import options  # noqa: TC001 - typer resolves them
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile
from cli.input.moments import LOOK_FURTHER, At, AtRound, ClosedRound, look_at, place_of, time_in
from cli.input.options import flag, word
from cli.languages.speaking import marked, tr, tr_many
from cli.terminal.output import complain, flush, say, show, show_json, show_prose
from cli.terminal.tables import terminal_height
from cli.terminal.visible import how_many
from cli.verbs.proof.verify import VERIFIED, check_file, verdict_in_words
from cli.verbs.views import print_bracket, print_standings
from cli.wording.import_words import head_as_json, head_in_words
from cli.wording.phrases import (
    entered_by,
    format_as_json,
    game_in_words,
    rules_in_words,
)
from ledger.errors import LedgerError
from ledger.tournament.progress import latest_round
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from cli.desk.file_desk import FileDesk
    from ledger.exchange.log_files import Replay
    from ledger.lines.recorded import Recorded
    from ledger.proof.table import CheckTable
    from projections.explain.differences import Differences, Walk


def replay_log(
    desk: Desk,
    file: Annotated[InFile, word("FILE", "A log that `export` wrote.")],
    number: ClosedRound = "",
    at: At = "",
    step: Annotated[bool, flag("--step", "Step through the log, event by event.")] = False,
    policy: options.Policy = NO_INPUT,
    unsigned: options.Unsigned = "",
) -> None:
    """Show a log's standings and bracket, after every check.

    It answers who won, without a store. It makes the check of `verify`, refuses the same files with
    the same words, and ends with the same sentence; `verify` shows each part of the check. Any verb
    that shows a tournament takes the file, too, with --log FILE: also an export that is earlier
    than another one, which both refuse.

    tourney replay cup.jsonl
    tourney replay cup.jsonl --round 3
    tourney replay cup.jsonl --at 14:05
    tourney replay cup.jsonl --step
    """
    moment = AtRound(number, at)
    if step:
        _refuse_without_terminal(desk)
    replayed, table = _read(desk, file, policy, unsigned)
    verdict = verdict_in_words(table, policy)
    looking = _looking(desk, file, replayed, policy, unsigned)
    tournament = look_at(looking, moment)
    if step:
        _step_through(looking, tournament.seq if any(moment) else 1)
    elif desk.json:
        at_moment: dict[str, object] = {"seq": tournament.seq} if any(moment) else {}
        at_moment |= _round_and_time(looking, tournament)
        value = _replayed(tournament, len(replayed.entries)) | at_moment
        show_json(value | {"head": head_as_json(replayed.vouched)})
    else:
        _show(looking, tournament)
        _sum_up(replayed)
        if any(moment):
            _say_how_to_look_further(looking, moment)
        say(verdict, VERIFIED)


def _read(desk: Desk, file: InFile, policy: InFile, unsigned: str) -> tuple[Replay, CheckTable]:
    """Read a log and check it as `verify` does; return what it adds up to, and the checks."""
    from cli.machine.caveats import caveat_of_file

    table, replayed = check_file(desk, file, policy, unsigned, verb="replay", keep=True)
    if replayed.taken_for:
        caveat_of_file(len(replayed.entries), replayed.uncovered, replayed.taken_for)
    return replayed, table


def _round_and_time(desk: FileDesk, tournament: Tournament) -> dict[str, object]:
    """Return the latest round, 0 before the first one, and the clock of the latest event."""
    played = latest_round(tournament)
    at = desk.book.recorded_at(tournament.seq).at
    return {"round": played.number if played else 0, "time": time_in(tournament, at)}


def _show(desk: Desk, tournament: Tournament) -> None:
    """Print the name of a tournament, its standings and its bracket."""
    from cli.input.matches import has_standings

    opening = tournament.opening
    if opening is not None:
        rules = rules_in_words(opening)
        show(f"{opening.name}, {opening.date}, {game_in_words(opening)}")
        show(*([tr("optional rules: {rules}", rules=rules)] if rules else []), "")
    if has_standings(tournament):
        print_standings(desk, tournament)
    if _has_bracket(tournament):
        show("")
        print_bracket(desk, tournament)


def _sum_up(replayed: Replay) -> None:
    """Print whose head covers the lines, and what the log itself leaves open."""
    tournament, count = replayed.tournament, len(replayed.entries)
    opening = tournament.opening
    signed = head_in_words(replayed.vouched, count, replayed.taken_for)
    show(
        "",
        tr(
            "consistent with itself: {counted}; {signed}",
            counted=how_many(count, "event"),
            signed=signed,
        ),
    )
    for key in tournament.draw_keys[1:]:
        say(
            tr(
                "draws before line {seq} can never be checked again: their key was lost",
                seq=key.seq,
            )
        )
    for key in tournament.hidden_keys[1:]:
        say(
            tr(
                "cards sealed before line {seq} can never be opened: their key was lost",
                seq=key.seq,
            )
        )
    if opening is not None and opening.imported is not None:
        say(tr("its rounds were drawn by another program: UNCHECKED"))
    if tournament.importing:
        say(tr("its import was never completed: few rules are checked for imported facts"))


def _looking(desk: Desk, file: InFile, replayed: Replay, policy: InFile, unsigned: str) -> FileDesk:
    """Return a desk that shows a file which was read."""
    from cli.desk.file_desk import FileDesk

    options = desk.options._replace(log=str(file), policy=str(policy), unsigned=unsigned)
    looking = FileDesk(options, desk.line)
    looking.take(replayed)
    return looking


def _say_how_to_look_further(desk: FileDesk, moment: AtRound) -> None:
    """Say which line shows more of a file at the same moment."""
    at = f"round:{moment.number}" if moment.number else moment.at
    line = desk.line_for("standings", "--at", at)
    say(
        tr(
            "{beginning}`{line}`, likewise with pairings, match, explain or log",
            beginning=tr(LOOK_FURTHER),
            line=line,
        )
    )


KEYS = marked("Enter: next, b: back (or arrow, Enter), 57, 14:05 or round:3: a moment, q: quit")
BACK, NEXT = frozenset({"b", "back", "p"}), frozenset({"", "n", "next"})

_ARROWS = re.compile(r"(?:\x1b[\[o][a-d])+")
_STEPS = {"a": -1, "b": 1, "c": 1, "d": -1}
"""By the last letter of an arrow key: up and left go back, down and right go on."""
LINES_BESIDE = 12
"""Number of lines of a screen that are reserved for other text than changed rows."""


def _refuse_without_terminal(desk: Desk) -> None:
    """Refuse to step without a terminal, as UsageError."""
    if not desk.options.for_person:
        raise UsageError(
            tr("--step is for a terminal: omit --json and --csv, or use `diff` and `log`")
        )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(tr("--step needs a terminal: without one, use --at SEQ, `diff` or `log`"))


def _step_through(desk: FileDesk, seq: int) -> None:
    """Show the events that the keys ask for, and their changes."""
    walk, size = desk.steps(), len(desk.book.lines)
    say(KEYS)
    try:
        _show_step(desk, walk, seq)
        while (target := _asked(desk, seq, size)) is not None:
            if target != seq:
                seq = target
                _show_step(desk, walk, seq)
    except KeyboardInterrupt:  # the way out
        say("")


def _asked(desk: FileDesk, seq: int, size: int) -> int | None:
    """Ask for the next event to show; None to end."""
    flush()
    try:
        typed = input(tr("event {seq} of {size}> ", seq=seq, size=size)).strip().lower()
    except EOFError:
        say("")
        return None
    if typed in QUIT:
        return None
    if _ARROWS.fullmatch(typed):
        steps = sum(_STEPS.get(letter, 0) for letter in typed)
        if (target := min(max(seq + steps, 1), size)) != seq:
            return target
        typed = "next" if steps > 0 else "back" if steps < 0 else "?"
    if typed in HELP or ESCAPE in typed:
        say(tr(KEYS))
    elif typed in NEXT and seq == size:
        say(tr("this is the last event: b shows the previous one, q quits"))
    elif typed in BACK and seq == 1:
        say(tr("this is the first event: Enter shows the next one, q quits"))
    elif typed in NEXT | BACK:
        return seq + 1 if typed in NEXT else seq - 1
    else:
        try:
            return place_of(desk, typed)
        except (LedgerError, UsageError) as error:
            complain(str(error))
    return seq


def _show_step(desk: FileDesk, walk: Walk, seq: int) -> None:
    """Show an event in words, and its changes."""
    from cli.wording.event_words import in_words
    from ledger.facts.hands import as_seen

    book = desk.book
    tournament, recorded = book.tournament, book.recorded_at(seq)
    sentence = in_words(as_seen(tournament, desk.by, recorded.event), tournament)
    clock = time_in(tournament, recorded.at)
    show_prose(
        tr(
            "event {seq}, {clock}, {by}: {sentence}",
            seq=seq,
            clock=clock,
            by=entered_by(recorded, tournament),
            sentence=sentence,
        )
    )
    _show_changes(desk, walk.at(seq), recorded, tournament)


def _show_changes(
    desk: FileDesk, changes: Differences, recorded: Recorded, tournament: Tournament
) -> None:
    """Show the changes by an event; on a full screen, first the players that it touches."""
    from msgspec.structs import replace

    from cli.render.differences import show_differences
    from projections.explain.differences import causes

    if not changes:
        show(tr("no change in the standings"))
        return
    room = max(terminal_height() - LINES_BESIDE, 1)
    rows, more = changes.rows, len(changes.rows) - room
    if more > 0:
        touched = {player for each in causes([recorded], tournament) for player in each.players}
        rows = tuple(sorted(rows, key=lambda row: row.player not in touched)[:room])
    show_differences(desk, replace(changes, rows=rows), tournament, dict)
    if more > 0:
        before, after = changes.seqs
        line = desk.line_for("diff", str(max(before, 1)), str(after))
        say(
            tr_many(
                "and {count} more row: `{line}` shows all",
                "and {count} more rows: `{line}` shows all",
                more,
                line=line,
            )
        )


def _has_bracket(tournament: Tournament) -> bool:
    return any(
        not stage.is_swiss and (stage.rounds or stage.cut_seq) for stage in tournament.stages
    )


def _replayed(tournament: Tournament, count: int) -> dict[str, object]:
    """What `standings --json` and `bracket --json` give; null for what the tournament has not."""
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
