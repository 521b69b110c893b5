"""No field of a command that a program sends is ever the name of a file, and none of a form."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import cycle
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import inspect

from cli.serve.acts import SentAct
from cli.serve.commands import SENT
from cli.serve.forms import FORMS
from ledger.facts import base
from ledger.rules.office import TakeNote
from tests.hostile.gate.served_day import (
    JUDGE,
    OFFICIALS,
    ORGANIZER,
    SCOREKEEPER,
    STOOD_DOWN,
    is_unharmed,
)
from tests.support.hall import official, player

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.rules.command import Command
    from tests.hostile.gate.served_day import Sender

SEEN = "seen"
"""The tables that a page has shown: without them an act is decided, and not refused before."""

WHO = (*map(official, (ORGANIZER, JUDGE, SCOREKEEPER, STOOD_DOWN)), player(1))


def spelled(path: str) -> tuple[str, ...]:
    return (path, f"-o{path}", f"--output={path}", f"file://{path}", f"@{path}", f"'{path}'")


def value_of(kind: inspect.Type, text: str) -> Any:  # noqa: ANN401 - whatever the type takes
    """Return a value of a type, with the text at each place that takes one."""
    if isinstance(kind, inspect.Metadata):
        form = (kind.extra or {}).get(base.FORM)
        return _plain(kind.type, text, form) if form else value_of(kind.type, text)
    if isinstance(kind, inspect.UnionType):
        texts = [each for each in kind.types if isinstance(each, inspect.StrType)]
        return value_of(texts[0] if texts else kind.types[0], text)
    if isinstance(kind, inspect.StructType):
        return {each.encode_name: value_of(each.type, text) for each in kind.fields}
    if isinstance(kind, inspect.ListType | inspect.VarTupleType | inspect.FrozenSetType):
        kind = inspect.TupleType((kind.item_type,))
    if isinstance(kind, inspect.TupleType):
        return [value_of(each, text) for each in kind.item_types]
    if isinstance(kind, inspect.DictType):
        return {text[:30]: value_of(kind.value_type, text)}
    return _plain(kind, text)


def _plain(kind: inspect.Type, text: str, form: str = "") -> Any:  # noqa: ANN401 - as above
    if isinstance(kind, inspect.StrType):
        tried = (text[: kind.max_length], "", "0" * 64, "2026-01-01")
        fits = re.compile(form or kind.pattern or "")
        return next(each for each in tried if fits.search(each))
    if isinstance(kind, inspect.LiteralType):
        return kind.values[0]
    if isinstance(kind, inspect.IntType):
        return max(1, kind.ge or 1)
    return {inspect.FloatType: 1.0, inspect.BoolType: True}.get(type(kind))


def values_of(command: type[Command], text: str) -> Iterator[dict[str, Any]]:
    """Yield the command with the text in all its fields, and in each of them alone."""
    info = inspect.type_info(command)
    assert isinstance(info, inspect.StructType)
    fields = [each for each in info.fields if each.encode_name != SEEN]
    whole = {each.encode_name: value_of(each.type, text) for each in fields}
    yield {"type": info.tag, **whole}
    for field in fields:
        others = {
            each.encode_name: value_of(each.type, "x")
            for each in fields
            if each.required or each is field
        }
        yield {"type": info.tag, **others, field.encode_name: whole[field.encode_name]}


def test_every_command_is_read_with_the_text_in_its_fields() -> None:
    """So that what follows is decided, and not refused for its form."""
    decoder = msgspec.json.Decoder(SentAct)
    taken = set()
    for command in SENT:
        for value in values_of(command, "/x/creds.env"):
            sent = msgspec.json.encode({"id": "abcdefgh", "command": value})
            with suppress(msgspec.ValidationError):
                taken |= {type(decoder.decode(sent).command)}
    assert taken == set(SENT)


def test_no_command_reaches_a_file(sender: Sender, stranger: Path) -> None:
    who, texts = cycle(WHO), cycle(spelled(str(stranger / "creds.env")))
    for command in SENT:
        for value in values_of(command, next(texts)):
            sender.act(next(who), value)
    assert sender.sent > 3 * len(SENT)
    assert is_unharmed(sender, stranger)


@pytest.mark.slow
def test_no_command_reaches_a_file_by_any_spelling(sender: Sender, stranger: Path) -> None:
    for place in (stranger / "creds.env", stranger / "new.html", stranger):
        for text in spelled(str(place)):
            for who, command in zip(cycle(WHO), SENT, strict=False):
                for value in values_of(command, text):
                    sender.act(who, value)
    assert is_unharmed(sender, stranger)


def test_no_form_reaches_a_file(sender: Sender, stranger: Path) -> None:
    """A list that is pasted is a text, also if it is the name of a file."""
    names = ("match", "reason", "text", "list", "player", "name", "faction", "note", "file")
    for who, form in zip(cycle(OFFICIALS), FORMS, strict=False):
        for text in spelled(str(stranger / "creds.env")):
            fields = dict.fromkeys(names, text)
            sender.send(f"/do/{form}", who, **fields)
            sender.send(f"/do/{form}", who, **fields | {"match": "1", "player": "1"})
    assert is_unharmed(sender, stranger)


def test_this_test_notices_a_command_that_opens_files(
    sender: Sender, stranger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: a note that is read from the file which its text names."""
    real = TakeNote.decide

    def decide(self: TakeNote, *given: Any) -> Any:  # noqa: ANN401 - as the method has it
        with open(self.text, "rb") as file:  # noqa: PTH123 - as a careless program would
            file.read()
        return real(self, *given)

    monkeypatch.setattr(TakeNote, "decide", decide)
    note = next(values_of(TakeNote, str(stranger / "creds.env")))
    sender.act(official(ORGANIZER), note)
    with pytest.raises(AssertionError):
        is_unharmed(sender, stranger)
