/**
 * The checkpoint that is already in a directory. It must be this log's, older or the same; anything else is refused before a file
 * is changed.
 */
import * as path from 'node:path';
import { fromUtf8 } from '../../../base/bytes.js';
import { RefusalError } from '../../../base/result.js';
import type { PublicDirectory } from '../../../home/public-files.js';
import { contradiction } from '../../../journal/against.js';
import { openCheckpoint, readCheckpoint, type Checkpoint } from '../../../journal/note.js';
import { readHead } from '../../../journal/reader.js';
import type { Home } from '../../home/home.js';
import { newestCheckpoint } from '../checkpoint.js';

export const checkpoint_name = 'checkpoint';

/**
 * Returns the existing checkpoint, or null in a directory that has none.
 * @throws RefusalError for a checkpoint that is not this log's, or that its journal contradicts
 */
export function readStanding(home: Home, out: PublicDirectory, directory: string): Checkpoint | null {
  const bytes = out.read(checkpoint_name);
  if (bytes === null) return null;
  const file = path.join(directory, checkpoint_name);
  const note = fromUtf8(bytes) ?? '';
  const { publicKey } = home.signer;
  const [claimed, signed] = [readCheckpoint(note), openCheckpoint(note, publicKey)];
  const { origin } = newestCheckpoint(home);
  if (claimed === null) throw another(`${file} is not a checkpoint`);
  if (claimed.origin !== origin) {
    // A home that was restored or put back continues under its own origin, because the two histories may differ.
    throw signed === null
      ? another(`${file} belongs to another log, ${printableOrigin(claimed.origin)}`)
      : another(`${file} belongs to ${claimed.origin}; since its restore or rollback this journal is ${origin}`);
  }
  if (signed === null) throw another(`${file} is not signed by this home's key`);
  const refusal = contradiction(home.db, readHead(home.db), publicKey, signed);
  if (refusal === null) return signed;
  const { code, detail, facts } = refusal;
  const hint = 'readers have seen that checkpoint: put the newest copy of the home back, then agent-cli verify --deep';
  throw new RefusalError({ code, detail: `${file}: ${detail}`, ...(facts === undefined ? {} : { facts }), hint });
}

const printableOrigin = (origin: string): string => (/^[\x21-\x7e]{1,200}$/.test(origin) ? origin : 'whose name is not printed');

const another = (detail: string): RefusalError =>
  new RefusalError({
    code: 'conflict',
    detail: `${detail}; it was not changed. Publish into another directory`,
    hint: 'agent-cli publish ANOTHER-DIRECTORY',
  });
