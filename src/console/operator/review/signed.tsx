/** Signing an approval with a passkey: what is shown is read from the very text that the passkey signs. */
import type { ComponentChildren } from 'preact';
import { readSubject, type Subject } from '../../../base/approval.js';
import type { ApproverDocument } from '../../../codec/api-approvers.js';
import { type MissionRecord, missionRecordCodec } from '../../../codec/api-missions.js';
import { withQuery } from '../../kit/address.js';
import { localProblem, Problem } from '../../kit/api/problem.js';
import { Button } from '../../kit/controls/inputs.js';
import { Facts, LazyDetails, Mono, Verbatim } from '../../kit/controls/pieces.js';
import { Load, ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load.js';
import { assertionOf, obstacle, Obstacle } from '../approvers/passkey.js';
import { useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import type { Decision } from './commands.js';

/** A passkey that may approve the result now. */
export interface Signer {
  readonly approver: string;
  readonly fingerprint: string;
  readonly credential: string;
}

/** Returns the passkeys that may approve: those of the signed-in approver, or where nobody is bound, of all who have not approved. */
export const signersOf = (
  approvers: readonly ApproverDocument[],
  { approvals = [] }: MissionRecord,
  own: string | undefined,
): readonly Signer[] =>
  approvers
    .filter(
      ({ name, state }) => state === 'active' && (own ?? name) === name && !approvals.some(({ approver }) => approver === name),
    )
    .flatMap(({ name: approver, keys }) =>
      keys.flatMap(({ credential, fingerprint, removed_at }) =>
        credential === undefined || removed_at !== null ? [] : [{ approver, fingerprint, credential }],
      ),
    );

interface SignedProps {
  readonly decision: Decision;
  readonly signer: Signer;
  readonly changed: boolean;
  readonly done: (record: MissionRecord) => void;
  readonly conflict: (problem: Problem) => void;
  readonly back: ComponentChildren;
}

/** @throws Problem unless the text is that of the decision: `stale_revision` where the mission changed since it was shown */
function subjectOf(text: string, { id, revision, result_hash, note }: Decision, { approver, fingerprint }: Signer): Subject {
  const subject = readSubject(text);
  const now = { revision: subject.revision, result_hash: subject.result_hash };
  if (subject.revision !== revision || subject.result_hash !== result_hash) {
    const detail = `the mission has revision ${now.revision} now`;
    const document = {
      code: 'stale_revision',
      status: 409,
      title: '',
      detail,
      errors: [],
      facts: now,
      hint: null,
      retryAfter: null,
    } as const;
    throw new Problem(document);
  }
  const isAsked = subject.mission === id && subject.note === note && subject.approver === approver && subject.key === fingerprint;
  if (!isAsked) throw localProblem('unexpected', 'the text to be signed is for another decision');
  return subject;
}

export function SignedDecision(props: SignedProps) {
  const { t } = useWords();
  const { api } = useSession();
  const { decision, signer } = props;
  const query = { approver: signer.approver, key: signer.fingerprint, note: decision.note };
  const path = withQuery(`/api/missions/${decision.id}/review/subject`, query);
  const text = useLoad(path, async () => (await api.download(path)).blob.text());
  if (obstacle !== null)
    return (
      <>
        <Obstacle api={api} />
        <div class="actions">{props.back}</div>
      </>
    );
  return (
    <>
      <Load from={text} failed={t.failed.subject}>
        {(subject) => <Signing {...props} text={subject} />}
      </Load>
      {text.data === null && <div class="actions">{props.back}</div>}
    </>
  );
}

function Signing({ decision, signer, changed, done, conflict, back, text }: SignedProps & { readonly text: string }) {
  const { t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const sign = (): void =>
    run(async () => {
      try {
        subjectOf(text, decision, signer);
        const assertion = await assertionOf(text, signer.credential);
        const body = { text: JSON.stringify({ subject: text, assertion }) };
        const record = await api.post(`/api/missions/${decision.id}/review`, missionRecordCodec, body);
        announce(t.review.approvedNow);
        done(record);
      } catch (error) {
        if (!(error instanceof Problem && error.document.code === 'stale_revision')) throw error;
        conflict(error);
      }
    });
  return (
    <>
      <SubjectFacts subject={readSubject(text)} />
      <p class="help">{t.approvers.subjectText}</p>
      <LazyDetails title={t.approvers.subject}>{() => <Verbatim wrap label={t.approvers.subject} text={text} />}</LazyDetails>
      {problem !== null && <ProblemBox title={t.failed.sign} problem={problem} />}
      {changed && !busy && (
        <p class="notice notice-warn" role="status">
          {t.review.changed}
        </p>
      )}
      <div class="actions">
        <Button
          class="primary"
          disabled={busy || changed}
          onClick={sign}
          text={busy ? t.approvers.registering : t.approvers.signPasskey}
        />
        {back}
      </div>
    </>
  );
}

function SubjectFacts({ subject }: { readonly subject: Subject }) {
  const { t, f } = useWords();
  const { mission, kind, revision, request_hash, result_hash, note, approver, key, at, origin } = subject;
  const { fields } = t.approvers;
  return (
    <Facts
      wide
      facts={[
        [t.review.fields.decision, <strong>{t.review.approve}</strong>],
        [t.review.fields.mission, <Mono>{mission}</Mono>],
        [fields.kind, kind],
        [t.review.fields.revision, f.number(revision)],
        [t.review.fields.result_hash, <Mono>{result_hash}</Mono>],
        [fields.request_hash, <Mono>{request_hash}</Mono>],
        [t.review.fields.note, <span class="pre-wrap">{note}</span>],
        [fields.approver, approver],
        [fields.key, <Mono>{key}</Mono>],
        [fields.at, f.dateTime(at)],
        [fields.origin, <Mono>{origin}</Mono>],
      ]}
    />
  );
}
