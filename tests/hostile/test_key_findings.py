"""Whatever was done about keys is a finding of `audit`, and a lost key the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli_desk import Desk


def kinds(day: Desk) -> list[str]:
    return [str(each["kind"]) for each in day.done("audit", "--json").json["findings"]]


def held(day: Desk, holder: str) -> str:
    listed = day.done("key", "list", "--json").json
    return next(str(x["key"]) for x in listed if x["holder"] == holder and not x["until"])


def appointed(desk: Desk) -> Desk:
    desk.open(4)
    desk.done("official", "Pat Jones", "--role", "judge")
    desk.done("official", "Mara Lind", "--role", "marshal")
    return desk


def test_each_act_about_keys_is_found(desk: Desk) -> None:
    day = appointed(desk)
    day.done("key", "new", "pat")
    assert kinds(day) == ["first-key"]
    day.done("key", "new", "pat", "--as", "pat")
    assert sorted(kinds(day)) == ["first-key", "further-key"]
    day.done("key", "revoke", held(day, "o2"), "--reason", "an old one")
    assert sorted(kinds(day)) == ["first-key", "further-key", "key"]


def lose(day: Desk, holder: str) -> None:
    for each in (day.folder / ".tourney-keys").glob(f"{holder}-*"):
        each.unlink()


def test_a_key_in_a_lost_ones_place_is_the_first_finding(desk: Desk) -> None:
    day = appointed(desk)
    day.done("key", "new", "pat")
    lose(day, "o2")
    again = day.done("key", "new", "pat").out.split()[1:]
    assert "has to be signed with a key of o2" in day.refused(*again).err
    day.done(*again, "--lost", "--reason", "the laptop was stolen")
    assert kinds(day)[0] == "key-lost"


def test_two_leaders_agree_by_a_line_that_the_second_prints(desk: Desk) -> None:
    """Also two whom the organizer made up: each step is a finding."""
    day = appointed(desk)
    for name in ("o1", "pat", "mara"):
        day.done("key", "new", name)
    lose(day, "o2")
    printed = day.done("key", "new", "pat").out.split()[1:]
    assert "has to be signed with a key of o2" in day.refused(*printed).err
    lost = day.refused(*printed, "--lost", "--reason", "x").err
    assert "two leaders who hold a key agree to it (o1, o3 do)" in lost
    line = day.done("key", "agree", *printed[2:], "--as", "mara").out.split()[1:]
    day.done(*line)
    assert kinds(day).count("first-key") == 3
    assert "further-key" in kinds(day)
    day.done("note", "the hall was dark", "--as", "pat")
    day.done("verify")
