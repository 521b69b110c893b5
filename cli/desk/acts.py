"""Carrying an act out, and one short answer: the events, their consequences, and the next step.

The first act that draws needs the head of the start: signed here, and cosigned by the witness that
the first event names. If the answer is lost after the act has landed, `what_landed` says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.languages.speaking import marked, tr, tr_many
from cli.machine.keyring import proving
from cli.terminal.output import say, show_json, write_bytes
from cli.terminal.tables import terminal_width
from cli.terminal.visible import cells, how_many
from ledger.errors import InvalidLog, Refused
from ledger.files import landed
from ledger.problems import phrase, problem
from ledger.rulesets.ruleset import cited

if TYPE_CHECKING:
    from cli.input.file_names import InFile, OutFile
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.proof.evidence import Request
    from ledger.rules.command import Command

IS_RECORDED = marked("this is already recorded")
LISTED_MAX = 4
"""How many events of one act are named one by one."""


def carry_out(
    desk: Desk, command: Command, already: str = "", before: Event | None = None
) -> list[Recorded]:
    """Carry a command out and answer; with --json its events are the answer on stdout.

    `already` says what is so where nothing happens, `before` what was said until now.
    """
    recorded = desk.act(command)
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    answer(desk, recorded, already, before)
    return recorded


def answer(
    desk: Desk, recorded: list[Recorded], already: str = "", before: Event | None = None
) -> None:
    """Say what happened, what it replaces, and what comes next."""
    from cli.desk.consequences import Behind, consequences
    from cli.desk.guide import next_here
    from cli.wording.event_words import acts_in_words, in_words

    tournament = desk.book.tournament
    if recorded:
        named = acts_in_words(recorded, tournament)
        more = (
            tr(", and {count} more", count=len(named) - LISTED_MAX)
            if len(named) > LISTED_MAX
            else ""
        )
        happened = "; ".join(named[:LISTED_MAX]) + more
        if cells(happened) > terminal_width() and not more:
            *first, happened = named
            for line in first:
                say(line)
    else:
        happened = tr(
            "nothing to change: {already}; nothing was written",
            already=already or tr(IS_RECORDED),
        )
    following = next_here(desk)
    said_besides = consequences(Behind(tournament, desk.book.recorded_at), recorded)
    if recorded and before is not None:
        said_besides.append(tr("was: {words}", words=in_words(before, tournament)))
    if not said_besides:
        say_with_next(happened, following)
        return
    for line in (happened, *said_besides, following):
        say(line)


def say_with_next(happened: str, following: str) -> None:
    """Say both in one line if they fit into it."""
    line = f"{happened} | {following}"
    if cells(line) <= terminal_width():
        say(line)
    else:
        say(happened)
        say(following)


def act_as_json(command_id: str, recorded: list[Recorded]) -> dict[str, object]:
    """Make an act for scripts: no events where it was so already."""
    return {
        "id": command_id,
        "events": [{"seq": each.seq, "id": each.id, "type": each.type} for each in recorded],
    }


def acting_official(desk: Desk, clause: str = "") -> int:
    """Return the number of the official who enters; Refused where a player does."""
    if desk.by.startswith("p"):
        text = marked("this is entered by an official, not by {by}")
        refusal = problem("authority.entered", text, clause=clause, by=desk.by)
        raise Refused(cited(desk.tournament.ruleset, refusal))
    return int(desk.by.partition("/")[0][1:])


def waits_for_witness(desk: Desk) -> bool:
    """Whether the head of the start is on record, and the witness's cosignature is not."""
    tournament = desk.book.tournament
    waits = tournament.head is not None and not tournament.cosignature
    return waits and bool(tournament.witness)


def request_of_start(desk: Desk, old: int) -> Request:
    """Ask the witness, who saw the first `old` lines, for the start's head; Refused if too many."""
    from ledger.proof.evidence import Prover, Request
    from ledger.proof.formats import ED25519, Key, is_signed, unbase64
    from ledger.proof.notes import base64_of
    from ledger.proof.signatures import origin_of
    from ledger.rules.draws import head_text

    tournament = desk.book.tournament
    head = tournament.head
    assert head is not None  # noqa: S101 - somebody waits for its cosignature
    if old > head.size:
        raise Refused(
            phrase(
                "the head of the start covers {events}: the witness cannot have seen {old}",
                events=how_many(head.size, "event"),
                old=old,
            )
        )
    text, signature = head_text(tournament, head), unbase64(head.signature)
    name = origin_of(desk.book.stream)
    keys = [Key(name, ED25519, held.public) for held in tournament.keys.values() if not held.holder]
    by = next(key for key in keys if is_signed(key.public, signature, text.encode()))
    proof = Prover(desk.book.lines[: head.size]).consistency(old, head.size) if old else []
    note = f"{text}\n\u2014 {name} {base64_of(by.id + signature)}\n"
    return Request(old, proof, note.encode())


def request_to_witness(desk: Desk, output: OutFile) -> dict[str, object]:
    """Print the request for the cosignature, where the start waits for it; for scripts, as text."""
    from ledger.proof.evidence import write_request

    if not waits_for_witness(desk):
        if output:
            raise UsageError(tr("-o writes a request to a witness, but no witness is pending"))
        return {}
    data = write_request(request_of_start(desk, 0))
    if output:
        desk.files.write(output, [data])
        say(str(output))
    elif desk.json:
        return {"request": data.decode()}
    else:
        write_bytes([data])
    return {}


def record_cosignature(desk: Desk, file: InFile) -> None:
    """Put the witness's answer on record, to draw the ranks with; InvalidLog if it is another's."""
    from ledger.proof.formats import COSIGNATURE, parse_key, parse_note
    from ledger.proof.notes import base64_of
    from ledger.rules.draws import CosignHead

    witness = desk.tournament.witness
    if not witness:
        raise Refused(phrase("the first event names no witness: nothing needs a cosignature"))
    answered = note_in(desk, file)
    with proving(str(file)):
        key = parse_key(witness, COSIGNATURE)
        lines = parse_note(b"head\n\n" + answered).signatures
    found = [data for name, by, data in lines if (name, by) == (key.name, key.id)]
    if len(found) != 1 or len(lines) != 1:
        raise InvalidLog(
            phrase(
                "{file} must contain one line only, by the witness {name}",
                file=str(file),
                name=key.name,
            )
        )
    carry_out(desk, CosignHead(base64_of(found[0])), tr("the head at the start is cosigned"))


def note_in(desk: Desk, file: InFile) -> bytes:
    """Read a witness's request or answer; a mail or an editor may end its lines with CR LF."""
    return desk.files.whole(file).replace(b"\r\n", b"\n")


PLACES_NAMED = 3


def what_landed(desk: Desk | None) -> str:
    """Say what landed, and the line that gives the answer again without doing it twice."""
    acts, places = landed.acts(), landed.places()
    line = tr("; to see the answer again, type: {line}", line=desk.repeat()) if desk else ""
    if desk and acts and acts != [desk.command_id]:
        line += tr(", with the same lines; the lines after the last act were not executed")
    if not (acts and places):
        happened = _acts_in_words(acts) if acts else _places_in_words(places)
        return tr("{happened} all the same{line}", happened=happened, line=line)
    return tr(
        "{acts}, and {files} all the same{line}",
        acts=_acts_in_words(acts),
        files=_places_in_words(places),
        line=line,
    )


def _acts_in_words(acts: list[str]) -> str:
    if len(acts) == 1:
        return tr("the act has landed (id {id})", id=acts[0])
    return tr(
        "{acts} have landed (the last has the id {id})",
        acts=how_many(len(acts), "act"),
        id=acts[-1],
    )


def _places_in_words(places: list[str]) -> str:
    named = ", ".join(places[:PLACES_NAMED])
    if len(places) > PLACES_NAMED:
        named += tr(" and {count} more", count=len(places) - PLACES_NAMED)
    return tr_many("{places} was written", "{places} were written", len(places), places=named)
