/** Checks the entries of a home before a command relies on them (docs/decisions/0009). */
import { verifiedFile, witnessDirectory } from '../../home/paths.js';
import { readVerified, writeVerified } from '../../home/verified-file.js';
import { Inclusion } from '../../journal/inclusion.js';
import type { Signer } from '../../journal/keys.js';
import { integrityFailure, type Loaded } from '../../journal/position.js';
import { checkRows } from '../../journal/reader.js';
import { rootAt } from '../../journal/tree.js';
import { judgeVerified, signVerified } from '../../journal/verified-note.js';
import { verifyOpened } from '../../journal/verify.js';
import { checkWhole, isSmall } from '../../journal/whole-check.js';
import type { Refusal } from '../../base/refusal.js';
import type { Db } from '../../store/database.js';
import { extentsFault } from './extents.js';
import type { OpenOptions, World } from './world.js';

export interface EntriesCheck {
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
