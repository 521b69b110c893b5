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
--     ["low", "number", "lower end of its 95 % interval (conservative) by tournament; empty below five"],
--     ["high", "number", "upper end of it"],
--     ["largest_gap", "number", "the largest"],
--     ["rematches", "count", "tables whose players had been paired before in the tournament"],
-- ]
-- [plot]
-- kind = "lines"
-- x = "round"
-- value = "mean_gap"
-- color = "ruleset"
-- low = "low"
-- high = "high"
-- between = "with 95 % interval, conservative"
-- counts = ["compared"]

WITH gaps AS (
    SELECT *, abs(points_before1 - points_before2) / full_points AS gap
    FROM matches
    SEMI JOIN (FROM stages WHERE kind = 'swiss') USING (tournament, stage)
    JOIN tournaments USING (tournament)
    WHERE NOT void AND player1 IS NOT NULL AND player2 IS NOT NULL
),
means AS (
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
),
events AS (
    SELECT ruleset, round, tournament, count(gap) AS of, sum(in_billionths(gap)) / 1e9 AS gap
    FROM gaps
    GROUP BY ALL
    HAVING count(gap) > 0
),
-- How far the mean moves where one tournament is left out gives its standard error.
spreads AS (
    SELECT
        ruleset,
        round,
        count(*) AS events,
        sum(of)::BIGINT ** 2 / sum(of ** 2) AS as_events,
        sqrt(
            sum(in_billionths(((gap - mean_gap * of) / nullif(1 - of / compared, 0)) ** 2)) / 1e9
        )
        / any_value(compared) AS spread
    FROM events
    JOIN means USING (ruleset, round)
    GROUP BY ruleset, round
)
SELECT
    ruleset,
    round,
    tables,
    by_hand,
    compared,
    level,
    mean_gap,
    CASE WHEN events >= 5 THEN greatest(mean_gap - student_95(greatest(as_events - 1, 1)) * spread, 0) END AS low,
    CASE WHEN events >= 5 THEN mean_gap + student_95(greatest(as_events - 1, 1)) * spread END AS high,
    largest_gap,
    rematches
FROM means
LEFT JOIN spreads USING (ruleset, round)
ORDER BY ruleset, round
