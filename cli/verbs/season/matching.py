"""`season people match` and `review`: which entrants are one person, proposed and decided."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.options import option, shared
from cli.languages.speaking import marked, tr, tr_many
from cli.render.records import show_records, show_value, shows_table
from cli.season.league import apply_decisions, vault_at
from cli.season.options import NEW_SEASON, OWN_VAULT, WrittenLeague, WrittenSeason
from cli.terminal.output import say
from cli.terminal.tables import Column, prose
from cli.terminal.visible import how_many, visible
from cli.verbs.season.people import UNSAID, DecisionOptions

if TYPE_CHECKING:
    from pathlib import Path

    from cli.season.matching import Proposed
    from projections.season.league import League

FROM = 0.2
LEAST = 0.01
COUNTED = 0.05
"""The confidence from which proposals that are not listed are counted."""

NAMES_SHOWN = 4
LINE_MAX = 200
PERSON_SHOWN = 8
YES, NO, LATER, BACK, QUIT = ("y", "yes"), ("n", "no"), ("", "l", "later"), ("u", "undo"), ("q",)

_PROPOSED = (
    Column(marked("key")),
    Column(marked("confidence"), right=True, text=lambda row: in_percent(row["confidence"])),
    Column(marked("names"), flexible=True, text=lambda row: _in_short(row["names"])),
    Column(marked("entries"), right=True, text=lambda row: str(len(row["entries"]))),
    Column(marked("persons"), right=True, yields=1, text=lambda row: str(len(row["persons"]))),
    prose(marked("evidence"), text=lambda row: "; ".join(row["evidence"])),
)


def in_percent(confidence: float) -> str:
    """Return a confidence as a percentage below 100."""
    return f"{min(99.99, 100 * confidence):.2f} %"


def _in_short(names: list[str]) -> str:
    shortened = " / ".join(names[:NAMES_SHOWN])
    more = len(names) - NAMES_SHOWN
    return tr("{names} and {more} more", names=shortened, more=more) if more > 0 else shortened


class MatchOptions(NamedTuple):
    """Names, reasons and files of a decision to join persons."""

    by: Annotated[
        str,
        option("NAME", "Required with --accept-above, --accept or --apart: who decides.", "--by"),
    ] = ""
    reason: Annotated[str, shared("--reason", required="with these, too")] = ""
    season: WrittenSeason = NEW_SEASON
    league: WrittenLeague = OWN_VAULT


NOTHING_SAID = MatchOptions()


@shows_table
def match(
    desk: Desk,
    from_: Annotated[
        str, typer.Option("--from", metavar="P", help="Least confidence that is shown: 0.2.")
    ] = "",
    accept_above: Annotated[
        str, option("P", "Join all that has at least this confidence, such as 0.99.")
    ] = "",
    accept: Annotated[
        list[str] | None, option("KEY", "Join the persons of a proposal; may be repeated.")
    ] = None,
    apart: Annotated[
        list[str] | None, option("KEY", "Not one person: propose it no more; may be repeated.")
    ] = None,
    decision: MatchOptions = NOTHING_SAID,
) -> None:
    """List entrants who are probably one person, or join them.

    Equal public ids join by themselves. Everything else is proposed from names, games, regions and
    days, with a confidence: how many of a hundred such proposals are right. Decisions are acts on
    record, which `season people undo` takes back.
    """
    league = desk.files.writing(decision.league)
    if accept_above or accept or apart:
        if from_ or (accept_above and (accept or apart)):
            raise UsageError(tr("give either --accept-above P, or --accept and --apart KEY"))
        once(desk, lambda: _decide(desk, accept_above, accept or [], apart or [], decision), league)
    else:
        _list(desk, share_of(from_ or str(FROM), "--from"), league)


def share_of(typed: str, name: str) -> float:
    """Return the confidence that was typed.

    Raises:
        UsageError: it is not a number from 0.01 to 1.
    """
    try:
        share = float(typed)
    except ValueError:
        share = -1.0
    if not LEAST <= share <= 1:
        text = tr(
            "{name} must be a confidence from 0.01 to 1, not {typed}", name=name, typed=repr(typed)
        )
        raise UsageError(text)
    return share


def _list(desk: Desk, least: float, league: Path) -> None:
    from cli.season.matching import proposed
    from projections.season.league import League

    with League(league) as vault:
        proposals = proposed(vault, min(least, COUNTED))
        is_read = bool(vault.entries())
    records = [proposal.as_json() for proposal in proposals if proposal.confidence >= least]
    empty = tr("no proposals: no two entrants in the vault are probably one person")
    if not is_read:
        empty = tr("the vault has no entrants yet: `season add PATH` reads those of your logs")
    show_records(desk, _PROPOSED, records, empty=empty)
    if fewer := len(proposals) - len(records):
        count = how_many(fewer, "proposal")
        say(
            tr(
                "{proposals} less certain: --from {least} lists them",
                proposals=count,
                least=COUNTED,
            )
        )
    if records:
        say(tr("to go through them: `season people review`; all at once: --accept-above 0.99"))


def _decide(
    desk: Desk, above: str, accept: list[str], apart: list[str], decision: MatchOptions
) -> None:
    """Put decisions on record and apply them to the season."""
    from cli.season.matching import chosen, decide, proposed

    _need_by_and_reason("match", decision)
    season, league = desk.files.writing(decision.season), desk.files.writing(decision.league)
    with vault_at(league) as vault:
        if above:
            least = share_of(above, "--accept-above")
            reason = f"{decision.reason} (accepted above {above})"
            done = decide(vault, proposed(vault, least, at_once=True), [], decision.by, reason)
        else:
            both = chosen(proposed(vault, LEAST), [*accept, *apart])
            joined, separate = (
                both[: len(dict.fromkeys(accept))],
                both[len(dict.fromkeys(accept)) :],
            )
            done = decide(vault, joined, separate, decision.by, decision.reason)
    moved = apply_decisions(season, league)
    show_value(desk, {"acts": done.acts, "joined": done.persons})
    text = tr_many(
        "{count} person joined to another", "{count} persons joined to others", done.persons
    )
    say(tr("{decision}; the season is updated", decision=text) if moved else text)


def _need_by_and_reason(kind: str, decision: DecisionOptions | MatchOptions) -> None:
    if not (decision.by.strip() and decision.reason.strip()):
        raise UsageError(tr("season people {kind} needs --by NAME and --reason TEXT", kind=kind))


def review(
    desk: Desk,
    from_: Annotated[
        str, typer.Option("--from", metavar="P", help="Least confidence that is asked: 0.2.")
    ] = "",
    decision: DecisionOptions = UNSAID,
) -> None:
    """Decide the proposals one by one: accept, not the same, undo.

    Each answer is a line: y, n, Enter for later, u takes the last decision back, q ends.
    """
    from cli.season.matching import proposed

    _need_by_and_reason("review", decision)
    season, league = desk.files.writing(decision.season), desk.files.writing(decision.league)
    with vault_at(league) as vault:
        waiting = proposed(vault, share_of(from_ or str(FROM), "--from"))
        decided = _Review(vault, decision).go_through(waiting)
    moved = apply_decisions(season, league)
    text = tr_many("{count} decision on record", "{count} decisions on record", decided)
    say(tr("{decision}; the season is updated", decision=text) if moved else text)


class _Review:
    """A sequence of decisions on proposals, each of which can be undone."""

    def __init__(self, vault: League, decision: DecisionOptions) -> None:
        self._vault = vault
        self._decision = decision
        self._done: list[tuple[int, list[int]]] = []
        self._person: dict[str, str] = {}

    def go_through(self, waiting: list[Proposed]) -> int:
        """Ask about one proposal after another; return how many decisions stay."""
        at = 0
        while at < len(waiting):
            proposal = waiting[at]
            if self._is_settled(proposal):
                at += 1
                continue
            _show(proposal, at + 1, len(waiting))
            line = _line()
            if line is None or line in QUIT:
                break
            if line in BACK:
                at = self._take_back(at)
            elif line in YES or line in NO:
                self._decide(at, proposal, same=line in YES)
                at += 1
            elif line in LATER:
                at += 1
            else:
                say(
                    tr("type y (one person), n (not the same), Enter (later), u (undo) or q (quit)")
                )
        return len(self._done)

    def _is_settled(self, proposal: Proposed) -> bool:
        """Return whether an earlier answer has joined or parted the persons of a proposal."""
        from projections.season.league import everywhere, in_force

        stands_for = everywhere(self._vault.aliases()) if self._done else {}
        persons = {stands_for.get(person, person) for person in proposal.persons}
        apart = [
            {stands_for.get(act.league_id, act.league_id), stands_for.get(act.person, act.person)}
            for act in (in_force(self._vault.acts()) if self._done else ())
            if act.kind == "apart"
        ]
        return len(persons) == 1 or any(pair <= persons for pair in apart)

    def _decide(self, at: int, proposal: Proposed, *, same: bool) -> None:
        from cli.season.matching import decide

        accepted, apart = ([proposal], []) if same else ([], [proposal])
        by, reason = self._decision.by, self._decision.reason
        self._done.append((at, decide(self._vault, accepted, apart, by, reason).acts))

    def _take_back(self, at: int) -> int:
        from cli.season.matching import undo

        if not self._done:
            say(tr("nothing was decided here yet"))
            return at
        before, acts = self._done.pop()
        undo(self._vault, acts, self._decision.by, self._decision.reason)
        say(tr("taken back"))
        return before


def _show(proposal: Proposed, place: int, count: int) -> None:
    """Show a proposal on the screen, with its entries and the evidence."""
    from cli.season.matching import in_words

    say("")
    say(
        tr(
            "{place} of {count}: {confidence} one person",
            place=place,
            count=count,
            confidence=in_percent(proposal.confidence),
        )
    )
    for entry in proposal.entries:
        day = date.fromordinal(entry.day).isoformat() if entry.day else ""
        words = (day, entry.name, entry.game, entry.region, entry.person[:PERSON_SHOWN])
        say("  " + "  ".join(visible(word) for word in words if word))
    for reason in proposal.evidence:
        say(f"  - {visible(in_words(reason))}")


def _line() -> str | None:
    """Return what was typed, or None at the end."""
    if sys.stdin.isatty():
        sys.stderr.write(tr("one person? y, n, Enter: later, u: undo, q: quit") + "> ")
        sys.stderr.flush()
    line = sys.stdin.readline(LINE_MAX)
    return line.strip().lower() if line else None
