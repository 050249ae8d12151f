/** Commands that watch print each change, and end when nothing more is to come or when they are told to. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, RecordedFault } from '../../src/base/refusal.js';
import { reportFailure } from '../../src/cli/failure.js';
import { homeScratch, plan, program, type Ran, type Scratch } from '../support/cli/cli-run.js';
import { forecast } from '../support/app/given-home.js';
import { witnessServer } from '../support/witness/witness-server.js';

const busy_retries = 20;

interface Watched {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** Resolves when so many lines were printed. */
  readonly printed: (count: number) => Promise<void>;
}

describe('watching', () => {
  let place: Scratch;
  const begun: ChildProcess[] = [];
  before(() => {
    place = homeScratch({ 'plan.json': plan });
  });
  after(() => {
    for (const child of begun) child.kill('SIGKILL');
    place.remove();
  });

  function watch(...args: readonly string[]): Watched {
    const child = spawn(process.execPath, [program, ...args], { cwd: place.directory, env: place.env });
    begun.push(child);
    const lines: string[] = [];
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      child.emit('printed');
    });
    const printed = async (count: number): Promise<void> => {
      while (lines.length < count && child.exitCode === null) await Promise.race([once(child, 'printed'), once(child, 'exit')]);
    };
    return { child, lines, printed };
  }
  const ended = async ({ child }: Watched): Promise<unknown> => {
    if (child.exitCode === null) await once(child, 'exit');
    return child.exitCode;
  };

  for (const command of [['watch'], ['show', '--watch']]) {
    it(`follows a mission until it is in review: ${command.join(' ')}`, async () => {
      const id = String(place.json('run', 'plan.json')['id']);
      const watched = watch(...command, id, '--json');
      await watched.printed(1);
      // On a busy machine another process may keep the journal for longer than a command waits.
      let executed = place.run('execute', id);
      for (let i = 0; i < busy_retries && executed.stderr.includes('In use'); i++) executed = place.run('execute', id);
      strictEqual(executed.code, 0, executed.stderr);
      strictEqual(await ended(watched), 0);
      const states = watched.lines.map((line) => (JSON.parse(line) as { state: string }).state);
      deepStrictEqual([states[0], states.at(-1)], ['queued', 'review']);
    });
  }

  it('prints a mission once and ends when it is in review', () => {
    const id = String(place.json('run', 'plan.json', '--execute')['id']);
    const { code, stdout } = place.run('watch', id);
    strictEqual(code, 0);
    strictEqual(stdout.match(/^mission /gm)?.length, 1);
    match(stdout, /^state +review$/m);
  });

  it('prints new missions with list --watch, and ends with 0 at SIGINT', async () => {
    const watched = watch('list', '--watch', '--json');
    await watched.printed(1);
    const id = String(place.json('run', 'plan.json')['id']);
    await watched.printed(2);
    watched.child.kill('SIGINT');
    strictEqual(await ended(watched), 0);
    match(watched.lines.at(-1) ?? '', new RegExp(id));
  });
});

let at: Scratch;

/** Makes a home for each test of a suite. */
function homes(): void {
  beforeEach(() => {
    at = homeScratch();
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
    assert.equal(stderr, '! tool publish is deprecated (<U+001B>[31mred<U+001B>[2J next)\n');
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

/** Not `at.run`, which would stop this process too, and with it the witness. */
function start(...args: readonly string[]): { readonly child: ReturnType<typeof spawn>; readonly ended: Promise<Ran> } {
  const child = spawn(process.execPath, [program, ...args], { cwd: at.directory, env: at.env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr }))) };
}
const run = (...args: readonly string[]): Promise<Ran> => start(...args).ended;

/** What is printed of an error, and the exit code. */
function reported(error: Error, json: boolean): { readonly text: string; readonly exit: typeof process.exitCode } {
  const [before, write] = [process.exitCode, process.stderr.write];
  let text = '';
  process.stderr.write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk);
    return true;
  };
  try {
    reportFailure(error, { json, bin: 'agent-cli', help: '' });
    return { text, exit: process.exitCode };
  } finally {
    process.stderr.write = write;
    process.exitCode = before;
  }
}

/** As an error of SQLite arrives from another thread. */
function bare(code?: string): Error {
  const error = new Error();
  Reflect.deleteProperty(error, 'message');
  Object.defineProperty(error, 'message', { value: undefined });
  return code === undefined ? error : Object.assign(error, { code });
}

const unnamed = 'Unknown system error -122';
const overQuota = Object.assign(new Error(`write ${unnamed}`), { code: unnamed, errno: -122 });

describe('a failure without a message', () => {
  for (const [name, error, said] of [
    ['has its code', bare('SQLITE_IOERR'), 'SQLITE_IOERR'],
    ['has its name', bare(), 'Error'],
    ['is told as a cause', new Fault('it broke', bare('EIO')), 'it broke (EIO)'],
    ['names a quota', new Fault('it broke', overQuota), 'it broke (the quota of this user on the disk is used up)'],
  ] as const) {
    it(name, () => {
      assert.match(reported(error, false).text, new RegExp(said.replaceAll(/[()]/g, '\\$&')));
      const { text, exit } = reported(error, true);
      assert.deepEqual([exit, JSON.parse(text)], [1, { code: 'fault', title: 'Internal fault', detail: said, errors: [] }]);
    });
  }
});

it('a used-up quota without a refusal of its own means a full disk', () => {
  assert.match(reported(overQuota, false).text, /Storage full: the quota of this user/);
});

describe('a failure after something was recorded', () => {
  const cause = Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });

  it('reports it, and names the command that completes it', () => {
    const { text, exit } = reported(new RecordedFault('it is recorded, but the file is not', 'agent-cli again', cause), false);
    assert.deepEqual(
      [text.split('\n'), exit],
      [
        [
          '✗ it is recorded, but the file is not (EIO: i/o error, write)',
          '  → agent-cli again',
          '  This is a fault of the program or the machine. DEBUG=1 shows its cause.',
          '',
        ],
        1,
      ],
    );
  });

  it('is a JSON document with the same facts', () => {
    const { text } = reported(new RecordedFault('it is recorded', 'agent-cli again', cause), true);
    assert.deepEqual(JSON.parse(text), {
      code: 'fault',
      title: 'Internal fault',
      detail: 'it is recorded (EIO: i/o error, write)',
      errors: [],
      facts: { recorded: true },
      hint: 'agent-cli again',
    });
  });

  it('has no hint when nothing completes it', () => {
    assert.doesNotMatch(reported(new RecordedFault('it is recorded', null, cause), false).text, /→/);
    assert.equal('hint' in (JSON.parse(reported(new RecordedFault('it is recorded', null, cause), true).text) as object), false);
  });
});
