"""Help: the everyday verbs; the verbs of a topic, and the text about it; the options."""

from __future__ import annotations

import os
import re
import sys
from contextlib import redirect_stderr, suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cli.exits import EXITS
from cli.input.arguments import SHARED, UsageError
from cli.languages.speaking import ENGLISH, language, marked, tr
from cli.terminal.output import has_colours, show
from cli.terminal.tables import WIDTH, broken, terminal_width
from cli.terminal.visible import shortened, visible
from cli.verbs import NEEDS, VERBS, acts_of, verbs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.input.arguments import Options
    from ledger.tournament.state import Tournament

VERB_CELLS = 13
CODE_CELLS = 16
SHARED_CELLS = 20
TEXT_WIDTH_MAX = 100
ROOT = Path(__file__).parents[1]
"""The folder of the packages and their READMEs, in a checkout and in an installed wheel."""

HEAD = marked("tourney records a tournament in a log in which nothing is ever overwritten.")

EVERYDAY = (
    "new", "register", "start", "pair", "round", "report", "correct", "undo", "drop", "standings",
    "cut", "finish", "list", "match", "explain", "dispute", "rule", "serve", "verify", "export",
)  # fmt: skip
"""The verbs of a usual day, in its order."""

OPTIONS = marked("""\
Before or after any verb:
  --store PLACE   a file, or postgresql://…; default: TOURNEY_STORE, or the
                  current tournament's store, or ./tourney.db
  --log FILE      look into the file of a log, in place of a store
  -t TOURNAMENT   another tournament: part of its id or name
  --as OFFICIAL   the official at the desk; or p7: player 7 at their own desk
  --for PLAYER    the player on whose behalf you act
  --id ID         the command's id; a repeat with the same id changes nothing
  --json          data as JSON on stdout
  --csv           a table for a spreadsheet on stdout
  --lang CODE     the language of the answer; default: LC_ALL, LC_MESSAGES, LANG
  --yes           do not ask for confirmation
  --help          with a verb: its arguments and options

Of the verbs that name them, also before the verb:
{shared}

Instead of a verb:
  help TOPIC      the verbs of a topic, and the text about it
  help VERB       the same as VERB --help
  --install-completion
                  let the shell complete verbs, names and tables

Exit codes:
""")


class Topic(NamedTuple):
    """The verbs of `help TOPIC`, by their first word, and the folders of its texts."""

    subject: str
    verbs: tuple[str, ...]
    texts: tuple[str, ...] = ()


TOPICS = {
    "day": Topic(
        marked("from the opening to the end"),
        ("new", "tournaments", "use", "official", "start", "pair", "unpair", "swap", "late",
         "repair-round", "pairings", "post", "round", "report", "correct", "undo", "standings",
         "bracket", "cut", "finish"),
        ("cli/desk",),
    ),
    "players": Topic(
        marked("registration, lists, departures, prizes"),
        ("register", "rename", "names", "amend", "unregister", "forget", "list", "lists",
         "check-in", "requests", "concede", "drop", "rejoin", "disqualify", "prize"),
        ("ledger/lines",),
    ),
    "judging": Topic(
        marked("disputes, rulings, conduct, and the tables' set-up"),
        ("confirm", "dispute", "disputes", "match", "evidence", "rule", "appeal", "review",
         "conduct", "recommend", "penalty", "note", "call", "slow-play", "component", "scenario",
         "draft", "first", "side", "battle", "terrain", "armies", "firstfive", "clause"),
        ("cli/verbs/table",),
    ),
    "logs": Topic(
        marked("the log at any moment"),
        ("log", "explain", "diff", "whatif", "audit", "replay"),
        ("projections/whatif",),
    ),
    "proof": Topic(
        marked("checks by anyone: heads, receipts, witnesses"),
        ("checkpoint", "verify", "receipt", "witness", "sign"),
        ("ledger/proof",),
    ),
    "keys": Topic(marked("the keys that sign, and lost keys"), ("key",)),
    "hall": Topic(
        marked("phones, screens and public pages"),
        ("serve", "follow", "take-over", "links", "publish", "demo", "rehearse"),
        ("cli/serve",),
    ),
    "league": Topic(
        marked("a season of tournaments"),
        ("season", "stats", "rating", "query"),
        ("cli/season", "projections/season"),
    ),
    "files": Topic(
        marked("files in and out, and for scripts"),
        ("import", "export", "reproduce", "backup", "restore", "merge"),
        ("ledger/exchange/programs", "ledger/exchange/sheets", "cli"),
    ),
    "games": Topic(
        marked("rulesets and formats"),
        ("ruleset", "format"),
        ("ledger/rulesets", "ledger/formats"),
    ),
    "options": Topic(marked("options of every verb, and exit codes"), ()),
}  # fmt: skip
"""Every verb is in one of them."""


def show_help(options: Options, words: list[str]) -> int:
    """Print the everyday verbs, or with a topic all of its verbs and the text about it.

    Raises:
        UsageError: the word is neither a verb nor a topic.
    """
    topic = TOPICS.get(words[0].lower()) if len(words) == 1 else None
    if not words:
        show(tr(HEAD), *(_summary(word) for word in EVERYDAY), f"help {'|'.join(TOPICS)}|VERB")
    elif topic is None:
        from cli.input.options import close_to

        close = close_to(words[0], (*TOPICS, *acts_of("")))
        hint = tr("topics: {topics}", topics=", ".join(TOPICS))
        if close:
            hint = tr("did you mean {words}?", words=tr(" or ").join(close))
        typed = visible(" ".join(words))
        raise UsageError(tr("there is no verb or topic {words}; {hint}", words=typed, hint=hint))
    else:
        _show_topic(topic, options)
    return 0


CODE_MARGINS = 2
"""The cells beside a line of code in a text."""

REMARK_CELLS_MIN = 24
"""A remark behind code gets so many cells, or lines of its own."""

_BEFORE_REMARK = re.compile(r"(\s*\S+(?: \S+)*)(  +)((?:# )?)(\S.*)")


def _show_topic(topic: Topic, options: Options) -> None:
    """Print a topic, on a terminal with a pager."""
    lines = [f"{tr(topic.subject)}:"] if topic.verbs else _options()
    depends = any(path.partition(" ")[0] in topic.verbs for path in NEEDS)
    verbs = verbs_of(_in_hand(options) if depends else None)
    for word in (word for word in topic.verbs if word in verbs):
        lines.append(_summary(word))
        if acts := acts_of(word, verbs):
            indent = " " * (VERB_CELLS + 2)
            acts_in_lines = broken(f"{word} {', '.join(acts)}", WIDTH - len(indent))
            lines.extend(f"{indent}{line}" for line in acts_in_lines)
    texts = "".join(f"\n{_as_text(ROOT / folder / 'README.md')}" for folder in topic.texts)
    text = "\n".join(lines) + "\n" + texts
    if sys.stdout.isatty() and texts:
        from pydoc import pager

        os.environ.setdefault("LESS", "-R")  # colours as such
        pager(text)
    else:
        show(*text.splitlines())


def _summary(word: str) -> str:
    return shortened(f"  {word:<{VERB_CELLS}}{tr(VERBS[word].summary)}", WIDTH)


def _options() -> list[str]:
    codes = (f"  {code:<{CODE_CELLS}}{tr(meaning)}" for code, meaning in EXITS.items())
    shared = [
        f"  {f'{name} {metavar}':<{SHARED_CELLS}}{_as_entry(text)}"
        for name, (metavar, text) in SHARED.items()
    ]
    return [*tr(OPTIONS).replace("{shared}", "\n".join(shared)).splitlines(), *codes]


def _as_entry(text: str) -> str:
    """Return a sentence about an option as an entry of a list."""
    said = tr(text).rstrip(".")
    return said[0].lower() + said[1:] if language() == ENGLISH else said


def _as_text(path: Path) -> str:
    """Return a Markdown file as text for a terminal, with colours if stdout is a terminal."""
    from rich.console import Console
    from rich.markdown import Markdown

    written = StringIO()
    colours, width = has_colours(sys.stdout), min(terminal_width(), TEXT_WIDTH_MAX)
    console = Console(file=written, width=width, force_terminal=colours, no_color=not colours)
    text = "\n".join(code_lines_fitted(path.read_text("utf-8"), width - CODE_MARGINS))
    console.print(Markdown(text, hyperlinks=False, code_theme="ansi_light"))
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def code_lines_fitted(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a Markdown file; a line of code that is too long goes on below itself."""
    is_code = False
    for line in text.splitlines():
        if line.startswith("```"):
            is_code = not is_code
        yield from _code_line_fitted(line, width) if is_code else [line]


def _code_line_fitted(line: str, width: int) -> Iterator[str]:
    """Yield a line of code; the words behind a gap of two spaces go on in their own column."""
    parts = _BEFORE_REMARK.match(line) if len(line) > width else None
    if not parts:
        deeper = len(line) - len(line.lstrip()) + 4
        first, *others = broken(line, width) if len(line) > width else [line]
        yield first
        yield from (" " * deeper + part for rest in others for part in broken(rest, width - deeper))
        return
    code, gap, sign, remark = parts.groups()
    column = len(code + gap)
    if column > width - REMARK_CELLS_MIN:
        yield from _code_line_fitted(code, width)
        code, column = "", 4
    for part in broken(remark, width - column - len(sign)):
        yield f"{code:<{column}}{sign}{part}"
        code = ""


def _in_hand(options: Options) -> Tournament | None:
    """Return the tournament in hand, without messages; None if it is missing or cannot be read."""
    files = (".tourney", "tourney.db")
    named = options.store or options.log
    if not (named or "TOURNEY_STORE" in os.environ or any(map(os.path.exists, files))):
        return None
    from cli.desk.file_desk import desk_for
    from ledger.errors import LedgerError

    with suppress(LedgerError, UsageError, OSError), redirect_stderr(StringIO()):
        desk = desk_for(options, [])
        desk.if_changed = "pass"
        return desk.book.tournament
    return None
