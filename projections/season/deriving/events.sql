-- Every event.
INSERT INTO events
SELECT tournament, seq, type, moment, entered_by
FROM (
    SELECT log, seq, type, moment, entered_by FROM told
    UNION ALL
    SELECT log, seq, type, moment, entered_by FROM enrolled
    UNION ALL
    SELECT log, seq, type, moment, entered_by FROM named
    UNION ALL
    SELECT log, seq, type, moment, entered_by FROM acts
)
JOIN logs USING (log);

-- What a withdrawal comes to follows from the event that it names.
CREATE OR REPLACE TEMP TABLE withdrawals AS
SELECT
    acts.log,
    acts.seq,
    acts.moment,
    acts.entered_by,
    CASE named.type
        WHEN 'PlayerRegistered' THEN 'RegistrationWithdrawn'
        WHEN 'ResultReported' THEN 'ResultWithdrawn'
        WHEN 'ResultCorrected' THEN 'ResultWithdrawn'
        WHEN 'ResultDisputed' THEN 'DisputeWithdrawn'
        WHEN 'ResultConfirmed' THEN 'ConfirmationWithdrawn'
        WHEN 'PlayerDropped' THEN 'DropWithdrawn'
        WHEN 'PlayerDisqualified' THEN 'DisqualificationWithdrawn'
        WHEN 'PlayersSeated' THEN 'SeatingWithdrawn'
        WHEN 'CutMade' THEN 'CutWithdrawn'
        ELSE 'ActWithdrawn'
    END AS type,
    named.match,
    named.player
FROM acts
JOIN (
    SELECT log, seq, type, match, NULL AS player FROM told
    UNION ALL
    SELECT log, seq, type, NULL, player FROM enrolled
    UNION ALL
    SELECT log, seq, type, match, player FROM acts
) AS named ON named.log = acts.log AND named.seq = acts.withdraws
WHERE acts.type = 'ActWithdrawn';

INSERT INTO told (log, seq, type, moment, entered_by, match)
SELECT log, seq, type, moment, entered_by, match
FROM withdrawals
WHERE type = 'ResultWithdrawn';

UPDATE acts
SET type = withdrawals.type, match = withdrawals.match, player = withdrawals.player
FROM withdrawals
WHERE withdrawals.log = acts.log AND withdrawals.seq = acts.seq;

-- What was taken back is as if it had not been said.
DELETE FROM acts
USING acts AS undone
WHERE
    undone.type = 'ActWithdrawn'
    AND undone.log = acts.log
    AND undone.withdraws = acts.seq;

-- What a registration says by now.
UPDATE enrolled
SET
    faction = coalesce(amended.faction, enrolled.faction),
    league_id = coalesce(amended.league_id, enrolled.league_id)
FROM (
    SELECT
        log,
        player,
        arg_max(faction, seq) FILTER (WHERE faction IS NOT NULL) AS faction,
        arg_max(league_id, seq) FILTER (WHERE league_id IS NOT NULL) AS league_id
    FROM acts
    WHERE type = 'PlayerAmended'
    GROUP BY ALL
) AS amended
WHERE amended.log = enrolled.log AND amended.player = enrolled.player;

UPDATE enrolled
SET attributes = map_from_entries(
    list_filter(
        map_entries(map_concat(coalesce(enrolled.attributes, MAP {}), amended.attributes)),
        lambda entry: entry.value != ''
    )
)
FROM (
    SELECT log, player, map(list(label), list(text)) AS attributes
    FROM (
        SELECT log, player, each.key AS label, arg_max(each.value, seq) AS text
        FROM (
            SELECT log, player, seq, unnest(map_entries(attributes)) AS each
            FROM acts
            WHERE type = 'PlayerAmended'
        )
        GROUP BY ALL
    )
    GROUP BY ALL
) AS amended
WHERE amended.log = enrolled.log AND amended.player = enrolled.player;
