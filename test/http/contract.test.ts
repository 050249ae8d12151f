/** @slow */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createToken } from '../../src/app/tokens/change.js';
import { runOnThread, type RunEngine } from '../../src/app/threads/engine-thread.js';
import { freshFetch } from '../support/http/fetch.js';
import { real } from '../support/real.js';
import { temporaryHome } from '../support/app/temporary-home.js';
import type { Loose } from '../support/http/schema-check.js';
import { paymentRequests } from './contract-payments.js';
import { requests, type ByStatus } from './contract-requests.js';
import { givenOperator, stopOperators, type GivenOperator } from './given-operator.js';
import { givenPayments, type PaidOperator } from './given-payments.js';
import { beyondLimit } from './beyond-limit.js';
import { assertDocumented, operationsOf, pageFolder, refusedBy } from './contract-check.js';
import { fetched, type Got, type RequestParts } from './plain-http.js';
import { assertNone } from '../support/lists.js';

/** The real engine, which fails where the goal says so. */
const engine: RunEngine = (task, hooks) =>
  task.input.goal === 'fails' ? Promise.reject(new Error('no answer')) : runOnThread(task, hooks);

interface Servers {
  readonly operator: GivenOperator;
  /** Bodies have little time there. */
  readonly hasty: GivenOperator;
  readonly document: Loose;
}

/** The documented responses of every operation in a table. */
function answers(table: Readonly<Record<string, ByStatus>>, servers: () => Servers): void {
  for (const [operation, byStatus] of Object.entries(table)) {
    it(`returns every documented response of ${operation}, in the documented shape`, async () => {
      const { operator, hasty, document } = servers();
      const [method = '', path = ''] = operation.split(' ');
      const { responses } = document.paths[path][method.toLowerCase()];
      // Files of code missions are refused to assistants, and a code mission is completed only where there is a sandbox.
      const isOfSandbox = (status: string): boolean => status === '403' && /GET .*(?:export|report)/.test(operation);
      const statuses = Object.keys(responses).filter((status) => status !== 'default' && !isOfSandbox(status));
      assertNone(Object.keys(byStatus), (status) => !statuses.includes(status), 'requests for answers that are not documented');
      for (const status of statuses.map(Number)) {
        const got = await exercise(operator, hasty, { method, byStatus }, status);
        assert.equal(got.status, status, `${operation} → ${status}: ${got.text.slice(0, 300)}`);
        assertDocumented(got, responses[status], document, `${operation} → ${status}`);
      }
    });
  }
}

describe('operator API: the contract', () => {
  let servers: Servers;
  before(async () => {
    const limits = { failed_logins_per_address_max: 1, event_heartbeat_ms: 50 };
    const folder = pageFolder(join(temporaryHome().root, 'console'));
    const operator = await givenOperator({ limits, console: folder, daemon: { runEngine: engine, executing_max: 4 } });
    const document = await operator.get('/api/openapi.json');
    const hasty = await givenOperator({ limits: { http_body_ms_max: 250 } });
    assert.equal(await wrongToken(operator), 401, 'the only one in a minute');
    servers = { operator, hasty, document };
  });
  after(stopOperators);

  it('documents every route, and only those', () => {
    const known = [...Object.keys(requests), ...Object.keys(paymentRequests(() => assert.fail('no chain')))];
    assert.deepEqual([...operationsOf(servers.document)].toSorted(), known.toSorted());
  });

  answers(requests, () => servers);
});

real('anvil', 'operator API: the contract of payments', () => {
  let given: PaidOperator;
  let servers: Servers;
  before(async () => {
    given = await givenPayments();
    const { operator } = given;
    const document = await operator.get('/api/openapi.json');
    const hasty = await givenOperator({ limits: { http_body_ms_max: 250 } });
    assert.equal(await wrongToken(operator), 401, 'the only one in a minute');
    servers = { operator, hasty, document };
  });
  after(async () => {
    await stopOperators();
    await given.stop();
  });

  answers(
    paymentRequests(() => given),
    () => servers,
  );
});

/** What a page of another origin may read can be refused to an assistant. */
async function asAssistant(operator: GivenOperator, path: string): Promise<Got> {
  const known = assistants.get(operator) ?? createToken(operator.home, 'assistant', 'agent', 'operator');
  assistants.set(operator, known);
  const { token } = await known;
  return operator.ask('GET', path, { as: 'none', headers: { Authorization: `Bearer ${token}` } });
}
const assistants = new WeakMap<GivenOperator, ReturnType<typeof createToken>>();

const wrongToken = async ({ url }: GivenOperator): Promise<number> =>
  (await fetched(`${url}/api/status`, 'GET', 'wrong', {})).status;

/** What the operator's boundary alone refuses so. */
const boundary: Readonly<Record<number, RequestParts>> = {
  400: { headers: { 'Content-Length': '5', 'content-length': '5' }, body: 'hello' },
  403: { headers: { Origin: 'http://elsewhere.example' } },
  411: { body: undefined },
  413: { headers: { 'Content-Length': '524289' }, body: undefined },
  415: { headers: { 'Content-Type': 'text/plain' } },
  421: { headers: { Host: 'elsewhere.example' } },
  // Where wrong tokens are used up.
  429: { token: 'x'.repeat(43) },
};

interface Operation {
  readonly method: string;
  readonly byStatus: ByStatus;
}

async function exercise(
  operator: GivenOperator,
  hasty: GivenOperator,
  { method, byStatus }: Operation,
  status: number,
): Promise<Got> {
  const own = byStatus[status];
  if (own !== undefined) {
    const [path, ask] = await own(operator);
    return path.startsWith('/api/events') ? beginning(operator, path) : operator.ask(method, path, ask);
  }
  const success = Object.keys(byStatus).map(Number)[0]!;
  const [path, ask] = await byStatus[success]!(operator);
  if (status === 403 && method === 'GET') return asAssistant(operator, path);
  const server = status === 408 ? hasty : operator;
  const body = method === 'GET' ? undefined : JSON.stringify(ask?.body ?? '');
  const plain = { method, path, host: 'localhost', token: server.tokens.admin, body };
  const send = (): Promise<Got> => refusedBy(server.port, plain, status, boundary);
  return status === 429 ? beyondLimit(() => wrongToken(operator), send) : send();
}

/** The first bytes of a response that does not end. */
async function beginning({ url, tokens }: GivenOperator, path: string): Promise<Got> {
  const controller = new AbortController();
  const response = await freshFetch(url + path, {
    headers: { Authorization: `Bearer ${tokens.admin}` },
    signal: controller.signal,
  });
  const { value } = await response.body!.getReader().read();
  controller.abort();
  return { status: response.status, headers: response.headers, text: new TextDecoder().decode(value), body: null };
}
