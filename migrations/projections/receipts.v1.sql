-- One row a receipt: the transfer that it consumed, and the evidence as canonical JSON.
CREATE TABLE receipt(
  revision INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  mission TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  evidence TEXT NOT NULL
) STRICT;
CREATE INDEX receipt_mission ON receipt(mission);
