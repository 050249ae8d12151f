/**
 * What a report is made from: an export, or the record of a mission whose result nobody has approved yet. A renderer makes a file of it that depends on
 * nothing else, so that the same export always gives the same bytes.
 */
import { leftOutText, type SignedApproval, unsignedText } from '../base/approval.js';
import { assistantMark } from '../base/assistant-mark.js';
import { timeOfNanoseconds } from '../base/time.js';
import type { ExportDocument } from '../codec/export.js';
import { type Kind, kinds } from '../codec/kinds.js';
import { type Fact, utcText } from './content.js';
import { contentOf } from './kinds/contents.js';

/** Somebody whose key signed the approval. */
type Signatory = Readonly<ReturnType<typeof signatoryOf>>;

export interface Approval {
  readonly by: string;
  readonly at: string;
  readonly note: string;
  /** In the order in which they signed; none where nobody did, or the file leaves them out. */
  readonly signatories: readonly Signatory[];
  readonly required: number;
  /** What is said where no key of a person signed, or its signature is not in the file. */
  readonly unsigned: string | null;
  /** The program did not hold the version of the engine that made the result, and checked only its claims. */
  readonly isRecomputed: boolean;
}

export type Report = NonNullable<ReturnType<typeof reportOf>>;

/** The signed entry of a result. */
type SignedPlace = { readonly identity: string; readonly sequence: number; readonly hash: string };

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Mission {
  readonly mission: string;
  readonly request: unknown;
  readonly result: unknown;
  readonly result_hash: string;
  readonly engine: unknown;
  readonly assistant?: unknown;
}

/** Returns the report of a result that nobody has approved; null for a request of no known kind. */
export const draftOf = (mission: Mission): Report | null => reportOf(mission, null, null);

function reportOf(mission: Mission, approval: Approval | null, entry: SignedPlace | null) {
  const { goal, work } = membersOf(mission.request);
  const kind = kinds.find((each) => each === membersOf(work)['kind']);
  const { name, version } = membersOf(mission.engine);
  if (kind === undefined) return null;
  return {
    mission: mission.mission,
    kind,
    goal: textOf(goal),
    /** The mark of an assistant that submitted the mission; null where a person did. */
    author: typeof mission.assistant === 'string' ? assistantMark(mission.assistant) : null,
    engine: typeof name === 'string' ? `${name} ${textOf(version)}` : null,
    result_hash: mission.result_hash,
    content: contentOf(kind, mission.request, mission.result),
    /** Null for a draft, as is the entry. */
    approval,
    entry,
  };
}

/** Returns the report of an export, which is taken as it is: who renders it has verified it. Null for one of no known kind. */
export function reportOfExport({ receipt, request, approvals = [] }: ExportDocument): Report | null {
  const { mission, identity, sequence, document } = receipt.body;
  const { result, review, engine, assistant, request: earlier, approvals: counted } = membersOf(document);
  const { actor, note, result_hash, recomputed } = membersOf(review);
  const { required = 0 } = membersOf(counted);
  const approval = {
    by: textOf(actor),
    at: reviewTime(receipt.body),
    note: textOf(note),
    isRecomputed: recomputed !== null,
    signatories: approvals.map(signatoryOf),
    required: Number(required),
    unsigned: counted === undefined ? unsignedText(textOf(actor)) : approvals.length > 0 ? null : leftOutText(Number(required)),
  };
  const entry = { identity: textOf(identity), sequence: Number(sequence), hash: receipt.hash };
  const made = {
    mission: textOf(mission),
    request: request ?? earlier,
    result,
    result_hash: textOf(result_hash),
    engine,
    assistant,
  };
  return reportOf(made, approval, entry);
}

/** Returns when a result was approved. The reference agent signed the time of the entry alone, in nanoseconds. */
export function reviewTime({ document, time_ns }: ExportDocument['receipt']['body']): string {
  const { at } = membersOf(membersOf(document)['review']);
  if (typeof at === 'string') return at;
  return (Number.isInteger(time_ns) ? timeOfNanoseconds(String(BigInt(Number(time_ns)))) : null) ?? '';
}

function signatoryOf({ approver: name, title, kind, fingerprint, subject }: SignedApproval) {
  const { at, note } = membersOf(JSON.parse(subject));
  return { name, title, kind, fingerprint, at: textOf(at), note: textOf(note) };
}

/** Returns who signed with which key, when and why, or what the word of the home is worth. */
export function approvalFacts({ signatories, required, unsigned }: Approval): readonly Fact[] {
  if (unsigned !== null) return [['Signature', unsigned]];
  const needed = Math.max(required, signatories.length);
  return signatories.map(({ name, title, kind, fingerprint, at, note }, i) => {
    const who = title === null ? name : `${name} (${title})`;
    const key = `${kind === 'ssh' ? 'SSH key' : 'passkey'} ${fingerprint}`;
    return [`Approval ${i + 1} of ${needed}`, `${who}, ${utcText(at)}: ${note}`, key];
  });
}

/** Returns what names the result: its mission, its hash and, of an approved one, its place in the journal. */
export const originFacts = ({ mission, result_hash, entry }: Report): readonly Fact[] => [
  ['Mission', mission],
  ['SHA-256 of the result', result_hash],
  ...(entry === null ? [] : [['Entry in the journal', `${entry.sequence}, hash ${entry.hash}`] as const]),
];

/** Returns who approved the result. */
export const approvedBy = ({ by, signatories }: Approval): readonly string[] =>
  signatories.length === 0 ? [by] : signatories.map(({ name }) => name);

/** Returns the kind, whose name is of small ASCII letters, with a capital, as a heading shows it. */
export const kindName = (kind: Kind): string => String.fromCharCode(kind.charCodeAt(0) - 0x20) + kind.slice(1);

export const draft_mark = 'DRAFT, NOT APPROVED';
