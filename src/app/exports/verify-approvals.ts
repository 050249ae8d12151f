/** Verifies the approvals of an export against the people whom the verifier knows. */
import { type ApprovalDemands, type ApprovedEntry, checkApprovals, checkApprovers } from '../../base/approval-evidence.js';
import { readKey, unsignedText } from '../../base/approval.js';
import { invalid, RefusalError } from '../../base/refusal.js';
import { Refuted } from '../../base/web-crypto.js';
import type { ApprovalSummary } from '../../codec/approvals.js';
import type { Body } from '../../codec/entry.js';
import type { ExportDocument } from '../../codec/export.js';
import { readInput } from '../../home/files.js';
import { reviewTime } from '../../reports/report.js';

const key_file_bytes_max = 8_192;
const approvals_required_max = 100;
const approverPattern = /^([^=]+)=(SHA256:[A-Za-z0-9+/]{43}|(?!SHA256:)[^]+)$/;

interface Asked {
  readonly approvers?: readonly string[] | undefined;
  readonly approvalsRequired?: number | undefined;
}

/** Reads whom the verifier knows. @throws RefusalError `invalid` */
export async function demandsOf({ approvers = [], approvalsRequired = 0 }: Asked): Promise<ApprovalDemands> {
  if (!Number.isInteger(approvalsRequired) || approvalsRequired < 0 || approvalsRequired > approvals_required_max)
    throw new RefusalError(invalid('approvals-required', `must be from 0 to ${approvals_required_max}`));
  const known = await Promise.all(approvers.map(knownApprover));
  return { approvers: known, required: approvalsRequired };
}

async function knownApprover(given: string): Promise<ApprovalDemands['approvers'][number]> {
  const [, name = '', key = ''] = approverPattern.exec(given) ?? [];
  if (name === '') throw new RefusalError(invalid('approver', 'must be NAME=FILE.pub or NAME=SHA256:FINGERPRINT'));
  if (key.startsWith('SHA256:')) return { name, fingerprint: key };
  const text = readInput(key, key_file_bytes_max).toString('utf8');
  try {
    return { name, fingerprint: (await readKey(text.startsWith('-----') ? 'passkey' : 'ssh', text)).fingerprint };
  } catch (error) {
    throw error instanceof Refuted ? new RefusalError(invalid('approver', `${key}: ${error.message}`)) : error;
  }
}

export interface VerifiedApproval extends ApprovalSummary {
  readonly note: string;
}

export interface RecordedReview {
  readonly actor: string;
  readonly at: string;
  readonly note: string;
}

interface ApprovalVerdict {
  readonly approvals?: readonly VerifiedApproval[];
  readonly approvals_required: number;
  readonly review: RecordedReview;
  readonly unsigned?: string;
}

/** @throws Refuted unless the approvals are those that the entry counts, and those that are demanded */
export async function approvalVerdict(
  { approvals, receipt }: ExportDocument,
  body: Body,
  demands: ApprovalDemands = { approvers: [], required: 0 },
): Promise<ApprovalVerdict> {
  const document = body.document as ApprovedEntry['document'];
  const time = body.schema === 2 ? body.time : '';
  const entry = { identity: body.identity, time, mission: body.mission, document };
  const { actor, note } = document.review;
  const counted = body.schema === 2 ? document.approvals : undefined;
  const isLeftOut = approvals === undefined && counted !== undefined;
  const subjects = isLeftOut ? [] : await checkApprovals(approvals ?? [], entry);
  checkApprovers(subjects, demands);
  const verified = (approvals ?? []).map(({ approver, title, fingerprint, kind }, i) => ({
    approver,
    title,
    fingerprint,
    kind,
    at: subjects[i]?.at ?? '',
    note: subjects[i]?.note ?? '',
  }));
  return {
    ...(verified.length === 0 ? {} : { approvals: verified }),
    approvals_required: counted?.required ?? 0,
    review: { actor, at: reviewTime(receipt.body), note },
    ...(counted === undefined ? { unsigned: unsignedText(actor) } : {}),
  };
}
