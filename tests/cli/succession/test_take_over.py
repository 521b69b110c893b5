"""The take-over: one act, by a key that the log's own key signed for; nothing else counts."""

from __future__ import annotations

import json
from contextlib import chdir
from typing import TYPE_CHECKING

import pytest

from cli.machine.checkpoint_file import CheckpointFile
from cli.machine.checkpoints import Checkpoints
from cli.machine.keyring import key_path, unlocked
from cli.serve.door import followers
from ledger.errors import LedgerError
from ledger.exchange.log_files import admit_line
from ledger.facts.keys import DeskTakenOver
from ledger.lines.line import encode
from ledger.proof.formats import Invalid, Tree
from ledger.proof.notes import Signer, base64_of, signer
from ledger.proof.verifier import Log
from ledger.store.sqlite import SQLiteStore
from ledger.tournament.state import Tournament
from tests.cli.succession.two_desks import line_after, signed_line, two_desks
from tests.support.hall import HERE
from tests.truth import second_officials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.succession.two_desks import TwoDesks
    from tests.support.cli_desk import Desk

ELSEWHERE = "0" * 32


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A follower that knows all waits for nothing."""
    monkeypatch.setattr(followers, "WAIT_SECONDS", 0.0)


@pytest.fixture
def two(desk: Desk) -> Iterator[TwoDesks]:
    with two_desks(desk) as found:
        yield found


@pytest.fixture
def followed(two: TwoDesks) -> TwoDesks:
    """The second desk has all that the first one recorded, and is at hand."""
    two.follow()
    with chdir(two.two):
        two.desk.done("use", two.stream[:8])
    return two


def former_key(two: TwoDesks) -> Signer:
    with chdir(two.one):
        return unlocked(key_path("log", two.stream))


def act_of(lines: list[bytes], former: Signer) -> DeskTakenOver:
    root = Tree().add_lines(lines).root().hex()
    return DeskTakenOver(len(lines), root, base64_of(former.key.public))


def is_taken_by_all(lines: list[bytes]) -> bool:
    """Whether a log counts: by the rules, the small verifier and a second reading of the page."""
    found = []
    try:
        tournament, tree = Tournament(), Tree()
        for line in lines:
            admit_line(tournament, line, tree)
        found.append(True)
    except LedgerError:
        found.append(False)
    try:
        log = Log()
        for line in lines:
            log.take(line)
        found.append(True)
    except Invalid:
        found.append(False)
    found.append(second_officials.read([line + b"\n" for line in lines]) is not None)
    assert len(set(found)) == 1, found
    return found[0]


def test_a_take_over_goes_on_with_everything(followed: TwoDesks) -> None:
    two = followed
    before, former = two.lines_of_two(), former_key(two)
    assert two.done_on_two("take-over", "--json").json["events"][0]["type"] == "DeskTakenOver"
    lines = two.lines_of_two()
    assert lines[: len(before)] == before
    (line,) = map(json.loads, lines[len(before) :])
    assert line["data"] == {
        "size": len(before),
        "root": Tree().add_lines(before).root().hex(),
        "public": base64_of(former.key.public),
    }
    assert is_taken_by_all(lines)
    assert "name sealed" not in two.done_on_two("list").out
    keys = two.done_on_two("key", "--json").json
    assert [(each["here"], bool(each["until"])) for each in keys] == [(False, True), (True, False)]
    with chdir(two.two):
        two.desk.report_all()
        two.desk.done("pair")
        two.desk.done("verify")
    assert "taken-over" in {
        each["kind"] for each in two.done_on_two("audit", "--json").json["findings"]
    }


def test_the_links_of_badges_stay_valid(two: TwoDesks) -> None:
    one = two.desk.done("links", "print", "1", "--json").json["links"][0]["address"]
    two.follow()
    with chdir(two.two):
        two.desk.done("use", two.stream[:8])
    two.done_on_two("take-over")
    again = two.done_on_two("links", "print", "1", "--json").json["links"][0]["address"]
    assert one.partition("#")[2] == again.partition("#")[2]


def test_without_a_registered_key_it_is_refused(followed: TwoDesks) -> None:
    two = followed
    assert "tourney follow ADDRESS" in two.desk.refused("take-over").err, "the first desk itself"
    (key,) = (two.two / ".tourney-keys").glob("follower-*.key")
    aside = key.rename(key.with_suffix(".aside"))
    with chdir(two.two):
        assert "tourney follow ADDRESS" in two.desk.type("take-over").err
        aside.rename(key)
        two.desk.done("take-over")


def test_a_follower_whose_key_was_revoked_is_refused(followed: TwoDesks) -> None:
    two = followed
    public = base64_of(two.key_of_two().key.public)
    two.desk.done("key", "revoke", public, "--reason", "the second laptop was stolen")
    assert [each["here"] for each in two.desk.done("key", "--json").json if not each["until"]] == [
        True
    ], "the first desk goes on with its own key"
    lines = two.lines_of_one()
    assert not is_taken_by_all(
        [*lines, signed_line(lines, act_of(lines, former_key(two)), two.key_of_two(), two.stream)]
    )


def test_it_is_done_once_and_finished_if_it_was_cut_off(
    followed: TwoDesks, monkeypatch: pytest.MonkeyPatch
) -> None:
    two, sign = followed, Checkpoints.sign

    def cut_off(*_: object, **more: object) -> None:
        if "successor" in more:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoints, "sign", cut_off)
    assert two.type_on_two("take-over").code
    monkeypatch.setattr(Checkpoints, "sign", sign)
    size = len(two.lines_of_two())
    for _ in range(2):
        two.done_on_two("take-over")
        assert len(two.lines_of_two()) == size
    with chdir(two.two):
        two.desk.report_all()
        two.desk.done("verify")


@pytest.mark.parametrize("dead", [False, True])
@pytest.mark.parametrize(("kind", "step"), [(SQLiteStore, "transact"), (CheckpointFile, "take")])
def test_a_follower_that_is_killed_between_lines_and_head_takes_over(
    followed: TwoDesks, monkeypatch: pytest.MonkeyPatch, kind: type, step: str, *, dead: bool
) -> None:
    """The head of the last lines is written before them, so that it is not lost."""
    two, before = followed, len(followed.lines_of_two())
    two.desk.report_all()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(kind, step, killed)
        with pytest.raises(KeyboardInterrupt):
            two.follow()
    size = len(two.lines_of_two())
    assert (size > before) is (step == "take")
    if not dead:
        two.begin_again()
        size = two.follow().here
        assert size == len(two.lines_of_one())
    two.done_on_two("take-over")
    assert len(two.lines_of_two()) == size + 1
    assert is_taken_by_all(two.lines_of_two())
    two.done_on_two("verify")


def test_nobody_elses_signature_counts(followed: TwoDesks) -> None:
    two = followed
    lines, former, own = two.lines_of_two(), former_key(two), two.key_of_two()
    act = act_of(lines, former)
    assert is_taken_by_all([*lines, signed_line(lines, act, own, two.stream)])
    assert not is_taken_by_all([*lines, encode(line_after(lines, act))]), "unsigned"
    thief = signer("thief", b"t" * 32)
    for who in (former, thief):
        assert not is_taken_by_all([*lines, signed_line(lines, act, who, two.stream)])
    assert not is_taken_by_all([*lines, signed_line(lines, act, own, ELSEWHERE)]), "replayed"
    for changed in (
        DeskTakenOver(act.size - 1, act.root, act.public),
        DeskTakenOver(act.size, "0" * 64, act.public),
        DeskTakenOver(act.size, act.root, base64_of(own.key.public)),
        DeskTakenOver(act.size, act.root, base64_of(thief.key.public)),
    ):
        assert not is_taken_by_all([*lines, signed_line(lines, changed, own, two.stream)])
    moved = signed_line(lines[:-1], act_of(lines[:-1], former), own, two.stream)
    assert not is_taken_by_all([*lines, moved])


def test_an_officials_key_does_not_take_over(followed: TwoDesks) -> None:
    two = followed
    two.desk.done("key", "new")
    two.follow()
    (path,) = (two.one / ".tourney-keys").glob("o1-*.key")
    lines = two.lines_of_two()
    line = signed_line(lines, act_of(lines, former_key(two)), unlocked(path), two.stream)
    assert not is_taken_by_all([*lines, line])
    two.done_on_two("take-over")
    assert is_taken_by_all(two.lines_of_two())


def test_a_lost_key_that_is_renewed_names_the_follower_or_the_six_words(
    followed: TwoDesks, tmp_path_factory: pytest.TempPathFactory
) -> None:
    two = followed
    why = ("--lost", "--reason", "stolen")
    assert "tourney take-over" in two.type_on_two("key", "renew", *why).err
    assert len(two.lines_of_two()) == len(two.lines_of_one())
    two.desk.done("backup", str(two.one / "all.backup"))
    third = tmp_path_factory.mktemp("third")
    with chdir(third):
        two.desk.done("restore", str(two.one / "all.backup"))
        assert "another computer followed" in two.desk.done("key", "renew", *why).err


def test_the_first_desk_is_told_and_stops(followed: TwoDesks) -> None:
    two = followed
    two.done_on_two("take-over")
    lines = two.lines_of_two()
    root = base64_of(Tree().add_lines(lines[:-1]).root())
    act = {"line": lines[-1].decode(), "root": root}
    former, own = former_key(two), None
    assert own is None
    forged = signed_line(lines[:-1], act_of(lines[:-1], former), former, two.stream)
    for wrong in (
        {"line": forged.decode(), "root": root},
        {**act, "root": base64_of(b"\0" * 32)},
        {**act, "line": act["line"].replace('"by":"o1"', '"by":"o2"')},
        {**act, "line": act["line"].rpartition(',"sig"')[0] + "}"},
        {**act, "line": lines[-2].decode()},
    ):
        assert tell(two, wrong) == 400, wrong
    with chdir(two.one):
        two.desk.done("report", "1", f"#{two.desk.seats(1)[0]}", "10-1")
        assert tell(two, act) == 200
        assert tell(two, act) == 200, "a second phone"
        before = len(two.lines_of_one())
        for words in (["report", "2", f"#{two.desk.seats(2)[0]}", "10-1"], ["key", "new"]):
            assert "took over" in two.desk.type(*words).err
        answer = two.browser.act({"type": "Report", "match": 2, "result": {"outcome": "win"}})
        assert answer.status_code == 409
        assert "took over" in answer.json()["detail"]
        assert len(two.lines_of_one()) == before
        assert "took over" in two.browser.get("/pairings").text
        assert two.browser.get("/api/v1/witness").json()["key"] == "away"


def tell(two: TwoDesks, act: dict[str, str]) -> int:
    with chdir(two.one):
        answer = two.browser.post("/api/v1/taken-over", json=act, headers={"origin": HERE})
    return answer.status_code
