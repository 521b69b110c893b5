-- title = "First player and side"
-- answers = "Whether who is first player, has the blue side, or is named first wins more often."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["advantage", "text", "what is looked at: first player, blue side, or named first"],
--     ["games", "count", "games played for which it is on record"],
--     ["wins", "count", "won by the one who had it"],
--     ["draws", "count", "drawn"],
--     ["losses", "count", "lost by the one who had it"],
--     ["score", "share", "wins and half of the draws, of the games"],
--     ["low", "share", "lower end of the score's 95 % interval (Wilson)"],
--     ["high", "share", "upper end of it"],
-- ]
-- minimum = 20
-- [plot]
-- kind = "intervals"
-- y = "advantage"
-- value = "score"
-- low = "low"
-- high = "high"
-- middle = 0.5
-- facet = "ruleset"
-- counts = ["games"]

WITH seated AS (
    SELECT
        ruleset,
        record1,
        record2,
        CASE first_player WHEN player1 THEN 1 WHEN player2 THEN 2 END AS first_seat,
        CASE blue WHEN player1 THEN 1 WHEN player2 THEN 2 END AS blue_seat
    FROM results
    LEFT JOIN tournaments USING (tournament)
    LEFT JOIN setups ON setups.tournament = results.tournament AND setups.match = results.match
    WHERE met
),
counted AS (
    SELECT ruleset, first_seat, blue_seat, record1, record2, count(*) AS games
    FROM seated
    GROUP BY ALL
),
sides AS (
    SELECT ruleset, 'named first' AS advantage, record1 AS record, games
    FROM counted
    UNION ALL
    SELECT ruleset, 'first player', CASE first_seat WHEN 1 THEN record1 ELSE record2 END, games
    FROM counted
    WHERE first_seat IS NOT NULL
    UNION ALL
    SELECT ruleset, 'blue side', CASE blue_seat WHEN 1 THEN record1 ELSE record2 END, games
    FROM counted
    WHERE blue_seat IS NOT NULL
),
summed AS (
    SELECT
        ruleset,
        advantage,
        sum(games)::BIGINT AS games,
        coalesce(sum(games) FILTER (record = 'W'), 0)::BIGINT AS wins,
        coalesce(sum(games) FILTER (record = 'D'), 0)::BIGINT AS draws,
        coalesce(sum(games) FILTER (record = 'L'), 0)::BIGINT AS losses
    FROM sides
    GROUP BY ALL
)
SELECT
    *,
    (wins + draws / 2) / games AS score,
    wilson_low(wins + draws / 2, games) AS low,
    wilson_high(wins + draws / 2, games) AS high
FROM summed
ORDER BY ruleset, advantage
