-- From `lines` to the tables: what a log's events add up to, all logs at once. Beside it stand
-- the tables of working.sql: `logs`, `letters` (what each outcome of a ruleset counts as), and what
-- the fold alone can say: `finishes`, `qualified`, `unconfirmed` and `set_up`. The fold in Python is
-- the reference.

INSERT INTO events
SELECT tournament, seq, type, moment, entered_by
FROM lines JOIN logs USING (log);

INSERT INTO leaves
SELECT tournament, unhex(hashes)
FROM hashed JOIN logs USING (log);

-- What was said of results, flat: they are most of a log, so every column of them counts.
CREATE OR REPLACE TEMP TABLE told AS
SELECT
    log,
    seq,
    type,
    moment,
    entered_by,
    data.match AS match,
    data.corrects AS corrects,
    data.result.outcomes[1] AS outcome1,
    data.result.outcomes[2] AS outcome2,
    data.result.points[1] AS points1,
    data.result.points[2] AS points2,
    coalesce(data.result.manner, 'played') AS manner,
    coalesce(data.result.ending, '') AS ending,
    coalesce(data.result.fields, MAP {}) AS fields,
    coalesce(data.result.facts, MAP {}) AS facts
FROM (
    SELECT
        * EXCLUDE (data),
        from_json(
            data,
            '{
                "match": "INTEGER",
                "corrects": "INTEGER",
                "result": {
                    "outcomes": ["VARCHAR"],
                    "points": ["INTEGER"],
                    "manner": "VARCHAR",
                    "ending": "VARCHAR",
                    "fields": "MAP(VARCHAR, BIGINT[])",
                    "facts": "MAP(VARCHAR, BIGINT[])"
                }
            }'
        ) AS data
    FROM lines
    WHERE type IN ('ResultReported', 'ResultCorrected', 'ResultWithdrawn')
);

-- Registrations: the next most.
CREATE OR REPLACE TEMP TABLE enrolled AS
SELECT
    * EXCLUDE (data),
    unnest(
        from_json(
            data,
            '{
                "player": "INTEGER",
                "random_rank": "BIGINT",
                "league_id": "VARCHAR",
                "faction": "VARCHAR",
                "attributes": "MAP(VARCHAR, VARCHAR)"
            }'
        )
    )
FROM lines
WHERE type = 'PlayerRegistered';

-- All else that a table is made of; every member that is needed has its type here.
CREATE OR REPLACE TEMP TABLE acts AS
SELECT
    * EXCLUDE (data),
    from_json(
        data,
        '{
            "match": "INTEGER",
            "corrects": "INTEGER",
            "player": "INTEGER",
            "reason": "VARCHAR",
            "clause": "VARCHAR",
            "kind": "VARCHAR",
            "stage": "INTEGER",
            "round": "INTEGER",
            "attempt": "INTEGER",
            "procedure": "VARCHAR",
            "games": [["INTEGER"]],
            "tables": ["INTEGER"],
            "by_hand": "INTEGER",
            "passed_over": ["INTEGER"],
            "players": "JSON",
            "minutes": "INTEGER",
            "left": "INTEGER",
            "official": "INTEGER",
            "raised": "VARCHAR",
            "review": "BOOLEAN",
            "reviews": "INTEGER",
            "list": "INTEGER",
            "significant": "BOOLEAN",
            "advantageous": "BOOLEAN",
            "findings": [{"state": "VARCHAR"}],
            "settles": "INTEGER",
            "decides": "JSON",
            "withdraws": "INTEGER",
            "entrant": "INTEGER",
            "name": "VARCHAR",
            "date": "VARCHAR",
            "time_zone": "VARCHAR",
            "tier": "VARCHAR",
            "ruleset": {
                "key": "VARCHAR",
                "edition": "VARCHAR",
                "sha256": "VARCHAR"
            },
            "format": {"key": "VARCHAR"},
            "engine": "VARCHAR",
            "imported": {"kind": "VARCHAR"},
            "structure": "VARCHAR",
            "stages": [
                {
                    "kind": "VARCHAR",
                    "rounds": "INTEGER",
                    "entry": "VARCHAR",
                    "size": "BIGINT",
                    "carries": "BOOLEAN",
                    "rematch": "VARCHAR"
                }
            ]
        }'
    ) AS data
FROM lines
WHERE
    type NOT IN (
        'ResultReported',
        'ResultCorrected',
        'ResultWithdrawn',
        'PersonRecorded',
        'PlayerRegistered'
    );

-- What was taken back is as if it had not been said.
DELETE FROM acts
USING acts AS undone
WHERE
    undone.type IN ('ActWithdrawn', 'RulingWithdrawn')
    AND undone.log = acts.log
    AND undone.data.withdraws = acts.seq;

-- Pairings, and what was done to them. A pairing reaches up to the next one of its round.
CREATE OR REPLACE TEMP TABLE pairings AS
SELECT
    log,
    seq,
    moment,
    data.round AS round,
    data.stage AS stage,
    data.attempt AS attempt,
    data.procedure AS procedure,
    data.games AS games,
    coalesce(data.by_hand, 0) AS by_hand,
    coalesce(len(data.passed_over), 0) AS passed_over,
    coalesce(
        sum(len(data.games)) OVER (
            PARTITION BY log ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ),
        0
    )::INTEGER AS matches_before,
    coalesce(
        lead(seq) OVER (PARTITION BY log, data.round ORDER BY seq), 9007199254740993
    ) AS next_seq,
    FALSE AS void
FROM acts
WHERE type = 'RoundPaired';

UPDATE pairings SET void = TRUE
FROM acts
WHERE
    acts.type = 'RoundUnpaired'
    AND acts.log = pairings.log
    AND acts.data.round = pairings.round
    AND acts.seq > pairings.seq
    AND acts.seq < pairings.next_seq;

-- Which round was the latest at any moment: a pairing taken back gives the one before.
CREATE OR REPLACE TEMP TABLE latest AS
SELECT log, seq, data.round - (type = 'RoundUnpaired')::INTEGER AS round
FROM acts
WHERE type IN ('RoundPaired', 'RoundUnpaired');

-- Swaps and repairs are carried out one after another, in the matches of their pairing alone.
CREATE OR REPLACE TEMP TABLE moves AS
SELECT
    pairings.log,
    pairings.seq AS paired_seq,
    acts.type,
    CASE WHEN acts.type = 'SeatsSwapped' THEN (acts.data.players ->> 0)::INTEGER END AS one,
    CASE WHEN acts.type = 'SeatsSwapped' THEN (acts.data.players ->> 1)::INTEGER END AS other,
    acts.data.tables AS tables,
    acts.data.games AS seats,
    row_number() OVER (PARTITION BY pairings.log, pairings.seq ORDER BY acts.seq) AS step
FROM acts
JOIN pairings
    ON pairings.log = acts.log
    AND pairings.round = acts.data.round
    AND acts.seq > pairings.seq
    AND acts.seq < pairings.next_seq
WHERE acts.type IN ('SeatsSwapped', 'TablesRepaired');

CREATE OR REPLACE TEMP TABLE games AS
SELECT
    log,
    seq AS paired_seq,
    matches_before + place AS match,
    round,
    stage,
    place AS table_number,
    games[place][1] AS seat1,
    games[place][2] AS seat2,
    place <= by_hand AS by_hand,
    void
FROM (SELECT *, unnest(generate_series(1, len(games)))::INTEGER AS place FROM pairings);

CREATE OR REPLACE TEMP TABLE moved AS
WITH RECURSIVE stepwise AS (
    SELECT log, paired_seq, match, table_number, seat1, seat2, 0::BIGINT AS step
    FROM games
    WHERE (log, paired_seq) IN (SELECT (log, paired_seq) FROM moves)
    UNION ALL
    SELECT
        before.log,
        before.paired_seq,
        before.match,
        before.table_number,
        CASE
            WHEN list_contains(moves.tables, before.table_number)
                THEN moves.seats[list_position(moves.tables, before.table_number)][1]
            WHEN before.seat1 = moves.one THEN moves.other
            WHEN before.seat1 = moves.other THEN moves.one
            ELSE before.seat1
        END,
        CASE
            WHEN list_contains(moves.tables, before.table_number)
                THEN moves.seats[list_position(moves.tables, before.table_number)][2]
            WHEN before.seat2 = moves.one THEN moves.other
            WHEN before.seat2 = moves.other THEN moves.one
            ELSE before.seat2
        END,
        moves.step
    FROM stepwise AS before
    JOIN moves
        ON moves.log = before.log
        AND moves.paired_seq = before.paired_seq
        AND moves.step = before.step + 1
)
SELECT log, match, arg_max(seat1, step) AS seat1, arg_max(seat2, step) AS seat2
FROM stepwise
GROUP BY log, match;

UPDATE games SET seat1 = moved.seat1, seat2 = moved.seat2
FROM moved
WHERE moved.log = games.log AND moved.match = games.match;

CREATE OR REPLACE TEMP TABLE extended AS
SELECT log, data.match AS match, count(*) AS times, sum(data.minutes)::INTEGER AS minutes
FROM acts
WHERE type = 'TableExtended'
GROUP BY ALL;

INSERT INTO matches
SELECT
    tournament,
    games.match,
    round,
    stage,
    table_number,
    nullif(seat1, 0),
    nullif(seat2, 0),
    (seat1 = 0) != (seat2 = 0),
    by_hand,
    void,
    paired_seq,
    coalesce(extended.minutes, 0)
FROM games
JOIN logs USING (log)
LEFT JOIN extended USING (log, match);

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

CREATE OR REPLACE TEMP TABLE openings AS
SELECT log, seq, moment, data.name AS name, data.date AS date, data.time_zone AS time_zone,
    data.tier AS tier, data.ruleset AS ruleset, data.format AS format, data.engine AS engine,
    data.imported AS imported
FROM acts
WHERE type = 'TournamentOpened';

INSERT INTO results
SELECT
    logs.tournament,
    words.match,
    games.round,
    games.stage,
    games.seat1,
    games.seat2,
    words.seq,
    told.outcome1,
    told.outcome2,
    letter1.record AS record1,
    letter2.record AS record2,
    CASE
        WHEN letter1.record = 'W' AND letter2.record != 'W' THEN nullif(games.seat1, 0)
        WHEN letter2.record = 'W' AND letter1.record != 'W' THEN nullif(games.seat2, 0)
    END,
    told.points1,
    told.points2,
    told.manner,
    told.manner NOT IN ('no-show', 'departure'),
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

-- Rounds and their clocks.
INSERT INTO rounds
SELECT
    logs.tournament,
    pairings.round,
    any_value(pairings.stage),
    any_value(pairings.attempt),
    any_value(pairings.procedure),
    pairings.seq,
    any_value(pairings.moment),
    CASE
        WHEN arg_max(acts.type, acts.seq) = 'RoundClosed' THEN max(acts.seq)
    END,
    any_value(len(pairings.games)),
    any_value(pairings.by_hand),
    any_value(coalesce(swapped.swaps, 0)),
    any_value(pairings.passed_over)
FROM pairings
JOIN logs USING (log)
LEFT JOIN (
    SELECT log, paired_seq, count(*) AS swaps
    FROM moves
    WHERE type = 'SeatsSwapped'
    GROUP BY ALL
) AS swapped ON swapped.log = pairings.log AND swapped.paired_seq = pairings.seq
LEFT JOIN acts
    ON acts.log = pairings.log
    AND acts.type IN ('RoundClosed', 'RoundReopened')
    AND acts.data.round = pairings.round
    AND acts.seq > pairings.seq
WHERE NOT pairings.void
GROUP BY logs.tournament, pairings.round, pairings.seq;

INSERT INTO clocks
SELECT
    logs.tournament,
    pairings.round,
    arg_max(acts.moment, acts.seq) FILTER (WHERE acts.type = 'RoundStarted'),
    arg_max(coalesce(acts.data.minutes, 0), acts.seq) FILTER (WHERE acts.type = 'RoundStarted'),
    any_value(coalesce(given.times, 0)),
    any_value(coalesce(given.minutes, 0)),
    arg_min(acts.moment, acts.seq) FILTER (
        WHERE acts.type = 'TimeCalled' AND coalesce(acts.data."left", 0) = 0
    ),
    any_value(told.last_result_at),
    CASE
        WHEN arg_max(acts.type, acts.seq)
            FILTER (WHERE acts.type IN ('RoundClosed', 'RoundReopened')) = 'RoundClosed'
            THEN arg_max(acts.moment, acts.seq) FILTER (WHERE acts.type = 'RoundClosed')
    END
FROM pairings
JOIN logs USING (log)
LEFT JOIN acts
    ON acts.log = pairings.log
    AND acts.type IN ('RoundStarted', 'TimeCalled', 'RoundClosed', 'RoundReopened')
    AND acts.data.round = pairings.round
    AND acts.seq > pairings.seq
LEFT JOIN (
    SELECT log, paired_seq, sum(times) AS times, sum(minutes) AS minutes
    FROM games JOIN extended USING (log, match)
    GROUP BY ALL
) AS given ON given.log = pairings.log AND given.paired_seq = pairings.seq
LEFT JOIN (
    SELECT log, paired_seq, max(first_at) AS last_result_at
    FROM games JOIN words USING (log, match)
    GROUP BY ALL
) AS told ON told.log = pairings.log AND told.paired_seq = pairings.seq
WHERE NOT pairings.void
GROUP BY logs.tournament, pairings.round, pairings.seq;

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
    SELECT log, data.round AS round, min(seq) AS first_closed
    FROM acts
    WHERE type = 'RoundClosed'
    GROUP BY ALL
) AS closings ON closings.log = new.log AND closings.round = games.round
LEFT JOIN acts AS ends ON ends.log = new.log AND ends.type = 'TournamentFinished'
WHERE new.type = 'ResultCorrected';

-- People of a tournament.
INSERT INTO entrants
SELECT
    logs.tournament,
    enrolled.player,
    coalesce(enrolled.league_id, ''),
    coalesce(enrolled.faction, ''),
    coalesce(enrolled.attributes, MAP {}),
    enrolled.random_rank,
    enrolled.seq,
    enrolled.moment,
    coalesce(enrolled.seq > starts.seq, FALSE),
    finishes.status,
    finishes.byes,
    finishes.last_stage,
    finishes.final_place
FROM enrolled
JOIN logs USING (log)
LEFT JOIN acts AS starts ON starts.log = enrolled.log AND starts.type = 'TournamentStarted'
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

CREATE OR REPLACE TEMP TABLE leaving AS
SELECT
    log,
    seq,
    moment,
    type,
    entered_by,
    data.player AS player,
    data.reason AS reason,
    data.clause AS clause,
    coalesce(
        lead(seq) OVER (PARTITION BY log, data.player ORDER BY seq), 9007199254740993
    ) AS next_seq
FROM acts
WHERE type IN ('PlayerDropped', 'PlayerDisqualified', 'RegistrationWithdrawn');

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
FROM leaving
JOIN logs ON logs.log = leaving.log
ASOF LEFT JOIN latest ON latest.log = leaving.log AND latest.seq <= leaving.seq
LEFT JOIN acts AS returns
    ON returns.log = leaving.log
    AND returns.type IN ('DropWithdrawn', 'DisqualificationWithdrawn', 'PlayerRejoined')
    AND returns.data.player = leaving.player
    AND returns.seq > leaving.seq
    AND returns.seq < leaving.next_seq
GROUP BY ALL;

INSERT INTO cuts
SELECT
    logs.tournament,
    qualified.stage,
    qualified.player,
    qualified.seed,
    (qualified.log, qualified.stage, qualified.player) IN (
        SELECT (log, data.stage, data.entrant) FROM acts WHERE type = 'QualifierReplaced'
    ),
    qualified.cut_seq
FROM qualified
JOIN logs USING (log);

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
        SELECT log, arg_max(data.stages, seq) AS plans
        FROM acts
        WHERE type = 'StructureAnnounced'
        GROUP BY log
    )
)
JOIN logs USING (log);

-- The floor around the tables.
INSERT INTO rulings
SELECT
    logs.tournament,
    made.seq,
    coalesce(latest.round, 0),
    nullif(made.data.match, 0),
    made.data.official,
    coalesce(made.data.clause, ''),
    coalesce(made.data.raised, 'official'),
    nullif(made.data.player, 0),
    coalesce(made.data.review, FALSE) OR appealed.ruling IS NOT NULL,
    nullif(made.data.reviews, 0),
    reviewing.seq,
    made.moment
FROM (SELECT * FROM acts WHERE type = 'RulingMade') AS made
JOIN logs ON logs.log = made.log
ASOF LEFT JOIN latest ON latest.log = made.log AND latest.seq <= made.seq
LEFT JOIN (
    SELECT log, data.reviews AS reviews, max(seq) AS seq
    FROM acts
    WHERE type = 'RulingMade' AND data.reviews > 0
    GROUP BY ALL
) AS reviewing ON reviewing.log = made.log AND reviewing.reviews = made.seq
LEFT JOIN (
    SELECT DISTINCT log, (data ->> 'ruling')::INTEGER AS ruling
    FROM lines
    WHERE type = 'AppealMade'
) AS appealed ON appealed.log = made.log AND appealed.ruling = made.seq;

INSERT INTO penalties
SELECT
    logs.tournament,
    given.seq,
    coalesce(latest.round, 0),
    nullif(given.data.match, 0),
    given.data.player,
    CASE given.type WHEN 'PenaltyGiven' THEN 'penalty' ELSE 'conduct' END,
    given.data.kind,
    coalesce(given.data.clause, ''),
    given.moment,
    given.entered_by
FROM (SELECT * FROM acts WHERE type IN ('PenaltyGiven', 'ConductNoted')) AS given
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
        log,
        seq,
        type,
        moment,
        entered_by,
        data.match AS match,
        coalesce(
            lead(seq) OVER (PARTITION BY log, data.match ORDER BY seq), 9007199254740993
        ) AS next_seq
    FROM acts
    WHERE type = 'ResultDisputed'
) AS opened
JOIN logs ON logs.log = opened.log
JOIN games ON games.log = opened.log AND games.match = opened.match
LEFT JOIN (
    SELECT log, seq, type, data.match AS match
    FROM acts
    WHERE
        type IN ('ResultConfirmed', 'DisputeWithdrawn')
        OR (
            type = 'RulingMade'
            AND (
                data.settles > 0
                OR (json_type(data.decides) = 'OBJECT' AND coalesce(data.reviews, 0) = 0)
            )
        )
) AS ending
    ON ending.log = opened.log
    AND ending.match = opened.match
    AND ending.seq > opened.seq
    AND ending.seq < opened.next_seq
GROUP BY ALL;

INSERT INTO setups
SELECT
    tournament, match, round, first_player, first_chosen_by, blue, side_chosen_by,
    scenario_objective, scenario_deployment, scenario_condition
FROM set_up JOIN logs USING (log);

INSERT INTO lists
SELECT
    logs.tournament,
    handed.seq,
    handed.data.player,
    handed.data.corrects,
    coalesce(handed.data.significant, FALSE),
    coalesce(handed.data.significant AND handed.data.advantageous, FALSE),
    checked.seq,
    CASE WHEN checked.seq IS NOT NULL
        THEN len(list_filter(coalesce(checked.findings, []), lambda each: each.state = 'breaks'))
    END,
    CASE WHEN checked.seq IS NOT NULL
        THEN len(
            list_filter(coalesce(checked.findings, []), lambda each: each.state = 'not checked')
        )
    END,
    handed.moment,
    handed.entered_by
FROM acts AS handed
JOIN logs ON logs.log = handed.log
LEFT JOIN (
    SELECT log, data."list" AS "list", max(seq) AS seq, arg_max(data.findings, seq) AS findings
    FROM acts
    WHERE type = 'ListChecked'
    GROUP BY ALL
) AS checked ON checked.log = handed.log AND checked."list" = handed.seq
WHERE handed.type IN ('ListSubmitted', 'ListCorrected');

INSERT INTO tournaments
SELECT
    logs.tournament,
    logs.size,
    logs.root,
    openings.name,
    TRY_CAST(openings.date AS DATE),
    openings.time_zone,
    openings.tier,
    openings.ruleset.key,
    openings.ruleset.edition,
    openings.ruleset.sha256,
    openings.format.key,
    marks.structure,
    openings.engine,
    openings.imported.kind,
    openings.moment,
    marks.started_at,
    marks.finished_at,
    coalesce(marks.finished, FALSE),
    coalesce(entered.entrants, 0) - coalesce(marks.withdrawn, 0),
    coalesce(played.rounds, 0),
    winners.player
FROM logs
JOIN openings ON openings.log = logs.log
LEFT JOIN (
    SELECT
        log,
        arg_max(data.structure, seq) FILTER (WHERE type = 'StructureAnnounced') AS structure,
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
