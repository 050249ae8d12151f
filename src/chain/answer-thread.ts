/** Decodes large answers on a thread of their own: parsing 2 MiB of odd JSON takes a second, which would hold every request of a server. */
import { Worker } from 'node:worker_threads';
import { chain_answer_inline_bytes_max, chain_thread_memory_mb_max } from '../base/chain-limits.js';
import { threadScript } from '../base/thread-script.js';
import { decodeAnswer, type Asked, type Form, type ResultOf } from './answer.js';
import { unreachable } from './chain-error.js';

export interface AnswerTask {
  readonly bytes: Uint8Array;
  readonly asked: Asked;
}

/** The result, or the message of a `ChainError`. */
export type AnswerDone = { readonly result: unknown } | { readonly malformed: string };

export interface DecodeBounds {
  readonly ms_max: number;
  readonly signal?: AbortSignal | undefined;
}

/** @throws ChainError `unreachable` for a malformed answer, and for one that takes too long to read */
export async function decodeBounded<F extends Form>(bytes: Buffer, asked: Asked<F>, bounds: DecodeBounds): Promise<ResultOf<F>> {
  if (bytes.length <= chain_answer_inline_bytes_max) return decodeAnswer(bytes, asked);
  const done = await onThread({ bytes, asked }, bounds);
  if ('malformed' in done) throw unreachable(done.malformed);
  return done.result as ResultOf<F>;
}

function onThread(workerData: AnswerTask, { ms_max, signal }: DecodeBounds): Promise<AnswerDone> {
  const resourceLimits = { maxOldGenerationSizeMb: chain_thread_memory_mb_max };
  const worker = new Worker(threadScript(new URL('./answer-worker.js', import.meta.url)), { workerData, resourceLimits });
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      void worker.terminate();
      settle();
    };
    const fail = (why: string, cause?: unknown): void =>
      end(() => reject(unreachable(`the node's response to ${workerData.asked.method} was not read (${why})`, cause)));
    const stop = (): void => fail('the reading was stopped');
    const timer = setTimeout(() => fail('too late'), Math.max(1, ms_max));
    worker.once('message', (done: AnswerDone) => end(() => resolve(done)));
    worker.once('error', (error) => fail('it needs too much memory', error));
    worker.once('exit', () => fail('its thread ended'));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });
}
