/**
 * The memory of `verify --deep`: the peak of its process at two sizes of a journal, with a blob for each mission, every fourth of which was
 * erased. BENCH_ENTRIES: the larger size, by default 400 000 entries; the smaller one is a quarter of it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openHome } from '../src/app/home/open.js';
import { sha256Hex } from '../src/base/bytes.js';
import type { Command, Transaction } from '../src/journal/writer.js';
import { appendBatch, batch, goal, makeHome, randomUuid, world } from './journal-data.js';
import { whole } from './measure.js';
import { root } from './start.js';

export const name = 'verify-memory';

const larger = Number(process.env['BENCH_ENTRIES'] ?? 400_000);
/** Peak at the larger size over that at the smaller one. */
const reach = 1.3;

export function run(print: (line: string) => void): void {
  const base = mkdtempSync(path.join(os.tmpdir(), 'agent-bench-'));
  try {
    const peaks = [larger / 4, larger].map((entries, i) => {
      const directory = path.join(base, String(i));
      fill(directory, entries);
      const began = performance.now();
      const bytes = peakOfVerify(directory);
      const seconds = (performance.now() - began) / 1_000;
      print(`verify --deep, ${whole(entries)} entries: at most ${whole(bytes / 2 ** 20)} MiB of memory, ${seconds.toFixed(1)} s`);
      rmSync(directory, { recursive: true });
      return bytes;
    });
    const [small = 1, large = 1] = peaks;
    print(`peak at four times the entries: ${(large / small).toFixed(2)} times (reach ${reach})`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Makes a home of missions with a blob each. Syncing is left out. */
function fill(directory: string, entries: number): void {
  const home = makeHome(directory);
  home.db.pragma('synchronous = OFF');
  while (home.writer.head.size < entries) appendBatch(home.writer, Array.from({ length: batch }, missionWithBlob));
  home.close();
  // The next command moves the snapshot, which it finds at the beginning.
  openHome(world(directory)).close();
}

let serial = 0;

function missionWithBlob(): Command<string> {
  const id = randomUuid();
  const isErased = serial++ % 4 === 0;
  const request = JSON.stringify({ goal, seed: serial, work: { kind: 'forecast', unit: 'units' } });
  return (tx) => {
    const blob = submit(tx, id, request);
    if (isErased) tx.append(id, { type: 'mission.erased', document: { blobs: [blob], actor: 'operator', reason: 'bench' } });
    return id;
  };
}

function submit(tx: Transaction, id: string, request: string): string {
  const blob = tx.putBlob(Buffer.from(request));
  const document = { kind: 'forecast', goal, request_blob: blob, request_hash: sha256Hex(request), actor: 'operator' } as const;
  tx.append(id, { type: 'mission.submitted', document });
  return blob;
}

const onExit = "process.stderr.write('\\npeak_kib ' + process.resourceUsage().maxRSS);";
const told = `data:text/javascript,process.once('exit',()=>{${encodeURIComponent(onExit)}})`;

/** Returns the largest resident size of the command's process, of all its threads. */
function peakOfVerify(directory: string): number {
  const args = ['--import', told, path.join(root, 'bin', 'agent-cli.js'), 'verify', '--deep', '--home', directory];
  const env = { ...process.env, AGENT_WITNESS: `${directory}-witness` };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const peak = /\npeak_kib ([0-9]+)$/.exec(stderr)?.[1];
  if (status !== 0 || peak === undefined) throw new Error(`verify ended with ${String(status)}: ${stderr}`);
  return Number(peak) * 1_024;
}
