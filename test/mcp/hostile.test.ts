/** Messages that nobody should send, over both transports, and faults while standard output belongs to the protocol. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { givenOperator, stopOperators, type GivenOperator } from '../http/given-operator.js';
import { type Scratch, scratch } from '../support/cli/cli-run.js';
import { type Reply, StdioClient } from '../support/mcp/stdio-client.js';

const call = (params: string): string => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`;
const list = (args: string): string => call(`{"name":"mission_list","arguments":${args}}`);
const ping = (members: string): string => `{"jsonrpc":"2.0",${members}}`;

/** What is sent, and the code of the error; `refused` for an answer of the tool. */
const cases: Readonly<Record<string, readonly [text: string | Uint8Array, code: number | 'refused']>> = {
  'no JSON': ['hello', -32_700],
  'bytes that are no UTF-8': [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), -32_700],
  'an integer beyond 2^53': [list('{"limit":9007199254740993}'), -32_700],
  'an unpaired surrogate': [list('{"text":"\\ud800"}'), -32_700],
  'a member twice': [ping('"id":1,"id":2,"method":"ping"'), -32_700],
  'an argument twice, once escaped': [list('{"limit":1,"l\\u0069mit":2}'), -32_700],
  '50,001 values': [list(`{"text":[${'0,'.repeat(50_001)}0]}`), -32_700],
  'an array of requests': [`[${ping('"id":1,"method":"ping"')}]`, -32_600],
  null: ['null', -32_600],
  'no version': ['{"id":1,"method":"ping"}', -32_600],
  'null as id': [ping('"id":null,"method":"ping"'), -32_600],
  'a fraction as id': [ping('"id":1.5,"method":"ping"'), -32_600],
  'no method': [ping('"id":1'), -32_600],
  'an array as params': [ping('"id":1,"method":"ping","params":[]'), -32_600],
  'a method of every object': [ping('"id":1,"method":"constructor"'), -32_601],
  'a tool of every object': [call('{"name":"__proto__"}'), -32_602],
  'a number as tool': [call('{"name":1}'), -32_602],
  'a number as uri': [ping('"id":1,"method":"resources/read","params":{"uri":1}'), -32_602],
  '__proto__ as an argument': [list('{"__proto__":{"limit":1}}'), 'refused'],
  'an array as arguments': [list('[]'), 'refused'],
  'a file of the machine': [call('{"name":"mission_draft","arguments":{"kind":"research","path":"/etc/passwd"}}'), 'refused'],
  'the token of the home': [call('{"name":"mission_draft","arguments":{"kind":"research","path":"home/api.token"}}'), 'refused'],
};

const codeOf = ({ error, result }: Reply): unknown => error?.code ?? (result?.['isError'] === true ? 'refused' : result);

describe('hostile messages of assistants', () => {
  describe('over HTTP', () => {
    let operator: GivenOperator;
    before(async () => {
      operator = await givenOperator({ mcp: true });
    });
    after(stopOperators);
    const send = (body: string | Uint8Array, headers: object = {}): Promise<Response> =>
      fetch(`${operator.url}/mcp`, {
        method: 'POST',
        body: Buffer.from(body),
        headers: { Authorization: `Bearer ${operator.tokens.reviewer}`, 'Content-Type': 'application/json', ...headers },
      });

    it('are refused with the code of the protocol, and change nothing', async () => {
      const before = operator.home.writer.head.size;
      for (const [name, [text, code]] of Object.entries(cases)) {
        const response = await send(text);
        assert.equal(codeOf((await response.json()) as Reply), code, name);
        assert.equal(response.status, code === -32_700 || code === -32_600 ? 400 : 200, name);
      }
      assert.equal(operator.home.writer.head.size, before);
      assert.ok(!operator.log.some((line) => line.includes('"fault"')));
    });

    it('come from no other page, host or holder, are JSON by their type, and have no other method', async () => {
      const body = ping('"id":1,"method":"ping"');
      assert.equal((await send(body)).status, 200);
      assert.equal((await send(body, { Origin: 'https://evil.example' })).status, 403);
      assert.equal((await send(body, { Authorization: 'Bearer x' })).status, 401);
      assert.equal((await send(body, { Authorization: `Bearer ${operator.tokens.viewer}` })).status, 403);
      assert.equal((await send(body, { 'Content-Type': 'text/plain' })).status, 415);
      assert.equal((await send(`"${'x'.repeat(524_288)}"`)).status, 413);
      assert.equal((await operator.ask('GET', '/mcp', { as: 'reviewer' })).status, 405);
      assert.equal((await send(ping('"method":"notifications/initialized"'))).status, 202);
    });
  });

  describe('over standard input and output', () => {
    let place: Scratch;
    let client: StdioClient;
    before(() => {
      place = scratch({ DEBUG: '*', NODE_DEBUG: 'fs,net,stream' });
      assert.equal(place.run('init').code, 0);
      client = new StdioClient(place, ['--allow-dir', '.']);
    });
    after(async () => {
      await client.end();
      place.remove();
    });

    it('are refused with the code of the protocol, each by one line', async () => {
      for (const [name, [text, code]] of Object.entries(cases)) {
        const count = client.lines.length;
        client.write(text);
        await client.has(count + 1);
        assert.equal(codeOf(JSON.parse(client.lines[count] ?? '') as Reply), code, name);
      }
      assert.equal(codeOf(await client.request('tools/call', { name: 'x'.repeat(600_000) })), -32_600, 'too long');
      client.write('x'.repeat(9_000_000));
      client.write('');
      assert.deepEqual((await client.request('ping')).result, {});
      assert.equal(client.lines.length, Object.keys(cases).length + 3);
    });

    it('leave nothing else on standard output, whatever is logged and when every tool fails', async () => {
      const journal = join(place.directory, 'home', 'journal.sqlite3');
      renameSync(journal, `${journal}.gone`);
      const listed = await client.request('tools/list');
      const tools = listed.result?.['tools'] as readonly { readonly name: string }[];
      const id = '00000000-0000-4000-8000-000000000001';
      const given: Readonly<Record<string, object>> = {
        mission_list: {},
        mission_draft: { kind: 'forecast', texts: [{ name: 'a', text: 'a' }] },
        mission_submit: { goal: 'a forecast', work: { kind: 'forecast', observations: Array.from({ length: 12 }, (_, i) => i) } },
      };
      for (const { name } of tools) {
        const reply = await client.request('tools/call', { name, arguments: given[name] ?? { id } });
        assert.ok(reply.error !== undefined || reply.result?.['isError'] === true, name);
      }
      renameSync(`${journal}.gone`, journal);
      assert.equal((await client.call('mission_list')).isError, undefined);
      assert.match(client.errors, /FS|NET|STREAM|oclif/);
      for (const line of client.lines) assert.equal((JSON.parse(line) as Reply).jsonrpc, '2.0');
    });
  });
});
