/** The mock's routes: each runs the command that does the same. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { roles } from '../../src/codec/roles.js';
import { MockProblem, type Mock, type Role } from './console-mock-types.js';

export interface Call {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly role: Role;
  readonly headers: IncomingHttpHeaders;
}

export interface Answer {
  readonly status: number;
  readonly text: string | Buffer;
  readonly headers?: OutgoingHttpHeaders;
}

type Route = (call: Call, mock: Mock, id: string) => Promise<Answer>;
const json = (value: unknown, status = 200): Answer => ({ status, text: JSON.stringify(value) });
const bodyOf = (call: Call): Record<string, string> => JSON.parse(call.body) as Record<string, string>;

const run =
  (...command: readonly string[]): Route =>
  async (_, mock, id) =>
    json(await mock.run(...command, ...(id === '' ? [] : [id])));

async function status(call: Call, mock: Mock): Promise<Answer> {
  const [doctor, { items }] = (await Promise.all([mock.run('doctor'), mock.run('list', '--limit', '100')])) as [
    Record<string, unknown>,
    { items: readonly { state: string }[] },
  ];
  const counts: Record<string, number> = { queued: 0, running: 0, review: 0, completed: 0, rejected: 0, failed: 0 };
  for (const { state } of items) counts[state] = (counts[state] ?? 0) + 1;
  const identity = String(doctor['identity']);
  const journal = { valid: true, events: doctor['events'], head: doctor['head'], root: 'ab'.repeat(32), verified_at: null };
  const fixed = {
    home: mock.cli.env['AGENT_HOME'],
    name: 'alpha-agent',
    public_key: identity.split(':').at(-1),
    journal,
    inference: null,
    sandbox: null,
    chain: null,
  };
  const actor = { name: call.role === 'admin' ? 'operator' : call.role, role: call.role };
  return json({ ...doctor, ...fixed, counts, actor, executing: [...mock.progress.keys()], executing_max: 1 });
}

const agents: Route = async () =>
  json({ agents: Object.fromEntries(roles.map((role) => [role, { last_beat: Date.now() / 1_000, restarts: 0 }])) });

async function list({ url }: Call, mock: Mock): Promise<Answer> {
  const flags = ['state', 'kind', 'q', 'actor', 'since', 'until', 'sort', 'order', 'cursor', 'limit'].flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null ? [] : [`--${name}=${value}`];
  });
  return json(await mock.run('list', ...flags));
}

async function create(call: Call, mock: Mock): Promise<Answer> {
  const key = call.headers['idempotency-key'];
  const flags = typeof key === 'string' ? ['--request-id', key] : [];
  return json(await mock.run('run', mock.file(call.body), ...flags, '--as', call.role), 201);
}

async function execute(call: Call, mock: Mock, id: string): Promise<Answer> {
  const before = (await mock.run('show', id)) as { revision: number };
  const outcome = mock.run('execute', id, '--as', call.role).finally(() => mock.progress.delete(id));
  let failure: Error | null = null;
  outcome.catch((error: Error) => (failure = error));
  mock.progress.set(id, 0);
  for (;;) {
    const record = (await mock.run('show', id)) as { revision: number };
    if (record.revision !== before.revision) return json(record, 202);
    if (failure !== null) throw failure as Error;
  }
}

async function review(call: Call, mock: Mock, id: string): Promise<Answer> {
  const { revision, result_hash, approve, note } = JSON.parse(call.body) as Record<string, unknown>;
  const words = ['--revision', String(revision), '--result-hash', String(result_hash), '--note', String(note)];
  return json(await mock.run('review', id, ...words, approve === true ? '--approve' : '--reject', '--as', call.role));
}

async function exported(_: Call, mock: Mock, id: string): Promise<Answer> {
  const path = join(mock.cli.directory, `export-${Date.now()}.json`);
  await mock.run('export', id, '--output', path);
  const name = `${id.slice(0, 8)}.export.json`;
  return { status: 200, text: readFileSync(path), headers: { 'Content-Disposition': `attachment; filename="${name}"` } };
}

async function missionEvents(_: Call, mock: Mock, id: string): Promise<Answer> {
  return json({
    items: mock
      .entries()
      .filter(({ stream }) => stream === id)
      .map((entry) => ({ ...entry, proof: null })),
  });
}

async function journal({ url }: Call, mock: Mock): Promise<Answer> {
  const before = Number(url.searchParams.get('before') ?? Infinity);
  const limit = Number(url.searchParams.get('limit') ?? 50);
  const older = mock
    .entries()
    .filter(({ sequence }) => sequence < before)
    .toReversed();
  const items = older
    .slice(0, limit)
    .map(({ document: _document, signature: _signature, ...entry }) => ({ ...entry, actor: null, stage: null, summary: '' }));
  return json({ items, next_before: older.length > limit ? (items.at(-1)?.sequence ?? null) : null });
}

async function journalEntry(_: Call, mock: Mock, sequence: string): Promise<Answer> {
  const entry = mock.entries().find((each) => each.sequence === Number(sequence));
  return json({ ...entry, actor: null, stage: null, summary: '' });
}

async function proof({ url }: Call, mock: Mock): Promise<Answer> {
  const sequence = Number(url.searchParams.get('sequence'));
  const { proof: text } = (await mock.run('proof', String(sequence))) as { proof: string };
  const entry = mock.entries().find((each) => each.sequence === sequence);
  return json({ sequence, hash: entry?.hash, signature: entry?.signature, proof: text });
}

async function control(call: Call, mock: Mock): Promise<Answer> {
  return json(await mock.run(bodyOf(call)['state'] === 'paused' ? 'pause' : 'resume'));
}

async function importTool(call: Call, mock: Mock): Promise<Answer> {
  return json(await mock.run('tool', 'import', mock.file(call.body)), 201);
}

async function toolStatus(call: Call, mock: Mock, id: string): Promise<Answer> {
  const { status: to = '', note = '' } = bodyOf(call);
  return json(await mock.run('tool', 'status', id, '--set', to, '--note', note));
}

const routes: readonly (readonly [method: string, pattern: RegExp, role: Role, route: Route])[] = [
  ['GET', /^\/api\/status$/, 'viewer', status],
  ['GET', /^\/api\/doctor$/, 'viewer', run('doctor')],
  ['GET', /^\/api\/agents$/, 'viewer', agents],
  ['GET', /^\/api\/alerts$/, 'viewer', async () => json({ webhook: false, items: [] })],
  ['GET', /^\/api\/missions$/, 'viewer', list],
  ['POST', /^\/api\/missions$/, 'reviewer', create],
  ['GET', /^\/api\/missions\/([^/]+)$/, 'viewer', run('show')],
  ['GET', /^\/api\/missions\/([^/]+)\/events$/, 'viewer', missionEvents],
  ['GET', /^\/api\/missions\/([^/]+)\/export$/, 'viewer', exported],
  ['POST', /^\/api\/missions\/([^/]+)\/execute$/, 'reviewer', execute],
  ['POST', /^\/api\/missions\/([^/]+)\/review$/, 'reviewer', review],
  ['POST', /^\/api\/missions\/([^/]+)\/recover$/, 'reviewer', run('recover')],
  ['POST', /^\/api\/missions\/([^/]+)\/cancel$/, 'reviewer', run('cancel')],
  ['POST', /^\/api\/control$/, 'admin', control],
  ['GET', /^\/api\/journal$/, 'viewer', journal],
  ['GET', /^\/api\/journal\/entries\/(\d+)$/, 'viewer', journalEntry],
  ['GET', /^\/api\/journal\/checkpoint$/, 'viewer', run('checkpoint')],
  ['GET', /^\/api\/journal\/proof$/, 'viewer', proof],
  ['GET', /^\/api\/tools$/, 'viewer', run('tool', 'list')],
  ['POST', /^\/api\/tools$/, 'admin', importTool],
  ['GET', /^\/api\/tools\/([^/]+)$/, 'viewer', run('tool', 'show')],
  ['POST', /^\/api\/tools\/([^/]+)\/status$/, 'admin', toolStatus],
];

const ranks: readonly Role[] = ['viewer', 'reviewer', 'admin'];

export async function routeOf(call: Call, mock: Mock): Promise<Answer> {
  for (const [method, pattern, role, route] of routes) {
    const found = pattern.exec(call.url.pathname);
    if (found === null || method !== call.method) continue;
    if (ranks.indexOf(call.role) < ranks.indexOf(role))
      throw new MockProblem({ code: 'forbidden', detail: `this needs the role ${role}` });
    return route(call, mock, decodeURIComponent(found[1] ?? ''));
  }
  throw new MockProblem({ code: 'not_found', detail: `nothing answers ${call.method} ${call.url.pathname}` });
}
