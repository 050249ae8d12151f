/** `checkpoint`: the newest signed checkpoint, to keep elsewhere. */
import { invalid, RefusalError } from '../../base/refusal.js';
import type { Checkpoint as PublicCheckpoint, ConsistencyProof, InclusionProof } from '../../codec/api-journal.js';
import { formatAddCheckpoint, withCosignatures } from '../../journal/cosignature.js';
import { type Checkpoint, readCheckpoint, verifierKeyText } from '../../journal/note.js';
import { latestNote } from '../../journal/reader.js';
import { cosignaturesOf, gatherCosignatures, interruptible } from './cosignatures.js';
import type { Home } from '../home/home.js';
import { requireTool } from '../tools/require.js';
import { createOutput } from '../../home/files.js';
import { consistencyPath, inclusionPath } from '../../journal/merkle.js';
import { formatProof } from '../../journal/proof.js';
import { nodeReader } from '../../journal/tree.js';

export interface CheckpointReport extends PublicCheckpoint {
  /** The file that was written; null without one. */
  readonly output: string | null;
}

export interface CosignedReport extends CheckpointReport {
  /** Names of the witnesses whose cosignatures are in `note`. */
  readonly cosignatures: readonly string[];
  readonly warnings: readonly string[];
}

/** Returns the newest committed checkpoint. */
export function newestCheckpoint(home: Home): Checkpoint {
  const latest = latestNote(home.db);
  const read = latest === undefined ? null : readCheckpoint(latest.note);
  if (read === null) throw new RefusalError('integrity', 'the journal has no checkpoint');
  return read;
}

export const checkpoint = (home: Home, output: string | undefined): CheckpointReport =>
  write(home, newestCheckpoint(home), output);

/** Returns the newest checkpoint with the cosignatures of the witnesses, which are requested now. */
export async function cosignedCheckpoint(home: Home, output: string | undefined): Promise<CosignedReport> {
  const deprecations = requireTool(home.db, 'witness_submit');
  const newest = newestCheckpoint(home);
  const warnings = await interruptible(stopped, (signal) => gatherCosignatures(home, newest, { signal }));
  const cosignatures = cosignaturesOf(home.db, newest);
  const note = withCosignatures(
    newest.note,
    cosignatures.map(({ line }) => line),
  );
  return {
    ...write(home, { ...newest, note }, output),
    cosignatures: cosignatures.map(({ witness }) => witness),
    warnings: [...new Set([...deprecations, ...warnings])],
  };
}

const stopped = 'stopped while requesting cosignatures: nothing was written; the cosignatures received so far are kept';

function write(home: Home, { origin, size, root, note }: Checkpoint, output: string | undefined): CheckpointReport {
  if (output !== undefined) createOutput(output, note);
  const vkey = verifierKeyText({ name: origin, publicKey: home.signer.publicKey });
  return { origin, size, root: root.toString('hex'), note, vkey, output: output ?? null };
}

// `proof`: proves that an entry is in the log, or that the log only grew since an older checkpoint, as text that anyone can check.

interface ProofOptions {
  /** The entry whose inclusion to prove. Exactly one of `sequence` and `from`, the size of an older tree, is given. */
  readonly sequence?: number | undefined;
  readonly from?: number | undefined;
  readonly output?: string | undefined;
}

/** A proof without the fields that only the HTTP API adds. */
export type ProofReport = (Omit<InclusionProof, 'hash' | 'signature'> | Omit<ConsistencyProof, 'hashes'>) & {
  /** The file that was written; null without one. */
  readonly output: string | null;
};

/** Returns a proof under the newest checkpoint, with the stored cosignatures of that checkpoint. */
export function prove(home: Home, { sequence, from, output }: ProofOptions): ProofReport {
  if ((sequence === undefined) === (from === undefined)) {
    throw new RefusalError(invalid('', 'name either the sequence of an entry or, with --from, the size of an older checkpoint'));
  }
  const newest = newestCheckpoint(home);
  const asked = sequence ?? from ?? 0;
  if (asked < 1) throw new RefusalError(invalid(sequence === undefined ? 'from' : 'sequence', 'must be at least 1'));
  if (asked > newest.size) {
    throw new RefusalError('not_found', `the journal has ${newest.size} entries`, { facts: { size: newest.size } });
  }
  const lines = cosignaturesOf(home.db, newest).map(({ line }) => line);
  const note = withCosignatures(newest.note, lines);
  const read = nodeReader(home.db, newest.size);
  const proof =
    sequence === undefined
      ? formatAddCheckpoint(asked, consistencyPath(read, asked, newest.size), note)
      : formatProof(sequence - 1, inclusionPath(read, sequence - 1, newest.size), note);
  if (output !== undefined) createOutput(output, proof);
  return {
    origin: newest.origin,
    size: newest.size,
    root: newest.root.toString('hex'),
    ...(sequence === undefined ? { sequence: null, index: null, from: asked } : { sequence, index: sequence - 1, from: null }),
    proof,
    output: output ?? null,
  };
}
