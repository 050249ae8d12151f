/** Reads the agents of a server: one that responds, one that does not, and everything else that listens there. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { agentsServer, readAgents } from '../../../src/app/simulation/agents.js';
import { folderForEach } from '../../support/app/temporary-home.js';
import { laterRefusalOf, rejectsRefusal, throwsRefusal } from '../../support/app/given-home.js';
import { withServer } from '../../support/listening.js';
import { roles } from '../../../src/codec/roles.js';

const agents = (last_beat: number): object => ({
  agents: Object.fromEntries(
    roles.map((role, i) => [role, { last_beat: role === 'market' ? last_beat - 6 : last_beat, restarts: i }]),
  ),
});
const said = async (listener: RequestListener, token = 't'): Promise<string> => {
  const refusal = await laterRefusalOf(() => withServer(listener, (url) => readAgents(url, token, 0)));
  return refusal === null ? 'an answer' : `${refusal.code}: ${refusal.detail}`;
};

describe('the server that agents-status asks', () => {
  const folder = folderForEach();
  const dotEnv = (): string => {
    writeFileSync(join(folder.get(), '.env'), 'PORT=8123\nAPI_TOKEN=of-the-file\n');
    return folder.get();
  };

  it('is named by the flag, the environment, .env, or else the usual one', () => {
    assert.deepEqual(agentsServer(undefined, {}, folder.get()), { url: 'http://127.0.0.1:8000', token: '' });
    assert.deepEqual(agentsServer(undefined, {}, dotEnv()), { url: 'http://127.0.0.1:8123', token: 'of-the-file' });
    assert.deepEqual(agentsServer(undefined, { PORT: '9', API_TOKEN: 'own' }, dotEnv()), {
      url: 'http://127.0.0.1:9',
      token: 'own',
    });
    for (const url of ['http://localhost:1', 'http://[::1]:1'])
      assert.deepEqual(agentsServer(url, {}, dotEnv()), { url, token: 'of-the-file' });
  });

  it('is this machine for the token of .env, and any for that of the environment', () => {
    const url = 'https://server.example';
    const { errors } = throwsRefusal(() => agentsServer(url, {}, dotEnv()), 'invalid');
    assert.equal(errors?.[0]?.path, '--url');
    assert.deepEqual(agentsServer(url, { API_TOKEN: 'own' }, dotEnv()), { url, token: 'own' });
  });
});

describe("the server's agents", () => {
  it('are read with the token, and are reported as unresponsive after five silent seconds', async () => {
    const seen: (string | undefined)[] = [];
    const report = await withServer(
      ({ url, headers }, reply) => {
        seen.push(url, headers.authorization);
        reply.end(JSON.stringify(agents(1_000)));
      },
      (url) => readAgents(url, 'secret', 1_001_000),
    );
    assert.deepEqual(seen, ['/status', 'Bearer secret']);
    assert.equal(report.running, true);
    assert.deepEqual(Object.keys(report.agents), [...roles]);
    assert.deepEqual(report.agents.planning, { state: 'running', last_beat: 1_000, restarts: 0 });
    assert.deepEqual(report.agents.market, { state: 'silent', last_beat: 994, restarts: 3 });
  });

  it('are reported as stopped where nothing listens', async () => {
    const free = await withServer(
      (_, reply) => void reply.end(),
      (url) => Promise.resolve(url),
    );
    const report = await readAgents(free, '', 0);
    assert.equal(report.running, false);
    for (const agent of Object.values(report.agents))
      assert.deepEqual(agent, { state: 'stopped', last_beat: null, restarts: null });
  });

  it('are not guessed from another response', async () => {
    const status = (code: number, body = '') => said((_, reply) => void reply.writeHead(code).end(body));
    assert.match(await status(401), /^unauthorized: .*rejects the token in API_TOKEN/);
    assert.match(await said((_, reply) => void reply.writeHead(401).end(), ''), /set API_TOKEN/);
    assert.match(await status(403), /^forbidden: /);
    assert.match(await status(404), /^not_found: .*status 404/);
    assert.match(await status(200, '<html>'), /^not_found: .*not as the simulation's server/);
    assert.match(await status(200, '{"agents":{}}'), /agents\.planning: required/);
    assert.match(await status(200, 'x'.repeat(70_000)), /more than 65536 bytes/);
    assert.match(await said((_, reply) => void reply.destroy()), /^not_found: .*ECONNRESET/);
    assert.match(await said((_, reply) => void reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()), /^not_found: /);
  });

  it('need an address', async () => {
    for (const url of ['', 'localhost', 'ftp://x', 'http://']) await rejectsRefusal(readAgents(url, '', 0), 'invalid');
    assert.match(throwsRefusal(() => agentsServer(undefined, { PORT: 'x' }, ''), 'invalid').detail, /PORT/);
  });
});
