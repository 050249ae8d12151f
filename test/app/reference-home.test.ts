/** A home of the reference agent, opened where it is: read as ours is, and never written. */
import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { exportMission, exportText, requireApprovals } from '../../src/app/exports/export.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import { damageFaults, type Home, type OpenOptions } from '../../src/app/home/home.js';
import { openHome } from '../../src/app/home/open.js';
import { verifyHome, type VerifyReport } from '../../src/app/log/verify-home.js';
import { listPage, showMission } from '../../src/app/missions/missions.js';
import { requireMission, requireRequest } from '../../src/app/missions/record.js';
import { openForReading } from '../../src/app/reference/home.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/bytes.js';
import type { Refusal } from '../../src/base/refusal.js';
import { canonicalText } from '../../src/codec/canonical.js';
import type { StoredEntry } from '../../src/codec/entry.js';
import { missionRequest } from '../../src/kinds/request.js';
import { allocation, forecasts, research } from '../engines/reference-cases.js';
import { adoptedHomes, completion, given, id, isWhole, missionOf } from '../support/app/adopted-homes.js';
import { approve, person } from '../support/app/given-approvals.js';
import { apply, rejectsRefusal, review, refusalOf } from '../support/app/given-home.js';
import {
  canonicalHash,
  forecastWork,
  foreignDirectory,
  type GivenMission,
  goal,
  insertRows,
  rowsOf,
  states,
} from '../support/app/given-reference.js';
import { copyTree, homeForEach, uuidOf } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';

const [seasonal] = forecasts;
const forecast: GivenMission = { id: uuidOf(1), work: forecastWork(seasonal?.work ?? ''), result: seasonal?.plain ?? '' };
const plan: GivenMission = { id: uuidOf(2), work: canonicalJson(allocation.work), result: canonicalJson(allocation.result) };
const documents = [
  ...states(forecast, 'queued', 'running', 'review'),
  ...states(plan, 'queued', 'running', 'review', 'completed'),
  ['@wallet', '{"address":"0x1"}'],
  ['@invoice:1', '{"amount":"10000000000000000000001"}'],
  ['@invoice:2', '{"amount":1e+22}'],
] as const;

/** Names, modes, times and bytes of a directory and of everything in it. */
const stateOf = (directory: string): unknown =>
  ['.', ...readdirSync(directory).toSorted()].map((name) => {
    const { mode, mtimeNs, isDirectory } = Object.assign(statSync(join(directory, name), { bigint: true }));
    const file = join(directory, name);
    return [name, mode, mtimeNs, isDirectory.call(statSync(file)) ? '' : sha256Hex(readFileSync(file))];
  });

describe('a home of the reference agent, read in its directory', () => {
  const homes = homeForEach();
  const opened: Home[] = [];
  afterEach(() => opened.splice(0).forEach((home) => home.close()));

  const rows = (): StoredEntry[] => rowsOf(homes.get(), documents);
  const verifying: OpenOptions = { tolerate: ['config', 'witness', ...damageFaults] };
  function open(directory: string, options: OpenOptions = {}, opener: typeof openHome = openForReading): Home {
    const home = opener({ ...homes.get().world, directory }, options);
    opened.push(home);
    return home;
  }
  const refusalAt = (directory: string, options: OpenOptions = {}, opener?: typeof openHome): Refusal =>
    refusalOf(() => open(directory, options, opener)) ?? assert.fail('it was opened');
  const verify = async (directory: string, deep: boolean): Promise<VerifyReport> =>
    await verifyHome(open(directory, verifying), { deep });

  async function readAll(directory: string): Promise<void> {
    const before = stateOf(directory);
    for (const deep of [false, true]) {
      const report = await verify(directory, deep);
      assert.deepEqual([report.valid, report.events, report.checkpoint, report.signatures_checked], [true, 11, '', 11]);
      assert.deepEqual(report.streams, { '@control': 1, '@invoice': 2, '@wallet': 1, missions: 7 });
    }
    const home = open(directory);
    assert.equal(home.isReference, true);
    assert.deepEqual(
      listPage(home, {}).items.map(({ id, state, revision }) => [id, state, revision]),
      [
        [uuidOf(2), 'completed', 8],
        [uuidOf(1), 'review', 4],
      ],
    );
    assert.deepEqual(showMission(home, uuidOf(2)).review?.note, 'fine');
    const output = join(homes.get().root, `out-${opened.length}.json`);
    const report = exportMission(home, uuidOf(2), output);
    assert.deepEqual([report.events, report.head], [11, rows().at(-1)?.hash]);
    const publicKey = home.signer.publicKey.toString('hex');
    const verdict = await verifyExport({ file: output, publicKey, recompute: false });
    assert.deepEqual([verdict.valid, verdict.proof], [true, null]);
    home.close();
    assert.deepEqual(stateOf(directory), before);
    rmSync(output);
  }

  it('is listed, shown, verified and exported, and nothing in it changes', async () => {
    await readAll(foreignDirectory(homes.get(), rows()));
  });

  it('is read while its agent has it open, with entries in the log alone', async () => {
    const directory = foreignDirectory(homes.get(), rows().slice(0, 5));
    const db = new Database(join(directory, 'journal.sqlite3'));
    try {
      db.pragma('wal_autocheckpoint = 0');
      insertRows(db, rows().slice(5));
      for (const log of ['-wal', '-shm']) chmodSync(join(directory, `journal.sqlite3${log}`), 0o600);
      assert.ok(statSync(join(directory, 'journal.sqlite3-wal')).size > 0);
      const killed = join(homes.get().root, 'killed');
      copyTree(directory, killed);
      rmSync(join(killed, 'journal.sqlite3-shm'));
      await readAll(directory);
      await readAll(killed);
    } finally {
      db.close();
    }
    await readAll(directory);
  });

  it('is read as before the transaction that its agent has begun, with a rollback journal', async () => {
    const directory = foreignDirectory(homes.get(), rows(), (db) => db.pragma('journal_mode = DELETE'));
    const db = new Database(join(directory, 'journal.sqlite3'));
    try {
      db.pragma('cache_size = 2');
      db.exec("BEGIN; UPDATE events SET body = body || 'x', signature = upper(signature)");
      const log = join(directory, 'journal.sqlite3-journal');
      chmodSync(log, 0o600);
      assert.ok(statSync(log).size > 0);
      await readAll(directory);
    } finally {
      db.close();
    }
  });

  it('is read whatever its schema says, because SQLite never opens its journal', async () => {
    const directory = foreignDirectory(homes.get(), rows(), (db) => {
      db.unsafeMode();
      db.pragma('writable_schema = ON');
      db.exec("INSERT INTO sqlite_master VALUES ('trigger', 'x', 'events', 0, 'CREATE TRIGGER nonsense')");
    });
    const db = new Database(join(directory, 'journal.sqlite3'), { readonly: true });
    assert.throws(() => db.prepare('SELECT * FROM events'), { code: 'SQLITE_CORRUPT' });
    db.close();
    for (const log of ['-wal', '-shm']) rmSync(join(directory, `journal.sqlite3${log}`), { force: true });
    await readAll(directory);
  });

  it('is not copied when it is too large to be kept in memory', () => {
    const directory = foreignDirectory(homes.get(), rows());
    truncateSync(join(directory, 'journal.sqlite3'), 1_073_741_824 + 65_536);
    const { code, detail } = refusalAt(directory);
    assert.deepEqual([code, /run backup with the reference agent there/.test(detail)], ['too_large', true]);
  });

  it('is read in a read-only directory', async () => {
    const directory = foreignDirectory(homes.get(), rows());
    chmodSync(directory, 0o500);
    await readAll(directory);
    chmodSync(directory, 0o700);
  });

  it('refuses every command that does not only read, and explains how to continue', () => {
    const directory = foreignDirectory(homes.get(), rows());
    const before = stateOf(directory);
    for (const options of [{}, { lock: 'daemon' }, { tolerate: ['config', 'permissions', 'head', 'tables'] }] as const) {
      const { code, detail, hint } = refusalAt(directory, options, openHome);
      assert.deepEqual([code, hint], ['wrong_state', 'agent-cli restore --help']);
      assert.match(detail, /run backup with the reference agent there, then agent-cli restore here/);
    }
    const home = open(directory);
    for (const write of [() => home.writer.begin(), () => home.writer.transact(() => assert.fail('ran'))])
      assert.throws(write, refused('wrong_state'));
    assert.deepEqual(stateOf(directory), before);
  });

  it('is refused with integrity when its newest entry does not sign the configuration', async () => {
    const directory = foreignDirectory(homes.get(), rows());
    writeFileSync(join(directory, 'config.json'), '{"name":"other"}');
    const refusal = refusalAt(directory);
    assert.deepEqual([refusal.code, refusal.hint], ['integrity', undefined]);
    assert.match(refusal.detail, /^config\.json is not the configuration that the journal signs/);
    assert.equal((await verify(directory, false)).failure?.code, 'integrity');
    rmSync(join(directory, 'config.json'));
    assert.match(refusalAt(directory).detail, /^missing from .* reference agent: config\.json$/);
    assert.equal((await verify(directory, false)).failure?.detail, 'config.json is missing');
  });

  it('has an altered entry found by verify, and an altered newest entry by every command', async () => {
    const altered = (seq: number, sql: string): string =>
      foreignDirectory(homes.get(), rows(), (db) => db.prepare(`UPDATE events SET ${sql} WHERE seq = ?`).run(seq));
    const inside = altered(3, "body = replace(body, 'running', 'queued')");
    assert.equal((await verify(inside, false)).failure?.detail, 'entry 3: the stored bytes do not match their hash');
    const unsigned = altered(
      3,
      "signature = CASE substr(signature, 1, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(signature, 2)",
    );
    assert.equal((await verify(unsigned, false)).failure?.detail, 'entry 3: the signature does not verify');
    const last = altered(11, "signature = CASE substr(signature, 1, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(signature, 2)");
    assert.match(refusalAt(last).detail, /^entry 11 is not signed by this home's key/);
    assert.equal((await verify(last, true)).failure?.sequence, 11);
  });

  it('is refused with integrity when its rows are not those of a journal', () => {
    const changes: readonly (readonly [string, RegExp])[] = [
      ['DELETE FROM events WHERE seq = 5', /sequence must follow the newest entry/],
      ['DELETE FROM events', /the journal is empty/],
      ["UPDATE events SET body = x'00' WHERE seq = 5", /body in events that is not text/],
      ["UPDATE events SET signature = 'AAAA' WHERE seq = 5", /^entry 5 has a malformed hash or signature$/],
      ['ALTER TABLE events ADD COLUMN more; UPDATE events SET more = 1 WHERE seq = 5', /table events with other columns/],
    ];
    for (const [sql, detail] of changes) {
      const { code, detail: said } = refusalAt(foreignDirectory(homes.get(), rows(), (db) => db.exec(sql)));
      assert.equal(code, 'integrity');
      assert.match(said, detail);
    }
  });

  it('is refused with a key that did not sign its entries', () => {
    const directory = foreignDirectory(homes.get(), rows());
    writeFileSync(join(directory, 'identity.key'), Buffer.alloc(32, 3));
    assert.match(refusalAt(directory).detail, /is not signed by this home's key/);
  });

  it('is not confused with a home of ours that lost its lock and its ballast', () => {
    const home = homes.get();
    for (const opener of [openHome, openForReading]) {
      for (const name of ['lock.sqlite3', 'ballast']) rmSync(join(home.directory, name), { force: true });
      const own = open(home.directory, {}, opener);
      assert.equal(own.isReference, false);
      own.close();
      opened.pop();
    }
  });
});

describe('reviewing what the reference agent left in review', () => {
  const { inReview } = adoptedHomes();
  for (const [kind, mission] of [
    ['forecast', given.forecast],
    ['allocation', given.allocation],
    ['schedule', given.schedule],
    ['research', given.research],
  ] as const) {
    it(`approves a ${kind} under either hash, and records the hash of our form`, async () => {
      const text = mission.result ?? '';
      const [source, ours] = [sha256Hex(text), canonicalHash(text)];
      for (const result_hash of [source, ours]) {
        const home = inReview(mission);
        const seen = showMission(home, id);
        assert.deepEqual([seen.state, seen.result_hash, seen.engine?.name], ['review', source, 'reference']);
        const approved = await review(home, seen, { result_hash });
        assert.deepEqual([approved.state, approved.result_hash, approved.source_result_hash], ['completed', ours, source]);
        const signed = completion(home);
        assert.deepEqual([signed.review.result_hash, signed.source_result_hash], [ours, source]);
        assert.equal(sha256Hex(canonicalJson(signed.result)), ours);
        assert.deepEqual([signed.kind, signed.goal, signed.warm_start], [kind, goal, null]);
        assert.deepEqual(signed.engine, { name: 'reference', version: 'schema-1' });
        const { evaluations = null } = JSON.parse(text) as { evaluations?: number };
        assert.deepEqual(signed.effort, { max_evaluations: 500, iterations: evaluations });
        const request = requireRequest(home.db, requireMission(home.db, id));
        assert.equal(signed.request_hash, sha256Hex(canonicalText(missionRequest, request)));
        assert.notEqual(signed.request_hash, seen.request_hash, 'defaults are filled in');
        await isWhole(home);
      }
    });
  }

  it("is approved by people's keys in the same way: they sign the hashes of our form", async () => {
    const home = inReview(given.forecast);
    const [alice, bob] = [await person(home, 'alice'), await person(home, 'bob')];
    await apply(home, { approvals: { required: 2 } });
    const seen = showMission(home, id);
    assert.equal(seen.approvals_required, 2);
    assert.equal((await approve(home, seen, alice)).state, 'review');
    const done = await approve(home, seen, bob);
    assert.deepEqual([done.state, done.approvals?.length], ['completed', 2]);
    const signed = completion(home);
    await requireApprovals(home, id);
    const file = join(home.paths.directory, '..', 'approved.json');
    const { text } = exportText(home, id);
    writeFileSync(file, text);
    const { approvals } = JSON.parse(text) as { readonly approvals: readonly { readonly subject: string }[] };
    for (const { subject } of approvals) {
      const { result_hash, request_hash } = JSON.parse(subject) as typeof signed.review & { readonly request_hash: string };
      assert.deepEqual([result_hash, request_hash], [signed.review.result_hash, signed.request_hash]);
    }
    const approvers = [alice, bob].map(({ name, fingerprint }) => `${name}=${fingerprint}`);
    const publicKey = home.signer.publicKey.toString('hex');
    const verdict = await verifyExport({ file, publicKey, approvers, approvalsRequired: 2, recompute: false });
    assert.deepEqual([verdict.valid, verdict.reason], [true, null]);
    await isWhole(home);
  });

  it('refuses any other hash as a mismatch that names both', async () => {
    const home = inReview(given.forecast);
    const text = given.forecast.result ?? '';
    for (const approve of [true, false]) {
      const refusal = await rejectsRefusal(
        review(home, showMission(home, id), { approve, result_hash: 'a'.repeat(64) }),
        'hash_mismatch',
      );
      assert.equal(refusal.detail, `the result hash of revision 4 is ${sha256Hex(text)} or ${canonicalHash(text)}`);
    }
  });

  const refusals: readonly (readonly [string, GivenMission, RegExp])[] = [
    [
      'a number that its rules do not give',
      { ...given.forecast, result: (given.forecast.result ?? '').replace('"holdout_mae":0.5', '"holdout_mae":0.4') },
      /\(holdout_mae is not what its observations give\); it can only be rejected$/,
    ],
    [
      'a text that its hash is not over',
      { ...given.forecast, result_hash: 'a'.repeat(64) },
      /its text is not the one that the recorded hash is over/,
    ],
    ['code', given.code, /its code would have to run again/],
    [
      'an input that is not valid here',
      { ...given.forecast, work: given.forecast.work.replace('"holdout":4', '"holdout":4,"other":1') },
      /its input is not valid in this version/,
    ],
    ['a request that its hash is not over', { ...given.forecast, request_hash: 'a'.repeat(64) }, /./],
  ];
  for (const [title, mission, words] of refusals.slice(0, 4)) {
    it(`never approves ${title}, and rejects it under either hash`, async () => {
      const text = mission.result ?? '';
      const source = mission.result_hash ?? sha256Hex(text);
      for (const result_hash of [source, canonicalHash(text)]) {
        const home = inReview(mission);
        const seen = showMission(home, id);
        assert.match((await rejectsRefusal(review(home, seen, { result_hash }), 'verification_failed')).detail, words);
        const rejected = await review(home, seen, { result_hash, approve: false, note: 'no' });
        assert.deepEqual([rejected.state, rejected.review?.note, rejected.result_hash], ['rejected', 'no', source]);
        assert.deepEqual([rejected.review?.result_hash, rejected.source_result_hash], [source, null]);
        await isWhole(home);
      }
    });
  }

  it('refuses a request that does not match its hash with integrity', async () => {
    const home = inReview(refusals[4]?.[1] ?? given.forecast);
    await assert.rejects(() => review(home, showMission(home, id)), refused('integrity'));
  });

  it('rejects, and never approves, a result that is larger than an entry of ours allows', async () => {
    const claim = 'x'.repeat(3_000);
    const finding = { ...research.result.findings[0], claim };
    const large = { ...research.result, findings: [finding], more: 'y'.repeat(500_000) };
    const home = inReview(missionOf({ work: research.work, result: large }));
    const seen = showMission(home, id);
    assert.match((await rejectsRefusal(review(home, seen), 'verification_failed')).detail, /at most 460800 can be approved here/);
    assert.equal((await review(home, seen, { approve: false })).state, 'rejected');
  });
});
