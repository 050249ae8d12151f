import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { inDatabase } from '../support/store/in-database.js';
import { openArchive } from '../../src/archive/read.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { unwrap } from '../../src/base/refusal.js';
import { parseJson, parseJsonBytes } from '../../src/base/json.js';
import { configCodec, configText } from '../../src/codec/config.js';
import { cut, decodeEntry, type StoredEntry } from '../../src/codec/entry.js';
import { decode } from '../../src/codec/kit.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { latestNote, readEntry, readRow } from '../../src/journal/reader.js';
import { readControl } from '../../src/tables/control.js';
import { countByState, readMission } from '../../src/tables/missions.js';
import { roomy } from '../support/archive/zip-attack.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { homeForEach, submit, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { alter, chainSchema1, findingOf, flip, forgetWitness, replaceJournal, signerOf } from './tamper.js';

const homes = homeForEach();
const id = uuidOf(7);
const result_hash = 'c'.repeat(64);
const request =
  '{"generations":12,"goal":"Wähle aus","population":20,"seed":42,"work":{"budget":1e-05,"items":[],"kind":"allocation","max_risk":1e+16,"objective":0.0}}';
const before = `"request":${request},"request_hash":"${'b'.repeat(64)}"`;
const result = '{"value":1e-05,"whole":3.0,"huge":1e+22}';
const review = `{"actor":"alice","approved":true,"note":"fine","result_hash":"${result_hash}"}`;

/** The reference agent's own way: every entry of a mission holds its whole state. */
const documents = (config_hash: string): readonly (readonly [string, string])[] => [
  ['@control', `{"config_hash":"${config_hash}","state":"ready"}`],
  [id, `{${before},"state":"queued"}`],
  [
    id,
    `{"error":null,"execution_config_hash":"${config_hash}","lease_expires_ns":1795152409662365843,${before},"stages":[],"state":"running"}`,
  ],
  [id, `{"lease_expires_ns":null,${before},"result":${result},"state":"review","verification":{"result_hash":"${result_hash}"}}`],
  [id, `{"lease_expires_ns":null,${before},"result":${result},"review":${review},"state":"completed"}`],
  ['@wallet', '{"amount":"1"}'],
  ['@control', `{"config_hash":"${config_hash}","state":"paused"}`],
  ['not-an-id', `{${before},"state":"queued"}`],
];

function imported(): { readonly home: TemporaryHome; readonly rows: readonly StoredEntry[] } {
  const home = homes.get();
  forgetWitness(home);
  const rows = chainSchema1(signerOf(home), documents(sha256Hex(readFileSync(join(home.directory, 'config.json')))));
  replaceJournal(home, rows);
  return { home, rows };
}

describe("the reference agent's entries (schema 1)", () => {
  it('are not in canonical form, so that their text cannot be made again from its values', () => {
    for (const { body } of imported().rows) {
      const values = parseJson(body, { bigIntegers: 'round' });
      assert.notEqual(E.isRight(values) ? canonicalJson(values.right) : body, body);
    }
  });

  it('verify, plain and deep, over the bytes as they are stored', async () => {
    const { home, rows } = imported();
    assert.equal(await findingOf(home, { deep: false }), null);
    assert.equal(await findingOf(home, { deep: true }), null);
    home.with(({ db }) => assert.equal(readRow(db, 4)?.body, rows[3]?.body));
  });

  it('are refused when a byte of one is changed', async () => {
    const { home } = imported();
    alter(home, (db) => flip(db, 'events', 'body', 'seq = 4', 60));
    const finding = await findingOf(home, { deep: false });
    assert.deepEqual([finding?.code, finding?.sequence], ['integrity', 4]);
  });

  it('decode: whole nanoseconds, and the text of members as it was written', () => {
    const { rows } = imported();
    const third = unwrap(decodeEntry(rows[2]!));
    assert.equal(third.time, '2026-11-20T05:15:51.662365Z');
    assert.equal(third.incarnation, null);
    assert.equal(third.event?.type, 'reference.mission');
    assert.equal(third.event.document.lease_expires_ns, '1795152409662365843');
    assert.equal(cut(rows[3]?.body ?? '', ['document', 'result']), result);
    assert.equal(cut(rows[3]?.body ?? '', ['document', 'absent']), null);
    assert.equal(unwrap(decodeEntry(rows[5]!)).event, null);
    assert.equal(unwrap(decodeEntry(rows[6]!)).event?.type, 'reference.control');
  });

  it('refuse what is not of the schema', () => {
    const { rows } = imported();
    const altered = (from: string, to: string): boolean =>
      E.isLeft(decodeEntry({ ...rows[1]!, body: rows[1]!.body.replace(from, to) }));
    assert.equal(altered('"schema":1', '"schema":1 '), false);
    for (const [from, to] of [
      ['"schema":1', '"schema":3'],
      ['"time_ns":', '"time":'],
      ['"sequence":2', '"sequence":0'],
      ['"previous":"', '"previous":"zz'],
      ['"schema":1', '"schema":1,"type":"x"'],
      ['"state":', '"state":"failed","state":'],
      ['"items":[]', `"items":${'['.repeat(99)}${']'.repeat(99)}`],
    ] as const)
      assert.ok(altered(from, to), to);
  });

  it('are projected: control, and a mission through its states', () => {
    const { home, rows } = imported();
    const stateAt = (size: number): unknown => {
      replaceJournal(home, rows.slice(0, size));
      forgetWitness(home);
      return home.with(({ db }) => {
        const mission = readMission(db, id);
        return [
          readControl(db).state,
          mission?.state,
          mission?.revision,
          mission?.request_seq,
          mission?.result_seq,
          mission?.result_hash,
          mission?.lease_expires_at,
          mission?.review?.actor,
        ];
      });
    };
    const nothing = undefined;
    assert.deepEqual(stateAt(1), ['ready', ...Array.from({ length: 7 }, () => nothing)]);
    assert.deepEqual(stateAt(2), ['ready', 'queued', 2, 2, 0, null, null, nothing]);
    assert.deepEqual(stateAt(3), ['ready', 'running', 3, 2, 0, null, '2026-11-20T05:26:49.662365Z', nothing]);
    assert.deepEqual(stateAt(4), ['ready', 'review', 4, 2, 4, result_hash, null, nothing]);
    assert.deepEqual(stateAt(5), ['ready', 'completed', 5, 2, 5, result_hash, null, 'alice']);
    assert.deepEqual(stateAt(7), ['paused', 'completed', 5, 2, 5, result_hash, null, 'alice']);
  });

  it('are followed by an entry of ours under an origin of its own, and all of it verifies', async () => {
    const { home, rows } = imported();
    home.with(({ writer }) => {
      const { origin } = writer;
      assert.throws(() => writer.transact(submit(1)), /needs an incarnation/);
      const appended = writer.transact((tx) => {
        tx.beginIncarnation('0123456789abcdef'.repeat(2));
        return submit(1)(tx);
      });
      assert.deepEqual(appended, 9);
      assert.equal(writer.origin, `${origin}/01234567`);
    });
    home.with(({ db, writer }) => {
      assert.equal(readEntry(db, 9)?.previous, rows[7]?.hash);
      assert.deepEqual(writer.transact(submit(2)), 10);
      assert.deepEqual(countByState(db), { queued: 2, completed: 1 });
      assert.match(latestNote(db)?.note ?? '', /^agent-journal\/[0-9a-f]{16}\/01234567\n10\n/);
    });
    assert.equal(await findingOf(home, { deep: true }), null);
  });
});

const data = resolve(packageRoot(import.meta.url), process.env['AGENT_TEST_DATA'] ?? join('..', 'shared', 'data'));
const archive = join(data, 'reference', 'backup.zip');

const members = ['config.json', 'identity.key', 'api.token', 'journal.sqlite3', 'manifest.json'];

async function member(name: string): Promise<Buffer> {
  const opened = await openArchive(archive, { members, ...roomy });
  try {
    return await opened.read(name, roomy.bytes_max);
  } finally {
    opened.close();
  }
}

real('test-data', 'a backup of the reference agent', () => {
  it('has a configuration in our canonical text', async function () {
    if (!existsSync(archive)) this.skip();
    const bytes = await member('config.json');
    assert.equal(configText(unwrap(decode(configCodec, unwrap(parseJsonBytes(bytes))))), bytes.toString());
  });

  it('has entries that verify, decode and project', async function () {
    if (!existsSync(archive)) this.skip();
    const home = homes.get();
    const former = join(home.root, 'former.sqlite3');
    writeFileSync(former, await member('journal.sqlite3'));
    const sql = 'SELECT seq, mission, body, hash, signature FROM events ORDER BY seq';
    const rows = inDatabase(former, (db) => db.prepare<[], StoredEntry>(sql).all());
    assert.equal(rows.length, 57);
    for (const row of rows) {
      const entry = unwrap(decodeEntry(row));
      assert.match(entry.event?.type ?? '', /^reference\.(?:control|mission)$/);
      assert.ok(entry.time.startsWith('2026-11-20T05:15:') || entry.time.startsWith('2026-11-20T05:16:'), entry.time);
    }
    writeFileSync(join(home.directory, 'identity.key'), await member('identity.key'));
    writeFileSync(join(home.directory, 'config.json'), await member('config.json'));
    forgetWitness(home);
    replaceJournal(home, rows, signerFromSeed(await member('identity.key')));
    assert.equal(await findingOf(home, { deep: true }), null);
    home.with((opened) => {
      assert.deepEqual(countByState(opened.db), { queued: 1, review: 2, completed: 1, rejected: 1, failed: 1 });
      assert.equal(readControl(opened.db).state, 'ready');
      assert.equal(opened.config().name, 'agent-x');
    });
  });
});
