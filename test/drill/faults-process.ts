/** Faults of processes and files: a kill, a clock that is set, an altered table, a FIFO in place of a file. */
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDatabase } from '../support/store/in-database.js';
import { prng } from '../../src/base/prng.js';
import { atEffort } from '../support/effort.js';
import { longWork, until } from '../support/app/given-daemon.js';
import { minimal } from '../support/codec/mission-samples.js';
import { unless, type Fault } from './fault.js';
import type { Field } from './field.js';
import { begun, detailOf, get, post } from './load.js';

const kills = atEffort(1, 100);
const seed = 20_261_122;

export const stateOf = async ({ daemon }: Field, id: string): Promise<string> =>
  (JSON.parse((await get(daemon.target, `/api/missions/${id}`)).text) as { readonly state: string }).state;

/** Kills the daemon again and again at different moments of an execution, under load. */
const kill: Fault = {
  name: 'kill',
  cause: `kill -9 during an execution, under load, ${kills === 1 ? 'once' : `${kills} times`}`,
  seconds_max: 5,
  run: async (field) => {
    const { below } = prng(seed);
    const wrong: string[] = [];
    const seconds: number[] = [];
    const cpu_seconds: number[] = [];
    let told = '';
    for (let n = 0; n < kills; n++) {
      const id = await begun(field.daemon.target, longWork(`killed ${n}`));
      await sleep(below(300));
      await field.daemon.kill();
      const began = performance.now();
      await field.restart();
      told = await field.logged(new RegExp(id));
      const normal = await field.normal(began);
      seconds.push(normal.seconds);
      cpu_seconds.push(field.daemon.cpu_ms / 1_000);
      for (const path of [`/api/missions/${id}/recover`, `/api/missions/${id}/cancel`]) {
        const answer = await post(field.daemon.target, path);
        wrong.push(...unless(answer.status === 200, `${path}: ${detailOf(answer)}`));
      }
      wrong.push(...normal.refusals.map((refusal) => `a mission after the restart: ${refusal}`));
    }
    const median = (values: readonly number[]): string => (values.toSorted((a, b) => a - b)[kills >> 1] ?? 0).toFixed(1);
    const after = `after ${median(seconds)} s (median; ${median(cpu_seconds)} s of processor time)`;
    return {
      effect: `the mission is interrupted and can be recovered at once; another one is executed ${after}`,
      seconds: Math.max(...seconds),
      told: `log: ${told}`,
      wrong,
    };
  },
};

const hours_ms = 7_200_000;

const clock: Fault = {
  name: 'clock',
  cause: 'the clock is set back by 2 s, then forward by 2 h, during an execution; later back',
  seconds_max: 5,
  run: async (field) => {
    const id = await begun(field.daemon.target, longWork('the clock is set'));
    await field.daemon.setClock(-2_000);
    await sleep(200);
    await field.daemon.setClock(hours_ms);
    await until(async () => (await stateOf(field, id)) !== 'running', 'the execution ends');
    const state = await stateOf(field, id);
    const { seconds, refusals } = await field.normal();
    await field.daemon.setClock(0);
    const back = await field.normal();
    return {
      effect: `none: the mission is in ${state}`,
      seconds: Math.max(seconds, back.seconds),
      told: `its record: ${state}`,
      wrong: [...unless(state === 'review', `the mission is ${state}`), ...refusals, ...back.refusals],
    };
  },
};

const altered: Fault = {
  name: 'altered',
  cause: 'a row of the table of missions is altered',
  seconds_max: 10,
  run: async (field) => {
    const submitted = await post(field.daemon.target, '/api/missions', minimal('allocation'));
    const { id } = JSON.parse(submitted.text) as { readonly id: string };
    inDatabase(join(field.sandbox.home, 'journal.sqlite3'), (db) =>
      db.prepare("UPDATE mission SET state = 'completed' WHERE id = ?").run(id),
    );
    const state = await stateOf(field, id);
    const told = await field.logged(/failed its verification/);
    const refused = await post(field.daemon.target, '/api/missions', minimal('allocation'));
    await field.daemon.stop();
    const began = performance.now();
    const { code, stderr } = await field.command('rebuild');
    await field.restart();
    const { seconds, refusals } = await field.normal(began);
    return {
      effect: `it is shown as it was signed (${state}); nothing but pauses, failures, cancellations and revocations of tokens is recorded until rebuild`,
      seconds,
      told: `log: ${told}; ${refused.status}: ${detailOf(refused)}`,
      wrong: [
        ...unless(state === 'queued', `it is shown as ${state}`),
        ...unless(refused.status === 500, `a new mission: ${refused.status}`),
        ...unless(code === 0, `rebuild: ${stderr}`),
        ...refusals,
      ],
    };
  },
};

/** Files of the home, each with a command that reads it; by default the last one. test/home/files.test.ts has them all. */
const fifos = (
  [
    ['identity.key', 'list'],
    ['ballast', 'resume'],
    ['config.json', 'list'],
  ] as const
).slice(atEffort(-1, 0));

const fifo: Fault = {
  name: 'fifo',
  cause: `a FIFO in place of ${fifos.map(([name]) => name).join(', ')}`,
  seconds_max: 5,
  absent: () => (process.platform === 'win32' ? 'there are no FIFOs' : null),
  run: async (field) => {
    const wrong: string[] = [];
    let told = '';
    for (const [name, argv] of fifos) {
      const file = join(field.sandbox.home, name);
      renameSync(file, `${file}.aside`);
      execFileSync('mkfifo', ['-m', '600', file]);
      const { code, stderr } = await field.command(argv);
      told = stderr.trim().split('\n')[0] ?? '';
      wrong.push(...unless(code === 3, `${argv} with ${name}: exit ${code}: ${stderr}`));
      const status = await get(field.daemon.target, '/api/status');
      wrong.push(...unless(status.status === 200, `the status with ${name}: ${detailOf(status)}`));
      // The last one stays while the daemon is told to end.
      if (name === 'config.json') await field.daemon.stop();
      rmSync(file);
      renameSync(`${file}.aside`, file);
    }
    const began = performance.now();
    await field.restart();
    const { seconds, refusals } = await field.normal(began);
    return {
      effect: 'commands refuse it and do not wait; the daemon serves, and ends on SIGTERM',
      seconds,
      told,
      wrong: [...wrong, ...refusals],
    };
  },
};

export const processFaults: readonly Fault[] = [kill, clock, altered, fifo];
