/** What will be signed, to the letter: the values, the body that is sent, and the command that does the same. */
import { useMemo } from 'preact/hooks';
import { Problem } from '../../kit/api/problem.js';
import { missionRecordCodec, type MissionRecord } from '../../../codec/api-missions.js';
import { reviewCommand, type Decision } from './commands.js';
import { useHomed } from '../../kit/controls/agent-cli.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CopyButton } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Facts, Mono } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

interface ConfirmProps {
  readonly decision: Decision;
  readonly changed: boolean;
  readonly set: (record: MissionRecord) => void;
  /** Called when the mission is not what was looked at any more. */
  readonly conflict: (problem: Problem) => void;
  readonly onClose: () => void;
}

const conflicts: readonly Problem['document']['code'][] = ['stale_revision', 'hash_mismatch', 'wrong_state'];

export function Confirm({ decision, changed, set, conflict, onClose }: ConfirmProps) {
  const { k, t, f } = useWords();
  const { api, status } = useSession();
  const announce = useAnnounce();
  const homed = useHomed();
  const { busy, problem, run } = useAction();
  const { id, revision, result_hash, approve, note } = decision;
  const body = useMemo(() => JSON.stringify({ revision, result_hash, approve, note }), [revision, result_hash, approve, note]);
  const sign = (): void =>
    run(async () => {
      try {
        const record = await api.post(`/api/missions/${id}/review`, missionRecordCodec, { text: body });
        announce(approve ? t.review.approvedNow : t.review.rejectedNow);
        set(record);
      } catch (error) {
        if (!(error instanceof Problem && conflicts.includes(error.document.code))) throw error;
        conflict(error);
      }
    });
  return (
    <Dialog title={t.review.confirmTitle} onClose={onClose} wide>
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
      <p class="label">{t.review.body}</p>
      <pre class="json json-wrap" tabIndex={0} aria-label={t.review.body}>
        {body}
      </pre>
      <p class="review-lead">{t.review.lead}</p>
      {problem !== null && <ProblemBox title={t.failed.sign} problem={problem} />}
      {changed && !busy && (
        <p class="notice notice-warn" role="status">
          {t.review.changed}
        </p>
      )}
      <div class="actions">
        <button type="button" class={approve ? 'primary' : 'danger'} disabled={busy || changed} onClick={sign}>
          {busy ? t.review.signing : approve ? t.review.signApprove : t.review.signReject}
        </button>
        <button type="button" onClick={onClose}>
          {k.back}
        </button>
        <CopyButton text={homed(reviewCommand(decision))} label={k.copyCommand} />
      </div>
    </Dialog>
  );
}
