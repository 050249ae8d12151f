/** The operator's server over a temporary home, stopped after each test, and requests to it with each role's token. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createToken } from '../../src/app/tokens/change.js';
import type { Home } from '../../src/app/home/home.js';
import { createLogger } from '../../src/http/log.js';
import { startServers, type Servers, type ServeOptions } from '../../src/http/start.js';
import type { Loose } from '../support/http/schema-check.js';
import { unverified } from '../support/app/given-daemon.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { fetched, type Got } from './plain-http.js';

export type Role = 'viewer' | 'reviewer' | 'admin';

export interface Ask {
  /** The role whose token is sent; `none` for no token. */
  readonly as?: Role | 'none';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: unknown;
}

export interface GivenOperator extends Servers {
  readonly given: TemporaryHome;
  readonly home: Home;
  readonly tokens: Readonly<Record<Role, string>>;
  readonly url: string;
  readonly ask: (method: string, path: string, options?: Ask) => Promise<Got>;
  readonly get: (path: string, as?: Role) => Promise<Loose>;
  readonly log: string[];
}

const running: Servers[] = [];
const homes: TemporaryHome[] = [];

/** Stops the servers of a file whose tests share one. */
export async function stopOperators(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.stop()));
  for (const home of homes.splice(0)) home.remove();
}

/** Stops the servers after each test. */
export const stopAfterEach = (): void => void afterEach(stopOperators);

/** Named tokens `alice` (viewer) and `bob` (reviewer) are made before it starts; api.token is the admin's. */
export async function givenOperator(
  options: Partial<ServeOptions> = {},
  prepare: (home: Home) => Promise<void> | void = () => undefined,
): Promise<GivenOperator> {
  const given = temporaryHome();
  homes.push(given);
  const tokens = await given.with(async (home) => {
    await prepare(home);
    return {
      viewer: (await createToken(home, 'alice', 'viewer', 'operator')).token,
      reviewer: (await createToken(home, 'bob', 'reviewer', 'operator')).token,
      admin: readFileSync(home.paths.apiToken, 'utf8').trim(),
    };
  });
  const log: string[] = [];
  const server = await startServers(given.world, {
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    logger: createLogger('info', { write: (line) => void log.push(line) }),
    checkReplies: true,
    ...options,
    daemon: { ...unverified, ...options.daemon },
  });
  running.push(server);
  const url = `http://127.0.0.1:${server.port}`;
  const ask: GivenOperator['ask'] = (method, path, { as = 'admin', ...sent } = {}) =>
    fetched(url + path, method, as === 'none' ? null : tokens[as], sent);
  const get = async (path: string, as: Role = 'admin'): Promise<Loose> => {
    const answer = await ask('GET', path, { as });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  return { ...server, given, home: server.daemon.home, tokens, url, ask, get, log };
}
