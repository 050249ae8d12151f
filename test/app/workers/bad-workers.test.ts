/** Workers of missions that give worse results, disagree, fall silent, or do not count: no such result comes to review. */
import assert from 'node:assert/strict';
import { job_inline_bytes_max } from '../../../src/base/limits.js';
import { unwrap } from '../../../src/base/refusal.js';
import type { MissionRecord } from '../../../src/codec/api-missions.js';
import { readNatsAddress, type NatsAddress } from '../../../src/codec/nats-url.js';
import { addWorkerKey, listWorkerKeys, refuteWorkerKey, removeWorkerKey } from '../../../src/app/workers/register.js';
import { cancelMission, recoverMission, showMission } from '../../../src/app/missions/missions.js';
import { computeMission, readAnswer, readMissionJob } from '../../../src/app/workers/mission-job.js';
import { missionWorkers, noWorker, type Survey, surveyWorkers, trustOf } from '../../../src/app/workers/mission-queue.js';
import type { Home } from '../../../src/app/home/home.js';
import { helpAfter } from '../../../src/domain/mission.js';
import { verifySchedule } from '../../../src/kinds/schedule/verify/verify.js';
import { NatsLink } from '../../../src/app/workers/nats.js';
import { no_credentials } from '../../../src/app/workers/nats-credentials.js';
import { longWork, until } from '../../support/app/given-daemon.js';
import { actor, apply, execute, laterRefusalOf, queued, rejectsRefusal, schedule } from '../../support/app/given-home.js';
import { honest, lazy, missionWorker, sendForged, type Answering, type MissionWorker } from '../../support/app/mission-worker.js';
import { startNats, type Nats } from '../../support/app/nats.js';
import { real } from '../../support/real.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { keptForEach } from '../../support/lists.js';

const detailOf = ({ stages }: MissionRecord): unknown => stages.find(({ role }) => role === 'strategy')?.detail['execution'];
const never: Answering = () => new Promise(() => undefined);

real('nats', 'bad workers of missions', () => {
  const homes = homeForEach();
  let nats: Nats;
  let home: Home;

  before(async () => {
    nats = await startNats();
  });
  after(() => nats.remove());
  beforeEach(async () => {
    home = homes.get().open();
    await apply(home, { execution: nats.url, max_evaluations: 200 });
  });
  const kept = keptForEach<MissionWorker>((each) => each.stop());
  afterEach(() => home.close());

  const start = async (...[seed, given]: [seed: number, given?: Parameters<typeof missionWorker>[2]]): Promise<MissionWorker> =>
    kept(await missionWorker(nats.url, seed, given));
  const addAll = async (...all: readonly MissionWorker[]): Promise<void> => {
    for (const [i, { key }] of all.entries()) await addWorkerKey(home, key, `rack-${i}`, actor);
  };
  /** Executes a mission that fails; its record, and what the command says. */
  async function failed(mission: unknown = longWork('plan')) {
    const { id } = await queued(home, mission);
    const { detail } = await rejectsRefusal(execute(home, id), 'execution_failed');
    return { record: showMission(home, id), detail };
  }
  const begun = async () => {
    const { id } = await queued(home, schedule());
    const [shares, warnings]: [number[], string[]] = [[], []];
    const onProgress = (stage: string, done: number): void => void (stage === 'strategy' && shares.push(done));
    return { id, shares, warnings, outcome: execute(home, id, { onProgress, onWarning: (message) => warnings.push(message) }) };
  };
  const refutedKeys = (): readonly string[] =>
    listWorkerKeys(home).items.flatMap(({ key, state }) => (state === 'refuted' ? [key] : []));

  it('are refused with a schedule that is valid and worse, and are not used any more', async () => {
    const bad = await start(1, { answer: lazy });
    const { record, detail } = await failed();
    const [input = ''] = bad.inputs;
    const job = readMissionJob(Buffer.from(input))!;
    const [worse, best] = await Promise.all(
      [lazy, honest].map(async (each) => readAnswer(await each(Buffer.from(input)))!.result),
    );
    const verified = verifySchedule(job.input as never, worse);
    assert.deepEqual([verified.passed, verified.failure], [true, null]);
    assert.ok((worse as { makespan: number }).makespan > (best as { makespan: number }).makespan);
    assert.match(detail, new RegExp(`the worker ${bad.key} gave a result that differs from its recomputation`));
    assert.deepEqual([record.state, record.result, record.error?.code], ['failed', null, 'execution_failed']);
    assert.deepEqual(detailOf(record), { worker: bad.key, checked_by: 'home', refuted: [bad.key] });
    assert.deepEqual(refutedKeys(), [bad.key]);
    await recoverMission(home, record.id, actor);
    const { hint } = await rejectsRefusal(execute(home, record.id), 'engine_unavailable');
    assert.equal(hint, 'agent-cli worker-key list');
  });

  it('are refuted when they end a search early that still had time', async () => {
    const early: Answering = (input) => computeMission({ ...readMissionJob(input)!, search_ms: -1 }, () => undefined);
    const bad = await start(1, { answer: early });
    const { record } = await failed();
    const claimed = readAnswer(await early(Buffer.from(bad.inputs[0] ?? '')));
    assert.ok((claimed?.iterations_limit ?? 0) > 0);
    assert.deepEqual([refutedKeys(), record.result], [[bad.key], null]);
    assert.equal(helpAfter(record), `agent-cli recover ${record.id}`);
  });

  it('are found among two that disagree, whichever of them was first', async () => {
    const [bad, good] = await Promise.all([start(1, { answer: lazy }), start(2)]);
    await addAll(bad, good);
    const { record } = await failed();
    assert.deepEqual(refutedKeys(), [bad.key]);
    assert.equal(record.result, null);
  });

  it('are refuted with bytes that hold no result', async () => {
    const bad = await start(1, { answer: () => new Uint8Array([123]) });
    await failed(schedule());
    assert.deepEqual(refutedKeys(), [bad.key]);
  });

  it('do not count with keys that were not added, however many of them take a job: another one does it', async () => {
    const known = await start(1, { takes: false });
    const unknown = await Promise.all([2, 3, 4, 5, 6].map((seed) => start(seed)));
    await addAll(known);
    const { warnings, outcome } = await begun();
    await until(() => unknown.every(({ inputs }) => inputs.length === 1), 'a job of each unknown key');
    await start(1);
    assert.deepEqual(detailOf(await outcome), { worker: known.key, checked_by: 'home' });
    for (const { key } of unknown)
      assert.ok(warnings.includes(`a result of the worker ${key} does not count: its key is not accepted`));
    assert.deepEqual(refutedKeys(), []);
  });

  it('do not take a job from the worker that computes it', async () => {
    const answer: Answering = async (input, job) => {
      await sendForged(nats.url, job!, [2, 3, 4, 5, 6, 2, 3, 4, 5, 6]);
      await until(() => warnings.length >= 5, 'five warnings');
      return honest(input);
    };
    const [known, refuted] = await Promise.all([start(1, { answer }), start(7, { takes: false })]);
    await addAll(known);
    await refuteWorkerKey(home, refuted.key, 'of a test', actor);
    const { warnings, outcome } = await begun();
    assert.deepEqual(detailOf(await outcome), { worker: known.key, checked_by: 'home' });
    assert.equal(known.inputs.length, 1);
    assert.equal(warnings.filter((text) => text.endsWith('does not count: its key is not accepted')).length, 5);
  });

  it('leave a job to others whose output is missing', async () => {
    // Its output is so large that it belongs in the object store, where it never arrives.
    const bad = await start(1, { answer: () => new Uint8Array(job_inline_bytes_max + 1) });
    const good = await start(2, { takes: false });
    await addAll(bad, good);
    await apply(home, { execution: nats.url, execution_check: 'home', max_evaluations: 200 });
    const { warnings, outcome } = await begun();
    await until(() => bad.inputs.length === 1, 'a job of the bad worker');
    await start(2);
    assert.deepEqual(detailOf(await outcome), { worker: good.key, checked_by: 'home' });
    assert.deepEqual([bad.inputs.length, refutedKeys()], [1, []]);
    assert.deepEqual(warnings, [`a result of the worker ${bad.key} does not count: its output is missing`]);
  });

  it('leave a job to another when they are gone, though the queue numbers its delivery as theirs', async () => {
    const first = await start(1, { answer: never });
    const { warnings, outcome } = await begun();
    await until(() => first.inputs.length === 1, 'a job');
    await first.stop();
    const answer: Answering = async (input, job) => {
      job!.delivery = 1;
      await until(() => warnings.length === 1, 'the lost delivery');
      return honest(input);
    };
    const second = await start(2, { answer });
    assert.deepEqual(detailOf(await outcome), { worker: second.key, checked_by: 'home' });
  });

  it('keep a job that is heard of again after a silence', async () => {
    const answer: Answering = async (input, job) => {
      job!.delivery = 0;
      await until(() => warnings.length === 1, 'the lost delivery');
      const before = shares.length;
      job!.delivery = 1;
      await until(() => shares.length > before, 'progress');
      return honest(input);
    };
    await start(1, { answer });
    const { warnings, shares, outcome } = await begun();
    assert.equal((await outcome).state, 'review');
  });

  it('leave a mission to others when their key is removed while their result is checked', async () => {
    const [first, second] = await Promise.all([start(1), start(2, { takes: false })]);
    await addAll(first, second);
    await apply(home, { execution: nats.url, execution_check: 'home', max_evaluations: 200 });
    const { id } = await queued(home, longWork('plan'));
    let removed: Promise<unknown> | null = null;
    const onProgress = (stage: string, done: number): void => {
      if (stage !== 'strategy' || done < 0.5 || removed !== null) return;
      removed = removeWorkerKey(home, first.key, actor).then(() => start(2));
    };
    const record = await execute(home, id, { onProgress });
    assert.deepEqual(detailOf(record), { worker: second.key, checked_by: 'home' });
    assert.equal(first.inputs.length, 1);
  });

  it('are listed by whether they count, and a mission for none of them is not begun', async () => {
    const [known, unknown, other] = await Promise.all([start(1), start(2), start(3, { release: '1-0_0_1' })]);
    const address = readNatsAddress(nats.url) as NatsAddress;
    const queue = { address, credentials: no_credentials };
    const isAll = ({ counted, others, versions }: Survey): boolean => counted.length + others.length + versions.length === 3;
    const found = unwrap(await surveyWorkers(queue, { accepts: (key) => key === known.key }, 60_000, isAll));
    const shown = missionWorkers(home);
    await until(() => shown.states()?.length === 3, 'three workers');
    const stateOf = new Map(shown.states()?.map(({ key, state }) => [key, state]));
    const states = [known, unknown, other].map(({ key }) => stateOf.get(key));
    assert.deepEqual(states, ['idle', 'idle', 'other_version']);
    await apply(home, {});
    assert.equal(shown.states(), null);
    await shown.end();
    assert.deepEqual(found, { counted: [known.key], others: [unknown.key], versions: ['of a test'] });
    const trust = () => trustOf(home, { address, check: 'home' });
    const why = (survey: Partial<Survey>) => noWorker({ address }, { ...found, ...survey }, trust());
    assert.equal(why({}), null);
    assert.match(why({ counted: [], others: [] })?.detail ?? '', /another version \(of a test\)/);
    assert.equal(why({ counted: [] })?.hint, `agent-cli worker-key add ${unknown.key} --name NAME`);
    await addAll(unknown);
    await removeWorkerKey(home, unknown.key, actor);
    assert.equal(why({ counted: [] })?.hint, 'agent-cli worker-key list');
    assert.equal(why({ counted: [], others: [], versions: [] })?.hint, `agent-cli worker --nats ${nats.url}`);
  });

  it('are notified when a mission is cancelled, after their progress was shown, whatever delivery they name', async () => {
    const answer: Answering = (input, job) => ((job!.delivery = Number.MAX_SAFE_INTEGER), never(input));
    const silent = await start(1, { answer });
    const { id, shares, warnings, outcome } = await begun();
    const refusal = laterRefusalOf(() => outcome);
    await until(() => shares.some((share) => share > 0) && warnings.length > 0, 'progress');
    assert.equal(warnings.length, 5);
    await cancelMission(home, id, actor);
    assert.equal((await refusal)?.code, 'wrong_state');
    assert.equal(showMission(home, id).error?.code, 'cancelled');
    await until(() => silent.ended.length === 1, 'the end of the task');
  });

  it('get a job that the queue did not store at first', async () => {
    const { publishJob } = NatsLink.prototype;
    NatsLink.prototype.publishJob = () => {
      NatsLink.prototype.publishJob = publishJob;
      return Promise.reject(new Error('of a test'));
    };
    const worker = await start(1);
    const { outcome } = await begun();
    assert.deepEqual(detailOf(await outcome), { worker: worker.key, checked_by: 'home' });
    await until(() => worker.ended.length === 1, 'the end of the task');
  });

  for (const [how, lose] of [
    ['is lost', (queue: Nats) => queue.remove()],
    ['hangs', (queue: Nats) => queue.signal('SIGSTOP')],
  ] as const)
    it(`leave a visible failure when the queue ${how}`, async () => {
      const queue = await startNats();
      await apply(home, { execution: queue.url });
      const silent = kept(await missionWorker(queue.url, 1, { answer: never }));
      const { id } = await queued(home, schedule());
      const outcome = rejectsRefusal(execute(home, id), 'execution_failed');
      await until(() => silent.inputs.length === 1, 'a worker with the job');
      await lose(queue);
      assert.match((await outcome).detail, /the queue nats:.* cannot be reached; nothing was computed/);
      assert.equal(helpAfter(showMission(home, id)), `agent-cli recover ${id}`);
      await queue.remove();
    });

  it('are sent what the engine reads, and neither goal nor id of the mission', async () => {
    const worker = await start(1);
    const { id } = await queued(home, { ...schedule('a secret goal'), seed: 7 });
    await execute(home, id);
    const [input = '', ...rest] = worker.inputs;
    assert.deepEqual(rest, []);
    const sent = JSON.parse(input) as Record<string, unknown>;
    const members = ['engine', 'generations', 'max_evaluations', 'population', 'search_ms', 'seed', 'warm_start', 'work'];
    assert.deepEqual(Object.keys(sent).toSorted(), members);
    assert.deepEqual([sent['seed'], sent['warm_start']], [7, null]);
    assert.ok(![id, home.signer.identity, 'secret'].some((text) => input.includes(text)));
  });
});
