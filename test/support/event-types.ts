/** The event types that src/codec/events/ declares, read from the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

export function declaredEventTypes(): readonly string[] {
  const folder = join(packageRoot(import.meta.url), 'src', 'codec', 'events');
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return sources.flatMap((source) => [...source.matchAll(/\bdeclare\(\s*'([a-z_.]+)'/g)].map(([, type = '']) => type));
}
