/** `--json`: one document on standard output for every command, with the members that the specification names. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusals } from '../../src/base/refusal.js';
import { plan, program, root, scratch, type Scratch } from '../support/cli-run.js';

const record =
  'id kind goal state revision request request_hash result result_hash verification inference stages attempt lease_expires_at error review invoice receipt created_at updated_at'.split(
    ' ',
  );

/** Command to the members of its document. */
const members: Readonly<Record<string, readonly string[]>> = {
  init: ['identity', 'public_key', 'home', 'token_file', 'events', 'head'],
  doctor: ['version', 'identity', 'events', 'head', 'control', 'capabilities', 'checks'],
  examples: ['output', 'files'],
  run: record,
  list: ['items', 'next_cursor'],
  show: record,
  execute: record,
  review: record,
  cancel: record,
  recover: record,
  erase: record,
  export: ['output', 'sha256', 'events', 'head'],
  'verify-export': ['valid', 'identity', 'mission', 'hash', 'proof', 'recomputed'],
  verify: ['valid', 'events', 'head', 'root', 'checkpoint', 'signatures_checked', 'elapsed_ms'],
  checkpoint: ['origin', 'size', 'root', 'note', 'vkey'],
  'config:show': ['name', 'llm_url', 'max_evaluations', 'allow_code_execution', 'chain'],
  pause: ['state'],
  configure: ['changed', 'config_hash', 'state'],
  resume: ['state'],
  rebuild: ['events', 'head'],
  'recover-home': ['state', 'from_size', 'to_size', 'origin'],
  serve: ['entries_seen'],
  completion: ['shell', 'script'],
};

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

describe('--json', function () {
  this.timeout(120_000);
  let place: Scratch;
  const documents = new Map<string, Json>();
  const at = (name: string): string => join(place.directory, name);
  const keep = (...args: readonly string[]): Json => {
    const document = place.json(...args);
    const [first = '', second = ''] = args;
    documents.set(first === 'config' ? `${first}:${second}` : first, document);
    return document;
  };

  before(async () => {
    place = scratch();
    writeFileSync(at('plan.json'), JSON.stringify(plan));
    writeFileSync(at('config.json'), '{"name":"night-shift"}');
    const { public_key } = keep('init');
    keep('doctor');
    keep('examples', '--output', 'missions');
    const { id, result_hash } = place.json('run', 'plan.json', '--execute');
    const binding = ['--revision', '11', '--result-hash', String(result_hash)];
    keep('review', String(id), ...binding, '--approve', '--note', 'fits');
    keep('export', String(id), '--output', 'out.json');
    keep('verify-export', 'out.json', '--public-key', String(public_key), '--recompute');
    const research = keep('run', 'missions/research.json');
    keep('cancel', String(research['id']));
    keep('recover', String(research['id']));
    keep('execute', String(research['id']));
    keep('show', String(research['id']));
    const { revision, result_hash: hash } = documents.get('show') ?? {};
    const reject = ['--revision', String(revision), '--result-hash', String(hash), '--reject', '--note', 'no'];
    place.json('review', String(research['id']), ...reject);
    keep('erase', String(research['id']), '--reason', 'test');
    keep('list');
    keep('checkpoint');
    keep('config', 'show');
    keep('pause');
    keep('configure', 'config.json');
    keep('rebuild');
    cpSync(at('home'), at('copy'), { recursive: true });
    keep('resume');
    documents.set('serve', await served());
    rmSync(at('home'), { recursive: true });
    cpSync(at('copy'), at('home'), { recursive: true });
    keep('recover-home', '--accept-rollback', '--reason', 'test');
    keep('verify', '--deep');
    keep('completion', 'bash');
  });
  after(() => place.remove());

  async function served(): Promise<Json> {
    const daemon = spawn(process.execPath, [program, 'serve', '--json'], { cwd: place.directory, env: { ...place.env } });
    let text = '';
    daemon.stdout.on('data', (part: Buffer) => (text += part.toString()));
    await once(daemon.stderr, 'data');
    daemon.kill('SIGTERM');
    const [code] = (await once(daemon, 'close')) as [number];
    strictEqual(code, 0);
    return JSON.parse(text) as Json;
  }

  it('is answered by every command', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as { commands: Json };
    deepStrictEqual(Object.keys(manifest.commands).toSorted(), Object.keys(members).toSorted());
  });

  for (const [command, expected] of Object.entries(members)) {
    it(`${command.replace(':', ' ')}: ${expected.slice(0, 5).join(', ')}${expected.length > 5 ? ', …' : ''}`, () => {
      const document = documents.get(command);
      strictEqual(isObject(document), true, 'the document is no object');
      const missing = expected.filter((name) => !Object.hasOwn(document ?? {}, name));
      deepStrictEqual(missing, []);
    });
  }

  it('lists of documents have their members too', () => {
    const [item] = (documents.get('list')?.['items'] ?? []) as Json[];
    deepStrictEqual(Object.keys(item ?? {}).toSorted(), ['goal', 'id', 'kind', 'revision', 'state', 'updated_at']);
    const checks = (documents.get('doctor')?.['checks'] ?? []) as Json[];
    strictEqual(checks.length, 8);
    for (const check of checks) deepStrictEqual(Object.keys(check).toSorted(), ['detail', 'fix', 'name', 'status']);
    deepStrictEqual(Object.keys((documents.get('verify-export')?.['proof'] ?? {}) as Json), ['size', 'root']);
    strictEqual(documents.get('verify-export')?.['recomputed'], true);
    strictEqual(documents.get('verify')?.['valid'], true);
  });

  it('the stages stand in order, and revenue stays empty until a settlement', () => {
    const stages = (documents.get('execute')?.['stages'] ?? []) as { role: string; detail: Json }[];
    const roles = ['planning', 'research', 'strategy', 'market', 'codegen', 'safety', 'memory'];
    deepStrictEqual(
      stages.map(({ role }) => role),
      roles,
    );
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
  it('failures are one document on standard error, with the exit code of their kind', () => {
    writeFileSync(at('broken.json'), '{');
    writeFileSync(at('large.json'), ' '.repeat(524_289));
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

  it('a check that answers no prints its document and exits with its code', () => {
    const wrong = place.run('verify-export', 'out.json', '--public-key', 'a'.repeat(64), '--json');
    strictEqual(wrong.code, refusals.verification_failed.exit);
    strictEqual(wrong.stderr, '');
    strictEqual((JSON.parse(wrong.stdout) as Json)['valid'], false);
    match(place.run('verify-export', 'out.json', '--public-key', 'a'.repeat(64)).stdout, /^✗ not valid\n/);
  });
});
