"""Verbs: the words that are typed, a line of help, and the function that answers them.

All verbs are listed here by the headings of the help, except those of the season. The module of a
function is imported when its verb is typed. Modules are named from this folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.outside import KEYS, NETWORK, NOTHING, PROCESSES, STORE, TERMINAL, Touches

if TYPE_CHECKING:
    from collections.abc import Callable


class Verb(NamedTuple):
    """Where a verb's function is; its module is imported when the verb is typed."""

    module: str
    summary: str
    """The first line of the function's docstring."""

    function: str = ""
    """Left out in the tables where it is called as the verb's last word."""

    writes: bool = True
    """Whether it may write to a log."""

    heading: str = ""

    touches: Touches = STORE
    """What of the machine it touches, apart from the files that its line names."""

    def touching(self, touches: Touches) -> Verb:
        """Return the verb as one that touches exactly this."""
        return self._replace(touches=touches)


def reads(module: str, summary: str, function: str = "") -> Verb:
    """Return a verb that writes to no log."""
    return Verb(module, summary, function, writes=False)


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
    "new": Verb("day.new", "Open a tournament and take it in hand.").touching(STORE | KEYS),
    "tournaments": reads("day.new", "List the tournaments in the store; * is in hand."),
    "use": reads("day.new", "Take a tournament in hand, and the official at this desk."),
    "official": reads(
        "day.opening", "List the officials and what office they hold.", "list_officials"
    ),
    "official add": Verb("day.opening", "Appoint an official, or give one another office."),
    "official plays": Verb("day.opening", "Say that an official plays, and which player they are."),
    "official hand-over": Verb(
        "day.opening", "Make another official the organizer, for good or for a while."
    ),
    "official stand-down": Verb("day.opening", "Let an official be a spectator until they resume."),
    "official resume": Verb(
        "day.opening", "Let an official who stood down take the office up again."
    ),
    "register": Verb("day.registration", "Register a player, or all players of a CSV file."),
    "rename": Verb("day.names", "Correct a name."),
    "names": Verb("day.names", "Choose how much of a name pages for everybody show."),
    "amend": Verb("day.names", "Put a player's faction, league id and attributes right."),
    "unregister": Verb("day.names", "Take a registration back that was a mistake."),
    "forget": Verb("day.leaving", "Forget a person: their name and what was written about them."),
    "list": reads(
        "day.registration",
        "List the players: number, name, faction, and who has left.",
        "list_players",
    ),
    "lists": reads("day.list_views", "Show whose list is handed in and checked.", "overview"),
    "lists submit": Verb(
        "day.lists", "Hand a player's list in, before the start; or a folder of lists."
    ),
    "lists give": Verb("day.lists", "Record what was given out to a player at registration."),
    "lists check": Verb("day.lists", "Check a list: against the event's format, or by hand."),
    "lists draw": Verb("day.lists", "Draw tables of the round whose decks are checked."),
    "lists show": reads(
        "day.list_views", "Show a player's list, as much of it as you may see.", "show_list"
    ),
    "lists correct": Verb("day.lists", "Correct a list after the start; a leader does."),
    "start": Verb("day.opening", "Announce rounds and cut, and begin.").touching(STORE | KEYS),
    "start change": Verb(
        "day.opening", "Change the structure that was announced; word and outline stay."
    ).touching(STORE | KEYS),
    "start cosigned": Verb("day.opening", "Record the witness's cosignature; the draws can begin."),
    "pair": Verb("day.pairing", "Pair the next round."),
    "unpair": Verb("day.pairing", "Take the pairing back, while it has no result."),
    "swap": Verb("day.pairing", "Let two players of the round in play change places."),
    "seat": Verb("day.pairing", "Seat who came late in the running round; nobody else moves."),
    "repair": Verb("day.round", "Show which tables to stop, and do it on your word."),
    "pairings": reads("day.round", "Show who meets whom; as pages for a printer if you like."),
    "post": Verb("day.round", "Record what was put on the wall, by its SHA-256."),
    "round": reads("day.round", "Show the round and its clock.", "show_round"),
    "round watch": reads(
        "day.round", "Show round and clock live in the terminal, until Ctrl-C."
    ).touching(STORE | TERMINAL),
    "round start": Verb("day.round", "Start the round and its clock."),
    "round extend": Verb("day.round", "Give a table more time, or all of them."),
    "round pause": Verb("day.round", "Stop the clock of the round until it is resumed."),
    "round resume": Verb("day.round", "Let the clock of the round go on."),
    "round time": Verb("day.round", "Call time, or say how much is left.", "call_time"),
    "round extra": Verb("day.round", "Make every round but the final longer.", "extra_time"),
    "round close": Verb("day.round", "Close the round, whose results are all in."),
    "report": Verb("day.report", "Report a result, or one after another.").touching(
        STORE | TERMINAL
    ),
    "concede": Verb("day.report", "Let a player give the open match up: a full win."),
    "correct": Verb("day.report", "Replace a result that was wrong."),
    "undo": Verb("day.report", "Take your last act back, or several, if nothing depends on them."),
    "drop": Verb("day.leaving", "Let a player leave; an open match is conceded."),
    "rejoin": Verb("day.leaving", "Let a player who dropped return."),
    "disqualify": Verb(
        "day.leaving", "Remove a player for good; results against them keep counting."
    ),
    "cut": Verb("day.pairing", "Make the announced cut."),
    "cut accept": Verb(
        "day.pairing", "Let the player who is asked take the free place in the cut."
    ),
    "cut decline": Verb(
        "day.pairing", "Record that the player who is asked does not want the place."
    ),
    "cut forfeit": Verb(
        "day.pairing", "Leave the place in the cut empty: nobody is left to be asked."
    ),
    "cut take-back": Verb("day.pairing", "Take the cut back, until its stage is paired."),
    "finish": Verb("day.pairing", "Close play."),
}

DOOR = {
    "check-in": Verb("day.door", "Say that players are here, or list who is and who is not."),
    "check-in open": Verb(
        "day.door", "Open a check-in: before the start, or after lunch.", "open_check_in"
    ),
    "check-in close": Verb(
        "day.door", "Close the check-in, and hear who is absent.", "close_check_in"
    ),
    "requests": reads("day.door", "List who asks to be registered by the link of the event."),
    "requests add": Verb(
        "day.door", "Note that somebody asks to be registered, to be answered later.", "ask"
    ),
    "requests approve": Verb("day.door", "Register who asked."),
    "requests refuse": Verb("day.door", "Refuse to register who asked."),
    "call": Verb("table.calls", "Call a judge to a table, or list the calls that wait."),
    "call answer": Verb(
        "table.calls", "Say that the official at this desk goes there.", "answer_call"
    ),
}

TABLE = {
    "scenario": reads("table.setups", "Show how the tables of the round are set up."),
    "scenario draw": Verb("table.setups", "Draw the round's scenario.", "draw_scenario"),
    "draft": reads("table.setups", "Show the draft groups."),
    "draft draw": Verb("table.setups", "Draw who drafts with whom.", "draw_draft"),
    "first": Verb("table.setups", "Record who is first player, and who chose it."),
    "first draw": Verb(
        "table.setups", "Draw who chooses the first player at a table.", "draw_for_first"
    ),
    "side": Verb("table.setups", "Record who took the blue side, and who chose."),
    "side draw": Verb("table.setups", "Draw who chooses the side at a table.", "draw_for_side"),
    "battle": Verb("table.setups", "Record the battle cards of a table and what was struck."),
    "terrain": reads("table.setups", "List what is wrong with the terrain."),
    "terrain count": Verb("table.setups", "Count the terrain of a table.", "count_terrain"),
    "terrain fixed": Verb(
        "table.setups", "Announce that every table keeps its terrain all event.", "fix_terrain"
    ),
    "armies": reads("table.setups", "Show whether players verify each other's army totals."),
    "armies order": Verb(
        "table.setups", "Order players to verify army totals, before round 1.", "order_armies"
    ),
    "firstfive": Verb("table.setups", "Record who looked at a player's First Five."),
    "component": reads(
        "table.component",
        "List what is on record of components, and what is missing.",
        "list_components",
    ),
    "component missing": Verb("table.component", "Record that a component is missing."),
    "component found": Verb("table.component", "Record that what a player missed is there again."),
    "component gone": Verb(
        "table.component", "Record that what a player misses is gone: the game is conceded."
    ),
    "component damaged": Verb("table.component", "Record a damaged component."),
    "component proxy": Verb("table.component", "Make a proxy for a card that was damaged."),
    "component allow": Verb("table.component", "Allow a component of a player, or everyone's."),
    "component ineligible": Verb("table.component", "Rule a component out."),
    "component inspect": Verb(
        "table.component", "Record that components were looked at, and what follows."
    ),
    "component share": Verb("table.component", "Record what both players of a table share."),
    "moderate": Verb("table.setups", "Record who saw to the pace of a match."),
    "prize": reads("table.component", "List which prize goes to whom.", "list_prizes"),
    "prize offer": Verb("table.component", "Offer a prize for ranks."),
    "prize award": Verb("table.component", "Award a prize to a player."),
    "confirm": Verb("table.dispute", "Confirm a reported result, or list those to be confirmed."),
    "dispute": Verb("table.dispute", "Dispute a reported result."),
    "dispute withdraw": Verb("table.dispute", "Take a dispute back.", "withdraw_dispute"),
    "disputes": reads("table.dispute", "List the disputes: how old, both claims, who acts next."),
    "match": reads("table.dispute", "Tell one match's whole story, event by event.", "show_match"),
    "evidence": reads(
        "proof.receipts", "Write what a judge hands to an appeal: one page about a match."
    ).touching(STORE | KEYS),
    "rule": Verb("table.floor", "Record a ruling of the official at the desk, or list rulings."),
    "rule withdraw": Verb(
        "table.floor",
        "Take your ruling back, until something was decided on it.",
        "withdraw_ruling",
    ),
    "appeal": Verb("table.dispute", "Ask a marshal to review a ruling, on a player's word."),
    "appeal withdraw": Verb("table.dispute", "Take an appeal back.", "withdraw_appeal"),
    "review": Verb("table.dispute", "Review a ruling that was appealed, for good."),
    "conduct": Verb("table.floor", "Record unsporting conduct and its remedy, or list it."),
    "recommend": Verb(
        "table.floor", "Recommend a disqualification to the organizer, or list those."
    ),
    "penalty": Verb("table.floor", "Give a penalty, or list those that were given."),
    "note": Verb("table.floor", "Put a remark on record, or list the notes."),
}

VIEW = {
    "standings": reads(
        "views",
        "Show the Swiss standings, also after a cut; with --final who won.",
        "show_standings",
    ),
    "bracket": reads(
        "views", "Show the elimination by game numbers, and who came how far.", "show_bracket"
    ),
    "log": reads("views", "Show the log: who did what, and when.", "show_log"),
    "explain": reads("explaining", "Take a number apart down to its events."),
    "explain pairing": reads("explaining", "Say why two met.", "explain_pairing"),
    "explain bye": reads("explaining", "Say why somebody had the bye.", "explain_bye"),
    "diff": reads("explaining", "Show what moved between two moments, and which events did it."),
    "whatif": reads("explaining", "Try another outcome, and see what it would change."),
    "audit": reads("audit", "Report what departs from draw, clock and rules."),
    "audit begin": Verb("audit", "Begin a slip audit: put the head on record.").touching(
        STORE | KEYS
    ),
    "audit draw": Verb("audit", "Draw the slips that are pulled, by a word called out."),
    "audit slip": Verb("audit", "Record what a slip says, as for `report`."),
    "audit slip withdraw": Verb("audit", "Take back what was entered of a slip, to read it again."),
}

PROOF = {
    "checkpoint": Verb("proof.heads", "Sign the log's head as it is now, and show it.").touching(
        STORE | KEYS
    ),
    "verify": reads(
        "proof.verify", "Check a log without trusting who made it; or the store."
    ).touching(STORE | KEYS | PROCESSES),
    "receipt": reads(
        "proof.receipts", "Prove to a player that the signed log has their result."
    ).touching(STORE | KEYS),
    "witness": reads(
        "proof.witness", "List the heads that this machine has seen as a witness.", "list_heads"
    ).touching(KEYS),
    "witness list": reads(
        "proof.witness", "List the heads that this machine has seen as a witness.", "list_heads"
    ).touching(KEYS),
    "witness init": reads("proof.witness", "Make a witness's key on this machine.").touching(KEYS),
    "witness trust": reads("proof.witness", "Let the witness on this machine know a log.").touching(
        KEYS
    ),
    "witness ask": reads(
        "proof.witness", "Ask a witness to cosign the log's head, by a file."
    ).touching(STORE | KEYS),
    "witness cosign": reads("proof.witness", "Cosign what a desk asks, as a witness.").touching(
        KEYS
    ),
    "witness add": reads("proof.witness", "Put a witness's answer to the log's head."),
    "sign": reads(
        "proof.drafts", "List what was entered on a page and waits for a key.", "list_drafts"
    ),
    "sign now": Verb(
        "proof.drafts", "Sign what waits with the key of who it is by, and enter it.", "sign"
    ).touching(STORE | KEYS),
    "sign drop": Verb(
        "proof.drafts", "Throw away what waits: it was never on record, and is gone."
    ),
    "compare": reads("proof.comparing", "Hold two signed copies of one log side by side.").touching(
        NOTHING
    ),
    "key": Verb("proof.key", "List the keys, and which are on this machine.", "list_keys").touching(
        STORE | KEYS
    ),
    "key list": Verb(
        "proof.key", "List the keys, and which are on this machine.", "list_keys"
    ).touching(STORE | KEYS),
    "key new": Verb(
        "proof.key", "Make a key that an official signs with, and register it."
    ).touching(STORE | KEYS),
    "key register": Verb("proof.key", "Register a key that was made on another machine.").touching(
        STORE | KEYS
    ),
    "key agree": Verb(
        "proof.key", "Agree to another leader's key, by a line that is entered."
    ).touching(STORE | KEYS),
    "key revoke": Verb("proof.key", "Take a key out of use.", "revoke_key").touching(STORE | KEYS),
    "key renew": Verb("proof.key", "Replace the log's own key by a new one.").touching(
        STORE | KEYS
    ),
    "key export": reads(
        "proof.key", "Show the lines that register an official's keys here."
    ).touching(STORE | KEYS),
    "key draws": Verb(
        "proof.key", "Draw another key of the draws, where it is lost for good."
    ).touching(STORE | KEYS),
    "key hidden": Verb("proof.key", "Draw another key of hidden cards, where it is lost."),
}

INOUT = {
    "import": Verb(
        "inout.importing", "Take a file into the store, and in hand.", "import_log"
    ).touching(STORE | KEYS | TERMINAL),
    "export": reads(
        "inout.exporting",
        "Write the lines of the log, unchanged, and the keys of the names.",
        "export_log",
    ).touching(STORE | KEYS),
    "replay": reads(
        "inout.replaying",
        "Check a log without a store: standings, bracket, signature.",
        "replay_log",
    ).touching(NOTHING),
    "reproduce": reads(
        "inout.reproducing",
        "Say which published numbers of an event follow from its rounds.",
    ).touching(NOTHING),
    "serve": reads("inout.serving", "Serve the event in hand to browsers, until Ctrl-C.").touching(
        STORE | KEYS | NETWORK | PROCESSES | TERMINAL
    ),
    "rehearse": reads("inout.serving", "Play a made-up event with programs as players.").touching(
        KEYS | NETWORK | PROCESSES | TERMINAL
    ),
    "links": reads(
        "inout.links", "List who has a link, and on which browsers it was opened.", "list_links"
    ),
    "links list": reads(
        "inout.links", "List who has a link, and on which browsers it was opened.", "list_links"
    ),
    "links print": Verb(
        "inout.links",
        "Print everybody's link with its code, for a badge or a slip.",
        "print_links",
    ).touching(STORE | KEYS | NETWORK),
    "links new": Verb(
        "inout.links", "Give somebody another link; the one before ends at once."
    ).touching(STORE | KEYS | NETWORK),
    "links revoke": Verb("inout.links", "Revoke a link; what it let in is out, on every browser."),
    "links plain-http": Verb(
        "inout.links", "Choose whether officials may act over plain HTTP.", "choose_plain_http"
    ),
    "publish": reads(
        "inout.serving", "Write what everybody may see to a folder, for a web host."
    ).touching(STORE | KEYS | TERMINAL),
    "backup": reads(
        "inout.backups", "Write the tournaments and their secrets to one file."
    ).touching(STORE | KEYS),
    "restore": Verb("inout.backups", "Take the tournaments of a backup into the store.").touching(
        STORE | KEYS
    ),
    "ruleset": reads("inout.rulesets", "List the rulesets.", "list_rulesets").touching(NOTHING),
    "ruleset list": reads("inout.rulesets", "List the rulesets.", "list_rulesets").touching(
        NOTHING
    ),
    "ruleset show": reads(
        "inout.rulesets", "Show a ruleset in words, with the clause of each line.", "show_ruleset"
    ).touching(NOTHING),
    "ruleset check": reads(
        "inout.rulesets", "Check a ruleset of your own.", "check_ruleset"
    ).touching(NOTHING),
    "format": reads("inout.rulesets", "List the formats.", "list_formats").touching(NOTHING),
    "format list": reads("inout.rulesets", "List the formats.", "list_formats").touching(NOTHING),
    "format show": reads(
        "inout.rulesets", "Show what a format asks of a list.", "show_format"
    ).touching(NOTHING),
    "format check": reads("inout.rulesets", "Check a player's list.", "check_list").touching(
        NOTHING
    ),
}
