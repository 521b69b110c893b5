"""Find every text of the code that is translated, and bring the catalogues up to date.

`python -m tests.cli.languages.catalogue_texts` adds to each catalogue the texts that it lacks,
without a translation, and removes those that the code has no more.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from inspect import getdoc
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from cli.input.arguments import SHARED
from cli.languages.proof_words import sentences
from cli.serve.pages.script_texts import said_by_scripts
from cli.serve.rehearsals.demo import SCRIPT
from cli.terminal.output import PROGRAM
from cli.verbs import VERBS
from cli.verbs.catalogue import function_of
from cli.verbs.tree import command_of
from ledger import formats
from ledger.problems import CITED
from ledger.proof.table import CheckTable
from ledger.rulesets import words_shown
from projections.audit.findings import KINDS
from projections.season.rating_tables import CALIBRATION, FORECASTS, HISTORY, LEADS, RANKING, UPSETS
from projections.season.tables.definitions import questions, tables
from tests.house.code import SOURCES
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from ledger.formats.format import Format

LANGUAGES = ROOT / "cli" / "languages"
WIDTH = 100


class Text(NamedTuple):
    """A text of the code: its context, its form for one, and the form for many if it counts."""

    context: str
    one: str
    many: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """Return what a catalogue has it by."""
        return (self.one, self.many) if self.many else self.one


RATINGS = (CALIBRATION, FORECASTS, HISTORY, LEADS, RANKING, UPSETS)
"""Tables of ratings, which pages and a terminal show."""

HELP_IN = frozenset({"de"})
"""Languages that have the texts of the terminal as well: its help, checks and tables to query."""


def texts(code: str) -> dict[Text, list[str]]:  # noqa: C901 - from each kind of place
    """Return every text that a language has, with the files that have it."""
    found: dict[Text, list[str]] = {}
    for path in SOURCES:
        for text in _of_python(path.read_text("utf-8")):
            _noted(found, text, path.relative_to(ROOT).as_posix())
    for said in said_by_scripts():
        _noted(found, Text("", said.text, said.many), "cli/serve/static")
    for word in words_shown():
        _noted(found, Text("", word), "ledger/rulesets")
    for kind in KINDS.values():
        _noted(found, Text("", kind.title), "projections/audit")
        _noted(found, Text("", kind.meaning), "projections/audit")
    for question in questions():
        _noted(found, Text("", question.title), "projections/season/questions")
        _noted(found, Text("", question.answers), "projections/season/questions")
    for question in (*questions(), *RATINGS):
        for column in question.columns:
            title = Text("column", column.name.replace("_", " "))
            _noted(found, title, "projections/season/questions")
    for words in _of_formats():
        _noted(found, Text("", words), "ledger/formats")
    for words in sentences()["pages"]:
        _noted(found, Text("", words), SENTENCES)
    if code in HELP_IN:
        for place, text in _of_terminal():
            _noted(found, text, place)
    return found


SENTENCES = "cli/languages/proof_sentences.toml"


def _of_formats() -> Iterator[str]:
    """Yield the words of the formats that findings about a list have, on pages as well."""
    for key in formats.names():
        for check in formats.load(key).format.checks:
            named = [getattr(check, name, "") for name in ("what", "bare", "sleeved", "text")]
            yield from (words for words in named if isinstance(words, str) and words)
            yield from (choice.what for choice in getattr(check, "choices", ()))


def _of_terminal() -> Iterator[tuple[str, Text]]:
    """Yield the texts that only a terminal shows, each behind its place."""
    yield from (("help", Text("", words)) for words in _help())
    yield from ((SENTENCES, Text("", words)) for words in sentences()["terminal"])
    yield from ((SENTENCES, Text("check", name)) for name in CheckTable._fields)
    asked = "projections/season/questions"
    columns = [column for question in questions() for column in question.columns]
    yield from ((asked, Text("", column.meaning)) for column in columns)
    yield from ((asked, Text("unit", unit)) for unit in sorted({each.unit for each in columns}))
    demo = SCRIPT.read_text("utf-8")
    for stop in tomllib.loads(demo)["stops"]:
        yield "cli/serve/rehearsals", Text("", stop["text"])
    for table in tables():
        yield "projections/season/tables", Text("", table.about)
        for column in table.columns:
            yield "projections/season/tables", Text("", column.meaning)
    for key in formats.names():
        for words in _described_in(formats.load(key).format):
            yield "ledger/formats", Text("", words)


def _described_in(listed: Format) -> Iterator[str]:
    yield from (section.meaning for section in listed.sections)
    yield from (fact.meaning for fact in listed.facts)
    yield from (variant.meaning for variant in listed.variants)
    yield from (words for rule in listed.rules for words in (rule.name, rule.meaning))
    yield from (words for each in listed.left for words in (each.name, each.meaning))
    for reading in listed.readings:
        yield from (reading.name, reading.value, reading.meaning)


def _help() -> Iterator[str]:
    """Yield the texts of the help: paragraphs of docstrings, and what words and options mean."""
    yield "Required"
    yield from (text for _, text in SHARED.values())
    for path, verb in VERBS.items():
        for param in command_of(path).params:
            text = getattr(param, "help", "") or ""
            needed, _, rest = text.partition(": ")
            yield from (needed, rest) if text.startswith("Required") else [text]
        paragraphs = (getdoc(function_of(verb)) or "").split("\n\n")
        yield from (" ".join(each.split()) for each in paragraphs if not _is_example(each))


def _is_example(paragraph: str) -> bool:
    return paragraph.lstrip().startswith(f"{PROGRAM} ")


def _noted(found: dict[Text, list[str]], text: Text, name: str) -> None:
    text = Text(text.context, CITED.sub("", text.one), CITED.sub("", text.many))
    between = re.sub(r"\{\w+\}", "", text.one)
    if re.search(r"[A-Za-z.,:;“”]", between) or text.many:  # marks differ between languages
        places = found.setdefault(text, [])
        if name not in places:
            places.append(name)


def _of_python(source: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = node.func.id if isinstance(node.func, ast.Name) else name
            yield from _of_call(name, node)


def _of_call(name: str, call: ast.Call) -> Iterator[Text]:  # noqa: C901 - a case for each
    given = [list(_literals(each)) for each in call.args]
    named = {each.arg: next(_literals(each.value), "") for each in call.keywords}
    first = given[0] if given else []
    match name:
        case "tr" | "tr_nodes" | "marked" | "_":
            yield from (Text("", each) for each in first)
        case "Column" | "prose":
            yield from (Text("column", each) for each in first)
        case "Problem" if len(given) > 1:
            yield from (Text(code, each) for code in first or [""] for each in given[1])
        case "phrase" | "Phrase":
            yield from (Text("", each, named.get("plural", "")) for each in first)
        case "tr_of":
            yield from (Text(context, each) for context in first for each in given[1])
        case "tr_many" if first:
            yield from (Text("", one, many) for one in first for many in given[1])
        case "problem" if len(given) > 1:
            many = named.get("plural", "")
            yield from (Text(code, each, many) for code in first or [""] for each in given[1])
        case "how_many" | "first_of" if len(given) > 1:
            place = 1 if name == "how_many" else 2
            for thing in given[place]:
                things = next(iter(given[2]), "") if name == "how_many" and given[2:] else ""
                yield Text("", f"{{count}} {thing}", f"{{count}} {things or f'{thing}s'}")
        case "amount_of" if len(given) > 1:
            yield from (Text("", f"{{amount}} {each}", f"{{amount}} {each}s") for each in given[1])
        case _:
            return


_TAKES = MappingProxyType(
    {
        **dict.fromkeys(("tr", "tr_many", "tr_nodes", "phrase", "Phrase"), 0),
        **dict.fromkeys(("tr_of", "problem", "Problem"), 1),
    }
)
"""The place of the text among the arguments of each function that takes one."""


def unmarked() -> Iterator[tuple[str, str]]:
    """Yield the texts that reach such a function by a variable, with their files, if not marked."""
    for path in SOURCES:
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for text in _by_variable(function):
                    yield path.relative_to(ROOT).as_posix(), text


def _by_variable(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    assigned: dict[str, list[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            assigned.setdefault(node.targets[0].id, []).extend(_literals(node.value))
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = _TAKES.get(node.func.id, len(node.args))
            text = node.args[place] if place < len(node.args) else None
            if isinstance(text, ast.Name):
                yield from filter(None, assigned.get(text.id, ()))


def _literals(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression may be: of `"a" if b else "c"` both."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for each in node.values:
            yield from _literals(each)


def catalogue(code: str) -> Catalog:
    """Return the catalogue of a language as its file has it."""
    with (LANGUAGES / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def written(catalog: Catalog) -> bytes:
    """Return the file of a catalogue."""
    file = BytesIO()
    write_po(file, catalog, width=WIDTH, no_location=True, omit_header=False, sort_output=True)
    return file.getvalue()


def updated(catalog: Catalog) -> Catalog:
    """Return a catalogue with the texts of the code, each with its translation if it has one."""
    fresh = Catalog(locale=catalog.locale, header_comment=catalog.header_comment, charset="utf-8")
    fresh.fuzzy = False
    fresh.mime_headers = catalog.mime_headers
    for text in texts(str(catalog.locale)):
        before = catalog.get(text.id, text.context or None)
        fresh.add(text.id, before.string if before else None, context=text.context or None)
    return fresh


if __name__ == "__main__":
    for path in sorted(LANGUAGES.glob("*.po")):
        made = updated(catalogue(path.stem))
        path.write_bytes(written(made))
        left = sum(not (all(m.string or ()) if m.pluralizable else m.string) for m in made if m.id)
        sys.stdout.write(f"{path.name}: {left} texts to translate\n")
