"""A day on which every verb is typed with --json, and what each line gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.proof.ciphers import reader_secret
from ledger.rulesets import text_of
from tests.clauses.test_setups import SEASONS
from tests.cli.season.test_season_persons import report
from tests.cli.verbs.test_formats import CARDS, LISTS
from tests.support.days.confirmed_days import WAITING
from tests.support.days.furnished import furnished_once
from tests.support.days.kept_drafts import keep_notes
from tests.support.days.set_ups import (
    BATTLE,
    BY_TOTAL,
    DRAFT,
    FIRST_FIVE,
    LOWER_CHOOSES,
    PACE,
    TERRAIN,
    VERIFICATION,
)
from tests.support.files.nrtm_files import as_bytes, document, table

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

SET_UP = (
    SEASONS + BY_TOTAL + LOWER_CHOOSES + BATTLE + TERRAIN + VERIFICATION + FIRST_FIVE + DRAFT + PACE
)
GAME = text_of("l5r").partition("[floor.first]")[0].replace(*WAITING) + SET_UP
SCHEME = """key = "spring"
name = "Spring league"
best = 3
tiers = [{ tier = "relaxed", weight = 1 }]

[[bands]]
players_min = 4
attendance = 1
places = [{ first = 1, points = 5 }]
"""
READER = reader_secret("league.example", bytes(32)).reader.text
LIST = "Player: Ann\nProvinces:\n1 A Province\n"
ROUNDS = "round,player1,player2,result\n1,Ann,Bob,win\n"


class JsonDay:
    """Types lines with --json and keeps what they give, by the line as the page has it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.acts: dict[str, list[str]] = {}
        self.given: dict[str, list[str]] = {}

    def do(self, verb: str, *words: str) -> None:
        """Type an act; only its verb stands on the page."""
        self.acts.setdefault(verb, []).append(self._typed(verb, *words))

    def show(self, line: str, *words: str) -> None:
        """Type a line that stands on the page, with these words after it or for its capitals."""
        typed = [word for word in line.split() if not word.isupper()]
        self.given.setdefault(line, []).append(self._typed(*typed, *words))

    def _typed(self, *words: str) -> str:
        answer = self.desk.type(*words, "--json")
        assert answer.code == 0, (words, answer.err)
        return answer.out

    def play(self) -> None:
        """Play the day."""
        self._before()
        self._set_up()
        self._first_round()
        self._quarrel()
        self._the_end()
        self._proof()
        self._season()
        self._apart()
        self._copies()

    def _before(self) -> None:
        folder, do, show = self.desk.folder, self.do, self.show
        (folder / "game.toml").write_text(GAME, "utf-8")
        (folder / "ann.txt").write_text(LIST, "utf-8")
        (folder / "other.txt").write_text(LIST.replace("1 A", "2 A"), "utf-8")
        do("new", "Night", "--ruleset", "game.toml", "--organizer", "Kim", "--format", "l5r")
        show("tournaments")
        show("use", "night")
        do("official", "add", "Pat", "--role", "judge")
        do("official", "add", "Mara", "--role", "marshal")
        show("official")
        do("register", "Anne", "--league-id", "one")
        for number, name in enumerate(("Bob", "Cas", "Dee", "Eve", "Fay"), start=2):
            do("register", name, "--league-id", f"league-{number}")
        do("rename", "1", "Ann")
        do("amend", "1", "--faction", "Crane")
        do("names", "number")
        do("unregister", "fay", "--reason", "typed twice")
        show("list", "--all")
        do("lists", "submit", "ann", "ann.txt")
        do("lists", "check", "ann", "--note", "looks fine")
        show("lists")
        show("lists show", "ann")
        do("requests", "add", "Zoe Quinn", "--faction", "Crane")
        show("requests")
        do("requests", "approve", self._waiting())
        do("requests", "add", "Yan")
        do("unregister", "zoe", "--reason", "went home again")
        do("check-in", "open")
        do("check-in", "ann", "bob")
        show("check-in")
        do("check-in", "close")
        do("terrain", "fixed")
        do("armies", "order", "--as", "mara")
        show("armies")
        do("prize", "offer", "1", "a playmat")

    def _set_up(self) -> None:
        do, show = self.do, self.show
        do("start", "custom", "--rounds", "2", "--cut", "2")
        do("draft", "draw")
        show("draft")
        do("pair", "--table", "1", "2", "--table", "3", "4", "--reason", "so that it is known")
        do("unpair")
        do("pair", "--table", "1", "2", "--table", "3", "4", "--reason", "so that it is known")
        do("swap", "1", "3", "--reason", "they came in one car")
        do("swap", "1", "3", "--reason", "they did not")
        show("pairings")
        do("post", "pairings")
        do("scenario", "draw")
        do("first", "1", "1", "--totals", "190-200")
        do("side", "1", "2", "--totals", "190-200", "--edge", "north")
        cards = [
            f"--{kind}={kind[0]}{n}"
            for kind in ("objective", "deployment", "condition")
            for n in (1, 2, 3)
        ]
        struck = [f"--strike={kind}" for kind in ("objective", "pass", "obj", "condition")]
        do("battle", "1", *cards, *struck)
        do("firstfive", "1")
        show("scenario")
        do("terrain", "count", "1", "--covered", "20", "--piece", "forest=2")
        show("terrain")

    def _first_round(self) -> None:
        do, show = self.do, self.show
        do("lists", "correct", "ann", "other.txt", "--reason", "the wrong file")
        do("round", "start")
        do("note", "1/1", "both clocks stood still")
        do("note", "ann", "asked for a seat near the door")
        do("note", "the hall opened late")
        show("note")
        do("call", "1", "is this in the rules?", "--as", "p1")
        show("call")
        do("call", "answer", "1", "--as", "pat")
        do("register", "Gus")
        do("late", "gus")
        do("undo")
        do("unregister", "gus", "--reason", "went home again")
        do("round", "extend", "1", "5", "--reason", "a judge was called")
        do("round", "extend", "all", "5", "--reason", "the fire alarm")
        do("round", "pause", "--reason", "the fire alarm")
        do("round", "resume")
        show("round")
        do("component", "missing", "ann", "a province card")
        show("component")
        do("component", "found", "ann")
        do("component", "inspect", "ann", "sleeves", "--asked-by", "bob")
        do("slow-play", "1", "--asked-by", "ann")
        do("conduct", "bob", "stalling", "--remedy", "a warning", "--as", "mara")
        show("conduct")
        do("penalty", "bob", "warning", "--for-what", "drew two", "--as", "mara")
        show("penalty")
        do("recommend", "bob", "--reason", "stalls again", "--as", "mara")
        do("report", "1", "ann", "--for", "ann")
        show("confirm")
        do("confirm", "1", "--for", "bob")
        do("report", "2", "cas")
        do("undo")
        do("report", "2", "cas")
        show("whatif --sweep R/T", "1/1")
        do("round", "close")

    def _quarrel(self) -> None:
        do, show = self.do, self.show
        do("dispute", "1/1", "bob", "--for", "bob", "--reason", "the slip shows it")
        show("disputes")
        do("rule", "1/1", "it is Bob's", "--result", "bob", "--only", "--as", "pat")
        show("rule")
        do("appeal", "1/1", "--for", "ann", "--reason", "the wrong slip")
        do("review", "1/1", "it stands", "--upheld", "--as", "mara")
        do("correct", "--ruling", "1/1")
        show("match", "1/1")
        show("evidence R/T -o", "case.html", "1/1")
        show("standings")
        do("post", "standings")
        do("pair")
        do("correct", "1/2", "dee", "--reason", "the slip was found")
        show("repair-round")
        do("repair-round", "--do", "0", "--reason", "it may stay")
        do("drop", "dee")
        do("rejoin", "dee")

    def _the_end(self) -> None:
        do, show = self.do, self.show
        show("whatif", "1/1", "bob")
        show("whatif --sweep")
        games = self.desk.done("pairings", "--json").json
        seats = next(each["players"] for each in games if not each["bye"] and not each["result"])
        do("concede", f"#{seats[0]}")
        self.desk.report_all()
        do("cut")
        do("cut", "take-back", "--reason", "too early")
        show("audit --margin")
        show("audit --slips", "--risk", "10%")
        do("audit", "begin")
        do("audit", "draw", "heron")
        do("audit", "slip", "1/1", "--agrees")
        do("audit", "slip", "withdraw", "1/1", "--reason", "the wrong one")
        show("audit --slips")
        do("cut")
        do("pair")
        show("bracket")
        show("explain pairing", "1/1")
        show("explain bye", "1")
        show("explain", "ann", "points")
        self.desk.report_all()
        do("finish")
        show("standings --final")
        do("prize", "award", "eve", "a playmat", "--reason", "a prize of the judges")
        show("prize")
        show("diff", "round:1", "now")
        do("disqualify", "bob", "--reason", "marked cards")
        show("audit")
        show("log")
        do("forget", "cas")
        do("requests", "refuse", self._waiting(), "--reason", "the room was full")

    def _waiting(self) -> str:
        """The request that waits."""
        number: int = self.desk.done("requests", "--json").json[0]["request"]
        return str(number)

    def keep_drafts(self) -> None:
        """Let two acts wait for a signature, as a page of the hall does."""
        keep_notes(self.desk, "o2", "page-1", "page-2")

    def _proof(self) -> None:
        show = self.show
        self.do("key", "new", "Pat")
        show("key")
        self.keep_drafts()
        show("sign")
        show("sign now", "1")
        show("sign drop", "1")
        show("links print", "ann", "--address", "http://10.0.0.7:8600")
        show("links new", "ann")
        show("links")
        show("links", "--all")
        self.do("links", "plain-http", "allow", "--reason", "no certificate on the phones")
        show("checkpoint")
        (self.desk.folder / "policy").write_text(
            self.desk.done("checkpoint", "--policy").out, "utf-8"
        )
        show("export")
        show("export -o", "night.jsonl")
        show("export --tiles", "tiles")
        show("publish FOLDER", "public")
        with furnished_once():
            show("rehearse", "--players", "2", "--rounds", "1", "--pace", "0")
        show("export --for", READER, "--texts", "all", "-o", "for-league")
        show("verify", "night.jsonl", "--policy", "policy")
        show("replay", "night.jsonl")
        event = as_bytes(document((1, 2), [[table(1, 2, 6, 0)]]))
        (self.desk.folder / "event.json").write_bytes(event)
        show("reproduce", "event.json")
        show("backup", "night.backup")
        self.desk.done("witness", "init", "league.example/cup")
        self.desk.done("witness", "trust", self.desk.done("checkpoint", "--policy").out.split()[1])
        self.desk.done("witness", "ask", "-o", "ask.txt")
        self.desk.done("witness", "cosign", "ask.txt", "-o", "answer.txt")
        show("witness")

    def _copies(self) -> None:
        """Compare the log with a copy that lacks a line."""
        self.desk.done("export", "-o", "ours.jsonl")
        ours = (self.desk.folder / "ours.jsonl").read_bytes().splitlines(keepends=True)
        (self.desk.folder / "theirs.jsonl").write_bytes(b"".join([*ours[:9], *ours[10:]]))
        self.show("diff FILE FILE", "ours.jsonl", "theirs.jsonl")
        self.show("match --html", "timeline.html", "1/1")

    def _season(self) -> None:
        show = self.show
        (self.desk.folder / "points.toml").write_text(SCHEME, "utf-8")
        show("season add", "night.jsonl")
        show("season rebuild", "night.jsonl")
        show("season derive", "parts", "night.jsonl")
        show("season")
        show("season standings", "--scheme", "points.toml")
        show("season standings --html", "s.html", "--scheme", "points.toml")
        show("season restate", "night.jsonl")
        show("season archive", "archive")
        show("season export", "flat")
        show("season site", "pages")
        show("season people name", "Ann", "one")
        show("season people rename", "one", "Anna")
        show("season people")
        show("season people merge", "one", "league-2", "--by", "Kim", "--reason", "one card")
        show("season people split", "one", "--by", "Kim", "--reason", "two cards")
        show("season people undo", "2", "--by", "Kim", "--reason", "one card after all")
        (self.desk.folder / "members.csv").write_text("name,number\nBo Ek,4711\n", "utf-8")
        show("season people import", "members.csv", "--by", "Kim", "--reason", "members")
        self.desk.done("season", "add", "night.jsonl")  # with the vault, which reads its names
        (self.desk.folder / "agreed.txt").write_text("4711\nleague-5\n", "utf-8")
        show("season people suggest", "--agreed", "agreed.txt")
        show("season people backup", "league-copy.db")
        for month, name in ((3, "spring"), (9, "autumn")):
            players = [("Ray, Bo", 0), ("Fox, Dee", 0), ("Lin, Cas", 0)]
            (self.desk.folder / f"{name}.trf").write_bytes(
                report(name, players, f"2026/0{month}/14")
            )
            stream = self.desk.done("import", f"{name}.trf").out.strip()
            self.desk.done("export", "-t", stream, "-o", f"{name}.jsonl")
        self.desk.done("season", "add", "--in", "chess.duckdb", "spring.jsonl", "autumn.jsonl")
        show("season people match", "--from", "0.01")
        show("season people acts")
        show("season people forget", "one", "--by", "Kim", "--reason", "asked for")
        show("stats")
        show("stats show", "factions")
        show("stats --parquet", "a.parquet", "attendance")
        show("stats --plot", "a.svg", "attendance")
        show("rating --plot", "r.svg", "elo")
        show("query tables")
        night = self.desk.done("season", "--json").json[0]["tournament"]
        show("season remove", night[:8], "--by", "Kim", "--reason", "a test", "--yes")

    def _apart(self) -> None:
        """What is typed at another store, or at none."""
        show = self.show
        (self.desk.folder / "rounds.csv").write_text(ROUNDS, "utf-8")
        show("restore", "night.backup", "--store", "other.db")
        show("merge", "night.backup", "--yes")
        show(
            "import",
            "rounds.csv",
            "--ruleset",
            "swiss",
            "--date",
            "2026-03-14",
            "--store",
            "other.db",
        )
        folder = self.desk.folder / "rounds"
        folder.mkdir()
        (folder / "rounds.csv").write_text(ROUNDS, "utf-8")
        words = ("--ruleset", "swiss", "--date", "2026-03-14", "--store", "third.db")
        show("import FOLDER", "rounds", *words)
        show("ruleset")
        show("ruleset show", "l5r")
        show("ruleset check", "game.toml")
        show("clause", "L5R-TIME")
        show("format")
        show("format show", "l5r")
        show("format check", "l5r", LISTS["l5r"], "--cards", CARDS["l5r"])
