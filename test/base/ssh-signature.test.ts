/** The checker of SSH signatures, compared with ssh-keygen in both directions and with the vectors of OpenSSH, those of hardware keys among them. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSshSignature, readSshKey } from '../../src/base/ssh-signature.js';
import { armored, bytesOf, fromArmored, joined, Refuted } from '../../src/base/web-crypto.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import { sshKey, sshSign, sshVerifies } from '../support/base/ssh-keys.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';

const vectors = join(packageRoot(import.meta.url), 'test', 'vectors', 'sshsig');
const vector = (name: string): string => readFileSync(join(vectors, name), 'utf8');
const signed = bytesOf('This is a test, this is only a test');
const namespace = 'agent-cli-review';

const isRefuted = (error: unknown): boolean => error instanceof Refuted;
const holds = (key: string, message: Uint8Array, signature: string, name = namespace): Promise<boolean> =>
  checkSshSignature(key, message, signature, name).then(
    () => true,
    (error: unknown) => {
      if (isRefuted(error)) return false;
      throw error;
    },
  );

const blob = (...parts: readonly (string | Uint8Array)[]): Uint8Array =>
  joined(
    ...parts.flatMap((part) => {
      const bytes = typeof part === 'string' ? bytesOf(part) : part;
      return [[0, 0, bytes.length >> 8, bytes.length & 255], bytes];
    }),
  );

describe('the checker of SSH signatures: OpenSSH vectors', () => {
  for (const name of ['ed25519', 'ed25519_sk', 'ecdsa', 'ecdsa_sk', 'rsa'])
    it(`verifies ${name}, and no change of it`, async () => {
      const line = vector(`${name}.pub`);
      const { key } = await readSshKey(line);
      const signature = vector(`${name}.sig`);
      assert.equal(await holds(key, signed, signature, 'unittest'), true);
      assert.equal(await holds(key, signed, signature, 'unittest2'), false);
      assert.equal(await holds(key, joined(signed, [10]), signature, 'unittest'), false);
      const bytes = fromArmored('SSH SIGNATURE', signature, 70);
      for (let at = 0; at < bytes.length; at += 3) {
        const other = bytes.with(at, (bytes[at] ?? 0) ^ 1);
        assert.equal(await holds(key, signed, armored('SSH SIGNATURE', other, 70), 'unittest'), false, `byte ${at}`);
      }
    });

  it('refuses the signature type of browsers, whose own form passkeys have', async () => {
    const { key } = await readSshKey(vector('ecdsa_sk_webauthn.pub'));
    assert.equal(await holds(key, signed, vector('ecdsa_sk_webauthn.sig'), 'unittest'), false);
  });

  it('refuses a hardware key that was not touched, and no other', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const type = 'sk-ssh-ed25519@openssh.com';
    const own = blob(type, publicKey.export({ type: 'spki', format: 'der' }).subarray(-32), 'ssh:');
    const text = joined(bytesOf('SSHSIG'), blob(namespace, '', 'sha512', hash('sha512', signed, 'buffer')));
    const by = (...after: number[]): Promise<void> => {
      const value = sign(null, joined(hash('sha256', 'ssh:', 'buffer'), after, hash('sha256', text, 'buffer')), privateKey);
      const whole = joined(bytesOf('SSHSIG\0\0\0\x01'), blob(own, namespace, '', 'sha512', joined(blob(type, value), after)));
      const key = `${type} ${Buffer.from(own).toString('base64')}`;
      return checkSshSignature(key, signed, armored('SSH SIGNATURE', whole, 70), namespace);
    };
    for (const flags of [1, 5]) await by(flags, 0, 0, 0, 9);
    for (const flags of [0, 4]) await assert.rejects(by(flags, 0, 0, 0, 9), /not touched/);
  });
});

describe('the checker of SSH signatures: what it refuses as a key', () => {
  const line = (...parts: readonly (string | Uint8Array)[]): string =>
    `${String(parts[0])} ${Buffer.from(blob(...parts)).toString('base64')}`;
  const modulus = new Uint8Array(385).fill(255).with(0, 0);
  const p256 = Buffer.from('04'.padEnd(130, '1'), 'hex');
  const certified = 'ssh-ed25519-cert-v01@openssh.com';
  const keys: readonly (readonly [string, string, RegExp])[] = [
    ['a point of order 1', line('ssh-ed25519', new Uint8Array(32).with(0, 1)), /large order/],
    ['a point that is not canonical', line('ssh-ed25519', new Uint8Array(32).fill(255)), /large order/],
    ['a short point', line('ssh-ed25519', new Uint8Array(31).fill(7)), /large order/],
    ['bytes after the end', line('ssh-ed25519', new Uint8Array(32).fill(7), 'x'), /after its end/],
    ['a certificate', line(certified, 'nonce'), /certificate/],
    ['DSA', line('ssh-dss', 'x'), /not accepted/],
    ['RSA on hardware', line('sk-ssh-rsa@openssh.com', Uint8Array.of(1, 0, 1), modulus), /not accepted/],
    ['a type that every object has', line('constructor'), /not accepted/],
    ['another curve', line('ecdsa-sha2-nistp256', 'nistp384', p256), /nistp256/],
    ['a point beside the curve', line('ecdsa-sha2-nistp256', 'nistp256', p256), /point of P-256/],
    ['an exponent of 3', line('ssh-rsa', Uint8Array.of(3), modulus), /exponent/],
    ['an exponent of 40 bits', line('ssh-rsa', Uint8Array.of(1, 0, 0, 0, 1), modulus), /exponent/],
    ['an even modulus', line('ssh-rsa', Uint8Array.of(1, 0, 1), modulus.with(384, 254)), /modulus/],
    ['a modulus of 3064 bits', line('ssh-rsa', Uint8Array.of(1, 0, 1), modulus.slice(1, 384).with(0, 127)), /3072/],
    ['a negative modulus', line('ssh-rsa', Uint8Array.of(1, 0, 1), modulus.slice(1)), /positive/],
    ['a modulus with more zeros', line('ssh-rsa', Uint8Array.of(1, 0, 1), joined([0], modulus)), /shortest/],
    ['another type before it', `ssh-rsa ${line('ssh-ed25519', new Uint8Array(32).fill(7)).split(' ')[1]}`, /another type/],
    ['options before it', `no-pty ${line('ssh-ed25519', new Uint8Array(32).fill(7))}`, /one line/],
    ['a base64 text with stray bits', `ssh-ed25519 AAAAB3==`, /canonical/],
  ];
  for (const [name, key, reason] of keys)
    it(name, async () => {
      await assert.rejects(readSshKey(key), (error: unknown) => isRefuted(error) && reason.test(String(error)));
    });
});

real('ssh-keygen', 'the checker of SSH signatures: ssh-keygen', () => {
  const directory = folderForSuite();

  for (const [type, bits] of [['ed25519'], ['ecdsa', 256], ['rsa', 3_072]] as const)
    it(`agrees on ${type}: key, fingerprint, signature, and what changes of one`, async () => {
      const own = sshKey(directory, type, type, bits);
      const { key, fingerprint } = await readSshKey(own.line);
      assert.equal(fingerprint, own.fingerprint);
      assert.ok(own.line.startsWith(`${key} `));
      assert.equal((await readSshKey(`\ufeff ${own.line.replaceAll(' ', '\t ')}\r\n\n`)).key, key);
      const text = '{"decision":"approve"}';
      const message = bytesOf(text);
      const signature = sshSign(own, text);
      const bytes = fromArmored('SSH SIGNATURE', signature, 70);
      assert.equal(await holds(key, message, signature), true);
      for (const at of [5, 40, bytes.length - 40, bytes.length - 1]) {
        const other = armored('SSH SIGNATURE', bytes.with(at, (bytes[at] ?? 0) ^ 1), 70);
        assert.equal(await holds(key, message, other), sshVerifies(directory, key, text, other), `byte ${at}`);
      }
      assert.ok(sshVerifies(directory, key, text, signature));
      assert.equal(await holds(key, message, sshSign(own, text, 'file')), false);
      assert.equal(await holds(key, message, sshSign(own, text, namespace, 'sha256')), false);
      assert.equal(await holds(key, message, sshSign(own, `${text} `)), false);
      for (const spelled of [signature.trimEnd(), signature.replaceAll('\n', '\r\n'), ` ${signature}`, `${signature}\n`, ''])
        await assert.rejects(checkSshSignature(key, message, spelled, namespace), /not the text of an SSH signature|base64/);
    });

  it('refuses a signature of another key, and a key that ssh-keygen makes too short', async () => {
    const [one, other] = [sshKey(directory, 'one'), sshKey(directory, 'other')];
    const { key } = await readSshKey(one.line);
    await assert.rejects(checkSshSignature(key, bytesOf('x'), sshSign(other, 'x'), namespace), /another key/);
    await assert.rejects(readSshKey(sshKey(directory, 'short', 'rsa', 2_048).line), /3072/);
    await assert.rejects(readSshKey(sshKey(directory, 'p384', 'ecdsa', 384).line), /not accepted/);
  });
});
