/** A run on the dashboard behind a real nginx, which is configured as the page of the documentation says. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserForSuite } from '../support/console/browser.js';
import { freshFetch } from '../support/http/fetch.js';
import { freePort } from '../support/http/free-port.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { until } from '../support/app/given-daemon.js';
import { ask, enter } from './console-given.js';
import { type DashboardServer, startSimulationServer } from './dashboard-server.js';

const page = readFileSync(join(packageRoot(import.meta.url), 'docs', 'how-to', 'run-behind-a-proxy.md'), 'utf8');

/** Returns the page's configuration of a proxy for the simulation, without TLS, at a port of loopback. */
function configuration(folder: string, port: number, upstream: string): string {
  const blocks = [...page.matchAll(/^```nginx\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const block = blocks.find((each) => each.includes('127.0.0.1:8000')) ?? '';
  assert.match(block, /listen 8443 ssl;/);
  const shown = block
    .replace('listen 8443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replace('http://127.0.0.1:8000', upstream.replace(/\/$/, ''));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
  return `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http { access_log off; ${temporary.join(' ')}
${shown}}`;
}

real(['chromium', 'nginx'], 'the dashboard behind nginx', () => {
  const browser = browserForSuite();
  let server: DashboardServer;
  let proxy: ChildProcess | null = null;
  before(async () => {
    server = await startSimulationServer();
  });
  after(() => server.close());
  afterEach(async () => {
    if (proxy?.exitCode === null) {
      const ended = once(proxy, 'exit');
      proxy.kill('SIGTERM');
      await ended;
    }
  });
  const folders = folderForEach();

  /** Starts nginx; returns its address. A port that was free may be taken before nginx listens: then another is tried. */
  async function behind(change: (text: string) => string, attempts = 5): Promise<string> {
    const folder = folders.get();
    const port = await freePort();
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, change(configuration(folder, port, server.url)));
    const started = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' });
    proxy = started;
    const url = `http://127.0.0.1:${port}/`;
    const answers = (): Promise<boolean> =>
      freshFetch(`${url}healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => started.exitCode !== null || (await answers()), 'nginx passes requests on');
    if (started.exitCode === null) return url;
    assert.ok(attempts > 1, readFileSync(join(folder, 'error.log'), 'utf8'));
    return behind(change, attempts - 1);
  }

  for (const [what, change, state] of [
    ['with its WebSocket', (text: string) => text, '.feed-live'],
    [
      'without a WebSocket where the upgrade is dropped',
      (text: string) => text.replaceAll(/^ *proxy_set_header (?:Upgrade|Connection) .*\n/gm, ''),
      '.feed-broken',
    ],
  ] as const)
    it(`follows a run to its results ${what}`, async () => {
      const url = await behind(change);
      const visit = await browser.open(url, { locale: 'en-GB' });
      await enter(visit.page, server.token);
      await visit.page.waitForSelector(state);
      const response = await freshFetch(`${url}simulate`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.token}` },
        body: JSON.stringify({ horizon: 20, pop_size: 200, generations: 2_000, num_sectors: 20 }),
      });
      const { id } = (await response.json()) as { id: string };
      await ask(visit.page, `location.hash = '#/run/${id}'`);
      // On a busy machine the run may have ended before the page asks for it.
      await visit.page.waitForSelector('.running, .chart svg[role=img]');
      await visit.page.waitForSelector('.chart svg[role=img]');
    });
});
