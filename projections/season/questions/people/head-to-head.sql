-- title = "Head-to-head"
-- answers = "How any two persons have fared against each other in games they played."
-- columns = [
--     ["person", "person", "one of the two; with --player, the one asked for"],
--     ["opponent", "person", "the other"],
--     ["games", "count", "games they played"],
--     ["wins", "count", "of them, won by the person"],
--     ["draws", "count", "of them, drawn"],
--     ["losses", "count", "of them, lost by the person"],
--     ["first_met", "day", "day of the first tournament in which they played"],
--     ["last_met", "day", "day of the last one"],
-- ]

WITH held AS MATERIALIZED (
    SELECT tournament, held_on, 8192 * row_number() OVER () AS base FROM tournaments
),
persons AS MATERIALIZED (
    SELECT
        person,
        row_number() OVER (
            ORDER BY CASE WHEN person = getvariable('person') THEN 0 ELSE 1 END, person
        )::INTEGER AS number
    FROM (SELECT DISTINCT person FROM people)
),
who AS MATERIALIZED (
    SELECT base + player AS seat, number
    FROM people
    JOIN held USING (tournament)
    JOIN persons USING (person)
),
met_games AS (
    SELECT base + player1 AS seat1, base + player2 AS seat2, record1, record2, held_on
    FROM results
    JOIN held USING (tournament)
    WHERE met
),
sides AS (
    SELECT
        least(one.number, other.number) AS earlier,
        greatest(one.number, other.number) AS later,
        CASE WHEN one.number < other.number THEN record1 ELSE record2 END AS record,
        held_on
    FROM met_games
    JOIN who AS one ON one.seat = seat1
    JOIN who AS other ON other.seat = seat2
    -- A difference: by an inequality of its two sides a planner would join them first, all with all.
    WHERE
        one.number - other.number != 0
        AND (getvariable('person') IS NULL OR 1 IN (one.number, other.number))
),
pairs AS MATERIALIZED (
    SELECT
        earlier,
        later,
        count(*) AS games,
        count(*) FILTER (record = 'W') AS wins,
        count(*) FILTER (record = 'D') AS draws,
        count(*) FILTER (record = 'L') AS losses,
        min(held_on) AS first_met,
        max(held_on) AS last_met
    FROM sides
    GROUP BY earlier, later
)
SELECT
    one.person,
    other.person AS opponent,
    games,
    wins,
    draws,
    losses,
    first_met,
    last_met
FROM pairs
JOIN persons AS one ON one.number = earlier
JOIN persons AS other ON other.number = later
WHERE getvariable('person') IS NULL OR one.person = getvariable('person')
ORDER BY games DESC, person, opponent
