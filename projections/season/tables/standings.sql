-- What the fold alone can say: standings with their exact tiebreakers. A line has columns of some
-- rows of one table.
INSERT INTO ranked
SELECT
    log,
    round,
    stage,
    unnest(player) AS player,
    unnest(place) AS place,
    unnest(points) AS points,
    unnest(wins) AS wins,
    unnest(losses) AS losses,
    unnest(draws) AS draws,
    unnest(byes) AS byes,
    unnest(left_event) AS left_event,
    unnest(tiebreakers) AS tiebreakers
FROM read_json(
    $files,
    format = 'newline_delimited',
    maximum_object_size = 4194304,
    columns = {
        log: 'INTEGER',
        round: 'INTEGER',
        stage: 'INTEGER',
        player: 'INTEGER[]',
        place: 'INTEGER[]',
        points: 'INTEGER[]',
        wins: 'INTEGER[]',
        losses: 'INTEGER[]',
        draws: 'INTEGER[]',
        byes: 'INTEGER[]',
        left_event: 'BOOLEAN[]',
        tiebreakers: 'VARCHAR[]'
    }
);
