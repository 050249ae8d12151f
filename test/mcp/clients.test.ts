/** Other clients go from a CSV to an approved forecast: the SDK's over both transports, and one in Python without a library of the protocol. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { until } from '../support/app/given-daemon.js';
import { program, root } from '../support/cli/cli-run.js';
import { salesCsv, served, type Served } from '../support/mcp/served.js';
import { requirePart } from '../support/real.js';

type Document = Readonly<Record<string, unknown>>;

describe('clients of assistants', () => {
  let server: Served;
  let csv: string;
  before(async () => {
    server = await served();
    mkdirSync(join(server.place.directory, 'data'));
    csv = join(server.place.directory, 'data', 'sales.csv');
    writeFileSync(csv, salesCsv);
  });
  after(() => server.stop());

  async function toApproved(client: Client, source: object): Promise<void> {
    const call = async (name: string, args: object): Promise<Document> => {
      const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...args } });
      assert.notEqual(isError, true, JSON.stringify(content));
      return structuredContent as Document;
    };
    const options = { goal: 'Forecast the sales of the next half year', set: { horizon: 6 } };
    const { draft } = await call('mission_draft', { kind: 'forecast', ...source, options });
    const queued = await call('mission_submit', { draft });
    const id = String(queued['id']);
    assert.equal((await call('mission_result', { id }))['approved'], false);
    server.approve(id);
    const result = await call('mission_result', { id, wait_seconds: 10 });
    assert.equal(result['approved'], true);
    assert.equal((result['result'] as { readonly forecast: readonly unknown[] }).forecast.length, 6);
    await verified(client, id, result);
  }

  /** Checks the export and the proof offline, as the answer says. */
  async function verified(client: Client, id: string, result: Document): Promise<void> {
    const read = await client.readResource({ uri: `agent-cli://missions/${id}/export` });
    const [content] = read.contents;
    assert.ok(content !== undefined && 'text' in content && typeof content.text === 'string');
    const file = join(server.place.directory, `${id}.json`);
    writeFileSync(file, content.text);
    const key = /--public-key ([0-9a-f]{64})/.exec(String(result['verify']))?.[1] ?? '';
    assert.equal(server.place.json('verify-export', file, '--public-key', key)['valid'], true);
    const { structuredContent } = await client.callTool({ name: 'proof_get', arguments: { id } });
    const { proof, hash, signature } = structuredContent as Document;
    const proofFile = join(server.place.directory, `${id}.proof`);
    writeFileSync(proofFile, String(proof));
    const entry = `${String(hash)}:${String(signature)}`;
    assert.equal(server.place.json('verify-proof', proofFile, '--public-key', key, '--entry', entry)['valid'], true);
  }

  const connected = async (transport: Parameters<Client['connect']>[0], options: ClientOptions = {}): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(transport);
    return client;
  };

  it("go there with the SDK's client over HTTP, in both revisions", async () => {
    const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
    for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
      const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit });
      const client = await connected(transport, { versionNegotiation: { mode } });
      assert.equal((await client.listPrompts()).prompts.length, 5);
      if (mode === 'legacy') assert.equal((await client.listResources()).resources.length, 5);
      else await toApproved(client, { texts: [{ name: 'sales.csv', text: salesCsv }] });
      await client.close();
    }
  });

  it("go there with the tutorial's script over standard input and output, from a file that the person allowed", async () => {
    const { directory, env } = server.place;
    const page = readFileSync(join(root, 'docs', 'assistants.md'), 'utf8');
    // Beside the packages of the tests, which it imports.
    const script = join(root, 'dist', 'test', `assistant-${process.pid}.mjs`);
    const bin = join(directory, 'agent-cli');
    writeFileSync(script, /^```js\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '');
    writeFileSync(bin, `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, { mode: 0o755 });
    try {
      const searched = { ...env, PATH: `${directory}:${env['PATH'] ?? ''}` };
      const child = spawn(process.execPath, [script], { cwd: directory, env: searched });
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => (printed += part));
      await until(() => printed.includes('queued: mission'));
      const id = /queued: mission ([0-9a-f-]{36})/.exec(printed)?.[1] ?? '';
      server.approve(id);
      if (child.exitCode === null) await once(child, 'exit');
      assert.equal(child.exitCode, 0, printed);
      assert.match(
        printed,
        /approved by operator \(recorded by the home for operator, [^)]*\): Checked\.[^]*### Forecast[\s\S]*agent-cli verify-export/,
      );
      assert.deepEqual(causeOf(id), { actor: 'script', via: 'mcp' });
    } finally {
      rmSync(script);
    }
  });

  /** Returns who submitted a mission, and through which channel, as the signed journal says. */
  function causeOf(id: string): unknown {
    const journal = join(server.place.directory, 'journal.jsonl');
    server.place.json('journal', 'export', '--from', '2020-01-01', '--to', '2100-01-01', '--output', journal);
    const lines = readFileSync(journal, 'utf8').trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Document);
    const { actor, via } = entries.find(({ stream, type }) => stream === id && type === 'mission.submitted') ?? {};
    return { actor, via };
  }

  it('go there with a client in Python', async function () {
    requirePart(this, 'python');
    const script = join(root, 'test', 'vectors', 'mcp', 'raw_client.py');
    const child = spawn('python3', [script, server.url, server.token, csv], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value: id } = (await lines.next()) as { readonly value: string };
    server.approve(id);
    child.stdin.write('\n');
    const { value } = (await lines.next()) as { readonly value: string };
    const { approved, forecast, export: schema } = JSON.parse(value) as Document;
    assert.deepEqual([approved, (forecast as readonly unknown[]).length, schema], [true, 6, 1]);
    if (child.exitCode === null) await once(child, 'exit');
    assert.equal(child.exitCode, 0);
  });
});
