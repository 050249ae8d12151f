/** Links for passkeys, the page behind a proxy, and what needs a person, over HTTP. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addApproverKey, ApproverLinks, removeApprover } from '../../src/app/approvals/approvers.js';
import { configure, pause, resume } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import { forecast, rejectsRefusal } from '../support/app/given-home.js';
import { assertionOf, passkey, registrationOf } from '../support/base/passkeys.js';
import { fetched, request } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';
import type { Loose } from '../support/http/schema-check.js';
import { type GivenOperator, givenOperator, stopAfterEach } from './given-operator.js';

async function configured(home: Home, config: object): Promise<void> {
  const file = join(home.paths.directory, '..', 'given.json');
  writeFileSync(file, JSON.stringify(config));
  await pause(home, 'operator');
  await configure(home, file, 'operator');
  await resume(home, 'operator');
}

const codeOf = ({ link }: Loose): string => link.split('=').at(-1);
const post = ({ ask }: GivenOperator, path: string, body: unknown, headers = {}): Promise<Loose> =>
  ask('POST', path, { as: 'none', body, headers });

async function register(operator: GivenOperator, code: string, origin: string, own = passkey()): Promise<Loose> {
  const { body } = await post(operator, '/api/approver-links/open', { code });
  const rpId = new URL(origin).hostname;
  return post(operator, '/api/approver-links/register', { code, ...registrationOf(own, body.challenge, { origin, rpId }) });
}

describe('operator API: links for passkeys', () => {
  stopAfterEach();
  const linkFor = async ({ ask }: GivenOperator, name: string, title?: string): Promise<Loose> =>
    (await ask('POST', '/api/approver-links', { body: { name, ...(title === undefined ? {} : { title }) } })).body;

  it('lead to localhost, and record the key for who made the link', async () => {
    const operator = await givenOperator();
    const local = `http://localhost:${operator.port}`;
    const made = await linkFor(operator, 'carol', 'Analyst');
    assert.ok(made.link.startsWith(`${local}/#register=`));
    const { status, body } = await register(operator, codeOf(made), local);
    assert.deepEqual([status, body.name, body.title, body.keys.length], [200, 'carol', 'Analyst', 1]);
    const { items } = await operator.get('/api/journal?limit=1');
    assert.deepEqual([items[0].type, items[0].actor, items[0].via], ['approver.key_added', 'operator', 'token']);
    for (const name of ['operator', 'API'])
      assert.equal((await operator.ask('POST', '/api/approver-links', { body: { name } })).status, 422);
  });

  it('end after ten minutes, with the token of who made them, and with the approver', async () => {
    const operator = await givenOperator({}, (home) =>
      createToken(home, 'chief', 'admin', 'operator').then((issued) => void chief.push(issued.token)),
    );
    const late = codeOf(await linkFor(operator, 'carol'));
    operator.given.clock.now += 600_000;
    assert.equal((await post(operator, '/api/approver-links/open', { code: late })).status, 401);
    const links = `${operator.url}/api/approver-links`;
    const code = codeOf((await fetched(links, 'POST', chief[0] ?? '', { body: { name: 'carol' } })).body);
    assert.equal((await post(operator, '/api/approver-links/open', { code })).status, 200);
    await revokeToken(operator.home, 'chief', 'operator');
    const { status, body } = await post(operator, '/api/approver-links/open', { code });
    assert.deepEqual([status, body.code], [401, 'unauthorized']);
    const [first, second] = [codeOf(await linkFor(operator, 'dora')), codeOf(await linkFor(operator, 'dora'))];
    assert.equal((await register(operator, first, `http://localhost:${operator.port}`)).status, 200);
    await operator.ask('POST', '/api/approvers/dora/remove', { body: { reason: 'left' } });
    assert.equal((await post(operator, '/api/approver-links/open', { code: second })).status, 401);
    const [third, fourth] = [codeOf(await linkFor(operator, 'dora')), codeOf(await linkFor(operator, 'dora'))];
    const again = await register(operator, third, `http://localhost:${operator.port}`);
    assert.equal(again.status, 200);
    const reopened = (code: string): Promise<Loose> => post(operator, '/api/approver-links/open', { code });
    assert.equal((await reopened(second)).status, 401, 'also once the approver is added again');
    await operator.ask('POST', '/api/approvers/dora/remove', {
      body: { fingerprint: again.body.keys[1].fingerprint, reason: 'lost' },
    });
    assert.equal((await reopened(fourth)).status, 401, 'also one that was made while the approver was removed');
  });

  it('add no key once the approver is removed, also while they read the passkey', async () => {
    const { home } = await givenOperator();
    await addApproverKey(home, { name: 'dora', title: null, actor: 'operator' }, { kind: 'passkey', key: passkey().pem });
    const links = new ApproverLinks(home.world, { byName: () => ({ name: 'api', role: 'admin', digest: Buffer.alloc(32) }) });
    const { code } = links.issue(home, { name: 'dora', title: null }, { name: 'operator', via: 'token', token: 'api' });
    const made = registrationOf(passkey(), links.open(home, code).challenge);
    const registered = links.register(home, code, made, ['http://localhost:8765']);
    await removeApprover(home, { name: 'dora', fingerprint: null, reason: 'left', actor: 'operator' });
    await rejectsRefusal(registered, 'unauthorized');
  });
  const chief: string[] = [];

  it('lead to the origin of the configuration, whose pages are the own ones', async () => {
    const origin = 'https://agent.example';
    const operator = await givenOperator({}, (home) => configured(home, { console_origin: origin }));
    const made = await linkFor(operator, 'carol');
    assert.ok(made.link.startsWith(`${origin}/#register=`));
    const from = (page: string): Promise<Loose> => post(operator, '/api/approver-links/open', { code: 'x' }, { Origin: page });
    assert.deepEqual([(await from(origin)).status, (await from('https://other.example')).status], [401, 403]);
    const code = codeOf(made);
    const challenge = async (): Promise<string> => (await post(operator, '/api/approver-links/open', { code })).body.challenge;
    const own = registrationOf(passkey(), await challenge(), { origin, rpId: new URL(origin).hostname });
    const tried = async (given: object): Promise<string> =>
      (await post(operator, '/api/approver-links/register', { code, ...given })).body.errors[0].message;
    assert.match(await tried({ ...own, client_data: own.client_data.slice(4) }), /not JSON|canonical/);
    assert.match(await tried(own), /for no challenge/, 'a challenge is for one attempt');
    await challenge();
    assert.match(await tried(own), /challenge is another one/);
    const elsewhere = await register(operator, codeOf(made), 'https://other.example');
    assert.match(elsewhere.body.errors[0].message, /made on the page https:\/\/other\.example/);
    assert.equal((await register(operator, codeOf(made), origin)).status, 200);
    const local = await linkFor(operator, 'dora');
    assert.equal((await register(operator, codeOf(local), `http://localhost:${operator.port}`)).status, 200, 'on this machine');
  });
});

describe('operator API: what needs a person', () => {
  stopAfterEach();

  it('leaves out what the person requested or approved, where the policy says so, for a session too', async () => {
    const own = { carol: passkey(), dora: passkey() };
    const tokens: Record<string, string> = {};
    const operator = await givenOperator({}, async (home) => {
      for (const [name, { pem: key }] of Object.entries(own)) {
        await addApproverKey(home, { name, title: null, actor: 'operator' }, { kind: 'passkey', key });
        tokens[name] = (
          await createToken(home, `${name}-desk`, 'reviewer', 'operator', () => undefined, { approver: name })
        ).token;
      }
      await configured(home, { approvals: { required: 1, approver_is_not_requester: true } });
    });
    const as = async (token: string, path: string, body?: unknown): Promise<Loose> => {
      const answer = await fetched(operator.url + path, body === undefined ? 'GET' : 'POST', token, { body });
      return path.includes('/subject') ? answer.text : answer.body;
    };
    const carol = tokens['carol'] ?? '';
    const dora = tokens['dora'] ?? '';
    const inReview = async (token: string): Promise<string> => {
      const { id } = await as(token, '/api/missions', forecast());
      await as(token, `/api/missions/${id}/execute?wait=1`, '');
      return id;
    };
    const needs = async (token: string): Promise<string[]> =>
      (await as(token, '/api/missions?needs=me&order=asc')).items.map(({ id }: Loose) => id);
    const [ofCarol, ofNobody] = [await inReview(carol), await inReview(operator.tokens.reviewer)];
    assert.deepEqual(await needs(carol), [ofNobody]);
    assert.deepEqual(await needs(dora), [ofCarol, ofNobody]);
    assert.equal((await as(dora, '/api/missions?needs=me&state=failed')).code, 'invalid');
    assert.deepEqual(await needs(operator.tokens.admin), [ofCarol, ofNobody], 'a token of nobody');
    const { key } = {
      key: (await as(dora, '/api/approvers')).items.find(({ name }: Loose) => name === 'dora').keys[0].fingerprint,
    };
    const longest = encodeURIComponent('可'.repeat(2_000));
    const subject = await as(dora, `/api/missions/${ofNobody}/review/subject?note=${longest}&key=${encodeURIComponent(key)}`);
    const origin = `http://localhost:${operator.port}`;
    const assertion = assertionOf(own.dora, String(subject), { origin, counter: 5 });
    const approved = await as(dora, `/api/missions/${ofNobody}/review`, { subject, assertion });
    assert.deepEqual([approved.state, approved.approvals_required], ['review', 2], 'its requester is not known');
    const other = `/api/missions/${ofCarol}/review`;
    const next = String(await as(dora, `${other}/subject?note=seen&key=${encodeURIComponent(key)}`));
    // Whoever sends a request chooses its Host.
    const tried = async (signed: string, made: object): Promise<unknown> => {
      const body = JSON.stringify({ subject: signed, assertion: made });
      const text = request('POST', other, { token: dora, body, headers: { Host: 'localhost:1' } });
      return JSON.parse((await exchangeRaw(operator.port, text, { answers: 1 })).answers[0]?.body ?? '');
    };
    assert.equal(Object(await tried(String(subject), assertion)).code, 'subject_mismatch', 'a replay');
    for (const [ceremony, detail] of [
      [{ counter: 5 }, /the counter of the passkey went from 5 to 5/],
      [{ counter: 6, flags: 0x01 }, /did not verify its user/],
      [{ counter: 6, origin: 'http://other.localhost:1' }, /not on https, and not on localhost/],
      [{ counter: 6, origin: 'http://localhost:1' }, /made on the page http:\/\/localhost:1, not on http/],
    ] as const) {
      const problem = Object(await tried(next, assertionOf(own.dora, next, { origin, ...ceremony })));
      assert.deepEqual([problem.status, problem.code], [409, 'signature_invalid']);
      assert.match(problem.detail, detail);
    }
    assert.deepEqual(await needs(dora), [ofCarol]);
    const code = await as(dora, '/api/login-code', '');
    const { body } = await post(operator, '/api/login', { code: code.code });
    assert.deepEqual(await needs(body.token), [ofCarol]);
    assert.equal((await as(body.token, '/api/status')).actor.approver, 'dora');
  });
});
