/** A home with its witness directory and a place for outputs, in a directory of its own that can be copied as a whole. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Database } from '../../../src/store/sqlite.js';
import type { Env } from './crash-cli.js';
import { copyTree } from '../app/temporary-home.js';

export interface Sandbox {
  readonly root: string;
  readonly home: string;
  readonly witness: string;
  /** The directory of exports. */
  readonly outputs: string;
  readonly env: Env;
}

export function sandboxAt(root: string): Sandbox {
  const [home, witness, outputs] = [join(root, 'home'), join(root, 'witness'), join(root, 'outputs')];
  return { root, home, witness, outputs, env: { AGENT_HOME: home, AGENT_WITNESS: witness } };
}

export function makeSandbox(root: string): Sandbox {
  const sandbox = sandboxAt(root);
  mkdirSync(sandbox.outputs, { recursive: true });
  return sandbox;
}

/** Replaces what is at `root` by a copy; the template must not be open. */
export function copySandbox(template: Sandbox, root: string): Sandbox {
  rmSync(root, { recursive: true, force: true });
  copyTree(template.root, root);
  const copy = sandboxAt(root);
  for (const folder of [copy.home, copy.witness]) if (existsSync(folder)) chmodSync(folder, 0o700);
  return copy;
}

const temporary = /\.tmp-[0-9a-f]{12}$/;

/** Which file of a command's a path is, in a reader's words; null for files that are none of a command's making. */
export function fileKind({ home, witness, outputs }: Sandbox, file: string): string | null {
  if (file === home) return 'the home directory';
  if (file === witness) return 'the witness directory';
  if (file === outputs) return "the export's directory";
  if (file === dirname(home)) return 'the directory above';
  const name = basename(file).replace(temporary, '');
  if (dirname(file) === witness) return 'the witness file';
  if (dirname(file) === outputs) return 'the export';
  if (dirname(file) === join(home, running)) return "the attempt's lock file";
  if (file === join(home, running)) return 'the directory of lock files';
  return dirname(file) === home ? name.replace(/-journal$/, '') : null;
}

/** The directory of a home that holds the lock files of attempts; made by the first execution. */
const running = 'running';

/** Names in a home but that directory. */
export const filesIn = (home: string): string[] => namesIn(home).filter((name) => name !== running);
/** Names of the lock files of a home. */
export const locksIn = (home: string): string[] => namesIn(join(home, running));

/** Names in a directory, or none where it is missing. */
export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
export const temporariesIn = (folder: string): string[] => namesIn(folder).filter((name) => temporary.test(name));
export const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

export interface Row {
  readonly seq: number;
  readonly stream: string;
  readonly type: string;
  readonly hash: string;
}

/** The journal's entries, read past the program; not read-only, which would leave -wal and -shm behind. */
export function entriesOf(home: string): Row[] {
  const db = new Database(join(home, 'journal.sqlite3'), { fileMustExist: true });
  try {
    const sql = "SELECT seq, mission AS stream, hash, json_extract(body, '$.type') AS type FROM events ORDER BY seq";
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}

/** As doctor prints it, and `verify --expect-head` takes it. */
export function headOf(home: string): string {
  const newest = entriesOf(home).at(-1);
  if (newest === undefined) throw new Error('the journal has no entry');
  return `${newest.seq}:${newest.hash.slice(0, 16)}`;
}
