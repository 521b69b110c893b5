"""Ruleset files: the shipped ones, and a user's own."""

from __future__ import annotations

import hashlib
import tomllib
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidRuleset, NotFound
from ledger.rulesets import RULESET_BYTES_MAX, load, load_file, load_text, names, parse, text_of
from tests.support.files.ruleset_texts import ruleset_text
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_the_shipped_rulesets_are_listed_in_order() -> None:
    """By key, in alphabetical order."""
    assert list(names()) == sorted(names())
    assert {"l5r", "netrunner"} <= set(names())


def test_a_document_holds_the_whole_text_and_its_digest() -> None:
    """What the opening event carries is enough to replay the log alone."""
    document = load("l5r").document
    assert document.text == text_of("l5r")
    assert document.sha256 == hashlib.sha256(document.text.encode()).hexdigest()
    assert (document.key, document.edition) == ("l5r", "3")
    assert parse(document.text) == load("l5r").ruleset


@pytest.mark.parametrize("room", ["rulesets", "formats"])
def test_another_text_has_another_edition(room: str) -> None:
    """A log holds its ruleset's text and is bound to its digest: a text that shipped stays."""
    pins = tomllib.loads((ROOT / "tests" / "kept" / "editions.toml").read_text("utf-8"))[room]
    shipped = {}
    for path in (ROOT / "ledger" / room / "games").glob("*.toml"):
        text = path.read_bytes()
        table = tomllib.loads(text.decode())
        shipped[f"{table['key']} {table['edition']}"] = hashlib.sha256(text).hexdigest()
    assert shipped == {edition: pins.get(edition) for edition in shipped}
    assert len(shipped) >= 5


@pytest.mark.parametrize("key", ["l5", "L5R", "../rulesets/l5r", "", "/etc/passwd"])
def test_an_unknown_key_is_not_found(key: str) -> None:
    """A key is a name from the list, never a path."""
    with pytest.raises(NotFound, match=r"no ruleset .*l5r"):
        load(key)


def test_the_nearest_key_is_offered() -> None:
    """A slip of the finger is set right."""
    with pytest.raises(NotFound, match=r"no ruleset 'netruner'; did you mean netrunner"):
        text_of("netruner")


def test_equal_texts_are_read_once() -> None:
    """Every command reads the ruleset of its log: twice the same text is the same object."""
    assert parse(ruleset_text("SOS")) is parse(ruleset_text("SOS"))


def test_a_users_own_file(tmp_path: Path) -> None:
    """Read as it is, line ends and all."""
    path = tmp_path / "own.toml"
    text = ruleset_text("MOV").replace("\n", "\r\n")
    path.write_bytes(text.encode())
    assert load_file(path) == load_text(text)
    assert load_file(path).document.text == text


def test_a_long_file_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    """The cap is on bytes: the file up to it is read, the next byte is too many."""
    path = tmp_path / "long.toml"
    text = ruleset_text()
    text += "#\n" * ((RULESET_BYTES_MAX - len(text)) // 2)
    text += "#" * (RULESET_BYTES_MAX - len(text))
    path.write_text(text)
    assert load_file(path).ruleset.key == "test"
    path.write_text(text + "#")
    with pytest.raises(InvalidRuleset, match=r"long\.toml is longer than 40,000 bytes"):
        load_file(path)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    """The refusal says at which byte."""
    path = tmp_path / "latin.toml"
    path.write_bytes(b'name = "J\xfcrgen"')
    with pytest.raises(InvalidRuleset, match=r"latin\.toml is not UTF-8 text at byte 10"):
        load_file(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Neither is a folder a file."""
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(NotFound, match="cannot be read: "):
            load_file(path)
