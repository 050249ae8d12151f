/** Which files of ours running a compiled entry point can load, however late: its imports, followed. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { layers } from '../layers.js';
import { packageRoot } from '../package-root.js';

const dist = join(packageRoot(import.meta.url), 'dist');

/** Takes and returns paths below dist, as in `commands/list.js`. */
export function reached(entry: string): string[] {
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...layers.importedPaths(file, readFileSync(join(dist, file), 'utf8')));
  }
  return [...seen].map((file) => relative(dist, join(dist, file)).replaceAll('\\', '/'));
}
