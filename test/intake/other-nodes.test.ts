import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.js';
import { foreignNode, real } from '../support/real.js';

const script = join(packageRoot(import.meta.url), 'dist', 'test', 'support', 'intake', 'reading-hashes.js');

/** Returns the hashes of what a Node reads the documents as. */
function hashesOf(command: string, ...args: readonly string[]): unknown {
  const ran = spawnSync(command, [...args, script], { encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return JSON.parse(ran.stdout);
}

describe('documents', () => {
  let expected: unknown;
  before(() => {
    expected = hashesOf(process.execPath);
  });

  for (const part of ['node-22', 'node-24'] as const)
    real(part, `that ${part} reads`, () => {
      it('have the same blocks, so that a request is confirmed on another Node', () => {
        const [command = '', ...args] = foreignNode(part);
        assert.deepEqual(hashesOf(command, ...args), expected);
      });
    });

  it('are read without threads, processes and writing', () => {
    const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
    assert.deepEqual(hashesOf(process.execPath, flag, '--allow-fs-read=*'), expected);
  });
});
