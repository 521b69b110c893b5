-- Standings after each round, as the fold ranked them.
INSERT INTO standings
SELECT
    tournament, round, stage, player, place, points, wins, losses, draws, byes, left_event,
    tiebreakers
FROM ranked
JOIN logs USING (log);
