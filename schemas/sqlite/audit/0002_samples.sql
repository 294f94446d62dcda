-- Which import brought which sample, the samples that stand with their version now, and what models predict of them.

CREATE TABLE sample_origins (
    import  INTEGER NOT NULL REFERENCES imports (n),
    sample  BLOB NOT NULL CHECK (length(sample) = 16),
    version INTEGER NOT NULL,
    key     TEXT NOT NULL,
    line    INTEGER NOT NULL,
    content BLOB NOT NULL CHECK (length(content) = 32),
    added   INTEGER NOT NULL CHECK (added IN (0, 1)),
    PRIMARY KEY (import, sample)
) STRICT, WITHOUT ROWID;
CREATE INDEX sample_origins_by_sample ON sample_origins (sample);

-- Curation publishes further versions of a sample, so that the version here may be above the one an import brought; `discarded` is what it
-- decided last.
CREATE TABLE sample_heads (
    key       TEXT NOT NULL PRIMARY KEY,
    sample    BLOB NOT NULL UNIQUE,
    version   INTEGER NOT NULL,
    discarded INTEGER NOT NULL DEFAULT 0 CHECK (discarded IN (0, 1))
) STRICT, WITHOUT ROWID;

-- `state` as in the tables of results. `context` is empty for a prediction without one.
CREATE TABLE predictions (
    import     INTEGER NOT NULL REFERENCES imports (n),
    line       INTEGER NOT NULL,
    state      INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    sample_key TEXT NOT NULL,
    model      TEXT NOT NULL,
    context    TEXT NOT NULL,
    choice     TEXT NOT NULL,
    PRIMARY KEY (import, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX predictions_by_key ON predictions (sample_key, model, context, state);
