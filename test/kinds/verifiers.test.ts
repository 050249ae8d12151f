import assert from 'node:assert/strict';
import { kinds } from '../../src/codec/kinds.js';
import { missionKind } from '../../src/kinds/table.js';
import { verifierOf } from '../../src/kinds/verifiers.js';

describe('the verifier of a result', () => {
  it('is that of the version which made it', () => {
    for (const kind of kinds) {
      const { solver } = missionKind(kind);
      if (solver === null || solver.verify === null) continue;
      const { engine, former = {}, model, verify } = solver;
      assert.equal(verifierOf(kind, engine), verify);
      for (const [version, earlier] of Object.entries(former)) {
        assert.notEqual(version, engine.version);
        assert.equal(verifierOf(kind, { name: engine.name, version }), earlier);
      }
      if (model !== undefined) assert.equal(verifierOf(kind, model), model.verify);
    }
  });

  it('is absent for engines, versions and kinds that have none', () => {
    for (const kind of kinds) {
      const name = missionKind(kind).solver?.engine.name ?? kind;
      for (const made of [
        { name, version: '0' },
        { name, version: 'constructor' },
        { name: 'another', version: '1.0.0' },
      ])
        assert.equal(verifierOf(kind, made), null, `${kind} ${made.name} ${made.version}`);
    }
    assert.equal(verifierOf('code', { name: 'sandboxed-benchmark', version: '1.0.0' }), null);
  });
});
