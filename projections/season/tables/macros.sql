-- Words that a question may use beside DuckDB's own. Wilson's interval holds a share of independent
-- trials with 95 % confidence. Its ends at none and all are 0 and 1, which floats would miss by a hair.
CREATE OR REPLACE TEMP MACRO wilson_low(successes, trials) AS
    CASE WHEN successes = 0 THEN 0.0::DOUBLE * trials ELSE
        (
            successes + 1.920729410347062
            - 1.959963984540054
            * sqrt(greatest(successes * (trials - successes) / trials, 0) + 0.960364705173531)
        )
        / (trials + 3.841458820694124)
    END;
CREATE OR REPLACE TEMP MACRO wilson_high(successes, trials) AS
    CASE WHEN successes = trials THEN 1.0::DOUBLE ELSE
        (
            successes + 1.920729410347062
            + 1.959963984540054
            * sqrt(greatest(successes * (trials - successes) / trials, 0) + 0.960364705173531)
        )
        / (trials + 3.841458820694124)
    END;
-- Student's t that holds 95 % with so many degrees of freedom (Cornish and Fisher's expansion, off by
-- a quarter of a percent at four, and by less beyond).
CREATE OR REPLACE TEMP MACRO student_95(freedom) AS
    1.959963984540054
    + 2.37227123029856
    / freedom
    + 2.82249861573961
    / freedom ** 2
    + 2.55584967950772
    / freedom ** 3;
-- The interval of a score whose games are not independent, since each person plays several: `spread`
-- is the score's standard error by person, of which there are at least `persons` on either side.
-- With fewer than five there is none; where all scored the same, each person counts as one game.
CREATE OR REPLACE TEMP MACRO person_low(score, spread, persons) AS
    CASE
        WHEN persons < 5 THEN NULL
        WHEN spread < 1e-6 THEN wilson_low(score * persons, persons)
        ELSE greatest(score - student_95(persons - 1) * spread, 0)
    END;
CREATE OR REPLACE TEMP MACRO person_high(score, spread, persons) AS
    CASE
        WHEN persons < 5 THEN NULL
        WHEN spread < 1e-6 THEN wilson_high(score * persons, persons)
        ELSE least(score + student_95(persons - 1) * spread, 1)
    END;
-- The interval of a share whose trials are not independent, since each person has several: Wilson's,
-- by as many independent trials as would be as sure. `spread` is the share's standard error by
-- person, `persons` how many there are, counted as Kish does: of whom few have most trials, few count.
CREATE OR REPLACE TEMP MACRO as_many(share, spread, persons) AS
    CASE
        WHEN spread < 1e-6 THEN persons
        ELSE
            share * (1 - share) / spread ** 2
            * (1.959963984540054 / student_95(greatest(persons - 1, 1))) ** 2
    END;
CREATE OR REPLACE TEMP MACRO share_low(share, spread, persons) AS
    wilson_low(
        share * as_many(share, spread, persons), as_many(share, spread, persons)
    );
CREATE OR REPLACE TEMP MACRO share_high(share, spread, persons) AS
    wilson_high(
        share * as_many(share, spread, persons), as_many(share, spread, persons)
    );
-- Whole numbers, whose sum does not hang on the order of the rows.
CREATE OR REPLACE TEMP MACRO in_billionths(amount) AS round(1e9 * amount)::BIGINT;
-- How each faction scores against the others, or against `each` of them: from both sides of games
-- between different factions; of a side without one nobody knows whether it differs. How far the score moves where one person's games are left out gives
-- its standard error: the squares of that, for the persons of the one side and of the other, minus
-- those of single games, which both sides count; and never less than by single games alone.
-- Seats, persons and factions have numbers, which join and group several times as fast as texts: a
-- tournament has 8,000 players at most.
CREATE OR REPLACE TEMP MACRO faction_scores(each) AS TABLE
WITH held AS MATERIALIZED (
    SELECT tournament, ruleset, 8192 * row_number() OVER () AS base FROM tournaments
),
persons AS MATERIALIZED (
    SELECT person, row_number() OVER ()::INTEGER AS number
    FROM (SELECT DISTINCT person FROM people)
),
labels AS MATERIALIZED (
    SELECT ruleset, faction, row_number() OVER ()::INTEGER AS number
    FROM (
        SELECT DISTINCT ruleset, faction
        FROM entrants JOIN held USING (tournament)
        WHERE faction != ''
    )
),
entered AS (
    SELECT base + player AS seat, labels.number AS label
    FROM entrants
    JOIN held USING (tournament)
    JOIN labels USING (ruleset, faction)
),
known AS (
    SELECT base + player AS seat, persons.number AS person
    FROM people
    JOIN held USING (tournament)
    JOIN persons USING (person)
),
who AS MATERIALIZED (SELECT seat, label, person FROM entered JOIN known USING (seat)),
met_games AS (
    SELECT base + player1 AS seat1, base + player2 AS seat2, record1, record2
    FROM results
    JOIN held USING (tournament)
    WHERE met
),
pairs AS MATERIALIZED (
    SELECT
        one.label AS label1,
        other.label AS label2,
        one.person AS person1,
        other.person AS person2,
        CASE record1 WHEN 'W' THEN 2 WHEN 'D' THEN 1 ELSE 0 END AS halves1,
        CASE record2 WHEN 'W' THEN 2 WHEN 'D' THEN 1 ELSE 0 END AS halves2,
        CASE record1 WHEN 'D' THEN 1 ELSE 0 END AS drawn
    FROM met_games
    JOIN who AS one ON one.seat = seat1
    JOIN who AS other ON other.seat = seat2
    -- A difference: by an inequality of its two sides a planner would join them first, all with all.
    WHERE one.label - other.label != 0
),
sides AS (
    SELECT
        label1 AS label,
        CASE WHEN each THEN label2 ELSE 0 END AS against,
        person1 AS person,
        person2 AS across,
        halves1 AS halves,
        halves2 AS halves_across,
        drawn
    FROM pairs
    UNION ALL
    SELECT
        label2,
        CASE WHEN each THEN label1 ELSE 0 END,
        person2,
        person1,
        halves2,
        halves1,
        drawn
    FROM pairs
),
own AS MATERIALIZED (
    SELECT
        label,
        against,
        count(*)::INTEGER AS games,
        sum(halves)::INTEGER AS halves,
        sum(halves_across)::INTEGER AS halves_across,
        sum(drawn)::INTEGER AS draws
    FROM sides
    GROUP BY label, against, person
),
theirs AS (
    SELECT against AS label, label AS against, games, halves_across AS halves
    FROM own
    WHERE each
    UNION ALL
    SELECT label, against, count(*)::INTEGER, sum(halves)::INTEGER
    FROM sides
    WHERE NOT each
    GROUP BY label, against, across
),
totals AS MATERIALIZED (
    SELECT
        label,
        against,
        sum(games)::BIGINT AS played,
        ((sum(halves) - sum(draws)) / 2)::BIGINT AS wins,
        sum(draws)::BIGINT AS drawn,
        sum(halves) / 2 / played AS score,
        wins + drawn / 4 - played * score ** 2 AS single
    FROM own
    GROUP BY label, against
),
moved AS (
    SELECT
        label,
        against,
        count(*) AS persons,
        sum(in_billionths(((halves / 2 - score * games) / nullif(1 - games / played, 0)) ** 2)) / 1e9
            AS squares
    FROM own
    JOIN totals USING (label, against)
    GROUP BY label, against
),
moved_by_opponents AS (
    SELECT
        label,
        against,
        count(*) AS persons,
        sum(in_billionths(((halves / 2 - score * games) / nullif(1 - games / played, 0)) ** 2)) / 1e9
            AS squares
    FROM theirs
    JOIN totals USING (label, against)
    GROUP BY label, against
)
SELECT
    labels.ruleset,
    labels.faction,
    other.faction AS opponent,
    moved.persons,
    played AS games,
    wins,
    drawn AS draws,
    score,
    least(moved.persons, moved_by_opponents.persons) AS fewest,
    sqrt(greatest(moved.squares + moved_by_opponents.squares - single, single, 0)) / played
        AS spread,
    person_low(score, spread, fewest) AS low,
    person_high(score, spread, fewest) AS high
FROM totals
JOIN moved USING (label, against)
JOIN moved_by_opponents USING (label, against)
JOIN labels ON labels.number = label
LEFT JOIN labels AS other ON other.number = against;
-- How those score who had a trait in a game: so many byes in the day (`by_byes`), or else the blue
-- side (0), the side of the first player (1), or the name that is written first (2). A game in which
-- both have the trait has two rows, each the `twin` of the other. Who is no entrant that is looked at
-- is looked at only as an opponent. A game moves with both its persons:
-- the squares of what each person's games add up to, on either side, minus those of single games,
-- which both persons count. Who has byes hangs on the tournaments, too: then what the games of each
-- add up to counts, beyond what its persons have counted, and there have to be five of them.
CREATE OR REPLACE TEMP MACRO side_scores(by_byes) AS TABLE
WITH rules AS MATERIALIZED (
    SELECT ruleset, row_number() OVER ()::INTEGER AS game
    FROM (SELECT DISTINCT ruleset FROM tournaments)
),
held AS MATERIALIZED (
    SELECT tournament, game, 8192 * row_number() OVER () AS base
    FROM tournaments
    JOIN rules USING (ruleset)
    WHERE finished OR NOT by_byes
),
numbered AS MATERIALIZED (
    SELECT person, row_number() OVER ()::INTEGER AS number
    FROM (SELECT DISTINCT person FROM people)
),
who AS MATERIALIZED (
    SELECT
        people.tournament,
        people.player,
        base + people.player AS seat,
        number,
        byes,
        entrants.player IS NOT NULL AS is_own
    FROM people
    JOIN held USING (tournament)
    JOIN numbered USING (person)
    LEFT JOIN entrants ON entrants.tournament = people.tournament AND entrants.player = people.player
),
seated AS (
    SELECT
        game,
        base,
        base + results.player1 AS seat1,
        base + results.player2 AS seat2,
        CASE record1 WHEN 'W' THEN 2 WHEN 'D' THEN 1 ELSE 0 END AS halves1,
        CASE record2 WHEN 'W' THEN 2 WHEN 'D' THEN 1 ELSE 0 END AS halves2,
        CASE record1 WHEN 'D' THEN 1 ELSE 0 END AS drawn1,
        CASE record2 WHEN 'D' THEN 1 ELSE 0 END AS drawn2,
        CASE record1 WHEN 'L' THEN 1 ELSE 0 END AS lost1,
        CASE record2 WHEN 'L' THEN 1 ELSE 0 END AS lost2,
        CASE
            WHEN by_byes THEN NULL
            WHEN first_player = results.player1 THEN 1
            WHEN first_player = results.player2 THEN 2
        END AS first_seat,
        CASE
            WHEN by_byes THEN NULL
            WHEN blue = results.player1 THEN 1
            WHEN blue = results.player2 THEN 2
        END AS blue_seat
    FROM results
    JOIN held USING (tournament)
    LEFT JOIN setups
        ON NOT by_byes
        AND setups.tournament = results.tournament
        AND setups.match = results.match
    WHERE met
),
played AS MATERIALIZED (
    SELECT
        game,
        base,
        one.number AS person1,
        other.number AS person2,
        one.byes AS byes1,
        other.byes AS byes2,
        one.is_own AS own1,
        other.is_own AS own2,
        halves1,
        halves2,
        drawn1,
        drawn2,
        lost1,
        lost2,
        first_seat,
        blue_seat
    FROM seated
    JOIN who AS one ON one.seat = seat1
    JOIN who AS other ON other.seat = seat2
),
sides AS MATERIALIZED (
    SELECT
        game,
        byes1 AS trait,
        base,
        person1 AS person,
        person2 AS across,
        halves1 AS halves,
        drawn1 AS drawn,
        lost1 AS lost,
        CASE WHEN byes1 = byes2 THEN halves2 END AS twin
    FROM played
    WHERE by_byes AND own1
    UNION ALL
    SELECT
        game,
        byes2,
        base,
        person2,
        person1,
        halves2,
        drawn2,
        lost2,
        CASE WHEN byes1 = byes2 THEN halves1 END
    FROM played
    WHERE by_byes AND own2
    UNION ALL
    SELECT game, 2, 0, person1, person2, halves1, drawn1, lost1, NULL
    FROM played
    WHERE NOT by_byes AND own1
    UNION ALL
    SELECT
        game,
        1,
        0,
        CASE first_seat WHEN 1 THEN person1 ELSE person2 END,
        CASE first_seat WHEN 1 THEN person2 ELSE person1 END,
        CASE first_seat WHEN 1 THEN halves1 ELSE halves2 END,
        CASE first_seat WHEN 1 THEN drawn1 ELSE drawn2 END,
        CASE first_seat WHEN 1 THEN lost1 ELSE lost2 END,
        NULL
    FROM played
    WHERE CASE first_seat WHEN 1 THEN own1 WHEN 2 THEN own2 ELSE FALSE END
    UNION ALL
    SELECT
        game,
        0,
        0,
        CASE blue_seat WHEN 1 THEN person1 ELSE person2 END,
        CASE blue_seat WHEN 1 THEN person2 ELSE person1 END,
        CASE blue_seat WHEN 1 THEN halves1 ELSE halves2 END,
        CASE blue_seat WHEN 1 THEN drawn1 ELSE drawn2 END,
        CASE blue_seat WHEN 1 THEN lost1 ELSE lost2 END,
        NULL
    FROM played
    WHERE CASE blue_seat WHEN 1 THEN own1 WHEN 2 THEN own2 ELSE FALSE END
),
tallies AS MATERIALIZED (
    SELECT game, trait, halves, drawn, lost, twin, count(*) AS many
    FROM sides
    GROUP BY game, trait, halves, drawn, lost, twin
),
totals AS MATERIALIZED (
    SELECT
        game,
        trait,
        sum(many)::BIGINT AS trials,
        sum(many * drawn)::BIGINT AS draws,
        sum(many * lost)::BIGINT AS losses,
        sum(many * halves)::BIGINT AS scored,
        scored / 2 / trials AS score
    FROM tallies
    GROUP BY game, trait
),
single AS (
    SELECT
        game,
        trait,
        sum(
            many
            * in_billionths(
                (halves / 2 - score) ** 2 + coalesce((halves / 2 - score) * (twin / 2 - score), 0)
            )
        ) / 1e9 AS squares
    FROM tallies
    JOIN totals USING (game, trait)
    GROUP BY game, trait
),
touched AS MATERIALIZED (
    SELECT
        game,
        trait,
        base,
        person,
        count(*)::BIGINT AS games,
        sum(halves)::BIGINT AS halves,
        sum(own)::BIGINT AS own,
        sum(own * halves)::BIGINT AS own_halves
    FROM (
        SELECT game, trait, base, person, halves, 1 AS own FROM sides
        UNION ALL
        SELECT game, trait, base, across, halves, 0 FROM sides
    )
    GROUP BY game, trait, base, person
),
by_person AS (
    SELECT
        game,
        trait,
        sum(games)::BIGINT AS games,
        sum(halves)::BIGINT AS halves,
        sum(own)::BIGINT AS own,
        sum(games - own)::BIGINT AS theirs
    FROM touched
    GROUP BY game, trait, person
),
by_event AS (
    SELECT game, trait, sum(own)::BIGINT AS games, sum(own_halves)::BIGINT AS halves
    FROM touched
    WHERE by_byes
    GROUP BY game, trait, base
),
moved AS (
    SELECT
        game,
        trait,
        count(*) FILTER (own > 0) AS persons,
        count(*) FILTER (theirs > 0) AS opponents,
        sum(own)::BIGINT ** 2 / sum(own ** 2) AS as_persons,
        sum(theirs)::BIGINT ** 2 / sum(theirs ** 2) AS as_opponents,
        sum(
            in_billionths(((halves / 2 - score * games) / nullif(1 - games / trials, 0)) ** 2)
        ) / 1e9 AS squares
    FROM by_person
    JOIN totals USING (game, trait)
    GROUP BY game, trait
),
moved_within AS (
    SELECT game, trait, sum(in_billionths((halves / 2 - score * games) ** 2)) / 1e9 AS squares
    FROM touched
    JOIN totals USING (game, trait)
    WHERE by_byes
    GROUP BY game, trait
),
moved_by_events AS (
    SELECT
        game,
        trait,
        count(*) AS events,
        sum(games)::BIGINT ** 2 / sum(games ** 2) AS as_events,
        sum(
            in_billionths(((halves / 2 - score * games) / nullif(1 - games / trials, 0)) ** 2)
        ) / 1e9 AS squares
    FROM by_event
    JOIN totals USING (game, trait)
    GROUP BY game, trait
)
SELECT
    ruleset,
    trait,
    trials AS games,
    ((scored - draws) / 2)::BIGINT AS wins,
    draws,
    losses,
    score,
    least(persons, opponents, coalesce(events, persons)) AS fewest,
    least(as_persons, as_opponents, coalesce(as_events, as_persons)) AS as_sure,
    sqrt(
        greatest(moved.squares - single.squares, single.squares)
        + coalesce(
            greatest(
                moved_by_events.squares
                - greatest(moved_within.squares - single.squares, single.squares),
                0
            ),
            0
        )
    )
    / trials AS spread,
    CASE WHEN fewest >= 5 THEN share_low(score, spread, as_sure) END AS low,
    CASE WHEN fewest >= 5 THEN share_high(score, spread, as_sure) END AS high
FROM totals
JOIN rules USING (game)
JOIN moved USING (game, trait)
JOIN single USING (game, trait)
LEFT JOIN moved_within USING (game, trait)
LEFT JOIN moved_by_events USING (game, trait);
