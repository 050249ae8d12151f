/** Two to six runs beside each other: forecasts, requests, what came of them, and when sectors are disrupted. */
import { useState } from 'preact/hooks';
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import type { Api } from '../../kit/api/client.js';
import { resultsCodec, type Results } from '../../../codec/api-simulation.js';
import { Lines } from '../charts/lines.js';
import { Caveat } from '../parts/caveat.js';
import { useCurveName } from '../parts/curve-name.js';
import { Outcomes, Requests, Sectors } from '../parts/side-by-side.js';
import { compare_max, compare_min } from '../pure/picked.js';
import { hrefOf } from '../session/routes.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

type Loaded = { readonly id: string } & ({ readonly results: Results } | { readonly problem: Problem });

/** Each by itself: one that cannot be shown does not hide the others. */
const loadAll = (api: Api, ids: readonly string[], signal: AbortSignal): Promise<Loaded[]> =>
  Promise.all(
    ids.map((id) =>
      api.get(`/results/${id}`, resultsCodec, signal).then(
        (results) => ({ id, results }),
        (error: unknown) => ({ id, problem: asProblem(error) }),
      ),
    ),
  );

export function ComparePage({ ids: named }: { readonly ids: readonly string[] }) {
  const { t, f } = useWords();
  const { api } = useSession();
  const ids = named.slice(0, compare_max);
  const { data, loading, reload } = useLoad(ids.join(','), (signal) => loadAll(api, ids, signal));
  const found = (data ?? []).flatMap((one) => ('results' in one ? [one.results] : []));
  return (
    <>
      <PageTitle title={t.compare.title} />
      <p class="lead">{t.compare.lead}</p>
      {named.length > ids.length && <p class="notice notice-warn">{t.compare.many(f.number(compare_max))}</p>}
      {ids.length > 0 && data === null && loading && <Loading />}
      {(data ?? []).map(
        (one) =>
          'problem' in one && (
            <section key={one.id} aria-label={t.compare.missing(one.id)}>
              <h2>{t.compare.missing(one.id)}</h2>
              <ProblemBox title={t.failed.results} problem={one.problem} retry={reload} />
            </section>
          ),
      )}
      {ids.length < compare_min && <TooFew />}
      {ids.length >= compare_min && found.length > 0 && <Beside runs={found} />}
    </>
  );
}

function TooFew() {
  const { t } = useWords();
  return (
    <Empty title={t.compare.few}>
      <p>{t.compare.fewText}</p>
      <a class="button primary" href={hrefOf({ page: 'runs', state: 'succeeded', cursor: null })}>
        {t.compare.toRuns}
      </a>
    </Empty>
  );
}

function Beside({ runs }: { readonly runs: readonly Results[] }) {
  const { t } = useWords();
  return (
    <>
      <Legend runs={runs} />
      <Caveat />
      <h2>{t.compare.forecast}</h2>
      <Overlaid runs={runs} />
      <h2>{t.compare.request}</h2>
      <Requests runs={runs} />
      <h2>{t.compare.outcome}</h2>
      <Outcomes runs={runs} />
      <h2>{t.compare.years}</h2>
      <Sectors runs={runs} />
      <CommandLine lines={runs.map(({ id }) => agentCli('runs', id))} />
    </>
  );
}

/** The runs by number: every table and line names a run by its number only. */
function Legend({ runs }: { readonly runs: readonly Results[] }) {
  const { t, f } = useWords();
  const nameOf = useCurveName();
  return (
    <ol class="run-legend" aria-label={t.compare.runs}>
      {runs.map(({ id, request, created_at }, i) => (
        <li key={id}>
          <LineKey index={i} />
          <a class="mono" href={hrefOf({ page: 'run', id })}>
            {id}
          </a>
          <span class="muted">
            {nameOf(request.curve)} · <time dateTime={created_at}>{f.dateTime(created_at)}</time>
          </span>
        </li>
      ))}
    </ol>
  );
}

function LineKey({ index }: { readonly index: number }) {
  const { f } = useWords();
  return (
    <span class="line-key">
      <svg class={`line line-${index}`} width="30" height="10" aria-hidden="true">
        <path d="M1 5L29 5" />
      </svg>
      <strong>{f.number(index + 1)}</strong>
    </span>
  );
}

const measures = ['capability', 'affected'] as const;

function Overlaid({ runs }: { readonly runs: readonly Results[] }) {
  const { t, f } = useWords();
  const [measure, setMeasure] = useState<(typeof measures)[number]>('capability');
  const lines = runs.map(({ forecast }, i) => ({
    name: t.compare.run(f.number(i + 1)),
    values: forecast.map((entry) => entry[measure]),
  }));
  const years = Math.max(...lines.map(({ values }) => values.length));
  return (
    <Lines
      title={t.compare[measure]}
      alt={t.compare.forecastAlt(f.number(lines.length), f.number(years), t.compare[measure])}
      lines={lines}
      measured={measure === 'affected' ? 'count' : 'share'}
      legend={
        <p class="legend" aria-hidden="true">
          {lines.map(({ name }, i) => (
            <span key={name}>
              <LineKey index={i} />
            </span>
          ))}
        </p>
      }
      controls={
        <div class="segmented" role="group" aria-label={t.compare.measure}>
          {measures.map((each) => (
            <button type="button" key={each} aria-pressed={each === measure} onClick={() => setMeasure(each)}>
              {t.compare[each]}
            </button>
          ))}
        </div>
      }
    />
  );
}
