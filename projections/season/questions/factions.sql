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

WITH played AS (
    SELECT ruleset, faction, sum(games) AS games, sum(wins) AS wins, sum(draws) AS draws
    FROM faction_games()
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
