-- The hashes of each log's lines.
INSERT INTO leaves
SELECT tournament, piece, from_base64(hashes)
FROM read_json(
    $files,
    format = 'newline_delimited',
    maximum_object_size = 4194304,
    columns = {log: 'INTEGER', piece: 'INTEGER', hashes: 'VARCHAR'}
)
JOIN logs USING (log);
