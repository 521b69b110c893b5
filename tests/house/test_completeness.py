"""Nothing is forgotten: each event has its fold, rules and roles, each command its decision."""

from __future__ import annotations

import re
import subprocess
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import get_args

import pytest

from ledger import rules
from ledger.facts.base import Event, Meaning, Role
from ledger.facts.results import ResultCorrected
from ledger.facts.vocabulary import EVENTS, MEANINGS
from ledger.fold import APPLY, UNDO
from ledger.rules import rules_of
from ledger.rules.command import Command
from tests.support.paths import ROOT

MEANINGS_DEFINED = set(Meaning.__subclasses__())
"""What a withdrawal comes to: events that are folded and checked, and never stored."""


def every_event_defined() -> set[type[Event]]:
    found: set[type[Event]] = set()
    waiting = [Event]
    while waiting:
        kinds = waiting.pop().__subclasses__()
        found.update(kinds)
        waiting.extend(kinds)
    return found


def test_every_event_defined_is_in_the_vocabulary() -> None:
    assert set(EVENTS.values()) == every_event_defined() - {Meaning} - MEANINGS_DEFINED


def test_every_event_is_folded_and_checked() -> None:
    assert set(APPLY) == {*EVENTS.values(), *MEANINGS_DEFINED}
    assert all(callable(rules_of(kind)) for kind in APPLY)
    with pytest.raises(LookupError):
        rules_of(Event)


def test_every_event_has_roles_that_exist() -> None:
    every = {*EVENTS.values(), *MEANINGS_DEFINED}
    assert [kind for kind in every if not kind.recording.by] == []
    assert set().union(*(kind.recording.by for kind in every)) <= set(get_args(Role))


def test_what_can_be_withdrawn_leaves_nothing_behind() -> None:
    withdrawable = {kind for kind in EVENTS.values() if kind.recording.withdrawable}
    assert withdrawable == {*UNDO, *MEANINGS} - {ResultCorrected}


def test_every_command_is_decided() -> None:
    for theme in iter_modules(rules.__path__, "ledger.rules."):
        import_module(theme.name)
    every = Command.__subclasses__()
    assert len(every) > 50
    assert [kind for kind in every if len({"decide", "says"} & vars(kind).keys()) != 1] == []


def _documents() -> list[Path]:
    listed = ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "*.md"]
    names = subprocess.run(listed, capture_output=True, text=True, check=False).stdout.split("\n")
    return [ROOT / name for name in names if name] or [*ROOT.glob("*.md")]


def test_links_of_documents_lead_to_files() -> None:
    """Links are relative to the page, names in code quotes to the project or to its tests."""
    dead = []
    for page in _documents():
        text = page.read_text("utf-8")
        links = re.findall(r"\]\((?!https?:)([^)#\s]+)", text)
        dead += [(page.name, link) for link in links if not (page.parent / link).exists()]
        names = re.findall(
            r"`((?:ledger|projections|cli|tests|sample_logs)/[\w./-]+)(?:::\w+)?`", text
        )
        named = (name for name in names if "THEME" not in name)
        dead += [
            (page.name, name)
            for name in named
            if not any((base / name).exists() for base in (ROOT, ROOT / "tests"))
        ]
    assert dead == []
