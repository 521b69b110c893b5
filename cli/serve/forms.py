"""Forms without a script: their HTML fields, the posted fields, and the command of each form.

A form is at `/do/NAME`. Besides its own fields it has `id`, drawn when it was rendered, so that
a double click is one act; `to`, the page that follows; `for`, the player on whose word an official
enters it; and `seen`, the event up to which its page knew the tables. An act of a player's form is
recorded as that player's act.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import htpy
import msgspec

from cli.input.find_people import shown_name
from cli.input.matches import facts_in_words
from cli.languages.speaking import marked, tr
from cli.outside import draw_id, moment
from cli.serve.refusals import Malformed, NotYet
from cli.serve.visitors import Visitor  # noqa: TC001 - a NamedTuple's
from cli.terminal.visible import visible
from cli.wording.phrases import score_in_words
from ledger.errors import Refused
from ledger.problems import phrase, problem
from ledger.rules.command import Command, Seen, match_of
from ledger.rules.disputes import ConfirmResult, DisputeResult
from ledger.rules.lists import SubmitList
from ledger.rules.office import CallJudge
from ledger.rules.opening import AskRegistration
from ledger.rules.people import DropPlayer
from ledger.rules.results import Concede, Report, StatedResult, no_result
from ledger.rules.rounds import CheckIn
from ledger.rules.undo import TakeBackReport
from ledger.tournament.disputes import WAITING, current_claim, latest_dispute
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable

    from htpy import Node

    from ledger.facts.shared import Result
    from ledger.tournament.state import Match
    from ledger.tournament.table_records import Claim

Value = TypeVar("Value")


def act_form(
    name: str,
    *content: Node,
    to: str,
    at: str = "",
    hidden: Mapping[str, object] | None = None,
    act: str = "",
) -> Node:
    """Return a form that does one act: posted twice it is done once.

    It leads to `to`; if it is refused, the page `at` is shown again. `act` names the
    waiting act on a phone; without it the button does.
    """
    fields = {"id": draw_id(), "to": to, **({"at": at} if at else {}), **(hidden or {})}
    attributes = {"data_said": visible(act)} if act else {}
    return htpy.form(method="post", action=f"do/{name}", class_="act", **attributes)[
        (htpy.input(type="hidden", name=key, value=str(value)) for key, value in fields.items()),
        content,
    ]


def button(text: str, name: str = "", value: str = "", *, kind: str = "", act: str = "") -> Node:
    """Return a button that posts its form; `kind` is `main` for the usual choice, else `quiet`.

    `act` names the waiting act on a phone; by default the button's text names it.
    """
    attributes = {"name": name, "value": value} if name else {}
    attributes |= {"data_said": visible(act)} if act else {}
    return htpy.button(type="submit", class_=kind or None, **attributes)[visible(text)]


def number_field(label: str, name: str, low: int, high: int, value: str = "") -> Node:
    """Return a field for a whole number, which a phone shows its digits for."""
    return htpy.label(class_="field")[
        htpy.span[visible(label)],
        htpy.input(
            type="number",
            inputmode="numeric",
            name=name,
            min=str(low),
            max=str(high),
            value=visible(value),
            autocomplete="off",
        ),
    ]


def text_field(label: str, name: str, value: str = "", *, longest: int = 1_000) -> Node:
    """Return a field for a line of text."""
    return htpy.label(class_="field wide")[
        htpy.span[visible(label)],
        htpy.input(
            type="text", name=name, value=visible(value), maxlength=str(longest), autocomplete="off"
        ),
    ]


def choice(label: str, name: str, options: Iterable[tuple[str, str]], value: str = "") -> Node:
    """Return a list of which one is chosen: pairs of what is posted and what is read."""
    return htpy.label(class_="field wide")[
        htpy.span[visible(label)],
        htpy.select(name=name)[
            (
                htpy.option(value=each, selected=each == value)[visible(text)]
                for each, text in options
            )
        ],
    ]


def folded(summary: str, *content: Node, key: str, is_open: bool = False) -> Node:
    """Return what is unfolded when it is wanted; `key` names it on its page."""
    return htpy.details(id=key, open=is_open)[htpy.summary[visible(summary)], content]


FIELDS_MAX = 200
NUMBER_DIGITS = 9

Fields: TypeAlias = Mapping[str, str]
NO_FIELDS: Fields = MappingProxyType({})


class ActForm(NamedTuple):
    """What `/do/NAME` carries out; `command_of` raises LedgerError where the fields make none."""

    name: str
    command_of: Callable[[Fields, Tournament, Visitor], Command]
    for_newcomers: bool = False
    """Whether it is for who came by the tournament's own link, and for nobody else."""

    at_desk: bool = False
    """Whether the hall's desk enters it on the player's word, since players enter no such event."""


def fields_of(body: bytes) -> dict[str, str]:
    """Read what a form posts; of a name that comes twice the last counts; or Malformed."""
    try:
        text = body.decode("utf-8")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS_MAX, errors="strict")
    except ValueError:
        raise Malformed(
            phrase("this form has too many fields, or fields that are not text")
        ) from None
    return {name: value.replace("\r\n", "\n") for name, value in pairs}


def number(fields: Fields, name: str, default: int | None = None) -> int:
    """Return a field that is a whole number, perhaps below 0; or Malformed."""
    text = fields.get(name, "").strip()
    if not text and default is not None:
        return default
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= NUMBER_DIGITS):
        raise Malformed(problem("form.number", "{field} must be a whole number", field=name))
    return int(text)


def seen(fields: Fields, *matches: int) -> Seen | None:
    """Return up to which event the form's page knew these matches."""
    return Seen(matches, number(fields, "seen")) if fields.get("seen") else None


def own_path(fields: Fields, name: str = "to") -> str:
    """Return the page that a form leads to, of this server alone; the first page otherwise."""
    path = fields.get(name, "")
    is_own = path.startswith("/") and not path.startswith("//") and "\\" not in path
    is_plain = path.isascii() and path.isprintable() and len(path) <= FIELDS_MAX
    return path if is_own and is_plain else "/"


MARK_DIGITS = 16


def mark_of(match: Match, claim: Claim) -> str:
    """Return a hash of the players, the reporter and the result of a match.

    The event's number differs after an older copy was restored.
    """
    content = (match.first, match.second, claim.player, claim.result)
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:MARK_DIGITS]


def held_to(
    tournament: Tournament, match: Match, player: int, name: str, fields: Fields = NO_FIELDS
) -> dict[str, object]:
    """Return the hidden fields by which a player's act lands at this table, and nowhere else.

    An answer lands only on this result. The fields of an earlier page are kept.
    """
    about: dict[str, object] = {
        "match": match.number,
        "seen": fields.get("seen") or tournament.seq,
    }
    claim = current_claim(tournament, match)
    if name in ANSWERS and claim:
        about["answers"] = fields.get("answers") or mark_of(match, claim)
    elif name not in ANSWERS:
        about["against"] = fields.get("against") or opponent_of(match, player)
    return about


def _refuse_other(fields: Fields, state: Tournament, visitor: Visitor) -> None:
    """Refuse an act that is meant for another opponent, or that answers another result.

    Raises:
        NotYet: it answers a result, and the table has no result yet.
        Refused: another player, or another result, is at the table.
    """
    mark, opponent = fields.get("answers", ""), number(fields, "against", 0)
    has_landed = visitor.command_id(fields.get("id", "")) in state.ids
    if has_landed or not (mark or opponent):
        return
    match = match_of(state, number(fields, "match"))
    if match.void:
        return  # the rules refuse it by the event that the page showed
    claim = current_claim(state, match)
    if mark and claim is None:
        raise NotYet(no_result(match))
    is_other = bool(mark and claim and mark_of(match, claim) != mark)
    if is_other or (opponent and opponent not in (match.first, match.second)):
        text = marked(
            "your table has changed since this page was loaded: look at it, and send this again"
        )
        raise Refused(problem("form.other_table", text))


ANSWERS = frozenset({"confirm", "dispute"})
"""Forms that answer the result of a table."""

Pair = tuple[int, int]
HAS: dict[str, Pair] = {"1": (1, 0), "2": (0, 1), "both": (1, 1)}


def _report(fields: Fields, state: Tournament, _visitor: Visitor) -> Report:
    """Read `match`, `seen`, `against`, and how it ended.

    Raises:
        Refused: another player than `against` is seated there, as after an older copy was restored.
    """
    match = number(fields, "match")
    if opponent := number(fields, "against", 0):
        seated = match_of(state, match)
        if opponent not in (seated.first, seated.second):
            text = marked(
                "your table has changed since this page was loaded: enter the result again"
            )
            raise Refused(problem("form.other_match", text))
    return Report(match=match, result=stated(fields, state), seen=seen(fields, match))


def stated(fields: Fields, state: Tournament) -> StatedResult:
    """Read how a match ended: `outcome` of the first player, or `points1` and `points2`.

    Where the ruleset reads facts also `ending`, `fact.NAME.1` and `fact.NAME.2`, or `has.NAME`.
    """
    points = None
    if fields.get("points1") or fields.get("points2"):
        points = (number(fields, "points1"), number(fields, "points2"))
    facts, ending = _facts(fields, state), fields.get("ending", "")
    outcome = fields.get("outcome", "")
    if not facts and not ending:
        return StatedResult(outcome, points)
    return StatedResult(outcome, None, facts, ending)


def _facts(fields: Fields, state: Tournament) -> dict[str, Pair]:
    """Read the facts that a form gives, in the order of the pairing; an empty field gives none."""
    declared = state.ruleset.derives
    found: dict[str, Pair] = {}
    for label in declared.labels if declared else ():
        sides = f"fact.{label}.1", f"fact.{label}.2"
        if pair := HAS.get(fields.get(f"has.{label}", "")):
            found[label] = pair
        elif any(fields.get(side, "").strip() for side in sides):
            found[label] = (number(fields, sides[0]), number(fields, sides[1]))
    return found


RESULT_FORMS = (ActForm("report", _report),)


def _confirm(fields: Fields, state: Tournament, visitor: Visitor) -> Command:
    """Read `match`, `seen`, and the result that it `answers`."""
    _refuse_other(fields, state, visitor)
    match = number(fields, "match")
    return ConfirmResult(match, seen=seen(fields, match))


def _dispute(fields: Fields, state: Tournament, visitor: Visitor) -> Command:
    """Read `match`, `seen`, what it `answers`, `reason` and, if said, what happened instead."""
    _refuse_other(fields, state, visitor)
    match = number(fields, "match")
    claim = stated(fields, state)
    return DisputeResult(
        match,
        claim if claim != StatedResult() else None,
        fields.get("reason", ""),
        seen=seen(fields, match),
    )


def _concede(fields: Fields, state: Tournament, visitor: Visitor) -> Command:
    """Read `match`, `seen`, `against`, and the facts that the points hang on."""
    _refuse_other(fields, state, visitor)
    match = number(fields, "match")
    facts = stated(fields, state).facts or {}
    return Concede(_whose(fields, visitor), facts, seen=seen(fields, match))


def _leave(fields: Fields, state: Tournament, visitor: Visitor) -> Command:
    """Read `match`, the player's latest one or 0, `seen`, `against`, and the facts of its points.

    No other match is given up with it.
    """
    _refuse_other(fields, state, visitor)
    facts = stated(fields, state).facts or {}
    latest = seen(fields, number(fields, "match", 0))
    return DropPlayer(_whose(fields, visitor), facts=facts, seen=latest)


TAKE_BACK_SECONDS = 60
"""Seconds in which a player can undo a report that the opponent has not answered."""


def seconds_to_take_back(tournament: Tournament, match: int, player: int) -> int:
    """Return the seconds that are left to a player to undo the report of a match."""
    claim = current_claim(tournament, tournament.matches[match])
    at = tournament.floor.reported_at.get(match, "")
    if claim is None or claim.result is None or claim.player != player or not at:
        return 0
    if claim.result.manner not in WAITING or latest_dispute(tournament, match):
        return 0
    is_over = tournament.rounds[tournament.matches[match].round - 1].status == "closed"
    if is_over or tournament.floor.confirmed.get(match):
        return 0
    passed = (moment() - datetime.fromisoformat(at)).total_seconds()
    return max(0, math.ceil(TAKE_BACK_SECONDS - passed))


def _take_back(fields: Fields, state: Tournament, visitor: Visitor) -> Command:
    """Read `match` and `seen`.

    Raises:
        Refused: the report was answered, or entered too long ago, and the act has not landed.
    """
    match = number(fields, "match")
    if visitor.command_id(fields.get("id", "")) not in state.ids:
        claim = current_claim(state, match_of(state, match))
        if claim and not seconds_to_take_back(state, match, visitor.player):
            text = marked(
                "you can undo a report for {seconds} seconds, and until your opponent answers: "
                "call a judge, or tell the desk"
            )
            raise Refused(problem("form.too_late", text, seconds=TAKE_BACK_SECONDS))
    return TakeBackReport(match, seen=seen(fields, match))


def _call(fields: Fields, _state: Tournament, visitor: Visitor) -> Command:
    """Read `match`, 0 for none, and `reason`."""
    player = visitor.player or number(fields, "player", 0)
    return CallJudge(number(fields, "match", 0), player, fields.get("reason", "").strip())


def _check_in(fields: Fields, _state: Tournament, visitor: Visitor) -> Command:
    """Read `seen`: a check-in of the morning does not count for the afternoon."""
    return CheckIn((_whose(fields, visitor),), seen=seen(fields))


def _list(fields: Fields, _state: Tournament, visitor: Visitor) -> Command:
    """Read `text`, the list as its player's tool wrote it, and `seen`."""
    return SubmitList(_whose(fields, visitor), fields.get("text", ""), seen=seen(fields))


def _whose(fields: Fields, visitor: Visitor) -> int:
    """Return the player who does it; of an official's form the one in `player`."""
    return visitor.player or number(fields, "player")


PLAYER_FORMS = (
    ActForm("confirm", _confirm),
    ActForm("take-back", _take_back, at_desk=True),
    ActForm("dispute", _dispute),
    ActForm("concede", _concede),
    ActForm("leave", _leave),
    ActForm("call", _call),
    ActForm("check-in", _check_in),
    ActForm("list", _list),
)


def _join(fields: Fields, _state: Tournament, _visitor: Visitor) -> Command:
    """Read `name`, `faction` and `league_id`."""
    faction, league_id = (fields.get(each, "").strip() for each in ("faction", "league_id"))
    return AskRegistration(fields.get("name", ""), faction, league_id)


OWN_MAX = 5
"""Open requests of one browser: a person and who came with them."""

BROWSERS_MAX = 2_000
"""Browsers whose requests are remembered, the latest ones."""


class AskedRequests:
    """The requests that each browser asked, as long as the hall is open.

    A browser that hides who it is counts as another one each time: the log itself bounds how many
    requests are open in all.
    """

    def __init__(self) -> None:
        self._asked: dict[str, dict[str, int]] = {}

    def check(self, state: Tournament, browser: str, command_id: str) -> None:
        """Refuse one more request of a browser that has several open ones."""
        asked = self._asked.get(browser, {})
        if command_id in asked:
            return
        requests = map(state.floor.request, asked.values())
        waiting = sum(request is not None and not request.answered for request in requests)
        if waiting >= OWN_MAX:
            text = marked(
                "{count} requests from this phone are open: wait until the desk has answered them"
            )
            raise Refused(problem("request.own_too_many", text, count=waiting))

    def note(self, browser: str, command_id: str, seq: int) -> None:
        """Remember a request that is in the log."""
        asked = self._asked.pop(browser, {})
        asked[command_id] = seq
        self._asked[browser] = dict(list(asked.items())[-OWN_MAX * 4 :])
        while len(self._asked) > BROWSERS_MAX:
            del self._asked[next(iter(self._asked))]


NEWCOMER_FORMS = (ActForm("join", _join, for_newcomers=True),)


FORMS = MappingProxyType(
    {each.name: each for each in (*RESULT_FORMS, *PLAYER_FORMS, *NEWCOMER_FORMS)}
)
"""By the last word of their address."""


def opponent_of(match: Match, player: int) -> int:
    """Return the other player of a match."""
    return match.second if player == match.first else match.first


def own_first(match: Match, player: int, pair: tuple[Value, Value]) -> tuple[Value, Value]:
    """Turn a pair in the order of the pairing so that the player's own side is first."""
    return pair if player == match.first else pair[::-1]


_OWN_RESULTS = {
    "W": marked("won{score} against {opponent}{facts}"),
    "L": marked("lost{score} against {opponent}{facts}"),
    "D": marked("drew{score} against {opponent}{facts}"),
    "": marked("played{score} against {opponent}{facts}"),
}


def own_result_in_words(tournament: Tournament, match: Match, player: int, result: Result) -> str:
    """Say a result from the player's side: `won 2-0 against Bob`."""
    rules = tournament.ruleset
    outcome, _ = own_first(match, player, result.outcomes)
    counted = own_first(match, player, result.counted)
    record = rules.records.get(outcome, "")
    score = f" {score_in_words(rules.scoring, counted)}" if any(counted) else ""
    is_plain = record == "D" or outcome in {rules.full_win.name, rules.full_win.against}
    score += "" if is_plain else f" ({outcome})"
    opponent = shown_name(tournament, opponent_of(match, player))
    facts = facts_in_words(rules, result, turned=player != match.first)
    text = _OWN_RESULTS.get(record, _OWN_RESULTS[""])
    return tr(text, score=score, opponent=opponent, facts=facts)
