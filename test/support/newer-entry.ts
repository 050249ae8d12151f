/** An entry as a newer version of the program would record it: signed and sealed, of a type or with members that this one does not know. */
import { canonicalJson } from '../../src/base/canonical-json.js';
import { toBase64 } from '../../src/base/bytes.js';
import { sha256Hex } from '../../src/base/hash.js';
import { formatTime } from '../../src/base/time.js';
import type { Home } from '../../src/app/home/home.js';
import { signCheckpoint } from '../../src/journal/note.js';
import { loadPosition } from '../../src/journal/position.js';
import { prepareStatements } from '../../src/journal/statements.js';
import { leafOf } from '../../src/journal/tree.js';

/** Appends one entry past the writer, which refuses events that it could not read back. Returns its sequence. */
export function recordNewer({ db, signer }: Home, stream: string, type: string, document: object): number {
  const statements = prepareStatements(db);
  statements.begin.run();
  const { tree, position } = loadPosition(db, signer.publicKey);
  const sequence = position.head.size + 1;
  const text = canonicalJson({
    document,
    identity: signer.identity,
    incarnation: position.incarnation,
    mission: stream,
    previous: position.head.hash,
    schema: 2,
    sequence,
    time: formatTime(0),
    type,
    version: 1,
  });
  const hash = sha256Hex(text);
  const signature = toBase64(signer.sign(Buffer.from(hash, 'hex')));
  statements.insert.run(sequence, stream, text, hash, signature);
  tree.append(leafOf(hash, signature));
  tree.store(db);
  statements.insertCheckpoint.run(sequence, signCheckpoint(signer, position.origin, sequence, tree.root()));
  statements.applied.run(sequence, hash, position.head.hash);
  statements.commit.run();
  return sequence;
}
