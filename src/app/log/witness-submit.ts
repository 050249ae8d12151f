/**
 * Requests cosignatures of a checkpoint from witnesses (c2sp.org/tlog-witness). A witness that fails causes a warning only: its
 * cosignature is evidence for readers, and the journal continues without it.
 */
import { witness_ms_max } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import type { Witness } from '../../domain/witness.js';
import { findCosignature, formatAddCheckpoint, noteText, openCosignature } from '../../journal/cosignature.js';
import { consistencyPath } from '../../journal/merkle.js';
import type { Checkpoint } from '../../journal/note.js';
import { nodeReader } from '../../journal/tree.js';
import { readWitnesses } from '../../tables/witnesses.js';
import { NoAnswer, postText, type WitnessAnswer } from '../../witness/client.js';
import type { Home } from '../home/home.js';
import { toolRefusal, toolWarnings } from '../tools/require.js';
import { cosignaturesOf, cosignedSize, keepCosignature, keyOf } from './cosignatures.js';

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
    if (controller.signal.aborted) throw new RefusalError({ code: 'interrupted', detail });
    return answer;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
