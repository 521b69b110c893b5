"""Which language an answer is in: of a browser, of a choice, of a terminal."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cli.exits import USAGE
from cli.languages.choice import for_browser, for_terminal, known
from cli.languages.speaking import (
    codes,
    in_figures,
    language,
    languages,
    speaking,
    tr,
    tr_many,
)
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("de_AT.UTF-8", "de"),
        (" DE ", "de"),
        ("en-GB", "en"),
        ("C", ""),
        ("C.UTF-8", ""),
        ("", ""),
        ("deutsch", ""),
        ("../de", ""),
    ],
)
def test_a_tag_names_a_language_or_none(tag: str, code: str) -> None:
    assert known(tag) == code


@pytest.mark.parametrize(
    ("chosen", "accepted", "code"),
    [
        ("", "", "en"),
        ("", "de", "de"),
        ("", "de-CH,de;q=0.9,en;q=0.8", "de"),
        ("", "xx,de;q=0.5", "de"),
        ("", "en;q=0.4,de;q=0.5", "de"),
        ("", "de;q=0", "en"),
        ("", "de;q=nan", "en"),
        ("", "de;q=2", "en"),
        ("", "*", "en"),
        ("", ",;,de;q=x,;q=1", "en"),
        ("en", "de", "en"),
        ("xx", "de", "de"),
        ("", "xx," * 10_000 + "de", "en"),
    ],
)
def test_a_choice_goes_before_what_the_browser_accepts(
    chosen: str, accepted: str, code: str
) -> None:
    assert for_browser(chosen, accepted) == code


@pytest.mark.parametrize(
    ("arguments", "environment", "code"),
    [
        ([], {}, "en"),
        ([], {"LANG": "de_DE.UTF-8"}, "de"),
        ([], {"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ([], {"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_DE"}, "de"),
        ([], {"LANG": "de", "LC_ALL": ""}, "de"),
        (["standings", "--lang", "de"], {}, "de"),
        (["--lang=de", "standings"], {"LANG": "en"}, "de"),
        (["--lang", "en"], {"LANG": "de"}, "en"),
        (["register", "--", "--lang", "de"], {}, "en"),
        (["--lang"], {}, "en"),
        (["standings", "--json", "--lang", "de"], {"LANG": "de"}, "en"),
        (["standings", "--csv"], {"LANG": "de"}, "en"),
        (["register", "--lang", "de", "--", "--json"], {}, "de"),
    ],
)
def test_a_line_speaks_its_option_or_the_environment(
    arguments: list[str], environment: dict[str, str], code: str
) -> None:
    assert for_terminal(arguments, environment) == code


def test_an_unknown_language_is_refused(desk: Desk) -> None:
    refused = desk.type("--lang", "zz", "list")
    assert refused.code == USAGE
    assert "--lang zz: choose one of en, de" in refused.err


def test_a_language_ends_with_its_block() -> None:
    with speaking("de"):
        with speaking("en"):
            assert language() == "en"
        assert language() == "de"
    assert language() == "en"


def test_a_text_without_a_translation_is_english() -> None:
    with speaking("de"):
        assert tr("No language has this {thing}.", thing="text") == "No language has this text."
        assert tr_many("{count} thing of no language", "{count} things of no language", 2) == (
            "2 things of no language"
        )


def test_numbers_have_the_separators_of_the_language() -> None:
    assert in_figures(1_234_567) == "1,234,567"
    with speaking("de"):
        assert in_figures(1_234_567) == "1.234.567"


def test_each_language_has_its_own_name() -> None:
    assert list(languages()) == list(codes())
    assert languages()["de"] == "Deutsch"


def test_several_languages_are_spoken_at_once() -> None:
    with speaking("de+en"):
        assert tr_many("{count} player", "{count} players", 3) == "3 Spieler / 3 players"
        assert tr("No language has this text.") == "No language has this text."
        assert in_figures(1_234) == "1.234"
        inner = tr_many("{count} player", "{count} players", 3)
        both = tr("{players} wait", players=inner)
        assert both == "3 Spieler wait / 3 players wait"


@pytest.mark.parametrize("line", [["--help"], ["report", "--help"], ["report"]])
def test_english_imports_no_library_of_languages(line: list[str]) -> None:
    """It takes as long as a third of a verb."""
    asked = f"import sys, cli.main; cli.main.main({line}); sys.exit('babel' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0
