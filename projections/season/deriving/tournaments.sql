-- The tournaments themselves, from what their openings say and all the tables before.
INSERT INTO tournaments
SELECT
    logs.tournament,
    logs.size,
    logs.root,
    logs.signed_size,
    logs.signed_by,
    logs.by_policy,
    opening.name,
    TRY_CAST(opening.date AS DATE),
    opening.time_zone,
    opening.tier,
    opening.ruleset.key,
    opening.ruleset.edition,
    opening.ruleset.sha256,
    logs.full_win,
    logs.full_points,
    opening.format.key,
    marks.structure,
    opening.engine,
    opening.imported.kind,
    opening.moment,
    marks.started_at,
    marks.finished_at,
    coalesce(marks.finished, FALSE),
    coalesce(entered.entrants, 0) - coalesce(marks.withdrawn, 0),
    coalesce(played.rounds, 0),
    winners.player
FROM logs
JOIN acts AS opening ON opening.log = logs.log AND opening.type = 'TournamentOpened'
LEFT JOIN (
    SELECT
        log,
        arg_max(structure, seq) FILTER (WHERE type = 'StructureAnnounced') AS structure,
        min(moment) FILTER (WHERE type = 'TournamentStarted') AS started_at,
        min(moment) FILTER (WHERE type = 'TournamentFinished') AS finished_at,
        bool_or(type = 'TournamentFinished') AS finished,
        (count(*) FILTER (WHERE type = 'RegistrationWithdrawn'))::INTEGER AS withdrawn
    FROM acts
    WHERE type IN (
        'StructureAnnounced', 'TournamentStarted', 'TournamentFinished', 'RegistrationWithdrawn'
    )
    GROUP BY log
) AS marks ON marks.log = logs.log
LEFT JOIN (
    SELECT log, count(*)::INTEGER AS entrants FROM enrolled GROUP BY log
) AS entered ON entered.log = logs.log
LEFT JOIN (
    SELECT log, count(*)::INTEGER AS rounds FROM pairings WHERE NOT void GROUP BY log
) AS played ON played.log = logs.log
LEFT JOIN finishes AS winners ON winners.log = logs.log AND winners.final_place = 1;
