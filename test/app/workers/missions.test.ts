/** Missions whose search runs on workers of a NATS queue: the same bytes as on this machine, and only the search's input leaves it. */
import assert from 'node:assert/strict';
import { connect } from '@nats-io/transport-node';
import { openNats, type TakenJob } from '../../../src/app/workers/nats.js';
import { no_credentials } from '../../../src/app/workers/nats-credentials.js';
import { addWorkerKey } from '../../../src/app/workers/register.js';
import { type NatsAddress, readNatsAddress } from '../../../src/codec/nats-url.js';
import type { MissionRecord } from '../../../src/codec/api-missions.js';
import { cancelMission, showMission } from '../../../src/app/missions/missions.js';
import { doctor } from '../../../src/app/operator/doctor.js';
import type { Home } from '../../../src/app/home/home.js';
import { recordLines } from '../../../src/cli/render.js';
import { longWork, tardy, until } from '../../support/app/given-daemon.js';
import {
  actor,
  apply,
  execute,
  forecast,
  queued,
  rejectsRefusal,
  research,
  review,
  schedule,
} from '../../support/app/given-home.js';
import { minimal } from '../../support/codec/mission-samples.js';
import { missionWorker, type MissionWorker } from '../../support/app/mission-worker.js';
import { startNats, startWorkerProcess, type Nats, type WorkerProcess } from '../../support/app/nats.js';
import { real } from '../../support/real.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { keptForEach } from '../../support/lists.js';

/** A second of search, within which a worker can be killed. */
const kill_evaluations = 3_000;

const executionOf = ({ stages }: MissionRecord): unknown => stages.find(({ role }) => role === 'strategy')?.detail['execution'];

/** What must not depend on where the search ran. */
const outcomeOf = ({ result, result_hash, verification, stages }: MissionRecord): unknown => ({
  result,
  result_hash,
  verification,
  stages: stages
    .filter(({ role }) => role !== 'planning')
    .map(({ role, detail }) => ({ role, detail: { ...detail, execution: null } })),
});

real('nats', 'a mission on the workers of a queue', () => {
  const homes = homeForEach();
  let nats: Nats;
  let worker: WorkerProcess;
  let home: Home;

  before(async () => {
    nats = await startNats();
    worker = await startWorkerProcess(nats.url);
  });
  after(async () => {
    await worker.stop();
    await nats.remove();
  });
  beforeEach(() => {
    home = homes.get().open();
  });
  const kept = keptForEach<Pick<MissionWorker, 'stop'>>((each) => each.stop());
  afterEach(() => home.close());

  const other = async (...[seed, given]: [seed: number, given?: Parameters<typeof missionWorker>[2]]): Promise<MissionWorker> =>
    kept(await missionWorker(nats.url, seed, given));
  const away = (more: object = {}): Promise<void> => apply(home, { execution: nats.url, ...more });
  const executed = async (mission: unknown): Promise<MissionRecord> => execute(home, (await queued(home, mission)).id);

  for (const [kind, mission] of [
    ['schedule', schedule()],
    ['allocation', minimal('allocation')],
  ] as const) {
    it(`has the bytes of this machine: ${kind}`, async () => {
      const here = await executed(mission);
      await away();
      const before = worker.taken();
      const there = await executed(mission);
      await until(() => worker.taken() === before + 1, 'a job taken by the worker');
      assert.deepEqual(executionOf(there), { worker: worker.key, checked_by: 'home' });
      assert.deepEqual(outcomeOf(there), outcomeOf(here));
      assert.match(recordLines(there).join('\n'), new RegExp(`worker +${worker.key}\nchecked by +this machine`));
      assert.equal((await review(home, there)).state, 'completed');
    });
  }

  it('starts from the approved mission with the same ids, as on this machine', async () => {
    await review(home, await executed(schedule()));
    const here = await executed(schedule());
    await away();
    const there = await executed(schedule());
    assert.equal(there.parent, here.parent);
    assert.equal(there.result_hash, here.result_hash);
  });

  it('stays here when it is research or a forecast', async () => {
    await away();
    const before = worker.taken();
    for (const mission of [research(), forecast()]) assert.equal(executionOf(await executed(mission)), undefined);
    assert.equal(worker.taken(), before);
  });

  it('is checked by a second key where two were added, and here with execution_check "home"', async () => {
    const second = await other(1);
    await addWorkerKey(home, worker.key, 'rack-1', actor);
    await addWorkerKey(home, second.key, 'rack-2', actor);
    const here = await executed(schedule());
    await away();
    const there = await executed(schedule());
    const { worker: by, checked_by } = executionOf(there) as { worker: string; checked_by: string };
    assert.deepEqual([by, checked_by].toSorted(), [worker.key, second.key].toSorted());
    assert.equal(there.result_hash, here.result_hash);
    await away({ execution_check: 'home' });
    assert.equal((executionOf(await executed(schedule())) as { checked_by: string }).checked_by, 'home');
  });

  it('shows its progress, and a worker leaves it when it is cancelled', async () => {
    await away({ max_evaluations: 100_000 });
    const { id } = await queued(home, tardy(longWork('long')));
    const shares: number[] = [];
    const onProgress = (stage: string, done: number): void => void (stage === 'strategy' && shares.push(done));
    const outcome = rejectsRefusal(execute(home, id, { onProgress }), 'wrong_state');
    await until(() => shares.length > 0, 'progress');
    assert.ok(shares.every((share) => share > 0 && share < 0.5));
    await cancelMission(home, id, actor);
    await outcome;
    assert.equal(showMission(home, id).error?.code, 'cancelled');
    await until(() => worker.lines.some((line) => line.includes('nobody waits for it any more')), 'a worker without the job');
  });

  it('is ended by the time of the worker, and computed again with the same bound', async () => {
    await away({ max_evaluations: 100_000 });
    const there = await execute(home, (await queued(home, tardy(longWork('long')))).id, { worker_search_ms: 700 });
    assert.deepEqual([there.state, executionOf(there)], ['review', { worker: worker.key, checked_by: 'home' }]);
    assert.ok((there.effort?.iterations_limit ?? 0) > 0, JSON.stringify(there.effort));
    assert.match(JSON.stringify(there.result), /The search ended after [0-9 ]+ of [0-9 ]+ iterations, because of time\./);
    assert.equal((await review(home, there)).state, 'completed');
  });

  it('is not begun while the queue cannot be reached', async () => {
    await apply(home, { execution: 'nats://127.0.0.1:1' });
    const { id } = await queued(home, schedule());
    const { detail, hint } = await rejectsRefusal(execute(home, id), 'engine_unavailable');
    assert.match(detail, /nats:\/\/127\.0\.0\.1:1 cannot be reached/);
    assert.match(hint ?? '', /config set execution=local$/);
    const { state, attempt, stages } = showMission(home, id);
    assert.deepEqual([state, attempt, stages.length], ['queued', 1, 0]);
  });

  it('is shown by doctor, with the workers that respond', async () => {
    assert.ok(!(await doctor(home)).checks.some(({ name }) => name === 'execution'));
    await away();
    const { checks, capabilities } = await doctor(home);
    const { status, detail } = checks.find(({ name }) => name === 'execution') ?? {};
    assert.equal(status, 'ok');
    assert.equal(detail, `${nats.url}: workers of 1 key respond; each result is checked on this machine`);
    const where = new Map(capabilities.map((each) => [each.kind, each.detail.includes(nats.url)]));
    assert.deepEqual([where.get('schedule'), where.get('research')], [true, false]);
  });

  it('is computed after somebody deleted the stream of the jobs', async () => {
    await away();
    const stranger = await connect({ servers: nats.url });
    await stranger.request('$JS.API.STREAM.DELETE.agent_jobs');
    await stranger.close();
    assert.deepEqual(executionOf(await executed(schedule())), { worker: worker.key, checked_by: 'home' });
  });

  it('is not queued again where the queue has it, also where it has forgotten its id', async () => {
    const link = await openNats(readNatsAddress(nats.url) as NatsAddress, no_credentials, new AbortController().signal);
    const stranger = await connect({ servers: nats.url });
    const { seq } = (await stranger.request('agent.jobs.other.task.name', 'job')).json<{ readonly seq: number }>();
    const place = await link.publishJob({ release: 'other', task: 'task', name: 'name' }, Buffer.from('job'));
    await Promise.all([link.close(), stranger.close()]);
    assert.equal(place, seq);
  });

  it('is not removed by a worker that had another one in its place before the queue lost its storage', async () => {
    const lost = await startNats();
    const link = await openNats(readNatsAddress(lost.url) as NatsAddress, no_credentials, new AbortController().signal);
    const place = (name: string): Promise<number> => link.publishJob({ release: 'other', task: 'task', name }, Buffer.from(name));
    const taken = (): Promise<TakenJob | null> => link.nextJob('other', 5_000);
    assert.equal(await place('old'), 1);
    const old = await taken();
    const again = new Promise<void>((resolve) => link.onReconnect(resolve));
    await lost.remove();
    await lost.start();
    await again;
    assert.deepEqual([await place('new'), await place('next')], [1, 2]);
    const [, next] = [await taken(), await taken()];
    old?.done();
    next?.done();
    await until(async () => !(await link.hasJob(2)), 'a queue without the job that was done');
    assert.ok(await link.hasJob(1));
    await link.close();
    await lost.remove();
  });

  it('is finished by another worker when the one that computes it is killed', async () => {
    const mission = { ...longWork('long'), generations: 50 };
    await apply(home, { max_evaluations: kill_evaluations });
    const here = await executed(mission);
    await away({ max_evaluations: kill_evaluations });
    const second = kept(await startWorkerProcess(nats.url));
    const { id } = await queued(home, mission);
    const before = worker.taken();
    const outcome = execute(home, id);
    await until(() => worker.taken() > before || second.taken() > 0, 'a worker with the job');
    const [killed, left] = second.taken() > 0 ? [second, worker] : [worker, second];
    await killed.stop('SIGKILL');
    const there = await outcome.catch((error: unknown) => assert.fail(`${String(error)}\n${left.lines.join('\n')}`));
    assert.deepEqual(executionOf(there), { worker: left.key, checked_by: 'home' });
    assert.equal(there.result_hash, here.result_hash);
  });
});
