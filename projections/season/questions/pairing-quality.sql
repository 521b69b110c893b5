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

WITH again AS (
    SELECT tournament, unnest(list_sort(list(match))[2:]) AS match
    FROM matches
    WHERE NOT void AND player1 IS NOT NULL AND player2 IS NOT NULL
    GROUP BY tournament, least(player1, player2), greatest(player1, player2)
    HAVING count(*) > 1
),
rematches AS (
    SELECT ruleset, round, count(*) AS rematches
    FROM again
    JOIN matches USING (tournament, match)
    JOIN stages USING (tournament, stage)
    JOIN tournaments USING (tournament)
    WHERE kind = 'swiss'
    GROUP BY ALL
),
numbers AS MATERIALIZED (
    SELECT tournament, ruleset, row_number() OVER () * 10_000_000_000 AS number FROM tournaments
),
before AS MATERIALIZED (
    SELECT number + (round + 1) * 1_000_000 + stage * 10_000 + player AS seat, points
    FROM standings
    JOIN numbers USING (tournament)
),
seated AS (
    SELECT
        ruleset,
        matches.round,
        by_hand,
        number + round * 1_000_000 + matches.stage * 10_000 + player1 AS seat1,
        number + round * 1_000_000 + matches.stage * 10_000 + player2 AS seat2
    FROM matches
    JOIN numbers USING (tournament)
    LEFT JOIN stages USING (tournament, stage)
    WHERE NOT void AND player1 IS NOT NULL AND player2 IS NOT NULL AND kind = 'swiss'
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
        max(abs(one.points - other.points)) AS largest_gap
    FROM seated
    LEFT JOIN before AS one ON one.seat = seat1
    LEFT JOIN before AS other ON other.seat = seat2
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
    coalesce(rematches, 0) AS rematches
FROM tables
LEFT JOIN rematches USING (ruleset, round)
ORDER BY ruleset, round
