/** Executing: what an attempt records, everything that may happen between the lease and the outcome, and the effort and time of a search. */
import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import { readConfig } from '../../src/app/home/config.js';
import { pause, resume, setConfig } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { cancelMission, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { executingMissions } from '../../src/app/missions/ownership.js';
import type { EngineAnswer, EngineTask } from '../../src/app/threads/engine-thread.js';
import { ballast_bytes, lease_ms, search_budget_ms, work_budget_ms } from '../../src/base/limits.js';
import { RefusalError } from '../../src/base/refusal.js';
import { roles } from '../../src/codec/roles.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { longWork, tardy, until } from '../support/app/given-daemon.js';
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
  schedule,
  stateOf,
} from '../support/app/given-home.js';
import { homeForEach, start_ms } from '../support/app/temporary-home.js';
import { exportText } from '../../src/app/exports/export.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import { executeMission } from '../../src/app/missions/attempt.js';
import { reviewMission } from '../../src/app/missions/review.js';
import { missionLines } from '../../src/cli/render.js';
import { evaluationsOf, roundedTime } from '../../src/kinds/effort.js';
import { join } from 'node:path';
import { membersOf } from '../support/lists.js';

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
    assert.deepEqual(membersOf(mission.stages, 'role'), roles);
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

  it('takes no lease when a configuration is applied just before it, whose file is awaited', async () => {
    const { id } = await queued(home);
    const transact: Home['transact'] = async (command) => {
      await apply(other, { max_evaluations: 20 });
      return home.transact(command);
    };
    await rejectsRefusal(execute({ ...home, transact }, id, { runEngine: fakeEngine() }), 'conflict');
    assert.equal(showMission(home, id).state, 'queued');
    const [late, files] = [{ ...home.paths }, ['none', 'none']];
    Object.defineProperty(late, 'config', { get: () => files.pop() ?? home.paths.config });
    assert.equal(readConfig(home.db, late).max_evaluations, 20);
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

  /** An execution whose outcome could not be recorded so far, as its warning says. */
  async function kept() {
    const { id } = await queued(home);
    const warnings: string[] = [];
    const onWarning = (text: string): void => void warnings.push(text);
    const outcome = execute(home, id, { ...retry, runEngine: filling(), onWarning });
    await until(() => warnings.length > 0, 'the warning');
    return { id, warnings, outcome };
  }

  it('keeps the outcome and tries again until it is recorded, with one warning', async () => {
    const { id, warnings, outcome } = await kept();
    assert.match(warnings.join(), new RegExp(`mission ${id}.*no space left.*is tried again`));
    assert.equal(stateOf(home, id), 'running');
    free(home);
    const mission = await outcome;
    assert.deepEqual([mission.state, mission.attempt, mission.result], ['review', 1, result]);
    assert.equal(warnings.length, 1);
  });

  it('ends the attempt at its deadline, with a failure that may use half of the ballast', async () => {
    const { id, outcome } = await kept();
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

describe('the effort of a mission', () => {
  const homes = homeForEach();
  const config = { max_evaluations: 10_000, effort_max: 500_000 };

  it('is that of the configuration, a tenth of it, a million evaluations or a number, below the ceiling', () => {
    const of = (effort: Parameters<typeof evaluationsOf>[0]): number => evaluationsOf(effort, config);
    assert.deepEqual(
      [of(undefined), of('normal'), of('quick'), of('thorough'), of(77), of(600_000)],
      [10_000, 10_000, 1_000, 500_000, 77, 500_000],
    );
    assert.equal(evaluationsOf('thorough', { ...config, effort_max: 10_000_000 }), 1_000_000);
    assert.equal(evaluationsOf('quick', { ...config, max_evaluations: 20 }), 2);
  });

  homes.it('is left out of the request when absent, and recorded with the result', async (home) => {
    const plain = await queued(home, forecast('plain'));
    assert.equal('effort' in (plain.request as object), false);
    const { id } = await queued(home, { ...forecast('quick'), effort: 'quick' });
    const { effort } = await executeMission(home, id, { actor, runEngine: fakeEngine() });
    assert.equal(effort?.max_evaluations, 1_000);
  });

  homes.it('is refused above the ceiling of the configuration', async (home) => {
    await apply(home, { effort_max: 100_000 });
    const { errors } = await rejectsRefusal(queued(home, { ...forecast('much'), effort: 100_001 }), 'invalid');
    assert.deepEqual(membersOf(errors ?? [], 'path'), ['effort']);
  });
});

describe('the time that an effort takes', () => {
  const homes = homeForEach();

  homes.it('is estimated before the start, and names the effort that fits where the search would end early', async (home) => {
    const normal = await queued(home, schedule('normal'));
    assert.deepEqual(normal.estimate, { search_ms: 80_000 });
    assert.match(missionLines(normal).join('\n'), /takes +at most about 80 s/);
    const long = await queued(home, { ...schedule('long'), effort: 'thorough' });
    assert.deepEqual(long.estimate, { search_ms: 8_000_000, evaluations_in_time: 60_000 });
    const said = missionLines(long).join(' ').replaceAll(/\s+/g, ' ');
    assert.match(said, /takes at most about 2 h; the search ends after 8 min with the best result so far/);
    assert.match(said, /choose an effort of at most 60,000, as in run --from \w+ --effort 60000/);
    assert.equal((await queued(home, forecast('none'))).estimate, undefined);
  });

  it('is rounded as people say it', () => {
    assert.deepEqual([400, 9_100, 42_000, 240_000, 20_000_000].map(roundedTime), ['1 s', '10 s', '40 s', '4 min', '6 h']);
  });
});

describe('a search that time ends', () => {
  const homes = homeForEach();

  it('ends in review with its best result and the limitation, and recomputes to the same bytes', async () => {
    const { elapsed, open } = homes.get();
    const home = open();
    await apply(home, { max_evaluations: 100_000 });
    const { id } = await queued(home, tardy(longWork('try')));
    const shares: number[] = [];
    const onProgress = (stage: string, done: number): void => void (stage === 'strategy' && done > 0 && shares.push(done));
    const executed = executeMission(home, id, { actor, onProgress });
    await until(() => shares.length > 0, 'some of the search');
    elapsed.ms = search_budget_ms + 1;
    const { state, effort, result, revision, result_hash } = await executed;
    assert.equal(state, 'review');
    const { iterations_limit: limit = 0, iterations } = effort ?? assert.fail('no effort');
    assert.ok(limit > 0 && limit <= (iterations ?? 0), JSON.stringify(effort));
    assert.match(JSON.stringify(result), /The search ended after [0-9 ]+ of [0-9 ]+ iterations, because of time\./);
    elapsed.ms = 0;
    await reviewMission(home, id, { revision, result_hash: result_hash ?? '', approve: true, note: 'fits', actor });
    assert.equal(showMission(home, id).state, 'completed');
    const file = join(homes.get().root, 'result.export.json');
    writeFileSync(file, exportText(home, id).text);
    const { recomputed } = await verifyExport({ file, publicKey: homes.get().report.public_key, recompute: true });
    assert.equal(recomputed, true);
  });
});
