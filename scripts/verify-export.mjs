#!/usr/bin/env node
// node verify-export.mjs FILE --public-key HEX [--checkpoint FILE] [--approver NAME=FILE.pub|SHA256:…] [--approvals-required N]:
// verifies an export offline, with Node 20 and a key from a source that you trust. Exit 0: valid, 3: not, 2: nothing to check.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
// ---- core: the language, TextDecoder, base64 and WebCrypto; word for word in docs/verify-export.html
const check = (holds, otherwise, verdict = 'refuted') => {
  if (!holds) throw new Error(otherwise, { cause: verdict });
};
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const utf8 = (text) => new TextEncoder().encode(text);
const sha256 = async (...a) => new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(a.flatMap((b) => [...b]))));
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** The bytes of a base64 text; none unless it is the one text that they encode to. */
const unbase64 = (s) => Uint8Array.from(base64.test(s) && btoa(atob(s)) === s ? atob(s) : '', (c) => c.charCodeAt(0));
/** Canonical JSON (RFC 8785): no spaces, members by code unit, numbers and strings as ECMAScript prints them. */
function print(value) {
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${print(value[name])}`).join(',')}}`;
}
// ---- approvals: SSH signatures and passkeys; src/base of the program without its types, written by scripts/verify-page.mjs
const { checkApprovals, checkApprovers, leftOutText, readKey, unsignedText, verifiesEd25519 } = (() => {
  /**
   * Bytes and signatures for the checkers of approvals. They run in Node, in the verifier that is one file, and in a browser, so they use the
   * language and WebCrypto alone; scripts/verify-page.mjs copies these modules into both.
   */
  const rsa_bits_max = 8192;
  /** What was checked does not hold. The cause is the verdict of the verifier that is one file. */
  class Refuted extends Error {
    cause = 'refuted';
  }
  function check(holds, otherwise) {
    if (!holds) throw new Refuted(otherwise);
  }
  const bytesOf = (text) => new TextEncoder().encode(text);
  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
  const digest = async (name, data) => new Uint8Array(await crypto.subtle.digest(name, joined(data)));
  const isSame = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
  const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
  const base64Url = (bytes) => base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  /** Returns the bytes of a base64 text. @throws Refuted unless it is the one text that they encode to */
  function fromBase64(text, encode = base64) {
    const plain = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '');
    check(/^[A-Za-z0-9+/]*$/.test(plain) && plain.length % 4 !== 1, 'what should be base64 is not');
    const bytes = Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
    check(encode(bytes) === text, 'a base64 text is not in canonical form');
    return bytes;
  }
  /** Returns bytes as the text between two lines that name it, as PEM and OpenSSH write it. */
  const armored = (name, bytes, columns) =>
    `-----BEGIN ${name}-----\n${base64(bytes).replaceAll(new RegExp(`.{1,${columns}}`, 'g'), '$&\n')}-----END ${name}-----\n`;
  /** @throws Refuted unless the text is exactly what `armored` returns */
  function fromArmored(name, text, columns) {
    const bytes = fromBase64(text.split('\n').slice(1, -2).join(''));
    const what = name === 'PUBLIC KEY' ? 'a public key' : 'an SSH signature';
    check(armored(name, bytes, columns) === text, `it is not the text of ${what}`);
    return bytes;
  }
  /** Returns the members of a JSON text in UTF-8. @throws Refuted for bytes that are none */
  function membersOf(bytes, otherwise) {
    try {
      const text = new TextDecoder('utf-8', {
        fatal: true,
        ignoreBOM: true,
      }).decode(bytes);
      return Object(JSON.parse(text));
    } catch {
      throw new Refuted(otherwise);
    }
  }
  /** The fingerprint of a key as ssh-keygen prints it. */
  const fingerprintOf = async (key) => `SHA256:${base64(await digest('SHA-256', key)).replace(/=+$/, '')}`;
  /** Returns a positive integer of DER or SSH (RFC 4251, section 5) without the byte of its sign. @throws Refuted unless it is in its shortest form */
  function magnitude(integer) {
    const [first = 0, second = 0] = integer;
    check(
      integer.length > 0 && first < 128 && (first > 0 || second >= 128),
      'an integer is not positive or not in its shortest form',
    );
    return first === 0 ? integer.subarray(1) : integer;
  }
  /** Returns an ECDSA signature as WebCrypto takes it: r and s, of 32 bytes each. */
  function scalarPair(r, s) {
    const fixed = [r, s].map(magnitude).map((scalar) => {
      check(scalar.length <= 32, 'a number of the signature is too large');
      return joined(new Uint8Array(32 - scalar.length), scalar);
    });
    return joined(...fixed);
  }
  /**
   * Whether an encoded point is refused as a key or as the R of a signature: not in canonical form (y >= p), or of small order (y = 0, 1, -1 or, of
   * order 8, a root of 121665 y^4 - 243332 y^2 + 121666).
   */
  function isWeakPoint(point) {
    const p = 2n ** 255n - 19n;
    const y = Array.from(point).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) % 2n ** 255n;
    return y >= p || (y * (y * y - 1n) * (121665n * y ** 4n - 243332n * y * y + 121666n)) % p === 0n;
  }
  /** Ed25519 (RFC 8032), as strict as libsodium. Platforms refuse S >= L, but some take weak points. */
  async function verifiesEd25519(key, message, signature) {
    if (key.length !== 32 || signature.length !== 64 || isWeakPoint(key) || isWeakPoint(signature.subarray(0, 32))) return false;
    try {
      const imported = await crypto.subtle.importKey('raw', joined(key), 'Ed25519', false, ['verify']);
      return await crypto.subtle.verify('Ed25519', imported, joined(signature), joined(message));
    } catch {
      return false;
    }
  }
  /** @throws Refuted for a weak point */
  function ed25519Key(point) {
    check(point.length === 32 && !isWeakPoint(point), 'the key is not a point of large order');
    return (signature, data) => verifiesEd25519(point, data, signature);
  }
  /** Takes an uncompressed point of P-256; signatures are those of `scalarPair`, over SHA-256. @throws Refuted for another point */
  async function p256Key(point) {
    const algorithm = {
      name: 'ECDSA',
      namedCurve: 'P-256',
    };
    const isWhole = point.length === 65 && point[0] === 4;
    const key = await crypto.subtle.importKey('raw', joined(point), algorithm, false, ['verify']).catch(() => null);
    check(isWhole && key !== null, 'the key is not an uncompressed point of P-256');
    return (signature, data) =>
      crypto.subtle.verify(
        {
          name: 'ECDSA',
          hash: 'SHA-256',
        },
        key,
        joined(signature),
        joined(data),
      );
  }
  /** Returns what verifies signatures of an RSA key, by its exponent and modulus, with a hash. @throws Refuted for a weak key */
  function rsaKey(e, n, bits_min) {
    const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24;
    check(bits >= bits_min && bits <= rsa_bits_max, `an RSA key must have ${bits_min} to ${rsa_bits_max} bits`);
    const isOdd = ((e.at(-1) ?? 0) & (n.at(-1) ?? 0) & 1) === 1;
    // Browsers take no exponent of more than 33 bits.
    check(isOdd && e.length >= 3 && e.length <= 4, 'the RSA key has a weak exponent or modulus');
    const jwk = {
      kty: 'RSA',
      n: base64Url(n),
      e: base64Url(e),
    };
    return (hash) => async (signature, data) => {
      const algorithm = {
        name: 'RSASSA-PKCS1-v1_5',
        hash,
      };
      const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
      return signature.length === n.length && (await crypto.subtle.verify(algorithm, key, joined(signature), joined(data)));
    };
  }

  /**
   * Checks signatures of SSH keys over a message, as `ssh-keygen -Y verify` does (OpenSSH's PROTOCOL.sshsig; RFC 8709, RFC 5656 and RFC 8332 for the
   * keys, PROTOCOL.u2f for those of hardware). Only the canonical form of a key and of a signature is accepted.
   */
  const [signature_chars_max, key_chars_max] = [8e3, 4e3];
  const ssh_rsa_bits_min = 3072;
  /** Reads the strings of SSH (RFC 4251, section 5), each after its length. */
  function reader(bytes) {
    let at = 0;
    const take = (count) => {
      check(at + count <= bytes.length, 'it ends early');
      at += count;
      return bytes.subarray(at - count, at);
    };
    const number = () => take(4).reduce((sum, byte) => sum * 256 + byte, 0);
    const string = () => take(number());
    const text = () => String.fromCharCode(...string());
    return {
      take,
      number,
      string,
      text,
      end: () => check(at === bytes.length, 'it has bytes after its end'),
    };
  }
  /** Returns a string of SSH of fewer than 256 bytes. */
  const prefixed = (bytes) => joined([0, 0, 0, bytes.length], bytes);
  /** Returns what verifies signatures of a key, by the type that they name; for a hardware key, also what it signs for. */
  async function openKey(blob) {
    const { string, text, end } = reader(blob);
    const type = text();
    check(!type.includes('-cert-'), 'a certificate is not accepted: give the key itself');
    const open = new Map(Object.entries(readers)).get(type.replace(/^sk-(.*)@openssh\.com$/, '$1'));
    check(open !== undefined && type !== 'sk-ssh-rsa@openssh.com', `keys of type ${type} are not accepted`);
    const verifiers = await open(string, type);
    const application = type.startsWith('sk-') ? string() : null;
    end();
    return {
      type,
      verify: (name) => new Map(Object.entries(verifiers)).get(name),
      application,
    };
  }
  const readers = {
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
      return {
        'rsa-sha2-512': key('SHA-512'),
        'rsa-sha2-256': key('SHA-256'),
      };
    },
  };
  /** Reads the line of a file .pub, about which editors and mail leave white space. @throws Refuted for a key that is malformed, weak or of another type */
  async function readSshKey(line) {
    const [, name = '', encoded = ''] = /^\s*(\S+)[ \t]+(AAAA\S+)(?:[ \t].*)?\s*$/.exec(line.slice(0, key_chars_max + 1)) ?? [];
    check(line.length <= key_chars_max && encoded !== '', 'it is not the one line of an SSH public key (.pub)');
    const blob = fromBase64(encoded);
    check((await openKey(blob)).type === name, 'the line names another type than the key');
    return {
      key: `${name} ${encoded}`,
      fingerprint: await fingerprintOf(blob),
    };
  }
  /** @throws Refuted unless the key signed the message in the namespace, as `ssh-keygen -Y sign` does */
  async function checkSshSignature(key, message, signature, namespace) {
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

  /**
   * Checks assertions of passkeys (WebAuthn Level 3, section 7.2) over a message, whose SHA-256 is the challenge. The public key is the
   * SubjectPublicKeyInfo in PEM; only the canonical form of a key and of an assertion is accepted.
   */
  const pem_chars_max = 2e3;
  const part_chars_max = 4e3;
  /** Some platforms hold passkeys of 2048 bits in a TPM, and no longer ones. */
  const passkey_rsa_bits_min = 2048;
  /** How the DER of a key begins before its point: RFC 5480 and RFC 8410. */
  const es256_prefix = '3059301306072a8648ce3d020106082a8648ce3d030107034200';
  const eddsa_prefix = '302a300506032b6570032100';
  /** Returns what verifies signatures of a key: ES256, EdDSA or RS256. */
  async function openPasskey(der) {
    const hex = Array.from(der, (byte) => byte.toString(16).padStart(2, '0')).join('');
    if (hex.startsWith(eddsa_prefix)) return ed25519Key(der.subarray(eddsa_prefix.length / 2));
    if (!hex.startsWith(es256_prefix)) return await rs256Key(der);
    const verify = await p256Key(der.subarray(es256_prefix.length / 2));
    return (signature, data) => verify(rawSignature(signature), data);
  }
  async function rs256Key(der) {
    const algorithm = {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
    };
    const key = await crypto.subtle.importKey('spki', der, algorithm, true, ['verify']).catch(() => null);
    check(key !== null, 'the key is none of ES256, EdDSA and RS256');
    check(isSame(new Uint8Array(await crypto.subtle.exportKey('spki', key)), der), 'the key is not in canonical form');
    const { e = '', n = '' } = await crypto.subtle.exportKey('jwk', key);
    return rsaKey(fromBase64(e, base64Url), fromBase64(n, base64Url), passkey_rsa_bits_min)('SHA-256');
  }
  /** Returns r and s of an ECDSA signature in DER. */
  function rawSignature(der) {
    const r = der.subarray(4, 4 + (der[3] ?? 0));
    const s = der.subarray(6 + r.length);
    const isWhole = der[0] === 48 && der[1] === der.length - 2 && der[2] === 2 && der[4 + r.length] === 2;
    check(isWhole && der.length <= 72 && der[5 + r.length] === s.length, 'the signature is not the DER form of one');
    return scalarPair(r, s);
  }
  const keyBytes = (pem) => fromArmored('PUBLIC KEY', pem.slice(0, pem_chars_max), 64);
  /** Returns the fingerprint of a passkey's public key. @throws Refuted for one that is malformed, weak or of another algorithm */
  async function readPasskey(pem) {
    const der = keyBytes(pem);
    await openPasskey(der);
    return await fingerprintOf(der);
  }
  /** Flags of authenticator data (section 6.1). */
  const flag = {
    present: 1,
    verified: 4,
    backupEligible: 8,
    backedUp: 16,
    attested: 64,
    extended: 128,
  };
  /** @throws Refuted unless the authenticator verified its user; a key that cannot be backed up is not backed up (section 6.1.3) */
  function checkUser(flags) {
    const has = (bit) => (flags & bit) !== 0;
    check(has(flag.present) && has(flag.verified), 'the authenticator did not verify its user');
    check(has(flag.backupEligible) || !has(flag.backedUp), 'the flags of the authenticator contradict each other');
  }
  /**
   * Returns the origin of the page on which the person approved. Its host is the RP ID.
   * @throws Refuted unless the key signed the message, and the authenticator verified its user
   */
  async function checkAssertion(pem, message, assertion) {
    const { authenticator_data, client_data, signature } = assertion;
    check(
      [authenticator_data, client_data, signature].every(({ length }) => length <= part_chars_max),
      'the assertion is too long',
    );
    const [authenticator, client] = [fromBase64(authenticator_data, base64Url), fromBase64(client_data, base64Url)];
    const origin = pageOf(client, 'webauthn.get', base64Url(await digest('SHA-256', message)));
    const rpId = joined(await digest('SHA-256', bytesOf(new URL(origin).hostname)));
    check(isSame(authenticator.subarray(0, 32), rpId), 'the passkey signed for another site than its page');
    const flags = authenticator[32] ?? 0;
    const isWhole = (flags & flag.extended) === 0 ? authenticator.length === 37 : authenticator.length > 37;
    check(isWhole && (flags & flag.attested) === 0, 'the authenticator data is not that of an assertion');
    checkUser(flags);
    const verify = await openPasskey(keyBytes(pem));
    const signed = joined(authenticator, await digest('SHA-256', client));
    check(await verify(fromBase64(signature, base64Url), signed), 'the signature does not verify');
    return origin;
  }
  /** Returns the origin that the browser wrote into its part, which must be of this ceremony and hold its challenge. */
  function pageOf(client, ceremony, challenge) {
    const { type, challenge: signed, origin, crossOrigin = false } = membersOf(client, 'the client data is not JSON in UTF-8');
    const what = ceremony === 'webauthn.get' ? 'an assertion' : 'a registration';
    check(type === ceremony && crossOrigin === false, `the client data is not of ${what} on the page itself`);
    check(signed === challenge, 'the challenge is another one');
    const isOrigin = typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin;
    check(isOrigin && /^http(?:s:|:\/\/localhost(?::\d+)?$)/.test(origin), 'the page was not on https, and not on localhost');
    return origin;
  }

  /**
   * An approval of a result by the key of a person: what was signed, the subject, and the check that a key signed just that. It needs nothing
   * but what an export holds, and is the same in the program, in the verifier that is one file, and on its page.
   */
  const approval_schema = 'agent-cli-approval/1';
  /** The namespace of the signatures of SSH keys. */
  const approval_namespace = 'agent-cli-review';
  /** The time from the making of a subject to the record of its signature. */
  const approval_ms_max = 9e5;
  /** What every place says of an approval that is only the home's word. */
  const unsignedText = (name) => `recorded by the home for ${name}, not signed by a person's key`;
  /** What every place says of approvals that a file leaves out. */
  const leftOutText = (required) => `the file leaves out the signed approvals, of which ${required} were called for`;
  const subject_chars_max = 2e4;
  const texts = [
    'approver',
    'at',
    'decision',
    'identity',
    'key',
    'kind',
    'mission',
    'note',
    'origin',
    'request_hash',
    'result_hash',
  ];
  const members = [...texts, 'revision', 'schema'].sort();
  /** @throws Refuted for a text that is not exactly a subject */
  function readSubject(text) {
    check(text.length <= subject_chars_max, 'the signed text is too long');
    const subject = membersOf(bytesOf(text), 'the signed text is not JSON');
    const values = new Map(Object.entries(subject));
    const hasTexts = texts.every((name) => typeof values.get(name) === 'string' && String(values.get(name)).isWellFormed());
    check(hasTexts && Number.isSafeInteger(subject.revision), 'the signed text lacks a member of an approval');
    // Readers of other forms of a time disagree, also by where they are.
    const at_ms = Date.parse(subject.at);
    check(
      !Number.isNaN(at_ms) && new Date(at_ms).toISOString().replace('Z', '000Z') === subject.at,
      'the time of the signed text is not in canonical form',
    );
    check(
      JSON.stringify(subject) === text && [...values.keys()].join() === members.join(),
      'the signed text is not in canonical form',
    );
    check(subject.schema === approval_schema && subject.decision === 'approve', 'the signed text is not an approval');
    return subject;
  }
  /** Returns a key that may approve in its canonical form. @throws Refuted for one that is malformed or weak */
  const readKey = async (kind, key) =>
    kind === 'ssh'
      ? await readSshKey(key)
      : {
          key,
          fingerprint: await readPasskey(key),
        };
  /**
   * Returns what was signed, and for a passkey the page where.
   * @throws Refuted unless the key of the approval signed its subject, in which the approver and the key are named
   */
  async function checkApproval(approval) {
    const { approver, kind, key, fingerprint, subject: text, signature, authenticator_data = '', client_data = '' } = approval;
    const subject = readSubject(text);
    check(subject.approver === approver, 'the signed text names another approver');
    const known = await readKey(kind, key);
    const isNamed = subject.key === fingerprint && known.fingerprint === fingerprint && known.key === key;
    check(isNamed, 'the signed text names another key');
    const hasData = authenticator_data + client_data !== '';
    check(hasData || kind === 'ssh', 'the key is a passkey, which signs in the console');
    check(!hasData || kind === 'passkey', 'an SSH signature has no authenticator data');
    if (kind === 'passkey')
      return {
        subject,
        page: await checkAssertion(key, bytesOf(text), {
          authenticator_data,
          client_data,
          signature,
        }),
      };
    await checkSshSignature(key, bytesOf(text), signature, approval_namespace);
    return {
      subject,
      page: null,
    };
  }

  /**
   * The approvals of an export: that they are those which the signed entry counts, each signed by a key of a person for exactly this result. The same in
   * the program, in the verifier that is one file, and on its page.
   */
  /**
   * Returns what each person signed, in order.
   * @throws Refuted unless the approvals are those that the entry counts, no more and no fewer, each signed for exactly this result
   */
  async function checkApprovals(approvals, entry) {
    const { required, sha256 } = entry.document.approvals ?? {
      required: 0,
      sha256: [],
    };
    check(
      approvals.length === sha256.length && approvals.length >= required,
      'the approvals are not those that the entry counts',
    );
    const subjects = [];
    for (const [i, approval] of approvals.entries()) {
      const isText = Object.entries(approval).every(
        ([name, value]) => typeof value === 'string' || (name === 'title' && value === null),
      );
      check(isText, 'an approval has a member that is no text');
      const hash = await digest('SHA-256', bytesOf(JSON.stringify(approval, Object.keys(approval).sort())));
      check(hexOf(hash) === sha256[i], 'an approval is not the one that the entry counts');
      const { subject } = await checkApproval(approval);
      checkSubject(subject, entry);
      subjects.push(subject);
    }
    const people = [subjects.map(({ approver }) => approver), subjects.map(({ key }) => key)];
    check(
      people.every((names) => new Set(names).size === names.length),
      'one person approved twice',
    );
    const last = subjects.at(-1);
    if (last === undefined) return subjects;
    const { actor, note } = entry.document.review;
    check(last.approver === actor && last.note === note, 'the reviewer or the note is not the signed one');
    const age_ms = Date.parse(entry.time) - Date.parse(last.at);
    check(age_ms >= 0 && age_ms <= approval_ms_max, 'the approval was not recorded within 15 minutes');
    return subjects;
  }
  const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  /** @throws Refuted unless the subject is of the entry's mission and result, in a journal of its identity */
  function checkSubject(subject, { identity, mission, document }) {
    const { kind, request_hash, review } = document;
    const isOf = subject.mission === mission && subject.kind === kind && subject.request_hash === request_hash;
    check(isOf && subject.result_hash === review.result_hash, 'an approval is for another mission or result');
    const origin = `agent-journal/${identity.slice(-64, -48)}`;
    const isOwn =
      subject.origin === origin || (subject.origin.startsWith(`${origin}/`) && subject.origin.length === origin.length + 9);
    check(subject.identity === identity && isOwn, 'an approval is of another journal');
  }
  /**
   * Returns how many approved whom the verifier does not name.
   * @throws Refuted unless these people, by these keys, are among those who approved, and as many as demanded are
   */
  function checkApprovers(subjects, { approvers, required }) {
    const names = new Set(approvers.map(({ name }) => name));
    for (const name of names) {
      const own = subjects.find(({ approver }) => approver === name);
      check(own !== undefined, `the file holds no approval by ${name}`);
      const isKnown = approvers.some((known) => known.name === name && known.fingerprint === own.key);
      check(isKnown, `the approval by ${name} is by another key, ${own.key}`);
    }
    // Whom the verifier does not know, the issuer may have made up.
    const counted = approvers.length === 0 ? subjects.length : names.size;
    const whom = approvers.length === 0 ? '' : ' whom you name';
    check(counted >= required, `${counted} of ${required} approvals are signed by people${whom}`);
    return subjects.length - names.size;
  }

  return { checkApprovals, checkApprovers, leftOutText, readKey, unsignedText, verifiesEd25519 };
})();
// ---- end of approvals
/** A checkpoint (C2SP tlog-checkpoint in a signed note) that the key signed under an origin of its own; otherwise null. */
async function openCheckpoint(note, key) {
  const form =
    /^((agent-journal\/[\da-f]{16}(?:\/[\da-f]{8})?)\n(0|[1-9]\d{0,14})\n([^\n]+)\n(?:[^\n]+\n)*)\n((?:— [^\s+]+ \S+\n)+)$/u;
  const [, text, origin = '', size, root, end = ''] = form.exec(note) ?? [];
  const isOwn = origin.slice(14, 30) === hex(key).slice(0, 16) && unbase64(root).length === 32;
  return isOwn && (await hasSigned(key, origin, text, end)) ? { origin, size: Number(size), root } : null;
}
/** Whether the key signed the text of a note under a name: `end` are the note's signature lines. */
async function hasSigned(key, own, text, end) {
  const keyId = hex(await sha256(utf8(`${own}\n`), [1], key)).slice(0, 8);
  const lines = Array.from(end.matchAll(/— (\S+) (\S+)\n/gu), ([, name, blob]) => ({ name, blob: unbase64(blob) }));
  const owns = lines.filter(({ name, blob }) => name === own && hex(blob.slice(0, 4)) === keyId); // the others are witnesses'
  const verified = await Promise.all(owns.map(({ blob }) => verifiesEd25519(key, utf8(text), blob.slice(4))));
  const isPlain = !/[^\n -\u{10ffff}]/u.test(text + end); // control characters are not allowed in notes
  return isPlain && lines.every(({ blob }) => blob.length > 4) && owns.length > 0 && !verified.includes(false);
}
/** The root that siblings, from leaf to root, lead to (RFC 6962, 2.1.1). */
async function rootOf(leaf, index, size, siblings) {
  check(size === 1 ? siblings.length === 0 : siblings.length > 0, 'the proof is too short or too long');
  if (size === 1) return leaf;
  let left = 1; // leaves of the left half: the largest power of two below size
  while (left * 2 < size) left *= 2;
  if (index < left) return sha256([1], await rootOf(leaf, index, left, siblings.slice(0, -1)), siblings.at(-1));
  return sha256([1], siblings.at(-1), await rootOf(leaf, index - left, size - left, siblings.slice(0, -1)));
}
/** The checkpoint of a C2SP tlog-proof that shows the entry in the log as the leaf SHA-256(0x00 ‖ SHA-256(hash ‖ signature)). */
async function openProof(proof, index, hash, signature, key) {
  const split = proof.indexOf('\n\n');
  const past = (all, start, data) => (data === '' || unbase64(data).length > 0 ? start : all); // opaque data, which proves nothing
  const head = proof.slice(0, split).replace(/^(.*\n)extra (\S*)\n/, past);
  const [header, place, ...path] = head.split('\n');
  const isWhole = header === 'c2sp.org/tlog-proof@v1' && path.every((sibling) => unbase64(sibling).length === 32);
  check(isWhole && place === `index ${index}`, 'the proof is malformed or for another entry');
  const checkpoint = await openCheckpoint(proof.slice(split + 2), key);
  check(checkpoint !== null && index < checkpoint.size, 'the proof does not end in a checkpoint that this key signed');
  const root = await rootOf(await sha256([0], await sha256(hash, signature)), index, checkpoint.size, path.map(unbase64));
  check(hex(root) === hex(unbase64(checkpoint.root)), 'the proof does not lead to the root of its checkpoint');
  return checkpoint;
}
/** The file as `export` writes it around the signed texts, in two parts between which the request stands: nothing stands twice. */
function exportText({ approvals, newest, proof, public_key, receipt: signed, settlement: paid }) {
  const { canonical_body, canonical_result, hash, signature } = signed;
  const texts = `"canonical_body":${JSON.stringify(canonical_body)},"canonical_result":${JSON.stringify(canonical_result)}`;
  const receipt = `"receipt":{"body":${canonical_body},${texts},"hash":"${hash}","signature":"${signature}"}`;
  const people = approvals === undefined ? '' : `"approvals":${print(approvals)},`;
  const head = `{${people}${JSON.stringify({ newest, proof, public_key }).slice(1, -1)},${receipt},`;
  if (paid === undefined) return [head, '"schema":1}'];
  const body = `"body":${paid.canonical_body},"canonical_body":${JSON.stringify(paid.canonical_body)}`;
  const end = `"hash":${JSON.stringify(paid.hash)},"proof":${JSON.stringify(paid.proof)},"signature":${JSON.stringify(paid.signature)}`;
  return [head, `"schema":1,"settlement":{${body},${end}}}`];
}
const entryForm =
  /^\{"document":\{.*\},"identity":"[^"]*","incarnation":"[\da-f]{32}","mission":"[^"]*","previous":"[\da-f]{64}","schema":2,"sequence":\d+,"time":"\d{4}(?:-\d\d){2}T\d\d(?::\d\d){2}\.\d{6}Z","type":"[^"]*","version":\d+\}$/s;
/** The entry that the key signed, and its hash. */
async function openEntry({ canonical_body, hash, signature }, key) {
  const digest = await sha256(utf8(canonical_body));
  check(hex(digest) === hash, 'the hash is not that of the signed text');
  check(await verifiesEd25519(key, digest, unbase64(signature)), 'the signature does not verify');
  const entry = JSON.parse(canonical_body);
  check(entry.schema === 1 || print(entry) === canonical_body, 'the signed text is not in canonical form');
  check(entry.identity === `urn:agialpha:ed25519:${hex(key)}`, 'the signed text names another identity');
  const isForm = entryForm.test(canonical_body) && Object.keys(entry).length === 10;
  check(entry.schema === 1 ? entry.type === undefined : isForm, 'the signed text is not an entry');
  return { entry, digest };
}
/** What the signed entry must say of its result and of its request, whose text is `asked`. */
async function checkEntry({ schema, type, version, mission, document }, { canonical_body, canonical_result }, request, asked) {
  const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(mission);
  check(isUuid && (schema === 1 || (type === 'mission.completed' && version === 1)), 'the entry is not a completed mission');
  check(document?.state === 'completed', 'the mission is not completed');
  check(document.review?.approved === true, 'the review did not approve the result');
  check(document.review.result_hash === hex(await sha256(utf8(canonical_result))), 'the approved hash is not that of the result');
  check(print(document.result) === print(JSON.parse(canonical_result)), 'canonical_result is not the signed result');
  const isRepeated = schema === 1 && (request === undefined || canonical_body.includes(`"request":${asked},"request_hash":`));
  check(isRepeated || document.request_hash === hex(await sha256(utf8(asked))), 'the request is not the signed one');
  check((document.goal ?? request?.goal) === request?.goal, 'the goal is not that of the request');
  check((document.kind ?? request?.work?.kind) === request?.work?.kind, 'the kind is not that of the request');
}
/** What the signed entry of a payment must say, for the result and in the log of `answer`. Whether it was paid, the chain knows. */
async function checkSettlement(answer, settlement, key) {
  const { entry, digest } = await openEntry(settlement, key);
  const { schema, type, version, mission: stream, sequence } = entry;
  const document = Object(entry.document);
  const whole = (number) => BigInt(/^\d+$/.test(number) ? number : -1);
  check(schema === 2 && type === 'receipt.recorded' && version === 1, 'the settlement is not the entry of a receipt');
  const { mission, result_hash, chain_id, transaction_hash, log_index, environment, block_number, verified_at_block } = document;
  const isOfResult = mission === answer.entry.mission && result_hash === answer.entry.document.review.result_hash;
  check(isOfResult && sequence > answer.entry.sequence, 'the settlement is for another result');
  const isNamed = stream === `@receipt:${chain_id}:${transaction_hash}:${log_index}`;
  check(isNamed, 'the settlement is not on the stream of its transfer');
  const [amount, bps, earmark] = [document.amount_units, document.reinvest_bps, document.earmark_units].map(whole);
  const isEarmark = earmark === (amount * bps) / 10_000n && amount > 0n;
  const isPlace = (environment === 'mainnet') === (chain_id === 1) && block_number <= verified_at_block;
  const isToken = document.token === '0xA61a3B3a130a9c20768EEBF97E21515A6046a1fA' && document.executed === false;
  check(isEarmark && isPlace && isToken, 'the settlement contradicts itself');
  const { origin, size, root } = await openProof(settlement.proof, sequence - 1, digest, unbase64(settlement.signature), key);
  const own = answer.checkpoint ?? { origin, size, root };
  const isSame = own.origin === origin && own.size === size && own.root === root;
  check(isSame, 'the settlement is proven under another checkpoint than the result');
  answer.settlement = document;
  answer.lines.push('✓ this key recorded a payment for this result', '? only the chain can say whether it still has the payment');
}
/** The note `agent-newest/1`: in the log of `answer`, the entry was the newest of its mission. */
async function checkNewest({ checkpoint, entry }, note, hash, key) {
  if (note === undefined) return '? the export leaves open whether anything followed on the mission';
  const { origin, size, root } = checkpoint ?? {};
  const text = ['agent-newest/1', origin, size, root, entry.mission, entry.sequence, hash, ''].join('\n');
  const said = note.startsWith(text) ? note.slice(text.length) : '';
  const [, count, end] = /^([1-9]\d{0,14})\n\n((?:— [^\s+]+ \S+\n)+)$/u.exec(said) ?? [];
  const isSigned = count <= entry.sequence && (await hasSigned(key, origin, `${text}${count}\n`, end));
  check(isSigned, 'the note of the newest entry is not one of this entry, checkpoint and key');
  return `✓ it was then the newest of ${count} entries of the mission`;
}
/** The approvals that people signed, and those whom `people` demands. */
async function checkPeople({ entry, lines }, approvals, { approvers = [], required = 0 }) {
  const { review, approvals: counted } = entry.document;
  const isList = approvals === undefined || (Array.isArray(approvals) && approvals.every((each) => Object(each) === each));
  check(isList && approvals?.length !== 0, 'the approvals are not a list of them', 'unusable');
  const isLeftOut = approvals === undefined && counted !== undefined;
  const subjects = isLeftOut ? [] : await checkApprovals(approvals ?? [], entry);
  const unnamed = checkApprovers(subjects, { approvers, required });
  const said = subjects.map(({ approver, key, at, note }) => `✓ ${approver} approved it at ${at} with the key ${key}: ${note}`);
  if (counted === undefined) said.push(`? ${unsignedText(review.actor)}`);
  else said.push(isLeftOut ? `? ${leftOutText(counted.required)}` : `✓ approvals called for: ${counted.required}`);
  if (unnamed > 0) said.push('? without a key from you, a name is the word of the issuer');
  lines.push(...said);
}
/** All checks in order. */
async function checkExport(answer, bytes, publicKey, note, people) {
  const isHash = (text) => /^[0-9a-f]{64}$/.test(text);
  check(isHash(publicKey), 'the public key must be 64 lower-case hexadecimal digits', 'unusable');
  check(bytes.length <= 2 * 1024 * 1024, 'the file is too large for an export', 'unusable');
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const file = Object(JSON.parse(text));
  const { schema, public_key, receipt, request, proof, newest, settlement, approvals, ...more } = file;
  const { canonical_body, canonical_result, hash, signature } = Object(receipt);
  const { body, ...paid } = Object(settlement ?? { body: 0, canonical_body: '', hash, proof: '', signature: '' });
  const notes = [proof ?? '', newest ?? ''];
  const texts = [public_key, hash, signature, canonical_body, canonical_result, ...notes, ...Object.values(paid)];
  const areTexts = texts.every((each) => typeof each === 'string' && each.isWellFormed()) && isHash(public_key) && isHash(hash);
  const isPaid =
    settlement !== null && body !== undefined && Object.keys(paid).sort().join() === 'canonical_body,hash,proof,signature';
  const isWhole = schema === 1 && areTexts && isPaid && Object.keys({ ...receipt, ...more }).length === 5;
  check(isWhole, 'the file is not a whole export', 'unusable');
  check(public_key === publicKey, 'the file names another public key');
  const key = Uint8Array.from(publicKey.match(/../g), (byte) => Number.parseInt(byte, 16));
  const { entry, digest } = await openEntry(receipt, key);
  answer.entry = entry;
  answer.lines.push('✓ this key signed the hash of the entry');
  const [head, tail] = exportText(file);
  const isRead = print({ ...JSON.parse(head + tail), request }) === print({ ...file, request });
  check(isRead, 'the readable part is not what was signed');
  const asked = text.trimEnd().slice(head.length + '"request":'.length, -tail.length - 1); // "request":… stands before "schema":1
  const plain = entry.schema === 1 ? asked.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1') : print(request);
  const whole = head + (request === undefined ? '' : `"request":${plain},`) + tail;
  check(text.trimEnd() === whole, 'the file was written anew, not byte for byte as the agent did: take the original', 'unusable');
  await checkEntry(entry, receipt, request, asked);
  answer.lines.push('✓ the readable part is what was signed', '✓ the mission is completed, its review approved this result');
  check(proof !== undefined || entry.schema === 1, 'the proof is missing');
  if (proof !== undefined) answer.checkpoint = await openProof(proof, entry.sequence - 1, digest, unbase64(signature), key);
  if (proof !== undefined) answer.lines.push(`✓ the entry is in the signed log of ${answer.checkpoint.size} entries`);
  await checkPeople(answer, approvals, people);
  answer.lines.push(await checkNewest(answer, newest, hash, key), '? the result was not recomputed; agent-cli verify-export can');
  if (settlement !== undefined) await checkSettlement(answer, settlement, key);
  const [own, other] = [answer.checkpoint, note === null ? null : await openCheckpoint(note, key)];
  check(note === null || other !== null, 'the checkpoint file is not one that this key signed');
  const isSameSize = other !== null && own?.origin === other.origin && own.size === other.size;
  check(!isSameSize || own.root === other.root, 'the export and the checkpoint are of two different logs (a fork)');
  if (isSameSize) answer.lines.push('✓ the given checkpoint is of the same log');
  else if (note !== null) answer.lines.push('? the given checkpoint has another size or origin: this file alone cannot tell');
}
/** `verdict` is valid, refuted or unusable; `entry` is what was signed. */
async function verifyExport(bytes, publicKey, note = null, people = {}) {
  const answer = { lines: [], entry: null, checkpoint: null, settlement: null };
  const fault = await checkExport(answer, bytes, publicKey, note, people).catch((error) => error);
  const reason = fault && (fault.cause ? fault.message : 'neither a whole export (.json) nor a whole report (.html)');
  return { ...answer, reason: reason ?? null, verdict: fault === undefined ? 'valid' : (fault.cause ?? 'unusable') };
}
// ---- command line
const usage = 'node verify-export.mjs FILE --public-key HEX [--checkpoint FILE] [--approver NAME=KEY] [--approvals-required N]';
/** Somebody whom the verifier knows: NAME=SHA256:…, or NAME= and the file of a public key. */
async function known(given) {
  const [, name, key] = /^([^=]+)=(SHA256:[A-Za-z0-9+/]{43}|(?!SHA256:)[^]+)$/.exec(given) ?? [];
  check(name !== undefined, '--approver must be NAME=FILE.pub or NAME=SHA256:…');
  if (key.startsWith('SHA256:')) return { name, fingerprint: key };
  const text = readFileSync(key, 'utf8');
  return { name, ...(await readKey(text.startsWith('-----') ? 'passkey' : 'ssh', text)) };
}
/** What was asked, and what of it was approved. */
function told({ mission, document, time_ns }, { request = document.request }) {
  const { kind = request?.work?.kind, goal = request?.goal, review } = document;
  const at = review.at ?? new Date(time_ns / 1e6).toISOString();
  const asked = [`kind: ${kind}`, `goal: ${goal}`, `approved by ${review.actor} at ${at}: ${review.note}`];
  return [...asked, `valid: mission ${mission}, result ${review.result_hash}`];
}
/** A text without what acts on a terminal or is not seen: its code point is. */
const shown = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (each) => `<U+${each.codePointAt(0).toString(16).toUpperCase()}>`);
try {
  const option = { type: 'string' };
  const more = { approver: { ...option, multiple: true, default: [] }, 'approvals-required': { ...option, default: '0' } };
  const options = { 'public-key': option, checkpoint: option, ...more };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  check(positionals.length === 1, 'one FILE is needed');
  const note = values.checkpoint === undefined ? null : readFileSync(values.checkpoint, 'utf8');
  const bytes = readFileSync(positionals[0]);
  // A report holds an export, in which some signs are escapes. What it says besides is not checked here.
  const report = /^<!doctype html>[^]*\n\{"renderer":\d+,"export":([^]*)\}\n<\/script>\n/.exec(bytes.toString('utf8'));
  const sign = (escape, code) => (code === undefined ? escape : String.fromCharCode(Number.parseInt(code, 16)));
  const held = report === null ? bytes : Buffer.from(report[1].replace(/\\(?:u(003c|2028|2029)|[^])/g, sign));
  const people = { approvers: await Promise.all(values.approver.map(known)), required: Number(values['approvals-required']) };
  check(/^(?:\d\d?|100)$/.test(values['approvals-required']), '--approvals-required must be from 0 to 100'); // an empty one demands nothing
  const { verdict, reason, lines, entry } = await verifyExport(held, values['public-key'], note, people);
  if (report !== null)
    lines.push('? only agent-cli and verify-export.html can tell whether the text of the report is that of its export');
  lines.push(...(reason === null ? told(entry, JSON.parse(held.toString('utf8'))) : [`✗ ${reason}`]));
  console.log(lines.map(shown).join('\n'));
  process.exitCode = { valid: report === null ? 0 : 7, refuted: 3, unusable: 2 }[verdict];
} catch (error) {
  console.error(`${error.message}\nusage: ${usage}`);
  process.exitCode = 2;
}
