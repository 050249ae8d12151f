/** A thread that computes one answer and ends. */
import { parentPort, type Worker } from 'node:worker_threads';
import { errorOf, failedOf, type Failed } from '../../journal/verify-failed.js';

type Answer<A> = { readonly answer: A } | { readonly failed: Failed };

/** Resolves with the thread's answer. Rejects with the thread's error, also when the thread ends without an answer. */
export const answerOf = <A>(worker: Worker): Promise<A> =>
  new Promise((resolve, reject) => {
    worker.on('message', (message: Answer<A>) => {
      if ('failed' in message) reject(errorOf(message.failed));
      else resolve(message.answer);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`its thread ended with code ${code}`)));
  });

/** Sends the answer of this thread to the thread that started it. */
export function sendAnswer<A>(compute: () => A | Promise<A>): void {
  const answer = async (): Promise<Answer<A>> => {
    try {
      return { answer: await compute() };
    } catch (error) {
      return { failed: failedOf(error) };
    }
  };
  // Not awaited at the top level: if a thread is terminated while such a module loads, V8 ends the whole process.
  void answer().then((said) => parentPort?.postMessage(said));
}
