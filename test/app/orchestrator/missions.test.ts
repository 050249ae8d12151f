/** Missions of the daemon pass through the agents: a stage that hangs or breaks fails them visibly, once, and leaves the record as it is. */
import assert from 'node:assert/strict';
import type { RunEngine } from '../../../src/app/threads/engine-thread.js';
import { directly, type StageRunner } from '../../../src/app/orchestrator/orchestrator.js';
import { showMission } from '../../../src/app/missions/missions.js';
import { roles } from '../../../src/codec/roles.js';
import { entriesOfStream } from '../../../src/journal/reader.js';
import type { Home } from '../../../src/app/home/home.js';
import { daemonsForEach, until } from '../../support/given-daemon.js';
import { actor, execute, fakeEngine, forecast, queued, rejectsRefusal, stateOf } from '../../support/given-home.js';
import { working } from '../../support/given-tokens.js';
import { homeForEach } from '../../support/temporary-home.js';

const daemons = daemonsForEach();
const homes = homeForEach();
const limits = { heartbeat_ms: 10, silence_ms_max: 60, restart_ms_min: 10, restart_ms_max: 20 };

const stagesOf = (home: Home, id: string): unknown[] =>
  entriesOfStream(home.db, id).flatMap(({ event }) => (event?.type === 'mission.staged' ? [event.document] : []));

describe('a mission that a command executes', () => {
  it('passes through agents too: an engine that stays silent fails it', async () => {
    const hangs: RunEngine = () => new Promise(() => undefined);
    await working(homes.get(), async (home) => {
      const { id } = await queued(home);
      await rejectsRefusal(execute(home, id, { runEngine: hangs, orchestrator: { limits } }), 'execution_failed');
      assert.equal(showMission(home, id).error?.message, 'the strategy agent sent no heartbeat for 0.06 s');
    });
  });
});

describe('missions of the daemon', () => {
  it('pass through all seven agents and are recorded as without them', async () => {
    const daemon = await daemons.start(homes.get(), { runEngine: fakeEngine(), orchestrator: { limits } });
    const passed: string[] = [];
    const { id } = await queued(daemon.home);
    await daemon.executions.start(id, actor);
    await daemon.executions.outcome(id);
    const staged = stagesOf(daemon.home, id);
    assert.deepEqual(
      staged.map((document) => (document as { role: string }).role),
      [...roles],
    );
    const alone = await queued(daemon.home, forecast('try', 12));
    const runStage = (async (role, stage) => {
      passed.push(role);
      return directly(role, stage);
    }) as StageRunner;
    await execute(daemon.home, alone.id, { runEngine: fakeEngine(), runStage });
    assert.deepEqual(stagesOf(daemon.home, alone.id), staged);
    assert.deepEqual([...new Set(passed)].toSorted(), [...roles].toSorted());
  });

  it('fail once their engine stays silent too long, are not tried again, and the strategy agent restarts', async () => {
    let asked = 0;
    let isTold = false;
    const hangs: RunEngine = (_, watch) => {
      asked++;
      return new Promise(() => {
        const timer = setInterval(() => {
          if (watch?.mustStop?.() !== true) return;
          isTold = true;
          clearInterval(timer);
        }, 5);
      });
    };
    const daemon = await daemons.start(homes.get(), { runEngine: hangs, orchestrator: { limits } });
    const { id } = await queued(daemon.home);
    await daemon.executions.start(id, actor);
    const outcome = daemon.executions.outcome(id) ?? assert.fail('it does not run');
    await rejectsRefusal(outcome, 'execution_failed');
    const { state, error } = showMission(daemon.home, id);
    assert.equal(state, 'failed');
    assert.deepEqual(error, {
      code: 'execution_failed',
      message: 'the strategy agent sent no heartbeat for 0.06 s',
      stage: 'research',
    });
    assert.equal(asked, 1);
    assert.equal(daemon.orchestrator.states().strategy.restarts, 1);
    await until(() => isTold, 'the engine is told to stop');
  });

  it('fail with a restart when their engine dies, and without one when the result is refused', async () => {
    let act: RunEngine = () => Promise.reject(new Error('out of memory'));
    const daemon = await daemons.start(homes.get(), {
      runEngine: (task, watch) => act(task, watch),
      orchestrator: { limits },
    });
    const first = await queued(daemon.home);
    await daemon.executions.start(first.id, actor);
    await rejectsRefusal(daemon.executions.outcome(first.id) ?? assert.fail('it does not run'), 'execution_failed');
    assert.equal(showMission(daemon.home, first.id).error?.message, 'out of memory');
    assert.equal(daemon.orchestrator.states().strategy.restarts, 1);
    act = async () => ({ type: 'refused', refusal: { code: 'engine_unavailable', detail: 'none' } });
    const second = await queued(daemon.home, forecast('again'));
    await daemon.executions.start(second.id, actor);
    await rejectsRefusal(daemon.executions.outcome(second.id) ?? assert.fail('it does not run'), 'execution_failed');
    assert.equal(stateOf(daemon.home, second.id), 'failed');
    assert.equal(daemon.orchestrator.states().strategy.restarts, 1);
  });
});
