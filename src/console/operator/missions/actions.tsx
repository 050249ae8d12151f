/** What may be done with a mission: the buttons that its state and the role of the signed-in person allow, and the files that its result becomes. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { search_budget_ms } from '../../../base/limits.js';
import { type Mark, remainingSeconds } from '../../../base/time.js';
import { type MissionRecord, missionRecordCodec } from '../../../codec/api-missions.js';
import { failsAgain } from '../../../codec/events/mission.js';
import { Button, ButtonLink } from '../../kit/controls/inputs.js';
import { hrefOf } from '../session/route.js';
import { Mono, ProblemBox } from '../../kit/controls/pieces.js';
import { Approvals } from '../review/approvals.js';
import { useRights, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { estimateText } from './estimate.js';
import { scheduleRequest } from '../../../kinds/schedule/view.js';
import { viewOf } from '../../../kinds/view-fields.js';
import { CopyButton, saveBlob } from '../../kit/controls/copy.js';

type ActionsProps = { readonly record: MissionRecord; readonly set: (record: MissionRecord) => void };

type Verb = 'execute' | 'recover' | 'cancel';

/** What the mission's buttons do, and why the last one could not. */
function useActions({ record, set }: ActionsProps) {
  const { t } = useWords();
  const { api, refused, status, busy, problem, run } = useTask();
  const [tried, setTried] = useState<Verb>('execute');
  const { id, state } = record;
  // A refusal because of a pause is shown until the agent is resumed.
  const own = problem?.document.code === 'paused' && status.control !== 'paused' ? null : problem;
  const handed = state === 'queued' ? (refused.get(id) ?? null) : null;
  const post = (verb: Verb): void => {
    refused.delete(id);
    setTried(verb);
    run(async () => set(await api.post(`/api/missions/${id}/${verb}`, missionRecordCodec)));
  };
  return { busy, problem: own ?? handed, isHanded: own === null, title: t.failed[tried], post };
}

export function Actions(props: ActionsProps) {
  const { t } = useWords();
  const { review } = useRights();
  const { busy, problem, isHanded, title, post } = useActions(props);
  const { record } = props;
  const { state } = record;
  const labels: Readonly<Record<Verb, string>> = {
    execute: t.mission.execute,
    recover: t.mission.recover,
    cancel: t.mission.cancelRun,
  };
  const verbs = review ? verbsFor(record) : [];
  const canChange = review && record.request !== null;
  const hasFiles = record.request !== null && (state === 'completed' || (state === 'review' && record.result !== null));
  if (verbs.length === 0 && !hasFiles && state !== 'review' && !canChange && problem === null) return null;
  return (
    <section aria-label={t.mission.actions}>
      <div class="actions">
        {canChange && (
          <ButtonLink
            class={state === 'failed' && failsAgain(record.error) ? 'primary' : ''}
            href={hrefOf({ page: 'create', kind: record.kind, from: record.id })}
            text={t.mission.change}
          />
        )}
        {verbs.map((verb, i) => (
          <Button
            key={verb}
            class={i === 0 && verb !== 'cancel' ? 'primary' : ''}
            disabled={busy}
            onClick={() => post(verb)}
            text={labels[verb]}
          />
        ))}
        {state === 'review' && review && (
          <Button
            class="primary to-decision"
            onClick={() => document.querySelector<HTMLElement>('#decision')?.focus()}
            text={`${t.mission.toReview} ↓`}
          />
        )}
      </div>
      {hasFiles && <Downloads record={record} />}
      {problem !== null && <ProblemBox title={title} problem={problem} {...(isHanded ? { retry: () => post('execute') } : {})} />}
    </section>
  );
}

function verbsFor({ state, interrupted, queue_position, error, erased }: MissionRecord): readonly Verb[] {
  if (state === 'queued') return queue_position === undefined ? ['execute', 'cancel'] : ['cancel'];
  if (state === 'running') return interrupted === true ? ['recover'] : ['cancel'];
  return state === 'failed' && !erased && !failsAgain(error) ? ['recover'] : [];
}

interface ActivityProps {
  readonly record: MissionRecord;
  /** The decision was made on this page just now. */
  readonly isNew: boolean;
}

/** The present state of a mission: queued, running, failed or decided. */
export function Activity({ record, isNew }: ActivityProps) {
  switch (record.state) {
    case 'queued':
      return <Queued record={record} />;
    case 'running':
      return <Running record={record} />;
    case 'failed':
      return <Failed record={record} />;
    case 'completed':
    case 'rejected':
      return <Decided record={record} isNew={isNew} />;
    case 'review':
      return null;
  }
}

function Queued({ record: { queue_position, queue_reason, estimate } }: { readonly record: MissionRecord }) {
  const { t, f } = useWords();
  const takes = estimate === undefined ? '' : estimateText(t.mission, f, estimate);
  if (queue_position === undefined)
    return (
      <p class="notice">
        {t.mission.queuedText} {takes}
      </p>
    );
  return (
    <div class="notice" role="status">
      <p>
        {t.mission.queuePosition(f.number(queue_position))} {takes}
      </p>
      {queue_reason !== undefined && <p>{t.mission.queueReason(queue_reason)}</p>}
    </div>
  );
}

function Running({ record }: { readonly record: MissionRecord }) {
  const { k, t, f } = useWords();
  const progress = useSession().progress.get(record.id);
  const mine = progress?.attempt === record.attempt ? progress : undefined;
  const stage = mine?.stage ?? record.stages.at(-1)?.role ?? null;
  // A stage that has ended says nothing of the one that follows.
  const done = mine === undefined || mine.done === 1 ? undefined : mine.done;
  const left = useRemaining(stage, done);
  if (record.interrupted === true) return <p class="notice notice-warn">{t.mission.interruptedText}</p>;
  return (
    <div class="notice running">
      <p>
        <strong>{t.mission.executing}</strong>
        {stage !== null && <span> · {k.roles[stage] ?? stage}</span>}
      </p>
      {record.late === true && <p>{t.mission.lateText}</p>}
      <progress max={1} {...(done === undefined ? {} : { value: done })} aria-label={t.mission.progressLabel} />
      <p role="status">
        {done === undefined ? t.mission.waiting : f.percent(Math.floor(done * 20) / 20)}
        {left !== null && ` · ${t.mission.remaining(left)}`}
      </p>
    </div>
  );
}

/** Returns the seconds that a stage is expected to take yet, in steps of five, from what was seen of it here; null while that is too little. */
function useRemaining(stage: string | null, done: number | undefined): number | null {
  const first = useRef<{ readonly stage: string | null; readonly mark: Mark } | null>(null);
  if (done === undefined) return null;
  const now = { at: performance.now(), done };
  if (first.current?.stage !== stage) first.current = { stage, mark: now };
  const left = remainingSeconds(first.current?.mark ?? now, now);
  // A search ends by then with what it has.
  return left === null ? null : Math.ceil(Math.min(left, search_budget_ms / 1_000) / 5) * 5;
}

function Failed({ record: { error, erased } }: { readonly record: MissionRecord }) {
  const { k, t } = useWords();
  return (
    <div class="problem">
      <p class="problem-title">
        {t.mission.failedTitle}
        {error !== null && error.stage !== null && ` ${t.mission.failedAt(k.roles[error.stage] ?? error.stage)}`}
      </p>
      {error !== null && (
        <p>
          <code>{error.code}</code> <span lang="en">{error.message}</span>
        </p>
      )}
      {!erased && <p>{failsAgain(error) ? t.mission.failedAgain : t.mission.failedNext}</p>}
    </div>
  );
}

/** A decision that was just made takes the focus, which the form that is gone had. */
function Decided({ record, isNew }: ActivityProps) {
  const { review } = record;
  const { t, f } = useWords();
  const heading = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  if (review === null) return null;
  const { approved, actor, via, at, note } = review;
  const who = approved ? t.mission.approvedBy : t.mission.rejectedBy;
  return (
    <section
      class={`notice ${approved ? 'notice-good' : 'notice-bad'}`}
      aria-label={t.mission.reviewed}
      tabIndex={-1}
      ref={heading}
    >
      <p>
        <strong>{who(actor, f.dateTime(at))}</strong> {via !== undefined && <span class="muted">{t.audit.via[via]}</span>}
      </p>
      <blockquote class="note">{note}</blockquote>
      <Approvals record={record} />
    </section>
  );
}

type Format = 'html' | 'xlsx' | 'csv' | 'ics' | 'md';

/** Returns the formats that there are of a result. */
function formatsOf({ kind, state, request }: MissionRecord): readonly Format[] {
  if (state === 'review') return ['html', 'md'];
  const hasStart = kind === 'schedule' && viewOf(scheduleRequest, request)?.work.start !== undefined;
  return hasStart ? ['html', 'xlsx', 'csv', 'ics', 'md'] : ['html', 'xlsx', 'csv', 'md'];
}

function Downloads({ record }: { readonly record: MissionRecord }) {
  const { k, t } = useWords();
  const { api, announce, status, busy, problem, run } = useTask();
  const [failed, setFailed] = useState(t.failed.report);
  const { id, state } = record;
  const save = (path: string, failedTitle: string): void => {
    setFailed(failedTitle);
    run(async () => {
      const { blob, name } = await api.download(`/api/${path}`);
      saveBlob(blob, name);
      announce(t.mission.exported(name));
    });
  };
  const isDraft = state === 'review';
  const { title, draftTitle, hint, draftHint } = t.downloads;
  return (
    <section class="downloads" aria-labelledby="downloads">
      <h2 id="downloads">{isDraft ? draftTitle : title}</h2>
      <div class="actions">
        {formatsOf(record).map((format, i) => (
          <Button
            key={format}
            class={i === 0 && !isDraft ? 'primary' : ''}
            disabled={busy}
            onClick={() => save(`missions/${id}/report.${format}`, t.failed.report)}
            text={t.downloads.formats[format]}
          />
        ))}
        {!isDraft && (
          <Button disabled={busy} onClick={() => save(`missions/${id}/export`, t.failed.export)} text={t.mission.export} />
        )}
      </div>
      <p class="help">{isDraft ? draftHint : hint}</p>
      {!isDraft && (
        <p class="help">
          {t.downloads.key + k.colon}
          <Mono>{status.public_key}</Mono> <CopyButton text={status.public_key} what={t.downloads.key} />{' '}
          <Button
            class="small quiet"
            disabled={busy}
            onClick={() => save('verify-export.html', t.failed.export)}
            text={t.downloads.verifier}
          />
        </p>
      )}
      {problem !== null && <ProblemBox title={failed} problem={problem} />}
    </section>
  );
}
