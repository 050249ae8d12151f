/** Registrations of passkeys: what an authenticator in software makes is read, and what it should not make is refused. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Registration, readRegistration } from '../../src/base/passkey-registration.js';
import { readPasskey } from '../../src/base/passkey.js';
import { Refuted } from '../../src/base/web-crypto.js';
import { coseOf, passkey, registrationOf } from '../support/base/passkeys.js';

const challenge = Buffer.from('a challenge of the home');
const text = challenge.toString('base64url');

const refused = (given: Registration, message: RegExp): Promise<void> =>
  assert.rejects(readRegistration(challenge, given), (error) => error instanceof Refuted && message.test(error.message));

describe('the registration of a passkey', () => {
  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const)
    it(`gives the key of ${algorithm} as the checker of approvals takes it`, async () => {
      const own = passkey(algorithm);
      const { key, credential, origin } = await readRegistration(challenge, registrationOf(own, text));
      assert.deepEqual([key, origin], [own.pem, 'http://localhost:8765']);
      assert.match(credential, /^[\w-]{43}$/);
      assert.match(await readPasskey(key), /^SHA256:/);
    });

  it('may have extensions, and a backed-up key', async () => {
    const own = passkey();
    const { key } = await readRegistration(challenge, registrationOf(own, text, { flags: 0xdd, extensions: 'a163666f6ff5' }));
    assert.equal(key, own.pem);
  });

  it('is refused unless the user was verified, on this page, for this challenge', async () => {
    const own = passkey();
    for (const flags of [0x41, 0x44, 0x05, 0x00]) await refused(registrationOf(own, text, { flags }), /did not verify its user/);
    await refused(registrationOf(own, Buffer.from('another').toString('base64url')), /challenge is another one/);
    await refused(registrationOf(own, text, { rpId: 'other.example' }), /another site/);
    await refused(registrationOf(own, text, { client: { type: 'webauthn.get' } }), /not of a registration/);
    await refused(registrationOf(own, text, { client: { crossOrigin: true } }), /not of a registration/);
    for (const origin of ['http://agent.example', 'http://127.0.0.1:8765', 'https://agent.example/'])
      await refused(registrationOf(own, text, { origin, rpId: 'agent.example' }), /not on https/);
  });

  it('is refused with a key of another algorithm, or one that is none', async () => {
    const own = passkey();
    const cose = coseOf(own).toString('hex');
    await refused(registrationOf(own, text, { cose: cose.replace('0326', '0327') }), /none of ES256/);
    await refused(registrationOf(own, text, { cose: cose.replace('2001', '2002') }), /none of ES256/);
    await refused(registrationOf(own, text, { cose: 'a0' }), /none of ES256/);
    await refused(registrationOf(own, text, { cose: `${cose.slice(0, -64)}${'00'.repeat(32)}` }), /not a public key/);
    await refused(registrationOf(own, text, { cose: `${cose}00` }), /longer than its parts/);
    await refused(registrationOf(own, text, { cose: cose.slice(0, -2) }), /ends early/);
    await refused(registrationOf(own, text, { credential: Buffer.alloc(0) }), /no allowed length/);
    const weak = await readRegistration(challenge, registrationOf(passkey('RS256', 1_024), text));
    await assert.rejects(readPasskey(weak.key), /must have 2048/);
  });

  it('is refused, never more, when any byte of it is another one', async () => {
    const own = passkey();
    const good = registrationOf(own, text);
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
    const good = registrationOf(passkey(), text);
    for (const hex of [
      '',
      'a1',
      'bf',
      '5b0000000000000001',
      'c1a0',
      '9f',
      'f97e00',
      `${'81'.repeat(8)}80`,
      'a10000',
      '1bffffffffffffffff',
      '9affffffff',
    ])
      await refused({ ...good, attestation_object: Buffer.from(hex, 'hex').toString('base64url') }, /CBOR|attestation object/);
  });
});
