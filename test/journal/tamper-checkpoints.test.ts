import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { newestCheckpoint } from '../../src/app/log/checkpoint.js';
import { keepCosignature } from '../../src/app/log/cosignatures.js';
import { addWitness } from '../../src/app/log/witness.js';
import { noteText } from '../../src/journal/cosignature.js';
import { signCheckpoint } from '../../src/journal/note.js';
import { loadPosition } from '../../src/journal/position.js';
import { rootAt } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import { sharedHome, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { cosigner } from '../support/witness/witness-server.js';
import { type Case, exec, inCopy, newest, richHome, suite } from './tamper-suite.js';
import { alter, findingOf, flip, forgetWitness, refusalAtOpen, signerOf } from './tamper.js';

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
const shape = `agent-journal/0123456789abcdef\n621\n${'A'.repeat(43)}=\n\n— agent-journal/0123456789abcdef ${'A'.repeat(91)}=\n`;

const alterations = (size: number, expected: Pick<Case, 'sequence' | 'detail' | 'atOpen'>): readonly Case[] => [
  ...lines(shape).map(([line, at]) => ({
    name: line,
    change: (db: Db) => flip(db, 'checkpoint', 'note', `size = ${size}`, at),
    ...expected,
  })),
  ...[
    ['a line of an unknown key', `note || '— witness.example/one ${'A'.repeat(100)}' || char(10)`],
    ['its signature line repeated', "note || substr(note, instr(note, '—'))"],
  ].map(([name = '', altered]) => ({
    name,
    change: exec(`UPDATE checkpoint SET note = ${altered} WHERE size = ${size}`),
    ...expected,
    // Whoever reads a checkpoint passes over such lines.
    atOpen: false,
  })),
];

suite('the newest checkpoint', [
  ...alterations(newest, { sequence: newest, detail: /checkpoint of this size does not verify/, atOpen: true }),
  {
    name: 'its size: beyond the end',
    change: exec(`UPDATE checkpoint SET size = 999 WHERE size = ${newest}`),
    sequence: newest,
    detail: /checkpoint of size 999 covers more entries/,
    atOpen: true,
  },
  {
    name: 'is gone',
    change: exec('DELETE FROM checkpoint'),
    sequence: newest,
    detail: /no checkpoint covers/,
    atOpen: true,
  },
]);

/** An older checkpoint as it was recorded in the journal until the next transaction. */
function older(db: Db, home: TemporaryHome, size: number): string {
  const signer = signerOf(home);
  const { origin } = loadPosition(db, signer.publicKey).position;
  return signCheckpoint(signer, origin, size, rootAt(db, newest, size));
}
const add = (db: Db, size: number, note: string): unknown => db.prepare('INSERT INTO checkpoint VALUES (?, ?)').run(size, note);

describe('a checkpoint that is neither the newest nor cosigned', () => {
  for (const [name, sequence, detail, change] of [
    [
      'one that was newest once',
      355,
      /checkpoint of size 355 is not one that is kept/,
      (db, home) => add(db, 355, older(db, home, 355)),
    ],
    [
      'the one of the transaction before',
      newest - 1,
      /checkpoint of size 619 is not one that is kept/,
      (db, home) => add(db, newest - 1, older(db, home, newest - 1)),
    ],
    ['one of another size', 340, /does not verify|not one that is kept/, (db, home) => add(db, 340, older(db, home, 355))],
    ['no checkpoint at all', 355, /does not verify|not one that is kept/, (db) => add(db, 355, 'x')],
    [
      'the newest, where no newer one is',
      355,
      /does not verify/,
      (db, home) => db.exec(`UPDATE checkpoint SET size = 355, note = '${older(db, home, newest)}'`),
    ],
    ['one of size 0', 0, /covers no entry/, (db, home) => add(db, 0, older(db, home, 0))],
  ] as readonly (readonly [string, number, RegExp, (db: Db, home: TemporaryHome) => unknown])[]) {
    it(`is foreign: ${name}`, () =>
      inCopy(async (home) => {
        alter(home, (db) => void change(db, home));
        for (const deep of [false, true]) {
          const finding = await findingOf(home, { deep });
          assert.deepEqual([finding?.code, finding?.sequence], ['integrity', sequence], finding?.detail);
          assert.match(finding?.detail ?? '', detail);
        }
      }));
  }
});

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

const unconfirmed = {
  sequence: cosigned,
  detail: /cosignature of witness\.example\/one on the checkpoint of size 621 does not verify/,
};
suite(
  'an older checkpoint that a witness cosigned',
  [
    ...alterations(cosigned, { sequence: cosigned, detail: /checkpoint of this size does not verify/ }),
    { name: 'is gone', change: exec(`DELETE FROM checkpoint WHERE size = ${cosigned}`), ...unconfirmed },
    { name: 'its cosignature is altered', change: (db) => flip(db, 'cosignature', 'line', 'true', -20), ...unconfirmed },
    {
      name: 'its cosignature is of another witness',
      change: exec("UPDATE cosignature SET witness = 'witness.example/two'"),
      sequence: cosigned,
      detail: /cosignature of witness\.example\/two on the checkpoint of size 621 does not verify/,
    },
    {
      name: 'its cosignature is gone',
      change: exec('DELETE FROM cosignature'),
      sequence: cosigned,
      detail: /checkpoint of size 621 is not one that is kept/,
    },
    {
      name: 'its size',
      change: exec(`UPDATE checkpoint SET size = 340 WHERE size = ${cosigned}; UPDATE cosignature SET size = 340`),
      sequence: 340,
      detail: /does not verify/,
    },
    {
      name: 'its note and that of the newest are swapped',
      change: (db) => {
        const rows = db.prepare<[], { size: number; note: string }>('SELECT * FROM checkpoint ORDER BY size').all();
        const update = db.prepare('UPDATE checkpoint SET note = ? WHERE size = ?');
        for (const [i, { size }] of rows.entries()) update.run(rows[1 - i]?.note, size);
      },
      sequence: cosigned,
      detail: /does not verify/,
      atOpen: true,
    },
  ],
  inCosignedCopy,
);

it('accepts a journal that lost a cosigned checkpoint with its cosignature, which can be requested again', () =>
  inCosignedCopy(async (home) => {
    for (const sql of ['SELECT 1', `DELETE FROM cosignature; DELETE FROM checkpoint WHERE size = ${cosigned}`]) {
      alter(home, exec(sql));
      for (const deep of [false, true]) assert.equal(await findingOf(home, { deep }), null);
      assert.equal(refusalAtOpen(home), null);
    }
  }));

const mission = "id = '00000000-0000-4000-8000-000000000001'";
// A row is compared when it is read, or its state is listed or counted.
suite('projections', [
  ...['kind', 'state', 'goal', 'updated_at', 'record'].map((column) => ({
    name: `mission.${column}`,
    change: (db: Db) => flip(db, 'mission', column, mission, 1),
    detail: /table mission differs/,
  })),
  {
    name: 'mission.id',
    change: (db: Db) => flip(db, 'mission', 'id', mission, 1),
    detail: /table mission differs/,
  },
  {
    name: 'mission.revision',
    change: exec(`UPDATE mission SET revision = 9999 WHERE ${mission}`),
    detail: /table mission differs/,
  },
  {
    name: 'mission.ids_hash',
    change: exec(`UPDATE mission SET ids_hash = '${'a'.repeat(64)}' WHERE ${mission}`),
    detail: /table mission differs/,
  },
  {
    name: 'a mission is gone',
    change: exec(`DELETE FROM mission WHERE ${mission}`),
    detail: /table mission differs/,
  },
  {
    name: 'the last mission is gone',
    change: exec('DELETE FROM mission WHERE revision = (SELECT max(revision) FROM mission)'),
    detail: /table mission differs/,
  },
  {
    name: 'a mission too many',
    change: exec(
      `INSERT INTO mission SELECT 9999, 'x', kind, state, goal, ids_hash, updated_at, record FROM mission WHERE ${mission}`,
    ),
    detail: /table mission holds rows of no entry|table mission differs/,
  },
  { name: 'control.state', change: exec("UPDATE control SET state = 'paused'"), detail: /control/, atOpen: true },
  {
    name: 'control.state, to a word that there is not',
    change: exec("UPDATE control SET state = 'x'"),
    detail: /control/,
    onlyDeep: false,
    atOpen: true,
  },
  {
    name: 'control.config_blob',
    change: (db) => flip(db, 'control', 'config_blob', 'id = 1', 9),
    detail: /control/,
    atOpen: true,
  },
  {
    name: 'control.config_hash',
    change: (db) => flip(db, 'control', 'config_hash', 'id = 1', 9),
    detail: /control|config/,
    atOpen: true,
  },
  { name: 'the control row is gone', change: exec('DELETE FROM control'), detail: /control|configuration/, atOpen: true },
  {
    name: 'projection.behind',
    change: exec('UPDATE projection SET behind = 1'),
    detail: /projection/,
    atOpen: true,
  },
  {
    name: 'projection.behind of one table, to a value that is not written',
    change: exec("UPDATE projection SET behind = -1 WHERE name = 'control'"),
    detail: /projection/,
    atOpen: true,
  },
]);

describe('a projection of another version', () => {
  for (const [sql, named] of [
    ["UPDATE projection SET version = version + 1 WHERE name = 'missions'", /version 2 of the projection missions/],
    ["UPDATE projection SET name = 'other' WHERE name = 'missions'", /version 1 of the projection other/],
  ] as const) {
    it(`is refused as one of a newer program: ${sql}`, () =>
      inCopy(async (home) => {
        alter(home, exec(sql));
        const finding = await findingOf(home, { deep: true });
        assert.equal(finding?.code, 'newer_version');
        assert.match(finding.detail, named);
        assert.equal(refusalAtOpen(home)?.code, 'newer_version');
      }));
  }

  for (const sql of [
    "UPDATE projection SET version = version - 1 WHERE name = 'missions'",
    "DELETE FROM projection WHERE name = 'missions'",
  ]) {
    it(`is damage, which only rebuild repairs: ${sql}`, () =>
      inCopy(async (home) => {
        alter(home, exec(`${sql}; UPDATE mission SET goal = 'altered' WHERE ${mission}`));
        for (const deep of [false, true]) {
          const finding = await findingOf(home, { deep });
          assert.deepEqual(
            [finding?.code, finding?.detail],
            ['integrity', 'the table projection was altered; run: agent-cli rebuild'],
          );
        }
        const { code, hint } = refusalAtOpen(home) ?? {};
        assert.deepEqual([code, hint], ['integrity', 'agent-cli rebuild']);
        home.with((opened) => rebuildHome(opened, () => undefined), { tolerate: ['schema', 'tables'] });
        assert.equal(await findingOf(home, { deep: true }), null);
        assert.equal(refusalAtOpen(home), null);
      }));
  }
});

describe('an altered projection', () => {
  it('is repaired by rebuild', () =>
    inCopy(async (home) => {
      alter(home, exec(`UPDATE mission SET goal = 'altered'; DELETE FROM control; UPDATE projection SET behind = 1`));
      home.with((opened) => rebuildHome(opened, () => undefined), { tolerate: ['config', 'tables'] });
      assert.equal(await findingOf(home, { deep: true }), null);
      assert.equal(refusalAtOpen(home), null);
    }));
});
