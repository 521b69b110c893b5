-- title = "Byes"
-- answers = "How entrants fare and where they end by the byes they had; byes fall to some by score."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["byes", "count", "byes an entrant had"],
--     ["entrants", "count", "entries with so many, of finished tournaments"],
--     ["games", "count", "games that they played"],
--     ["wins", "count", "of them, won"],
--     ["draws", "count", "of them, drawn"],
--     ["score", "share", "wins and half of the draws, of the games"],
--     ["low", "share", "lower end of its 95 % interval (conservative) by person and tournament; empty below five"],
--     ["high", "share", "upper end of it"],
--     ["place", "share", "mean of the part of the field that is placed better; 0 is always first"],
-- ]
-- minimum = 20
-- [plot]
-- kind = "intervals"
-- y = "byes"
-- value = "score"
-- low = "low"
-- high = "high"
-- between = "with 95 % interval, conservative"
-- middle = 0.5
-- facet = "ruleset"
-- counts = ["games", "entrants"]

WITH fields AS (
    SELECT
        ruleset,
        byes,
        count(*) AS entrants,
        sum(
            round((final_place - 1) / nullif(tournaments.entrants - 1, 0) * 1e12)::BIGINT
        ) AS better,
        count(final_place) FILTER (tournaments.entrants > 1) AS placed
    FROM entrants
    JOIN tournaments USING (tournament)
    WHERE finished AND status IS DISTINCT FROM 'withdrawn'
    GROUP BY ALL
)
SELECT
    ruleset,
    byes,
    entrants,
    coalesce(games, 0) AS games,
    coalesce(wins, 0) AS wins,
    coalesce(draws, 0) AS draws,
    score,
    low,
    high,
    better / 1e12 / nullif(placed, 0) AS place
FROM fields
LEFT JOIN (SELECT *, trait AS byes FROM side_scores(TRUE)) AS scores USING (ruleset, byes)
ORDER BY ruleset, byes
