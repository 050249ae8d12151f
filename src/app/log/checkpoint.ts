/** `checkpoint`: the newest signed checkpoint, to keep elsewhere. */
import { RefusalError } from '../../base/result.js';
import type { Checkpoint as PublicCheckpoint } from '../../codec/api-journal.js';
import { withCosignatures } from '../../journal/cosignature.js';
import { readCheckpoint, verifierKeyText, type Checkpoint } from '../../journal/note.js';
import { latestNote } from '../../journal/reader.js';
import { cosignaturesOf } from './cosignatures.js';
import type { Home } from '../home/home.js';
import { interruptible, gatherCosignatures } from './witness-submit.js';
import { requireTool } from '../tools/require.js';
import { createOutput } from '../../home/files.js';

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
  if (read === null) throw new RefusalError({ code: 'integrity', detail: 'the journal has no checkpoint' });
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
