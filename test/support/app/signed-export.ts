/** Exports whose one entry the right key signed, whatever it says. */
import { sha256Hex, toBase64 } from '../../../src/base/bytes.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { signerFromSeed } from '../../../src/journal/keys.js';
import { originOf, signCheckpoint, signNote } from '../../../src/journal/note.js';
import { formatProof } from '../../../src/journal/proof.js';
import { leafOf } from '../../../src/journal/tree.js';
import { documents } from '../codec/given-events.js';
import { uuidOf } from './temporary-home.js';

export const signer = signerFromSeed(Buffer.alloc(32, 9));
const request = { goal: 'try', work: { kind: 'forecast' } };
const result = { forecast: [1, 2] };

export interface SignedChanges {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly document?: Readonly<Record<string, unknown>>;
  /** The signed text, from the canonical one. */
  readonly text?: (canonical: string) => string;
  readonly proof?: (proof: string) => string;
}

/** An export whose log holds this one entry. */
export function signedExport({ body, document, text = (t) => t, proof = (p) => p }: SignedChanges = {}): Record<string, unknown> {
  const review = { ...documents['mission.completed'].review, result_hash: sha256Hex(canonicalJson(result)) };
  const hashes = { request_hash: sha256Hex(canonicalJson(request)) };
  const whole = {
    document: { ...documents['mission.completed'], result, review, ...hashes, ...document },
    identity: signer.identity,
    incarnation: '0f'.repeat(16),
    mission: uuidOf(1),
    previous: '0'.repeat(64),
    schema: 2,
    sequence: 1,
    time: '2026-11-20T05:00:00.000000Z',
    type: 'mission.completed',
    version: 1,
    ...body,
  };
  const canonical_body = text(canonicalJson(whole));
  const hash = sha256Hex(canonical_body);
  const signature = toBase64(signer.sign(Buffer.from(hash, 'hex')));
  const root = leafOf(hash, signature);
  const note = signCheckpoint(signer, originOf(signer.publicKey, null), 1, root);
  return {
    schema: 1,
    public_key: signer.publicKey.toString('hex'),
    receipt: { body: whole, canonical_body, canonical_result: canonicalJson(whole.document.result), hash, signature },
    request,
    proof: proof(formatProof(0, [], note)),
  };
}

/** A proof under a checkpoint with another line, which the key signed. */
export const extended = (line: string): SignedChanges => ({
  proof: (proof) => {
    const [head, text] = proof.split('\n\n');
    return `${head}\n\n${signNote(signer, originOf(signer.publicKey, null), `${text}\n${line}\n`)}`;
  },
});

/** What is signed and not valid, and the app's reason. */
export const signedCases: readonly (readonly [string, SignedChanges, RegExp])[] = [
  ['another type', { body: { type: 'mission.rejected' } }, /^the entry is a mission\.rejected/],
  ['a type to come', { body: { type: 'mission.completed2' } }, /^the entry is a mission\.completed2/],
  ['a version to come', { body: { version: 2 } }, /^version 2 of the entry is not known/],
  ['a schema to come', { body: { schema: 3 } }, /^the body does not decode: schema/],
  ['a time of another form', { body: { time: 'yesterday' } }, /^the body does not decode: time/],
  ['the control stream', { body: { mission: '@control' } }, /not on a mission stream/],
  ['a stream in capitals', { body: { mission: uuidOf(10).toUpperCase() } }, /not on a mission stream/],
  ['an unknown member', { document: { surplus: 1 } }, /^the entry does not decode: surplus/],
  ['another state', { document: { state: 'review' } }, /^the entry does not decode: state/],
  ['no approval', { document: { review: { ...documents['mission.completed'].review, approved: false } } }, /did not approve/],
  ['another result', { document: { result: { forecast: [1, 3] } } }, /^the approved hash is not that of the result/],
  ['another request', { document: { request_hash: 'ab'.repeat(32) } }, /^the request does not match/],
  ['a goal that was not asked for', { document: { goal: 'other' } }, /^the goal is not that of the request/],
  ['a kind that was not asked for', { document: { kind: 'schedule' } }, /^the kind is not that of the request/],
  ['a request hash of another form', { document: { request_hash: 'x' } }, /^the entry does not decode: request_hash/],
  ['a text with spaces', { text: (t) => t.replace('{', '{ ') }, /not in canonical form/],
  ['another order of members', { text: (t) => `{"version":1,${t.slice(1, -',"version":1}'.length)}}` }, /not in canonical form/],
  ['a duplicate member', { text: (t) => `${t.slice(0, -1)},"version":1}` }, /strict JSON|canonical/],
  ['a member beside the document', { body: { 'document\u0000': {} } }, /does not decode: document.*unknown member/],
  ['a checkpoint with a control character', extended('a\tb'), /does not lead/],
  ['another identity', { body: { identity: `urn:agialpha:ed25519:${'0'.repeat(64)}` } }, /another identity/],
  ['another sequence', { body: { sequence: 2 } }, /^the proof is for another entry/],
  ['a proof of another form', { proof: (p) => p.replace('@v1', '@v2') }, /^the proof of inclusion is malformed/],
  [
    'a proof with a sibling too many',
    { proof: (p) => p.replace('index 0\n', `index 0\n${toBase64(Buffer.alloc(32))}\n`) },
    /does not lead/,
  ],
  ['a checkpoint of another root', { proof: (p) => p.replace('\n1\n', '\n2\n') }, /does not lead/],
];
