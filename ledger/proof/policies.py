"""Policies for many logs: one file that names several, or a folder of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.proof.formats import Checkpoint, Invalid, Key, parse_checkpoint, parse_note
from ledger.proof.policy import NO_PINS, Pins, Policy, Trust, read_policy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Policies(NamedTuple):
    """The policy of each log, by the name under which the log signs."""

    by_log: dict[str, Policy]

    @property
    def logs(self) -> list[Key]:
        """The keys of logs that may sign."""
        return [key for name, policy in self.by_log.items() for key in policy.logs_of(name)]

    def pins_of(self, name: str) -> Pins:
        """What is asked of the officials of a log; nothing, where no policy names it."""
        policy = self.by_log.get(name)
        return policy.pins_of(name) if policy is not None else NO_PINS

    def open(
        self, data: bytes, renewed: Sequence[Key] = ()
    ) -> tuple[Checkpoint, str, dict[Key, int]]:
        """Return a head, its text and who signed it; Invalid unless its log's policy has that."""
        name = parse_checkpoint(parse_note(data).text).origin
        if name not in self.by_log:
            raise Invalid(f"no policy in the folder names the log {name}")
        return self.by_log[name].open(data, renewed)


def read_policies(place: Path) -> Trust:
    """Read a policy file, or a folder of them; Invalid names the file that is not one."""
    if not place.is_dir():
        return read_policy(place)
    by_log: dict[str, Policy] = {}
    owners: dict[str, Path] = {}
    for path in sorted(place.iterdir()):
        try:
            policy = read_policy(path)
        except Invalid as error:
            raise error.within(path.name) from None
        for key in policy.logs:
            if owners.setdefault(key.name, path) != path:
                both = f"{owners[key.name].name} and {path.name}"
                raise Invalid(f"{both} both name the log {key.name}: keep the newer one")
            by_log[key.name] = policy
    if not by_log:
        raise Invalid("there is no policy in the folder")
    return Policies(by_log)
