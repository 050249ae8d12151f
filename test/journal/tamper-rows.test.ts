import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { newest, richHome } from './rich-home.js';
import { alter, findingOf, flip, forgetWitness, refusalAtOpen } from './tamper.js';

interface Case {
  readonly name: string;
  readonly change: (db: Db) => void;
  /** The first bad sequence; null for what belongs to no entry. */
  readonly sequence: number | null;
  readonly detail: RegExp;
  /** Found at every open, in O(log n) steps. */
  readonly atOpen?: boolean;
}

async function strippedHome(): Promise<TemporaryHome> {
  const home = await richHome();
  forgetWitness(home);
  return home;
}

const exec =
  (sql: string) =>
  (db: Db): void =>
    void db.exec(sql);
/** Entry of a batch in the middle (checkpoint at 355), and the checkpoint that covers it. */
const [middle, covering] = [330, 355];

function suite(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const { name, change, sequence, detail, atOpen = false } of cases) {
      it(name, async () => {
        const home = await strippedHome();
        try {
          alter(home, change);
          for (const deep of [false, true]) {
            const finding = await findingOf(home, { deep });
            assert.deepEqual([finding?.code, finding?.sequence ?? null], ['integrity', sequence], JSON.stringify(finding));
            assert.match(finding?.detail ?? '', detail);
          }
          assert.equal(refusalAtOpen(home)?.code ?? null, atOpen ? 'integrity' : null);
        } finally {
          home.remove();
        }
      });
    }
  });
}

it('the untouched journal verifies, plain and deep, and opens', async () => {
  const home = await strippedHome();
  try {
    alter(home, () => undefined);
    assert.equal(await findingOf(home, { deep: false }), null);
    assert.equal(await findingOf(home, { deep: true }), null);
    assert.equal(refusalAtOpen(home), null);
  } finally {
    home.remove();
  }
});

const changed = (seq: number, column: string, at: number, expected: Omit<Case, 'name' | 'change'>): Case => ({
  name: `events.${column}, entry ${seq}, place ${at}`,
  change: (db) => flip(db, 'events', column, `seq = ${seq}`, at),
  ...expected,
});

suite('a changed byte in events', [
  ...[1, 256, middle].flatMap((seq) =>
    [0, 40, -1].map((at) =>
      // The first entry is decoded at every open: its incarnation names the origin.
      changed(seq, 'body', at, { sequence: seq, detail: /stored bytes do not match/, atOpen: seq === 1 && at !== 40 }),
    ),
  ),
  ...[0, 300, -1].map((at) =>
    changed(newest, 'body', at, { sequence: newest, detail: /stored bytes do not match/, atOpen: true }),
  ),
  ...[1, 256, middle].map((seq) => changed(seq, 'hash', 5, { sequence: seq, detail: /do not match their hash/ })),
  changed(newest, 'hash', -1, { sequence: newest, detail: /do not match their hash/, atOpen: true }),
  changed(newest - 100, 'hash', -1, { sequence: newest - 100, detail: /do not match their hash/, atOpen: true }),
  changed(middle, 'mission', 3, { sequence: middle, detail: /stream is not the signed one/, atOpen: true }),
  changed(newest, 'mission', 3, { sequence: newest, detail: /stream is not the signed one/, atOpen: true }),
  changed(newest, 'signature', 7, { sequence: newest, detail: /signature|signs another root/, atOpen: true }),
  changed(newest, 'signature', -1, { sequence: newest, detail: /malformed|signature/, atOpen: true }),
  changed(newest - 60, 'signature', -1, { sequence: newest - 60, detail: /malformed|signature/, atOpen: true }),
  changed(middle, 'signature', -1, { sequence: middle, detail: /malformed|signature/ }),
]);

describe('a changed signature of an older entry', () => {
  it('the checkpoint that covers it says so, and deep names the entry', async () => {
    const home = await strippedHome();
    try {
      alter(home, (db) => flip(db, 'events', 'signature', `seq = ${middle}`, 7));
      const [plain, deep] = [await findingOf(home, { deep: false }), await findingOf(home, { deep: true })];
      // Of the tile of 256 leaves and the checkpoint, the tile begins earlier.
      assert.deepEqual([plain?.code, plain?.sequence], ['integrity', 257]);
      assert.deepEqual([deep?.code, deep?.sequence], ['integrity', middle]);
      assert.match(deep?.detail ?? '', /the signature does not verify/);
    } finally {
      home.remove();
    }
  });
});

const swap = (a: number, b: number): string =>
  `UPDATE events SET seq = -1 WHERE seq = ${a}; UPDATE events SET seq = ${a} WHERE seq = ${b}; UPDATE events SET seq = ${b} WHERE seq = -1`;

suite('rows of events', [
  { name: 'the first is gone', change: exec('DELETE FROM events WHERE seq = 1'), sequence: 1, detail: /missing/, atOpen: true },
  {
    name: 'one in the middle is gone',
    change: exec(`DELETE FROM events WHERE seq = ${middle}`),
    sequence: middle,
    detail: /missing/,
    atOpen: true,
  },
  {
    name: 'one of the last leaves is gone',
    change: exec(`DELETE FROM events WHERE seq = ${newest - 50}`),
    sequence: newest - 50,
    detail: /missing/,
    atOpen: true,
  },
  {
    name: 'the newest is gone',
    change: exec(`DELETE FROM events WHERE seq = ${newest}`),
    sequence: newest - 1,
    detail: /checkpoint/,
    atOpen: true,
  },
  {
    name: 'two neighbours are swapped',
    change: exec(swap(middle, middle + 1)),
    sequence: middle,
    detail: /signed sequence is 331/,
  },
  {
    name: 'two distant ones are swapped',
    change: exec(swap(2, newest)),
    sequence: 2,
    detail: /signed sequence is 620/,
    atOpen: true,
  },
  {
    name: 'one moved to the end',
    change: exec(`UPDATE events SET seq = ${newest + 1} WHERE seq = ${middle}`),
    sequence: middle,
    detail: /missing/,
    atOpen: true,
  },
  {
    name: 'one is doubled at the end',
    change: exec(
      `INSERT INTO events SELECT ${newest + 1}, mission, body, iif(hash LIKE 'f%', 'e', 'f') || substr(hash, 2), signature
         FROM events WHERE seq = ${newest}`,
    ),
    sequence: newest + 1,
    detail: /do not match their hash/,
    atOpen: true,
  },
]);

/** A place in each line of the note: origin, size, root, name, signature. */
const lines = (note: string): readonly (readonly [string, number])[] => [
  ['origin', 3],
  ['size', note.indexOf('\n') + 1],
  ['root', note.indexOf('\n', note.indexOf('\n') + 1) + 5],
  ['blank line', note.indexOf('\n\n') + 1],
  ['dash', note.indexOf('—')],
  ['name', note.indexOf('—') + 4],
  ['key id', note.lastIndexOf(' ') + 2],
  ['signature', note.length - 20],
  ['end', note.length - 1],
];
const shape = `agent-journal/0123456789abcdef\n355\n${'A'.repeat(43)}=\n\n— agent-journal/0123456789abcdef ${'A'.repeat(91)}=\n`;

suite('a changed byte in a checkpoint', [
  ...lines(shape).flatMap(([line, at]) =>
    [covering, newest].map((size) => ({
      name: `checkpoint ${size}: ${line}`,
      change: (db: Db) => flip(db, 'checkpoint', 'note', `size = ${size}`, at),
      sequence: size,
      detail: /checkpoint of this size does not verify/,
      atOpen: size === newest,
    })),
  ),
  {
    name: 'its size: one that has another note',
    change: exec(`UPDATE checkpoint SET size = 340 WHERE size = ${covering}`),
    sequence: 340,
    detail: /does not verify/,
  },
  {
    name: 'its size: 0',
    change: exec(`UPDATE checkpoint SET size = 0 WHERE size = ${covering}`),
    sequence: 0,
    detail: /covers no entry/,
  },
  {
    name: 'its size: beyond the end',
    change: exec(`UPDATE checkpoint SET size = 999 WHERE size = ${newest}`),
    sequence: newest,
    detail: /no checkpoint covers/,
    atOpen: true,
  },
  {
    name: 'two notes swapped',
    change: exec(
      `UPDATE checkpoint SET size = -1 WHERE size = ${covering}; UPDATE checkpoint SET size = ${covering} WHERE size = ${newest};
       UPDATE checkpoint SET size = ${newest} WHERE size = -1`,
    ),
    sequence: covering,
    detail: /does not verify/,
    atOpen: true,
  },
  {
    name: 'the newest is gone',
    change: exec(`DELETE FROM checkpoint WHERE size = ${newest}`),
    sequence: newest,
    detail: /no checkpoint covers/,
    atOpen: true,
  },
  { name: 'all are gone', change: exec('DELETE FROM checkpoint'), sequence: newest, detail: /no checkpoint/, atOpen: true },
]);
