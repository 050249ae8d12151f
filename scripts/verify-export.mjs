#!/usr/bin/env node
// node verify-export.mjs FILE --public-key HEX [--checkpoint FILE]: verifies an export offline, with Node 20 or later alone and a
// key from a source that you trust. Exit 0: valid, 3: not, 2: nothing to check. `agent-cli verify-export` does more.
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
// Ed25519 (RFC 8032), as strict as libsodium. Platforms refuse S >= L, but some take what is refused here: a key or an R that is
// not in canonical form (y >= p) or of small order (y = 0, 1, -1 or, of order 8, a root of 121665 y^4 - 243332 y^2 + 121666).
async function verifies(key, message, signature) {
  const p = 2n ** 255n - 19n;
  const isWeak = (point) => {
    const y = BigInt(`0x${hex(point.toReversed())}`) % 2n ** 255n;
    return y >= p || (y * (y * y - 1n) * (121665n * y ** 4n - 243332n * y * y + 121666n)) % p === 0n;
  };
  if (signature.length !== 64 || isWeak(key) || isWeak(signature.slice(0, 32))) return false;
  const imported = crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  return imported.then((point) => crypto.subtle.verify('Ed25519', point, signature, message)).catch(() => false);
}
/** A checkpoint (C2SP tlog-checkpoint in a signed note) that the key signed under an origin of its own; otherwise null. */
async function openCheckpoint(note, key) {
  const form = /^((agent-journal\/[\da-f]{16}(?:\/[\da-f]{8})?)\n(0|[1-9]\d{0,14})\n(.+)\n(?:.+\n)*)\n((?:— [^\s+]+ \S+\n)+)$/u;
  const [, text, origin = '', size, root, end = ''] = form.exec(note) ?? [];
  const isOwn = origin.slice(14, 30) === hex(key).slice(0, 16) && unbase64(root).length === 32;
  return isOwn && (await hasSigned(key, origin, text, end)) ? { origin, size: Number(size), root } : null;
}
/** Whether the key signed the text of a note under a name: `end` are the note's signature lines. */
async function hasSigned(key, own, text, end) {
  const keyId = hex(await sha256(utf8(`${own}\n`), [1], key)).slice(0, 8);
  const lines = Array.from(end.matchAll(/— (\S+) (\S+)\n/gu), ([, name, blob]) => ({ name, blob: unbase64(blob) }));
  const owns = lines.filter(({ name, blob }) => name === own && hex(blob.slice(0, 4)) === keyId); // the others are witnesses'
  const verified = await Promise.all(owns.map(({ blob }) => verifies(key, utf8(text), blob.slice(4))));
  return lines.every(({ blob }) => blob.length > 4) && owns.length > 0 && !verified.includes(false);
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
/**
 * The file as `export` writes it around the signed texts, in two parts between which the request stands: nothing may stand twice, or
 * otherwise than signed.
 */
function exportText({ newest, proof, public_key, receipt: signed, settlement: paid }) {
  const { canonical_body, canonical_result, hash, signature } = signed;
  const texts = `"canonical_body":${JSON.stringify(canonical_body)},"canonical_result":${JSON.stringify(canonical_result)}`;
  const receipt = `"receipt":{"body":${canonical_body},${texts},"hash":"${hash}","signature":"${signature}"}`;
  const head = `${JSON.stringify({ newest, proof, public_key }).slice(0, -1)},${receipt},`;
  if (paid === undefined) return [head, '"schema":1}'];
  const body = `"body":${paid.canonical_body},"canonical_body":${JSON.stringify(paid.canonical_body)}`;
  const end = `"hash":${JSON.stringify(paid.hash)},"proof":${JSON.stringify(paid.proof)},"signature":${JSON.stringify(paid.signature)}`;
  return [head, `"schema":1,"settlement":{${body},${end}}}`];
}
/** The entry that the key signed, and its hash. */
async function openEntry({ canonical_body, hash, signature }, key) {
  const digest = await sha256(utf8(canonical_body));
  check(hex(digest) === hash, 'the hash is not that of the signed text');
  check(await verifies(key, digest, unbase64(signature)), 'the signature does not verify');
  const entry = JSON.parse(canonical_body);
  check(entry.schema === 1 || print(entry) === canonical_body, 'the signed text is not in canonical form');
  check(entry.identity === `urn:agialpha:ed25519:${hex(key)}`, 'the signed text names another identity');
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
async function checkNewest({ checkpoint, entry, lines }, note, hash, key) {
  const { origin, size, root } = checkpoint ?? {};
  const text = ['agent-newest/1', origin, size, root, entry.mission, entry.sequence, hash, ''].join('\n');
  const said = note.startsWith(text) ? note.slice(text.length) : '';
  const [, count, end] = /^([1-9]\d{0,14})\n\n((?:— [^\s+]+ \S+\n)+)$/u.exec(said) ?? [];
  const isSigned = count <= entry.sequence && (await hasSigned(key, origin, `${text}${count}\n`, end));
  check(isSigned, 'the note of the newest entry is not one of this entry, checkpoint and key');
  lines.push(`✓ it was then the newest of ${count} entries of the mission`);
}
/** All checks in order. */
async function checkExport(answer, bytes, publicKey, note) {
  const isHash = (text) => /^[0-9a-f]{64}$/.test(text);
  check(isHash(publicKey), 'the public key must be 64 lower-case hexadecimal digits', 'unusable');
  check(bytes.length <= 2 * 1024 * 1024, 'the file is too large for an export', 'unusable');
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const file = Object(JSON.parse(text));
  const { schema, public_key, receipt, request, proof, newest, settlement, ...more } = file;
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
  if (newest !== undefined) await checkNewest(answer, newest, hash, key);
  if (settlement !== undefined) await checkSettlement(answer, settlement, key);
  const [own, other] = [answer.checkpoint, note === null ? null : await openCheckpoint(note, key)];
  check(note === null || other !== null, 'the checkpoint file is not one that this key signed');
  const isSameSize = other !== null && own?.origin === other.origin && own.size === other.size;
  check(!isSameSize || own.root === other.root, 'the export and the checkpoint are of two different logs (a fork)');
  if (isSameSize) answer.lines.push('✓ the given checkpoint is of the same log');
  else if (note !== null) answer.lines.push('? the given checkpoint has another size or origin: this file alone cannot tell');
}
/** `verdict` is valid, refuted or unusable; `entry` is what was signed. */
async function verifyExport(bytes, publicKey, note = null) {
  const answer = { lines: [], entry: null, checkpoint: null, settlement: null };
  const fault = await checkExport(answer, bytes, publicKey, note).catch((error) => error);
  const reason = fault && (fault.cause === undefined ? `the text is not JSON in UTF-8 (${fault.name})` : fault.message);
  return { ...answer, reason: reason ?? null, verdict: fault === undefined ? 'valid' : (fault.cause ?? 'unusable') };
}
// ---- command line
try {
  const options = { 'public-key': { type: 'string' }, checkpoint: { type: 'string' } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  check(positionals.length === 1, 'one FILE is needed');
  const note = values.checkpoint === undefined ? null : readFileSync(values.checkpoint, 'utf8');
  const bytes = readFileSync(positionals[0]);
  // A report holds an export, in which some signs are escapes. What it says besides is not checked here.
  const report = /^<!doctype html>[^]*\n\{"renderer":\d+,"export":([^]*)\}\n<\/script>\n/.exec(bytes.toString('utf8'));
  const sign = (escape, code) => (code === undefined ? escape : String.fromCharCode(Number.parseInt(code, 16)));
  const held = report === null ? bytes : Buffer.from(report[1].replace(/\\(?:u(003c|2028|2029)|[^])/g, sign));
  const { verdict, reason, lines, entry } = await verifyExport(held, values['public-key'], note);
  if (report !== null)
    lines.push('? only agent-cli and verify-export.html can tell whether the text of the report is that of its export');
  const end = reason === null ? `valid: mission ${entry.mission}, result ${entry.document.review.result_hash}` : `✗ ${reason}`;
  console.log([...lines, end].join('\n'));
  process.exitCode = { valid: report === null ? 0 : 7, refuted: 3, unusable: 2 }[verdict];
} catch (error) {
  console.error(`${error.message}\nusage: node verify-export.mjs FILE --public-key HEX [--checkpoint FILE]`);
  process.exitCode = 2;
}
