/** Adds and removes approvers and their public keys. Private keys never come near the home. */
import { readKey } from '../../base/approval.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError, type Result } from '../../base/result.js';
import { Refuted } from '../../base/web-crypto.js';
import { type Approver, type ApproverEvent, approverStream, decideAddKey, decideRemove } from '../../domain/approver.js';
import { readNamed } from '../../home/files.js';
import { recordEvents } from '../../journal/stream.js';
import { recordedApprovers } from '../../tables/approvers.js';
import type { Home } from '../home/home.js';

export type ApproverRecord = Omit<Approver, 'revision'>;

export interface ApproverList {
  readonly items: readonly ApproverRecord[];
}

const recordOf = ({ revision: _1, ...shown }: Approver): ApproverRecord => shown;

function requireApprover(known: ReadonlyMap<string, Approver>, name: string): Approver {
  const found = known.get(name);
  if (found !== undefined) return found;
  throw new RefusalError({ code: 'not_found', detail: `there is no approver ${name}`, hint: 'agent-cli approver list' });
}

async function change(
  home: Home,
  name: string,
  decide: (approvers: ReadonlyMap<string, Approver>) => Result<readonly ApproverEvent[]>,
): Promise<ApproverRecord> {
  const approvers = await home.transact((tx) => {
    recordEvents(tx, approverStream, name, decide(recordedApprovers(tx.db)));
    return recordedApprovers(tx.db);
  });
  return recordOf(requireApprover(approvers, name));
}

export interface GivenKey {
  readonly kind: 'ssh' | 'passkey';
  /** The line of a file .pub, whose comment is left out, or the SubjectPublicKeyInfo of a passkey in PEM. */
  readonly key: string;
  /** What a browser finds a passkey by. */
  readonly credential?: string;
}

const key_file_bytes_max = 8_192;

/** Reads the file of a public key, or standard input by `-`. */
export const readKeyFile = (file: string): string => readNamed(file, key_file_bytes_max).toString('utf8');

interface Addition {
  readonly name: string;
  readonly title: string | null;
  readonly actor: string;
}

/** @throws RefusalError `invalid` for a key that is malformed or weak, `exists` for one that somebody has */
export async function addApproverKey(home: Home, addition: Addition, given: GivenKey): Promise<ApproverRecord> {
  const { credential } = given;
  const known = await knownKey(given);
  const key = { kind: given.kind, ...known, ...(credential === undefined ? {} : { credential }) };
  return await change(home, addition.name, (approvers) => decideAddKey(approvers, { ...addition, ...key }));
}

async function knownKey({ kind, key }: GivenKey): Promise<{ readonly key: string; readonly fingerprint: string }> {
  try {
    return await readKey(kind, key);
  } catch (error) {
    throw error instanceof Refuted ? new RefusalError(invalid('key', error.message)) : error;
  }
}

interface Removal {
  readonly name: string;
  /** Null for the approver with all keys. */
  readonly fingerprint: string | null;
  readonly reason: string;
  readonly actor: string;
}

export const removeApprover = (home: Home, removal: Removal): Promise<ApproverRecord> =>
  change(home, removal.name, (approvers) => decideRemove(approvers.get(removal.name) ?? null, removal));

/** Returns all approvers by name, removed ones too. */
export const listApprovers = (home: Home): ApproverList => ({
  items: [...recordedApprovers(home.db).values()].map(recordOf).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
});

/** @throws RefusalError `not_found` */
export const showApprover = (home: Home, name: string): ApproverRecord =>
  recordOf(requireApprover(recordedApprovers(home.db), name));
