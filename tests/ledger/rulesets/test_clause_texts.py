"""The texts of the regulations' clauses: complete, in our own words, and found by words."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

from cli.verbs import VERBS
from ledger import formats, rulesets
from ledger.rulesets.clauses import Clause, cited_in, looked_up, named_by, texts
from tests.support.shared import SHARED, needs_shared

REGULATIONS = SHARED / "regulations"
RUN = 8
"""Words in a row that would be a copy."""

COUNT, DIGEST = 159, "3c5cf6477711ba7c05da255c44077c0053477af06fac8fbdfb0b7fe37ad0e824"
"""How many IDs have a text, and the SHA-256 of the sorted IDs: no clause is lost unnoticed."""


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower().replace("-\n", "").replace("\u2019", "'"))


def runs_of(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1)}


def test_the_set_of_clauses_is_frozen() -> None:
    ids = sorted(texts())
    assert len(ids) == COUNT
    assert sha256("\n".join(ids).encode()).hexdigest() == DIGEST


@needs_shared
def test_every_clause_of_the_catalogue_has_a_text() -> None:
    catalogue = (REGULATIONS / "CATALOGUE.md").read_text("utf-8")
    listed = re.findall(r"^\| ([A-Z0-9]+-[A-Z0-9-]+) \| [RECD,]+ \|", catalogue, re.MULTILINE)
    assert set(texts()) == set(listed)


@needs_shared
def test_no_text_repeats_a_sentence_of_the_sources() -> None:
    published = {run for path in REGULATIONS.iterdir() for run in runs_of(path.read_text("utf-8"))}
    copied = [label for label, clause in texts().items() if runs_of(clause.asks) & published]
    assert copied == []


@needs_shared
def test_every_section_is_a_heading_of_a_source() -> None:
    sources = " ".join(path.read_text("utf-8") for path in REGULATIONS.glob("*.txt"))
    published = re.sub(r"\s+", " ", sources.replace("\u2019", "'"))
    named = [(label, name) for label, c in texts().items() for name in c.section.split("; ")]
    assert [pair for pair in named if pair[1] not in published] == []


def test_every_text_names_existing_verbs_and_is_complete() -> None:
    """A clause is carried out by verbs that exist; `FFG-LIST` by `lists submit`, say."""
    for label, clause in texts().items():
        assert set(clause.verbs) <= set(VERBS), label
        assert clause.verbs, label
        assert all((clause.title, clause.document, clause.section, clause.actors)), label
        assert clause.asks.endswith("."), label
        assert clause.asks.count(". ") <= 2, label


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("missed opportunity", "FFG-MISSED"),
        ("ffg-missed", "FFG-MISSED"),
        ("mandatory", "AOP-MANDATORY"),
        ("strength of schedule", "FFG-TIEBREAK-SOS"),
        ("slow play", "AOP-MODERATE"),
        ("margin of error", "FFG-MARGIN"),
        ("consent forgotten", "FFG-MISSED"),
    ],
)
def test_a_clause_is_found_by_its_id_and_by_words(typed: str, first: str) -> None:
    """FFG-MISSED, AOP-MANDATORY, FFG-TIEBREAK-SOS, AOP-MODERATE, FFG-MARGIN."""
    assert looked_up(typed, texts().values())[0].id == first


def test_words_that_fit_nothing_find_nothing() -> None:
    assert looked_up("zebra", texts().values()) == []
    assert looked_up("", texts().values()) == []


def test_a_name_that_fits_two_clauses_is_unclear() -> None:
    """FFG-MISSED and AOP-MISSED have one name: only the event's game says which is named_by."""
    assert named_by("missed", texts()) == ""
    assert named_by("missed", {"AOP-MISSED": texts()["AOP-MISSED"]}) == "AOP-MISSED"
    assert named_by("XW2-MOV", {"XW2-MOV": Clause("XW2-MOV")}) == "XW2-MOV"


def test_published_clauses_that_a_ruleset_or_a_format_cites_have_a_text() -> None:
    """A misspelt ID of the five documents, as `L5R-SCOER`, would have no text."""
    published = {label.partition("-")[0] for label in texts()}
    cited = [label for key in rulesets.names() for label in cited_in(rulesets.text_of(key))]
    cited += [
        label for key in formats.names() for label in cited_in(formats.load(key).document.text)
    ]
    unknown = {label for label in cited if label not in texts()}
    assert [label for label in unknown if label.partition("-")[0] in published] == []
