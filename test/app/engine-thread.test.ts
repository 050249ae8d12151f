/** Engines on their thread: results, stopping, dying, and a watch that throws. */
import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../src/base/fault.js';
import { unwrap } from '../../src/base/result.js';
import { threadScript } from '../../src/base/thread-script.js';
import { decode } from '../../src/codec/kit.js';
import type { EngineId } from '../../src/codec/events/mission.js';
import { missionRequest } from '../../src/kinds/request.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import type { EngineMessage, EngineTask } from '../../src/app/threads/engine-protocol.js';
import { cells_count, type ServingData } from '../../src/app/threads/watched-thread.js';
import { missionKind } from '../../src/kinds/table.js';
import { runOnThread } from '../../src/app/threads/engine-thread.js';
import { executeMission } from '../../src/app/missions/execute.js';
import { pause } from '../../src/app/home/control.js';
import { showMission } from '../../src/app/missions/missions.js';
import { until } from '../support/given-daemon.js';
import { homeForEach } from '../support/temporary-home.js';
import { actor, forecast, queued, rejectsRefusal, schedule } from '../support/given-home.js';

const task = (mission: unknown, max_evaluations: number): EngineTask & { readonly type: 'run' } => {
  const request = unwrap(decode(missionRequest, mission));
  return { type: 'run', kind: request.work.kind, input: engineInput(request, max_evaluations, null) };
};

/** Ten jobs on ten machines: far more work than a test waits for, at the effort given. */
const long = {
  goal: 'plan',
  work: {
    kind: 'schedule',
    jobs: Array.from({ length: 10 }, (_, j) => ({
      id: `j${j}`,
      operations: Array.from({ length: 10 }, (_, o) => ({
        machine: `m${(j * 7 + o * 3) % 10}`,
        duration: 1 + ((j * 31 + o * 17) % 90),
      })),
    })),
  },
};
const endless = 100_000_000;

describe('an engine on its thread', () => {
  it('returns a result that its own verifier passes, and verifies it again', async () => {
    const run = task(schedule(), 20);
    const answer = await runOnThread(run);
    assert.ok(answer.type === 'answered' && answer.verification.passed);
    const verify = { ...run, type: 'verify', result: answer.result } as const;
    const verified = await runOnThread(verify);
    assert.ok(verified.type === 'verified' && verified.verification.passed);
    assert.equal(verified.result_hash, answer.result_hash);
    const altered = await runOnThread({ ...verify, result: { ...(answer.result as object), makespan: 1 } });
    assert.ok(altered.type === 'verified' && !altered.verification.passed && altered.result_hash !== answer.result_hash);
  });

  it('computes a result again that takes milliseconds, unless another version of the engine made it', async () => {
    const run = task(forecast(), 20);
    const answer = await runOnThread(run);
    assert.ok(answer.type === 'answered' && answer.verification.passed);
    const again = 'computed again by the engine, with the same bytes';
    assert.equal(answer.verification.checks.at(-1), again);
    const altered = { ...(answer.result as object), method: 'another' };
    const verdict = async (made?: EngineId): Promise<string | null> => {
      const verified = await runOnThread({ ...run, type: 'verify', result: altered, ...(made === undefined ? {} : { made }) });
      assert.ok(verified.type === 'verified' && !verified.verification.checks.includes(again));
      return verified.verification.failure;
    };
    assert.equal(await verdict(), 'the engine gives another result');
    assert.equal(await verdict({ name: 'forecast', version: '0.9.0' }), null);
  });

  it('prepares when it was started ahead, and then takes tasks as before', async () => {
    const cells = new Int32Array(new SharedArrayBuffer(cells_count * Int32Array.BYTES_PER_ELEMENT));
    const workerData: ServingData = { cells, isBackground: false, prepare_after_ms: 0 };
    const script = threadScript(new URL('../../src/app/threads/engine-worker.js', import.meta.url));
    const worker = new Worker(script, { workerData });
    try {
      const run = task(missionKind('research').example, 1);
      for (let i = 0; i < 2; i++) {
        const answered = new Promise<EngineMessage>((resolve, reject) => {
          worker.on('message', (message: EngineMessage) => message.type === 'answered' && resolve(message));
          worker.once('error', reject);
        });
        worker.postMessage({ task: run });
        const answer = await answered;
        assert.ok(answer.type === 'answered' && answer.verification.passed);
      }
    } finally {
      await worker.terminate();
    }
  });

  it('stops at a checkpoint when told', async () => {
    assert.deepEqual(await runOnThread(task(long, endless), { mustStop: () => true }), { type: 'stopped' });
  });

  it('throws a fault with the cause when it dies', async () => {
    const wrong = { ...task(forecast(), 20), kind: 'schedule' } as const;
    await assert.rejects(
      runOnThread(wrong),
      (error) => error instanceof Fault && /was given forecast work/.test(String(error.cause)),
    );
  });

  it('ends only its own run when a watch throws', async () => {
    const broken = new Error('the journal cannot be read');
    const fail = (): never => {
      throw broken;
    };
    await assert.rejects(runOnThread(task(long, endless), { mustStop: fail }), broken);
    await assert.rejects(runOnThread(task(long, 100), { onProgress: fail, mustStop: () => false }), broken);
  });
});

describe('executing on the thread', () => {
  const homes = homeForEach();

  it('stops the engine within moments after a pause by another process', async () => {
    const home = homes.get().open();
    const other = homes.get().open();
    const { id } = await queued(home, long);
    const raised = { ...home, config: () => ({ ...home.config(), max_evaluations: endless }) };
    const paused = until(() => showMission(other, id).stages.length === 2, 'it researches').then(() => pause(other, actor));
    await rejectsRefusal(executeMission(raised, id, { actor }), 'paused');
    await paused;
    const { state, error } = showMission(other, id);
    assert.deepEqual([state, error?.code], ['failed', 'paused']);
    home.close();
    other.close();
  });
});
