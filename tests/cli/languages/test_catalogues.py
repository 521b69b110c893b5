"""The catalogues: every text, with its braces, commands and forms, and nothing else."""

from __future__ import annotations

import re
from gettext import c2py
from typing import TYPE_CHECKING

import pytest

from cli.languages.speaking import codes
from tests.cli.languages.catalogue_texts import (
    LANGUAGES,
    catalogue,
    texts,
    unmarked,
    updated,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from babel.messages.catalog import Catalog, Message

TRANSLATED = [code for code in codes() if code != "en"]
_BRACES = re.compile(r"\{(\w*)\}")
_COMMAND = re.compile(r"`([^`]+)`")
_STATUS = re.compile(r"read by|not read by a native speaker", re.IGNORECASE)
NUMBERS = range(1_000)


@pytest.fixture(scope="module", params=TRANSLATED)
def catalog(request: pytest.FixtureRequest) -> Catalog:
    return catalogue(request.param)


def messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def forms(message: Message) -> list[str]:
    """Every translation of a message: one, or one for each form of the plural."""
    return list(message.string or ()) if message.pluralizable else [str(message.string)]


def originals(message: Message) -> list[str]:
    return list(message.id or ()) if message.pluralizable else [str(message.id)]


def test_a_catalogue_has_every_text_of_the_code_and_no_other(catalog: Catalog) -> None:
    wanted = {(text.context or None, text.one) for text in texts(str(catalog.locale))}
    there = {(message.context, originals(message)[0]) for message in messages(catalog)}
    assert there == wanted, "python -m tests.cli.languages.catalogue_texts brings it up to date"


def test_a_text_in_a_variable_is_marked() -> None:
    """Else no catalogue has it, and every page says it in English."""
    assert list(unmarked()) == []


def test_every_text_is_translated(catalog: Catalog) -> None:
    assert not [message.id for message in messages(catalog) if not all(forms(message))]


def test_a_translation_has_the_braces_of_its_text(catalog: Catalog) -> None:
    """Each form of a plural has those of the form for many; only the number may be missing."""
    wrong = []
    for message in messages(catalog):
        wanted = set(_BRACES.findall(originals(message)[-1]))
        spare = wanted & {"count", "amount"} if message.pluralizable else set()
        for form in forms(message):
            have = set(_BRACES.findall(form))
            if not wanted - spare <= have <= wanted or form.count("{") != form.count("}"):
                wrong.append((message.id, form))
    assert not wrong


def test_a_translation_has_the_commands_of_its_text(catalog: Catalog) -> None:
    wrong = []
    for message in messages(catalog):
        wanted = [sorted(_COMMAND.findall(each)) for each in originals(message)]
        wrong += [
            (message.id, form)
            for form in forms(message)
            if sorted(_COMMAND.findall(form)) not in wanted
        ]
    assert not wrong


def test_a_translation_begins_and_ends_as_its_text(catalog: Catalog) -> None:
    """White space at either end belongs to a sentence around it."""
    wrong = []
    for message in messages(catalog):
        one = originals(message)[0]
        begins, ends = one[:1].isspace(), one[-1:].isspace()
        wrong += [
            (message.id, form)
            for form in forms(message)
            if catalog.locale_identifier != "ja"
            and (form[:1].isspace() != begins or form[-1:].isspace() != ends)
        ]
    assert not wrong


def test_every_number_has_a_form(catalog: Catalog) -> None:
    form = c2py(catalog.plural_expr)
    used = {form(number) for number in NUMBERS}
    assert used == set(range(catalog.num_plurals))
    assert not [
        message.id
        for message in messages(catalog)
        if message.pluralizable and len(forms(message)) != catalog.num_plurals
    ]


def test_a_catalogue_says_who_has_read_it(catalog: Catalog) -> None:
    assert _STATUS.search(catalog.header_comment)


def test_a_file_is_as_the_program_writes_it(catalog: Catalog) -> None:
    path = LANGUAGES / f"{catalog.locale_identifier}.po"
    assert path.read_bytes() == written(updated(catalog))
