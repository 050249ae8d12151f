/**
 * Appends against their limits: a bare WAL commit, and the signing rate. The entries are drawn as in real homes, and the moves of the state
 * snapshot, as the daemon makes them, are counted with the entries. Both sides of a ratio come from one run on one machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Database } from '../src/store/sqlite.js';
import { canonicalJson } from '../src/base/canonical-json.js';
import type { Home } from '../src/app/home/home.js';
import { AppendQueue } from '../src/journal/queue.js';
import { loadPosition } from '../src/journal/reader.js';
import { JournalWriter } from '../src/journal/writer.js';
import { tail_entries_max } from '../src/state/build.js';
import { notingProjector } from '../src/tables/projectors.js';
import { appendBatch, batch, drawn, goal, makeHome, type Open, submissions } from './journal-data.js';
import { measure, median, type Measured, whole } from './measure.js';

export const name = 'appends';
type Print = (line: string) => void;

const rounds = 9;

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'agent-bench-'));
  try {
    await single(base, print);
    await grouped(base, print);
    await queued(base, print);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** A journal that grows. */
interface Growing {
  readonly what: string;
  readonly home: Home;
  readonly writer: JournalWriter;
  /** The missions that its entries are drawn for. */
  readonly open: Open[];
  /** The ratios to reach. */
  readonly reach: { readonly single: number; readonly grouped: number };
}

/** With its tables, and without them: the entries, the tree, the signatures and the snapshot alone. */
function growing(directory: string): readonly Growing[] {
  const [own, bare] = [makeHome(`${directory}-own`), makeHome(`${directory}-bare`)];
  const writer = new JournalWriter(
    bare.db,
    bare.signer,
    [notingProjector],
    Date.now,
    loadPosition(bare.db, bare.signer.publicKey),
  );
  return [
    { what: 'with the tables', home: own, writer: own.writer, open: [], reach: { single: 0.4, grouped: 0.22 } },
    { what: 'the journal alone', home: bare, writer, open: [], reach: { single: 0.44, grouped: 0.29 } },
  ];
}

interface Compared {
  /** How many times a second. */
  readonly rate: number;
  readonly ratio: number;
  /** The same by processor time, which other programs disturb less. */
  readonly cpu_ratio: number;
}

/** Returns medians over rounds that measure the limit and this program in turn, so that a change of the machine's speed affects both. */
async function compare(limit: () => void, ours: () => () => void, share: { limit: number; ours: number }): Promise<Compared> {
  const samples: { limit: Measured; own: Measured }[] = [];
  for (let round = 0; round < rounds; round++) {
    const reached = await measure(limit);
    samples.push({ limit: reached, own: await measure(ours()) });
  }
  const ratioBy = (key: keyof Measured): number =>
    median(samples.map(({ limit: of, own }) => of[key] / share.limit / (own[key] / share.ours)));
  return {
    rate: median(samples.map(({ own }) => (share.ours * 1_000) / own.ms)),
    ratio: ratioBy('ms'),
    cpu_ratio: ratioBy('cpu_ms'),
  };
}

const told = ({ rate: own, ratio, cpu_ratio }: Compared, of: string, reach: number): string =>
  `${whole(own)}/s, ${ratio.toFixed(2)} of ${of} (reach ${reach.toFixed(2)}; by processor time ${cpu_ratio.toFixed(2)})`;

async function single(base: string, print: Print): Promise<void> {
  const bare = new Database(path.join(base, 'bare.sqlite3'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  bare.exec('CREATE TABLE row(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const insert = bare.prepare('INSERT INTO row(body) VALUES (?)');
  const body = canonicalJson({ goal, pad: 'x'.repeat(500) });
  const count = 2 * tail_entries_max;
  const limit = (): void => {
    for (let i = 0; i < count; i++) insert.run(body);
  };
  for (const { what, home, writer, open, reach } of growing(path.join(base, 'single'))) {
    const ours = (): (() => void) => {
      const commands = drawn(count, open);
      return () => {
        commands.forEach((command, i) => {
          writer.transact(command);
          if ((i + 1) % tail_entries_max === 0) home.moveSnapshot();
        });
      };
    };
    const compared = await compare(limit, ours, { limit: count, ours: count });
    print(`single append, ${what}: ${told(compared, 'a bare WAL FULL commit', reach.single)}, ${pages(home, writer, open)}`);
    home.close();
  }
  const paces = [0, 50, 100, 150, 200].map((us) => `${us} µs: ${whole(paced(() => insert.run(body), us))}`);
  print(`a bare commit after other work of ${paces.join(', ')} µs`);
  bare.close();
}

const paced_count = 500;

/** Returns how long a commit takes, in µs, the median, if the processor does other work of `us` before each: a disk that is left alone answers later. */
function paced(commit: () => void, us: number): number {
  return median(
    Array.from({ length: paced_count }, () => {
      const until = performance.now() + us / 1_000;
      while (performance.now() < until);
      const began = performance.now();
      commit();
      return (performance.now() - began) * 1_000;
    }),
  );
}

/** Returns how many pages of the log an entry writes. */
function pages(home: Home, writer: JournalWriter, open: Open[]): string {
  home.db.pragma('wal_checkpoint(RESTART)');
  for (const command of drawn(100, open)) writer.transact(command);
  const [{ log } = { log: 0 }] = home.db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
  return `${(log / 100).toFixed(1)} pages of the log an entry`;
}

const signatures = 10_000;

async function grouped(base: string, print: Print): Promise<void> {
  const message = Buffer.alloc(32, 7);
  for (const { what, home, writer, open, reach } of growing(path.join(base, 'grouped'))) {
    const signing = (): void => {
      for (let i = 0; i < signatures; i++) home.signer.sign(message);
    };
    const ours = (): (() => void) => {
      const prepared = Array.from({ length: 3 }, () => drawn(batch, open));
      return () => {
        for (const commands of prepared) {
          appendBatch(writer, commands);
          home.moveSnapshot();
        }
      };
    };
    const measured = await compare(signing, ours, { limit: signatures, ours: 3 * batch });
    print(`batches of ${batch}, ${what}: ${told(measured, 'the signing rate', reach.grouped)}`);
    home.close();
  }
}

async function queued(base: string, print: Print): Promise<void> {
  const home = makeHome(path.join(base, 'queued'));
  const queue = new AppendQueue(home.writer);
  const count = 5_000;
  const commands = submissions(count);
  const began = performance.now();
  await Promise.all(commands.map((command) => queue.submit(command)));
  print(`group commit of the queue (at most 100 or 5 ms a batch): ${whole((count * 1_000) / (performance.now() - began))}/s`);
  home.close();
}
