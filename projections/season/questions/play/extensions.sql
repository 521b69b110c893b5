-- title = "Extensions"
-- answers = "How many tables were given more time, in which round, and how much."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["round", "count", "the round"],
--     ["tables", "count", "tables of two"],
--     ["extended", "count", "of them, given more time"],
--     ["share", "share", "extended, of the tables"],
--     ["low", "share", "lower end of the share's 95 % interval (Wilson)"],
--     ["high", "share", "upper end of it"],
--     ["minutes", "minutes", "given in sum"],
--     ["mean", "minutes", "mean given to a table that was extended"],
-- ]
-- [plot]
-- kind = "intervals"
-- y = "round"
-- value = "share"
-- low = "low"
-- high = "high"
-- facet = "ruleset"
-- counts = ["tables"]

SELECT
    ruleset,
    round,
    count(*) AS tables,
    count(*) FILTER (extended_minutes > 0) AS extended,
    extended / tables AS share,
    wilson_low(extended, tables) AS low,
    wilson_high(extended, tables) AS high,
    sum(extended_minutes)::BIGINT AS minutes,
    sum(extended_minutes) / nullif(extended, 0) AS mean
FROM matches
LEFT JOIN tournaments USING (tournament)
WHERE NOT void AND player1 IS NOT NULL AND player2 IS NOT NULL
GROUP BY ruleset, round
ORDER BY ruleset, round
