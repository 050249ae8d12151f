/** Copies of the golden homes (test/vectors/golden-homes), for tests of what happens to a home of an older version. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';
import { unpackInto } from './tar.js';
import { temporaryHome, type TemporaryHome } from './temporary-home.js';

const museum = join(packageRoot(import.meta.url), 'test', 'vectors', 'golden-homes');

/** Returns the home as that version left it, in a place of its own. The clock is after its last entry. */
export function goldenHome(version: string, name: string): TemporaryHome {
  const home = temporaryHome();
  for (const directory of [home.directory, home.witness]) rmSync(directory, { recursive: true });
  unpackInto(home.root, readFileSync(join(museum, version, `${name}.tar.gz`)));
  home.clock.now = Date.parse('2027-01-01T00:00:00Z');
  return home;
}
