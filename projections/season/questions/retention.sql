-- title = "Retention"
-- answers = "How many of those first seen in a month come to another tournament of the season."
-- columns = [
--     ["month", "day", "month of the first tournament, by its first day"],
--     ["persons", "count", "persons of the league first seen in it"],
--     ["again", "count", "of them, seen at another tournament"],
--     ["within_90", "count", "of them, within 90 days of the first"],
--     ["tournaments", "number", "mean tournaments of a person, the first among them"],
--     ["share", "share", "seen again, of the persons"],
--     ["low", "share", "lower end of the share's 95 % interval (Wilson)"],
--     ["high", "share", "upper end of it"],
-- ]
-- [plot]
-- kind = "intervals"
-- y = "month"
-- value = "share"
-- low = "low"
-- high = "high"

WITH seen AS (
    SELECT DISTINCT person, tournament, held_on
    FROM people
    JOIN entrants USING (tournament, player)
    JOIN tournaments USING (tournament)
    WHERE known AND status IS DISTINCT FROM 'withdrawn' AND held_on IS NOT NULL
),
persons AS (
    SELECT person, count(*) AS tournaments, min(held_on, 2) AS days FROM seen GROUP BY person
),
cohorts AS (
    SELECT
        date_trunc('month', days[1])::DATE AS month,
        count(*) AS persons,
        count(*) FILTER (tournaments > 1) AS again,
        count(*) FILTER (days[2] - days[1] <= 90) AS within_90,
        sum(tournaments) / count(*) AS tournaments
    FROM persons
    GROUP BY ALL
)
SELECT
    *,
    again / persons AS share,
    wilson_low(again, persons) AS low,
    wilson_high(again, persons) AS high
FROM cohorts
ORDER BY month
