/**
 * The note with which a home's key says which entry is the newest of a stream, for those who hold no journal: a C2SP signed note
 * (c2sp.org/signed-note) under the name and key id of the log's checkpoints. Its first line names this use. Two that contradict each other show
 * that the key signed something untrue (docs/journal-format.md, "The newest entry").
 */
import { toBase64 } from '../base/bytes.js';
import type { Signer } from '../journal/keys.js';
import { type Checkpoint, openNote, signNote } from '../journal/note.js';

const use = 'agent-newest/1';

export interface Newest {
  readonly stream: string;
  readonly sequence: number;
  /** The entry's hash, 64 hexadecimal digits. */
  readonly hash: string;
  /** Number of entries of the stream. */
  readonly count: number;
}

type Log = Pick<Checkpoint, 'origin' | 'size' | 'root'>;

const textOf = ({ origin, size, root }: Log, { stream, sequence, hash, count }: Newest): string =>
  `${[use, origin, size, toBase64(root), stream, sequence, hash, count].join('\n')}\n`;

export const signNewest = (signer: Signer, log: Log, newest: Newest): string => signNote(signer, log.origin, textOf(log, newest));

/** Returns the stream's number of entries as a note says that this key signed for this entry and checkpoint; null for any other note. */
export function openNewest(note: string, publicKey: Buffer, log: Log, entry: Omit<Newest, 'count'>): number | null {
  const text = openNote(note, { name: log.origin, publicKey });
  const count = Number(text?.split('\n').at(-2));
  const isCount = Number.isSafeInteger(count) && count > 0 && count <= entry.sequence;
  return isCount && text === textOf(log, { ...entry, count }) ? count : null;
}
