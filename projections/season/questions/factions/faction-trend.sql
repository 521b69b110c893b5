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

WITH held AS MATERIALIZED (
    SELECT
        tournament,
        date_trunc('month', held_on)::DATE AS month,
        ruleset,
        8192 * row_number() OVER () AS base
    FROM tournaments
    WHERE held_on IS NOT NULL
),
slots AS MATERIALIZED (
    SELECT month, ruleset, faction, row_number() OVER ()::INTEGER AS slot
    FROM (SELECT DISTINCT month, ruleset, faction FROM entrants JOIN held USING (tournament))
),
who AS MATERIALIZED (
    SELECT base + player AS seat, slot, status IS DISTINCT FROM 'withdrawn' AS stays
    FROM entrants
    JOIN held USING (tournament)
    JOIN slots USING (month, ruleset, faction)
),
entered AS (
    SELECT slot, count(*) AS entrants FROM who WHERE stays GROUP BY slot
),
met_games AS (
    SELECT base + player1 AS seat1, base + player2 AS seat2, record1, record2
    FROM results
    JOIN held USING (tournament)
    WHERE met
),
pairs AS (
    SELECT
        one.slot AS slot1,
        other.slot AS slot2,
        count(*) AS games,
        count(*) FILTER (record1 = 'W') + count(*) FILTER (record1 = 'D') / 2 AS score1,
        count(*) FILTER (record2 = 'W') + count(*) FILTER (record2 = 'D') / 2 AS score2
    FROM met_games
    JOIN who AS one ON one.seat = seat1
    JOIN who AS other ON other.seat = seat2
    -- A difference: by an inequality of its two sides a planner would join them first, all with all.
    WHERE one.slot - other.slot != 0
    GROUP BY one.slot, other.slot
),
played AS (
    SELECT slot, sum(games)::BIGINT AS games, sum(score) AS score
    FROM (
        SELECT slot1 AS slot, games, score1 AS score FROM pairs
        UNION ALL
        SELECT slot2, games, score2 FROM pairs
    )
    GROUP BY slot
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
JOIN slots USING (slot)
LEFT JOIN played USING (slot)
ORDER BY month, ruleset, faction
