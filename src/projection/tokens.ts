/** Projection of access tokens: one row per name, with the hash of the token in force. */
import { RefusalError, unwrap } from '../base/result.js';
import { hash, time } from '../codec/scalars.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { tokenRole } from '../codec/events/token.js';
import { tokenStates, tokenStream, type Token } from '../domain/token.js';
import type { Db } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import { projectionDdl } from './ddl.js';
import { projectStream } from './project.js';

const columns = 'name, role, state, token_sha256, created_at, changed_at, revision';

const rowCodec = object('TokenRow', {
  name: required(text()),
  role: required(tokenRole),
  state: required(choice(...tokenStates)),
  token_sha256: required(nullable(hash)),
  created_at: required(time),
  changed_at: required(time),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
});

/** A row as stored, with unchecked values. */
type TokenRow = Readonly<Record<keyof Token, unknown>>;

/** Returns all rows by name, for comparison with the signed entries. */
export const tokenRows = (db: Db): ReadonlyMap<unknown, TokenRow> =>
  new Map(
    db
      .prepare<[], TokenRow>(`SELECT ${columns} FROM token`)
      .all()
      .map((row) => [row.name, row]),
  );

function tokenOf(row: TokenRow): Token {
  try {
    return unwrap(decode(rowCodec, row));
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    throw new RefusalError({ code: 'integrity', detail: 'the tokens table is damaged', hint: 'agent-cli rebuild' });
  }
}

export const tokensProjector: Projector = {
  name: 'tokens',
  version: 1,
  ddl: projectionDdl('tokens.v1.sql'),
  tables: ['token'],
  bind(db) {
    const read = db.prepare<[string], TokenRow>(`SELECT ${columns} FROM token WHERE name = ?`);
    const write = db.prepare(
      `INSERT INTO token(${columns}) VALUES (@name, @role, @state, @token_sha256, @created_at, @changed_at, @revision)
       ON CONFLICT(name) DO UPDATE SET role = excluded.role, state = excluded.state, token_sha256 = excluded.token_sha256,
         created_at = excluded.created_at, changed_at = excluded.changed_at, revision = excluded.revision`,
    );
    return projectStream(
      tokenStream,
      (name) => {
        const row = read.get(name);
        return row === undefined ? null : tokenOf(row);
      },
      (token) => void write.run(token),
    );
  },
};
