/** The largest outcomes go through backup and restore. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { simulation_outcome_bytes_max } from '../../../src/base/limits.js';
import { executeRun } from '../../../src/app/simulation/runs/execute.js';
import { requestRun, requireRun } from '../../../src/app/simulation/runs/runs.js';
import { outcomeText } from '../../../src/app/simulation/runs/stored.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { requestOf, run } from '../../support/app/simulation.js';
import { backup, restore, verified, withHome, worldBeside } from '../backup/archives.js';

const homes = homeForEach();

describe('a large simulation', () => {
  it('is backed up and restored', async () => {
    const home = homes.get();
    const request = requestOf({ pop_size: 5_000, num_sectors: 100, generations: 1, entropy: 2, horizon: 20 });
    const { id, text } = await home.with(async (opened) => {
      const queued = await requestRun(opened, { request, runner: 'command', actor: 'operator' });
      const ended = await executeRun(opened, queued.id, { actor: 'operator' });
      return { id: queued.id, text: outcomeText(opened.db, ended) };
    });
    assert.ok(text.length > 5_000_000, `${text.length} characters`);
    const { file } = await backup(home);
    const world = worldBeside(home);
    await restore(world, file);
    assert.equal((await verified(world))[0], true);
    withHome(world, ({ db }) => assert.equal(outcomeText(db, requireRun(db, id)), text));
  });

  it('stays within its bound with the largest request', () => {
    const sectors = Array.from({ length: 1_000 }, (_, i) => ({
      name: `${'\u0001'.repeat(96)}${i}`,
      energy: 1.23456789012e11,
      entropy: 1e12,
      growth: 9.87654321,
    }));
    const outcome = run({ sectors, pop_size: 1_000, generations: 1, horizon: 200, samples: 10 });
    const bytes = Buffer.byteLength(canonicalJson(outcome));
    assert.ok(bytes > 14_000_000 && bytes <= simulation_outcome_bytes_max, `${bytes} bytes`);
  });
});
