/** What is checked when a home is opened (docs/decisions/0009). Some commands tolerate the refusals. */
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { Event } from '../../codec/event.js';
import { invoiceStream, receiptStream } from '../../domain/invoice.js';
import { missionStream } from '../../domain/mission-evolve.js';
import { simulationStream } from '../../domain/simulation.js';
import type { Stream } from '../../domain/stream.js';
import { tokenStream } from '../../domain/token.js';
import { toolStream } from '../../domain/tool.js';
import { walletName, walletStream } from '../../domain/wallet.js';
import { workerStream } from '../../domain/worker-key.js';
import { verifiedFile, witnessDirectory } from '../../home/paths.js';
import { readVerified, writeVerified } from '../../home/verified-file.js';
import { Inclusion } from '../../journal/inclusion.js';
import type { Signer } from '../../journal/keys.js';
import {
  checkNewestCheckpoint,
  claimedPosition,
  integrityFailure,
  type Loaded,
  loadPosition,
  positionWithoutFirst,
} from '../../journal/position.js';
import { checkRows } from '../../journal/reader.js';
import { streamState } from '../../journal/stream.js';
import { rootAt } from '../../journal/tree.js';
import { judgeVerified, signVerified } from '../../journal/verified-note.js';
import { verifyOpened } from '../../journal/verify.js';
import { checkWhole, isSmall } from '../../journal/whole-check.js';
import { areCurrent, projectionTableFault } from '../../tables/projections.js';
import { readControl } from '../../tables/control.js';
import { collectingDamage, type Damage, refusingDamage } from '../../tables/damage.js';
import type { Db } from '../../store/database.js';
import { damageFaults, type OpenOptions, type Tolerable } from './home.js';
import type { World } from './world.js';

/**
 * Returns the loaded position. When loading fails and the command tolerates it, returns the position as far as it can be known, with
 * the refusal.
 */
export function load(
  db: Db,
  signer: Signer,
  tolerated: readonly Tolerable[],
): { readonly loaded: Loaded; readonly fault: Refusal | null } {
  try {
    return { loaded: loadPosition(db, signer.publicKey), fault: null };
  } catch (error) {
    if (!tolerated.includes('head') || !isFault(error)) throw error;
    return { loaded: positionOfDamaged(db, signer), fault: error.refusal };
  }
}

function positionOfDamaged(db: Db, { publicKey }: Signer): Loaded {
  try {
    return positionWithoutFirst(db, publicKey);
  } catch (error) {
    if (!isFault(error)) throw error;
    return claimedPosition(db, publicKey);
  }
}

/**
 * Returns why nothing can be appended to a journal with damage at its head, or null: a new checkpoint would sign the damage unless
 * the newest one covers the tree.
 */
export function appendFault(db: Db, { tree, position }: Loaded, { publicKey }: Signer, head: Refusal | null): Refusal | null {
  if (head === null) return null;
  const uncovered = tolerable(true, () => checkNewestCheckpoint(db, tree, position, publicKey));
  return uncovered === null && position.incarnation !== null ? null : head;
}

/** Runs a check and returns its refusal if the command tolerates it. @throws RefusalError otherwise */
export function tolerable(tolerated: boolean, check: () => void): Refusal | null {
  try {
    check();
    return null;
  } catch (error) {
    if (tolerated && isFault(error)) return error.refusal;
    throw error;
  }
}

/** Whether the error is a fault. Data that a newer version wrote is not one: no command here can inspect or repair it. */
const isFault = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && error.refusal.code !== 'newer_version';

/** Checks that the projections have applied the newest entry, and the control row, which every command relies on. */
export function checkCurrent(db: Db, loaded: Loaded): void {
  throwIf(projectionTableFault(db));
  if (!areCurrent(db, loaded.position.head)) {
    const detail = 'the projections are not at the newest entry';
    throw new RefusalError({ code: 'integrity', detail, hint: 'agent-cli rebuild' });
  }
  readControl(db);
}

/** Compares config.json with the signed configuration. An entry that sets one and is damaged is a fault of the entries. */
export function checkConfig(
  configFault: () => Refusal | null,
  tolerated: readonly Tolerable[],
): Readonly<Record<'config' | 'entries', Refusal | null>> {
  let fault: Refusal | null = null;
  const entries = tolerable(tolerated.includes('entries'), () => void (fault = configFault()));
  return { config: tolerable(tolerated.includes('config'), () => throwIf(fault)), entries };
}

/** Returns where damage of a home is reported: it is collected by a command that tolerates all of it, and refused by any other. */
export function damageOf(tolerated: readonly Tolerable[], known: readonly (Refusal | null)[]): Damage {
  return damageFaults.every((fault) => tolerated.includes(fault)) ? collectingDamage(known) : refusingDamage;
}

export const throwIf = (refusal: Refusal | null): void => {
  if (refusal !== null) throw new RefusalError(refusal);
};

interface EntriesCheck {
  /** Why an entry is not what was signed, or null. */
  readonly entries: Refusal | null;
  /** Why a table does not have the rows that the entries produce, or null. */
  readonly tables: Refusal | null;
}

export const unchecked: EntriesCheck = { entries: null, tables: null };

interface Opening {
  readonly world: World;
  readonly options: OpenOptions;
  readonly signer: Signer;
  /** The position and the tree, whose root is that of the newest checkpoint. */
  readonly loaded: Loaded;
  /** Whether the tables of the projections are there to be compared. */
  readonly tables: boolean;
}

/** Call it in the transaction that reads what was checked. */
export function checkEntries(db: Db, opening: Opening): EntriesCheck {
  const { publicKey } = opening.signer;
  if (isSmall(db)) {
    const { failure, streams } = checkWhole(db, publicKey);
    return { entries: failure, tables: failure === null && opening.tables ? extentsFault(db, streams) : null };
  }
  // A daemon begins a verification at once and repeats it.
  return opening.options.lock === 'daemon' ? unchecked : { entries: checkLarge(db, opening), tables: null };
}

/** Requires a full verification that passed, and makes every entry that is read from now on prove that the tree contains it. */
function checkLarge(db: Db, opening: Opening): Refusal | null {
  const { verification } = opening.options;
  const failure = verification === undefined ? recentFailure(db, opening) : failureOf(verification);
  if (failure !== null) return failure;
  const { tree } = opening.loaded;
  const inclusion = new Inclusion(db, tree);
  const size = tree.size;
  checkRows(db, ({ seq, body, hash, signature }) => {
    // Newer entries are this process's own, or were verified when it caught up with them.
    if (seq <= size) inclusion.requireIncluded({ sequence: seq, text: body, hash, signature });
  });
  return null;
}

const failureOf = ({ failure, sequence }: NonNullable<OpenOptions['verification']>): Refusal | null =>
  failure === null || sequence === null ? null : integrityFailure(failure, sequence).refusal;

/** Verifies the whole journal, unless a recent verification is noted. */
function recentFailure(db: Db, { world, options, signer, loaded }: Opening): Refusal | null {
  const { tree, position } = loaded;
  const { origin } = position;
  const { publicKey } = signer;
  const note = readVerified(verifiedFile(witnessDirectory(world.env), origin));
  const present = {
    publicKey,
    origin,
    size: tree.size,
    rootAt: (size: number) => rootAt(db, tree.size, size),
    now: world.clock(),
  };
  if (judgeVerified(note, present) === 'fresh') return null;
  const { onVerify } = options;
  const how = { deep: false, checkpoints: 'kept', ...(onVerify === undefined ? {} : { onProgress: onVerify }) } as const;
  const { failure } = verifyOpened(db, publicKey, how);
  if (failure !== null) return integrityFailure(`entry ${failure.sequence}: ${failure.detail}`, failure.sequence).refusal;
  noteVerified(world, signer, { origin, size: tree.size, root: tree.root() });
  return null;
}

/** Records beside the witness file that the journal was verified. If that fails, the next command verifies it again. */
export function noteVerified(
  world: World,
  signer: Signer,
  { origin, size, root }: { readonly origin: string; readonly size: number; readonly root: Buffer },
): void {
  const note = signVerified(signer, { origin, size, root, time: world.clock() });
  writeVerified(verifiedFile(witnessDirectory(world.env), origin), note);
}

/** Sequence of the newest entry of every stream, by the stream's name. */
type Streams = ReadonlyMap<string, { readonly last: number }>;

/**
 * Returns the first difference, or null: each stream has one row, whose revision is that of the stream's state. What else a row contains is
 * compared when it is read.
 */
const extentsFault = (db: Db, streams: Streams): Refusal | null =>
  faultOf(db, streams, missionStream, 'mission', 'id') ??
  faultOf(db, streams, simulationStream, 'simulation', 'id') ??
  faultOf(db, streams, tokenStream, 'token', 'name') ??
  faultOf(db, streams, toolStream, 'tool', 'id') ??
  faultOf(db, streams, invoiceStream, 'invoice', 'id') ??
  faultOf(db, streams, receiptStream, 'receipt', 'key') ??
  faultOf(db, streams, workerStream, 'worker', 'key') ??
  // The wallet's table has one row, as there is one stream.
  faultOf(db, streams, walletStream, 'wallet', `'${walletName}'`);

function faultOf<State extends { readonly revision: number }, A extends Event>(
  db: Db,
  streams: Streams,
  stream: Stream<State, A>,
  table: string,
  key: string,
): Refusal | null {
  const rows = new Map(db.prepare<[], [string, number]>(`SELECT ${key}, revision FROM ${table}`).raw().all());
  const ids = new Set(rows.keys());
  for (const name of streams.keys()) {
    const id = stream.idOf(name);
    if (id !== null) ids.add(id);
  }
  for (const id of ids) {
    const revision = rows.get(id);
    // Nearly always the newest entry made the row; an entry that changes nothing leaves it.
    if (revision !== undefined && streams.get(stream.nameOf(id))?.last === revision) continue;
    if (streamState(db, stream, id)?.revision !== revision)
      return {
        code: 'integrity',
        detail: `the table row of ${stream.noun} ${id} does not match its signed entries`,
        hint: 'agent-cli rebuild',
      };
  }
  return null;
}
