/**
 * The decision. The pane computes the hash of the result that the page shows, lets the reviewer decide, shows what will be signed,
 * and sends exactly that.
 */
import { useId, useMemo, useState } from 'preact/hooks';
import { review_note_chars_max } from '../../../base/limits.js';
import type { MissionRecord } from '../../../codec/api-missions.js';
import type { Problem } from '../../kit/api/problem.js';
import { checkResultHash } from '../../kit/hash/result-hash.js';
import { useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Conflict } from './conflict.js';
import { Confirm } from './confirm.js';
import { DecisionChoice } from './choice.js';
import { useForeign } from './foreign.js';
import { HashVerdict } from './hash-verdict.js';

interface PaneProps {
  readonly record: MissionRecord;
  /** A newer revision is known: what is shown cannot be decided on any more. */
  readonly changed: boolean;
  readonly set: (record: MissionRecord) => void;
  readonly reload: () => void;
}

interface Faults {
  readonly decision?: string;
  readonly note?: string;
}

export function ReviewPane({ record, changed, set, reload }: PaneProps) {
  const { t } = useWords();
  const { review: allowed } = useRights();
  const check = useMemo(() => checkResultHash(record.result, record.result_hash), [record]);
  const foreign = useForeign(record.id, !check.equal);
  // Either hash names such a result; the one that was computed from what the page shows is signed.
  const signed = check.equal ? record.result_hash : foreign ? check.computed : null;
  const [conflict, setConflict] = useState<Problem | null>(null);
  return (
    <section class="review card" aria-labelledby="decision">
      <h2 id="decision" tabIndex={-1}>
        {t.review.title}
      </h2>
      <p class="review-lead">{t.review.lead}</p>
      <HashVerdict check={check} foreign={foreign} />
      {!allowed && <p class="notice">{t.review.viewer}</p>}
      {conflict !== null && <Conflict record={record} problem={conflict} reload={reload} />}
      {allowed && conflict === null && (
        <DecisionForm record={record} changed={changed} signed={signed} set={set} setConflict={setConflict} />
      )}
    </section>
  );
}

interface FormProps {
  readonly record: MissionRecord;
  readonly changed: boolean;
  /** The hash that an approval signs; null where nothing may be approved. */
  readonly signed: string | null;
  readonly set: (record: MissionRecord) => void;
  readonly setConflict: (problem: Problem) => void;
}

function DecisionForm({ record, changed, signed, set, setConflict }: FormProps) {
  const { t } = useWords();
  const { status } = useSession();
  const id = useId();
  const [approve, setApprove] = useState<boolean | null>(null);
  const [note, setNote] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [confirming, setConfirming] = useState(false);
  const result_hash = signed ?? record.result_hash;
  const look = (event: Event): void => {
    event.preventDefault();
    if (changed) return;
    const found: Faults = {
      ...(approve === null ? { decision: t.review.decisionMissing } : {}),
      ...(note.trim() === '' ? { note: t.review.noteMissing } : {}),
      ...(note.length > review_note_chars_max ? { note: t.review.noteLong } : {}),
    };
    setFaults(found);
    if (found.decision !== undefined) document.getElementById(`${id}-approve`)?.focus();
    else if (found.note !== undefined) document.getElementById(`${id}-note`)?.focus();
    else setConfirming(true);
  };
  return (
    <form onSubmit={look} noValidate>
      <DecisionChoice id={id} approve={approve} choose={setApprove} mayApprove={signed !== null} fault={faults.decision} />
      <label for={`${id}-note`}>{t.review.note}</label>
      <textarea
        id={`${id}-note`}
        rows={3}
        value={note}
        onInput={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
        aria-describedby={`${id}-note-help ${id}-note-error`}
        aria-invalid={faults.note !== undefined}
      />
      <p id={`${id}-note-help`} class="help">
        {t.review.noteHint}
      </p>
      <p id={`${id}-note-error`} class="field-error" role="alert">
        {faults.note}
      </p>
      {status.control === 'paused' && <p class="notice notice-warn">{t.review.paused}</p>}
      {changed && <p class="notice notice-warn">{t.review.changed}</p>}
      <button type="submit" class="primary" disabled={changed}>
        {t.review.next}
      </button>
      {confirming && approve !== null && result_hash !== null && (
        <Confirm
          decision={{ id: record.id, revision: record.revision, result_hash, approve, note }}
          changed={changed}
          set={set}
          conflict={(problem) => (setConfirming(false), setConflict(problem))}
          onClose={() => setConfirming(false)}
        />
      )}
    </form>
  );
}
