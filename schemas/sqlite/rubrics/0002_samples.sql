-- Samples of an interaction benchmark: authors curate them, so that they lie beside rubrics. A version never changes. `body`
-- is the whole sample; its images stand in `sample_assets` as well, so that a blob is found by who names it.

CREATE TABLE samples (
    id      BLOB NOT NULL CHECK (length(id) = 16),
    version INTEGER NOT NULL CHECK (version >= 1),
    body    TEXT NOT NULL CHECK (json_valid(body)),
    PRIMARY KEY (id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample_assets (
    sample   BLOB NOT NULL,
    version  INTEGER NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    blob     BLOB NOT NULL CHECK (length(blob) = 32),
    format   TEXT NOT NULL,
    PRIMARY KEY (sample, version, position),
    FOREIGN KEY (sample, version) REFERENCES samples (id, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX sample_assets_by_blob ON sample_assets (blob);
