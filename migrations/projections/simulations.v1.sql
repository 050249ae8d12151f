-- One row a run, keyed by the entry that requested it, so that pages go from the newest. `result_seq` is the entry that completed
-- it, 0 until then.
CREATE TABLE simulation(
  request_seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  runner TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  lease_expires_at TEXT,
  idempotency_key TEXT,
  body_sha256 TEXT,
  outcome_hash TEXT,
  result_seq INTEGER NOT NULL,
  error_code TEXT,
  error_message TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX simulation_state ON simulation(state, result_seq);
CREATE INDEX simulation_key ON simulation(idempotency_key) WHERE idempotency_key IS NOT NULL;
