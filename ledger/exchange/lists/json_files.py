"""Lists that tools write as JSON: IDs with their numbers, or an army with its units."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ledger.errors import Refused
from ledger.exchange.lists.lines import LineNote, WrittenList, identifier, name_problem, section_of
from ledger.formats.play_lists import COUNT_MAX, NUMBER_MAX, Listed, PlayList, Upgrade
from ledger.problems import One, Phrase, phrase
from ledger.rulesets.toml_files import first_few

if TYPE_CHECKING:
    from ledger.formats.cards import CardFile
    from ledger.formats.format import Format

NOT_LISTED = ("contingencies", "battleForce", "scenario")
"""Members of an army that are no part of the list, and are named where they hold anything."""

BATTLE = ("primary", "objective", "secondary", "deployment", "advantage", "conditions")

OF_ARMY = frozenset(NOT_LISTED) | {
    "armyFaction",
    "author",
    "battlefieldDeck",
    "commandCards",
    "listlink",
    "listname",
    "numActivations",
    "points",
    "units",
}
OF_UNIT = frozenset(("name", "upgrades", "loadout"))


THE_LIST = phrase("the list")


def loaded(text: str) -> Any:  # noqa: ANN401 - whatever a JSON file holds
    """Read JSON; a name that stands twice in one object is refused.

    Raises:
        Refused: it is no JSON, or a name stands twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise Refused(phrase("the list is not valid JSON: {error}", error=str(error))) from None


def is_tool_made(value: object) -> bool:
    """Whether it is a tool's JSON, and not the program's own form."""
    return isinstance(value, dict) and (_deck(value) is not None or _is_army(value))


def read_json(
    value: dict[str, Any], made: Format, cards: CardFile | None, text: str
) -> WrittenList:
    """Read a deck of IDs, or an army.

    Raises:
        Refused: every problem of it.
    """
    deck = _deck(value)
    if deck is not None:
        return WrittenList(_of_identifiers(deck["cards"], made, cards, text))
    return _of_army(value, made)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name[:60]!r} appears twice in one object")
        found[name] = value
    return found


def _constant(name: str) -> float:
    raise ValueError(f"{name} is not allowed as a number")


def _deck(value: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The deck of a fiveringsdb or EmeraldDB file, whatever it is wrapped in."""
    for name in ("record", "head"):
        inner = value.get(name)
        value = inner if isinstance(inner, dict) else value
    return value if isinstance(value.get("cards"), dict) else None


def _is_army(value: Mapping[str, Any]) -> bool:
    units = value.get("units")
    return isinstance(units, list) and all(
        isinstance(unit, dict) and isinstance(unit.get("name"), str) for unit in units
    )


def _of_identifiers(
    counts: Mapping[str, Any], made: Format, cards: CardFile | None, text: str
) -> PlayList:
    if cards is None:
        raise Refused(
            phrase(
                "the file lists card IDs without sections: give the card file, which states what "
                "each card is"
            )
        )
    known: dict[str, list[str]] = {}
    for card in cards.cards:
        for name in {identifier(card.full_name), identifier(card.full_name.replace("'", ""))}:
            known.setdefault(name, []).append(card.full_name)
    by_name = {card.full_name: card for card in cards.cards}
    sections: dict[str, list[Listed]] = {section.name: [] for section in made.sections}
    problems: list[Phrase] = []
    for written, count in counts.items():
        names = list(dict.fromkeys(known.get(written.lower(), ())))
        place = section_of(by_name[names[0]], made) if len(names) == 1 else ""
        if problem := _problem(count, names, place):
            line = text.count("\n", 0, max(text.find(json.dumps(written)), 0)) + 1
            problems.append(
                phrase(
                    "line {line}: {written} {problem}",
                    line=line,
                    written=f"{written[:60]!r}",
                    problem=problem,
                )
            )
        elif count:
            sections[place].append(Listed(names[0], count))
    if problems:
        raise Refused(*first_few(problems))
    return PlayList(sections={name: tuple(held) for name, held in sections.items() if held})


def _problem(count: object, names: Sequence[str], place: str) -> Phrase | str:
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= COUNT_MAX:
        return phrase("needs a number of copies from 0 to {count_max}", count_max=COUNT_MAX)
    if not names:
        return phrase("is not the ID of a card in the card file")
    if len(names) > 1:
        return phrase("could be several cards: {cards}", cards=tuple(names[:5]))
    return (
        ""
        if place
        else phrase("is {card}, but the card file does not state its section", card=names[0])
    )


def _of_army(value: Mapping[str, Any], made: Format) -> WrittenList:
    problems: list[Phrase] = []
    notes: list[LineNote] = []
    bearing = next((each.name for each in made.sections if each.bears), "")
    rows = {each.row: each.name for each in made.sections if each.row}
    if not bearing or not {"pips", "plain"} <= set(rows):
        raise Refused(phrase("the file lists an army of units, but this format has no units"))
    sections = {
        bearing: [
            _unit(unit, number, problems, notes) for number, unit in enumerate(value["units"], 1)
        ],
        rows["pips"]: list(_names(value, "commandCards", problems)),
        rows["plain"]: [],
    }
    battle = value.get("battlefieldDeck") or {}
    if isinstance(battle, dict):
        sections[rows["plain"]] = [
            each for kind in BATTLE for each in _names(battle, kind, problems)
        ]
        notes += _unknown(battle, {*BATTLE, "scenario"}, phrase("the battle deck"))
    else:
        problems.append(phrase("'battlefieldDeck' must be an object with lists of cards"))
    notes += [
        LineNote(0, phrase("({name}) is not part of the list", name=name), _shown(value[name]))
        for name in NOT_LISTED
        if value.get(name)
    ]
    total = value.get("points")
    if total is not None and (
        not isinstance(total, int) or isinstance(total, bool) or not 0 <= total <= NUMBER_MAX
    ):
        problems.append(
            phrase(
                "'points' must be a whole number from 0 to {number_max}",
                number_max=f"{NUMBER_MAX:,}",
            )
        )
    notes += _unknown(value, OF_ARMY, THE_LIST)
    notes += _stated(value, "numActivations", len(sections[bearing]))
    if problems:
        raise Refused(*first_few(problems))
    kept = {name: tuple(held) for name, held in sections.items() if held}
    return WrittenList(PlayList(total=total, sections=kept), tuple(notes))


def _unknown(value: Mapping[str, Any], known: Collection[str], where: One) -> Iterator[LineNote]:
    for name in value:
        if name not in known:
            why = phrase("is an unknown member of {where} and was not read", where=where)
            yield LineNote(0, why, name, differs=True)


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _stated(value: Mapping[str, Any], name: str, held: int) -> Iterator[LineNote]:
    if value.get(name) not in {None, held}:
        yield LineNote(
            0,
            phrase(
                "the file states {stated} units, but lists {held}",
                stated=str(value[name]),
                held=held,
            ),
            differs=True,
        )


def _unit(
    unit: Mapping[str, Any], number: int, problems: list[Phrase], notes: list[LineNote]
) -> Listed:
    name, where = unit["name"], phrase("unit {number}", number=number)
    if problem := name_problem(name):
        problems.append(_named(where, name, problem))
    notes += _unknown(unit, OF_UNIT, where)
    upgrades = [Upgrade(each.name) for each in _names(unit, "upgrades", problems, where)]
    loadout = _names(unit, "loadout", problems, where)
    notes += [
        LineNote(0, phrase("is a loadout of {name}, not part of the list", name=name), each.name)
        for each in loadout
    ]
    return Listed(" ".join(name.split()), upgrades=tuple(upgrades))


def _named(where: One, name: str, problem: One) -> Phrase:
    """Say what is wrong with a name."""
    shown = repr(name[:60])
    return phrase("{where}: {name} {problem}", where=where, name=shown, problem=problem)


def _names(
    value: Mapping[str, Any], member: str, problems: list[Phrase], where: One = THE_LIST
) -> Iterator[Listed]:
    held = value.get(member) or []
    if not isinstance(held, list) or not all(isinstance(each, str) for each in held):
        problems.append(
            phrase("{where}: {member} must be a list of names", where=where, member=f"{member!r}")
        )
        return
    for name in held:
        if problem := name_problem(name):
            problems.append(_named(where, name, problem))
        else:
            yield Listed(" ".join(name.split()))
