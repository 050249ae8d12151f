/** The daemon outlives its log, and ends when its terminal does. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { program, hostedScratch, whyNoTerminal, type Scratch } from '../support/cli-run.js';
import { heard } from '../support/crash-cli.js';
import { atEffort } from '../support/effort.js';
import { freshFetch } from '../support/fetch.js';
import { until } from '../support/given-daemon.js';
import { hang_ms } from '../support/wait.js';

/** As many as need more lines than a pipe holds. */
const filling = 600;
const some = atEffort(60, filling);

describe('serve: a log that cannot be written, and signals', function () {
  let place: Scratch;
  const children: ChildProcess[] = [];
  const descriptors: number[] = [];

  beforeEach(() => {
    place = hostedScratch();
    place.json('init');
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const descriptor of descriptors.splice(0)) fs.closeSync(descriptor);
    place.remove();
  });

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
    while (!said.includes('\n')) await once(child.stdout, 'data');
    const { url } = JSON.parse(said) as { readonly url: string };
    return {
      url,
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

  function fifo(): string {
    const file = join(place.directory, 'log.fifo');
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
    const file = fifo();
    open(file, O_RDONLY | O_NONBLOCK);
    const { url, end } = await serve(open(file, O_WRONLY));
    await askOften(url);
    for (const descriptor of descriptors.splice(0)) fs.closeSync(descriptor);
    await askOften(url);
    assert.deepEqual(await end('SIGTERM'), { code: 0, last: 'stopped' });
  });

  it('loses lines with a pipe that nobody reads, and reports that once there is room', async function () {
    if (process.platform !== 'linux') this.skip();
    const pipe = open(fifo(), O_RDWR | O_NONBLOCK);
    const { url, end } = await serve(pipe);
    await askOften(url, filling);
    const buffer = Buffer.alloc(1_048_576);
    assert.ok(fs.readSync(pipe, buffer) > 30_000);
    await askOften(url);
    const told = buffer.subarray(0, fs.readSync(pipe, buffer)).toString();
    assert.match(told, /"msg":"log lines were lost","lost":[1-9]/);
    assert.deepEqual(await end('SIGTERM'), { code: 0, last: 'stopped' });
  });

  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    it(`ends cleanly at ${signal}`, async () => {
      const { end } = await serve(open(join(place.directory, 'log'), O_WRONLY | fs.constants.O_CREAT));
      assert.deepEqual(await end(signal), { code: 0, last: 'stopped' });
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
