-- content/responses.sqlite: responses under opaque ids, as a judge may see them. No model, run, file name,
-- recorded metadata, error message, time or batch: those are in audit.sqlite.

CREATE TABLE responses (
    id       BLOB NOT NULL CHECK (length(id) = 16) PRIMARY KEY,
    prompt   BLOB NOT NULL CHECK (length(prompt) = 16),
    expected TEXT NOT NULL,
    text     TEXT NOT NULL,
    failed   INTEGER NOT NULL CHECK (failed IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX responses_by_prompt ON responses (prompt);

CREATE TABLE assets (
    response BLOB NOT NULL REFERENCES responses (id),
    position INTEGER NOT NULL CHECK (position >= 0),
    modality TEXT NOT NULL,
    state    TEXT NOT NULL CHECK (state IN ('ok', 'mismatch', 'missing', 'reference_only', 'skipped', 'failed')),
    blob     BLOB CHECK (blob IS NULL OR length(blob) = 32),
    bytes    INTEGER NOT NULL CHECK (bytes >= 0),
    format   TEXT NOT NULL,
    link     TEXT,
    PRIMARY KEY (response, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX assets_by_blob ON assets (blob) WHERE blob IS NOT NULL;
