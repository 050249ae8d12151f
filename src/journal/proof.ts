/** C2SP tlog-proof text (c2sp.org/tlog-proof@v1): an entry's index, its sibling hashes from leaf to root, and a checkpoint. */
import { fromBase64, toBase64 } from '../base/bytes.js';
import { hash_bytes, rootFromInclusion, sameBytes } from './merkle.js';
import { openCheckpoint, readCheckpoint, type Checkpoint } from './note.js';

const header = 'c2sp.org/tlog-proof@v1';
const siblings_max = 64;

export interface InclusionProof {
  /** Position in the tree, from 0: sequence − 1. */
  readonly index: number;
  readonly path: readonly Buffer[];
  readonly checkpoint: Checkpoint;
}

export const formatProof = (index: number, path: readonly Buffer[], note: string): string =>
  [header, `index ${index}`, ...path.map(toBase64), '', note].join('\n');

/** Reads a proof; signatures and hashes are not checked here. Null when malformed. */
export function readProof(text: string): InclusionProof | null {
  const split = text.indexOf('\n\n');
  if (split < 0) return null;
  const [first, ...rest] = text.slice(0, split).split('\n');
  // Opaque data of the log, which proves nothing; this program writes none.
  if (/^extra \S*$/.test(rest[0] ?? '') && fromBase64((rest.shift() ?? '').slice('extra '.length)) === null) return null;
  const [second, ...lines] = rest;
  const index = /^index (0|[1-9][0-9]{0,15})$/.exec(second ?? '')?.[1];
  const checkpoint = readCheckpoint(text.slice(split + 2));
  if (first !== header || index === undefined || checkpoint === null || lines.length > siblings_max) return null;
  if (!Number.isSafeInteger(Number(index))) return null;
  const path: Buffer[] = [];
  for (const line of lines) {
    const sibling = fromBase64(line);
    if (sibling?.length !== hash_bytes) return null;
    path.push(sibling);
  }
  return { index: Number(index), path, checkpoint };
}

/** Returns the checkpoint of a proof that proves `leaf` in the tree signed by `publicKey`, or null. */
export function openProof(proof: InclusionProof, leaf: Uint8Array, publicKey: Buffer): Checkpoint | null {
  const checkpoint = openCheckpoint(proof.checkpoint.note, publicKey);
  if (checkpoint === null) return null;
  const root = rootFromInclusion(leaf, proof.index, checkpoint.size, proof.path);
  return root !== null && sameBytes(root, checkpoint.root) ? checkpoint : null;
}
