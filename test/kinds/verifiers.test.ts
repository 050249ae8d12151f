import assert from 'node:assert/strict';
import type { EngineId } from '../../src/codec/events/mission.js';
import { kinds } from '../../src/codec/kinds.js';
import { isBeyondRecomputing, isRecomputed, solverOf, verifierOf } from '../../src/kinds/verifiers.js';

const solvers = kinds.flatMap((kind) => {
  const solver = solverOf(kind);
  return solver === null ? [] : [{ kind, solver }];
});

describe('the verifier of a result', () => {
  it('is that of the version which made it', () => {
    assert.equal(solvers.length, 4);
    for (const { kind, solver } of solvers) {
      const { engine, model, verifier } = solver;
      assert.equal(verifierOf(solver, engine), verifier);
      assert.equal(isBeyondRecomputing(kind, engine), false);
      assert.equal(isRecomputed(solver, engine), ['research', 'forecast'].includes(kind));
      if (model === undefined) continue;
      assert.equal(verifierOf(solver, model.engine), model.verifier);
      assert.equal(verifierOf(solver, { name: model.engine.name, version: '0' }), null);
      assert.equal(isRecomputed(solver, model.engine), false);
      assert.equal(isBeyondRecomputing(kind, model.engine), false);
    }
  });

  it('is for another version a former one, or that of the claims of a result that is computed again', async () => {
    for (const { kind, solver } of solvers) {
      const former = { '0.9.0': async () => await solver.verifier() };
      const made = (version: string): EngineId => ({ name: solver.engine.name, version });
      assert.equal(verifierOf({ ...solver, former }, made('0.9.0')), former['0.9.0']);
      for (const version of ['0', 'constructor']) {
        assert.equal(verifierOf({ ...solver, former }, made(version)), solver.isRecomputed ? solver.verifier : null, kind);
        assert.equal(isBeyondRecomputing(kind, made(version)), solver.isRecomputed);
      }
      assert.equal((await solver.engine.load()).name, solver.engine.name);
    }
  });

  it('is absent for other engines and for kinds that have none', () => {
    for (const { kind, solver } of solvers) assert.equal(verifierOf(solver, { name: 'another', version: '1.0.0' }), null, kind);
    assert.equal(verifierOf(solverOf('code'), { name: 'sandboxed-benchmark', version: '1.0.0' }), null);
    assert.equal(isBeyondRecomputing('code', { name: 'sandboxed-benchmark', version: '0' }), false);
    assert.equal(isBeyondRecomputing('forecast', null), false);
  });
});
