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
    any_value(len(pairings.games) + coalesce(later.tables, 0)),
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
LEFT JOIN (
    SELECT log, paired_seq, count(*) AS tables
    FROM seatings
    WHERE opened AND NOT void
    GROUP BY ALL
) AS later ON later.log = pairings.log AND later.paired_seq = pairings.seq
LEFT JOIN acts
    ON acts.log = pairings.log
    AND acts.type IN ('RoundClosed', 'RoundReopened')
    AND acts.round = pairings.round
    AND acts.seq > pairings.seq
WHERE NOT pairings.void
GROUP BY logs.tournament, pairings.round, pairings.seq;

INSERT INTO clocks
SELECT
    logs.tournament,
    pairings.round,
    arg_max(acts.moment, acts.seq) FILTER (WHERE acts.type = 'RoundStarted'),
    arg_max(coalesce(acts.minutes, 0), acts.seq) FILTER (WHERE acts.type = 'RoundStarted'),
    any_value(coalesce(given.times, 0)),
    any_value(coalesce(given.minutes, 0)),
    any_value(coalesce(hall.minutes, 0)),
    any_value(coalesce(hall.pauses, 0)),
    any_value(coalesce(hall.paused, 0)),
    arg_min(acts.moment, acts.seq) FILTER (
        WHERE acts.type = 'TimeCalled' AND coalesce(acts."left", 0) = 0
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
    AND acts.round = pairings.round
    AND acts.seq > pairings.seq
LEFT JOIN (
    SELECT log, paired_seq, sum(times) AS times, sum(minutes) AS minutes
    FROM games JOIN extended USING (log, match)
    GROUP BY ALL
) AS given ON given.log = pairings.log AND given.paired_seq = pairings.seq
LEFT JOIN (
    SELECT
        pairings.log,
        pairings.seq AS paired_seq,
        sum(done.minutes) FILTER (WHERE done.type = 'RoundExtended')::INTEGER AS minutes,
        count(*) FILTER (WHERE done.type = 'RoundPaused') AS pauses,
        sum(date_diff('second', done.moment, done.next_at)) FILTER (
            WHERE done.type = 'RoundPaused' AND done.next = 'RoundResumed'
        )::INTEGER AS paused
    FROM pairings
    JOIN (
        SELECT
            log,
            seq,
            type,
            round,
            moment,
            minutes,
            lead(type) OVER turns AS next,
            lead(moment) OVER turns AS next_at
        FROM acts
        WHERE type IN ('RoundExtended', 'RoundPaused', 'RoundResumed')
        WINDOW turns AS (PARTITION BY log, round, type = 'RoundExtended' ORDER BY seq)
    ) AS done
        ON done.log = pairings.log
        AND done.round = pairings.round
        AND done.seq > pairings.seq
    GROUP BY ALL
) AS hall ON hall.log = pairings.log AND hall.paired_seq = pairings.seq
LEFT JOIN (
    SELECT log, paired_seq, max(first_at) AS last_result_at
    FROM games JOIN words USING (log, match)
    GROUP BY ALL
) AS told ON told.log = pairings.log AND told.paired_seq = pairings.seq
WHERE NOT pairings.void
GROUP BY logs.tournament, pairings.round, pairings.seq;
