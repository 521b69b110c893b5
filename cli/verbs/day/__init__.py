"""The verbs of the day: opening, players, rounds, results, the cut and the end."""

from __future__ import annotations

from cli.outside import KEYS, STORE, TERMINAL
from cli.verbs.verb import Verb, reads

VERBS = {
    "new": Verb("new", "Open a tournament and take it in hand.").touching(STORE | KEYS),
    "tournaments": reads("new", "List the tournaments in the store; * is in hand."),
    "use": reads("new", "Take a tournament in hand, and the official at this desk."),
    "official": reads(
        "officials", "List the officials and what office they hold.", "list_officials"
    ),
    "official add": Verb("officials", "Appoint an official, or give one another office."),
    "official plays": Verb("officials", "Say that an official plays, and which player they are."),
    "official hand-over": Verb(
        "officials", "Make another official the organizer, for good or for a while."
    ),
    "official stand-down": Verb("officials", "Let an official be a spectator until they resume."),
    "official resume": Verb(
        "officials", "Let an official who stood down take the office up again."
    ),
    "register": Verb("registration", "Register a player, or all players of a CSV file."),
    "rename": Verb("names", "Correct a name."),
    "names": Verb("names", "Choose how much of a name pages for everybody show."),
    "amend": Verb("names", "Put a player's faction, league id and attributes right."),
    "unregister": Verb("names", "Take a registration back that was a mistake."),
    "forget": Verb("forgetting", "Forget a person: their name and what was written about them."),
    "list": reads(
        "registration", "List the players: number, name, faction, and who has left.", "list_players"
    ),
    "lists": reads("deck_views", "Show whose list is handed in and checked.", "overview"),
    "lists submit": Verb(
        "deck_lists", "Hand a player's list in, before the start; or a folder of lists."
    ),
    "lists give": Verb("deck_lists", "Record what was given out to a player at registration."),
    "lists check": Verb("deck_checks", "Check a list: against the event's format, or by hand."),
    "lists draw": Verb("deck_checks", "Draw tables of the round whose decks are checked."),
    "lists show": reads(
        "deck_views", "Show a player's list, as much of it as you may see.", "show_list"
    ),
    "lists correct": Verb("deck_lists", "Correct a list after the start; a leader does."),
    "start": Verb("start", "Announce rounds and cut, and begin.").touching(STORE | KEYS),
    "start change": Verb(
        "start", "Change the structure that was announced; word and outline stay."
    ).touching(STORE | KEYS),
    "start cosigned": Verb("start", "Record the witness's cosignature; the draws can begin."),
    "pair": Verb("pairing", "Pair the next round."),
    "unpair": Verb("pairing", "Take the pairing back, while it has no result."),
    "swap": Verb("pairing", "Let two players of the round in play change places."),
    "seat": Verb("pairing", "Seat who came late in the running round; nobody else moves."),
    "repair": Verb("repair", "Show which tables to stop, and do it on your word."),
    "pairings": reads("round", "Show who meets whom; as pages for a printer if you like."),
    "post": Verb("round", "Record what was put on the wall, by its SHA-256."),
    "round": reads("round", "Show the round and its clock.", "show_round"),
    "round watch": reads(
        "round", "Show round and clock live in the terminal, until Ctrl-C."
    ).touching(STORE | TERMINAL),
    "round start": Verb("round", "Start the round and its clock."),
    "round extend": Verb("round", "Give a table more time, or all of them."),
    "round pause": Verb("round", "Stop the clock of the round until it is resumed."),
    "round resume": Verb("round", "Let the clock of the round go on."),
    "round time": Verb("round", "Call time, or say how much is left.", "call_time"),
    "round extra": Verb("round", "Make every round but the final longer.", "extra_time"),
    "round close": Verb("round", "Close the round, whose results are all in."),
    "report": Verb("report", "Report a result, or one after another.").touching(STORE | TERMINAL),
    "concede": Verb("report", "Let a player give the open match up: a full win."),
    "correct": Verb("report", "Replace a result that was wrong."),
    "undo": Verb("report", "Take your last act back, or several, if nothing depends on them."),
    "drop": Verb("leaving", "Let a player leave; an open match is conceded."),
    "rejoin": Verb("leaving", "Let a player who dropped return."),
    "disqualify": Verb("leaving", "Remove a player for good; results against them keep counting."),
    "cut": Verb("cut", "Make the announced cut."),
    "cut accept": Verb("cut", "Let the player who is asked take the free place in the cut."),
    "cut decline": Verb("cut", "Record that the player who is asked does not want the place."),
    "cut forfeit": Verb("cut", "Leave the place in the cut empty: nobody is left to be asked."),
    "cut take-back": Verb("cut", "Take the cut back, until its stage is paired."),
    "finish": Verb("cut", "Close play."),
}
