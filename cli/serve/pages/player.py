"""Pages of a player: the day, the standing, the list, and the registration of a newcomer.

Each number of the standing leads to its exact terms. A list is submitted from the phone and checked
by the format. By the link of the tournament, a person who does not take part asks to be registered.
A form that is refused shows its page again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import htpy

from cli.input.find_people import shown_name
from cli.render.game_tables import counted_in_words, standings_columns
from cli.render.trees import phrase
from cli.serve.forms import act_form, button, choice, folded, text_field
from cli.serve.pages.clauses import linked
from cli.serve.pages.frame import HallPage, Surroundings
from cli.serve.pages.table import conceded_facts, my_table, open_match
from cli.serve.parts import TABLES
from cli.serve.refusals import NotSignedIn
from cli.terminal.visible import how_many, ordinal, visible
from ledger.errors import LedgerError
from ledger.facts import hands
from ledger.facts.list_rules import given_to
from ledger.problems import problem
from ledger.rules.lists import too_late
from ledger.tournament.progress import check_in_now, latest_match_of, round_in_play
from projections.explain import explain
from projections.standings.bracket import finishing_order, winner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htpy import Node

    from cli.serve.pages.frame import Visit
    from ledger.facts.shared import ListFinding
    from ledger.formats import CardFile, Finding
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import SubmittedList
    from projections.explain import Explanation

_LEFT_OUT = frozenset({"#", "player", "byes", ""})
_COLUMN = {"W-L-D": "record"}
LEVELS = 12
"""How deep a number is taken apart on a page."""

NODES_MAX = 2_000


Made = TypeVar("Made")


class _Latest(Generic[Made]):
    """The latest value, which every page after one act shares."""

    def __init__(self, make: Callable[[Tournament], Made]) -> None:
        self._make = make
        self._key: tuple[str, int] | None = None
        self._value: Made

    def of(self, tournament: Tournament) -> Made:
        key = (tournament.opening.tournament if tournament.opening else "", tournament.seq)
        if key != self._key:
            self._value, self._key = self._make(tournament), key
        return self._value


class _Ending(NamedTuple):
    """The winner, 0 if no player won, and the final rank of each player who has one."""

    winner: int
    ranks: Mapping[int, int]


def _ending(tournament: Tournament) -> _Ending:
    order = finishing_order(tournament)
    return _Ending(winner(tournament), {place.player: place.rank for place in order if place.rank})


_LATEST = _Latest(TABLES.everyone)
_ENDING = _Latest(_ending)


def my_standing(tournament: Tournament, player: int) -> Node:
    """Return the player's row of the standings, each number a link to how it is made up."""
    if not tournament.rounds:
        return None
    table = _LATEST.of(tournament)
    row = next((each for each in table.rows if each.player == player), None)
    if row is None:
        return None
    columns = [
        each
        for each in standings_columns(tournament, table)
        if each.only != "program" and each.title not in _LEFT_OUT
    ]
    return htpy.section[
        htpy.h2["My standing"],
        htpy.p(class_="about")[counted_in_words(tournament, table)],
        htpy.ul(class_="numbers")[
            (
                htpy.li[
                    htpy.a(href=f"/me/why/{_COLUMN.get(each.title, each.title)}")[
                        htpy.span[visible(each.title)], " ", htpy.strong[each.text_of(row)]
                    ]
                ]
                for each in columns
            )
        ],
    ]


def why(visit: Visit) -> Node:
    """Return a number of the player's taken apart; NotFound where there is no such number."""
    player = own_player(visit)
    root = explain(visit.tournament, player, visit.words["column"])
    left = [NODES_MAX]
    return [
        htpy.p[htpy.a(href="/me")["Back to my table"]],
        htpy.ul(class_="terms")[_node(root, None, visit.tournament, left, 0)],
    ]


def _node(
    node: Explanation,
    parent: Explanation | None,
    tournament: Tournament,
    left: list[int],
    level: int,
) -> Node:
    """Return a term and, folded under it, its own terms; no more of them than a phone holds."""
    left[0] -= 1
    text = visible(phrase(node, parent, tournament))
    events = "".join(f", event {seq}" for seq in node.seqs) if not node.terms else ""
    if not node.terms or level >= LEVELS or left[0] <= 0:
        return htpy.li[f"{text}{events}"]
    terms = [_node(each, node, tournament, left, level + 1) for each in node.terms]
    return htpy.li[htpy.details(open=level < 1)[htpy.summary[text], htpy.ul(class_="terms")[terms]]]


HOME = "/me"


def own_player(visit: Visit) -> int:
    """Return who the page is for; NotSignedIn for anybody who is no player."""
    if not visit.visitor.player:
        text = "this page is for one player: scan the code on your badge or slip"
        raise NotSignedIn(problem("serve.no_player", text))
    return visit.visitor.player


def me(visit: Visit) -> Node:
    """Return the page of the player who asks."""
    player, tournament = own_player(visit), visit.tournament
    status = tournament.players[player].status
    return [
        htpy.p(class_="who")[f"{shown_name(tournament, player)} ", htpy.small[f"#{player}"]],
        _check_in(tournament, player) if status == "active" else None,
        _over(tournament, player) or my_table(visit, player),
        my_standing(tournament, player),
        _proof(tournament, player),
        _list_link(tournament, player),
        _leaving(visit, player) if status == "active" else None,
    ]


def _over(tournament: Tournament, player: int) -> Node:
    """Return how the tournament ended for the player; None while the player still plays."""
    status = tournament.players[player].status
    if status == "disqualified":
        return htpy.p(class_="about")["You were disqualified."]
    if tournament.finished:
        return _finished(tournament, player)
    if status == "cut":
        return htpy.p(class_="result")[f"You did not make the cut{_missed(tournament, player)}."]
    if status != "active":
        return htpy.p(class_="about")[f"You have left: {status}."]
    return None


def _finished(tournament: Tournament, player: int) -> Node:
    """Name the winner, and the player's own final place."""
    ending = _ENDING.of(tournament)
    rank = ending.ranks.get(player, 0)
    place = f" You finished {ordinal(rank)}." if rank else ""
    if ending.winner == player:
        text = "You won the tournament. Congratulations!"
    elif ending.winner:
        text = f"{shown_name(tournament, ending.winner)} won the tournament.{place}"
    else:
        text = f"The tournament is over, and no player won it.{place}"
    return [
        htpy.p(class_="result")[text],
        htpy.p(class_="about")["The tournament is over. Thank you for playing."],
    ]


def _missed(tournament: Tournament, player: int) -> str:
    """Say which place the player had when the cut was made, and how many places it has."""
    stage = next((stage for stage in tournament.stages if player in stage.cut_players), None)
    row = next((row for row in _LATEST.of(tournament).rows if row.player == player), None)
    if stage is None or row is None:
        return ""
    size = stage.plan.size if stage.plan.entry == "top" else len(stage.seeds)
    return f": {ordinal(row.rank)}; the cut is {size}"


def _proof(tournament: Tournament, player: int) -> Node:
    """Lead to what the latest result proves; the newest signed head is below every page."""
    match = latest_match_of(tournament, player)
    if not match or not match.result_seq:
        return None
    return htpy.p[htpy.a(href="/me/receipt")["Proof of my result"]]


def _check_in(tournament: Tournament, player: int) -> Node:
    check_in = check_in_now(tournament)
    if not check_in:
        return None
    if player in check_in.present:
        return htpy.p(class_="done")["You are checked in for the next round."]
    if check_in.closed:
        return htpy.p(class_="alarm")["Check-in is closed: tell the desk that you have arrived."]
    return act_form(
        "check-in",
        button("I am here", kind="main"),
        to=HOME,
        hidden={"seen": tournament.seq},
        act="check-in",
    )


def _list_link(tournament: Tournament, player: int) -> Node:
    opening, held = tournament.opening, tournament.lists.get(player)
    has_list = bool(held and held.seq)
    if not (has_list or (opening and (opening.format or opening.lists_required))):
        return None
    due = "" if has_list else ": not submitted yet"
    return htpy.p[htpy.a(href="/me/list")[f"My list{due}"]]


def _leaving(visit: Visit, player: int) -> Node:
    """Offer to leave: after the match, or giving it up."""
    tournament = visit.tournament
    if tournament.finished:
        return None
    playing = open_match(tournament, player)
    text = "You will not be paired again. The matches that you played still count."
    if playing:
        text = (
            "To leave after this round, report your match first. If you leave now, your opponent "
            "wins it."
        )
    elif round_in_play(tournament):
        text = f"Your match is over: you leave after this round. {text}"
    latest = latest_match_of(tournament, player)
    known = {"match": latest.number if latest else 0, "seen": tournament.seq}
    leave = button("Leave now" if playing else "Leave", kind="alarm")
    facts = conceded_facts(visit, playing, player) if playing else []
    return folded(
        "Leave the tournament",
        htpy.p[text],
        act_form("leave", facts, leave, to=HOME, hidden=known, act="you leave the tournament"),
        key="leave",
    )


LIST_PATH = "/me/list"
TEXT_MAX = 24_000
SHOWN_MAX = 60
_KINDS = {"breaks": "breach", "not checked": "note"}


def own_list(visit: Visit) -> Node:
    """Return the list of the player who asks, and the form that hands one in while that may be."""
    player, tournament = own_player(visit), visit.tournament
    held = tournament.lists.get(player)
    return [
        htpy.p[htpy.a(href="/me")["Back to my table"]],
        _held(visit, player, held)
        if held and held.seq
        else htpy.p["You have not submitted a list yet."],
        _hand_in(visit, player, held),
    ]


def _held(visit: Visit, player: int, held: SubmittedList) -> Node:
    hidden = None
    if held.hidden:
        clause = hands.clause_of(visit.tournament)
        hidden = htpy.p(class_="about")[
            f"The rest is sealed: it is not shown to your opponents or on this page ({clause})."
        ]
    return [
        htpy.pre(class_="list")[_lines(held.text)],
        hidden,
        _findings(visit, player, held),
    ]


def _findings(visit: Visit, player: int, held: SubmittedList) -> Node:
    """Say what was found: by a leader, or else by the format as the list stands."""
    if held.checked:
        breaking, _ = hands.counts_of(held.checked)
        said = f"A leader has checked your list: {how_many(breaking, 'finding')}."
        return [htpy.p(class_="alarm" if breaking else "done")[said], _rows(held.checked.findings)]
    if held.hidden:
        return htpy.p(class_="about")["A leader checks your list; the findings are sealed too."]
    found = found_in(visit.tournament, player, held.text, visit.cards)
    if found is None:
        text = "The tournament has no format: a leader checks your list by hand."
        return htpy.p(class_="about")[text]
    breaking = sum(each.state == "breaks" for each in found)
    said = f"No problems found{'' if visit.cards else ' (checked without a card file)'}."
    if breaking:
        said = f"{how_many(breaking, 'problem')} to fix before play starts."
    return [htpy.p(class_="alarm" if breaking else "done")[said], _rows(found)]


def found_in(
    tournament: Tournament, player: int, text: str, cards: CardFile | None
) -> list[Finding] | None:
    """Hold a list to the tournament's format, by what is known of cards; None without a format."""
    from ledger import formats
    from ledger.formats.cards import NO_CARDS

    opening = tournament.opening
    if opening is None or opening.format is None:
        return None
    loaded = formats.of_document(opening.format)
    try:
        listed = formats.read_list(text.encode("utf-8", "surrogatepass"), loaded.format.shape)
    except LedgerError:
        return None
    return formats.findings(
        listed,
        loaded,
        cards or NO_CARDS,
        date=opening.date,
        tier=opening.tier,
        scenario=tournament.ruleset.floor.scenario,
        given=given_to(tournament, player),
    )


def _rows(found: Sequence[Finding | ListFinding]) -> Node:
    first = sorted(found, key=lambda each: each.state != "breaks")[:SHOWN_MAX]
    more = len(found) - len(first)
    if not first:
        return None
    return htpy.ul(class_="findings")[
        (
            htpy.li[
                htpy.strong(class_=_KINDS.get(each.state, "note"))[each.state],
                f" {visible(each.text)} ",
                htpy.small[linked(visible(each.clause))],
            ]
            for each in first
        ),
        htpy.li[f"and {more} more"] if more else None,
    ]


def _lines(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))


def _hand_in(visit: Visit, player: int, held: SubmittedList | None) -> Node:
    if late := list(too_late(visit.tournament, player)):
        del late
        return htpy.p(class_="about")[
            "Lists are closed: if yours is wrong, ask a leader to correct it."
        ]
    text = visit.fields.get("text", held.text if held and not held.hidden else "")
    return [
        htpy.h2["Submit another list" if held and held.seq else "Submit your list"],
        act_form(
            "list",
            htpy.label(class_="field wide")[
                htpy.span["Paste it from your deck builder, or type one card per line"],
                htpy.textarea(name="text", rows="12", maxlength=str(TEXT_MAX), required=True)[
                    f"\n{_lines(text)}"
                ],
            ],
            button("Submit", kind="main"),
            to=LIST_PATH,
            at=LIST_PATH,
            hidden={"seen": visit.tournament.seq},
            act="your list",
        ),
    ]


AROUND = Surroundings("me", script="player", kind="player")
PLAYER_PAGES = (
    HallPage("/me", "My table", me, AROUND),
    HallPage("/me/list", "My list", own_list, AROUND._replace(here="")),
    HallPage(
        "/me/why/{column}", "How it is computed", why, AROUND._replace(here=""), takes_long=True
    ),
)


JOIN_PATH = "/join"
ASKED = "asked"
NAME_MAX = 200


def join(visit: Visit) -> Node:
    """Return the form by which somebody asks to be registered, or that they have asked."""
    if not visit.visitor.is_newcomer:
        text = "to register, scan the code of the tournament at the desk"
        raise NotSignedIn(problem("serve.no_newcomer", text))
    if visit.words.get(ASKED):
        return [
            htpy.p(class_="done")["The desk has your name and will register you when you arrive."],
            htpy.p["You then get your own badge, with a code that opens your table."],
            htpy.p[htpy.a(href=JOIN_PATH)["Ask to register another person"]],
        ]
    return [
        htpy.h2["Ask to be registered"],
        htpy.p["Your name is stored encrypted, and deleted if you are not registered."],
        act_form(
            "join",
            text_field("Your name", "name", visit.fields.get("name", ""), longest=NAME_MAX),
            _faction(visit),
            text_field(
                "League id (if you have one)",
                "league_id",
                visit.fields.get("league_id", ""),
                longest=64,
            ),
            button("Ask", kind="main"),
            to=f"{JOIN_PATH}?{ASKED}=1",
            at=JOIN_PATH,
            act="your registration",
        ),
    ]


def _faction(visit: Visit) -> Node:
    """Return the factions of the game to choose from; a game without any asks for none."""
    factions = visit.tournament.ruleset.factions
    if not factions:
        return None
    options = [("", "not given"), *((each, each) for each in factions)]
    return choice("Your faction", "faction", options, visit.fields.get("faction", ""))


JOIN_PAGES = (HallPage(JOIN_PATH, "Registration", join, Surroundings(kind="player")),)


PAGES: tuple[HallPage, ...] = (*PLAYER_PAGES, *JOIN_PAGES)
