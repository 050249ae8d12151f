/** The copy of a journal in the system's temporary directory, whatever ends the process that made it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForEach } from '../support/temporary-home.js';
import { hang_ms } from '../support/wait.js';

const folder = folderForEach();
const module = new URL('../../src/app/home/copy.js', import.meta.url).href;
const temporary = (): string => join(folder.get(), 'temporary');

/** Runs a line in a process of its own that has the functions of the module, and the path of a journal as `file`. */
function run(line: string): { readonly signal: string | null; readonly stderr: string } {
  const file = join(folder.get(), 'journal.sqlite3');
  writeFileSync(file, 'private');
  mkdirSync(temporary(), { recursive: true });
  const source = `
    const { copyJournal, withCopy } = await import(${JSON.stringify(module)});
    const file = ${JSON.stringify(file)};
    const end = (signal) => process.kill(process.pid, signal);
    ${line}
    setInterval(() => undefined, 1_000);`;
  const env = { ...process.env, TMPDIR: temporary() };
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    env,
    encoding: 'utf8',
    timeout: hang_ms,
    killSignal: 'SIGKILL',
  });
  return { signal, stderr };
}

describe('the copy of a journal', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`is removed by ${signal}, which ends the process`, () => {
      assert.deepEqual(run(`copyJournal(file); end('${signal}');`), { signal, stderr: '' });
      assert.deepEqual(readdirSync(temporary()), []);
    });

    it(`is removed where ${signal} arrives while it is read, and the process ends then`, () => {
      assert.deepEqual(run(`withCopy(file, () => end('${signal}'));`), { signal, stderr: '' });
      assert.deepEqual(readdirSync(temporary()), []);
    });
  }

  it('is removed by the next copy after a kill', () => {
    assert.equal(run(`copyJournal(file); end('SIGKILL');`).signal, 'SIGKILL');
    assert.equal(readdirSync(temporary()).length, 1);
    assert.equal(run(`copyJournal(file).remove(); end('SIGTERM');`).signal, 'SIGTERM');
    assert.deepEqual(readdirSync(temporary()), []);
  });
});
