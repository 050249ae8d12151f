import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../src/base/refusal.js';
import { isLinkWanted, listeningOf, loginLink, readableLine, urlOf } from '../../src/cli/serve.js';
import { cli, homeScratch, program, root, scratch, type Scratch, whyNoTerminal } from '../support/cli/cli-run.js';
import { heard } from '../support/crash/crash-cli.js';
import { commandLines } from '../support/cli/docs-block.js';
import { atEffort } from '../support/effort.js';
import { freshFetch } from '../support/http/fetch.js';
import { until } from '../support/app/given-daemon.js';
import { throwsRefusal } from '../support/app/given-home.js';
import { emptyNamespace, type EmptyNamespace } from '../support/namespace.js';
import { talking } from '../support/app/nats.js';
import { real } from '../support/real.js';
import { writeAgent } from '../support/cli/scenario-run.js';
import { hang_ms } from '../support/wait.js';

const local = { host: '127.0.0.1', allowRemote: false };

describe('serve: flags and environment', () => {
  for (const [what, given, env, expected] of [
    ['nothing said', local, {}, ['localhost', 8_765, []]],
    ['the variable', local, { AGENT_PORT: '9000' }, ['localhost', 9_000, []]],
    ['an empty variable', local, { AGENT_PORT: '' }, ['localhost', 8_765, []]],
    ['the flag wins', { ...local, port: 9_001 }, { AGENT_PORT: 'nonsense' }, ['localhost', 9_001, []]],
    ['any free port', { ...local, port: 0 }, {}, ['localhost', 0, []]],
    ['IPv6', { ...local, host: '[::1]' }, {}, ['localhost', 8_765, []]],
    ['another loopback address', { ...local, host: '127.0.0.2' }, {}, ['127.0.0.2', 8_765, []]],
    ['names', local, { AGENT_ALLOWED_HOSTS: ' a.example , b:8443,' }, ['localhost', 8_765, ['a.example', 'b:8443']]],
  ] as const) {
    it(what, () => {
      const { host, port, allowedHosts, warnings } = listeningOf(given, env);
      assert.deepEqual([host, port, allowedHosts, warnings], [...expected, []]);
    });
  }

  for (const [what, given, env, path] of [
    ['another address', { ...local, host: '0.0.0.0' }, {}, 'host'],
    ['a name that only looks like one of ours', { ...local, host: 'localhost.example' }, {}, 'host'],
    ['no name, which would be every address', { ...local, host: '', allowRemote: true }, {}, 'host'],
    ['a name with control characters', { ...local, host: '\u001b[2J' }, {}, 'host'],
    ['a port beyond the last', { ...local, port: 65_536 }, {}, 'port'],
    ['a negative port', { ...local, port: -1 }, {}, 'port'],
    ['a port that is no number', local, { AGENT_PORT: '80a' }, 'AGENT_PORT'],
    ['a signed port', local, { AGENT_PORT: '+80' }, 'AGENT_PORT'],
    ['a URL for a name', local, { AGENT_ALLOWED_HOSTS: 'http://a.example' }, 'AGENT_ALLOWED_HOSTS'],
    ['a wildcard', local, { AGENT_ALLOWED_HOSTS: '*.example' }, 'AGENT_ALLOWED_HOSTS'],
  ] as const) {
    it(`refuses ${what}`, () => {
      const refusal = throwsRefusal(() => listeningOf(given, env), 'invalid');
      assert.equal(refusal.errors?.[0]?.path, path);
      assert.ok(!refusal.detail.includes('\u001b'));
    });
  }

  it('warns of an address that others reach, and of missing names', () => {
    const remote = { host: '192.0.2.7', allowRemote: true };
    assert.equal(listeningOf(remote, {}).warnings.length, 2);
    const [only, ...more] = listeningOf(remote, { AGENT_ALLOWED_HOSTS: 'a.example' }).warnings;
    assert.match(only ?? '', /^192\.0\.2\.7 can be reached from other machines/);
    assert.deepEqual(more, []);
  });

  it('prints a login link for people and with the flag, and for loopback alone', () => {
    for (const [flag, host, isReadByPeople, expected] of [
      [undefined, '127.0.0.1', true, true],
      [undefined, 'localhost', true, true],
      [undefined, '127.0.0.1', false, false],
      [true, '::1', false, true],
      [false, '127.0.0.1', true, false],
      [undefined, '0.0.0.0', true, false],
      [false, '0.0.0.0', true, false],
    ] as const) {
      assert.equal(isLinkWanted(flag, host, isReadByPeople), expected, `${flag} ${host} ${isReadByPeople}`);
    }
    const refusal = throwsRefusal(() => isLinkWanted(true, '0.0.0.0', true), 'invalid');
    assert.equal(refusal.errors?.[0]?.path, 'login-link');
    assert.equal(loginLink(urlOf('localhost', 8_765), 'abc'), 'http://localhost:8765/#login=abc');
  });

  it('prints the address as a browser expects it', () => {
    assert.deepEqual([urlOf('127.0.0.1', 1), urlOf('::1', 1)], ['http://127.0.0.1:1/', 'http://[::1]:1/']);
  });
});

describe('serve: its log for people', () => {
  it('prints one line, without control characters', () => {
    const request = { request_id: 'x', method: 'GET', route: '', actor: null, ms: 3 };
    const line = { level: 30, time: '2026-11-20T10:11:12.000Z', ...request, msg: 'a\u001b[31m\nb' };
    assert.equal(readableLine(`${JSON.stringify(line)}\n`), '10:11:12 a<U+001B>[31m b method=GET ms=3\n');
  });
});

describe('serve', () => {
  let place: Scratch;
  before(() => {
    place = scratch();
    strictEqual(place.run('init').code, 0);
  });
  after(() => place.remove());

  it('takes islands from .env, and refuses to start with ones that no run could have', () => {
    fs.writeFileSync(join(place.directory, '.env'), 'API_TOKEN=a-token-of-this-test\nPORT=0\nAGI_ISLAND_BACKENDS=a=nowhere\n');
    const { code, stdout, stderr } = cli(['serve', '--port', '0'], place.env, place.directory);
    deepStrictEqual([code, stdout], [2, ''], stderr);
    match(stderr, /AGI_ISLAND_BACKENDS/);
  });
});

const page = fs.readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
/** An address of the namespace that is none of loopback (RFC 5737), as other machines use. */
const remote = '192.0.2.1';
const token = 'a-token-of-this-test';

/** Returns where a line serves: the addresses of its remark. */
const servedAt = (line: string): readonly string[] =>
  line.includes('from other machines') ? [`http://${remote}:8765/`] : (line.match(/http:\/\/[\w.:]+\//g) ?? []);

real('netns', 'docs/operations.md', () => {
  let place: Scratch;
  let namespace: EmptyNamespace;
  before(async () => {
    place = scratch();
    place.json('init');
    writeAgent(place.directory);
    namespace = await emptyNamespace(`${remote}/32`);
  });
  after(async () => {
    await namespace.remove();
    place.remove();
  });

  /** Whether a server responds in the namespace, to a client that names it by a loopback name. */
  function isHealthy(address: string): boolean {
    const [enter, ...args] = [...namespace.enter, 'curl', '-s', '-H', 'Host: localhost', `${address}healthz`];
    return spawnSync(enter, args, { encoding: 'utf8' }).stdout === '{"status":"ok"}';
  }

  for (const line of commandLines(page, 'serve')) {
    it(line.replace(/ {2,}# /, ': '), async () => {
      ok(servedAt(line).length > 0);
      const env = { ...place.env, PATH: `${place.directory}:${place.env['PATH'] ?? ''}` };
      // The shell gives its place to the program, so that the signal reaches that.
      const command = line.replace('…', token).replace('agent-cli', 'exec agent-cli');
      const [enter, ...args] = [...namespace.enter, '/bin/sh', '-c', command];
      const served = talking(enter, args, env);
      try {
        const hasEnded = (): boolean => served.child.exitCode !== null;
        const isServing = (): boolean => served.lines.some((each) => each.startsWith('serving '));
        await until(() => hasEnded() || (isServing() && servedAt(line).every(isHealthy)), 'the server');
        await served.stop('SIGTERM');
        strictEqual(served.child.exitCode, 0, served.lines.join('\n'));
        match(served.lines.join('\n'), /^stopped after (?:1 entry|\d\d+ entries|[02-9] entries)$/m);
      } finally {
        await served.stop();
      }
    });
  }
});

/** As many as need more lines than a pipe holds. */
const filling = 600;
const some = atEffort(60, filling);

describe('serve: a log that cannot be written, and signals', function () {
  let place: Scratch;
  const children: ChildProcess[] = [];
  const descriptors: number[] = [];

  before(() => {
    place = homeScratch();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const descriptor of descriptors.splice(0)) fs.closeSync(descriptor);
  });
  after(() => place.remove());

  const open = (file: string, flags: number): number => {
    const descriptor = fs.openSync(file, flags);
    descriptors.push(descriptor);
    return descriptor;
  };

  /** Starts the daemon with this standard error. */
  async function serve(stderr: number) {
    const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--json'], {
      cwd: place.directory,
      env: place.env,
      stdio: ['ignore', 'pipe', stderr],
    });
    children.push(child);
    let said = '';
    assert.ok(child.stdout !== null);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await heard(child, '\n');
    const { url } = JSON.parse(said) as { readonly url: string };
    return {
      url,
      child,
      end: async (signal: NodeJS.Signals) => {
        const gone = once(child, 'close');
        child.kill(signal);
        const [code] = (await gone) as [number | null];
        return { code, last: (JSON.parse(said.trim().split('\n').at(-1) ?? '') as { readonly type: string }).type };
      },
    };
  }

  async function askOften(url: string, requests = some): Promise<void> {
    for (let n = 0; n < requests; n++) {
      const answer = await freshFetch(`${url}healthz`, { signal: AbortSignal.timeout(hang_ms) });
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
    }
  }

  function fifo(name: string): string {
    const file = join(place.directory, name);
    assert.equal(spawnSync('mkfifo', [file]).status, 0);
    return file;
  }

  const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = fs.constants;

  it('responds with a full disk, and ends cleanly at SIGTERM', async function () {
    if (!fs.existsSync('/dev/full')) this.skip();
    const { url, end } = await serve(open('/dev/full', O_WRONLY));
    await askOften(url);
    assert.deepEqual(await end('SIGTERM'), { code: 0, last: 'stopped' });
  });

  it('responds with a pipe whose reader is gone, and ends cleanly at SIGTERM', async () => {
    const file = fifo('left.fifo');
    open(file, O_RDONLY | O_NONBLOCK);
    const { url, end } = await serve(open(file, O_WRONLY));
    await askOften(url);
    for (const descriptor of descriptors.splice(0)) fs.closeSync(descriptor);
    await askOften(url);
    assert.deepEqual(await end('SIGTERM'), { code: 0, last: 'stopped' });
  });

  /** Returns what is in a pipe, without waiting for more. */
  const readNow = (pipe: number, buffer: Buffer): string => {
    try {
      return buffer.subarray(0, fs.readSync(pipe, buffer)).toString();
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') return '';
      throw error;
    }
  };

  it('loses lines with a pipe that nobody reads, and reports that once there is room', async function () {
    if (process.platform !== 'linux') this.skip();
    const pipe = open(fifo('full.fifo'), O_RDWR | O_NONBLOCK);
    const { url, end } = await serve(pipe);
    await askOften(url, filling);
    const buffer = Buffer.alloc(1_048_576);
    assert.ok(fs.readSync(pipe, buffer) > 30_000);
    let told = '';
    await until(async () => {
      await askOften(url);
      told += readNow(pipe, buffer);
      return /"msg":"log lines were lost","lost":[1-9]/.test(told);
    }, 'the lost lines are reported');
    assert.deepEqual(await end('SIGTERM'), { code: 0, last: 'stopped' });
  });

  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    it(`opens no debugger at SIGUSR1, goes on at SIGUSR2, and ends cleanly at ${signal}`, async () => {
      const { url, child, end } = await serve(open(join(place.directory, 'log'), O_WRONLY | fs.constants.O_CREAT));
      for (const each of ['SIGUSR1', 'SIGUSR2'] as const) child.kill(each);
      await askOften(url);
      assert.deepEqual(await end(signal), { code: 0, last: 'stopped' });
      assert.doesNotMatch(fs.readFileSync(join(place.directory, 'log'), 'utf8'), /debugger/i);
    });
  }

  it('ends cleanly when its terminal closes', async function () {
    if (whyNoTerminal() !== null) this.skip();
    const status = join(place.directory, 'status');
    // The shell passes the hang-up on, and says how the daemon ended.
    const line = `trap 'kill -HUP $pid; wait $pid; echo "ended $?" > status; exit' HUP
      '${process.execPath}' '${program}' serve --port=0 & pid=$!; wait`;
    const terminal = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: place.directory,
      env: { SHELL: '/bin/sh', TERM: 'xterm-256color', ...place.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(terminal);
    await heard(terminal, 'token ');
    terminal.kill('SIGKILL');
    const told = (): string => (fs.existsSync(status) ? fs.readFileSync(status, 'utf8') : '');
    await until(() => told() !== '', 'it ends');
    assert.equal(told(), 'ended 0\n');
  });
});
