/** What surrounds a command: environment variables, clock, home directory, and the program's own version. */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import * as t from 'io-ts';
import { unwrap } from '../../base/result.js';
import type { Clock } from '../../base/time.js';
import { decode, mapOf } from '../../codec/kit.js';
import { homeDirectory } from '../../home/paths.js';
import { packageRoot } from '../../store/package-root.js';

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Returns milliseconds of a clock that nobody sets; the process's own when absent. */
  readonly monotonic?: (() => number) | undefined;
  readonly directory: string;
}

export const worldOf = (home: string | undefined, env: World['env'], clock: Clock): World => ({
  env,
  clock,
  directory: homeDirectory(home, env),
});

/** Returns milliseconds of a clock that nobody sets. */
export const monotonic = (world: World): number => world.monotonic?.() ?? performance.now();

const manifest = unwrap(decode(mapOf(t.unknown), JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))));

export const programVersion: string = String(manifest['version']);
