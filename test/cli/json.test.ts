/** `--json`: one document on standard output for every command, with the members that the specification names. @slow */
import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusals } from '../../src/base/refusal.js';
import { root, hostedScratch, type Scratch } from '../support/cli-run.js';
import { paymentMembers } from '../support/payment-members.js';
import { documentsOf, members, type Documents, type Json } from '../support/json-documents.js';

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
    // Those of the simulation have their documents in simulation.test.ts, of the message bus and of workers in test/bus and test/app/simulation.
    const elsewhere = [
      'bus:send',
      'bus:tail',
      'worker',
      'agents-status',
      'replay',
      'runs',
      'show-results',
      'simulate',
      'verify-run',
    ];
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
    strictEqual(documents.get('verify-export')?.['recomputed'], true);
    strictEqual(documents.get('verify')?.['valid'], true);
  });

  it('has the stages in order, and no revenue before a settlement', () => {
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
  it('prints a failure as one document on standard error, with the exit code of its kind', () => {
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

  it('prints the document of a failed check and exits with its code', () => {
    const wrong = place.run('verify-export', 'out.json', '--public-key', 'a'.repeat(64), '--json');
    strictEqual(wrong.code, refusals.verification_failed.exit);
    strictEqual(wrong.stderr, '');
    strictEqual((JSON.parse(wrong.stdout) as Json)['valid'], false);
    match(place.run('verify-export', 'out.json', '--public-key', 'a'.repeat(64)).stdout, /^✗ not valid\n/);
  });
});
