import assert from 'node:assert/strict';
import { startDaemon } from '../../../src/app/daemon/daemon.js';
import { requestRun, requireRun } from '../../../src/app/simulation/runs.js';
import { unwrap } from '../../../src/base/result.js';
import { homeForEach } from '../../support/temporary-home.js';
import { requestOf } from '../../support/simulation.js';

const homes = homeForEach();

describe('simulation runs and the daemon', () => {
  it('a run that an earlier daemon left unfinished is failed visibly when the next one starts', async () => {
    const { id } = await homes
      .get()
      .with(async (home) => unwrap(await requestRun(home, { request: requestOf({}), runner: 'daemon', actor: 'operator' })));
    const daemon = await startDaemon(homes.get().world, { onWarning: assert.fail });
    try {
      const { state, error } = requireRun(daemon.home.db, id);
      assert.deepEqual([state, error?.code], ['failed', 'interrupted']);
    } finally {
      await daemon.stop();
    }
  });
});
