/** Asks the person at the terminal for a decision on a result, and for the reason. */
import { Flags } from '@oclif/core';
import type { ApproverDocument } from '../codec/api-approvers.js';
import { review_note_chars_max } from '../base/limits.js';
import { RefusalError } from '../base/refusal.js';
import { isNote } from '../base/text.js';
import type { MissionRecord, ReviewBody } from '../codec/api-missions.js';
import { askAtTerminal, type Ask } from './ask.js';
import type { OwnKey } from './own-keys.js';
import { excluding, missing } from './usage.js';

export interface Decision extends ReviewBody {
  /** The key that the person chose to sign with; absent where the home is to record the decision. */
  readonly signer?: OwnKey;
}

/** The flags by which a decision is given where nobody can be asked. */
export const decisionFlags = {
  revision: Flags.integer({ description: 'the revision that you looked at', helpValue: 'N' }),
  'result-hash': Flags.string({ description: 'the hash of the result that you looked at', helpValue: 'HASH' }),
  approve: Flags.boolean({ description: 'archive the result as approved; this or --reject' }),
  reject: Flags.boolean({ description: 'reject the result; the record stays; this or --approve' }),
  note: Flags.string({ description: 'your reason, 1 to 2000 characters', helpValue: 'TEXT' }),
};

interface DecisionFlags {
  readonly revision?: number | undefined;
  readonly 'result-hash'?: string | undefined;
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly note?: string | undefined;
}

/**
 * Returns the decision that flags give, or null for none of them if a person can be asked.
 * @throws RefusalError `invalid` for some of the flags
 */
export function decisionOf(given: DecisionFlags, isAsked: boolean): Decision | null {
  const { revision, note, approve, reject, 'result-hash': result_hash } = given;
  if (approve === true && reject === true)
    throw new RefusalError('invalid', excluding(['--approve', '--reject']), { hint: 'agent-cli review --help' });
  const isUndecided = approve === undefined && reject === undefined;
  if (isAsked && isUndecided && revision === undefined && result_hash === undefined && note === undefined) return null;
  if (!isUndecided && revision !== undefined && result_hash !== undefined && note !== undefined)
    return { revision, result_hash, approve: approve === true, note };
  const needed = (['revision', 'result-hash', 'note'] as const).flatMap((name) =>
    given[name] === undefined ? [`--${name}`] : [],
  );
  const detail = missing([...(isUndecided ? ['--approve or --reject'] : []), ...needed]);
  throw new RefusalError('invalid', detail, { hint: 'agent-cli review --help' });
}

/** Returns whether there is a person to ask. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY;

const answers: Readonly<Record<string, 'approve' | 'reject' | 'quit'>> = {
  a: 'approve',
  approve: 'approve',
  r: 'reject',
  reject: 'reject',
  q: 'quit',
  quit: 'quit',
};

const unanswered = 'no decision was made; nothing was recorded';

/**
 * Asks on standard error until there is an answer. The decision is on what was shown; one that failed its verification can only be rejected.
 * @param approvers whose keys can sign an approval, where they are held here
 * @throws RefusalError `interrupted` when the person quits, by a word, Ctrl-C or Ctrl-D
 */
export async function askDecision(shown: MissionRecord, approvers: readonly ApproverDocument[]): Promise<Decision> {
  const { revision, result_hash, verification, approvals = [], approvals_required = 0 } = shown;
  const held = await (await import('./own-keys.js')).ownKeys(approvers);
  const open = held.filter((key) => !approvals.some(({ approver }) => approver === key.approver));
  // If all of them have approved, the refusal says so.
  const keys = open.length > 0 ? open : held;
  const approvable = verification?.passed === true;
  const choices = approvable ? '[a]pprove, [r]eject or [q]uit' : 'the verification failed: [r]eject or [q]uit';
  return await askAtTerminal(
    async (ask) => {
      const approve = await choice(ask, `Your decision, ${choices}: `, approvable);
      const note = await reason(ask);
      const mustSign = approvals.length < approvals_required;
      const signer = approve && keys.length > 0 ? await signerAmong(ask, keys, mustSign) : null;
      return { revision, result_hash: result_hash ?? '', approve, note, ...(signer === null ? {} : { signer }) };
    },
    { unanswered },
  );
}

async function signerAmong(ask: Ask, keys: readonly OwnKey[], mustSign: boolean): Promise<OwnKey | null> {
  const listed = keys.map(({ named }, i) => `  ${i + 1}  ${named}\n`);
  process.stderr.write(`Keys that can sign it:\n${listed.join('')}`);
  const numbers = keys.length === 1 ? '1' : `1 to ${keys.length}`;
  for (;;) {
    const answer = (await ask(`Sign with key ${numbers}${mustSign ? '' : ', [n]one'} or [q]uit: `)).trim().toLowerCase();
    if (answer === 'q' || answer === 'quit') throw new RefusalError('interrupted', unanswered);
    if (!mustSign && (answer === 'n' || answer === 'none')) return null;
    const chosen = /^[1-9]\d*$/.test(answer) ? keys[Number(answer) - 1] : undefined;
    if (chosen !== undefined) return chosen;
  }
}

async function choice(ask: Ask, question: string, approvable: boolean): Promise<boolean> {
  for (;;) {
    const answer = answers[(await ask(question)).trim().toLowerCase()];
    if (answer === 'quit') throw new RefusalError('interrupted', unanswered);
    if (answer === 'reject' || (answer === 'approve' && approvable)) return answer === 'approve';
  }
}

async function reason(ask: Ask): Promise<string> {
  for (;;) {
    const note = (await ask(`Your reason, 1 to ${review_note_chars_max} characters, or [q]uit: `)).trim();
    if (answers[note.toLowerCase()] === 'quit') throw new RefusalError('interrupted', unanswered);
    if (isNote(note, review_note_chars_max)) return note;
  }
}
