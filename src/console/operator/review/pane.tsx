/** The decision. The pane computes the hash of the result that the page shows and lets the reviewer decide; then it is confirmed. */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { review_note_chars_max } from '../../../base/limits.js';
import { missionEntriesCodec, type MissionRecord } from '../../../codec/api-missions.js';
import { missionState } from '../../../codec/record.js';
import type { Problem } from '../../kit/api/client.js';
import { Button, Form, NoteField } from '../../kit/controls/inputs.js';
import { Facts, LazyDetails, Mono } from '../../kit/controls/pieces.js';
import { DataTable } from '../../kit/controls/tables.js';
import { useKeptState } from '../../kit/forms/kept.js';
import { useLoad } from '../../kit/load.js';
import { checkResultHash, type HashCheck } from '../../kit/hash.js';
import { useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Approvals } from './approvals.js';
import { Confirm } from './confirm.js';

export interface PaneProps {
  readonly record: MissionRecord;
  /** A newer revision is known: what is shown cannot be decided on any more. */
  readonly changed: boolean;
  readonly set: (record: MissionRecord) => void;
  readonly reload: () => void;
}

type Faults = { readonly decision?: string; readonly note?: string };

export function ReviewPane({ record, changed, set, reload }: PaneProps) {
  const { t } = useWords();
  const { review: allowed } = useRights();
  const check = useMemo(() => checkResultHash(record.result, record.result_hash), [record]);
  const foreign = useForeign(record.id, !check.equal);
  // Either hash names such a result; the one that was computed from what the page shows is signed.
  const signed = check.equal ? record.result_hash : foreign ? check.computed : null;
  const [conflict, setConflict] = useState<Problem | null>(null);
  // After a signature that others must follow, the form begins anew, without the former decision.
  const [decisions, setDecisions] = useState(0);
  useEffect(() => void (decisions > 0 && document.getElementById('decision')?.focus()), [decisions]);
  const { approver } = useSession().status.actor;
  const isApproved = record.approvals?.some((each) => each.approver === approver) === true;
  return (
    <section class="review card" aria-labelledby="decision">
      <h2 id="decision" tabIndex={-1}>
        {t.review.title}
      </h2>
      <p class="review-lead">{t.review.lead}</p>
      <Approvals record={record} />
      {isApproved && <p class="notice">{t.approvers.approvedAlready}</p>}
      <HashVerdict check={check} foreign={foreign} />
      {!allowed && <p class="notice">{t.review.viewer}</p>}
      {conflict !== null && <Conflict record={record} problem={conflict} reload={reload} />}
      {allowed && conflict === null && (
        <DecisionForm
          key={decisions}
          record={record}
          changed={changed}
          signed={signed}
          mayApprove={signed !== null && !isApproved}
          set={(next) => (set(next), setDecisions(decisions + 1))}
          setConflict={setConflict}
        />
      )}
    </section>
  );
}

interface FormProps extends Omit<PaneProps, 'reload'> {
  /** The hash that an approval signs; null where nothing may be approved. */
  readonly signed: string | null;
  readonly mayApprove: boolean;
  readonly setConflict: (problem: Problem) => void;
}

function DecisionForm({ record, changed, signed, mayApprove, set, setConflict }: FormProps) {
  const { t } = useWords();
  const { status } = useSession();
  const id = useId();
  const [approve, setApprove] = useState<boolean | null>(null);
  // The reason survives a look at other pages and a new sign-in of the same person. The decision itself is made anew.
  const { form, set: type, forget } = useKeptState(`review.${status.actor.name}.${record.id}`, { note: '' });
  const { note } = form;
  const [faults, setFaults] = useState<Faults>({});
  const [confirming, setConfirming] = useState(false);
  const result_hash = signed ?? record.result_hash;
  const look = (): void => {
    if (changed) return;
    const found: Faults = {
      ...(approve === null ? { decision: t.review.decisionMissing } : {}),
      ...(note.trim() === '' ? { note: t.review.noteMissing } : {}),
      ...([...note].length > review_note_chars_max ? { note: t.review.noteLong } : {}),
    };
    setFaults(found);
    if (found.decision !== undefined) document.getElementById(`${id}-approve`)?.focus();
    else if (found.note !== undefined) document.getElementById(`${id}-note`)?.focus();
    else setConfirming(true);
  };
  return (
    <Form submit={look}>
      <DecisionChoice id={id} approve={approve} choose={setApprove} mayApprove={mayApprove} fault={faults.decision} />
      <NoteField
        id={`${id}-note`}
        label={t.review.note}
        hint={t.review.noteHint}
        rows={3}
        value={note}
        set={(text) => type({ note: text })}
        fault={faults.note ?? ''}
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
        }}
      />
      {status.control === 'paused' && <p class="notice notice-warn">{t.review.paused}</p>}
      {changed && <p class="notice notice-warn">{t.review.changed}</p>}
      <Button type="submit" class="primary" disabled={changed} text={t.review.next} />
      {confirming && approve !== null && result_hash !== null && (
        <Confirm
          record={record}
          decision={{ id: record.id, revision: record.revision, result_hash, approve, note }}
          changed={changed}
          done={(next) => (forget(), setConfirming(false), set(next))}
          conflict={(problem) => (setConfirming(false), setConflict(problem))}
          onClose={() => setConfirming(false)}
        />
      )}
    </Form>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly approve: boolean | null;
  readonly choose: (approve: boolean) => void;
  readonly mayApprove: boolean;
  readonly fault: string | undefined;
}

/** Approve or reject, as a radio group. */
function DecisionChoice({ id, approve, choose, mayApprove, fault }: ChoiceProps) {
  const { t } = useWords();
  const options = [
    [`${id}-approve`, true, t.review.approve, t.review.approveHint],
    [`${id}-reject`, false, t.review.reject, t.review.rejectHint],
  ] as const;
  return (
    <fieldset class="choice" aria-describedby={`${id}-choice-error`}>
      <legend>{t.review.decision}</legend>
      <div class="choices">
        {options.map(([key, value, label, hint]) => (
          <label key={key} class={value ? '' : 'tone-bad'}>
            <input
              id={key}
              type="radio"
              name={`${id}-decision`}
              checked={approve === value}
              disabled={value && !mayApprove}
              onChange={() => choose(value)}
            />
            <span>
              <strong>{label}</strong>
              <span class="help">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-choice-error`} class="field-error" role="alert">
        {fault}
      </p>
    </fieldset>
  );
}

interface VerdictProps {
  readonly check: HashCheck;
  /** The recorded hash is over the text of another agent. */
  readonly foreign: boolean;
}

/** The verdict on whether the page shows what the agent recorded. */
function HashVerdict({ check, foreign }: VerdictProps) {
  const { t } = useWords();
  const { equal } = check;
  return (
    <div
      class={`notice ${equal ? 'notice-good' : foreign ? 'notice-warn' : 'notice-bad'}`}
      role={equal ? undefined : 'alert'}
      data-hash={equal ? 'equal' : 'differs'}
    >
      <p>
        <strong>{t.review.hashTitle}</strong> {equal ? t.review.hashEqual : foreign ? t.review.hashForeign : t.review.hashDiffers}
      </p>
      {equal ? <LazyDetails title={t.review.hashes}>{() => <Hashes check={check} />}</LazyDetails> : <Hashes check={check} />}
    </div>
  );
}

function Hashes({ check: { computed, recorded } }: Pick<VerdictProps, 'check'>) {
  const { t } = useWords();
  return (
    <Facts
      facts={[
        [t.review.computed, <Mono>{computed ?? '–'}</Mono>],
        [t.review.recorded, <Mono>{recorded ?? '–'}</Mono>],
      ]}
    />
  );
}

/** Loads the entries only when it matters. If they cannot be loaded, the mission counts as one of this agent, whose hash must match. */
function useForeign(id: string, matters: boolean): boolean {
  const { api } = useSession();
  const path = `/api/missions/${id}/events`;
  const { data } = useLoad(matters ? path : '', async (signal) => (matters ? api.get(path, missionEntriesCodec, signal) : null));
  return data?.items.some(({ type }) => type === 'reference.mission') === true;
}

type ConflictProps = { readonly record: MissionRecord; readonly problem: Problem; readonly reload: () => void };

const shown = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

/** Nothing was signed because the mission changed: what the reviewer saw beside what there is now. */
function Conflict({ record, problem, reload }: ConflictProps) {
  const { t } = useWords();
  const { facts, detail } = problem.document;
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const stateText = (value: unknown): string => (missionState.is(value) ? t.states[value] : shown(value));
  const rows = [
    ['revision', t.mission.revision, shown(record.revision), shown(facts['revision'])],
    ['state', t.review.states, stateText(record.state), stateText(facts['state'])],
    ['result_hash', t.mission.resultHash, shown(record.result_hash), shown(facts['result_hash'])],
  ] as const;
  const { seen, now } = t.review.staleColumns;
  return (
    <div class="problem conflict" role="alert">
      <p class="problem-title" ref={heading} tabIndex={-1}>
        {t.review.stale}
      </p>
      <p lang="en">{detail}</p>
      <p>{t.review.staleText}</p>
      <DataTable
        isPlain
        label={t.review.stale}
        head={['', seen, now]}
        texts={[0, 1, 2]}
        rows={rows
          .filter(([name]) => name in facts)
          .map(([, label, before, after]) => [
            label,
            <code>{before}</code>,
            <code class={before === after ? '' : 'toned tone-bad'}>{after}</code>,
          ])}
      />
      <Button class="primary" onClick={reload} text={t.mission.load} />
    </div>
  );
}
