/**
 * `verify-proof`: checks a proof with the log's key and the verifier's data about the entry; no home required. A proof alone says
 * nothing about an entry: it only places a leaf, for example that of the verifier's export, in the log.
 */
import { fromBase64, fromHex } from '../../base/bytes.js';
import { invalid, RefusalError } from '../../base/refusal.js';
import { readInputText } from '../../home/files.js';
import { readAddCheckpoint } from '../../journal/cosignature.js';
import { verifySignature, readPublicKey } from '../../journal/keys.js';
import { hash_bytes, isConsistent, leafOfBytes, rootFromInclusion, sameBytes } from '../../journal/merkle.js';
import { type Checkpoint, note_type, openCheckpoint, readVerifierKey } from '../../journal/note.js';
import { readProof } from '../../journal/proof.js';
import { Refuted } from '../../base/web-crypto.js';
import { checkExport, readExport, type ReadExport } from './verify-export.js';

const proof_file_bytes_max = 65_536;

export interface VerifyProofOptions {
  readonly file: string;
  /** Exactly one of `publicKey` (64 hexadecimal digits) and `vkey` (a verifier key, which also fixes the origin). */
  readonly publicKey?: string | undefined;
  readonly vkey?: string | undefined;
  /**
   * One of these: `HASH:SIGNATURE` of the entry, its leaf hash in hex, or an export; for a proof of growth, an older checkpoint.
   */
  readonly entry?: string | undefined;
  readonly leaf?: string | undefined;
  readonly export?: string | undefined;
  readonly against?: string | undefined;
}

export interface ProofVerdict {
  readonly valid: boolean;
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  /** Index of the entry, from 0; null for a proof of growth. */
  readonly index: number | null;
  /** Size of the older checkpoint; null for a proof of inclusion. */
  readonly from: number | null;
  /** What failed. */
  readonly reason: string | null;
}

interface LogKey {
  readonly publicKey: Buffer;
  /** The only origin that the key may sign under; null to allow any origin of the key. */
  readonly origin: string | null;
}

/**
 * Verifies a proof. A proof that does not hold returns a verdict; a file or option that makes no sense is refused.
 * @throws RefusalError
 */
export async function verifyProof(options: VerifyProofOptions): Promise<ProofVerdict> {
  const key = readKey(options);
  const text = readInputText(options.file, proof_file_bytes_max);
  return text.startsWith('old ') ? verifyGrowth(text, options, key) : verifyInclusion(text, options, key);
}

function readKey({ publicKey, vkey }: VerifyProofOptions): LogKey {
  if ((publicKey === undefined) === (vkey === undefined))
    throw new RefusalError(invalid('', 'name the key of the log with either --public-key or --vkey'));
  if (vkey !== undefined) {
    const read = readVerifierKey(vkey, note_type);
    if (typeof read === 'string') throw new RefusalError(invalid('vkey', read));
    return { publicKey: read.publicKey, origin: read.name };
  }
  return { publicKey: readPublicKey(publicKey ?? ''), origin: null };
}

/** Returns the checkpoint if the log's key signed it under an origin of that key, or null. */
const open = ({ note, origin }: Checkpoint, key: LogKey): Checkpoint | null =>
  key.origin === null || key.origin === origin ? openCheckpoint(note, key.publicKey) : null;

const unsigned = "the checkpoint is not signed by this log's key";

async function verifyInclusion(text: string, options: VerifyProofOptions, key: LogKey): Promise<ProofVerdict> {
  if (options.against !== undefined)
    throw new RefusalError(
      invalid('against', 'belongs to a proof of growth; this is one of inclusion: give --entry, --leaf or --export'),
    );
  const proof = readProof(text);
  if (proof === null)
    throw new RefusalError('malformed', `${options.file} holds neither a C2SP tlog-proof nor a proof of growth`);
  const leaf = await readLeaf(options, key.publicKey);
  const { origin, size, root } = proof.checkpoint;
  const said = { origin, size, root: root.toString('hex'), index: proof.index, from: null };
  const no = (reason: string): ProofVerdict => ({ ...said, valid: false, reason });
  if (open(proof.checkpoint, key) === null) return no(unsigned);
  if (typeof leaf === 'string') return no(leaf);
  const computed = rootFromInclusion(leaf, proof.index, size, proof.path);
  if (computed === null || !sameBytes(computed, root)) return no('the proof does not lead from this entry to the signed root');
  return { ...said, valid: true, reason: null };
}

/** Returns the leaf hash of the entry, or why the given data is not an entry of this log's key. */
async function readLeaf({ entry, leaf, export: file }: VerifyProofOptions, publicKey: Buffer): Promise<Buffer | string> {
  if ([entry, leaf, file].filter((given) => given !== undefined).length !== 1)
    throw new RefusalError(
      invalid('', 'name the entry with one of --entry, --leaf and --export: a proof alone says nothing about any entry'),
    );
  if (leaf !== undefined) {
    const bytes = fromHex(leaf);
    if (bytes?.length === hash_bytes) return bytes;
    throw new RefusalError(invalid('leaf', 'must be 64 lower-case hexadecimal digits'));
  }
  if (file !== undefined) return leafOfExport(readExport(file), publicKey);
  const [hash = '', signature = '', ...more] = (entry ?? '').split(':');
  const shaped = fromHex(hash)?.length === hash_bytes && fromBase64(signature)?.length === 64 && more.length === 0;
  if (!shaped)
    throw new RefusalError(invalid('entry', 'must be HASH:SIGNATURE, 64 hexadecimal digits and base64, as an export has them'));
  return leafOfEntry(hash, signature, publicKey) ?? unsignedEntry;
}

const unsignedEntry = "the entry is not signed by this log's key";

function leafOfEntry(hash: string, signature: string, publicKey: Buffer): Buffer | null {
  const [hashBytes, signatureBytes] = [fromHex(hash), fromBase64(signature)];
  if (hashBytes === null || signatureBytes === null || !verifySignature(publicKey, hashBytes, signatureBytes)) return null;
  return leafOfBytes(hashBytes, signatureBytes);
}

/**
 * Returns the leaf hash of an export's entry. The file must hold what was signed, as `verify-export` checks it: its hash and
 * signature alone prove no content.
 */
async function leafOfExport(read: ReadExport, publicKey: Buffer): Promise<Buffer | string> {
  try {
    await checkExport(read, publicKey);
  } catch (error) {
    if (error instanceof Refuted) return `the export does not verify: ${error.message}`;
    throw error;
  }
  const { hash, signature } = read.export.receipt;
  return leafOfEntry(hash, signature, publicKey) ?? unsignedEntry;
}

function verifyGrowth(text: string, options: VerifyProofOptions, key: LogKey): ProofVerdict {
  if (options.against === undefined)
    throw new RefusalError(invalid('against', 'is required: the older checkpoint from which the log grew'));
  if ([options.entry, options.leaf, options.export].some((given) => given !== undefined))
    throw new RefusalError(invalid('', 'this is a proof of growth, not of an entry: leave out --entry, --leaf and --export'));
  const proof = readAddCheckpoint(text);
  if (proof === null) throw new RefusalError('malformed', `${options.file} holds no proof of growth`);
  const note = readInputText(options.against, proof_file_bytes_max);
  const { origin, size, root } = proof.checkpoint;
  const said = { origin, size, root: root.toString('hex'), index: null, from: proof.oldSize };
  const no = (reason: string): ProofVerdict => ({ ...said, valid: false, reason });
  if (open(proof.checkpoint, key) === null) return no(unsigned);
  const older = openCheckpoint(note, key.publicKey);
  if (older === null || older.origin !== origin) return no(`${options.against} holds no checkpoint of this log`);
  if (older.size !== proof.oldSize)
    return no(`the proof begins at size ${proof.oldSize}, the older checkpoint has ${older.size}`);
  if (!isConsistent(older.size, size, proof.path, older.root, root))
    return no('the proof does not lead from the older root to the newer');
  return { ...said, valid: true, reason: null };
}
