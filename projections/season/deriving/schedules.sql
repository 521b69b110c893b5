-- Schedules: every game that was played in a Swiss stage, from both sides.
INSERT INTO schedules
WITH sides AS MATERIALIZED (
    SELECT
        log,
        stage,
        unnest([player1, player2]) AS player,
        unnest([player2, player1]) AS opponent,
        unnest([record1, record2]) AS record
    FROM ended
    SEMI JOIN (FROM stages WHERE kind = 'swiss') USING (tournament, stage)
    WHERE met
),
scored AS MATERIALIZED (
    SELECT
        log,
        stage,
        player,
        count(*)::INTEGER AS games,
        sum(CASE record WHEN 'W' THEN 2 WHEN 'D' THEN 1 ELSE 0 END)::INTEGER AS halves
    FROM sides
    GROUP BY ALL
),
faced AS (
    SELECT
        sides.log,
        sides.stage,
        sides.player,
        sum(games)::INTEGER AS games,
        sum(halves)::INTEGER AS halves
    FROM sides
    JOIN scored
        ON scored.log = sides.log
        AND scored.stage = sides.stage
        AND scored.player = sides.opponent
    GROUP BY ALL
)
SELECT tournament, stage, player, scored.games, scored.halves, faced.games, faced.halves
FROM scored
JOIN faced USING (log, stage, player)
JOIN logs USING (log);
