/** Rows and checkpoints that the home's own key signed, but that are not those of its journal: somebody has a copy of the key, or of another branch. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sha256Hex } from '../../src/base/hash.js';
import { originOf, signCheckpoint } from '../../src/journal/note.js';
import { rootAt } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/app/temporary-home.js';
import { inCopy, newest } from './tamper-suite.js';
import { alter, findingOf, signerOf } from './tamper.js';

interface Case {
  readonly name: string;
  readonly change: (db: Db, home: TemporaryHome) => void;
  readonly sequence: number;
  readonly detail: RegExp;
}

const hashAt = (db: Db, seq: number): string =>
  db.prepare<[number], string>('SELECT hash FROM events WHERE seq = ?').pluck().get(seq) ?? '';

/** Puts a copy of entry 2, signed for another place, into that place. */
function putSigned(db: Db, home: TemporaryHome, seq: number, previous = hashAt(db, seq - 1)): void {
  const { mission, body } = db
    .prepare<[], { mission: string; body: string }>('SELECT mission, body FROM events WHERE seq = 2')
    .get() ?? { mission: '', body: '' };
  const placed = body
    .replace(/"previous":"[0-9a-f]{64}"/, `"previous":"${previous}"`)
    .replace(/"sequence":[0-9]+/, `"sequence":${seq}`);
  const hash = sha256Hex(placed);
  const signature = signerOf(home).sign(Buffer.from(hash, 'hex')).toString('base64');
  db.prepare('DELETE FROM events WHERE seq = ?').run(seq);
  db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)').run(seq, mission, placed, hash, signature);
}

function seal(db: Db, home: TemporaryHome, size: number, root: Buffer): void {
  const signer = signerOf(home);
  const note = signCheckpoint(signer, originOf(signer.publicKey, null), size, root);
  db.prepare('UPDATE checkpoint SET size = ?, note = ?').run(size, note);
}

const cases: readonly Case[] = [
  {
    name: 'an entry more',
    change: (db, home) => putSigned(db, home, newest + 1),
    sequence: newest + 1,
    detail: /no checkpoint covers/,
  },
  {
    name: 'another entry in the place of the newest',
    change: (db, home) => putSigned(db, home, newest),
    sequence: newest,
    detail: /root|checkpoint/,
  },
  {
    name: 'an entry that follows another one',
    change: (db, home) => putSigned(db, home, 3, 'ab'.repeat(32)),
    sequence: 3,
    detail: /does not follow|previous/,
  },
  {
    name: 'only an older checkpoint',
    change: (db, home) => seal(db, home, newest - 1, rootAt(db, newest, newest - 1)),
    sequence: newest,
    detail: /no checkpoint/,
  },
  {
    name: 'a checkpoint over another root',
    change: (db, home) => seal(db, home, newest, Buffer.alloc(32, 1)),
    sequence: newest,
    detail: /root|checkpoint/,
  },
];

describe('what the key signed elsewhere', () => {
  for (const { name, change, sequence, detail } of cases) {
    it(`is found: ${name}`, () =>
      inCopy(async (home) => {
        alter(home, (db) => change(db, home));
        for (const deep of [false, true]) {
          const finding = await findingOf(home, { deep });
          assert.deepEqual([finding?.code, finding?.sequence], ['integrity', sequence], JSON.stringify(finding));
          assert.match(finding?.detail ?? '', detail);
        }
      }));
  }
});
