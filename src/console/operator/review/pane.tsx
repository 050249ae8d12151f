/**
 * The decision. The pane computes the hash of the result that the page shows, lets the reviewer decide, shows what will be signed,
 * and sends exactly that.
 */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { review_note_chars_max } from '../../../base/limits.js';
import { missionEntriesCodec, type MissionRecord, missionRecordCodec } from '../../../codec/api-missions.js';
import { missionState } from '../../../codec/record.js';
import { Problem } from '../../kit/api/problem.js';
import { useHomed } from '../../kit/controls/agent-cli.js';
import { CopyButton } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Button, Form, NoteField } from '../../kit/controls/inputs.js';
import { Facts, LazyDetails, Mono, Scroll, Verbatim } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { checkResultHash, type HashCheck } from '../../kit/hash.js';
import { useRights, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { type Decision, reviewCommand } from './commands.js';

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
  const look = (): void => {
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
    <Form submit={look}>
      <DecisionChoice id={id} approve={approve} choose={setApprove} mayApprove={signed !== null} fault={faults.decision} />
      <NoteField
        id={`${id}-note`}
        label={t.review.note}
        hint={t.review.noteHint}
        rows={3}
        value={note}
        set={setNote}
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
          decision={{ id: record.id, revision: record.revision, result_hash, approve, note }}
          changed={changed}
          set={set}
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
      <div class="choice-options">
        {options.map(([key, value, label, hint]) => (
          <label key={key} class={value ? 'choice-approve' : 'choice-reject'}>
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

interface ConfirmProps {
  readonly decision: Decision;
  readonly changed: boolean;
  readonly set: (record: MissionRecord) => void;
  /** Called when the mission is not what was looked at any more. */
  readonly conflict: (problem: Problem) => void;
  readonly onClose: () => void;
}

const conflicts: readonly Problem['document']['code'][] = ['stale_revision', 'hash_mismatch', 'wrong_state'];

/** What will be signed, to the letter: the values, the body that is sent, and the command that does the same. */
function Confirm({ decision, changed, set, conflict, onClose }: ConfirmProps) {
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
    </Dialog>
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
      wide
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
  const [foreign, setForeign] = useState(false);
  useEffect(() => {
    if (!matters) return undefined;
    const stop = new AbortController();
    api.get(`/api/missions/${id}/events`, missionEntriesCodec, stop.signal).then(
      ({ items }) => setForeign(items.some(({ type }) => type === 'reference.mission')),
      () => setForeign(false),
    );
    return () => stop.abort();
  }, [id, matters]);
  return foreign;
}

interface ConflictProps {
  readonly record: MissionRecord;
  readonly problem: Problem;
  readonly reload: () => void;
}

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
    ['revision', t.review.fields.revision, shown(record.revision), shown(facts['revision'])],
    ['state', t.review.states, stateText(record.state), stateText(facts['state'])],
    ['result_hash', t.review.fields.result_hash, shown(record.result_hash), shown(facts['result_hash'])],
  ] as const;
  const { seen, now } = t.review.staleColumns;
  return (
    <div class="problem conflict" role="alert">
      <p class="problem-title" ref={heading} tabIndex={-1}>
        {t.review.stale}
      </p>
      <p lang="en">{detail}</p>
      <p>{t.review.staleText}</p>
      <Scroll label={t.review.stale}>
        <table class="compare">
          <thead>
            <tr>
              <td />
              <th scope="col">{seen}</th>
              <th scope="col">{now}</th>
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(([name]) => name in facts)
              .map(([name, label, before, after]) => (
                <tr key={name} class={before === after ? '' : 'differs'}>
                  <th scope="row">{label}</th>
                  <td>
                    <code>{before}</code>
                  </td>
                  <td>
                    <code>{after}</code>
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </Scroll>
      <Button class="primary" onClick={reload} text={t.mission.load} />
    </div>
  );
}
