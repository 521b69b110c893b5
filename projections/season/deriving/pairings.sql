-- Pairings, and what was done to them. A pairing reaches up to the next one of its round.
CREATE OR REPLACE TEMP TABLE pairings AS
SELECT
    log,
    seq,
    moment,
    round,
    stage,
    attempt,
    procedure,
    games,
    coalesce(by_hand, 0) AS by_hand,
    coalesce(len(passed_over), 0) AS passed_over,
    coalesce(
        sum(len(games)) OVER (
            PARTITION BY log ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ),
        0
    )::INTEGER AS matches_before,
    coalesce(
        lead(seq) OVER (PARTITION BY log, round ORDER BY seq), 9007199254740993
    ) AS next_seq,
    FALSE AS void
FROM acts
WHERE type = 'RoundPaired';

-- Latecomers: a table that was opened for them has the next match, also where it was taken back.
CREATE OR REPLACE TEMP TABLE seatings AS
SELECT
    acts.log,
    pairings.seq AS paired_seq,
    acts.seq,
    acts."table" AS table_number,
    acts.game,
    acts.was[1] + acts.was[2] = 0 AS opened,
    withdrawn.withdraws IS NOT NULL AS void
FROM acts
JOIN pairings
    ON pairings.log = acts.log
    AND pairings.round = acts.round
    AND acts.seq > pairings.seq
    AND acts.seq < pairings.next_seq
LEFT JOIN acts AS withdrawn
    ON withdrawn.log = acts.log
    AND withdrawn.type = 'SeatingWithdrawn'
    AND withdrawn.withdraws = acts.seq
WHERE acts.type = 'PlayersSeated';

UPDATE pairings SET matches_before = matches_before + opened.matches
FROM (
    SELECT pairings.log, pairings.seq, count(*)::INTEGER AS matches
    FROM pairings
    JOIN seatings ON seatings.log = pairings.log AND seatings.seq < pairings.seq
    WHERE seatings.opened
    GROUP BY ALL
) AS opened
WHERE opened.log = pairings.log AND opened.seq = pairings.seq;

UPDATE pairings SET void = TRUE
FROM acts
WHERE
    acts.type = 'RoundUnpaired'
    AND acts.log = pairings.log
    AND acts.round = pairings.round
    AND acts.seq > pairings.seq
    AND acts.seq < pairings.next_seq;

-- Which round was the latest at any moment: a pairing taken back gives the one before.
CREATE OR REPLACE TEMP TABLE latest AS
SELECT log, seq, round - (type = 'RoundUnpaired')::INTEGER AS round
FROM acts
WHERE type IN ('RoundPaired', 'RoundUnpaired');

-- Swaps and repairs are carried out one after another, in the matches of their pairing alone.
CREATE OR REPLACE TEMP TABLE moves AS
SELECT
    pairings.log,
    pairings.seq AS paired_seq,
    acts.type,
    CASE WHEN acts.type = 'SeatsSwapped' THEN (acts.players ->> 0)::INTEGER END AS one,
    CASE WHEN acts.type = 'SeatsSwapped' THEN (acts.players ->> 1)::INTEGER END AS other,
    CASE WHEN acts.type = 'PlayersSeated' THEN [acts."table"] ELSE acts.tables END AS tables,
    CASE WHEN acts.type = 'PlayersSeated' THEN [acts.game] ELSE acts.games END AS seats,
    row_number() OVER (PARTITION BY pairings.log, pairings.seq ORDER BY acts.seq) AS step
FROM acts
JOIN pairings
    ON pairings.log = acts.log
    AND pairings.round = acts.round
    AND acts.seq > pairings.seq
    AND acts.seq < pairings.next_seq
WHERE acts.type IN ('SeatsSwapped', 'TablesRepaired')
    OR (
        acts.type = 'PlayersSeated'
        AND (acts.log, acts.seq) NOT IN (SELECT (log, seq) FROM seatings WHERE void)
    );

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

INSERT INTO games
SELECT
    seatings.log,
    pairings.seq,
    matches_before + len(pairings.games) + row_number() OVER (
        PARTITION BY pairings.log, pairings.seq ORDER BY seatings.seq
    ),
    round,
    stage,
    seatings.table_number,
    CASE WHEN seatings.void THEN 0 ELSE seatings.game[1] END,
    CASE WHEN seatings.void THEN 0 ELSE seatings.game[2] END,
    FALSE,
    pairings.void OR seatings.void
FROM seatings
JOIN pairings ON pairings.log = seatings.log AND pairings.seq = seatings.paired_seq
WHERE seatings.opened;

CREATE OR REPLACE TEMP TABLE moved AS
WITH RECURSIVE stepwise AS (
    SELECT log, paired_seq, match, table_number, seat1, seat2, 0::BIGINT AS step
    FROM games
    WHERE (log, paired_seq) IN (SELECT (log, paired_seq) FROM moves)
        AND (NOT void OR seat1 != 0 OR seat2 != 0)
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
SELECT log, match, count(*) AS times, sum(minutes)::INTEGER AS minutes
FROM acts
WHERE type = 'TableExtended'
GROUP BY ALL;

-- A pairing is looked at beside the standings that it was made from, as they are by now.
INSERT INTO matches
WITH before AS MATERIALIZED (
    SELECT log, stage, round + 1 AS round, player, points, place
    FROM ranked
),
firsts AS (
    SELECT log, least(seat1, seat2) AS low, greatest(seat1, seat2) AS high, min(match) AS match
    FROM games
    WHERE NOT void AND seat1 != 0 AND seat2 != 0
    GROUP BY ALL
)
SELECT
    tournament,
    games.match,
    games.round,
    games.stage,
    table_number,
    nullif(seat1, 0),
    nullif(seat2, 0),
    (seat1 = 0) != (seat2 = 0),
    by_hand,
    void,
    paired_seq,
    coalesce(extended.minutes, 0),
    coalesce(games.match > firsts.match, FALSE),
    one.points,
    one.place,
    other.points,
    other.place
FROM games
JOIN logs ON logs.log = games.log
LEFT JOIN extended ON extended.log = games.log AND extended.match = games.match
LEFT JOIN firsts
    ON firsts.log = games.log
    AND firsts.low = least(seat1, seat2)
    AND firsts.high = greatest(seat1, seat2)
LEFT JOIN before AS one
    ON one.log = games.log
    AND one.stage = games.stage
    AND one.round = games.round
    AND one.player = seat1
LEFT JOIN before AS other
    ON other.log = games.log
    AND other.stage = games.stage
    AND other.round = games.round
    AND other.player = seat2;
