-- What was brought to the tables and set up there.
INSERT INTO setups
SELECT
    tournament, match, round, first_player, first_chosen_by, blue, side_chosen_by,
    scenario_objective, scenario_deployment, scenario_condition
FROM set_up JOIN logs USING (log);

INSERT INTO lists
SELECT
    logs.tournament,
    handed.seq,
    handed.player,
    handed.corrects,
    coalesce(handed.significant, FALSE),
    coalesce(handed.significant AND handed.advantageous, FALSE),
    checked.seq,
    CASE WHEN checked.seq IS NOT NULL
        THEN coalesce(
            checked.counts[1],
            len(list_filter(coalesce(checked.findings, []), lambda each: each.state = 'breaks'))
        )
    END,
    CASE WHEN checked.seq IS NOT NULL
        THEN coalesce(
            checked.counts[2],
            len(
                list_filter(coalesce(checked.findings, []), lambda each: each.state = 'not checked')
            )
        )
    END,
    handed.moment,
    handed.entered_by
FROM acts AS handed
JOIN logs ON logs.log = handed.log
LEFT JOIN (
    SELECT log, "list", max(seq) AS seq, arg_max(findings, seq) AS findings,
        arg_max(counts, seq) AS counts
    FROM acts
    WHERE type = 'ListChecked'
    GROUP BY ALL
) AS checked ON checked.log = handed.log AND checked."list" = handed.seq
WHERE handed.type IN ('ListSubmitted', 'ListCorrected');
