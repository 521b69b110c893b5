-- title = "Pairing quality"
-- answers = "How far apart the players of a Swiss table stood before the round, and who met again."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["round", "count", "the round"],
--     ["tables", "count", "tables of two"],
--     ["by_hand", "count", "of them, set by the organizer"],
--     ["compared", "count", "of them, with both players in the standings of the round before"],
--     ["level", "share", "of those compared, with equal points"],
--     ["mean_gap", "number", "mean difference of points in full wins, of those compared"],
--     ["largest_gap", "number", "the largest"],
--     ["rematches", "count", "tables whose players had been paired before in the tournament"],
-- ]
-- [plot]
-- kind = "lines"
-- x = "round"
-- value = "mean_gap"
-- color = "ruleset"

WITH gaps AS (
    SELECT *, abs(points_before1 - points_before2) / full_points AS gap
    FROM matches
    SEMI JOIN (FROM stages WHERE kind = 'swiss') USING (tournament, stage)
    JOIN tournaments USING (tournament)
    WHERE NOT void AND player1 IS NOT NULL AND player2 IS NOT NULL
)
SELECT
    ruleset,
    round,
    count(*) AS tables,
    count(*) FILTER (by_hand) AS by_hand,
    count(gap) AS compared,
    count(*) FILTER (gap = 0) / nullif(compared, 0) AS level,
    sum(in_billionths(gap)) / 1e9 / nullif(compared, 0) AS mean_gap,
    max(gap) AS largest_gap,
    count(*) FILTER (again) AS rematches
FROM gaps
GROUP BY ruleset, round
ORDER BY ruleset, round
