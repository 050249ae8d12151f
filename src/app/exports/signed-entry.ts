/** Checks one journal entry of an export: its hash, signature and identity, its readable copy, and its place in the log. */
import { fromBase64 } from '../../base/bytes.js';
import { sha256Hex } from '../../base/hash.js';
import type { JsonNode } from '../../base/json.js';
import { isRefused } from '../../base/result.js';
import { decodeBody, type Body } from '../../codec/entry.js';
import { identityOf, verifySignature } from '../../journal/keys.js';
import type { Checkpoint } from '../../journal/note.js';
import { openProof, readProof } from '../../journal/proof.js';
import { leafOf } from '../../journal/tree.js';
import { refute } from './refuted.js';
import { asComputed, asWritten, checkReadableCopy, rebuild } from './signed-text.js';

interface Signature {
  readonly hash: string;
  readonly signature: string;
}

/** The readable copy of an entry, and the text of the file that holds it. */
interface Copy {
  readonly readable: JsonNode | undefined;
  readonly text: string;
}

export interface SignedEntry {
  readonly body: Body;
  /** The text that was signed. */
  readonly bodyText: string;
}

/** Checks that the key signed an entry of its own journal, and that the readable copy says the same. @throws Refuted */
export function checkSigned(
  { canonical_body, hash, signature }: Signature & { readonly canonical_body?: string | undefined },
  { readable, text }: Copy,
  publicKey: Buffer,
): SignedEntry {
  const bodyText = canonical_body ?? rebuild(readable, text);
  if (sha256Hex(bodyText) !== hash) refute('the hash is not that of the body');
  const signed = fromBase64(signature);
  if (signed === null || !verifySignature(publicKey, Buffer.from(hash, 'hex'), signed)) refute('the signature does not verify');
  const body = decodeBody(bodyText);
  if (isRefused(body)) return refute(`the body does not decode: ${body.left.detail}`);
  if (body.right.identity !== identityOf(publicKey)) refute('the body names another identity');
  checkReadableCopy(readable, text, bodyText, body.right.schema === 1 ? asWritten : asComputed);
  return { body: body.right, bodyText };
}

/** Checks a proof of inclusion of the entry with this sequence; returns the checkpoint to which it leads. @throws Refuted */
export function checkProof(
  text: string,
  { sequence, hash, signature }: Signature & { readonly sequence: number },
  publicKey: Buffer,
): Checkpoint {
  const proof = readProof(text);
  if (proof === null) return refute('the proof of inclusion is malformed');
  if (proof.index !== sequence - 1) refute('the proof is for another entry');
  const checkpoint = openProof(proof, leafOf(hash, signature), publicKey);
  return checkpoint ?? refute('the proof of inclusion does not lead to a checkpoint that this key signed');
}
