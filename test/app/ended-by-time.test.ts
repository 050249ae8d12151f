/** A schedule whose effort does not fit into its time: it ends in review with its best plan, which is approved, exported and recomputed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportText } from '../../src/app/exports/export.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import { executeMission } from '../../src/app/missions/attempt.js';
import { showMission } from '../../src/app/missions/missions.js';
import { reviewMission } from '../../src/app/missions/review.js';
import { search_budget_ms } from '../../src/base/limits.js';
import { longWork, tardy, until } from '../support/app/given-daemon.js';
import { actor, apply, queued } from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';

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
