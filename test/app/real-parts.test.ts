/** What happens to the tests of a part that is missing. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.js';

const root = packageRoot(import.meta.url);

/** Runs the test of a real llama-server on a machine without one. */
function withoutLlama(env: Readonly<Record<string, string>>): { readonly code: number | null; readonly said: string } {
  const { AGENT_TEST_COUNTS: _, REQUIRE_REAL: _1, TEST_EFFORT: _2, ...own } = process.env;
  const args = [
    join(root, 'node_modules/mocha/bin/mocha.js'),
    join(root, 'dist/test/cli/provider.test.js'),
    '--fgrep',
    'a real llama-server',
  ];
  const ran = spawnSync(process.execPath, args, {
    env: { ...own, AGENT_TEST_PARTS: '{"llama-server":"it is not here"}', ...env },
    encoding: 'utf8',
  });
  return { code: ran.status, said: ran.stdout };
}

describe('a test of a real part that is missing', () => {
  it('fails with REQUIRE_REAL=1 and TEST_EFFORT=full, which bring llama-server', () => {
    const { code, said } = withoutLlama({ REQUIRE_REAL: '1', TEST_EFFORT: 'full' });
    assert.equal(code, 1, said);
    assert.match(said, /1 failing[^]*llama-server: it is not here/);
  });

  it('is skipped with the reason where the part is not required', () => {
    const { code, said } = withoutLlama({ TEST_EFFORT: 'full' });
    assert.equal(code, 0, said);
    assert.match(said, /\[skipped, llama-server: it is not here\][^]*1 pending/);
  });
});
