-- Around the tables: rulings, penalties, disputes.
INSERT INTO rulings
SELECT
    logs.tournament,
    made.seq,
    coalesce(latest.round, 0),
    nullif(made.match, 0),
    made.official,
    playing.player,
    coalesce(made.clause, ''),
    coalesce(made.raised, 'official'),
    nullif(made.player, 0),
    coalesce(made.review, FALSE) OR appealed.ruling IS NOT NULL,
    nullif(made.reviews, 0),
    reviewing.seq,
    made.moment
FROM (FROM acts WHERE type = 'RulingMade') AS made
JOIN logs ON logs.log = made.log
ASOF LEFT JOIN latest ON latest.log = made.log AND latest.seq <= made.seq
LEFT JOIN (
    SELECT log, reviews, max(seq) AS seq
    FROM acts
    WHERE type = 'RulingMade' AND reviews > 0
    GROUP BY ALL
) AS reviewing ON reviewing.log = made.log AND reviewing.reviews = made.seq
LEFT JOIN (
    SELECT DISTINCT log, ruling::INTEGER AS ruling
    FROM acts
    WHERE type = 'AppealMade'
) AS appealed ON appealed.log = made.log AND appealed.ruling = made.seq
LEFT JOIN (
    SELECT log, official, arg_max(player, seq) AS player
    FROM acts
    WHERE type = 'OfficialAppointed' AND player > 0
    GROUP BY ALL
) AS playing ON playing.log = made.log AND playing.official = made.official;

INSERT INTO penalties
SELECT
    logs.tournament,
    given.seq,
    coalesce(latest.round, 0),
    nullif(given.match, 0),
    given.player,
    CASE given.type WHEN 'PenaltyGiven' THEN 'penalty' ELSE 'conduct' END,
    given.kind,
    coalesce(given.clause, ''),
    given.moment,
    given.entered_by
FROM (FROM acts WHERE type IN ('PenaltyGiven', 'ConductNoted')) AS given
JOIN logs ON logs.log = given.log
ASOF LEFT JOIN latest ON latest.log = given.log AND latest.seq <= given.seq;

-- Of what followed on a dispute, the first that ends it says how: a ruling (the last one made on it
-- counts), or its end without one.
INSERT INTO disputes
SELECT
    logs.tournament,
    opened.seq,
    opened.match,
    games.round,
    opened.type,
    opened.moment,
    opened.entered_by,
    CASE arg_min(ending.type, ending.seq)
        WHEN 'RulingMade' THEN max(ending.seq) FILTER (WHERE ending.type = 'RulingMade')
        ELSE min(ending.seq)
    END
FROM (
    SELECT
        *,
        coalesce(
            lead(seq) OVER (PARTITION BY log, match ORDER BY seq), 9007199254740993
        ) AS next_seq
    FROM acts
    WHERE type = 'ResultDisputed'
) AS opened
JOIN logs ON logs.log = opened.log
JOIN games ON games.log = opened.log AND games.match = opened.match
LEFT JOIN (
    SELECT log, seq, type, match
    FROM acts
    WHERE
        type IN ('ResultConfirmed', 'DisputeWithdrawn')
        OR (
            type = 'RulingMade'
            AND (
                settles > 0
                OR (json_type(decides) = 'OBJECT' AND coalesce(reviews, 0) = 0)
            )
        )
) AS ending
    ON ending.log = opened.log
    AND ending.match = opened.match
    AND ending.seq > opened.seq
    AND ending.seq < opened.next_seq
GROUP BY ALL;
