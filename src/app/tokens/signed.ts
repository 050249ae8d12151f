/**
 * Access tokens as the signed entries of their streams make them. Whoever can write to the file could give himself a token in the
 * table, so the entries decide, each of them checked with the key, and the table must say the same.
 */
import { fromBase64 } from '../../base/bytes.js';
import { sha256Hex } from '../../base/hash.js';
import { RefusalError } from '../../base/result.js';
import type { Entry, StoredEntry } from '../../codec/entry.js';
import { evolveToken, tokenOfStream, tokenStream, type Token } from '../../domain/token.js';
import { verifySignature, type Signer } from '../../journal/keys.js';
import { entryOf } from '../../journal/reader.js';
import { isTokenEvent, tokenRows, type TokenRow } from '../../projection/tokens.js';
import type { Db } from '../../store/database.js';

export interface SignedTokens {
  readonly byName: ReadonlyMap<string, Token>;
  /** Sequence of the newest entry that was looked at. */
  readonly last: number;
}

const nothing: SignedTokens = { byName: new Map(), last: 0 };

/** The streams of tokens stand together in the index: they begin with a prefix, and `end` is the first text after all of those. */
const begin = tokenStream('');
const end = `${begin.slice(0, -1)};`;

/**
 * Every token that the journal says something of. To be called in a transaction where another process may write.
 * @param known what an earlier call answered for the same journal: only what came since is read and checked
 * @throws RefusalError `integrity` for an entry that is not signed, and for a table that says something else
 */
export function signedTokens(db: Db, signer: Signer, known: SignedTokens = nothing): SignedTokens {
  const rows = db
    .prepare<[string, string, number], StoredEntry>(
      'SELECT seq, mission, body, hash, signature FROM events WHERE mission >= ? AND mission < ? AND seq > ? ORDER BY seq',
    )
    .all(begin, end, known.last);
  const made = new Map(known.byName);
  for (const row of rows) apply(made, signedEntry(row, signer.publicKey));
  if (isWhatTheTableSays(made, tokenRows(db))) return { byName: made, last: rows.at(-1)?.seq ?? known.last };
  throw new RefusalError({
    code: 'integrity',
    detail: 'the tokens table says something else than its signed entries',
    hint: 'agent-cli rebuild',
  });
}

function apply(made: Map<string, Token>, { event, stream, sequence, time }: Entry): void {
  const name = tokenOfStream(stream);
  if (name === null || !isTokenEvent(event)) return;
  const token = evolveToken(made.get(name) ?? null, event, { name, sequence, time });
  if (token !== null) made.set(name, token);
}

/** An entry at its own place, with its own hash, signed by this home's key. */
function signedEntry(row: StoredEntry, publicKey: Buffer): Entry {
  const entry = entryOf(row);
  const signature = fromBase64(row.signature);
  const isInPlace = entry.stream === row.mission && entry.sequence === row.seq;
  const isWhole = isInPlace && signature !== null && sha256Hex(row.body) === row.hash;
  if (isWhole && verifySignature(publicKey, Buffer.from(row.hash, 'hex'), signature)) return entry;
  throw new RefusalError({
    code: 'integrity',
    detail: `entry ${row.seq} of ${row.mission} is not what was signed`,
    facts: { sequence: row.seq },
    hint: 'agent-cli verify',
  });
}

const members = ['name', 'role', 'state', 'token_sha256', 'created_at', 'changed_at', 'revision'] as const;

const isWhatTheTableSays = (made: ReadonlyMap<string, Token>, rows: readonly TokenRow[]): boolean =>
  rows.length === made.size &&
  rows.every((row) => {
    const token = typeof row.name === 'string' ? made.get(row.name) : undefined;
    return token !== undefined && members.every((member) => token[member] === row[member]);
  });
