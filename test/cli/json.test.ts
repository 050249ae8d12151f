/** `--json`: one document on standard output for every command, with the members that the specification names. @slow */
import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drafted_file_bytes_max } from '../../src/base/limits.js';
import { refusals } from '../../src/base/refusal.js';
import { hostedScratch, plan as mission, program, root, type Scratch } from '../support/cli/cli-run.js';
import { heard } from '../support/crash/crash-cli.js';
import { approverKey } from '../support/codec/given-events.js';
import { paymentMembers } from '../support/app/payment-members.js';
import { membersOf } from '../support/lists.js';
import { copyTree } from '../support/app/temporary-home.js';

/** One document of every command, from a session in which each has something to say; and the members that each must have. */
type Json = Record<string, unknown>;
type Documents = ReadonlyMap<string, Json>;
type Keep = (...args: readonly string[]) => Json;

const record =
  'id kind goal state revision request request_hash result result_hash verification inference stages attempt lease_expires_at error review invoice receipt created_at updated_at'.split(
    ' ',
  );

const transfer = ['output', 'replay', 'bounded_transfer', 'human_overhead_milli', 'adjusted_advantage_milli'];
const plan = ['output', 'valid', 'planRoot', 'jobs', 'totalBounty'];
const tool = ['id', 'status', 'own', 'gate', 'note', 'revision', 'updated_at', 'manifest'];

/** Command to the members of its document. */
const members: Readonly<Record<string, readonly string[]>> = {
  init: ['identity', 'public_key', 'home', 'token_file', 'events', 'head'],
  doctor: ['version', 'identity', 'events', 'head', 'control', 'capabilities', 'checks'],
  examples: ['output', 'files'],
  run: record,
  list: ['items', 'next_cursor'],
  show: record,
  watch: record,
  version: ['version', 'node', 'platform'],
  complete: ['lines'],
  'approver:add': ['name', 'title', 'state', 'keys', 'created_at', 'changed_at'],
  'approver:list': ['items'],
  'approver:show': ['name', 'title', 'state', 'keys', 'created_at', 'changed_at'],
  'approver:remove': ['name', 'title', 'state', 'keys', 'created_at', 'changed_at'],
  'worker-key:add': ['key', 'name', 'state', 'changed_at'],
  'worker-key:list': ['items'],
  'worker-key:remove': ['key', 'name', 'state', 'changed_at'],
  execute: record,
  review: record,
  cancel: record,
  recover: record,
  erase: record,
  export: ['output', 'sha256', 'events', 'head'],
  report: ['output', 'format', 'sha256', 'bytes', 'approved'],
  'verify-export': ['valid', 'identity', 'mission', 'hash', 'proof', 'recomputed'],
  verify: ['valid', 'events', 'head', 'root', 'checkpoint', 'signatures_checked', 'elapsed_ms'],
  checkpoint: ['origin', 'size', 'root', 'note', 'vkey'],
  'config:set': ['changed', 'config_hash', 'state'],
  'journal:export': ['output', 'from', 'to', 'entries', 'first', 'last', 'verifiable'],
  'verify-journal-export': ['valid', 'reason', 'from', 'to', 'entries', 'first', 'last'],
  'config:show': ['name', 'llm_url', 'max_evaluations', 'allow_code_execution', 'chain'],
  pause: ['state'],
  configure: ['changed', 'config_hash', 'state'],
  resume: ['state'],
  rebuild: ['events', 'head'],
  'recover-home': ['state', 'from_size', 'to_size', 'origin'],
  serve: ['entries_seen'],
  completion: ['shell', 'script'],
  backup: ['path', 'sha256', 'bytes', 'events', 'head', 'root', 'contains_private_key'],
  restore: ['valid', 'events', 'head', 'root', 'checkpoint', 'signatures_checked', 'elapsed_ms', 'restored', 'behind', 'state'],
  'transfer-run': transfer,
  'transfer-verify': transfer,
  'transfer-review': transfer,
  'transfer-docket': transfer,
  new: ['output', 'kind', 'rows', 'notes', 'provenance', 'draft'],
  'ascension-compile': plan,
  'ascension-check': plan,
  'ascension-deliver': ['output', 'planRoot', 'jobIndex', 'resultHash'],
  'ascension-verify-delivery': ['valid', 'planRoot', 'jobIndex', 'mission', 'resultHash'],
  'tool:validate': ['valid', 'files'],
  'tool:list': ['items'],
  'tool:show': tool,
  'tool:status': tool,
  'tool:import': [...tool, 'recorded', 'warnings'],
  'token:create': ['name', 'role', 'token'],
  'token:list': ['items'],
  'token:rotate': ['name', 'role', 'token'],
  'token:revoke': ['name', 'role', 'state', 'created_at', 'changed_at'],
  publish: ['directory', 'origin', 'size', 'root', 'written', 'kept', 'cosignatures', 'warnings'],
  proof: ['origin', 'size', 'root', 'sequence', 'index', 'from', 'proof', 'output'],
  'verify-proof': ['valid', 'origin', 'size', 'root', 'index', 'from', 'reason'],
  'witness:add': ['name', 'url', 'vkey', 'added_at', 'cosigned', 'warnings'],
  'witness:list': ['items'],
};

/** `config show` and the like are known by two words, as the manifest has them. */
const idOf = ([first = '', second = '']: readonly string[]): string =>
  members[`${first}:${second}`] === undefined ? first : `${first}:${second}`;

async function documentsOf(place: Scratch): Promise<Documents> {
  const documents = new Map<string, Json>();
  const keep: Keep = (...args) => {
    const document = place.json(...args);
    documents.set(idOf(args), document);
    return document;
  };
  writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(mission));
  writeFileSync(join(place.directory, 'config.json'), '{"name":"night-shift"}');
  const key = String(keep('init')['public_key']);
  keep('doctor');
  keep('examples', '--output', 'missions');
  keep('new', 'forecast', '--from', 'missions/forecast.csv');
  approved(place, keep, key);
  deliveries(place, keep, key);
  decisions(place, keep);
  experiments(keep);
  tools(place, keep);
  tokens(place, keep);
  published(keep);
  keep('completion', 'bash');
  await control(place, keep, documents, key);
  keep('backup', 'agent.zip');
  keep('restore', 'agent.zip', '--home', 'restored');
  return documents;
}

function approved(place: Scratch, keep: Keep, key: string): void {
  const { id, result_hash } = place.json('run', 'plan.json', '--execute');
  const binding = ['--revision', '11', '--result-hash', String(result_hash)];
  keep('review', String(id), ...binding, '--approve', '--note', 'fits');
  keep('export', String(id), '--output', 'out.json');
  keep('report', String(id), '--output', 'out.csv');
  keep('verify-export', 'out.json', '--public-key', key, '--recompute');
}

/** Keeps the documents about deliveries of the mission that was approved. */
function deliveries(place: Scratch, keep: Keep, key: string): void {
  const job = { goal: mission.goal, successMetric: 'The totals hold', bounty: '3500', duration: 60, priceWeight: 0 };
  writeFileSync(join(place.directory, 'jobs.json'), JSON.stringify([job]));
  const planRoot = String(keep('ascension-compile', 'jobs.json', '--output', 'jobs-plan.json')['planRoot']);
  keep('ascension-check', 'jobs-plan.json');
  keep('ascension-deliver', 'jobs-plan.json', '--index', '0', '--find-mission', '--output', 'delivery.json');
  keep('ascension-verify-delivery', 'delivery.json', '--public-key', key, '--plan-root', planRoot);
}

function decisions(place: Scratch, keep: Keep): void {
  const id = String(keep('run', 'missions/research.json')['id']);
  keep('cancel', id);
  keep('recover', id);
  keep('execute', id);
  const { revision, result_hash } = keep('show', id);
  place.json('review', id, '--revision', String(revision), '--result-hash', String(result_hash), '--reject', '--note', 'no');
  keep('erase', id, '--reason', 'test');
  keep('list');
  keep('watch', id);
  keep('version');
  keep('complete');
}

function experiments(keep: Keep): void {
  keep('transfer-run', '--scenario', 'seasonal', '--output', 'transfer.json');
  const times = ['--control-ms', '1', '--treatment-ms', '1'];
  const decision = ['--decision', 'accept', '--reviewer', 'Ana', '--reason', 'checked', ...times];
  keep('transfer-review', 'transfer.json', ...decision, '--output', 'reviewed.json');
  keep('transfer-docket', 'reviewed.json', '--output', 'docket.zip');
  keep('transfer-verify', 'docket.zip');
}

function tools(place: Scratch, keep: Keep): void {
  const ours = JSON.parse(readFileSync(join(root, 'manifests', 'publish.json'), 'utf8')) as Json;
  writeFileSync(join(place.directory, 'tool.json'), JSON.stringify({ ...ours, tool_id: 'mail_send' }));
  keep('tool', 'validate', 'tool.json');
  keep('tool', 'import', 'tool.json');
  keep('tool', 'list');
  keep('tool', 'show', 'export');
  keep('tool', 'status', 'publish', '--set', 'deprecated', '--note', 'test');
}

function tokens(place: Scratch, keep: Keep): void {
  keep('token', 'create', 'alice', '--role', 'viewer');
  keep('token', 'rotate', 'alice');
  keep('token', 'list');
  keep('token', 'revoke', 'alice');
  writeFileSync(join(place.directory, 'alice.pub'), `${approverKey} alice\n`);
  keep('approver', 'add', 'alice', '--key', 'alice.pub');
  keep('approver', 'show', 'alice');
  keep('approver', 'list');
  keep('approver', 'remove', 'alice', '--reason', 'left');
  keep('worker-key', 'add', 'a1'.repeat(32), '--name', 'rack-1');
  keep('worker-key', 'list');
  keep('worker-key', 'remove', 'a1'.repeat(32));
}

/** The log for others. Nobody listens where the witness should be, which is a warning. */
function published(keep: Keep): void {
  const vkey = String(keep('checkpoint')['vkey']);
  keep('publish', 'log');
  keep('proof', '12', '--output', 'approval.tlog-proof');
  keep('verify-proof', 'approval.tlog-proof', '--vkey', vkey, '--export', 'out.json');
  keep('witness', 'add', 'http://127.0.0.1:9', 'w.example+00df7ba9+BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  keep('witness', 'list');
}

async function control(place: Scratch, keep: Keep, documents: Map<string, Json>, key: string): Promise<void> {
  const at = (name: string): string => join(place.directory, name);
  keep('config', 'show');
  keep('config', 'set', 'name=night-shift');
  keep('journal', 'export', '--from', '2020-01-01', '--to', '2120-01-01', '--output', 'all.jsonl');
  keep('verify-journal-export', 'all.jsonl', '--public-key', key);
  keep('pause');
  keep('configure', 'config.json');
  keep('rebuild');
  copyTree(at('home'), at('copy'));
  keep('resume');
  documents.set('serve', await served(place));
  rmSync(at('home'), { recursive: true });
  copyTree(at('copy'), at('home'));
  keep('recover-home', '--accept-rollback', '--reason', 'test');
  keep('verify', '--deep');
}

async function served({ directory, env }: Scratch): Promise<Json> {
  const daemon = spawn(process.execPath, [program, 'serve', '--json', '--port', '0'], { cwd: directory, env: { ...env } });
  let text = '';
  daemon.stdout.on('data', (part: Buffer) => (text += part.toString()));
  await heard(daemon, '"serving"');
  daemon.kill('SIGTERM');
  deepStrictEqual(await once(daemon, 'close'), [0, null]);
  // One object per line, the last one when it has stopped.
  return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Json;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

describe('--json', () => {
  let place: Scratch;
  let documents: Documents;
  const at = (name: string): string => join(place.directory, name);

  before(async () => {
    place = hostedScratch();
    documents = await documentsOf(place);
  });
  after(() => place.remove());

  it('is supported by every command', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'dist', 'oclif.manifest.json'), 'utf8')) as { commands: Json };
    // Those of the simulation have their documents in simulation.test.ts, of the message bus and of workers in test/bus and test/app/simulation,
    // and an assistant gets those of its protocol.
    const elsewhere = 'bus:send bus:tail mcp worker agents-status replay runs show-results simulate verify-run'.split(' ');
    const known = [...Object.keys(members), ...Object.keys(paymentMembers), ...elsewhere];
    deepStrictEqual(Object.keys(manifest.commands).toSorted(), known.toSorted());
  });

  for (const [command, expected] of Object.entries(members)) {
    it(`has the members of ${command.replace(':', ' ')}: ${expected.slice(0, 5).join(', ')}${expected.length > 5 ? ', …' : ''}`, () => {
      const document = documents.get(command);
      strictEqual(isObject(document), true, 'the document is no object');
      const missing = expected.filter((name) => !Object.hasOwn(document ?? {}, name));
      deepStrictEqual(missing, []);
    });
  }

  it('has the members of each item of a list', () => {
    const [item] = (documents.get('list')?.['items'] ?? []) as Json[];
    deepStrictEqual(Object.keys(item ?? {}).toSorted(), ['goal', 'id', 'kind', 'revision', 'state', 'updated_at']);
    const checks = (documents.get('doctor')?.['checks'] ?? []) as Json[];
    notStrictEqual(checks.length, 0);
    for (const check of checks) deepStrictEqual(Object.keys(check).toSorted(), ['detail', 'fix', 'name', 'status']);
    const [file] = (documents.get('tool:validate')?.['files'] ?? []) as Json[];
    deepStrictEqual(Object.keys(file ?? {}).toSorted(), ['errors', 'path', 'valid', 'warnings']);
    const { restored, state, behind } = documents.get('restore') ?? {};
    deepStrictEqual([Object.keys(restored as Json).toSorted(), state, behind], [['events', 'head', 'root'], 'paused', null]);
    for (const [list, one] of [
      ['tool:list', 'tool:show'],
      ['token:list', 'token:revoke'],
    ] as const) {
      const [shown] = (documents.get(list)?.['items'] ?? []) as Json[];
      deepStrictEqual(Object.keys(shown ?? {}).toSorted(), members[one]?.toSorted(), list);
    }
    const [witness] = (documents.get('witness:list')?.['items'] ?? []) as Json[];
    deepStrictEqual(Object.keys(witness ?? {}).toSorted(), ['added_at', 'cosigned', 'name', 'url', 'vkey']);
    deepStrictEqual(Object.keys((documents.get('verify-export')?.['proof'] ?? {}) as Json), ['size', 'root']);
    deepStrictEqual(Object.keys((documents.get('verify-export')?.['newest'] ?? {}) as Json), ['count']);
    strictEqual(documents.get('verify-export')?.['recomputed'], true);
    strictEqual(documents.get('verify')?.['valid'], true);
  });

  it('has the stages in order, and no revenue before a settlement', () => {
    const stages = (documents.get('execute')?.['stages'] ?? []) as { role: string; detail: Json }[];
    const roles = ['planning', 'research', 'strategy', 'market', 'codegen', 'safety', 'memory'];
    deepStrictEqual(membersOf(stages, 'role'), roles);
    strictEqual(stages[3]?.detail['realized_revenue'], null);
  });

  const absent = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const failures: readonly (readonly [keyof typeof refusals, readonly string[]])[] = [
    ['not_found', ['show', absent]],
    ['not_found', ['no-such-command']],
    ['not_found', ['--home', 'nowhere', 'list']],
    ['not_found', ['run', 'absent.json']],
    ['invalid', ['show', 'x']],
    ['invalid', ['show']],
    ['invalid', ['list', '--no-such-flag']],
    ['invalid', ['run', 'config.json']],
    ['malformed', ['run', 'broken.json']],
    ['too_large', ['run', 'large.json']],
    ['exists', ['init']],
    ['verification_failed', ['verify', '--against', 'plan.json']],
    ['paused', ['execute', absent]],
  ];
  it('prints a failure as one document on standard error, with the exit code of its kind', () => {
    writeFileSync(at('broken.json'), '{');
    writeFileSync(at('large.json'), ' '.repeat(drafted_file_bytes_max + 1));
    const { id } = place.json('run', 'plan.json');
    for (const [code, args] of failures) {
      const ran = place.run(...args.map((word) => (code === 'paused' && word === absent ? String(id) : word)), '--json');
      strictEqual(ran.stdout, '', args.join(' '));
      const failure = JSON.parse(ran.stderr) as Json;
      strictEqual(failure['code'], code, args.join(' '));
      strictEqual(failure['title'], refusals[code].title);
      strictEqual(ran.code, refusals[code].exit);
      strictEqual(typeof failure['detail'], 'string');
      strictEqual(Array.isArray(failure['errors']), true);
    }
  });

  it('prints the document of a failed check and exits with its code', () => {
    const wrong = place.run('verify-export', 'out.json', '--public-key', 'a'.repeat(64), '--json');
    strictEqual(wrong.code, refusals.verification_failed.exit);
    strictEqual(wrong.stderr, '');
    strictEqual((JSON.parse(wrong.stdout) as Json)['valid'], false);
    match(place.run('verify-export', 'out.json', '--public-key', 'a'.repeat(64)).stdout, /^✗ not valid\n/);
  });
});
