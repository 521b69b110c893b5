"""What leaves the season's pages as files: tables, their dictionary, feeds, and verified logs."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import duckdb
import pytest

from cli.season.site.feeds import FeedEntry, feed
from projections.season.event_details import decided, details_of
from projections.season.tables.definitions import described_columns
from tests.cli.season.test_season_site import begun, pages, persons
from tests.support.cli_desk import typed_once, without_isolates
from tests.support.files.hostile_texts import hostile_texts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

BASE = "https://example.org/season/"
SMALLEST = 5
"""Persons that a group has at least, if it is shown."""

ATOM = "{http://www.w3.org/2005/Atom}"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@typed_once
def published(desk: Desk) -> Desk:
    """Six tournaments with everything, one person by name."""
    begun(desk)
    (desk.folder / "agreed.txt").write_text("4711\n")
    words = ("--scheme", "points.toml", "--agreed", "agreed.txt", "--base", BASE)
    desk.done("season", "site", "public", *words)
    return desk


def rows_in(path: Path) -> list[dict[str, str | None]]:
    with duckdb.connect() as memory:
        found = memory.execute(f"SELECT * FROM '{path}'")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def test_every_form_of_a_table_has_the_same_rows_and_the_package_describes_them(
    published: Desk,
) -> None:
    folder = published.folder / "public" / "data"
    package = json.loads((folder / "datapackage.json").read_text("utf-8"))
    assert package["$schema"].startswith("https://datapackage.org/")
    paths = {resource["path"] for resource in package["resources"]}
    assert paths == {path.name for path in folder.iterdir()} - {
        "datapackage.json",
        *(path.name for kind in ("event", "person") for path in folder.glob(f"{kind}-*")),
    }
    names = [resource["name"] for resource in package["resources"]]
    assert len(names) == len(set(names))
    for resource in package["resources"]:
        assert re.fullmatch(r"[a-z0-9._-]+", resource["name"])
        fields = [field["name"] for field in resource["schema"]["fields"]]
        assert all(field.get("description") for field in resource["schema"]["fields"]), resource
        if resource["format"] == "json":
            rows = json.loads((folder / resource["path"]).read_text("utf-8"))
            assert list(rows[0]) == fields
            stem = resource["path"].removesuffix(".json")
            stored = rows_in(folder / f"{stem}.parquet")
            assert [list(row) for row in stored[:1]] == [fields]
            for row, other in zip(rows, stored, strict=True):
                assert {k: v for k, v in row.items() if isinstance(v, str | int)} == {
                    k: str(v) if isinstance(row[k], str) else v
                    for k, v in other.items()
                    if isinstance(row[k], str | int)
                }
            text = (folder / f"{stem}.csv").read_text("utf-8")
            assert len(list(csv.reader(io.StringIO(text)))) == len(rows) + 1


def test_a_download_has_no_more_than_its_table_shows(published: Desk) -> None:
    """Small groups have no numbers, and no pseudonym is whole but those that a page shows whole."""
    folder = published.folder / "public" / "data"
    people = persons(published.folder)
    shown = without_isolates("".join(pages(published).values()))
    whole = [person for person in people if f">{person}<" in shown]
    for path in sorted(folder.glob("*.json")):
        text = path.read_text("utf-8")
        assert not [person for person in people if f'"{person}"' in text and person not in whole]
        if path.name.startswith(("metagame", "matchups")):
            rows = json.loads(text)
            assert not [row for row in rows if 0 < (row.get("persons") or 0) < SMALLEST], path
    groups = published.done("stats", "factions", "--json").json
    assert groups
    assert all(row["persons"] < SMALLEST for row in groups)
    assert not list(folder.glob("metagame-*-groups.json")), "nothing is left of small groups alone"


def test_no_column_lacks_its_meaning(published: Desk) -> None:
    """In the season's file, as comments, and on the page of the data."""
    with duckdb.connect(str(published.folder / "season.duckdb"), read_only=True) as file:
        columns = file.execute(
            "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
        objects = file.execute(
            "SELECT table_name, comment FROM duckdb_tables() UNION ALL "
            "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"
        ).fetchall()
    assert [row for row in columns if not row[2]] == []
    assert [row for row in objects if not row[1]] == []
    described = {(table, column) for table, column, *_ in described_columns()}
    assert {(table, column) for table, column, _ in columns} == described
    scripts = (published.folder / "public").glob("rows-data-season-*.js")
    whole = "".join(path.read_text("utf-8") for path in scripts)
    for table, column in described:
        assert f'["{table}","{column}",' in whole


def test_an_exported_folder_describes_its_columns(published: Desk) -> None:
    published.done("season", "export", "flat", "--kind", "csv")
    package = json.loads((published.folder / "flat" / "datapackage.json").read_text("utf-8"))
    for resource in package["resources"]:
        fields = resource["schema"]["fields"]
        assert all(field["description"] for field in fields), resource["name"]
        with (published.folder / "flat" / resource["path"]).open(encoding="utf-8") as file:
            assert next(csv.reader(file)) == [field["name"] for field in fields]


def test_feeds_are_atom_and_their_moments_are_those_of_the_logs(published: Desk) -> None:
    """RFC 4287, 4.1: what a feed and an entry must have, and each once."""
    folder = published.folder / "public"
    feeds = {path.name: path.read_bytes() for path in folder.glob("*.xml")}
    events = [path.stem for path in folder.glob("event-*.html")]
    named = [path.stem for path in folder.glob("person-*.html")]
    assert set(feeds) == {f"{name}.xml" for name in ("feed", *events, *named)}
    assert len(named) == 1
    ids = []
    for name, data in feeds.items():
        parsed = ET.fromstring(data)  # noqa: S314 - our own
        assert parsed.tag == f"{ATOM}feed"
        ids.append(element(parsed, "id"))
        assert [link.get("href") for link in parsed.findall(f"{ATOM}link")] == [
            BASE + name,
            BASE + (name.replace(".xml", ".html") if name != "feed.xml" else "index.html"),
        ]
        assert element(parsed.find(f"{ATOM}author"), "name")
        entries = parsed.findall(f"{ATOM}entry")
        assert entries
        moments = [element(entry, "updated") for entry in entries]
        assert moments == sorted(moments, reverse=True)
        assert element(parsed, "updated") == moments[0]
        assert all(map(MOMENT.fullmatch, moments))
        own = [element(entry, "id") for entry in entries]
        assert len(own) == len(set(own))
        for entry in entries:
            assert element(entry, "title")
            page = entry.find(f"{ATOM}link").get("href", "")  # type: ignore[union-attr] # is there
            assert (folder / page.removeprefix(BASE)).is_file()
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", each) for each in ids)
    for text in pages(published).values():
        assert '<link rel="alternate" type="application/atom+xml"' in text
    published.done("season", "site", "again", "--agreed", "agreed.txt", "--base", BASE)
    for name, data in feeds.items():
        assert (published.folder / "again" / name).read_bytes() == data


def element(parent: ET.Element | None, name: str) -> str:
    """Read the text of the one child of that name."""
    assert parent is not None
    (child,) = parent.findall(ATOM + name)
    return child.text or ""


@pytest.mark.parametrize("text", hostile_texts()[:60])
def test_a_feed_with_any_title_is_sound(text: str) -> None:
    entry = FeedEntry("1", text, text, "event-1.html", datetime(2026, 1, 1, tzinfo=UTC))
    found = ET.fromstring(feed(BASE, "feed.xml", "index.html", text, [entry]))  # noqa: S314 - our own
    assert len(found.findall(f"{ATOM}entry")) == 1


@pytest.mark.parametrize(
    "base", ["example.org", "ftp://example.org/", "https://", 'https://e.org/"', "javascript:1"]
)
def test_a_base_is_the_address_of_a_folder(published: Desk, base: str) -> None:
    refused = published.type("season", "site", "public", "--base", base)
    assert (refused.code, "is not the address of a folder" in refused.err) == (2, True)


def test_each_place_says_what_decided_it(published: Desk) -> None:
    """Compared with the standings' own order: what is named differs, and all before it is equal."""
    with duckdb.connect(str(published.folder / "season.duckdb"), read_only=True) as file:
        ids = [row[0] for row in file.execute("SELECT tournament FROM tournaments").fetchall()]
        columns = set()
        for _, details in details_of(file, ids):
            ranked = sorted(
                (entrant for entrant in details.entrants.values() if entrant.final_place),
                key=lambda entrant: entrant.final_place or 0,
            )
            for above, entrant in pairwise(ranked):
                reason = decided(details, entrant, above)
                assert reason is not None
                columns.add(reason.column)
                rows = details.rows_of(entrant.last_stage or 0)
                one, other = rows.get(entrant.player), rows.get(above.player)
                if one and other and reason.column in one.tiebreakers:
                    assert one.points == other.points
                    for code, value in one.tiebreakers.items():
                        if code == reason.column:
                            break
                        assert value == other.tiebreakers[code]
                    assert (reason.value, reason.above) == (
                        one.tiebreakers[reason.column],
                        other.tiebreakers[reason.column],
                    )
                    assert reason.value < reason.above
                if reason.column == "points":
                    assert reason.value < reason.above
    assert {"points", "stage"} <= columns


def test_a_log_is_offered_without_names_and_verifies(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "3")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    (desk.folder / "given").mkdir()
    desk.done("export", "-o", "given/cup.jsonl")
    desk.done("season", "add", "given/cup.jsonl")
    desk.done("season", "site", "public", "--logs", "given")
    (log,) = (desk.folder / "public" / "logs").glob("*.jsonl")
    text = log.read_text("utf-8")
    lines = (desk.folder / "given" / "cup.jsonl").read_text("utf-8")
    assert lines.startswith(text)
    assert len(lines) > len(text)  # the keys of the names stay behind
    assert '"keys"' not in text
    page = (desk.folder / "public" / f"event-{log.stem}.html").read_text("utf-8")
    assert f'href="logs/{log.name}"' in page
    assert f'href="logs/{log.name}.checkpoint"' in page
    assert desk.type("verify", str(log)).code == 0
    for line in (desk.folder / "given" / "cup.jsonl").read_text("utf-8").splitlines()[-1:]:
        for key in re.findall(r'"([0-9a-zA-Z_=-]{22,})"', line):
            for path in (desk.folder / "public").rglob("*"):
                assert not path.is_file() or key.encode() not in path.read_bytes()
    desk.done("pair")
    desk.done("export", "-o", "given/cup.jsonl")
    refused = desk.type("season", "site", "public", "--logs", "given")
    assert (refused.code, "is not the log that the season has" in refused.err) == (1, True)


def test_a_log_with_open_names_or_a_replaced_pseudonym_is_withheld(published: Desk) -> None:
    """The simulator's logs have open names."""
    published.done("season", "site", "public", "--logs", "played")
    assert not (published.folder / "public" / "logs").exists()
    withheld = [text for text in pages(published).values() if "its names are not sealed" in text]
    assert withheld
