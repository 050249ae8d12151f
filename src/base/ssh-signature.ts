/**
 * Checks signatures of SSH keys over a message, as `ssh-keygen -Y verify` does (OpenSSH's PROTOCOL.sshsig; RFC 8709, RFC 5656 and RFC 8332 for the
 * keys, PROTOCOL.u2f for those of hardware). Only the canonical form of a key and of a signature is accepted.
 */
import {
  type Bytes,
  bytesOf,
  check,
  digest,
  ed25519Key,
  fingerprintOf,
  fromArmored,
  fromBase64,
  isSame,
  joined,
  magnitude,
  p256Key,
  rsaKey,
  scalarPair,
  type Verify,
} from './web-crypto.js';

const [signature_chars_max, key_chars_max] = [8_000, 4_000];
const ssh_rsa_bits_min = 3_072;

/** Reads the strings of SSH (RFC 4251, section 5), each after its length. */
function reader(bytes: Uint8Array) {
  let at = 0;
  const take = (count: number): Uint8Array => {
    check(at + count <= bytes.length, 'it ends early');
    at += count;
    return bytes.subarray(at - count, at);
  };
  const number = (): number => take(4).reduce((sum, byte) => sum * 256 + byte, 0);
  const string = (): Uint8Array => take(number());
  const text = (): string => String.fromCharCode(...string());
  return { take, number, string, text, end: () => check(at === bytes.length, 'it has bytes after its end') };
}

/** Returns a string of SSH of fewer than 256 bytes. */
const prefixed = (bytes: Uint8Array): Bytes => joined([0, 0, 0, bytes.length], bytes);

/** Returns what verifies signatures of a key, by the type that they name; for a hardware key, also what it signs for. */
async function openKey(blob: Uint8Array) {
  const { string, text, end } = reader(blob);
  const type = text();
  check(!type.includes('-cert-'), 'a certificate is not accepted: give the key itself');
  const open = new Map(Object.entries(readers)).get(type.replace(/^sk-(.*)@openssh\.com$/, '$1'));
  check(open !== undefined && type !== 'sk-ssh-rsa@openssh.com', `keys of type ${type} are not accepted`);
  const verifiers = await open(string, type);
  const application = type.startsWith('sk-') ? string() : null;
  end();
  return { type, verify: (name: string): Verify | undefined => new Map(Object.entries(verifiers)).get(name), application };
}

const readers: Readonly<Record<string, (string: () => Uint8Array, type: string) => Promise<Record<string, Verify>>>> = {
  'ssh-ed25519': async (string, type) => ({ [type]: ed25519Key(string()) }),
  async 'ecdsa-sha2-nistp256'(string, type) {
    check(String.fromCharCode(...string()) === 'nistp256', 'the key is not of nistp256');
    const verify = await p256Key(string());
    return {
      [type](signature, data) {
        const { string: next, end } = reader(signature);
        const pair = scalarPair(next(), next());
        end();
        return verify(pair, data);
      },
    };
  },
  async 'ssh-rsa'(string) {
    const key = rsaKey(magnitude(string()), magnitude(string()), ssh_rsa_bits_min);
    return { 'rsa-sha2-512': key('SHA-512'), 'rsa-sha2-256': key('SHA-256') };
  },
};

export interface SshKey {
  /** The key as in a file .pub, without its comment. */
  readonly key: string;
  readonly fingerprint: string;
}

/** Reads the line of a file .pub, about which editors and mail leave white space. @throws Refuted for a key that is malformed, weak or of another type */
export async function readSshKey(line: string): Promise<SshKey> {
  const [, name = '', encoded = ''] = /^\s*(\S+)[ \t]+(AAAA\S+)(?:[ \t].*)?\s*$/.exec(line.slice(0, key_chars_max + 1)) ?? [];
  check(line.length <= key_chars_max && encoded !== '', 'it is not the one line of an SSH public key (.pub)');
  const blob = fromBase64(encoded);
  check((await openKey(blob)).type === name, 'the line names another type than the key');
  return { key: `${name} ${encoded}`, fingerprint: await fingerprintOf(blob) };
}

/** @throws Refuted unless the key signed the message in the namespace, as `ssh-keygen -Y sign` does */
export async function checkSshSignature(key: string, message: Uint8Array, signature: string, namespace: string): Promise<void> {
  check(signature.length <= signature_chars_max, 'the signature is too long');
  const { take, number, string, text, end } = reader(fromArmored('SSH SIGNATURE', signature, 70));
  check(String.fromCharCode(...take(6)) === 'SSHSIG' && number() === 1, 'it is not an SSH signature of version 1');
  const blob = string();
  check(isSame(blob, fromBase64(key.split(' ')[1] ?? '')), 'another key made the signature');
  check(text() === namespace, `the signature is not for the namespace ${namespace}`);
  check(string().length === 0 && text() === 'sha512', 'the signature has another hash than sha512, or reserved bytes');
  const made = reader(string());
  end();
  const { verify, application } = await openKey(blob);
  const [verifier, value] = [verify(made.text()), made.string()];
  check(verifier !== undefined, 'the signature is of another type than the key');
  const parts = [bytesOf(namespace), bytesOf(''), bytesOf('sha512'), await digest('SHA-512', message)];
  const signed = joined(bytesOf('SSHSIG'), ...parts.map(prefixed));
  // A hardware key adds flags, of which the lowest says that it was touched and another that it took a PIN, and its counter.
  const touched = application === null ? [] : made.take(5);
  made.end();
  check(application === null || ((touched[0] ?? 0) & 1) === 1, 'the hardware key was not touched');
  const [site, message_hash] = [await digest('SHA-256', application ?? signed), await digest('SHA-256', signed)];
  const data = application === null ? signed : joined(site, touched, message_hash);
  check(await verifier(value, data), 'the signature does not verify');
}
