/** The newest signed checkpoint, to keep elsewhere, proofs under it, and the witnesses that cosign it. */
import { Fault, invalid, RefusalError } from '../../base/refusal.js';
import type { Checkpoint as PublicCheckpoint, ConsistencyProof, InclusionProof } from '../../codec/api-journal.js';
import { findCosignature, formatAddCheckpoint, noteText, openCosignature, withCosignatures } from '../../journal/cosignature.js';
import type { Checkpoint, NamedKey } from '../../journal/note.js';
import { cosignature_type, readCheckpoint, readVerifierKey, verifierKeyText } from '../../journal/note.js';
import { latestNote, noteAt } from '../../journal/reader.js';
import { createOutput } from '../../home/files.js';
import { consistencyPath, inclusionPath } from '../../journal/merkle.js';
import { formatProof } from '../../journal/proof.js';
import { nodeReader } from '../../journal/tree.js';
import { formatTime } from '../../base/time.js';
import { decideWitness, type Witness, witnessStream } from '../../domain/witness.js';
import { readWitnesses } from '../../tables/witnesses.js';
import { type Db, retryWhileBusy, storageError } from '../../store/database.js';
import { NoAnswer } from '../../base/exchange.js';
import { untilInterrupted } from '../../base/interrupt.js';
import { witness_ms_max } from '../../base/limits.js';
import { postText, readWitnessUrl, type WitnessAnswer } from '../../witness/client.js';
import { controlName } from '../../domain/control.js';
import { recordEvents } from '../../journal/stream.js';
import type { Home } from '../home/home.js';
import { requireTool, toolRefusal, toolWarnings } from '../tools/tools.js';

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
  const { note, cosignatures } = cosigned(home.db, newest);
  return {
    ...write(home, { ...newest, note }, output),
    cosignatures,
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
  const { note } = cosigned(home.db, newest);
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

// Stored cosignatures of the registered witnesses on this journal's checkpoints. They are verified at every use.

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

/** Returns the note of a checkpoint with its stored cosignatures, and the names of their witnesses. */
export function cosigned(db: Db, checkpoint: Checkpoint): { readonly note: string; readonly cosignatures: readonly string[] } {
  const stored = cosignaturesOf(db, checkpoint);
  const lines = stored.map(({ line }) => line);
  return { note: withCosignatures(checkpoint.note, lines), cosignatures: stored.map(({ witness }) => witness) };
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
export async function gatherCosignatures(home: Home, checkpoint: Checkpoint, { only, signal }: GatherOptions): Promise<string[]> {
  const cosigned = new Set(cosignaturesOf(home.db, checkpoint).map(({ witness }) => witness));
  const asked = readWitnesses(home.db).filter(({ name }) => !cosigned.has(name) && (only ?? name) === name);
  if (asked.length === 0) return [];
  const stopped = toolRefusal(home.db, 'witness_submit') ?? home.unwritable;
  if (stopped !== null) return [`no cosignature was requested: ${stopped.detail}`];
  const answers = await Promise.all(
    asked.map(async (witness) => ({ witness, said: await submit(home, witness, checkpoint, signal) })),
  );
  const warnings = answers.flatMap(({ witness, said }) => {
    if ('reason' in said) return [`witness ${witness.name}: ${said.reason}`];
    keepCosignature(home.db, checkpoint, { witness: witness.name, line: said.line }, home.world.clock());
    return [];
  });
  return [...toolWarnings(home.db, 'witness_submit'), ...warnings];
}

type CosignAnswer = { readonly line: string } | { readonly reason: string };

async function submit(home: Home, witness: Witness, checkpoint: Checkpoint, signal?: AbortSignal): Promise<CosignAnswer> {
  const known = cosignedSize(home.db, witness.name, checkpoint.origin);
  try {
    const asking = { home, witness, checkpoint, signal };
    const first = await post(asking, known);
    const size = conflictingSize(first);
    if (size === null || size === known) return judge(first, asking);
    if (size > checkpoint.size) return { reason: ahead(size, checkpoint) };
    // The only retry that the protocol allows: from the size that the witness reported.
    return judge(await post(asking, size), asking);
  } catch (error) {
    if (error instanceof NoAnswer) return { reason: `no response (${error.message})` };
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

function judge(answer: WitnessAnswer, { home, witness, checkpoint: { note } }: Asking): CosignAnswer {
  if (answer.status === 409 && answer.type === size_type) {
    return {
      reason: conflictingSize(answer) === null ? 'its 409 names no size' : 'it responds with status 409 for every old size',
    };
  }
  if (answer.status !== 200) return { reason: meanings[answer.status] ?? `it responded with status ${answer.status}` };
  const [key, text] = [keyOf(witness), noteText(note) ?? ''];
  const line = findCosignature(answer.body, key, text);
  const time = line === null ? null : openCosignature(line, key, text);
  if (line === null || time === null) return { reason: 'its response holds no valid cosignature of its key' };
  if (time < 1n || Number(time) * 1_000 > home.world.clock() + witness_clock_ahead_ms_max)
    return { reason: `its cosignature is dated ${time} s since 1970, which is not the current time` };
  return { line };
}

/** @param detail what remains after an interruption @throws RefusalError `interrupted` */
export const interruptible = <A>(detail: string, wait: (signal: AbortSignal) => Promise<A>): Promise<A> =>
  untilInterrupted(async (signal) => {
    const answer = await wait(signal);
    if (signal.aborted) throw new RefusalError('interrupted', detail);
    return answer;
  });

// `witness add` and `witness list`: who cosigns this journal's checkpoints.

export interface WitnessItem {
  readonly name: string;
  readonly url: string;
  readonly vkey: string;
  readonly added_at: string;
  /** The newest size under the present origin that it cosigned; null for none. */
  readonly cosigned: number | null;
}

export interface WitnessAdded extends WitnessItem {
  /** Why it has not cosigned yet; it is registered anyway. */
  readonly warnings: readonly string[];
}

export type AddWitnessOptions = Readonly<Record<'url' | 'vkey' | 'actor', string>>;

/**
 * Registers a witness, or the new address of a registered one, and immediately requests its cosignature of the newest checkpoint.
 */
export async function addWitness(home: Home, { url, vkey, actor }: AddWitnessOptions): Promise<WitnessAdded> {
  const address = readWitnessUrl(url);
  if (typeof address === 'string') throw new RefusalError(invalid('url', address));
  const key = readVerifierKey(vkey, cosignature_type);
  if (typeof key === 'string') throw new RefusalError(invalid('vkey', key));
  if (key.publicKey.equals(home.signer.publicKey)) {
    throw new RefusalError(invalid('vkey', "is this home's own key; a witness needs a key of its own"));
  }
  const document = { name: key.name, url: address.url, vkey, actor };
  await home.transact((tx) => recordEvents(tx, witnessStream, controlName, decideWitness(readWitnesses(tx.db), document)));
  const newest = newestCheckpoint(home);
  const warnings = await interruptible(stoppedAfterAdding, (signal) =>
    gatherCosignatures(home, newest, { only: key.name, signal }),
  );
  const added = listWitnesses(home).items.find(({ name }) => name === key.name);
  if (added === undefined) throw new Fault('the witness is not in the list to which it was added');
  return { ...added, warnings };
}

const stoppedAfterAdding =
  'stopped while requesting a cosignature: the witness is registered, and the next checkpoint requests one again';

export function listWitnesses(home: Home): { readonly items: readonly WitnessItem[] } {
  const { origin } = newestCheckpoint(home);
  const items = readWitnesses(home.db).map(({ name, url, vkey, added_at }) => {
    const size = cosignedSize(home.db, name, origin);
    return { name, url, vkey, added_at, cosigned: size === 0 ? null : size };
  });
  return { items };
}
