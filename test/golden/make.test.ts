/** scripts/golden-home, in part: the whole of it runs with TEST_EFFORT=full. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHome } from '../../src/app/home/home.js';
import { programVersion } from '../../src/app/home/program.js';
import { fullEffort } from '../support/effort.js';
import { leftRunning, queued } from '../support/given-home.js';
import { folderForEach } from '../support/temporary-home.js';
import { recordedTypes } from './event-types.js';
import { finish, submit, type MadeHome } from './main-home.js';
import { golden_types, makeGoldenHomes, record } from './make.js';
import { operatorIn } from './operator.js';
import { planMission } from './samples.js';

describe('golden homes of this version', function () {
  this.timeout(1_800_000);
  const folder = folderForEach();

  it('would hold every type of event that this program records', () => {
    assert.deepEqual(recordedTypes(), golden_types.toSorted());
  });

  it('are recorded from commands, which print what the functions of the next version return', async () => {
    const made: MadeHome = { operator: operatorIn(join(folder.get(), 'small')), requests: new Map() };
    const { operator } = made;
    await operator.run(['init']);
    const approved = await submit(made, planMission(1));
    await finish(operator, approved);
    const world = { env: { AGENT_WITNESS: join(operator.folder, 'witness') }, clock: () => Date.now(), directory: operator.home };
    const home = openHome(world);
    const { id } = await queued(home);
    await leftRunning(home, id, { killed: true });
    home.close();
    const { shown, summary } = await record(made);
    assert.deepEqual([shown[id]?.['state'], shown[approved]?.['state']], ['running', 'completed']);
    assert.equal(summary.verify_export[approved]?.['recomputed'], true);
  });

  it('are never written over', async () => {
    const target = join(folder.get(), programVersion);
    writeFileSync(target, 'kept');
    await assert.rejects(
      makeGoldenHomes(folder.get(), () => undefined),
      /golden homes are never overwritten/,
    );
    assert.equal(readFileSync(target, 'utf8'), 'kept');
  });

  if (fullEffort)
    it('are made', async () => {
      const made = await makeGoldenHomes(folder.get(), () => undefined);
      for (const name of ['main', 'restored', 'schema-1', 'program']) assert.ok(existsSync(join(made, `${name}.tar.gz`)), name);
    });
});
