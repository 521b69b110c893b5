"""Verbs: the words that are typed, a line of help, and the function that answers them.

All verbs are listed here, except those of the season. The module of a
function is imported when its verb is typed. Modules are named from this folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.languages.speaking import marked
from cli.outside import KEYS, LOG, NETWORK, NOTHING, PROCESSES, STORE, TERMINAL, Touches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Verb(NamedTuple):
    """Where a verb's function is; its module is imported when the verb is typed."""

    module: str
    summary: str
    """The first line of the function's docstring."""

    function: str = ""
    """Left out in the tables where it is called as the verb's last word."""

    writes: bool = True
    """Whether it may write to a log."""

    touches: Touches = STORE
    """What of the machine it touches, apart from the files that its line names."""

    lists: bool = False
    """Whether it lists records if no word follows it, and then touches only the log."""

    def touching(self, touches: Touches) -> Verb:
        """Return the verb as one that touches exactly this."""
        return self._replace(touches=touches)

    def touched_with(self, words: Sequence[str]) -> Touches:
        """Return what it touches with these words after it."""
        return self.touches if words or not self.lists else LOG


def reads(module: str, summary: str, function: str = "") -> Verb:
    """Return a verb that writes to no log, and reads that of the tournament unless it says more."""
    return Verb(module, summary, function, writes=False, touches=LOG)


def lists(module: str, summary: str, function: str = "") -> Verb:
    """Return a verb that writes to a log, or lists records if no word follows it."""
    return Verb(module, summary, function, lists=True)


def touched_by(verb: Verb) -> Touches:
    """Return all that a verb touches, with the files that its parameters name."""
    from cli.input.file_names import InFile
    from cli.input.options import files_in

    touches = verb.touches
    for kind in files_in(function_of(verb)).values():
        touches |= Touches.FILES_IN if kind is InFile else Touches.FILES_OUT
    return touches


def function_of(verb: Verb) -> Callable[..., None]:
    """Import the function that answers a verb."""
    from importlib import import_module

    function: Callable[..., None] = getattr(import_module(verb.module), verb.function)
    return function


DAY = {
    "new": Verb("day.new", marked("Open a tournament and make it the current one.")).touching(
        STORE | KEYS
    ),
    "tournaments": reads(
        "day.new", marked("List the tournaments in the store; * marks the current one.")
    ).touching(STORE),
    "use": reads(
        "day.new", marked("Select the current tournament, and the official at this desk.")
    ).touching(STORE),
    "official": reads(
        "day.opening", marked("List the officials and their roles."), "list_officials"
    ),
    "official add": Verb("day.opening", marked("Appoint an official, or change the roles of one.")),
    "official plays": Verb(
        "day.opening", marked("Record that an official also plays, and as which player.")
    ),
    "official hand-over": Verb(
        "day.opening", marked("Make another official the organizer, permanently or for now.")
    ),
    "official stand-down": Verb(
        "day.opening", marked("Make an official a spectator until they resume.")
    ),
    "official resume": Verb(
        "day.opening", marked("Restore the roles of an official who stood down.")
    ),
    "register": Verb(
        "day.registration", marked("Register a player, or all players of a CSV file.")
    ),
    "rename": Verb("day.names", marked("Correct a name.")),
    "names": Verb("day.names", marked("Choose how much of each name public pages show.")),
    "amend": Verb("day.names", marked("Correct a player's faction, league id or attributes.")),
    "unregister": Verb("day.names", marked("Withdraw a registration made by mistake.")),
    "forget": Verb(
        "day.leaving", marked("Forget a person: erase their name and the texts about them.")
    ),
    "list": reads(
        "day.registration",
        marked("List the players: number, name, faction, and who has left."),
        "list_players",
    ),
    "lists": reads(
        "day.list_views", marked("Show which players' lists are submitted and checked."), "overview"
    ),
    "lists submit": Verb(
        "day.lists", marked("Submit a player's list, or a folder of lists, before the start.")
    ),
    "lists give": Verb(
        "day.lists", marked("Record an exclusive card issued to a player at registration.")
    ),
    "lists check": Verb(
        "day.lists", marked("Check a list against the tournament's format, or by hand.")
    ),
    "lists draw": Verb(
        "day.lists", marked("Draw the tables of the round at which decks are checked.")
    ),
    "lists show": reads(
        "day.list_views", marked("Show the part of a player's list that you may see."), "show_list"
    ),
    "lists correct": Verb(
        "day.lists", marked("Correct a list after the start; only a leader can.")
    ),
    "start": Verb(
        "day.opening", marked("Announce the rounds and the cut, and start the tournament.")
    ),
    "start cosigned": Verb(
        "day.opening", marked("Record the witness's cosignature; the draws can begin.")
    ),
    "pair": Verb("day.pairing", marked("Pair the next round.")),
    "unpair": Verb("day.pairing", marked("Undo the pairing, as long as it has no result.")),
    "swap": Verb("day.pairing", marked("Swap the seats of two players in the current round.")),
    "late": Verb(
        "day.pairing",
        marked("Seat a latecomer in the current round; no other pairing changes."),
        "seat_latecomer",
    ),
    "repair-round": Verb(
        "day.round", marked("List the tables to pair again after a correction, or do so.")
    ),
    "pairings": reads("day.round", marked("Show the pairings of a round, or print them.")),
    "post": Verb(
        "day.round", marked("Record which pairings or standings were posted, by their SHA-256.")
    ),
    "round": reads("day.round", marked("Show the round and its clock."), "show_round"),
    "round watch": reads(
        "day.round", marked("Show the round and its clock live in the terminal, until Ctrl-C.")
    ).touching(STORE | TERMINAL),
    "round start": Verb("day.round", marked("Start the round and its clock.")),
    "round extend": Verb("day.round", marked("Give one table, or all tables, more time.")),
    "round pause": Verb("day.round", marked("Stop the clock of the round until it is resumed.")),
    "round resume": Verb("day.round", marked("Resume the clock of the round.")),
    "round time": Verb(
        "day.round", marked("Call time, or announce how much time is left."), "call_time"
    ),
    "round extra": Verb(
        "day.round", marked("Add time to every round except the final."), "extra_time"
    ),
    "round close": Verb("day.round", marked("Close the round once it has all its results.")),
    "report": Verb("day.report", marked("Report a result, or several in a row.")).touching(
        STORE | TERMINAL
    ),
    "concede": Verb(
        "day.report", marked("Concede a player's open match: the opponent gets a full win.")
    ),
    "correct": Verb("day.report", marked("Replace a wrong result.")),
    "undo": Verb(
        "day.report", marked("Undo your latest act, or several, if nothing depends on them.")
    ),
    "drop": Verb("day.leaving", marked("Drop a player; any open match is conceded.")),
    "rejoin": Verb("day.leaving", marked("Let a player who dropped play again.")),
    "disqualify": Verb(
        "day.leaving", marked("Disqualify a player permanently; earlier results still count.")
    ),
    "cut": Verb("day.pairing", marked("Make the announced cut.")),
    "cut accept": Verb(
        "day.pairing", marked("Record that the next player accepts the free place in the cut.")
    ),
    "cut decline": Verb(
        "day.pairing", marked("Record that the next player declines the free place in the cut.")
    ),
    "cut forfeit": Verb(
        "day.pairing", marked("Leave a place in the cut empty when no player is left to ask.")
    ),
    "cut take-back": Verb(
        "day.pairing", marked("Undo the cut, as long as its stage is not paired.")
    ),
    "finish": Verb("day.pairing", marked("Close play.")),
}

DOOR = {
    "check-in": lists(
        "day.door", marked("Check players in, or list who has and who has not checked in.")
    ),
    "check-in open": Verb(
        "day.door", marked("Open a check-in: before the start, or after lunch."), "open_check_in"
    ),
    "check-in close": Verb(
        "day.door", marked("Close the check-in, and list the absent players."), "close_check_in"
    ),
    "requests": reads("day.door", marked("List the pending requests to register.")),
    "requests add": Verb(
        "day.door", marked("Add a person's request to be registered, to be answered later."), "ask"
    ),
    "requests approve": Verb(
        "day.door", marked("Approve a request, or all: register the players.")
    ),
    "requests refuse": Verb(
        "day.door", marked("Refuse a request to be registered, or all of them.")
    ),
    "call": lists("table.calls", marked("Call a judge to a table, or list the open calls.")),
    "call answer": Verb(
        "table.calls",
        marked("Record that the official at this desk goes to the table."),
        "answer_call",
    ),
}

TABLE = {
    "scenario": reads("table.setups", marked("Show how the tables of the round are set up.")),
    "scenario draw": Verb("table.setups", marked("Draw the round's scenario."), "draw_scenario"),
    "draft": reads("table.setups", marked("Show the draft groups.")),
    "draft draw": Verb("table.setups", marked("Draw the draft groups."), "draw_draft"),
    "first": Verb("table.setups", marked("Record the first player at a table, and who chose.")),
    "first draw": Verb(
        "table.setups", marked("Draw who chooses the first player at a table."), "draw_for_first"
    ),
    "side": Verb("table.setups", marked("Record the blue player at a table, and who chose.")),
    "side draw": Verb(
        "table.setups", marked("Draw who chooses the side at a table."), "draw_for_side"
    ),
    "battle": Verb(
        "table.setups", marked("Record the battle cards of a table and the ones struck.")
    ),
    "terrain": reads("table.setups", marked("List the problems with the terrain.")),
    "terrain count": Verb(
        "table.setups", marked("Record the terrain counted at a table."), "count_terrain"
    ),
    "terrain fixed": Verb(
        "table.setups",
        marked("Announce that every table keeps its terrain until the end."),
        "fix_terrain",
    ),
    "armies": reads(
        "table.setups", marked("Show whether players verify each other's army totals.")
    ),
    "armies order": Verb(
        "table.setups",
        marked("Order players to verify army totals, before round 1."),
        "order_armies",
    ),
    "firstfive": Verb("table.setups", marked("Record who reviewed a player's First Five.")),
    "component": reads(
        "table.component",
        marked("List the records on components, and the missing components."),
        "list_components",
    ),
    "component missing": Verb("table.component", marked("Record that a component is missing.")),
    "component found": Verb(
        "table.component", marked("Record that a player's missing component was found.")
    ),
    "component gone": Verb(
        "table.component", marked("Record that a missing component is lost: the game is conceded.")
    ),
    "component damaged": Verb("table.component", marked("Record a damaged component.")),
    "component proxy": Verb("table.component", marked("Make a proxy for a damaged card.")),
    "component allow": Verb(
        "table.component", marked("Allow a component for one player, or for all players.")
    ),
    "component ineligible": Verb(
        "table.component", marked("Rule that a component is not allowed.")
    ),
    "component inspect": Verb(
        "table.component", marked("Record an inspection of components, and its outcome.")
    ),
    "component share": Verb(
        "table.component", marked("Record a component that both players of a table share.")
    ),
    "slow-play": Verb(
        "table.setups", marked("Record that an official moderated the pace of a match.")
    ),
    "prize": reads(
        "table.component", marked("List the prizes, and who received them."), "list_prizes"
    ),
    "prize offer": Verb("table.component", marked("Offer a prize for ranks.")),
    "prize award": Verb("table.component", marked("Award a prize to a player.")),
    "confirm": lists(
        "table.dispute", marked("Confirm a reported result, or list the unconfirmed ones.")
    ),
    "dispute": Verb("table.dispute", marked("Dispute a reported result.")),
    "dispute withdraw": Verb("table.dispute", marked("Withdraw a dispute."), "withdraw_dispute"),
    "disputes": reads(
        "table.dispute", marked("List the disputes: their age, both claims, who acts next.")
    ),
    "match": reads(
        "table.dispute", marked("Show the whole history of a match, event by event."), "show_match"
    ),
    "evidence": reads(
        "proof.receipts", marked("Write the evidence for an appeal: one page about a match.")
    ).touching(STORE | KEYS),
    "rule": lists(
        "table.floor", marked("Record a ruling by the official at the desk, or list rulings.")
    ),
    "rule withdraw": Verb(
        "table.floor",
        marked("Withdraw your ruling, unless a decision already rests on it."),
        "withdraw_ruling",
    ),
    "appeal": Verb(
        "table.dispute", marked("Ask a marshal to review a ruling, on behalf of a player.")
    ),
    "appeal withdraw": Verb("table.dispute", marked("Withdraw an appeal."), "withdraw_appeal"),
    "review": Verb(
        "table.dispute", marked("Decide an appeal against a ruling; the decision is final.")
    ),
    "conduct": lists(
        "table.floor", marked("Record unsporting conduct and its remedy, or list it.")
    ),
    "recommend": lists(
        "table.floor", marked("Recommend a disqualification, or list the recommendations.")
    ),
    "penalty": lists("table.floor", marked("Give a penalty, or list the penalties.")),
    "note": lists("table.floor", marked("Record a note, or list the notes.")),
}

VIEW = {
    "standings": reads(
        "views",
        marked("Show the Swiss standings, or with --final the finishing order."),
        "show_standings",
    ),
    "bracket": reads(
        "views",
        marked("Show the elimination by game number, and how far each player got."),
        "show_bracket",
    ),
    "log": reads("views", marked("Show the log: who did what, and when."), "show_log"),
    "explain": reads(
        "explaining", marked("Explain a number in the standings, down to its events.")
    ),
    "explain pairing": reads(
        "explaining", marked("Explain why two players were paired."), "explain_pairing"
    ),
    "explain bye": reads("explaining", marked("Explain why a player had the bye."), "explain_bye"),
    "diff": reads(
        "explaining", marked("Show what differs between two moments, or two copies of a log.")
    ),
    "whatif": reads("explaining", marked("Try another outcome, and see what it would change.")),
    "audit": reads("audit", marked("Report deviations from the draws, the clock and the rules.")),
    "audit begin": Verb("audit", marked("Begin a slip audit: record the head of the log.")),
    "audit draw": Verb(
        "audit", marked("Draw the slips to check, with a word called out in the room.")
    ),
    "audit slip": Verb(
        "audit", marked("Record the result on a paper slip, typed as for `report`.")
    ),
    "audit slip withdraw": Verb(
        "audit", marked("Undo the entry of a slip, to read the slip again.")
    ),
}

PROOF = {
    "checkpoint": Verb(
        "proof.heads", marked("Sign the current head of the log, and show it.")
    ).touching(STORE | KEYS),
    "verify": reads(
        "proof.verify", marked("Check a log without trusting its author, or check the store.")
    ).touching(STORE | KEYS),
    "receipt": reads(
        "proof.receipts", marked("Prove to a player that the signed log contains their result.")
    ).touching(STORE | KEYS),
    "witness": reads(
        "proof.witness",
        marked("List the heads that this computer has seen as a witness."),
        "list_heads",
    ).touching(KEYS),
    "witness init": reads(
        "proof.witness", marked("Make a witness's key on this computer.")
    ).touching(KEYS),
    "witness trust": reads(
        "proof.witness", marked("Add a log to those that the witness on this computer cosigns.")
    ).touching(KEYS),
    "witness ask": reads(
        "proof.witness", marked("Write a request for a witness to cosign the log's head.")
    ).touching(STORE | KEYS),
    "witness cosign": reads(
        "proof.witness", marked("Cosign a desk's request, as a witness.")
    ).touching(KEYS),
    "witness add": reads(
        "proof.witness", marked("Add a witness's cosignature to the log's head.")
    ).touching(STORE),
    "sign": reads(
        "proof.drafts",
        marked("List the acts entered on a page that still need a signature."),
        "list_drafts",
    ).touching(STORE),
    "sign now": Verb(
        "proof.drafts",
        marked("Sign waiting acts with the key of their official, and enter them."),
        "sign",
    ).touching(STORE | KEYS),
    "sign drop": Verb("proof.drafts", marked("Delete waiting acts, which were never on record.")),
    "key": Verb(
        "proof.key", marked("List the keys, and which are on this computer."), "list_keys"
    ).touching(STORE | KEYS),
    "key new": Verb(
        "proof.key", marked("Make a key for an official to sign with, and register it.")
    ).touching(STORE | KEYS),
    "key register": Verb(
        "proof.key", marked("Register a key that was made on another computer.")
    ).touching(STORE | KEYS),
    "key agree": Verb(
        "proof.key", marked("Agree to another leader's key, and show the line to enter.")
    ).touching(STORE | KEYS),
    "key revoke": Verb("proof.key", marked("Revoke a key."), "revoke_key").touching(STORE | KEYS),
    "key renew": Verb("proof.key", marked("Replace the log's own key with a new one.")).touching(
        STORE | KEYS
    ),
    "key export": reads(
        "proof.key", marked("Show the lines that register an official's keys on this computer.")
    ).touching(STORE | KEYS),
    "key draws": Verb(
        "proof.key", marked("Replace the key of the draws if it is permanently lost.")
    ).touching(STORE | KEYS),
    "key hidden": Verb("proof.key", marked("Replace the key of hidden cards if it is lost.")),
}

INOUT = {
    "import": Verb(
        "inout.importing",
        marked("Import a file into the store, and select its tournament."),
        "import_log",
    ).touching(STORE | KEYS | TERMINAL),
    "export": reads(
        "inout.exporting",
        marked("Write the log's lines unchanged, with the keys of the names."),
        "export_log",
    ).touching(STORE | KEYS),
    "replay": reads(
        "inout.replaying",
        marked("Show a log's standings and bracket, after every check."),
        "replay_log",
    ).touching(KEYS | TERMINAL),
    "reproduce": reads(
        "inout.reproducing",
        marked("Check which published numbers follow from the published rounds."),
    ).touching(NOTHING),
    "serve": reads(
        "inout.serving", marked("Serve the current tournament to browsers, until Ctrl-C.")
    ).touching(STORE | KEYS | NETWORK | PROCESSES | TERMINAL),
    "rehearse": reads(
        "inout.serving", marked("Rehearse with a made-up tournament whose players are programs.")
    ).touching(KEYS | NETWORK | PROCESSES | TERMINAL),
    "demo": reads(
        "inout.serving", marked("Play a day of 12 players by itself, in a temporary folder.")
    ).touching(PROCESSES | TERMINAL),
    "follow": reads(
        "inout.succession",
        "Follow another computer's tournament, to take over if it is lost.",
    ).touching(STORE | KEYS | NETWORK | TERMINAL),
    "take-over": Verb(
        "inout.succession",
        "Continue here, in place of the computer that this one followed.",
        "take_over",
    ).touching(STORE | KEYS | NETWORK),
    "links": reads(
        "inout.links",
        marked("List the links, their holders, and the browsers that opened them."),
        "list_links",
    ).touching(STORE),
    "links print": Verb(
        "inout.links",
        marked("Print links with their codes, for badges or slips."),
        "print_links",
    ).touching(STORE | KEYS | NETWORK),
    "links new": Verb(
        "inout.links", marked("Issue a new link to a person; their previous link ends at once.")
    ).touching(STORE | KEYS | NETWORK),
    "links revoke": Verb(
        "inout.links", marked("Revoke a link, and sign its holder out of every browser.")
    ),
    "links plain-http": Verb(
        "inout.links",
        marked("Choose whether officials may act over plain HTTP."),
        "choose_plain_http",
    ),
    "publish": reads(
        "inout.serving", marked("Write the public pages to a folder, for a web host.")
    ).touching(STORE | KEYS | TERMINAL),
    "backup": reads(
        "inout.backups", marked("Write the tournaments and their secrets to one file.")
    ).touching(STORE | KEYS),
    "restore": Verb(
        "inout.backups", marked("Restore the tournaments of a backup into the store.")
    ).touching(STORE | KEYS),
    "merge": Verb(
        "inout.merging", marked("Enter the acts of another desk that lost sight of this one.")
    ).touching(STORE | KEYS),
    "ruleset": reads("inout.rulesets", marked("List the rulesets."), "list_rulesets").touching(
        NOTHING
    ),
    "ruleset show": reads(
        "inout.rulesets",
        marked("Show a ruleset in words, with the clause of each line."),
        "show_ruleset",
    ).touching(NOTHING),
    "ruleset check": reads(
        "inout.rulesets", marked("Check your own ruleset file."), "check_ruleset"
    ).touching(NOTHING),
    "clause": reads(
        "inout.rulesets",
        marked("Look up a clause of the regulations, or list them."),
        "look_up_clause",
    ),
    "format": reads("inout.rulesets", marked("List the formats."), "list_formats").touching(
        NOTHING
    ),
    "format show": reads(
        "inout.rulesets", marked("Show what a format requires of a list."), "show_format"
    ).touching(NOTHING),
    "format check": reads(
        "inout.rulesets", marked("Check a player's list."), "check_list"
    ).touching(NOTHING),
}
