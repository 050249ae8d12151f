/** @slow */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { damageFaults } from '../../src/app/home/home.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { tail_entries_max } from '../../src/state/build.js';
import { connectionOf } from '../../src/tables/connection.js';
import { readMission } from '../../src/tables/missions.js';
import { atEffort } from '../support/effort.js';
import type { ChildReport } from '../support/app/home-child.js';
import { homeForEach, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { sound } from './inspect.js';
import { refused } from '../support/refused.js';

const script = fileURLToPath(new URL('../support/app/home-child.js', import.meta.url));
const homes = homeForEach();
const running: ChildProcess[] = [];

interface Child {
  readonly pid: number;
  /** Resolves once it prints `ready`, or when it ends. */
  readonly ready: Promise<void>;
  readonly go: () => void;
  /** Closes its input and returns its report. */
  readonly end: () => Promise<ChildReport>;
  readonly report: Promise<ChildReport>;
}

function start(home: TemporaryHome, mode: 'append' | 'serve' | 'hold', count = 0): Child {
  const child = spawn(process.execPath, [script, mode, home.directory, String(count)], {
    env: { ...process.env, AGENT_WITNESS: home.witness },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.push(child);
  let output = '';
  const report = new Promise<ChildReport>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const last = output.trimEnd().split('\n').at(-1) ?? '';
      if (code === 0) resolve(JSON.parse(last) as ChildReport);
      else reject(new Error(`the child ended with code ${code}: ${output}`));
    });
  });
  const ready = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.startsWith('ready')) resolve();
    });
  });
  const end = (): Promise<ChildReport> => {
    child.stdin.end();
    return report;
  };
  return { pid: child.pid ?? 0, ready, go: () => void child.stdin.write('go\n'), end, report };
}

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

async function allThere(home: TemporaryHome, reports: readonly ChildReport[], first: number): Promise<void> {
  await home.with(async (opened) => {
    const acknowledged = reports.flatMap((report) => report.acknowledged);
    for (const [id, sequence] of acknowledged) assert.equal(readMission(opened.db, id)?.revision, sequence, id);
    const sequences = new Set(acknowledged.map(([, sequence]) => sequence));
    assert.deepEqual(sequences, new Set(acknowledged.map((_, i) => first + i)));
    assert.equal(opened.writer.head.size, first + acknowledged.length - 1);
    await sound(opened);
  });
}

describe('several processes on one home', () => {
  const count = atEffort(100, 4_000);
  /** For some ten inspections. */
  const inspected = atEffort(600, 3_000);

  it('appends from six beside a daemon, each of which moves the snapshot of the state: it is that of all entries', async () => {
    const home = homes.get();
    const daemon = start(home, 'serve');
    await daemon.ready;
    const children = Array.from({ length: 6 }, () => start(home, 'append', count));
    await Promise.all(children.map((child) => child.ready));
    for (const child of children) child.go();
    const own = home.with((opened) => opened.writer.transact(submit(1)));
    const reports = await Promise.all(children.map((child) => child.report));
    for (const report of reports) assert.equal(report.acknowledged.length, count, JSON.stringify(report.refusal));
    const turns = reports.map(({ acknowledged }) => acknowledged.map(([, sequence]) => sequence));
    assert.ok(
      turns.some((turn) => turn.some((sequence, i) => i > 0 && sequence !== (turn[i - 1] ?? 0) + 1)),
      'they took turns',
    );
    assert.deepEqual((await daemon.end()).refusal, undefined);
    assert.equal(existsSync(`${home.directory}/daemon.json`), false);
    await allThere(home, [...reports, { acknowledged: [['00000000-0000-4000-8000-000000000001', own]] }], 2);
    await home.with(async (opened) => {
      const connection = connectionOf(opened.db);
      const { size } = opened.writer.head;
      const base = connection.snapshot(() => connection.proven?.base ?? 0);
      assert.ok(size - base < tail_entries_max, `${base} of ${size} entries`);
      assert.equal((await verifyHome(opened, { deep: true })).failure, null);
    });
  });

  it('is inspected beside a writer without a false alarm', async () => {
    const writer = start(homes.get(), 'append', inspected);
    await writer.ready;
    writer.go();
    const ended = writer.report.then(() => true);
    const failed: string[] = [];
    let runs = 0;
    for (let isOver = false; !isOver; runs++) {
      const { checks } = homes
        .get()
        .with((home) => inspectHome(home), { tolerate: ['config', 'witness', 'permissions', ...damageFaults] });
      failed.push(...checks.filter(({ status }) => status === 'fail').map(({ name, detail }) => `${name}: ${detail}`));
      isOver = await Promise.race([ended, nextTurn(false)]);
    }
    assert.equal((await writer.report).acknowledged.length, inspected);
    assert.deepEqual(failed, [], `in ${runs} runs`);
  });

  it('refuses a second daemon with the pid of the first, and lets it begin once the first has ended', async () => {
    const daemon = start(homes.get(), 'serve');
    await daemon.ready;
    const { pid } = JSON.parse(readFileSync(`${homes.get().directory}/daemon.json`, 'utf8')) as { pid: number };
    assert.equal(pid, daemon.pid);
    const second = await start(homes.get(), 'serve').report;
    assert.equal(second.refusal?.code, 'in_use');
    assert.match(second.refusal?.detail ?? '', new RegExp(`\\(pid ${daemon.pid}, since `));
    assert.throws(() => homes.get().open({ lock: 'daemon' }), refused('in_use', new RegExp(`pid ${daemon.pid}`)));
    await daemon.end();
    homes.get().open({ lock: 'daemon' }).close();
  });

  it('leaves no lock after a killed daemon, and reports an unclean stop when it had written', async () => {
    const daemon = start(homes.get(), 'serve');
    await daemon.ready;
    homes.get().with((home) => home.writer.transact(submit(1)));
    running.at(-1)?.kill('SIGKILL');
    await daemon.report.catch(() => undefined);
    await homes.get().with(
      async (home) => {
        assert.equal(home.uncleanStop, true);
        assert.equal(home.writer.head.size, 2);
        await sound(home);
      },
      { lock: 'daemon' },
    );
    homes.get().with((again) => assert.equal(again.uncleanStop, false));
  });
});
