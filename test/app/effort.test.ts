/** The effort that a request names in place of the configuration, and a search that its time ends. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { executeMission } from '../../src/app/missions/attempt.js';
import { missionLines } from '../../src/cli/render.js';
import { evaluationsOf, roundedTime } from '../../src/kinds/effort.js';
import { actor, apply, fakeEngine, forecast, queued, rejectsRefusal, schedule } from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { exportText } from '../../src/app/exports/export.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import { showMission } from '../../src/app/missions/missions.js';
import { reviewMission } from '../../src/app/missions/review.js';
import { search_budget_ms } from '../../src/base/limits.js';
import { longWork, tardy, until } from '../support/app/given-daemon.js';

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
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['effort'],
    );
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
    assert.match(said, /takes about 2 h; the search ends after 8 min with the best result so far/);
    assert.match(said, /choose --effort quick, or at most 60,000: agent-cli run --from \w+ --effort 60000/);
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
