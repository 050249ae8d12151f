import { strict as assert } from 'node:assert';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/result.js';
import { kinds } from '../../src/codec/kinds.js';
import { decode } from '../../src/codec/kit.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import { missionRequest } from '../../src/kinds/request.js';
import { rehearse } from '../../src/kinds/rehearsal.js';
import { missionKind } from '../../src/kinds/table.js';
import { solverOf } from '../../src/kinds/verifiers.js';

const steps_max = 24;

describe('the preparation of an idle thread', () => {
  for (const kind of kinds) {
    const solver = solverOf(kind);
    if (solver === null) continue;

    it(`has a bounded number of steps, and changes no result: ${kind}`, async () => {
      const [engine, verify] = [await solver.engine.load(), await solver.verifier()];
      const input = engineInput(unwrap(decode(missionRequest, { ...missionKind(kind).example, seed: 1 })), 10, null);
      const result = (): string => canonicalJson(unwrap(engine.run(input, () => undefined)).result);
      const before = result();
      assert.ok(solver.rehearsal !== undefined);
      const steps = [...rehearse(engine, verify, solver.rehearsal())].length;
      assert.ok(steps > 0 && steps <= steps_max, `${steps} steps`);
      assert.equal(result(), before);
    });
  }
});
