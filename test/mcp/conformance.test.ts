/** The conformance suite and the Inspector of the protocol's authors against `serve --mcp`. Both need Node 22. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ran, runLater } from '../support/cli/cli-run.js';
import { served, type Served } from '../support/mcp/served.js';
import { foreignNode, mcpTools, real } from '../support/real.js';
import { folderForSuite } from '../support/app/temporary-home.js';

const fixture = 'calls a tool or reads a resource or prompt of the reference server';
const unoffered = 'completion, logging, subscriptions and sampling are not offered';

/** Returns the names with a prefix, which are separated by blanks. */
const named = (prefix: string, names: string): readonly string[] => names.split(' ').map((name) => `${prefix}${name}`);

const fixtures: readonly string[] = [
  ...named('tools-call-', 'simple-text image audio embedded-resource mixed-content error with-progress'),
  ...named('resources-', 'read-text read-binary templates-read'),
  ...named('prompts-get-', 'simple with-args embedded-resource with-image'),
];

interface Scenarios {
  readonly passed: readonly string[];
  /** By the reason. */
  readonly left: Readonly<Record<string, readonly string[]>>;
}

/** The required scenarios of each revision: those that must pass, and those that need what this server does not offer. */
const scenarios: Readonly<Record<'2025-11-25' | '2026-07-28', Scenarios>> = {
  '2025-11-25': {
    passed: named('', 'server-initialize ping tools-list resources-list prompts-list dns-rebinding-protection'),
    left: {
      [fixture]: [
        ...fixtures,
        ...named('tools-call-', 'with-logging sampling elicitation'),
        ...named('elicitation-', 'sep1034-defaults sep1330-enums'),
      ],
      [unoffered]: named('', 'logging-set-level completion-complete resources-subscribe resources-unsubscribe'),
      'needs a session, which no request has here': ['server-sse-multiple-streams'],
    },
  },
  '2026-07-28': {
    passed: [
      ...named('', 'tools-list resources-list prompts-list server-sse-multiple-streams sep-2164-resource-not-found'),
      ...named('', 'dns-rebinding-protection caching'),
      ...named('input-required-result-', 'unsupported-methods validate-input'),
    ],
    left: {
      [fixture]: [
        ...fixtures,
        ...named('input-required-result-', 'basic-elicitation basic-sampling basic-list-roots request-state result-type'),
        ...named('input-required-result-', 'multiple-input-requests multi-round missing-input-response non-tool-request'),
        ...named('input-required-result-', 'tampered-state capability-check ignore-extra-params'),
        // All of its checks but four; see below.
        'server-stateless',
      ],
      [unoffered]: ['completion-complete'],
    },
  },
};

/** The checks of server-stateless that call tools of the reference server. */
const statelessLeft = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];

type Revision = keyof typeof scenarios;

interface Check {
  readonly id: string;
  readonly status: string;
}

real(['node-22', 'mcp-tools'], "the tools of the protocol's authors", () => {
  const modules = join(mcpTools(), 'node_modules');
  const [node = ''] = foreignNode('node-22');
  let server: Served;
  const folder = folderForSuite();
  before(async () => {
    server = await served();
  });
  after(() => server.stop());

  const run = (...args: readonly string[]): Promise<Ran> =>
    runLater(node, args, { PATH: process.env['PATH'] ?? '', HOME: folder }, folder);

  /** Runs all scenarios that a revision requires, and returns how it ended and the checks of each. */
  async function conformance(url: string, revision: Revision): Promise<{ code: number | null; checks: Map<string, Check[]> }> {
    const baseline = join(folder, 'left-out.yaml');
    const results = mkdtempSync(join(folder, 'results-'));
    const left = Object.values(scenarios[revision].left).flat();
    writeFileSync(baseline, `server:\n${left.map((name) => `  - ${name}\n`).join('')}`);
    const suite = join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
    const options = ['--url', url, '--requirements', revision, '--expected-failures', baseline, '-o', results];
    const { code } = await run(suite, 'server', ...options);
    const checks = new Map(
      readdirSync(results).map((name) => [
        name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, ''),
        JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as Check[],
      ]),
    );
    return { code, checks };
  }

  const failedOf = (checks: readonly Check[] = []): string[] =>
    checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ id }) => id);

  for (const revision of ['2025-11-25', '2026-07-28'] as const)
    it(`passes every required scenario of ${revision} that needs nothing which is not offered`, async () => {
      const { passed, left } = scenarios[revision];
      const file = join(modules, '@modelcontextprotocol', 'conformance', 'requirements', `${revision}.yaml`);
      const text = readFileSync(file, 'utf8');
      const required = [...(/^server:\n((?: {2}- .*\n)+)/m.exec(text)?.[1] ?? '').matchAll(/- (.*)/g)].map(([, name]) => name);
      assert.deepEqual(new Set([...passed, ...Object.values(left).flat()]), new Set(required));
      const { code, checks } = await conformance(server.open, revision);
      for (const name of passed) {
        assert.deepEqual(failedOf(checks.get(name)), [], name);
        assert.ok(
          checks.get(name)?.some(({ id, status }) => status === 'SUCCESS' && id !== 'wire-schema-valid'),
          name,
        );
      }
      if (revision === '2026-07-28') assert.deepEqual(failedOf(checks.get('server-stateless')).toSorted(), statelessLeft);
      assert.equal(code, 0);
    });

  it('notices a server that is not there, of which the suite says that checks passed', async () => {
    const { code, checks } = await conformance('http://127.0.0.1:9/mcp', '2025-11-25');
    assert.equal(code, 1);
    for (const name of scenarios['2025-11-25'].passed) assert.notDeepEqual(failedOf(checks.get(name)), [], name);
  });

  it('lets the Inspector list, call and read', async () => {
    const inspector = join(modules, '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js');
    const inspect = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
      const header = `Authorization: Bearer ${server.token}`;
      const options = ['--cli', server.url, '--transport', 'http', '--header', header, ...args];
      const { code, stdout, stderr } = await run(inspector, ...options);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const [listed, called, read] = await Promise.all([
      inspect('--method', 'tools/list'),
      inspect('--method', 'tools/call', '--tool-name', 'mission_list'),
      inspect('--method', 'resources/read', '--uri', 'agent-cli://kinds/forecast'),
    ]);
    const names = (listed['tools'] as readonly { readonly name: string }[]).map(({ name }) => name);
    assert.deepEqual(names, ['mission_draft', 'mission_submit', 'mission_list', 'mission_get', 'mission_result', 'proof_get']);
    assert.deepEqual(called['structuredContent'], { items: [], next_cursor: null });
    assert.match(JSON.stringify(read), /observations/);
  });
});
