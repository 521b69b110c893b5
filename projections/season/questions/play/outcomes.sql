-- title = "How games end"
-- answers = "How many games are full wins, modified wins or draws, and how many went to time."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["games", "count", "games played"],
--     ["full_wins", "count", "won in full, as the ruleset has it"],
--     ["modified_wins", "count", "won by less"],
--     ["draws", "count", "drawn"],
--     ["lost_by_both", "count", "without a winner, and no draw"],
--     ["to_time", "count", "ended by the clock, however they came out"],
--     ["conceded", "count", "ended by a concession"],
--     ["modified", "share", "modified wins, of the games"],
--     ["drawn", "share", "draws, of the games"],
--     ["timed", "share", "to time, of the games"],
-- ]
-- [plot]
-- kind = "stack"
-- y = "ruleset"
-- parts = ["full_wins", "modified_wins", "draws", "lost_by_both"]
-- counts = ["games"]

WITH counted AS (
    SELECT
        ruleset,
        count(*) AS games,
        count(*) FILTER (
            full_win IN (outcome1, outcome2)
        ) AS full_wins,
        count(*) FILTER (
            'W' IN (record1, record2) AND full_win NOT IN (outcome1, outcome2)
        ) AS modified_wins,
        count(*) FILTER (record1 = 'D' OR record2 = 'D') AS draws,
        count(*) FILTER (record1 = 'L' AND record2 = 'L') AS lost_by_both,
        count(*) FILTER (manner = 'time') AS to_time,
        count(*) FILTER (manner = 'concession') AS conceded
    FROM results
    LEFT JOIN tournaments USING (tournament)
    WHERE met
    GROUP BY ruleset
)
SELECT
    *,
    modified_wins / games AS modified,
    draws / games AS drawn,
    to_time / games AS timed
FROM counted
ORDER BY ruleset
