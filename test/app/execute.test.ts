/** Executing: what an attempt records, and everything that may happen between the lease and the outcome. */
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import * as os from 'node:os';
import { configFault } from '../../src/app/home/config.js';
import { pause, resume, setConfig } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { cancelMission, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { executingMissions } from '../../src/app/missions/ownership.js';
import type { EngineAnswer, EngineTask } from '../../src/app/threads/engine-thread.js';
import { ballast_bytes, lease_ms, work_budget_ms } from '../../src/base/limits.js';
import { RefusalError } from '../../src/base/refusal.js';
import { roles } from '../../src/codec/roles.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { until } from '../support/app/given-daemon.js';
import {
  actor,
  answered,
  apply,
  execute,
  fakeEngine,
  fakeResult,
  forecast,
  laterRefusalOf,
  leftRunning,
  queued,
  rejectsRefusal,
  stateOf,
} from '../support/app/given-home.js';
import { homeForEach, start_ms } from '../support/app/temporary-home.js';

const typesOf = (home: Home, id: string): (string | undefined)[] =>
  entriesOfStream(home.db, id).map(({ event }) => event?.type.replace('mission.', ''));

describe('executing a mission', () => {
  const homes = homeForEach();
  let home: Home;
  let other: Home;
  beforeEach(() => {
    home = homes.get().open();
    other = homes.get().open();
  });
  afterEach(() => {
    home.close();
    other.close();
  });

  /** Executes a new mission whose engine does `act` and then answers; the refusal's code, and what the record says. */
  async function during(act: (id: string, task: EngineTask) => EngineAnswer | void | Promise<void>): Promise<readonly string[]> {
    const { id } = await queued(home);
    const engine = fakeEngine(async (task) => (await act(id, task)) ?? answered(fakeResult('try')));
    const refusal = await laterRefusalOf(() => execute(home, id, { runEngine: engine }));
    const { state, error } = showMission(home, id);
    return [refusal?.code ?? 'done', state, error?.code ?? 'none', error?.stage ?? 'none'];
  }

  it('is not failed by config set, which is refused meanwhile and is one step afterwards', async () => {
    const seen: unknown[] = [];
    const outcome = await during(async (id) => {
      const { code, facts } = await rejectsRefusal(setConfig(other, ['name=quay'], actor, executingMissions), 'in_use');
      seen.push(code, facts, id);
    });
    assert.deepEqual(outcome, ['done', 'review', 'none', 'none']);
    assert.deepEqual(seen, ['in_use', { executing: [seen[2]] }, seen[2]]);
    const { state, changed } = await setConfig(home, ['name=quay', 'llm_timeout=7'], actor, executingMissions);
    assert.deepEqual([state, changed, home.config().name], ['ready', ['llm_timeout', 'name'], 'quay']);
    const types = entriesOfStream(home.db, '@control').map(({ event }) => event?.type);
    assert.deepEqual(types.slice(-3), ['control.paused', 'control.configured', 'control.resumed']);
  });

  it('records the lease, seven stages in order and the outcome, which a second process reads', async () => {
    const { id } = await queued(home);
    const mission = await execute(home, id, { runEngine: fakeEngine() });
    assert.deepEqual(typesOf(home, id), ['submitted', 'leased', ...roles.map(() => 'staged'), 'produced']);
    assert.deepEqual(
      mission.stages.map(({ role }) => role),
      roles,
    );
    assert.equal(mission.stages.find(({ role }) => role === 'market')?.detail['realized_revenue'], null);
    assert.deepEqual([mission.state, mission.attempt, mission.revision], ['review', 1, 11]);
    assert.deepEqual(showMission(other, id), mission);
  });

  it('gives the engine the whole request, its effort and no warm start', async () => {
    let given: EngineTask | null = null;
    await apply(home, { max_evaluations: 20 });
    await during((_, task) => void (given = task));
    assert.deepEqual((given as EngineTask | null)?.input, {
      ...forecast(),
      work: { ...(forecast()['work'] as object), levels: [50, 80, 95], season: 'auto', start: null, step: null, unit: 'units' },
      seed: 42,
      population: 20,
      generations: 12,
      effort: { max_evaluations: 20 },
      warm_start: null,
    });
  });

  it('succeeds when a configuration is set back during the work', async () => {
    const answer = await during(async () => {
      await apply(other, { max_evaluations: 20 });
      await apply(other, {});
    });
    assert.equal(answer[0], 'done');
  });

  it('takes no lease when a configuration is applied just before it', async () => {
    const { id } = await queued(home);
    const transact: Home['transact'] = async (command) => {
      await apply(other, { max_evaluations: 20 });
      return home.transact(command);
    };
    await rejectsRefusal(execute({ ...home, transact }, id, { runEngine: fakeEngine() }), 'conflict');
    assert.equal(showMission(home, id).state, 'queued');
    assert.equal(configFault(home.db, home.paths), null);
  });

  it('counts work within the budget, and fails one millisecond beyond it', async () => {
    const { elapsed } = homes.get();
    assert.equal((await during(() => void (elapsed.ms += work_budget_ms)))[0], 'done');
    assert.deepEqual(await during(() => void (elapsed.ms += work_budget_ms + 1)), [
      'execution_failed',
      'failed',
      'timeout',
      'research',
    ]);
  });

  for (const [title, step_ms] of [
    ['2 s back', -2_000],
    ['1 h back, before the lease', -3_600_000],
    ['2 h forward', 7_200_000],
  ] as const) {
    it(`ends no live work when a clock is set ${title}`, async () => {
      const { clock } = homes.get();
      const answer = await during(async (id) => {
        clock.now += step_ms;
        await rejectsRefusal(recoverMission(other, id, actor), 'lease_active');
      });
      assert.equal(answer[0], 'done');
      assert.equal(clock.now, start_ms + step_ms, 'the work took no time by this clock');
    });
  }

  it('fails when a checkpoint saw a pause, even if the agent was resumed before the engine returned', async () => {
    const { id } = await queued(home);
    const outcome = execute(home, id, {
      runEngine: async (task, watch) => {
        await pause(other, actor);
        assert.equal(watch?.mustStop?.(), true);
        await resume(other, actor);
        return fakeEngine()(task);
      },
    });
    await rejectsRefusal(outcome, 'paused');
    assert.equal(showMission(home, id).error?.code, 'paused');
  });

  it('fails and keeps the message when an engine dies, refuses, stops or returns too much', async () => {
    const die = (): never => {
      throw new Error('x'.repeat(1_999) + '\u{1f4a5}');
    };
    assert.deepEqual((await during(die)).slice(0, 3), ['execution_failed', 'failed', 'execution_failed']);
    const said: readonly EngineAnswer[] = [
      { type: 'refused', refusal: { code: 'invalid', detail: 'the constraints clash: '.padEnd(5_000, 'x') } },
      { type: 'stopped' },
      answered({ text: 'x'.repeat(460_800) }),
    ];
    for (const answer of said) {
      assert.deepEqual((await during(() => answer)).slice(0, 3), ['execution_failed', 'failed', 'execution_failed']);
    }
    const last = entriesOfStream(home.db, (await queued(home)).id);
    assert.equal(last.length, 1, 'the journal reads on');
    assert.equal((await during(() => answered({ text: 'x'.repeat(460_800 - 11) })))[0], 'done');
  });

  it('executes at most one mission less than there are processors, counted by locks and not by leases', async () => {
    const max = Math.max(1, os.availableParallelism() - 1);
    const ids: string[] = [];
    while (ids.length <= max) ids.push((await queued(home)).id);
    for (const id of ids.slice(0, max)) await leftRunning(home, id);
    const last = ids.at(-1) ?? '';
    const refusal = await rejectsRefusal(execute(other, last, { runEngine: fakeEngine() }), 'in_use');
    assert.deepEqual(refusal.facts, { executing: ids.slice(0, max) });
    homes.get().clock.now += lease_ms + 1;
    await rejectsRefusal(execute(other, last, { runEngine: fakeEngine() }), 'in_use');
    await cancelMission(other, ids[0] ?? '', actor);
    assert.equal((await execute(other, last, { runEngine: fakeEngine() })).state, 'review');
  });
});

const result = { text: 'x'.repeat(300_000) };
/** The database may not grow: a large outcome is refused as on a full disk. */
const fill = (home: Home, spare = 4): void =>
  void home.db.pragma(`max_page_count = ${Number(home.db.pragma('page_count', { simple: true })) + spare}`);
const free = (home: Home): void => void home.db.pragma('max_page_count = 1000000');
const retry = { outcome_retry_ms: 10 };

describe('executing on a full disk', () => {
  const homes = homeForEach();
  let home: Home;
  beforeEach(() => {
    home = homes.get().open();
  });
  afterEach(() => home.close());

  const filling = () =>
    fakeEngine(() => {
      fill(home);
      return answered(result);
    });

  it('keeps the outcome and tries again until it is recorded, with one warning', async () => {
    const { id } = await queued(home);
    const warnings: string[] = [];
    const options = { ...retry, runEngine: filling(), onWarning: (text: string) => void warnings.push(text) };
    const outcome = execute(home, id, options);
    await until(() => warnings.length > 0, 'the warning');
    assert.match(warnings.join(), new RegExp(`mission ${id}.*no space left.*is tried again`));
    assert.equal(stateOf(home, id), 'running');
    free(home);
    const mission = await outcome;
    assert.deepEqual([mission.state, mission.attempt, mission.result], ['review', 1, result]);
    assert.equal(warnings.length, 1);
  });

  it('ends the attempt at its deadline, with a failure that may use half of the ballast', async () => {
    const { id } = await queued(home);
    const warnings: string[] = [];
    const options = { ...retry, runEngine: filling(), onWarning: (text: string) => void warnings.push(text) };
    const outcome = execute(home, id, options);
    await until(() => warnings.length > 0, 'the warning');
    homes.get().elapsed.ms += lease_ms + 1;
    await rejectsRefusal(outcome, 'execution_failed');
    assert.equal(showMission(home, id).state, 'failed');
    free(home);
    await recoverMission(home, id, actor);
    assert.equal((await execute(home, id, { runEngine: fakeEngine(() => answered(result)) })).attempt, 2);
  });

  it('ends at once when the mission is cancelled', async () => {
    const { id } = await queued(home);
    const other = homes.get().open();
    const onWarning = (): void => void cancelMission(other, id, 'ada');
    await rejectsRefusal(execute(home, id, { ...retry, runEngine: filling(), onWarning }), 'wrong_state');
    assert.equal(showMission(home, id).error?.code, 'cancelled');
    other.close();
  });

  it('uses half of the ballast once for a failure and a cancellation, and keeps the other half for a pause', async () => {
    const [first, second] = [await queued(home), await queued(home)];
    const ballast = home.paths.ballast;
    /** Refuses until the ballast has at most so many bytes, as a disk does that is full but for it. */
    const needs = (bytes: number): Home => ({
      ...home,
      transact: async (command) => {
        if (existsSync(ballast) && statSync(ballast).size > bytes) throw new RefusalError('storage_full', 'full');
        return home.transact(command);
      },
    });
    await cancelMission(needs(ballast_bytes / 2), first.id, actor);
    assert.equal(statSync(ballast).size, ballast_bytes / 2);
    await rejectsRefusal(cancelMission(needs(0), second.id, actor), 'storage_full');
    assert.equal(statSync(ballast).size, ballast_bytes / 2);
    await pause(needs(0), actor);
    assert.equal(existsSync(ballast), false);
  });
});
