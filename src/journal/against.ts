/**
 * Compares a journal with a checkpoint from outside the home (a witness file, a saved checkpoint, an export): nothing inside a
 * home can reveal that its newest entries were cut off or that it was replaced by an older copy.
 */
import type { Refusal } from '../base/refusal.js';
import type { Db } from '../store/database.js';
import { sameBytes } from './merkle.js';
import { openCheckpoint, readCheckpoint, type Checkpoint } from './note.js';
import { latestNote, noteAt, type Head } from './reader.js';
import { rootAt } from './tree.js';

function shorter(db: Db, head: Head, { origin, size }: Checkpoint): string {
  const own = readCheckpoint(latestNote(db)?.note ?? '')?.origin;
  if (own !== origin) return `it was continued as ${origin} to entry ${size}: this copy is from before that, or was given up`;
  const missing = size - head.size;
  return `a checkpoint that it signed covers ${size}: its newest ${missing === 1 ? 'entry is' : `${missing} entries are`} missing`;
}

/** Returns why the journal does not extend the checkpoint, or null when it does. */
export function contradiction(db: Db, head: Head, publicKey: Buffer, checkpoint: Checkpoint): Refusal | null {
  const { size } = checkpoint;
  const facts = { journal_size: head.size, checkpoint_size: size, origin: checkpoint.origin };
  if (size > head.size) {
    const detail = `the journal ends at entry ${head.size}, but ${shorter(db, head, checkpoint)}`;
    return {
      code: 'rollback',
      detail,
      facts,
      hint: 'restore the newest copy, or accept the loss: agent-cli recover-home --accept-rollback --reason "…"',
    };
  }
  const own = noteAt(db, size);
  const known = own === undefined ? null : openCheckpoint(own, publicKey);
  const root = known !== null && own === checkpoint.note ? known.root : size === 0 ? null : rootAt(db, head.size, size);
  if (root === null || sameBytes(root, checkpoint.root)) return null;
  const detail = `entries 1 to ${size} are not those of a checkpoint that this key signed: the journal was forked`;
  return {
    code: 'fork',
    detail,
    facts,
    hint: 'keep both copies, then decide: agent-cli recover-home --accept-rollback --reason "…"',
  };
}
