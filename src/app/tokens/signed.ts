/**
 * Access tokens as the signed entries of their streams define them. Anyone who can write to the file could add a token to the
 * table. So the entries decide, each is checked with the key, and the table must match them.
 */
import { tokenStream, type Token } from '../../domain/token.js';
import type { Signer } from '../../journal/keys.js';
import { requireSigned, signedStates, type SignedStates } from '../../journal/stream.js';
import { tokenRows } from '../../projection/tokens.js';
import type { Db } from '../../store/database.js';

export type SignedTokens = SignedStates<Token>;

/**
 * Returns every token that the journal records. Call it in a transaction when another process may write.
 * @param known the result of an earlier call for the same journal: only newer entries are read and checked
 * @throws RefusalError `integrity` for an unsigned entry, and for a table that does not match the entries
 */
export const signedTokens = (db: Db, { publicKey }: Signer, known?: SignedTokens): SignedTokens =>
  signedStates(db, tokenStream, { rows: tokenRows(db), known, check: (entry) => requireSigned(entry, publicKey) });
