/** Alterations of the signed log: entries, checkpoints and cosignatures, also by who has the key. */
import assert from 'node:assert/strict';
import { addWitness, keepCosignature, newestCheckpoint } from '../../src/app/log/checkpoint.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { noteText } from '../../src/journal/cosignature.js';
import { originOf, signCheckpoint } from '../../src/journal/note.js';
import { loadPosition } from '../../src/journal/reader.js';
import { rootAt } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import { sharedHome, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { cosigner } from '../support/witness/witness-server.js';
import { type Case, flipped, inCopy, newest, richHome, suite } from './tamper-suite.js';
import { alter, findingOf, flip, forgetWitness, refusalAtOpen, signerOf } from './tamper.js';

it('verifies the untouched journal, plain and deep, and opens it', () =>
  inCopy(async (home) => {
    alter(home, () => undefined);
    for (const deep of [false, true]) assert.equal(await findingOf(home, { deep }), null);
    assert.equal(refusalAtOpen(home), null);
  }));

/** An entry of a batch in the middle. */
const middle = 330;
const changed = (column: string, seq: number, at: number, detail: RegExp): Case => [
  `${column} of entry ${seq}, place ${at}`,
  flipped('events', column, `seq = ${seq}`, at),
  detail,
  seq,
];

suite('a changed byte in events', { atOpen: true }, [
  ...[1, 256, middle, newest].flatMap((seq) => [40, -1].map((at) => changed('body', seq, at, /stored bytes do not match/))),
  ...[1, middle, newest].map((seq) => changed('hash', seq, 5, /do not match their hash/)),
  ...[middle, newest].map((seq) => changed('mission', seq, 3, /stream is not the signed one/)),
  changed('signature', newest, 7, /signature|signs another root/),
  ...[middle, newest].map((seq) => changed('signature', seq, -1, /malformed|signature/)),
]);

it('reports a changed signature of an older entry by the checkpoint that covers it, and deep by its sequence', () =>
  inCopy(async (home) => {
    alter(home, (db) => flip(db, 'events', 'signature', `seq = ${middle}`, 7));
    const [plain, deep] = [await findingOf(home, { deep: false }), await findingOf(home, { deep: true })];
    // The tile of 256 leaves begins before the checkpoint.
    assert.deepEqual([plain?.code, plain?.sequence], ['integrity', 257]);
    assert.deepEqual([deep?.code, deep?.sequence], ['integrity', middle]);
    assert.match(deep?.detail ?? '', /the signature does not verify/);
    assert.equal(refusalAtOpen(home)?.code, 'integrity');
  }));

const swap = (a: number, b: number): string =>
  `UPDATE events SET seq = -1 WHERE seq = ${a}; UPDATE events SET seq = ${a} WHERE seq = ${b}; UPDATE events SET seq = ${b} WHERE seq = -1`;
const doubled = `INSERT INTO events SELECT ${newest + 1}, mission, body, iif(hash LIKE 'f%', 'e', 'f') || substr(hash, 2), signature
   FROM events WHERE seq = ${newest}`;

suite('rows of events', { atOpen: true }, [
  ...[1, middle, newest - 50].map(
    (seq): Case => [`entry ${seq} is gone`, `DELETE FROM events WHERE seq = ${seq}`, /missing/, seq],
  ),
  ['the newest is gone', `DELETE FROM events WHERE seq = ${newest}`, /checkpoint/, newest - 1],
  ['two neighbours are swapped', swap(middle, middle + 1), /signed sequence is 331/, middle],
  ['two distant ones are swapped', swap(2, newest), /signed sequence is 620/, 2],
  ['one moved to the end', `UPDATE events SET seq = ${newest + 1} WHERE seq = ${middle}`, /missing/, middle],
  ['one is doubled at the end', doubled, /do not match their hash/, newest + 1],
]);

/** Puts a copy of entry 2, signed for another place, into that place. */
function putSigned(db: Db, home: TemporaryHome, seq: number, previous?: string): void {
  const row = db.prepare<[number], { mission: string; body: string; hash: string }>('SELECT * FROM events WHERE seq = ?');
  const { mission, body } = row.get(2)!;
  const placed = body
    .replace(/"previous":"[0-9a-f]{64}"/, `"previous":"${previous ?? row.get(seq - 1)!.hash}"`)
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

// Somebody has a copy of the key, or of another branch.
suite('what the key signed elsewhere', {}, [
  ['an entry more', (db, home) => putSigned(db, home, newest + 1), /no checkpoint covers/, newest + 1],
  ['another newest entry', (db, home) => putSigned(db, home, newest), /root|checkpoint/, newest],
  ['an entry that follows another one', (db, home) => putSigned(db, home, 3, 'ab'.repeat(32)), /does not follow|previous/, 3],
  ['only an older checkpoint', (db, home) => seal(db, home, newest - 1, rootAt(db, newest, newest - 1)), /no checkpoint/, newest],
  ['a checkpoint over another root', (db, home) => seal(db, home, newest, Buffer.alloc(32, 1)), /root|checkpoint/, newest],
]);

/** A place in each line of the note: origin, size, root, name, signature. */
const lines = (note: string): readonly (readonly [string, number])[] => [
  ['origin', 3],
  ['size', note.indexOf('\n') + 1],
  ['root', note.indexOf('\n', note.indexOf('\n') + 1) + 5],
  ['name', note.indexOf('—') + 4],
  ['key id', note.lastIndexOf(' ') + 2],
  ['signature', note.length - 20],
];
const shape = `agent-journal/0123456789abcdef\n621\n${'A'.repeat(43)}=\n\n— agent-journal/0123456789abcdef ${'A'.repeat(91)}=\n`;
const lengthened = {
  'a line of an unknown key': `note || '— witness.example/one ${'A'.repeat(100)}' || char(10)`,
  'its signature line repeated': "note || substr(note, instr(note, '—'))",
};
const unsigned = /checkpoint of this size does not verify/;
const alterations = (size: number): readonly Case[] => [
  ...lines(shape).map(([line, at]): Case => [line, flipped('checkpoint', 'note', `size = ${size}`, at), unsigned, size]),
  // Whoever reads a checkpoint passes over such lines.
  ...Object.entries(lengthened).map(
    ([name, note]): Case => [
      name,
      `UPDATE checkpoint SET note = ${note} WHERE size = ${size}`,
      unsigned,
      size,
      { atOpen: false },
    ],
  ),
];

suite('the newest checkpoint', { atOpen: true }, [
  ...alterations(newest),
  ['its size: beyond the end', 'UPDATE checkpoint SET size = 999', /checkpoint of size 999 covers more entries/, newest],
  ['is gone', 'DELETE FROM checkpoint', /no checkpoint covers/, newest],
]);

/** An older checkpoint as it was recorded in the journal until the next transaction. */
function older(db: Db, home: TemporaryHome, size: number): string {
  const signer = signerOf(home);
  const { origin } = loadPosition(db, signer.publicKey).position;
  return signCheckpoint(signer, origin, size, rootAt(db, newest, size));
}
const add = (db: Db, size: number, note: string): unknown => db.prepare('INSERT INTO checkpoint VALUES (?, ?)').run(size, note);
const foreign = /does not verify|not one that is kept/;

suite('a checkpoint that is neither the newest nor cosigned', {}, [
  ['one that was newest once', (db, home) => add(db, 355, older(db, home, 355)), /of size 355 is not one that is kept/, 355],
  ['the one before the newest', (db, home) => add(db, 619, older(db, home, 619)), /of size 619 is not one that is kept/, 619],
  ['one of another size', (db, home) => add(db, 340, older(db, home, 355)), foreign, 340],
  ['no checkpoint at all', (db) => add(db, 355, 'x'), foreign, 355],
  [
    'the newest, where no newer one is',
    (db, home) => db.exec(`UPDATE checkpoint SET size = 355, note = '${older(db, home, newest)}'`),
    /does not verify/,
    355,
  ],
  ['one of size 0', (db, home) => add(db, 0, older(db, home, 0)), /covers no entry/, 0],
]);

/** The entry that registers a witness, which cosigned its checkpoint; two transactions follow. */
const cosigned = newest + 1;
const witness = 'witness.example/one';

async function makeCosignedHome(): Promise<TemporaryHome> {
  const made = await richHome();
  await made.with(async (home) => {
    const { vkey, line } = cosigner(witness);
    await addWitness(home, { url: 'http://127.0.0.1:1', vkey, actor: 'me' });
    const checkpoint = newestCheckpoint(home);
    const signed = line(noteText(checkpoint.note) ?? '', 1_795_000_000n).trimEnd();
    keepCosignature(home.db, checkpoint, { witness, line: signed }, home.world.clock());
    for (const n of [2_000, 2_001]) home.writer.transact(submit(n));
  });
  forgetWitness(made);
  return made;
}
const template = sharedHome(makeCosignedHome);
const inCosignedCopy = async (work: (home: TemporaryHome) => Promise<void>): Promise<void> => {
  const home = (await template.get()).copy();
  try {
    await work(home);
  } finally {
    home.remove();
  }
};

function swapNotes(db: Db): void {
  const rows = db.prepare<[], { size: number; note: string }>('SELECT * FROM checkpoint ORDER BY size').all();
  const update = db.prepare('UPDATE checkpoint SET note = ? WHERE size = ?');
  for (const [i, { size }] of rows.entries()) update.run(rows[1 - i]?.note, size);
}
const unconfirmed = /cosignature of witness\.example\/one on the checkpoint of size 621 does not verify/;
suite(
  'an older checkpoint that a witness cosigned',
  { atOpen: false },
  [
    ...alterations(cosigned),
    ['is gone', `DELETE FROM checkpoint WHERE size = ${cosigned}`, unconfirmed, cosigned],
    ['its cosignature is altered', flipped('cosignature', 'line', 'true', -20), unconfirmed, cosigned],
    ['another witness is named', "UPDATE cosignature SET witness = 'w/2'", /cosignature of w\/2 .* does not verify/, cosigned],
    ['its cosignature is gone', 'DELETE FROM cosignature', /checkpoint of size 621 is not one that is kept/, cosigned],
    [
      'its size',
      `UPDATE checkpoint SET size = 340 WHERE size = ${cosigned}; UPDATE cosignature SET size = 340`,
      /does not verify/,
      340,
    ],
    ['its note and that of the newest are swapped', swapNotes, /does not verify/, cosigned, { atOpen: true }],
  ],
  inCosignedCopy,
);

it('accepts a journal that lost a cosigned checkpoint with its cosignature, which can be requested again', () =>
  inCosignedCopy(async (home) => {
    for (const sql of ['SELECT 1', `DELETE FROM cosignature; DELETE FROM checkpoint WHERE size = ${cosigned}`]) {
      alter(home, sql);
      for (const deep of [false, true]) assert.equal(await findingOf(home, { deep }), null);
      assert.equal(refusalAtOpen(home), null);
    }
  }));
