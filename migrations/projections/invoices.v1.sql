-- One row an invoice, keyed by the entry that issued it, so that pages go from the newest. Amounts are texts: they exceed 2^63.
CREATE TABLE invoice(
  issued_seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  mission TEXT NOT NULL,
  state TEXT NOT NULL,
  result_hash TEXT NOT NULL,
  payer TEXT NOT NULL,
  recipient TEXT NOT NULL,
  amount_units TEXT NOT NULL,
  chain_id INTEGER NOT NULL,
  chain_config_hash TEXT NOT NULL,
  issued_after_block INTEGER NOT NULL,
  expires_at TEXT,
  transaction_hash TEXT,
  log_index INTEGER,
  created_at TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX invoice_mission ON invoice(mission);
