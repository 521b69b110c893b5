"""Words about two copies of one log: what one states and the other does not, event by event."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import msgspec

from cli.languages.speaking import ENGLISH, in_figures, language, marked, tr
from cli.terminal.problems import act_in_words
from cli.terminal.visible import how_many, shortened, visible
from cli.wording.page_words import numbered
from cli.wording.phrases import GAMES_IN_WORDS, elimination_round
from ledger.errors import LedgerError
from ledger.facts.shared import RESULT_MEMBERS
from ledger.lines.line import SEQ_MAX
from ledger.lines.texts import UNOPENED
from ledger.proof.ciphers import SEALED
from projections.copies import Envelope, envelope_in

if TYPE_CHECKING:
    from projections.copies import Difference, MatchPlace, TwoCopies

SENTENCES_MAX = 40
"""Maximum number of sentences about single events; further ones are counted."""

VALUE_CELLS = 60
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FLAWS = {
    "damaged": marked("damaged"),
    "cut off": marked("cut off"),
    "too long": marked("longer than a line may be"),
    "empty": marked("an empty line"),
}
"""Words for the flaws of a line, which fit into a sentence."""


def flaw_in_words(flaw: str) -> str:
    """Return the flaw of a line of a copy."""
    return tr(_FLAWS[flaw])


_PLAYERS = frozenset({"player", "chooser", "blue", "entrant", "leaver", "asked"})
_ENVELOPE = (("type", marked("the type")), ("at", marked("the time")), ("by", marked("the author")))

_IN_ORDER_ONLY = {
    "moved": (
        marked("event {seq} differs in order only{where}"),
        marked("{count} events differ in order only{numbers}"),
        marked("{count} later events differ in order only{numbers}"),
    ),
    "renumbered": (
        marked("event {seq} differs in number only{where}"),
        marked("{count} events differ in number only{numbers}"),
        marked("{count} later events differ in number only{numbers}"),
    ),
    "rewritten": (
        marked("event {seq} differs in spelling only (spaces, or the order of members){where}"),
        marked("{count} events differ in spelling only (spaces, or the order of members){numbers}"),
        marked(
            "{count} later events differ in spelling only (spaces, or the order of members)"
            "{numbers}"
        ),
    ),
}
"""Texts for one event, for several, and for several behind the first one that differs."""

_MISSING = object()


class ChangedMember(NamedTuple):
    """A member of an event that has two values."""

    member: str
    subject: str
    before: str
    after: str

    def in_words(self) -> str:
        """Say the change: `the winner was changed from Ann to Bob`."""
        if not self.before:
            return tr("{subject} was added: {after}", subject=self.subject, after=self.after)
        if not self.after:
            return tr("{subject} was removed: {before}", subject=self.subject, before=self.before)
        return tr(
            "{subject} was changed from {before} to {after}",
            subject=self.subject,
            before=self.before,
            after=self.after,
        )


class StatedDifference(NamedTuple):
    """A difference with its place in the tournament and what changed in it."""

    difference: Difference
    where: str
    """The round and table; empty for an event that is not about a match."""

    place: MatchPlace | None
    match: int
    text: str
    changes: Sequence[ChangedMember]


class CopyWords:
    """The words for the differences of two copies, which are called by their file names."""

    def __init__(self, copies: TwoCopies, first: str, second: str) -> None:
        self.copies = copies
        self.names = visible(first), visible(second)
        if first == second:
            self.names = tr("the first copy"), tr("the second copy")

    def sentences(self) -> list[str]:
        """Say how the copies differ, the most important first."""
        first, second = self.copies.first, self.copies.second
        sentences: list[str] = []
        if self.copies.is_equal:
            sentences.append(
                tr("both copies state the same {events}", events=how_many(first.size, "event"))
            )
        if self._continues():
            sentences.append(
                tr(
                    "one history of {first} and {second} events: one copy continues the other",
                    first=first.size,
                    second=second.size,
                )
            )
        elif self.copies.has_parted:
            sentences.append(self._where_they_part())
        sentences += self._of_events()
        sentences += self._in_order_only()
        if self.copies.names_differ:
            sentences.append(self._about_names())
        for copy, name in zip((first, second), self.names, strict=True):
            if copy.returns:
                ends = how_many(copy.returns, "line")
                text = marked(
                    "{lines} of {copy} end with CR LF: a program changed the line ends, which are "
                    "not compared"
                )
                sentences.append(tr(text, lines=ends, copy=name))
            if copy.is_cut:
                sentences.append(
                    tr("{copy} does not end with a line feed: it was cut off there", copy=name)
                )
        return sentences

    def _where_they_part(self) -> str:
        """Say up to which event the copies agree, and the first line of each that differs."""
        agreed, copies = self.copies.agreed, (self.copies.first, self.copies.second)
        last = copies[0].seqs[agreed - 1] if agreed else 0
        begin = (
            tr("both copies agree up to event {seq}", seq=last)
            if agreed
            else tr("no first line is the same")
        )
        parts = []
        for copy, name in zip(copies, self.names, strict=True):
            line = copy.fetch({agreed}).get(agreed)
            envelope = envelope_in(line) if line is not None else None
            if envelope is None:
                parts.append(tr("{copy} continues with line {line}", copy=name, line=agreed + 1))
                continue
            text = marked("{copy} continues with event {seq}, {event}, by {author} at {time}")
            said = tr(
                text,
                copy=name,
                seq=envelope.seq,
                event=self._in_short(envelope, self._match_of(envelope)),
                author=self._author("by", envelope.by),
                time=_short(envelope.at),
            )
            parts.append(said)
        return f"{begin}: {tr(', and ').join(parts)}"

    def first_difference(self) -> str:
        """Name the first line that differs, with its event and match."""
        if not self.stated:
            return tr("the last line")
        stated = min(self.stated, key=lambda stated: max(stated.difference.places))
        place = max(stated.difference.places)
        return tr("line {line} ({event})", line=place, event=_event(stated))

    def _continues(self) -> bool:
        """Return whether one copy has all events of the shorter copy, and later events."""
        counts, first, second = self.copies.counts, self.copies.first, self.copies.second
        only = set(counts)
        if only not in ({"missing"}, {"added"}) or first.flawed or second.flawed:
            return False
        begin = max(self.copies.differences[0].places)
        return begin > min(first.size, second.size)

    @cached_property
    def stated(self) -> list[StatedDifference]:
        """The differences with their words, in the order of the log."""
        return [self._stated(difference) for difference in self.copies.differences]

    def _of_events(self) -> Iterator[str]:
        """Say each change of an event; neighbours that only one copy has in one sentence."""
        of_content = [stated for stated in self.stated if stated.difference.kind in _CONTENT]
        for stated in of_content[:SENTENCES_MAX]:
            yield f"{_event(stated)}: {stated.text}"
        number = sum(count for kind, count in self.copies.counts.items() if kind in _CONTENT)
        listed = sum(stated.difference.events for stated in of_content[:SENTENCES_MAX])
        if number > listed:
            yield tr(
                "{count} events differ in content; the first {listed} are listed",
                count=in_figures(number),
                listed=in_figures(listed),
            )

    def _in_order_only(self) -> Iterator[str]:
        counts = self.copies.counts
        listed = self.copies.differences
        begin = min((row.seq for row in listed if row.kind in _CONTENT), default=0)
        for kind, (one, some, all_later) in _IN_ORDER_ONLY.items():
            of_kind = [row for row in listed if row.kind == kind]
            if not of_kind:
                continue
            count = counts[of_kind[0].kind]
            if count == 1:
                first, second = of_kind[0].places
                where = ""
                if kind == "moved":
                    where = tr(" (line {first} and line {second})", first=first, second=second)
                yield tr(one, seq=of_kind[0].seq, where=where)
                continue
            is_later = begin and all(row.seq > begin for row in of_kind)
            numbers = ""
            if kind == "moved" and count <= FEW:
                numbers = f" ({', '.join(str(row.seq) for row in of_kind)})"
            text = all_later if is_later else some
            yield tr(text, count=in_figures(count), numbers=numbers)

    def _about_names(self) -> str:
        first, second = self.copies.first, self.copies.second
        if first.has_names and second.has_names:
            return tr("the lines with the keys of the names differ")
        without = self.names[1 if first.has_names else 0]
        return tr("the line with the keys of the names is missing from {copy}", copy=without)

    def _stated(self, difference: Difference) -> StatedDifference:
        before, after = map(envelope_in, (difference.before, difference.after))
        envelope = before or after
        match = self._match_of(envelope) if envelope else 0
        changes: list[ChangedMember] = []
        if difference.kind == "changed" and before and after:
            changes = list(self._changes(before, after, match))
        text = self._text(difference, envelope, changes, match)
        place = self._place_of(match)
        return StatedDifference(
            difference, self._where(envelope, place), place, match, text, changes
        )

    def _text(
        self,
        difference: Difference,
        envelope: Envelope | None,
        changes: list[ChangedMember],
        match: int,
    ) -> str:
        kind, (first, second) = difference.kind, self.names
        if kind == "damaged":
            flaws = zip(difference.flaws, difference.places, (first, second), strict=True)
            damaged = marked("the line is {flaw} in {copy} (line {line})")
            return tr(" and ").join(
                tr(damaged, flaw=flaw_in_words(flaw), copy=name, line=place)
                for flaw, place, name in flaws
                if flaw
            )
        if kind in ("missing", "added"):
            return self._only_in(difference, envelope, match)
        if kind == "changed":
            return "; ".join(change.in_words() for change in changes) or (
                tr("the line is spelled differently")
            )
        if kind == "moved":
            lines = tr(" and ").join(map(str, difference.places))
            return tr("order only, lines {lines}", lines=lines)
        return tr("number only") if kind == "renumbered" else tr("spelling only")

    def _only_in(self, difference: Difference, envelope: Envelope | None, match: int) -> str:
        first, second = self.names
        lacks, has = (second, first) if difference.kind == "missing" else (first, second)
        flaw = next(filter(None, difference.flaws), "")
        place = max(difference.places)
        if envelope is None or flaw:
            return tr(
                "line {line} of {has} is {flaw}, and {lacks} has no such line",
                line=place,
                has=has,
                flaw=flaw_in_words(flaw or "damaged"),
                lacks=lacks,
            )
        if difference.events > 1:
            return tr(
                "missing from {lacks}; only {has} has these {events} events",
                lacks=lacks,
                has=has,
                events=in_figures(difference.events),
            )
        if difference.is_repeat:
            return tr("{has} has this event a second time, in line {line}", has=has, line=place)
        short = self._in_short(envelope, match)
        if difference.kind == "missing":
            return tr("{event} is missing from {lacks}", event=short, lacks=lacks)
        return tr("{event} is only in {has}", event=short, has=has)

    def _in_short(self, envelope: Envelope, match: int) -> str:
        """Name an event by its type, and what it states of a result or a name."""
        named, data = kind_in_words(envelope.type), _data_of(envelope)
        for member in RESULT_MEMBERS:
            if winner := self._winner(data.get(member), match):
                return f"{named} ({winner})"
        if envelope.type == "PersonRecorded":
            return f"{named} ({self._value('name', data.get('name'))})"
        return named

    def _where(self, envelope: Envelope | None, place: MatchPlace | None) -> str:
        if place is not None:
            return tr("{round}, table {table}", round=round_of(place), table=place.table)
        number = _number_in(_data_of(envelope), "round") if envelope else 0
        return tr("round {round}", round=number) if number else ""

    def _place_of(self, match: int) -> MatchPlace | None:
        first, second = self.copies.first.words, self.copies.second.words
        return first.place_of(match) or second.place_of(match)

    def _match_of(self, envelope: Envelope) -> int:
        data = _data_of(envelope)
        if match := _number_in(data, "match"):
            return match
        if ruling := _number_in(data, "ruling"):
            first, second = self.copies.first.words, self.copies.second.words
            return first.match_ruled(ruling) or second.match_ruled(ruling)
        return 0

    def _changes(self, before: Envelope, after: Envelope, match: int) -> Iterator[ChangedMember]:
        """Yield the members that changed, results before the rest."""
        first, second = _data_of(before), _data_of(after)
        members = sorted(
            first.keys() | second.keys(), key=lambda name: (name not in RESULT_MEMBERS, name)
        )
        for member in members:
            values = first.get(member, _MISSING), second.get(member, _MISSING)
            if values[0] == values[1]:
                continue
            if member in RESULT_MEMBERS and all(isinstance(value, dict) for value in values):
                yield from self._result_changes(values[0], values[1], match)
                continue
            subject = self._subject(member, before, first)
            yield ChangedMember(member, subject, *(self._value(member, value) for value in values))
        for member, subject in _ENVELOPE:
            values = getattr(before, member), getattr(after, member)
            if values[0] != values[1]:
                yield ChangedMember(
                    member, tr(subject), *(self._author(member, value) for value in values)
                )
        if before.id != after.id:
            yield ChangedMember("id", tr("the id"), _quoted(before.id), _quoted(after.id))
        if before.sig != after.sig:
            yield ChangedMember("sig", tr("the signature"), _quoted(before.sig), _quoted(after.sig))

    def _subject(self, member: str, envelope: Envelope, data: Mapping[str, Any]) -> str:
        if envelope.type == "PersonRecorded" and member == "name":
            of = str(data.get("of", ""))
            number = visible(of[1:])
            if of[:1] == "p":
                return tr("the name of player {number}", number=number)
            if of[:1] == "o":
                return tr("the name of official {number}", number=number)
            return tr("the name")
        return tr("the {member}", member=visible(member).replace("_", " "))

    def _result_changes(
        self, first: Mapping[str, Any], second: Mapping[str, Any], match: int
    ) -> Iterator[ChangedMember]:
        winners = self._winner(first, match), self._winner(second, match)
        if winners[0] != winners[1]:
            yield ChangedMember("winner", tr("the winner"), winners[0] or "?", winners[1] or "?")
            for member in ("outcomes", "points"):
                first, second = _without_turn(member, first, second)
        for member in sorted(first.keys() | second.keys()):
            values = first.get(member, _MISSING), second.get(member, _MISSING)
            if values[0] != values[1]:
                subject = {"points": tr("the score"), "outcomes": tr("the outcome")}.get(
                    member, tr("the {member} of the result", member=visible(member))
                )
                yield ChangedMember(member, subject, *map(_score, values))

    def _winner(self, result: object, match: int) -> str:
        """Name the winner of a result, by the ruleset in the log or else by the points."""
        if not isinstance(result, dict):
            return ""
        side = _side_by_letters(result, self._letters)
        side = _side_by_points(result) if side is None else side
        if side is None:
            return ""
        if side < 0:
            return tr("no winner")
        place = self._place_of(match)
        return (
            self._player(place.players[side])
            if place
            else (tr("first player"), tr("second player"))[side]
        )

    @cached_property
    def _letters(self) -> Mapping[str, str]:
        """The letter of each outcome, W, L or D, by the ruleset of the first copy that has one."""
        from ledger.rulesets import parse

        for copy in (self.copies.first, self.copies.second):
            if copy.words.opening is not None:
                with suppress(LedgerError, ValueError, RecursionError):
                    opening = copy.words.opening
                    return parse(opening.ruleset.text).on(opening.date).records
        return {}

    def _player(self, number: int) -> str:
        return self._person(f"p{number}") or tr("player {number}", number=number)

    def _person(self, of: str) -> str:
        first, second = self.copies.first.words.names, self.copies.second.words.names
        name = first.get(of) or second.get(of, "")
        return f"{numbered(of)} {UNOPENED}" if name == UNOPENED else _short(name)

    def _author(self, member: str, value: str) -> str:
        if member == "by":
            desk, _, player = value.partition("/")
            named = [self._person(of) or visible(of) for of in (desk, player) if of]
            return shortened(tr(" for ").join(named), VALUE_CELLS)
        return kind_in_words(value) if member == "type" else _short(value)

    def _value(self, member: str, value: object) -> str:
        if value is _MISSING:
            return ""
        if member in _PLAYERS and _is_number(value):
            return self._player(value)
        if member == "official" and _is_number(value):
            return self._person(f"o{value}") or tr("official {number}", number=value)
        if isinstance(value, str):
            return UNOPENED if value.startswith(SEALED) else _quoted(value)
        if isinstance(value, dict) and (winner := self._winner(value, 0)):
            return winner
        return _encoded(value)


FEW = 6
_CONTENT = frozenset({"changed", "damaged", "missing", "added"})


def round_of(place: MatchPlace) -> str:
    """Name the round of a match: `final`, or `round 3`."""
    if place.kind == "single" and place.games in GAMES_IN_WORDS:
        return elimination_round(place.games)
    return tr("round {round}", round=place.round)


def kind_in_words(name: str) -> str:
    """Return the name of an event type as words: `result reported`."""
    if language() != ENGLISH:
        return act_in_words(name)
    return _CAPITAL.sub(" ", _short(name)).lower()


def _event(stated: StatedDifference) -> str:
    seq = stated.difference.seq
    if stated.difference.events > 1:
        last = seq + stated.difference.events - 1
        return tr("events {first} to {last}", first=seq, last=last)
    line = max(stated.difference.places)
    named = tr("event {seq}", seq=seq) if seq else tr("line {line}", line=line)
    return f"{named}, {stated.where}" if stated.where else named


def _data_of(envelope: Envelope) -> dict[str, Any]:
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        data = msgspec.json.decode(envelope.data)
        if isinstance(data, dict):
            return data
    return {}


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= SEQ_MAX


def _number_in(data: Mapping[str, Any], member: str) -> int:
    """Return a number from 1 on; 0 if the member is anything else."""
    value = data.get(member)
    return value if _is_number(value) else 0


def _pair(result: Mapping[str, Any], member: str, kind: type) -> list[Any] | None:
    values = result.get(member)
    if not isinstance(values, list) or len(values) != 2:  # noqa: PLR2004 - two sides
        return None
    return values if all(isinstance(value, kind) for value in values) else None


def _side_by_letters(result: Mapping[str, Any], letters: Mapping[str, str]) -> int | None:
    """Return the side that won by the outcomes, -1 for none; None if that is not known."""
    sides = [letters.get(outcome, "") for outcome in _pair(result, "outcomes", str) or ()]
    if "W" in sides:
        return sides.index("W")
    return -1 if sides and all(sides) else None


def _side_by_points(result: Mapping[str, Any]) -> int | None:
    points = _pair(result, "points", int)
    if points is None:
        return None
    return -1 if points[0] == points[1] else int(points[1] > points[0])


def _without_turn(
    member: str, first: Mapping[str, Any], second: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Leave out a member whose two values only changed sides, as the winner did."""
    values = first.get(member), second.get(member)
    if isinstance(values[0], list) and isinstance(values[1], list) and values[0] == values[1][::-1]:
        first = {name: value for name, value in first.items() if name != member}
        second = {name: value for name, value in second.items() if name != member}
    return first, second


def _score(value: object) -> str:
    if value is _MISSING:
        return ""
    if isinstance(value, list) and all(isinstance(part, int | str) for part in value):
        joined = "-" if all(isinstance(part, int) for part in value) else "/"
        return _short(joined.join(map(str, value)))
    return _quoted(value) if isinstance(value, str) else _encoded(value)


def _short(text: str) -> str:
    return shortened(visible(text), VALUE_CELLS)


def _encoded(value: object) -> str:
    return _short(msgspec.json.encode(value).decode())


def _quoted(text: str) -> str:
    return f'"{_short(text)}"' if text else ""
