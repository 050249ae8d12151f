/**
 * The journal against its limits: a bare WAL commit, the signing rate, a scan of the bodies, the verification rate of two cores.
 * Both sides of a ratio come from one run on one machine. Size: BENCH_ENTRIES (default 200 000; 1 000 000 for the figures in the
 * README).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import Database from 'better-sqlite3';
import sodium from 'sodium-native';
import { canonicalJson } from '../src/base/canonical-json.js';
import { sha256Hex } from '../src/base/hash.js';
import { initHome } from '../src/app/home/init.js';
import { openHome, type Home, type World } from '../src/app/home/home.js';
import { listPage, showMission } from '../src/app/missions/missions.js';
import { rebuildAll } from '../src/app/home/upgrade.js';
import { verifyJournal } from '../src/journal/verify.js';
import { signerFromSeed, verifySignature } from '../src/journal/keys.js';
import { AppendQueue } from '../src/journal/queue.js';
import { loadPosition } from '../src/journal/position.js';
import { JournalWriter, type Command } from '../src/journal/writer.js';

export const name = 'journal';
type Print = (line: string) => void;

const entries = Number(process.env['BENCH_ENTRIES'] ?? 200_000);
const batch = 1_000;
let serial = 0;

const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const goal = 'Sequence the orders of one week so that the last one leaves as early as possible. '.repeat(2);

/** An event with a body of about 700 bytes, like that of a queued mission. */
const submit: Command<null> = (tx) => {
  const request_hash = sha256Hex(String(serial));
  const request = { goal, seed: serial, work: { kind: 'forecast', unit: 'units' } };
  tx.append(uuid(serial++), {
    type: 'mission.submitted',
    document: { kind: 'forecast', goal, request, request_hash, actor: 'operator' },
  });
  return null;
};

function rate(count: number, run: () => void): number {
  const began = performance.now();
  run();
  return (count * 1_000) / (performance.now() - began);
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const whole = (n: number): string => Math.round(n).toLocaleString('en-US');

function world(directory: string): World {
  return { env: { AGENT_WITNESS: `${directory}-witness` }, clock: Date.now, directory };
}

function makeHome(directory: string): Home {
  initHome(world(directory));
  return openHome(world(directory));
}

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'agent-bench-'));
  try {
    singleAppend(base, print);
    await grouped(base, print);
    const big = path.join(base, 'big');
    fill(big, print);
    const newest = serial - 1;
    await verification(big, print);
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
    const { ratio, own } = compare(limit, () =>
      rate(count, () => {
        for (let i = 0; i < count; i++) writer.transact(submit);
      }),
    );
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
  for (const [what, writer] of writersOf(home)) {
    const { ratio, own } = compare(signing, () =>
      rate(batch * 3, () => {
        for (let i = 0; i < 3; i++) appendBatch(writer, batch);
      }),
    );
    print(`batches of ${batch}, ${what}: ${whole(own)}/s, ${ratio.toFixed(2)} of the signing rate (reach 0.37)`);
  }
  const queue = new AppendQueue(home.writer);
  const count = 5_000;
  const began = performance.now();
  await Promise.all(Array.from({ length: count }, () => queue.submit(submit)));
  print(`group commit of the queue (at most 100 or 5 ms a batch): ${whole((count * 1_000) / (performance.now() - began))}/s`);
  home.close();
}

function appendBatch(writer: JournalWriter, size: number): void {
  writer.begin();
  writer.run(Array.from({ length: size }, () => submit));
}

function fill(directory: string, print: Print): void {
  const home = makeHome(directory);
  const began = performance.now();
  while (home.writer.head.size < entries) appendBatch(home.writer, Math.min(batch, entries - home.writer.head.size));
  home.close();
  print(`a journal of ${whole(entries)} entries made in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

async function verification(directory: string, print: Print): Promise<void> {
  const home = openHome(world(directory));
  const file = home.paths.journal;
  const key = home.signer.publicKey;
  const scan = (): number =>
    rate(entries, () => {
      let bytes = 0;
      for (const [body] of home.db.prepare<[], [string]>('SELECT body FROM events').raw().iterate()) bytes += body.length;
      if (bytes === 0) throw new Error('nothing was read');
    });
  const verified = async (deep: boolean, threads: number): Promise<number> => {
    const began = performance.now();
    const report = await verifyJournal(file, key, { deep, threads });
    if (report.failure !== null) throw new Error(report.failure.detail);
    return (entries * 1_000) / (performance.now() - began);
  };
  const ed25519 = signatureRate();
  const plain: number[] = [];
  const deep: number[] = [];
  for (let round = 0; round < 3; round++) {
    const limit = scan();
    plain.push((await verified(false, 2)) / limit);
    deep.push((await verified(true, 2)) / (2 * ed25519));
  }
  print(`verify, 2 threads: ${median(plain).toFixed(2)} of a scan of the bodies on one thread (reach 0.27)`);
  print(
    `verify --deep, 2 threads: ${median(deep).toFixed(2)} of two cores' Ed25519 rate of ${whole(2 * ed25519)}/s (reach 0.75)`,
  );
  print(`rebuild: ${whole(rate(entries, () => rebuildAll(home.db, () => undefined)))} entries/s`);
  home.close();
}

function signatureRate(): number {
  const signer = signerFromSeed(Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES, 1));
  const message = Buffer.alloc(32, 9);
  const signature = signer.sign(message);
  return rate(10_000, () => {
    for (let i = 0; i < 10_000; i++)
      if (!verifySignature(signer.publicKey, message, signature)) throw new Error('a signature failed');
  });
}

function opening(base: string, big: string, print: Print): void {
  const small = path.join(base, 'small');
  const home = makeHome(small);
  appendBatch(home.writer, 9);
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

function queries(directory: string, newest: number, print: Print): void {
  const home = openHome(world(directory));
  const missions = home.db.prepare<[], { n: number }>('SELECT count(*) AS n FROM mission').get()?.n ?? 0;
  const lists = rate(2_000, () => {
    for (let i = 0; i < 2_000; i++) listPage(home, {});
  });
  const shows = rate(2_000, () => {
    for (let i = 0; i < 2_000; i++) showMission(home, uuid(newest - i));
  });
  print(`with ${whole(missions)} missions: list of 50 ${whole(lists)}/s, show ${whole(shows)}/s`);
  home.close();
}
