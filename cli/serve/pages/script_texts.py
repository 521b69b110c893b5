"""The texts that the scripts of the pages say, and the file of them in another language.

A script says a text by `tr` or `trMany` of texts.js, with literals, so they are read from its
source. A page that is not English loads the file of its language before every other script.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.languages.speaking import ENGLISH, SEVERAL, codes, form_for, speaking, tr

if TYPE_CHECKING:
    from htpy import Node

_LITERAL = r'"((?:[^"\\]|\\.)*)"'
_SAID = re.compile(rf"\btr\(\s*{_LITERAL}|\btrMany\(\s*{_LITERAL},\s*{_LITERAL}")
_NAME = re.compile(r"texts-([a-z+]+)\.js")

KEPT_MAX = 100
"""Files that are kept, and names that are none."""

SEVERAL_MAX = 2
"""Languages at once; a stranger may ask for any file."""

NUMBERS = 200
"""A plural form depends on a number below 200, or on what remains of it by 100, and 100."""


class SaidText(NamedTuple):
    """A text of a script; `many` is its plural, or empty."""

    text: str
    many: str = ""


@cache
def said_by_scripts() -> tuple[SaidText, ...]:
    """Return every text of every script, each once."""
    static = files("cli.serve").joinpath("static")
    scripts = sorted(script.name for script in static.iterdir() if script.name.endswith(".js"))
    found: dict[SaidText, None] = {}
    for name in scripts:
        for call in _SAID.finditer(static.joinpath(name).read_text("utf-8")):
            text, one, many = (json.loads(f'"{group or ""}"') for group in call.groups())
            found[SaidText(text or one, many)] = None
    return tuple(found)


def texts_script(code: str) -> Node:
    """Return the element that loads the scripts' texts in a language; nothing in English."""
    if code == ENGLISH:
        return None
    return htpy.script(src=f"static/texts-{code}.js", type="module")


@lru_cache(KEPT_MAX)
def texts_file(name: str) -> bytes | None:
    """Return the file of a language's texts by its name; None for any other name."""
    match = _NAME.fullmatch(name)
    code = match[1] if match else ""
    several = code.split(SEVERAL)
    if len(several) > SEVERAL_MAX or not set(several) <= set(codes()):
        return None
    return b'import { speak } from "./texts.js";\n' + texts_call(code)


def texts_call(code: str) -> bytes:
    """Return the line of script that hands texts.js the texts of a language; empty for English."""
    if code == ENGLISH:
        return b""
    with speaking(code):
        value = json.dumps(_in_language(), ensure_ascii=False, separators=(",", ":"))
    return f"speak({value});\n".encode()


def _in_language() -> dict[str, object]:
    """Return what the catalogue has of the texts, and which form of a plural a number takes."""
    script_texts = said_by_scripts()
    texts = {text: tr(text) for text, many in script_texts if not many and tr(text) != text}
    plurals = [script_text for script_text in script_texts if script_text.many]
    by_number = [
        tuple(form_for(*plural, number) for plural in plurals) for number in range(NUMBERS)
    ]
    forms = list(dict.fromkeys(by_number))
    many = {
        plural.text: [form[place] for form in forms]
        for place, plural in enumerate(plurals)
        if any(form[place] not in plural for form in forms)
    }
    return {"texts": texts, "many": many, "forms": "".join(str(forms.index(n)) for n in by_number)}
