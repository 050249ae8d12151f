/** What commands print beside their result: warnings on standard error, one document when they are stopped, usage errors with exit 2. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, hostedScratch, type Scratch } from '../support/cli-run.js';
import { forecast } from '../support/given-home.js';
import { witnessServer } from '../support/witness-server.js';

let at: Scratch;

/** Makes a home for each test of a suite. */
function homes(): void {
  beforeEach(() => {
    at = hostedScratch();
    at.json('init');
  });
  afterEach(() => at.remove());
}

const deprecate = (tool: string, note = 'old'): void =>
  void at.json('tool', 'status', tool, '--set', 'deprecated', '--note', note);

describe('a warning', () => {
  homes();

  it('is printed on standard error, or in the document, whatever the command', () => {
    deprecate('publish');
    deprecate('backup');
    deprecate('transfer_note');
    for (const [tool, ...args] of [
      ['publish', 'publish', 'public'],
      ['backup', 'backup', 'a.zip'],
      ['transfer_note', 'transfer-run', '--scenario', 'shift', '--output', 'run.json', '--home', 'home'],
    ] as const) {
      const { code, stdout, stderr } = at.run(...args);
      assert.deepEqual([code, stderr], [0, `! tool ${tool} is deprecated (old)\n`], stdout);
      assert.ok(!stdout.includes('deprecated'));
    }
    const document = at.json('publish', 'public');
    assert.deepEqual(document['warnings'], ['tool publish is deprecated (old)']);
  });

  it('cannot move the cursor or colour the screen', () => {
    deprecate('publish', '\u001b[31mred\u001b[2J\nnext');
    const { stderr } = at.run('publish', 'public');
    assert.equal(stderr, '! tool publish is deprecated (\ufffd[31mred\ufffd[2J next)\n');
  });

  it('is printed for a mission that waits because its tool is stopped', () => {
    writeFileSync(join(at.directory, 'm.json'), JSON.stringify(forecast()));
    at.json('tool', 'status', 'mission_forecast', '--set', 'quarantined', '--note', 'odd');
    const warning = 'tool mission_forecast is quarantined (odd): the mission waits until it is active';
    const { code, stderr } = at.run('run', 'm.json');
    assert.deepEqual([code, stderr], [0, `! ${warning}\n`]);
    const document = at.json('run', 'm.json');
    assert.deepEqual([document['state'], document['warnings']], ['queued', [warning]]);
  });
});

describe('a sequence that is no whole number', () => {
  homes();

  it('is invalid input', () => {
    for (const word of ['abc', '1.5', '1e3', '']) {
      const { code, stdout, stderr } = at.run('proof', word, '--json');
      const { code: name } = JSON.parse(stderr) as { code: string };
      assert.deepEqual([code, stdout, name], [2, '', 'invalid'], word);
    }
  });
});

describe('publish that is stopped while a witness is silent', () => {
  homes();

  it('prints one document and ends with 130; the next publish continues', async () => {
    const { vkey: log } = at.json('checkpoint') as { vkey: string };
    const server = await witnessServer([log]);
    try {
      server.behaviour = 'error';
      await run('witness', 'add', server.url, server.vkey, '--json');
      server.behaviour = 'silent';
      mkdirSync(join(at.directory, 'public'));
      const before = server.requests.length;
      const stopped = start('publish', 'public', '--json');
      while (server.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 20));
      stopped.child.kill('SIGINT');
      const { code, stdout, stderr } = await stopped.ended;
      const { code: name, detail } = JSON.parse(stderr) as { code: string; detail: string };
      assert.deepEqual([code, stdout, name], [130, '', 'interrupted']);
      assert.match(detail, /the checkpoint is unchanged/);
      server.behaviour = 'honest';
      const next = await run('publish', 'public', '--json');
      assert.deepEqual((JSON.parse(next.stdout) as { cosignatures: string[] }).cosignatures, [server.name]);
    } finally {
      await server.close();
    }
  });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Not `at.run`, which would stop this process too, and with it the witness. */
function start(...args: readonly string[]): { readonly child: ReturnType<typeof spawn>; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [program, ...args], { cwd: at.directory, env: at.env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr }))) };
}
const run = (...args: readonly string[]): Promise<Ended> => start(...args).ended;
