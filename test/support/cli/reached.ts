/**
 * Which files of ours running a compiled entry point can load, however late: its imports, followed. What the declaration of a kind loads, its engine and its
 * verifier, is loaded by threads.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { layers } from '../layers.js';
import { packageRoot } from '../package-root.js';

const dist = join(packageRoot(import.meta.url), 'dist');

const isKind = /src\/kinds\/\w+\/kind\.js$/;

/** Takes and returns paths below dist, as in `commands/list.js`. @param onThreads whether what threads load counts too */
export function reached(entry: string, { onThreads } = { onThreads: false }): string[] {
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(dist, file), 'utf8');
    open.push(...layers.importedPaths(file, isKind.test(file) && !onThreads ? text.replace(/\bimport\("/g, '("') : text));
  }
  return [...seen].map((file) => relative(dist, join(dist, file)).replaceAll('\\', '/'));
}
