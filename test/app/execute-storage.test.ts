/** Executing on a disk that fills up: the outcome is kept and tried again, and what ends the wait. */
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { ballast_bytes, lease_ms } from '../../src/base/limits.js';
import { RefusalError } from '../../src/base/result.js';
import type { Home } from '../../src/app/home/home.js';
import { pause } from '../../src/app/home/control.js';
import { cancelMission, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { daemonsForEach, until } from '../support/given-daemon.js';
import { actor, answered, execute, fakeEngine, queued, rejectsRefusal, stateOf } from '../support/given-home.js';
import { homeForEach } from '../support/temporary-home.js';

const result = { text: 'x'.repeat(300_000) };
/** The database may not grow: a large outcome is refused as on a full disk. */
const fill = (home: Home, spare = 4): void =>
  void home.db.pragma(`max_page_count = ${Number(home.db.pragma('page_count', { simple: true })) + spare}`);
const free = (home: Home): void => void home.db.pragma('max_page_count = 1000000');
const retry = { outcome_retry_ms: 10 };

describe('executing on a full disk', () => {
  const daemons = daemonsForEach();
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

  it('ends at once when the process is told to end', async () => {
    const { id } = await queued(home);
    const controller = new AbortController();
    const onWarning = (): void => controller.abort();
    const outcome = execute(home, id, {
      outcome_retry_ms: 3_600_000,
      runEngine: filling(),
      signal: controller.signal,
      onWarning,
    });
    await rejectsRefusal(outcome, 'interrupted');
    assert.equal(showMission(home, id).error?.code, 'interrupted');
  });

  it('ends at once when the mission is cancelled', async () => {
    const { id } = await queued(home);
    const other = homes.get().open();
    const onWarning = (): void => void cancelMission(other, id, 'ada');
    await rejectsRefusal(execute(home, id, { ...retry, runEngine: filling(), onWarning }), 'wrong_state');
    assert.equal(showMission(home, id).error?.code, 'cancelled');
    other.close();
  });

  it('is logged by the daemon, whose stop ends the wait', async () => {
    home.close();
    const daemon = await daemons.start(homes.get(), {
      runEngine: fakeEngine(() => {
        fill(daemon.home);
        return answered(result);
      }),
    });
    const { id } = await queued(daemon.home);
    await daemon.executions.start(id, actor);
    await until(() => daemon.warnings.length > 0, 'the warning');
    assert.match(daemon.warnings.join(), /no space left/);
    assert.deepEqual(daemon.executions.running(), [id]);
    await daemon.stop();
    home = homes.get().open();
    assert.equal(showMission(home, id).error?.code, 'interrupted');
  });

  it('uses half of the ballast once for a failure and a cancellation, and keeps the other half for a pause', async () => {
    const [first, second] = [await queued(home), await queued(home)];
    const ballast = home.paths.ballast;
    /** Refuses until the ballast has at most so many bytes, as a disk does that is full but for it. */
    const needs = (bytes: number): Home => ({
      ...home,
      transact: async (command) => {
        if (existsSync(ballast) && statSync(ballast).size > bytes)
          throw new RefusalError({ code: 'storage_full', detail: 'full' });
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
