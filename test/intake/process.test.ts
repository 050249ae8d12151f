import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RefusalError } from '../../src/base/refusal.js';
import { utf8 } from '../../src/base/bytes.js';
import { input_file_bytes_max, readInProcess, reading_limits } from '../../src/intake/process/reading.js';
import type { Outcome } from '../../src/intake/types.js';

const file = { name: 'sales.csv', bytes: utf8('Month,Sales\n2024-01,12\n') };

/** Returns the processes that read files for a process. */
const readersOf = (parent: number): number[] =>
  spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes('read-worker'))
    .map((line) => Number.parseInt(line, 10));

const faultsOf = (outcome: Outcome): readonly string[] =>
  outcome.outcome === 'invalid' ? outcome.errors.map(({ file: name, message }) => `${name}: ${message}`) : [];

describe('the process that reads files', () => {
  it('returns what the reader makes of the files', async () => {
    const outcome = await readInProcess('forecast', [file, { ...file, name: 'b.csv' }], {});
    assert.deepEqual(faultsOf(outcome), ['b.csv: a mission of the kind forecast is made from one table; give one file']);
  });

  it('is ended when it has too much memory', async () => {
    const long = { name: 'sales.csv', bytes: utf8('2024-01,12\n'.repeat(90_000)) };
    const outcome = await readInProcess('forecast', [long], {}, { ...reading_limits, resident_bytes_max: 1_000_000 });
    assert.deepEqual(faultsOf(outcome), ['sales.csv: reading the file took more than 1 MB of memory']);
  });

  it('is ended at its deadline', async () => {
    const outcome = await readInProcess('forecast', [file], {}, { ...reading_limits, ms_max: 1 });
    assert.deepEqual(faultsOf(outcome), ['sales.csv: reading the file took more than 0 s']);
  });

  it('is ended by a signal', async () => {
    const stop = new AbortController();
    const reading = readInProcess('forecast', [file], {}, { ...reading_limits, signal: stop.signal });
    stop.abort();
    await assert.rejects(reading, (error) => error instanceof RefusalError && error.refusal.code === 'interrupted');
  });

  it('has nothing of this process in its environment', async () => {
    const reading = readInProcess('forecast', [file], {});
    const [pid = 0] = readersOf(process.pid);
    assert.equal(readFileSync(`/proc/${pid}/environ`, 'utf8'), '');
    await reading;
  });

  it('ends by itself when this program was killed', async () => {
    const module = JSON.stringify(new URL('../../src/intake/process/reading.js', import.meta.url).href);
    const call = "readInProcess('forecast', [{ name: 'a.html', bytes: Buffer.from('<table>'.repeat(60_000)) }], {}, limits)";
    const program = `import { readInProcess } from ${module};\nconst limits = { ms_max: 500, resident_bytes_max: 6e8 };\nfor (;;) await ${call};`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    let pid: number | undefined;
    while (pid === undefined) {
      await sleep(20);
      [pid] = readersOf(parent.pid ?? 0);
    }
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    while (existsSync(`/proc/${pid}`)) await sleep(50);
  });

  it('is not started for a file that is too large', async () => {
    const large = { name: 'large.csv', bytes: new Uint8Array(input_file_bytes_max + 1) };
    assert.deepEqual(faultsOf(await readInProcess('forecast', [large], {})), ['large.csv: the file is too large: at most 50 MB']);
  });
});
