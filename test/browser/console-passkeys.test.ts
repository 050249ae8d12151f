/** Approving with passkeys in a real browser: registration by a link, the signature, what is refused, and who is still needed. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { CDPSession, Page, Route } from 'playwright-core';
import type { ApproverDocument } from '../../src/codec/api-approvers.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { opensslVerifies } from '../support/base/passkeys.js';
import { configure } from '../support/cli/cli-run.js';
import { faults } from '../support/console/accessibility.js';
import type { Loose } from '../support/http/schema-check.js';
import { real } from '../support/real.js';
import { consoleForSuite, decide, enter, executed, goTo, loaded, send, type Signed, small, words } from './console-given.js';

/** A passkey as the browser's authenticator in software holds it. */
interface HeldKey {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly privateKey: string;
  readonly signCount: number;
}

interface Authenticator {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** Gives a page an authenticator that holds some keys, and can verify its user or not. */
async function authenticatorOf(page: Page, keys: readonly HeldKey[] = [], canVerify = true): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: canVerify,
      isUserVerified: canVerify,
      automaticPresenceSimulation: true,
    },
  });
  for (const credential of keys) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
  await page.bringToFront();
  return { cdp, authenticatorId };
}

const base64Url = (text: string): string => Buffer.from(text, 'base64').toString('base64url');
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

real('chromium', 'the console: passkeys', () => {
  const held = new Map<string, HeldKey>();
  const suite = consoleForSuite();

  const call = async (path: string, body?: unknown, token = suite.server().tokens.admin): Promise<Loose> => {
    const response = await send(suite.server(), path, body, token);
    const text = await response.text();
    return response.headers.get('content-type')?.includes('problem') === true || !path.includes('/subject')
      ? JSON.parse(text)
      : text;
  };
  const inReview = (): Promise<MissionRecord> => executed(suite.server(), small);
  const approverOf = async (name: string): Promise<ApproverDocument> =>
    (await call('approvers')).items.find((one: ApproverDocument) => one.name === name);
  const keyOf = (name: string, signCount: number): HeldKey => ({ ...(held.get(name) ?? assert.fail(name)), signCount });
  const linkFor = async (name: string): Promise<string> => (await call('approver-links', { name })).link;

  /** Opens the link of a person and registers a passkey; returns what the browser sent. */
  async function register(page: Page, link: string): Promise<Loose> {
    const sent = page.waitForRequest((request) => request.url().endsWith('/register'));
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.waitForSelector('.notice-good');
    return JSON.parse((await sent).postData() ?? '');
  }

  const approve = (page: Page, id: string, note: string): Promise<void> =>
    goTo(page, `#/missions/${id}`).then(() => decide(page, 'Approve', note));

  const tokenFor = (name: string): string =>
    (suite.server().cli.json('token', 'create', `${name}-desk`, '--role', 'reviewer', '--approver', name) as { token: string })
      .token;

  const signInAs = async (token: string): Promise<Signed> => {
    const visit = await suite.open();
    await enter(visit.page, token);
    return { ...visit, go: (hash) => goTo(visit.page, hash) };
  };

  it('registers passkeys by links, as another checker of WebAuthn accepts them', async () => {
    const { page, go, complaints } = await suite.signIn({ alone: true });
    const { cdp, authenticatorId } = await authenticatorOf(page);
    await go('#/approvers');
    await page.getByLabel('Name').fill('alice');
    await page.getByRole('button', { name: 'Make link' }).click();
    const link = (await page.locator('[data-link]').textContent()) ?? '';
    assert.deepEqual(await faults(page), []);
    assert.match(link, /^http:\/\/localhost:\d+\/#register=[\w-]{22}$/);
    const offered = page.waitForResponse((response) => response.url().endsWith('/open'));
    const { client_data, attestation_object, code } = await register(page, link);
    await offered;
    const { keys } = await approverOf('alice');
    assert.ok((await words(page)).includes(keys[0]?.fingerprint ?? assert.fail('no key')));
    assert.deepEqual(await faults(page), []);
    assert.equal(page.url().includes(code), false);
    await page.reload();
    await page.getByText('Open the link once more').waitFor();
    const { challenge, origin } = JSON.parse(Buffer.from(client_data, 'base64url').toString());
    const id = keys[0]?.credential ?? '';
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: client_data, attestationObject: attestation_object },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: 'localhost',
    });
    assert.deepEqual([verified, registrationInfo?.credential.id, registrationInfo?.fmt], [true, id, 'none']);
    const again = await call('approver-links/register', { code, client_data, attestation_object });
    assert.deepEqual([again.status, again.code], [401, 'unauthorized'], 'a link is for one passkey');
    await register(page, await linkFor('bob'));
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    for (const name of ['alice', 'bob']) {
      const own = (await approverOf(name)).keys[0]?.credential;
      held.set(name, credentials.find(({ credentialId }) => base64Url(credentialId) === own) ?? assert.fail(name));
    }
    assert.deepEqual(complaints, []);
  });

  it('approves: shows the very text that is signed, and openssl alone checks the evidence', async () => {
    const { id } = await inReview();
    const { page, complaints } = await signInAs(tokenFor('alice'));
    await authenticatorOf(page, [keyOf('alice', 10)]);
    assert.match((await page.textContent('.who')) ?? '', /alice-desk, for alice/);
    await approve(page, id, 'checked against <the plan>');
    const dialog = page.locator('dialog');
    assert.deepEqual(await faults(page), []);
    await dialog.getByText('Text to be signed').click();
    const subject = (await dialog.locator('pre').textContent()) ?? '';
    for (const value of Object.values(JSON.parse(subject)).filter((value) => typeof value === 'string'))
      if (!['agent-cli-approval/1', 'approve'].includes(value) && !/^20|urn:/.test(value))
        assert.ok((await dialog.locator('dl').innerText()).includes(value), value);
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/review'));
    await dialog.getByRole('button', { name: 'Sign with passkey' }).click();
    const { assertion, ...rest } = JSON.parse((await sent).postData() ?? '');
    assert.deepEqual(rest, { subject });
    await page.waitForSelector('.badge-completed');
    const { approvals } = await call(`missions/${id}/export`);
    const [{ key, fingerprint, authenticator_data, client_data, signature }] = approvals;
    assert.ok((await words(page)).includes(fingerprint));
    assert.deepEqual({ authenticator_data, client_data, signature }, assertion);
    assert.ok(opensslVerifies(suite.server().cli.directory, key, approvals[0].subject, assertion));
    const { credential = '' } = (await approverOf('alice')).keys[0] ?? {};
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: credential,
        rawId: credential,
        type: 'public-key',
        clientExtensionResults: {},
        response: { authenticatorData: authenticator_data, clientDataJSON: client_data, signature },
      },
      expectedChallenge: digest(subject).toString('base64url'),
      expectedOrigin: new URL(page.url()).origin,
      expectedRPID: 'localhost',
      credential: { id: credential, publicKey: coseOf(key), counter: 0 },
    });
    assert.ok(verified);
    assert.deepEqual(complaints, []);
  });

  it('shows how many of the people have signed, and to each what needs him', async () => {
    configure(suite.server().cli, { approvals: { required: 2 } });
    await inReview();
    const { id } = await inReview();
    const needs = async (token: string): Promise<string[]> =>
      (await call('missions?needs=me', undefined, token)).items.map((item: { readonly id: string }) => item.id);
    const bob = tokenFor('bob');
    const alice = (suite.server().cli.json('token', 'rotate', 'alice-desk') as { token: string }).token;
    assert.deepEqual(await needs(alice), await needs(bob));
    const signed = await signInAs(alice);
    const { page } = signed;
    await authenticatorOf(page, [keyOf('alice', 300), keyOf('bob', 300)]);
    // A text that waited for too long is replaced by a new one.
    const old = (text: string): string => text.replace(/"at":"[^"]*/, '"at":"2026-01-01T00:00:00.000000Z');
    const late = async (route: Route): Promise<void> => route.fulfill({ body: old(await (await route.fetch()).text()) });
    await page.route('**/subject?*', late, { times: 1 });
    await approve(page, id, 'first');
    await page.getByText('Text to be signed').click();
    assert.equal(await page.locator('dialog select').count(), 0, 'one key may sign');
    const sign = page.getByRole('button', { name: 'Sign with passkey' });
    await sign.click();
    await page.waitForSelector('text=subject_expired');
    await page.locator('dialog pre', { hasNotText: '"at":"2026-01-01T' }).waitFor();
    await sign.click();
    await page.waitForSelector('.approvals strong');
    assert.equal(await page.locator('input:checked').count(), 0, 'what was decided is not to be decided again');
    assert.match((await page.textContent('.approvals')) ?? '', /^1 of 2: alice, \d{1,2}:\d\d/);
    assert.equal(await page.getByRole('radio', { name: 'Approve' }).isDisabled(), true);
    assert.equal((await call(`missions/${id}`)).state, 'review');
    assert.ok(!(await needs(alice)).includes(id));
    assert.ok((await needs(bob)).includes(id));
    await signed.go('#/missions');
    const count = (await needs(alice)).length;
    await page.waitForSelector(`a:has-text("Needs you: ${count}")`);
    await page.getByRole('link', { name: `Needs you: ${count}` }).click();
    await loaded(page);
    assert.equal(await page.getByRole('link', { name: 'Needs me' }).getAttribute('aria-current'), 'true');
    assert.equal(await page.locator('.list-missions tbody tr').count(), count);
    const other = await signInAs(bob);
    await authenticatorOf(other.page, [keyOf('bob', 300)]);
    await approve(other.page, id, 'second');
    await other.page.getByRole('button', { name: 'Sign with passkey' }).click();
    await other.page.waitForSelector('.badge-completed');
    assert.match((await other.page.textContent('.approvals')) ?? '', /^2 of 2: alice, .*; bob, /);
  });

  it('says on an IP address why no passkey can be used, and leads to localhost signed in', async () => {
    const { id } = await inReview();
    const { page } = await suite.open();
    const { port } = new URL(suite.server().url);
    await page.goto(`http://127.0.0.1:${port}/`);
    await enter(page, suite.server().tokens.admin);
    await approve(page, id, 'seen');
    assert.match(await page.locator('dialog').innerText(), /127\.0\.0\.1:\d+ is an address/);
    await page.getByRole('button', { name: 'Open this page at localhost' }).click();
    await page.waitForURL(`http://localhost:${port}/#/missions/${id}`);
    await page.waitForSelector('header.top');
  });

  it('removes a key with a reason', async () => {
    const { page, go } = await suite.signIn({ alone: true });
    const { fingerprint = '' } = (await approverOf('bob')).keys[0] ?? {};
    await go('#/approvers');
    await page.getByRole('button', { name: `Remove ${fingerprint}` }).click();
    const dialog = page.locator('dialog');
    const remove = dialog.getByRole('button', { name: 'Remove', exact: true });
    await remove.click();
    assert.match(await dialog.innerText(), /Give a reason/);
    await dialog.getByLabel('Reason').fill('lost the phone');
    await remove.click();
    await page.waitForSelector('text=lost the phone');
    assert.equal((await approverOf('bob')).keys[0]?.reason, 'lost the phone');
  });
});

/** The public key of ES256 in PEM as COSE (RFC 9053), which the other checker takes. */
function coseOf(pem: string): Uint8Array<ArrayBuffer> {
  const point = Buffer.from(pem.split('\n').slice(1, -2).join(''), 'base64').subarray(-64);
  const member = (label: string, bytes: Buffer): Buffer => Buffer.concat([Buffer.from(`${label}5820`, 'hex'), bytes]);
  const parts = [Buffer.from('a5010203262001', 'hex'), member('21', point.subarray(0, 32)), member('22', point.subarray(32))];
  return Uint8Array.from(Buffer.concat(parts));
}
