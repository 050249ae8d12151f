/** Tools that are stopped or deprecated while something is under way: witnesses, a result in review, a mission at work. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkpoint, cosignedCheckpoint } from '../../src/app/log/checkpoint.js';
import type { RunEngine } from '../../src/app/threads/engine-thread.js';
import type { Home } from '../../src/app/home/home.js';
import { showMission } from '../../src/app/missions/missions.js';
import { publish } from '../../src/app/log/publish/publish.js';
import { queueWarnings } from '../../src/app/tools/queued.js';
import { addWitness } from '../../src/app/log/witness.js';
import { execute, fakeEngine, forecast, produced, queued, rejectsRefusal, review } from '../support/given-home.js';
import { setStatus } from '../support/given-tool-home.js';
import { homeForEach } from '../support/temporary-home.js';
import { witnessServer, type WitnessServer } from '../support/witness-server.js';

const homes = homeForEach();
const servers: WitnessServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
async function givenWitness(home: Home): Promise<WitnessServer> {
  const server = await witnessServer([checkpoint(home, undefined).vkey]);
  servers.push(server);
  return server;
}

describe('a stopped witness_submit', () => {
  it('registers a witness and sends it no request', async () => {
    const home = homes.get().open();
    await setStatus(home, 'witness_submit', 'quarantined');
    const server = await givenWitness(home);
    const added = await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
    assert.deepEqual(added.warnings, ['no cosignature was requested: tool witness_submit is quarantined (tried)']);
    const report = await publish(home, { directory: join(homes.get().root, 'public') });
    assert.deepEqual([report.cosignatures, report.warnings], [[], added.warnings]);
    assert.equal(server.requests.length, 0);
    home.close();
  });

  it('sends requests and warns once when it is deprecated', async () => {
    const home = homes.get().open();
    const server = await givenWitness(home);
    await setStatus(home, 'witness_submit', 'deprecated', 'old');
    const warning = 'tool witness_submit is deprecated (old)';
    const added = await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
    assert.deepEqual([added.cosigned, added.warnings], [home.writer.head.size, [warning]]);
    await queued(home, forecast());
    assert.deepEqual((await cosignedCheckpoint(home, undefined)).warnings, [warning]);
    await queued(home, forecast());
    assert.deepEqual((await publish(home, { directory: join(homes.get().root, 'public') })).warnings, [warning]);
    home.close();
  });
});

describe('a stopped tool of a mission in review', () => {
  it('lets no engine run, and lets a rejection pass', async () => {
    const home = homes.get().open();
    const made = await produced(home, forecast());
    await setStatus(home, 'mission_forecast', 'quarantined');
    const runEngine: RunEngine = () => assert.fail('the engine of a quarantined tool ran');
    await rejectsRefusal(review(home, made, { runEngine }), 'tool_disabled');
    await rejectsRefusal(review(home, made, { runEngine, result_hash: '0'.repeat(64) }), 'hash_mismatch');
    assert.equal(showMission(home, made.id).state, 'review');
    assert.equal((await review(home, made, { runEngine, approve: false })).state, 'rejected');
    home.close();
  });

  it('refuses an approval when it is stopped while the result is verified', async () => {
    const home = homes.get().open();
    const made = await produced(home, forecast());
    const engine = fakeEngine();
    const runEngine: RunEngine = async (task, hooks) => {
      await setStatus(home, 'mission_forecast', 'disabled');
      return engine(task, hooks);
    };
    await rejectsRefusal(review(home, made, { runEngine }), 'tool_disabled');
    assert.equal(showMission(home, made.id).state, 'review');
    home.close();
  });

  it('warns whoever approves, and not who rejects, when it is deprecated', async () => {
    const home = homes.get().open();
    const [one, two] = [await produced(home, forecast()), await produced(home, forecast())];
    await setStatus(home, 'mission_forecast', 'deprecated');
    const warnings: string[] = [];
    const options = { runEngine: fakeEngine(), onWarning: (warning: string): void => void warnings.push(warning) };
    await review(home, one, { ...options, approve: false });
    assert.deepEqual(warnings, []);
    await review(home, two, options);
    assert.deepEqual(warnings, ['tool mission_forecast is deprecated (tried)']);
    home.close();
  });

  it('leaves a queued mission waiting, with a warning', async () => {
    const home = homes.get().open();
    assert.deepEqual(queueWarnings(home, 'forecast'), []);
    assert.deepEqual(queueWarnings(home, 'code'), []);
    await setStatus(home, 'mission_forecast', 'quarantined');
    assert.deepEqual(queueWarnings(home, 'forecast'), [
      'tool mission_forecast is quarantined (tried): the mission waits until it is active',
    ]);
    assert.equal((await queued(home)).state, 'queued');
    home.close();
  });
});

describe('a tool that is stopped during the work', () => {
  const stopAt = async (stage: string): Promise<void> => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const { id } = await queued(home);
    const stopping: Promise<unknown>[] = [];
    const onProgress = (role: string): void => {
      if (role === stage) stopping.push(setStatus(other, 'mission_forecast', 'quarantined'));
    };
    const refusal = await rejectsRefusal(execute(home, id, { runEngine: fakeEngine(), onProgress }), 'tool_disabled');
    await Promise.all(stopping);
    assert.equal(refusal.detail, `mission ${id} failed: tool mission_forecast is quarantined (tried)`);
    assert.equal(refusal.hint, `agent-cli recover ${id}`);
    const { state, error, result, stages } = showMission(home, id);
    assert.deepEqual([state, error?.code, result], ['failed', 'tool_disabled', null], stage);
    assert.equal(stages.at(-1)?.role, stage, 'no stage came after it');
    home.close();
    other.close();
  };

  it('fails the mission at the next checkpoint', () => stopAt('research'));
  it('fails the mission at the outcome', () => stopAt('memory'));

  it('fails the mission all the same with the longest note', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const { id } = await queued(home);
    const stopping: Promise<unknown>[] = [];
    const onProgress = (role: string): void => {
      if (role === 'memory') stopping.push(setStatus(other, 'mission_forecast', 'disabled', 'x'.repeat(2_000)));
    };
    const refusal = await rejectsRefusal(execute(home, id, { runEngine: fakeEngine(), onProgress }), 'tool_disabled');
    await Promise.all(stopping);
    assert.equal(refusal.detail, `mission ${id} failed: tool mission_forecast is disabled (${'x'.repeat(300)}…)`);
    home.close();
    other.close();
  });

  it('stops nothing when it is active again by the outcome', async () => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const engine = fakeEngine();
    const run: typeof engine = async (task, hooks) => {
      await setStatus(other, 'mission_forecast', 'quarantined');
      await setStatus(other, 'mission_forecast', 'active');
      return engine(task, hooks);
    };
    assert.equal((await execute(home, (await queued(home)).id, { runEngine: run })).state, 'review');
    home.close();
    other.close();
  });
});
