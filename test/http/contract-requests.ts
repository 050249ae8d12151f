/** A request for every documented response of the operator's API. */
import { person } from '../support/app/given-approvals.js';
import { type Passkey, passkey, registrationOf } from '../support/base/passkeys.js';
import assert from 'node:assert/strict';
import { givenManifest } from '../support/app/given-tools.js';
import { forecast } from '../support/app/given-home.js';
import { uuidOf } from '../support/app/temporary-home.js';
import type { Ask, GivenOperator } from './given-operator.js';
import type { Loose } from '../support/http/schema-check.js';

/** Path, and what goes with it. */
export type Request = readonly [path: string, ask?: Ask];
type Make = (operator: GivenOperator) => Promise<Request> | Request;
export type ByStatus = Readonly<Record<number, Make>>;

let made = 0;
const mission = async ({ ask }: GivenOperator, body: unknown = forecast()): Promise<Loose> => {
  const key = uuidOf(1_000 + ++made);
  const created = await ask('POST', '/api/missions', { body, headers: { 'Idempotency-Key': key } });
  assert.equal(created.status, 201, created.text);
  return created.body;
};
const subjectPath = (id: string, key = `SHA256:${'A'.repeat(43)}`): string =>
  `/api/missions/${id}/review/subject?note=seen&key=${encodeURIComponent(key)}`;
const inReview = async (operator: GivenOperator, body?: unknown): Promise<Loose> => {
  const { id } = await mission(operator, body);
  return (await operator.ask('POST', `/api/missions/${id}/execute?wait=1`)).body;
};
const decision = ({ revision, result_hash }: Loose, approve = true): unknown => ({
  revision,
  result_hash,
  approve,
  note: 'seen',
});
/** Made once for each server. */
const completed = (operator: GivenOperator): Promise<Loose> => {
  const known = approved.get(operator) ?? approve(operator);
  approved.set(operator, known);
  return known;
};
const approved = new WeakMap<GivenOperator, Promise<Loose>>();
const approve = async (operator: GivenOperator, body?: unknown): Promise<Loose> => {
  const record = await inReview(operator, body);
  return (await operator.ask('POST', `/api/missions/${record.id}/review`, { body: decision(record) })).body;
};
const approverCode = async ({ ask }: GivenOperator): Promise<string> =>
  (await ask('POST', '/api/approver-links', { body: { name: `person-${++made}` } })).body.link.split('=').at(-1);
const registration = async (operator: GivenOperator, own: Passkey): Promise<Request> => {
  const code = await approverCode(operator);
  const { challenge } = (await operator.ask('POST', '/api/approver-links/open', { as: 'none', body: { code } })).body;
  const given = registrationOf(own, challenge, { origin: `http://localhost:${operator.port}` });
  return ['/api/approver-links/register', { as: 'none', body: { code, ...given } }];
};
const failed = async (operator: GivenOperator): Promise<Loose> => {
  const { id } = await mission(operator);
  return (await operator.ask('POST', `/api/missions/${id}/cancel`)).body;
};
const setTool = async ({ ask }: GivenOperator, id: string, status: string): Promise<void> => {
  const { status: code, text } = await ask('POST', `/api/tools/${id}/status`, { body: { status, note: 'a test' } });
  assert.equal(code, 200, text);
};
export const disabled = async (operator: GivenOperator, id: string): Promise<void> => {
  if ((await operator.get(`/api/tools/${id}`)).status === 'active') await setTool(operator, id, 'disabled');
};
export const active = async (operator: GivenOperator, id: string): Promise<void> => {
  if ((await operator.get(`/api/tools/${id}`)).status !== 'active') await setTool(operator, id, 'active');
};
const manifest = (changes = {}): unknown => givenManifest(changes);
export const nobody = uuidOf(0);
const sentFile = async ({ ask }: GivenOperator): Promise<string> => {
  const text = 'Month,Sales\n2024-01,1\n';
  const { body } = await ask('POST', '/api/intake', { body: { files: [{ name: 'sales.csv', bytes: text.length }] } });
  const data = Buffer.from(text).toString('base64');
  const sent = await ask('POST', `/api/intake/${body.draft}/parts`, { body: { file: 0, at: 0, data } });
  assert.equal(sent.status, 200, sent.text);
  return body.draft;
};
const aPart = { file: 0, at: 0, data: 'YQ==' };
const asForecast = { kind: 'forecast' };
const wrongLogin = ['/api/login', { as: 'none', body: { code: 'wrong' } }] as const;
const ofMission = (rest: string, other: ByStatus = {}): ByStatus => ({
  404: () => [`/api/missions/${nobody}${rest}`],
  ...other,
});

/** A mission of a forecast and one of a schedule with a start, for the one format that needs dates. */
const reported = (format: string): unknown => {
  const jobs = [{ id: 'a', operations: [{ machine: 'm', duration: 5 }] }];
  return format === 'ics' ? { goal: 'dated', work: { kind: 'schedule', start: '2026-12-07 08:00', jobs } } : forecast();
};
const reports = (format: string): ByStatus =>
  ofMission(`/report.${format}`, {
    200: async (operator) => {
      await active(operator, 'export');
      return [`/api/missions/${(await approve(operator, reported(format))).id}/report.${format}`];
    },
    409: async (operator) => [`/api/missions/${(await mission(operator)).id}/report.${format}`],
    503: async (operator) => {
      const { id } = await completed(operator);
      await disabled(operator, 'export');
      return [`/api/missions/${id}/report.${format}`];
    },
  });

/** Requests by operation; a status that is absent here is one of the boundary, which `contract.test.ts` knows. */
export const requests: Readonly<Record<string, ByStatus>> = {
  'GET /': { 200: () => ['/'] },
  'GET /favicon.ico': { 200: () => ['/favicon.ico'] },
  'GET /assets/{file}': { 200: () => ['/assets/index.js'], 404: () => ['/assets/none.js'] },
  'GET /healthz': { 200: () => ['/healthz'] },
  'GET /api/verify-export.html': { 200: () => ['/api/verify-export.html'] },
  'GET /api/status': { 200: () => ['/api/status'] },
  'GET /api/doctor': { 200: () => ['/api/doctor'] },
  'GET /api/agents': { 200: () => ['/api/agents'] },
  'GET /api/alerts': { 200: () => ['/api/alerts'] },
  'POST /api/login': {
    200: async ({ ask }) => ['/api/login', { as: 'none', body: { code: (await ask('POST', '/api/login-code')).body.code } }],
    401: () => wrongLogin,
    429: async ({ ask }) => {
      for (let n = 0; n < 10; n++) await ask('POST', ...wrongLogin);
      return wrongLogin;
    },
  },
  'POST /api/login-code': { 200: () => ['/api/login-code'] },
  'POST /api/logout': { 200: () => ['/api/logout'] },
  'GET /metrics': { 200: () => ['/metrics'] },
  'GET /api/openapi.json': { 200: () => ['/api/openapi.json'] },
  'GET /api/missions': {
    200: async (operator) => {
      await completed(operator);
      return ['/api/missions?limit=1&q=TR&state=completed&kind=forecast'];
    },
  },
  'POST /api/missions': {
    200: async (operator) => {
      const { id } = await mission(operator);
      return ['/api/missions', { body: forecast(), headers: { 'Idempotency-Key': id } }];
    },
    201: () => ['/api/missions', { body: forecast() }],
    404: () => ['/api/missions', { body: { draft: nobody } }],
    409: async (operator) => {
      const { id } = await mission(operator);
      return ['/api/missions', { body: forecast('another'), headers: { 'Idempotency-Key': id } }];
    },
  },
  'GET /api/templates/{kind}/{format}': { 200: () => ['/api/templates/schedule/csv'] },
  'POST /api/intake': { 201: () => ['/api/intake', { body: { files: [{ name: 'a', bytes: 1 }] } }] },
  'POST /api/intake/{id}/parts': {
    200: async ({ ask }) => {
      const { body } = await ask('POST', '/api/intake', { body: { files: [{ name: 'a', bytes: 1 }] } });
      return [`/api/intake/${body.draft}/parts`, { body: aPart }];
    },
    404: () => [`/api/intake/${nobody}/parts`, { body: aPart }],
    409: async (operator) => [`/api/intake/${await sentFile(operator)}/parts`, { body: aPart }],
  },
  'POST /api/intake/{id}': {
    200: async (operator) => [`/api/intake/${await sentFile(operator)}`, { body: asForecast }],
    404: () => [`/api/intake/${nobody}`, { body: asForecast }],
    409: async ({ ask }) => {
      const { body } = await ask('POST', '/api/intake', { body: { files: [{ name: 'a', bytes: 1 }] } });
      return [`/api/intake/${body.draft}`, { body: asForecast }];
    },
  },
  'GET /api/missions/{id}': ofMission('', { 200: async (operator) => [`/api/missions/${(await completed(operator)).id}`] }),
  'GET /api/missions/{id}/events': ofMission('/events', {
    200: async (operator) => [`/api/missions/${(await completed(operator)).id}/events?after=1`],
  }),
  'GET /api/missions/{id}/export': ofMission('/export', {
    200: async (operator) => [`/api/missions/${(await completed(operator)).id}/export`],
    409: async (operator) => [`/api/missions/${(await inReview(operator)).id}/export`],
    503: async (operator) => {
      const { id } = await completed(operator);
      await disabled(operator, 'export');
      return [`/api/missions/${id}/export`];
    },
  }),
  'GET /api/missions/{id}/report.html': reports('html'),
  'GET /api/missions/{id}/report.csv': reports('csv'),
  'GET /api/missions/{id}/report.xlsx': reports('xlsx'),
  'GET /api/missions/{id}/report.ics': reports('ics'),
  'GET /api/missions/{id}/report.md': reports('md'),
  'POST /api/missions/{id}/execute': ofMission('/execute', {
    200: async (operator) => [`/api/missions/${(await mission(operator)).id}/execute?wait=1`],
    202: async (operator) => [`/api/missions/${(await mission(operator)).id}/execute`],
    409: async (operator) => [`/api/missions/${(await inReview(operator)).id}/execute`],
    502: async (operator) => [`/api/missions/${(await mission(operator, forecast('fails'))).id}/execute?wait=1`],
  }),
  'POST /api/missions/{id}/review': ofMission('/review', {
    200: async (operator) => {
      const record = await inReview(operator);
      return [`/api/missions/${record.id}/review`, { body: decision(record, false) }];
    },
    404: () => [`/api/missions/${nobody}/review`, { body: decision({ revision: 1, result_hash: 'a'.repeat(64) }) }],
    409: async (operator) => {
      const record = await inReview(operator);
      return [`/api/missions/${record.id}/review`, { body: decision({ ...record, revision: 1 }) }];
    },
  }),
  'GET /api/missions/{id}/review/subject': {
    200: async (operator) => {
      const { fingerprint } = await person(operator.home, `person-${++made}`);
      return [subjectPath((await inReview(operator)).id, fingerprint)];
    },
    404: () => [subjectPath(nobody)],
    409: async (operator) => [subjectPath((await inReview(operator)).id)],
  },
  'POST /api/missions/{id}/recover': ofMission('/recover', {
    200: async (operator) => [`/api/missions/${(await failed(operator)).id}/recover`],
    409: async (operator) => [`/api/missions/${(await mission(operator)).id}/recover`],
  }),
  'POST /api/missions/{id}/cancel': ofMission('/cancel', {
    200: async (operator) => [`/api/missions/${(await mission(operator)).id}/cancel`],
    409: async (operator) => [`/api/missions/${(await failed(operator)).id}/cancel`],
  }),
  'GET /api/approvers': { 200: () => ['/api/approvers'] },
  'POST /api/approvers/{name}/remove': {
    200: async ({ home }) => {
      const { name } = await person(home, `person-${++made}`);
      return [`/api/approvers/${name}/remove`, { body: { reason: 'left' } }];
    },
    404: () => ['/api/approvers/nobody/remove', { body: { reason: 'left' } }],
    409: async ({ home, ask }) => {
      const { name } = await person(home, `person-${++made}`);
      await ask('POST', `/api/approvers/${name}/remove`, { body: { reason: 'left' } });
      return [`/api/approvers/${name}/remove`, { body: { reason: 'left' } }];
    },
  },
  'POST /api/approver-links': { 200: () => ['/api/approver-links', { body: { name: `person-${++made}` } }] },
  'POST /api/approver-links/open': {
    200: async (operator) => ['/api/approver-links/open', { as: 'none', body: { code: await approverCode(operator) } }],
    401: () => ['/api/approver-links/open', { as: 'none', body: { code: 'x' } }],
  },
  'POST /api/approver-links/register': {
    200: async (operator) => registration(operator, passkey()),
    401: () => [
      '/api/approver-links/register',
      { as: 'none', body: { code: 'x', attestation_object: 'oA', client_data: 'e30' } },
    ],
    409: async (operator) => {
      const own = passkey();
      await person(operator.home, `person-${++made}`, own);
      return registration(operator, own);
    },
  },
  'POST /api/control': { 200: () => ['/api/control', { body: { state: 'ready' } }] },
  'GET /api/journal': { 200: () => ['/api/journal?limit=3'] },
  'GET /api/journal/entries/{sequence}': {
    200: () => ['/api/journal/entries/1'],
    404: () => ['/api/journal/entries/1000000'],
  },
  'GET /api/journal/checkpoint': { 200: () => ['/api/journal/checkpoint'] },
  'GET /api/journal/proof': {
    200: () => [`/api/journal/proof?${++made % 2 === 0 ? 'sequence' : 'from'}=1`],
    404: () => ['/api/journal/proof?sequence=1000000'],
  },
  'GET /api/events': { 200: () => ['/api/events?after=0'] },
  'GET /api/tools': { 200: () => ['/api/tools'] },
  'POST /api/tools': {
    200: () => ['/api/tools', { body: manifest() }],
    409: async (operator) => {
      await operator.ask('POST', '/api/tools', { body: manifest() });
      return ['/api/tools', { body: manifest({ description: 'Another.' }) }];
    },
    503: async (operator) => {
      await disabled(operator, 'tool_import');
      return ['/api/tools', { body: manifest({ tool_id: 'late' }) }];
    },
  },
  'GET /api/tools/{id}': { 200: () => ['/api/tools/export'], 404: () => ['/api/tools/none'] },
  'POST /api/tools/{id}/status': {
    200: () => ['/api/tools/publish/status', { body: { status: 'deprecated', note: 'a test' } }],
    404: () => ['/api/tools/none/status', { body: { status: 'active', note: 'a test' } }],
    409: () => ['/api/tools/backup/status', { body: { status: 'active', note: 'a test' } }],
  },
};
