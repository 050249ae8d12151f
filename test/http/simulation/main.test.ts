import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveSimulationAlone } from '../../../src/http/simulation-alone.js';
import { rejectsRefusal } from '../../support/app/given-home.js';
import { freshFetch } from '../../support/http/fetch.js';
import { fetched } from '../plain-http.js';
import { listening } from '../../support/listening.js';
import { folderForEach } from '../../support/app/temporary-home.js';
import { packageRoot } from '../../support/package-root.js';

/** What the container starts. */
const entry = join(packageRoot(import.meta.url), 'dist', 'program', 'src', 'http', 'simulation-main.js');

interface Started {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('simulation-main, a process of its own', () => {
  const folders = folderForEach();

  const environment = () => ({
    PATH: process.env['PATH'] ?? '',
    HOME: folders.get(),
    AGENT_HOME: join(folders.get(), 'home'),
    AGENT_WITNESS: join(folders.get(), 'witness'),
    AGI_INSIGHT_BUS_PORT: '0',
  });

  /** Runs until it ends; where it serves, `use` is called with its address, and then it is told to end. */
  async function start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    use?: (url: string) => Promise<void>,
  ): Promise<Started> {
    const child = spawn(process.execPath, [entry, ...args], { cwd: folders.get(), env: { ...environment(), ...env } });
    const closed = once(child, 'close');
    let [out, err] = ['', ''];
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const serving = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        if (out.includes('home  ')) resolve();
      });
    });
    await Promise.race([closed, serving]);
    const url = /^simulation (http:\/\/\S+)\/$/m.exec(out)?.[1];
    try {
      if (url !== undefined) await use?.(url);
    } finally {
      child.kill('SIGTERM');
    }
    const [code] = await closed;
    return { code, out, err };
  }

  /** Returns what it refuses before it serves anything, with this environment and the folder as the working directory. */
  async function refused(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    const [before, directory] = [process.env, process.cwd()];
    process.env = { ...environment(), ...env };
    process.chdir(folders.get());
    try {
      return (await rejectsRefusal(serveSimulationAlone(args), 'invalid')).detail;
    } finally {
      process.chdir(directory);
      process.env = before;
    }
  }

  it('exits 2 with one line without a token', async () => {
    const { code, out, err } = await start([]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /^✗ Invalid input: API_TOKEN: must be set: [^\n]+\n$/);
  });

  it('warns of a token under 16 characters on loopback, and refuses it where other machines can guess it', async () => {
    const local = await start(['--port', '0'], { API_TOKEN: 'x'.repeat(15) });
    assert.equal(local.code, 0);
    assert.match(local.err, /API_TOKEN has fewer than 16 characters and can be guessed/);
    assert.doesNotMatch(local.err, /xxxx/);
    assert.match(
      await refused(['--port', '0', '--host', '0.0.0.0'], { API_TOKEN: 'x'.repeat(15) }),
      /^API_TOKEN: has fewer than 16 characters and can be guessed; [^\n]+$/,
    );
  });

  it('refuses an empty token, a placeholder, an unknown usage, a bad limit, and a malformed line of .env', async () => {
    assert.match(await refused([], { API_TOKEN: '' }), /^API_TOKEN: is empty; [^\n]+$/);
    assert.match(await refused([], { API_TOKEN: 'REPLACE_ME_TOKEN' }), /^API_TOKEN: is a placeholder; [^\n]+$/);
    writeFileSync(join(folders.get(), '.env'), 'API_TOKEN=from-the-file-of-this-test\n');
    assert.match(await refused(['--prot', '0'], {}), /--prot/);
    assert.match(await refused(['--port', '0', '--host='], {}), /^host: is empty; [^\n]+$/);
    assert.equal(
      await refused(['--port', '0'], { API_RATE_LIMIT: 'many' }),
      'API_RATE_LIMIT: must be an integer from 0 to 1000000; 0 is no limit',
    );
    assert.match(
      await refused(['--port', '0'], { SANDBOX_CPU_SEC: '61' }),
      /^SANDBOX_CPU_SEC: must be an integer from 1 to 60$/m,
    );
    writeFileSync(join(folders.get(), '.env'), '# settings\nAPI_TOKEN from-the-file-of-this-test\n');
    assert.equal(await refused(['--port', '0'], {}), `${join(folders.get(), '.env')}, line 2: is not NAME=value`);
  });

  it('serves with the settings of .env, makes a home, and ends with 0 when told to', async () => {
    writeFileSync(join(folders.get(), '.env'), 'API_TOKEN="sixteen-of-them."\nAPI_RATE_LIMIT=7\nPORT=0\nAGENT_HOME=/nowhere\n');
    const { code, err } = await start([], {}, async (url) => {
      const own = 'sixteen-of-them.';
      const answer = await fetched(`${url}/status`, 'GET', own, {});
      assert.deepEqual([answer.status, answer.headers.get('ratelimit-limit')], [200, '7']);
      const body = { pop_size: 1_000, generations: 10_000, horizon: 100 };
      const created = await fetched(`${url}/simulate`, 'POST', own, { body });
      assert.equal(created.status, 200);
    });
    assert.equal(code, 0, err);
    assert.match(err, new RegExp(`^home created: ${join(folders.get(), 'home')}\n`));
    assert.doesNotMatch(err, /API_TOKEN/);
  });

  it('ends with 0 when it is told twice at once, as timeout and npm do', async () => {
    const child = spawn(process.execPath, [entry, '--port', '0'], {
      cwd: folders.get(),
      env: { ...environment(), API_TOKEN: 'secret-of-this-test' },
    });
    const closed = once(child, 'close');
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    // A body that is under way holds it up between the two.
    const socket = connect(Number(/:([0-9]+)\/$/m.exec(said.toString())?.[1]), '127.0.0.1');
    const fields = 'Host: x\r\nAuthorization: Bearer secret-of-this-test\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n';
    socket.write(`POST /simulate HTTP/1.1\r\n${fields}`);
    await once(socket, 'data');
    child.kill('SIGTERM');
    await sleep(20);
    child.kill('SIGTERM');
    await sleep(100);
    socket.destroy();
    assert.deepEqual(await closed, [0, null]);
  });

  it('exits 7 where the port is taken, and leaves the home to others', async () => {
    const { port, close } = await listening(createServer());
    mkdirSync(join(folders.get(), 'home'));
    const refused = await start(['--port', String(port)], { API_TOKEN: 'secret-of-this-test' });
    await close();
    assert.deepEqual([refused.code, refused.out], [7, '']);
    assert.match(refused.err, new RegExp(`✗ Port taken: port ${port} of 127\\.0\\.0\\.1 is taken by another program\n$`));
    const served = await start(['--port', '0'], { API_TOKEN: 'secret-of-this-test' }, async (url) => {
      assert.equal((await freshFetch(`${url}/healthz`)).status, 200);
    });
    assert.equal(served.code, 0, served.err);
  });
});
