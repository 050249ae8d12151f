/** Faults of the machine and its set-up: a full disk, no file descriptors, a weak token, another protocol. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../src/base/refusal.js';
import { atEffort } from '../support/effort.js';
import { cold } from '../support/crash/crash-cli.js';
import { longWork, until } from '../support/app/given-daemon.js';
import { minimal } from '../support/codec/mission-samples.js';
import type { Tmpfs } from '../support/mount.js';
import { exchangeRaw } from '../http/raw-client.js';
import { deadly_goal } from './deadly.js';
import { unless, type Fault } from './fault.js';
import { begun, detailOf, get, post, tryMission } from './load.js';
import type { Line } from './real-daemon.js';
import { stateOf } from './faults-process.js';

/** Fills the disk, of which the daemon takes some at the same time. */
function fill(disk: Tmpfs): void {
  try {
    disk.fill('filler');
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
  }
}

const fullDisk: Fault = {
  name: 'full-disk',
  cause: 'the disk fills during an execution, and is freed later',
  seconds_max: 10,
  absent: ({ disk }) => (typeof disk === 'string' ? disk : null),
  run: async (field) => {
    const { disk, daemon } = field;
    if (typeof disk === 'string') throw new Error(disk);
    const id = await begun(daemon.target, longWork('the disk fills'));
    fill(disk);
    const told = await field.logged(new RegExp(`mission ${id}: .*is kept and is tried again`));
    const refused = await post(daemon.target, '/api/missions', minimal('allocation'));
    const status = await get(daemon.target, '/api/status');
    disk.free('filler');
    const began = performance.now();
    const { seconds, refusals } = await field.normal(began);
    await until(async () => (await stateOf(field, id)) === 'review', 'the outcome is recorded');
    return {
      effect: 'nothing is recorded meanwhile; the outcome is kept and recorded',
      seconds: Math.max(seconds, (performance.now() - began) / 1_000),
      told: `log: ${told}; ${refused.status}: ${detailOf(refused)}`,
      wrong: [
        ...unless(refused.status === 507, `a new mission: ${refused.status}`),
        ...unless(status.status === 200, `the status: ${detailOf(status)}`),
        ...refusals,
      ],
    };
  },
};

const prlimit = (pid: number, soft: string): string =>
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${soft}`], { encoding: 'utf8' });

/** The lowest number that no file descriptor of the process has. */
function lowestFree(pid: number): number {
  const used = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let lowest = 0;
  while (used.has(lowest)) lowest++;
  return lowest;
}

const tries_max = 100;
const round_ms_max = 3_000;

/** The text of a line of the log, with that of its error. */
const textOf = ({ msg, err }: Line): string => (err === undefined ? msg : `${msg}: ${err.message}`);

const descriptors: Fault = {
  name: 'descriptors',
  cause: 'the daemon has no file descriptors left',
  seconds_max: 5,
  absent: () => (process.platform === 'linux' ? null : 'needs prlimit'),
  run: async ({ daemon, normal }) => {
    const from = daemon.log.length;
    const usual = /^Max open files +([0-9]+)/m.exec(readFileSync(`/proc/${daemon.pid}/limits`, 'utf8'))?.[1] ?? '1024';
    const named = (): string | undefined =>
      daemon.log
        .slice(from)
        .map(textOf)
        .find((text) => text.includes('EMFILE'));
    const refusals = new Set<string>();
    const tries = (): Promise<unknown>[] =>
      Array.from({ length: 4 }, () =>
        tryMission(daemon.target).then(
          (refused) => refusals.add(refused ?? 'it is executed'),
          (error: unknown) => refusals.add(String(error)),
        ),
      );
    const untilTold = async (): Promise<void> => {
      for (const end = performance.now() + round_ms_max; named() === undefined && performance.now() < end; ) await sleep(20);
    };
    // A few are left, so that connections are accepted and what requests open is refused; how many that is changes with the load.
    for (let n = 0; n < tries_max && named() === undefined; n++) {
      prlimit(daemon.pid, `${lowestFree(daemon.pid) + (n % 8)}:`);
      await Promise.race([Promise.all(tries()), untilTold()]);
    }
    prlimit(daemon.pid, `${usual}:`);
    const { seconds } = await normal();
    const effect = `a mission meanwhile: ${[...refusals].join('; ')}`;
    return { effect, seconds, told: named() === undefined ? '' : `log: ${named()}` };
  },
};

const crashes = atEffort(3, 8);

const crashing: Fault = {
  name: 'crashes',
  cause: `missions end the thread of their engine, ${crashes} times in a row`,
  seconds_max: 5,
  run: async (field) => {
    let id = '';
    for (let n = 0; n < crashes; n++) {
      id = await begun(field.daemon.target, { ...minimal('allocation'), goal: deadly_goal });
      await until(async () => (await stateOf(field, id)) !== 'running', 'the mission ends');
    }
    const { seconds, refusals } = await field.normal();
    const { error } = JSON.parse((await get(field.daemon.target, `/api/missions/${id}`)).text) as {
      readonly error: { readonly code: string; readonly message: string } | null;
    };
    return {
      effect: 'each of them is failed; the next mission is executed',
      seconds,
      told: error === null ? '' : `its record: ${error.code}: ${error.message}`,
      wrong: refusals,
    };
  },
};

const weakToken: Fault = {
  name: 'weak-token',
  cause: 'API_TOKEN has one character, and the host can be reached by others',
  seconds_max: 5,
  run: async (field) => {
    const argv = ['serve', '--host', '0.0.0.0', '--allow-remote', '--port', '0'];
    const { code, stderr } = await cold(argv, { ...field.sandbox.env, API_TOKEN: 'x' });
    const { seconds } = await field.normal();
    return { effect: `serve exits ${code}`, seconds, told: stderr.trim(), wrong: unless(code === 2, `exit ${code}`) };
  },
};

const rtsp: Fault = {
  name: 'rtsp',
  cause: 'OPTIONS … RTSP/1.0',
  seconds_max: 5,
  run: async (field) => {
    const port = Number(new URL(field.daemon.target.operator).port);
    const { answers } = await exchangeRaw(port, 'OPTIONS * RTSP/1.0\r\nHost: localhost\r\n\r\n', { answers: 1 });
    const [answer] = answers;
    const { seconds } = await field.normal();
    const told = answer === undefined ? '' : `${answer.status}: ${detailOf({ status: answer.status, text: answer.body })}`;
    return { effect: 'the connection ends', seconds, told, wrong: unless(answer?.status === 400, `${answer?.status}`) };
  },
};

export const machineFaults: readonly Fault[] = [fullDisk, descriptors, weakToken, rtsp, crashing];
