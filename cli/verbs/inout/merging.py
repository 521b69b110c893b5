"""`merge`: enter the acts of another desk that continued the same tournament separately."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cli.desk.acts import acting_official
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.file_names import NO_OUTPUT, InFile, OutFile
from cli.input.given_files import refuse_other_kinds
from cli.input.options import Unsigned, option, word
from cli.languages.speaking import marked, tr
from cli.machine.trust import checked_reason
from cli.render.records import show_records, show_value
from cli.terminal.output import say
from cli.terminal.problems import as_json, line_of
from cli.terminal.tables import Column, prose
from cli.terminal.visible import how_many
from cli.wording.phrases import who
from ledger.errors import LedgerError, Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.exchange.merging.merge import Judged, MergePlan
    from ledger.exchange.merging.other_log import OtherLog
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament

Page = Annotated[
    OutFile, option("FILE", "Also write the sheet to a web page, to print it.", "--output", "-o")
]

FATES = {
    "landed": marked("lands"),
    "draft": marked("waits for a signature"),
    "listed": marked("on the sheet"),
}
"""Words for the fate of an event of the other desk, except an event that this log has."""


def merge(
    desk: Desk,
    file: Annotated[InFile, word("FILE", "A backup that the other desk made.")],
    output: Page = NO_OUTPUT,
    unsigned: Unsigned = "",
) -> None:
    """Enter the acts of another desk that lost sight of this one.

    Both stores have the same tournament, and their logs begin alike. The order is this log as it
    stands, then the other desk's acts. What both desks entered is one act. An act that needs a
    signature waits for its signer (`sign`). What cannot be entered here is listed with both sides:
    nothing that this desk entered is replaced, and rounds that both desks paired stay as they are
    here. The same backup merged again changes nothing.

    The table is shown first, and a question asked; --yes answers it. Acts are taken only if a key
    that both logs know signed for them, or with --unsigned.

        tourney merge other.backup -o sheet.html
    """
    refuse_other_kinds(desk.files.reading(file), "merge")
    reason = checked_reason(unsigned) if unsigned else ""
    once(desk, lambda: _merge(desk, file, output, reason))


def _merge(desk: Desk, file: InFile, output: OutFile, reason: str) -> None:
    from cli.machine.backup_keys import unlocked_backup
    from cli.machine.draw_keys import drawing
    from ledger.exchange.merging.other_log import other_log, refuse_unsigned
    from ledger.store.backup import Backup
    from projections.standings.table import ranking

    acting_official(desk)
    book = desk.book
    backup = Backup(desk.files.named(file), unlocked_backup)
    other = other_log(backup, book.stream, book.lines, ranking)
    if not reason:
        refuse_unsigned(other, str(file))
    plan = drawing(book, partial(_plan, desk, other))
    sheet = MergeSheet(desk, other, plan)
    if not desk.json:
        sheet.show()
    if plan.landing or plan.drafts or any(judged.is_new for judged in plan.judged):
        _ask(desk, sheet)
        _enter(desk, plan, reason if other.unsigned else "")
    show_value(desk, sheet.value())
    sheet.write(output)
    say(sheet.outcome())


def _plan(desk: Desk, other: OtherLog) -> MergePlan:
    """Decide about the acts of the other desk, and write nothing."""
    from msgspec import structs

    from ledger.exchange.merging import kept
    from ledger.exchange.merging.merge import Merging
    from ledger.exchange.merging.remaking import Deciders
    from projections.verification import posted_of, repeats

    book = desk.book
    context = structs.replace(book.context(), sign=None, sign_head=None)
    decided = kept.read(book.store.vault_get(book.stream, kept.MERGED))
    behind = Deciders(context, repeats, posted_of)
    return Merging(list(book.recorded()), other, behind, decided).planned()


def _ask(desk: Desk, sheet: MergeSheet) -> None:
    """Ask for confirmation before the acts are entered.

    Raises:
        Refused: the answer is no, or is missing.
    """
    from cli.desk.questions import agreed

    if not (desk.options.yes or agreed(tr("{counts}: enter them?", counts=sheet.counts()))):
        raise Refused(phrase("nothing was written"))


def _enter(desk: Desk, plan: MergePlan, reason: str) -> None:
    """Write the acts under one lock, and the decisions to the vault before the lines."""
    from cli.machine.caveats import note_of
    from cli.machine.checkpoints import Locked
    from cli.serve.commands import drafts_of
    from ledger.books.book import Sent
    from ledger.books.unsigned_lines import with_note
    from ledger.exchange.merging import kept
    from ledger.facts.people import PersonForgotten

    book, heads, store = desk.book, desk.heads, desk.store()
    secrets = store.vault_items(book.stream)
    decided = kept.read(secrets.get(kept.MERGED)) | plan.decided
    items = {kept.MERGED: kept.written(decided), **drafts_of(plan.drafts, secrets)}
    sent = [Sent(act.command, act.by, act.command_id, act.at) for act in plan.landing]
    last = max((judged.decided.here for judged in plan.of("landed")), default=0)
    if sent and reason:
        items |= with_note(secrets, note_of(len(book.lines) + 1, last, reason))

    def guard(events: Sequence[Recorded]) -> None:
        heads.guard(events)
        if events and events[-1].seq == last:
            store.vault_put_all(book.stream, items)

    heads.begin_act()
    book.guard = guard
    answers = book.act_all(sent) if sent else []
    if any(isinstance(answer, Locked) for answer in answers):
        heads.unlock()
        answers = book.act_all(sent)
    book.guard = heads.guard
    for answer in answers:
        if isinstance(answer, LedgerError):
            raise answer
    if not sent:
        store.vault_put_all(book.stream, items)
    recorded = [line for answer in answers if isinstance(answer, list) for line in answer]
    if any(isinstance(line.event, PersonForgotten) for line in recorded):
        book.destroy_forgotten()
    desk.sign_head(recorded)
    desk.copy_after(recorded)


class MergeSheet:
    """The decisions about the events of the other desk, in words and for scripts."""

    def __init__(self, desk: Desk, other: OtherLog, plan: MergePlan) -> None:
        from ledger.fold import fold

        self._desk, self._plan = desk, plan
        self._here = desk.book.tournament
        self._there: Tournament = fold(other.events)
        self._ours: Mapping[int, str] = {
            seq: self._words(desk.book.recorded_at(seq), self._here)
            for judged in plan.of("listed")
            for seq in judged.decided.ours
            if seq <= len(desk.book.lines)
        }

    def _words(self, recorded: Recorded, tournament: Tournament) -> str:
        from cli.wording.event_words import in_words
        from ledger.facts.hands import as_seen

        return in_words(as_seen(tournament, self._desk.by, recorded.event), tournament)

    def show(self) -> None:
        """Show a person the table of the events, except events that this log has."""
        if any(judged.decided.fate != "same" for judged in self._plan.judged):
            rows = [judged for judged in self._plan.judged if judged.decided.fate != "same"]
            show_records(self._desk, self._columns(), rows)

    def _columns(self) -> list[Column]:
        there, names = self._there, self._here.names
        return [
            Column("event", right=True, text=lambda judged: str(judged.theirs.seq)),
            Column("", text=lambda judged: tr(FATES[judged.decided.fate])),
            prose("other desk", key="there", text=lambda judged: self._words(judged.theirs, there)),
            Column("entered by", yields=2, text=lambda judged: who(judged.theirs.by, there)),
            prose("this desk", key="here", text=self._ours_in_words),
            prose("why", text=lambda judged: _reasons(judged, names)),
        ]

    def _ours_in_words(self, judged: Judged) -> str:
        """Name the events of this log that an event of the other desk conflicts with."""
        seqs = [seq for seq in judged.decided.ours if seq in self._ours]
        named = [tr("{event}: {words}", event=seq, words=self._ours[seq]) for seq in seqs]
        return "; ".join(named)

    def counts(self) -> str:
        """Count the events of the other desk by their fates."""
        of = self._plan.of
        return tr(
            "{landing} to enter, {drafts} to be signed, {listed} for the sheet, {same} known here",
            landing=how_many(len(of("landed")), "event"),
            drafts=len(of("draft")),
            listed=len(of("listed")),
            same=len(of("same")),
        )

    def outcome(self) -> str:
        """Summarize the merge in a sentence."""
        new = [judged for judged in self._plan.judged if judged.is_new]
        if not new:
            return tr("nothing to change: every act of the backup was decided about before")
        of = self._plan.of
        return tr(
            "merged behind event {common}, the last common one: {landed} entered, {drafts} waiting "
            "for a signature, {listed} on the sheet, {same} known here",
            common=self._plan.common,
            landed=how_many(len(of("landed")), "event"),
            drafts=len(of("draft")),
            listed=len(of("listed")),
            same=len(of("same")),
        )

    def value(self) -> dict[str, Any]:
        """Return the three lists for a script."""
        of, names = self._plan.of, self._here.names
        return {
            "common": self._plan.common,
            "same": len(of("same")),
            "landed": [{**_named(judged), "here": judged.decided.here} for judged in of("landed")],
            "drafts": [{**_named(judged), "by": judged.theirs.by} for judged in of("draft")],
            "sheet": [
                {
                    **_named(judged),
                    "what": self._words(judged.theirs, self._there),
                    "ours": [
                        {"event": seq, "what": self._ours[seq]}
                        for seq in judged.decided.ours
                        if seq in self._ours
                    ],
                    "problems": [as_json(reason, names) for reason in judged.decided.problems],
                }
                for judged in of("listed")
            ],
        }

    def write(self, output: OutFile) -> None:
        """Write the sheet as a page to print, if a file is named for it."""
        from cli.render.printed_pages import PrintedTable, page_of_tables

        if not output:
            return
        opening = self._here.opening
        title = tr("{tournament}: two desks merged", tournament=opening.name if opening else "")
        listed = self._plan.of("listed")
        columns = [column for column in self._columns() if column.title]
        page = page_of_tables(title, [PrintedTable(title, columns, listed, heading="there")])
        self._desk.files.write(output, [page.encode()])
        say(tr("{file}: open this file to print it", file=output))


def _named(judged: Judged) -> dict[str, Any]:
    return {"event": judged.theirs.seq, "id": judged.theirs.id, "type": judged.theirs.type}


def _reasons(judged: Judged, names: Mapping[str, str]) -> str:
    return "; ".join(line_of(reason, names) for reason in judged.decided.problems)
