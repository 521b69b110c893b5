"""A desk that follows: it has every line and head, and takes only what the log's key signed.

From "When the desk dies" in the project's page on the hall: who follows whom is on record before
anything happens, as a further key of the log that its own key signed for.
"""

from __future__ import annotations

import json
import signal
from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest

from cli.serve.door import followers
from cli.succession.follower import read_state
from cli.succession.questions_of_followers import secrets_text
from cli.succession.secrets import digest_of_secrets, plain_secrets, sealed_secrets
from cli.verbs.inout.succession import hearing_ctrl_c
from ledger.errors import InvalidLog, LedgerError, Refused
from ledger.proof.formats import Checkpoint, Tree, parse_checkpoint, parse_note
from ledger.proof.notes import base64_of, checkpoint_text, signed_note, signer
from ledger.proof.signatures import origin_of
from tests.cli.succession.two_desks import two_desks
from tests.support.hall import HERE, official, player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cli.succession.two_desks import TwoDesks
    from tests.support.cli_desk import Desk


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A follower that knows all waits for nothing."""
    monkeypatch.setattr(followers, "WAIT_SECONDS", 0.0)


@pytest.fixture
def two(desk: Desk) -> Iterator[TwoDesks]:
    with two_desks(desk) as found:
        yield found


def report(two: TwoDesks, table: int = 1) -> None:
    """The first player of a table wins."""
    two.desk.done("report", str(table), f"#{seat(two, table)}", "10-1")


def seat(two: TwoDesks, table: int) -> int:
    return two.desk.seats(table)[0]


def test_the_key_of_the_follower_is_on_record_and_every_line_arrives(two: TwoDesks) -> None:
    standing = two.follow()
    line = json.loads(two.lines_of_one()[-1])
    assert (line["type"], line["data"]["holder"], line["by"]) == ("KeyRegistered", 0, "o1")
    assert line["sig"]
    assert (standing.here, standing.there, standing.has_secrets) == (18, 18, True)
    assert two.lines_of_two() == two.lines_of_one()
    report(two)
    report(two, 2)
    assert two.follow().here == 20
    assert two.lines_of_two() == two.lines_of_one()
    two.desk.done("verify")


def test_it_goes_on_when_it_is_begun_again_without_a_link(two: TwoDesks) -> None:
    two.follow()
    two.begin_again()
    report(two)
    size = len(two.lines_of_one())
    assert two.follow().here == size, "no key is registered a second time"
    assert len(two.lines_of_one()) == size


def test_secrets_stay_sealed_and_acts_are_refused(two: TwoDesks) -> None:
    two.follow()
    with chdir(two.two):
        two.desk.done("use", two.stream[:8])
    for path in two.two.rglob("*"):
        assert path.is_dir() or b"Cleo" not in path.read_bytes(), path
    assert "name sealed" in two.done_on_two("list").out
    for line in (["report", "1", "#1", "10-1"], ["register", "Eve"], ["key", "new"]):
        answer = two.type_on_two(*line)
        assert answer.code, line
    for line in (["register", "Eve"], ["key", "new"], ["drop", "#1"]):
        assert "tourney take-over" in two.type_on_two(*line).err, line
    assert two.lines_of_two() == two.lines_of_one()


def test_only_an_organizer_lets_a_computer_follow(two: TwoDesks) -> None:
    two.desk.done("official", "add", "Jo", "--role", "scorekeeper")
    before = len(two.lines_of_one())
    for who in (player(1), official(2)):
        two.browser.who = who
        two.begin_again()
        with pytest.raises(Refused):
            two.follow()
    assert len(two.lines_of_one()) == before
    assert not (two.two / "tourney.db").exists() or two.lines_of_two() == []


def test_secrets_are_sealed_for_the_reader_that_the_key_signed_for(two: TwoDesks) -> None:
    """Who overheard a question cannot have the secrets sealed for a key of their own."""
    two.follow()
    heard: list[dict[str, Any]] = []
    ask = two.near.ask

    def listening(path: str, body: Any = None, **more: str) -> Any:  # noqa: ANN401
        heard.append(body)
        return ask(path, body, **more)

    two.near.ask = listening  # type: ignore[method-assign]
    two.follow()
    with chdir(two.two):
        thief = two.desk.done("key", "new", "--reader", "thief").out.strip()
    stolen = {**heard[-1], "reader": thief, "secrets": ""}
    answer = two.browser.post("/api/v1/follow", json=stolen, headers={"origin": HERE})
    assert answer.status_code == 403
    assert "secrets" not in answer.text


def _other_result(value: dict[str, Any]) -> None:
    value["lines"][-1] = value["lines"][-1].replace('"win"', '"loss"', 1).replace("10,1", "1,10")


def _without_last(value: dict[str, Any]) -> None:
    value["lines"].pop()


def _twice(value: dict[str, Any]) -> None:
    value["lines"].append(value["lines"][-1])


def _swapped(value: dict[str, Any]) -> None:
    value["lines"].reverse()


def _unsigned_head(value: dict[str, Any]) -> None:
    value["head"] = value["head"].partition("\n\n")[0] + "\n"


def _other_root(value: dict[str, Any]) -> None:
    text, _, rest = value["head"].partition("\n\n")
    name, size, root = text.split("\n")
    value["head"] = "\n".join([name, size, root[::-1].lstrip("=") + "="]) + "\n\n" + rest


def _by_a_thief(value: dict[str, Any]) -> None:
    head = parse_checkpoint(parse_note(value["head"].encode()).text)
    thief = signer(head.origin, b"t" * 32)
    value["head"] = signed_note(checkpoint_text(head), thief).decode()


def _no_head(value: dict[str, Any]) -> None:
    value["head"] = ""


FORGERIES = [
    *(_other_result, _without_last, _twice, _swapped, _unsigned_head, _other_root),
    *(_by_a_thief, _no_head),
]


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_line_or_head_is_not_kept(
    two: TwoDesks, forge: Callable[[dict[str, Any]], None]
) -> None:
    two.follow()
    before = two.lines_of_two()
    report(two)
    report(two, 2)
    two.near.tamper = forge
    with pytest.raises(InvalidLog, match="nothing of it is kept"):
        two.follow()
    assert two.lines_of_two() == before
    two.near.tamper = None
    two.begin_again()
    assert two.follow().here == len(two.lines_of_one())


def test_secrets_that_somebody_else_sealed_are_not_kept(two: TwoDesks) -> None:
    """Anybody can seal for a reader's key: only what the log's key vouches for is taken."""
    two.follow()
    with chdir(two.two):
        reader = read_state(two.stream).reader
    (path,) = two.two.rglob("*.secrets")
    kept = path.read_bytes()
    plain = plain_secrets(two.stream, {"shuffle-key": b"0" * 32})
    own = two.key_of_two()
    for voucher in ("", base64_of(own.sign(secrets_text(two.stream, digest_of_secrets(plain))))):
        forged = {
            "digest": digest_of_secrets(plain),
            "secrets": base64_of(sealed_secrets(plain, reader)),
            "voucher": voucher,
        }
        two.near.tamper = lambda value, forged=forged: value.update(forged)
        with pytest.raises(InvalidLog, match="nobody vouches"):
            two.follow()
    assert path.read_bytes() == kept


def test_a_line_and_a_head_by_the_followers_own_key_are_not_believed(two: TwoDesks) -> None:
    """Whoever stole the key of the follower cannot feed the follower with it."""
    two.follow()
    own, before = two.key_of_two(), two.lines_of_two()

    def forge(value: dict[str, Any]) -> None:
        lines = [*before, *(line.encode() for line in value["lines"])]
        head = Checkpoint(origin_of(two.stream), len(lines), Tree().add_lines(lines).root())
        value["head"] = signed_note(checkpoint_text(head), own).decode()

    report(two)
    two.near.tamper = forge
    with pytest.raises(InvalidLog):
        two.follow()
    assert two.lines_of_two() == before


def test_a_desk_that_went_back_is_not_followed(two: TwoDesks) -> None:
    two.follow()
    report(two)
    two.follow()
    kept = two.lines_of_two()

    def shorter(value: dict[str, Any]) -> None:
        value |= {"fits": False, "lines": [], "size": len(kept) - 1}

    two.near.tamper = shorter
    with pytest.raises(Refused, match="fewer lines, or others"):
        two.follow()
    assert two.lines_of_two() == kept


def test_a_revoked_follower_is_told_nothing_more(two: TwoDesks) -> None:
    two.follow()
    keys = two.desk.done("key", "--json").json
    (key,) = (each["key"] for each in keys if not each["here"])
    two.desk.done("key", "revoke", key, "--lost", "--reason", "the second laptop was stolen")
    report(two)
    with pytest.raises(LedgerError):
        two.follow()


class _Finalized:
    """Something whose end is interrupted: the interpreter drops what is raised there."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_ctrl_c_that_the_interpreter_dropped_ends_the_following() -> None:
    with hearing_ctrl_c() as is_ended:
        assert not is_ended()
        _Finalized()
        assert is_ended()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
