-- One row a mission, in the order of change: the key is the revision, so a change moves the row to the end, where writes are
-- cheap. `record` is canonical JSON of what the columns do not say and what differs from a mission's beginning.
CREATE TABLE mission(
  revision INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  goal TEXT NOT NULL,
  ids_hash TEXT,
  updated_at TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX mission_state ON mission(state);
CREATE INDEX mission_parent ON mission(ids_hash) WHERE ids_hash IS NOT NULL AND state = 'completed';
