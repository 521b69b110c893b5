"""Bits flipped and sectors zeroed in a store and its vault: no verb gives wrong numbers in silence.

What was changed is read from the tables themselves, and what each verb should answer from the
store as it was. Lines behind the last signed head are covered by nothing: there a change may go
unnoticed as long as the lines are still lines.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cli.machine import integrity
from cli.machine.checkpoint_file import CheckpointFile
from cli.machine.last_heads import LastHeads
from ledger.proof.formats import Invalid
from ledger.proof.verifier import verify_file
from tests.faults.stores import (
    LOG,
    STORE,
    VAULT,
    Rows,
    covered_by_head,
    indexed,
    make_templates,
    put_in,
    rows_of,
    same_at_every_run,
    secrets_of,
)
from tests.support.cli_desk import Answer, Desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from tests.faults.slices import Slice
    from tests.faults.summary import Begin

pytestmark = pytest.mark.slow

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
READING = (
    *("standings", "list", "pairings", "log", "audit", "match 1/1", "bracket", "disputes", "round"),
    *("export", "standings --round 1", "explain #1 SOS", "explain pairing 1/1", "tournaments"),
    *("key", "standings --at round:1", "diff round:1 now", "match 2/1", "checkpoint --policy"),
    *("standings --final", "whatif 1/1 none", "pairings --slips", "log --json"),
)
SIGNING = ("pair", "post standings", "checkpoint", "finish", "backup b.backup", "export -o e.jsonl")
"""What says yes to all the lines so far: it holds them to the head."""

OF_SECRETS = ("pair", "finish", "backup b.backup", "export -o e.jsonl", "export -o last.jsonl")
"""What draws, reveals or hands on secrets: it holds them to what the log says of them."""

WRITING = ("report 2 #1", "report 1 #2", "undo", "drop #3", "note 2/1 again", "correct 1/1 #1")
DOCUMENTED = {0, 1, 2, 3, 4}
REVEALED = {"shuffle-key", "hidden-key"}
"""The secrets that the last line of a finished day reveals: from then on nobody reads the vault."""

SECTOR, PAGE = 512, 4096


class Template(NamedTuple):
    """A store that is whole: its folder, what is in it, what is signed, what each verb answers."""

    folder: Path
    rows: Rows
    covered: int
    answers: dict[str, Answer]


class Damage(NamedTuple):
    """What a flip came to: which rows differ, and whether a signed head covers one of them.

    `strays`: a line is as it was, but by what stands beside it in its row it is another
    tournament's, or of another type. `hidden`: the indexes, by which a store finds its lines and
    secrets, lead to all of them as they were; only a look at the tables' structure shows it.
    """

    lines: bool
    covered: bool
    secrets: bool
    strays: bool
    hidden: bool

    @property
    def is_promised(self) -> bool:
        """Whether it has to be noticed by whatever looks at all lines."""
        return self.covered or self.secrets

    def __str__(self) -> str:
        """Name it."""
        said = {
            "signed lines": self.covered,
            "lines behind the head": self.lines,
            "strays": self.strays,
        }
        words = [what for what, is_so in said.items() if is_so][:1]
        return " and ".join([*words, *(["secrets"] if self.secrets else [])]) or "no content"


@pytest.fixture(scope="module")
def templates() -> Iterator[tuple[Desk, tuple[Template, ...]]]:
    """A running and a finished day, and one whose write-ahead log holds its last lines."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        folder, aside = Path(name) / "desk", Path(name) / "aside"
        folder.mkdir()
        aside.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            desk = Desk(folder, patch)
            with pytest.MonkeyPatch.context() as still:
                same_at_every_run(still)
                made = make_templates(desk, aside)
            yield desk, tuple(_template(desk, each) for each in made.values())


def _template(desk: Desk, folder: Path) -> Template:
    put_in(folder, desk.folder)
    answers = {verb: desk.type(*verb.split()) for verb in READING}
    put_in(folder, desk.folder)
    rows, covered = rows_of(desk.folder), covered_by_head(folder)
    assert rows is not None
    return Template(folder, rows, covered, answers)


def damaged(folder: Path, chance: Random) -> str:
    """Damage one file of a store; returns what was done."""
    names = [name for name in (STORE, STORE, LOG, VAULT) if (folder / name).exists()]
    file = folder / chance.choice(names)
    data = bytearray(file.read_bytes())
    place = chance.randrange(len(data))
    if chance.random() < 0.6:  # where something is
        place = chance.choice([at for at in range(len(data)) if data[at]])
    match chance.choices(["bit", "bytes", "sector", "page"], [75, 10, 10, 5])[0]:
        case "bit":
            bit = chance.randrange(8)
            data[place] ^= 1 << bit
            what = f"bit {bit} of byte {place}"
        case "bytes":
            data[place : place + 8] = chance.randbytes(min(8, len(data) - place))
            what = f"8 bytes at {place}"
        case "sector":
            place -= place % SECTOR
            data[place : place + SECTOR] = bytes(SECTOR)
            what = f"sector at {place}"
        case _:
            place -= place % PAGE
            data[place : place + PAGE] = bytes(min(PAGE, len(data) - place))
            what = f"page at {place}"
    file.write_bytes(data)
    return f"{file.name}, {what}"


def damage_of(template: Template, folder: Path) -> Damage | None:
    """Compare what is in a copy of the store with what was; None where SQLite cannot read it."""
    with TemporaryDirectory(dir=folder.parent) as name:
        copy = Path(name)
        for file in (STORE, LOG, VAULT):
            if (folder / file).exists():
                (copy / file).write_bytes((folder / file).read_bytes())
        rows = rows_of(copy)
        if rows is None:
            return None
        hidden = _is_hidden(template, copy)
    true, covered = template.rows, template.covered
    here, there = ([(row[1], row[3]) for row in each.events] for each in (rows, true))
    size_is_wrong = [size for _, size in rows.streams] != [len(here)]
    return Damage(
        here != there or size_is_wrong,
        here[:covered] != there[:covered] or size_is_wrong,
        _needed(rows) != _needed(true),
        rows.events[: len(here)] != true.events[: len(here)]
        or rows.streams[0] != true.streams[0]
        or (rows.scanned != true.scanned and not _is_of_the_past(rows, true)),
        hidden,
    )


def _is_hidden(template: Template, copy: Path) -> bool:
    stream = str(template.rows.streams[0][0])
    try:
        return indexed(copy, stream) == indexed(template.folder, stream)
    except (sqlite3.Error, UnicodeDecodeError, OverflowError):
        return False


def _is_of_the_past(rows: Rows, true: Rows) -> bool:
    """Whether all that differs in the vault are the two keys that the log itself has revealed."""
    over = any(row[2] == "TournamentFinished" for row in true.events)
    pairs = zip(rows.scanned, true.scanned, strict=False)
    changed = {there[1] for here, there in pairs if here != there}
    return over and len(rows.scanned) == len(true.scanned) and changed <= REVEALED


def _are_secrets_found(template: Template, folder: Path) -> bool:
    """Whether a search finds each secret as it was, now that an act has moved what was damaged.

    Where a row stands out of order it hides others from the search, until another row is put in.
    """
    stream = str(template.rows.streams[0][0])
    try:
        found = secrets_of(folder, stream)
    except (sqlite3.Error, UnicodeDecodeError, OverflowError):
        return False
    return all(each in found for each in _needed(template.rows))


def _needed(rows: Rows) -> list[tuple[object, ...]]:
    """Return the secrets that are still needed: not those that the end of the log reveals."""
    is_over = any(row[2] == "TournamentFinished" for row in rows.events)
    return [each for each in rows.secrets if not (is_over and each[0] in REVEALED)]


class Shaken(NamedTuple):
    """One damaged store under test."""

    run: Slice
    case: int
    what: str
    damage: Damage | None

    def lose(self, verb: str, why: str) -> None:
        """Put a loss on record."""
        name = verb.partition(" ")[0]
        self.run.count(f"lost: {name} over {self.damage or 'a damaged file'}")
        self.run.lose(self.case, f"{self.what}; {self.damage}; `{verb}` {why}")


def tried(shaken: Shaken, desk: Desk, verb: str) -> Answer | None:
    """Type a verb; None, and a loss, where it ends with what is not documented."""
    try:
        answer = desk.type(*verb.split())
    except Exception as error:  # noqa: BLE001 - any at all is the loss looked for
        frame = error.__traceback__
        while frame is not None and frame.tb_next is not None:
            frame = frame.tb_next
        place = f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame else ""
        shaken.lose(verb, f"raises {type(error).__name__} at {place[-60:]}: {error!s:.200}")
        return None
    if answer.code not in DOCUMENTED or "Traceback" in answer.err:
        shaken.lose(verb, f"ends with {answer.code}: {answer.err:.200}")
        return None
    return answer


def is_noticed(answer: Answer) -> bool:
    """Whether a verb refused, or did what it could and named the file that is damaged."""
    return answer.code != 0 or VAULT in answer.err


def is_silent(answer: Answer, true: Answer) -> bool:
    """Whether an answer differs from the true one, and nothing is said of it, there or beside."""
    is_marked = any(f"(name {how})" in answer.out for how in ("damaged", "sealed"))
    is_other = answer.code == 0 and answer.out != true.out
    return is_other and not is_marked and answer.err in {true.err, ""}


def shake(run: Slice, templates: tuple[Desk, tuple[Template, ...]]) -> None:
    """Damage stores, and put on record what is not noticed."""
    desk, every = templates
    for case in run:
        chance = run.chance(case)
        template = chance.choice(every)
        put_in(template.folder, desk.folder)
        what = f"{template.folder.name}: {damaged(desk.folder, chance)}"
        shaken = Shaken(run, case, what, damage_of(template, desk.folder))
        run.count(str(shaken.damage or "unreadable"))
        _look(shaken, desk, template, chance)
        _write(shaken, desk, template, chance)


def _look(shaken: Shaken, desk: Desk, template: Template, chance: Random) -> None:
    """Ask verbs that only read; `verify` first, whatever was changed."""
    damage = shaken.damage
    answer = tried(shaken, desk, "verify")
    behind = damage is not None and damage.lines and not damage.covered
    is_seen = damage is not None and (damage.is_promised or (damage.strays and not behind))
    if is_seen and answer is not None and not is_noticed(answer):
        shaken.lose("verify", "says yes")
    may_differ = damage is not None and damage.lines and not damage.is_promised
    for verb in chance.sample(READING, 7):
        answer = tried(shaken, desk, verb)
        if answer is not None and not may_differ and is_silent(answer, template.answers[verb]):
            shaken.lose(verb, "answers otherwise in silence")


def _write(shaken: Shaken, desk: Desk, template: Template, chance: Random) -> None:
    """Go on with the day; what signs all lines says no, or what it signed can be verified."""
    damage = shaken.damage
    for verb in (chance.choice(WRITING), chance.choice(SIGNING), "export -o last.jsonl"):
        are_found = _are_secrets_found(template, desk.folder)
        answer = tried(shaken, desk, verb)
        if answer is None or answer.code != 0:
            continue
        is_promised = (
            damage is not None
            and not damage.hidden
            and (
                (damage.covered and verb in SIGNING)
                or (damage.secrets and not are_found and verb in OF_SECRETS)
            )
        )
        if is_promised and not is_noticed(answer) and "already" not in answer.err:
            shaken.lose(verb, "says yes")
        if verb.startswith("export"):
            try:
                verify_file(desk.folder / verb.split()[-1])
            except Invalid as error:
                shaken.lose(verb, f"gives what no verifier accepts: {error}")


def test_no_flip_of_a_store_goes_unnoticed(
    begin: Begin, templates: tuple[Desk, tuple[Template, ...]]
) -> None:
    run = begin("flips-store", short=50, long=100_000)
    shake(run, templates)
    assert not run.lost, run.report()


def test_the_control_that_finds_no_head_loses(
    begin: Begin,
    templates: tuple[Desk, tuple[Template, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What else finds a changed line is switched off, too: what was seen last, the store's tree."""
    monkeypatch.setattr(CheckpointFile, "read", lambda _: None)
    monkeypatch.setattr(CheckpointFile, "refuse_absence", lambda *_: None)
    monkeypatch.setattr(LastHeads, "read", lambda _: None)
    monkeypatch.setattr(integrity, "refuse_other_tree", lambda *_: None)
    run = begin("flips-store-without-head", short=60, must_lose="; signed lines; ")
    shake(run, templates)
    assert run.is_shown
