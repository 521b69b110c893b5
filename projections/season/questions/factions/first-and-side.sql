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
--     ["low", "share", "lower end of its 95 % interval (conservative) by person; empty below five on a side"],
--     ["high", "share", "upper end of it"],
-- ]
-- minimum = 20
-- [plot]
-- kind = "intervals"
-- y = "advantage"
-- value = "score"
-- low = "low"
-- high = "high"
-- between = "with 95 % interval, conservative"
-- middle = 0.5
-- facet = "ruleset"
-- counts = ["games"]

SELECT
    ruleset,
    CASE trait WHEN 0 THEN 'blue side' WHEN 1 THEN 'first player' ELSE 'named first' END
        AS advantage,
    games,
    wins,
    draws,
    losses,
    score,
    low,
    high
FROM side_scores(FALSE)
ORDER BY ruleset, advantage
