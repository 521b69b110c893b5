-- title = "Pairing quality"
-- answers = "How far apart the players of a Swiss table stood before the round, and who met again."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["round", "count", "the round"],
--     ["tables", "count", "tables of two"],
--     ["by_hand", "count", "of them, set by the organizer"],
--     ["compared", "count", "of them, with both players in the standings of the round before"],
--     ["level", "share", "of those compared, with equal points"],
--     ["mean_gap", "points", "mean difference of points, of those compared"],
--     ["largest_gap", "points", "the largest"],
--     ["rematches", "count", "tables whose players had been paired before in the tournament"],
-- ]
-- [plot]
-- kind = "lines"
-- x = "round"
-- value = "mean_gap"
-- color = "ruleset"

WITH numbers AS MATERIALIZED (
    SELECT tournament, ruleset, row_number() OVER () * 10_000_000_000 AS number FROM tournaments
),
before AS MATERIALIZED (
    SELECT number + (round + 1) * 1_000_000 + stage * 10_000 + player AS seat, points
    FROM standings
    JOIN numbers USING (tournament)
),
paired AS (
    SELECT
        matches.*,
        ruleset,
        number,
        number + least(player1, player2) * 10_000 + greatest(player1, player2) AS pair
    FROM matches
    JOIN numbers USING (tournament)
    WHERE NOT void AND player1 IS NOT NULL AND player2 IS NOT NULL
),
several AS (
    SELECT pair, min(match) AS earliest FROM paired GROUP BY pair HAVING count(*) > 1
),
seated AS (
    SELECT
        ruleset,
        round,
        by_hand,
        match,
        pair,
        number + round * 1_000_000 + stage * 10_000 AS seats,
        player1,
        player2
    FROM paired
    LEFT JOIN stages USING (tournament, stage)
    WHERE kind = 'swiss'
),
tables AS (
    SELECT
        ruleset,
        round,
        count(*) AS tables,
        count(*) FILTER (by_hand) AS by_hand,
        count(abs(one.points - other.points)) AS compared,
        count(*) FILTER (one.points = other.points) AS level,
        sum(abs(one.points - other.points)) AS gaps,
        max(abs(one.points - other.points)) AS largest_gap,
        count(*) FILTER (match > earliest) AS rematches
    FROM seated
    LEFT JOIN before AS one ON one.seat = seats + player1
    LEFT JOIN before AS other ON other.seat = seats + player2
    LEFT JOIN several USING (pair)
    GROUP BY ALL
)
SELECT
    ruleset,
    round,
    tables,
    by_hand,
    compared,
    level / nullif(compared, 0) AS level,
    gaps / nullif(compared, 0) AS mean_gap,
    largest_gap,
    rematches
FROM tables
ORDER BY ruleset, round
