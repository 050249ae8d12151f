/** A home with what the attacks need: tokens of a viewer and a reviewer, and a simulation run with a large result. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cold, said } from '../support/crash/crash-cli.js';
import type { Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted } from '../support/crash/crash-settle.js';
import { hang_ms } from '../support/wait.js';
import type { Attacked } from './attacks.js';
import { ask } from './probe.js';
import { simulation_token, type Target } from './real-daemon.js';

/** A million genes: with the genomes the result has 10.5 MB. */
const large = { pop_size: 10_000, num_sectors: 100, generations: 1, horizon: 5, seed: 7 };

export const command = async (sandbox: Sandbox, ...argv: readonly string[]): Promise<Record<string, unknown>> =>
  accepted(said(await cold([...argv, '--json'], sandbox.env)), argv.join(' '));

/** Makes the home and its tokens. */
export async function makeHome(sandbox: Sandbox): Promise<Pick<Attacked, 'viewer' | 'reviewer'>> {
  await command(sandbox, 'init');
  const tokenOf = async (role: string): Promise<string> =>
    String((await command(sandbox, 'token', 'create', role, '--role', role))['token']);
  return { viewer: await tokenOf('viewer'), reviewer: await tokenOf('reviewer') };
}

/** Runs the large simulation; returns its id. */
export async function largeRun({ simulation }: Target): Promise<string> {
  const { status, text } = await ask(`${simulation}simulate`, 'POST', simulation_token, large);
  if (status !== 200) throw new Error(`POST /simulate: ${status} ${text}`);
  const { id } = JSON.parse(text) as { readonly id: string };
  const end = performance.now() + hang_ms;
  while ((await ask(`${simulation}results/${id}.csv`, 'GET', simulation_token)).status !== 200) {
    if (performance.now() > end) throw new Error(`run ${id} did not end`);
    await sleep(100);
  }
  return id;
}
