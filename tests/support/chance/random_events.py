"""Random events of every type, well formed and mostly senseless: what no rule may stumble over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import inspect

from ledger.facts.base import FORM
from ledger.facts.vocabulary import EVENTS
from ledger.lines.line import misshapen

if TYPE_CHECKING:
    import random

    from ledger.facts.base import Event

WORDS = ("", " ", "x", "win", "loss", "draw", "modified win", "p1", "o1", "p9999", "\x1b[31m")
FITTING = ("0" * 64, "0" * 32, "2026-03-14", "p1", "o1", "p9999")
INTEGERS_MAX = 12
LENGTH_MAX = 4


def random_event(
    chance: random.Random, base: Event | None = None, kind: type[Event] | None = None
) -> Event | None:
    """An event of any type or of one `kind`; of `base` a copy with some fields made anew.

    None where the dice gave something that no line can hold.
    """
    if base is not None:
        kind = type(base)
    kind = kind or chance.choice(sorted(EVENTS.values(), key=str))
    declared = inspect.type_info(kind)
    assert isinstance(declared, inspect.StructType)
    values: dict[str, Any] = {}
    for field in declared.fields:
        keep = base is not None and chance.random() < 0.6
        values[field.name] = (
            msgspec.to_builtins(getattr(base, field.name)) if keep else _value(chance, field.type)
        )
    try:
        made = msgspec.convert(values, kind)
    except msgspec.ValidationError:
        return None
    return None if any(misshapen(made)) else made


def _value(chance: random.Random, kind: inspect.Type) -> Any:  # noqa: ANN401 - any JSON value
    match kind:
        case inspect.IntType():
            return chance.choice((*range(INTEGERS_MAX), 999))
        case inspect.LiteralType(values=values):
            return chance.choice(values)
        case inspect.StrType():
            return chance.choice(WORDS)
        case inspect.UnionType(types=types):
            return _value(chance, chance.choice(types))
        case inspect.BoolType():
            return chance.random() < 0.5
        case _:
            return _container(chance, kind)


def _container(chance: random.Random, kind: inspect.Type) -> Any:  # noqa: ANN401 - any JSON value
    match kind:
        case inspect.Metadata(type=described, extra=extra):
            has_form = extra is not None and FORM in extra
            return chance.choice(FITTING) if has_form else _value(chance, described)
        case inspect.VarTupleType(item_type=item):
            return [_value(chance, item) for _ in range(chance.randrange(LENGTH_MAX))]
        case inspect.TupleType(item_types=items):
            return [_value(chance, item) for item in items]
        case inspect.DictType(key_type=key, value_type=value):
            return {
                str(_value(chance, key)): _value(chance, value) for _ in range(chance.randrange(2))
            }
        case inspect.StructType(fields=fields):
            return {field.name: _value(chance, field.type) for field in fields}
        case _:
            return None
