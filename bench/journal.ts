/**
 * The journal against its limits: a bare WAL commit, the signing rate, a scan of the bodies, the rate of verifying signatures.
 * Both sides of a ratio come from one run on one machine. BENCH_ENTRIES: the size of both journals (by default 200 000 entries written in
 * batches and 50 000 written one by one; 1 000 000 for the figures in the README).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import Database from 'better-sqlite3';
import { canonicalJson } from '../src/base/canonical-json.js';
import { openHome } from '../src/app/home/open.js';
import type { Home } from '../src/app/home/home.js';
import { listPage, showMission } from '../src/app/missions/missions.js';
import { rebuildHome } from '../src/app/home/rebuild.js';
import { AppendQueue } from '../src/journal/queue.js';
import { loadPosition } from '../src/journal/position.js';
import { JournalWriter } from '../src/journal/writer.js';
import { appendBatch, batch, fill, goal, makeHome, submissions, world } from './journal-data.js';
import { verification, type Journal } from './journal-verification.js';
import { median, rate, whole } from './measure.js';

export const name = 'journal';
type Print = (line: string) => void;

const asked = process.env['BENCH_ENTRIES'];
const sizes = { 'in batches': Number(asked ?? 200_000), 'one by one': Number(asked ?? 50_000) };

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'agent-bench-'));
  try {
    singleAppend(base, print);
    await grouped(base, print);
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

/** Returns the same journal without projections, to measure the entries, the tree and the signatures alone. */
const withoutProjections = (home: Home): JournalWriter =>
  new JournalWriter(home.db, home.signer, [], Date.now, loadPosition(home.db, home.signer.publicKey));

/** Measures both in turn, so that a change of the machine's speed affects both. */
function singleAppend(base: string, print: Print): void {
  const bare = new Database(path.join(base, 'bare.sqlite3'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  bare.exec('CREATE TABLE row(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const insert = bare.prepare('INSERT INTO row(body) VALUES (?)');
  const body = canonicalJson({ goal, pad: 'x'.repeat(500) });
  const count = 400;
  const limit = (): number =>
    rate(count, () => {
      for (let i = 0; i < count; i++) insert.run(body);
    });
  const home = makeHome(path.join(base, 'single'));
  for (const [what, writer] of writersOf(home)) {
    const { ratio, own } = compare(limit, () => {
      const commands = submissions(count);
      return rate(count, () => {
        for (const command of commands) writer.transact(command);
      });
    });
    print(`single append, ${what}: ${whole(own)}/s, ${ratio.toFixed(2)} of a bare WAL FULL commit (reach 0.50)`);
  }
  bare.close();
  home.close();
}

const writersOf = (home: Home): readonly (readonly [string, JournalWriter])[] => [
  ['a mission with its table', home.writer],
  ['the journal alone', withoutProjections(home)],
];

const rounds = 9;

/** Returns medians over rounds that measure the limit and this program in turn. */
function compare(limit: () => number, ours: () => number): { readonly ratio: number; readonly own: number } {
  const samples = Array.from({ length: rounds }, () => {
    const reached = limit();
    const own = ours();
    return { ratio: own / reached, own };
  });
  return { ratio: median(samples.map((s) => s.ratio)), own: median(samples.map((s) => s.own)) };
}

async function grouped(base: string, print: Print): Promise<void> {
  const home = makeHome(path.join(base, 'grouped'));
  const message = Buffer.alloc(32, 7);
  const signing = (): number =>
    rate(10_000, () => {
      for (let i = 0; i < 10_000; i++) home.signer.sign(message);
    });
  const batches = (writer: JournalWriter): ReturnType<typeof compare> =>
    compare(signing, () => {
      const prepared = Array.from({ length: 3 }, () => submissions(batch));
      return rate(batch * 3, () => {
        for (const commands of prepared) appendBatch(writer, commands);
      });
    });
  for (const [what, writer] of writersOf(home)) {
    const { ratio, own } = batches(writer);
    print(`batches of ${batch}, ${what}: ${whole(own)}/s, ${ratio.toFixed(2)} of the signing rate (reach 0.37)`);
  }
  checkpoints(home, batches, print);
  const queue = new AppendQueue(home.writer);
  const count = 5_000;
  const commands = submissions(count);
  const began = performance.now();
  await Promise.all(commands.map((command) => queue.submit(command)));
  print(`group commit of the queue (at most 100 or 5 ms a batch): ${whole((count * 1_000) / (performance.now() - began))}/s`);
  home.close();
}

/** Measures what SQLite's checkpoint of its log costs, by the number of pages after which it comes. */
function checkpoints(home: Home, batches: (writer: JournalWriter) => ReturnType<typeof compare>, print: Print): void {
  const usual = home.db.pragma('wal_autocheckpoint', { simple: true });
  for (const pages of [1_000, 4_000, 16_000]) {
    home.db.pragma(`wal_autocheckpoint = ${pages}`);
    const { ratio } = batches(withoutProjections(home));
    print(`batches of ${batch}, the log checkpointed after ${whole(pages)} pages: ${ratio.toFixed(2)} of the signing rate`);
  }
  home.db.pragma(`wal_autocheckpoint = ${Number(usual)}`);
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
