/** The confirmation of a decision: shows what will be signed, by a passkey or by the home, and sends exactly that. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { readSubject, type Subject } from '../../../base/approval.js';
import { type ApproverDocument, approverListCodec } from '../../../codec/api-approvers.js';
import { type MissionRecord, missionRecordCodec } from '../../../codec/api-missions.js';
import { withQuery } from '../../kit/address.js';
import { localProblem, Problem } from '../../kit/api/client.js';
import { agentCli, useHomed } from '../../kit/controls/agent-cli.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Button, Select } from '../../kit/controls/inputs.js';
import { type Fact, Facts, LazyDetails, Load, Mono, ProblemBox, Verbatim } from '../../kit/controls/pieces.js';
import { useLoad } from '../../kit/load.js';
import { assertionOf, obstacle, Obstacle } from '../approvers/passkey.js';
import { useGet, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { type Decision, reviewCommand } from './commands.js';

interface ConfirmProps {
  readonly record: MissionRecord;
  readonly decision: Decision;
  readonly changed: boolean;
  readonly done: (record: MissionRecord) => void;
  /** Called when the mission is not what was looked at any more. */
  readonly conflict: (problem: Problem) => void;
  readonly onClose: () => void;
}

/** What will be signed, and by whom: a passkey of a person, or the home. */
export function Confirm(props: ConfirmProps) {
  const { t } = useWords();
  const { decision, onClose } = props;
  return (
    <Dialog title={t.review.confirmTitle} onClose={onClose} wide>
      {decision.approve ? <Approval {...props} /> : <HomeDecision {...props} />}
    </Dialog>
  );
}

const by_home = '';

/** A passkey that may approve the result now. */
type Signer = { readonly approver: string; readonly fingerprint: string; readonly credential: string };

/** Returns the passkeys that may approve: those of the signed-in approver, or where nobody is bound, of all who have not approved. */
const signersOf = (
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

/** The choice of the key that signs. Where people must sign, the home's word is not among them. */
function Approval(props: ConfirmProps) {
  const { t } = useWords();
  const { approver } = useSession().status.actor;
  const [chosen, setChosen] = useState<string | null>(null);
  const { record, decision, onClose } = props;
  const choice = (signers: readonly Signer[]) => {
    const isHomeEnough = (record.approvals_required ?? 0) === 0;
    const usual = approver === undefined && isHomeEnough ? by_home : (signers[0]?.fingerprint ?? by_home);
    const key = chosen ?? usual;
    const signer = signers.find(({ fingerprint }) => fingerprint === key);
    const keys = signers.map(({ approver: name, fingerprint }) => [fingerprint, t.approvers.signKey(name, fingerprint)] as const);
    const options = [...keys, ...(isHomeEnough ? [[by_home, t.approvers.byHome] as const] : [])];
    return (
      <>
        {options.length > 1 && <Select label={t.approvers.signWith} options={options} value={key} choose={setChosen} />}
        {signer !== undefined ? (
          <SignedDecision key={key} {...props} signer={signer} />
        ) : isHomeEnough ? (
          <HomeDecision {...props} />
        ) : (
          <>
            <p class="notice notice-warn">{t.approvers.noKey}</p>
            <CommandLine inner lines={[agentCli('review', decision.id, '--approver', 'NAME', '--sign', 'KEYFILE')]} />
            <Back onClose={onClose} />
          </>
        )}
      </>
    );
  };
  return (
    <Load from={useGet('/api/approvers', approverListCodec)} failed={t.failed.approvers}>
      {({ items }) => choice(signersOf(items, record, approver))}
    </Load>
  );
}

function Back({ onClose }: Pick<ConfirmProps, 'onClose'>) {
  const { k } = useWords();
  return (
    <div class="actions">
      <Button onClick={onClose} text={k.back} />
    </div>
  );
}

interface SendingProps extends ConfirmProps {
  /** Returns the body to be sent. */
  readonly body: () => Promise<string> | string;
  /** Codes of responses that say that the mission is another one now. */
  readonly conflicts: readonly Problem['document']['code'][];
  /** Called when what was signed is too old. */
  readonly renew?: () => void;
  /** What the button says, and what it says while it works. */
  readonly texts: readonly [idle: string, busy: string];
  readonly beside?: ComponentChildren;
}

/** Sends the decision, and says why it could not be sent. */
function Sending({ decision, changed, done, conflict, onClose, body, conflicts, renew, texts, beside }: SendingProps) {
  const { k, t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const { id, approve } = decision;
  const sign = (): void =>
    run(async () => {
      try {
        const record = await api.post(`/api/missions/${id}/review`, missionRecordCodec, { text: await body() });
        announce(approve ? t.review.approvedNow : t.review.rejectedNow);
        done(record);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.document.code === 'subject_expired') renew?.();
        if (!conflicts.includes(error.document.code)) throw error;
        conflict(error);
      }
    });
  return (
    <>
      {problem !== null && <ProblemBox title={t.failed.sign} problem={problem} />}
      {changed && !busy && (
        <p class="notice notice-warn" role="status">
          {t.review.changed}
        </p>
      )}
      <div class="actions">
        <Button class={approve ? 'primary' : 'danger'} disabled={busy || changed} onClick={sign} text={texts[busy ? 1 : 0]} />
        <Button onClick={onClose} text={k.back} />
        {beside}
      </div>
    </>
  );
}

/** The facts that both kinds of signature cover: the home's and a passkey's. */
function useDecisionFacts(): (decision: Omit<Decision, 'note'>) => readonly Fact[] {
  const { t, f } = useWords();
  const { approve: approved, reject } = t.review;
  return ({ id, revision, result_hash, approve }) => [
    [t.review.decision, <strong>{approve ? approved : reject}</strong>],
    [t.mission.id, <Mono>{id}</Mono>],
    [t.mission.revision, f.number(revision)],
    [t.mission.resultHash, <Mono>{result_hash}</Mono>],
  ];
}

/** What the home signs, to the letter: the values, the body that is sent, and the command that does the same. */
function HomeDecision(props: ConfirmProps) {
  const { k, t } = useWords();
  const { name } = useSession().status.actor;
  const homed = useHomed();
  const { revision, result_hash, approve, note } = props.decision;
  const body = useMemo(() => JSON.stringify({ revision, result_hash, approve, note }), [revision, result_hash, approve, note]);
  const facts = useDecisionFacts()(props.decision);
  return (
    <>
      <p>{t.review.confirmText}</p>
      <Facts facts={[...facts, [t.review.note, <span class="pre-wrap">{note}</span>], [t.review.actor, name]]} />
      {approve && <p class="unsigned">{t.review.unsigned(name)}</p>}
      <p class="label">{t.review.body}</p>
      <Verbatim wrap label={t.review.body} text={body} />
      <p class="review-lead">{t.review.lead}</p>
      <Sending
        {...props}
        body={() => body}
        conflicts={['stale_revision', 'hash_mismatch', 'wrong_state']}
        texts={[approve ? t.review.signApprove : t.review.signReject, t.review.signing]}
        beside={<CopyButton text={homed(reviewCommand(props.decision))} label={k.copyCommand} />}
      />
    </>
  );
}

type SignedProps = ConfirmProps & { readonly signer: Signer };

/** Signing an approval with a passkey: what is shown is read from the very text that the passkey signs. */
function SignedDecision(props: SignedProps) {
  const { t } = useWords();
  const { api } = useSession();
  const { decision, signer, onClose } = props;
  const query = { approver: signer.approver, key: signer.fingerprint, note: decision.note };
  const path = withQuery(`/api/missions/${decision.id}/review/subject`, query);
  const text = useLoad(path, async () => (await api.download(path)).blob.text());
  if (obstacle !== null)
    return (
      <>
        <Obstacle api={api} />
        <Back onClose={onClose} />
      </>
    );
  return (
    <>
      <Load from={text} failed={t.failed.subject}>
        {(subject) => <Signing {...props} text={subject} renew={text.reload} />}
      </Load>
      {text.data === null && <Back onClose={onClose} />}
    </>
  );
}

/** @throws Problem unless the text is that of the decision: `stale_revision` where the mission changed since it was shown */
function checkSubject(text: string, { id, revision, result_hash, note }: Decision, { approver, fingerprint }: Signer): void {
  const { mission, key, ...subject } = readSubject(text);
  const now = { revision: subject.revision, result_hash: subject.result_hash };
  if (now.revision !== revision || now.result_hash !== result_hash) {
    const { document } = localProblem('unexpected', `the mission has revision ${now.revision} now`);
    throw new Problem({ ...document, code: 'stale_revision', status: 409, facts: now });
  }
  const isAsked = mission === id && subject.note === note && subject.approver === approver && key === fingerprint;
  if (!isAsked) throw localProblem('unexpected', 'the text to be signed is for another decision');
}

function Signing({ text, ...props }: SignedProps & { readonly text: string; readonly renew: () => void }) {
  const { t } = useWords();
  const { decision, signer } = props;
  const body = async (): Promise<string> => {
    checkSubject(text, decision, signer);
    return JSON.stringify({ subject: text, assertion: await assertionOf(text, signer.credential) });
  };
  return (
    <>
      <SubjectFacts subject={readSubject(text)} />
      <p class="help">{t.approvers.subjectText}</p>
      <LazyDetails title={t.approvers.subject}>{() => <Verbatim wrap label={t.approvers.subject} text={text} />}</LazyDetails>
      <Sending {...props} body={body} conflicts={['stale_revision']} texts={[t.approvers.signPasskey, t.approvers.registering]} />
    </>
  );
}

function SubjectFacts({ subject }: { readonly subject: Subject }) {
  const { t, f } = useWords();
  const { mission: id, kind, request_hash, note, approver, key, at, origin } = subject;
  const { fields } = t.approvers;
  const [decision, mission, ...rest] = useDecisionFacts()({ ...subject, id, approve: true });
  return (
    <Facts
      facts={[
        decision ?? null,
        mission ?? null,
        [t.list.kind, kind],
        ...rest,
        [t.mission.requestHash, <Mono>{request_hash}</Mono>],
        [t.review.note, <span class="pre-wrap">{note}</span>],
        [fields.approver, approver],
        [fields.key, <Mono>{key}</Mono>],
        [fields.at, f.dateTime(at)],
        [t.journal.title, <Mono>{origin}</Mono>],
      ]}
    />
  );
}
