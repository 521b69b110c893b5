-- Results: the last word on a match counts, unless it took the result back or waits to be confirmed.
CREATE OR REPLACE TEMP TABLE words AS
SELECT
    log,
    match,
    max(seq) AS seq,
    arg_max(type, seq) AS type,
    (count(*) FILTER (WHERE type = 'ResultCorrected'))::INTEGER AS corrections,
    (count(*) FILTER (WHERE type = 'ResultWithdrawn'))::INTEGER AS withdrawals,
    arg_min(moment, seq) AS first_at
FROM told
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE ended AS
SELECT
    logs.log,
    logs.tournament,
    words.match,
    games.round,
    games.stage,
    games.seat1 AS player1,
    games.seat2 AS player2,
    words.seq,
    told.outcome1,
    told.outcome2,
    letter1.record AS record1,
    letter2.record AS record2,
    CASE
        WHEN letter1.record = 'W' AND letter2.record != 'W' THEN nullif(games.seat1, 0)
        WHEN letter2.record = 'W' AND letter1.record != 'W' THEN nullif(games.seat2, 0)
    END AS winner,
    told.points1,
    told.points2,
    told.manner,
    told.manner NOT IN ('no-show', 'departure') AS met,
    told.ending,
    told.fields,
    told.facts,
    told.moment,
    told.entered_by,
    words.first_at,
    words.corrections,
    words.withdrawals
FROM words
JOIN told ON told.log = words.log AND told.seq = words.seq
JOIN games ON games.log = words.log AND games.match = words.match
JOIN logs ON logs.log = words.log
JOIN letters AS letter1
    ON letter1.ruleset = logs.ruleset AND letter1.outcome = told.outcome1
JOIN letters AS letter2
    ON letter2.ruleset = logs.ruleset AND letter2.outcome = told.outcome2
ANTI JOIN unconfirmed ON unconfirmed.log = words.log AND unconfirmed.match = words.match
WHERE words.type != 'ResultWithdrawn';

INSERT INTO results SELECT * EXCLUDE (log) FROM ended;

INSERT INTO corrections
SELECT
    logs.tournament,
    new.seq,
    new.match,
    games.round,
    new.corrects,
    old.outcome1,
    new.outcome1,
    old.points1,
    new.points1,
    old.points2,
    new.points2,
    coalesce(new.seq > closings.first_closed, FALSE),
    coalesce(new.seq > ends.seq, FALSE),
    new.moment,
    new.entered_by
FROM told AS new
JOIN told AS old ON old.log = new.log AND old.seq = new.corrects
JOIN games ON games.log = new.log AND games.match = new.match
JOIN logs ON logs.log = new.log
LEFT JOIN (
    SELECT log, round, min(seq) AS first_closed
    FROM acts
    WHERE type = 'RoundClosed'
    GROUP BY ALL
) AS closings ON closings.log = new.log AND closings.round = games.round
LEFT JOIN acts AS ends ON ends.log = new.log AND ends.type = 'TournamentFinished'
WHERE new.type = 'ResultCorrected';
