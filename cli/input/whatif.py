"""Facts that did not happen, as they are typed for `whatif`; `and` stands between two.

3/4 ann modified       table 4 of round 3 ended so: the words of `report`
3/4 none               it has no result
ann dropped 2          Ann left after round 2; without a number, after the last round closed
ann disqualified 2     likewise, removed for good
ann stayed             Ann, who dropped or was disqualified, did not
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cli.input import reports
from cli.input.arguments import UsageError, whole
from cli.input.find_people import find_player
from cli.input.matches import find_match, is_place
from cli.languages.speaking import marked, tr
from cli.terminal.visible import in_quotes
from ledger.errors import NotFound
from ledger.forks import Fact, Left, OtherResult, Stayed
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.input.matches import Typed
    from ledger.tournament.state import Tournament

HOW = marked(
    "type what should be different, such as 3/4 ann, 3/4 none, ann dropped 2 or ann "
    "stayed; join several with `and`"
)

AND = frozenset({"and", ",", "+"})
NO_RESULT = frozenset({"none", "open", "unplayed"})
STAYED = frozenset({"stayed", "stays", "stay"})
DROPPED = frozenset({"dropped", "drops", "drop", "left"})
DISQUALIFIED = frozenset({"disqualified", "dq"})
SAID = {"stayed": STAYED, "dropped": DROPPED, "disqualified": DISQUALIFIED}
"""The facts of a player: the word of each that messages name, and all words for it."""

OF_A_PLAYER = marked("of a player, a fact is stayed, dropped or disqualified")


def read_facts(tournament: Tournament, words: Sequence[str], typed: Typed) -> list[Fact]:
    """Read what was typed, `typed` for its one result; UsageError, NotFound or Refused."""
    groups = _groups(words)
    results = [group for group in groups if _is_result(group)]
    if typed and len(results) != 1:
        raise UsageError(tr("--ended and --fact apply to one result: give exactly one"))
    return [
        _result(tournament, group, typed) if _is_result(group) else _person(tournament, group)
        for group in groups
    ]


def _groups(words: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in words:
        if word.lower() in AND:
            groups.append([])
        else:
            groups[-1].append(word)
    if not all(groups):
        raise UsageError(tr(HOW))
    return groups


def _is_result(group: Sequence[str]) -> bool:
    leaving = STAYED | DROPPED | DISQUALIFIED
    return not (len(group) > 1 and leaving & {word.lower() for word in group[1:][-2:]})


def _result(tournament: Tournament, group: list[str], typed: Typed) -> OtherResult:
    if len(group) > 1 and " ".join(group[1:]).lower() in NO_RESULT:
        if typed:
            raise UsageError(tr("a match without a result has no facts: omit --ended and --fact"))
        return OtherResult(find_match(tournament, group[0]).number, None)
    try:
        match, stated = reports.read(tournament, group, typed)
    except (NotFound, UsageError) as error:
        if is_place(group[0]) or len(group) == 1:
            raise
        if text := _misspelled(group):
            raise UsageError(text) from None
        if isinstance(error, UsageError):
            raise UsageError(tr("{problem}; {hint}", problem=error, hint=tr(OF_A_PLAYER))) from None
        *others, last = error.problems
        hint = phrase("; {hint}", hint=phrase(OF_A_PLAYER))
        raise NotFound(*others, last.followed_by(hint)) from None
    from ledger.rules.results import result_from

    result = result_from(tournament, match, stated)
    if match.result is not None:  # what a judge added elsewhere stays
        result = replace(result, adjusted=match.result.adjusted)
    return OtherResult(match.number, result)


def _misspelled(group: Sequence[str]) -> str:
    """Say which word of a player's fact a word may be meant as; empty if it is like none."""
    word = next((word for word in reversed(group[1:]) if not word.isdigit()), "").lower()
    near = get_close_matches(word, (*STAYED, *DROPPED, *DISQUALIFIED), n=1)
    if not near:
        return ""
    meant = next(fact for fact, words in SAID.items() if near[0] in words)
    line = " ".join(meant if typed.lower() == word else typed for typed in group)
    return tr(
        "{typed} is not a fact; {hint}: did you mean `whatif {line}`?",
        typed=in_quotes(word),
        hint=tr(OF_A_PLAYER),
        line=line,
    )


def _person(tournament: Tournament, group: list[str]) -> Fact:
    last = group[-1].lower()
    if last in STAYED:
        return Stayed(find_player(tournament, " ".join(group[:-1])))
    kinds = DROPPED | DISQUALIFIED
    number, verb = ("", last) if last in kinds else (group[-1], group[-2].lower())
    if verb not in kinds:
        raise UsageError(f"{' '.join(group)!r}: {tr(HOW)}")
    name = group[: -2 if number else -1]
    after = sum(played.status == "closed" for played in tournament.rounds)
    if number:
        after = whole(tr("the round after which the player left"), number, 0)
    return Left(find_player(tournament, " ".join(name)), after, verb in DISQUALIFIED)
