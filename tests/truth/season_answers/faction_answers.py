"""The questions on factions, answered from rows of base tables as their headers define them."""

from __future__ import annotations

from tests.truth.season_answers.intervals import (
    Trial,
    by_sides,
    of_entries,
    of_field,
    of_games,
    share_of,
)
from tests.truth.season_answers.season_rows import Answer, Game, SeasonRows, grouped


def trial_of(game: Game) -> Trial:
    """Return what a game adds to a score."""
    table = game.tournament, game.result["match"]
    return Trial(game.score, game.person, game.rival, game.tournament, table)


def counts(games: list[Game]) -> tuple[int, int, int, int]:
    """Return how many games there are, and how many are won, drawn and lost."""
    letters = [game.record for game in games]
    return len(games), letters.count("W"), letters.count("D"), letters.count("L")


def _between(season: SeasonRows) -> list[Game]:
    """Return the games between different factions, both of them known."""
    return [
        game
        for game in season.games()
        if game.faction and game.rival_faction and game.faction != game.rival_faction
    ]


def faction_matchups(season: SeasonRows) -> Answer:
    met = grouped(
        _between(season),
        lambda game: (season.ruleset(game.result), game.faction, game.rival_faction),
    )
    answer: Answer = []
    for key, games in met.items():
        trials = [trial_of(game) for game in games]
        persons = len({game.person for game in games})
        answer.append((*key, persons, *counts(games), share_of(trials), *by_sides(trials)))
    return answer


def factions(season: SeasonRows) -> Answer:
    entries = grouped(season.entries(), lambda row: (season.ruleset(row), row["faction"]))
    met = grouped(_between(season), lambda game: (season.ruleset(game.result), game.faction))
    answer: Answer = []
    for key, entrants in entries.items():
        whole = sum(
            len(some) for (ruleset, name), some in entries.items() if ruleset == key[0] and name
        )
        games = met.get(key, [])
        trials = [trial_of(game) for game in games]
        answer.append(
            (
                *key,
                len(entrants),
                len(entrants) / whole if key[1] else None,
                len({game.person for game in games}),
                *counts(games)[:3],
                share_of(trials),
                *by_sides(trials),
            )
        )
    return answer


def faction_trend(season: SeasonRows) -> Answer:
    dated = [row for row in season.entries() if season.day(row) and row["faction"]]
    months = grouped(dated, lambda row: (season.month(row), season.ruleset(row)))
    met = grouped(
        _between(season),
        lambda game: (season.month(game.result), season.ruleset(game.result), game.faction),
    )
    answer: Answer = []
    for key, entries in months.items():
        for faction in {row["faction"] for row in entries}:
            trials = [
                Trial(float(row["faction"] == faction), season.persons_of(row)) for row in entries
            ]
            games = met.get((*key, faction), [])
            with_it = sum(row["faction"] == faction for row in entries)
            answer.append(
                (
                    *key,
                    faction,
                    with_it,
                    with_it / len(entries),
                    *of_field(trials),
                    len(games),
                    share_of([trial_of(game) for game in games]),
                )
            )
    return answer


def cut_conversion(season: SeasonRows) -> Answer:
    first_cut: dict[str, int] = {}
    for row in season["cuts"]:
        stage = first_cut.get(row["tournament"], row["stage"])
        first_cut[row["tournament"]] = min(stage, row["stage"])
    through = {
        (row["tournament"], row["player"])
        for row in season["cuts"]
        if row["stage"] == first_cut[row["tournament"]]
    }
    entries = [row for row in season.entries() if row["tournament"] in first_cut and row["faction"]]
    answer: Answer = []
    for ruleset, of_game in grouped(entries, season.ruleset).items():
        places = sum((row["tournament"], row["player"]) in through for row in of_game)
        for faction, own in grouped(of_game, lambda row: row["faction"]).items():
            trials = [
                Trial(float((row["tournament"], row["player"]) in through), season.persons_of(row))
                for row in own
            ]
            qualified = sum(trial.value for trial in trials)
            answer.append(
                (
                    ruleset,
                    faction,
                    len(own),
                    int(qualified),
                    len(own) / len(of_game),
                    qualified / places if places else None,
                    share_of(trials),
                    *of_entries(trials),
                )
            )
    return answer


def first_and_side(season: SeasonRows) -> Answer:
    setups = {(row["tournament"], row["match"]): row for row in season["setups"]}
    had: list[tuple[str, Game]] = []
    for game in season.games():
        setup = setups.get((game.tournament, game.result["match"]), {})
        if game.player == game.result["player1"]:
            had.append(("named first", game))
        if game.player == setup.get("first_player"):
            had.append(("first player", game))
        if game.player == setup.get("blue"):
            had.append(("blue side", game))
    answer: Answer = []
    for key, some in grouped(had, lambda each: (season.ruleset(each[1].result), each[0])).items():
        games = [game for _, game in some]
        trials = [trial_of(game) for game in games]
        interval = of_games(trials, by_event=False)
        answer.append((*key, *counts(games), share_of(trials), *interval))
    return answer
