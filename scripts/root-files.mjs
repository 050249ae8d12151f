/** Fills the root directory of a container with programs of this machine and the libraries that they load. Needs Linux and ldd. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

const ldd_ms_max = 300_000;

/** Returns the paths of the shared libraries that a program or library loads. A static program loads none. */
export function librariesOf(file) {
  const { status, stdout } = spawnSync('ldd', [file], { encoding: 'utf8', timeout: ldd_ms_max });
  if (status !== 0) return [];
  return [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((found) => found[1]);
}

/** Copies a file of this machine below `root`, unless it is there. */
export function copyBelow(root, from, to = from) {
  const target = join(root, to);
  if (fs.existsSync(target)) return;
  fs.mkdirSync(dirname(target), { recursive: true });
  fs.copyFileSync(from, target);
  fs.chmodSync(target, fs.statSync(from).mode & 0o111 ? 0o755 : 0o644);
}
