/** A place where copies of a home are altered and tried: always the same paths, so that outputs compare. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Config } from '@oclif/core';
import { sha256Hex } from '../../src/base/bytes.js';
import { setClock } from '../../src/cli/command.js';
import { ownProgram } from '../../src/cli/main.js';
import type { Db } from '../../src/store/database.js';
import type { Ran } from '../support/cli/cli-run.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { inMemory } from './alter.js';
import { type Change, placeIn } from './change.js';
import { sameRows } from './changes/schema.js';
import { type Finder, groupOf } from './groups.js';
import { type HomeName, sweep_ms } from './homes.js';
import { finderOf, inOrder, type Judged, missesOf, type Said } from './judge.js';
import { missions } from './mixed-home.js';
import { type ProbeName, probeNames, probeOf, usualProbes, type Workplace } from './probes.js';

export interface Tried {
  readonly name: string;
  readonly misses: readonly string[];
  /** What found it at the latest; absent for a change that left every row as it was. */
  readonly finder?: Finder | null;
  readonly ms: number;
}

interface TrialOptions {
  readonly isThorough: boolean;
  readonly turn: number;
  readonly only?: readonly ProbeName[] | undefined;
}

/** How many other commands meet a change that is found, and one that is harmless: there nothing may be different. */
const found_probes = atEffort(1, 4);
const harmless_probes = atEffort(2, 8);
/** In the large home, where a command takes some ten times longer, a change meets few commands, and one in so many is repaired. */
const large_repair_each = 8;

export class Trials {
  private readonly usual = new Map<HomeName, Map<ProbeName, Ran>>();
  private readonly workplaces: Readonly<Record<'main' | 'large', Workplace>>;

  private constructor(
    private readonly root: string,
    private readonly folder: string,
    private readonly run: RunCommand,
  ) {
    const work = join(folder, 'work');
    this.workplaces = {
      main: { folder: work, ...factsOf(root, 'main', 'checkpoint.txt') },
      large: { folder: work, ...factsOf(root, 'large', 'checkpoint-large.txt') },
    };
  }

  /** Where the copy is on which a command is tried. */
  private get work(): string {
    return this.workplaces.main.folder;
  }

  /** @param root holds the homes @param folder is for these trials alone, and need not exist */
  static async in(root: string, folder: string): Promise<Trials> {
    const trials = new Trials(root, folder, await commandsAt(sweep_ms));
    const { work } = trials;
    copyHome(join(root, 'main'), work);
    process.env['AGENT_HOME'] = join(work, 'home');
    process.env['AGENT_WITNESS'] = join(work, 'witness');
    process.chdir(folder);
    return trials;
  }

  /** Makes the change in a copy and tries commands on it: all of them, or the usual ones and some that depend on `turn`, or the given ones. */
  async try(change: Change, { isThorough, turn, only }: TrialOptions): Promise<Tried> {
    const began = performance.now();
    const altered = join(this.folder, 'altered');
    copyHome(join(this.root, change.of ?? 'main'), altered);
    change.apply(placeIn(altered));
    const isLarge = change.of === 'large';
    const isWhole = isThorough || (fullEffort && !isLarge && groupOf(change.group).finder === 'nothing');
    const names = only ?? (isWhole ? probeNames : chosenProbes(change, turn));
    const said = new Map<ProbeName, Ran>();
    const misses: string[] = [];
    const isVoid = this.isVoid(change);
    for (const name of names) {
      copyHome(altered, this.work);
      const written = name.startsWith('verify') ? filesOf(join(this.work, 'home')) : () => [];
      said.set(name, await this.say(name, change.like));
      misses.push(...written().map((file) => `${name}: wrote to ${file}`));
      if (!isVoid) misses.push(...(await this.stillFound(name, change, said.get(name)!)));
    }
    const judged: Judged = { change, said, usual: await this.usually(change.like ?? 'main', names), isVoid };
    misses.push(...missesOf(judged));
    if (!isLarge || turn % large_repair_each === 0) misses.push(...(await this.repaired(change)));
    const found = isVoid ? {} : { finder: finderOf(judged) };
    return { name: change.name, misses, ...found, ms: performance.now() - began };
  }

  private async say(name: ProbeName, home: HomeName = 'main'): Promise<Ran> {
    return this.run(probeOf(name).argv(this.workplaces[home === 'large' ? 'large' : 'main']));
  }

  /** What signs an entry on a home with damage that it did not find must not hide it; a table that entries make again it may make as it was. */
  private async stillFound(name: ProbeName, { group, removedBy }: Change, { code }: Ran): Promise<readonly string[]> {
    const { finder, newer, repair, mayRepair, isReplaced } = groupOf(group);
    if (mayRepair === name && code === 0) {
      const { code: found } = await this.run(['verify', '--deep']);
      return found === 0 ? [] : [`${name}: does not repair it: verify --deep exits ${String(found)}`];
    }
    const mustBeFound = ['every command', 'the command that shows it', 'verify'].includes(finder);
    if (!mustBeFound || newer === true || code !== 0 || probeOf(name).signs !== true) return [];
    const { code: found } = await this.run(['verify']);
    const mayBeGone = repair !== undefined || isReplaced === true || removedBy === name;
    if (found === 3 || (mayBeGone && (await this.run(['verify', '--deep'])).code === 0)) return [];
    return [`${name}: verify no longer finds it (exit ${String(found)})`];
  }

  private async repaired({ group, like = 'main' }: Change): Promise<readonly string[]> {
    const { repair } = groupOf(group);
    if (repair === undefined) return [];
    copyHome(join(this.folder, 'altered'), this.work);
    const { code, stderr } = await this.run(repair);
    if (code !== 0) return [`${repair.join(' ')} does not repair it (exit ${String(code)}): ${stderr.slice(0, 160)}`];
    const said = new Map<ProbeName, Ran>();
    for (const name of ['verify --deep', 'list'] as const) said.set(name, await this.say(name, like));
    const usual = await this.usually(like, said.keys());
    const unrepaired = [...said].filter(([name, ran]) => ran.code !== usual.get(name)!.code);
    return unrepaired.map(
      ([name, ran]) => `${name} after ${repair.join(' ')}: exit ${String(ran.code)} ${ran.stderr.slice(0, 160)}`,
    );
  }

  /** Whether the change left every row as it was. */
  private isVoid({ group, of = 'main' }: Change): boolean {
    if (groupOf(group).orNothing !== true) return false;
    return sameRows(placeIn(join(this.folder, 'altered')).journal, placeIn(join(this.root, of)).journal);
  }

  /** What commands say of a home that was not altered. */
  private async usually(home: HomeName, names: Iterable<ProbeName>): Promise<Said> {
    const said = this.usual.get(home) ?? new Map<ProbeName, Ran>();
    this.usual.set(home, said);
    for (const name of names) {
      if (said.has(name)) continue;
      copyHome(join(this.root, home), this.work);
      const ran = await this.say(name, home);
      if (ran.code !== 0) throw new Error(`${name} ends with ${String(ran.code)} on the home ${home}: ${ran.stderr}`);
      said.set(name, ran);
    }
    return said;
  }
}

/** Puts a copy of a home and its witness in the place of another, with the times of its files. */
export function copyHome(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) {
    const isPart = ['home', 'witness'].some((part) => name.startsWith(part));
    if (isPart) copyTree(join(from, name), join(to, name));
  }
}

/** The same as `cpSync`, which looks at every directory above each file. */
function copyTree(from: string, to: string): void {
  const stat = statSync(from);
  if (stat.isDirectory()) {
    mkdirSync(to, { mode: stat.mode });
    for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name));
  } else copyFileSync(from, to);
  utimesSync(to, stat.atime, stat.mtime);
}

/** The commands of a change: those that must find it, the usual ones or some of them in turn, and some others in turn. */
function chosenProbes(change: Change, turn: number): readonly ProbeName[] {
  const { shownBy = [], group, of } = change;
  const { finder } = groupOf(group);
  const others = probeNames.filter((name) => !usualProbes.includes(name) && name !== 'verify --against');
  const count = of === 'large' ? 1 : finder === 'nothing' ? harmless_probes : found_probes;
  const some = Array.from({ length: count }, (_, i) => others[(turn * count + i) % others.length]!);
  const isCompared = finder === 'verify --against' || (fullEffort && of !== 'large');
  const against = isCompared ? (['verify --against'] as const) : [];
  return inOrder([...usualOf(change, turn), ...shownBy, ...some, ...against]);
}

/** Returns the usual commands that a change meets: all of the small home's at full effort, otherwise `verify` and one in eight in turn. */
function usualOf({ of }: Change, turn: number): readonly ProbeName[] {
  if (fullEffort && of !== 'large') return usualProbes;
  return usualProbes.filter((name, i) => name === 'verify' || i % 8 === turn % 8);
}

function factsOf(root: string, home: HomeName, checkpoint: string): Omit<Workplace, 'folder'> {
  const read = (db: Db): Omit<Workplace, 'folder' | 'checkpoint' | 'mission'> => {
    const { revision, record } = db
      .prepare<[string], { revision: number; record: string }>('SELECT revision, record FROM mission WHERE id = ?')
      .get(missions.review)!;
    const { result_hash } = JSON.parse(record) as { result_hash: string };
    const runs = db.prepare<[], string>("SELECT id FROM simulation WHERE state = 'succeeded' ORDER BY request_seq").pluck().all();
    return { review: { revision, result_hash }, runs };
  };
  const facts = inMemory(placeIn(join(root, home)).journal, read);
  return { checkpoint: join(root, checkpoint), mission: join(root, 'mission.json'), ...facts };
}

/**
 * Returns a function that names the files of a home that have changed since. Files of SQLite's own bookkeeping do not count; what a log
 * holds, the next process may move into the database.
 */
function filesOf(home: string): () => readonly string[] {
  const log = statSync(join(home, 'journal.sqlite3-wal'), { throwIfNoEntry: false })?.size ?? 0;
  const look = (): ReadonlyMap<string, string> =>
    new Map(
      readdirSync(home)
        .filter((name) => !/-(?:wal|shm)$/.test(name) && !(log > 0 && name === 'journal.sqlite3'))
        .map((name) => {
          const stat = statSync(join(home, name));
          return [name, `${stat.mode} ${stat.isFile() ? sha256Hex(readFileSync(join(home, name))) : ''}`];
        }),
    );
  const before = look();
  return () => {
    const after = look();
    return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
  };
}

type RunCommand = (argv: readonly string[]) => Promise<Ran>;

/** Returns a function that runs a command with `--json` at a fixed time. Homes are named by the environment, as for a process. */
async function commandsAt(now: number): Promise<RunCommand> {
  setClock(() => now);
  const config = await Config.load(ownProgram());
  return (argv) => runIn(config, argv);
}

async function runIn(config: Config, argv: readonly string[]): Promise<Ran> {
  const command = find(config, argv);
  const written = { stdout: [] as string[], stderr: [] as string[] };
  const restore = (['stdout', 'stderr'] as const).map((name) => capture(name, written[name]));
  process.exitCode = undefined;
  try {
    const loaded = await command.load();
    await loaded.run([...argv.slice(command.id.split(':').length), '--json'], config);
    return { code: exitCode(), stdout: written.stdout.join(''), stderr: written.stderr.join('') };
  } finally {
    for (const back of restore) back();
    process.exitCode = undefined;
  }
}

/** Finds `token list` and `list` alike. */
function find(config: Config, argv: readonly string[]): Command.Loadable {
  const command = config.findCommand(argv.slice(0, 2).join(':')) ?? config.findCommand(argv[0] ?? '');
  if (command === undefined) throw new Error(`there is no command ${argv.join(' ')}`);
  return command;
}

/** A command sets it, which the compiler does not see. */
const exitCode = (): number => Number(process.exitCode ?? 0);

function capture(name: 'stdout' | 'stderr', into: string[]): () => void {
  const stream = process[name];
  const { write } = stream;
  stream.write = (part: string | Uint8Array, ...rest: readonly unknown[]) => {
    into.push(typeof part === 'string' ? part : Buffer.from(part).toString());
    const done = rest.at(-1);
    if (typeof done === 'function') (done as () => void)();
    return true;
  };
  return () => void (stream.write = write);
}
