/** Projection of access tokens: one row per name, with the hash of the token in force. */
import { hash, time } from '../codec/scalars.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { tokenRole } from '../codec/events/token.js';
import { tokenStates, tokenStream, type Token, type TokenEvent } from '../domain/token.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, valuesOf, type Table } from './table.js';

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
  ddl: projectionDdl('tokens.v1.sql'),
  key: 'name',
});
