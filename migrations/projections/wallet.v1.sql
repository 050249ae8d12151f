-- one row: the bound address, and the newest challenge. `challenge_used` is 1 once an address was bound by it.
CREATE TABLE wallet(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  address TEXT,
  bound_at TEXT,
  message TEXT NOT NULL,
  nonce TEXT NOT NULL,
  challenge_address TEXT,
  issued_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  challenge_used INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
