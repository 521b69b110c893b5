"""A log that somebody sent, on the owner's page: its check, its moments, and two copies."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING
from zipfile import ZipFile, ZipInfo

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.door.owner import run_verb
from cli.serve.looking import _unwrap
from tests.cli.serve.test_entry import House, said_on
from tests.support.hall import HERE, forms_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.support.cli_desk import Desk


@pytest.fixture
def house(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """An empty folder that is served, and its owner signed in."""
    monkeypatch.chdir(desk.folder)
    house = House(desk)
    with house.here:
        house.enter()
        yield house


def test_a_log_is_checked_once_however_often_it_is_looked_at(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = house.new("Berlin")
    with ZipFile(io.BytesIO(house.here.get(f"/events/export?tournament={log}").content)) as archive:
        text = archive.read("log.jsonl")
    verbs: list[str] = []

    def run(words: Sequence[str], location: str = "") -> str:
        verbs.append(words[0])
        return run_verb(words, location)

    monkeypatch.setattr("cli.serve.looking.run_verb", run)
    where = house.send("look", text).json()["to"]
    shown = [house.here.get(f"/{where}{moment}").text for moment in ("", "&at=1", "&at=2")]
    assert sorted(verbs) == ["replay"] * 6 + ["verify"]
    assert all("authority: " in page for page in shown)
    assert "As of event 2 of 3" in shown[2]
    for wrong in ("nine", "-1", "99"):
        assert 'role="alert"><p>' in house.here.get(f"/{where}&at={wrong}").text, wrong


def test_a_moment_has_its_round_and_its_time_and_no_line_for_a_terminal(house: House) -> None:
    """On the page of a log that was sent and on the desk's log page, without a script as well."""
    log = house.new("Berlin")
    for words in (
        *(["register", name] for name in ("Ann", "Ben")),
        ["start", "custom", "--rounds", "1"],
        ["pair"],
    ):
        house.desk.done("-t", log, *words)
    with ZipFile(io.BytesIO(house.here.get(f"/events/export?tournament={log}").content)) as archive:
        text = archive.read("log.jsonl")
    where = house.send("look", text).json()["to"]
    last = sum(not line.startswith(b'{"names"') for line in text.splitlines())
    for moment, place in (("", "in round 1"), ("4", "before round 1"), (f"{last}", "in round 1")):
        seq = moment or f"{last}"
        said = re.compile(rf">Event {seq} was entered {place}, at \d\d:\d\d:\d\d\.<")
        at = f"at={moment}" if moment else ""
        for page in (house.here.get(f"/{where}&{at}"), house.here.get(f"/e/{log}/desk/log?{at}")):
            assert said.search(page.text), (moment, page.url)
            assert "to look further" not in page.text
            assert "tourney standings" not in page.text
            assert "now there are" not in page.text


def test_what_a_page_shows_of_a_check_names_no_place_of_this_computer(house: House) -> None:
    log = house.new("Berlin")
    exported = house.here.get(f"/events/export?tournament={log}").content
    with ZipFile(io.BytesIO(exported)) as archive:
        text = archive.read("log.jsonl")
    for content in (text, exported):
        page = house.here.get(f"/{house.send('look', content).json()['to']}").text
        assert "signed here" in page
        assert "checkpoints/" not in page
        assert ".tourney-keys" not in page


@pytest.mark.parametrize(
    "content",
    [b"not a log at all\r\n", b"\x89PNG\r\n\x1a\n1234", b'{"a": 1}\n', b"[]\n", b"{"],
    ids=["text", "picture", "object", "list", "cut off"],
)
def test_a_file_that_is_no_log_is_said_to_be_none(house: House, content: bytes) -> None:
    for answer in (house.send("look", content), house.choose("look", content)):
        assert answer.status_code == 400
        assert "this file is not a log of tourney" in answer.text
        assert "line 1" not in answer.text


def test_sentences_have_the_name_by_which_a_file_was_chosen(house: House) -> None:
    log = house.new("Berlin")
    with ZipFile(io.BytesIO(house.here.get(f"/events/export?tournament={log}").content)) as archive:
        text = archive.read("log.jsonl")
    wrong = text.replace(b'"seq":2', b'"seq":3')
    for job in ("look&name=my%20day.jsonl", "look&name=C%3A%5Chome%5Cmy%20day.jsonl"):
        page = house.here.get(f"/{house.send(job, wrong).json()['to']}").text
        assert "my_day.jsonl: line 2" in page
        assert ">log.jsonl" not in page
    by_form = house.choose("look", wrong).headers["location"]
    assert "sent.jsonl: line 2" in house.here.get(by_form).text
    first = house.send("look&name=my%20day.jsonl", text).json()["to"].partition("=")[2]
    other = house.send(f"diff {first}&name=my%20day.jsonl", text.replace(b"Berlin", b"Bonn"))
    compared = house.here.get(f"/{other.json()['to']}").text
    assert "other-my_day.jsonl" in compared
    assert house.send("look&name=..%2F..%2F.hidden", text).is_success


def zipped(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(ZipInfo(name), data)
    return content.getvalue()


def test_what_export_gives_is_looked_at_with_its_head(house: House) -> None:
    log = house.new("Berlin")
    exported = house.here.get(f"/events/export?tournament={log}").content
    page = house.here.get(f"/{house.send('look', exported).json()['to']}").text
    assert "3 of 3 lines match the head" in page
    verdict = page.index("verified up to the end of the file")
    assert verdict < page.index("authority: "), "the verdict comes first"
    assert "No check below has failed." in page
    with ZipFile(io.BytesIO(exported)) as archive:
        text = archive.read("log.jsonl")
    shorter = b"".join(text.splitlines(keepends=True)[:-1])
    first = house.send("look", text).json()["to"]
    name = first.partition("=")[2]
    for copy in (exported, shorter):
        to = house.send(f"diff {name}", copy).json()["to"]
        answer = house.here.get(f"/{to}").text
        assert "The two copies" in answer
        assert "look-" not in answer, "no place of this computer"
        assert "other.jsonl" in answer


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (zipped({"a.jsonl": b"{}", "b.jsonl": b"{}"}), "this zip file has 2 logs"),
        (zipped({"a.txt": b"{}"}), "this zip file has 0 logs"),
        (zipped({f"{name}.txt": b"" for name in range(2_000)}), "not one that Export gave"),
        (zipped({"a.jsonl": b"{}"})[:-30], "not one that Export gave"),
        (zipped({"a.jsonl": b"{}" * 99}).replace(b"{}", b"[]"), "this zip file is damaged"),
        (zipped({"../../a.jsonl": b"{}"}), "this file is not a log of tourney"),
    ],
    ids=["two logs", "none", "many", "cut off", "changed", "strange path"],
)
def test_another_zip_file_is_refused(house: House, content: bytes, reason: str) -> None:
    answer = house.send("look", content)
    if answer.is_success:
        answer = house.here.get(f"/{answer.json()['to']}")
    assert reason in answer.text


def test_a_log_is_looked_at_and_compared_without_script(house: House) -> None:
    """The file of a form comes out of it byte for byte, whatever its bytes are."""
    log = house.new("Berlin")
    with ZipFile(io.BytesIO(house.here.get(f"/events/export?tournament={log}").content)) as archive:
        text = archive.read("log.jsonl")
    where = house.choose("look", text).headers["location"]
    page = house.here.get(where)
    assert "authority:" in page.text
    (compared,) = (form for form in forms_in(page.text) if "diff" in form.action)
    job = compared.action.partition("job=")[2]
    other = house.choose(job, text.replace(b"Berlin", b"Bonn"))
    assert "Bonn" in house.here.get(other.headers["location"]).text
    refused = house.choose("look", text.replace(b'"seq":2', b'"seq":3'))
    page = house.here.get(refused.headers["location"])
    assert page.status_code == 409
    assert 'role="alert"' in page.text
    for body, kind in ((b"x", "boundary=a"), (b"--a\r\n\r\nx", "boundary=a"), (b"x", "x=y")):
        headers = {"content-type": f"multipart/form-data; {kind}", "origin": HERE}
        answer = house.here.post("/events/files?job=look", content=body, headers=headers)
        assert answer.status_code == 400
        assert "does not come from this page" in said_on(answer)[0]


@pytest.mark.parametrize("size", [0, 1, 7_999, 8_000, 8_001, 200_001])
def test_the_file_of_a_form_is_left_as_it_was(tmp_path: Path, size: int) -> None:
    content = bytes(range(256)) * (size // 256 + 1)
    content = content[:size]
    head = b'--a b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n'
    path = tmp_path / "body"
    path.write_bytes(head + content + b"\r\n--a b--\r\n")
    _unwrap(path, 'multipart/form-data; boundary="a b"')
    assert path.read_bytes() == content
