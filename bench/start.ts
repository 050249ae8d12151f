/** Starts of programs, timed from outside. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The package whose build is measured. */
export const root = packageRoot();

/** Returns the milliseconds until the process has ended. @throws Error when it fails, because a failure would be quick */
export function start_ms(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  return performance.now() - began;
}

const onExit = "const { user, system } = process.cpuUsage(); process.stderr.write('\\ncpu_us ' + (user + system));";
const told = `data:text/javascript,process.once('exit',()=>{${encodeURIComponent(onExit)}})`;

/** Returns the milliseconds of processor time that a program takes from start to end, by all its threads: other programs disturb it less. */
export function start_cpu_ms(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const { status, stderr } = spawnSync(process.execPath, ['--import', told, ...args], { env, encoding: 'utf8' });
  const used = /\ncpu_us ([0-9]+)$/.exec(stderr)?.[1];
  if (status !== 0 || used === undefined) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  return Number(used) / 1_000;
}
