/**
 * Access tokens as the signed entries of their streams make them. Whoever can write to the file could give himself a token in the
 * table, so the entries decide, each of them checked with the key, and the table must say the same.
 */
import { tokenStream, type Token } from '../../domain/token.js';
import type { Signer } from '../../journal/keys.js';
import { requireSigned, signedStates, type SignedStates } from '../../journal/stream.js';
import { tokenRows } from '../../projection/tokens.js';
import type { Db } from '../../store/database.js';

export type SignedTokens = SignedStates<Token>;

/**
 * Every token that the journal says something of. To be called in a transaction where another process may write.
 * @param known what an earlier call returned for the same journal: only what came since is read and checked
 * @throws RefusalError `integrity` for an entry that is not signed, and for a table that does not match the entries
 */
export const signedTokens = (db: Db, { publicKey }: Signer, known?: SignedTokens): SignedTokens =>
  signedStates(db, tokenStream, { rows: tokenRows(db), known, check: (entry) => requireSigned(entry, publicKey) });
