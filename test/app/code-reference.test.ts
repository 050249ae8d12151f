/** A code mission that the reference agent queued: the numbers of its cases count as that agent wrote them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { exportMission } from '../../src/app/exports/export.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import { openHome } from '../../src/app/home/open.js';
import { apply, execute, rejectsRefusal, review } from '../support/app/given-home.js';
import { adopt, states, type GivenMission } from '../support/app/given-reference.js';
import { real } from '../support/real.js';
import { sandboxEnv } from '../support/sandbox/sandbox.js';
import { temporaryHome, uuidOf } from '../support/app/temporary-home.js';

const id = uuidOf(7);
/** A candidate that halves passes floats that are whole, as Python wrote them. */
const mission = (candidate: string): GivenMission => ({
  id,
  work: `{"candidate":${JSON.stringify(candidate)},"examples":[],"heldout":[{"args":[4.0],"expected":2.0},{"args":[3],"expected":1.5}],"kind":"code"}`,
});

real('container', 'a code mission of the reference agent', () => {
  const executed = async <A>(
    candidate: string,
    use: (given: ReturnType<typeof temporaryHome>, home: ReturnType<typeof openHome>) => Promise<A>,
  ) => {
    const given = temporaryHome();
    adopt(given, states(mission(candidate), 'queued'));
    const home = openHome({ ...given.world, env: { ...given.world.env, ...sandboxEnv() } });
    try {
      await apply(home, { allow_code_execution: true });
      return await use(given, home);
    } finally {
      home.close();
      given.remove();
    }
  };

  it('passes with a float for a float, and is not recomputed where its numbers are lost', async () => {
    await executed('def solve(x):\n    return x / 2\n', async (given, home) => {
      const made = await execute(home, id);
      assert.equal((made.result as { passed: number }).passed, 2);
      assert.equal((await review(home, made)).state, 'completed');
      const file = join(given.root, 'code.json');
      exportMission(home, id, file);
      const verdict = await verifyExport({ file, publicKey: given.report.public_key, recompute: true, env: sandboxEnv() });
      assert.deepEqual([verdict.valid, verdict.recomputed], [true, null]);
      assert.match(verdict.reason ?? '', /^not recomputed: the request of the export does not write the numbers/);
    });
  });

  it('fails with an integer for a float', async () => {
    await executed(
      'def solve(x):\n    return x // 2 if x == 4 and type(x) is int else int(x / 2) if x == 4 else x / 2\n',
      async (_, home) => {
        const { detail } = await rejectsRefusal(execute(home, id), 'execution_failed');
        assert.match(detail, /1 of 2 held-out cases failed: case 1 \(another value than expected\)/);
      },
    );
  });
});
