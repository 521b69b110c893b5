-- title = "Factions"
-- answers = "Who plays what, and how it fares against all other factions."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["faction", "text", "the faction; empty: none was given, or it is not disclosed"],
--     ["entrants", "count", "entries with it"],
--     ["field", "share", "of all entries of the game with a faction"],
--     ["persons", "count", "persons who played it against other factions"],
--     ["games", "count", "games that they played"],
--     ["wins", "count", "won"],
--     ["draws", "count", "drawn"],
--     ["score", "share", "wins and half of the draws, of those games"],
--     ["low", "share", "lower end of its 95 % interval (conservative) by person; empty below five on a side"],
--     ["high", "share", "upper end of it"],
-- ]
-- minimum = 20
-- [plot]
-- kind = "intervals"
-- y = "faction"
-- value = "score"
-- low = "low"
-- high = "high"
-- between = "with 95 % interval, conservative"
-- middle = 0.5
-- facet = "ruleset"
-- counts = ["games", "persons"]

WITH fields AS (
    SELECT ruleset, faction, count(*) AS entrants
    FROM entrants JOIN tournaments USING (tournament)
    WHERE status IS DISTINCT FROM 'withdrawn'
    GROUP BY ALL
)
SELECT
    ruleset,
    faction,
    entrants,
    CASE
        WHEN faction != ''
            THEN entrants
                / sum(CASE WHEN faction != '' THEN entrants END) OVER (PARTITION BY ruleset)
    END AS field,
    coalesce(persons, 0) AS persons,
    coalesce(games, 0) AS games,
    coalesce(wins, 0) AS wins,
    coalesce(draws, 0) AS draws,
    score,
    low,
    high
FROM fields
LEFT JOIN faction_scores(FALSE) USING (ruleset, faction)
ORDER BY ruleset, faction
