"""A file from elsewhere in words: the import, its signed head, and its numbers computed again.

The words about a head never claim more than was checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cli.languages.speaking import in_figures, marked, tr
from cli.terminal.problems import said
from cli.terminal.visible import how_many
from cli.wording.phrases import safe_text

if TYPE_CHECKING:
    from ledger.exchange.account import Account
    from ledger.proof.table import Vouched
    from ledger.tournament.state import Tournament
    from projections.published_tables import Oddity, ReproductionVerdict
    from projections.reproduction import Reproduction, Trial


def account_lines(account: Account) -> list[str]:
    """Return what is in the log, and for each reason what of the file is not."""
    counts = [
        how_many(account.entrants, "entrant"),
        how_many(account.rounds, "round"),
        how_many(account.tables, "table"),
        how_many(account.results, "result"),
        how_many(account.byes, "bye"),
    ]
    if account.missed:
        counts.append(tr("{rounds} missed", rounds=how_many(account.missed, "round")))
    lines = [tr("in the log: {counts}", counts=", ".join(counts))]
    by_reason: dict[str, list[str]] = {}
    for each in account.ignored:
        by_reason.setdefault(tr(each.why), []).append(f"{tr(each.what)} ({each.count})")
    lines += [
        tr("skipped: {parts}: {why}", parts=", ".join(found), why=why)
        for why, found in by_reason.items()
    ]
    return lines + [tr("check: {note}", note=said(note)) for note in account.notes]


def head_in_words(vouched: Vouched | None, size: int, taken_for: str = "") -> str:
    """Say what the head beside a log of that many lines says of it.

    `taken_for` is the reason for which lines were read that no signed head covers.
    """
    taken = tr("; accepted unsigned: {reason}", reason=taken_for) if taken_for else ""
    if vouched is None:
        return tr("signature not checked: no head file next to the log{taken}", taken=taken)
    covered = vouched.head.size
    place = tr("line {covered} of {size}", covered=covered, size=size)
    if vouched.is_pinned:
        said = tr("signed at {place}, as the policy requires", place=place)
    elif vouched.key is not None:
        said = tr(
            "the head next to the log matches, signed at {place} with the key that the log "
            "itself names; only a policy confirms whose key that is",
            place=place,
        )
    else:
        said = tr(
            "the head next to the log matches, made at {place}; signature not checked: the "
            "log names no key",
            place=place,
        )
    if left := size - covered:
        said += tr("; no head covers the {lines} after it", lines=how_many(left, "line"))
    return f"{said}{taken}"


def head_as_json(vouched: Vouched | None) -> dict[str, object] | None:
    """A head that fits, for scripts; None without one."""
    if vouched is None:
        return None
    from ledger.proof.notes import vkey

    return {
        "size": vouched.head.size,
        "at": vouched.at or None,
        "key": vkey(vouched.key) if vouched.key else None,
        "by_policy": vouched.is_pinned,
    }


ODDITIES = {
    "rematch": marked("round {round}: {who} meet again, as in round {before}"),
    "second-bye": marked("round {round}: {who} has a second bye, after round {before}"),
    "two-byes": marked("round {round}: two byes at once, {who}"),
    "no-result": marked("round {round}: {who} have no result, but later rounds exist"),
}
STOPPED = {
    "": "",
    "trials": marked("; the search stopped at its limit"),
    "time": marked("; the search stopped at its time limit"),
}


def number_text(exact: str | None) -> str:
    """Return an exact number as a decimal of at most six places; a dash for none."""
    if exact is None:
        return "-"
    number = Fraction(exact)
    return str(number) if number.denominator == 1 else f"{float(number):.6f}".rstrip("0")


def verdict_line(verdict: ReproductionVerdict) -> str:
    """Say how many of the published numbers follow, and how many tables are not computed."""
    text = tr("nothing to compare: the file publishes no standings")
    if verdict.numbers:
        published = how_many(verdict.numbers, "published number")
        text = tr(
            "{follow} of {published} follow from the rounds",
            follow=in_figures(verdict.follow),
            published=published,
        )
    odd = how_many(verdict.not_computed, "table")
    return (
        tr("{text}; {tables} not computed", text=text, tables=odd) if verdict.not_computed else text
    )


def trial_line(trial: Trial) -> str:
    """Say by which readings a file is read, and what they are about."""
    return f"{','.join(trial.names)} ({said(trial.setting)}: {said(trial.value)})"


def search_lines(found: Reproduction) -> Iterator[str]:
    """Say what came of the search for another reading than the plain one."""
    if not found.is_searched and not found.stopped:
        return
    wrong = how_many(found.comparison.wrong, "published number")
    tried = tr(
        "{readings} tried{stopped}",
        readings=how_many(found.tried, "other reading"),
        stopped=_stopped(found),
    )
    yield tr(
        "with the plain reading, {wrong} would not follow from the rounds; {tried}",
        wrong=wrong,
        tried=tried,
    )
    if not found.explained:
        yield tr("no other reading explains all numbers: the plain reading is used")
    elif found.is_settled:
        taken = trial_line(found.explained[0])
        yield tr("one other reading explains all numbers, and it is used: {taken}", taken=taken)


def explanation_lines(found: Reproduction) -> Iterator[str]:
    """Say which other reading would explain what does not follow."""
    one = marked("one setting explains all of them: {setting}: {value}{typed}")
    pair = marked("one pair of settings explains all of them: {setting}: {value}{typed}")
    for each in found.explained:
        yield tr(
            one if len(each.readings) == 1 else pair,
            setting=said(each.setting),
            value=said(each.value),
            typed=_typed(each),
        )
    if found.nearly:
        left = how_many(found.nearly.left, "number")
        yield (
            tr(
                "one setting explains all except {left}: {setting}: {value}{typed}",
                left=left,
                setting=said(found.nearly.setting),
                value=said(found.nearly.value),
                typed=_typed(found.nearly),
            )
        )
    elif found.comparison.wrong and not found.explained:
        yield tr("no single setting explains them")
    if found.stopped:
        yield tr(
            "{readings} tried{stopped}",
            readings=how_many(found.tried, "reading"),
            stopped=_stopped(found),
        )


def _stopped(found: Reproduction) -> str:
    return tr(STOPPED[found.stopped]) if found.stopped else ""


def _typed(trial: Trial) -> str:
    return f" (`import FILE --reading {','.join(trial.names)}`)"


def reading_line(reading: Sequence[str]) -> str:
    """Say by which reading a log has a file."""
    return tr("reading: {reading}", reading=", ".join(map(safe_text, reading)))


def oddity_line(each: Oddity, tournament: Tournament) -> str:
    """Say what is unusual in a round."""
    names = [safe_text(tournament.names.get(f"p{player}", "")) for player in each.players]
    who = tr(" and ").join(names)
    return tr(ODDITIES[each.kind], round=each.round, who=who, before=each.before)
