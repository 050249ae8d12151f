/** A server at localhost listens on both loopback addresses, or not at all. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createLogger } from '../../src/http/log.js';
import { startServers } from '../../src/http/start.js';
import { freePort } from '../support/http/free-port.js';
import { freshFetch } from '../support/http/fetch.js';
import { givenOperator, stopAfterEach } from './given-operator.js';

const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1') === true);

describe('a server at localhost', () => {
  stopAfterEach();

  it('responds on 127.0.0.1 and on ::1, and ends the connections of both', async function () {
    if (!hasIPv6) this.skip();
    const { port, stop, issueLogin } = await givenOperator({ host: 'localhost' });
    assert.notEqual(issueLogin(), null);
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const response = await freshFetch(`http://${host}:${port}/healthz`);
      assert.deepEqual([response.status, await response.json()], [200, { status: 'ok' }], host);
    }
    await stop();
    for (const host of ['127.0.0.1', '[::1]']) await assert.rejects(freshFetch(`http://${host}:${port}/healthz`), host);
  });

  for (const taken of ['127.0.0.1', '::1'])
    it(`does not start while another program has its port of ${taken}`, async function () {
      if (!hasIPv6) this.skip();
      const { given, stop } = await givenOperator();
      await stop();
      const port = await freePort();
      const other = createServer();
      await once(other.listen(port, taken), 'listening');
      try {
        const logger = createLogger('silent', { write: () => undefined });
        const started = startServers(given.world, { host: 'localhost', port, allowedHosts: [], logger });
        await assert.rejects(started, {
          refusal: { code: 'port_taken', detail: `port ${port} of ${taken} is taken by another program` },
        });
      } finally {
        other.close();
      }
    });
});
