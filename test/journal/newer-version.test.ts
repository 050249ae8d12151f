/** What a newer version recorded: refused for what it is, read as far as it is known, and still damage when its signature does not hold. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { pause } from '../../src/app/control/control.js';
import { damageFaults, type Home, type OpenOptions } from '../../src/app/home/home.js';
import { openNewerHome } from '../../src/app/home/read-only.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { verifyHome, type VerifyReport } from '../../src/app/log/verify-home.js';
import { listPage, showMission } from '../../src/app/missions/missions.js';
import { sha256Hex, toBase64 } from '../../src/base/bytes.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import type { RefusalError } from '../../src/base/refusal.js';
import { formatTime } from '../../src/base/time.js';
import type { Event } from '../../src/codec/event.js';
import { signCheckpoint } from '../../src/journal/note.js';
import { loadPosition } from '../../src/journal/reader.js';
import { prepareStatements } from '../../src/journal/writer.js';
import { leafOf } from '../../src/journal/tree.js';
import { readControl } from '../../src/tables/control.js';
import { documents } from '../support/codec/given-events.js';
import { homeForEach, submit, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';

/** An entry as a newer version of the program would record it: signed and sealed, of a type or with members that this one does not know. */

/** Appends one entry past the writer, which refuses events that it could not read back. Returns its sequence. */
function recordNewer({ db, signer }: Home, stream: string, type: string, document: object): number {
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
  statements.commit.run();
  return sequence;
}

const homes = homeForEach();
const tolerant: OpenOptions = { tolerate: ['config', 'witness', ...damageFaults] };

/** Records an event that only a newer version knows, in a home with two missions. Returns its sequence. */
const record = (home: TemporaryHome, type: string, document: object, stream = uuidOf(2)): number =>
  home.with((opened) => {
    opened.writer.transact(submit(1));
    opened.writer.transact(submit(2));
    return recordNewer(opened, stream, type, document);
  });

const why = { code: 'newer_version', detail: 'a newer version wrote it' } as const;

function readOnly<A>(home: TemporaryHome, use: (opened: ReturnType<typeof openNewerHome>) => A, options = tolerant): A {
  const opened = openNewerHome(home.world, options, why);
  try {
    return use(opened);
  } finally {
    opened.close();
  }
}

async function verified(home: TemporaryHome, deep: boolean): Promise<VerifyReport> {
  const opened = openNewerHome(home.world, tolerant, why);
  try {
    return await verifyHome(opened, { deep });
  } finally {
    opened.close();
  }
}

/** Flips a digit of the newest entry's column and gives SQLite's triggers nothing to say. */
function flip(home: TemporaryHome, column: 'hash' | 'signature'): void {
  const db = new Database(join(home.directory, 'journal.sqlite3'));
  db.exec('DROP TRIGGER events_update');
  const value = db.prepare<[], string>(`SELECT ${column} FROM events ORDER BY seq DESC LIMIT 1`).pluck().get() ?? '';
  const flipped = `${value.startsWith('1') ? '2' : '1'}${value.slice(1)}`;
  db.prepare(`UPDATE events SET ${column} = ? WHERE seq = (SELECT max(seq) FROM events)`).run(flipped);
  db.exec("CREATE TRIGGER events_update BEFORE UPDATE ON events\nBEGIN SELECT RAISE(ABORT, 'events are append-only'); END");
  db.close();
}

const unknown: readonly (readonly [string, string, object, RegExp])[] = [
  ['a type', 'mission.polished', { shine: 1 }, /version 1 of mission\.polished/],
  ['a member', 'mission.cancelled', { ...documents['mission.cancelled'], due: 'now' }, /due: unknown member/],
  [
    'a member of a member',
    'mission.failed',
    { ...documents['mission.failed'], error: { ...documents['mission.failed'].error, at: 1 } },
    /error\.at/,
  ],
  ['a choice', 'mission.failed', { ...documents['mission.failed'], state: 'waiting' }, /state: must be "failed"/],
];

describe('an entry that only a newer version knows', () => {
  for (const [name, type, document, says] of unknown) {
    it(`is refused by its own code: ${name}`, () => {
      const sequence = record(homes.get(), type, document);
      for (const options of [{}, tolerant])
        assert.throws(
          () => homes.get().open(options),
          (error) => refused('newer_version', says)(error) && (error as RefusalError).refusal.facts?.['sequence'] === sequence,
        );
    });

    it(`is verified, and leaves the rest to be read: ${name}`, async () => {
      const sequence = record(homes.get(), type, document);
      for (const deep of [false, true]) {
        const { valid, failure, newer, warnings } = await verified(homes.get(), deep);
        assert.deepEqual([valid, failure, newer], [true, null, { version: null, count: 1, entries: [sequence] }]);
        assert.match(warnings.join(), new RegExp(`1 entries were verified .*${sequence}.*tables were not compared`));
      }
      readOnly(homes.get(), (home) => {
        assert.equal(home.db.pragma('cell_size_check', { simple: true }), 1);
        assert.equal(listPage(home, {}).items.length, 2);
        assert.equal(showMission(home, uuidOf(1)).goal, 'mission 1');
      });
    });
  }

  it('is interpreted by the members that are known', () => {
    record(homes.get(), 'mission.cancelled', { ...documents['mission.cancelled'], due: 'now' });
    readOnly(homes.get(), (home) => assert.equal(showMission(home, uuidOf(2)).state, 'failed'));
  });

  it('is damage when its hash or its signature does not hold', () => {
    record(homes.get(), 'mission.polished', {});
    const whole = homes.get();
    for (const column of ['hash', 'signature'] as const) {
      const copy = whole.copy();
      flip(copy, column);
      assert.throws(() => copy.open(), refused('integrity'));
      assert.throws(() => readOnly(copy, () => null, {}), refused('integrity'));
      copy.remove();
    }
  });

  it('is damage when it is of a known type and a member has a wrong value', () => {
    record(homes.get(), 'mission.cancelled', { ...documents['mission.cancelled'], actor: '', due: 'now' });
    assert.throws(() => homes.get().open(), refused('integrity', /actor/));
  });

  it('may bring another configuration into force, so that config.json is not judged', () => {
    record(homes.get(), 'agent.configured', { config: 'x' }, '@control');
    readOnly(homes.get(), (home) => assert.deepEqual([home.faults.config, readControl(home.db).state], [null, 'ready']), {});
  });

  homes.it('stops a rebuild and a verification that opened the home before', async (home) => {
    const event = { type: 'mission.polished', document: {} } as unknown as Event;
    home.writer.transact((tx) => tx.append(uuidOf(9), event).sequence);
    assert.throws(() => rebuildHome(home, () => undefined), refused('newer_version'));
    for (const deep of [false, true]) await assert.rejects(verifyHome(home, { deep }), refused('newer_version'));
  });
});

describe('a home that is only read', () => {
  it('refuses every write with the reason why it was opened so', async () => {
    const home = openNewerHome(homes.get().world, {}, why);
    try {
      await assert.rejects(pause(home, 'operator'), refused('newer_version'));
      assert.throws(() => home.writer.transact(submit(1)), refused('newer_version'));
    } finally {
      home.close();
    }
  });

  homes.it('is read beside a process that has it open', (other) => {
    other.writer.transact(submit(1));
    readOnly(homes.get(), (home) => assert.equal(listPage(home, {}).items.length, 1));
  });

  it('makes its own tables, whatever the newer ones hold', () => {
    record(homes.get(), 'mission.cancelled', documents['mission.cancelled']);
    const db = new Database(join(homes.get().directory, 'journal.sqlite3'));
    db.exec(
      "DROP TABLE mission; CREATE VIEW mission AS SELECT 1 AS x; UPDATE projection SET version = 7 WHERE name = 'missions'",
    );
    db.exec('ALTER TABLE blob ADD COLUMN kind TEXT; ALTER TABLE checkpoint ADD COLUMN kind TEXT');
    db.exec("INSERT INTO migration VALUES ('0099-later.sql', 'aa', '')");
    db.close();
    assert.throws(() => homes.get().open(), refused('newer_version', /0099-later\.sql/));
    readOnly(homes.get(), (home) => assert.equal(listPage(home, {}).items.length, 2));
  });
});
