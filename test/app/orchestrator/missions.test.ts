/** Missions of the daemon pass through the agents: a stage that hangs or breaks fails them visibly, once, and leaves the record as it is. */
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { showMission } from '../../../src/app/missions/missions.js';
import {
  type AgentLimits,
  type StageObserver,
  type AgentRestart,
  Orchestrator,
} from '../../../src/app/orchestrator/orchestrator.js';
import type { RunEngine } from '../../../src/app/threads/engine-thread.js';
import { Fault, RefusalError } from '../../../src/base/refusal.js';
import { roles } from '../../../src/codec/roles.js';
import { daemonsForEach, until } from '../../support/app/given-daemon.js';
import { actor, execute, queued, rejectsRefusal } from '../../support/app/given-home.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { refused } from '../../support/refused.js';

const daemons = daemonsForEach();
const homes = homeForEach();
// Each turn of the event loop counts as silence of two heartbeats at most: many turns of a busy machine are less than the limit.
const limits = { heartbeat_ms: 10, silence_ms_max: 800, restart_ms_min: 10, restart_ms_max: 20 };

describe('a mission that a command executes', () => {
  it('passes through agents too: an engine that stays silent fails it', async () => {
    const hangs: RunEngine = () => new Promise(() => undefined);
    await homes.get().with(async (home) => {
      const { id } = await queued(home);
      await rejectsRefusal(execute(home, id, { runEngine: hangs, orchestrator: { limits } }), 'execution_failed');
      assert.equal(showMission(home, id).error?.message, 'the strategy agent sent no heartbeat for 0.8 s');
    });
  });
});

describe('missions of the daemon', () => {
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
    await daemon.executions.request(id, actor);
    const outcome = daemon.executions.outcome(id) ?? assert.fail('it does not run');
    await rejectsRefusal(outcome, 'execution_failed');
    const { state, error } = showMission(daemon.home, id);
    assert.equal(state, 'failed');
    assert.deepEqual(error, {
      code: 'execution_failed',
      message: 'the strategy agent sent no heartbeat for 0.8 s',
      stage: 'research',
    });
    assert.equal(asked, 1);
    assert.equal(daemon.orchestrator.states().strategy.restarts, 1);
    await until(() => isTold, 'the engine is told to stop');
  });
});

const short: AgentLimits = {
  heartbeat_ms: 10,
  silence_ms_max: 80,
  restart_ms_min: 40,
  restart_ms_max: 100,
};
let started: Orchestrator[] = [];
const orchestrator = (limits: Partial<AgentLimits> = {}, clock?: () => number): Orchestrator => {
  const made = new Orchestrator({ limits: { ...short, ...limits }, clock });
  started.push(made);
  return made;
};
afterEach(() => {
  for (const one of started) one.stop();
  started = [];
});

const never = (): Promise<never> => new Promise(() => undefined);
const breaks = (): Promise<never> => Promise.reject(new Error('broken'));

describe('the agents', () => {
  it('are seven, send heartbeats while idle, and pass work through', async () => {
    let now = 5_000;
    const { runStage, states } = orchestrator({}, () => now);
    assert.deepEqual(Object.keys(states()), [...roles]);
    assert.deepEqual(states().memory, { last_beat: 5, restarts: 0 });
    now = 6_500;
    await until(() => roles.every((role) => states()[role].last_beat === 6.5));
    assert.equal(await runStage('market', async () => 7), 7);
  });

  it('return a refusal, and an error that their caller expects, without a fault', async () => {
    const { runStage, states } = orchestrator();
    const refusal = new RefusalError('wrong_state', 'no');
    await assert.rejects(
      runStage('planning', () => Promise.reject(refusal)),
      refusal,
    );
    await assert.rejects(
      runStage('planning', breaks, () => true),
      /^Error: broken$/,
    );
    assert.equal(states().planning.restarts, 0);
  });

  it('restart after a fault and a pause, which their work waits for, while the others continue', async () => {
    const agents = orchestrator();
    const heard: AgentRestart[] = [];
    const forget = agents.onRestart((restart) => void heard.push(restart));
    const began = performance.now();
    await assert.rejects(agents.runStage('research', breaks), /^Error: broken$/);
    const order: string[] = [];
    await Promise.all((['research', 'market'] as const).map((role) => agents.runStage(role, async () => void order.push(role))));
    assert.deepEqual(order, ['market', 'research'], 'another agent does not wait');
    assert.ok(performance.now() - began >= 35, 'the work waited for the restart');
    forget();
    await assert.rejects(
      agents.runStage('research', () => {
        throw new Error('at once');
      }),
      /at once/,
    );
    assert.deepEqual(heard, [{ role: 'research', restarts: 1, work: '', cause: 'failed', reason: 'broken' }]);
    assert.equal(agents.states().research.restarts, 2);
    assert.equal(agents.states().market.restarts, 0);
  });

  it('pause for the work that faulted, again and again, and for no other', async () => {
    const agents = orchestrator({ restart_ms_min: 3_600_000, restart_ms_max: 3_600_000 });
    const { runStageOf, states } = agents;
    const crashing = Array.from({ length: 20 }, (_, i) => runStageOf(`crashing ${i}`));
    for (const runStage of crashing) await assert.rejects(runStage('strategy', breaks), /^Error: broken$/);
    assert.equal(await runStageOf('sound')('strategy', async () => 'done'), 'done');
    assert.equal(states().strategy.restarts, 20);
    const again = crashing[0]!('strategy', async () => 'late');
    const first = await Promise.race([again, later(20, 'waits')]);
    assert.equal(first, 'waits');
    agents.stop();
    await assert.rejects(again, RefusalError);
  });

  it('pause twice as long after each fault, up to a limit', async () => {
    const pauseOf = async ({ runStage }: Orchestrator): Promise<number> => {
      const began = performance.now();
      await assert.rejects(runStage('codegen', breaks));
      await runStage('codegen', async () => null);
      return performance.now() - began;
    };
    const faulty = orchestrator();
    const pauses = [await pauseOf(faulty), await pauseOf(faulty), await pauseOf(faulty), await pauseOf(faulty)];
    for (const [i, least] of [40, 80, 100, 100].entries()) assert.ok((pauses[i] ?? 0) >= least - 5, pauses.join());
    // Pauses that went on doubling would add up to hours.
    const capped = orchestrator({ restart_ms_min: 1, restart_ms_max: 2 });
    for (let i = 0; i < 24; i++) await pauseOf(capped);
  });

  it('end work that stays silent too long, signal it to stop, and count that as a restart', async () => {
    let now = 1_000;
    const agents = orchestrator({ silence_ms_max: 800 }, () => now);
    const { states } = agents;
    let signal: AbortSignal | null = null;
    const hung = agents.runStage('strategy', (observer) => {
      ({ signal } = observer);
      return never();
    });
    hung.catch(() => undefined);
    now = 1_500;
    await until(() => states().memory.last_beat === 1.5, 'a first heartbeat, since which the work is silent');
    now = 2_000;
    await until(() => states().memory.last_beat === 2, 'a heartbeat of an agent without work');
    assert.equal(states().strategy.last_beat, 1.5, 'no heartbeat succeeds while work is silent');
    await assert.rejects(
      hung,
      (error) => error instanceof Fault && error.message === 'the strategy agent sent no heartbeat for 0.8 s',
    );
    assert.equal((signal as AbortSignal | null)?.aborted, true);
    assert.equal(agents.states().strategy.restarts, 1);
    await until(() => agents.states().strategy.last_beat === 2, 'a heartbeat after the restart');
  });

  it('let work continue that reports progress, or announced how long it would be silent', async () => {
    const { runStage, states } = orchestrator();
    const lively = async (observer: StageObserver): Promise<string> => {
      for (let i = 0; i < 10; i++) {
        await later(20);
        observer.heartbeat();
      }
      return 'done';
    };
    assert.equal(await runStage('strategy', lively), 'done');
    const quiet = async (observer: StageObserver): Promise<string> => {
      observer.quiet(400);
      await later(200);
      return 'done';
    };
    assert.equal(await runStage('memory', quiet), 'done');
    const tooLong = async (observer: StageObserver): Promise<string> => {
      observer.quiet(60);
      return never();
    };
    await assert.rejects(runStage('memory', tooLong), /sent no heartbeat/);
    assert.deepEqual([states().strategy.restarts, states().memory.restarts], [0, 1]);
  });

  it('do not blame work for an event loop that was blocked', async () => {
    const { runStage, states } = orchestrator();
    const work = runStage('safety', async () => {
      const end = performance.now() + 300;
      while (performance.now() < end);
      await later(5);
      return 'done';
    });
    assert.equal(await work, 'done');
    assert.equal(states().safety.restarts, 0);
  });

  it('refuse new work and end the wait for a restart when they stop', async () => {
    const agents = orchestrator({ restart_ms_min: 60_000, restart_ms_max: 60_000 });
    await assert.rejects(agents.runStage('memory', breaks));
    const waits = agents.runStage('memory', async () => 1);
    agents.stop();
    const interrupted = refused('interrupted');
    await assert.rejects(waits, interrupted);
    await assert.rejects(
      agents.runStage('market', async () => 1),
      interrupted,
    );
  });
});
