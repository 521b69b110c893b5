-- Everybody's places in the finished tournaments of the season, the better place of a person first.
SELECT
    people.person,
    people.known,
    entrants.tournament,
    tournaments.held_on,
    tournaments.tier,
    tournaments.entrants,
    entrants.final_place
FROM entrants
JOIN people USING (tournament, player)
JOIN tournaments USING (tournament)
WHERE
    tournaments.finished
    AND tournaments.held_on BETWEEN TRY_CAST($first AS DATE) AND TRY_CAST($last AS DATE)
    AND (len($rulesets) = 0 OR list_contains($rulesets, tournaments.ruleset))
    AND entrants.final_place IS NOT NULL
    AND entrants.status != 'disqualified'
ORDER BY people.person, entrants.tournament, entrants.final_place;
