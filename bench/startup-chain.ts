/**
 * The processor time of a start beside the code for chains: `list` and `show`, each as a ratio to the same command of a copy of the program that lacks
 * that code and its libraries, in turn in one run. Goal: under 1.05. The copy also shows that neither command imports any of it.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleFile } from '../test/support/kinds/example-file.js';
import { median } from './measure.js';
import { root, start_cpu_ms, start_ms } from './start.js';

export const name = 'startup-chain';

const pairs = 15;
const missions = 5;
const goal = 1.05;
const libraries: readonly string[] = ['ethers', 'qrcode'];
const modules = ['src/chain', 'src/app/wallet', 'src/app/invoices', 'src/base/keccak.js'];
const commands = [
  'balance',
  'invoice',
  'invoice-cancel',
  'invoices',
  'settle',
  'verify-receipt',
  'wallet-bind',
  'wallet-challenge',
];

/** Copies the program without the code for chains; returns the file that starts it. */
function withoutChain(folder: string): string {
  for (const part of ['bin', 'dist', 'manifests', 'migrations', 'package.json', 'oclif.manifest.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const gone = [...modules, ...commands.map((command) => `commands/${command}.js`)];
  for (const path of gone) rmSync(join(folder, 'dist', path), { recursive: true });
  const packages = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const one of readdirSync(packages))
    if (!libraries.includes(one)) symlinkSync(join(packages, one), join(folder, 'node_modules', one), 'junction');
  return join(folder, 'bin', 'agent-cli.js');
}

export async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-startup-chain-'));
  const env = { ...process.env, AGENT_HOME: join(folder, 'home'), AGENT_WITNESS: join(folder, 'witness') };
  const program = join(root, 'bin', 'agent-cli.js');
  try {
    const without = withoutChain(join(folder, 'without'));
    start_ms([program, 'init'], env);
    for (let i = 0; i < missions; i++) start_ms([program, 'run', exampleFile('allocation')], env);
    const { stdout } = spawnSync(process.execPath, [program, 'list', '--json'], { env, encoding: 'utf8' });
    const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly id: string }[] };
    for (const args of [['list'], ['show', items[0]?.id ?? '']]) {
      const times = Array.from({ length: pairs }, () => ({
        own: start_cpu_ms([program, ...args], env),
        bare: start_cpu_ms([without, ...args], env),
      }));
      const ratio = median(times.map(({ own, bare }) => own / bare));
      const [own, bare] = [median(times.map((one) => one.own)), median(times.map((one) => one.bare))];
      const verdict = ratio < goal ? 'reached' : 'MISSED';
      print(
        `${args[0]}: ${ratio.toFixed(3)} times (goal < ${goal}) ${verdict}; ${own.toFixed(0)} and ${bare.toFixed(0)} ms of processor time`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await Promise.resolve();
}
