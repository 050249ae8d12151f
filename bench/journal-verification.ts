/** Verification against its limits: a scan of the bodies on one thread, and the rate at which a thread verifies Ed25519 signatures. */
import { readFileSync } from 'node:fs';
import { openHome } from '../src/app/home/open.js';
import type { Home } from '../src/app/home/home.js';
import { signerFromSeed, verifySignature } from '../src/journal/keys.js';
import { verifyJournal } from '../src/journal/verify.js';
import { world, type Written } from './journal-data.js';
import { measure, median, whole, type Measured } from './measure.js';

type Print = (line: string) => void;
type Mode = 'plain' | 'with the key' | 'without the key';

export interface Journal {
  readonly directory: string;
  readonly entries: number;
  readonly written: Written;
}

const threads = 2;
const rounds = 3;
const signatures = 10_000;
const reach: Readonly<Record<Written, Readonly<Record<Mode, number>>>> = {
  'in batches': { plain: 0.19, 'with the key': 1, 'without the key': 0.75 },
  'one by one': { plain: 0.19, 'with the key': 0.75, 'without the key': 0.75 },
};

/** Microseconds for an entry, by elapsed and by processor time. */
type Cost = Readonly<Record<'ms' | 'cpu_ms', number>>;
const costOf = ({ ms, cpu_ms }: Measured, count: number): Cost => ({
  ms: (ms * 1_000) / count,
  cpu_ms: (cpu_ms * 1_000) / count,
});

/** Measures each journal in turn and prints the medians of the ratios; both sides of a ratio are from the same round. */
export async function verification(journals: readonly Journal[], print: Print): Promise<void> {
  const plain = new Map<Written, Cost>();
  for (const journal of journals) {
    const { written } = journal;
    const home = openHome(world(journal.directory));
    const costs = await roundsOf(home, journal);
    home.close();
    for (const mode of ['plain', 'with the key', 'without the key'] as const) print(line(journal, mode, costs));
    plain.set(written, medianCost(costs.map((cost) => cost.plain)));
  }
  const [batches, single] = [plain.get('in batches'), plain.get('one by one')];
  if (batches === undefined || single === undefined) return;
  const [elapsed, processor] = [single.ms / batches.ms, single.cpu_ms / batches.cpu_ms];
  print(
    `verify: an entry written one by one takes ${elapsed.toFixed(2)} times as long as one of a batch (by processor time ${processor.toFixed(2)}; at most 1.50)`,
  );
}

type Round = Readonly<Record<Mode | 'scan' | 'signature', Cost>>;

async function roundsOf(home: Home, { entries }: Journal): Promise<readonly Round[]> {
  const seed = readFileSync(home.paths.identityKey);
  const verified = async (options: { readonly deep: boolean; readonly seed?: Uint8Array }): Promise<Cost> => {
    const measured = await measure(async () => {
      const { failure } = await verifyJournal(home.paths.journal, home.signer.publicKey, { threads, ...options });
      if (failure !== null) throw new Error(failure.detail);
    });
    return costOf(measured, entries);
  };
  const done: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    done.push({
      scan: costOf(await measure(() => scan(home)), entries),
      signature: costOf(await measure(verifySignatures), signatures),
      plain: await verified({ deep: false }),
      'with the key': await verified({ deep: true, seed }),
      'without the key': await verified({ deep: true }),
    });
  }
  return done;
}

function line({ entries, written }: Journal, mode: Mode, costs: readonly Round[]): string {
  const limit = mode === 'plain' ? 'scan' : 'signature';
  // Of signatures the limit is the rate of each thread; the scan runs on one thread.
  const elapsed = median(costs.map((cost) => cost[limit].ms / cost[mode].ms / (limit === 'signature' ? threads : 1)));
  const processor = median(costs.map((cost) => (cost[limit].cpu_ms / cost[mode].cpu_ms) * (limit === 'scan' ? threads : 1)));
  const what = mode === 'plain' ? 'verify' : `verify --deep ${mode}`;
  const of = mode === 'plain' ? 'a scan of the bodies on one thread' : "the threads' Ed25519 verification rate";
  const cost = medianCost(costs.map((round) => round[mode]));
  return `${what}, ${whole(entries)} entries written ${written}, ${threads} threads: ${elapsed.toFixed(2)} of ${of} (by processor time ${processor.toFixed(2)}; reach ${reach[written][mode].toFixed(2)}), ${cost.cpu_ms.toFixed(1)} µs of a processor an entry`;
}

const medianCost = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  cpu_ms: median(costs.map(({ cpu_ms }) => cpu_ms)),
});

function scan(home: Home): void {
  let bytes = 0;
  for (const [body] of home.db.prepare<[], [string]>('SELECT body FROM events').raw().iterate()) bytes += body.length;
  if (bytes === 0) throw new Error('nothing was read');
}

const signer = signerFromSeed(Buffer.alloc(32, 1));
/** Many messages: the time depends on the signature by a few per cent. */
const signed = Array.from({ length: 1_000 }, (_, i) => {
  const message = Buffer.alloc(32, i);
  message.writeUInt32LE(i);
  return { message, signature: signer.sign(message) };
});

function verifySignatures(): void {
  for (let done = 0; done < signatures; done += signed.length)
    for (const { message, signature } of signed)
      if (!verifySignature(signer.publicKey, message, signature)) throw new Error('a signature failed');
}
