-- title = "Retention"
-- answers = "How many of those first seen in a month come again within 90 days."
-- columns = [
--     ["month", "day", "month of the first tournament, by its first day"],
--     ["persons", "count", "persons of the league first seen in it"],
--     ["again", "count", "of them, seen at another tournament"],
--     ["tournaments", "number", "mean tournaments of a person, the first among them"],
--     ["observed", "count", "of them, first seen 90 days or more before the last day looked at"],
--     ["within_90", "count", "of those, seen again within 90 days"],
--     ["share", "share", "within 90 days, of those observed; empty: nobody was, so long"],
--     ["low", "share", "lower end of the share's 95 % interval (Wilson)"],
--     ["high", "share", "upper end of it"],
--     ["record", "text", "start: the record starts in this month, so that regulars are first seen, too; else empty"],
-- ]
-- [plot]
-- kind = "intervals"
-- y = "month"
-- value = "share"
-- low = "low"
-- high = "high"
-- counts = ["observed"]

WITH seen AS (
    SELECT DISTINCT person, tournament, held_on
    FROM people
    JOIN entrants USING (tournament, player)
    JOIN tournaments USING (tournament)
    WHERE known AND status IS DISTINCT FROM 'withdrawn' AND held_on IS NOT NULL
),
persons AS (
    SELECT
        person,
        count(*) AS tournaments,
        min(held_on, 2) AS days,
        date_diff('day', min(held_on), (SELECT max(held_on) FROM seen)) >= 90 AS observed
    FROM seen
    GROUP BY person
),
cohorts AS (
    SELECT
        date_trunc('month', days[1])::DATE AS month,
        count(*) AS persons,
        count(*) FILTER (tournaments > 1) AS again,
        sum(tournaments) / count(*) AS tournaments,
        count(*) FILTER (observed) AS observed,
        count(*) FILTER (observed AND date_diff('day', days[1], days[2]) <= 90) AS within_90,
        any_value(is_start) AS is_start
    FROM persons
    JOIN first_days ON first_days.person = persons.person AND first_day = days[1]
    GROUP BY ALL
)
SELECT
    month,
    persons,
    again,
    tournaments,
    observed,
    within_90,
    within_90 / nullif(observed, 0) AS share,
    wilson_low(within_90, nullif(observed, 0)) AS low,
    wilson_high(within_90, nullif(observed, 0)) AS high,
    CASE WHEN is_start THEN 'start' ELSE '' END AS record
FROM cohorts
ORDER BY month
