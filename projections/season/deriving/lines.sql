-- The lines of many logs, one JSON object a line, the log's number before the line's members. They
-- stand in files by what is read of them, whose paths are in variables.
CREATE OR REPLACE TEMP MACRO lines_of(files, shape) AS TABLE
SELECT log, seq, type, TRY_CAST("at" AS TIMESTAMP) AS moment, "by" AS entered_by, data
FROM read_json(
    files,
    format = 'newline_delimited',
    maximum_object_size = 70000,
    columns = {
        log: 'INTEGER', seq: 'INTEGER', type: 'VARCHAR', 'at': 'VARCHAR', 'by': 'VARCHAR', data: shape
    }
);

-- What was said of results, flat: they are most of a log, so every column of them counts.
CREATE OR REPLACE TEMP TABLE told AS
SELECT
    * EXCLUDE (data),
    data.match AS match,
    data.corrects AS corrects,
    data.result.outcomes[1] AS outcome1,
    data.result.outcomes[2] AS outcome2,
    data.result.points[1] + coalesce(data.result.adjusted[1], 0) AS points1,
    data.result.points[2] + coalesce(data.result.adjusted[2], 0) AS points2,
    coalesce(data.result.manner, 'played') AS manner,
    coalesce(data.result.ending, '') AS ending,
    coalesce(data.result.fields, MAP {}) AS fields,
    coalesce(data.result.facts, MAP {}) AS facts
FROM lines_of(
    getvariable('told'),
    'STRUCT(
        match INTEGER,
        corrects INTEGER,
        result STRUCT(
            outcomes VARCHAR[],
            points INTEGER[],
            adjusted INTEGER[],
            manner VARCHAR,
            ending VARCHAR,
            fields MAP(VARCHAR, BIGINT[]),
            facts MAP(VARCHAR, BIGINT[])
        )
    )'
);

-- Registrations: the next most.
CREATE OR REPLACE TEMP TABLE enrolled AS
SELECT * EXCLUDE (data), unnest(data)
FROM lines_of(
    getvariable('enrolled'),
    'STRUCT(
        player INTEGER,
        random_rank BIGINT,
        league_id VARCHAR,
        faction VARCHAR,
        attributes MAP(VARCHAR, VARCHAR)
    )'
);

-- Who people are stays in the log: nothing is read of it.
CREATE OR REPLACE TEMP TABLE named AS
SELECT * EXCLUDE (data)
FROM lines_of(getvariable('named'), 'STRUCT(nothing BOOLEAN)');

-- All else that a table is made of; every member that is needed has its type here.
CREATE OR REPLACE TEMP TABLE acts AS
SELECT * EXCLUDE (data), unnest(data)
FROM lines_of(
    getvariable('acts'),
    'STRUCT(
        match INTEGER,
        corrects INTEGER,
        player INTEGER,
        reason VARCHAR,
        clause VARCHAR,
        kind VARCHAR,
        stage INTEGER,
        round INTEGER,
        attempt INTEGER,
        procedure VARCHAR,
        games INTEGER[][],
        tables INTEGER[],
        "table" INTEGER,
        game INTEGER[],
        was INTEGER[],
        by_hand INTEGER,
        passed_over INTEGER[],
        players JSON,
        minutes INTEGER,
        "first" INTEGER,
        ranks BIGINT[],
        "left" INTEGER,
        official INTEGER,
        league_id VARCHAR,
        faction VARCHAR,
        attributes MAP(VARCHAR, VARCHAR),
        raised VARCHAR,
        review BOOLEAN,
        reviews INTEGER,
        ruling VARCHAR,  -- of an appeal, the event of the ruling; of a ruling, its words
        list INTEGER,
        significant BOOLEAN,
        advantageous BOOLEAN,
        findings STRUCT(state VARCHAR)[],
        counts INTEGER[],  -- of sealed findings: those that break, those not checked
        settles INTEGER,
        decides JSON,
        withdraws INTEGER,
        entrant INTEGER,
        name VARCHAR,
        date VARCHAR,
        time_zone VARCHAR,
        tier VARCHAR,
        ruleset STRUCT(key VARCHAR, edition VARCHAR, sha256 VARCHAR),
        format STRUCT(key VARCHAR),
        engine VARCHAR,
        imported STRUCT(kind VARCHAR),
        structure VARCHAR,
        stages STRUCT(
            kind VARCHAR,
            rounds INTEGER,
            entry VARCHAR,
            size BIGINT,
            carries BOOLEAN,
            rematch VARCHAR
        )[]
    )'
);
