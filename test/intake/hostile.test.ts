import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { readInProcess } from '../../src/intake/process/reading.js';
import { hostileFiles } from './hostile.js';

/** Returns the processes that this one started and that still run. */
const children = (): string[] =>
  execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('read-worker'));

describe('hostile files', () => {
  const files = hostileFiles();
  const directory = mkdtempSync(join(tmpdir(), 'hostile-'));
  const here = process.cwd();
  before(() => process.chdir(directory));
  after(() => {
    process.chdir(here);
    rmSync(directory, { recursive: true });
  });

  it('are at least 40', () => assert.equal(files.length >= 40, true, String(files.length)));

  for (const { name, kind, bytes, says } of files) {
    it(`are refused with one message: ${name}`, async () => {
      const outcome = await readInProcess(kind, [{ name, bytes }], {});
      assert.equal(outcome.outcome, 'invalid', JSON.stringify(outcome).slice(0, 500));
      const errors = outcome.outcome === 'invalid' ? outcome.errors : [];
      assert.deepEqual(
        errors.map(({ file }) => file),
        [name],
      );
      assert.match(errors[0]?.message ?? '', says);
      assert.equal((errors[0]?.message ?? '').length < 400, true, errors[0]?.message);
    }).timeout(60_000);
  }

  it('leave no process and no file', () => {
    assert.deepEqual(children(), []);
    assert.deepEqual(readdirSync(directory), []);
  });
});
