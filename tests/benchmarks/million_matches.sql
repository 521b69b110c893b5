-- A season of 10,417 tournaments of 32 players and six rounds, with rulings, cuts and clocks.
CREATE TEMP TABLE days AS
SELECT i::INTEGER AS i, md5(i::VARCHAR) AS tournament FROM range(10417) AS numbers(i);

CREATE TEMP TABLE seats AS
SELECT
    i,
    tournament,
    round::INTEGER AS round,
    player::INTEGER AS player,
    row_number() OVER (
        PARTITION BY i, round ORDER BY hash(concat_ws('-', i, round, player)), player
    )::INTEGER AS seat
FROM days, range(1, 33) AS players(player), range(1, 7) AS rounds(round);

INSERT INTO tournaments BY NAME
SELECT
    tournament,
    400 AS size,
    repeat('0', 64) AS root,
    0 AS signed_size,
    FALSE AS by_policy,
    'Day ' || i AS name,
    DATE '2026-01-01' + i % 365 AS held_on,
    'UTC' AS time_zone,
    ['relaxed', 'formal', 'premier'][i % 3 + 1] AS tier,
    ['l5r', 'legion', 'ashes', 'runewars', 'xwing2'][i % 5 + 1] AS ruleset,
    '' AS edition,
    '' AS ruleset_sha256,
    'win' AS full_win,
    3 AS full_points,
    'sql' AS engine,
    TRUE AS finished,
    32 AS entrants,
    6 AS rounds,
    1 AS winner
FROM days;

INSERT INTO stages
SELECT tournament, unnest([1, 2]), unnest(['swiss', 'single']), 6, 'all', 0, FALSE, 'stage'
FROM days;

INSERT INTO entrants BY NAME
SELECT
    tournament,
    player,
    md5((hash(i, player) % 20_000)::VARCHAR) AS league_id,
    'Faction ' || hash(i, player, 'faction') % 7 AS faction,
    MAP {} AS attributes,
    player AS random_rank,
    player AS registered_seq,
    FALSE AS late,
    'cut' AS status,
    (player % 16 = 0)::INTEGER AS byes,
    1 AS last_stage,
    player AS final_place
FROM days, (SELECT unnest(range(1, 33))::INTEGER AS player);

INSERT INTO people SELECT tournament, player, league_id, TRUE FROM entrants;

INSERT INTO cuts SELECT tournament, 2, player, player, FALSE, 390 FROM entrants WHERE player <= 8;

INSERT INTO rounds
SELECT tournament, round, 1, 1, 'swiss', 30 + round, NULL, 60 + round, 16, 0, 0, 0
FROM days, (SELECT unnest(range(1, 7))::INTEGER AS round);

INSERT INTO clocks BY NAME
SELECT
    tournament,
    round,
    TIMESTAMP '2026-01-01 10:00:00' AS started_at,
    60 AS minutes,
    0 AS extensions,
    0 AS extended_minutes,
    0 AS longer_minutes,
    0 AS pauses,
    0 AS paused_seconds,
    TIMESTAMP '2026-01-01 10:30:00' + to_seconds((hash(i, round) % 3600)::BIGINT) AS last_result_at
FROM days, (SELECT unnest(range(1, 7))::INTEGER AS round);

INSERT INTO standings
SELECT
    tournament,
    round,
    1,
    player,
    row_number() OVER (PARTITION BY i, round ORDER BY hash(i, player, round), player),
    round * 2 + hash(i, player) % 3,
    0,
    0,
    0,
    0,
    FALSE,
    MAP {}
FROM seats;

CREATE TEMP TABLE paired AS
SELECT
    one.tournament,
    one.i,
    one.round,
    (one.seat + 1) // 2 AS table_number,
    one.player AS player1,
    other.player AS player2,
    (hash(one.i, one.round, one.seat) % 40 = 0)::INTEGER * 5 AS extended_minutes
FROM seats AS one
JOIN seats AS other
    ON other.i = one.i AND other.round = one.round AND other.seat = one.seat + 1
WHERE one.seat % 2 = 1;

INSERT INTO matches
WITH before AS MATERIALIZED (
    SELECT tournament, round + 1 AS round, player, points, place FROM standings
),
firsts AS MATERIALIZED (
    SELECT
        i,
        least(player1, player2) AS low,
        greatest(player1, player2) AS high,
        min(round) AS round
    FROM paired
    GROUP BY ALL
)
SELECT
    paired.tournament,
    (paired.round - 1) * 16 + table_number,
    paired.round,
    1,
    table_number,
    player1,
    player2,
    FALSE,
    FALSE,
    FALSE,
    30 + paired.round,
    extended_minutes,
    paired.round > firsts.round,
    one.points,
    one.place,
    other.points,
    other.place
FROM paired
LEFT JOIN firsts
    ON firsts.i = paired.i
    AND firsts.low = least(player1, player2)
    AND firsts.high = greatest(player1, player2)
LEFT JOIN before AS one
    ON one.tournament = paired.tournament
    AND one.round = paired.round
    AND one.player = player1
LEFT JOIN before AS other
    ON other.tournament = paired.tournament
    AND other.round = paired.round
    AND other.player = player2
ORDER BY paired.i, paired.round, table_number;

INSERT INTO results
SELECT
    tournament,
    match,
    round,
    stage,
    player1,
    player2,
    100 + match,
    CASE WHEN luck < 45 THEN 'win' WHEN luck < 90 THEN 'loss' ELSE 'draw' END,
    CASE WHEN luck < 45 THEN 'loss' WHEN luck < 90 THEN 'win' ELSE 'draw' END,
    CASE WHEN luck < 45 THEN 'W' WHEN luck < 90 THEN 'L' ELSE 'D' END,
    CASE WHEN luck < 45 THEN 'L' WHEN luck < 90 THEN 'W' ELSE 'D' END,
    CASE WHEN luck < 45 THEN player1 WHEN luck < 90 THEN player2 END,
    CASE WHEN luck < 45 THEN 3 WHEN luck < 90 THEN 0 ELSE 1 END,
    CASE WHEN luck < 45 THEN 0 WHEN luck < 90 THEN 3 ELSE 1 END,
    'played',
    TRUE,
    '',
    MAP {},
    MAP {},
    NULL,
    'o1',
    NULL,
    0,
    0
FROM (SELECT *, hash(tournament, match) % 100 AS luck FROM matches)
ORDER BY tournament, match;

INSERT INTO schedules
WITH sides AS (
    SELECT
        tournament,
        unnest([player1, player2]) AS player,
        unnest([player2, player1]) AS opponent,
        unnest([record1, record2]) AS record
    FROM results
),
scored AS (
    SELECT
        tournament,
        player,
        count(*) AS games,
        sum(CASE record WHEN 'W' THEN 2 WHEN 'D' THEN 1 ELSE 0 END) AS halves
    FROM sides
    GROUP BY ALL
)
SELECT
    sides.tournament,
    1,
    sides.player,
    any_value(mine.games),
    any_value(mine.halves),
    sum(theirs.games),
    sum(theirs.halves)
FROM sides
JOIN scored AS mine ON mine.tournament = sides.tournament AND mine.player = sides.player
JOIN scored AS theirs ON theirs.tournament = sides.tournament AND theirs.player = sides.opponent
GROUP BY sides.tournament, sides.player;

INSERT INTO setups
SELECT tournament, match, round, player1, NULL, player2, NULL, NULL, NULL, NULL FROM matches;

INSERT INTO events
SELECT tournament, seq, 'ResultReported', NULL, 'o' || 1 + match % 3 FROM results;

INSERT INTO corrections
SELECT
    tournament,
    seq + 200,
    match,
    round,
    seq,
    'win',
    'loss',
    3,
    0,
    0,
    3,
    match % 2 = 0,
    match % 7 = 0,
    NULL,
    'o1'
FROM results
WHERE hash(tournament, match, 'wrong') % 50 = 0;

INSERT INTO rulings
SELECT
    tournament,
    seq + 400,
    round,
    match,
    1 + match % 3,
    CASE match % 3 WHEN 2 THEN 3 END,
    'CLAUSE-' || match % 11,
    'player',
    NULL,
    FALSE,
    NULL,
    NULL,
    NULL
FROM results
WHERE hash(tournament, match, 'ruling') % 20 = 0;

INSERT INTO disputes
SELECT tournament, seq - 1, match, round, 'ResultDisputed', NULL, 'p1', seq
FROM rulings
WHERE match % 3 = 0;
