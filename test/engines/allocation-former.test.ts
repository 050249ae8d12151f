import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import type { EngineInput } from '../../src/engines/engine.js';
import { verifierOf } from '../../src/kinds/verifiers.js';
import type { AllocationWork } from '../../src/kinds/allocation/work.js';
import { mutations } from './mutations.js';

interface Stored {
  readonly engine: { readonly name: string; readonly version: string };
  readonly input: EngineInput<AllocationWork>;
  readonly result: unknown;
}

describe('allocation results of version 1.0.0', () => {
  const stored = JSON.parse(readFileSync('test/vectors/allocation/results-1.0.0.json', 'utf8')) as Stored[];

  it('pass the verifier of their version', () => {
    assert.equal(stored.length, 4);
    for (const { engine, input, result } of stored) {
      const verify = verifierOf('allocation', engine);
      assert.ok(verify !== null);
      assert.equal(verify(input, result).failure, null);
    }
  });

  it('are refused when anything in them was altered', () => {
    for (const { engine, input, result } of stored.slice(1, 3)) {
      const verify = verifierOf('allocation', engine);
      for (const { path, value } of mutations(result)) assert.equal(verify?.(input, value).passed, false, path);
    }
  });
});
