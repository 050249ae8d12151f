/** The export of a period: complete, verifiable with the key alone, and every change of a line is found. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyPeriod, type PeriodVerdict } from '../../src/app/exports/verify-period.js';
import type { Home } from '../../src/app/home/home.js';
import { exportPeriod, type PeriodOptions } from '../../src/app/log/period.js';
import { eraseMission } from '../../src/app/missions/missions.js';
import { actor, execute, forecast, produced, queued, rejectsRefusal, review } from '../support/app/given-home.js';
import { atEffort } from '../support/effort.js';
import { submit, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';

const day_ms = 86_400_000;

describe('the export of a period', () => {
  let given: TemporaryHome;
  let home: Home;
  let files = 0;
  beforeEach(() => {
    given = temporaryHome();
    home = given.open();
  });
  afterEach(() => {
    home.close();
    given.remove();
  });

  const at = (name: string): string => join(given.root, name);
  const exported = (more: Partial<PeriodOptions> = {}): { readonly file: string; readonly lines: string[] } => {
    const output = at(`period-${files++}.jsonl`);
    exportPeriod(home, { from: '2026-11-20', to: '2026-12-01', output, withSources: false, ...more });
    return { file: output, lines: readFileSync(output, 'utf8').split('\n').slice(0, -1) };
  };
  const verdictOf = (lines: readonly string[]): Promise<PeriodVerdict> => {
    const file = at(`changed-${files++}.jsonl`);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return verifyPeriod(file, given.report.public_key);
  };

  it('holds the contiguous entries of [from, to) with proofs and who did what', async () => {
    const before = home.writer.head.size;
    given.clock.now += day_ms;
    const { id } = await produced(home, forecast());
    const inside = home.writer.head.size;
    given.clock.now += day_ms;
    await queued(home);
    const { file, lines } = exported({ from: '2026-11-21', to: '2026-11-22' });
    assert.deepEqual(await verifyPeriod(file, given.report.public_key), {
      valid: true,
      reason: null,
      from: '2026-11-21',
      to: '2026-11-22',
      entries: inside - before,
      first: before + 1,
      last: inside,
    });
    const first = JSON.parse(lines[1] ?? '') as Record<string, unknown>;
    assert.deepEqual(
      [first['sequence'], first['stream'], first['type'], first['actor'], first['time']],
      [before + 1, id, 'mission.submitted', actor, '2026-11-21T05:00:00.000000Z'],
    );
    assert.doesNotMatch(lines.join('\n'), /"blobs"/);
  });

  it('refuses a removed, a moved and a changed line, and another key', async () => {
    await produced(home, forecast());
    home.writer.transact(submit(9, '\ufffd'));
    const { file, lines } = exported();
    const [head = '', ...entries] = lines;
    const refused = async (changed: readonly string[], reason: RegExp): Promise<void> => {
      const verdict = await verdictOf(changed);
      assert.deepEqual([verdict.valid, reason.test(verdict.reason ?? '')], [false, true], verdict.reason ?? '');
    };
    for (const i of entries.keys()) {
      const isLast = i === entries.length - 1;
      await refused(
        [head, ...entries.toSpliced(i, 1)],
        isLast ? /^the last 1 of \d+ entries are missing$/ : /was removed or moved$/,
      );
      if (!isLast)
        await refused([head, ...entries.toSpliced(i, 2, entries[i + 1] ?? '', entries[i] ?? '')], /was removed or moved$/);
      for (const [from, to] of [
        ['"actor":"', '"actor":"x'],
        ['"time":"2026', '"time":"2025'],
        ['"proof":["', '"proof":["A'],
        ['\\"mission', '\\"missioN'],
        ['{', '{ '],
        ['"stream":"', '"stream":"\\ud800'],
        ['"sequence":', '"sequence":9e999'],
      ] as const) {
        const changed = entries[i]?.replace(from, to) ?? '';
        if (changed !== entries[i]) await refused([head, ...entries.toSpliced(i, 1, changed)], /^line \d+/);
      }
    }
    const written = readFileSync(file);
    const i = written.indexOf('\ufffd');
    writeFileSync(file, Buffer.concat([written.subarray(0, i), Buffer.of(0xff), written.subarray(i + 3)]));
    assert.match((await verifyPeriod(file, given.report.public_key)).reason ?? '', /^line \d+ is not UTF-8$/);
    await refused(entries, /^line 1 /);
    await refused([head.replace('2026-11-20', '2026-11-19'), ...entries], /^line 1 /);
    await refused([head, ...entries, entries[0] ?? ''], /the signed period ends before it/);
    await refused([], /empty/);
    const other = temporaryHome();
    assert.match((await verifyPeriod(file, other.report.public_key)).reason ?? '', /^line 1 /);
    other.remove();
  });

  it('includes sources that were not erased where that is wanted, and finds a changed one', async () => {
    const research = {
      goal: 'Which storm broke the pier?',
      work: { kind: 'research', sources: [{ id: 's', title: 'Log', text: 'The storm broke the pier.' }] },
    };
    const made = await execute(home, (await queued(home, research)).id);
    const { file, lines } = exported({ withSources: true });
    assert.equal((await verifyPeriod(file, given.report.public_key)).valid, true);
    const i = lines.findIndex((line) => line.includes('"blobs":[{"bytes":"'));
    const sources = (all: readonly string[]): string =>
      all
        .flatMap((line) => (JSON.parse(line) as { readonly blobs?: readonly { readonly bytes: string }[] }).blobs ?? [])
        .map(({ bytes }) => Buffer.from(bytes, 'base64').toString())
        .join('\n');
    assert.match(sources(lines), /The storm broke the pier\./);
    const changed = lines.with(i, lines[i]?.replace(/"bytes":"../, '"bytes":"AA') ?? '');
    const { body, hash } = JSON.parse(lines[2] ?? '') as { readonly body: string; readonly hash: string }; // the next entry names it
    const [salt, bytes] = [body.slice(0, 16), body.slice(16)].map((part) => Buffer.from(part).toString('base64'));
    const forged = lines.with(3, lines[3]?.replace('"blobs":[]', `"blobs":${JSON.stringify([{ bytes, hash, salt }])}`) ?? '');
    for (const each of [changed, forged])
      assert.match((await verdictOf(each)).reason ?? '', /source [0-9a-f]{64} is not what was recorded/);
    await review(home, made, { approve: false });
    await eraseMission(home, made.id, 'asked for', actor);
    const after = exported({ withSources: true });
    assert.equal((await verifyPeriod(after.file, given.report.public_key)).valid, true);
    assert.doesNotMatch(sources(after.lines), /The storm/);
  });

  it('refuses what is no file without waiting for it, and a line without an end without reading it whole', async () => {
    const key = given.report.public_key;
    execFileSync('mkfifo', [at('fifo')]);
    assert.match((await rejectsRefusal(verifyPeriod(at('fifo'), key), 'invalid')).detail, /fifo is not a file$/);
    assert.match((await rejectsRefusal(verifyPeriod(at('none'), key), 'not_found')).detail, /none cannot be read \(ENOENT\)$/);
    const long = at('long.jsonl');
    writeFileSync(long, '');
    truncateSync(long, 2 ** 29);
    assert.equal((await verifyPeriod(long, key)).reason, 'line 1 has more than 67108864 bytes');
  });

  it('verifies offline when it is written in several pieces', async () => {
    const pairs = atEffort(600, 5_000);
    await home.transact((tx) => {
      for (let i = 0; i < pairs; i++) {
        tx.append('@control', { type: 'control.paused', document: { state: 'paused', actor } });
        tx.append('@control', { type: 'control.resumed', document: { state: 'ready', actor } });
      }
    });
    const { file, lines } = exported();
    assert.ok(statSync(file).size > 2 ** 20, 'more than one piece');
    home.close();
    given.remove();
    const verdict = await verifyPeriodWithout(file, lines);
    assert.deepEqual([verdict.valid, verdict.entries >= 2 * pairs], [true, true], verdict.reason ?? '');
    given = temporaryHome();
    home = given.open();
  });

  /** The file is gone with the home, so its lines are written elsewhere. */
  async function verifyPeriodWithout(gone: string, lines: readonly string[]): Promise<PeriodVerdict> {
    assert.equal(existsSync(gone), false);
    const key = given.report.public_key;
    const elsewhere = temporaryHome();
    const file = join(elsewhere.root, 'period.jsonl');
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    try {
      return await verifyPeriod(file, key);
    } finally {
      elsewhere.remove();
    }
  }

  it('writes a table for reading, an empty period, and no file over another', async () => {
    await queued(home);
    const table = exportPeriod(home, { from: '2026-11-20', to: '2026-12-01', output: at('period.csv'), withSources: false });
    assert.equal(table.verifiable, false);
    const [note, names, first] = readFileSync(at('period.csv'), 'utf8').split('\r\n');
    assert.match(note ?? '', /cannot be verified/);
    assert.equal(names, 'entry,time,what,who,channel,stream,hash');
    assert.match(first ?? '', /^1,2026-11-20T05:00:00.000000Z,control\.initialised,,,'@control,[0-9a-f]{64}$/);
    const empty = exported({ from: '2020-01-01', to: '2020-02-01' });
    assert.deepEqual([empty.lines.length, (await verifyPeriod(empty.file, given.report.public_key)).valid], [1, true]);
    for (const options of [{ to: '2026-11-20' }, { from: 'yesterday' }, { output: at('period.txt') }])
      await rejectsRefusal(
        Promise.resolve().then(() => exported(options)),
        'invalid',
      );
    await rejectsRefusal(
      Promise.resolve().then(() => exported({ output: at('period.csv') })),
      'exists',
    );
  });
});
