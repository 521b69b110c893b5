"""Every verb has help, and stands on the page of verbs."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.exits import EXITS
from cli.input.arguments import FORMATS, SHARED, VALUED
from cli.input.options import REQUIRED, is_shared, options_of
from cli.overview import EVERYDAY, TOPICS
from cli.verbs import OWN_PAGE, VERBS, acts_of
from cli.verbs.catalogue import function_of
from cli.verbs.tree import command_of
from cli.wording.event_words import WORDS
from ledger import errors
from ledger.facts.base import Meaning
from ledger.facts.vocabulary import EVENTS
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

VERBS_PAGE = ROOT / "cli" / "verbs" / "README.md"
MOMENTS_PAGE = ROOT / "projections" / "whatif" / "README.md"
SUMMARY_CELLS = 65

verb = pytest.mark.parametrize("name", VERBS)


@pytest.mark.slow
@verb
def test_every_verb_has_help(desk: Desk, name: str) -> None:
    answer = desk.done(*name.split(), "--help")
    lines = answer.out.splitlines()
    assert lines[0].startswith(f"Usage: tourney {name}")
    assert 10 < len(lines[2]) <= SUMMARY_CELLS
    assert all(len(line) <= 100 for line in lines)
    assert not re.search(r"<str>|<int>|\bNone\b(?! ?:)|Annotated", answer.out)


@pytest.mark.slow
@verb
def test_every_option_says_what_it_is(desk: Desk, name: str) -> None:
    options = [
        line for line in desk.done(*name.split(), "--help").out.splitlines() if line[:4] == "  --"
    ]
    assert all(re.fullmatch(r"  --\S+( \S.*?)?  +\S.*", line) for line in options)


@pytest.mark.parametrize("line", [["--help"], ["help"], ["-h"]])
def test_the_help_fits_a_screen(desk: Desk, line: list[str]) -> None:
    """The everyday verbs and the topics."""
    lines = desk.done(*line).out.splitlines()
    assert len(lines) <= 22
    assert all(len(line) <= 80 for line in lines)
    assert [each.split()[0] for each in lines[1:-1]] == list(EVERYDAY)
    assert set(EVERYDAY) <= set(acts_of(""))
    assert lines[-1] == f"help {'|'.join(TOPICS)}|VERB"


def test_every_verb_is_in_one_topic(desk: Desk) -> None:
    """With its acts, in a table no wider than a screen."""
    listed = []
    for topic, said in TOPICS.items():
        table = desk.done("help", topic).out.partition("\n\n")[0]
        listed += re.findall(r"^  ([a-z-]+) +[A-Z]", table, re.MULTILINE) if said.verbs else []
        assert all(len(line) <= 80 for line in table.splitlines())
        assert "…" not in table.replace("postgresql://…", "")
    assert sorted(listed) == sorted(acts_of(""))
    assert not TOPICS.keys() & set(acts_of(""))


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_shows_the_texts_of_its_packages(desk: Desk, topic: str) -> None:
    shown = " ".join(desk.done("help", topic).out.split())
    for folder in TOPICS[topic].texts:
        text = (ROOT / folder / "README.md").read_text("utf-8")
        for title in re.findall(r"^#+ ([A-Za-z ,]+)$", text, re.MULTILINE):
            assert title in shown, title
    assert "\x1b" not in shown


def test_help_for_a_wrong_word_names_the_nearest_or_the_topics(desk: Desk) -> None:
    assert "did you mean standings?" in desk.refused("help", "standing").err
    answer = desk.refused("help", "xyzzy")
    assert answer.code == 2
    assert answer.err.strip().endswith(f"topics: {', '.join(TOPICS)}")


@pytest.mark.parametrize(("word", "verb"), [("elo", "rating"), ("mend", "repair-round")])
def test_help_knows_the_other_words_for_a_verb(desk: Desk, word: str, verb: str) -> None:
    assert f"did you mean {verb}?" in desk.refused("help", word).err


def test_the_page_names_every_verb_that_looks_back() -> None:
    chapter = MOMENTS_PAGE.read_text("utf-8").partition("# Looking back, and what if")[2]
    told, found, _ = " ".join(chapter.split()).partition(" take `--at MOMENT`")
    assert found
    looks_back = {
        name.partition(" ")[0]
        for name in VERBS
        if "MOMENT" in {param.metavar for param in command_of(name).params} and name != "replay"
    }
    assert set(re.findall(r"`([a-z]+)`", told)) == looks_back


@pytest.mark.parametrize("name", acts_of(""))
def test_the_page_names_every_verb(name: str) -> None:
    text = VERBS_PAGE.read_text("utf-8")
    assert f"`{name}`" in text or f"`tourney {name}" in text


def test_the_exit_codes_are_the_same_everywhere(desk: Desk) -> None:
    """In the overview and on the page of verbs; each kind of error has one of them."""
    table = VERBS_PAGE.read_text("utf-8").partition("| exit code |")[2].partition("\n\n")[0]
    assert list(map(int, re.findall(r"^\| (\d+) \|", table, re.MULTILINE))) == list(EXITS)
    listed = desk.done("help", "options").out.partition("Exit codes:")[2]
    assert list(map(int, re.findall(r"^  (\d+)", listed, re.MULTILINE))) == list(EXITS)
    kinds = (each for each in vars(errors).values() if isinstance(each, type))
    assert {each.exit_code for each in kinds if issubclass(each, errors.LedgerError)} <= set(EXITS)


def test_the_overview_says_of_a_verb_what_its_own_help_begins_with() -> None:
    for path, each in VERBS.items():
        docstring = inspect.getdoc(function_of(each)) or ""
        assert (path, docstring.splitlines()[0]) == (path, each.summary)


def test_help_of_one_verb_is_found_however_it_is_asked_for(desk: Desk) -> None:
    assert len({desk.done(*line).out for line in (("help", "cut"), ("cut", "-h"))}) == 1


def test_the_version(desk: Desk) -> None:
    assert desk.done("--version").out.startswith("tourney ")
    assert desk.done("-V").out == desk.done("--version").out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("standing", "standings"), ("pars", "pair"), ("reprot", "report"), ("Drop", "drop")],
)
def test_a_wrong_word_gets_the_nearest_right_one(desk: Desk, typed: str, meant: str) -> None:
    answer = desk.refused(typed)
    assert answer.code == 2
    assert meant in answer.err


def test_every_event_has_words_and_a_name_for_refusals() -> None:
    withdrawn = set(Meaning.__subclasses__())
    assert set(WORDS) == {*EVENTS.values(), *withdrawn}
    assert all(each.recording.act for each in (*EVENTS.values(), *withdrawn))


VERBS_MAX, OPTIONS_MAX = 120, 300

PAGES = tuple(path for path in VERBS if " " not in path or path in OWN_PAGE)
"""What has a page of help, and is counted as a verb or act."""


def meanings() -> set[tuple[str, str]]:
    """Return every option with its help: the same option of two verbs is one."""
    options = (param for path in VERBS for param in options_of(command_of(path)))
    own = {
        (max(param.opts, key=len), REQUIRED_IF.sub("", param.help.removeprefix(REQUIRED)))
        for param in options
    }
    return own | {(name, "") for name in (*VALUED, *FORMATS, "--yes", "--help")}


def test_there_are_few_verbs_and_options() -> None:
    assert len(PAGES) <= VERBS_MAX
    assert len(meanings()) <= OPTIONS_MAX


REQUIRED_IF = re.compile("Required [^:]+: ")
"""How the text of an option begins that is required only with other words of the line."""


def functions_of(path: str) -> Iterator[ast.FunctionDef]:
    """Yield the function of a verb, and the functions of its own module that it calls."""
    function = inspect.unwrap(function_of(VERBS[path]))
    module = ast.parse(Path(inspect.getfile(function)).read_text("utf-8"))
    there = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    reached, waiting = set(), [function.__name__]
    while waiting:
        if (name := waiting.pop()) not in reached:
            reached.add(name)
            waiting += [call for call in calls_in(there[name]) if call in there]
            yield there[name]


def calls_in(tree: ast.AST) -> list[str]:
    """List the functions that are called by their plain name."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [func.id for func in calls if isinstance(func, ast.Name)]


def asks_for(function: ast.FunctionDef, option: str) -> bool:
    """Whether a function refuses a line because it lacks an option."""
    if option == "--reason" and "needs_reason" in calls_in(function):
        return True
    spelled = (node for node in ast.walk(function) if isinstance(node, ast.Constant))
    texts = [node.value for node in spelled if isinstance(node.value, str)]
    is_asked = [f"needs {option}" in text for text in texts]
    return sum(is_asked) > (f"needs {option}" in (ast.get_docstring(function) or ""))


def options_named(path: str) -> dict[str, str]:
    """Return the options of a verb that take a value, each with its text."""
    options = (param for param in options_of(command_of(path)) if not param.is_flag)
    return {max(param.opts, key=len): param.help for param in options}


@verb
def test_the_help_says_which_options_are_required(name: str) -> None:
    """Always, or with which other words: what refuses a line without the option names them."""
    texts = options_named(name)
    asked = {
        option for function in functions_of(name) for option in texts if asks_for(function, option)
    }
    said = {option for option, text in texts.items() if text.startswith("Required")}
    assert asked <= said


@pytest.mark.parametrize("name", ["key renew", "key revoke", "key draws", "key hidden"])
def test_a_key_is_not_replaced_without_a_reason(desk: Desk, name: str) -> None:
    """As the usage of its help says."""
    desk.open(4)
    words = ["x" * 8 for param in command_of(name).params if param.required]
    answer = desk.refused(*name.split(), *words)
    assert (answer.code, f"{name} needs --reason" in answer.err) == (2, True)
    usage = desk.done("key", "--help").out.partition(f"  {name} ")[2].partition("\n")[0]
    assert "--reason TEXT" in usage.replace("[--reason TEXT]", "")


def test_an_act_has_a_page_of_its_own_for_its_acts_or_three_further_options() -> None:
    own = {
        path: {max(param.opts, key=len) for param in options_of(command_of(path))} - {*SHARED}
        for path in VERBS
    }
    more = {path: own[path] - own[path.partition(" ")[0]] for path in VERBS if " " in path}
    assert {path for path in more if len(more[path]) >= 3 or acts_of(path)} == OWN_PAGE


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_help_describes_its_acts(desk: Desk, name: str) -> None:
    shown = " ".join(desk.done(*name.split(), "--help").out.split())
    for act in (f"{name} {word}" for word in acts_of(name)):
        if act in OWN_PAGE:
            assert f"{act} --help" in shown
            continue
        assert act in shown
        for param in options_of(command_of(act)):
            assert f"{min(param.opts, key=len)}" in shown
            assert is_shared(param) or " ".join(param.help.split()) in shown


@pytest.mark.parametrize(
    "line",
    [
        "--at 3 standings",
        "--at=3 --json standings",
        "--json --at 3 standings",
        "-t night --at 3 log",
    ],
)
def test_a_shared_option_may_stand_before_the_verb(desk: Desk, line: str) -> None:
    desk.open(4, "custom", "--rounds", "1")
    words = line.split()
    behind = [word for word in words if word not in {"--at", "--at=3", "3"}]
    answer = desk.done(*words)
    assert "as of event 3" in answer.err
    assert answer.out == desk.done(*behind, "--at", "3").out


def test_a_shared_option_needs_a_verb_that_takes_it(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    assert "add the verb" in desk.refused("--at", "3").err
    assert "no option --at" in desk.refused("--at", "3", "pair").err
    assert "--at needs a value" in desk.refused("standings", "--at").err
