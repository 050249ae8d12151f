import assert from 'node:assert/strict';
import type { EngineId } from '../../src/codec/events/mission.js';
import { kinds } from '../../src/codec/kinds.js';
import type { Solver } from '../../src/kinds/kind.js';
import { missionKind } from '../../src/kinds/table.js';
import { isBeyondRecomputing, verifierIn, verifierOf } from '../../src/kinds/verifiers.js';
import type { Works } from '../../src/kinds/works.js';

describe('the verifier of a result', () => {
  it('is that of the version which made it', () => {
    for (const kind of kinds) {
      const { solver } = missionKind(kind);
      if (solver === null || solver.verify === null) continue;
      const { engine, model, verify } = solver;
      assert.equal(verifierOf(kind, engine), verify);
      assert.equal(isBeyondRecomputing(kind, engine), false);
      if (model === undefined) continue;
      assert.equal(verifierOf(kind, model), model.verify);
      assert.equal(verifierOf(kind, { name: model.name, version: '0' }), null);
      assert.equal(isBeyondRecomputing(kind, model), false);
    }
  });

  it('is for another version a former one, or that of the claims for an engine whose results are computed again', () => {
    for (const kind of kinds) {
      const { solver } = missionKind(kind);
      if (solver === null || solver.verify === null) continue;
      for (const version of ['0', 'constructor']) {
        const made: EngineId = { name: solver.engine.name, version };
        assert.equal(verifierOf(kind, made), solver.isRecomputed ? solver.verify : null, kind);
        assert.equal(isBeyondRecomputing(kind, made), solver.isRecomputed);
      }
    }
    const { solver } = missionKind('schedule');
    assert.ok(solver !== null && solver.verify !== null);
    const former: Solver<Works['schedule']>['verify'] = () => ({ passed: true, checks: [], failure: null });
    const made: EngineId = { name: solver.engine.name, version: '0.9.0' };
    assert.equal(verifierIn({ ...solver, former: { '0.9.0': former } }, made), former);
    assert.equal(verifierIn({ ...solver, former: { '0.9.0': former } }, { ...made, version: '0.8.0' }), null);
  });

  it('is absent for other engines and for kinds that have none', () => {
    for (const kind of kinds) assert.equal(verifierOf(kind, { name: 'another', version: '1.0.0' }), null, kind);
    assert.equal(verifierOf('code', { name: 'sandboxed-benchmark', version: '1.0.0' }), null);
    assert.equal(isBeyondRecomputing('code', { name: 'sandboxed-benchmark', version: '0' }), false);
    assert.equal(isBeyondRecomputing('forecast', null), false);
  });
});
