-- The first day on which the season saw a person of the league, whatever is looked at.
CREATE OR REPLACE TEMP VIEW first_days AS
SELECT person, min(held_on) AS first_day
FROM main.people
JOIN main.entrants USING (tournament, player)
JOIN main.tournaments USING (tournament)
WHERE known AND status IS DISTINCT FROM 'withdrawn' AND held_on IS NOT NULL
GROUP BY person;
