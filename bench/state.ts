/**
 * What the size of a home costs, as the state snapshot has it (docs/journal-format.md): the processor time of a start of `list`, `show`,
 * `review` and `pause` beside the smallest home, a page of a list beside its SQL, and a move of the snapshot. BENCH_ENTRIES: the largest home.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../src/app/home/open.js';
import type { Home } from '../src/app/home/home.js';
import { listPage, type ListOptions } from '../src/app/missions/missions.js';
import { sorted_missions_max } from '../src/tables/mission-listing.js';
import { tail_entries_max } from '../src/state/build.js';
import { exampleFile } from '../test/support/kinds/example-file.js';
import { appendBatch, drawn, fill, type Open, world } from './journal-data.js';
import { median, whole } from './measure.js';
import { root, start_cpu_ms, start_ms } from './start.js';

export const name = 'state';
type Print = (line: string) => void;

const sizes = [10, 10_000, Number(process.env['BENCH_ENTRIES'] ?? 100_000)];
const rounds = 9;
const goal = 1.3;
const program = join(root, 'bin', 'agent-cli.js');

interface Sized {
  readonly entries: number;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Missions to review, one a round. */
  readonly missions: readonly Reviewable[];
}

/** What `show` says of a mission. */
interface Reviewable {
  readonly id: string;
  readonly revision: number;
  readonly result_hash: string;
}

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'agent-state-'));
  try {
    const homes = sizes.map((entries) => make(join(base, String(entries)), entries));
    starts(homes, print);
    for (const home of homes) reads(home, print);
    for (const home of homes) moves(home, print);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  await Promise.resolve();
}

function make(directory: string, entries: number): Sized {
  fill(directory, entries, 'in batches');
  const env = { ...process.env, AGENT_HOME: directory, AGENT_WITNESS: `${directory}-witness` };
  const told = (...args: readonly string[]): Reviewable => {
    const { stdout } = spawnSync(process.execPath, [program, ...args, '--json'], { env, encoding: 'utf8' });
    return JSON.parse(stdout) as Reviewable;
  };
  const missions = Array.from({ length: rounds }, () => {
    const { id } = told('run', exampleFile('allocation'));
    start_ms([program, 'execute', id], env);
    return told('show', id);
  });
  return { entries, directory, env, missions };
}
/** Measures all homes in turn and prints the medians of the ratios to the smallest one. */
function starts(homes: readonly Sized[], print: Print): void {
  const commands: Readonly<Record<string, (mission: Reviewable) => readonly string[]>> = {
    list: () => ['list'],
    show: ({ id }) => ['show', id],
    review: ({ id, revision, result_hash }) => [
      'review',
      id,
      '--approve',
      '--note',
      'measured',
      '--revision',
      String(revision),
      '--result-hash',
      result_hash,
    ],
    pause: () => ['pause'],
  };
  for (const [command, args] of Object.entries(commands)) {
    const times = Array.from({ length: rounds }, (_, round) =>
      homes.map(({ env, missions }) => {
        const mission = missions[round];
        if (mission === undefined) throw new Error('there is a mission a round');
        const ms = start_cpu_ms([program, ...args(mission)], env);
        if (command === 'pause') start_ms([program, 'resume'], env);
        return ms;
      }),
    );
    homes.forEach(({ entries }, i) => {
      const ratio = median(times.map((row) => (row[i] ?? 0) / (row[0] ?? 1)));
      const verdict = i === 0 ? '' : `, ${ratio.toFixed(2)} times (goal < ${goal}) ${ratio < goal ? 'reached' : 'MISSED'}`;
      print(`${command} at ${whole(entries)} entries: ${median(times.map((row) => row[i] ?? 0)).toFixed(0)} ms${verdict}`);
    });
  }
}

const opened = ({ directory }: Sized): Home => openHome(world(directory));

/** Returns the milliseconds of processor time of one call, the median of many. */
function cpu_ms(count: number, call: () => unknown): number {
  const times = Array.from({ length: count }, () => {
    const before = process.cpuUsage();
    call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return median(times);
}

/** The statement that orders the same missions by a member. */
const ordered = (sort: string): string =>
  `SELECT * FROM (SELECT * FROM mission ORDER BY revision DESC LIMIT ${sorted_missions_max}) ORDER BY ${sort}, revision DESC LIMIT 50`;

const pages: readonly ListOptions[] = [{}, { state: 'queued' }, { sort: 'goal' }, { sort: 'kind' }, { sort: 'state' }];

function reads(sized: Sized, print: Print): void {
  const home = opened(sized);
  const at = `at ${whole(sized.entries)} entries`;
  const row = home.db.prepare<[string]>('SELECT * FROM mission WHERE id = ?').raw();
  for (const options of pages) {
    const ids = listPage(home, options).items.map(({ id }) => id);
    const { sort } = options;
    const statement = sort === undefined ? null : home.db.prepare(ordered(sort === 'goal' ? 'lower(goal)' : sort)).raw();
    const count = sort === undefined ? 201 : 11;
    const sql = cpu_ms(count, () => (statement === null ? ids.map((id) => row.get(id)) : statement.all()));
    const page = cpu_ms(count, () => listPage(home, options));
    print(
      `page ${JSON.stringify(options)} of ${ids.length} ${at}: ${page.toFixed(2)} ms, ${(page - sql).toFixed(2)} ms more than its SQL (goal 2)`,
    );
  }
  home.close();
}

const measured_moves = 200;
/** A daemon moves the snapshot for as long as it runs: the first moves after it opens a home are told by themselves. */
const first_moves = 20;

function moves(sized: Sized, print: Print): void {
  const home = opened(sized);
  const open: Open[] = [];
  const times = Array.from({ length: first_moves + measured_moves }, () => {
    appendBatch(home.writer, drawn(tail_entries_max, open));
    const began = performance.now();
    home.moveSnapshot();
    return performance.now() - began;
  });
  const sorted = times.slice(first_moves).toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
  const first = times.slice(0, first_moves);
  print(`a move of the snapshot at ${whole(sized.entries)} entries: ${at(0.5)} ms, p99 ${at(0.99)} ms (goal 10)`);
  print(
    `the first ${first_moves} moves after opening it: ${median(first).toFixed(1)} ms, longest ${Math.max(...first).toFixed(1)} ms`,
  );
  home.close();
}
