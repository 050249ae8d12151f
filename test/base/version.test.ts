import assert from 'node:assert/strict';
import { compareVersions } from '../../src/base/version.js';

/** From the specification's section 11, and this program's own; each comes before the next. */
const ascending =
  '0.9.9 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.9.9 1.10.0 2.0.0-- ' +
  '2.0.0-dev 2.0.0-dev.9007199254740993 2.0.0-dev.9007199254740994 2.0.0-rc 2.0.0 2.0.1-dev 10.0.0';
const versions = ascending.split(' ');

describe('the order of versions', () => {
  it('is that of Semantic Versioning: numbers as numbers, a pre-release before its release', () => {
    for (const [i, a] of versions.entries())
      for (const [k, b] of versions.entries()) assert.equal(Math.sign(compareVersions(a, b)), Math.sign(i - k), `${a} and ${b}`);
  });

  it('leaves build metadata out', () => {
    assert.equal(compareVersions('2.0.0+b', '2.0.0+a.1'), 0);
    assert.equal(compareVersions('2.0.0-dev+b', '2.0.0-dev'), 0);
  });

  it('puts a text that is no version before every version', () => {
    for (const text of ['', '2', '2.0', '2.0.0.0', 'v2.0.0', '02.0.0', '2.0.0-', '2.0.0-01', '2.0.0-a..b', ' 2.0.0', '2.0.0\n']) {
      assert.ok(compareVersions(text, '0.0.0-0') < 0, text);
      assert.ok(compareVersions('0.0.0-0', text) > 0, text);
      assert.equal(compareVersions(text, 'x'), 0, text);
    }
  });
});
