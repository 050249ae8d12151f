/**
 * The reading of a large journal against its limits: a scan of the bodies, the rate of verifying signatures.
 * Both sides of a ratio come from one run on one machine. BENCH_ENTRIES: the size of both journals (by default 200 000 entries written in
 * batches and 50 000 written one by one; 1 000 000 for the figures in the README).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openHome } from '../src/app/home/open.js';
import { listPage, showMission } from '../src/app/missions/missions.js';
import { rebuildHome } from '../src/app/home/rebuild.js';
import { appendBatch, fill, makeHome, submissions, world } from './journal-data.js';
import { verification, type Journal } from './journal-verification.js';
import { median, rate, whole } from './measure.js';

export const name = 'journal';
type Print = (line: string) => void;

const asked = process.env['BENCH_ENTRIES'];
const sizes = { 'in batches': Number(asked ?? 200_000), 'one by one': Number(asked ?? 50_000) };

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'agent-bench-'));
  try {
    const big = { directory: path.join(base, 'big'), entries: sizes['in batches'], written: 'in batches' } as const;
    const single = { directory: path.join(base, 'one-by-one'), entries: sizes['one by one'], written: 'one by one' } as const;
    const [newest] = [make(big, print), make(single, print)];
    await verification([big, single], print);
    rebuild(big, print);
    opening(base, big, print);
    queries(big, newest, print);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function make({ directory, entries, written }: Journal, print: Print): readonly string[] {
  const began = performance.now();
  const newest = fill(directory, entries, written);
  print(
    `a journal of ${whole(entries)} entries written ${written}, made in ${((performance.now() - began) / 1_000).toFixed(1)} s`,
  );
  return newest;
}

function rebuild({ directory, entries }: Journal, print: Print): void {
  const home = openHome(world(directory));
  print(`rebuild: ${whole(rate(entries, () => rebuildHome(home, () => undefined)))} entries/s`);
  home.close();
}

function opening(base: string, { directory: big, entries }: Journal, print: Print): void {
  const small = path.join(base, 'small');
  const home = makeHome(small);
  appendBatch(home.writer, submissions(9));
  home.close();
  const open = (directory: string): number => {
    const began = performance.now();
    openHome(world(directory)).close();
    return performance.now() - began;
  };
  const ratios: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < 21; round++) {
    const limit = open(small);
    const ours = open(big);
    ratios.push(ours / limit);
    times.push(ours);
  }
  print(
    `open at ${whole(entries)} entries: ${median(times).toFixed(2)} ms, ${median(ratios).toFixed(2)} times open at 10 (reach 2)`,
  );
}

function queries({ directory }: Journal, newest: readonly string[], print: Print): void {
  const home = openHome(world(directory));
  const missions = home.db.prepare<[], { n: number }>('SELECT count(*) AS n FROM mission').get()?.n ?? 0;
  const lists = rate(2_000, () => {
    for (let i = 0; i < 2_000; i++) listPage(home, {});
  });
  const shows = rate(2_000, () => {
    for (let i = 0; i < 2_000; i++) showMission(home, newest[i % newest.length] ?? '');
  });
  print(`with ${whole(missions)} missions: list of 50 ${whole(lists)}/s, show ${whole(shows)}/s`);
  home.close();
}
