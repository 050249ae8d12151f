/** Starts a worker process: reads its settings, takes its key, connects, and works until it is told to stop. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import { randomBytes } from 'node:crypto';
import { toHex } from '../../base/bytes.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { readNatsAddress } from '../../codec/nats-url.js';
import { createFile, fileError } from '../../home/files.js';
import { permissionFault } from '../../home/permission-fault.js';
import { readRegularFile } from '../../home/regular-file.js';
import { seed_bytes, signerFromSeed, type Signer } from '../../journal/keys.js';
import { readNatsCredentials } from '../../nats/credentials.js';
import { openNats } from '../../nats/connect.js';
import type { NatsLink } from '../../nats/link.js';
import { ownRelease } from '../jobs/release.js';
import { runWorker, type WorkerEvent } from './worker.js';

export interface WorkerStart {
  readonly url: string;
  /** The file of the worker's key, made when it is missing; without one the key lives as long as the process. */
  readonly keyFile: string | undefined;
  /** Jobs computed at once; as many as the machine has spare processors when absent. */
  readonly threads: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkerReport) => void;
}

export type WorkerReport =
  | WorkerEvent
  | { readonly type: 'connecting'; readonly url: string; readonly key: string }
  | { readonly type: 'retrying'; readonly why: string }
  | { readonly type: 'working'; readonly url: string; readonly key: string; readonly threads: number };

/** Works until the signal aborts. @throws RefusalError for an address, a key or credentials that cannot be used */
export async function startWorker({ url, keyFile, threads, env, signal, onEvent }: WorkerStart): Promise<void> {
  const address = readNatsAddress(url);
  if (typeof address === 'string') throw new RefusalError(invalid('nats', address));
  const credentials = readNatsCredentials(env);
  const signer = keyFile === undefined ? signerFromSeed(randomBytes(seed_bytes)) : signerOf(keyFile);
  const key = toHex(signer.publicKey);
  onEvent({ type: 'connecting', url: address.url, key });
  let told = '';
  const link = await connected(() =>
    openNats(address, credentials, signal, ({ message }) => {
      if (message !== told) onEvent({ type: 'retrying', why: message });
      told = message;
    }),
  );
  if (link === null) return;
  try {
    const count = threads ?? Math.max(1, os.availableParallelism() - 1);
    onEvent({ type: 'working', url: address.url, key, threads: count });
    await runWorker(link, signal, { signer, release: ownRelease, threads: count, onEvent });
  } finally {
    await link.close();
  }
}

/** Returns null when the worker was told to stop before it was connected. */
async function connected(open: () => Promise<NatsLink>): Promise<NatsLink | null> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  }
}

/** Returns the signer of a key file, which is made when it is missing. @throws RefusalError for a file that is none, or not private */
function signerOf(file: string): Signer {
  try {
    if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) createFile(file, randomBytes(seed_bytes));
    const fault = permissionFault(file);
    if (fault !== null) throw new RefusalError(invalid('key', `${file} ${fault}`));
    const seed = readRegularFile(file);
    if (seed.length === seed_bytes) return signerFromSeed(seed);
    throw new RefusalError(invalid('key', `${file} has ${seed.length} bytes instead of ${seed_bytes}`));
  } catch (error) {
    throw fileError(error, file);
  }
}
