"""Return a text in the language of the page or terminal that shows it.

The texts of the code are English. A catalogue, `CODE.po` in this folder, translates each text to
one language; a text that is missing from the catalogue remains English. A variable value is a name
in braces, so that a translation can move it. A log, `--json` and `--csv` are English in every
language.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import TYPE_CHECKING

from ledger.marking import marked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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
"""Separator between the languages of a text in several languages."""


class _Several(str):
    """A text in several languages at once; equal texts appear once."""

    __slots__ = ("forms",)
    forms: tuple[str, ...]


class _Spoken:
    """The catalogues that are spoken at once; usually it is one."""

    def __init__(self, code: str) -> None:
        self._catalogues = [catalogue(part) for part in code.split(SEVERAL)]

    def said(self, look: Callable[[NullTranslations], str], about: Mapping[str, object]) -> str:
        """Look up a text in each catalogue, and fill in its braces from `about`."""
        if len(self._catalogues) == 1:
            text = look(self._catalogues[0])
            return text.format_map(about) if about else text
        forms = []
        for place, translations in enumerate(self._catalogues):
            own = {
                name: value.forms[place] if isinstance(value, _Several) else value
                for name, value in about.items()
            }
            forms.append(look(translations).format_map(own) if own else look(translations))
        text = _Several(BETWEEN.join(dict.fromkeys(forms)))
        text.forms = tuple(forms)
        return text


_SPOKEN: ContextVar[tuple[str, _Spoken] | None] = ContextVar("spoken", default=None)
"""The code and the catalogues of the language that is spoken; None is English."""


def tr(text: str, /, **about: object) -> str:
    """Return a text in the language that is spoken; `about` has what its braces name."""
    if (spoken := _SPOKEN.get()) is None or not text:  # the empty text has a catalogue's head
        return text.format_map(about) if about else text
    return spoken[1].said(lambda catalogue: catalogue.gettext(text), about)


def tr_of(context: str, text: str, /, **about: object) -> str:
    """Return a text whose translation depends on its place, which `context` names in English."""
    if (spoken := _SPOKEN.get()) is None or not text:
        return text.format_map(about) if about else text

    def translated(catalogue: NullTranslations) -> str:
        own = catalogue.pgettext(context, text)
        return catalogue.gettext(text) if own == text else own

    return spoken[1].said(translated, about)


def tr_many(one: str, many: str, count: int, /, **about: object) -> str:
    """Return the form of a text for a number, which its braces name `count`."""
    about = {"count": in_figures(count), **about}
    if (spoken := _SPOKEN.get()) is None:
        return (one if count == 1 else many).format_map(about)
    return spoken[1].said(lambda catalogue: catalogue.ngettext(one, many, count), about)


def form_for(one: str, many: str, count: int) -> str:
    """Return the form of a text for a number, with its braces."""
    if (spoken := _SPOKEN.get()) is None:
        return one if count == 1 else many
    return spoken[1].said(lambda catalogue: catalogue.ngettext(one, many, count), {})


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
    token = _SPOKEN.set(None if code == ENGLISH else (code, _spoken(code)))
    try:
        yield
    finally:
        _SPOKEN.reset(token)


@cache
def _spoken(code: str) -> _Spoken:
    return _Spoken(code)


@cache
def codes() -> Sequence[str]:
    """Return the codes of all languages; English is first."""
    names = [file.name.partition(".") for file in files("cli.languages").iterdir()]
    return (ENGLISH, *sorted({code for code, _, kind in names if kind in {"po", "mo"}}))


@cache
def languages() -> Mapping[str, str]:
    """Return the codes of all languages, each with its own name for itself."""
    from babel import Locale

    return {code: Locale.parse(code).get_display_name() or code for code in codes()}


@cache
def catalogue(code: str) -> NullTranslations:
    """Return the texts of a language.

    A wheel has them compiled. In a checkout the text of the catalogue is read, which takes longer.
    """
    if code == ENGLISH:
        return NullTranslations()
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
