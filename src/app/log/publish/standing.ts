/** The checkpoint that a directory holds already: this log's, older or the same; anything else is refused before a file is touched. */
import * as path from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { fromUtf8 } from '../../../base/bytes.js';
import type { Refusal } from '../../../base/refusal.js';
import { ok, type Result } from '../../../base/result.js';
import type { PublicDirectory } from '../../../home/public-files.js';
import { contradiction } from '../../../journal/against.js';
import { openCheckpoint, readCheckpoint, type Checkpoint } from '../../../journal/note.js';
import { readHead } from '../../../journal/reader.js';
import type { Home } from '../../home/home.js';
import { newestCheckpoint } from '../checkpoint.js';

export const checkpoint_name = 'checkpoint';

/** The standing checkpoint, or null in a directory that has none. */
export function readStanding(home: Home, out: PublicDirectory, directory: string): Result<Checkpoint | null> {
  const bytes = out.read(checkpoint_name);
  if (bytes === null) return ok(null);
  const file = path.join(directory, checkpoint_name);
  const note = fromUtf8(bytes) ?? '';
  const { publicKey } = home.signer;
  const [claimed, signed] = [readCheckpoint(note), openCheckpoint(note, publicKey)];
  const { origin } = newestCheckpoint(home);
  if (claimed === null) return E.left(another(`${file} is no checkpoint`));
  if (claimed.origin !== origin) {
    // A restored or put back home goes on under an origin of its own, because the two histories may differ.
    return E.left(
      signed === null
        ? another(`${file} is of another log, ${printableOrigin(claimed.origin)}`)
        : another(`${file} is of ${claimed.origin}; since its restore or rollback this journal is ${origin}`),
    );
  }
  if (signed === null) return E.left(another(`${file} is not signed by this home's key`));
  const refusal = contradiction(home.db, readHead(home.db), publicKey, signed);
  if (refusal === null) return ok(signed);
  const { code, detail, facts } = refusal;
  const hint = 'readers have seen that checkpoint: put the newest copy of the home back, then agent-cli verify --deep';
  return E.left({ code, detail: `${file}: ${detail}`, ...(facts === undefined ? {} : { facts }), hint });
}

const printableOrigin = (origin: string): string => (/^[\x21-\x7e]{1,200}$/.test(origin) ? origin : 'whose name is not printed');

const another = (detail: string): Refusal => ({
  code: 'conflict',
  detail: `${detail}; it is left alone, publish into another directory`,
  hint: 'agent-cli publish ANOTHER-DIRECTORY',
});
