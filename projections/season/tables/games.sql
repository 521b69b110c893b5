-- Two rows for each game that was played: one from either side.
CREATE OR REPLACE VIEW games AS
WITH sides AS (
    SELECT
        tournament, match, round, stage, player1 AS player, player2 AS opponent,
        record1 AS record, points1 AS points, points2 AS opponent_points
    FROM results
    WHERE met
    UNION ALL
    SELECT
        tournament, match, round, stage, player2, player1, record2, points2, points1
    FROM results
    WHERE met
)
SELECT
    sides.tournament,
    tournaments.held_on,
    tournaments.ruleset,
    sides.stage,
    sides.round,
    sides.match,
    sides.player,
    own.person,
    entrant.faction,
    sides.opponent,
    theirs.person AS opponent_person,
    across.faction AS opponent_faction,
    sides.record,
    CASE sides.record WHEN 'W' THEN 1.0 WHEN 'D' THEN 0.5 ELSE 0.0 END::DOUBLE AS score,
    sides.points,
    sides.opponent_points
FROM sides
JOIN tournaments ON tournaments.tournament = sides.tournament
LEFT JOIN people AS own ON own.tournament = sides.tournament AND own.player = sides.player
LEFT JOIN people AS theirs
    ON theirs.tournament = sides.tournament AND theirs.player = sides.opponent
LEFT JOIN entrants AS entrant
    ON entrant.tournament = sides.tournament AND entrant.player = sides.player
LEFT JOIN entrants AS across
    ON across.tournament = sides.tournament AND across.player = sides.opponent;
