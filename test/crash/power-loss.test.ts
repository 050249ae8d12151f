/**
 * Power loss for real: a loop-mounted ext4 that is shut down without a sync, so that it holds what was fsynced and no more. Whatever
 * a command acknowledged before the cut is there afterwards; a command cut in the middle is whole or absent. @slow
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prng } from '../../src/base/prng.js';
import { lease_ms } from '../../src/base/limits.js';
import { cold, collect, Operator, said, start, type Said } from '../support/crash/crash-cli.js';
import { entriesOf, headOf, makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted, mission, refused, reviewOf, type Looked } from '../support/crash/crash-settle.js';
import { atEffort } from '../support/effort.js';
import { minimal } from '../support/codec/mission-samples.js';
import { Ext4 } from '../support/mount.js';
import { real } from '../support/real.js';

/** About what run --execute writes to SQLite's log. */
const log_bytes = 320_000;
const uuid = (n: number): string => `3f0e6f4e-1f8a-4c55-9a52-${n.toString(16).padStart(12, '0')}`;

real('power-loss', 'power loss', () => {
  const root = mkdtempSync(join(tmpdir(), 'agent-power-'));
  const file = join(root, 'mission.json');
  const operator = new Operator();
  let disk: Ext4;
  let sandbox: Sandbox;

  const cli = (argv: readonly string[], offset_ms = 0): Promise<Said> => operator.run(argv, sandbox.env, offset_ms);
  const must = async (argv: readonly string[], offset_ms = 0): Promise<Record<string, unknown>> =>
    accepted(await cli(argv, offset_ms), argv.join(' '));
  const restart = (): void => {
    disk.unmount();
    disk.mount();
  };
  /** A command, acknowledged; then the power goes, and comes back. */
  const acknowledged = async (...argv: readonly string[]): Promise<Record<string, unknown>> => {
    const value = await must(argv);
    disk.cut();
    restart();
    return value;
  };
  const verified = async (head: string): Promise<void> => {
    const { valid, failure } = await must(['verify', '--deep', '--expect-head', head]);
    deepStrictEqual([valid, failure], [true, null]);
  };

  /** Waits until SQLite's log has so many bytes, or the command has ended. */
  const hasWritten = async (child: ChildProcess, bytes: number): Promise<void> => {
    const log = join(sandbox.home, 'journal.sqlite3-wal');
    while (child.exitCode === null && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) < bytes) await sleep(1);
  };

  before(() => {
    writeFileSync(file, JSON.stringify(minimal('allocation')));
    disk = new Ext4(root, join(root, 'disk'));
    disk.mount();
    sandbox = makeSandbox(disk.point);
    restart();
  });

  after(() => {
    operator.stop();
    disk.unmount();
    rmSync(root, { recursive: true, force: true });
  });

  it('forgets what was not synced', () => {
    writeFileSync(join(disk.point, 'unsynced'), 'gone');
    disk.cut();
    restart();
    strictEqual(existsSync(join(disk.point, 'unsynced')), false);
  });

  it('keeps after the cut what a command acknowledged', async () => {
    const made = await acknowledged('init');
    await verified(`1:${String(made.head).slice(0, 16)}`);
    await acknowledged('run', file, '--request-id', mission);
    strictEqual((await must(['show', mission])).state, 'queued');
    const looked = (await acknowledged('execute', mission)) as unknown as Looked;
    const shown = await must(['show', mission]);
    deepStrictEqual([shown.state, shown.revision, shown.result_hash], ['review', looked.revision, looked.result_hash]);
    await acknowledged(...reviewOf(looked));
    strictEqual((await must(['show', mission])).state, 'completed');
    const output = join(sandbox.outputs, 'result.json');
    const exported = await acknowledged('export', mission, '--output', output);
    await verified(`${String(exported.events)}:${String(exported.head).slice(0, 16)}`);
    const key = ['--public-key', String(made.public_key)];
    strictEqual((await must(['verify-export', output, ...key])).valid, true);
    await acknowledged('pause');
    strictEqual((await must(['doctor'])).control, 'paused');
    const config = { ...(await must(['config', 'show'])), max_evaluations: 777 };
    writeFileSync(join(root, 'config.json'), JSON.stringify(config));
    await acknowledged('configure', join(root, 'config.json'));
    strictEqual((await must(['config', 'show'])).max_evaluations, 777);
    await acknowledged('resume');
    strictEqual((await must(['doctor'])).control, 'ready');
    await verified(headOf(sandbox.home));
  });

  it('keeps a command cut at any moment whole or not at all, and a retry with its request id completes it', async () => {
    const { below } = prng(20_261_121);
    const rounds = atEffort(4, 200);
    const states = new Map<string, number>();
    sandbox = makeSandbox(join(disk.point, 'second'));
    await must(['init']);
    const began = performance.now();
    strictEqual((await cold(['run', file, '--execute'], sandbox.env)).code, 0);
    const whole_ms = performance.now() - began;
    for (let round = 0; round < rounds; round++) {
      // The same disk all along: leases of cut workers have expired by the next round's clock.
      const [id, offset_ms] = [uuid(round), 2 * round * (lease_ms + 60_000)];
      const head = headOf(sandbox.home);
      const before = entriesOf(sandbox.home).length;
      restart();
      const argv = ['run', file, '--request-id', id, '--execute', '--json'];
      const child = start(argv, sandbox.env, offset_ms + 1);
      const ended = collect(child);
      // By the clock, which may hit any moment, and by what has been written: from nothing to the whole.
      if (round % 2 === 0) await sleep(whole_ms * (0.3 + (0.8 * round) / rounds) + below(20));
      else await hasWritten(child, (log_bytes * (round - 1)) / (rounds - 2));
      disk.cut();
      const { code, stdout, stderr } = await ended;
      restart();
      await verified(head);
      const rows = entriesOf(sandbox.home).slice(before);
      ok(rows.filter(({ type }) => type === 'mission.submitted').length <= 1);
      const shown = await cli(['show', id], offset_ms);
      const state = shown.code === 0 ? String(shown.value?.state) : 'absent';
      if (shown.code !== 0) refused(shown, 2, 'not_found', 'show');
      if (code === 0) strictEqual(said({ code, stdout, stderr }).value?.state, state, 'what was acknowledged');
      states.set(state, (states.get(state) ?? 0) + 1);
      const later = offset_ms + lease_ms + 60_000;
      const retried = await must(argv.slice(0, -1), later);
      strictEqual(retried.id, id);
      if (state === 'running') await must(['recover', id], later);
      if (state === 'running') await must(['execute', id], later);
      strictEqual((await must(['show', id], later)).state, 'review');
      strictEqual(entriesOf(sandbox.home).filter(({ stream, type }) => stream === id && type === 'mission.submitted').length, 1);
      await verified(headOf(sandbox.home));
    }
    const told = [...states].map(([state, count]) => `${state} ${count}`).join(', ');
    console.log(`      ${rounds} cuts in the middle of run --execute left: ${told}`);
    ok(states.size > 1, 'all cuts came at the same moment');
  });
});
