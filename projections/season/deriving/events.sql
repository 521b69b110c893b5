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

-- What was taken back is as if it had not been said.
DELETE FROM acts
USING acts AS undone
WHERE
    undone.type IN ('ActWithdrawn', 'RulingWithdrawn', 'AppealWithdrawn')
    AND undone.log = acts.log
    AND undone.withdraws = acts.seq;
