/** Serves the assistant of the person who runs the command: it has their home, the files that they allow, and standard input and output. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { configOrNull } from '../app/home/config.js';
import { addressOfDaemon } from '../app/home/files.js';
import { type Home, programVersion, type World } from '../app/home/home.js';
import { makeStaging, removeAbandoned } from '../app/home/staging.js';
import { isServed } from '../app/home/upgrade.js';
import { requireOtherName } from '../app/home/via.js';
import { inputFiles } from '../app/intake/input.js';
import { Intake } from '../app/intake/intake.js';
import { requestExecution } from '../app/missions/missions.js';
import { invalid, RefusalError } from '../base/refusal.js';
import { quoted } from '../base/text.js';
import { actor } from '../codec/scalars.js';
import type { InputFile } from '../intake/types.js';
import type { Assistant } from './assistant.js';
import { serveStdio, type StdioOptions } from './stdio.js';

export interface LocalOptions extends StdioOptions {
  /** The actor of what it does. */
  readonly name: string;
  /** The directories below which its files may be. */
  readonly directories: readonly string[];
  /** Whether it may have missions executed. */
  readonly mayExecute: boolean;
  readonly world: World;
  /** Opens the home, on which it acts through the channel of assistants. */
  readonly withHome: Assistant['withHome'];
}

/** Serves until the input ends or the signal aborts. @throws RefusalError for a name or a directory that does not fit */
export async function serveLocal(options: LocalOptions, signal: AbortSignal): Promise<void> {
  const { name, directories, mayExecute, world, withHome } = options;
  if (!actor.is(name)) throw new RefusalError(invalid('--as', 'is not a name'));
  const roots = directories.map(realDirectory);
  /** The address of the console, as known when the home was last opened. */
  let page: string | null = null;
  const own = <A>(use: (home: Home) => Promise<A> | A): Promise<A> =>
    withHome((home) => {
      requireOtherName(home.db, name);
      const { console_origin = '' } = configOrNull(home) ?? {};
      page = console_origin === '' ? addressOfDaemon(home.paths.daemon, 'console') : `${console_origin}/`;
      return use(home);
    });
  // Before the client hears that it is served.
  await own(() => undefined);
  const place = path.join(tmpdir(), 'agent-cli-mcp');
  removeAbandoned(place);
  const drafts = makeStaging(place);
  const intake = new Intake({ clock: world.clock, directory: drafts.directory });
  try {
    const pageOf = (id: string): string | null => (page === null ? null : `${page}#/missions/${id}`);
    const readFiles = (named: string): readonly InputFile[] => allowedFiles(named, roots, fs.realpathSync(world.directory));
    const execute: Assistant['execute'] = mayExecute ? (home, id) => requestExecution(home, id, name, true) : null;
    const homeFlag = ` --home ${quoted(world.directory)}`;
    const known = { name, version: programVersion, pageOf, isServed, homeFlag };
    const assistant = { ...known, withHome: own, intake, readFiles, execute };
    await serveStdio(assistant, options, signal);
  } finally {
    intake.stop();
    drafts.remove();
  }
}

function realDirectory(named: string): string {
  const real = realOf(named);
  if (real !== null && fs.statSync(real).isDirectory()) return real;
  throw new RefusalError(invalid('--allow-dir', `${named} is not a directory`));
}

function realOf(named: string): string | null {
  try {
    return fs.realpathSync(named);
  } catch {
    return null;
  }
}

/**
 * Returns a file, or the files of a directory. What is not below an allowed directory is refused, whether or not it exists. So is what is in the home,
 * whose token would let the assistant approve. A directory that holds the home is refused as a whole, because no reader takes the files of a home.
 */
function allowedFiles(named: string, roots: readonly string[], home: string): readonly InputFile[] {
  if (roots.length === 0)
    throw new RefusalError(
      'forbidden',
      'no file may be read: the person allows a directory with agent-cli mcp --allow-dir DIR; or send texts or rows',
    );
  const candidates = path.isAbsolute(named) ? [named] : roots.map((root) => path.join(root, named));
  const isAllowed = (found: string): boolean => roots.some((root) => isBelow(found, root)) && !isBelow(found, home);
  const real = candidates.map(realOf).find((found) => found !== null && isAllowed(found));
  if (real !== undefined && real !== null) return inputFiles([real]);
  const allowed = `${roots.join(', ')}, without the home of agent-cli`;
  throw new RefusalError('forbidden', `there is no such file in an allowed directory; allowed: ${allowed}`);
}

const isBelow = (file: string, root: string): boolean =>
  file === root || file.startsWith(root.endsWith(path.sep) ? root : `${root}${path.sep}`);
