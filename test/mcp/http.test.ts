/** POST /mcp with tokens of the role `agent`: what an assistant sees of a mission in review, how it waits, and that it may execute only where a person said so. */
import assert from 'node:assert/strict';
import { endOfPart } from '../../src/mcp/result-tools.js';
import { setToolStatus } from '../../src/app/tools/tools.js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import { givenOperator, stopOperators, type GivenOperator } from '../http/given-operator.js';
import { until } from '../support/app/given-daemon.js';
import { forecast } from '../support/app/given-home.js';
import type { Reply, ToolResult } from '../support/mcp/stdio-client.js';

const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`;
const metaOf = (capabilities: object): object => ({
  [metaKey('protocolVersion')]: '2026-07-28',
  [metaKey('clientCapabilities')]: capabilities,
});

const structured = (reply: Reply | undefined): ToolResult['structuredContent'] => {
  assert.ok(reply?.result !== undefined);
  return (reply.result as unknown as ToolResult).structuredContent;
};

const fields = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

describe('assistants over HTTP', () => {
  let operator: GivenOperator;
  let reader: string;
  let doer: string;
  before(async () => {
    operator = await givenOperator({ mcp: true }, async (home) => {
      reader = (await createToken(home, 'reader', 'agent', 'operator')).token;
      doer = (await createToken(home, 'doer', 'agent', 'operator', undefined, { mayExecute: true })).token;
    });
  });
  after(stopOperators);

  const post = (token: string, method: string, params: object, headers = {}, signal: AbortSignal | null = null) =>
    fetch(`${operator.url}/mcp`, {
      method: 'POST',
      signal,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      headers: { Authorization: `Bearer ${token}`, ...fields, ...headers },
    });
  const request = async (token: string, method: string, params: object): Promise<Reply> =>
    (await (await post(token, method, params)).json()) as Reply;
  const call = async (token: string, name: string, args: object): Promise<ToolResult> =>
    (await request(token, 'tools/call', { name, arguments: args })).result as unknown as ToolResult;
  const modern = async (id: string, _meta: object, more: object = {}): Promise<Reply> => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'mission_result' };
    const params = { name: 'mission_result', arguments: { id, wait_seconds: 1 }, _meta, ...more };
    return (await (await post(doer, 'tools/call', params, headers)).json()) as Reply;
  };

  /** Queues a mission as an assistant, and executes it as a person. */
  async function inReview(horizon = 1): Promise<string> {
    const mission = forecast('sales of the spring', 12, { horizon });
    const { structuredContent } = await call(reader, 'mission_submit', mission);
    const id = String(structuredContent['id']);
    assert.equal((await operator.ask('POST', `/api/missions/${id}/execute?wait=1`)).status, 200);
    return id;
  }

  it('see nothing of a result in review but that it is hidden, by any tool and resource', async () => {
    const id = await inReview();
    const { result, result_hash } = await operator.get(`/api/missions/${id}`);
    const value = String((result as { readonly forecast: readonly { readonly value: number }[] }).forecast[0]?.value);
    assert.ok(value.length > 1, value);
    const called = (name: string) => request(reader, 'tools/call', { name, arguments: { id } });
    const read = (name: string) => request(reader, 'resources/read', { uri: `agent-cli://missions/${id}/${name}` });
    const tools = ['mission_get', 'mission_result', 'proof_get'];
    const seen = await Promise.all([...tools.map(called), ...['export', 'report.html', 'report.md', 'report.csv'].map(read)]);
    const texts = JSON.stringify(seen);
    assert.ok(!texts.includes(value) && !texts.includes(String(result_hash)), texts);
    const got = structured(seen[0]);
    assert.deepEqual([got['state'], got['result_hidden']], ['review', true]);
    assert.match(String(got['next']), new RegExp(`agent-cli review ${id} \\(or http://.*#/missions/${id}\\)$`));
    for (const { error } of seen.slice(3)) assert.match(error?.message ?? '', /no approved result/);
    assert.ok(!JSON.stringify(await request(reader, 'resources/list', {})).includes(id));
  });

  it('wait with progress, as events, and are told where the person decides', async () => {
    const id = await inReview();
    const params = { name: 'mission_result', arguments: { id, wait_seconds: 1 }, _meta: { progressToken: 'p' } };
    const response = await post(doer, 'tools/call', params);
    assert.match(response.headers.get('Content-Type') ?? '', /^text\/event-stream/);
    const data = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, text = '']) => JSON.parse(text) as Reply);
    const left = structured(data.pop());
    const tokens = data.map(({ method, params }) => [method, params?.['progressToken']].join());
    assert.deepEqual([...new Set(tokens)], ['notifications/progress,p']);
    assert.equal(left['approved'], false);
    assert.match(String(left['page']), new RegExp(`#/missions/${id}$`));
    const long = await post(doer, 'tools/call', { ...params, _meta: { progressToken: 'p'.repeat(257) } });
    assert.match(long.headers.get('Content-Type') ?? '', /^application\/json/);
  });

  it('have the person open the page, once, where the client can show an address', async () => {
    const id = await inReview();
    const able = metaOf({ elicitation: { url: {} } });
    const asked = await modern(id, able);
    assert.equal(asked.result?.['resultType'], 'input_required');
    const asks = JSON.stringify(asked.result?.['inputRequests']);
    assert.match(asks, new RegExp(`"mode":"url","url":"http://[^"]*#/missions/${id}"`));
    const again = await modern(id, able, { inputResponses: { review: { action: 'accept' } } });
    assert.equal(structured(again)['approved'], false);
    assert.equal((await modern(id, metaOf({}))).result?.['resultType'], 'complete');
  });

  it('have a mission executed only where a person allowed it, and are marked in what they submit', async () => {
    const refused = await call(reader, 'mission_submit', { ...forecast('more sales'), execute: true });
    assert.equal(refused.isError, true);
    assert.match(refused.content[0]?.text ?? '', /you may not execute missions/);
    const { structuredContent } = await call(doer, 'mission_submit', { ...forecast('more sales'), execute: true });
    const id = String(structuredContent['id']);
    const { assistant, state } = await operator.get(`/api/missions/${id}`);
    assert.deepEqual([assistant, state === 'queued'], ['doer', false]);
    await until(async () => (await operator.get(`/api/missions/${id}`))['state'] === 'review');
  });

  it('learn why a mission that they submit is not executed, and how to ask again', async () => {
    const change = { note: 'looked wrong', actor: 'operator' };
    await setToolStatus(operator.home, 'mission_forecast', { to: 'disabled', ...change });
    const submit = (goal: string, more = {}) => call(doer, 'mission_submit', { ...forecast(goal), execute: true, ...more });
    const { content, structuredContent: first } = await submit('sales of a stopped tool');
    assert.match(content[0]?.text ?? '', /next: it cannot start now: tool mission_forecast is disabled \(looked wrong\)\. A/);
    const second = await submit('sales behind it');
    const request_id = second.structuredContent['id'];
    const [refused, stopped] = second.structuredContent['warnings'] as string[];
    assert.match(refused ?? '', new RegExp(`^not executed: mission .*; to ask again, .* request_id ${String(request_id)}$`));
    assert.ok(second.content[0]?.text?.endsWith(`warning: ${stopped}`));
    let full = second;
    while (full.isError === undefined) full = await submit('sales that wait');
    assert.match(full.content[0]?.text ?? '', /the most; a person must execute or cancel some\ntry again in 60 s$/);
    for (const state of ['paused', 'ready']) {
      await operator.ask('POST', '/api/control', { body: { state } });
      const { structuredContent } = await call(doer, 'mission_get', { id: first['id'] });
      assert.equal(String(structuredContent['next']).endsWith('resumes the agent: agent-cli resume'), state === 'paused');
    }
    await setToolStatus(operator.home, 'mission_forecast', { to: 'active', ...change });
    await until(async () => (await operator.get(`/api/missions/${String(first['id'])}`))['state'] === 'review');
    const again = await submit('sales behind it', { request_id });
    assert.deepEqual([again.structuredContent['id'], again.structuredContent['warnings']], [request_id, []]);
  });

  it('read a long report in parts, and the export in place of the result', async () => {
    const id = await inReview(1_000);
    const { revision, result_hash } = await operator.get(`/api/missions/${id}`);
    const body = { approve: true, note: 'Checked.', revision, result_hash };
    assert.equal((await operator.ask('POST', `/api/missions/${id}/review`, { body })).status, 200);
    let report = '';
    for (let from: unknown = 0, part: ToolResult; from !== undefined; from = part.structuredContent['next_from']) {
      part = await call(reader, 'mission_result', { id, from });
      assert.ok(JSON.stringify(part).length < 70_000);
      assert.match(String(part.structuredContent['result_omitted']), /^its JSON has \d{5} characters; the export holds it$/);
      report += String(part.structuredContent['report']);
    }
    const { result } = await request(reader, 'resources/read', { uri: `agent-cli://missions/${id}/report.md` });
    assert.equal(report, (result as unknown as { contents: { text: string }[] }).contents[0]?.text.trim());
    const beyond = await call(reader, 'mission_result', { id, from: report.length + 1 });
    assert.match(beyond.content[0]?.text ?? '', /from: the report has \d+ characters/);
    assert.deepEqual(
      [0, 1].map((from) => endOfPart(`x${'😀'.repeat(40_000)}`, from)),
      [29_999, 30_001],
    );
  });

  it('wait in at most 32 calls of a token, as over standard input, and no longer than their client is there', async () => {
    const params = { name: 'mission_result', arguments: { id: await inReview(), wait_seconds: 45 } };
    const client = new AbortController();
    const calls = Array.from({ length: 33 }, () => post(reader, 'tools/call', params, {}, client.signal));
    const { error } = (await (await Promise.race(calls)).json()) as Reply;
    assert.equal(error?.message, '32 requests are being answered; wait for one');
    assert.equal((await request(doer, 'ping', {})).error, undefined);
    client.abort();
    await Promise.allSettled(calls);
    await until(async () => (await request(reader, 'ping', {})).error === undefined, 'the end of the calls');
  });

  it('read nothing more in a call that waits when their token is revoked', async () => {
    const args = { name: 'mission_result', arguments: { id: await inReview(), wait_seconds: 3 } };
    const response = await post(reader, 'tools/call', { ...args, _meta: { progressToken: 1 } });
    await revokeToken(operator.home, 'reader', 'operator');
    assert.match(await response.text(), /"error":"unauthorized"/);
  });
});
