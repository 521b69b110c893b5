-- The lines of many logs, one JSON object a line, with the log's number before the line's members.
CREATE OR REPLACE TEMP TABLE lines AS
SELECT
    log,
    seq,
    type,
    TRY_CAST("at" AS TIMESTAMP) AS moment,
    "by" AS entered_by,
    -- Who a person is stays in the log.
    CASE WHEN type != 'PersonRecorded' THEN data END AS data
FROM read_json(
    $file,
    format = 'newline_delimited',
    maximum_object_size = 70000,
    columns = {
        log: 'INTEGER',
        seq: 'INTEGER',
        type: 'VARCHAR',
        'at': 'VARCHAR',
        'by': 'VARCHAR',
        data: 'JSON'
    }
);
