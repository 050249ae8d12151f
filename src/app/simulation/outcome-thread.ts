/** Reads large outcomes on threads, because reading, hashing and splitting one takes too long for the thread that serves requests. */
import { RefusalError } from '../../base/result.js';
import { outcome_threads_max } from '../../base/simulation-limits.js';
import { threadScript } from '../../base/thread-script.js';
import { Gate } from '../threads/gate.js';
import type { ThreadKind } from '../threads/kept-threads.js';
import { watchThread } from '../threads/watched-worker.js';
import type { BytesParts } from './outcome-bytes.js';
import type { OutcomeAnswer, OutcomeTask } from './outcome-protocol.js';

const readers: ThreadKind = {
  script: threadScript(new URL('./outcome-worker.js', import.meta.url)),
  memory_mb_max: 256,
  isBackground: false,
};
const gate = new Gate(outcome_threads_max);

/** @throws RefusalError `integrity`; Fault when the thread dies */
export const readOutcome = (task: OutcomeTask): Promise<BytesParts> =>
  gate.run(async () => {
    const answer = await watchThread<OutcomeAnswer, OutcomeAnswer | null>({
      ...readers,
      task,
      name: 'the reader of outcomes',
      onMessage: (message) => message,
      // It is never told to stop.
      stopped: null,
    }).answer;
    if (answer?.type === 'read') return answer.parts;
    throw new RefusalError(answer?.refusal ?? { code: 'interrupted', detail: 'the outcome was not read' });
  });
