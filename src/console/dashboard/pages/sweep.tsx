/** A sweep: a line for each value of its field, what each value gave, and the influence of the field. */
import { useState } from 'preact/hooks';
import { isRepeated, type SweepMeasure, sweepMeasures, type SweepRecord, sweepRecord } from '../../../codec/sweep.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Button, ButtonLink, Segmented } from '../../kit/controls/inputs.js';
import { Badge, Load, PageTitle, ProblemBox } from '../../kit/controls/pieces.js';
import { Quantity, Share } from '../../kit/controls/table-tools.js';
import { DataTable } from '../../kit/controls/tables.js';
import { Influence } from '../charts/influence.js';
import { Lines, type Measure } from '../charts/lines.js';
import { Caveat, Eyebrow } from '../parts/parts.js';
import { allRuns, hrefOf } from '../session/routes.js';
import { useAskedRecord, useFeed, useGet, useSpaced, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';

export function SweepPage({ id }: { readonly id: string }) {
  const { t } = useWords();
  const loaded = useGet(`/sweeps/${id}`, sweepRecord);
  const { data, reload, set } = loaded;
  const soon = useSpaced(reload);
  useFeed({ ended: soon, again: soon });
  useAskedRecord(`/sweeps/${id}`, sweepRecord, data?.state === 'running', set);
  return (
    <>
      {data !== null && <Eyebrow badge={<SweepBadge state={data.state} />} of={data} />}
      <PageTitle title={t.sweep.title(id)}>
        {t.sweep.title('')}
        <code class="run-id">{id}</code>
      </PageTitle>
      <Load from={loaded} failed={t.failed.sweep}>
        {(sweep) => <Body sweep={sweep} set={set} />}
      </Load>
      <CommandLine lines={[agentCli('runs', '--sweep', id)]} />
    </>
  );
}

const tones = { running: ['running', '◐'], completed: ['completed', '✓'], cancelled: ['cancelled', '✕'] } as const;

export function SweepBadge({ state }: Pick<SweepRecord, 'state'>) {
  const { t } = useWords();
  const [tone, mark] = tones[state];
  return <Badge tone={tone} mark={mark} text={t.sweep.states[state]} />;
}

type BodyProps = { readonly sweep: SweepRecord; readonly set: (sweep: SweepRecord) => void };

function Body({ sweep, set }: BodyProps) {
  const { t, f } = useWords();
  const field = t.form.fields[sweep.field].label;
  const missing = sweep.counts.failed + sweep.counts.cancelled;
  return (
    <>
      <p class="lead">{t.sweep.lead(f.number(sweep.values.length), field, f.number(sweep.seeds.length))}</p>
      <Caveat />
      {sweep.state === 'running' && <UnderWay sweep={sweep} set={set} />}
      {missing > 0 && <p class="notice notice-warn">{t.sweep.missing(f.number(missing))}</p>}
      <h2 class="sr-only">{t.run.result}</h2>
      <ByYear sweep={sweep} field={field} />
      <Measures sweep={sweep} field={field} />
      <div class="actions">
        <ButtonLink href={hrefOf({ ...allRuns, sweep: sweep.id })} text={t.sweep.runs} />
      </div>
    </>
  );
}

function UnderWay({ sweep: { id, progress, counts }, set }: BodyProps) {
  const { t, f } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const cancel = (): void =>
    run(async () => {
      set(await api.remove(`/sweeps/${id}`, sweepRecord));
      announce(t.sweep.states.cancelled);
    });
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  return (
    <section class="notice running" aria-label={t.run.progress}>
      <progress max={1} value={progress} aria-label={t.run.progress}>
        {f.percent(progress)}
      </progress>
      <p role="status">{t.sweep.progress(f.number(counts.succeeded), f.number(all))}</p>
      <Button class="danger" disabled={busy} onClick={cancel} text={t.sweep.cancel} />
      {problem !== null && <ProblemBox title={t.failed.cancel} problem={problem} />}
    </section>
  );
}

type PartProps = { readonly sweep: SweepRecord; readonly field: string };

/** Lines that have their value written at their ends. */
const named_lines_max = 5;

/** One line a value, from the colour of the least to that of the most. */
function ByYear({ sweep: { points, state }, field }: PartProps) {
  const { t, f } = useWords();
  const known = points.filter(({ forecast }) => forecast.length > 0).toSorted((a, b) => a.value - b.value);
  const isSame = new Set(known.map(({ forecast }) => forecast.map(({ capability }) => capability).join())).size < 2;
  const [measure, setMeasure] = useState<Measure | null>(null);
  const shown = measure ?? (isSame ? 'affected' : 'capability');
  if (known.length === 0) return state === 'running' ? null : <p class="notice">{t.sweep.nothing}</p>;
  const every = Math.ceil(known.length / named_lines_max);
  const lines = known.map(({ value, forecast }, i) => ({
    name: `${field} ${f.number(value)}`,
    values: forecast.map((year) => year[shown]),
    end: i % every === 0 || i === known.length - 1 ? f.short(value) : '',
    tone: `color-mix(in oklab, var(--l1) ${Math.round((100 * i) / Math.max(1, known.length - 1))}%, var(--l0))`,
  }));
  return (
    <Lines
      lines={lines}
      measure={shown}
      choose={setMeasure}
      legend={<p class="legend">{t.sweep.legend(field, f.number(known[0]?.value ?? 0), f.number(known.at(-1)?.value ?? 0))}</p>}
    />
  );
}

function Measures({ sweep: { points, sensitivity }, field }: PartProps) {
  const { t, f } = useWords();
  const [measure, setMeasure] = useState<SweepMeasure>('affected');
  const measured = sweepMeasures.filter((each) => points.some((point) => point[each] !== null));
  if (measured.length === 0) return null;
  return (
    <>
      <h2>{t.sweep.influence}</h2>
      <DataTable
        stacks
        label={t.sweep.influence}
        head={[t.compare.measure, t.sweep.slope(field), t.sweep.explained]}
        rows={sensitivity.map(({ measure: each, slope, explained }) => [
          t.sweep.measures[each],
          slope === null ? '–' : <Quantity value={slope} text={f.number(Number(slope.toPrecision(3)))} />,
          explained !== null ? <Share value={explained} /> : isRepeated(points, each) ? t.sweep.nothingVaries : t.sweep.oneRun,
        ])}
      />
      <Influence
        points={points}
        measure={measure}
        field={field}
        controls={
          <Segmented
            label={t.compare.measure}
            options={measured.map((each) => [each, t.sweep.measures[each]] as const)}
            value={measure}
            choose={setMeasure}
          />
        }
      />
    </>
  );
}
