import { strict as assert } from 'node:assert';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/result.js';
import { kinds } from '../../src/codec/kinds.js';
import { decode } from '../../src/codec/kit.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import { examples } from '../../src/kinds/examples.js';
import { missionRequest } from '../../src/kinds/request.js';
import { missionKind } from '../../src/kinds/table.js';

const steps_max = 24;

describe('the preparation of an idle thread', () => {
  for (const kind of kinds) {
    const { solver } = missionKind(kind);
    if (solver === null || solver.verify === null) continue;

    it(`has a bounded number of steps, and changes no result: ${kind}`, () => {
      const input = engineInput(unwrap(decode(missionRequest, { ...examples[kind], seed: 1 })), 10, null);
      const result = (): string => canonicalJson(unwrap(solver.engine.run(input, () => undefined)).result);
      const before = result();
      const steps = [...(solver.prepare?.() ?? [])].length;
      assert.ok(steps > 0 && steps <= steps_max, `${steps} steps`);
      assert.equal(result(), before);
    });
  }
});
