/** Results of earlier versions of the research engines, kept as they made them, pass the verifiers of those versions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { EngineInput } from '../../src/engines/engine.js';
import { researchKind } from '../../src/kinds/research/kind.js';
import { verifierOf } from '../../src/kinds/verifiers.js';
import type { ResearchWork } from '../../src/kinds/research/work.js';
import { packageRoot } from '../support/package-root.js';
import { mutations } from './mutations.js';

interface Stored {
  readonly goal: string;
  readonly sources: ResearchWork['sources'];
  readonly version: string;
  readonly result: unknown;
}

const file = join(packageRoot(import.meta.url), 'test', 'vectors', 'research', 'former.json');
const stored = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<'research' | 'research_model', readonly Stored[]>>;

const inputOf = ({ goal, sources }: Stored): EngineInput<ResearchWork> => ({
  goal,
  work: { kind: 'research', sources },
  seed: 42,
  population: 20,
  generations: 12,
  effort: { max_evaluations: 100 },
  warm_start: null,
});

/** What only a language model knows. */
const free = /claim$|reported_model|model_listed|response_hash|usage|findings\[[-+\d]+\]$/;

for (const name of ['research', 'research_model'] as const) {
  for (const [i, one] of stored[name].entries()) {
    it(`passes result ${i} of ${name} ${one.version} by the verifier of that version, and only unchanged`, () => {
      const verify = verifierOf('research', { name, version: one.version });
      assert.ok(verify !== null);
      const input = inputOf(one);
      assert.equal(verify(input, one.result).failure, null);
      let count = 0;
      for (const { path, value } of mutations(one.result)) {
        if (name === 'research_model' && free.test(path)) continue;
        if (count++ % 3 === 0) assert.equal(verify(input, value).passed, false, `accepted an altered ${path}`);
      }
      assert.ok(count > 100);
    });
  }
}

describe('results of the present engine', () => {
  it('have a verifier that refuses earlier results, and unknown versions have none', () => {
    const { solver } = researchKind;
    assert.ok(solver !== null && solver.verify !== null && solver.engine.version !== '1.1.0');
    for (const one of stored.research) assert.equal(solver.verify(inputOf(one), one.result).passed, false);
    assert.equal(verifierOf('research', { name: 'research', version: '0.9.0' }), null);
    assert.equal(verifierOf('research', { name: 'research_model', version: 'constructor' }), null);
  });
});
