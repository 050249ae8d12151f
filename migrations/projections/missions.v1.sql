-- one row a mission; `record` is canonical JSON, the columns beside it serve queries
CREATE TABLE mission(
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  goal TEXT NOT NULL,
  state TEXT NOT NULL,
  revision INTEGER NOT NULL UNIQUE,
  ids_hash TEXT,
  lease_expires_at TEXT,
  updated_at TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mission_state ON mission(state, revision);
CREATE INDEX mission_kind ON mission(kind, revision);
CREATE INDEX mission_parent ON mission(ids_hash, revision) WHERE ids_hash IS NOT NULL AND state = 'completed';
