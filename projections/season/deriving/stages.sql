-- Stages, and who went on to them.
INSERT INTO stages
SELECT
    tournament,
    number,
    plans[number].kind,
    coalesce(plans[number].rounds, 0),
    coalesce(plans[number].entry, 'all'),
    coalesce(plans[number].size, 0),
    coalesce(plans[number].carries, FALSE),
    coalesce(plans[number].rematch, 'stage')
FROM (
    SELECT log, plans, unnest(generate_series(1, len(plans)))::INTEGER AS number
    FROM (
        SELECT log, arg_max(stages, seq) AS plans
        FROM acts
        WHERE type = 'StructureAnnounced'
        GROUP BY log
    )
)
JOIN logs USING (log);

INSERT INTO cuts
SELECT
    logs.tournament,
    qualified.stage,
    qualified.player,
    qualified.seed,
    (qualified.log, qualified.stage, qualified.player) IN (
        SELECT (log, stage, entrant) FROM acts WHERE type = 'QualifierReplaced'
    ),
    qualified.cut_seq
FROM qualified
JOIN logs USING (log);
