/** Two to six runs beside each other: forecasts, requests, what came of them, and when sectors are disrupted. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { type Results, resultsCodec, type Run, runRecordCodec } from '../../../codec/api-simulation.js';
import { type Api, asProblem, type Problem } from '../../kit/api/client.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { ButtonLink, Check } from '../../kit/controls/inputs.js';
import { Empty, Loading, PageTitle, ProblemBox } from '../../kit/controls/pieces.js';
import { DataTable } from '../../kit/controls/tables.js';
import { useLoad } from '../../kit/load.js';
import { lineDashes, Lines, lineTone, type Measure } from '../charts/lines.js';
import { Caveat, Name, Turn, useCurveName } from '../parts/parts.js';
import { compare_max, compare_min, type Disruption, fieldRows, type RequestField, sectorRows } from '../pure/differences.js';
import { pageOf, shownName } from '../pure/results.js';
import { allRuns, hrefOf } from '../session/routes.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

/** The results of a run, and its record, which has the name that people gave it and the sweep that it is a part of. */
type ComparedRun = Results & { readonly record: Run };

type LoadedRun = { readonly id: string } & ({ readonly results: ComparedRun } | { readonly problem: Problem });

/** Each by itself: one that cannot be shown does not hide the others. */
const loadAll = (api: Api, ids: readonly string[], signal: AbortSignal): Promise<LoadedRun[]> =>
  Promise.all(
    ids.map((id) =>
      Promise.all([api.get(`/results/${id}`, resultsCodec, signal), api.get(`/runs/${id}`, runRecordCodec, signal)]).then(
        ([results, record]) => ({ id, results: { ...results, record } }),
        (error: unknown) => ({ id, problem: asProblem(error) }),
      ),
    ),
  );

export function ComparePage({ ids: named }: { readonly ids: readonly string[] }) {
  const { t, f } = useWords();
  const { api } = useSession();
  const ids = named.slice(0, compare_max);
  const { data, loading, reload } = useLoad(ids.join(','), (signal) => loadAll(api, ids, signal));
  const found = (data ?? []).flatMap((run) => ('results' in run ? [run.results] : []));
  return (
    <>
      <PageTitle title={t.compare.title} />
      <p class="lead">{t.compare.lead}</p>
      {named.length > ids.length && <p class="notice notice-warn">{t.compare.many(f.number(compare_max))}</p>}
      {ids.length > 0 && data === null && loading && <Loading />}
      {(data ?? []).map(
        (run) =>
          'problem' in run && (
            <section key={run.id} aria-label={t.compare.missing(run.id)}>
              <h2>{t.compare.missing(run.id)}</h2>
              <ProblemBox title={t.failed.results} problem={run.problem} retry={reload} />
            </section>
          ),
      )}
      {ids.length < compare_min && (
        <Empty title={t.compare.few} text={t.compare.fewText}>
          <ButtonLink class="primary" href={hrefOf({ ...allRuns, state: 'succeeded' })} text={t.compare.toRuns} />
        </Empty>
      )}
      {ids.length >= compare_min && found.length > 0 && <Beside groups={bySweep(found)} />}
    </>
  );
}

/** The runs of a sweep, or those of none. */
type Group = { readonly sweep: string | undefined; readonly runs: readonly ComparedRun[] };

/** Returns the groups in the order of their first runs. */
function bySweep(runs: readonly ComparedRun[]): readonly Group[] {
  const sweeps = [...new Set(runs.map(({ record }) => record.sweep))];
  return sweeps.map((sweep) => ({ sweep, runs: runs.filter(({ record }) => record.sweep === sweep) }));
}

/** The runs in the order of their groups: those of a sweep have neighbouring numbers. */
function Beside({ groups }: { readonly groups: readonly Group[] }) {
  const { t } = useWords();
  const runs = groups.flatMap((group) => group.runs);
  return (
    <>
      <Legend groups={groups} />
      <Caveat />
      <h2>{t.compare.forecast}</h2>
      <Overlaid runs={runs} />
      <h2>{t.run.request}</h2>
      <Requests runs={runs} />
      <h2>{t.compare.outcome}</h2>
      <Outcomes runs={runs} />
      <h2>{t.compare.years}</h2>
      <Sectors runs={runs} />
      <CommandLine lines={runs.map(({ id }) => agentCli('runs', id))} />
    </>
  );
}

/** The runs by number, under their sweep: every table and line names a run by its number only. */
function Legend({ groups }: { readonly groups: readonly Group[] }) {
  const { t, f } = useWords();
  const nameOf = useCurveName();
  const all = groups.flatMap(({ runs }) => runs);
  return (
    <div class="run-legend" role="group" aria-label={t.runs.title}>
      {groups.map(({ sweep, runs }) => (
        <div key={sweep}>
          {sweep !== undefined && (
            <p>
              {t.runs.ofSweep} <a href={hrefOf({ page: 'sweep', id: sweep })}>{sweep}</a>
            </p>
          )}
          <ul class="bare">
            {runs.map((run) => (
              <li key={run.id} class="flow">
                <LineKey index={all.indexOf(run)} />
                <a class="mono" href={hrefOf({ page: 'run', id: run.id })}>
                  {run.id}
                </a>
                <Name name={run.record.name} />
                <span class="muted">
                  {nameOf(run.request.curve)} · <time dateTime={run.created_at}>{f.dateTime(run.created_at)}</time>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function LineKey({ index }: { readonly index: number }) {
  const { f } = useWords();
  return (
    <span class="pair">
      <svg class="line" style={lineTone(index)} width="30" height="10" aria-hidden="true">
        <path class="series" stroke-dasharray={lineDashes[index]} d="M1 5L29 5" />
      </svg>
      <strong>{f.number(index + 1)}</strong>
    </span>
  );
}

function Overlaid({ runs }: { readonly runs: readonly Results[] }) {
  const { t, f } = useWords();
  const [measure, setMeasure] = useState<Measure>('capability');
  const lines = runs.map(({ forecast }, i) => ({
    name: t.compare.run(f.number(i + 1)),
    values: forecast.map((entry) => entry[measure]),
  }));
  return (
    <Lines
      lines={lines}
      measure={measure}
      choose={setMeasure}
      legend={
        <p class="legend" aria-hidden="true">
          {lines.map(({ name }, i) => (
            <span key={name}>
              <LineKey index={i} />
            </span>
          ))}
        </p>
      }
    />
  );
}

type Runs = { readonly runs: readonly Results[] };

const page_rows = 25;

const useHead = (first: string, runs: readonly Results[]): string[] => {
  const { t, f } = useWords();
  return [first, ...runs.map((_, i) => t.compare.run(f.number(i + 1)))];
};

interface DifferencesProps extends Runs {
  readonly label: string;
  /** The head of the first column. */
  readonly first: string;
  readonly rows: readonly {
    readonly name: ComponentChildren;
    readonly differs: boolean;
    readonly cells: readonly ComponentChildren[];
  }[];
  /** What is said where only differences are shown, and there are none. */
  readonly same: string;
}

/** A table of which only the rows may be shown that differ; those are marked for eyes and for screen readers. */
function Differences({ runs, label, first, rows: all, same }: DifferencesProps) {
  const { t } = useWords();
  const [only, setOnly] = useState(false);
  const [wanted, setWanted] = useState(0);
  const head = useHead(first, runs);
  const rows = all.filter(({ differs }) => differs || !only);
  const part = pageOf(rows, wanted, page_rows);
  return (
    <>
      <Check text={t.compare.onlyDifferences} checked={only} set={setOnly} />
      {rows.length === 0 ? (
        <p>{same}</p>
      ) : (
        <DataTable
          stacks
          label={label}
          head={head}
          rows={part.items.map(({ name, differs, cells }) => [
            <>
              <span class="row-name">{name}</span> {differs && <span class="badge tone-warn">{t.compare.differs}</span>}
            </>,
            ...cells,
          ])}
        />
      )}
      <Turn of={part} turn={setWanted} />
    </>
  );
}

function Requests({ runs }: Runs) {
  const { t, f } = useWords();
  const nameOf = useFieldNames();
  const curve = useCurveName();
  const rows = fieldRows(runs, { ...t.compare, number: f.number, curve }).map((row) => ({ ...row, name: nameOf(row.field) }));
  return <Differences runs={runs} label={t.run.request} first={t.compare.field} rows={rows} same={t.compare.same} />;
}

/** Names the members as the form does. */
function useFieldNames(): (field: RequestField) => string {
  const { t } = useWords();
  return (field) => {
    if (field === 'sectors') return t.form.sectors;
    return field === 'islands' ? t.run.islands : t.form.fields[field].label;
  };
}

function Outcomes({ runs }: Runs) {
  const { t, f } = useWords();
  const head = useHead(t.compare.outcome, runs);
  const count = <A,>(all: readonly A[], has: (item: A) => boolean): string =>
    t.run.ofSectors(f.number(all.filter(has).length), f.number(all.length));
  return (
    <>
      <DataTable
        label={t.compare.outcome}
        head={head}
        rows={[
          [t.run.hypervolume, ...runs.map(({ hypervolume }) => hypervolume ?? t.compare.noVolume)],
          [t.run.front, ...runs.map(({ population }) => count(population, ({ rank }) => rank === 0))],
          [t.run.disrupted, ...runs.map(({ sectors }) => count(sectors, ({ disrupted_year: year }) => year !== null))],
        ]}
      />
      <p class="help">{t.compare.hypervolumeText}</p>
    </>
  );
}

function Sectors({ runs }: Runs) {
  const { t } = useWords();
  const all = useMemo(() => sectorRows(runs), [runs]);
  const print = (year: Disruption): ComponentChildren => {
    if (year !== undefined) return year ?? t.sectors.never;
    return (
      <>
        <span aria-hidden="true">–</span>
        <span class="sr-only">{t.compare.absent}</span>
      </>
    );
  };
  const rows = all.map(({ name, years, differs }) => ({ name: shownName(name), differs, cells: years.map(print) }));
  return <Differences runs={runs} label={t.compare.years} first={t.sectors.name} rows={rows} same={t.compare.sameYears} />;
}
