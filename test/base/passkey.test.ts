/** The checker of passkeys' assertions, compared with openssl, and of their registrations, compared with an authenticator in software. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Assertion, checkAssertion, readPasskey } from '../../src/base/passkey.js';
import { armored, bytesOf, fromArmored, Refuted } from '../../src/base/web-crypto.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import {
  assertionOf,
  opensslVerifies,
  passkey,
  type PasskeyAlgorithm,
  coseOf,
  registrationOf,
} from '../support/base/passkeys.js';
import { real } from '../support/real.js';
import { type Registration, readRegistration } from '../../src/base/passkey-registration.js';

const text = '{"decision":"approve"}';
const isRefuted = (error: unknown): boolean => error instanceof Refuted;
const holds = (pem: string, assertion: Assertion, message = text): Promise<boolean> =>
  checkAssertion(pem, bytesOf(message), assertion).then(
    () => true,
    (error: unknown) => {
      if (isRefuted(error)) return false;
      throw error;
    },
  );
const flipped = (member: string, at: number): string => {
  const bytes = Buffer.from(member, 'base64url');
  const place = at < 0 ? bytes.length + at : at;
  return Buffer.from(bytes.with(place, (bytes[place] ?? 0) ^ 1)).toString('base64url');
};

describe('the checker of passkeys', () => {
  const own = passkey();

  it('returns the page where the person approved', async () => {
    const there = { origin: 'https://agent.example:8443', rpId: 'agent.example', flags: 0x1d, counter: 7 };
    assert.equal(await checkAssertion(own.pem, bytesOf(text), assertionOf(own, text, there)), there.origin);
    assert.equal(await checkAssertion(own.pem, bytesOf(text), assertionOf(own, text)), 'http://localhost:8765');
  });

  const refused: readonly (readonly [string, Parameters<typeof assertionOf>[2], RegExp])[] = [
    ['a user who is not verified', { flags: 0x01 }, /did not verify/],
    ['a user who is not present', { flags: 0x04 }, /did not verify/],
    ['a backup that is not possible', { flags: 0x15 }, /contradict/],
    ['the data of a registration', { flags: 0x45 }, /not that of an assertion/],
    ['extensions that are not announced', { extensions: 'a0' }, /not that of an assertion/],
    ['announced extensions that are missing', { flags: 0x85 }, /not that of an assertion/],
    ['another site', { rpId: 'other.example' }, /another site/],
    ['a page on another site', { origin: 'https://other.example' }, /another site/],
    ['a page without encryption', { origin: 'http://agent.example', rpId: 'agent.example' }, /https/],
    ['an origin with a path', { origin: 'https://agent.example/x', rpId: 'agent.example' }, /https/],
    ['a page in a frame of another', { client: { crossOrigin: true } }, /on the page itself/],
    ['a registration', { client: { type: 'webauthn.create' } }, /assertion/],
    ['another challenge', { client: { challenge: Buffer.alloc(32).toString('base64url') } }, /challenge/],
    ['a challenge that is no text', { client: { challenge: 1 } }, /challenge/],
  ];
  for (const [name, ceremony, reason] of refused)
    it(`refuses ${name}`, async () => {
      await assert.rejects(
        checkAssertion(own.pem, bytesOf(text), assertionOf(own, text, ceremony)),
        (error: unknown) => isRefuted(error) && reason.test(String(error)),
      );
    });

  it('refuses parts that are no base64url, and client data that is no JSON', async () => {
    const good = assertionOf(own, text);
    for (const name of ['authenticator_data', 'client_data', 'signature'] as const)
      for (const value of ['', `${good[name]}=`, good[name].slice(1), 'é', `${good[name]}AAAA`])
        assert.equal(await holds(own.pem, { ...good, [name]: value }), false, `${name} ${value}`);
    for (const client of ['null', '7', '{', '"x"', '\ufeff{}'])
      assert.equal(await holds(own.pem, { ...good, client_data: Buffer.from(client).toString('base64url') }), false, client);
  });

  it('refuses keys that are malformed, weak or of another algorithm', async () => {
    const der = fromArmored('PUBLIC KEY', own.pem, 64);
    const small = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.alloc(32)]);
    const keys = [
      own.pem.trimEnd(),
      own.pem.replaceAll('\n', '\r\n'),
      own.pem.replaceAll('PUBLIC', 'PRIVATE'),
      armored('PUBLIC KEY', Buffer.concat([der, Buffer.of(0)]), 64),
      armored('PUBLIC KEY', der.with(40, (der[40] ?? 0) ^ 1), 64),
      armored('PUBLIC KEY', small, 64),
      passkey('RS256', 1_024).pem,
      '',
    ];
    for (const key of keys) await assert.rejects(readPasskey(key), isRefuted, key);
  });
});

real('openssl', 'the checker of passkeys: openssl', () => {
  const directory = folderForSuite();

  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const satisfies readonly PasskeyAlgorithm[])
    it(`agrees on ${algorithm}, and on changes of it`, async () => {
      const own = passkey(algorithm);
      assert.match(await readPasskey(own.pem), /^SHA256:[A-Za-z0-9+/]{43}$/);
      const good = assertionOf(own, text);
      const both = async (pem: string, assertion: Assertion, message = text): Promise<boolean> => {
        const [ours, theirs] = [await holds(pem, assertion, message), opensslVerifies(directory, pem, message, assertion)];
        assert.equal(ours, theirs);
        return ours;
      };
      assert.ok(await both(own.pem, good));
      assert.ok(!(await both(own.pem, good, `${text} `)));
      assert.ok(!(await both(passkey(algorithm).pem, good)));
      for (const at of [8, 20, -1])
        assert.ok(!(await both(own.pem, { ...good, signature: flipped(good.signature, at) })), `byte ${at}`);
      assert.ok(!(await both(own.pem, { ...good, authenticator_data: flipped(good.authenticator_data, -1) })));
    });
});

const challenge = Buffer.from('a challenge of the home');
const asked = challenge.toString('base64url');

const refused = (given: Registration, message: RegExp): Promise<void> =>
  assert.rejects(readRegistration(challenge, given), (error) => error instanceof Refuted && message.test(error.message));

describe('the registration of a passkey', () => {
  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const)
    it(`gives the key of ${algorithm} as the checker of approvals takes it`, async () => {
      const own = passkey(algorithm);
      const { key, credential, origin } = await readRegistration(challenge, registrationOf(own, asked));
      assert.deepEqual([key, origin], [own.pem, 'http://localhost:8765']);
      assert.match(credential, /^[\w-]{43}$/);
      assert.match(await readPasskey(key), /^SHA256:/);
    });

  it('may have extensions, and a backed-up key', async () => {
    const own = passkey();
    const { key } = await readRegistration(challenge, registrationOf(own, asked, { flags: 0xdd, extensions: 'a163666f6ff5' }));
    assert.equal(key, own.pem);
  });

  it('is refused unless the user was verified, on this page, for this challenge', async () => {
    const own = passkey();
    for (const flags of [0x41, 0x44, 0x00]) await refused(registrationOf(own, asked, { flags }), /did not verify its user/);
    for (const flags of [0x05, 0x55]) await refused(registrationOf(own, asked, { flags }), /holds no key|contradict/);
    await refused(registrationOf(own, Buffer.from('another').toString('base64url')), /challenge is another one/);
    await refused(registrationOf(own, asked, { rpId: 'other.example' }), /another site/);
    await refused(registrationOf(own, asked, { client: { type: 'webauthn.get' } }), /not of a registration/);
    await refused(registrationOf(own, asked, { client: { crossOrigin: true } }), /not of a registration/);
    for (const origin of ['http://agent.example', 'http://127.0.0.1:8765', 'https://agent.example/'])
      await refused(registrationOf(own, asked, { origin, rpId: 'agent.example' }), /not on https/);
  });

  it('is refused with a key of another algorithm, or one that is none', async () => {
    const own = passkey();
    const cose = coseOf(own).toString('hex');
    await refused(registrationOf(own, asked, { cose: cose.replace('0326', '0327') }), /none of ES256/);
    await refused(registrationOf(own, asked, { cose: cose.replace('2001', '2002') }), /none of ES256/);
    await refused(registrationOf(own, asked, { cose: 'a0' }), /none of ES256/);
    await refused(registrationOf(own, asked, { cose: `${cose.slice(0, -64)}${'00'.repeat(32)}` }), /not a public key/);
    await refused(registrationOf(own, asked, { cose: `${cose}00` }), /longer than its parts/);
    await refused(registrationOf(own, asked, { cose: cose.slice(0, -2) }), /ends early/);
    await refused(registrationOf(own, asked, { credential: Buffer.alloc(0) }), /no allowed length/);
    const weak = await readRegistration(challenge, registrationOf(passkey('RS256', 1_024), asked));
    await assert.rejects(readPasskey(weak.key), /must have 2048/);
  });

  it('is refused, never more, when any byte of it is another one', async () => {
    const own = passkey();
    const good = registrationOf(own, asked);
    const bytes = Buffer.from(good.attestation_object, 'base64url');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ by;
        const given = { ...good, attestation_object: changed.toString('base64url') };
        const read = await readRegistration(challenge, given).catch((error: unknown) => {
          assert.ok(error instanceof Refuted, String(error));
          return null;
        });
        // The AAGUID, the counter and the id of the credential are the authenticator's own word.
        if (read !== null) assert.equal(read.key, own.pem);
      }),
      { numRuns: 300, seed: 39 },
    );
  });

  it('is refused for CBOR that authenticators do not write', async () => {
    const good = registrationOf(passkey(), asked);
    const nested = `${'81'.repeat(8)}80`;
    for (const hex of ['', 'a1', 'bf', '5b0000000000000001', 'c1a0', '9f', 'f97e00', nested, 'a10000', '1bffffffffffffffff'])
      await refused({ ...good, attestation_object: Buffer.from(hex, 'hex').toString('base64url') }, /CBOR|attestation object/);
  });
});
