/** Tools in a home: what is imported, what a status does, and that the signed entries count, not the table. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Home } from '../../src/app/home/home.js';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import { publish } from '../../src/app/log/publish.js';
import { addWitness } from '../../src/app/log/witness.js';
import { showMission } from '../../src/app/missions/missions.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import type { RunEngine } from '../../src/app/threads/engine-thread.js';
import { importTool, setToolStatus } from '../../src/app/tools/manifests.js';
import { queueWarnings, listTools, showTool } from '../../src/app/tools/records.js';
import { toolRefusal, shippedManifest } from '../../src/app/tools/require.js';
import type { Check } from '../../src/codec/api-status.js';
import type { ImportedTool } from '../../src/codec/api-tools.js';
import { ownToolIds } from '../../src/domain/tool-catalog.js';
import { execute, fakeEngine, forecast, produced, queued, rejectsRefusal, review } from '../support/app/given-home.js';
import { givenManifest, manifestFile, setStatus } from '../support/app/given-tools.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { witnessServer, type WitnessServer } from '../support/witness/witness-server.js';

const homes = homeForEach();
const importing = (home: Home, manifest: unknown): Promise<ImportedTool> =>
  importTool(home, manifestFile(homes.get().root, manifest), 'operator');
const toolCheck = (home: Home): Check | undefined => inspectHome(home).checks.find(({ name }) => name === 'tools');

describe('tools of a new home', () => {
  homes.it('are ours, as shipped, without an event', (home) => {
    const { items } = listTools(home);
    assert.deepEqual(
      items.map(({ id, own, revision, note }) => [id, own, revision, note]),
      ownToolIds.map((id) => [id, true, null, null]),
    );
    for (const { id, status, manifest } of items) assert.equal(status, manifest.status, id);
    assert.deepEqual(
      showTool(home, 'export'),
      items.find(({ id }) => id === 'export'),
    );
    assert.equal(home.writer.head.size, 1);
    assert.equal(toolCheck(home)?.status, 'ok');
  });
});

describe('tool import', () => {
  homes.it('records a manifest once, and another version over it', async (home) => {
    const first = await importing(home, { ...givenManifest(), x: { y: [1] } });
    assert.deepEqual([first.recorded, first.own, first.gate, first.status, first.revision], [true, false, null, 'active', 2]);
    assert.deepEqual(first.manifest, { ...givenManifest(), x: { y: [1] } });
    assert.deepEqual(first.warnings, []);
    assert.equal((await importing(home, { x: { y: [1] }, ...givenManifest() })).recorded, false);
    assert.equal(home.writer.head.size, 2);
    await rejectsRefusal(importing(home, givenManifest()), 'conflict');
    await setStatus(home, 'mail_send', 'quarantined', 'odd');
    const second = await importing(home, givenManifest({ tool_version: '2', schema_version: '' }));
    assert.deepEqual([second.status, second.note, second.revision, second.recorded], ['quarantined', 'odd', 4, true]);
    assert.deepEqual(second.warnings, [
      { path: 'schema_version', message: 'is empty' },
      { path: 'status', message: 'is active; the tool stays quarantined' },
    ]);
    assert.deepEqual(listTools(home).items.at(-1), showTool(home, 'mail_send'));
  });

  homes.it('changes what is shown for one of ours, never what is in force', async (home) => {
    assert.equal((await importing(home, shippedManifest('export'))).recorded, false);
    await rejectsRefusal(importing(home, { ...shippedManifest('export'), owner: 'x' }), 'conflict');
    await setStatus(home, 'export', 'disabled');
    const other = { ...shippedManifest('export'), tool_version: '1.0.1', owner: 'x', status: 'active' };
    assert.equal((await importing(home, other)).status, 'disabled');
    assert.equal(showTool(home, 'export').manifest.owner, 'x');
    assert.equal(toolRefusal(home.db, 'export')?.code, 'tool_disabled');
  });

  homes.it('refuses bad files with every fault, and records nothing', async (home) => {
    assert.equal((await rejectsRefusal(importing(home, {}), 'invalid')).errors?.length, 20);
    assert.deepEqual(
      (await rejectsRefusal(importing(home, givenManifest({ tool_id: 'a/b' })), 'invalid')).errors?.map(({ path }) => path),
      ['tool_id'],
    );
    await rejectsRefusal(importing(home, '{"a":1,"a":2}'), 'malformed');
    await rejectsRefusal(importing(home, 'x'.repeat(65_537)), 'too_large');
    await rejectsRefusal(importTool(home, homes.get().root, 'operator'), 'invalid');
    await rejectsRefusal(importTool(home, `${homes.get().root}/none`, 'operator'), 'not_found');
    await rejectsRefusal(importTool(home, manifestFile(homes.get().root, givenManifest()), ''), 'invalid');
    assert.equal(home.writer.head.size, 1);
  });
});

describe('tool status', () => {
  homes.it('needs a note of 1 to 2000 characters that is not blank', async (home) => {
    for (const note of ['', '   ', '\n', 'x'.repeat(2_001), '\ud800']) {
      const { errors } = await rejectsRefusal(
        setToolStatus(home, 'export', { to: 'disabled', note, actor: 'operator' }),
        'invalid',
      );
      assert.deepEqual(
        errors?.map(({ path }) => path),
        ['note'],
      );
    }
    assert.equal(home.writer.head.size, 1);
    assert.equal((await setStatus(home, 'export', 'disabled', 'x'.repeat(2_000))).status, 'disabled');
  });
});

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
  homes.it('registers a witness and sends it no request', async (home) => {
    await setStatus(home, 'witness_submit', 'quarantined');
    const server = await givenWitness(home);
    const added = await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
    assert.deepEqual(added.warnings, ['no cosignature was requested: tool witness_submit is quarantined (tried)']);
    const report = await publish(home, { directory: join(homes.get().root, 'public') });
    assert.deepEqual([report.cosignatures, report.warnings], [[], added.warnings]);
    assert.equal(server.requests.length, 0);
  });
});

describe('a stopped tool of a mission in review', () => {
  homes.it('lets no engine run, and lets a rejection pass', async (home) => {
    const made = await produced(home, forecast());
    await setStatus(home, 'mission_forecast', 'quarantined');
    const runEngine: RunEngine = () => assert.fail('the engine of a quarantined tool ran');
    await rejectsRefusal(review(home, made, { runEngine }), 'tool_disabled');
    await rejectsRefusal(review(home, made, { runEngine, result_hash: '0'.repeat(64) }), 'hash_mismatch');
    assert.equal(showMission(home, made.id).state, 'review');
    assert.equal((await review(home, made, { runEngine, approve: false })).state, 'rejected');
  });

  homes.it('refuses an approval when it is stopped while the result is verified', async (home) => {
    const made = await produced(home, forecast());
    const engine = fakeEngine();
    const runEngine: RunEngine = async (task, hooks) => {
      await setStatus(home, 'mission_forecast', 'disabled');
      return engine(task, hooks);
    };
    await rejectsRefusal(review(home, made, { runEngine }), 'tool_disabled');
    assert.equal(showMission(home, made.id).state, 'review');
  });

  homes.it('leaves a queued mission waiting, with a warning', async (home) => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    assert.deepEqual(queueWarnings(home, { id, kind: 'forecast' }), []);
    assert.deepEqual(queueWarnings(home, { id, kind: 'code' }), []);
    await setStatus(home, 'mission_forecast', 'quarantined');
    assert.deepEqual(queueWarnings(home, { id, kind: 'forecast' }), [
      'tool mission_forecast is quarantined (tried): the mission waits until it is active',
    ]);
    assert.equal((await queued(home)).state, 'queued');
  });
});

describe('a tool that is stopped during the work', () => {
  const stopAt = async (stage: string, note = 'tried', said = note): Promise<void> => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const { id } = await queued(home);
    const stopping: Promise<unknown>[] = [];
    const onProgress = (role: string): void => {
      if (role === stage) stopping.push(setStatus(other, 'mission_forecast', 'quarantined', note));
    };
    const refusal = await rejectsRefusal(execute(home, id, { runEngine: fakeEngine(), onProgress }), 'tool_disabled');
    await Promise.all(stopping);
    assert.equal(refusal.detail, `mission ${id} failed: tool mission_forecast is quarantined (${said})`);
    assert.equal(refusal.hint, `agent-cli recover ${id}`);
    const { state, error, result, stages } = showMission(home, id);
    assert.deepEqual([state, error?.code, result], ['failed', 'tool_disabled', null], stage);
    assert.equal(stages.at(-1)?.role, stage, 'no stage came after it');
    home.close();
    other.close();
  };

  it('fails the mission at the next checkpoint', () => stopAt('research'));
  it('fails the mission at the outcome', () => stopAt('memory'));
  it('fails the mission all the same with the longest note', () => stopAt('memory', 'x'.repeat(2_000), `${'x'.repeat(300)}…`));
});
