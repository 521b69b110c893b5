-- People of a tournament.
INSERT INTO entrants
SELECT
    logs.tournament,
    enrolled.player,
    coalesce(enrolled.league_id, ''),
    coalesce(enrolled.faction, ''),
    coalesce(enrolled.attributes, MAP {}),
    coalesce(enrolled.random_rank, drawn.random_rank, 0),
    enrolled.seq,
    enrolled.moment,
    coalesce(enrolled.seq > starts.seq, FALSE),
    finishes.status,
    finishes.byes,
    finishes.last_stage,
    finishes.final_place
FROM enrolled
JOIN logs USING (log)
LEFT JOIN (
    SELECT log, min(seq) AS seq FROM acts WHERE type = 'TournamentStarted' GROUP BY log
) AS starts ON starts.log = enrolled.log  -- before round 1 a day can be started again
LEFT JOIN (
    SELECT
        log,
        acts."first" + generate_subscripts(ranks, 1) - 1 AS player,
        unnest(ranks) AS random_rank
    FROM acts
    WHERE type = 'RanksDrawn'
) AS drawn ON drawn.log = enrolled.log AND drawn.player = enrolled.player
LEFT JOIN finishes ON finishes.log = enrolled.log AND finishes.player = enrolled.player;

INSERT INTO people
SELECT
    logs.tournament,
    enrolled.player,
    CASE
        WHEN coalesce(enrolled.league_id, '') = ''
            THEN logs.tournament || '/' || enrolled.player
        ELSE coalesce(here.person, everywhere.person, enrolled.league_id)
    END,
    coalesce(enrolled.league_id, '') != ''
FROM enrolled
JOIN logs ON logs.log = enrolled.log
LEFT JOIN aliases AS here
    ON here.tournament = logs.tournament AND here.league_id = enrolled.league_id
LEFT JOIN aliases AS everywhere
    ON everywhere.tournament = '' AND everywhere.league_id = enrolled.league_id;

INSERT INTO departures
SELECT
    logs.tournament,
    leaving.seq,
    leaving.player,
    CASE leaving.type
        WHEN 'PlayerDropped' THEN 'drop'
        WHEN 'PlayerDisqualified' THEN 'disqualification'
        ELSE 'registration'
    END,
    CASE WHEN leaving.type = 'PlayerDropped' THEN coalesce(leaving.reason, 'request') END,
    CASE WHEN leaving.type = 'PlayerDisqualified' THEN coalesce(leaving.clause, '') END,
    coalesce(latest.round, 0),
    leaving.moment,
    leaving.entered_by,
    min(returns.seq) FILTER (
        WHERE returns.type IN ('DropWithdrawn', 'DisqualificationWithdrawn')
    ),
    min(returns.seq) FILTER (WHERE returns.type = 'PlayerRejoined')
FROM (
    SELECT
        *,
        coalesce(
            lead(seq) OVER (PARTITION BY log, player ORDER BY seq), 9007199254740993
        ) AS next_seq
    FROM acts
    WHERE type IN ('PlayerDropped', 'PlayerDisqualified', 'RegistrationWithdrawn')
) AS leaving
JOIN logs ON logs.log = leaving.log
ASOF LEFT JOIN latest ON latest.log = leaving.log AND latest.seq <= leaving.seq
LEFT JOIN acts AS returns
    ON returns.log = leaving.log
    AND returns.type IN ('DropWithdrawn', 'DisqualificationWithdrawn', 'PlayerRejoined')
    AND returns.player = leaving.player
    AND returns.seq > leaving.seq
    AND returns.seq < leaving.next_seq
GROUP BY ALL;
