-- title = "Attendance"
-- answers = "How many take part month by month: newcomers, those who came back, and guests."
-- columns = [
--     ["month", "day", "the month, by its first day"],
--     ["ruleset", "text", "the game"],
--     ["tournaments", "count", "tournaments held"],
--     ["entrants", "count", "entries, without registrations taken back"],
--     ["mean", "number", "entries for each tournament"],
--     ["newcomers", "count", "entries of persons on their first day in the whole season, after its first month"],
--     ["returning", "count", "entries of persons whom the season had seen before"],
--     ["guests", "count", "entries without a pseudonym of the league"],
--     ["first_seen", "count", "first days in the month in which the record starts: new to the record, not to the game"],
-- ]
-- [plot]
-- kind = "columns"
-- x = "month"
-- parts = ["first_seen", "newcomers", "returning", "guests"]

WITH there AS (
    SELECT
        tournaments.tournament, ruleset, held_on, people.known, people.person, entrants.player
    FROM tournaments
    LEFT JOIN entrants
        ON entrants.tournament = tournaments.tournament
        AND status IS DISTINCT FROM 'withdrawn'
    LEFT JOIN people
        ON people.tournament = entrants.tournament AND people.player = entrants.player
    WHERE held_on IS NOT NULL
)
SELECT
    date_trunc('month', held_on)::DATE AS month,
    ruleset,
    count(DISTINCT tournament) AS tournaments,
    count(player) AS entrants,
    count(player) / count(DISTINCT tournament) AS mean,
    count(*) FILTER (known AND held_on = first_day AND NOT is_start) AS newcomers,
    count(*) FILTER (known AND held_on > first_day) AS returning,
    count(*) FILTER (NOT known) AS guests,
    count(*) FILTER (known AND held_on = first_day AND is_start) AS first_seen
FROM there
LEFT JOIN first_days USING (person)
GROUP BY ALL
ORDER BY month, ruleset
