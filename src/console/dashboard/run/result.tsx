/** The results of a run, with their limits, its inputs, and how they can be verified. */
import { useState } from 'preact/hooks';
import type { Results } from '../../../codec/api-simulation.js';
import { ForecastChart } from '../charts/forecast.js';
import { Population } from '../population/population.js';
import { Caveat } from '../parts/caveat.js';
import { sized } from '../pure/unit.js';
import { useWords } from '../text/words.js';
import { Actions } from './actions.js';
import { Proof } from './proof.js';
import { RequestFacts } from './request.js';
import { Sectors } from './sectors.js';
import { Figures } from '../../kit/controls/figures.js';

export function ResultView({ results }: { readonly results: Results }) {
  const { t } = useWords();
  return (
    <>
      <Caveat />
      <Warnings warnings={results.warnings} />
      <Actions id={results.id} />
      <KeyFigures results={results} />
      <section aria-labelledby="result">
        <h2 id="result" class="sr-only">
          {t.run.result}
        </h2>
        <ByYear results={results} />
        <Population results={results} />
      </section>
      <RequestFacts results={results} />
      <Proof results={results} />
    </>
  );
}

/** One year is pointed at in both pictures: at first the one that disrupts the first sector, or the last. */
function ByYear({ results }: { readonly results: Results }) {
  const [at, setAt] = useState(() => {
    const first = results.forecast.findIndex(({ affected }) => affected > 0);
    return first < 0 ? results.forecast.length - 1 : first;
  });
  return (
    <>
      <ForecastChart results={results} at={at} point={setAt} />
      <Sectors results={results} at={at} point={setAt} />
    </>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  const { t } = useWords();
  if (warnings.length === 0) return null;
  return (
    <section class="notice warnings" aria-label={t.run.warnings}>
      <p>
        <strong>{t.run.warnings}</strong>
      </p>
      <ul>
        {warnings.map((text) => {
          const known = t.run.warningsKnown[text];
          return known === undefined ? (
            <li key={text} lang="en">
              {text}
            </li>
          ) : (
            <li key={text}>{known}</li>
          );
        })}
      </ul>
    </section>
  );
}

function KeyFigures({ results: { forecast, sectors, population, hypervolume } }: { readonly results: Results }) {
  const { t, f } = useWords();
  const last = forecast.at(-1);
  const first = forecast.find(({ affected }) => affected > 0);
  const front = population.reduce((count, { rank }) => count + (rank === 0 ? 1 : 0), 0);
  const below =
    last?.p05 === undefined || last.p95 === undefined
      ? t.run.inYear(String(last?.year ?? ''))
      : t.run.between(f.percent(last.p05), f.percent(last.p95));
  return (
    <Figures
      figures={[
        [t.run.capabilityEnd, f.percent(last?.capability ?? 0), below],
        [
          t.run.disrupted,
          t.run.ofSectors(f.number(last?.affected ?? 0), f.number(sectors.length)),
          first === undefined ? t.run.none : t.run.firstIn(String(first.year)),
        ],
        [t.run.front, f.number(front), t.run.ofPopulation(f.number(population.length))],
        hypervolume === null
          ? null
          : [t.run.hypervolume, sized(Number(hypervolume.toPrecision(4)), f.number), t.run.hypervolumeHint],
      ]}
    />
  );
}
