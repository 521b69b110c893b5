"""Numbers and what they count: one table, but two tables, wherever a count may be one."""

from __future__ import annotations

import re

from tests.house.code import SOURCES, name_of, text_of

COUNTED = re.compile(
    r"\{(?!count\})([^{}\"]+)\} "
    r"(minutes|times|tournaments|rows|pieces|results|slips|tables|points|draft groups)\b"
)
"""A number in a text, with a thing that is many whatever the number is."""

NEVER_ONE = {
    "cli/render/whatif.py points": "of more than one player each point",
    "cli/render/whatif.py total": "a sweep has several",
    "cli/verbs/season/people.py number": "one is the answer",
    "cli/wording/audit_words.py points": "from one amount to another, or more",
    "cli/wording/ruleset_words.py points": "of a game",
    "cli/wording/ruleset_words.py minutes": "of a game",
    "cli/wording/audit_words.py slips": "of a cut",
    "cli/wording/ruleset_words.py worth": "at least",
    "cli/input/given_files.py file": "a verb",
    "cli/render/whatif.py last": "from one amount to another",
    "cli/serve/entry.py limit": "several",
    "cli/serve/pages/organizer/round.py minutes": "3, 5 or 10",
    "cli/season/site/person_pages.py best": "of a scheme",
    "cli/season/site/person_pages.py first": "of a scheme",
    "cli/season/site/finding.py rows": "of a table",
    "cli/season/site/tables.py rows": "of a table",
    "cli/input/structures.py points": "or more",
}


def test_a_count_that_may_be_one_is_counted() -> None:
    """Words of `cli/terminal/visible.py` are as the number needs them."""
    found = {
        f"{name_of(path)} {counted[0]}"
        for path in SOURCES
        if name_of(path).startswith("cli/")
        for counted in COUNTED.findall(text_of(path))
    }
    assert found - NEVER_ONE.keys() == set()
    assert NEVER_ONE.keys() - found == set(), "named here, and gone"
