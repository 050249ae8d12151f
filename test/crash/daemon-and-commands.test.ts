/**
 * A daemon at work, with commands beside it on the same home: killed at a write or a sync of the journal, or without power. By default at
 * three moments each, spread over the whole work; TEST_EFFORT=full at a hundred. @slow
 */
import { ok, strictEqual } from 'node:assert';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../src/base/refusal.js';
import { prng } from '../../src/base/prng.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import { checkKept, listening, serve, workAtOnce, type Acknowledged, type Given } from '../support/crash/crash-both.js';
import { collect, Operator, start } from '../support/crash/crash-cli.js';
import { headOf, makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted } from '../support/crash/crash-settle.js';
import { atEffort } from '../support/effort.js';
import { minimal } from '../support/codec/mission-samples.js';
import { Ext4 } from '../support/mount.js';
import { real } from '../support/real.js';
import { parseTrace, syscalls, type Syscall } from '../support/strace.js';

const seed = 20_261_122;
/** Missions that are brought to review over HTTP, and that commands queue. */
const [missions, commands] = atEffort([2, 1], [4, 4]);
const whole_steps = 2 * missions + commands;
const uuid = (round: number, n: number): string =>
  `3f0e6f4e-1f8a-4c55-${(0x8000 + round).toString(16)}-${n.toString(16).padStart(12, '0')}`;
const workOf = (round: number): Omit<Given, 'sandbox' | 'file'> => ({
  overHttp: Array.from({ length: missions }, (_, n) => uuid(round, n)),
  byCommand: Array.from({ length: commands }, (_, n) => uuid(round, missions + n)),
});

/** How many steps were acknowledged: a mission is queued, and brought to review. */
const stepsIn = (acknowledged: Acknowledged): number =>
  [...acknowledged.values()].reduce((sum, state) => sum + (state === 'review' ? 2 : 1), 0);

describe('a daemon with commands beside it', () => {
  const root = folderForSuite();
  const file = join(root, 'mission.json');
  const operator = new Operator();

  before(() => writeFileSync(file, JSON.stringify(minimal('allocation'))));
  after(() => operator.stop());

  const init = async (sandbox: Sandbox): Promise<void> => void accepted(await operator.run(['init'], sandbox.env), 'init');

  real('strace', 'killed at a write or a sync of the journal', () => {
    let sandbox: Sandbox;
    const log = join(root, 'daemon.trace');
    const kinds = ['pwrite', 'fsync'] as const satisfies readonly Syscall[];

    /** Runs a daemon under strace, with work at once; it is killed at a call if `inject` says so, else it is ended. */
    const run = async (round: number, of: readonly Syscall[], inject?: string): Promise<[Given, Acknowledged]> => {
      const given = { sandbox, file, ...workOf(round) };
      const calls = of.flatMap((kind) => syscalls[kind].map((name) => `?${name}`)).join(',');
      const flags = ['-q', '-y', '-s', '0', '-o', log, '-e', `trace=${calls}`];
      if (inject !== undefined) flags.push('-e', `inject=${calls}:${inject}`);
      const daemon = start(serve, sandbox.env, 0, ['strace', ...flags]);
      const ended = collect(daemon);
      const acknowledged: Acknowledged = new Map();
      await listening(daemon)
        .then((url) => workAtOnce(url, given, acknowledged))
        .catch((error: unknown) => {
          // It was killed before it listened.
          if (inject === undefined) throw error;
        });
      // strace passes the signal on to nobody: the daemon's pid is in its file.
      if (daemon.exitCode === null && daemon.signalCode === null) {
        const { pid } = JSON.parse(readFileSync(join(sandbox.home, 'daemon.json'), 'utf8')) as { readonly pid: number };
        try {
          process.kill(pid, 'SIGTERM');
        } catch (error) {
          // A daemon that was killed is gone a moment before strace is.
          if (inject === undefined || errorCode(error) !== 'ESRCH') throw error;
        }
      }
      await ended;
      return [given, acknowledged];
    };

    before(async () => {
      sandbox = makeSandbox(join(root, 'killed'));
      await init(sandbox);
    });

    it('loses and doubles nothing that was acknowledged', async () => {
      const { below } = prng(seed);
      const rounds = atEffort(3, 120);
      const [given, all] = await run(0, kinds);
      strictEqual(stepsIn(all), whole_steps, 'the whole work is done when nothing is killed');
      const made = parseTrace(readFileSync(log, 'utf8'));
      await checkKept(given, all, headOf(sandbox.home), operator);
      const left: number[] = [];
      for (let round = 1; round <= rounds; round++) {
        const kind = kinds[round % kinds.length] ?? 'pwrite';
        const calls = made.filter(({ syscall }) => syscall === kind).length;
        const head = headOf(sandbox.home);
        const when = 1 + Math.floor((calls * (round - 1)) / rounds) + below(3);
        const [broken, acknowledged] = await run(round, [kind], `signal=SIGKILL:when=${when}`);
        await checkKept(broken, acknowledged, head, operator);
        left.push(stepsIn(acknowledged));
      }
      console.log(`      steps of ${whole_steps} acknowledged before the kills: ${left.join(', ')}`);
      ok(new Set(left).size > 1, 'all kills came at the same moment');
    });
  });

  real('power-loss', 'without power', () => {
    let disk: Ext4;
    before(() => {
      disk = new Ext4(root, join(root, 'disk'));
      disk.mount();
    });
    after(() => disk.unmount());

    it('loses and doubles nothing that was acknowledged', async () => {
      const { below } = prng(seed, 1);
      const rounds = atEffort(3, 100);
      const sandbox = makeSandbox(disk.point);
      await init(sandbox);
      const wal = join(sandbox.home, 'journal.sqlite3-wal');
      const left: number[] = [];
      for (let round = 0; round < rounds; round++) {
        disk.unmount();
        disk.mount();
        const head = headOf(sandbox.home);
        const given = { sandbox, file, ...workOf(round) };
        const daemon = start(serve, sandbox.env);
        const ended = collect(daemon);
        const acknowledged: Acknowledged = new Map();
        const work = workAtOnce(await listening(daemon), given, acknowledged);
        const now = { isDone: false };
        void work.finally(() => (now.isDone = true)).catch(() => undefined);
        // By what was written, which does not depend on the speed of the machine.
        const bytes = (round * missions * 250_000) / rounds + below(20_000);
        while (!now.isDone && (statSync(wal, { throwIfNoEntry: false })?.size ?? 0) < bytes) await sleep(1);
        // A sync that is under way while ext4 is shut down may return without an error although nothing was written.
        const before: Acknowledged = new Map(acknowledged);
        disk.cut();
        // Without power it is gone too; one that goes on may never respond.
        daemon.kill('SIGKILL');
        await work;
        await ended;
        disk.unmount();
        disk.mount();
        await checkKept(given, before, head, operator);
        left.push(stepsIn(before));
      }
      console.log(`      steps of ${whole_steps} acknowledged before the cuts: ${left.join(', ')}`);
      ok(new Set(left).size > 1, 'all cuts came at the same moment');
    });
  });
});
