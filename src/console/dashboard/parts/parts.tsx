/** Pieces that several pages of the dashboard have. */
import { useEffect } from 'preact/hooks';
import { type RunState, curves, type SimulationRequest } from '../../../codec/simulation.js';
import { useWords } from '../text/words.js';
import { useSoon, useLoad } from '../../kit/load.js';
import { type Run, agentsCodec } from '../../../codec/api-simulation.js';
import { shareDone, type RunProgress } from '../api/progress.js';
import { AgentsTable, WorkersSection } from '../../kit/agents/agents.js';
import { Loading } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useFeed, useSession } from '../session/session.js';

const marks: Readonly<Record<RunState, string>> = {
  queued: '○',
  running: '◐',
  succeeded: '✓',
  failed: '!',
  cancelled: '✕',
};
const tones: Readonly<Record<RunState, string>> = {
  queued: 'badge-queued',
  running: 'badge-running',
  succeeded: 'badge-completed',
  failed: 'badge-failed',
  cancelled: 'badge-cancelled',
};

export function RunBadge({ state }: { readonly state: RunState }) {
  const { t } = useWords();
  return (
    <span class={`badge ${tones[state]}`}>
      <span aria-hidden="true">{marks[state]}</span> {t.states[state]}
    </span>
  );
}

/** Beside every result: what it is and what it is not. */
export function Caveat() {
  const { t } = useWords();
  return (
    <p class="notice notice-warn caveat" role="note">
      <strong>{t.shell.caveatTitle}</strong> {t.shell.caveat}
    </p>
  );
}

/** A curve as the reader calls it; one that this page does not know keeps its own name. */
export function useCurveName(): (curve: string) => string {
  const { t } = useWords();
  return (curve) => {
    const known = curves.find((each) => each === curve);
    return known === undefined ? curve : t.form.fields.curve.options[known];
  };
}

/** Asking the server again when something happened: soon, and never too often, because it counts requests. */
const delay_ms = 300;
const spacing_ms = 3_000;

export const useSpaced = (act: () => void): (() => void) => useSoon(act, delay_ms, spacing_ms);

/** Turning the pages of a long table. */
interface TurnProps {
  readonly label: string;
  readonly page: number;
  readonly pages: number;
  readonly size: number;
  readonly count: number;
  readonly turn: (page: number) => void;
}

export function Turn({ label, page, pages, size, count, turn }: TurnProps) {
  const { t, f } = useWords();
  if (pages < 2) return null;
  const last = Math.min(count, (page + 1) * size);
  return (
    <nav class="pager" aria-label={label}>
      <button type="button" disabled={page === 0} onClick={() => turn(page - 1)}>
        ← {t.population.previous}
      </button>
      <span role="status">{t.population.page(f.number(page * size + 1), f.number(last), f.number(count))}</span>
      <button type="button" disabled={page === pages - 1} onClick={() => turn(page + 1)}>
        {t.population.next} →
      </button>
    </nav>
  );
}

/** What is spoken changes at these steps only. */
const spoken_steps = 4;

interface ProgressProps {
  readonly run: Pick<Run, 'id' | 'state' | 'queue_position' | 'remaining_s'> & { readonly request: SimulationRequest };
  readonly progress: RunProgress | undefined;
}

/** Only the bar, for lists. */
export function RunBar({ run: { id, request }, progress }: ProgressProps) {
  const { t, f } = useWords();
  const share = shareDone(progress, request.generations);
  return (
    <progress max={1} value={share} aria-label={t.run.progressOf(id)}>
      {f.percent(share)}
    </progress>
  );
}

export function RunProgressBox({ run, progress }: ProgressProps) {
  const { t, f } = useWords();
  const { horizon, generations } = run.request;
  const generation = progress?.generation ?? 0;
  const years = progress?.affected ?? [];
  const begun = years.length > 0 || generation > 0;
  const spoken = Math.floor(shareDone(progress, generations) * spoken_steps) / spoken_steps;
  return (
    <section class="notice running" aria-label={t.run.progress}>
      <p>
        <strong>{begun ? t.run.running : t.run.waiting}</strong>
      </p>
      <RunBar run={run} progress={progress} />
      <p class="running-share">
        {t.run.generation(f.number(generation), f.number(generations))}
        {' · '}
        {t.run.years(f.number(years.length), f.number(horizon))}
        {' · '}
        {t.run.affected(f.number(years.at(-1) ?? 0))}
        {!begun && run.queue_position !== undefined && ` · ${t.run.position(f.number(run.queue_position))}`}
        {begun && run.remaining_s !== undefined && ` · ${t.run.remaining(f.number(run.remaining_s))}`}
      </p>
      <p class="sr-only" role="status">
        {begun ? t.run.spoken(f.percent(spoken)) : t.run.waiting}
      </p>
    </section>
  );
}

/** The state of the seven agents and of the workers of queues: loaded on demand, when a run ends, and at intervals while the page is visible. */
const every_ms = 15_000;

export function AgentsPanel() {
  const { k, t, f } = useWords();
  const { api } = useSession();
  const { data, problem, loading, reload } = useLoad('/status', async (signal) => {
    return { ...(await api.get('/status', agentsCodec, signal)), at: Date.now() };
  });
  const soon = useSpaced(reload);
  useFeed({ ended: soon, again: soon });
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && soon(), every_ms);
    return () => clearInterval(timer);
  }, [soon]);
  return (
    <>
      <section class="agents">
        <div class="title-row">
          <h2>{k.agents.title}</h2>
          <p class="agents-asked">
            {data !== null && <span class="muted">{t.agents.asked(f.time(new Date(data.at).toISOString()))}</span>}{' '}
            <button type="button" class="small" onClick={reload} disabled={loading}>
              {t.agents.refresh}
            </button>
          </p>
        </div>
        <p class="help">{k.agents.lead}</p>
        {problem !== null && <ProblemBox title={t.failed.agents} problem={problem} retry={reload} />}
        {data === null ? loading && <Loading /> : <AgentsTable agents={data.agents} at={data.at} />}
      </section>
      {data !== null && <WorkersSection workers={data.workers} at={data.at} />}
    </>
  );
}
