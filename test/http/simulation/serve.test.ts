import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { startServers, type ServeOptions } from '../../../src/http/start.js';
import { createLogger } from '../../../src/http/log.js';
import { one_island } from '../../../src/app/simulation/islands/settings.js';
import { requestRun, requireRun } from '../../../src/app/simulation/runs/runs.js';
import { until } from '../../support/app/given-daemon.js';
import { requestOf } from '../../support/app/simulation.js';
import { listening } from '../../support/listening.js';
import { freshFetch } from '../../support/http/fetch.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { atOnce, token } from './given-simulation.js';
import { refused } from '../../support/refused.js';

describe('operator and simulation in one daemon', () => {
  const home = homeForEach();
  const settings = { token, port: 0, rate_limit: 0, origins: '*', islands: one_island } as const;
  const start = (options: Partial<ServeOptions> = {}) =>
    startServers(home.get().world, {
      host: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      logger: createLogger('silent'),
      simulation: { settings, service: { simulate: atOnce } },
      ...options,
    });

  it('have their own tokens, and neither accepts the other’s', async () => {
    const server = await start();
    const own = `http://127.0.0.1:${server.simulation?.port}`;
    const operator = `http://127.0.0.1:${server.port}`;
    const headers = { Authorization: `Bearer ${token}` };
    assert.equal((await freshFetch(`${own}/status`, { headers })).status, 200);
    assert.equal((await freshFetch(`${operator}/api/status`, { headers })).status, 401);
    assert.equal((await freshFetch(`${operator}/healthz`)).status, 200);
    await server.stop();
    await assert.rejects(freshFetch(`${own}/healthz`));
    home.get().with(({ db }) => assert.ok(db.open));
  });

  it('have no simulation without settings', async () => {
    const server = await start({ simulation: undefined });
    assert.equal(server.simulation, null);
    await server.stop();
  });

  for (const simulation of [{ settings, service: { simulate: atOnce } }, undefined]) {
    it(`${simulation === undefined ? 'keep' : 'execute'} at the start a run that an earlier daemon queued`, async () => {
      const { id } = await home
        .get()
        .with(async (opened) => await requestRun(opened, { request: requestOf({}), runner: 'daemon', actor: 'operator' }));
      const server = await start({ simulation });
      const expected = simulation === undefined ? 'queued' : 'succeeded';
      await until(() => requireRun(server.daemon.home.db, id).state === expected);
      await server.stop();
    });
  }

  it('leave nothing half started, whichever port is taken', async () => {
    const { port, close } = await listening(createServer());
    await assert.rejects(start({ simulation: { settings: { ...settings, port } } }), refused('port_taken'));
    await assert.rejects(start({ port }), refused('port_taken'));
    await close();
    const server = await start({ port, simulation: { settings } });
    await server.stop();
  });

  it('do not start with a taken port of the bus that the environment names, and run without a bus otherwise', async () => {
    const { port, close } = await listening(createServer());
    const bus = { host: '127.0.0.1', port, isPortNamed: true, tls: null, token: null };
    await assert.rejects(start({ bus }), refused('port_taken'));
    const server = await start({ bus: { ...bus, isPortNamed: false } });
    assert.equal(server.bus, null);
    await server.stop();
    await close();
  });
});
