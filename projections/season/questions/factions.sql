-- title = "Factions"
-- answers = "Who plays what, and how it fares against all other factions."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["faction", "text", "the faction; empty: none was given"],
--     ["entrants", "count", "entries with it"],
--     ["field", "share", "of all entries of the game"],
--     ["games", "count", "games played against other factions"],
--     ["wins", "count", "won"],
--     ["draws", "count", "drawn"],
--     ["score", "share", "wins and half of the draws, of those games"],
--     ["low", "share", "lower end of the score's 95 % interval (Wilson)"],
--     ["high", "share", "upper end of it"],
-- ]
-- [plot]
-- kind = "intervals"
-- y = "faction"
-- value = "score"
-- low = "low"
-- high = "high"
-- middle = 0.5
-- facet = "ruleset"

WITH pairs AS (
    SELECT
        tournaments.ruleset,
        one.faction AS one,
        other.faction AS other,
        count(*) AS games,
        count(*) FILTER (record1 = 'W') AS wins1,
        count(*) FILTER (record1 = 'D') AS draws1,
        count(*) FILTER (record2 = 'W') AS wins2,
        count(*) FILTER (record2 = 'D') AS draws2
    FROM results
    LEFT JOIN tournaments USING (tournament)
    LEFT JOIN entrants AS one
        ON one.tournament = results.tournament AND one.player = results.player1
    LEFT JOIN entrants AS other
        ON other.tournament = results.tournament AND other.player = results.player2
    WHERE met AND one.faction != other.faction
    GROUP BY ALL
),
played AS (
    SELECT ruleset, faction, sum(games) AS games, sum(wins) AS wins, sum(draws) AS draws
    FROM (
        SELECT ruleset, one AS faction, games, wins1 AS wins, draws1 AS draws FROM pairs
        UNION ALL
        SELECT ruleset, other, games, wins2, draws2 FROM pairs
    )
    GROUP BY ALL
),
fields AS (
    SELECT ruleset, faction, count(*) AS entrants
    FROM entrants JOIN tournaments USING (tournament)
    WHERE status IS DISTINCT FROM 'withdrawn'
    GROUP BY ALL
)
SELECT
    ruleset,
    faction,
    entrants,
    entrants / sum(entrants) OVER (PARTITION BY ruleset) AS field,
    coalesce(games, 0)::BIGINT AS games,
    coalesce(wins, 0)::BIGINT AS wins,
    coalesce(draws, 0)::BIGINT AS draws,
    (wins + draws / 2) / games AS score,
    wilson_low(wins + draws / 2, games) AS low,
    wilson_high(wins + draws / 2, games) AS high
FROM fields
LEFT JOIN played USING (ruleset, faction)
ORDER BY ruleset, faction
