"""`replay` at a moment, and the steps through a log: what each event changed."""

from __future__ import annotations

import builtins
import random
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.desk.file_desk import FileDesk
from cli.exits import USAGE
from cli.input.arguments import Options
from cli.verbs.inout.replaying import KEYS, _step_through
from ledger.fold import evolve, fold_lines
from projections.explain import differences as steps
from projections.explain.differences import NOTHING_YET, Walk, differences, snapshot
from tests.support.cli_desk import UNSIGNED, Desk, desk
from tests.support.keyboard import Terminal
from tests.support.sample_days import EARLIER, FOLDER

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament

__all__ = ["desk"]

DAY = FOLDER / "days" / "l5r-24.jsonl"
LARGEST = EARLIER / "l5r" / "grand-tournament-520.jsonl"


@pytest.fixture
def sent(desk: Desk) -> Desk:
    """A desk with nothing but a log that somebody sent, with its head."""
    for path in DAY.parent.glob(f"{DAY.name}*"):
        shutil.copy(path, desk.folder / path.name.replace(DAY.name, "day.jsonl"))
    return desk


def lines_of(path: Path) -> list[bytes]:
    lines = path.read_bytes().splitlines()
    return [line for line in lines if not line.startswith(b'{"names"')]


@pytest.mark.parametrize("moment", [("--round", "2"), ("--at", "150"), ("--at", "round:3")])
def test_a_moment_is_what_the_views_show_then(sent: Desk, moment: tuple[str, str]) -> None:
    replayed = sent.done("replay", "day.jsonl", *moment, "--json").json
    at = ("--at", f"round:{moment[1]}") if moment[0] == "--round" else moment
    shown = sent.done("standings", "--log", "day.jsonl", *at, "--json")
    assert replayed["standings"] == shown.json
    assert f"as of event {replayed['seq']}," in shown.err
    assert replayed["events"] == len(lines_of(DAY))
    assert "seq" not in sent.done("replay", "day.jsonl", "--json").json
    text = sent.done("replay", "day.jsonl", *moment)
    assert sent.done("standings", "--log", "day.jsonl", *at).out.strip() in text.out


def test_it_says_at_its_end_how_to_look_further(sent: Desk) -> None:
    """The line that it says shows the same table; also where the head is left out for a reason."""
    for more in ((), ("--unsigned", "sent by the judge")):
        answer = sent.done("replay", "day.jsonl", "--round", "2", *more)
        said = answer.err.splitlines()[-2]
        assert said.startswith("to look further: `tourney standings ")
        line = shlex.split(said.split("`")[1])[1:]
        assert sent.done(*line).out.strip() in answer.out
        (sent.folder / "day.jsonl.checkpoint").unlink(missing_ok=True)
    assert "to look further" not in sent.done("replay", "day.jsonl", *UNSIGNED).err


def test_a_moment_that_is_not_there(sent: Desk) -> None:
    assert "the log has 267" in sent.refused("replay", "day.jsonl", "--at", "4000").err
    assert "two moments" in sent.refused("replay", "day.jsonl", "--at", "4", "--round", "1").err


def test_steps_are_for_a_terminal(sent: Desk) -> None:
    for words, told in (((), "needs a terminal"), (("--json",), "is for a terminal")):
        answer = sent.type("replay", "none.jsonl", "--step", *words)
        assert (answer.code, answer.err.count("\n")) == (USAGE, 1)
        assert ('"code":"usage"' in answer.out) == bool(words)
        assert told in answer.err


def test_somebody_steps_through_a_log(sent: Desk) -> None:
    with Terminal(sent.folder) as terminal:
        begun = terminal.type(f"{sys.executable} -m cli replay day.jsonl --step")
        assert begun.splitlines()[0] == KEYS
        assert "event 1, " in begun
        assert begun.endswith("event 1 of 267> ")
        assert terminal.type("").endswith("event 2 of 267> ")
        assert terminal.type("n").endswith("event 3 of 267> ")
        assert terminal.type("b").endswith("event 2 of 267> ")
        assert "this is the first event" in (terminal.type("b"), terminal.type("b"))[1]
        assert "there is no event 4000" in terminal.type("4000")
        assert "a moment must be" in terminal.type("soon")
        assert terminal.type("267").endswith("event 267 of 267> ")
        assert "this is the last event" in terminal.type("")
        assert terminal.type("\x1b[D\x1bOA").endswith("event 265 of 267> ")
        assert terminal.type("\x1b[C").endswith("event 266 of 267> ")
        assert terminal.type("\x1b[B\x1b[C\x1b[C").endswith("event 267 of 267> ")
        assert "this is the last event" in terminal.type("\x1b[C")
        assert terminal.type("\x1b[3~").startswith(KEYS)
        closed = terminal.type("round:2")
        assert "closed round 2" in closed
        assert "no change in the standings" in closed
        reported = next(
            number
            for number, line in enumerate(lines_of(DAY), start=1)
            if number > 100 and b'"type":"ResultReported"' in line
        )
        shown = terminal.type(str(reported))
        assert "matches:" in shown
        assert " → " in shown
        assert len(shown.splitlines()) <= 24
        assert terminal.type("?").startswith(KEYS)
        assert terminal.type("q").endswith("at the desk> ")


def test_a_step_begins_at_the_moment_that_is_named(sent: Desk) -> None:
    with Terminal(sent.folder) as terminal:
        command = f"{sys.executable} -m cli replay day.jsonl --step --round 1"
        assert "closed round 1" in terminal.type(command)
        assert terminal.type("267").endswith("event 267 of 267> ")


def test_ctrl_c_and_the_end_of_input_are_ways_out(
    sent: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    looking = FileDesk(Options(log="day.jsonl"), ())
    for way in (KeyboardInterrupt, EOFError):

        def leave(_: str, way: type[BaseException] = way) -> str:
            raise way

        sent.patch.setattr(builtins, "input", leave)
        _step_through(looking, 1)
    assert "interrupted" not in capsys.readouterr().err
    looking.close()


@pytest.mark.parametrize("log", sorted(FOLDER.glob("[dk]*s/*.jsonl")), ids=lambda path: path.stem)
def test_a_step_shows_what_differs_between_the_states_around_it(log: Path) -> None:
    """Forwards, and at places that are jumped to, in any order."""
    lines = lines_of(log)
    walk, jumping = Walk(lines), Walk(lines)
    states = [fold_lines(lines[:size]) for size in range(len(lines) + 1)]
    first = walk.at(1)
    assert first == steps.differences_of(NOTHING_YET, snapshot(states[1]))
    for seq in range(2, len(lines) + 1):
        assert walk.at(seq) == differences(states[seq - 1], states[seq]), seq
    chance = random.Random(log.name)
    for seq in chance.choices(range(1, len(lines) + 1), k=30):
        assert jumping.at(seq) == walk.at(seq), seq


def test_steps_forward_and_back_apply_each_event_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 of them in the largest sample; a step back that was not walked costs one more fold."""
    lines = lines_of(LARGEST)
    applied = 0

    def counted(state: Tournament, recorded: Recorded) -> None:
        nonlocal applied
        applied += 1
        evolve(state, recorded)

    monkeypatch.setattr("projections.explain.differences.evolve", counted)
    walk = Walk(lines)
    for seq in (*range(1, 301), *range(299, 0, -1), *range(1, 301)):
        walk.at(seq)
    assert applied == 300
    walk.at(2_000)
    assert applied == 2_000
    for seq in range(1_999, 1_999 - steps.WALKED_BACK, -1):
        walk.at(seq)
    assert applied <= 2_000 + 2_000
