-- The first day on which the season saw a person of the league, whatever is looked at, and whether the
-- record starts in that month: whoever is first seen then may have played for years.
CREATE OR REPLACE TEMP VIEW first_days AS
SELECT
    person,
    min(held_on) AS first_day,
    date_trunc('month', min(held_on)) = date_trunc('month', min(min(held_on)) OVER ()) AS is_start
FROM main.people
JOIN main.entrants USING (tournament, player)
JOIN main.tournaments USING (tournament)
WHERE known AND status IS DISTINCT FROM 'withdrawn' AND held_on IS NOT NULL
GROUP BY person;
