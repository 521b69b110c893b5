-- title = "Factions by month"
-- answers = "How much of the field each faction is, month by month, and how it fares."
-- columns = [
--     ["month", "day", "the month, by its first day"],
--     ["ruleset", "text", "the game"],
--     ["faction", "text", "the faction; empty: none was given"],
--     ["entrants", "count", "entries with it"],
--     ["field", "share", "of all entries of the game in the month"],
--     ["games", "count", "games that they played against other factions"],
--     ["score", "share", "wins and half of the draws, of those games"],
-- ]
-- [plot]
-- kind = "lines"
-- x = "month"
-- value = "field"
-- color = "faction"
-- facet = "ruleset"

WITH entered AS (
    SELECT
        date_trunc('month', held_on)::DATE AS month,
        ruleset,
        faction,
        count(*) AS entrants
    FROM entrants
    JOIN tournaments USING (tournament)
    WHERE status IS DISTINCT FROM 'withdrawn' AND held_on IS NOT NULL
    GROUP BY ALL
),
pairs AS (
    SELECT
        date_trunc('month', held_on)::DATE AS month,
        ruleset,
        one.faction AS one,
        other.faction AS other,
        count(*) AS games,
        count(*) FILTER (record1 = 'W') + count(*) FILTER (record1 = 'D') / 2 AS score1,
        count(*) FILTER (record2 = 'W') + count(*) FILTER (record2 = 'D') / 2 AS score2
    FROM results
    JOIN tournaments USING (tournament)
    JOIN entrants AS one
        ON one.tournament = results.tournament AND one.player = results.player1
    JOIN entrants AS other
        ON other.tournament = results.tournament AND other.player = results.player2
    WHERE met AND one.faction != other.faction AND held_on IS NOT NULL
    GROUP BY ALL
),
played AS (
    SELECT month, ruleset, faction, sum(games)::BIGINT AS games, sum(score) AS score
    FROM (
        SELECT month, ruleset, one AS faction, games, score1 AS score FROM pairs
        UNION ALL
        SELECT month, ruleset, other, games, score2 FROM pairs
    )
    GROUP BY ALL
)
SELECT
    month,
    ruleset,
    faction,
    entrants,
    entrants / sum(entrants) OVER (PARTITION BY month, ruleset) AS field,
    coalesce(games, 0) AS games,
    score / games AS score
FROM entered
LEFT JOIN played USING (month, ruleset, faction)
ORDER BY month, ruleset, faction
