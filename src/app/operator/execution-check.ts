/** Where missions are executed, as `doctor` sees it: with workers of a queue, whether it can be reached, and which of them count. */
import type { Refusal } from '../../base/refusal.js';
import { isRefused, RefusalError } from '../../base/result.js';
import { workers_listed_ms } from '../../base/worker-limits.js';
import type { Check } from '../../codec/api-status.js';
import type { Config } from '../../codec/config.js';
import { readNatsCredentials, type NatsCredentials } from '../workers/credentials.js';
import type { Home } from '../home/home.js';
import { queueAddress, trustOf, noWorker, surveyWorkers, type Survey } from '../workers/mission-queue.js';

const name = 'execution';
const failing = ({ detail, hint }: Refusal): Check => ({ name, status: 'fail', detail, fix: hint ?? null });
const warning = ({ detail, hint }: Refusal): Check => ({ name, status: 'warn', detail, fix: hint ?? null });

/**
 * Returns the check of the queue whose workers execute missions; none when missions are executed on this machine.
 * @param config null for a damaged one
 */
export async function executionCheck(home: Pick<Home, 'db' | 'world'>, config: Config | null): Promise<readonly Check[]> {
  const address = config === null ? null : queueAddress(config);
  if (config === null || address === null) return [];
  const credentials = credentialsOf(home);
  if (credentials instanceof RefusalError) return [failing(credentials.refusal)];
  const trust = trustOf(home, { address, check: config.execution_check });
  const survey = await surveyWorkers({ address, credentials }, trust, workers_listed_ms);
  if (isRefused(survey)) return [warning(survey.left)];
  const refusal = noWorker({ address }, survey.right);
  if (refusal !== null) return [warning(refusal)];
  const check = trust.check === 'home' ? 'on this machine' : 'by a second key';
  return [{ name, status: 'ok', detail: `${address.url}: ${inWords(survey.right)}; each result is checked ${check}`, fix: null }];
}

function credentialsOf({ world }: Pick<Home, 'world'>): NatsCredentials | RefusalError {
  try {
    return readNatsCredentials(world.env);
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
}

function inWords({ counted, others, versions }: Survey): string {
  const keys = (count: number): string => `${count} ${count === 1 ? 'key' : 'keys'}`;
  return [
    `workers of ${keys(counted.length)} respond`,
    ...(others.length === 0 ? [] : [`those of ${keys(others.length)} do not count`]),
    ...(versions.length === 0 ? [] : [`others run version ${versions.join(', ')}`]),
  ].join(', ');
}
