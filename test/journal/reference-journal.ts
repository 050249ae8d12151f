/** A journal as the reference agent leaves it (schema 1), brought under a checkpoint as an import does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../src/base/hash.js';
import { allEntries } from '../../src/app/home/upgrade.js';
import type { StoredEntry } from '../../src/codec/entry.js';
import { signerFromSeed, type Signer } from '../../src/journal/keys.js';
import { originOf, signCheckpoint } from '../../src/journal/note.js';
import { genesis } from '../../src/journal/reader.js';
import { leafOf, Tree } from '../../src/journal/tree.js';
import { rebuildProjections } from '../../src/projection/projections.js';
import type { Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { alter } from './tamper.js';

export const signerOf = (home: TemporaryHome): Signer => signerFromSeed(readFileSync(join(home.directory, 'identity.key')));

/** Chains and signs documents that are Python's JSON text: sorted keys, no spaces, floats such as 1e-05, as they stand. */
export function chainSchema1(signer: Signer, documents: readonly (readonly [stream: string, document: string])[]): StoredEntry[] {
  let previous = genesis;
  return documents.map(([mission, document], i) => {
    const time_ns = 1_795_151_749_662_365_843n + BigInt(i) * 1_000_000_007n;
    const body = `{"document":${document},"identity":"${signer.identity}","mission":"${mission}","previous":"${previous}","schema":1,"sequence":${i + 1},"time_ns":${time_ns}}`;
    const hash = sha256Hex(body);
    previous = hash;
    return { seq: i + 1, mission, body, hash, signature: signer.sign(Buffer.from(hash, 'hex')).toString('base64') };
  });
}

/** Puts the rows in the place of the home's own journal, with tiles, one checkpoint and the projections. */
export function replaceJournal(home: TemporaryHome, rows: readonly StoredEntry[], signer = signerOf(home)): void {
  alter(home, (db) => {
    db.exec('DELETE FROM events; DELETE FROM checkpoint; DELETE FROM tile; DELETE FROM blob');
    writeRows(db, rows, signer);
  });
}

function writeRows(db: Db, rows: readonly StoredEntry[], signer: Signer): void {
  const tree = new Tree();
  const insert = db.prepare('INSERT INTO events VALUES (@seq, @mission, @body, @hash, @signature)');
  for (const row of rows) {
    insert.run(row);
    tree.append(leafOf(row.hash, row.signature));
  }
  tree.store(db);
  const note = signCheckpoint(signer, originOf(signer.publicKey, null), rows.length, tree.root());
  db.prepare('INSERT INTO checkpoint VALUES (?, ?)').run(rows.length, note);
  rebuildProjections(db, allEntries(db));
}
