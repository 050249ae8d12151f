/** What must be in order before a mission is given to workers: the queue, and a worker whose results count. */
import { RefusalError, unwrap } from '../../base/result.js';
import { worker_response_ms_max } from '../../base/worker-limits.js';
import type { Home } from '../home/home.js';
import { trustOf, type MissionQueue } from './queue.js';
import { noWorker, surveyWorkers } from './survey.js';

/** @throws RefusalError `engine_unavailable` */
export async function requireWorkers(home: Pick<Home, 'db'>, queue: MissionQueue): Promise<void> {
  const survey = await surveyWorkers(queue, trustOf(home, queue), worker_response_ms_max, ({ counted }) => counted.length > 0);
  const refusal = noWorker(queue, unwrap(survey));
  if (refusal !== null) throw new RefusalError(refusal);
}
