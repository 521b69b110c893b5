-- The games that ratings are made of: played by two persons, and won by one or drawn.
SELECT
    held_on - DATE '0001-01-01' + 1 AS day,
    one.person AS first,
    other.person AS second,
    CASE record1 WHEN 'W' THEN 1.0 WHEN 'D' THEN 0.5 ELSE 0.0 END::DOUBLE AS score,
    held_on,
    results.tournament,
    name,
    results.round,
    results.match,
    entrant1.faction AS faction1,
    entrant2.faction AS faction2
FROM results
LEFT JOIN tournaments USING (tournament)
JOIN people AS one ON one.tournament = results.tournament AND one.player = player1
JOIN people AS other ON other.tournament = results.tournament AND other.player = player2
LEFT JOIN entrants AS entrant1
    ON entrant1.tournament = results.tournament AND entrant1.player = player1
LEFT JOIN entrants AS entrant2
    ON entrant2.tournament = results.tournament AND entrant2.player = player2
WHERE
    met
    AND record1 || record2 IN ('WL', 'LW', 'DD')
    -- Two persons. With != DuckDB compares each entrant with every other before it looks at games.
    AND nullif(one.person, other.person) IS NOT NULL
    AND held_on IS NOT NULL
