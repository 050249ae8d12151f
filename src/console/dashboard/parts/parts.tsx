/** Pieces that several pages of the dashboard have. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { agentsCodec, type Run } from '../../../codec/api-simulation.js';
import { curves, type RunState, type SimulationRequest } from '../../../codec/simulation.js';
import { AgentsTable, WorkersSection } from '../../kit/agents/agents.js';
import { saveJson } from '../../kit/controls/copy.js';
import { Button } from '../../kit/controls/inputs.js';
import { Badge, Load } from '../../kit/controls/pieces.js';
import { useLoad } from '../../kit/load.js';
import { serverNow } from '../../kit/api/clock.js';
import { type RunProgress, timeLeft, shareDone } from '../api/progress.js';
import type { Page } from '../pure/results.js';
import { hrefOf, type Route } from '../session/routes.js';
import { useFeed, useSession, useSpaced } from '../session/session.js';
import { useWords } from '../text/words.js';

const marks: Readonly<Record<RunState, string>> = {
  queued: '○',
  running: '◐',
  succeeded: '✓',
  failed: '!',
  cancelled: '✕',
};

export function RunBadge({ state }: { readonly state: RunState }) {
  const { t } = useWords();
  return <Badge tone={state === 'succeeded' ? 'completed' : state} mark={marks[state]} text={t.states[state]} />;
}

/** The name that people gave a run or a sweep. */
export const Name = ({ name }: { readonly name: string | undefined }) =>
  name === undefined ? null : <strong class="run-name">{name}</strong>;

interface EyebrowProps {
  readonly badge: ComponentChildren;
  readonly of: Pick<Run, 'name' | 'created_at'>;
  readonly children?: ComponentChildren;
}

/** Above the title of a run or a sweep. */
export function Eyebrow({ badge, of: { name, created_at }, children }: EyebrowProps) {
  const { t, f } = useWords();
  return (
    <p class="eyebrow">
      {badge}
      <Name name={name} />
      <span>
        {t.run.created} <time dateTime={created_at}>{f.dateTime(created_at)}</time>
      </span>
      {children}
    </p>
  );
}

interface LatestProps {
  readonly route: Route & { readonly id: string };
  readonly name: string | undefined;
  readonly badge: ComponentChildren;
  readonly about: string;
  /** The time of the request, or the progress. */
  readonly children: ComponentChildren;
}

/** A run or a sweep in a short list. */
export const Latest = ({ route, name, badge, about, children }: LatestProps) => (
  <li>
    <a href={hrefOf(route)}>
      <code>{route.id}</code>
    </a>
    <Name name={name} />
    {badge}
    <span class="muted">{about}</span>
    {children}
  </li>
);

/** Beside every result: what it is and what it is not. */
export function Caveat() {
  const { t } = useWords();
  return (
    <p class="notice notice-warn" role="note">
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

type TurnProps = { readonly of: Page<unknown>; readonly turn: (page: number) => void; readonly label?: string };

/** Turns the pages of a long table. */
export function Turn({ of: { page, pages, from, items, count }, turn, label }: TurnProps) {
  const { t, f } = useWords();
  if (pages < 2) return null;
  return (
    <nav class="pager" aria-label={label ?? t.population.pages}>
      <Button disabled={page === 0} onClick={() => turn(page - 1)} text={`← ${t.population.previous}`} />
      <span role="status">{t.population.page(f.number(from + 1), f.number(from + items.length), f.number(count))}</span>
      <Button disabled={page === pages - 1} onClick={() => turn(page + 1)} text={`${t.population.next} →`} />
    </nav>
  );
}

/** What is spoken changes at these steps only. */
const spoken_steps = 4;

interface ProgressProps {
  readonly run: Pick<Run, 'id' | 'state' | 'progress' | 'queue_position' | 'remaining_s'> & {
    readonly request: SimulationRequest;
  };
  readonly progress: RunProgress | undefined;
}

/** Only the bar, for lists. */
export function RunBar({ run: { id, request, progress: recorded }, progress }: ProgressProps) {
  const { t, f } = useWords();
  const share = Math.max(recorded, shareDone(progress, request.generations));
  return (
    <progress max={1} value={share} aria-label={t.run.progressOf(id)}>
      {f.percent(share)}
    </progress>
  );
}

export function RunProgressBox({ run, progress }: ProgressProps) {
  const { t, f } = useWords();
  const { horizon, generations } = run.request;
  // Without the socket only the record says how far the run is, and it has no years.
  const generation = Math.max(progress?.generation ?? 0, Math.floor(run.progress * generations));
  const years = progress?.affected ?? [];
  const begun = years.length > 0 || run.state === 'running';
  const done = Math.max(run.progress, shareDone(progress, generations));
  const spoken = Math.floor(done * spoken_steps) / spoken_steps;
  const left = timeLeft(run, done);
  return (
    <section class="notice running" aria-label={t.run.progress}>
      <p>
        <strong>{begun ? t.states.running : t.run.waiting}</strong>
      </p>
      <RunBar run={run} progress={progress} />
      <p>
        {t.run.generation(f.number(generation), f.number(generations))}
        {years.length > 0 &&
          ` · ${t.run.years(f.number(years.length), f.number(horizon))} · ${t.run.affected(f.number(years.at(-1) ?? 0))}`}
        {!begun && run.queue_position !== undefined && ` · ${t.run.position(f.number(run.queue_position))}`}
        {begun && left > 0 && ` · ${t.run.remaining(f.number(left))}`}
      </p>
      <p class="sr-only" role="status">
        {begun ? t.run.spoken(f.percent(spoken)) : t.run.waiting}
      </p>
    </section>
  );
}

const every_ms = 15_000;

/** The seven agents and the workers of queues: loaded on demand, when a run ends, and at intervals while the page is visible. */
export function AgentsPanel() {
  const { k, t, f } = useWords();
  const { api } = useSession();
  const status = useLoad('/status', async (signal) => ({ ...(await api.get('/status', agentsCodec, signal)), at: serverNow() }));
  const { data, loading, reload } = status;
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
          <p>
            {data !== null && <span class="muted">{t.agents.asked(f.time(new Date(data.at).toISOString()))}</span>}{' '}
            <Button class="small" onClick={reload} disabled={loading} text={t.agents.refresh} />
          </p>
        </div>
        <p class="help">{k.agents.lead}</p>
        <Load from={status} failed={t.failed.agents}>
          {({ agents, at }) => <AgentsTable agents={agents} at={at} />}
        </Load>
      </section>
      {data !== null && <WorkersSection workers={data.workers} at={data.at} />}
    </>
  );
}

/** Saves the file that a command names where a request has a list of sectors. */
export function SaveSectors({ of: { sectors } }: { readonly of: { readonly sectors?: unknown } }) {
  const { t } = useWords();
  if (!Array.isArray(sectors) || sectors.length === 0) return null;
  return <Button class="quiet" onClick={() => saveJson(sectors, 'sectors.json')} text={t.form.saveSectors} />;
}
