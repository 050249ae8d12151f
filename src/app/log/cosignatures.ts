/** Stored cosignatures of the registered witnesses on this journal's checkpoints. They are verified at every use. */
import { formatTime } from '../../base/time.js';
import { RefusalError } from '../../base/refusal.js';
import type { Witness } from '../../domain/witness.js';
import { findCosignature, formatAddCheckpoint, noteText, openCosignature } from '../../journal/cosignature.js';
import { type Checkpoint, readCheckpoint } from '../../journal/note.js';
import { noteAt } from '../../journal/reader.js';
import { cosignature_type, type NamedKey, readVerifierKey } from '../../journal/vkey.js';
import { readWitnesses } from '../../tables/witnesses.js';
import { type Db, retryWhileBusy, storageError } from '../../store/database.js';
import { NoAnswer } from '../../base/exchange.js';
import { witness_ms_max } from '../../base/limits.js';
import { consistencyPath } from '../../journal/merkle.js';
import { nodeReader } from '../../journal/tree.js';
import { postText, type WitnessAnswer } from '../../witness/client.js';
import type { Home } from '../home/home.js';
import { toolRefusal, toolWarnings } from '../tools/require.js';

interface Cosignature {
  readonly witness: string;
  /** The signature line of the note, without its newline. */
  readonly line: string;
}

interface Row extends Cosignature {
  readonly size: number;
  readonly note: string | null;
}

/** Returns the key of a registered witness. */
function keyOf({ name, vkey }: Witness): NamedKey {
  const key = readVerifierKey(vkey, cosignature_type);
  if (typeof key !== 'string') return key;
  throw new RefusalError('integrity', `the verifier key of witness ${name} ${key}`);
}

/** Returns the stored cosignatures of a checkpoint that verify, in the order in which their witnesses were registered. */
export function cosignaturesOf(db: Db, { size, note }: Checkpoint): Cosignature[] {
  const rows = db.prepare<[number], Cosignature>('SELECT witness, line FROM cosignature WHERE size = ?').all(size);
  if (rows.length === 0) return [];
  const text = noteText(note) ?? '';
  return readWitnesses(db).flatMap((witness) => {
    const line = rows.find((row) => row.witness === witness.name)?.line;
    return line !== undefined && openCosignature(line, keyOf(witness), text) !== null ? [{ witness: witness.name, line }] : [];
  });
}

/** Stores a cosignature, and its checkpoint if a newer one has replaced it meanwhile. */
export function keepCosignature(db: Db, { size, note }: Checkpoint, { witness, line }: Cosignature, now: number): void {
  const insert = db.prepare('INSERT INTO cosignature(size, witness, line, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const insertNote = db.prepare('INSERT INTO checkpoint(size, note) VALUES (?, ?)');
  const keep = db.transaction(() => {
    insert.run(size, witness, line, formatTime(now));
    if (noteAt(db, size) === undefined) insertNote.run(size, note);
  });
  try {
    retryWhileBusy(() => keep.immediate());
  } catch (error) {
    throw storageError(error, 'a cosignature');
  }
}

/** Returns the newest size under this origin that the witness has cosigned, as far as this journal knows; 0 for none. */
export function cosignedSize(db: Db, witness: string, origin: string): number {
  const size =
    db.prepare<[string], number | null>('SELECT max(size) FROM cosignature WHERE witness = ?').pluck().get(witness) ?? 0;
  // After an accepted rollback the log has another origin, under which the witness has seen nothing.
  return readCheckpoint(noteAt(db, size) ?? '')?.origin === origin ? size : 0;
}

/**
 * Returns the first stored cosignature that is not a registered witness's valid cosignature of this journal's checkpoint of its
 * size, or null.
 */
export function cosignatureFault(db: Db): { readonly size: number; readonly detail: string } | null {
  const keys = new Map(readWitnesses(db).map((witness) => [witness.name, keyOf(witness)]));
  const rows = db.prepare<[], Row>(
    `SELECT cosignature.size, witness, line, note FROM cosignature LEFT JOIN checkpoint USING (size) ORDER BY cosignature.size, witness`,
  );
  for (const { size, witness, line, note } of rows.iterate()) {
    const key = keys.get(witness);
    const text = typeof note === 'string' ? noteText(note) : null;
    const verifies = key !== undefined && text !== null && typeof line === 'string' && openCosignature(line, key, text) !== null;
    if (!verifies) return { size, detail: `the cosignature of ${witness} on the checkpoint of size ${size} does not verify` };
  }
  return null;
}

// Requests cosignatures of a checkpoint from witnesses (c2sp.org/tlog-witness). A witness that fails causes a warning only: its cosignature
// is evidence for readers, and the journal continues without it.

/** How far a witness's clock may be ahead of this one: readers judge cosignatures by their time (C2SP tlog-cosignature). */
const witness_clock_ahead_ms_max = 86_400_000;

interface GatherOptions {
  /** The name of the only witness to send the request to. */
  readonly only?: string | undefined;
  /** Ends the wait; cosignatures received before are kept. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends the checkpoint, in parallel, to the witnesses that have not cosigned it yet, or to `only` one, and stores the
 * cosignatures that verify. Returns the warnings: those of the tool, and one for each witness that failed, with its name.
 */
export async function gatherCosignatures(
  home: Home,
  checkpoint: Checkpoint,
  { only, signal }: GatherOptions = {},
): Promise<string[]> {
  const cosigned = new Set(cosignaturesOf(home.db, checkpoint).map(({ witness }) => witness));
  const asked = readWitnesses(home.db).filter(({ name }) => !cosigned.has(name) && (only ?? name) === name);
  if (asked.length === 0) return [];
  const stopped = toolRefusal(home.db, 'witness_submit') ?? home.unwritable;
  if (stopped !== null) return [`no cosignature was requested: ${stopped.detail}`];
  const answers = await Promise.all(
    asked.map(async (witness) => ({ witness, said: await submit(home, witness, checkpoint, signal) })),
  );
  const warnings = answers.flatMap(({ witness, said }) => {
    if ('why' in said) return [`witness ${witness.name}: ${said.why}`];
    keepCosignature(home.db, checkpoint, { witness: witness.name, line: said.line }, home.world.clock());
    return [];
  });
  return [...toolWarnings(home.db, 'witness_submit'), ...warnings];
}

type Said = { readonly line: string } | { readonly why: string };

async function submit(home: Home, witness: Witness, checkpoint: Checkpoint, signal?: AbortSignal): Promise<Said> {
  const known = cosignedSize(home.db, witness.name, checkpoint.origin);
  try {
    const asking = { home, witness, checkpoint, signal };
    const first = await post(asking, known);
    const size = conflictingSize(first);
    if (size === null || size === known) return judge(first, asking);
    if (size > checkpoint.size) return { why: ahead(size, checkpoint) };
    // The only retry that the protocol allows: from the size that the witness reported.
    return judge(await post(asking, size), asking);
  } catch (error) {
    if (error instanceof NoAnswer) return { why: `no response (${error.message})` };
    throw error;
  }
}

interface Asking {
  readonly home: Home;
  readonly witness: Witness;
  readonly checkpoint: Checkpoint;
  readonly signal: AbortSignal | undefined;
}

function post({ home, witness, checkpoint: { size, note }, signal }: Asking, oldSize: number): Promise<WitnessAnswer> {
  const path = oldSize === 0 ? [] : consistencyPath(nodeReader(home.db, size), oldSize, size);
  return postText(`${witness.url}/add-checkpoint`, formatAddCheckpoint(oldSize, path, note), witness_ms_max, signal);
}

const size_type = 'text/x.tlog.size';

/** Returns the size that a witness reports; null when it reports none. */
function conflictingSize({ status, type, body }: WitnessAnswer): number | null {
  if (status !== 409 || type !== size_type || !/^(?:0|[1-9][0-9]{0,15})\n$/.test(body)) return null;
  return Number.isSafeInteger(Number(body)) ? Number(body) : null;
}

const ahead = (size: number, checkpoint: Checkpoint): string =>
  `it has cosigned ${size} entries of this log, which has ${checkpoint.size}: this home may have been put back to an older copy`;

const meanings: Readonly<Record<number, string>> = {
  400: 'it finds the request malformed',
  403: "it does not accept this log's signature",
  404: 'it does not know this log; give its operator the verifier key that agent-cli checkpoint prints',
  409: 'it has another checkpoint of this size: this log may have been forked',
  422: 'it finds this log inconsistent with what it has cosigned before: this log may have been forked',
};

function judge(answer: WitnessAnswer, { home, witness, checkpoint: { note } }: Asking): Said {
  if (answer.status === 409 && answer.type === size_type) {
    return { why: conflictingSize(answer) === null ? 'its 409 names no size' : 'it responds with status 409 for every old size' };
  }
  if (answer.status !== 200) return { why: meanings[answer.status] ?? `it responded with status ${answer.status}` };
  const [key, text] = [keyOf(witness), noteText(note) ?? ''];
  const line = findCosignature(answer.body, key, text);
  const time = line === null ? null : openCosignature(line, key, text);
  if (line === null || time === null) return { why: 'its response holds no valid cosignature of its key' };
  if (time < 1n || Number(time) * 1_000 > home.world.clock() + witness_clock_ahead_ms_max)
    return { why: `its cosignature is dated ${time} s since 1970, which is not the current time` };
  return { line };
}

/** @param detail what remains after an interruption @throws RefusalError `interrupted` */
export async function interruptible<A>(detail: string, wait: (signal: AbortSignal) => Promise<A>): Promise<A> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const answer = await wait(controller.signal);
    if (controller.signal.aborted) throw new RefusalError('interrupted', detail);
    return answer;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
