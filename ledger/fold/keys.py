"""What registering, revoking and replacing keys does to the tournament; links given out."""

from __future__ import annotations

from ledger.events import keys
from ledger.lines.recorded import Recorded
from ledger.proof.formats import unbase64
from ledger.proof.signatures import held_from, needed_to_register, official_in
from ledger.tournament.keyholders import holders_of, registration
from ledger.tournament.links import Link, link_of
from ledger.tournament.state import CommittedKey, Tournament


def key_registered(tournament: Tournament, event: keys.KeyRegistered, recorded: Recorded) -> None:
    public, new = unbase64(event.public), registration(event)
    need = needed_to_register(holders_of(tournament), new, official_in(recorded.by))
    tournament.keys[public] = held_from(new, public, need, recorded.seq)


def key_revoked(tournament: Tournament, event: keys.KeyRevoked, recorded: Recorded) -> None:
    public = unbase64(event.public)
    tournament.keys[public] = tournament.keys[public]._replace(until=recorded.seq)


def shuffle_key_replaced(
    tournament: Tournament, event: keys.ShuffleKeyReplaced, recorded: Recorded
) -> None:
    key = CommittedKey(event.commitment, recorded.seq, recorded.command_id)
    tournament.draw_keys.append(key)


def hidden_key_replaced(
    tournament: Tournament, event: keys.HiddenKeyReplaced, recorded: Recorded
) -> None:
    key = CommittedKey(event.commitment, recorded.seq, recorded.command_id)
    tournament.hidden_keys.append(key)
    tournament.floor.lost_battles.update(tournament.floor.battles)
    for held in tournament.lists.values():
        held.is_lost = True
        for handed in held.handed:
            handed.is_lost = True


def fork_accepted(_tournament: Tournament, _event: keys.ForkAccepted, _recorded: Recorded) -> None:
    """Nothing: it is about lines that are not here."""


def link_issued(tournament: Tournament, event: keys.LinkIssued, recorded: Recorded) -> None:
    links, command_id = tournament.floor.links, recorded.command_id
    if before := link_of(links, event.of):
        before.until = recorded.seq
    links[event.link] = Link(event.link, event.of, event.digest, recorded.seq, command_id)


def link_revoked(tournament: Tournament, event: keys.LinkRevoked, recorded: Recorded) -> None:
    tournament.floor.links[event.link].until = recorded.seq


def plain_http_chosen(tournament: Tournament, event: keys.PlainHttpChosen, _: Recorded) -> None:
    tournament.plain_http = event.allowed


def links_guessed(_tournament: Tournament, _event: keys.LinksGuessed, _recorded: Recorded) -> None:
    """Nothing: the log has it, and an audit tells it."""
