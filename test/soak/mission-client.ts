/** The client of a soak that takes missions from submission to their review and export. */
import { randomUUID } from 'node:crypto';
import type { Kind } from '../../src/codec/kinds.js';
import { decisionOn, detailOf, executedIn, get, isOk, post, shownIn, type Shown } from '../drill/load.js';
import type { Asked } from '../drill/probe.js';
import { longWork } from '../support/given-daemon.js';
import { minimal } from '../support/mission-samples.js';
import { insisted, type Client, type Soaked } from './soaked.js';

/** Every so many missions one takes long enough to be killed while it runs. */
const long_every = 8;
const reject_every = 5;

/** Returns a mission, and what its execution is called. */
const workOf = (kind: Kind, round: number): readonly [body: unknown, name: string] =>
  round % long_every === 7 ? [longWork(`soak ${round}`), 'a long schedule'] : [missionOf(kind), kind];
const missionOf = (kind: Kind): unknown =>
  kind === 'code'
    ? {
        goal: 'double a number',
        work: { kind, heldout: [{ args: [2], expected: 4 }], candidate: 'def solve(n):\n    return 2 * n\n' },
      }
    : minimal(kind);

/** Takes a mission from submission to its review, over any number of restarts; exports it if it was approved. */
export const mission: Client = async (soaked, round) => {
  const { site, operations, acknowledged, kinds } = soaked;
  const id = randomUUID();
  const kind = kinds[round % kinds.length] ?? 'allocation';
  const scope = { site, isOver: () => soaked.isOver };
  const [body, name] = workOf(kind, round);
  const submitted = await insisted(scope, () =>
    operations.asked('submit a mission', async () => post(await site.target(), '/api/missions', body, { 'Idempotency-Key': id })),
  );
  if (submitted === null) return;
  acknowledged.add(id, 'submitted');
  const produced = await insisted(scope, () => executed(soaked, id, name));
  if (produced === null) return;
  acknowledged.add(id, 'executed');
  const approve = round % reject_every !== 4;
  if ((await insisted(scope, () => reviewed(soaked, produced, approve))) === null) return;
  acknowledged.add(id, approve ? 'reviewed' : 'rejected');
  if (approve) await operations.asked('export a result', async () => get(await site.target(), `/api/missions/${id}/export`));
};

/** Executes a mission once; one that was interrupted is recovered first. Returns its record in review. */
async function executed({ site, operations }: Soaked, id: string, name: string): Promise<Shown | null> {
  const before = await get(await site.target(), `/api/missions/${id}`);
  if (!isOk(before)) return null;
  const shown = shownIn(before);
  if (shown.state === 'review') return shown;
  if (shown.state !== 'queued') {
    await operations.asked('recover a mission', async () => post(await site.target(), `/api/missions/${id}/recover`));
    return null;
  }
  const first = await site.target();
  const response = await operations.timed(
    `execute: ${name}`,
    () =>
      executedIn(
        () => first,
        id,
        // The step is done to its end, also when the soak is over meanwhile.
        () => false,
      ),
    (asked) => (isOk(asked) || isUnresponsive(asked) ? null : `${asked.status}: ${detailOf(asked)}`),
  );
  return response === null || isUnresponsive(response) ? null : shownIn(response);
}

/** Whether an agent had no processor for too long, on a machine that is too busy: the mission has failed, and is recovered. */
const isUnresponsive = ({ status, text }: Asked): boolean => status === 502 && text.includes('sent no heartbeat');

/** Records a decision; one that was recorded and not acknowledged is found in the record. */
async function reviewed({ site, operations }: Soaked, produced: Shown, approve: boolean): Promise<true | null> {
  const path = `/api/missions/${produced.id}`;
  const now = await get(await site.target(), path);
  if (!isOk(now)) return null;
  if (shownIn(now).state === (approve ? 'completed' : 'rejected')) return true;
  const response = await operations.asked('review a result', async () =>
    post(await site.target(), `${path}/review`, decisionOn(shownIn(now), approve)),
  );
  return response === null ? null : true;
}
