"""Say a text in the language of the page or terminal that is answered.

The texts of the code are English. A catalogue, `CODE.po` beside this file, has each of them in one
language; a text that it lacks is said in English. What varies is a name in braces, so that a
translation can move it. A log, `--json` and `--csv` are English in every language.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import TYPE_CHECKING

from ledger.problems import marked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = [
    "ENGLISH",
    "codes",
    "first_of_several",
    "form_for",
    "in_figures",
    "language",
    "languages",
    "marked",
    "speaking",
    "tr",
    "tr_many",
    "tr_of",
]

ENGLISH, SEVERAL = "en", "+"
BETWEEN = " / "
"""What is between a text in several languages."""

_SPOKEN: ContextVar[tuple[str, NullTranslations] | None] = ContextVar("spoken", default=None)
"""The code and the catalogue of the language that is spoken; None is English."""


def tr(text: str, /, **about: object) -> str:
    """Return a text in the language that is spoken; `about` has what its braces name."""
    if (spoken := _SPOKEN.get()) is not None and text:  # the empty text has a catalogue's head
        text = spoken[1].gettext(text)
    return text.format_map(about) if about else text


def tr_of(context: str, text: str, /, **about: object) -> str:
    """Return a text whose translation depends on its place, which `context` names in English."""
    if (spoken := _SPOKEN.get()) is not None:
        translated = spoken[1].pgettext(context, text)
        text = spoken[1].gettext(text) if translated == text else translated
    return text.format_map(about) if about else text


def tr_many(one: str, many: str, count: int, /, **about: object) -> str:
    """Return the form of a text for a number, which its braces name `count`."""
    return form_for(one, many, count).format_map({"count": in_figures(count), **about})


def form_for(one: str, many: str, count: int) -> str:
    """Return the form of a text for a number, with its braces."""
    if (spoken := _SPOKEN.get()) is None:
        return one if count == 1 else many
    return spoken[1].ngettext(one, many, count)


def in_figures(number: int) -> str:
    """Return an integer with the separators of the language that is spoken."""
    if (spoken := _SPOKEN.get()) is None:
        return f"{number:,}"
    from babel.numbers import format_decimal

    return format_decimal(number, locale=first_of_several(spoken[0]))


def first_of_several(code: str) -> str:
    """Return the language that comes first where several are spoken at once."""
    return code.partition(SEVERAL)[0]


def language() -> str:
    """Return the code of the language that is spoken."""
    spoken = _SPOKEN.get()
    return spoken[0] if spoken else ENGLISH


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language, one of `codes`, until the block ends.

    Several, as in `ja+en`, are spoken at once: each text in all of them.
    """
    token = _SPOKEN.set(None if code == ENGLISH else (code, catalogue(code)))
    try:
        yield
    finally:
        _SPOKEN.reset(token)


@cache
def codes() -> Sequence[str]:
    """Return the codes of all languages; English is first."""
    names = [each.name.partition(".") for each in files("cli.languages").iterdir()]
    return (ENGLISH, *sorted({code for code, _, kind in names if kind in {"po", "mo"}}))


@cache
def languages() -> Mapping[str, str]:
    """Return the codes of all languages, each with its own name for itself."""
    from babel import Locale

    return {code: Locale.parse(code).get_display_name() or code for code in codes()}


class _Joined(NullTranslations):
    """Several languages at once: a text in each of them, once where they agree."""

    def __init__(self, catalogues: Sequence[NullTranslations]) -> None:
        super().__init__()
        self._catalogues = catalogues

    def gettext(self, message: str) -> str:
        return _once(each.gettext(message) for each in self._catalogues)

    def pgettext(self, context: str, message: str) -> str:
        return _once(
            each.gettext(message) if (own := each.pgettext(context, message)) == message else own
            for each in self._catalogues
        )

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _once(each.ngettext(msgid1, msgid2, n) for each in self._catalogues)


def _once(said: Iterable[str]) -> str:
    return BETWEEN.join(dict.fromkeys(said))


@cache
def catalogue(code: str) -> NullTranslations:
    """Return the texts of a language.

    A wheel has them compiled. In a checkout the text of the catalogue is read, which takes longer.
    """
    if code == ENGLISH:
        return NullTranslations()
    if SEVERAL in code:
        return _Joined([catalogue(each) for each in code.split(SEVERAL)])
    place = files("cli.languages")
    compiled = place.joinpath(f"{code}.mo")
    if compiled.is_file():
        with compiled.open("rb") as file:
            return GNUTranslations(file)
    from io import BytesIO

    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with place.joinpath(f"{code}.po").open("rb") as file:
        messages = read_po(file, locale=code)
    written = BytesIO()
    write_mo(written, messages)
    written.seek(0)
    return GNUTranslations(written)
