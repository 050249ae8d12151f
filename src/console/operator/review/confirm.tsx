/** The confirmation of a decision: shows what will be signed, by a passkey or by the home, and sends exactly that. */
import { useMemo, useState } from 'preact/hooks';
import { approverListCodec } from '../../../codec/api-approvers.js';
import { type MissionRecord, missionRecordCodec } from '../../../codec/api-missions.js';
import { Problem } from '../../kit/api/problem.js';
import { agentCli, useHomed } from '../../kit/controls/agent-cli.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Button, Select } from '../../kit/controls/inputs.js';
import { Facts, Mono, Verbatim } from '../../kit/controls/pieces.js';
import { Load, ProblemBox } from '../../kit/controls/problem.js';
import { useGet, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { type Decision, reviewCommand } from './commands.js';
import { SignedDecision, type Signer, signersOf } from './signed.js';

interface ConfirmProps {
  readonly record: MissionRecord;
  readonly decision: Decision;
  readonly changed: boolean;
  readonly done: (record: MissionRecord) => void;
  /** Called when the mission is not what was looked at any more. */
  readonly conflict: (problem: Problem) => void;
  readonly onClose: () => void;
}

const conflicts: readonly Problem['document']['code'][] = ['stale_revision', 'hash_mismatch', 'wrong_state'];

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

/** The choice of the key that signs. Where people must sign, the home's word is not among them. */
function Approval(props: ConfirmProps) {
  const { k, t } = useWords();
  const { approver } = useSession().status.actor;
  const [chosen, setChosen] = useState<string | null>(null);
  const { record, decision, changed, done, conflict, onClose } = props;
  const back = <Button onClick={onClose} text={k.back} />;
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
          <SignedDecision key={key} {...{ decision, signer, changed, done, conflict, back }} />
        ) : isHomeEnough ? (
          <HomeDecision {...props} />
        ) : (
          <>
            <p class="notice notice-warn">{t.approvers.noKey}</p>
            <CommandLine inner lines={[agentCli('review', decision.id, '--approver', 'NAME', '--sign', 'KEYFILE')]} />
            <div class="actions">{back}</div>
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

/** What the home signs, to the letter: the values, the body that is sent, and the command that does the same. */
function HomeDecision({ decision, changed, done, conflict, onClose }: ConfirmProps) {
  const { k, t, f } = useWords();
  const { api, status, announce, busy, problem, run } = useTask();
  const homed = useHomed();
  const { id, revision, result_hash, approve, note } = decision;
  const body = useMemo(() => JSON.stringify({ revision, result_hash, approve, note }), [revision, result_hash, approve, note]);
  const sign = (): void =>
    run(async () => {
      try {
        const record = await api.post(`/api/missions/${id}/review`, missionRecordCodec, { text: body });
        announce(approve ? t.review.approvedNow : t.review.rejectedNow);
        done(record);
      } catch (error) {
        if (!(error instanceof Problem && conflicts.includes(error.document.code))) throw error;
        conflict(error);
      }
    });
  return (
    <>
      <p>{t.review.confirmText}</p>
      <Facts
        wide
        facts={[
          [t.review.fields.decision, <strong>{approve ? t.review.approve : t.review.reject}</strong>],
          [t.review.fields.mission, <Mono>{id}</Mono>],
          [t.review.fields.revision, f.number(revision)],
          [t.review.fields.result_hash, <Mono>{result_hash}</Mono>],
          [t.review.fields.note, <span class="pre-wrap">{note}</span>],
          [t.review.fields.actor, status.actor.name],
        ]}
      />
      {approve && <p class="unsigned">{t.review.unsigned(status.actor.name)}</p>}
      <p class="label">{t.review.body}</p>
      <Verbatim wrap label={t.review.body} text={body} />
      <p class="review-lead">{t.review.lead}</p>
      {problem !== null && <ProblemBox title={t.failed.sign} problem={problem} />}
      {changed && !busy && (
        <p class="notice notice-warn" role="status">
          {t.review.changed}
        </p>
      )}
      <div class="actions">
        <Button
          class={approve ? 'primary' : 'danger'}
          disabled={busy || changed}
          onClick={sign}
          text={busy ? t.review.signing : approve ? t.review.signApprove : t.review.signReject}
        />
        <Button onClick={onClose} text={k.back} />
        <CopyButton text={homed(reviewCommand(decision))} label={k.copyCommand} />
      </div>
    </>
  );
}
