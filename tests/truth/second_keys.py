"""Who has to agree where a key comes or goes, once more: from the page on the proof alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.truth.second_curve import is_usable, signed_by
from tests.truth.second_lines import plain

Data = dict[str, Any]


class Wrong(Exception):  # noqa: N818 - what is wrong, not an error of the tests
    """A log that is to be refused."""


class Key(NamedTuple):
    """Whose it is, 0: the log's; which line took it out of use, 0: none; who may have agreed."""

    holder: int
    gone: int = 0
    agreed: tuple[bytes, ...] = ()


def raw(text: object, length: int) -> bytes:
    """So many bytes in the one spelling of base64."""
    data = plain(text) if isinstance(text, str) else None
    if data is None or len(data) != length:
        raise Wrong
    return data


def usable(text: object) -> bytes:
    """A public key that may be registered."""
    public = raw(text, 32)
    if not is_usable(public):
        raise Wrong
    return public


def encoded(kind: str, body: bytes) -> bytes:
    """DSSE's pre-authentication encoding."""
    named = b"application/vnd.tourney." + kind.encode()
    return b" ".join((b"DSSEv1", b"%d" % len(named), named, b"%d" % len(body), body))


def number(value: object, least: int) -> int:
    """An integer; true is none."""
    if type(value) is not int or value < least:
        raise Wrong
    return value


class Keys:
    """The keys of a log so far, and the roles of its officials."""

    def __init__(self, tournament: str) -> None:
        self.tournament = tournament
        self.all: dict[bytes, Key] = {}
        self.roles: dict[int, list[Any]] = {}

    def in_use(self, holder: int) -> list[bytes]:
        """The keys that somebody signs with now."""
        return [each for each, key in self.all.items() if key.holder == holder and not key.gone]

    def ever(self, holder: int) -> bool:
        """Whether somebody holds or held a key."""
        return any(key.holder == holder for key in self.all.values())

    def appoint(self, data: Data) -> None:
        """Note the roles of an official."""
        if not isinstance(data.get("roles"), list) or type(data.get("official")) is not int:
            raise Wrong
        self.roles[data["official"]] = data["roles"]

    def has(self, official: int, *roles: str) -> bool:
        """Whether an official has one of the roles."""
        return any(each in roles for each in self.roles.get(official, []))

    def leaders(self) -> set[int]:
        """Those who lead the event and hold a key in use."""
        named = ("organizer", "marshal", "judge", "co-organizer")
        return {each for each in self.roles if self.has(each, *named) and self.in_use(each)}

    def answerable(self, *officials: int) -> list[bytes] | None:
        """The keys of the first who ever held one; None where nobody has to sign."""
        for each in officials:
            if each and self.ever(each):
                return self.in_use(each)
        return None

    def for_new(self, data: Data, by: int) -> tuple[list[bytes], bool]:
        """The keys one of which signs for a new key, and whether one has to."""
        holder, second = number(data.get("holder"), 0), data.get("second")
        texts = [data.get("public"), data.get("proof"), data.get("lost", "")]
        if not all(isinstance(each, str) for each in texts):
            raise Wrong
        is_lost = data.get("lost", "").strip() != ""
        if not self.ever(holder):
            if second is not None or is_lost or not self.has(by, "organizer"):
                raise Wrong
            held = self.answerable(by)
            return held or [], held is not None
        if second is not None:
            return self._by_two(holder, second, by, is_lost=is_lost), True
        if holder == 0 and not self.has(by, "organizer"):
            raise Wrong
        if not is_lost:
            return self.in_use(holder), True
        if len(self.leaders() - {holder or by}) >= len("ab"):
            raise Wrong
        return (self.in_use(0), True) if holder else (self.in_use(by), False)

    def _by_two(self, holder: int, second: object, by: int, *, is_lost: bool) -> list[bytes]:
        other = number(second.get("official"), 1) if isinstance(second, dict) else 0
        if is_lost or len({holder, other, by}) != len("abc") or not {other, by} <= self.leaders():
            raise Wrong
        return self.in_use(by)

    def register(self, data: Data, agreed: tuple[bytes, ...]) -> None:
        """Take a key that signed for itself, and the second leader who agrees."""
        public = usable(data["public"])
        said = f"{self.tournament}\n{data['holder']} {data['public']}".encode()
        if public in self.all:
            raise Wrong
        if not signed_by(public, raw(data["proof"], 64), encoded("key", said)):
            raise Wrong
        if data.get("second") is not None:
            consent = raw(data["second"].get("sig"), 64)
            others = self.in_use(data["second"]["official"])
            if not any(signed_by(each, consent, encoded("consent", said)) for each in others):
                raise Wrong
        self.all[public] = Key(data["holder"], 0, agreed)

    def is_gone(self, public: bytes) -> bool:
        """Whether a key was taken out of use; one that the log does not know was not."""
        return public in self.all and self.all[public].gone > 0

    def followed(self, pinned: set[bytes]) -> list[bytes]:
        """The log's keys that none but keys in this line could have signed for, from the pinned."""
        known, found = set(pinned), []
        for public, key in self.all.items():
            if key.holder == 0 and public not in known and key.agreed and {*key.agreed} <= known:
                known.add(public)
                found.append(public)
        return found

    def for_gone(self, data: Data) -> list[bytes]:
        """The keys one of which signs for a revocation: the holder's, an organizer's, the log's."""
        public = raw(data.get("public"), 32)
        if public not in self.all:
            raise Wrong
        organizers = [each for each in self.roles if self.has(each, "organizer")]
        who = [self.all[public].holder, 0, *organizers]
        return [each for each, key in self.all.items() if key.holder in who and not key.gone]

    def for_next(self, data: Data) -> list[bytes]:
        """The log's keys one of which signs that its desk goes on in the place of another's."""
        public = raw(data.get("public"), 32)
        if public not in self.all or self.all[public].holder:
            raise Wrong
        return [
            each
            for each in self.in_use(0)
            if each != public
            and self.all[each].agreed
            and not any(self.all[by].holder for by in self.all[each].agreed)
        ]

    def revoke(self, data: Data, seq: int) -> None:
        """Take a key out of use; the log always has one."""
        public = raw(data["public"], 32)
        if self.all[public].gone or self.in_use(0) == [public]:
            raise Wrong
        self.all[public] = self.all[public]._replace(gone=seq)
