/** Projection of access tokens: one row per name, with the hash of the token in force. */
import { tokenRole } from '../codec/events/token.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { hash, time } from '../codec/scalars.js';
import { type Token, type TokenEvent, tokenStates, tokenStream } from '../domain/token.js';
import { rowProjector } from './project.js';
import { decoded, named, type Table, valuesOf } from './table.js';

/**
 * One row an access token that the journal says something of. `token_sha256` is hexadecimal, null once the token is revoked. The row
 * `api` is there after a rotation of api.token; the file itself says what that token is.
 */
const ddl = `CREATE TABLE token(
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  token_sha256 TEXT,
  created_at TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
`;

const rowCodec = object('TokenRow', {
  name: required(text()),
  role: required(tokenRole),
  state: required(choice(...tokenStates)),
  token_sha256: required(nullable(hash)),
  created_at: required(time),
  changed_at: required(time),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
});
const columns = Object.keys(rowCodec.fields);

export const tokenTable: Table<Token, TokenEvent> = {
  stream: tokenStream,
  name: 'token',
  columns,
  idOf: ([name]) => String(name),
  rowsOf: (token) => [valuesOf(columns, { ...token })],
  stateOf: ([row]) => (row === undefined ? null : decoded('token', decode(rowCodec, named(columns, row)))),
};

export const tokensProjector = rowProjector(tokenTable, {
  name: 'tokens',
  version: 1,
  ddl,
  key: 'name',
});
