/** @slow */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostedCli, plan as allocationPlan } from '../support/cli/cli-run.js';
import { commandHost, type CommandHost } from '../support/cli/command-host.js';
import { freshFetch } from '../support/http/fetch.js';
import { verified } from '../support/app/given-daemon.js';
import { jsonFile, forecast, produced } from '../support/app/given-home.js';
import { givenManifest } from '../support/app/given-tools.js';
import { givenOperator, stopOperators, type GivenOperator, stopAfterEach } from './given-operator.js';
import type { Loose } from '../support/http/schema-check.js';

describe('operator API: the documents of the commands', () => {
  let operator: GivenOperator;
  let host: CommandHost;
  let id: string;
  /** What a command prints with --json, whatever its exit code. */
  const command = (...args: readonly string[]): Loose => {
    const { root, directory, witness } = operator.given;
    const env = { PATH: process.env['PATH'] ?? '', HOME: root, AGENT_HOME: directory, AGENT_WITNESS: witness };
    const { code, stdout, stderr } = hostedCli(host)([...args, '--json'], env, root);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const post = async (path: string, body?: unknown): Promise<Loose> => {
    const answer = await operator.ask('POST', path, body === undefined ? {} : { body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  before(async () => {
    host = commandHost();
    operator = await givenOperator({ daemon: { ...verified, executing_max: 2 } });
    ({ id } = await post('/api/missions', allocationPlan));
    const { revision, result_hash } = await post(`/api/missions/${id}/execute?wait=1`);
    await post(`/api/missions/${id}/review`, { revision, result_hash, approve: true, note: 'checked' });
    await post('/api/missions', { ...allocationPlan, goal: 'Another plan' });
  });
  after(stopOperators);
  after(() => host.release());

  it('are the same for list, with and without a filter', async () => {
    assert.deepEqual(await operator.get('/api/missions'), command('list'));
    assert.deepEqual(
      await operator.get('/api/missions?state=completed&limit=1'),
      command('list', '--state', 'completed', '--limit', '1'),
    );
  });

  it('are the same for list, page after page', async () => {
    const first = await operator.get('/api/missions?limit=1');
    assert.equal(first.items.length, 1);
    const second = await operator.get(`/api/missions?limit=1&cursor=${first.next_cursor}`);
    assert.deepEqual(second, command('list', '--limit', '1', '--cursor', first.next_cursor));
  });

  it('are the same for show', async () => {
    assert.deepEqual(await operator.get(`/api/missions/${id}`), command('show', id));
  });

  it('are the same for export, byte for byte', async () => {
    const file = join(operator.given.root, 'one.export.json');
    command('export', id, '--output', file);
    const response = await freshFetch(`${operator.url}/api/missions/${id}/export`, {
      headers: { Authorization: `Bearer ${operator.tokens.viewer}` },
    });
    const named = `attachment; filename="${id.slice(0, 8)}.export.json"`;
    assert.equal(response.headers.get('content-disposition'), named);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), readFileSync(file));
  });

  it('are the same for checkpoint', async () => {
    const { output, ...printed } = command('checkpoint');
    assert.equal(output, null);
    assert.deepEqual(await operator.get('/api/journal/checkpoint'), printed);
  });

  it('are the same for the proof of an entry and of growth', async () => {
    const { hash, signature, ...inclusion } = await operator.get('/api/journal/proof?sequence=2');
    const { output: _1, ...printed } = command('proof', '2');
    assert.deepEqual(inclusion, printed);
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.match(signature, /^[A-Za-z0-9+/]{86}==$/);
    const { hashes, ...growth } = await operator.get('/api/journal/proof?from=3');
    const { output: _2, ...grown } = command('proof', '--from', '3');
    assert.deepEqual(growth, grown);
    assert.deepEqual(hashes, growth.proof.split('\n\n')[0].split('\n').slice(1));
  });

  it('are the same for the proofs of a mission’s entries', async () => {
    const { items } = await operator.get(`/api/missions/${id}/events`);
    for (const { sequence, proof } of [items[0], items.at(-1)]) assert.equal(proof, command('proof', String(sequence)).proof);
  });

  it('are the same for tools', async () => {
    assert.deepEqual(await operator.get('/api/tools'), command('tool', 'list'));
    assert.deepEqual(await operator.get('/api/tools/export'), command('tool', 'show', 'export'));
    const manifest = givenManifest({ schema_version: '' });
    const { recorded, ...imported } = await post('/api/tools', manifest);
    assert.equal(recorded, true);
    assert.deepEqual({ ...imported, recorded: false }, command('tool', 'import', jsonFile(operator.given.root, manifest)));
    const changed = await post('/api/tools/mail_send/status', { status: 'quarantined', note: 'looks wrong' });
    assert.deepEqual(changed, command('tool', 'show', 'mail_send'));
  });

  it('are the same for doctor, and for the members that the status shares with it', async () => {
    const printed = command('doctor');
    assert.deepEqual(await operator.get('/api/doctor'), printed);
    const status = await operator.get('/api/status');
    const { version, identity, events, head, control, capabilities } = printed;
    const { journal } = status;
    assert.deepEqual(
      { version, identity, events, head, control, capabilities },
      {
        version: status.version,
        identity: status.identity,
        events: journal.events,
        head: journal.head,
        control: status.control,
        capabilities: status.capabilities,
      },
    );
    assert.deepEqual(
      printed.missions,
      Object.fromEntries(Object.entries<number>(status.counts).filter(([, count]) => count > 0)),
    );
    const { root, size } = command('checkpoint');
    assert.deepEqual([journal.root, journal.events], [root, size]);
    assert.equal(status.public_key, identity.slice(-64));
  });

  it('show at once a mission that a command changed, and the other way round', async () => {
    const { id: queued } = command('run', jsonFile(operator.given.root, { ...allocationPlan, goal: 'From a file' }));
    assert.equal((await operator.get('/api/status')).counts.queued, 2);
    assert.deepEqual(await post(`/api/missions/${queued}/cancel`), command('show', queued));
    assert.deepEqual(command('recover', queued), await operator.get(`/api/missions/${queued}`));
    const reviewed = command('show', id);
    assert.deepEqual(reviewed.review, {
      actor: 'operator',
      approved: true,
      at: reviewed.review.at,
      note: 'checked',
      result_hash: reviewed.result_hash,
      via: 'token',
    });
  });

  it('are the same for pause and resume', async () => {
    assert.deepEqual(await post('/api/control', { state: 'paused' }), { state: 'paused' });
    assert.deepEqual(command('pause'), { state: 'paused' });
    assert.equal((await operator.get('/api/status')).control, 'paused');
    assert.deepEqual(command('resume'), await post('/api/control', { state: 'ready' }));
    assert.equal((await operator.get('/api/status')).control, 'ready');
  });
});

describe('operator API: the lifecycle of a mission', () => {
  stopAfterEach();

  it('is in conflict with a result that fails its verification', async () => {
    let id = '';
    const { ask, get } = await givenOperator({}, async (home) => void (id = (await produced(home)).id));
    const { revision, result_hash } = await get(`/api/missions/${id}`);
    const body = { revision, result_hash, approve: true, note: 'checked' };
    const { status, body: problem } = await ask('POST', `/api/missions/${id}/review`, { body });
    assert.deepEqual([status, problem.code], [409, 'verification_failed']);
  });

  it('responds with 202 at once, and the status shows the run', async () => {
    const { ask, get, daemon } = await givenOperator();
    const created = await ask('POST', '/api/missions', { body: forecast() });
    const { id } = created.body;
    assert.equal(created.headers.get('location'), `/api/missions/${id}`);
    const started = await ask('POST', `/api/missions/${id}/execute`);
    assert.deepEqual([started.status, started.body.state], [202, 'running']);
    await daemon.executions.outcome(id);
    const { actor, counts, journal, executing_max } = await get('/api/status');
    assert.deepEqual(actor, { name: 'operator', role: 'admin' });
    assert.equal(counts.review, 1);
    assert.equal(journal.events, (await get('/api/journal')).items[0].sequence);
    assert.ok(executing_max >= 1);
  });
});
