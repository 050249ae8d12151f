/**
 * How a daemon serves while it is attacked: the time of `GET /healthz` and of a pause or resume over HTTP, on a connection of their
 * own each, beside an idle daemon in the same run; the delay of its event loop, its processor time, and its memory. The daemons are
 * `agent-cli serve` with the simulation, and the attackers have a process of their own.
 *
 * BENCH_ATTACKS=NAME,… chooses attacks. BENCH_SECONDS is the duration of each, 20 by default.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attacks, type Attacked } from '../test/drill/attacks.js';
import { mount } from '../test/drill/attack-process.js';
import { largeRun, makeHome } from '../test/drill/given-attacked.js';
import { probe, type Spread } from '../test/drill/probe.js';
import { RealDaemon } from '../test/drill/real-daemon.js';
import { cold } from '../test/support/crash/crash-cli.js';
import { makeSandbox } from '../test/support/crash/crash-sandbox.js';

export const name = 'attacks on a daemon';

type Print = (line: string) => void;

const attack_ms = 1_000 * Number(process.env['BENCH_SECONDS'] ?? '20');
const p99_ms_max = 250;
const back_ms_max = 60_000;
/** The memory is back when it is within this of what it was. */
const back_bytes = 64 * 1_048_576;

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-bench-attacks-'));
  const daemons: RealDaemon[] = [];
  try {
    const [attacked, idle] = [makeSandbox(path.join(base, 'attacked')), makeSandbox(path.join(base, 'idle'))];
    const tokens = await makeHome(attacked);
    await makeHome(idle);
    for (const { env } of [attacked, idle]) daemons.push(await RealDaemon.start(env));
    const [daemon, quiet] = daemons;
    if (daemon === undefined || quiet === undefined) throw new Error('no daemons');
    const target = { ...daemon.target, ...tokens, run: await largeRun(daemon.target) };
    await sleep(2_000);
    for (const attack of chosen()) await measure({ daemon, quiet, env: attacked.env, target, attack, print });
  } finally {
    for (const daemon of daemons) await daemon.kill();
    rmSync(base, { recursive: true, force: true });
  }
}

function chosen(): readonly string[] {
  const names = process.env['BENCH_ATTACKS']?.split(',') ?? Object.keys(attacks);
  for (const one of names) if (attacks[one] === undefined) throw new Error(`no such attack: ${one}`);
  return names;
}

interface Measured {
  readonly daemon: RealDaemon;
  readonly quiet: RealDaemon;
  /** The environment of commands beside the attacked daemon. */
  readonly env: Readonly<Record<string, string>>;
  readonly target: Attacked;
  readonly attack: string;
  readonly print: Print;
}

async function measure({ daemon, quiet, env, target, attack, print }: Measured): Promise<void> {
  const idle_bytes = daemon.rss_bytes;
  let most_bytes = 0;
  const watching = setInterval(() => (most_bytes = Math.max(most_bytes, daemon.rss_bytes)), 50);
  await daemon.delays();
  await quiet.delays();
  const [cpu_ms, began] = [daemon.cpu_ms, performance.now()];
  const probes = [daemon, quiet].map(({ target: probed }) => probe(probed, { control: true }));
  const mounted = mount(attack, target);
  await sleep(attack_ms);
  const commands = [await cold(['pause'], env), await cold(['resume'], env)];
  const [under, beside] = await Promise.all(probes.map((one) => one.end()));
  const share = (100 * (daemon.cpu_ms - cpu_ms)) / (performance.now() - began);
  const [late, usual] = [await daemon.delays(), await quiet.delays()];
  await mounted.end();
  clearInterval(watching);
  const back_ms = await backWithin(daemon, idle_bytes);
  print(`${attack} (${attacks[attack]?.cause ?? ''}), ${attack_ms / 1_000} s:`);
  for (const [what, asked, other] of [
    ['GET /healthz', under?.health, beside?.health],
    ['pause, resume', under?.control, beside?.control],
  ] as const) {
    if (asked === undefined || asked === null) continue;
    print(`  ${what}: ${shown(asked)} (${asked.p99_ms <= p99_ms_max ? 'within' : 'beyond'} ${p99_ms_max} ms)`);
    if (other !== undefined && other !== null) print(`    of the idle daemon: ${shown(other)}`);
  }
  const isPaused = commands.every(({ code }) => code === 0);
  print(`  pause and resume on the command line: ${isPaused ? 'done' : commands.map(({ stderr }) => stderr).join(' ')}`);
  print(
    `  event loop: p99 ${late.p99_ms.toFixed(0)}, at most ${late.max_ms.toFixed(0)} ms late; idle: ${usual.p99_ms.toFixed(0)}, ${usual.max_ms.toFixed(0)} ms`,
  );
  const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(0);
  const back = back_ms === null ? `not back within ${back_ms_max / 1_000} s` : `back after ${(back_ms / 1_000).toFixed(1)} s`;
  print(
    `  processor ${share.toFixed(0)} %; memory ${mb(idle_bytes)} MB, at most ${mb(most_bytes - idle_bytes)} MB more, ${back}`,
  );
}

/** Returns the time until the memory is back, or null. */
async function backWithin(daemon: RealDaemon, idle_bytes: number): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < back_ms_max) {
    if (daemon.rss_bytes - idle_bytes <= back_bytes) return performance.now() - began;
    await sleep(200);
  }
  return null;
}

function shown({ count, p50_ms, p99_ms, max_ms, failed }: Spread): string {
  const bad = failed === 0 ? '' : `, ${failed} failed`;
  return `p50 ${p50_ms.toFixed(1)}, p99 ${p99_ms.toFixed(1)}, longest ${max_ms.toFixed(0)} ms, of ${count}${bad}`;
}
