-- One row an access token that the journal says something of. `token_sha256` is hexadecimal, null once the token is revoked. The row
-- `api` is there after a rotation of api.token; the file itself says what that token is.
CREATE TABLE token(
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  token_sha256 TEXT,
  created_at TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
